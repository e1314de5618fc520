//===- Factories.cpp - Tensors of one value -------------------------------===//
#include "tsc/Kernels/Factories.h"
#include "Copies/Interleave.h"
#include "Support/MemoryFormats.h"
#include "tsc/Kernels/PointwiseOps.h"
#include "tsc/Kernels/StridedLoop.h"
#include "tsc/Support/WorkMeter.h"
#include "tsc/Tensor/DefaultDType.h"
#include "tsc/Tensor/Dispatch.h"
#include "tsc/Tensor/Promotion.h"
#include "tsc/Tensor/Quantizer.h"
#include <cmath>
#include <cstring>

using namespace tsc;
using namespace tsc::cpu;

Status cpu::checkPlacement(OptLayout layout, OptDevice device) {
  if (layout && *layout != Layout::Strided)
    return unimplemented("tensors of a layout other than torch.strided are not supported");
  if (!device || device->kind == DeviceKind::CPU)
    return okStatus();
  return absentDevice(*device);
}

static void zeroMemory(const Tensor &dense) {
  std::memset(dense.mutableData(), 0, dense.numel() * itemSize(dense.dtype()));
}

/// A tensor that a program gets before it has written to it. Kernels take a bool's byte to be 0 or 1, so those of bools
/// are zeroed.
static StatusOr<Tensor> unwritten(StatusOr<Tensor> made) {
  if (made.ok() && made->dtype() == DType::Bool) {
    Storage &storage = *made->get()->storage; // with what lies between the elements
    if (storage.size() != 0)
      std::memset(storage.mutableData(), 0, storage.size());
  }
  return made;
}

StatusOr<Tensor> cpu::zeros(ArrayRef<int64_t> sizes, DType dtype) {
  TSC_ASSIGN_OR_RETURN(Tensor result, Tensor::empty(sizes, dtype));
  zeroMemory(result);
  return result;
}

StatusOr<Tensor> cpu::ones(ArrayRef<int64_t> sizes, DType dtype) { return Tensor::full(sizes, Scalar(1), dtype); }
StatusOr<Tensor> cpu::full(ArrayRef<int64_t> sizes, const Scalar &value, DType dtype) {
  TSC_RETURN_IF_ERROR(checkConversion(value, dtype));
  return Tensor::full(sizes, value, dtype);
}

//===- By size ------------------------------------------------------------===//

StatusOr<Tensor> cpu::emptyOp(ArrayRef<int64_t> size, OptDType dtype, OptLayout layout, OptDevice device, OptBool,
                              OptFormat format) {
  TSC_RETURN_IF_ERROR(checkPlacement(layout, device));
  DType type = dtype.value_or(defaultDType());
  if (!format || *format == MemoryFormat::Contiguous)
    return unwritten(Tensor::empty(size, type));
  if (*format == MemoryFormat::Preserve)
    return invalidArgument("Unsupported memory format Preserve");
  TSC_ASSIGN_OR_RETURN(Dims strides, stridesFor(size, *format));
  return unwritten(Tensor::emptyStrided(size, strides, type));
}

StatusOr<Tensor> cpu::emptyStridedOp(ArrayRef<int64_t> size, ArrayRef<int64_t> stride, OptDType dtype, OptLayout layout,
                                     OptDevice device, OptBool) {
  TSC_RETURN_IF_ERROR(checkPlacement(layout, device));
  return unwritten(Tensor::emptyStrided(size, stride, dtype.value_or(defaultDType())));
}

StatusOr<Tensor> cpu::zerosOp(ArrayRef<int64_t> size, OptDType dtype, OptLayout layout, OptDevice device, OptBool) {
  TSC_RETURN_IF_ERROR(checkPlacement(layout, device));
  return zeros(size, dtype.value_or(defaultDType()));
}

StatusOr<Tensor> cpu::onesOp(ArrayRef<int64_t> size, OptDType dtype, OptLayout layout, OptDevice device, OptBool) {
  TSC_RETURN_IF_ERROR(checkPlacement(layout, device));
  return ones(size, dtype.value_or(defaultDType()));
}

StatusOr<Tensor> cpu::fullOp(ArrayRef<int64_t> size, const Scalar &value, OptDType dtype, OptLayout layout,
                             OptDevice device, OptBool) {
  TSC_RETURN_IF_ERROR(checkPlacement(layout, device));
  return full(size, value, dtype.value_or(dtypeOfNumber(value.kind())));
}

