//===- Reductions.td - Operators: reductions -*- tablegen -*-===//

def : KernelHeader<"tsc/Tensor/Kernels/Promotion.h">;
