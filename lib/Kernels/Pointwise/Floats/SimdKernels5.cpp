//===- SimdKernels5.cpp - Part 5 of the kernels on float and double -------===//
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "Pointwise/Floats/SimdKernels5.cpp"
#undef TSC_PART
#define TSC_PART 5
#include "SimdKernels.h"
