//===- SimdKernels0.cpp - Part 0 of the kernels on float and double -------===//
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "Pointwise/Floats/SimdKernels0.cpp"
#undef TSC_PART
#define TSC_PART 0
#include "SimdKernels.h"
