//===- AtSimdLevel.h - A loop for each level of vector instructions -*- C++ -*-===//
//
// Plain loops that the compiler makes vectors of, compiled for every level and chosen
// by the level that the process uses (SimdLevel.h), as kernels on vectors are:
//
//   template <typename T>
//   LLVM_ATTRIBUTE_ALWAYS_INLINE static void addRow(T *out, const T *x, int64_t n) {
//     for (int64_t i = 0; i < n; ++i)
//       out[i] += x[i];
//   }
//   …
//   atSimdLevel<addRow<float>, Overlap::None>(out, x, n);
//
//===----------------------------------------------------------------------===//
#ifndef TSC_SUPPORT_ATSIMDLEVEL_H
#define TSC_SUPPORT_ATSIMDLEVEL_H

#include "tsc/Support/SimdFeatures.h"
#include "tsc/Support/SimdLevel.h"

namespace tsc {

/// Whether a loop may read or write by one of its pointers what it writes by another. It has to be said beside the
/// loop: the type of a function leaves __restrict out, and where a function is inlined, the compiler remembers that
/// promise for a part of its loads and stores.
enum class Overlap {
  Allowed, ///< It may, as C++ has it.
  None,    ///< It does not, as if every parameter that is a pointer were __restrict.
};

namespace detail {
/// How a version of a loop takes an argument of type Arg.
template <typename Arg, Overlap overlap> struct LoopArgument {
  using Type = Arg; ///< The type of its parameter.
};
/// A pointer to what no other parameter points to.
template <typename T> struct LoopArgument<T *, Overlap::None> {
  using Type = T *__restrict; ///< The type of its parameter.
};
} // namespace detail

/// The versions of one function, a pointer to which is `loop`. It is to be always_inline, and what it calls is to be
/// inlined, too, for they are compiled for a level as parts of its versions. Results may differ between levels where
/// the compiler fuses a product with a sum.
template <auto *loop, Overlap overlap> class LoopOfLevels;

/// The versions of a function with this type.
template <typename Result, typename... Args, Result (*loop)(Args...), Overlap overlap>
class LoopOfLevels<loop, overlap> {
  template <typename Arg> using Argument = typename detail::LoopArgument<Arg, overlap>::Type;

public:
#if defined(__x86_64__)
  /// Calls the version for the level that the process uses. This is inlined: rows may be so short that a call more
  /// costs.
  LLVM_ATTRIBUTE_ALWAYS_INLINE Result operator()(Args... args) const {
    const uint8_t level = detail::usedSimdLevel.load(std::memory_order_relaxed);
#if !defined(TSC_WITHOUT_AVX512)
    if (level == static_cast<uint8_t>(SimdLevel::V4))
      return atV4(args...);
#endif
    if (level == static_cast<uint8_t>(SimdLevel::V3))
      return atV3(args...);
    return atOther(args...);
  }

  /// Calls the version for `level`, which the machine must have, whatever the process uses.
  static Result at(SimdLevel level, Argument<Args>... args) {
    switch (level) {
    case SimdLevel::V4:
#if !defined(TSC_WITHOUT_AVX512)
      return atV4(args...);
#endif
    case SimdLevel::V3: return atV3(args...);
    default: return loop(args...);
    }
  }

private:
  /// Calls the version for a lower level than those above, or decides on the level first. Not inlined, so that calls
  /// are small.
  LLVM_ATTRIBUTE_NOINLINE static Result atOther(Argument<Args>... args) { return at(simdLevel(), args...); }

  // Features, and not an architecture: that would have the compiler tune for the first processors of its level, some of
  // which run slower with wide vectors, and choose shorter ones.
#define TSC_FEATURE_IN_LIST(NAME) NAME ","
  __attribute__((target(TSC_V3_FEATURES(TSC_FEATURE_IN_LIST) "popcnt"))) static Result atV3(Argument<Args>... args) {
    return loop(args...);
  }
#if !defined(TSC_WITHOUT_AVX512)
  __attribute__((target(TSC_V4_FEATURES(TSC_FEATURE_IN_LIST) "popcnt"))) static Result atV4(Argument<Args>... args) {
    return loop(args...);
  }
#endif
#undef TSC_FEATURE_IN_LIST
#else
  /// Calls the function: there is one version.
  LLVM_ATTRIBUTE_ALWAYS_INLINE Result operator()(Args... args) const { return loop(args...); }

  /// Calls the function, whatever the process uses.
  static Result at(SimdLevel, Argument<Args>... args) { return loop(args...); }
#endif
};

/// A function object that calls `loop` as it is compiled for the level of vector instructions that the process uses. An
/// overloaded function is no `loop`, an instance of a function template is.
template <auto *loop, Overlap overlap = Overlap::Allowed> inline constexpr LoopOfLevels<loop, overlap> atSimdLevel{};

} // namespace tsc

#endif
