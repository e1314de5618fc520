//===- IndexAlongDim.cpp - Whole slices chosen by a vector ----------------===//
//
// index_select, index_add, index_copy, index_fill, index_reduce and embedding: a
// 1-d index names slices of self along one dimension.
//
//===----------------------------------------------------------------------===//
#include "IndexingSupport.h"
#include "Slices.h"
#include "tsc/Kernels/Indexing.h"
#include "tsc/Support/ThreadPool.h"
#include "tsc/Tensor/Promotion.h"
#include <array>
#include <cmath>

using namespace tsc;
using namespace tsc::cpu;

static Status indexOutOfRange() { return outOfRange("index out of range in self"); }

static Status checkSliceIndex(const Tensor &index, llvm::StringRef name) {
  if (index.dim() > 1)
    return outOfRange(name + "(): Index is supposed to be a vector" +
                      (name == "index_select" ? std::string()
                                              : ", but got dim: " + std::to_string(index.dim()) +
                                                    " with type: " + irName(index.dtype()).str()));
  if (index.dtype() != DType::Int64 && index.dtype() != DType::Int32)
    return invalidArgument(name + "(): Expected dtype int32/int64 for index" +
                           (name == "index_select" ? "" : " but got: ") +
                           (name == "index_select" ? "" : irName(index.dtype())));
  return okStatus();
}

/// The elements of an int index of at most one dimension.
static StatusOr<std::vector<int64_t>> sliceIndices(const Tensor &index, llvm::StringRef name) {
  TSC_RETURN_IF_ERROR(checkSliceIndex(index, name));
  return indexValues(index);
}

static Status checkRange(ArrayRef<int64_t> indices, int64_t size) {
  bool isOutside = false;
  for (int64_t i : indices)
    isOutside |= static_cast<uint64_t>(i) >= static_cast<uint64_t>(size);
  return isOutside ? indexOutOfRange() : okStatus();
}

//===- Reading ------------------------------------------------------------===//

/// Elements of the rows of a dense tensor.
static void selectInRows(const Tensor &self, ArrayRef<int64_t> indices, const Tensor &result) {
  const int64_t length = self.sizes().back(), rows = self.numel() / length;
  auto select = [&](auto type) {
    using Item = decltype(type);
    const Item *from = static_cast<const Item *>(self.data());
    Item *to = static_cast<Item *>(result.mutableData());
    const auto count = static_cast<int64_t>(indices.size());
    std::vector<int64_t> places(indices);
    for (int64_t &place : places)
      place += place < 0 ? length : 0;
    constexpr int64_t leastElements = 1 << 15;
    parallelFor(0, rows, std::max<int64_t>(1, leastElements / count), [&](int64_t begin, int64_t end) {
      for (int64_t r = begin; r != end; ++r)
        for (int64_t i = 0; i != count; ++i)
          to[r * count + i] = from[r * length + places[i]];
    });
  };
  withWord(itemSize(self.dtype()), select);
}

/// The same for slices that are runs of memory.
static void copySlices(const Tensor &self, int64_t dim, ArrayRef<int64_t> indices, const Tensor &result) {
  int64_t outer = 1, inner = 1;
  for (int64_t d = 0; d != self.dim(); ++d)
    (d < dim ? outer : inner) *= d == dim ? 1 : self.size(d);
  const int64_t bytes = inner * static_cast<int64_t>(itemSize(self.dtype()));
  const char *from = static_cast<const char *>(self.data());
  char *to = static_cast<char *>(result.mutableData());
  const int64_t count = static_cast<int64_t>(indices.size());
  parallelFor(0, outer * count, std::max<int64_t>(1, (1 << 18) / static_cast<int64_t>(bytes)),
              [&](int64_t begin, int64_t end) {
                while (begin != end) { // as far as one walk over the indices goes
                  const int64_t walk = begin / count, first = begin % count;
                  const int64_t here = std::min(count - first, end - begin);
                  const char *source = from + walk * self.size(dim) * bytes;
                  slices::gather(to + begin * bytes, source, indices.data() + first, here, bytes);
                  begin += here;
                }
              });
}

