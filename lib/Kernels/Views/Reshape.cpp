//===- Reshape.cpp - Elements regrouped, storages replaced ----------------===//
#include "Resizable.h"
#include "Support/Compute.h"
#include "tsc/Kernels/Copy.h"
#include "tsc/Kernels/Views.h"
#include "tsc/Tensor/Dispatch.h"
#include "tsc/Tensor/Quantizer.h"
#include "tsc/Tensor/Rank.h"

using namespace tsc;
using namespace tsc::cpu;

//===- view and reshape ---------------------------------------------------===//

/// Replaces a -1 by what the number of elements asks for.
static StatusOr<Dims> inferSizes(ArrayRef<int64_t> shape, int64_t count) {
  if (shape.size() > mostDims)
    return tooManyDims();
  Dims sizes(shape.begin(), shape.end());
  int64_t known = 1, unknown = -1;
  bool overflow = false;
  for (size_t d = 0; d != sizes.size(); ++d) {
    if (sizes[d] == -1) {
      if (unknown >= 0)
        return invalidArgument("only one dimension can be inferred");
      unknown = d;
    } else if (sizes[d] < 0) {
      return invalidArgument("invalid shape dimension " + llvm::Twine(sizes[d]));
    } else {
      overflow |= __builtin_mul_overflow(known, sizes[d], &known);
    }
  }
  bool fits = !overflow && (known == count || (unknown >= 0 && known > 0 && count % known == 0));
  if (!fits)
    return invalidArgument("shape '" + shapeString(shape) + "' is invalid for input of size " + llvm::Twine(count));
  if (unknown >= 0) {
    if (known == 0)
      return invalidArgument("cannot reshape tensor of 0 elements into shape " + shapeString(shape) +
                             " because the unspecified dimension size -1 can be any value and is ambiguous");
    sizes[unknown] = count / known;
  }
  TSC_RETURN_IF_ERROR(elementCount(sizes).status()); // beside a size of 0, the others may have any product
  return sizes;
}

/// The strides that make `sizes` a view of self; nullopt when elements would have to move.
static std::optional<Dims> viewStrides(const Tensor &self, ArrayRef<int64_t> sizes) {
  if (self.numel() == 0) {
    if (self.sizes() == sizes)
      return Dims(self.strides().begin(), self.strides().end());
    return contiguousStrides(sizes);
  }
  if (self.isContiguous())
    return contiguousStrides(sizes);
  Dims strides(sizes.size());
  int64_t at = static_cast<int64_t>(sizes.size()) - 1; // the new dimension being filled, from the last
  int64_t chunk = 1;                                   // elements in the current run of mergeable old dimensions
  int64_t viewed = 1;                                  // of which the new dimensions so far cover this many
  int64_t baseStride = self.dim() == 0 ? 1 : self.strides().back();
  for (int64_t d = self.dim() - 1; d >= 0; --d) {
    chunk *= self.size(d);
    bool runEnds = d == 0 || (self.size(d - 1) != 1 && self.stride(d - 1) != chunk * baseStride);
    if (!runEnds)
      continue;
    while (at >= 0 && (viewed < chunk || sizes[at] == 1)) {
      strides[at] = viewed * baseStride;
      viewed *= sizes[at];
      --at;
    }
    if (viewed != chunk)
      return std::nullopt;
    if (d > 0) {
      baseStride = self.stride(d - 1);
      chunk = viewed = 1;
    }
  }
  if (at != -1 && self.dim() != 0)
    return std::nullopt;
  return strides;
}

StatusOr<Tensor> cpu::view(const Tensor &self, ArrayRef<int64_t> size) {
  TSC_ASSIGN_OR_RETURN(Dims sizes, inferSizes(size, self.numel()));
  std::optional<Dims> strides = viewStrides(self, sizes);
  if (!strides)
    return invalidArgument(
        "view size is not compatible with input tensor's size and stride (at least one dimension spans across two "
        "contiguous subspaces). Use .reshape(...) instead.");
  return self.alias(sizes, *strides, self.storageOffset());
}

StatusOr<Tensor> cpu::reshape(const Tensor &self, ArrayRef<int64_t> shape) {
  TSC_ASSIGN_OR_RETURN(Dims sizes, inferSizes(shape, self.numel()));
  if (std::optional<Dims> strides = viewStrides(self, sizes))
    return self.alias(sizes, *strides, self.storageOffset());
  TSC_ASSIGN_OR_RETURN(Tensor copy, clone(self, MemoryFormat::Contiguous));
  return copy.alias(sizes, contiguousStrides(sizes), 0);
}

