//===- NeuralNet.td - Operators: neural net -*- tablegen -*-===//
