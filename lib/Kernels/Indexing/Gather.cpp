//===- Gather.cpp - gather, scatter, take, put ----------------------------===//
//
// An index tensor names, for each of its elements, a place along one dimension of
// self; the other coordinates are the element's own.
//
//===----------------------------------------------------------------------===//
#include "IndexingSupport.h"
#include "tsc/Kernels/Factories.h"
#include "tsc/Kernels/Indexing.h"
#include "tsc/Support/AtSimdLevel.h"
#include "tsc/Tensor/Promotion.h"

using namespace tsc;
using namespace tsc::cpu;

//===- Checks -------------------------------------------------------------===//

static Status checkIndex(const Tensor &index, llvm::StringRef name) {
  if (index.numel() != 0 && index.dtype() != DType::Int64)
    return invalidArgument(name + "(): Expected dtype int64 for index");
  return okStatus();
}

/// 0-dimensional tensors count as one of one element.
static Tensor asAtLeast1d(const Tensor &t) { return t.dim() ? t : t.alias({1}, {1}, t.storageOffset()); }

static Status checkGatherShape(const Tensor &self, int64_t dim, const Tensor &index) {
  if (index.numel() == 0)
    return okStatus();
  if (self.dim() != index.dim())
    return invalidArgument("Index tensor must have the same number of dimensions as input tensor");
  for (int64_t d = 0; d != self.dim(); ++d)
    if (d != dim && index.size(d) > self.size(d))
      return invalidArgument("Size does not match at dimension " + llvm::Twine(d) + " expected index " +
                             shapeString(index.sizes()) + " to be smaller than self " + shapeString(self.sizes()) +
                             " apart from dimension " + llvm::Twine(dim));
  return okStatus();
}

static Status checkScatterShape(const Tensor &self, int64_t dim, const Tensor &index, const Tensor &src) {
  if (index.numel() == 0)
    return okStatus();
  if (self.dim() != index.dim())
    return invalidArgument("Index tensor must have the same number of dimensions as self tensor");
  if (src.dim() != index.dim())
    return invalidArgument("Index tensor must have the same number of dimensions as src tensor");
  for (int64_t d = 0; d != self.dim(); ++d) {
    bool fits = (d == dim || index.size(d) <= self.size(d)) && index.size(d) <= src.size(d);
    if (!fits)
      return invalidArgument("Expected index " + shapeString(index.sizes()) + " to be smaller than self " +
                             shapeString(self.sizes()) + " apart from dimension " + llvm::Twine(dim) +
                             " and to be smaller size than src " + shapeString(src.sizes()));
  }
  return okStatus();
}

//===- The walk -----------------------------------------------------------===//

LLVM_ATTRIBUTE_ALWAYS_INLINE static bool areWithin(const int64_t *places, int64_t count, int64_t size) {
  uint64_t outside = 0;
  for (int64_t i = 0; i < count; ++i)
    outside |= static_cast<uint64_t>(places[i]) >= static_cast<uint64_t>(size);
  return outside == 0;
}
/// A row of so few indices is checked sooner than a version for the processor is called.
static constexpr int64_t shortRow = 16;

namespace {
/// Looks for an index that is outside of a dimension.
class PlaceCheck {
public:
  PlaceCheck(int64_t dim, int64_t size) : dim(dim), size(size) {}
  /// False: one of the row is, or one before.
  bool takeRow(const char *places, int64_t stride, int64_t n) {
    if (bad)
      return false;
    const auto *dense = reinterpret_cast<const int64_t *>(places);
    if (stride == sizeof(int64_t) &&
        (n < shortRow ? areWithin(dense, n, size) : atSimdLevel<areWithin>(dense, n, size)))
      return true;
    for (int64_t i = 0, count = stride == 0 ? 1 : n; i != count; ++i) {
      const int64_t at = *reinterpret_cast<const int64_t *>(places + i * stride);
      if (at < 0 || at >= size)
        bad = at;
    }
    return !bad;
  }
  Status status() const {
    if (!bad)
      return okStatus();
    return invalidArgument("index " + llvm::Twine(*bad) + " is out of bounds for dimension " + llvm::Twine(dim) +
                           " with size " + llvm::Twine(size));
  }

private:
  int64_t dim, size;
  std::optional<int64_t> bad;
};

/// Whether indices are looked at before anything is written: what is written into a new tensor nobody sees after an
/// error.
enum class Checks { BeforeAll, WithEachRow };
} // namespace

