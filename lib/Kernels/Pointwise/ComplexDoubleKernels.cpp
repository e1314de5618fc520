//===- ComplexDoubleKernels.cpp - Scalar bodies instantiated on std::complex<double> ---===//
#include "ScalarBuilder.h"

using namespace tsc::pw;

void tsc::pw::fillComplexDoubleKernels(KernelTable &table) {
  Kernel *kernels = table.kernels[static_cast<unsigned>(ComputeClass::ComplexDouble)];
#define BODY(INDEX, NAME) kernels[INDEX] = &runScalarKernel<std::complex<double>, ComplexBuilder<double>, NAME>;
#define TSC_POINTWISE_COMPLEX
#define TSC_POINTWISE_INLINE
#include "tsc/Kernels/PointwiseBodies.inc"
}
