//===- Reductions.td - Operators: reductions -*- tablegen -*-===//