StatusOr<Tensor> cpu::viewAs(const Tensor &self, const Tensor &other) { return view(self, other.sizes()); }
StatusOr<Tensor> cpu::reshapeAs(const Tensor &self, const Tensor &other) { return reshape(self, other.sizes()); }
StatusOr<Tensor> cpu::ravel(const Tensor &self) {
  TSC_ASSIGN_OR_RETURN(Tensor dense, contiguous(self));
  return view(dense, {-1});
}

StatusOr<Tensor> cpu::viewCopy(const Tensor &self, ArrayRef<int64_t> size) {
  TSC_ASSIGN_OR_RETURN(Tensor viewed, view(self, size));
  return clone(viewed, MemoryFormat::Contiguous);
}

StatusOr<Tensor> cpu::flatten(const Tensor &self, int64_t startDim, int64_t endDim) {
  TSC_ASSIGN_OR_RETURN(int64_t start, wrapDim(startDim, self.dim()));
  TSC_ASSIGN_OR_RETURN(int64_t end, wrapDim(endDim, self.dim()));
  if (start > end)
    return invalidArgument("flatten() has invalid args: start_dim cannot come after end_dim");
  if (self.dim() == 0)
    return reshape(self, {1});
  if (start == end)
    return self;
  Dims shape;
  int64_t merged = 1;
  for (int64_t d = 0; d != self.dim(); ++d) {
    if (d < start || d > end) {
      shape.push_back(self.size(d));
      continue;
    }
    merged *= self.size(d);
    if (d == end)
      shape.push_back(merged);
  }
  return reshape(self, shape);
}

StatusOr<Tensor> cpu::unflatten(const Tensor &self, int64_t dim, ArrayRef<int64_t> sizes) {
  TSC_ASSIGN_OR_RETURN(int64_t d, wrapDim(dim, self.dim()));
  if (sizes.empty())
    return invalidArgument("unflatten: sizes must be non-empty");
  int64_t extent = self.dim() == 0 ? 1 : self.size(d);
  StatusOr<Dims> inferred = inferSizes(sizes, extent);
  if (!inferred.ok()) {
    if (messageOf(inferred.status()).starts_with("shape '"))
      return invalidArgument("unflatten: Provided sizes " + shapeString(sizes) +
                             " don't multiply up to the size of dim " + llvm::Twine(d) + " (" + llvm::Twine(extent) +
                             ") in the input tensor");
    return inferred.status();
  }
  Dims shape(self.sizes().begin(), self.sizes().end());
  if (!shape.empty())
    shape.erase(shape.begin() + d);
  shape.insert(shape.begin() + d, inferred->begin(), inferred->end());
  return view(self, shape);
}

StatusOr<Tensor> cpu::asStrided(const Tensor &self, ArrayRef<int64_t> size, ArrayRef<int64_t> stride, OptInt offset) {
  const Quantizer *quantizer = quantizerOf(self);
  if (quantizer && quantizer->isPerChannel()) // whose channels the elements would be of, strides do not say
    return invalidArgument("Setting strides is possible only on uniformly quantized tensor");
  TSC_ASSIGN_OR_RETURN(Tensor result, Tensor::view(self.get()->storage, offset.value_or(self.storageOffset()), size,
                                                   stride, self.dtype()));
  result.get()->conjugate = self.get()->conjugate;
  result.get()->negative = self.get()->negative;
  if (quantizer)
    result.get()->companion = self.get()->companion;
  return result;
}

StatusOr<Tensor> cpu::reshapeAlias(const Tensor &self, ArrayRef<int64_t> size, ArrayRef<int64_t> stride) {
  return asStrided(self, size, stride, std::nullopt);
}

//===- Other element types ------------------------------------------------===//

static Tensor withDType(const Tensor &self, ArrayRef<int64_t> sizes, ArrayRef<int64_t> strides, int64_t offset,
                        DType dtype) {
  Tensor result = self.alias(sizes, strides, offset);
  result.get()->dtype = dtype;
  return result;
}

