//===- Accelerator.cpp - The devices that a program may use ---------------===//
#include "tsc/Runtime/Dispatch/Accelerator.h"
#include "../KnownCalls.h"
#include "tsc/IR/Context.h"
#include "tsc/IR/Graph.h"
#include "tsc/Tensor/DeviceCopy.h"
#include "tsc/Tensor/Quantizer.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/STLExtras.h"

using namespace tsc;

Accelerator::~Accelerator() = default;

namespace {
class ContextAccelerator final : public ContextExtension {
public:
  explicit ContextAccelerator(Context &) {}
  std::shared_ptr<Accelerator> accelerator;
};
} // namespace

void tsc::setAccelerator(Context &context, std::shared_ptr<Accelerator> accelerator) {
  context.extension<ContextAccelerator>().accelerator = std::move(accelerator);
  forgetOperatorCalls(context);
}
Accelerator *tsc::acceleratorOf(Context &context) { return context.extension<ContextAccelerator>().accelerator.get(); }

StatusOr<const DeviceMemory *> Accelerator::memory(Device device) {
  if (!serves(device.kind))
    return absentDevice(device);
  TSC_ASSIGN_OR_RETURN(const DeviceMemory *memory, open(device));
  setUsed();
  return memory;
}

std::shared_ptr<FusedGroup> Accelerator::groupOf(Device device, llvm::StringRef key,
                                                 llvm::function_ref<std::unique_ptr<Graph>()> make) {
  std::lock_guard<std::mutex> guard(lock);
  auto [entry, isNew] = groups.try_emplace((device.str() + "\n" + key).str());
  if (isNew)
    if (Fuser *fuser = fuserOf(device))
      if (std::unique_ptr<Graph> graph = make())
        entry->second = fuser->get(*graph);
  return entry->second;
}

Status Accelerator::synchronize(Device) { return okStatus(); }

StatusOr<bool> Accelerator::runLibrary(Device, const OpRecord &, llvm::ArrayRef<const IValue *>,
                                       llvm::MutableArrayRef<IValue>) {
  return false;
}

StatusOr<bool> Accelerator::draw(Device, const RandomDraw &, const Tensor &, const Tensor *, const Tensor *) {
  return false;
}

DeviceCollectivesOrWhy Accelerator::collectives(Device) { return std::shared_ptr<DeviceCollectives>(); }

uint64_t Accelerator::numberOfCode() {
  static std::atomic<uint64_t> numCodes{0};
  return numCodes.fetch_add(1, std::memory_order_relaxed);
}
void Accelerator::beginCall(uint64_t, TraceRecorder *) {}
Status Accelerator::endCall() { return okStatus(); }

void Accelerator::seed(uint64_t seed) {
  std::lock_guard<std::mutex> guard(lock);
  currentSeed = {seed, currentSeed.number + 1};
}

DeviceSeed Accelerator::seeded() {
  std::lock_guard<std::mutex> guard(lock);
  return currentSeed;
}

void Accelerator::noteCopied(llvm::StringRef name) {
  if (!copied)
    return;
  std::lock_guard<std::mutex> guard(lock);
  if (toldCopied.insert(name).second)
    copied(name);
}

namespace {
/// Several accelerators as one: each call goes to the one that serves its device.
class JoinedAccelerators final : public Accelerator {
public:
  explicit JoinedAccelerators(std::vector<std::shared_ptr<Accelerator>> joined) : joined(std::move(joined)) {
    setUsed(); // whoever holds one of them makes tensors on its devices without asking here
  }
  ~JoinedAccelerators() override { forgetGroups(); }

