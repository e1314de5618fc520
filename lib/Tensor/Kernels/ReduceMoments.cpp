//===- ReduceMoments.cpp - Variance and standard deviation ----------------===//
#include "Reduce.h"

using namespace tsc;
using namespace tsc::cpu;

namespace {
/// Count, mean and sum of squared deviations; combined by Chan's formula.
struct Moments {
  double count = 0, mean = 0, squares = 0;
};
template <typename T> struct MomentsFold {
  using Acc = Moments;
  Acc init() const { return {}; }
  Acc step(Acc a, T value) const {
    double v = static_cast<double>(value), delta = v - a.mean;
    a.count += 1;
    a.mean += delta / a.count;
    a.squares += delta * (v - a.mean);
    return a;
  }
  Acc combine(Acc a, Acc b) const {
    if (a.count == 0 || b.count == 0)
      return a.count == 0 ? b : a;
    double n = a.count + b.count, delta = b.mean - a.mean;
    return {n, a.mean + delta * (b.count / n), a.squares + b.squares + delta * delta * (a.count * b.count / n)};
  }
};
} // namespace

static StatusOr<TensorPair> moments(const Tensor &self, OptionalDims dims, int64_t correction, bool keepDim, bool takeRoot, const char *name) {
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
  Dims shape = reducedShape(self, reduced, keepDim);
  TSC_ASSIGN_OR_RETURN(Tensor variance, Tensor::empty(shape, DType::Double));
  TSC_ASSIGN_OR_RETURN(Tensor mean, Tensor::empty(shape, DType::Double));
  double *variances = variance.mutableData<double>(), *means = mean.mutableData<double>();
  auto finish = [&](int64_t i, const Moments &m) {
    double divisor = m.count - static_cast<double>(correction);
    double v = m.squares / std::max(divisor, 0.0);
    variances[i] = takeRoot ? std::sqrt(v) : v;
    means[i] = m.count == 0 ? std::numeric_limits<double>::quiet_NaN() : m.mean;
  };
  if (input.dtype() == DType::Float)
    foldTensor<MomentsFold<float>, float>({}, input, reduced, finish);
  else
    foldTensor<MomentsFold<double>, double>({}, input, reduced, finish);
  TSC_ASSIGN_OR_RETURN(variance, toDType(variance, self.dtype()));
  TSC_ASSIGN_OR_RETURN(mean, toDType(mean, self.dtype()));
  return TensorPair(std::move(variance), std::move(mean));
}

static StatusOr<Tensor> first(StatusOr<TensorPair> pair) {
  if (!pair.ok())
    return pair.status();
  return std::get<0>(*std::move(pair));
}

StatusOr<Tensor> cpu::varCorrection(const Tensor &self, OptionalDims dims, std::optional<int64_t> correction, bool keepDim) {
  return first(moments(self, dims, correction.value_or(1), keepDim, false, "std and var"));
}
StatusOr<Tensor> cpu::stdCorrection(const Tensor &self, OptionalDims dims, std::optional<int64_t> correction, bool keepDim) {
  return first(moments(self, dims, correction.value_or(1), keepDim, true, "std and var"));
}
StatusOr<TensorPair> cpu::varMeanCorrection(const Tensor &self, OptionalDims dims, std::optional<int64_t> correction, bool keepDim) {
  return moments(self, dims, correction.value_or(1), keepDim, false, "var_mean");
}
StatusOr<TensorPair> cpu::stdMeanCorrection(const Tensor &self, OptionalDims dims, std::optional<int64_t> correction, bool keepDim) {
  return moments(self, dims, correction.value_or(1), keepDim, true, "std_mean");
}
StatusOr<Tensor> cpu::var(const Tensor &self, bool unbiased) { return varCorrection(self, std::nullopt, unbiased, false); }
StatusOr<Tensor> cpu::stdDev(const Tensor &self, bool unbiased) { return stdCorrection(self, std::nullopt, unbiased, false); }
StatusOr<TensorPair> cpu::varMean(const Tensor &self, bool unbiased) { return varMeanCorrection(self, std::nullopt, unbiased, false); }
StatusOr<TensorPair> cpu::stdMean(const Tensor &self, bool unbiased) { return stdMeanCorrection(self, std::nullopt, unbiased, false); }
StatusOr<Tensor> cpu::varDims(const Tensor &self, OptionalDims dims, bool unbiased, bool keepDim) { return varCorrection(self, dims, unbiased, keepDim); }
StatusOr<Tensor> cpu::stdDims(const Tensor &self, OptionalDims dims, bool unbiased, bool keepDim) { return stdCorrection(self, dims, unbiased, keepDim); }
StatusOr<TensorPair> cpu::varMeanDims(const Tensor &self, OptionalDims dims, bool unbiased, bool keepDim) {
  return varMeanCorrection(self, dims, unbiased, keepDim);
}
StatusOr<TensorPair> cpu::stdMeanDims(const Tensor &self, OptionalDims dims, bool unbiased, bool keepDim) {
  return stdMeanCorrection(self, dims, unbiased, keepDim);
}
