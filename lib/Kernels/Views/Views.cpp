//===- Views.cpp - Dimensions chosen, moved and repeated ------------------===//
//
// Nothing here touches elements: each view is new sizes, strides and an offset on
// the same storage. Views that regroup elements (view, reshape, as_strided, other
// dtypes) are in Reshape.cpp, those that give several in Split.cpp.
//
//===----------------------------------------------------------------------===//
#include "tsc/Kernels/Views.h"
#include "tsc/Kernels/Copy.h"
#include "tsc/Kernels/Sparse.h"
#include "tsc/Tensor/Dispatch.h"
#include "tsc/Tensor/LongLivedTensors.h"
#include "tsc/Tensor/Quantizer.h"
#include "tsc/Tensor/Rank.h"
#include "tsc/Tensor/WrappingProduct.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/MathExtras.h"

using namespace tsc;
using namespace tsc::cpu;

/// Where the element `count` strides behind the first one is. Strides of tensors without elements may be such that no
/// number says it: nothing is there, and their views begin where they do.
static int64_t offsetBehind(const Tensor &self, int64_t count, int64_t stride) {
  int64_t distance = 0, offset = 0;
  if (llvm::MulOverflow(count, stride, distance) || llvm::AddOverflow(self.storageOffset(), distance, offset))
    return self.storageOffset();
  return offset;
}

static Dims sizesCopy(const Tensor &t) { return Dims(t.sizes().begin(), t.sizes().end()); }
static Dims stridesCopy(const Tensor &t) { return Dims(t.strides().begin(), t.strides().end()); }

StatusOr<Tensor> cpu::alias(const Tensor &self) {
  return self.alias(self.sizes(), self.strides(), self.storageOffset());
}

StatusOr<Tensor> cpu::reused(const Tensor &self) {
  if (!self.defined())
    return self;
  TSC_ASSIGN_OR_RETURN(Tensor result, cpu::alias(self));
  if (isQuantized(self.dtype()) || self.dtype() == DType::Opaque) // whose companions say what the elements are
    return result;
  result.get()->companion = makeRef<LongLivedElements>(self);
  return result;
}

StatusOr<Tensor> cpu::detach(const Tensor &self) {
  Tensor result = self.alias(self.sizes(), self.strides(), self.storageOffset());
  result.get()->requiresGrad = false;
  return result;
}

StatusOr<Tensor> cpu::positive(const Tensor &self) {
  if (self.dtype() == DType::Bool)
    return invalidArgument("The `+` operator, on a bool tensor is not supported.");
  return self;
}

//===- Order of dimensions ------------------------------------------------===//

StatusOr<Tensor> cpu::permute(const Tensor &self, ArrayRef<int64_t> dims) {
  int64_t rank = self.dim();
  if (static_cast<int64_t>(dims.size()) != rank)
    return invalidArgument(
        "permute(sparse_coo): number of dimensions in the tensor input does not match the length of the desired "
        "ordering of dimensions i.e. input.dim() = " +
        llvm::Twine(rank) + " is not equal to len(dims) = " + llvm::Twine(dims.size()));
  Dims sizes(rank), strides(rank);
  llvm::SmallVector<bool, 8> seen(rank, false);
  for (int64_t i = 0; i != rank; ++i) {
    TSC_ASSIGN_OR_RETURN(int64_t d, wrapDim(dims[i], rank));
    if (seen[d])
      return invalidArgument("permute(): duplicate dims are not allowed.");
    seen[d] = true;
    sizes[i] = self.size(d);
    strides[i] = self.stride(d);
  }
  return self.alias(sizes, strides, self.storageOffset());
}

StatusOr<Tensor> cpu::transpose(const Tensor &self, int64_t dim0, int64_t dim1) {
  if (sparseOf(self)) [[unlikely]]
    return sparseTranspose(self, dim0, dim1);
  TSC_ASSIGN_OR_RETURN(int64_t a, wrapDim(dim0, self.dim()));
  TSC_ASSIGN_OR_RETURN(int64_t b, wrapDim(dim1, self.dim()));
  if (a == b)
    return alias(self);
  Dims sizes = sizesCopy(self), strides = stridesCopy(self);
  std::swap(sizes[a], sizes[b]);
  std::swap(strides[a], strides[b]);
  return self.alias(sizes, strides, self.storageOffset());
}

