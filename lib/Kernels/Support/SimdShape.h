//===- SimdShape.h - What an instruction set has, for kernels ---*- C++ -*-===//
//
// What kernels ask about the instruction set that they are compiled for (HWY_TARGET),
// in place of its name: one line for each question, in which the instruction sets are
// told that have it. HWY_EMU128, plain x86-64, has none of them. These are macros, as
// HWY_TARGET is another one in each turn of Highway's foreach_target; they hold for
// `#if` and for constants alike.
//
//===----------------------------------------------------------------------===//
#ifndef TSC_LIB_KERNELS_SUPPORT_SIMDSHAPE_H
#define TSC_LIB_KERNELS_SUPPORT_SIMDSHAPE_H

/// The number of vector registers.
#define TSC_VECTOR_REGISTERS (HWY_TARGET == HWY_AVX3 || HWY_TARGET == HWY_NEON ? 32 : 16)
/// Whether arithmetic takes one operand from memory, so that a vector that is used once needs no register.
#define TSC_HAS_MEMORY_OPERANDS (HWY_TARGET == HWY_AVX3 || HWY_TARGET == HWY_AVX2)
/// Whether operations on vectors are instructions, and not loops over their elements.
#define TSC_HAS_VECTORS (HWY_TARGET == HWY_AVX3 || HWY_TARGET == HWY_AVX2 || HWY_TARGET == HWY_NEON)
/// Whether one instruction adds the products of integers of 16 bits in pairs.
#define TSC_ADDS_PAIRS (HWY_TARGET == HWY_AVX3 || HWY_TARGET == HWY_AVX2)
/// Whether one instruction adds the products of unsigned and signed bytes in pairs, to sums of 16 bits that saturate.
#define TSC_ADDS_BYTE_PAIRS (HWY_TARGET == HWY_AVX3 || HWY_TARGET == HWY_AVX2)
/// Whether part of a vector is loaded under a mask.
#define TSC_HAS_MASKED_LOADS (HWY_TARGET == HWY_AVX3 || HWY_TARGET == HWY_AVX2)
/// Whether masks have registers of their own, and loads and stores under them cost what others do.
#define TSC_HAS_MASKS (HWY_TARGET == HWY_AVX3)
/// Whether instructions convert between halves and floats, infinities and NaN among them. Highway's own conversion,
/// which stands for them elsewhere, takes neither.
#define TSC_CONVERTS_HALVES (HWY_TARGET == HWY_AVX3 || HWY_TARGET == HWY_AVX2 || HWY_TARGET == HWY_NEON)
/// Whether a product takes one lane of a vector for all lanes of another. Elsewhere that lane is loaded from memory for
/// all lanes, which there is free, and here takes the place of a product.
#define TSC_MULTIPLIES_BY_LANE (HWY_TARGET == HWY_NEON)
/// Whether one instruction looks up bytes in two vectors, of which Highway's looks into one.
#define TSC_HAS_LONG_TABLES (HWY_TARGET == HWY_NEON)

#endif
