//===- ReduceMoments.cpp - Variance and standard deviation ----------------===//
//
// In two passes: mean = sum(x) / n, variance = sum((x - mean)^2) / max(n - correction,
// 0). Every step is that of an operator, half types in float with one rounding at the
// end, so that the composition of operators gives the same bits.
//
//===----------------------------------------------------------------------===//
#include "Normalization/Rows.h"
#include "Reduce.h"
#include "tsc/Kernels/PointwiseOps.h"

using namespace tsc;
using namespace tsc::cpu;

/// The sum of squared deviations from `mean`, which has kept dimensions: row by row where the elements of an output are
/// neighbours, else operator by operator. Both give the same bits.
static StatusOr<Tensor> squaredDeviations(const Tensor &x, const Tensor &mean, ArrayRef<bool> reduced,
                                          ArrayRef<int64_t> dims) {
  FoldOrder order(x, reduced);
  if (order.folded == 0 || order.outputs == 0 || order.runStride != 1 || order.outerSizes.size() > 1 ||
      !x.isContiguous()) {
    using K = PointwiseKind;
    TSC_ASSIGN_OR_RETURN(Tensor deviation,
                         pointwise(K::Aten_sub_Tensor, {PointwiseArg(x), PointwiseArg(mean), PointwiseArg(Scalar(1))}));
    TSC_ASSIGN_OR_RETURN(Tensor square,
                         pointwise(K::Aten_mul_Tensor, {PointwiseArg(deviation), PointwiseArg(deviation)}));
    return sumDims(square, dims, true, std::nullopt);
  }
  TSC_ASSIGN_OR_RETURN(Tensor out, Tensor::empty(mean.sizes(), x.dtype()));
  rows::Runs runs{order.runLength};
  if (!order.outerSizes.empty())
    runs.count = order.outerSizes[0], runs.step = order.outerStrides[0];
  dispatchFold(x.dtype(), [&](auto zero) {
    using T = decltype(zero);
    if constexpr (std::is_floating_point_v<T>) {
      // Kept dimensions lie around one reduced group, or outside and between two.
      int64_t inner = order.outerSizes.empty() ? 1 : order.outerStrides[0] / order.runLength;
      int64_t blockStep = order.outerSizes.empty() ? order.runLength : order.outerStrides[0] * order.outerSizes[0];
      parallelFor(0, order.outputs, std::max<int64_t>(1, parallelGrain / order.folded),
                  [&](int64_t first, int64_t last) {
                    for (int64_t i = first; i < last; ++i) {
                      const T *from = x.data<T>() + i / inner * blockStep + i % inner * order.runLength;
                      out.mutableData<T>()[i] = rows::kernels<T>().squaredDeviations(from, mean.data<T>()[i], runs);
                    }
                  });
    }
  });
  return out;
}