StatusOr<Tensor> cpu::t(const Tensor &self) {
  if (self.dim() > 2)
    return invalidArgument("t() expects a tensor with <= 2 dimensions, but self is " + llvm::Twine(self.dim()) + "D");
  return transpose(self, 0, self.dim() < 2 ? 0 : 1);
}

StatusOr<Tensor> cpu::numpyT(const Tensor &self) {
  Dims sizes(llvm::reverse(self.sizes())), strides(llvm::reverse(self.strides()));
  return self.alias(sizes, strides, self.storageOffset());
}

StatusOr<Tensor> cpu::mT(const Tensor &self) {
  if (self.dim() < 2)
    return invalidArgument("tensor.mT is only supported on matrices or batches of matrices. Got " +
                           llvm::Twine(self.dim()) + "-D tensor.");
  return transpose(self, -2, -1);
}

StatusOr<Tensor> cpu::adjoint(const Tensor &self) {
  if (self.dim() < 2)
    return invalidArgument("tensor.adjoint() is only supported on matrices or batches of matrices. Got " +
                           llvm::Twine(self.dim()) + "-D tensor.");
  TSC_ASSIGN_OR_RETURN(Tensor swapped, transpose(self, -2, -1));
  return conjView(swapped);
}

StatusOr<Tensor> cpu::mH(const Tensor &self) {
  if (self.dim() < 2)
    return invalidArgument("tensor.mH is only supported on matrices or batches of matrices. Got " +
                           llvm::Twine(self.dim()) + "-D tensor.");
  return adjoint(self);
}

StatusOr<Tensor> cpu::matrixH(const Tensor &self) {
  if (self.dim() != 2 && self.dim() != 0)
    return invalidArgument("tensor.H is only supported on matrices (2-D tensors). Got " + llvm::Twine(self.dim()) +
                           "-D tensor." + (self.dim() > 2 ? " For batches of matrices, consider using tensor.mH" : ""));
  if (self.dim() == 0)
    return conjView(self);
  return adjoint(self);
}

StatusOr<Tensor> cpu::movedim(const Tensor &self, int64_t source, int64_t destination) {
  return movedimList(self, {source}, {destination});
}

/// Dimensions given by the user, wrapped, or PyTorch's complaint that one comes twice.
static StatusOr<Dims> distinctDims(ArrayRef<int64_t> dims, int64_t rank, const char *name) {
  Dims result;
  for (int64_t d : dims) {
    TSC_ASSIGN_OR_RETURN(int64_t wrapped, wrapDim(d, rank));
    if (llvm::is_contained(result, wrapped))
      return invalidArgument("movedim: repeated dim in `" + llvm::Twine(name) + "` (" + shapeString(dims) + ")");
    result.push_back(wrapped);
  }
  return result;
}

StatusOr<Tensor> cpu::movedimList(const Tensor &self, ArrayRef<int64_t> source, ArrayRef<int64_t> destination) {
  if (source.size() != destination.size())
    return invalidArgument("movedim: Invalid source or destination dims: source (" + shapeString(source) +
                           " dims) should contain the same number of dims as destination (" + shapeString(destination) +
                           " dims)");
  int64_t rank = self.dim();
  TSC_ASSIGN_OR_RETURN(Dims from, distinctDims(source, rank, "source"));
  TSC_ASSIGN_OR_RETURN(Dims to, distinctDims(destination, rank, "destination"));
  if (rank == 0)
    return alias(self);
  Dims order(rank, -1);
  for (size_t i = 0; i != from.size(); ++i)
    order[to[i]] = from[i];
  int64_t next = 0;
  for (int64_t &d : order) {
    if (d >= 0)
      continue;
    while (llvm::is_contained(from, next))
      ++next;
    d = next++;
  }
  return permute(self, order);
}

//===- Parts --------------------------------------------------------------===//

