//===- SimdLanes.h - The lanes of a fold on vectors -------------*- C++ -*-===//
//
// The steps of the folds on Highway vectors, and the 16 lanes of a block. Included
// once for each instruction set; hence no guard of its own kind.
//
//===----------------------------------------------------------------------===//

namespace tsc::cpu::HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

template <typename T, class D, class V> HWY_INLINE V stepOf(SumFold<T>, D, V a, V v) { return hn::Add(a, v); }
template <typename T, class D, class V> HWY_INLINE V stepOf(NanSumFold<T>, D, V a, V v) {
  return hn::IfThenElse(hn::Eq(v, v), hn::Add(a, v), a);
}
template <typename T, class D, class V> HWY_INLINE V stepOf(ProdFold<T>, D, V a, V v) { return hn::Mul(a, v); }
/// Takes the elements of one vector into a fold's accumulators, lane by lane; NaN stays.
template <typename T, bool maximum, class D, class V> HWY_INLINE V stepOf(ExtremumFold<T, maximum>, D, V a, V v) {
  auto stays = hn::Or(maximum ? hn::Le(v, a) : hn::Ge(v, a), hn::IsNaN(a));
  return hn::IfThenElse(stays, a, v);
}
template <typename T, class D, class V> HWY_INLINE V combineOf(NanSumFold<T>, D, V a, V b) { return hn::Add(a, b); }
template <class Fold, class D, class V> HWY_INLINE V combineOf(Fold fold, D d, V a, V b) {
  return stepOf(fold, d, a, b);
}

/// Combines 16 values a lane of the vectors, by halving, into v[0].
template <class Fold, class D, class V> HWY_INLINE void halve(D d, V (&v)[foldLanes]) {
  for (int width = foldLanes / 2; width; width /= 2)
    for (int k = 0; k != width; ++k)
      v[k] = combineOf(Fold(), d, v[k], v[k + width]);
}

/// How 16 elements are divided among vectors.
template <typename T> struct Sixteen {
  using D = hn::CappedTag<T, foldLanes>;
  static constexpr D d{};
  static constexpr size_t width = hn::MaxLanes(D()), vectors = foldLanes / width;
};

/// Returns what the lanes of a vector come to, combined in halves.
template <class Fold, class V> HWY_INLINE typename Fold::Acc combineLanes(V v) {
  const hn::DFromV<V> d;
  if constexpr (hn::MaxLanes(d) == 1) {
    return hn::GetLane(v);
  } else if constexpr (hn::MaxLanes(d) == 2) {
    return Fold::combine(hn::ExtractLane(v, 0), hn::ExtractLane(v, 1));
  } else {
    const hn::Half<decltype(d)> half;
    return combineLanes<Fold>(combineOf(Fold(), half, hn::LowerHalf(half, v), hn::UpperHalf(half, v)));
  }
}

/// The same of sixteen lanes, whose vectors are overwritten.
template <class Fold, class V, size_t vectors> HWY_INLINE typename Fold::Acc combineSixteen(V (&acc)[vectors]) {
  const hn::DFromV<V> d;
  for (size_t half = vectors / 2; half; half /= 2)
    for (size_t k = 0; k != half; ++k)
      acc[k] = combineOf(Fold(), d, acc[k], acc[k + half]);
  return combineLanes<Fold>(acc[0]);
}

/// The lanes of one block of a row.
template <class Fold> class BlockLanes {
  using T = typename Fold::Acc;
  using D = typename Sixteen<T>::D;
  static constexpr size_t width = Sixteen<T>::width, vectors = Sixteen<T>::vectors;

public:
  HWY_INLINE BlockLanes() {
    for (size_t k = 0; k != vectors; ++k)
      acc[k] = hn::Set(D(), Fold::init());
  }
  /// Takes elements k * width and on of the next sixteen.
  HWY_INLINE void step(size_t k, hn::Vec<D> v) { acc[k] = stepOf(Fold(), D(), acc[k], v); }
  /// Returns what the sixteen lanes come to, combined in halves.
  HWY_INLINE T finish() { return combineSixteen<Fold>(acc); }

private:
  hn::Vec<D> acc[vectors];
};

/// Results of the blocks of one row, or of a vector of columns, combined like the digits of a binary counter (as
/// Cascade in Reduce.h).
template <class Value> class SumCascade {
public:
  /// Takes the result of the next block.
  HWY_INLINE void push(Value value) {
    unsigned level = 0;
    for (uint64_t n = count++; n & 1; n >>= 1)
      value = levels[level++] + value;
    levels[level] = value;
  }
  /// Some block was pushed.
  HWY_INLINE Value finish() const {
    unsigned level = 0;
    while (!(count >> level & 1))
      ++level;
    Value result = levels[level];
    for (++level; count >> level; ++level)
      if (count >> level & 1)
        result = levels[level] + result;
    return result;
  }

private:
  Value levels[56];
  uint64_t count = 0;
};

} // namespace tsc::cpu::HWY_NAMESPACE
