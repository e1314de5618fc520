//===- Scans.cpp - Running sums, products and extrema ---------------------===//
#include "Reduce.h"

using namespace tsc;
using namespace tsc::cpu;

/// self as contiguous values of the fold type of `dtype`.
static StatusOr<Tensor> scanInput(const Tensor &self, DType dtype) {
  TSC_ASSIGN_OR_RETURN(Tensor converted, toDType(self, foldDType(dtype)));
  return contiguous(converted);
}

/// out[k] = step(state, in[k]) along the dimension, the state starting anew in each lane.
template <typename T, typename State, typename Step>
static void scanLanes(const Tensor &input, const Tensor &out, int64_t dim, State initial, Step step) {
  Lanes lanes(input.sizes(), dim);
  const T *data = input.data<T>();
  T *to = out.mutableData<T>();
  for (int64_t i = 0; i != lanes.count(); ++i) {
    int64_t base = lanes.base(i, lanes.length);
    State state = initial;
    for (int64_t k = 0; k != lanes.length; ++k)
      to[base + k * lanes.inner] = static_cast<T>(step(state, data[base + k * lanes.inner]));
  }
}

static DType scanDType(const Tensor &self, std::optional<DType> dtype) {
  return dtype ? *dtype : isIntegral(self.dtype(), true) ? DType::Int64 : self.dtype();
}

/// What the elements up to each one come to. PyTorch folds float in double here; integers wrap.
template <typename Fold>
static StatusOr<Tensor> cumulate(const Tensor &self, int64_t dim, std::optional<DType> dtype, int identity, Fold fold) {
  DType d = scanDType(self, dtype);
  TSC_ASSIGN_OR_RETURN(int64_t wrapped, wrapDim(dim, self.dim()));
  TSC_ASSIGN_OR_RETURN(Tensor input, scanInput(self, d));
  TSC_ASSIGN_OR_RETURN(Tensor out, Tensor::empty(self.sizes(), input.dtype()));
  dispatchFoldComplex(input.dtype(), [&](auto zero) {
    using T = decltype(zero);
    using State = std::conditional_t<std::is_same_v<T, float>, double,
                                     std::conditional_t<std::is_same_v<T, int64_t>, uint64_t, T>>;
    scanLanes<T>(input, out, wrapped, State(identity),
                 [&](State &s, T v) { return s = fold(s, static_cast<State>(v)); });
  });
  return toDType(out, d);
}

StatusOr<Tensor> cpu::cumsum(const Tensor &self, int64_t dim, std::optional<DType> dtype) {
  return cumulate(self, dim, dtype, 0, [](auto sum, auto v) { return sum + v; });
}

StatusOr<Tensor> cpu::cumprod(const Tensor &self, int64_t dim, std::optional<DType> dtype) {
  return cumulate(self, dim, dtype, 1, [](auto product, auto v) { return product * v; });
}

StatusOr<Tensor> cpu::logcumsumexp(const Tensor &self, int64_t dim) {
  if (!isFloating(self.dtype()))
    return notImplementedFor("logcumsumexp_out_cpu", self.dtype());
  TSC_ASSIGN_OR_RETURN(int64_t wrapped, wrapDim(dim, self.dim()));
  TSC_ASSIGN_OR_RETURN(Tensor input, scanInput(self, self.dtype()));
  TSC_ASSIGN_OR_RETURN(Tensor out, Tensor::empty(self.sizes(), input.dtype()));
  dispatchFold(input.dtype(), [&](auto zero) {
    using T = decltype(zero);
    scanLanes<T>(input, out, wrapped, -std::numeric_limits<double>::infinity(), [](double &s, T value) {
      double v = static_cast<double>(value), high = std::fmax(s, v), low = std::fmin(s, v);
      if (std::isnan(s) || std::isnan(v))
        return s = std::numeric_limits<double>::quiet_NaN();
      return s = low == high && std::isinf(low) ? low : high + std::log1p(std::exp(low - high));
    });
  });
  return toDType(out, self.dtype());
}

/// The last of equals is kept, and NaN stays once met.
template <bool maximum> static StatusOr<TensorPair> runningExtremum(const Tensor &self, int64_t dim, const char *name) {
  if (isComplex(self.dtype()))
    return notImplementedFor(name, self.dtype());
  TSC_ASSIGN_OR_RETURN(int64_t wrapped, wrapDim(dim, self.dim()));
  TSC_ASSIGN_OR_RETURN(Tensor input, scanInput(self, self.dtype()));
  TSC_ASSIGN_OR_RETURN(Tensor values, Tensor::empty(self.sizes(), input.dtype()));
  TSC_ASSIGN_OR_RETURN(Tensor indices, Tensor::empty(self.sizes(), DType::Int64));
  Lanes lanes(self.sizes(), wrapped);
  int64_t *indexData = indices.mutableData<int64_t>();
  dispatchFold(input.dtype(), [&](auto zero) {
    using T = decltype(zero);
    const T *data = input.data<T>();
    T *to = values.mutableData<T>();
    for (int64_t i = 0; i != lanes.count(); ++i) {
      int64_t base = lanes.base(i, lanes.length), at = 0;
      for (int64_t k = 0; k != lanes.length; ++k) {
        T v = data[base + k * lanes.inner], best = data[base + at * lanes.inner];
        if (v != v || (best == best && (maximum ? v >= best : v <= best)))
          at = k;
        to[base + k * lanes.inner] = data[base + at * lanes.inner];
        indexData[base + k * lanes.inner] = at;
      }
    }
  });
  TSC_ASSIGN_OR_RETURN(values, toDType(values, self.dtype()));
  return TensorPair(std::move(values), std::move(indices));
}
StatusOr<TensorPair> cpu::cummax(const Tensor &self, int64_t dim) {
  return runningExtremum<true>(self, dim, "cummax_helper_cpu");
}
StatusOr<TensorPair> cpu::cummin(const Tensor &self, int64_t dim) {
  return runningExtremum<false>(self, dim, "cummin_helper_cpu");
}
