//===- ComplexFloatKernels.cpp - Scalar bodies instantiated on std::complex<float> ---===//
#include "ScalarBuilder.h"

using namespace tsc::pw;

void tsc::pw::fillComplexFloatKernels(KernelTable &table) {
  Kernel *kernels = table.kernels[static_cast<unsigned>(ComputeClass::ComplexFloat)];
#define BODY(INDEX, NAME) kernels[INDEX] = &runScalarKernel<std::complex<float>, ComplexBuilder<float>, NAME>;
#define TSC_POINTWISE_COMPLEX
#define TSC_POINTWISE_INLINE
#include "tsc/Kernels/PointwiseBodies.inc"
}
