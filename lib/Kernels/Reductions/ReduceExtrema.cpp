//===- ReduceExtrema.cpp - Maxima, minima and where they are --------------===//
#include "Reduce.h"
#include "Support/Grain.h"
#include "tsc/Support/AtSimdLevel.h"
#include "tsc/Tensor/Dispatch.h"

using namespace tsc;
using namespace tsc::cpu;

//===- Rows, in as many versions as there are instruction sets -------------===//

/// Integers have one extremum in whichever order they are compared.
template <typename T> LLVM_ATTRIBUTE_ALWAYS_INLINE static T extremumOfRow(const T *row, int64_t n, bool maximum) {
  T best = row[0];
  if (maximum)
    for (int64_t i = 0; i < n; ++i)
      best = row[i] > best ? row[i] : best;
  else
    for (int64_t i = 0; i < n; ++i)
      best = row[i] < best ? row[i] : best;
  return best;
}
/// Of each column the extremum of what is there and of a row.
template <typename T>
LLVM_ATTRIBUTE_ALWAYS_INLINE static void takeRow(T *__restrict best, const T *__restrict row, int64_t n, bool maximum) {
  if (maximum)
    for (int64_t i = 0; i < n; ++i)
      best[i] = row[i] > best[i] ? row[i] : best[i];
  else
    for (int64_t i = 0; i < n; ++i)
      best[i] = row[i] < best[i] ? row[i] : best[i];
}

/// Takes row `k` into the best of each column so far, and where that is.
template <typename T>
LLVM_ATTRIBUTE_ALWAYS_INLINE static void keepBetter(T *__restrict best, int32_t *__restrict at, const T *__restrict row,
                                                    int32_t k, int64_t n, bool maximum) {
  if (maximum)
    for (int64_t i = 0; i < n; ++i) {
      const bool beats = (row[i] > best[i] || row[i] != row[i]) && best[i] == best[i];
      best[i] = beats ? row[i] : best[i];
      at[i] = beats ? k : at[i];
    }
  else
    for (int64_t i = 0; i < n; ++i) {
      const bool beats = (row[i] < best[i] || row[i] != row[i]) && best[i] == best[i];
      best[i] = beats ? row[i] : best[i];
      at[i] = beats ? k : at[i];
    }
}

/// The first element that equals `value`, or is NaN as it is.
template <typename T> LLVM_ATTRIBUTE_ALWAYS_INLINE static int64_t findFirst(const T *row, int64_t n, T value) {
  constexpr int64_t block = 64;
  int64_t i = 0;
  for (; i + block <= n; i += block) {
    int32_t found = 0;
    for (int64_t k = 0; k < block; ++k)
      found |= row[i + k] == value || row[i + k] != row[i + k];
    if (found)
      break;
  }
  for (; i < n - 1 && row[i] != value && row[i] == row[i]; ++i) {
  }
  return i;
}

/// Of integers in runs or in columns, without a conversion. Undefined: of others.
static StatusOr<Tensor> integerExtremum(const Tensor &self, ArrayRef<bool> reduced, bool keepDim, bool maximum) {
  if (!isIntegral(self.dtype()) || self.numel() == 0)
    return Tensor();
  const FoldOrder order(self, reduced);
  if (!self.isContiguous() || !order.uniform || !order.outerSizes.empty() || order.folded == 1)
    return Tensor();
  const int64_t inner = order.runStride; // columns side by side; 1: rows
  TSC_ASSIGN_OR_RETURN(Tensor out, Tensor::empty(reducedShape(self, reduced, keepDim), self.dtype()));
  TSC_RETURN_IF_ERROR(dispatchIntegralAndBool(self.dtype(), [&](auto tag) {
    using T = typename decltype(tag)::Type;
    if constexpr (!std::is_same_v<T, bool>) {
      const T *from = self.data<T>();
      T *to = out.mutableData<T>();
      if (inner != 1) {
        parallelFor(0, order.outputs / inner, std::max<int64_t>(1, parallelGrain / (order.folded * inner)),
                    [&](int64_t first, int64_t last) {
                      for (int64_t i = first; i < last; ++i) {
                        const T *rows = from + i * order.folded * inner;
                        T *best = to + i * inner;
                        std::copy_n(rows, inner, best);
                        for (int64_t k = 1; k < order.folded; ++k)
                          atSimdLevel<takeRow<T>, Overlap::None>(best, rows + k * inner, inner, maximum);
                      }
                    });
        return;
      }
      parallelFor(0, order.outputs, std::max<int64_t>(1, parallelGrain / order.folded),
                  [&](int64_t first, int64_t last) {
                    for (int64_t i = first; i < last; ++i)
                      to[i] = atSimdLevel<extremumOfRow<T>>(from + i * order.folded, order.folded, maximum);
                  });
    }
  }));
  return out;
}

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
  TSC_ASSIGN_OR_RETURN(Tensor ofIntegers, integerExtremum(self, reduced, keepDim, maximum));
  if (ofIntegers.defined())
    return ofIntegers;
  TSC_ASSIGN_OR_RETURN(Tensor input, toDType(self, foldDType(self.dtype())));
  TSC_ASSIGN_OR_RETURN(Tensor out, Tensor::empty(reducedShape(self, reduced, keepDim), input.dtype()));
  TSC_RETURN_IF_ERROR(dispatchFold(input.dtype(), [&](auto zero) {
    using T = decltype(zero);
    T *to = out.mutableData<T>();
    return foldTensor<ExtremumFold<T, maximum>, T>({}, input, reduced, [&](int64_t i, T acc) { to[i] = acc; });
  }));
  return toDType(out, self.dtype());
}