StatusOr<Tensor> cpu::indexSelect(const Tensor &tensor, int64_t dim, const Tensor &index) {
  TSC_ASSIGN_OR_RETURN(const Tensor self, asItStands(tensor));
  TSC_ASSIGN_OR_RETURN(int64_t d, wrapDim(dim, self.dim()));
  TSC_RETURN_IF_ERROR(checkSliceIndex(index, "index_select"));
  TSC_ASSIGN_OR_RETURN(Tensor wide, toDType(index, DType::Int64));
  TSC_ASSIGN_OR_RETURN(wide, contiguous(wide));
  const ArrayRef<int64_t> indices(wide.data<int64_t>(), static_cast<size_t>(wide.numel()));
  TSC_RETURN_IF_ERROR(checkRange(indices, extentOf(self, d)));
  Dims sizes(self.sizes().begin(), self.sizes().end());
  if (!sizes.empty())
    sizes[d] = indices.size();
  else if (indices.size() != 1)
    return invalidArgument("index_select(): Index to scalar can have only 1 value, got " + llvm::Twine(indices.size()) +
                           " value(s)");
  TSC_ASSIGN_OR_RETURN(Tensor result, Tensor::empty(sizes, self.dtype()));
  if (result.numel() == 0)
    return result;
  DType dtype = self.dtype();
  if (d == self.dim() - 1 && self.isContiguous()) {
    selectInRows(self, indices, result);
    return result;
  }
  if (self.isContiguous() && d >= 0 && self.dim() > 0) {
    copySlices(self, d, indices, result);
    return result;
  }
  forEachIndexedRow(self, result, d, indices,
                    [&](char *from, int64_t fromStride, char *to, int64_t toStride, int64_t n) {
                      convertRow(to, dtype, toStride, from, dtype, fromStride, n);
                    });
  return result;
}

StatusOr<Tensor> cpu::embedding(const Tensor &weight, const Tensor &indices, int64_t, bool, bool) {
  if (weight.dim() != 2)
    return invalidArgument("'weight' must be 2-D");
  if (indices.dtype() != DType::Int64 && indices.dtype() != DType::Int32)
    return invalidArgument("Expected tensor for argument #1 'indices' to have one of the following scalar types: Long, "
                           "Int; but got torch." +
                           irName(indices.dtype()) + "Tensor instead (while checking arguments for embedding)");
  TSC_ASSIGN_OR_RETURN(Tensor flat, reshape(indices, {-1}));
  TSC_ASSIGN_OR_RETURN(Tensor rows, indexSelect(weight, 0, flat));
  Dims sizes(indices.sizes().begin(), indices.sizes().end());
  sizes.push_back(weight.size(1));
  return view(rows, sizes);
}

//===- Writing ------------------------------------------------------------===//

/// What index_add and its kin ask of their arguments; gives the indices.
static StatusOr<std::vector<int64_t>> prepareUpdate(const Tensor &self, int64_t dim, const Tensor &index,
                                                    const Tensor &source, llvm::StringRef name) {
  TSC_ASSIGN_OR_RETURN(std::vector<int64_t> indices, sliceIndices(index, name));
  if (self.dtype() != source.dtype())
    return invalidArgument(name +
                           (name == "index_copy_"
                                ? "(): self and source expected to have the same dtype, but got (self) "
                                : "(): self (") +
                           irName(self.dtype()) + (name == "index_copy_" ? " and (source) " : ") and source (") +
                           irName(source.dtype()) + (name == "index_copy_" ? "" : ") must have the same scalar type"));
  if (dim != 0 && dim >= source.dim())
    return invalidArgument(name + "(): Indexing dim " + llvm::Twine(dim) + " is out of bounds of tensor");
  int64_t count = indices.size();
  if (count != extentOf(source, dim))
    return invalidArgument(name + "(): Number of indices (" + llvm::Twine(count) +
                           ") should be equal to source.size(dim): (" + llvm::Twine(extentOf(source, dim)) +
                           "), for dim: " + llvm::Twine(dim));
  bool sameSlices = self.dim() == source.dim() || (self.dim() <= 1 && source.dim() <= 1);
  for (int64_t d = 0; sameSlices && d < self.dim() && d < source.dim(); ++d)
    sameSlices = d == dim || self.size(d) == source.size(d);
  if (!sameSlices)
    return invalidArgument(
        "source tensor shape must match self tensor shape, excluding the specified dimension. Got self.shape = " +
        shapeString(self.sizes()) + " source.shape = " + shapeString(source.sizes()));
  TSC_RETURN_IF_ERROR(checkWritable(self));
  TSC_RETURN_IF_ERROR(checkRange(indices, extentOf(self, dim)));
  return indices;
}

