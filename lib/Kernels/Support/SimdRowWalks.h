//===- SimdRowWalks.h - How kernels walk a row on vectors -------*- C++ -*-===//
//
// Sixteen elements at a time, as the folds take them; what is left over at the end
// goes through the same instructions by way of a buffer. Included once for each
// instruction set, behind SimdBuilder.h and SimdLanes.h; hence no guard of its own
// kind.
//
//===----------------------------------------------------------------------===//

namespace tsc::cpu::HWY_NAMESPACE {

/// The operations of scalar bodies on vectors of T, of sixteen elements at most.
template <typename T> using Builder = pw::HWY_NAMESPACE::SimdBuilder<typename Sixteen<T>::D>;

/// Calls full(start) for every vector of x[0, n) that is complete and rest(start, count) for what is left.
template <typename T, class Full, class Rest> HWY_INLINE void forVectors(int64_t n, Full full, Rest rest) {
  constexpr int64_t width = Sixteen<T>::width;
  int64_t i = 0;
  for (; i + width <= n; i += width)
    full(i);
  if (i != n)
    rest(i, n - i);
}

/// A vector of the `count` elements at `from`, `fill` in the lanes beyond.
template <typename T> HWY_INLINE auto loadPart(const T *from, int64_t count, T fill) {
  return pw::HWY_NAMESPACE::loadFirst(Sixteen<T>::d, from, static_cast<size_t>(count), fill);
}
template <typename T, class V> HWY_INLINE void storePart(T *to, int64_t count, V v) {
  pw::HWY_NAMESPACE::storeFirst(Sixteen<T>::d, to, static_cast<size_t>(count), v);
}

/// Computes out = f(x, others…) for rows of n elements, one vector at a time.
template <typename T, class F, class... Others>
HWY_INLINE void mapRow(T *out, int64_t n, F f, const T *x, const Others *...others) {
  const typename Sixteen<T>::D d;
  forVectors<T>(
      n, [&](int64_t i) HWY_ATTR { hn::StoreU(f(hn::LoadU(d, x + i), hn::LoadU(d, others + i)...), d, out + i); },
      [&](int64_t i, int64_t count) HWY_ATTR {
        storePart(out + i, count, f(loadPart(x + i, count, T(0)), loadPart(others + i, count, T(0))...));
      });
}

/// The sum of f(vector, index, lanes) over a row in the order of the folds; lanes beyond the row count as zero. Blocks
/// are folded four at a time: the additions of one wait for each other.
template <typename T, class F> HWY_INLINE void sumBlocks(SumCascade<T> &cascade, const T *x, int64_t n, F f) {
  const typename Sixteen<T>::D d;
  constexpr int64_t width = Sixteen<T>::width;
  int64_t begin = 0;
  for (; begin + foldRows * foldBlock <= n; begin += foldRows * foldBlock) {
    BlockLanes<SumFold<T>> lanes[foldRows];
    for (int64_t i = begin; i != begin + foldBlock; i += foldLanes)
      for (int64_t k = 0; k != foldLanes / width; ++k)
        for (int64_t block = 0; block != foldRows; ++block) {
          const int64_t at = i + block * foldBlock + k * width;
          lanes[block].step(k, f(hn::LoadU(d, x + at), at, width));
        }
    for (auto &block : lanes)
      cascade.push(block.finish());
  }
  for (; begin < n; begin += foldBlock) {
    int64_t end = begin + foldBlock < n ? begin + foldBlock : n, i = begin;
    BlockLanes<SumFold<T>> lanes;
    for (; i + foldLanes <= end; i += foldLanes)
      for (int64_t k = 0; k != foldLanes / width; ++k)
        lanes.step(k, f(hn::LoadU(d, x + i + k * width), i + k * width, width));
    for (int64_t k = 0; i < end; i += width, ++k) {
      int64_t count = end - i < width ? end - i : width;
      auto v = f(loadPart(x + i, count, T(0)), i, count);
      lanes.step(k, hn::IfThenElseZero(hn::FirstN(d, static_cast<size_t>(count)), v));
    }
    cascade.push(lanes.finish());
  }
}

} // namespace tsc::cpu::HWY_NAMESPACE
