//===- Random.td - Operators: random -*- tablegen -*-===//
