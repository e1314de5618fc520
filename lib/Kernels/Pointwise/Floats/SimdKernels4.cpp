//===- SimdKernels4.cpp - Part 4 of the kernels on float and double -------===//
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "Pointwise/Floats/SimdKernels4.cpp"
#undef TSC_PART
#define TSC_PART 4
#include "SimdKernels.h"