static Status viewDTypeError(const char *what, const Tensor &self, DType dtype, llvm::StringRef requirement,
                             int64_t got) {
  return invalidArgument("self." + llvm::Twine(what) + " must be " + requirement + " to view " + irName(self.dtype()) +
                         " as " + irName(dtype) + " (different element sizes), but got " + llvm::Twine(got));
}

StatusOr<Tensor> cpu::viewDType(const Tensor &self, DType dtype) {
  if (self.dtype() == dtype)
    return alias(self);
  if (self.get()->conjugate)
    return invalidArgument("torch.Tensor.view is not supported for conjugate view tensors when converting to a "
                           "different dtype.");
  if (self.get()->negative)
    return invalidArgument("torch.Tensor.view is not supported for tensors with negative bit set when converting to a "
                           "different dtype.");
  // Kernels take a bool's byte to be 0 or 1, so no view gives it another, now or by a later write.
  if (dtype == DType::Bool)
    return unimplemented("a view of " + irName(self.dtype()) +
                         " as Bool is not supported: x != 0 gives a tensor of bools");
  if (self.dtype() == DType::Bool)
    return unimplemented("a view of Bool as " + irName(dtype) +
                         " is not supported: x.to(dtype) gives a tensor of that dtype");
  int64_t from = itemSize(self.dtype()), to = itemSize(dtype);
  Dims sizes(self.sizes().begin(), self.sizes().end()), strides(self.strides().begin(), self.strides().end());
  if (from == to)
    return withDType(self, sizes, strides, self.storageOffset(), dtype);
  if (sizes.empty())
    return invalidArgument("self.dim() cannot be 0 to view " + irName(self.dtype()) + " as " + irName(dtype) +
                           " (different element sizes)");
  if (strides.back() != 1)
    return viewDTypeError("stride(-1)", self, dtype, "1", strides.back());
  if (from > to) {
    int64_t ratio = from / to;
    for (int64_t &stride : strides)
      stride *= ratio;
    strides.back() = 1;
    sizes.back() *= ratio;
    return withDType(self, sizes, strides, self.storageOffset() * ratio, dtype);
  }
  int64_t ratio = to / from;
  std::string divisible = "divisible by " + std::to_string(ratio);
  if (sizes.back() % ratio)
    return viewDTypeError("size(-1)", self, dtype, divisible, sizes.back());
  if (self.storageOffset() % ratio)
    return viewDTypeError("storage_offset()", self, dtype, divisible, self.storageOffset());
  for (size_t d = 0; d + 1 < strides.size(); ++d) {
    if (strides[d] % ratio)
      return viewDTypeError(("stride(" + std::to_string(d) + ")").c_str(), self, dtype, divisible, strides[d]);
    strides[d] /= ratio;
  }
  sizes.back() /= ratio;
  return withDType(self, sizes, strides, self.storageOffset() / ratio, dtype);
}

StatusOr<Tensor> cpu::viewAsReal(const Tensor &self) {
  if (!isComplex(self.dtype()))
    return invalidArgument("view_as_real is only supported for complex tensors");
  if (self.get()->conjugate)
    return invalidArgument(
        "view_as_real doesn't work on unresolved conjugated tensors.  To resolve the conjugate tensor "
        "so you can view it as real, use self.resolve_conj(); however, be warned that the resulting "
        "tensor will NOT alias the original.");
  if (self.sizes().size() >= mostDims)
    return tooManyDims();
  Dims sizes(self.sizes().begin(), self.sizes().end()), strides;
  for (int64_t stride : self.strides())
    strides.push_back(stride * 2);
  sizes.push_back(2);
  strides.push_back(1);
  return withDType(self, sizes, strides, self.storageOffset() * 2, toRealDType(self.dtype()));
}

StatusOr<Tensor> cpu::viewAsComplex(const Tensor &self) {
  if (self.dtype() != DType::Float && self.dtype() != DType::Double && self.dtype() != DType::Half)
    return invalidArgument(
        "view_as_complex is only supported for half, float and double tensors, but got a tensor of scalar type: " +
        irName(self.dtype()));
  if (self.dim() == 0)
    return invalidArgument("Input tensor must have one or more dimensions");
  if (self.sizes().back() != 2)
    return invalidArgument("Tensor must have a last dimension of size 2");
  if (self.strides().back() != 1)
    return invalidArgument("Tensor must have a last dimension with stride 1");
  Dims sizes(self.sizes().drop_back().begin(), self.sizes().drop_back().end()), strides;
  for (int64_t stride : self.strides().drop_back()) {
    if (stride % 2)
      return invalidArgument("Tensor must have a stride divisible by 2 for all but last dimension");
    strides.push_back(stride / 2);
  }
  if (self.storageOffset() % 2)
    return invalidArgument("Tensor must have a storage_offset divisible by 2");
  return withDType(self, sizes, strides, self.storageOffset() / 2, toComplexDType(self.dtype()));
}

