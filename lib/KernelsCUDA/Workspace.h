//===- Workspace.h - What CUDA's libraries have in common -------*- C++ -*-===//
#ifndef TSC_LIB_KERNELSCUDA_WORKSPACE_H
#define TSC_LIB_KERNELSCUDA_WORKSPACE_H

#include "tsc/Support/Status.h"
#include "tsc/Tensor/DeviceMemory.h"
#include "tsc/Tensor/Scalar.h"

namespace tsc::fuser {

/// Whether the libraries for products and convolutions take elements of a dtype.
inline bool isLibraryDType(DType dtype) {
  return dtype == DType::Float || dtype == DType::Double || dtype == DType::Half || dtype == DType::BFloat16;
}

/// Memory of a device for the time of a call. What is freed is reused in the order of the device's stream.
class Workspace {
public:
  explicit Workspace(const DeviceMemory &memory) : memory(memory) {}
  Workspace(const Workspace &) = delete;
  Workspace &operator=(const Workspace &) = delete;
  ~Workspace() {
    if (block.data)
      memory.deallocate(block.data, block.capacity);
  }

  /// `what` names the call for the user.
  Status allocate(size_t bytes, llvm::StringRef what) {
    if (bytes == 0)
      return okStatus();
    block = memory.allocate(bytes);
    return block.data ? okStatus() : resourceExhausted("no memory for " + what);
  }
  void *data() const { return block.data; }

private:
  const DeviceMemory &memory;
  memory::Block block{};
};

} // namespace tsc::fuser

#endif
