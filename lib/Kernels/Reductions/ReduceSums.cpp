//===- ReduceSums.cpp - Sums, products, counts ----------------------------===//
#include "Reduce.h"
#include "Support/Compute.h"
#include "tsc/Kernels/Factories.h"
#include "tsc/Kernels/PointwiseOps.h"
#include "tsc/Kernels/Views.h"
#include "tsc/Support/AtSimdLevel.h"
#include "tsc/Tensor/DefaultDType.h"
#include "tsc/Tensor/WrappingProduct.h"
#include <cassert>
#include <cstring>
#include <functional>
#include <type_traits>

using namespace tsc;
using namespace tsc::cpu;

StatusOr<llvm::SmallVector<bool, 5>> cpu::reducedDims(const Tensor &self, OptionalDims dims) {
  llvm::SmallVector<bool, 5> reduced(self.dim(), !dims || dims->empty());
  if (!dims)
    return reduced;
  llvm::SmallVector<bool, 5> seen(std::max<int64_t>(self.dim(), 1), false);
  for (int64_t dim : *dims) {
    TSC_ASSIGN_OR_RETURN(int64_t d, wrapDim(dim, self.dim()));
    if (seen[d])
      return invalidArgument("dim " + llvm::Twine(d) + " appears multiple times in the list of dims");
    seen[d] = true;
    if (self.dim())
      reduced[d] = true;
  }
  return reduced;
}

Dims cpu::reducedShape(const Tensor &self, ArrayRef<bool> reduced, bool keepDim) {
  assert(static_cast<int64_t>(reduced.size()) == self.dim() && "a mark for each dimension");
  Dims shape;
  for (int64_t d = 0; d != self.dim(); ++d)
    if (!reduced[d])
      shape.push_back(self.size(d));
    else if (keepDim)
      shape.push_back(1);
  return shape;
}

DType cpu::foldDType(DType dtype) {
  switch (dtype) {
  case DType::Half:
  case DType::BFloat16:
  case DType::Float: return DType::Float;
  case DType::Double:
  case DType::ComplexFloat:
  case DType::ComplexDouble: return dtype;
  case DType::ComplexHalf: return DType::ComplexFloat;
  default: return DType::Int64;
  }
}

FoldOrder::FoldOrder(const Tensor &self, ArrayRef<bool> reduced) {
  assert(static_cast<int64_t>(reduced.size()) == self.dim() && "a mark for each dimension");
  bool inRun = false; // the dimension before was reduced
  for (int64_t d = 0; d != self.dim(); ++d) {
    int64_t size = self.size(d), stride = self.stride(d);
    int64_t &count = reduced[d] ? folded : outputs;
    count = wrappingProduct(count, size);
    if (size == 1)
      continue;
    Dims &sizes = reduced[d] ? outerSizes : keptSizes, &strides = reduced[d] ? outerStrides : keptStrides;
    bool mergeable = !sizes.empty() && strides.back() == wrappingProduct(stride, size);
    if (reduced[d]) {
      uniform = !inRun || (uniform && mergeable);
      mergeable &= inRun;
    }
    inRun = reduced[d];
    if (mergeable) {
      sizes.back() = wrappingProduct(sizes.back(), size);
      strides.back() = stride;
      continue;
    }
    sizes.push_back(size);
    strides.push_back(stride);
  }
  if (outerSizes.empty())
    return;
  runLength = outerSizes.pop_back_val();
  runStride = outerStrides.pop_back_val();
}

/// self in the dtype it is folded in, without lazy conjugation. Elements are rounded to `dtype` before they take part.
static StatusOr<Tensor> foldable(const Tensor &self, DType dtype) {
  Tensor t = self;
  if (isLazy(self)) {
    TSC_ASSIGN_OR_RETURN(t, clone(self));
  }
  TSC_ASSIGN_OR_RETURN(t, toDType(t, dtype));
  return toDType(t, foldDType(dtype));
}

/// Integers wrap alike in whichever order they are added: a block of narrow ones in 32 bits, the blocks in 64.
template <typename T> LLVM_ATTRIBUTE_ALWAYS_INLINE static int64_t sumOfRow(const T *row, int64_t n) {
  constexpr int64_t block = 1 << 15;
  uint64_t total = 0;
  for (int64_t start = 0; start < n; start += block) {
    const int64_t count = n - start < block ? n - start : block;
    std::conditional_t<sizeof(T) < 4, int32_t, uint64_t> sum = 0;
    for (int64_t i = 0; i < count; ++i)
      sum += row[start + i];
    total += static_cast<uint64_t>(sum);
  }
  return static_cast<int64_t>(total);
}

