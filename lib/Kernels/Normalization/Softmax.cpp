//===- Softmax.cpp - Softmax and its relatives ----------------------------===//
//
// Half types compute in float and round once. What a row gives is said in Rows.h.
//
//===----------------------------------------------------------------------===//
#include "LogSums.h"
#include "Rows.h"
#include "Support/Compute.h"
#include "Support/Grain.h"
#include "Support/HalfRows.h"
#include "tsc/Kernels/Folds.h"
#include "tsc/Kernels/Normalization.h"
#include "tsc/Kernels/PointwiseOps.h"
#include <cmath>

using namespace tsc;
using namespace tsc::cpu;

using rows::SoftmaxKind;

/// Along the middle one of three dimensions, none of them empty.
template <typename T>
static void softmaxAlong(SoftmaxKind kind, T *out, const T *x, int64_t outer, int64_t n, int64_t inner) {
  assert(outer > 0 && n > 0 && inner > 0 && "none of the dimensions is empty");
  const rows::Kernels<T> &kernels = rows::kernels<T>();
  constexpr int64_t grain = 16384;
  if (inner == 1) {
    parallelFor(0, outer, std::max<int64_t>(1, grain / n), [&](int64_t first, int64_t last) {
      for (int64_t i = first; i < last; ++i)
        kernels.softmax(kind, out + i * n, x + i * n, n);
    });
    return;
  }
  constexpr int64_t width = 64;
  int64_t tiles = (inner + width - 1) / width;
  parallelFor(0, outer * tiles, std::max<int64_t>(1, grain / (n * width)), [&](int64_t first, int64_t last) {
    for (int64_t i = first; i < last; ++i) {
      int64_t column = i % tiles * width, base = i / tiles * n * inner + column;
      kernels.softmaxColumns(kind, out + base, inner, x + base, inner, n, std::min(width, inner - column));
    }
  });
}

StatusOr<LogSums> tsc::cpu::logSumsOfColumns(const Tensor &x) {
  assert(x.isContiguous() && x.dim() > 2 && x.numel() != 0 && "columns that have elements");
  const int64_t outer = x.size(0), n = x.size(1), inner = x.numel() / (outer * n);
  LogSums result;
  TSC_ASSIGN_OR_RETURN(result.shifts, Tensor::empty({outer, inner}, x.dtype()));
  TSC_ASSIGN_OR_RETURN(result.logSums, Tensor::empty({outer, inner}, x.dtype()));
  TSC_RETURN_IF_ERROR(dispatchFloatDouble(x.dtype(), [&](auto tag) {
    using T = typename decltype(tag)::Type;
    const T *const from = x.data<T>();
    T *const shifts = result.shifts.mutableData<T>(), *const logSums = result.logSums.mutableData<T>();
    constexpr int64_t width = 64, grain = 16384;
    const int64_t tiles = (inner + width - 1) / width;
    parallelFor(0, outer * tiles, std::max<int64_t>(1, grain / (n * width)), [&](int64_t first, int64_t last) {
      for (int64_t i = first; i < last; ++i) {
        const int64_t column = i % tiles * width, at = i / tiles * inner + column;
        rows::kernels<T>().logSums(shifts + at, logSums + at, from + i / tiles * n * inner + column, inner, n,
                                   std::min(width, inner - column));
      }
    });
  }));
  return result;
}

