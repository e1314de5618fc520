//===- DeviceCall.cpp - Operators called with tensors of a device ---------===//
#include "tsc/Runtime/Dispatch/DeviceCall.h"
#include "HostCopies.h"
#include "OperatorGroup.h"
#include "RandomCall.h"
#include "tsc/IR/OpFacts.h"
#include "tsc/Kernels/Copy.h"
#include "tsc/Runtime/Dispatch/QuantizedCall.h"
#include "tsc/Runtime/Dispatch/Unboxing.h"
#include "tsc/Tensor/DeviceCopy.h"
#include "llvm/ADT/STLExtras.h"

using namespace tsc;

/// Returns the kind of device that an operator such as aten::cuda moves its operand to; the processor is none.
static std::optional<DeviceKind> kindToMoveTo(OpKind op) {
  std::optional<DeviceKind> kind =
      op == OpKind::Unknown || !opRecord(op).has(Trait::MovesDevice) ? std::nullopt : deviceKindOf(op);
  return kind == DeviceKind::CPU ? std::nullopt : kind;
}

bool tsc::placesTensors(OpKind op, const FunctionSchema &schema) {
  return schema.deviceArgument().has_value() || kindToMoveTo(op);
}

namespace {
/// Kernels that read no elements, or read and write them through cpu::copyInto and Tensor::item and their kin, which
/// take tensors of any device.
bool takesAnyDevice(const OpRecord &record) {
  static constexpr Trait blind[] = {Trait::View,  Trait::Geometry, Trait::SizeQuery, Trait::Answers, Trait::IndexMap,
                                    Trait::Split, Trait::Reshape,  Trait::Cast,      Trait::Item};
  return record.has(Trait::TakesAnyDevice) || (!record.has(Trait::Reduction) && !record.has(Trait::Pointwise) &&
                                               llvm::any_of(blind, [&](Trait trait) { return record.has(trait); }));
}

/// Whether the result has the geometry of an operand, and no elements of it.
bool readsGeometry(const OpRecord &record) { return record.has(Trait::Fill) || record.has(Trait::ReadsGeometry); }

class DeviceOperation {
public:
  DeviceOperation(CallContext &context, Accelerator &accelerator, const DeviceCall &call)
      : context(context), accelerator(accelerator), call(call),
        record(call.op == OpKind::Unknown ? nullptr : &opRecord(call.op)) {}

  Status run() {
    look();
    if (asked) { // also where nothing comes of it: a device that there is not is an error
      TSC_ASSIGN_OR_RETURN(wanted, accelerator.memory(*asked));
    }
    if (!first && !asked)
      return call.kernel(call.args.data(), call.results.data());
    if (record && record->has(Trait::MovesDevice))
      return move();
    if (record && first && isConversion()) {
      TSC_ASSIGN_OR_RETURN(bool done, runOnDevice());
      if (done)
        return okStatus();
    }
    if (const DeviceMemory *target = asked                ? wanted
                                     : deviceArgument < 0 ? first
                                                          : nullptr;
        record && record->has(Trait::Random) && target) {
      TSC_ASSIGN_OR_RETURN(bool done, runRandom(accelerator, call, *target));
      if (done)
        return okStatus();
    }
    if (record && takesAnyDevice(*record))
      return call.kernel(call.args.data(), call.results.data());
    if (!first || (record && readsGeometry(*record)))
      return make();
    TSC_RETURN_IF_ERROR(checkDevices());
    if (record) {
      TSC_ASSIGN_OR_RETURN(bool done, runOnDevice());
      if (done)
        return okStatus();
    }
    return runOnHost();
  }

private:
  static bool isOnDevice(const Tensor &tensor) { return tensor.defined() && !isOnHost(tensor); }
  template <typename F> static void forEachTensor(const IValue &value, F &&f) {
    if (value.isTensor())
      return f(value.asTensor());
    if (value.isTensorList())
      llvm::for_each(value.toTensorList().elements, f);
    else if (value.getTag() == IValue::Tag::GenericList)
      for (const IValue &element : value.toGenericList().elements)
        if (element.isTensor())
          f(element.asTensor());
  }
  /// Lists of anything hold tensors that the operator does not look into.
  bool holdsTensors(size_t i) const {
    return !call.schema || i >= call.schema->arguments().size() || isOfTensors(call.schema->arguments()[i].type);
  }

  void look() {
    if (auto argument = call.schema ? call.schema->deviceArgument() : std::nullopt;
        argument && *argument < call.args.size() && call.args[*argument]->isDevice()) {
      deviceArgument = static_cast<int>(*argument);
      if (Device device = call.args[*argument]->toDevice(); device.kind != DeviceKind::CPU)
        asked = device;
    }
    for (auto [i, arg] : llvm::enumerate(call.args))
      if (holdsTensors(i))
        forEachTensor(*arg, [&](const Tensor &tensor) {
          if (!first && isOnDevice(tensor))
            first = &memoryOf(*tensor.get()->storage);
        });
    if (std::optional<DeviceKind> kind = kindToMoveTo(call.op))
      asked = Device{*kind};
  }

