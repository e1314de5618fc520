//===- MemoryFormats.cpp - The order of a result's elements in memory -----===//
#include "MemoryFormats.h"
#include "tsc/Tensor/WrappingProduct.h"

using namespace tsc;
using namespace tsc::cpu;

bool cpu::suggestsChannelsLast(const Tensor &t) {
  size_t rank = static_cast<size_t>(t.dim());
  if ((rank != 4 && rank != 5) || t.stride(1) == 0)
    return false;
  int64_t least = 0;
  for (size_t i = 0; i != rank; ++i) {
    int64_t d = static_cast<int64_t>(i == 0 ? 1 : i == rank - 1 ? 0 : rank - i);
    if (t.size(d) == 0 || t.stride(d) < least || (d == 0 && least == t.stride(1)))
      return false;
    least = wrappingProduct(t.stride(d), t.size(d));
  }
  return true;
}

static StatusOr<Tensor> inStrides(const Tensor &t, ArrayRef<int64_t> strides) {
  if (t.strides() == strides)
    return t;
  TSC_ASSIGN_OR_RETURN(Tensor result, Tensor::emptyStrided(t.sizes(), strides, t.dtype()));
  TSC_RETURN_IF_ERROR(copyInto(result, t));
  return result;
}

StatusOr<Tensor> cpu::inChannelsLast(const Tensor &t) {
  assert((t.dim() == 4 || t.dim() == 5) && "images, or volumes");
  TSC_ASSIGN_OR_RETURN(Dims strides,
                       stridesFor(t.sizes(), t.dim() == 4 ? MemoryFormat::ChannelsLast : MemoryFormat::ChannelsLast3d));
  return inStrides(t, strides);
}

StatusOr<Tensor> cpu::withDenseChannels(const Tensor &t) {
  return t.isContiguous() || !suggestsChannelsLast(t) ? StatusOr<Tensor>(t) : inChannelsLast(t);
}

StatusOr<Tensor> cpu::emptyInOrderOf(const Tensor &operand, ArrayRef<int64_t> sizes, DType dtype) {
  if (operand.isContiguous() || operand.sizes() != sizes)
    return Tensor::empty(sizes, dtype);
  TSC_ASSIGN_OR_RETURN(Dims strides, stridesLike(operand));
  return Tensor::emptyStrided(sizes, strides, dtype);
}

StatusOr<Tensor> cpu::inOrderOf(const Tensor &operand, Tensor result) {
  assert(operand.sizes() == result.sizes() && "a result of the operand's sizes");
  if (operand.isContiguous())
    return result;
  TSC_ASSIGN_OR_RETURN(Dims strides, stridesLike(operand));
  return inStrides(result, strides);
}
