//===- ComplexFloatKernels.cpp - Scalar bodies instantiated on std::complex<float> ---===//
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "Pointwise/Floats/ComplexFloatKernels.cpp"
#undef TSC_ELEMENT
#undef TSC_FILL
#undef TSC_CLASS
#define TSC_ELEMENT std::complex<float>
#define TSC_FILL fillComplexFloatKernels
#define TSC_CLASS ComputeClass::ComplexFloat
#undef TSC_BODIES_COMPLEX
#define TSC_BODIES_COMPLEX
#include "Pointwise/ScalarKernels.h"
