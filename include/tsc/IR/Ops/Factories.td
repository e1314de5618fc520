//===- Factories.td - Operators: factories -*- tablegen -*-===//