  bool serves(DeviceKind kind) const override { return find(kind); }
  Status synchronize(Device device) override {
    Accelerator *one = find(device.kind);
    return one ? one->synchronize(device) : absentDevice(device);
  }
  StatusOr<bool> runLibrary(Device device, const OpRecord &record, llvm::ArrayRef<const IValue *> args,
                            llvm::MutableArrayRef<IValue> results) override {
    Accelerator *one = find(device.kind);
    return one ? one->runLibrary(device, record, args, results) : false;
  }
  StatusOr<bool> draw(Device device, const RandomDraw &what, const Tensor &result, const Tensor *self,
                      const Tensor *mask) override {
    Accelerator *one = find(device.kind);
    return one ? one->draw(device, what, result, self, mask) : false;
  }
  DeviceCollectivesOrWhy collectives(Device device) override {
    Accelerator *one = find(device.kind);
    return one ? one->collectives(device) : Accelerator::collectives(device);
  }
  void beginCall(uint64_t code, TraceRecorder *trace) override {
    for (const std::shared_ptr<Accelerator> &one : joined)
      one->beginCall(code, trace);
  }
  Status endCall() override {
    Status ended = okStatus();
    for (const std::shared_ptr<Accelerator> &one : joined)
      if (Status status = one->endCall(); ended.ok())
        ended = std::move(status);
    return ended;
  }
  void seed(uint64_t seed) override {
    for (const std::shared_ptr<Accelerator> &one : joined)
      one->seed(seed);
  }
  Fuser *fuserOf(Device device) override {
    Accelerator *one = find(device.kind);
    return one ? one->fuserOf(device) : nullptr;
  }

private:
  StatusOr<const DeviceMemory *> open(Device device) override { return find(device.kind)->memory(device); }
  Accelerator *find(DeviceKind kind) const {
    for (const std::shared_ptr<Accelerator> &one : joined)
      if (one->serves(kind))
        return one.get();
    return nullptr;
  }

  const std::vector<std::shared_ptr<Accelerator>> joined;
};
} // namespace

std::shared_ptr<Accelerator> tsc::joinAccelerators(std::vector<std::shared_ptr<Accelerator>> accelerators) {
  assert(llvm::all_of(accelerators, [](const auto &one) { return one != nullptr; }) &&
         "accelerators are none that are null");
  return std::make_shared<JoinedAccelerators>(std::move(accelerators));
}

namespace {
class Placer {
public:
  explicit Placer(const DeviceMemory &memory) : memory(memory) {}

  Status place(const IValue &value) {
    if (!value.isCounted() || !seen.insert(value.counted()).second)
      return okStatus();
    if (value.isTensor())
      return place(value.asTensor());
    if (value.isTensorList()) {
      for (const Tensor &element : value.toTensorList().elements)
        TSC_RETURN_IF_ERROR(place(element));
    } else if (value.isTuple()) {
      return placeAll(value.toTuple().elements);
    } else if (value.getTag() == IValue::Tag::GenericList) {
      return placeAll(value.toGenericList().elements);
    } else if (value.isObject()) {
      return placeAll(value.toObject().slots);
    } else if (value.isDict()) {
      Status status;
      value.toDict().forEach([&](const IValue &key, const IValue &entry) {
        if (status.ok())
          status = place(key);
        if (status.ok())
          status = place(entry);
      });
      return status;
    }
    return okStatus();
  }

private:
  Status placeAll(llvm::ArrayRef<IValue> values) {
    for (const IValue &value : values)
      TSC_RETURN_IF_ERROR(place(value));
    return okStatus();
  }

  Status place(const Tensor &tensor) {
    if (!tensor.defined() || !tensor.get()->storage || tensor.dtype() == DType::Opaque || isQuantized(tensor.dtype()))
      return okStatus();
    Ref<Storage> &storage = tensor.get()->storage;
    if (storage->device() == memory.device())
      return okStatus();
    auto [known, isNew] = placed.try_emplace(storage.get());
    if (isNew) {
      kept.push_back(storage);
      TSC_ASSIGN_OR_RETURN(known->second, copyStorage(*storage, memory));
    }
    storage = known->second;
    return okStatus();
  }

  const DeviceMemory &memory;
  llvm::DenseSet<const RefCounted *> seen;
  llvm::DenseMap<const Storage *, Ref<Storage>> placed;
  std::vector<Ref<Storage>> kept; ///< So that no other storage gets the address of one that was replaced.
};
} // namespace

Status tsc::placeTensors(const IValue &value, const DeviceMemory &memory) { return Placer(memory).place(value); }
