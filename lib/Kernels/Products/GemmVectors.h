//===- GemmVectors.h - What kernels of products are made of -----*- C++ -*-===//
//
// Vectors of elements, parts of them, tiles of rows.
// Included once for each instruction set, behind Highway; hence no guard of its own
// kind.
//
//===----------------------------------------------------------------------===//

TSC_BEFORE_KERNELS();
namespace tsc::cpu::HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

/// Highway's tag for vectors of T as wide as the instruction set has them.
template <typename T> using Tag = hn::ScalableTag<T>;
/// A vector of T as wide as the instruction set has them.
template <typename T> using Vec = hn::Vec<Tag<T>>;
template <typename T> constexpr int64_t Width = HWY_LANES(T);

/// Whether parts of vectors are loaded and stored under masks.
constexpr bool hasMasks = TSC_HAS_MASKED_LOADS;

/// The first `count` elements at p, at most a vector's; zeros behind.
template <typename T> HWY_INLINE Vec<T> loadPart(const T *p, int64_t count) {
  Tag<T> d;
  if constexpr (hasMasks)
    return hn::MaskedLoad(hn::FirstN(d, count), d, p);
  HWY_ALIGN T buffer[Width<T>] = {};
  for (int64_t i = 0; i < count; ++i)
    buffer[i] = p[i];
  return hn::Load(d, buffer);
}

/// The first `count` elements, at most a vector's.
template <typename T> HWY_INLINE void storePart(Vec<T> v, T *p, int64_t count) {
  Tag<T> d;
#if TSC_HAS_MASKS
  hn::BlendedStore(v, hn::FirstN(d, static_cast<size_t>(count)), d, p);
#else
  if (count >= Width<T>) {
    hn::StoreU(v, d, p);
    return;
  }
  HWY_ALIGN T buffer[Width<T>];
  hn::Store(v, d, buffer);
  std::memcpy(p, buffer, count * sizeof(T));
#endif
}

/// Calls body<Count>() for the Count, from 1 to Most, that `count` is.
template <int Most, typename Fn> HWY_INLINE void withCount(int64_t count, Fn &&body) {
  if constexpr (Most > 1)
    if (count < Most)
      return withCount<Most - 1>(count, body);
  body.template operator()<Most>();
}

/// Calls step<Count>(first row) for tiles that are as few and as equal as can be: a short tile has too few sums to hide
/// what a multiplication takes.
template <int Tallest, typename Fn> HWY_INLINE void forEachTile(int64_t m, Fn &&step) {
  int64_t i = 0;
  for (int64_t left = (m + Tallest - 1) / Tallest; left != 0; --left) {
    const int64_t count = (m - i + left - 1) / left;
    withCount<Tallest>(count, [&]<int Count>() { step.template operator()<Count>(i); });
    i += count;
  }
}

/// Transposes N x N elements held in N vectors: each level moves one bit of the element's column into its row.
template <typename T> HWY_INLINE void transpose(Vec<T> *v) {
  Tag<T> d;
  constexpr int N = Width<T>;
  for (int level = 1; level < N; level *= 2) {
    Vec<T> next[N];
    for (int i = 0; i < N / 2; ++i) {
      next[i] = hn::ConcatEven(d, v[2 * i + 1], v[2 * i]);
      next[i + N / 2] = hn::ConcatOdd(d, v[2 * i + 1], v[2 * i]);
    }
    for (int i = 0; i < N; ++i)
      v[i] = next[i];
  }
}

/// Loads N x N elements of N rows, of which Count are there, and transposes them.
template <typename T, int Count> HWY_INLINE void loadTransposed(const T *rows, int64_t rowStride, Vec<T> *v) {
  Tag<T> d;
  constexpr int N = Width<T>;
  if constexpr (N * sizeof(T) == 32) {
    // Only what crosses the halves of a vector is expensive: halves of rows are loaded to where they belong.
    const hn::Half<decltype(d)> half;
    auto load = [&](int r, int column)
                    HWY_ATTR { return r < Count ? hn::LoadU(half, rows + r * rowStride + column) : hn::Zero(half); };
    constexpr int H = N / 2;
    for (int r = 0; r < H; ++r) {
      v[r] = hn::Combine(d, load(r + H, 0), load(r, 0));
      v[r + H] = hn::Combine(d, load(r + H, H), load(r, H));
    }
    for (int begin = 0; begin < N; begin += H) {
      if constexpr (H == 2) {
        const auto even = v[begin], odd = v[begin + 1];
        v[begin] = hn::InterleaveLower(d, even, odd);
        v[begin + 1] = hn::InterleaveUpper(d, even, odd);
      } else {
        const hn::RepartitionToWide<decltype(d)> wide;
        auto pairs = [&](Vec<T> x) HWY_ATTR { return hn::BitCast(wide, x); };
        const auto low0 = pairs(hn::InterleaveLower(d, v[begin], v[begin + 1])),
                   high0 = pairs(hn::InterleaveUpper(d, v[begin], v[begin + 1])),
                   low2 = pairs(hn::InterleaveLower(d, v[begin + 2], v[begin + 3])),
                   high2 = pairs(hn::InterleaveUpper(d, v[begin + 2], v[begin + 3]));
        v[begin] = hn::BitCast(d, hn::InterleaveLower(wide, low0, low2));
        v[begin + 1] = hn::BitCast(d, hn::InterleaveUpper(wide, low0, low2));
        v[begin + 2] = hn::BitCast(d, hn::InterleaveLower(wide, high0, high2));
        v[begin + 3] = hn::BitCast(d, hn::InterleaveUpper(wide, high0, high2));
      }
    }
  } else {
    for (int r = 0; r < N; ++r)
      v[r] = r < Count ? hn::LoadU(d, rows + r * rowStride) : hn::Zero(d);
    transpose<T>(v);
  }
}

/// out[p * outRow + r] = rows[r * rowStride + p] for r below Count, at most N, and p below k, the rows being
/// contiguous. Writes whole vectors, so up to N - Count elements behind each row of the result: the next row, or slack
/// behind the last.
template <typename T, int Count>
HWY_INLINE void packTransposed(int64_t k, const T *rows, int64_t rowStride, T *out, int64_t outRow) {
  Tag<T> d;
  constexpr int N = Width<T>;
  int64_t p = 0;
  for (; p + N <= k; p += N) {
    Vec<T> v[N];
    loadTransposed<T, Count>(rows + p, rowStride, v);
    for (int q = 0; q < N; ++q)
      hn::StoreU(v[q], d, out + (p + q) * outRow);
  }
#pragma clang loop vectorize(disable) unroll(disable)
  for (; p < k; ++p)
    for (int r = 0; r < Count; ++r)
      out[p * outRow + r] = rows[r * rowStride + p];
}

} // namespace tsc::cpu::HWY_NAMESPACE
TSC_AFTER_KERNELS();