/// Calls fn(place in self, place in other), references to elements, for every element of the index, in row-major order.
/// All are at least 1-d; `other` covers the index. OutOfRange for an index outside self.
template <typename T, typename Fn>
static Status forEachIndexed(const Tensor &self, int64_t dim, const Tensor &index, const Tensor &other, Checks checks,
                             Fn fn) {
  constexpr int64_t item = sizeof(T);
  Dims selfStrides(self.strides().begin(), self.strides().end());
  const int64_t step = selfStrides[dim];
  selfStrides[dim] = 0;
  PlaceCheck check(dim, self.size(dim));
  if (checks == Checks::BeforeAll) {
    StridedLoop<1> places(index.sizes());
    places.input(0, index);
    places.forEachRow([&](char *const *p, const int64_t *s, int64_t n) { check.takeRow(p[0], s[0], n); });
    TSC_RETURN_IF_ERROR(check.status());
  }
  StridedLoop<3> loop(index.sizes());
  loop.operand(0, const_cast<void *>(other.data()), index.sizes(), other.strides(), item);
  loop.operand(1, const_cast<void *>(index.data()), index.sizes(), index.strides(), sizeof(int64_t));
  loop.operand(2, const_cast<void *>(self.data()), index.sizes(), selfStrides, item);
  loop.forEachRow(
      [&](char *const *p, const int64_t *s, int64_t n) {
        if (checks == Checks::WithEachRow && !check.takeRow(p[1], s[1], n))
          return;
        T *row = reinterpret_cast<T *>(p[2]), *others = reinterpret_cast<T *>(p[0]);
        const int64_t *places = reinterpret_cast<const int64_t *>(p[1]);
        if (s[1] == sizeof(int64_t) && s[0] == item && s[2] == 0) {
          for (int64_t i = 0; i != n; ++i)
            fn(row[places[i] * step], others[i]);
        } else if (s[1] == sizeof(int64_t) && s[0] == item && s[2] == item) {
          for (int64_t i = 0; i != n; ++i)
            fn(row[places[i] * step + i], others[i]);
        } else if (s[1] == 0 && s[0] == item && s[2] == item) {
          T *whole = row + *places * step;
          if constexpr (requires { fn.ofRows(whole, others, n); })
            return fn.ofRows(whole, others, n);
          for (int64_t i = 0; i != n; ++i)
            fn(whole[i], others[i]);
        } else {
          for (int64_t i = 0; i != n; ++i)
            fn(*reinterpret_cast<T *>(p[2] + i * s[2] +
                                      *reinterpret_cast<const int64_t *>(p[1] + i * s[1]) * step * item),
               *reinterpret_cast<T *>(p[0] + i * s[0]));
        }
      },
      /*reorder=*/false);
  return check.status();
}

StatusOr<Tensor> cpu::gather(const Tensor &self, int64_t dim, const Tensor &index, bool) {
  TSC_ASSIGN_OR_RETURN(int64_t d, wrapDim(dim, self.dim()));
  TSC_RETURN_IF_ERROR(checkIndex(index, "gather"));
  TSC_ASSIGN_OR_RETURN(const Tensor plain, asItStands(self));
  Tensor from = asAtLeast1d(plain), places = asAtLeast1d(index);
  TSC_RETURN_IF_ERROR(checkGatherShape(from, d, places));
  TSC_ASSIGN_OR_RETURN(Tensor result, Tensor::empty(index.sizes(), self.dtype()));
  if (index.numel() == 0)
    return result;
  Tensor to = asAtLeast1d(result);
  auto run = [&](auto word) {
    using Word = decltype(word);
    return forEachIndexed<Word>(from, d, places, to, Checks::WithEachRow,
                                [](const Word &source, Word &target) { target = source; });
  };
  TSC_RETURN_IF_ERROR(withWord(itemSize(self.dtype()), run));
  return result;
}

