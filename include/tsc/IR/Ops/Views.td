//===- Views.td - Operators: views -*- tablegen -*-===//

def : KernelHeader<"tsc/Tensor/Kernels/Copy.h">;