template <typename T>
LLVM_ATTRIBUTE_ALWAYS_INLINE static void addToColumns(int64_t *__restrict sums, const T *__restrict row, int64_t n) {
  for (int64_t i = 0; i < n; ++i)
    sums[i] = static_cast<int64_t>(static_cast<uint64_t>(sums[i]) + static_cast<uint64_t>(row[i]));
}

/// Sums of integers or truth values in runs, in 64 bits, without a conversion. Undefined: of others.
static StatusOr<Tensor> integerSum(const Tensor &self, ArrayRef<bool> reduced, bool keepDim) {
  if (!isIntegral(self.dtype(), true) || self.numel() == 0 || !self.isContiguous())
    return Tensor();
  const FoldOrder order(self, reduced);
  // Runs of neighbours, or whole rows, which are what the leading dimensions number.
  const bool areRuns = order.runStride == 1 && order.outerSizes.empty();
  const bool areRows = llvm::is_sorted(reduced, std::greater<>());
  if ((!areRuns && !areRows) || order.folded == 1)
    return Tensor();
  TSC_ASSIGN_OR_RETURN(Tensor out, Tensor::empty(reducedShape(self, reduced, keepDim), DType::Int64));
  int64_t *to = out.mutableData<int64_t>();
  TSC_RETURN_IF_ERROR(dispatchIntegralAndBool(self.dtype(), [&](auto tag) {
    using T = typename decltype(tag)::Type;
    using Element = std::conditional_t<std::is_same_v<T, bool>, uint8_t, T>; // of a bool: 0 or 1
    const auto *from = static_cast<const Element *>(self.data());
    parallelFor(0, order.outputs, std::max<int64_t>(1, parallelGrain / order.folded), [&](int64_t first, int64_t last) {
      if (!areRuns) {
        std::fill(to + first, to + last, 0);
        for (int64_t row = 0; row != order.folded; ++row)
          atSimdLevel<addToColumns<Element>, Overlap::None>(to + first, from + row * order.outputs + first,
                                                            last - first);
        return;
      }
      for (int64_t i = first; i < last; ++i)
        to[i] = atSimdLevel<sumOfRow<Element>>(from + i * order.folded, order.folded);
    });
  }));
  return out;
}

/// Which dtypes a fold is asked for.
enum class Types { Floating, All };
/// Folds with Fold<T>, T being the fold type of `dtype`, sums of half types without a conversion of the whole;
/// each divided by `divisor`, which is 1 where integers are folded.
template <template <typename> class Fold, Types types = Types::All>
static StatusOr<Tensor> foldWith(const Tensor &self, OptionalDims dims, bool keepDim, DType dtype, double divisor = 1) {
  auto finish = [divisor](auto v) -> decltype(v) {
    using V = decltype(v);
    if constexpr (std::is_integral_v<V>)
      return v;
    else if constexpr (std::is_floating_point_v<V>)
      return divisor == 1 ? v : v / static_cast<V>(divisor);
    else
      return divisor == 1 ? v : v / static_cast<typename V::value_type>(divisor);
  };
  TSC_ASSIGN_OR_RETURN(auto reduced, reducedDims(self, dims));
  if constexpr (std::is_same_v<Fold<float>, SumFold<float>>) {
    auto ofHalves = [&](auto zero) -> StatusOr<Tensor> {
      using T = decltype(zero);
      if (!halfSumKernels<T>())
        return Tensor();
      TSC_ASSIGN_OR_RETURN(Tensor out, Tensor::empty(reducedShape(self, reduced, keepDim), DType::Float));
      float *to = out.mutableData<float>();
      TSC_RETURN_IF_ERROR(
          (foldTensor<SumFold<float>, T>({}, self, reduced, [&](int64_t i, float acc) { to[i] = finish(acc); })));
      return toDType(out, dtype);
    };
    if (dtype == self.dtype() && (dtype == DType::BFloat16 || dtype == DType::Half) && !self.get()->negative) {
      TSC_ASSIGN_OR_RETURN(Tensor out, dtype == DType::Half ? ofHalves(Half{}) : ofHalves(BFloat16{}));
      if (out.defined())
        return out;
    }
  }
  TSC_ASSIGN_OR_RETURN(Tensor input, foldable(self, dtype));
  auto fold = [&](auto zero) -> StatusOr<Tensor> {
    using T = decltype(zero);
    TSC_ASSIGN_OR_RETURN(Tensor out, Tensor::empty(reducedShape(self, reduced, keepDim), input.dtype()));
    T *to = out.mutableData<T>();
    TSC_RETURN_IF_ERROR(
        (foldTensor<Fold<T>, T>(Fold<T>{}, input, reduced, [&](int64_t i, const T &acc) { to[i] = finish(acc); })));
    return toDType(out, dtype);
  };
  if constexpr (types == Types::All)
    return dispatchFoldComplex(dtype, fold);
  else
    return foldDType(dtype) == DType::Double ? fold(double{}) : fold(float{});
}

