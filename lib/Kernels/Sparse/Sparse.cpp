//===- Sparse.cpp - Sparse tensors: making them, and their parts ----------===//
#include "tsc/Kernels/Sparse.h"
#include "SparseSupport.h"
#include "Support/Compute.h"
#include "tsc/Kernels/Indexing.h"
#include "tsc/Tensor/DefaultDType.h"
#include "llvm/ADT/STLExtras.h"
#include <numeric>

using namespace tsc;
using namespace tsc::cpu;

/// Another handle for the same elements: what a program does to the sizes of its own one is no matter for a sparse
/// tensor. No gradient passes a sparse tensor.
static Tensor handleOf(const Tensor &part) {
  Tensor handle = part.alias(part.sizes(), part.strides(), part.storageOffset());
  handle.get()->requiresGrad = false;
  return handle;
}

StatusOr<const SparseParts *> tsc::cpu::partsOf(const Tensor &self, llvm::StringRef name) {
  if (const SparseParts *parts = sparseOf(self))
    return parts;
  return invalidArgument(name + " expected a sparse tensor, but got one of layout Strided");
}

StatusOr<Tensor> tsc::cpu::makeSparse(ArrayRef<int64_t> sizes, const Tensor &indices, const Tensor &values,
                                      bool isCoalesced) {
  auto parts = makeRef<SparseParts>();
  parts->indices = handleOf(indices);
  parts->values = handleOf(values);
  parts->isCoalesced = isCoalesced;
  return makeOpaque(sizes, std::move(parts));
}

Status tsc::cpu::checkIndices(const Tensor &indices, ArrayRef<int64_t> sizes) {
  const int64_t count = indices.size(1), *numbers = indices.data<int64_t>();
  for (int64_t dim = 0; dim != indices.size(0); ++dim)
    for (int64_t i = 0; i != count; ++i)
      if (int64_t index = numbers[dim * count + i]; index < 0 || index >= sizes[dim])
        return outOfRange("index " + llvm::Twine(index) + " of a sparse tensor is out of bounds for dimension " +
                          llvm::Twine(dim) + " with size " + llvm::Twine(sizes[dim]));
  return okStatus();
}

StatusOr<std::vector<int64_t>> tsc::cpu::placesOf(const Tensor &indices, ArrayRef<int64_t> sizes) {
  TSC_RETURN_IF_ERROR(elementCount(sizes).status());
  TSC_ASSIGN_OR_RETURN(Tensor dense, contiguous(indices));
  TSC_RETURN_IF_ERROR(checkIndices(dense, sizes));
  std::vector<int64_t> places(indices.size(1), 0);
  for (int64_t dim = 0; dim != indices.size(0); ++dim) {
    const int64_t *numbers = dense.data<int64_t>() + dim * dense.size(1);
    for (size_t i = 0; i != places.size(); ++i)
      places[i] = places[i] * sizes[dim] + numbers[i];
  }
  return places;
}

//===----------------------------------------------------------------------===//
// Making them
//===----------------------------------------------------------------------===//

/// Indices as int64, checked against values.
static StatusOr<Tensor> checkedIndices(const Tensor &indices, const Tensor &values) {
  if (indices.dtype() == DType::Opaque || values.dtype() == DType::Opaque)
    return invalidArgument("expected indices and values of a sparse tensor to be dense");
  if (indices.dim() != 2)
    return invalidArgument("indices must be sparse_dim x nnz, but got: " + shapeString(indices.sizes()));
  if (!isIntegral(indices.dtype()))
    return invalidArgument("indices must be an int64 tensor");
  if (values.dim() == 0 || values.size(0) != indices.size(1))
    return invalidArgument(
        "indices and values must have same nnz, but got nnz from indices: " + llvm::Twine(indices.size(1)) +
        ", nnz from values: " + llvm::Twine(values.dim() ? values.size(0) : 1));
  TSC_ASSIGN_OR_RETURN(Tensor numbers, toDType(indices, DType::Int64));
  return contiguous(numbers);
}

