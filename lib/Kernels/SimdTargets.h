//===- SimdTargets.h - The instruction sets of vector kernels ---*- C++ -*-===//
//
// A file with kernels includes this first, then Highway's foreach_target, which
// compiles it for AVX-512 with its common extensions, AVX2 and the baseline.
// TSC_BEST_OF(function) is the best of these that the processor runs.
//
// Highway's own HWY_DYNAMIC_DISPATCH would need libhwy, which calibrates a timer for
// more than two milliseconds whenever a process loads it.
//
//===----------------------------------------------------------------------===//
#ifndef TSC_LIB_KERNELS_SIMDTARGETS_H
#define TSC_LIB_KERNELS_SIMDTARGETS_H

#include <type_traits>

#undef HWY_DISABLED_TARGETS
#define HWY_DISABLED_TARGETS (HWY_SSSE3 | HWY_SSE4 | HWY_AVX3_DL)

namespace tsc::simd {

#if defined(__x86_64__)
inline bool hasAVX2() {
  static const bool has = __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma") &&
                          __builtin_cpu_supports("f16c") && __builtin_cpu_supports("bmi") &&
                          __builtin_cpu_supports("bmi2") && __builtin_cpu_supports("lzcnt");
  return has;
}
inline bool hasAVX512() {
  static const bool has = hasAVX2() && __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512vl") &&
                          __builtin_cpu_supports("avx512dq") && __builtin_cpu_supports("avx512bw") &&
                          __builtin_cpu_supports("avx512cd");
  return has;
}
#else
inline bool hasAVX2() { return false; }
inline bool hasAVX512() { return false; }
#endif

/// Null: not compiled for that.
template <typename Function>
Function *best(std::type_identity_t<Function> *avx512, std::type_identity_t<Function> *avx2, Function *baseline) {
  return avx512 && hasAVX512() ? avx512 : avx2 && hasAVX2() ? avx2 : baseline;
}

} // namespace tsc::simd

/// A pointer to the function, which is in the namespace HWY_NAMESPACE beside the place of use.
#define TSC_BEST_OF(FUNCTION)                                                                                          \
  ::tsc::simd::best(HWY_CHOOSE_AVX3(FUNCTION), HWY_CHOOSE_AVX2(FUNCTION), &HWY_STATIC_DISPATCH(FUNCTION))

#endif
