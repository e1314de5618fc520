//===- RandomCall.cpp - Operators that draw, on a device ------------------===//
#include "RandomCall.h"
#include "tsc/Tensor/DefaultDType.h"
#include "tsc/Tensor/DeviceCopy.h"
#include <cmath>

using namespace tsc;

namespace {
class RandomCall {
public:
  RandomCall(Accelerator &accelerator, const DeviceCall &call, const DeviceMemory &memory)
      : accelerator(accelerator), call(call), memory(memory) {}

  StatusOr<bool> run() {
    const std::optional<Distribution> distribution = distributionOf(call.op);
    if (!distribution || !call.schema || (argument("generator") && !argument("generator")->isNone()))
      return false;
    if (*distribution == Distribution::Dropout)
      return dropout();
    const std::optional<RandomDraw> what = drawFrom(*distribution);
    if (!what)
      return false;
    return opRecord(call.op).has(Trait::Writes) ? fillSelf(*what) : fillNew(*what);
  }

private:
  /// Null: the operator has none of this name.
  const IValue *argument(llvm::StringRef name) const {
    const auto index = call.schema->argumentIndex(name);
    return index ? call.args[*index] : nullptr;
  }
  /// Returns the number that operand `name` is, or `otherwise` where the operator has no such operand.
  double real(llvm::StringRef name, double otherwise) const {
    const IValue *number = argument(name);
    return number ? number->toScalar().toDouble() : otherwise;
  }
  /// Returns the distribution with the call's parameters, or nullopt where it has no such: the processor's kernel says
  /// so.
  std::optional<RandomDraw> drawFrom(Distribution distribution) const {
    switch (distribution) {
    case Distribution::Uniform: {
      const double from = real("from", 0), to = real("to", 1);
      if (!std::isfinite(to - from) || !(from <= to))
        return std::nullopt;
      return RandomDraw{distribution, from, to};
    }
    case Distribution::Normal: {
      const double deviation = real("std", 1);
      if (!(deviation >= 0))
        return std::nullopt;
      return RandomDraw{distribution, real("mean", 0), deviation};
    }
    case Distribution::Integers: {
      const int64_t low = argument("low") ? argument("low")->toInt() : 0, high = argument("high")->toInt();
      if (low >= high)
        return std::nullopt;
      return RandomDraw{distribution, 0, 0, low, static_cast<uint64_t>(high) - static_cast<uint64_t>(low)};
    }
    case Distribution::Bernoulli: {
      const double p = real("p", 0);
      if (!(p >= 0 && p <= 1))
        return std::nullopt;
      return RandomDraw{distribution, p};
    }
    case Distribution::Dropout: break; // of an operand's elements
    }
    llvm_unreachable("dropout is no draw of new numbers");
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

  /// Draws a tensor of the sizes and dtype that are asked for, or of those of operand `self`. Without either, integers
  /// are of int64 and real numbers of float.
  StatusOr<bool> fillNew(const RandomDraw &what) {
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
    DType type = self ? self->asTensor().dtype() : what.kind == Distribution::Integers ? DType::Int64 : defaultDType();
    if (dtype && !dtype->isNone()) {
      if (!isValidDType(dtype->toInt()))
        return false;
      type = static_cast<DType>(dtype->toInt());
    }
    if (what.kind == Distribution::Integers && !holds(type, what.from, what.range))
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
    const double p = real("p", 0);
    const bool trains = argument("train")->isNone() || argument("train")->toBool();
    if (!trains || !(p > 0 && p < 1) || self.numel() == 0 || !self.isContiguous())
      return false;
    TSC_ASSIGN_OR_RETURN(Tensor result, Tensor::empty(self.sizes(), self.dtype(), memory));
    TSC_ASSIGN_OR_RETURN(Tensor mask, Tensor::empty(self.sizes(), DType::Bool, memory));
    TSC_ASSIGN_OR_RETURN(bool done,
                         accelerator.draw(memory.device(), {Distribution::Dropout, 1 - p}, result, &self, &mask));
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
