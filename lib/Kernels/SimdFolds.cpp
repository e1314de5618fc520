//===- SimdFolds.cpp - Blocks of folds on vectors -------------------------===//
//
// The block kernels of Folds.h, instantiated for every instruction set: the 16
// lanes of a block are one vector or several, and the bits those of the plain loops.
//
//===----------------------------------------------------------------------===//
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "SimdFolds.cpp"
#include "SimdTargets.h"

#include "hwy/foreach_target.h" // first: it includes this file again for every instruction set

#include "hwy/highway.h"
#include "tsc/Kernels/Folds.h"

HWY_BEFORE_NAMESPACE();
#include "SimdLanes.h"

namespace tsc::cpu::HWY_NAMESPACE {

template <class Fold> HWY_NOINLINE typename Fold::Acc rowBlock(const typename Fold::Acc *data, int64_t count) {
  using T = typename Fold::Acc;
  BlockLanes<Fold> lanes;
  int64_t i = 0;
  for (; i + foldLanes <= count; i += foldLanes)
    for (size_t k = 0; k != Sixteen<T>::vectors; ++k)
      lanes.step(k, hn::LoadU(Sixteen<T>::d, data + i + k * Sixteen<T>::width));
  if (i != count) {
    HWY_ALIGN T rest[foldLanes];
    for (int64_t k = 0; k != foldLanes; ++k)
      rest[k] = i + k < count ? data[i + k] : Fold::init();
    for (size_t k = 0; k != Sixteen<T>::vectors; ++k)
      lanes.step(k, hn::Load(Sixteen<T>::d, rest + k * Sixteen<T>::width));
  }
  return lanes.finish();
}

template <class Fold>
HWY_NOINLINE void columnBlock(typename Fold::Acc *out, const typename Fold::Acc *data, int64_t stride, int64_t rows,
                              int64_t columns) {
  using T = typename Fold::Acc;
  const hn::CappedTag<T, foldLanes> d;
  const int64_t width = static_cast<int64_t>(hn::Lanes(d));
  HWY_ALIGN T acc[foldLanes][foldColumns];
  // The first rows meet the initial value.
  for (int64_t i = 0; i != foldLanes; ++i) {
    int64_t k = 0;
    if (i < rows) {
      for (; k + width <= columns; k += width)
        hn::Store(stepOf(Fold(), d, hn::Set(d, Fold::init()), hn::LoadU(d, data + i * stride + k)), d, acc[i] + k);
      for (; k < columns; ++k)
        acc[i][k] = Fold::step(Fold::init(), data[i * stride + k]);
    } else {
      for (; k < columns; ++k)
        acc[i][k] = Fold::init();
    }
  }
  for (int64_t i = foldLanes; i < rows; ++i) {
    T *lane = acc[i % foldLanes];
    const T *row = data + i * stride;
    int64_t k = 0;
    for (; k + width <= columns; k += width)
      hn::Store(stepOf(Fold(), d, hn::Load(d, lane + k), hn::LoadU(d, row + k)), d, lane + k);
    for (; k < columns; ++k)
      lane[k] = Fold::step(lane[k], row[k]);
  }
  // Lanes of columns that do not exist are combined too; nobody reads them.
  for (int64_t k = 0; k < columns; k += width) {
    hn::Vec<decltype(d)> v[foldLanes];
    for (int i = 0; i != foldLanes; ++i)
      v[i] = hn::Load(d, acc[i] + k);
    halve<Fold>(d, v);
    hn::Store(v[0], d, acc[0] + k);
  }
  for (int64_t k = 0; k != columns; ++k)
    out[k] = acc[0][k];
}

#define TSC_FOLD_KERNELS(FOLD, TYPE)                                                                                   \
  static BlockKernels<TYPE> FOLD                                                                                       \
  ##_##TYPE() {                                                                                                        \
    return {                                                                                                           \
      &rowBlock < FOLD                                                                                                 \
      < TYPE >>, &columnBlock < FOLD                                                                                   \
<TYPE>>                                                                                                                      \
    };                                                                                                                 \
  }
TSC_SIMD_FOLDS(TSC_FOLD_KERNELS)
#undef TSC_FOLD_KERNELS
} // namespace tsc::cpu::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace tsc::cpu {
#define TSC_EXPORT_FOLD(FOLD, TYPE)                                                                                    \
  const BlockKernels<TYPE> *SimdBlocks < FOLD                                                                          \
  < TYPE >> ::get() {                                                                                                  \
    static const BlockKernels<TYPE> kernels = TSC_BEST_OF(FOLD##_##TYPE)();                                            \
    return &kernels;                                                                                                   \
  }
TSC_SIMD_FOLDS(TSC_EXPORT_FOLD)
#undef TSC_EXPORT_FOLD
} // namespace tsc::cpu
#endif
