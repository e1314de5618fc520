//===- Scans.cpp - Running sums, products and extrema ---------------------===//
#include "Reduce.h"
#include "tsc/Support/ThreadPool.h"

using namespace tsc;
using namespace tsc::cpu;

/// self as contiguous values of the fold type of `dtype`.
static StatusOr<Tensor> scanInput(const Tensor &self, DType dtype) {
  TSC_ASSIGN_OR_RETURN(Tensor converted, toDType(self, foldDType(dtype)));
  return contiguous(converted);
}

/// out[k] = step(state, in[k]) along the dimension, the state starting anew in each lane. Several lanes go side by
/// side: a step of one waits for the one before it.
template <typename T, typename State, typename Step>
static void scanLanes(const Tensor &input, const Tensor &out, int64_t dim, State initial, Step step) {
  // Sums of integers do not wait long enough for that.
  constexpr int64_t together = std::is_integral_v<State> ? 1 : 4, width = 64;
  Lanes lanes(input.sizes(), dim);
  const T *data = input.data<T>();
  T *to = out.mutableData<T>();
  if (lanes.inner == 1) {
    parallelFor(0, lanes.outer, std::max<int64_t>(together, parallelGrain / std::max<int64_t>(1, lanes.length)),
                [&](int64_t first, int64_t last) {
                  for (int64_t i = first; i < last; i += together) {
                    const int64_t some = std::min(together, last - i);
                    const T *from = data + i * lanes.length;
                    T *into = to + i * lanes.length;
                    State states[together];
                    std::fill_n(states, together, initial);
                    if (some == together) {
                      for (int64_t k = 0; k != lanes.length; ++k)
                        for (int64_t r = 0; r != together; ++r)
                          into[r * lanes.length + k] = static_cast<T>(step(states[r], from[r * lanes.length + k]));
                      continue;
                    }
                    for (int64_t r = 0; r != some; ++r)
                      for (int64_t k = 0; k != lanes.length; ++k)
                        into[r * lanes.length + k] = static_cast<T>(step(states[r], from[r * lanes.length + k]));
                  }
                });
    return;
  }
  const int64_t tiles = (lanes.inner + width - 1) / width;
  parallelFor(0, lanes.outer * tiles, std::max<int64_t>(1, parallelGrain / std::max<int64_t>(1, lanes.length * width)),
              [&](int64_t first, int64_t last) {
                for (int64_t i = first; i < last; ++i) {
                  const int64_t column = i % tiles * width, n = std::min(width, lanes.inner - column);
                  const int64_t base = i / tiles * lanes.length * lanes.inner + column;
                  State states[width];
                  std::fill_n(states, n, initial);
                  for (int64_t k = 0; k != lanes.length; ++k)
                    for (int64_t j = 0; j < n; ++j)
                      to[base + k * lanes.inner + j] =
                          static_cast<T>(step(states[j], data[base + k * lanes.inner + j]));
                }
              });
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
    parallelFor(0, lanes.count(), std::max<int64_t>(1, parallelGrain / std::max<int64_t>(1, lanes.length)),
                [&](int64_t first, int64_t last) {
                  for (int64_t i = first; i != last; ++i) {
                    const int64_t base = lanes.base(i, lanes.length), step = lanes.inner;
                    const T *from = data + base;
                    T best = lanes.length ? *from : T();
                    int64_t at = 0;
                    for (int64_t k = 0; k != lanes.length; ++k) {
                      // Seldom taken, and so foreseen: the next step does not wait for this one.
                      const T v = from[k * step];
                      if (!(maximum ? v < best : v > best) && (v != v || best == best)) [[unlikely]]
                        best = v, at = k;
                      to[base + k * step] = best;
                      indexData[base + k * step] = at;
                    }
                  }
                });
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
