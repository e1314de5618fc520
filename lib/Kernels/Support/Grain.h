//===- Grain.h - How much work is worth a thread ----------------*- C++ -*-===//
#ifndef TSC_LIB_KERNELS_SUPPORT_GRAIN_H
#define TSC_LIB_KERNELS_SUPPORT_GRAIN_H

#include "tsc/Support/ThreadPool.h"

namespace tsc::cpu {

/// How many units of `rows` times `columns` elements are worth a thread, which is `worth` elements: one at least. A
/// product that is no number, as those of sizes beside one of 0, is of large units.
inline int64_t grainOf(int64_t rows, int64_t columns, int64_t worth = parallelGrain) {
  int64_t elements;
  if (__builtin_mul_overflow(rows, columns, &elements) || elements > worth)
    return 1;
  return elements > 0 ? worth / elements : worth;
}

} // namespace tsc::cpu

#endif