static DType sumDType(const Tensor &self, std::optional<DType> dtype) {
  return dtype ? *dtype : isIntegral(self.dtype(), true) ? DType::Int64 : self.dtype();
}

StatusOr<Tensor> cpu::sumDims(const Tensor &self, OptionalDims dims, bool keepDim, std::optional<DType> dtype) {
  DType d = sumDType(self, dtype);
  if (d == DType::Int64) {
    TSC_ASSIGN_OR_RETURN(auto reduced, reducedDims(self, dims));
    TSC_ASSIGN_OR_RETURN(Tensor ofIntegers, integerSum(self, reduced, keepDim));
    if (ofIntegers.defined())
      return ofIntegers;
  }
  return foldWith<SumFold>(self, dims, keepDim, d);
}
StatusOr<Tensor> cpu::sum(const Tensor &self, std::optional<DType> dtype) {
  return sumDims(self, std::nullopt, false, dtype);
}

StatusOr<Tensor> cpu::sumToSize(const Tensor &self, ArrayRef<int64_t> size) {
  int64_t leading = self.dim() - static_cast<int64_t>(size.size());
  Dims summed;
  bool expandable = leading >= 0;
  for (int64_t d = 0; d < self.dim() && expandable; ++d) {
    if (d < leading || (size[d - leading] == 1 && self.size(d) != 1))
      summed.push_back(d);
    else
      expandable = size[d - leading] == self.size(d);
  }
  if (!expandable)
    return invalidArgument("size {" + shapeString(size) + "} is not expandable to size {" + shapeString(self.sizes()) +
                           "}.");
  if (summed.empty())
    return self;
  TSC_ASSIGN_OR_RETURN(Tensor result, sumDims(self, summed, true, std::nullopt));
  return leading > 0 ? view(result, size) : result;
}
StatusOr<Tensor> cpu::gradSumToSize(const Tensor &self, OptionalDims size) {
  return size ? sumToSize(self, *size) : StatusOr<Tensor>(self);
}

StatusOr<Tensor> cpu::nansum(const Tensor &self, OptionalDims dims, bool keepDim, std::optional<DType> dtype) {
  DType d = sumDType(self, dtype);
  if (isComplex(d))
    return invalidArgument("nansum does not support complex inputs");
  if (isIntegral(d, true))
    return sumDims(self, dims, keepDim, dtype);
  return foldWith<NanSumFold, Types::Floating>(self, dims, keepDim, d);
}

static int64_t foldedCount(const Tensor &self, ArrayRef<bool> reduced) {
  int64_t count = 1;
  for (int64_t d = 0; d != self.dim(); ++d)
    count *= reduced[d] ? self.size(d) : 1;
  return count;
}

StatusOr<Tensor> cpu::meanDims(const Tensor &self, OptionalDims dims, bool keepDim, std::optional<DType> dtype) {
  DType d = dtype.value_or(self.dtype());
  if (isIntegral(d, true))
    return invalidArgument(llvm::Twine("mean(): could not infer output dtype. ") + (dtype ? "Optional" : "Input") +
                           " dtype must be either a floating point or complex dtype. Got: " + irName(d));
  TSC_ASSIGN_OR_RETURN(auto reduced, reducedDims(self, dims));
  double count = static_cast<double>(foldedCount(self, reduced));
  return foldWith<SumFold>(self, dims, keepDim, d, count);
}
StatusOr<Tensor> cpu::mean(const Tensor &self, std::optional<DType> dtype) {
  return meanDims(self, std::nullopt, false, dtype);
}