StatusOr<Tensor> cpu::select(const Tensor &self, int64_t dim, int64_t index) {
  if (self.dim() == 0)
    return outOfRange("select() cannot be applied to a 0-dim tensor.");
  TSC_ASSIGN_OR_RETURN(int64_t d, wrapDim(dim, self.dim()));
  int64_t size = self.size(d);
  if (index < -size || index >= size)
    return outOfRange("select(): index " + llvm::Twine(index) + " out of range for tensor of size " +
                      shapeString(self.sizes()) + " at dimension " + llvm::Twine(d));
  Dims sizes = sizesCopy(self), strides = stridesCopy(self);
  int64_t offset = offsetBehind(self, index < 0 ? index + size : index, strides[d]);
  sizes.erase(sizes.begin() + d);
  strides.erase(strides.begin() + d);
  return self.alias(sizes, strides, offset);
}

StatusOr<Tensor> cpu::slice(const Tensor &self, int64_t dim, OptInt start, OptInt end, int64_t step) {
  if (self.dim() == 0)
    return invalidArgument("slice() cannot be applied to a 0-dim tensor.");
  TSC_ASSIGN_OR_RETURN(int64_t d, wrapDim(dim, self.dim()));
  if (step <= 0)
    return invalidArgument("slice step must be positive");
  int64_t size = self.size(d);
  auto clamp = [size](int64_t at, int64_t low) { return std::min(std::max(at < 0 ? at + size : at, low), size); };
  int64_t first = clamp(start.value_or(0), 0);
  int64_t last = clamp(end.value_or(size), first);
  Dims sizes = sizesCopy(self), strides = stridesCopy(self);
  int64_t offset = offsetBehind(self, first, strides[d]);
  int64_t length = last - first;
  sizes[d] = length == 0 ? 0 : (length - 1) / step + 1;
  if (__builtin_mul_overflow(strides[d], step, &strides[d]))
    strides[d] = 0; // One element at most is left, so no stride is ever taken.
  return self.alias(sizes, strides, offset);
}

StatusOr<Tensor> cpu::narrow(const Tensor &self, int64_t dim, int64_t start, int64_t length) {
  if (self.dim() == 0)
    return invalidArgument("narrow() cannot be applied to a 0-dim tensor.");
  TSC_ASSIGN_OR_RETURN(int64_t d, wrapDim(dim, self.dim()));
  int64_t size = self.size(d);
  if (start < -size || start > size)
    return outOfRange("Dimension out of range (expected to be in range of [" + llvm::Twine(-size) + ", " +
                      llvm::Twine(size - 1) + "], but got " + llvm::Twine(start) + ")");
  int64_t first = start < 0 ? start + size : start;
  if (length < 0 || length > size - first)
    return invalidArgument("start (" + llvm::Twine(first) + ") + length (" + llvm::Twine(length) +
                           ") exceeds dimension size (" + llvm::Twine(size) + ").");
  return slice(self, d, first, first + length, 1);
}

StatusOr<Tensor> cpu::narrowTensor(const Tensor &self, int64_t dim, const Tensor &start, int64_t length) {
  if (start.dim() != 0 || !isIntegral(start.dtype()))
    return invalidArgument("start must be an 0-dim integral Tensor.");
  return narrow(self, dim, start.at(0).toInt(), length);
}

StatusOr<Tensor> cpu::narrowCopy(const Tensor &self, int64_t dim, int64_t start, int64_t length) {
  TSC_ASSIGN_OR_RETURN(Tensor part, narrow(self, dim, start, length));
  return clone(part, MemoryFormat::Contiguous);
}

