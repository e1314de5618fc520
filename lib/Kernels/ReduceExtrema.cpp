//===- ReduceExtrema.cpp - Maxima, minima and where they are --------------===//
#include "Reduce.h"

using namespace tsc;
using namespace tsc::cpu;

template <bool maximum>
static StatusOr<Tensor> extremum(const Tensor &self, OptionalDims dims, bool keepDim, const char *name) {
  if (isComplex(self.dtype()))
    return notImplementedFor(name, self.dtype());
  TSC_ASSIGN_OR_RETURN(auto reduced, reducedDims(self, dims));
  for (int64_t d = 0; d != self.dim(); ++d)
    if (reduced[d] && self.size(d) == 0)
      return invalidArgument(
          dims && !dims->empty()
              ? (llvm::Twine(name) + "(): Expected reduction dim " + llvm::Twine(d) + " to have non-zero size.")
              : (llvm::Twine(name) + "(): Expected reduction dim to be specified for input.numel() == 0. Specify the "
                                     "reduction dim with the 'dim' argument."));
  TSC_ASSIGN_OR_RETURN(Tensor input, toDType(self, foldDType(self.dtype())));
  TSC_ASSIGN_OR_RETURN(Tensor out, Tensor::empty(reducedShape(self, reduced, keepDim), input.dtype()));
  TSC_RETURN_IF_ERROR(dispatchFold(input.dtype(), [&](auto zero) {
    using T = decltype(zero);
    T *to = out.mutableData<T>();
    return foldTensor<ExtremumFold<T, maximum>, T>({}, input, reduced, [&](int64_t i, T acc) { to[i] = acc; });
  }));
  return toDType(out, self.dtype());
}

StatusOr<Tensor> cpu::max(const Tensor &self) { return extremum<true>(self, std::nullopt, false, "max"); }
StatusOr<Tensor> cpu::min(const Tensor &self) { return extremum<false>(self, std::nullopt, false, "min"); }
StatusOr<Tensor> cpu::amax(const Tensor &self, ArrayRef<int64_t> dims, bool keepDim) {
  return extremum<true>(self, dims, keepDim, "amax");
}
StatusOr<Tensor> cpu::amin(const Tensor &self, ArrayRef<int64_t> dims, bool keepDim) {
  return extremum<false>(self, dims, keepDim, "amin");
}

StatusOr<TensorPair> cpu::aminmax(const Tensor &self, std::optional<int64_t> dim, bool keepDim) {
  OptionalDims dims = dim ? OptionalDims(ArrayRef<int64_t>(*dim)) : std::nullopt;
  TSC_ASSIGN_OR_RETURN(Tensor low, extremum<false>(self, dims, keepDim, "aminmax"));
  TSC_ASSIGN_OR_RETURN(Tensor high, extremum<true>(self, dims, keepDim, "aminmax"));
  return TensorPair(std::move(low), std::move(high));
}

/// Values and indices along one dimension.
template <bool maximum>
static StatusOr<TensorPair> extremumDim(const Tensor &self, int64_t dim, bool keepDim, const char *name) {
  if (isComplex(self.dtype()))
    return notImplementedFor(name, self.dtype());
  TSC_ASSIGN_OR_RETURN(int64_t d, wrapDim(dim, self.dim()));
  if (self.dim() && self.size(d) == 0)
    return invalidArgument(llvm::Twine(name) + "(): Expected reduction dim " + llvm::Twine(d) +
                           " to have non-zero size.");
  TSC_ASSIGN_OR_RETURN(Tensor converted, toDType(self, foldDType(self.dtype())));
  TSC_ASSIGN_OR_RETURN(Tensor input, contiguous(converted));
  Dims shape = withoutDim(self.sizes(), d, keepDim);
  TSC_ASSIGN_OR_RETURN(Tensor values, Tensor::empty(shape, input.dtype()));
  TSC_ASSIGN_OR_RETURN(Tensor indices, Tensor::empty(shape, DType::Int64));
  Lanes lanes(self.sizes(), d);
  int64_t *indexData = indices.mutableData<int64_t>();
  dispatchFold(input.dtype(), [&](auto zero) {
    using T = decltype(zero);
    const T *data = input.data<T>();
    T *valueData = values.mutableData<T>();
    for (int64_t i = 0; i != lanes.count(); ++i) {
      const T *p = data + lanes.base(i, lanes.length);
      T best = p[0];
      int64_t at = 0;
      for (int64_t k = 1; k < lanes.length; ++k)
        if (T v = p[k * lanes.inner]; ExtremumFold<T, maximum>::beats(v, best))
          best = v, at = k;
      valueData[i] = best;
      indexData[i] = at;
    }
  });
  TSC_ASSIGN_OR_RETURN(values, toDType(values, self.dtype()));
  return TensorPair(std::move(values), std::move(indices));
}
StatusOr<TensorPair> cpu::maxDim(const Tensor &self, int64_t dim, bool keepDim) {
  return extremumDim<true>(self, dim, keepDim, "max");
}
StatusOr<TensorPair> cpu::minDim(const Tensor &self, int64_t dim, bool keepDim) {
  return extremumDim<false>(self, dim, keepDim, "min");
}

template <bool maximum>
static StatusOr<Tensor> argExtremum(const Tensor &self, std::optional<int64_t> dim, bool keepDim, const char *name) {
  if (!dim && self.numel() == 0)
    return invalidArgument(llvm::Twine(name) + "(): Expected reduction dim to be specified for input.numel() == 0. "
                                               "Specify the reduction dim with the 'dim' argument.");
  Tensor input = self;
  if (!dim) {
    TSC_ASSIGN_OR_RETURN(input, reshape(self, {self.numel()}));
  }
  TSC_ASSIGN_OR_RETURN(TensorPair found, extremumDim<maximum>(input, dim.value_or(0), keepDim && dim, name));
  Tensor indices = std::get<1>(std::move(found));
  return !dim && keepDim ? reshape(indices, Dims(self.dim(), 1)) : StatusOr<Tensor>(std::move(indices));
}
StatusOr<Tensor> cpu::argmax(const Tensor &self, std::optional<int64_t> dim, bool keepDim) {
  return argExtremum<true>(self, dim, keepDim, "argmax");
}
StatusOr<Tensor> cpu::argmin(const Tensor &self, std::optional<int64_t> dim, bool keepDim) {
  return argExtremum<false>(self, dim, keepDim, "argmin");
}