static StatusOr<Tensor> inDType(const Tensor &values, std::optional<DType> dtype) {
  return dtype ? toDType(values, *dtype) : values;
}

StatusOr<Tensor> cpu::sparseOfIndices(const Tensor &indices, const Tensor &values, std::optional<DType> dtype,
                                      std::optional<Layout> layout, std::optional<Device> device,
                                      std::optional<bool> pinMemory, std::optional<bool> isCoalesced) {
  TSC_ASSIGN_OR_RETURN(Tensor numbers, checkedIndices(indices, values));
  Dims sizes;
  for (int64_t dim = 0; dim != numbers.size(0); ++dim) {
    const int64_t *line = numbers.data<int64_t>() + dim * numbers.size(1);
    int64_t largest = -1;
    for (int64_t i = 0; i != numbers.size(1); ++i) {
      if (line[i] < 0 || line[i] == std::numeric_limits<int64_t>::max())
        return invalidArgument("found negative index " + llvm::Twine(line[i]) + " for dim " + llvm::Twine(dim));
      largest = std::max(largest, line[i]);
    }
    sizes.push_back(largest + 1);
  }
  sizes.append(values.sizes().begin() + 1, values.sizes().end());
  return sparseOfSize(numbers, values, sizes, dtype, layout, device, pinMemory, isCoalesced);
}

StatusOr<Tensor> cpu::sparseOfSize(const Tensor &indices, const Tensor &values, ArrayRef<int64_t> size,
                                   std::optional<DType> dtype, std::optional<Layout>, std::optional<Device>,
                                   std::optional<bool>, std::optional<bool> isCoalesced) {
  TSC_ASSIGN_OR_RETURN(Tensor numbers, checkedIndices(indices, values));
  const int64_t sparse = numbers.size(0), count = numbers.size(1);
  if (static_cast<int64_t>(size.size()) != sparse + values.dim() - 1)
    return invalidArgument("number of dimensions must be sparse_dim (" + llvm::Twine(sparse) + ") + dense_dim (" +
                           llvm::Twine(values.dim() - 1) + "), but got " + llvm::Twine(size.size()));
  for (int64_t dim = 0; dim != sparse; ++dim)
    for (int64_t i = 0; i != count; ++i) {
      const int64_t number = numbers.data<int64_t>()[dim * count + i];
      if (number < 0)
        return invalidArgument("found negative index " + llvm::Twine(number) + " for dim " + llvm::Twine(dim));
      if (number >= size[dim])
        return invalidArgument("size is inconsistent with indices: for dim " + llvm::Twine(dim) + ", size is " +
                               llvm::Twine(size[dim]) + " but found index " + llvm::Twine(number));
    }
  for (int64_t dim = 1; dim < values.dim(); ++dim)
    if (values.size(dim) != size[sparse + dim - 1])
      return invalidArgument("values has incorrect size, expected " + shapeString(size.drop_front(sparse)) + ", got " +
                             shapeString(values.sizes().drop_front()));
  TSC_ASSIGN_OR_RETURN(Tensor elements, inDType(values, dtype));
  return makeSparse(size, numbers, elements, isCoalesced.value_or(false));
}

StatusOr<Tensor> cpu::sparseEmpty(ArrayRef<int64_t> size, std::optional<DType> dtype, std::optional<Layout> layout,
                                  std::optional<Device> device, std::optional<bool> pinMemory) {
  TSC_ASSIGN_OR_RETURN(Tensor indices, Tensor::empty({static_cast<int64_t>(size.size()), 0}, DType::Int64));
  TSC_ASSIGN_OR_RETURN(Tensor values, Tensor::empty({0}, dtype.value_or(defaultDType())));
  return sparseOfSize(indices, values, size, dtype, layout, device, pinMemory);
}

