//===- NeuralNet.td - Operators: neural net -*- tablegen -*-===//

def : KernelHeader<"tsc/Tensor/Kernels/Loss.h">;
def : KernelHeader<"tsc/Tensor/Kernels/Normalization.h">;
def : KernelHeader<"tsc/Tensor/Kernels/Pooling.h">;
def : KernelHeader<"tsc/Tensor/Kernels/Recurrent.h">;
def : KernelHeader<"tsc/Tensor/Kernels/Upsample.h">;
