//===- IntKernels.cpp - Scalar bodies instantiated on int64_t ---===//
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "Pointwise/Integers/IntKernels.cpp"
#undef TSC_ELEMENT
#undef TSC_FILL
#undef TSC_CLASS
#define TSC_ELEMENT int64_t
#define TSC_FILL fillIntKernels
#define TSC_CLASS ComputeClass::Int
#undef TSC_BODIES_INT
#define TSC_BODIES_INT
#include "Pointwise/ScalarKernels.h"