  Status checkDevices() const {
    if (record && record->has(Trait::TakesHostIndices))
      return okStatus();
    const Device here = first->device();
    std::optional<Device> other;
    for (auto [i, arg] : llvm::enumerate(call.args))
      if (holdsTensors(i))
        forEachTensor(*arg, [&](const Tensor &tensor) {
          if (staysOnHost(tensor) || tensor.device() == here)
            return;
          if (tensor.device().kind != DeviceKind::CPU || tensor.dim() != 0)
            other = tensor.device();
        });
    if (!other)
      return okStatus();
    return invalidArgument("Expected all tensors to be on the same device, but found at least two devices, " +
                           here.str() + " and " + other->str() + "!");
  }

  /// To another dtype, or to rows without gaps: elements are read and written.
  bool isConversion() const {
    if (!call.args[0]->isTensor())
      return false;
    const Tensor &self = call.args[0]->asTensor();
    switch (record->kind) {
    case OpKind::Aten_contiguous: return !self.isContiguous();
    case OpKind::Aten_to_dtype:
      return !call.args[1]->isNone() && call.args[1]->toInt() != static_cast<int64_t>(self.dtype());
    default: return false;
    }
  }

  /// The arguments with another one in the place of the device, for a kernel of the processor.
  llvm::SmallVector<const IValue *, 12> argumentsForHost(const IValue &device) const {
    llvm::SmallVector<const IValue *, 12> args(call.args.begin(), call.args.end());
    if (deviceArgument >= 0)
      args[static_cast<size_t>(deviceArgument)] = &device;
    return args;
  }

  /// aten::to and its kin.
  Status move() {
    if (!call.args[0]->isTensor() || !call.args[0]->asTensor().defined())
      return call.kernel(call.args.data(), call.results.data());
    const Tensor &self = call.args[0]->asTensor();
    const DeviceMemory *source = &memoryOf(*self.get()->storage), *target = source;
    const bool goesToTensor = call.args.size() > 1 && call.args[1]->isTensor();
    const std::optional<DeviceKind> kind = deviceKindOf(call.op); // of an operator that only moves
    if (asked)
      target = wanted;
    else if (deviceArgument >= 0 || kind)
      target = &DeviceMemory::cpu();
    else if (goesToTensor && call.args[1]->asTensor().get()->storage)
      target = &memoryOf(*call.args[1]->asTensor().get()->storage);
    const IValue cpu{Device()};
    if (target->device() == source->device()) {
      if (kind) {
        call.results[0] = *call.args[0];
        return okStatus();
      }
      return call.kernel(argumentsForHost(cpu).data(), call.results.data());
    }
    if (staysOnHost(self))
      return unimplemented("sparse, nested and quantized tensors are on the processor only");
    // The processor converts what is to be converted.
    TSC_ASSIGN_OR_RETURN(Tensor read, onHost(self));
    read.get()->requiresGrad = self.requiresGrad();
    const IValue operand(read), *pointer = &operand;
    llvm::SmallVector<const IValue *, 12> args = argumentsForHost(cpu);
    args[0] = pointer;
    IValue other;
    if (goesToTensor) { // of which the dtype alone counts
      TSC_ASSIGN_OR_RETURN(Tensor dtype, Tensor::empty({}, call.args[1]->asTensor().dtype()));
      other = IValue(std::move(dtype));
      args[1] = &other;
    }
    if (kind)
      call.results[0] = operand;
    else
      TSC_RETURN_IF_ERROR(call.kernel(args.data(), call.results.data()));
    Tensor moved = call.results[0].asTensor();
    if (!cpu::isNonOverlappingAndDense(moved.sizes(), moved.strides())) {
      TSC_ASSIGN_OR_RETURN(moved, cpu::clone(moved));
    }
    if (target != &DeviceMemory::cpu()) {
      TSC_ASSIGN_OR_RETURN(moved, copyTensor(moved, *target));
    }
    if (moved.isSameAs(read) && read.isSameAs(self)) { // no copy was needed, yet the result is another tensor
      moved = moved.alias(moved.sizes(), moved.strides(), moved.storageOffset());
    }
    moved.get()->requiresGrad = self.requiresGrad() && isFloating(moved.dtype());
    call.results[0] = IValue(std::move(moved));
    return okStatus();
  }

  /// What is made of sizes and numbers: on the processor, then moved. Of a tensor no more than its geometry is read.
  Status make() {
    const DeviceMemory *target = first;
    if (asked)
      target = wanted;
    else if (deviceArgument >= 0 || !first)
      target = &DeviceMemory::cpu();
    const IValue none;
    llvm::SmallVector<const IValue *, 12> args = argumentsForHost(none);
    std::vector<IValue> stubs;
    stubs.reserve(args.size());
    for (const IValue *&arg : args) {
      if (!arg->isTensor() || !isOnDevice(arg->asTensor()))
        continue;
      const Tensor &tensor = arg->asTensor();
      if (record && tensor.numel() == 1 && !readsGeometry(*record)) {
        TSC_ASSIGN_OR_RETURN(Tensor number, onHost(tensor));
        arg = &stubs.emplace_back(std::move(number));
        continue;
      }
      TSC_ASSIGN_OR_RETURN(Ref<Storage> empty, Storage::allocate(0));
      Tensor stub = tensor.alias(tensor.sizes(), tensor.strides(), tensor.storageOffset());
      stub.get()->storage = std::move(empty);
      arg = &stubs.emplace_back(std::move(stub));
    }
    TSC_RETURN_IF_ERROR(call.kernel(args.data(), call.results.data()));
    if (target == &DeviceMemory::cpu())
      return okStatus();
    HostCopies moving(*target, /*mayShare=*/false);
    for (IValue &result : call.results) {
      TSC_ASSIGN_OR_RETURN(result, moving.raise(result));
    }
    return okStatus();
  }