StatusOr<Tensor> cpu::diagonal(const Tensor &self, int64_t offset, int64_t dim1, int64_t dim2) {
  TSC_ASSIGN_OR_RETURN(int64_t a, wrapDim(dim1, self.dim()));
  TSC_ASSIGN_OR_RETURN(int64_t b, wrapDim(dim2, self.dim()));
  if (a == b)
    return invalidArgument("diagonal dimensions cannot be identical " + llvm::Twine(dim1) + ", " + llvm::Twine(dim2));
  int64_t rows = self.size(a), columns = self.size(b), length = 0, start = self.storageOffset();
  if (offset >= 0 && offset < columns) {
    length = std::min(rows, columns - offset);
    start = offsetBehind(self, offset, self.stride(b));
  } else if (offset < 0 && offset > -rows) {
    length = std::min(rows + offset, columns);
    start = offsetBehind(self, -offset, self.stride(a));
  }
  if (length <= 0) {
    length = 0;
    start = self.storageOffset();
  }
  Dims sizes, strides;
  for (int64_t d = 0; d != self.dim(); ++d)
    if (d != a && d != b) {
      sizes.push_back(self.size(d));
      strides.push_back(self.stride(d));
    }
  sizes.push_back(length);
  strides.push_back(self.stride(a) + self.stride(b));
  return self.alias(sizes, strides, start);
}

StatusOr<Tensor> cpu::diagonalCopy(const Tensor &self, int64_t offset, int64_t dim1, int64_t dim2) {
  TSC_ASSIGN_OR_RETURN(Tensor part, diagonal(self, offset, dim1, dim2));
  return clone(part, MemoryFormat::Contiguous);
}

StatusOr<Tensor> cpu::unfold(const Tensor &self, int64_t dim, int64_t size, int64_t step) {
  TSC_ASSIGN_OR_RETURN(int64_t d, wrapDim(dim, self.dim()));
  int64_t extent = self.dim() == 0 ? 1 : self.size(d);
  if (size < 0)
    return invalidArgument("size is " + llvm::Twine(size) + " but must be >= 0");
  if (size > extent)
    return invalidArgument("maximum size for tensor at dimension " + llvm::Twine(d) + " is " + llvm::Twine(extent) +
                           " but size is " + llvm::Twine(size));
  if (step <= 0)
    return invalidArgument("step is " + llvm::Twine(step) + " but must be > 0");
  Dims sizes = sizesCopy(self), strides = stridesCopy(self);
  int64_t stride = self.dim() == 0 ? 1 : strides[d];
  if (self.dim() != 0) {
    sizes[d] = (extent - size) / step + 1;
    if (__builtin_mul_overflow(strides[d], step, &strides[d]))
      strides[d] = 0; // A single window: the stride is not taken.
  }
  sizes.push_back(size);
  strides.push_back(stride);
  TSC_RETURN_IF_ERROR(elementCount(sizes).status()); // windows that overlap have more elements than the tensor
  return self.alias(sizes, strides, self.storageOffset());
}

//===- Dimensions of size 1, broadcasting ---------------------------------===//

StatusOr<Tensor> cpu::squeeze(const Tensor &self) {
  Dims sizes, strides;
  for (int64_t d = 0; d != self.dim(); ++d)
    if (self.size(d) != 1) {
      sizes.push_back(self.size(d));
      strides.push_back(self.stride(d));
    }
  return self.alias(sizes, strides, self.storageOffset());
}

StatusOr<Tensor> cpu::squeezeDim(const Tensor &self, int64_t dim) { return squeezeDims(self, {dim}); }

StatusOr<Tensor> cpu::squeezeDims(const Tensor &self, ArrayRef<int64_t> dims) {
  llvm::SmallVector<bool, 8> chosen(self.dim() + 1, false);
  for (int64_t dim : dims) {
    TSC_ASSIGN_OR_RETURN(int64_t d, wrapDim(dim, self.dim()));
    chosen[d] = true;
  }
  Dims sizes, strides;
  for (int64_t d = 0; d != self.dim(); ++d)
    if (self.size(d) != 1 || !chosen[d]) {
      sizes.push_back(self.size(d));
      strides.push_back(self.stride(d));
    }
  return self.alias(sizes, strides, self.storageOffset());
}

