//===- Int32Kernels.cpp - Scalar bodies on rows of int32_t ----------===//
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "Pointwise/Integers/Int32Kernels.cpp"
#undef TSC_ELEMENT
#undef TSC_FILL
#undef TSC_CLASS
#define TSC_ELEMENT int32_t
#define TSC_FILL fillInt32Kernels
#define TSC_CLASS ComputeClass::Int32
#undef TSC_BODIES_INT
#define TSC_BODIES_INT
#include "Pointwise/ScalarKernels.h"
