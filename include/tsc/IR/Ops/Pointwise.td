//===- Pointwise.td - Operators: pointwise -*- tablegen -*-===//