StatusOr<Tensor> cpu::unsqueeze(const Tensor &self, int64_t dim) {
  TSC_ASSIGN_OR_RETURN(int64_t d, wrapDim(dim, self.dim() + 1));
  if (static_cast<size_t>(self.dim()) >= mostDims)
    return tooManyDims();
  Dims sizes = sizesCopy(self), strides = stridesCopy(self);
  int64_t stride = d == self.dim() ? 1 : wrappingProduct(sizes[d], strides[d]);
  sizes.insert(sizes.begin() + d, 1);
  strides.insert(strides.begin() + d, stride);
  return self.alias(sizes, strides, self.storageOffset());
}

StatusOr<Tensor> cpu::expand(const Tensor &self, ArrayRef<int64_t> size, bool) {
  int64_t rank = size.size(), lead = rank - self.dim();
  if (lead < 0)
    return invalidArgument("expand(torch." +
                           (irName(self.dtype()) + "Tensor{" + shapeString(self.sizes()) +
                            "}, size=" + shapeString(size) + "): the number of sizes provided (" + llvm::Twine(rank) +
                            ") must be greater or equal to the number of "
                            "dimensions in the tensor (" +
                            llvm::Twine(self.dim()) + ")"));
  Dims sizes(size.begin(), size.end()), strides(rank);
  for (int64_t d = rank - 1; d >= 0; --d) {
    int64_t existing = d >= lead ? self.size(d - lead) : 1;
    int64_t wanted = size[d];
    if (wanted == -1) {
      if (d < lead)
        return invalidArgument(
            "The expanded size of the tensor (-1) isn't allowed in a leading, non-existing dimension " +
            llvm::Twine(d));
      wanted = existing;
    }
    if (wanted < 0 || (existing != 1 && wanted != existing))
      return invalidArgument("The expanded size of the tensor (" + llvm::Twine(wanted) +
                             ") must match the existing size (" + llvm::Twine(existing) +
                             ") at non-singleton dimension " + llvm::Twine(d) +
                             ".  Target sizes: " + shapeString(size) + ".  Tensor sizes: " + shapeString(self.sizes()));
    sizes[d] = wanted;
    if (existing == 1 && wanted != 1)
      strides[d] = 0;
    else
      strides[d] = d >= lead ? self.stride(d - lead) : d + 1 < rank ? wrappingProduct(sizes[d + 1], strides[d + 1]) : 1;
  }
  TSC_RETURN_IF_ERROR(elementCount(sizes).status());
  return self.alias(sizes, strides, self.storageOffset());
}

StatusOr<Tensor> cpu::expandWith(const Tensor &self, const Tensor &other) {
  TSC_ASSIGN_OR_RETURN(const Dims common, broadcastShapes(self.sizes(), other.sizes()));
  return expand(self, common);
}
StatusOr<Tensor> cpu::expandAs(const Tensor &self, const Tensor &other) { return expand(self, other.sizes()); }
StatusOr<Tensor> cpu::broadcastTo(const Tensor &self, ArrayRef<int64_t> size) { return expand(self, size); }

StatusOr<Tensor> cpu::expandCopy(const Tensor &self, ArrayRef<int64_t> size, bool implicit) {
  TSC_ASSIGN_OR_RETURN(Tensor expanded, expand(self, size, implicit));
  return clone(expanded, MemoryFormat::Contiguous);
}

TensorsOr cpu::broadcastTensors(TensorList tensors) {
  Dims common;
  for (const Tensor &tensor : tensors) {
    TSC_ASSIGN_OR_RETURN(common, broadcastShapes(common, tensor.sizes()));
  }
  std::vector<Tensor> results;
  for (const Tensor &tensor : tensors) {
    TSC_ASSIGN_OR_RETURN(Tensor expanded, expand(tensor, common));
    results.push_back(std::move(expanded));
  }
  return results;
}

StatusOr<Tensor> cpu::atleast1d(const Tensor &self) {
  if (self.dim() == 0)
    return unsqueeze(self, 0);
  return self;
}

StatusOr<Tensor> cpu::atleast2d(const Tensor &self) {
  if (self.dim() >= 2)
    return self;
  TSC_ASSIGN_OR_RETURN(Tensor row, atleast1d(self));
  return unsqueeze(row, 0);
}

