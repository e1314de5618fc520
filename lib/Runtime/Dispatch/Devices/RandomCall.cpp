//===- RandomCall.cpp - Operators that draw, on a device ------------------===//
#include "RandomCall.h"
#include "tsc/Tensor/DeviceCopy.h"
#include <cmath>

using namespace tsc;

namespace {
class RandomCall {
public:
  RandomCall(Accelerator &accelerator, const DeviceCall &call, const DeviceMemory &memory)
      : accelerator(accelerator), call(call), memory(memory) {}

  StatusOr<bool> run() {
    if (!call.schema || (argument("generator") && !argument("generator")->isNone()))
      return false;
    switch (call.op) {
    case OpKind::Aten_rand:
    case OpKind::Aten_rand_like: return fillNew({RandomDraw::Uniform}, DType::Float);
    case OpKind::Aten_randn:
    case OpKind::Aten_randn_like: return fillNew({RandomDraw::Normal}, DType::Float);
    case OpKind::Aten_randint:
    case OpKind::Aten_randint_low:
    case OpKind::Aten_randint_like:
    case OpKind::Aten_randint_like_low_dtype: {
      const int64_t low = argument("low") ? argument("low")->toInt() : 0, high = argument("high")->toInt();
      return low < high ? fillNew(integers(low, high), DType::Int64) : false;
    }
    case OpKind::Aten_normal_float_float:
      return isDeviation("std") ? fillNew({RandomDraw::Normal, real("mean"), real("std")}, DType::Float) : false;
    case OpKind::Aten_bernoulli_p:
      return isProbability("p") ? fillNew({RandomDraw::Bernoulli, real("p")}, std::nullopt) : false;
    case OpKind::Aten_uniform_: {
      const double from = real("from"), to = real("to");
      return std::isfinite(to - from) && from <= to ? fillSelf({RandomDraw::Uniform, from, to}) : false;
    }
    case OpKind::Aten_normal_:
      return isDeviation("std") ? fillSelf({RandomDraw::Normal, real("mean"), real("std")}) : false;
    case OpKind::Aten_bernoulli__float:
      return isProbability("p") ? fillSelf({RandomDraw::Bernoulli, real("p")}) : false;
    case OpKind::Aten_dropout:
    case OpKind::Aten_native_dropout: return dropout();
    default: return false;
    }
  }

private:
  /// Null: the operator has none of this name.
  const IValue *argument(llvm::StringRef name) const {
    const auto index = call.schema->argumentIndex(name);
    return index ? call.args[*index] : nullptr;
  }
  double real(llvm::StringRef name) const { return argument(name)->toScalar().toDouble(); }
  bool isDeviation(llvm::StringRef name) const { return real(name) >= 0; }
  bool isProbability(llvm::StringRef name) const { return real(name) >= 0 && real(name) <= 1; }
  static RandomDraw integers(int64_t low, int64_t high) {
    return {RandomDraw::Integers, 0, 0, low, static_cast<uint64_t>(high) - static_cast<uint64_t>(low)};
  }
  /// Whether a dtype holds all of the numbers that a draw may give: the processor's error says where it does not.
  static bool holds(DType dtype, int64_t from, uint64_t range) {
    if (isFloating(dtype))
      return true;
    if (!isIntegral(dtype, true))
      return false;
    const bool isSigned = dtype != DType::Bool && dtype != DType::UInt8;
    const int bits = dtype == DType::Bool ? 1 : 8 * static_cast<int>(itemSize(dtype)) - isSigned;
    const int64_t highest = static_cast<int64_t>(~uint64_t{0} >> (64 - bits)), lowest = isSigned ? -highest - 1 : 0;
    return from >= lowest && from <= highest &&
           range - 1 <= static_cast<uint64_t>(highest) - static_cast<uint64_t>(from);
  }

  /// Of sizes that are given, or of a tensor's; `otherwise`: the dtype of a factory's result, where none is asked for.
  StatusOr<bool> fillNew(const RandomDraw &what, std::optional<DType> otherwise) {
    const IValue *self = argument("self"), *size = argument("size"), *dtype = argument("dtype");
    for (llvm::StringRef name : {"layout", "pin_memory", "memory_format"})
      if (const IValue *asked = argument(name); asked && !asked->isNone())
        return false;
    if (self && (!self->isTensor() || !self->asTensor().defined() || !self->asTensor().isContiguous()))
      return false;
    llvm::ArrayRef<int64_t> sizes;
    if (self)
      sizes = self->asTensor().sizes();
    else if (size && size->isIntList())
      sizes = size->toIntList().elements;
    else
      return false;
    if (llvm::any_of(sizes, [](int64_t n) { return n < 0; }))
      return false;
    DType type = self ? self->asTensor().dtype() : otherwise.value_or(DType::Float);
    if (dtype && !dtype->isNone()) {
      if (!isValidDType(dtype->toInt()))
        return false;
      type = static_cast<DType>(dtype->toInt());
    }
    if (what.kind == RandomDraw::Integers && !holds(type, what.from, what.range))
      return false;
    TSC_ASSIGN_OR_RETURN(Tensor result, Tensor::empty(sizes, type, memory));
    TSC_ASSIGN_OR_RETURN(bool done, accelerator.draw(memory.device(), what, result));
    if (done)
      call.results[0] = IValue(std::move(result));
    return done;
  }

  StatusOr<bool> fillSelf(const RandomDraw &what) {
    const Tensor &self = call.args[0]->asTensor();
    if (!self.defined() || self.device() != memory.device() || !self.isContiguous())
      return false;
    TSC_ASSIGN_OR_RETURN(bool done, accelerator.draw(memory.device(), what, self));
    if (done) {
      self.bumpVersion();
      call.results[0] = *call.args[0];
    }
    return done;
  }

  StatusOr<bool> dropout() {
    const Tensor &self = call.args[0]->asTensor();
    const double p = real("p");
    const bool trains = argument("train")->isNone() || argument("train")->toBool();
    if (!trains || !(p > 0 && p < 1) || self.numel() == 0 || !self.isContiguous())
      return false;
    TSC_ASSIGN_OR_RETURN(Tensor result, Tensor::empty(self.sizes(), self.dtype(), memory));
    TSC_ASSIGN_OR_RETURN(Tensor mask, Tensor::empty(self.sizes(), DType::Bool, memory));
    TSC_ASSIGN_OR_RETURN(bool done,
                         accelerator.draw(memory.device(), {RandomDraw::Dropout, 1 - p}, result, &self, &mask));
    if (!done)
      return false;
    call.results[0] = IValue(std::move(result));
    if (call.results.size() == 2)
      call.results[1] = IValue(std::move(mask));
    return true;
  }

  Accelerator &accelerator;
  const DeviceCall &call;
  const DeviceMemory &memory;
};
} // namespace

StatusOr<bool> tsc::runRandom(Accelerator &accelerator, const DeviceCall &call, const DeviceMemory &memory) {
  return RandomCall(accelerator, call, memory).run();
}
