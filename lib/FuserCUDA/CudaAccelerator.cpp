//===- CudaAccelerator.cpp - The GPUs that a program may use --------------===//
#include "tsc/FuserCUDA/FuserCUDA.h"
#include <map>

using namespace tsc;

namespace {
class Gpus final : public CudaAccelerator {
public:
  explicit Gpus(const CudaFuserOptions &options) : options(options) {}
  ~Gpus() override { forgetGroups(); }

  StatusOr<std::shared_ptr<CudaGpu>> gpu(int ordinal) override {
    std::lock_guard<std::mutex> guard(lock);
    auto [entry, isNew] = gpus.try_emplace(ordinal, internalError("not opened"));
    if (isNew) {
      CudaFuserOptions asked = options;
      asked.device = ordinal;
      entry->second = CudaGpu::open(asked);
    }
    return entry->second;
  }

  bool serves(DeviceKind kind) const override { return kind == DeviceKind::CUDA; }
  Status synchronize(Device device) override {
    TSC_ASSIGN_OR_RETURN(std::shared_ptr<CudaGpu> found, gpu(ordinalOf(device)));
    return found->synchronize();
  }

  StatusOr<bool> runLibrary(Device device, const OpRecord &record, llvm::ArrayRef<const IValue *> args,
                            llvm::MutableArrayRef<IValue> results) override {
    TSC_ASSIGN_OR_RETURN(std::shared_ptr<CudaGpu> found, gpu(ordinalOf(device)));
    return found->runLibrary(record, args, results);
  }

  StatusOr<bool> draw(Device device, const RandomDraw &what, const Tensor &result, const Tensor *self,
                      const Tensor *mask) override {
    TSC_ASSIGN_OR_RETURN(std::shared_ptr<CudaGpu> found, gpu(ordinalOf(device)));
    return found->draw(what, seeded(), result, self, mask);
  }

  Fuser *fuserOf(Device device) override {
    StatusOr<std::shared_ptr<CudaGpu>> found = gpu(ordinalOf(device));
    return found.ok() ? (*found)->fuser().get() : nullptr;
  }

  DeviceCollectivesOrWhy collectives(Device device) override {
    TSC_ASSIGN_OR_RETURN(std::shared_ptr<CudaGpu> found, gpu(ordinalOf(device)));
    return found->collectives();
  }

  void beginCall(uint64_t code, TraceRecorder *trace) override {
    for (const std::shared_ptr<CudaGpu> &gpu : opened())
      gpu->beginCall(code, trace);
  }
  Status endCall() override { // one that was opened meanwhile follows no call
    Status ended = okStatus();
    for (const std::shared_ptr<CudaGpu> &gpu : opened())
      if (Status status = gpu->endCall(); ended.ok())
        ended = std::move(status);
    return ended;
  }

private:
  llvm::SmallVector<std::shared_ptr<CudaGpu>, 2> opened() {
    llvm::SmallVector<std::shared_ptr<CudaGpu>, 2> all;
    std::lock_guard<std::mutex> guard(lock);
    for (auto &[ordinal, gpu] : gpus)
      if (gpu.ok())
        all.push_back(*gpu);
    return all;
  }
  StatusOr<const DeviceMemory *> open(Device device) override {
    TSC_ASSIGN_OR_RETURN(std::shared_ptr<CudaGpu> found, gpu(ordinalOf(device)));
    return &found->memory();
  }
  int ordinalOf(Device device) const { return device.index < 0 ? options.device : device.index; }

  const CudaFuserOptions options;
  std::mutex lock; ///< Of what follows.
  std::map<int, StatusOr<std::shared_ptr<CudaGpu>>> gpus;
};
} // namespace

std::shared_ptr<CudaAccelerator> tsc::createCudaAccelerator(const CudaFuserOptions &options) {
  return std::make_shared<Gpus>(options);
}
