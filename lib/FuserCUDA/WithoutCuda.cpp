//===- WithoutCuda.cpp - The fuser for GPUs that was not built ------------===//
//
// Stands for DeviceCUDA, KernelsCUDA and FuserCUDA in a build with TSC_CUDA=OFF: opening a GPU or a listing is
// Unimplemented.
//
//===----------------------------------------------------------------------===//
#include "tsc/FuserCUDA/FuserCUDA.h"

using namespace tsc;

static Status notBuilt() {
  return unimplemented("this tsc was built without its fuser for GPUs; -DTSC_CUDA=ON of its build makes it");
}

namespace {
class NoAccelerator final : public CudaAccelerator {
  bool serves(DeviceKind kind) const override { return kind == DeviceKind::CUDA; }
  StatusOr<const DeviceMemory *> open(Device) override { return notBuilt(); }
  Fuser *fuserOf(Device) override { return nullptr; }
  StatusOr<std::shared_ptr<CudaGpu>> gpu(int) override { return notBuilt(); }
};
} // namespace

StatusOr<std::shared_ptr<CudaGpu>> CudaGpu::open(const CudaFuserOptions &) { return notBuilt(); }
std::shared_ptr<CudaAccelerator> tsc::createCudaAccelerator(const CudaFuserOptions &) {
  return std::make_shared<NoAccelerator>();
}
StatusOr<std::shared_ptr<Fuser>> tsc::createCudaListing(const CudaListingOptions &) { return notBuilt(); }