StatusOr<Tensor> cpu::scalarTensor(const Scalar &value, OptDType dtype, OptLayout layout, OptDevice device, OptBool) {
  TSC_RETURN_IF_ERROR(checkPlacement(layout, device));
  return Tensor::scalar(value, dtype.value_or(defaultDType()));
}

//===- Like another tensor ------------------------------------------------===//

StatusOr<Tensor> cpu::emptyLike(const Tensor &self, OptDType dtype, OptLayout layout, OptDevice device, OptBool,
                                OptFormat format) {
  TSC_RETURN_IF_ERROR(checkPlacement(layout, device));
  TSC_ASSIGN_OR_RETURN(Tensor result, unwritten(emptyLikeWith(self, dtype.value_or(self.dtype()), format)));
  if (result.dtype() == self.dtype() && quantizerOf(self))
    result.get()->companion = self.get()->companion;
  return result;
}

StatusOr<Tensor> cpu::zerosLike(const Tensor &self, OptDType dtype, OptLayout layout, OptDevice device, OptBool pin,
                                OptFormat format) {
  TSC_ASSIGN_OR_RETURN(Tensor result, emptyLike(self, dtype, layout, device, pin, format));
  zeroMemory(result); // emptyLike is dense
  return result;
}

StatusOr<Tensor> cpu::fullLike(const Tensor &self, const Scalar &value, OptDType dtype, OptLayout layout,
                               OptDevice device, OptBool pin, OptFormat format) {
  TSC_ASSIGN_OR_RETURN(Tensor result, emptyLike(self, dtype, layout, device, pin, format));
  TSC_RETURN_IF_ERROR(fillWith(result, value));
  return result;
}

StatusOr<Tensor> cpu::onesLike(const Tensor &self, OptDType dtype, OptLayout layout, OptDevice device, OptBool pin,
                               OptFormat format) {
  return fullLike(self, Scalar(1), dtype, layout, device, pin, format);
}

StatusOr<Tensor> cpu::newEmpty(const Tensor &self, ArrayRef<int64_t> size, OptDType dtype, OptLayout layout,
                               OptDevice device, OptBool) {
  TSC_RETURN_IF_ERROR(checkPlacement(layout, device));
  return unwritten(Tensor::empty(size, dtype.value_or(self.dtype())));
}

StatusOr<Tensor> cpu::newEmptyStrided(const Tensor &self, ArrayRef<int64_t> size, ArrayRef<int64_t> stride,
                                      OptDType dtype, OptLayout layout, OptDevice device, OptBool pin) {
  return emptyStridedOp(size, stride, dtype.value_or(self.dtype()), layout, device, pin);
}

StatusOr<Tensor> cpu::newZeros(const Tensor &self, ArrayRef<int64_t> size, OptDType dtype, OptLayout layout,
                               OptDevice device, OptBool pin) {
  return zerosOp(size, dtype.value_or(self.dtype()), layout, device, pin);
}

StatusOr<Tensor> cpu::newOnes(const Tensor &self, ArrayRef<int64_t> size, OptDType dtype, OptLayout layout,
                              OptDevice device, OptBool pin) {
  return onesOp(size, dtype.value_or(self.dtype()), layout, device, pin);
}

StatusOr<Tensor> cpu::newFull(const Tensor &self, ArrayRef<int64_t> size, const Scalar &value, OptDType dtype,
                              OptLayout layout, OptDevice device, OptBool pin) {
  return fullOp(size, value, dtype.value_or(self.dtype()), layout, device, pin);
}

//===- Filling ------------------------------------------------------------===//

StatusOr<Tensor> cpu::fillInPlaceScalar(const Tensor &self, const Scalar &value) {
  TSC_RETURN_IF_ERROR(fillWith(self, value));
  return self;
}

StatusOr<Tensor> cpu::zeroInPlace(const Tensor &self) { return fillInPlaceScalar(self, Scalar(0)); }

StatusOr<Tensor> cpu::fillInPlaceTensor(const Tensor &self, const Tensor &value) {
  if (value.dim() != 0)
    return invalidArgument("fill_ only supports 0-dimension value tensor but got tensor with " +
                           llvm::Twine(value.dim()) + " dimensions.");
  return fillInPlaceScalar(self, value.at(0));
}

StatusOr<Tensor> cpu::zeroOf(const Tensor &self) {
  return zerosLike(self, std::nullopt, std::nullopt, std::nullopt, std::nullopt, std::nullopt);
}

StatusOr<Tensor> cpu::fillScalar(const Tensor &self, const Scalar &value) {
  TSC_ASSIGN_OR_RETURN(Tensor result, emptyLikeWith(self, self.dtype()));
  return fillInPlaceScalar(result, value);
}

