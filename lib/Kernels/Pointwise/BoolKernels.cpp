//===- BoolKernels.cpp - Scalar bodies instantiated on int64_t ---===//
#include "ScalarBuilder.h"

using namespace tsc::pw;

void tsc::pw::fillBoolKernels(KernelTable &table) {
  Kernel *kernels = table.kernels[static_cast<unsigned>(ComputeClass::Bool)];
#define BODY(INDEX, NAME) kernels[INDEX] = &runScalarKernel<int64_t, IntBuilder, NAME>;
#define TSC_POINTWISE_BOOL
#define TSC_POINTWISE_INLINE
#include "tsc/Kernels/PointwiseBodies.inc"
}
