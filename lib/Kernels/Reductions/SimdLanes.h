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
  HWY_INLINE T finish() {
    HWY_ALIGN T lanes[foldLanes];
    for (size_t k = 0; k != vectors; ++k)
      hn::Store(acc[k], D(), lanes + k * width);
    combineHalves<8>(lanes);
    combineHalves<4>(lanes);
    return Fold::combine(Fold::combine(lanes[0], lanes[2]), Fold::combine(lanes[1], lanes[3]));
  }

private:
  template <size_t count> HWY_INLINE static void combineHalves(T *lanes) {
    const hn::CappedTag<T, count> d;
    for (size_t k = 0; k != count; k += hn::Lanes(d))
      hn::Store(combineOf(Fold(), d, hn::Load(d, lanes + k), hn::Load(d, lanes + count + k)), d, lanes + k);
  }
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
