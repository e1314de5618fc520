//===- LinearAlgebra.td - Operators: linear algebra -*- tablegen -*-===//
