//===- Convolution.td - Operators: convolution -*- tablegen -*-===//
