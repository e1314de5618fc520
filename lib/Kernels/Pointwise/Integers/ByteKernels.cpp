//===- ByteKernels.cpp - Scalar bodies on rows of truth values ------===//
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "Pointwise/Integers/ByteKernels.cpp"
#undef TSC_ELEMENT
#undef TSC_FILL
#undef TSC_CLASS
#define TSC_ELEMENT bool
#define TSC_FILL fillByteKernels
#define TSC_CLASS ComputeClass::Byte
#undef TSC_BODIES_BOOL
#define TSC_BODIES_BOOL
#include "Pointwise/ScalarKernels.h"