StatusOr<Tensor> cpu::takeAlongDim(const Tensor &self, const Tensor &indices, OptInt dim) {
  if (indices.dtype() != DType::Int64)
    return invalidArgument("take_along_dim(): dtype of indices should be Long but got " + irName(indices.dtype()) +
                           ".");
  if (!dim) {
    TSC_ASSIGN_OR_RETURN(Tensor flat, reshape(self, {-1}));
    TSC_ASSIGN_OR_RETURN(Tensor places, reshape(indices, {-1}));
    return gather(flat, 0, places);
  }
  if (self.dim() != indices.dim())
    return invalidArgument(
        "torch.take_along_dim(): input and indices should have the same number of dimensions, but got " +
        llvm::Twine(self.dim()) + " dimensions for input, and " + llvm::Twine(indices.dim()) +
        " dimensions for indices");
  TSC_ASSIGN_OR_RETURN(int64_t d, wrapDim(*dim, self.dim()));
  if (self.dim() == 0)
    return gather(self, 0, indices);
  Dims selfSizes(self.sizes().begin(), self.sizes().end()), indexSizes(indices.sizes().begin(), indices.sizes().end());
  selfSizes[d] = indexSizes[d] = 1;
  TSC_ASSIGN_OR_RETURN(Dims common, broadcastShapes(selfSizes, indexSizes));
  common[d] = self.size(d);
  TSC_ASSIGN_OR_RETURN(Tensor wide, expand(self, common));
  common[d] = indices.size(d);
  TSC_ASSIGN_OR_RETURN(Tensor places, expand(indices, common));
  return gather(wide, d, places);
}

//===- scatter ------------------------------------------------------------===//

template <typename T>
LLVM_ATTRIBUTE_ALWAYS_INLINE static void combineElements(RowCombination how, T *__restrict x, const T *__restrict y,
                                                         int64_t n) {
  if (how == RowCombination::Add)
    for (int64_t i = 0; i < n; ++i)
      x[i] = addElements(x[i], y[i]);
  else if (how == RowCombination::Max)
    for (int64_t i = 0; i < n; ++i)
      x[i] = maxElement(x[i], y[i]);
  else
    for (int64_t i = 0; i < n; ++i)
      x[i] = minElement(x[i], y[i]);
}
void cpu::combineRows(RowCombination how, float *x, const float *y, int64_t n) {
  atSimdLevel<combineElements<float>, Overlap::None>(how, x, y, n);
}
void cpu::combineRows(RowCombination how, double *x, const double *y, int64_t n) {
  atSimdLevel<combineElements<double>, Overlap::None>(how, x, y, n);
}

namespace {
enum class Combine { Assign, Add, Multiply, Max, Min };
} // namespace

/// Calls use(fn), where fn(x, y) combines y into x.
template <typename T, typename Use> static Status withCombination(Combine how, Use use) {
  switch (how) {
  case Combine::Assign: return use([](T &x, T y) { x = y; });
  case Combine::Add: return use(OfRows<RowCombination::Add>());
  case Combine::Multiply: return use([](T &x, T y) { x = multiplyElements(x, y); });
  case Combine::Max:
  case Combine::Min:
    if constexpr (!isComplexType<T>)
      return how == Combine::Max ? use(OfRows<RowCombination::Max>()) : use(OfRows<RowCombination::Min>());
  }
  return okStatus();
}

/// self[index] (how)= src
static Status scatterWith(const Tensor &self, int64_t dim, const Tensor &index, const Tensor &src, Combine how,
                          llvm::StringRef name, Checks checks = Checks::BeforeAll) {
  TSC_ASSIGN_OR_RETURN(int64_t d, wrapDim(dim, self.dim()));
  TSC_RETURN_IF_ERROR(checkIndex(index, name));
  if (self.dtype() != src.dtype())
    return invalidArgument(name + "(): Expected self.dtype to be equal to src.dtype");
  TSC_RETURN_IF_ERROR(checkWritable(self));
  if (isLazy(self))
    return writeAsItStands(self, [&](const Tensor &t) { return scatterWith(t, dim, index, src, how, name, checks); });
  TSC_ASSIGN_OR_RETURN(const Tensor plain, asItStands(src));
  Tensor to = asAtLeast1d(self), places = asAtLeast1d(index), from = asAtLeast1d(plain);
  TSC_RETURN_IF_ERROR(checkScatterShape(to, d, places, from));
  if (index.numel() == 0)
    return okStatus();
  if (mayOverlap(self, from)) {
    TSC_ASSIGN_OR_RETURN(from, clone(from));
  }
  if (mayOverlap(self, places)) {
    TSC_ASSIGN_OR_RETURN(places, clone(places));
  }
  (void)self.mutableData(); // Borrowed memory becomes our own before pointers are taken.
  self.bumpVersion();
  return dispatchAll(
      self.dtype(),
      [&](auto tag) -> Status {
        using T = typename decltype(tag)::Type;
        if (isComplexType<T> && (how == Combine::Max || how == Combine::Min))
          return detail::dtypeNotImplemented("scatter_reduce", self.dtype());
        return withCombination<T>(
            how, [&](auto combine) { return forEachIndexed<T>(to, d, places, from, checks, combine); });
      },
      "scatter");
}