/// source, or a copy when writing to self could change it.
static StatusOr<Tensor> independentOf(const Tensor &self, const Tensor &source) {
  if (!mayOverlap(self, source))
    return source;
  return clone(source);
}

/// fn(self[indices[i]], source[i]) element by element, which combines the second into the first.
template <typename Fn>
static Status updateSlices(const Tensor &self, int64_t dim, ArrayRef<int64_t> indices, const Tensor &source,
                           const char *name, Fn fn) {
  if (isLazy(self))
    return writeAsItStands(self, [&](const Tensor &t) { return updateSlices(t, dim, indices, source, name, fn); });
  TSC_ASSIGN_OR_RETURN(Tensor from, independentOf(self, source));
  TSC_ASSIGN_OR_RETURN(from, asItStands(from));
  (void)self.mutableData();
  self.bumpVersion();
  if (from.numel() == 0)
    return okStatus();
  return dispatchAll(
      self.dtype(),
      [&](auto tag) {
        using T = typename decltype(tag)::Type;
        if (dim == self.dim() - 1 && self.isContiguous() && from.isContiguous()) { // row by row
          const int64_t length = self.sizes().back(), count = static_cast<int64_t>(indices.size());
          T *x = self.mutableData<T>();
          const T *y = from.data<T>();
          for (int64_t r = 0, rows = from.numel() / count; r != rows; ++r, x += length, y += count)
            for (int64_t i = 0; i != count; ++i)
              fn(x[indices[i]], y[i]);
          return;
        }
        forEachIndexedRow(
            self, from, dim, indices, [&](char *to, int64_t toStride, char *row, int64_t rowStride, int64_t n) {
              if (toStride == sizeof(T) && rowStride == sizeof(T)) {
                T *x = reinterpret_cast<T *>(to);
                const T *y = reinterpret_cast<const T *>(row);
                if constexpr (requires { fn.ofRows(x, y, n); })
                  return fn.ofRows(x, y, n);
                for (int64_t i = 0; i != n; ++i)
                  fn(x[i], y[i]);
                return;
              }
              for (int64_t i = 0; i != n; ++i)
                fn(*reinterpret_cast<T *>(to + i * toStride), *reinterpret_cast<const T *>(row + i * rowStride));
            });
      },
      name);
}

StatusOr<Tensor> cpu::indexAddInPlace(const Tensor &self, int64_t dim, const Tensor &index, const Tensor &source,
                                      const Scalar &alpha) {
  TSC_ASSIGN_OR_RETURN(int64_t d, wrapDim(dim, self.dim()));
  TSC_ASSIGN_OR_RETURN(std::vector<int64_t> indices, prepareUpdate(self, d, index, source, "index_add_"));
  auto addMultiple = [&](auto &x, auto y) { x = addElements(x, multiplyElements(y, scalarTo<decltype(y)>(alpha))); };
  TSC_RETURN_IF_ERROR(alpha.toComplex() == std::complex<double>(1)
                          ? updateSlices(self, d, indices, source, "index_add_", OfRows<RowCombination::Add>())
                          : updateSlices(self, d, indices, source, "index_add_", addMultiple));
  return self;
}