/// The real (0) or imaginary parts (1); the latter of a lazily conjugated tensor are lazily negated.
static StatusOr<Tensor> partOf(const Tensor &self, int64_t which) {
  Tensor straight = self.alias(self.sizes(), self.strides(), self.storageOffset());
  straight.get()->conjugate = false;
  TSC_ASSIGN_OR_RETURN(Tensor parts, viewAsReal(straight));
  TSC_ASSIGN_OR_RETURN(Tensor part, select(parts, -1, which));
  if (which == 0 || !self.get()->conjugate)
    return part;
  part.get()->negative = !part.get()->negative;
  return part;
}

StatusOr<Tensor> cpu::real(const Tensor &self) {
  if (!isComplex(self.dtype()))
    return self;
  return partOf(self, 0);
}

StatusOr<Tensor> cpu::imag(const Tensor &self) {
  if (!isComplex(self.dtype()))
    return invalidArgument("imag is not implemented for tensors with non-complex dtypes.");
  return partOf(self, 1);
}

StatusOr<Tensor> cpu::conj(const Tensor &self) {
  if (!isComplex(self.dtype()))
    return self;
  TSC_ASSIGN_OR_RETURN(Tensor view, conjView(self));
  return clone(view);
}

StatusOr<Tensor> cpu::conjView(const Tensor &self) {
  if (!isComplex(self.dtype()))
    return self;
  Tensor view = self.alias(self.sizes(), self.strides(), self.storageOffset());
  view.get()->conjugate = !self.get()->conjugate;
  return view;
}

StatusOr<Tensor> cpu::negView(const Tensor &self) {
  if (isIntegral(self.dtype(), /*includeBool=*/true))
    return invalidArgument("_neg_view is not supported for integral tensors");
  Tensor view = self.alias(self.sizes(), self.strides(), self.storageOffset());
  view.get()->negative = !self.get()->negative;
  return view;
}

//===- Channels -----------------------------------------------------------===//

/// A copy of a view of `self` whose dimensions are parts of those of `sizes`; the layout is that of `self`.
static StatusOr<Tensor> copiedAs(ArrayRef<int64_t> sizes, const Tensor &moved, const Tensor &self) {
  TSC_ASSIGN_OR_RETURN(Tensor result, emptyWithChannelsOf(self, sizes));
  TSC_ASSIGN_OR_RETURN(Tensor parts, view(result, moved.sizes()));
  TSC_RETURN_IF_ERROR(copyInto(parts, moved));
  return result;
}

StatusOr<Tensor> cpu::pixelShuffle(const Tensor &self, int64_t factor) {
  if (self.dim() < 3)
    return invalidArgument("pixel_shuffle expects input to have at least 3 dimensions, but got input with " +
                           llvm::Twine(self.dim()) + " dimension(s)");
  if (factor <= 0)
    return invalidArgument("pixel_shuffle expects a positive upscale_factor, but got " + llvm::Twine(factor));
  int64_t rank = self.dim(), channels = self.size(rank - 3), height = self.size(rank - 2), width = self.size(rank - 1),
          square;
  if (__builtin_mul_overflow(factor, factor, &square) || channels % square)
    return invalidArgument(
        "pixel_shuffle expects its input's 'channel' dimension to be divisible by the square of upscale_factor, but "
        "input.size(-3)=" +
        llvm::Twine(channels) + " is not divisible by " + llvm::Twine(square));
  Dims lead(self.sizes().drop_back(3).begin(), self.sizes().drop_back(3).end());
  Dims split = lead, order, joined = lead;
  split.append({channels / square, factor, factor, height, width});
  joined.append({channels / square, height * factor, width * factor});
  int64_t k = lead.size();
  for (int64_t d = 0; d != k; ++d)
    order.push_back(d);
  order.append({k, k + 3, k + 1, k + 4, k + 2});
  TSC_ASSIGN_OR_RETURN(Tensor parts, reshape(self, split));
  TSC_ASSIGN_OR_RETURN(Tensor moved, permute(parts, order));
  return copiedAs(joined, moved, self);
}