/// A value as a tensor that covers the index.
static StatusOr<Tensor> valueLike(const Tensor &self, const Tensor &index, const Scalar &value) {
  TSC_RETURN_IF_ERROR(checkConversion(value, self.dtype()));
  TSC_ASSIGN_OR_RETURN(Tensor scalar, Tensor::scalar(value, self.dtype()));
  return expand(scalar, index.sizes());
}

static StatusOr<Combine> combineFromName(llvm::StringRef reduce) {
  if (reduce == "add")
    return Combine::Add;
  if (reduce == "multiply")
    return Combine::Multiply;
  return invalidArgument("reduce argument must be either add or multiply.");
}

StatusOr<Tensor> cpu::scatterSrcInPlace(const Tensor &self, int64_t dim, const Tensor &index, const Tensor &src) {
  TSC_RETURN_IF_ERROR(scatterWith(self, dim, index, src, Combine::Assign, "scatter"));
  return self;
}

StatusOr<Tensor> cpu::scatterValueInPlace(const Tensor &self, int64_t dim, const Tensor &index, const Scalar &value) {
  TSC_ASSIGN_OR_RETURN(Tensor src, valueLike(self, index, value));
  return scatterSrcInPlace(self, dim, index, src);
}

StatusOr<Tensor> cpu::scatterSrcReduceInPlace(const Tensor &self, int64_t dim, const Tensor &index, const Tensor &src,
                                              llvm::StringRef reduce) {
  TSC_ASSIGN_OR_RETURN(Combine how, combineFromName(reduce));
  TSC_RETURN_IF_ERROR(scatterWith(self, dim, index, src, how, "scatter"));
  return self;
}

StatusOr<Tensor> cpu::scatterValueReduceInPlace(const Tensor &self, int64_t dim, const Tensor &index,
                                                const Scalar &value, llvm::StringRef reduce) {
  TSC_ASSIGN_OR_RETURN(Tensor src, valueLike(self, index, value));
  return scatterSrcReduceInPlace(self, dim, index, src, reduce);
}

StatusOr<Tensor> cpu::scatterAddInPlace(const Tensor &self, int64_t dim, const Tensor &index, const Tensor &src) {
  TSC_RETURN_IF_ERROR(scatterWith(self, dim, index, src, Combine::Add, "scatter_add"));
  return self;
}

/// Every place that the index touches = what starts the reduction.
static Status startReduction(const Tensor &self, int64_t dim, const Tensor &index, Combine how) {
  double low = -std::numeric_limits<double>::infinity();
  Scalar start = how == Combine::Add        ? Scalar(0)
                 : how == Combine::Multiply ? Scalar(1)
                                            : Scalar(how == Combine::Max ? low : -low);
  if (isIntegral(self.dtype(), true) && (how == Combine::Max || how == Combine::Min))
    TSC_RETURN_IF_ERROR(dispatchIntegralAndBool(self.dtype(), [&](auto tag) {
      using T = typename decltype(tag)::Type;
      start = toScalar(how == Combine::Max ? std::numeric_limits<T>::min() : std::numeric_limits<T>::max());
    }));
  return scatterValueInPlace(self, dim, index, start).status();
}

/// self /= how many elements went into each place.
static Status divideByCounts(const Tensor &self, const Tensor &counts) {
  StridedLoop<2> loop(self.sizes());
  loop.output(0, self);
  loop.input(1, counts);
  return dispatchAll(self.dtype(), [&](auto tag) {
    using T = typename decltype(tag)::Type;
    loop.forEachRow([&](char *const *p, const int64_t *s, int64_t n) {
      for (int64_t i = 0; i != n; ++i) {
        T &x = *reinterpret_cast<T *>(p[0] + i * s[0]);
        int64_t count = std::max<int64_t>(*reinterpret_cast<const int64_t *>(p[1] + i * s[1]), 1);
        if constexpr (std::is_integral_v<T>) {
          int64_t value = static_cast<int64_t>(x), quotient = value / count;
          x = static_cast<T>(quotient - (value % count != 0 && value < 0));
        } else {
          using C = ComputeType<T>;
          x = T(static_cast<C>(x) / C(static_cast<double>(count)));
        }
      }
    });
  });
}

