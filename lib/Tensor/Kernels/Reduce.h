//===- Reduce.h - Folding along dimensions ----------------------*- C++ -*-===//
//
// A fold is a policy: struct { using Acc; Acc init(); Acc step(Acc, T);
// Acc combine(Acc, Acc); }. Elements are folded in blocks whose results are
// combined pairwise, in an order that depends on the shape alone.
//
//===----------------------------------------------------------------------===//
#ifndef TSC_LIB_TENSOR_KERNELS_REDUCE_H
#define TSC_LIB_TENSOR_KERNELS_REDUCE_H

#include "tsc/Support/ThreadPool.h"
#include "tsc/Tensor/Kernels/Copy.h"
#include "tsc/Tensor/Kernels/Reductions.h"
#include "tsc/Tensor/Kernels/Views.h"
#include <bitset>
#include <cmath>
#include <complex>

namespace tsc::cpu {

/// The dimensions to reduce, wrapped and checked; all of them when the list is absent or empty.
StatusOr<llvm::SmallVector<bool, 5>> reducedDims(const Tensor &self, OptionalDims dims);
/// The shape of the result.
Dims reducedShape(const Tensor &self, ArrayRef<bool> reduced, bool keepDim);
/// The dtype that values of `dtype` are folded in: Float, Double, Int64, ComplexFloat or ComplexDouble.
DType foldDType(DType dtype);
inline Dims withoutDim(ArrayRef<int64_t> sizes, int64_t dim, bool keepDim) {
  Dims out(sizes.begin(), sizes.end());
  if (!out.empty()) {
    if (keepDim) out[dim] = 1;
    else out.erase(out.begin() + dim);
  }
  return out;
}

/// Partial results of blocks, combined like the digits of a binary counter.
template <class Fold> class Cascade {
public:
  explicit Cascade(const Fold &fold) : fold(fold) {}
  void push(typename Fold::Acc value) {
    uint64_t n = count++;
    size_t level = 0;
    for (; n & 1; n >>= 1)
      value = fold.combine(levels[level++], value);
    levels[level] = value;
  }
  typename Fold::Acc finish() {
    typename Fold::Acc result = fold.init();
    bool first = true;
    for (size_t level = 0; level != 64; ++level)
      if (count >> level & 1) {
        result = first ? levels[level] : fold.combine(levels[level], result);
        first = false;
      }
    return result;
  }

private:
  const Fold &fold;
  typename Fold::Acc levels[64];
  uint64_t count = 0;
};

/// Reduced and kept dimensions of one tensor, merged where possible; outermost first.
struct ReductionPlan {
  Dims keptSizes, keptStrides, foldSizes, foldStrides;
  int64_t outputs = 1, folded = 1;
  ReductionPlan(const Tensor &self, ArrayRef<bool> reduced);
};

constexpr int64_t foldBlock = 256;

/// Folds one run of `count` elements into the cascade.
template <class Fold, typename T> void foldRun(const Fold &fold, Cascade<Fold> &cascade, const T *data, int64_t stride, int64_t count) {
  constexpr int lanes = 16;
  for (int64_t start = 0; start < count; start += foldBlock) {
    int64_t n = std::min(foldBlock, count - start);
    const T *p = data + start * stride;
    typename Fold::Acc acc[lanes];
    for (auto &a : acc)
      a = fold.init();
    int64_t i = 0;
    if (stride == 1) {
      for (; i + lanes <= n; i += lanes)
        for (int k = 0; k != lanes; ++k)
          acc[k] = fold.step(acc[k], p[i + k]);
    }
    for (; i < n; ++i)
      acc[i % lanes] = fold.step(acc[i % lanes], p[i * stride]);
    for (int width = lanes / 2; width; width /= 2)
      for (int k = 0; k != width; ++k)
        acc[k] = fold.combine(acc[k], acc[k + width]);
    cascade.push(acc[0]);
  }
}

/// Calls f(offset) for every position of the dimensions but the last `skip`.
template <typename F> void forEachOffset(ArrayRef<int64_t> sizes, ArrayRef<int64_t> strides, F f) {
  Dims index(sizes.size(), 0);
  int64_t offset = 0;
  while (true) {
    f(offset);
    size_t d = sizes.size();
    while (true) {
      if (d == 0)
        return;
      --d;
      offset += strides[d];
      if (++index[d] != sizes[d])
        break;
      offset -= strides[d] * sizes[d];
      index[d] = 0;
    }
  }
}

/// out[i] = finish(fold of the elements that belong to output i), outputs in row-major order of the kept dimensions.
template <class Fold, typename T, typename Finish>
void foldTensor(const Fold &fold, const Tensor &self, ArrayRef<bool> reduced, Finish finish) {
  ReductionPlan plan(self, reduced);
  const T *data = self.data<T>();
  if (plan.folded == 0) {
    for (int64_t i = 0; i != plan.outputs; ++i)
      finish(i, fold.init());
    return;
  }
  if (plan.outputs == 0)
    return;
  int64_t runLength = plan.foldSizes.empty() ? 1 : plan.foldSizes.back(), runStride = plan.foldSizes.empty() ? 1 : plan.foldStrides.back();
  ArrayRef<int64_t> outerSizes = plan.foldSizes.empty() ? ArrayRef<int64_t>() : ArrayRef<int64_t>(plan.foldSizes).drop_back();
  ArrayRef<int64_t> outerStrides = plan.foldSizes.empty() ? ArrayRef<int64_t>() : ArrayRef<int64_t>(plan.foldStrides).drop_back();
  auto one = [&](int64_t output, int64_t offset) {
    Cascade<Fold> cascade(fold);
    forEachOffset(outerSizes, outerStrides, [&](int64_t inner) { foldRun(fold, cascade, data + offset + inner, runStride, runLength); });
    finish(output, cascade.finish());
  };
  // Columns of a row-major matrix: many neighbours at a time, or every element costs a cache line.
  constexpr int64_t width = 32;
  bool columns = !plan.keptSizes.empty() && plan.keptStrides.back() == 1 && plan.keptSizes.back() >= 4 && runStride != 1;
  if (!columns) {
    int64_t output = 0;
    forEachOffset(plan.keptSizes, plan.keptStrides, [&](int64_t offset) { one(output++, offset); });
    return;
  }
  int64_t output = 0, row = plan.keptSizes.back();
  forEachOffset(ArrayRef<int64_t>(plan.keptSizes).drop_back(), ArrayRef<int64_t>(plan.keptStrides).drop_back(), [&](int64_t offset) {
    for (int64_t c = 0; c < row; c += width) {
      int64_t n = std::min(width, row - c);
      typename Fold::Acc total[width], acc[width];
      for (int64_t k = 0; k != width; ++k)
        total[k] = acc[k] = fold.init();
      int64_t inBlock = 0;
      auto flush = [&] {
        for (int64_t k = 0; k != n; ++k) {
          total[k] = fold.combine(total[k], acc[k]);
          acc[k] = fold.init();
        }
        inBlock = 0;
      };
      forEachOffset(outerSizes, outerStrides, [&](int64_t inner) {
        const T *p = data + offset + c + inner;
        for (int64_t i = 0; i != runLength; ++i, p += runStride) {
          if (n == width)
            for (int64_t k = 0; k != width; ++k)
              acc[k] = fold.step(acc[k], p[k]);
          else
            for (int64_t k = 0; k != n; ++k)
              acc[k] = fold.step(acc[k], p[k]);
          if (++inBlock == foldBlock)
            flush();
        }
      });
      flush();
      for (int64_t k = 0; k != n; ++k)
        finish(output + c + k, total[k]);
    }
    output += row;
  });
}

/// Lanes along one dimension of a contiguous tensor: element i of a lane is `base[i * stride]`.
struct Lanes {
  int64_t outer = 1, length = 1, inner = 1;
  Lanes(ArrayRef<int64_t> sizes, int64_t dim) {
    for (size_t d = 0; d != sizes.size(); ++d)
      (static_cast<int64_t>(d) < dim ? outer : static_cast<int64_t>(d) == dim ? length : inner) *= sizes[d];
  }
  int64_t count() const { return outer * inner; }
  /// Offset of lane `i` in a tensor whose lanes have `laneLength` elements.
  int64_t base(int64_t i, int64_t laneLength) const { return i / inner * laneLength * inner + i % inner; }
};

/// Calls f(tag) with the type that foldDType(dtype) names, among the real ones.
template <typename F> auto dispatchFold(DType dtype, F &&f) {
  switch (foldDType(dtype)) {
  case DType::Double: return f(double{});
  case DType::Int64: return f(int64_t{});
  default: return f(float{});
  }
}
template <typename F> auto dispatchFoldComplex(DType dtype, F &&f) {
  switch (foldDType(dtype)) {
  case DType::ComplexFloat: return f(std::complex<float>{});
  case DType::ComplexDouble: return f(std::complex<double>{});
  default: return dispatchFold(dtype, f);
  }
}
/// PyTorch's refusal of a dtype.
inline Status notImplementedFor(llvm::StringRef name, DType dtype) {
  return invalidArgument("\"" + name + "\" not implemented for '" + irName(dtype) + "'");
}

} // namespace tsc::cpu

#endif