StatusOr<Tensor> cpu::nanmean(const Tensor &self, OptionalDims dims, bool keepDim, std::optional<DType> dtype) {
  if (!isFloating(self.dtype()))
    return invalidArgument("nanmean(): expected input to have floating point dtype but got " + irName(self.dtype()));
  TSC_ASSIGN_OR_RETURN(Tensor total, nansum(self, dims, keepDim, dtype));
  TSC_ASSIGN_OR_RETURN(Tensor numbers,
                       pointwise(PointwiseKind::Aten_eq_Tensor, {PointwiseArg(self), PointwiseArg(self)}));
  TSC_ASSIGN_OR_RETURN(Tensor count, sumDims(numbers, dims, keepDim, std::nullopt));
  return pointwise(PointwiseKind::Aten_div_Tensor, {PointwiseArg(total), PointwiseArg(count)});
}

StatusOr<Tensor> cpu::prod(const Tensor &self, std::optional<DType> dtype) {
  DType d = sumDType(self, dtype);
  return foldWith<ProdFold>(self, std::nullopt, false, d);
}
StatusOr<Tensor> cpu::prodDim(const Tensor &self, int64_t dim, bool keepDim, std::optional<DType> dtype) {
  DType d = sumDType(self, dtype);
  return foldWith<ProdFold>(self, ArrayRef<int64_t>(dim), keepDim, d);
}

/// Whether some byte is not 0. A few thousand bytes at a time, without a branch within them.
LLVM_ATTRIBUTE_ALWAYS_INLINE static bool anyByte(const uint8_t *bytes, int64_t n) {
  constexpr int64_t block = 4096;
  for (int64_t begin = 0; begin < n; begin += block) {
    uint8_t all = 0;
    for (int64_t i = begin, end = std::min(n, begin + block); i != end; ++i)
      all |= bytes[i];
    if (all)
      return true;
  }
  return false;
}

/// Any or all of a dense tensor: the answer may be known long before the end.
static std::optional<bool> decideEarly(const Tensor &self, bool wantAll) {
  const DType dtype = self.dtype();
  if (!isIntegral(dtype, true) || !self.isContiguous() || self.numel() == 0)
    return std::nullopt;
  const auto *bytes = static_cast<const uint8_t *>(self.data());
  if (!wantAll)
    return atSimdLevel<anyByte>(bytes, self.numel() * static_cast<int64_t>(itemSize(dtype)));
  if (itemSize(dtype) == 1)
    return std::memchr(bytes, 0, static_cast<size_t>(self.numel())) == nullptr;
  return std::nullopt;
}

/// Takes a row of bytes into what all rows have in common: whether one is true, or all are.
LLVM_ATTRIBUTE_ALWAYS_INLINE static void combineTruths(uint8_t *__restrict to, const uint8_t *__restrict row, int64_t n,
                                                       bool wantAll) {
  if (wantAll)
    for (int64_t i = 0; i < n; ++i)
      to[i] &= row[i] != 0;
  else
    for (int64_t i = 0; i < n; ++i)
      to[i] |= row[i] != 0;
}

/// Any or all along one dimension, or along all, of a dense tensor of bytes, which is not empty: in runs or in columns.
static StatusOr<Tensor> decideBytes(const Tensor &self, ArrayRef<bool> reduced, bool keepDim, bool wantAll) {
  const FoldOrder order(self, reduced);
  assert(order.uniform && order.outerSizes.empty() && "more than one run");
  TSC_ASSIGN_OR_RETURN(Tensor out, Tensor::empty(reducedShape(self, reduced, keepDim), DType::Bool));
  const auto *from = static_cast<const uint8_t *>(self.data());
  auto *to = reinterpret_cast<uint8_t *>(out.mutableData<bool>());
  if (order.folded == 1) {
    for (int64_t i = 0; i != order.outputs; ++i)
      to[i] = from[i] != 0;
    return out;
  }
  const int64_t inner = order.runStride, length = order.folded; // columns side by side; 1: rows
  parallelFor(0, order.outputs / inner, std::max<int64_t>(1, parallelGrain / (length * inner)),
              [&](int64_t first, int64_t last) {
                for (int64_t i = first; i < last; ++i) {
                  const uint8_t *rows = from + i * length * inner;
                  if (inner == 1) {
                    to[i] = wantAll ? std::memchr(rows, 0, static_cast<size_t>(length)) == nullptr
                                    : atSimdLevel<anyByte>(rows, length);
                    continue;
                  }
                  std::fill_n(to + i * inner, inner, static_cast<uint8_t>(wantAll));
                  for (int64_t k = 0; k != length; ++k)
                    atSimdLevel<combineTruths, Overlap::None>(to + i * inner, rows + k * inner, inner, wantAll);
                }
              });
  return out;
}