/// softmaxAlong of a half type: some rows, or a tile of columns, are widened and rounded at a time.
template <typename T>
static void softmaxOfHalves(SoftmaxKind kind, T *out, const T *x, int64_t outer, int64_t n, int64_t inner) {
  assert(outer > 0 && n > 0 && inner > 0 && "none of the dimensions is empty");
  void (*widen)(float *, const T *, int64_t);
  void (*round)(T *, const float *, int64_t);
  if constexpr (std::is_same_v<T, Half>)
    widen = halves::kernels().widenHalf, round = halves::kernels().roundToHalf;
  else
    widen = halves::kernels().widenBFloat16, round = halves::kernels().roundToBFloat16;
  constexpr int64_t block = 4096; // elements that stay in the first-level cache
  if (inner == 1) {
    const int64_t some = std::max<int64_t>(1, block / n);
    parallelFor(0, outer, std::max<int64_t>(1, parallelGrain / n), [&](int64_t first, int64_t last) {
      const int64_t most = std::min(some, last - first) * n;
      std::vector<float> values(most), results(most); // two: loads beside masked stores would wait for them
      for (int64_t i = first; i < last; i += some) {
        const int64_t rows = std::min(some, last - i);
        widen(values.data(), x + i * n, rows * n);
        for (int64_t r = 0; r != rows; ++r)
          rows::kernels<float>().softmax(kind, results.data() + r * n, values.data() + r * n, n);
        round(out + i * n, results.data(), rows * n);
      }
    });
    return;
  }
  // As many vectors as stay in the first-level cache.
  constexpr int64_t least = 32, mostColumns = 128, vector = foldLanes;
  const int64_t width = std::clamp(block / n / vector * vector, least, mostColumns);
  const int64_t tiles = (inner + width - 1) / width, most = std::min(inner, width);
  parallelFor(0, outer * tiles, grainOf(n, most), [&](int64_t first, int64_t last) {
    std::vector<float> values(n * most), others(n * most);
    for (int64_t i = first; i < last; ++i) {
      const int64_t column = i % tiles * width, base = i / tiles * n * inner + column;
      const int64_t length = std::min(width, inner - column);
      for (int64_t r = 0; r != n; ++r)
        widen(values.data() + r * length, x + base + r * inner, length);
      float *results = length % foldLanes == 0 ? values.data() : others.data();
      rows::kernels<float>().softmaxColumns(kind, results, length, values.data(), length, n, length);
      for (int64_t r = 0; r != n; ++r)
        round(out + base + r * inner, results + r * length, length);
    }
  });
}

static StatusOr<Tensor> softmaxOf(SoftmaxKind kind, const Tensor &self, int64_t dim) {
  TSC_ASSIGN_OR_RETURN(dim, wrapDim(dim, self.dim()));
  if (!isFloating(self.dtype())) {
    bool last = dim == self.dim() - 1;
    if (kind == SoftmaxKind::Plain)
      return detail::dtypeNotImplemented(last ? "softmax_lastdim_kernel_impl" : "softmax_kernel_impl", self.dtype());
    return detail::dtypeNotImplemented(last ? "log_softmax_lastdim_kernel_impl" : "log_softmax_kernel_impl",
                                       self.dtype());
  }
  const bool isHalf = self.dtype() == DType::Half || self.dtype() == DType::BFloat16;
  DType work = isHalf ? self.dtype() : workType(self.dtype());
  TSC_ASSIGN_OR_RETURN(Tensor x, dense(self, work));
  TSC_ASSIGN_OR_RETURN(Tensor out, Tensor::empty(self.sizes(), work));
  int64_t n = self.dim() == 0 ? 1 : self.size(dim), inner = 1;
  for (int64_t d = dim + 1; d < self.dim(); ++d)
    inner *= self.size(d);
  if (isHalf && self.numel() != 0) {
    const int64_t outer = self.numel() / (n * inner);
    if (work == DType::Half)
      softmaxOfHalves(kind, out.mutableData<Half>(), x.data<Half>(), outer, n, inner);
    else
      softmaxOfHalves(kind, out.mutableData<BFloat16>(), x.data<BFloat16>(), outer, n, inner);
    return out;
  }
  if (self.numel() != 0)
    TSC_RETURN_IF_ERROR(dispatchFloatDouble(work, [&](auto tag) {
      using T = typename decltype(tag)::Type;
      softmaxAlong(kind, out.mutableData<T>(), x.data<T>(), self.numel() / (n * inner), n, inner);
    }));
  return toDType(out, self.dtype());
}

static StatusOr<Tensor> softmaxAs(SoftmaxKind kind, const Tensor &self, int64_t dim, std::optional<DType> dtype) {
  if (!dtype)
    return softmaxOf(kind, self, dim);
  TSC_ASSIGN_OR_RETURN(Tensor converted, toDType(self, *dtype));
  return softmaxOf(kind, converted, dim);
}

