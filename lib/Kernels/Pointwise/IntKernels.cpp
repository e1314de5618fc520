//===- IntKernels.cpp - Scalar bodies instantiated on int64_t ---===//
#include "ScalarBuilder.h"

using namespace tsc::pw;

void tsc::pw::fillIntKernels(KernelTable &table) {
  Kernel *kernels = table.kernels[static_cast<unsigned>(ComputeClass::Int)];
#define BODY(INDEX, NAME) kernels[INDEX] = &runScalarKernel<int64_t, IntBuilder, NAME>;
#define TSC_POINTWISE_INT
#define TSC_POINTWISE_INLINE
#include "tsc/Kernels/PointwiseBodies.inc"
}
