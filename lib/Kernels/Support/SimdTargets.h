//===- SimdTargets.h - The instruction sets of vector kernels ---*- C++ -*-===//
//
// A file with kernels includes this first, then Highway's foreach_target, which
// compiles it for AVX-512 with its common extensions (but for TSC_AVX512=OFF), AVX2
// and the baseline; for AArch64 it is compiled for NEON alone, which every such
// processor has.
// TSC_BEST_OF(function) is the best of these that the process uses (SimdLevel.h).
//
// Highway's own HWY_DYNAMIC_DISPATCH would need libhwy, which calibrates a timer for
// more than two milliseconds whenever a process loads it.
//
//===----------------------------------------------------------------------===//
#ifndef TSC_LIB_KERNELS_SUPPORT_SIMDTARGETS_H
#define TSC_LIB_KERNELS_SUPPORT_SIMDTARGETS_H

#include "SimdShape.h"
#include <cassert>
#include <type_traits>

#undef HWY_DISABLED_TARGETS
#if defined(TSC_WITHOUT_AVX512)
#define HWY_DISABLED_TARGETS (HWY_SSSE3 | HWY_SSE4 | HWY_AVX3 | HWY_AVX3_DL)
#else
#define HWY_DISABLED_TARGETS (HWY_SSSE3 | HWY_SSE4 | HWY_AVX3_DL)
#endif

namespace tsc::simd {

/// Whether kernels for x86-64-v3 (AVX2 with FMA and halves) and for x86-64-v4 (AVX-512) are used in this process:
/// whether the machine has them and nobody has chosen less (tsc/Support/SimdLevel.h).
bool usesV3();
bool usesV4();

/// Returns the version of a function for the best instruction set that the processor has. `avx512` and `avx2` are null
/// where it is not compiled for these.
template <typename Function>
Function *best(std::type_identity_t<Function> *avx512, std::type_identity_t<Function> *avx2, Function *baseline) {
  return avx512 && usesV4() ? avx512 : avx2 && usesV3() ? avx2 : baseline;
}

} // namespace tsc::simd

/// What begins and ends small code around the kernels of the baseline, by the name of its namespace, behind a comma;
/// for other instruction sets there are no such macros, and TSC_AFTER_COMMA is empty. A function that is called seldom
/// is compiled to small code.
#if defined(__clang__) && defined(__OPTIMIZE__) && !defined(HWY_COMPILE_ONLY_STATIC)
#define TSC_SMALL_BEGIN_N_EMU128 , _Pragma("clang attribute push(__attribute__((cold)), apply_to = function)")
#define TSC_SMALL_END_N_EMU128 , _Pragma("clang attribute pop")
#endif
#define TSC_SECOND(FIRST, SECOND, ...) SECOND
#define TSC_SECOND_OF(...) TSC_SECOND(__VA_ARGS__, , )
#define TSC_JOIN(A, B) A##B
#define TSC_AFTER_COMMA(PREFIX, NAMESPACE) TSC_SECOND_OF(TSC_JOIN(PREFIX, NAMESPACE))

/// Stand around kernels in the place of HWY_BEFORE_NAMESPACE and HWY_AFTER_NAMESPACE. Where a file is compiled for
/// several instruction sets, few processors run the baseline's kernels, which are small code for that. Loops that the
/// compiler makes vectors stay outside: it makes none in small code.
#define TSC_BEFORE_KERNELS() TSC_AFTER_COMMA(TSC_SMALL_BEGIN_, HWY_NAMESPACE) HWY_BEFORE_NAMESPACE()
#define TSC_AFTER_KERNELS()                                                                                            \
  HWY_AFTER_NAMESPACE();                                                                                               \
  TSC_AFTER_COMMA(TSC_SMALL_END_, HWY_NAMESPACE) static_assert(true)

/// A pointer to the function, which is in the namespace HWY_NAMESPACE beside the place of use.
#define TSC_BEST_OF(FUNCTION)                                                                                          \
  ::tsc::simd::best(HWY_CHOOSE_AVX3(FUNCTION), HWY_CHOOSE_AVX2(FUNCTION), &HWY_STATIC_DISPATCH(FUNCTION))

#endif