StatusOr<Tensor> cpu::scatterReduceInPlace(const Tensor &self, int64_t dim, const Tensor &index, const Tensor &src,
                                           llvm::StringRef reduce, bool includeSelf) {
  Combine how;
  if (reduce == "sum" || reduce == "mean")
    how = Combine::Add;
  else if (reduce == "prod")
    how = Combine::Multiply;
  else if (reduce == "amax")
    how = Combine::Max;
  else if (reduce == "amin")
    how = Combine::Min;
  else
    return invalidArgument("reduce argument must be either sum, prod, mean, amax or amin, got " + reduce);
  if (index.numel() == 0)
    return self;
  if (!includeSelf)
    TSC_RETURN_IF_ERROR(startReduction(self, dim, index, how));
  TSC_RETURN_IF_ERROR(scatterWith(self, dim, index, src, how, "scatter_reduce"));
  if (reduce != "mean")
    return self;
  TSC_ASSIGN_OR_RETURN(Tensor counts, Tensor::full(self.sizes(), Scalar(includeSelf ? 1 : 0), DType::Int64));
  TSC_ASSIGN_OR_RETURN(Tensor one, valueLike(counts, index, Scalar(1)));
  TSC_RETURN_IF_ERROR(scatterWith(counts, dim, index, one, Combine::Add, "scatter_reduce"));
  TSC_RETURN_IF_ERROR(divideByCounts(self, counts));
  return self;
}

// Their results are row-major, as those of masked_fill, index_add and their like are: programs look at them flat.
StatusOr<Tensor> cpu::scatterSrc(const Tensor &self, int64_t dim, const Tensor &index, const Tensor &src) {
  TSC_ASSIGN_OR_RETURN(Tensor result, clone(self, MemoryFormat::Contiguous));
  TSC_RETURN_IF_ERROR(scatterWith(result, dim, index, src, Combine::Assign, "scatter", Checks::WithEachRow));
  return result;
}
StatusOr<Tensor> cpu::scatterValue(const Tensor &self, int64_t dim, const Tensor &index, const Scalar &value) {
  TSC_ASSIGN_OR_RETURN(Tensor result, clone(self, MemoryFormat::Contiguous));
  TSC_ASSIGN_OR_RETURN(Tensor src, valueLike(result, index, value));
  TSC_RETURN_IF_ERROR(scatterWith(result, dim, index, src, Combine::Assign, "scatter", Checks::WithEachRow));
  return result;
}
StatusOr<Tensor> cpu::scatterSrcReduce(const Tensor &self, int64_t dim, const Tensor &index, const Tensor &src,
                                       llvm::StringRef reduce) {
  TSC_ASSIGN_OR_RETURN(Tensor result, clone(self, MemoryFormat::Contiguous));
  return scatterSrcReduceInPlace(result, dim, index, src, reduce);
}
StatusOr<Tensor> cpu::scatterValueReduce(const Tensor &self, int64_t dim, const Tensor &index, const Scalar &value,
                                         llvm::StringRef reduce) {
  TSC_ASSIGN_OR_RETURN(Tensor result, clone(self, MemoryFormat::Contiguous));
  return scatterValueReduceInPlace(result, dim, index, value, reduce);
}
StatusOr<Tensor> cpu::scatterAdd(const Tensor &self, int64_t dim, const Tensor &index, const Tensor &src) {
  TSC_ASSIGN_OR_RETURN(Tensor result, clone(self, MemoryFormat::Contiguous));
  TSC_RETURN_IF_ERROR(scatterWith(result, dim, index, src, Combine::Add, "scatter_add", Checks::WithEachRow));
  return result;
}
StatusOr<Tensor> cpu::scatterReduce(const Tensor &self, int64_t dim, const Tensor &index, const Tensor &src,
                                    llvm::StringRef reduce, bool includeSelf) {
  TSC_ASSIGN_OR_RETURN(Tensor result, clone(self, MemoryFormat::Contiguous));
  return scatterReduceInPlace(result, dim, index, src, reduce, includeSelf);
}

//===- take, put ----------------------------------------------------------===//

