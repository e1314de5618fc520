//===- Factories.td - Operators: factories -*- tablegen -*-===//

def : KernelHeader<"tsc/Tensor/Kernels/Copy.h">;
