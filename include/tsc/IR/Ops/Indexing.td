//===- Indexing.td - Operators: indexing -*- tablegen -*-===//