static StatusOr<TensorPair> moments(const Tensor &self, OptionalDims dims, int64_t correction, bool keepDim,
                                    bool takeRoot, const char *name) {
  if (!isFloating(self.dtype())) {
    if (isComplex(self.dtype())) { // the variance of a complex number is that of its parts
      TSC_ASSIGN_OR_RETURN(Tensor plain, clone(self));
      TSC_ASSIGN_OR_RETURN(Tensor parts, viewAsReal(plain));
      TSC_ASSIGN_OR_RETURN(Tensor real, select(parts, -1, 0));
      TSC_ASSIGN_OR_RETURN(Tensor imag, select(parts, -1, 1));
      TSC_ASSIGN_OR_RETURN(auto a, moments(real, dims, correction, keepDim, false, name));
      TSC_ASSIGN_OR_RETURN(auto b, moments(imag, dims, correction, keepDim, false, name));
      TSC_ASSIGN_OR_RETURN(Tensor variance, Tensor::empty(std::get<0>(a).sizes(), toRealDType(self.dtype())));
      TSC_ASSIGN_OR_RETURN(Tensor mean, meanDims(self, dims, keepDim, std::nullopt));
      for (int64_t i = 0; i != variance.numel(); ++i) {
        double v = std::get<0>(a).at(i).toDouble() + std::get<0>(b).at(i).toDouble();
        variance.set(i, Scalar(takeRoot ? std::sqrt(v) : v));
      }
      return TensorPair(std::move(variance), std::move(mean));
    }
    return invalidArgument(llvm::Twine(name) + " only support floating point and complex dtypes");
  }
  TSC_ASSIGN_OR_RETURN(auto reduced, reducedDims(self, dims));
  TSC_ASSIGN_OR_RETURN(Tensor input, toDType(self, foldDType(self.dtype())));
  Dims all, shape = reducedShape(self, reduced, keepDim);
  double count = 1;
  for (int64_t d = 0; d != self.dim(); ++d)
    if (reduced[d]) {
      all.push_back(d);
      count *= static_cast<double>(self.size(d));
    }
  TSC_ASSIGN_OR_RETURN(Tensor mean, meanDims(input, all, true, std::nullopt));
  TSC_ASSIGN_OR_RETURN(Tensor variance, squaredDeviations(input, mean, reduced, all));
  double divisor = std::max(count - static_cast<double>(correction), 0.0);
  TSC_ASSIGN_OR_RETURN(
      variance, pointwise(PointwiseKind::Aten_div_Scalar, {PointwiseArg(variance), PointwiseArg(Scalar(divisor))}));
  if (takeRoot) {
    TSC_ASSIGN_OR_RETURN(variance, pointwise(PointwiseKind::Aten_sqrt, {PointwiseArg(variance)}));
  }
  TSC_ASSIGN_OR_RETURN(variance, view(variance, shape));
  TSC_ASSIGN_OR_RETURN(mean, view(mean, shape));
  TSC_ASSIGN_OR_RETURN(variance, toDType(variance, self.dtype()));
  TSC_ASSIGN_OR_RETURN(mean, toDType(mean, self.dtype()));
  return TensorPair(std::move(variance), std::move(mean));
}

static StatusOr<Tensor> first(StatusOr<TensorPair> pair) {
  if (!pair.ok())
    return pair.status();
  return std::get<0>(*std::move(pair));
}

StatusOr<Tensor> cpu::varCorrection(const Tensor &self, OptionalDims dims, std::optional<int64_t> correction,
                                    bool keepDim) {
  return first(moments(self, dims, correction.value_or(1), keepDim, false, "std and var"));
}
StatusOr<Tensor> cpu::stdCorrection(const Tensor &self, OptionalDims dims, std::optional<int64_t> correction,
                                    bool keepDim) {
  return first(moments(self, dims, correction.value_or(1), keepDim, true, "std and var"));
}
StatusOr<TensorPair> cpu::varMeanCorrection(const Tensor &self, OptionalDims dims, std::optional<int64_t> correction,
                                            bool keepDim) {
  return moments(self, dims, correction.value_or(1), keepDim, false, "var_mean");
}
StatusOr<TensorPair> cpu::stdMeanCorrection(const Tensor &self, OptionalDims dims, std::optional<int64_t> correction,
                                            bool keepDim) {
  return moments(self, dims, correction.value_or(1), keepDim, true, "std_mean");
}
StatusOr<Tensor> cpu::var(const Tensor &self, bool unbiased) {
  return varCorrection(self, std::nullopt, unbiased, false);
}
StatusOr<Tensor> cpu::stdDev(const Tensor &self, bool unbiased) {
  return stdCorrection(self, std::nullopt, unbiased, false);
}
StatusOr<TensorPair> cpu::varMean(const Tensor &self, bool unbiased) {
  return varMeanCorrection(self, std::nullopt, unbiased, false);
}
StatusOr<TensorPair> cpu::stdMean(const Tensor &self, bool unbiased) {
  return stdMeanCorrection(self, std::nullopt, unbiased, false);
}
StatusOr<Tensor> cpu::varDims(const Tensor &self, OptionalDims dims, bool unbiased, bool keepDim) {
  return varCorrection(self, dims, unbiased, keepDim);
}
StatusOr<Tensor> cpu::stdDims(const Tensor &self, OptionalDims dims, bool unbiased, bool keepDim) {
  return stdCorrection(self, dims, unbiased, keepDim);
}
StatusOr<TensorPair> cpu::varMeanDims(const Tensor &self, OptionalDims dims, bool unbiased, bool keepDim) {
  return varMeanCorrection(self, dims, unbiased, keepDim);
}
StatusOr<TensorPair> cpu::stdMeanDims(const Tensor &self, OptionalDims dims, bool unbiased, bool keepDim) {
  return stdMeanCorrection(self, dims, unbiased, keepDim);
}
