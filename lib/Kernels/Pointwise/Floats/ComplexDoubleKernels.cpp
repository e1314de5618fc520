//===- ComplexDoubleKernels.cpp - Scalar bodies instantiated on std::complex<double> ---===//
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "Pointwise/Floats/ComplexDoubleKernels.cpp"
#undef TSC_ELEMENT
#undef TSC_FILL
#undef TSC_CLASS
#define TSC_ELEMENT std::complex<double>
#define TSC_FILL fillComplexDoubleKernels
#define TSC_CLASS ComputeClass::ComplexDouble
#undef TSC_BODIES_COMPLEX
#define TSC_BODIES_COMPLEX
#include "Pointwise/ScalarKernels.h"