StatusOr<Tensor> tsc::cpu::softmax(const Tensor &self, int64_t dim, std::optional<DType> dtype) {
  return softmaxAs(SoftmaxKind::Plain, self, dim, dtype);
}
StatusOr<Tensor> tsc::cpu::logSoftmax(const Tensor &self, int64_t dim, std::optional<DType> dtype) {
  return softmaxAs(SoftmaxKind::Log, self, dim, dtype);
}
StatusOr<Tensor> tsc::cpu::softmaxRaw(const Tensor &self, int64_t dim, bool halfToFloat) {
  return softmaxAs(SoftmaxKind::Plain, self, dim, halfToFloat ? std::optional(DType::Float) : std::nullopt);
}
StatusOr<Tensor> tsc::cpu::logSoftmaxRaw(const Tensor &self, int64_t dim, bool halfToFloat) {
  return softmaxAs(SoftmaxKind::Log, self, dim, halfToFloat ? std::optional(DType::Float) : std::nullopt);
}

StatusOr<Tensor> tsc::cpu::maskedSoftmax(const Tensor &self, const Tensor &mask, std::optional<int64_t> dim,
                                         std::optional<int64_t> maskType) {
  if (mask.dtype() != DType::Bool)
    return invalidArgument("Mask should be a boolean tensor");
  Tensor wide = mask;
  if (mask.dim() == 2 && self.dim() == 4 && maskType && *maskType == 1) { // a padding mask: one row a sample
    TSC_ASSIGN_OR_RETURN(wide, view(mask, {mask.size(0), 1, 1, mask.size(1)}));
  } else if (mask.dim() == 2 && self.dim() == 4 && maskType && *maskType == 0) {
    TSC_ASSIGN_OR_RETURN(wide, view(mask, {1, 1, mask.size(0), mask.size(1)}));
  }
  TSC_ASSIGN_OR_RETURN(wide, expand(wide, self.sizes()));
  // A masked element weighs nothing; a row with nothing left is zero.
  TSC_ASSIGN_OR_RETURN(Tensor masked,
                       zip(self, wide, self.dtype(), [](double x, double m) { return m != 0 ? -INFINITY : x; }));
  TSC_ASSIGN_OR_RETURN(Tensor out, softmaxOf(SoftmaxKind::Plain, masked, dim.value_or(self.dim() - 1)));
  return zip(out, wide, self.dtype(), [](double x, double m) { return m != 0 ? 0.0 : x; });
}

StatusOr<Tensor> tsc::cpu::glu(const Tensor &self, int64_t dim) {
  if (self.dim() == 0)
    return invalidArgument("glu does not support 0-dimensional tensors");
  TSC_ASSIGN_OR_RETURN(dim, wrapDim(dim, self.dim()));
  int64_t n = self.size(dim);
  if (n % 2 != 0)
    return invalidArgument("Halving dimension must be even, but dimension " + llvm::Twine(dim) + " is size " +
                           llvm::Twine(n));
  TSC_RETURN_IF_ERROR(checkFloating(self, "glu_cpu"));
  TSC_ASSIGN_OR_RETURN(Tensor a, narrow(self, dim, 0, n / 2));
  TSC_ASSIGN_OR_RETURN(Tensor b, narrow(self, dim, n / 2, n / 2));
  TSC_ASSIGN_OR_RETURN(a, toDType(a, workType(self.dtype())));
  TSC_ASSIGN_OR_RETURN(b, toDType(b, workType(self.dtype())));
  TSC_ASSIGN_OR_RETURN(Tensor gate, pointwise(PointwiseKind::Aten_sigmoid, {PointwiseArg(b)}));
  TSC_RETURN_IF_ERROR(pointwiseInPlace(PointwiseKind::Aten_mul_Tensor, gate, {PointwiseArg(gate), PointwiseArg(a)}));
  return toDType(gate, self.dtype());
}
