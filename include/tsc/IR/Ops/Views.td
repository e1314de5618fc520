//===- Views.td - Operators: views -*- tablegen -*-===//