static bool areTruthValues(const Tensor &self) { return self.dtype() == DType::Bool && self.numel() != 0; }
StatusOr<Tensor> cpu::max(const Tensor &self) {
  return areTruthValues(self) ? any(self) : extremum<true>(self, std::nullopt, false, "max");
}
StatusOr<Tensor> cpu::min(const Tensor &self) {
  return areTruthValues(self) ? all(self) : extremum<false>(self, std::nullopt, false, "min");
}
StatusOr<Tensor> cpu::amax(const Tensor &self, ArrayRef<int64_t> dims, bool keepDim) {
  return extremum<true>(self, dims, keepDim, "amax");
}
StatusOr<Tensor> cpu::amin(const Tensor &self, ArrayRef<int64_t> dims, bool keepDim) {
  return extremum<false>(self, dims, keepDim, "amin");
}

/// The extremum of a row of floats or doubles; NaN where there is one.
template <typename T, bool maximum> static T extremumOfBlocks(const T *row, int64_t n) {
  using Fold = ExtremumFold<T, maximum>;
  const BlockKernels<T> *kernels = SimdBlocks<Fold>::get();
  T best = Fold::init();
  int64_t i = 0;
  for (; i + foldRows * foldBlock <= n; i += foldRows * foldBlock) {
    const T *blocks[foldRows];
    T each[foldRows];
    for (int r = 0; r != foldRows; ++r)
      blocks[r] = row + i + r * foldBlock;
    kernels->rows(each, blocks, foldBlock, 0);
    for (T value : each)
      best = Fold::combine(best, value);
  }
  for (; i < n; i += foldBlock)
    best = Fold::combine(best, kernels->row(row + i, std::min(foldBlock, n - i)));
  return best;
}

/// The least and the largest of `n` neighbours, piece by piece, so that both come while a piece is near. A zero's sign
/// and which NaN are those of the first piece that has one.
template <typename T> static std::pair<T, T> bothExtrema(const T *row, int64_t n) {
  constexpr int64_t piece = (1 << 15) / sizeof(T);
  using Low = ExtremumFold<T, false>;
  using High = ExtremumFold<T, true>;
  std::pair<T, T> both(Low::init(), High::init());
  for (int64_t i = 0; i < n; i += piece) {
    const int64_t count = std::min(piece, n - i);
    if constexpr (std::is_integral_v<T>)
      both = {Low::combine(both.first, atSimdLevel<extremumOfRow<T>>(row + i, count, false)),
              High::combine(both.second, atSimdLevel<extremumOfRow<T>>(row + i, count, true))};
    else
      both = {Low::combine(both.first, extremumOfBlocks<T, false>(row + i, count)),
              High::combine(both.second, extremumOfBlocks<T, true>(row + i, count))};
  }
  return both;
}

/// Of a dense tensor, in runs of neighbours: all of it, or along its last dimensions. Nothing of others.
static StatusOr<std::optional<TensorPair>> bothInRuns(const Tensor &self, OptionalDims dims, bool keepDim) {
  TSC_ASSIGN_OR_RETURN(auto reduced, reducedDims(self, dims));
  const DType dtype = self.dtype();
  const bool isTaken = (isIntegral(dtype) || dtype == DType::Float || dtype == DType::Double) && self.numel() != 0 &&
                       self.isContiguous() && llvm::is_sorted(reduced);
  if (!isTaken)
    return std::nullopt;
  TSC_ASSIGN_OR_RETURN(Tensor low, Tensor::empty(reducedShape(self, reduced, keepDim), dtype));
  TSC_ASSIGN_OR_RETURN(Tensor high, Tensor::empty(low.sizes(), dtype));
  const int64_t runs = low.numel(), length = self.numel() / runs;
  auto compute = [&](auto tag) {
    using T = typename decltype(tag)::Type;
    if constexpr (!std::is_same_v<T, bool>) {
      const T *from = self.data<T>();
      T *lows = low.mutableData<T>(), *highs = high.mutableData<T>();
      auto ofRun = [&](int64_t first, int64_t last) {
        for (int64_t i = first; i < last; ++i)
          std::tie(lows[i], highs[i]) = bothExtrema(from + i * length, length);
      };
      constexpr int64_t chunk = 1 << 17;
      if (runs != 1 || length <= chunk)
        return parallelFor(0, runs, std::max<int64_t>(1, parallelGrain / length), ofRun);
      std::vector<std::pair<T, T>> parts((length + chunk - 1) / chunk);
      parallelFor(0, static_cast<int64_t>(parts.size()), 1, [&](int64_t first, int64_t last) {
        for (int64_t i = first; i < last; ++i)
          parts[i] = bothExtrema(from + i * chunk, std::min(chunk, length - i * chunk));
      });
      std::tie(lows[0], highs[0]) = parts[0];
      for (auto [least, most] : parts) {
        lows[0] = ExtremumFold<T, false>::combine(lows[0], least);
        highs[0] = ExtremumFold<T, true>::combine(highs[0], most);
      }
    }
  };
  TSC_RETURN_IF_ERROR(isIntegral(dtype) ? dispatchIntegralAndBool(dtype, compute)
                                        : dispatchFloatDouble(dtype, compute));
  return TensorPair(std::move(low), std::move(high));
}

