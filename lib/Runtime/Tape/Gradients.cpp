//===- Gradients.cpp - Gradients of values that hosts hold ----------------===//
#include "tsc/Runtime/Tape/Gradients.h"
#include "llvm/ADT/SmallPtrSet.h"

using namespace tsc;

namespace {
/// Looks for a tensor that requires a gradient. Containers are looked through one after the other, and each once, since
/// values may be nested as deeply as memory allows, and hold themselves.
class GradientSearch {
public:
  bool find(const IValue &value) {
    look(value);
    while (!isFound && !left.empty())
      lookThrough(left.pop_back_val());
    return isFound;
  }

private:
  void look(const Tensor &tensor) { isFound |= tensor.defined() && tensor.requiresGrad(); }
  void look(const IValue &value) {
    switch (value.getTag()) {
    case IValue::Tag::Tensor: look(value.asTensor()); break;
    case IValue::Tag::TensorList:
    case IValue::Tag::GenericList:
    case IValue::Tag::Tuple:
    case IValue::Tag::Object:
    case IValue::Tag::Dict:
      if (seen.insert(value.counted()).second)
        left.push_back(value);
      break;
    default: break;
    }
  }
  template <typename Values> void lookAtAll(const Values &values) {
    for (const auto &one : values)
      look(one);
  }
  void lookThrough(const IValue &value) {
    switch (value.getTag()) {
    case IValue::Tag::TensorList: return lookAtAll(value.toTensorList().elements);
    case IValue::Tag::GenericList: return lookAtAll(value.toGenericList().elements);
    case IValue::Tag::Tuple: return lookAtAll(value.toTuple().elements);
    case IValue::Tag::Object: return lookAtAll(value.toObject().slots);
    default:
      value.toDict().forEach([&](const IValue &key, const IValue &held) {
        look(key);
        look(held);
      });
    }
  }

  bool isFound = false;
  llvm::SmallVector<IValue, 4> left; ///< Containers that were found and not looked through yet.
  llvm::SmallPtrSet<const void *, 8> seen;
};
} // namespace

bool tsc::holdsGradients(const IValue &value) {
  if (value.isTensor()) [[likely]]
    return value.asTensor().defined() && value.asTensor().requiresGrad();
  return value.isCounted() && GradientSearch().find(value);
}

Status tsc::setTensorData(const Tensor &tensor, const Tensor &source) {
  assert(tensor.defined() && source.defined() && "tensors that hosts have are defined");
  TensorImpl &to = *tensor.get();
  const TensorImpl &from = *source.get();
  if (to.requiresGrad && !isFloating(from.dtype) && !isComplex(from.dtype))
    return invalidArgument("data set to a tensor that requires gradients must be floating point or complex");
  to.storage = from.storage;
  to.offset = from.offset;
  to.count = from.count;
  to.sizes = from.sizes;
  to.strides = from.strides;
  to.dtype = from.dtype;
  to.contiguous = from.contiguous;
  to.conjugate = from.conjugate;
  to.negative = from.negative;
  to.companion = from.companion;
  return okStatus();
}