StatusOr<Tensor> cpu::toSparse(const Tensor &self, std::optional<Layout> layout,
                               std::optional<ArrayRef<int64_t>> blockSize, std::optional<int64_t> denseDims) {
  if (blockSize)
    return invalidArgument("to_sparse: tensors of blocks are not supported");
  if (layout.value_or(Layout::Sparse) == Layout::SparseCsr)
    return toRows(self);
  if (layout.value_or(Layout::Sparse) != Layout::Sparse)
    return invalidArgument("to_sparse: tensors of this layout are not supported");
  return toSparseDims(self, self.dim() - denseDims.value_or(0));
}

StatusOr<Tensor> cpu::toSparseDims(const Tensor &self, int64_t sparseDim) {
  if (const SparseParts *parts = sparseOf(self))
    return parts->isInRows ? makeSparse(self.sizes(), parts->indices, parts->values, parts->isCoalesced) : self;
  if (self.dim() == 0 || sparseDim <= 0 || sparseDim > self.dim())
    return invalidArgument("sparse_dim argument must be in >0 when self.dim()>0 and at most " +
                           llvm::Twine(self.dim()) + ", but is " + llvm::Twine(sparseDim));
  TSC_ASSIGN_OR_RETURN(Tensor places, nonzero(self)); // a row for each element
  TSC_ASSIGN_OR_RETURN(places, narrow(places, 1, 0, sparseDim));
  const ArrayRef<int64_t> outer = self.sizes().take_front(sparseDim);
  TSC_ASSIGN_OR_RETURN(Tensor indices, transpose(places, 0, 1));
  TSC_ASSIGN_OR_RETURN(indices, contiguous(indices));
  TSC_ASSIGN_OR_RETURN(std::vector<int64_t> rows, placesOf(indices, outer));
  rows.erase(std::unique(rows.begin(), rows.end()), rows.end()); // of one slice, several elements
  std::vector<int64_t> numbers(sparseDim * rows.size());
  for (size_t i = 0; i != rows.size(); ++i)
    for (int64_t dim = sparseDim, rest = rows[i]; dim-- > 0; rest /= outer[dim])
      numbers[dim * rows.size() + i] = rest % outer[dim];
  const auto count = static_cast<int64_t>(rows.size());
  TSC_ASSIGN_OR_RETURN(indices, Tensor::fromSpan<int64_t>(numbers, {sparseDim, count}));
  TSC_ASSIGN_OR_RETURN(Tensor which, Tensor::fromSpan<int64_t>(rows, {count}));
  Dims slices{1};
  for (int64_t size : outer)
    slices[0] *= size;
  slices.append(self.sizes().begin() + sparseDim, self.sizes().end());
  TSC_ASSIGN_OR_RETURN(Tensor flat, reshape(self, slices));
  TSC_ASSIGN_OR_RETURN(Tensor values, indexSelect(flat, 0, which));
  return makeSparse(self.sizes(), indices, values, true);
}

StatusOr<Tensor> cpu::toDense(const Tensor &self, std::optional<DType> dtype, std::optional<bool>) {
  const SparseParts *parts = sparseOf(self);
  if (!parts && self.dtype() == DType::Opaque)
    return invalidArgument("to_dense: a nested tensor, or a view of a sparse one, has no dense form");
  if (!parts) { // oneDNN's tensors are strided here
    TSC_ASSIGN_OR_RETURN(Tensor copy, clone(self));
    return inDType(copy, dtype);
  }
  TSC_ASSIGN_OR_RETURN(Tensor ordered, coalesce(self));
  parts = sparseOf(ordered);
  const int64_t sparse = parts->indices.size(0);
  TSC_ASSIGN_OR_RETURN(std::vector<int64_t> places, placesOf(parts->indices, self.sizes().take_front(sparse)));
  TSC_ASSIGN_OR_RETURN(Tensor values, inDType(parts->values, dtype));
  TSC_ASSIGN_OR_RETURN(Tensor result, Tensor::full(self.sizes(), Scalar(0), values.dtype()));
  TSC_ASSIGN_OR_RETURN(Tensor which, Tensor::fromSpan<int64_t>(places, {static_cast<int64_t>(places.size())}));
  Dims slices{1};
  for (int64_t size : self.sizes().take_front(sparse))
    slices[0] *= size;
  slices.append(self.sizes().begin() + sparse, self.sizes().end());
  TSC_ASSIGN_OR_RETURN(Tensor flat, reshape(result, slices));
  TSC_RETURN_IF_ERROR(indexCopyInPlace(flat, 0, which, values).status());
  return result;
}