StatusOr<Tensor> cpu::indexAdd(const Tensor &self, int64_t dim, const Tensor &index, const Tensor &source,
                               const Scalar &alpha) {
  TSC_ASSIGN_OR_RETURN(Tensor result, clone(self, MemoryFormat::Contiguous));
  return indexAddInPlace(result, dim, index, source, alpha);
}

StatusOr<Tensor> cpu::indexCopyInPlace(const Tensor &self, int64_t dim, const Tensor &index, const Tensor &source) {
  TSC_ASSIGN_OR_RETURN(int64_t d, wrapDim(dim, self.dim()));
  if (index.dim() >= 2)
    return outOfRange("index_copy_(): Index should have dimension 1 or 0 (got " + llvm::Twine(index.dim()) + ")");
  if (index.dtype() != DType::Int64)
    return outOfRange("index_copy_(): Expected a long tensor for index, but got " + irName(index.dtype()));
  if (self.dim() != source.dim() && self.dim() != 0 && source.dim() != 0)
    return outOfRange("index_copy_(): When source and destination are not scalars, their dimensionality must match. "
                      "Source dimensionality (" +
                      llvm::Twine(source.dim()) + "), destination dimensionality (" + llvm::Twine(self.dim()) + ")");
  TSC_ASSIGN_OR_RETURN(std::vector<int64_t> indices, indexValues(index));
  for (int64_t i : indices)
    if (i < 0 || i >= extentOf(self, d))
      return outOfRange("index_copy_(): index " + llvm::Twine(i) + " is out of bounds for dimension " + llvm::Twine(d) +
                        " with size " + llvm::Twine(extentOf(self, d)));
  TSC_ASSIGN_OR_RETURN(indices, prepareUpdate(self, d, index, source, "index_copy_"));
  TSC_RETURN_IF_ERROR(updateSlices(self, d, indices, source, "index_copy_", [](auto &x, auto y) { x = y; }));
  return self;
}

StatusOr<Tensor> cpu::indexCopy(const Tensor &self, int64_t dim, const Tensor &index, const Tensor &source) {
  TSC_ASSIGN_OR_RETURN(Tensor result, clone(self, MemoryFormat::Contiguous));
  return indexCopyInPlace(result, dim, index, source);
}

StatusOr<Tensor> cpu::indexFillScalarInPlace(const Tensor &self, int64_t dim, const Tensor &index,
                                             const Scalar &value) {
  TSC_ASSIGN_OR_RETURN(int64_t d, wrapDim(dim, self.dim()));
  if (index.dtype() != DType::Int64)
    return outOfRange("index_fill_(): Expected dtype int64 for index.");
  if (index.dim() > 1)
    return invalidArgument("Index has to be a vector/scalar");
  TSC_RETURN_IF_ERROR(checkWritable(self));
  TSC_ASSIGN_OR_RETURN(std::vector<int64_t> indices, indexValues(index));
  int64_t size = extentOf(self, d);
  for (int64_t &i : indices) {
    if (i < -size || i >= size)
      return outOfRange("index " + llvm::Twine(i) + " is out of bounds for dimension " + llvm::Twine(d) +
                        " with size " + llvm::Twine(size));
    if (i < 0)
      i += size;
  }
  Dims sizes(self.sizes().begin(), self.sizes().end());
  if (!sizes.empty())
    sizes[d] = indices.size();
  TSC_RETURN_IF_ERROR(checkConversion(value, self.dtype()));
  TSC_ASSIGN_OR_RETURN(Tensor element, Tensor::scalar(value, self.dtype()));
  TSC_ASSIGN_OR_RETURN(Tensor source, expand(element, sizes));
  TSC_RETURN_IF_ERROR(updateSlices(self, d, indices, source, "index_fill_", [](auto &x, auto y) { x = y; }));
  return self;
}

StatusOr<Tensor> cpu::indexFillTensorInPlace(const Tensor &self, int64_t dim, const Tensor &index,
                                             const Tensor &value) {
  if (value.dim() != 0)
    return invalidArgument("Only supports 0-dimension value tensor, but got tensor with " + llvm::Twine(value.dim()) +
                           " dimension(s).");
  return indexFillScalarInPlace(self, dim, index, value.at(0));
}

