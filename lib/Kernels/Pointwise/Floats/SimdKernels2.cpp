//===- SimdKernels2.cpp - Part 2 of the kernels on float and double -------===//
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "Pointwise/Floats/SimdKernels2.cpp"
#undef TSC_PART
#define TSC_PART 2
#include "SimdKernels.h"