  StatusOr<bool> runKernel(const OpRecord &functional, IValue &value) {
    llvm::SmallVector<IValue, 4> lifted; // numbers that the processor holds as tensors
    lifted.reserve(call.args.size());
    llvm::SmallVector<const IValue *, 12> args(call.args.begin(), call.args.end());
    for (const IValue *&arg : args) {
      if (!arg->isTensor() || !arg->asTensor().defined())
        continue;
      const Tensor &tensor = arg->asTensor();
      if (isComplex(tensor.dtype()) || staysOnHost(tensor))
        return false;
      if (isOnDevice(tensor))
        continue;
      TSC_ASSIGN_OR_RETURN(Tensor there, copyTensor(tensor, *first));
      arg = &lifted.emplace_back(std::move(there));
    }
    return runOperatorGroup(context, accelerator, first->device(), functional, args, value);
  }

  /// As a kernel, or by a library of the device's.
  StatusOr<bool> runOnDevice() {
    TSC_ASSIGN_OR_RETURN(bool isDone, accelerator.runLibrary(first->device(), *record, call.args, call.results));
    if (isDone)
      return true;
    const OpRecord *functional = record->has(Trait::InPlaceForm) ? functionalFormOf(*record) : record;
    if (!functional || functional->has(Trait::Writes) || call.results.size() != 1)
      return false;
    IValue value;
    bool done = false;
    if (functional != record) {
      TSC_ASSIGN_OR_RETURN(done, accelerator.runLibrary(first->device(), *functional, call.args, value));
    }
    if (!done) {
      TSC_ASSIGN_OR_RETURN(done, runKernel(*functional, value));
    }
    if (!done)
      return false;
    if (functional == record) {
      call.results[0] = std::move(value);
      return true;
    }
    const Tensor &self = call.args[0]->asTensor();
    if (!cpu::checkWritable(self).ok() ||
        !cpu::checkWritten(value.asTensor().sizes(), value.asTensor().dtype(), self).ok())
      return false; // the operator says what is wrong
    for (const IValue *arg : call.args.drop_front())
      if (arg->isTensor() && !cpu::checkNoPartialOverlap(self, arg->asTensor()).ok())
        return false;
    TSC_RETURN_IF_ERROR(unboxing::writeInPlace(value.asTensor(), call.args.data(), call.results.data()));
    return true;
  }

  Status runOnHost() {
    bool mayShare = !call.schema;
    for (unsigned i = 0; call.schema && i != call.schema->arguments().size(); ++i)
      mayShare |= call.schema->arguments()[i].alias.has_value();
    accelerator.noteCopied(call.name);
    HostCopies copies(*first, mayShare);
    std::vector<IValue> lowered;
    lowered.reserve(call.args.size());
    llvm::SmallVector<const IValue *, 12> args;
    for (auto [i, arg] : llvm::enumerate(call.args)) {
      if (!holdsTensors(i)) {
        args.push_back(arg);
        continue;
      }
      TSC_ASSIGN_OR_RETURN(IValue copy, copies.lower(*arg));
      args.push_back(&lowered.emplace_back(std::move(copy)));
      if (call.schema && i < call.schema->arguments().size())
        if (const auto &alias = call.schema->arguments()[i].alias; alias && alias->isWrite)
          copies.markWritten(lowered.back());
    }
    const IValue cpu{Device()};
    if (deviceArgument >= 0)
      args[static_cast<size_t>(deviceArgument)] = &cpu;
    Status status = call.kernel(args.data(), call.results.data());
    TSC_RETURN_IF_ERROR(copies.writeBack()); // also what was written before it failed
    TSC_RETURN_IF_ERROR(status);
    for (IValue &result : call.results) {
      TSC_ASSIGN_OR_RETURN(result, copies.raise(result));
    }
    return okStatus();
  }

  CallContext &context;
  Accelerator &accelerator;
  const DeviceCall &call;
  const OpRecord *const record;
  const DeviceMemory *first = nullptr;  ///< Of the first operand on a device.
  std::optional<Device> asked;          ///< A device other than the processor that an argument names.
  const DeviceMemory *wanted = nullptr; ///< Its memory.
  int deviceArgument = -1;              ///< Its position; also of one that names the processor.
};
} // namespace

Status tsc::callOnDevices(CallContext &context, Accelerator &accelerator, const DeviceCall &call) {
  return DeviceOperation(context, accelerator, call).run();
}
