//===- BoolKernels.cpp - Scalar bodies instantiated on truth values ---===//
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "Pointwise/Integers/BoolKernels.cpp"
#undef TSC_ELEMENT
#undef TSC_FILL
#undef TSC_CLASS
#define TSC_ELEMENT int64_t
#define TSC_FILL fillBoolKernels
#define TSC_CLASS ComputeClass::Bool
#undef TSC_BODIES_BOOL
#define TSC_BODIES_BOOL
#include "Pointwise/ScalarKernels.h"