StatusOr<Tensor> cpu::indexFillScalar(const Tensor &self, int64_t dim, const Tensor &index, const Scalar &value) {
  TSC_ASSIGN_OR_RETURN(Tensor result, clone(self));
  return indexFillScalarInPlace(result, dim, index, value);
}

StatusOr<Tensor> cpu::indexFillTensor(const Tensor &self, int64_t dim, const Tensor &index, const Tensor &value) {
  TSC_ASSIGN_OR_RETURN(Tensor result, clone(self));
  return indexFillTensorInPlace(result, dim, index, value);
}

StatusOr<Tensor> cpu::indexReduceInPlace(const Tensor &self, int64_t dim, const Tensor &index, const Tensor &source,
                                         llvm::StringRef reduce, bool includeSelf) {
  if (reduce != "prod" && reduce != "mean" && reduce != "amax" && reduce != "amin")
    return invalidArgument("reduce argument must be either prod, mean, amax or amin, got " + reduce + ".");
  TSC_ASSIGN_OR_RETURN(int64_t d, wrapDim(dim, self.dim()));
  TSC_ASSIGN_OR_RETURN(std::vector<int64_t> indices, prepareUpdate(self, d, index, source, "index_reduce_"));
  // The same places, spelled out for scatter_reduce.
  Dims column(std::max<int64_t>(source.dim(), 1), 1);
  column[d] = indices.size();
  TSC_ASSIGN_OR_RETURN(Tensor places, toDType(index, DType::Int64));
  TSC_ASSIGN_OR_RETURN(places, reshape(places, column));
  TSC_ASSIGN_OR_RETURN(places, expand(places, source.dim() ? source.sizes() : ArrayRef<int64_t>(column)));
  return scatterReduceInPlace(self, d, places, source, reduce, includeSelf);
}

StatusOr<Tensor> cpu::indexReduce(const Tensor &self, int64_t dim, const Tensor &index, const Tensor &source,
                                  llvm::StringRef reduce, bool includeSelf) {
  TSC_ASSIGN_OR_RETURN(Tensor result, clone(self, MemoryFormat::Contiguous));
  return indexReduceInPlace(result, dim, index, source, reduce, includeSelf);
}

//===- embedding_renorm_ --------------------------------------------------===//

StatusOr<Tensor> cpu::embeddingRenormInPlace(const Tensor &self, const Tensor &indices, double maxNorm,
                                             double normType) {
  if (self.dim() != 2)
    return invalidArgument(
        "Expected 2-dimensional tensor, but got " + llvm::Twine(self.dim()) +
        "-dimensional tensor for argument #1 'self' (while checking arguments for embedding_renorm_)");
  TSC_ASSIGN_OR_RETURN(std::vector<int64_t> rows, indexValues(indices));
  TSC_RETURN_IF_ERROR(checkRange(rows, self.size(0)));
  llvm::sort(rows);
  rows.erase(std::unique(rows.begin(), rows.end()), rows.end());
  TSC_RETURN_IF_ERROR(dispatchFloatDouble(
      self.dtype(),
      [&](auto tag) {
        using T = typename decltype(tag)::Type;
        T *data = self.mutableData<T>();
        for (int64_t row : rows) {
          T *first = data + row * self.stride(0);
          double norm = 0;
          for (int64_t i = 0; i != self.size(1); ++i) {
            double x = std::fabs(static_cast<double>(first[i * self.stride(1)]));
            norm = std::isinf(normType) ? std::max(norm, x) : norm + std::pow(x, normType);
          }
          if (!std::isinf(normType))
            norm = std::pow(norm, 1 / normType);
          if (!(norm > maxNorm))
            continue;
          T scale = static_cast<T>(maxNorm / (norm + 1e-7));
          for (int64_t i = 0; i != self.size(1); ++i)
            first[i * self.stride(1)] *= scale;
        }
      },
      "embedding_renorm_"));
  self.bumpVersion();
  return self;
}