/// Whether all or some elements along a dimension, or along all of them, are not 0.
static StatusOr<Tensor> decide(const Tensor &self, OptionalDims dims, bool keepDim, bool wantAll) {
  TSC_ASSIGN_OR_RETURN(auto reduced, reducedDims(self, dims));
  const DType result = self.dtype() == DType::UInt8 ? DType::UInt8 : DType::Bool;
  if (self.numel() == 0)
    return full(reducedShape(self, reduced, keepDim), Scalar(wantAll), result);
  if (!dims)
    if (std::optional<bool> known = decideEarly(self, wantAll))
      return full({}, Scalar(*known), result);
  const bool areBytes = isIntegral(self.dtype(), true) && itemSize(self.dtype()) == 1;
  TSC_ASSIGN_OR_RETURN(Tensor bytes, areBytes ? StatusOr<Tensor>(self) : toDType(self, DType::Bool));
  TSC_ASSIGN_OR_RETURN(bytes, contiguous(bytes));
  TSC_ASSIGN_OR_RETURN(Tensor decided, decideBytes(bytes, reduced, keepDim, wantAll));
  return toDType(decided, result);
}
StatusOr<Tensor> cpu::all(const Tensor &self) { return decide(self, std::nullopt, false, true); }
StatusOr<Tensor> cpu::allDim(const Tensor &self, int64_t dim, bool keepDim) {
  return decide(self, ArrayRef<int64_t>(dim), keepDim, true);
}
StatusOr<Tensor> cpu::any(const Tensor &self) { return decide(self, std::nullopt, false, false); }
StatusOr<Tensor> cpu::anyDim(const Tensor &self, int64_t dim, bool keepDim) {
  return decide(self, ArrayRef<int64_t>(dim), keepDim, false);
}

static StatusOr<Tensor> countTruths(const Tensor &self, OptionalDims dims) {
  TSC_ASSIGN_OR_RETURN(Tensor truths, toDType(self, DType::Bool));
  return sumDims(truths, dims, false, std::nullopt);
}
StatusOr<Tensor> cpu::countNonzero(const Tensor &self, std::optional<int64_t> dim) {
  return countTruths(self, dim ? OptionalDims(ArrayRef<int64_t>(*dim)) : std::nullopt);
}
StatusOr<Tensor> cpu::countNonzeroDims(const Tensor &self, ArrayRef<int64_t> dims) { return countTruths(self, dims); }

StatusOr<Tensor> cpu::logsumexp(const Tensor &self, ArrayRef<int64_t> dims, bool keepDim) {
  using K = PointwiseKind;
  Tensor input = self;
  if (isIntegral(self.dtype(), true)) {
    TSC_ASSIGN_OR_RETURN(input, toDType(self, defaultDType()));
  }
  if (input.numel() == 0) {
    TSC_ASSIGN_OR_RETURN(Tensor total, sumDims(input, dims, keepDim, std::nullopt));
    return pointwise(K::Aten_log, {PointwiseArg(total)});
  }
  TSC_ASSIGN_OR_RETURN(Tensor kept, amax(input, dims, true));
  TSC_ASSIGN_OR_RETURN(Tensor infinite, pointwise(K::Aten_isinf, {PointwiseArg(kept)}));
  TSC_ASSIGN_OR_RETURN(Tensor shift, pointwise(K::Aten_masked_fill_Scalar,
                                               {PointwiseArg(kept), PointwiseArg(infinite), PointwiseArg(Scalar(0))}));
  TSC_ASSIGN_OR_RETURN(
      Tensor moved, pointwise(K::Aten_sub_Tensor, {PointwiseArg(input), PointwiseArg(shift), PointwiseArg(Scalar(1))}));
  TSC_ASSIGN_OR_RETURN(Tensor powers, pointwise(K::Aten_exp, {PointwiseArg(moved)}));
  TSC_ASSIGN_OR_RETURN(Tensor total, sumDims(powers, dims, keepDim, std::nullopt));
  TSC_ASSIGN_OR_RETURN(Tensor logs, pointwise(K::Aten_log, {PointwiseArg(total)}));
  TSC_ASSIGN_OR_RETURN(Tensor back, reshape(shift, total.sizes()));
  return pointwise(K::Aten_add_Tensor, {PointwiseArg(logs), PointwiseArg(back), PointwiseArg(Scalar(1))});
}