//===----------------------------------------------------------------------===//
// Their parts
//===----------------------------------------------------------------------===//

StatusOr<Tensor> cpu::coalesce(const Tensor &self) {
  TSC_ASSIGN_OR_RETURN(const SparseParts *parts, partsOf(self, "coalesce"));
  const int64_t sparse = parts->indices.size(0), count = parts->indices.size(1);
  if (parts->isCoalesced)
    return self;
  TSC_ASSIGN_OR_RETURN(std::vector<int64_t> places, placesOf(parts->indices, self.sizes().take_front(sparse)));
  std::vector<int64_t> order(count), groups(count), firsts;
  std::iota(order.begin(), order.end(), 0);
  llvm::sort(order, [&](int64_t a, int64_t b) { return std::pair(places[a], a) < std::pair(places[b], b); });
  for (int64_t i = 0; i != count; ++i) {
    if (i == 0 || places[order[i]] != places[order[i - 1]])
      firsts.push_back(order[i]);
    groups[order[i]] = static_cast<int64_t>(firsts.size()) - 1;
  }
  const auto distinct = static_cast<int64_t>(firsts.size());
  TSC_ASSIGN_OR_RETURN(Tensor which, Tensor::fromSpan<int64_t>(firsts, {distinct}));
  TSC_ASSIGN_OR_RETURN(Tensor indices, indexSelect(parts->indices, 1, which));
  if (distinct == count) {
    TSC_ASSIGN_OR_RETURN(Tensor values, indexSelect(parts->values, 0, which));
    return makeSparse(self.sizes(), indices, values, true);
  }
  Dims sizes(parts->values.sizes());
  sizes[0] = distinct;
  const bool isBool = parts->values.dtype() == DType::Bool; // which are added as numbers: any of them
  TSC_ASSIGN_OR_RETURN(Tensor values, toDType(parts->values, isBool ? DType::UInt8 : parts->values.dtype()));
  TSC_ASSIGN_OR_RETURN(Tensor sums, Tensor::full(sizes, Scalar(0), values.dtype()));
  TSC_ASSIGN_OR_RETURN(Tensor to, Tensor::fromSpan<int64_t>(groups, {count}));
  TSC_RETURN_IF_ERROR(indexAddInPlace(sums, 0, to, values, Scalar(1)).status());
  TSC_ASSIGN_OR_RETURN(sums, toDType(sums, parts->values.dtype()));
  return makeSparse(self.sizes(), indices, sums, true);
}

StatusOr<bool> cpu::isCoalesced(const Tensor &self) {
  TSC_ASSIGN_OR_RETURN(const SparseParts *parts, partsOf(self, "is_coalesced"));
  return parts->isCoalesced;
}

/// A program that says so falsely gets what it asked for, of its elements.
StatusOr<Tensor> cpu::markCoalesced(const Tensor &self, bool isCoalesced) {
  TSC_ASSIGN_OR_RETURN(const SparseParts *parts, partsOf(self, "_coalesced"));
  return makeSparse(self.sizes(), parts->indices, parts->values, isCoalesced);
}

static StatusOr<const SparseParts *> coalescedParts(const Tensor &self, llvm::StringRef name) {
  TSC_ASSIGN_OR_RETURN(const SparseParts *parts, partsOf(self, name));
  if (!parts->isCoalesced)
    return invalidArgument("Cannot get " + name + " on an uncoalesced tensor, please call .coalesce() first");
  return parts;
}