StatusOr<Tensor> cpu::pixelUnshuffle(const Tensor &self, int64_t factor) {
  if (self.dim() < 3)
    return invalidArgument("pixel_unshuffle expects input to have at least 3 dimensions, but got input with " +
                           llvm::Twine(self.dim()) + " dimension(s)");
  if (factor <= 0)
    return invalidArgument("pixel_unshuffle expects a positive downscale_factor, but got " + llvm::Twine(factor));
  int64_t rank = self.dim(), channels = self.size(rank - 3), height = self.size(rank - 2), width = self.size(rank - 1);
  if (height % factor)
    return invalidArgument("pixel_unshuffle expects height to be divisible by downscale_factor, but input.size(-2)=" +
                           llvm::Twine(height) + " is not divisible by " + llvm::Twine(factor));
  if (width % factor)
    return invalidArgument("pixel_unshuffle expects width to be divisible by downscale_factor, but input.size(-1)=" +
                           llvm::Twine(width) + " is not divisible by " + llvm::Twine(factor));
  Dims lead(self.sizes().drop_back(3).begin(), self.sizes().drop_back(3).end());
  Dims split = lead, order, joined = lead;
  split.append({channels, height / factor, factor, width / factor, factor});
  joined.append({channels * factor * factor, height / factor, width / factor});
  int64_t k = lead.size();
  for (int64_t d = 0; d != k; ++d)
    order.push_back(d);
  order.append({k, k + 2, k + 4, k + 1, k + 3});
  TSC_ASSIGN_OR_RETURN(Tensor parts, reshape(self, split));
  TSC_ASSIGN_OR_RETURN(Tensor moved, permute(parts, order));
  return copiedAs(joined, moved, self);
}

StatusOr<Tensor> cpu::channelShuffle(const Tensor &self, int64_t groups) {
  if (self.dim() <= 2)
    return invalidArgument("channel_shuffle expects input with > 2 dims, but got input with sizes " +
                           shapeString(self.sizes()));
  if (groups <= 0)
    return invalidArgument("Number of groups to divide channels in must be positive. Value of groups:" +
                           llvm::Twine(groups));
  int64_t channels = self.size(1);
  if (channels % groups)
    return invalidArgument("Number of channels must be divisible by groups. Got " + llvm::Twine(channels) +
                           " channels and " + llvm::Twine(groups) + " groups.");
  Dims split(self.sizes().begin(), self.sizes().end());
  split[1] = channels / groups;
  split.insert(split.begin() + 1, groups);
  TSC_ASSIGN_OR_RETURN(Tensor parts, reshape(self, split));
  TSC_ASSIGN_OR_RETURN(Tensor moved, transpose(parts, 1, 2));
  return copiedAs(self.sizes(), moved, self);
}

//===- In place -----------------------------------------------------------===//

/// Gives self the geometry (and storage) of `shape`.
static StatusOr<Tensor> adoptGeometry(const Tensor &self, StatusOr<Tensor> shape) {
  if (!shape.ok())
    return shape.status();
  TSC_RETURN_IF_ERROR(checkResizable(self));
  TensorImpl *to = self.get();
  const TensorImpl *from = shape->get();
  to->storage = from->storage;
  to->offset = from->offset;
  to->count = from->count;
  to->sizes = from->sizes;
  to->strides = from->strides;
  to->contiguous = from->contiguous;
  return self;
}

StatusOr<Tensor> cpu::squeezeInPlace(const Tensor &self) { return adoptGeometry(self, squeeze(self)); }
StatusOr<Tensor> cpu::squeezeDimInPlace(const Tensor &self, int64_t dim) {
  return adoptGeometry(self, squeezeDim(self, dim));
}
StatusOr<Tensor> cpu::unsqueezeInPlace(const Tensor &self, int64_t dim) {
  return adoptGeometry(self, unsqueeze(self, dim));
}
StatusOr<Tensor> cpu::tInPlace(const Tensor &self) {
  if (self.dim() > 2)
    return invalidArgument("t_() expects a tensor with <= 2 dimensions, but self is " + llvm::Twine(self.dim()) + "D");
  return adoptGeometry(self, t(self));
}
StatusOr<Tensor> cpu::transposeInPlace(const Tensor &self, int64_t dim0, int64_t dim1) {
  return adoptGeometry(self, transpose(self, dim0, dim1));
}
StatusOr<Tensor> cpu::asStridedInPlace(const Tensor &self, ArrayRef<int64_t> size, ArrayRef<int64_t> stride,
                                       OptInt offset) {
  return adoptGeometry(self, asStrided(self, size, stride, offset));
}