StatusOr<Tensor> cpu::atleast3d(const Tensor &self) {
  if (self.dim() >= 3)
    return self;
  TSC_ASSIGN_OR_RETURN(Tensor matrix, atleast2d(self));
  return unsqueeze(matrix, -1);
}

static TensorsOr applyToEach(TensorList tensors, StatusOr<Tensor> (*fn)(const Tensor &)) {
  std::vector<Tensor> results;
  for (const Tensor &tensor : tensors) {
    TSC_ASSIGN_OR_RETURN(Tensor result, fn(tensor));
    results.push_back(std::move(result));
  }
  return results;
}
TensorsOr cpu::atleast1dList(TensorList tensors) { return applyToEach(tensors, atleast1d); }
TensorsOr cpu::atleast2dList(TensorList tensors) { return applyToEach(tensors, atleast2d); }
TensorsOr cpu::atleast3dList(TensorList tensors) { return applyToEach(tensors, atleast3d); }

//===- Copies with a part replaced ----------------------------------------===//

static StatusOr<Tensor> replacePart(const Tensor &self, const Tensor &src,
                                    llvm::function_ref<StatusOr<Tensor>(const Tensor &)> part, const char *name) {
  TSC_ASSIGN_OR_RETURN(Tensor result, clone(self));
  TSC_ASSIGN_OR_RETURN(Tensor target, part(result));
  if (target.sizes() != src.sizes())
    return invalidArgument("expected src to have a size equal to the " + llvm::Twine(name) + " of self. src size = " +
                           shapeString(src.sizes()) + ", " + name + " size = " + shapeString(target.sizes()));
  TSC_RETURN_IF_ERROR(copyInto(target, src));
  return result;
}

StatusOr<Tensor> cpu::selectScatter(const Tensor &self, const Tensor &src, int64_t dim, int64_t index) {
  return replacePart(self, src, [&](const Tensor &t) { return select(t, dim, index); }, "slice");
}

StatusOr<Tensor> cpu::sliceScatter(const Tensor &self, const Tensor &src, int64_t dim, OptInt start, OptInt end,
                                   int64_t step) {
  return replacePart(self, src, [&](const Tensor &t) { return slice(t, dim, start, end, step); }, "slice");
}

StatusOr<Tensor> cpu::diagonalScatter(const Tensor &self, const Tensor &src, int64_t offset, int64_t dim1,
                                      int64_t dim2) {
  return replacePart(self, src, [&](const Tensor &t) { return diagonal(t, offset, dim1, dim2); }, "slice");
}

/// How many elements of a storage sizes and strides span.
static int64_t spanOf(ArrayRef<int64_t> sizes, ArrayRef<int64_t> strides) {
  int64_t last = 0;
  for (auto [size, stride] : llvm::zip(sizes, strides)) {
    if (size == 0)
      return 0;
    last += (size - 1) * stride;
  }
  return last + 1;
}

StatusOr<Tensor> cpu::asStridedScatter(const Tensor &self, const Tensor &src, ArrayRef<int64_t> size,
                                       ArrayRef<int64_t> stride, OptInt offset) {
  // What lies in memory has a span that can be counted.
  TSC_RETURN_IF_ERROR(asStrided(self, size, stride, offset).status());
  // Sizes and strides speak of self's memory: where it has gaps, or the part begins before it, all of that is copied.
  const int64_t begin = self.storageOffset(), at = offset.value_or(begin), first = std::min(begin, at),
                length = std::max(begin + spanOf(self.sizes(), self.strides()), at + spanOf(size, stride)) - first;
  auto part = [&](const Tensor &t) { return asStrided(t, size, stride, at - first); };
  const bool isWhole = self.numel() == length;
  if (isWhole || isLazy(self) || self.numel() > spanOf(self.sizes(), self.strides()))
    return replacePart(self, src, part, "slice");
  TSC_ASSIGN_OR_RETURN(Tensor memory, asStrided(self, {length}, {1}, first));
  TSC_ASSIGN_OR_RETURN(Tensor copy, replacePart(memory, src, part, "slice"));
  return asStrided(copy, self.sizes(), self.strides(), begin - first);
}
