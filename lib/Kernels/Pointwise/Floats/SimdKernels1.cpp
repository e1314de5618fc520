//===- SimdKernels1.cpp - Part 1 of the kernels on float and double -------===//
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "Pointwise/Floats/SimdKernels1.cpp"
#undef TSC_PART
#define TSC_PART 1
#include "SimdKernels.h"
