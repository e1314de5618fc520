//===- RandomRows.h - Rows of random numbers --------------------*- C++ -*-===//
#ifndef TSC_LIB_KERNELS_RANDOM_RANDOMROWS_H
#define TSC_LIB_KERNELS_RANDOM_RANDOMROWS_H

#include "tsc/Support/WorkMeter.h"
#include <algorithm>
#include <cstdint>

namespace tsc::cpu::random {

/// Calls draw(begin, end) for some of `count` elements after the other, each worth `cost` elementary operations. False:
/// the call is to end, and elements are left as they were.
template <typename Draw> bool forEachBlock(int64_t count, int64_t cost, Draw draw) {
  constexpr int64_t block = 1024;
  work::LongLoop turns(cost * std::min(block, count));
  for (int64_t begin = 0; begin < count; begin += block) {
    if (!turns.goOn())
      return false;
    draw(begin, std::min(begin + block, count));
  }
  return true;
}

/// How many elementary operations an element is worth that is drawn by rejection.
inline constexpr int64_t costOfRejection = 64;

/// What rows of draws of 32 bits become, for every instruction set (SimdRandom.cpp); each element what it would be
/// alone.
struct Kernels {
  /// low + range * u, rounded once; u: the lowest `bits` bits, at most 24, as a number of [0, 1).
  void (*floats)(float *out, const uint32_t *draws, int64_t n, int bits, float range, float low);
  /// low + range * u with a u of 53 bits: two draws for each, the first in the high half.
  void (*doubles)(double *out, const uint32_t *draws, int64_t n, double range, double low);
  /// -log(1 - u) * scale of `n` numbers u, in place.
  void (*exponentials)(double *u, int64_t n, double scale);
  /// Uniform numbers in place into normal ones, in blocks of 16 (BoxMuller.h).
  void (*normals)(float *data, int64_t blocks, float mean, float std);
};
/// Returns the kernels for the best instruction set that the processor has.
const Kernels &kernels();

} // namespace tsc::cpu::random

#endif
