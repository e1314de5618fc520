//===- LinearAlgebra.td - Operators: linear algebra -*- tablegen -*-===//

def : KernelHeader<"tsc/Tensor/Kernels/MatMul.h">;
