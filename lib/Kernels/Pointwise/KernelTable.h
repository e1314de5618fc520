//===- KernelTable.h - The kernels of point-wise operators ------*- C++ -*-===//
//
// What the files that instantiate kernels share. They take minutes to compile, so
// that this includes nothing that changes often.
//
//===----------------------------------------------------------------------===//
#ifndef TSC_LIB_KERNELS_POINTWISE_KERNELTABLE_H
#define TSC_LIB_KERNELS_POINTWISE_KERNELTABLE_H

#include <cstddef>
#include <cstdint>

namespace tsc::pw {

/// Computes `count` elements: out[i] = body(in[k][i * steps[k]]...). `out` and the operands hold the compute type; an
/// operand of step 0 is splatBytes of one repeated value. Reads and writes nothing past `count` elements.
using Kernel = void (*)(void *out, const void *const *in, const uint8_t *steps, const void *uniforms, int64_t count);

/// Int and Bool compute on rows of int64_t, whatever the dtype; Int32 and Byte give the same on rows of int32_t and
/// bool, in which dtypes of that size need no conversion. So do Int16, Int8 and UInt8 for the bodies that are cheap in
/// 32 bits (NarrowKernels.cpp). Uniforms of all are int64_t. Half and BFloat16 are rows of these, on which cheap bodies
/// compute as Float, with its uniforms (HalfKernels.cpp).
enum class ComputeClass : uint8_t {
  Float,
  Double,
  Int,
  Bool,
  ComplexFloat,
  ComplexDouble,
  Int32,
  Byte,
  Int16,
  Int8,
  UInt8,
  Half,
  BFloat16
};
constexpr unsigned numComputeClasses = 13;

#define TSC_POINTWISE_COUNT
#define TSC_POINTWISE_INLINE
#include "tsc/Kernels/PointwiseBodies.inc"
#undef TSC_POINTWISE_INLINE
#undef TSC_POINTWISE_COUNT

/// Kernels by body. Filled by the parts, each of which instantiates the bodies whose number is its own modulo the
/// count.
struct KernelTable {
  Kernel kernels[numComputeClasses][numPointwiseBodies] = {};
};
constexpr unsigned numSimdParts = 6;
// Each function fills its part of a table: kernels of floats and doubles in six parts, and those of the other compute
// classes, which are in the functions' names.
void fillSimdPart0(KernelTable &);
void fillSimdPart1(KernelTable &);
void fillSimdPart2(KernelTable &);
void fillSimdPart3(KernelTable &);
void fillSimdPart4(KernelTable &);
void fillSimdPart5(KernelTable &);
void fillIntKernels(KernelTable &);
void fillBoolKernels(KernelTable &);
void fillInt32Kernels(KernelTable &);
void fillByteKernels(KernelTable &);
void fillNarrowKernels(KernelTable &);
void fillHalfKernels(KernelTable &);
void fillComplexFloatKernels(KernelTable &);
void fillComplexDoubleKernels(KernelTable &);

} // namespace tsc::pw

#endif