StatusOr<Tensor> cpu::sparseIndices(const Tensor &self) {
  TSC_ASSIGN_OR_RETURN(const SparseParts *parts, coalescedParts(self, "indices"));
  return handleOf(parts->indices);
}
StatusOr<Tensor> cpu::sparseValues(const Tensor &self) {
  if (layoutOf(self) == Layout::SparseCsr)
    return handleOf(sparseOf(self)->values);
  TSC_ASSIGN_OR_RETURN(const SparseParts *parts, coalescedParts(self, "values"));
  return handleOf(parts->values);
}
StatusOr<Tensor> cpu::rawIndices(const Tensor &self) {
  TSC_ASSIGN_OR_RETURN(const SparseParts *parts, partsOf(self, "_indices"));
  return handleOf(parts->indices);
}
StatusOr<Tensor> cpu::rawValues(const Tensor &self) {
  TSC_ASSIGN_OR_RETURN(const SparseParts *parts, partsOf(self, "_values"));
  return handleOf(parts->values);
}
StatusOr<int64_t> cpu::numSpecified(const Tensor &self) {
  TSC_ASSIGN_OR_RETURN(const SparseParts *parts, partsOf(self, "_nnz"));
  return parts->values.size(0);
}
StatusOr<int64_t> cpu::numSparseDims(const Tensor &self) {
  TSC_ASSIGN_OR_RETURN(const SparseParts *parts, partsOf(self, "sparse_dim"));
  return parts->indices.size(0);
}
StatusOr<int64_t> cpu::numDenseDims(const Tensor &self) {
  TSC_ASSIGN_OR_RETURN(const SparseParts *parts, partsOf(self, "dense_dim"));
  return parts->values.dim() - 1;
}

/// A sparse tensor like `self`, with other elements.
static StatusOr<Tensor> likeParts(const Tensor &self, const Tensor &indices, const Tensor &values) {
  auto made = makeRef<SparseParts>();
  made->indices = indices;
  made->values = values;
  made->isCoalesced = sparseOf(self)->isCoalesced;
  made->isInRows = sparseOf(self)->isInRows;
  return makeOpaque(self.sizes(), std::move(made));
}

//===----------------------------------------------------------------------===//
// Compressed rows
//===----------------------------------------------------------------------===//

/// Whether the elements of each row are in the order of their columns, none twice.
static bool areAscending(const Tensor &indices) {
  const int64_t count = indices.size(1), *row = indices.data<int64_t>(), *column = row + count;
  for (int64_t i = 1; i < count; ++i)
    if (row[i] == row[i - 1] && column[i] <= column[i - 1])
      return false;
  return true;
}

StatusOr<Tensor> cpu::sparseOfRows(const Tensor &starts, const Tensor &columns, const Tensor &values,
                                   ArrayRef<int64_t> size, std::optional<DType> dtype, std::optional<Layout>,
                                   std::optional<Device>, std::optional<bool>) {
  TSC_ASSIGN_OR_RETURN(Tensor indices, indicesOfRows(starts, columns, size));
  if (values.dtype() == DType::Opaque || values.dim() != 1 || values.size(0) != indices.size(1))
    return invalidArgument("col_indices and values of a sparse matrix must have as many elements, but have " +
                           llvm::Twine(indices.size(1)) + " and size " + shapeString(values.sizes()));
  auto made = makeRef<SparseParts>();
  made->isCoalesced = areAscending(indices);
  made->isInRows = true;
  made->indices = std::move(indices);
  TSC_ASSIGN_OR_RETURN(Tensor elements, inDType(values, dtype));
  made->values = handleOf(elements);
  return makeOpaque(size, std::move(made));
}

StatusOr<Tensor> cpu::toRows(const Tensor &self) {
  if (layoutOf(self) == Layout::SparseCsr)
    return self;
  if (self.dim() != 2)
    return invalidArgument("to_sparse_csr: only 2-D tensors can be converted, but got one of " +
                           llvm::Twine(self.dim()) + " dimensions");
  TSC_ASSIGN_OR_RETURN(Tensor ordered, toSparse(self));
  TSC_ASSIGN_OR_RETURN(ordered, coalesce(ordered));
  const SparseParts *parts = sparseOf(ordered);
  if (parts->indices.size(0) != 2)
    return invalidArgument("to_sparse_csr: both dimensions must be sparse");
  auto made = makeRef<SparseParts>();
  made->indices = parts->indices;
  made->values = parts->values;
  made->isCoalesced = made->isInRows = true;
  return makeOpaque(self.sizes(), std::move(made));
}

