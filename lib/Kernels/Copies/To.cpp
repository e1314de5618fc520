//===- To.cpp - aten::to, copy_ and their kin -----------------------------===//
#include "tsc/Kernels/Copy.h"
#include "tsc/Kernels/Factories.h"
#include "tsc/Kernels/Sparse.h"
#include "tsc/Tensor/Dispatch.h"
#include "tsc/Tensor/Promotion.h"

using namespace tsc;
using namespace tsc::cpu;

StatusOr<Tensor> cpu::copyInPlace(const Tensor &self, const Tensor &src, bool) {
  TSC_RETURN_IF_ERROR(checkNoPartialOverlap(self, src));
  TSC_RETURN_IF_ERROR(copyInto(self, src));
  return self;
}

StatusOr<Tensor> cpu::copyInPlaceScalar(const Tensor &self, const Scalar &value) {
  TSC_RETURN_IF_ERROR(fillWith(self, value));
  return self;
}

/// DType::Opaque: of the dtype that it has.
static StatusOr<Tensor> convertOpaque(const Tensor &self, DType dtype, bool copy) {
  if (dtype == DType::Opaque || dtype == elementDType(self))
    return copy ? cloneOpaque(self) : self;
  return opaqueToDType(self, dtype);
}

/// All of aten::to: self when nothing changes and no copy was asked for.
static StatusOr<Tensor> convert(const Tensor &self, DType dtype, bool copy, OptFormat format) {
  if (self.dtype() == DType::Opaque) [[unlikely]]
    return convertOpaque(self, dtype, copy);
  bool formatMatches = !format || *format == MemoryFormat::Preserve || self.isContiguous(*format);
  if (!copy && dtype == self.dtype() && formatMatches)
    return self;
  TSC_ASSIGN_OR_RETURN(Tensor result, emptyLikeWith(self, dtype, format));
  TSC_RETURN_IF_ERROR(copyInto(result, self));
  return result;
}

StatusOr<Tensor> cpu::cloneOp(const Tensor &self, std::optional<MemoryFormat> format) {
  return self.dtype() == DType::Opaque ? cloneOpaque(self) : clone(self, format);
}

StatusOr<Tensor> cpu::toDevice(const Tensor &self, Device device, DType dtype, bool, bool copy, OptFormat format) {
  TSC_RETURN_IF_ERROR(checkPlacement(std::nullopt, device));
  return convert(self, dtype, copy, format);
}

StatusOr<Tensor> cpu::toDTypeOp(const Tensor &self, DType dtype, bool, bool copy, OptFormat format) {
  return convert(self, dtype, copy, format);
}

StatusOr<Tensor> cpu::toOther(const Tensor &self, const Tensor &other, bool, bool copy, OptFormat format) {
  return convert(self, elementDType(other), copy, format);
}

StatusOr<Tensor> cpu::toDTypeLayout(const Tensor &self, OptDType dtype, OptLayout layout, OptDevice device, OptBool,
                                    bool, bool copy, OptFormat format) {
  TSC_RETURN_IF_ERROR(checkPlacement(layout, device));
  return convert(self, dtype.value_or(self.dtype()), copy, format);
}

StatusOr<Tensor> cpu::toCopy(const Tensor &self, OptDType dtype, OptLayout layout, OptDevice device, OptBool, bool,
                             OptFormat format) {
  TSC_RETURN_IF_ERROR(checkPlacement(layout, device));
  return convert(self, dtype.value_or(self.dtype()), true, format);
}

/// A dtype as TorchScript holds it, an int.
static StatusOr<DType> dtypeFromNumber(std::optional<int64_t> number, DType fallback) {
  if (!number)
    return fallback;
  if (!isValidDType(*number))
    return invalidArgument("invalid scalar type " + llvm::Twine(*number));
  return static_cast<DType>(*number);
}

StatusOr<Tensor> cpu::toPrimDevice(const Tensor &self, OptDevice device, std::optional<int64_t> dtype, bool,
                                   bool copy) {
  TSC_RETURN_IF_ERROR(checkPlacement(std::nullopt, device));
  TSC_ASSIGN_OR_RETURN(DType wanted, dtypeFromNumber(dtype, self.dtype()));
  return convert(self, wanted, copy, std::nullopt);
}

StatusOr<Tensor> cpu::toPrimDType(const Tensor &self, std::optional<int64_t> dtype, bool, bool copy) {
  TSC_ASSIGN_OR_RETURN(DType wanted, dtypeFromNumber(dtype, self.dtype()));
  return convert(self, wanted, copy, std::nullopt);
}

StatusOr<Tensor> cpu::toPrimOther(const Tensor &self, bool, bool copy) {
  return convert(self, self.dtype(), copy, std::nullopt);
}

Status cpu::checkWritten(ArrayRef<int64_t> sizes, DType dtype, const Tensor &self) {
  if (sizes != self.sizes())
    return invalidArgument("output with shape " + shapeString(self.sizes()) + " doesn't match the broadcast shape " +
                           shapeString(sizes));
  return checkCast(dtype, self.dtype());
}

StatusOr<Tensor> cpu::written(const Tensor &value, const Tensor &self) {
  TSC_RETURN_IF_ERROR(checkWritten(value.sizes(), value.dtype(), self));
  return toDType(value, self.dtype());
}

StatusOr<Tensor> cpu::typeAs(const Tensor &self, const Tensor &other) {
  return convert(self, other.dtype(), false, std::nullopt);
}

StatusOr<Tensor> cpu::toKind(const Tensor &self, DeviceKind kind) {
  TSC_RETURN_IF_ERROR(checkPlacement(std::nullopt, Device{kind, -1}));
  return self;
}

StatusOr<Tensor> cpu::resolveConj(const Tensor &self) {
  if (!self.get()->conjugate)
    return self;
  return clone(self);
}

StatusOr<Tensor> cpu::resolveNeg(const Tensor &self) {
  if (!self.get()->negative)
    return self;
  return clone(self);
}