StatusOr<TensorPair> cpu::aminmax(const Tensor &self, std::optional<int64_t> dim, bool keepDim) {
  OptionalDims dims = dim ? OptionalDims(ArrayRef<int64_t>(*dim)) : std::nullopt;
  TSC_ASSIGN_OR_RETURN(std::optional<TensorPair> both, bothInRuns(self, dims, keepDim));
  if (both)
    return *std::move(both);
  TSC_ASSIGN_OR_RETURN(Tensor low, extremum<false>(self, dims, keepDim, "aminmax"));
  TSC_ASSIGN_OR_RETURN(Tensor high, extremum<true>(self, dims, keepDim, "aminmax"));
  return TensorPair(std::move(low), std::move(high));
}

/// The extrema of rows of a few elements, and where they are, as those of columns side by side.
template <bool maximum, int64_t mostLength, typename T>
static void extremaOfShortRows(T *values, int64_t *indices, const T *rows, int64_t count, int64_t length) {
  constexpr int64_t width = 256, item = sizeof(T);
  T columns[mostLength][width];
  int32_t at[width];
  for (int64_t i = 0; i < count; i += width) {
    const int64_t n = std::min(width, count - i);
    transposeElements(reinterpret_cast<char *>(columns), width * item,
                      reinterpret_cast<const char *>(rows + i * length), length * item, length, n, sizeof(T));
    std::copy_n(columns[0], n, values + i);
    std::fill_n(at, n, 0);
    for (int64_t k = 1; k < length; ++k)
      atSimdLevel<keepBetter<T>, Overlap::None>(values + i, at, columns[k], static_cast<int32_t>(k), n, maximum);
    std::copy_n(at, n, indices + i);
  }
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
    constexpr int64_t shortRow = 12; // what to call a kernel for takes longer
    if (lanes.inner == 1 && lanes.length <= shortRow) {
      parallelFor(0, lanes.outer, std::max<int64_t>(1, parallelGrain / lanes.length), [&](int64_t first, int64_t last) {
        extremaOfShortRows<maximum, shortRow>(valueData + first, indexData + first, data + first * lanes.length,
                                              last - first, lanes.length);
      });
      return;
    }
    if (lanes.inner == 1) { // rows: what is largest, then where
      parallelFor(0, lanes.outer, std::max<int64_t>(1, parallelGrain / lanes.length), [&](int64_t first, int64_t last) {
        for (int64_t i = first; i < last; ++i) {
          const T *row = data + i * lanes.length;
          T best;
          if constexpr (std::is_same_v<T, int64_t>)
            best = atSimdLevel<extremumOfRow<T>>(row, lanes.length, maximum);
          else
            best = extremumOfBlocks<T, maximum>(row, lanes.length);
          indexData[i] = atSimdLevel<findFirst<T>>(row, lanes.length, best);
          valueData[i] = row[indexData[i]];
        }
      });
      return;
    }
    // Columns, some of them side by side.
    constexpr int64_t width = 512;
    const int64_t tiles = (lanes.inner + width - 1) / width;
    parallelFor(0, lanes.outer * tiles, grainOf(lanes.length, width), [&](int64_t first, int64_t last) {
      int32_t at[width];
      for (int64_t i = first; i < last; ++i) {
        const int64_t outer = i / tiles, column = i % tiles * width;
        const int64_t n = std::min(width, lanes.inner - column);
        const T *from = data + outer * lanes.length * lanes.inner + column;
        T *best = valueData + outer * lanes.inner + column;
        std::copy_n(from, n, best);
        std::fill_n(at, n, 0);
        for (int64_t k = 1; k < lanes.length; ++k)
          atSimdLevel<keepBetter<T>, Overlap::None>(best, at, from + k * lanes.inner, static_cast<int32_t>(k), n,
                                                    maximum);
        std::copy_n(at, n, indexData + outer * lanes.inner + column);
      }
    });
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
