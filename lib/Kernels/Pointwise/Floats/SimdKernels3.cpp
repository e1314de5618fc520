//===- SimdKernels3.cpp - Part 3 of the kernels on float and double -------===//
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "Pointwise/Floats/SimdKernels3.cpp"
#undef TSC_PART
#define TSC_PART 3
#include "SimdKernels.h"