/// Kernels take a bool's byte to be 0 or 1, so zeroes those that a storage got behind its first `written` bytes.
static Status zeroAddedBools(const Tensor &self, size_t written) {
  if (self.dtype() != DType::Bool || self.get()->storage->size() <= written)
    return okStatus();
  const Ref<Storage> &storage = self.get()->storage;
  const int64_t count = static_cast<int64_t>(storage->size() - written);
  TSC_ASSIGN_OR_RETURN(Tensor added, Tensor::view(storage, static_cast<int64_t>(written), {count}, {1}, DType::Bool));
  return fillWith(added, Scalar(0));
}

StatusOr<Tensor> cpu::resizeInPlace(const Tensor &self, ArrayRef<int64_t> size, std::optional<MemoryFormat> format) {
  const size_t written = self.get()->storage ? self.get()->storage->size() : 0;
  TSC_RETURN_IF_ERROR(resizeOutput(self, size));
  TSC_RETURN_IF_ERROR(zeroAddedBools(self, written));
  if (!format || *format == MemoryFormat::Contiguous)
    return self;
  if (*format == MemoryFormat::Preserve)
    return invalidArgument("Unsupported memory format Preserve");
  TSC_RETURN_IF_ERROR(checkResizable(self));
  TSC_ASSIGN_OR_RETURN(Dims strides, stridesFor(size, *format));
  // It may have been a view whose elements share memory.
  const std::optional<int64_t> needed = requiredElements(size, strides, self.storageOffset());
  Storage &storage = *self.get()->storage;
  if (const size_t bytes = static_cast<size_t>(needed.value_or(0)) * itemSize(self.dtype()); bytes > storage.size())
    TSC_RETURN_IF_ERROR(storage.resize(bytes));
  TSC_RETURN_IF_ERROR(zeroAddedBools(self, written));
  self.get()->strides = strides;
  self.get()->contiguous = isContiguous(size, strides);
  return self;
}

StatusOr<Tensor> cpu::resizeAsInPlace(const Tensor &self, const Tensor &other, std::optional<MemoryFormat> format) {
  return resizeInPlace(self, other.sizes(), format);
}

StatusOr<Tensor> cpu::setInPlace(const Tensor &self) { return adoptGeometry(self, Tensor::empty({0}, self.dtype())); }

static Status checkSettable(const Tensor &self, const Tensor &source) {
  if (self.dtype() == source.dtype())
    return okStatus();
  return invalidArgument("Could not set tensor of type " + irName(source.dtype()).lower() + " to a tensor of type " +
                         irName(self.dtype()).lower());
}

StatusOr<Tensor> cpu::setTensorInPlace(const Tensor &self, const Tensor &source) {
  TSC_RETURN_IF_ERROR(checkSettable(self, source));
  return adoptGeometry(self, source);
}

StatusOr<Tensor> cpu::setTensorStridedInPlace(const Tensor &self, const Tensor &source, int64_t offset,
                                              ArrayRef<int64_t> size, ArrayRef<int64_t> stride) {
  TSC_RETURN_IF_ERROR(checkSettable(self, source));
  TSC_RETURN_IF_ERROR(elementCount(size).status());
  Dims rowMajor = contiguousStrides(size);
  return adoptGeometry(self, asStrided(source, size, stride.empty() ? ArrayRef<int64_t>(rowMajor) : stride, offset));
}

StatusOr<Tensor> cpu::detachInPlace(const Tensor &self) {
  self.get()->requiresGrad = false;
  return self;
}

StatusOr<Tensor> cpu::requiresGradInPlace(const Tensor &self, bool requiresGrad) {
  if (requiresGrad && !isFloating(self.dtype()) && !isComplex(self.dtype()))
    return invalidArgument("only Tensors of floating point dtype can require gradients");
  self.get()->requiresGrad = requiresGrad;
  return self;
}