/// Row-major positions, wrapped and checked.
static StatusOr<std::vector<int64_t>> flatPositions(const Tensor &self, const Tensor &index) {
  TSC_ASSIGN_OR_RETURN(std::vector<int64_t> positions, indexValues(index));
  const int64_t count = self.numel();
  for (int64_t &at : positions) {
    if (at < -count || at >= count) [[unlikely]]
      return outOfRange("out of range: tried to access index " + llvm::Twine(at) + " on a tensor of " +
                        llvm::Twine(self.numel()) + " elements.");
    at += at < 0 ? count : 0;
  }
  return positions;
}

/// The byte offset of a row-major position.
static int64_t byteOffset(const Tensor &t, int64_t position) {
  int64_t offset = 0;
  for (int64_t d = t.dim() - 1; d >= 0; --d) {
    offset += position % t.size(d) * t.stride(d);
    position /= t.size(d);
  }
  return offset * static_cast<int64_t>(itemSize(t.dtype()));
}

StatusOr<Tensor> cpu::take(const Tensor &self, const Tensor &index) {
  if (index.dtype() != DType::Int64)
    return invalidArgument("take(): Expected a long tensor for index, but got " + irName(index.dtype()));
  if (self.numel() == 0 && index.numel() != 0)
    return outOfRange("take(): tried to take from an empty tensor");
  TSC_ASSIGN_OR_RETURN(std::vector<int64_t> positions, flatPositions(self, index));
  TSC_ASSIGN_OR_RETURN(Tensor result, Tensor::empty(index.sizes(), self.dtype()));
  TSC_ASSIGN_OR_RETURN(Tensor dense, self.numel() <= index.numel() ? contiguous(self) : asItStands(self));
  const bool isDense = dense.isContiguous();
  auto run = [&](auto word) {
    using Word = decltype(word);
    Word *to = static_cast<Word *>(result.mutableData());
    const Word *from = static_cast<const Word *>(dense.data());
    for (int64_t position : positions)
      *to++ = isDense
                  ? from[position]
                  : *reinterpret_cast<const Word *>(reinterpret_cast<const char *>(from) + byteOffset(dense, position));
  };
  withWord(itemSize(self.dtype()), run);
  return result;
}

StatusOr<Tensor> cpu::putInPlace(const Tensor &self, const Tensor &index, const Tensor &source, bool accumulate) {
  if (index.dtype() != DType::Int64)
    return invalidArgument("put_(): Expected a long tensor for index, but got " + irName(index.dtype()));
  if (self.dtype() != source.dtype())
    return invalidArgument("put_(): self and source expected to have the same dtype, but got self.dtype = " +
                           irName(self.dtype()) + " and source.dtype = " + irName(source.dtype()));
  if (index.numel() != source.numel())
    return invalidArgument(
        "put_(): Expected source and index to have the same number of elements, but got source.numel() = " +
        llvm::Twine(source.numel()) + ", index.numel() = " + llvm::Twine(index.numel()));
  TSC_RETURN_IF_ERROR(checkWritable(self));
  if (isLazy(self)) {
    TSC_RETURN_IF_ERROR(
        writeAsItStands(self, [&](const Tensor &t) { return putInPlace(t, index, source, accumulate).status(); }));
    return self;
  }
  TSC_ASSIGN_OR_RETURN(std::vector<int64_t> positions, flatPositions(self, index));
  TSC_ASSIGN_OR_RETURN(Tensor values, contiguous(source));
  if (mayOverlap(self, values)) {
    TSC_ASSIGN_OR_RETURN(values, clone(values));
  }
  self.bumpVersion();
  char *base = static_cast<char *>(self.mutableData());
  TSC_RETURN_IF_ERROR(dispatchAll(
      self.dtype(),
      [&](auto tag) {
        using T = typename decltype(tag)::Type;
        for (size_t i = 0; i != positions.size(); ++i) {
          T &x = *reinterpret_cast<T *>(base + byteOffset(self, positions[i]));
          x = accumulate ? addElements(x, values.data<T>()[i]) : values.data<T>()[i];
        }
      },
      "put_"));
  return self;
}

StatusOr<Tensor> cpu::put(const Tensor &self, const Tensor &index, const Tensor &source, bool accumulate) {
  TSC_ASSIGN_OR_RETURN(Tensor result, clone(self));
  return putInPlace(result, index, source, accumulate);
}