static StatusOr<const SparseParts *> rowsOf(const Tensor &self, llvm::StringRef name) {
  if (layoutOf(self) != Layout::SparseCsr)
    return invalidArgument(name + " expected sparse row compressed tensor layout but got " +
                           (sparseOf(self) ? "Sparse" : "Strided"));
  return sparseOf(self);
}

StatusOr<Tensor> cpu::rowStarts(const Tensor &self) {
  TSC_ASSIGN_OR_RETURN(const SparseParts *parts, rowsOf(self, "crow_indices"));
  return rowStartsOf(*parts, self.size(0));
}

StatusOr<Tensor> cpu::columnIndices(const Tensor &self) {
  TSC_ASSIGN_OR_RETURN(const SparseParts *parts, rowsOf(self, "col_indices"));
  return select(parts->indices, 0, 1);
}

StatusOr<Tensor> cpu::opaqueToDType(const Tensor &self, DType dtype) {
  if (const SparseParts *parts = sparseOf(self)) {
    TSC_ASSIGN_OR_RETURN(Tensor values, toDType(parts->values, dtype));
    return likeParts(self, parts->indices, values);
  }
  return invalidArgument("a sparse or nested tensor cannot be converted to " + pythonName(dtype));
}

StatusOr<Tensor> cpu::cloneOpaque(const Tensor &self) {
  if (const SparseParts *parts = sparseOf(self)) {
    TSC_ASSIGN_OR_RETURN(Tensor indices, clone(parts->indices));
    TSC_ASSIGN_OR_RETURN(Tensor values, clone(parts->values));
    return likeParts(self, indices, values);
  }
  if (const NestedParts *parts = nestedOf(self)) {
    auto copy = makeRef<NestedParts>();
    TSC_ASSIGN_OR_RETURN(copy->padded, clone(parts->padded));
    copy->mask = parts->mask;
    return makeOpaque(self.sizes(), std::move(copy));
  }
  return invalidArgument("what was made of a sparse or nested tensor cannot be copied");
}

StatusOr<Tensor> cpu::sparseTranspose(const Tensor &self, int64_t dim0, int64_t dim1) {
  TSC_ASSIGN_OR_RETURN(const SparseParts *parts, partsOf(self, "transpose"));
  TSC_ASSIGN_OR_RETURN(dim0, wrapDim(dim0, self.dim()));
  TSC_ASSIGN_OR_RETURN(dim1, wrapDim(dim1, self.dim()));
  const int64_t sparse = parts->indices.size(0);
  Dims sizes(self.sizes());
  if (dim0 == dim1)
    return self;
  std::swap(sizes[dim0], sizes[dim1]);
  if ((dim0 < sparse) != (dim1 < sparse))
    return invalidArgument("transpose: a sparse dimension cannot be exchanged with a dense one");
  if (dim0 >= sparse) {
    TSC_ASSIGN_OR_RETURN(Tensor values, transpose(parts->values, dim0 - sparse + 1, dim1 - sparse + 1));
    return makeSparse(sizes, parts->indices, values, parts->isCoalesced);
  }
  std::vector<int64_t> order(sparse);
  std::iota(order.begin(), order.end(), 0);
  std::swap(order[dim0], order[dim1]);
  TSC_ASSIGN_OR_RETURN(Tensor lines, Tensor::fromSpan<int64_t>(order, {sparse}));
  TSC_ASSIGN_OR_RETURN(Tensor indices, indexSelect(parts->indices, 0, lines));
  return makeSparse(sizes, indices, parts->values, false);
}