StatusOr<Tensor> cpu::fillTensor(const Tensor &self, const Tensor &value) {
  TSC_ASSIGN_OR_RETURN(Tensor result, emptyLikeWith(self, self.dtype()));
  return fillInPlaceTensor(result, value);
}

StatusOr<Tensor> cpu::fillDiagonalInPlace(const Tensor &self, const Scalar &value, bool wrap) {
  if (self.dim() < 2)
    return invalidArgument("dimensions must larger than 1");
  int64_t height = self.size(0), width = self.size(1), length = height, stride = 0;
  for (int64_t d = 0; d != self.dim(); ++d) {
    if (self.dim() > 2 && self.size(d) != height)
      return invalidArgument("all dimensions of input must be of equal length");
    length = std::min(length, self.size(d));
    stride += self.stride(d);
  }
  if (self.numel() == 0)
    return self;
  TSC_RETURN_IF_ERROR(fillWith(self.alias({length}, {stride}, self.storageOffset()), value));
  // A tall matrix: the diagonal begins anew after a row that is left out.
  if (wrap && self.dim() == 2 && height > width + 1) {
    constexpr int64_t leastCost = 64; // of making a view, however few its elements are
    work::LongLoop turns(std::max(width, leastCost));
    for (int64_t row = width + 1; row < height && turns.goOn(); row += width + 1) {
      int64_t count = std::min(width, height - row);
      TSC_RETURN_IF_ERROR(fillWith(self.alias({count}, {stride}, self.storageOffset() + row * self.stride(0)), value));
    }
  }
  return self;
}

//===- Complex numbers from parts -----------------------------------------===//

static Status checkParts(const Tensor &a, const Tensor &b) {
  for (const Tensor *t : {&a, &b})
    if (t->dtype() != DType::Float && t->dtype() != DType::Double)
      return invalidArgument("Expected both inputs to be Half, Float or Double tensors but got " + irName(a.dtype()) +
                             " and " + irName(b.dtype()));
  if (a.dtype() != b.dtype())
    return invalidArgument("Expected object of scalar type " + irName(a.dtype()) + " but got scalar type " +
                           irName(b.dtype()) + " for second argument");
  return okStatus();
}

StatusOr<Tensor> cpu::complexFrom(const Tensor &real, const Tensor &imag) {
  TSC_RETURN_IF_ERROR(checkParts(real, imag));
  TSC_ASSIGN_OR_RETURN(Dims sizes, broadcastShapes(real.sizes(), imag.sizes()));
  TSC_ASSIGN_OR_RETURN(Tensor result, emptyInOrderOf(real, sizes, toComplexDType(real.dtype())));
  StridedLoop<3> loop(sizes);
  loop.output(0, result);
  loop.input(1, real);
  loop.input(2, imag);
  auto join = [&]<typename Word>(Word) { // the bits of one part and the other in turn
    constexpr int64_t item = sizeof(Word);
    loop.forEachRow([&](char *const *p, const int64_t *s, int64_t n) {
      if (s[0] == 2 * item && s[1] == item && s[2] == item)
        return interleaved::kernels<Word>().mix(
            reinterpret_cast<Word *>(p[0]), p[1],
            static_cast<int64_t>(reinterpret_cast<uintptr_t>(p[2]) - reinterpret_cast<uintptr_t>(p[1])), 2, n);
      for (int64_t i = 0; i != n; ++i) {
        std::memcpy(p[0] + i * s[0], p[1] + i * s[1], item);
        std::memcpy(p[0] + i * s[0] + item, p[2] + i * s[2], item);
      }
    });
  };
  real.dtype() == DType::Float ? join(uint32_t()) : join(uint64_t());
  return result;
}

StatusOr<Tensor> cpu::polar(const Tensor &abs, const Tensor &angle) {
  TSC_RETURN_IF_ERROR(checkParts(abs, angle));
  auto part = [&](PointwiseKind function) -> StatusOr<Tensor> {
    TSC_ASSIGN_OR_RETURN(Tensor factor, pointwise(function, {PointwiseArg(angle)}));
    return pointwise(PointwiseKind::Aten_mul_Tensor, {PointwiseArg(abs), PointwiseArg(factor)});
  };
  TSC_ASSIGN_OR_RETURN(Tensor real, part(PointwiseKind::Aten_cos));
  TSC_ASSIGN_OR_RETURN(Tensor imag, part(PointwiseKind::Aten_sin));
  return complexFrom(real, imag);
}
