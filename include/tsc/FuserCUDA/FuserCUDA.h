//===- FuserCUDA.h - Fusion groups as CUDA kernels --------------*- C++ -*-===//
//
// Nothing of CUDA is linked: the driver and NVRTC, its runtime compiler, are opened when
// they are wanted. Where there is none, or tsc was built without this fuser (TSC_CUDA),
// opening says so, and programs run on the processor.
//
//   TSC_ASSIGN_OR_RETURN(std::shared_ptr<CudaGpu> gpu, CudaGpu::open(options));
//   fusers.add(DeviceKind::CUDA, gpu->fuser());
//
//===----------------------------------------------------------------------===//
#ifndef TSC_FUSERCUDA_FUSERCUDA_H
#define TSC_FUSERCUDA_FUSERCUDA_H

#include "tsc/Runtime/Accelerator.h"
#include "tsc/Runtime/Fuser.h"
#include "tsc/Tensor/DeviceMemory.h"
#include <functional>
#include <optional>
#include <string>

namespace tsc {

class Node;
class TraceRecorder;

struct CudaFuserOptions {
  CompileMode mode = CompileMode::Background;
  int device = 0;
  /// The shared libraries of the driver, of NVRTC, of cuBLASLt and of cuDNN; empty for where they usually are.
  std::string driver, nvrtc, cublasLt, cudnn;
  /// The folder of the toolkit's headers, of which CUB's serve sorting where they are there; empty as above.
  std::string headers;
  /// Where kernels are kept for the next process, as CpuFuserOptions says, which is the same folder unless told.
  std::optional<std::string> cacheFolder;
  uint64_t maxCacheBytes = uint64_t{64} << 20;
  uint64_t maxCompileMicros = UINT64_MAX;
  TraceRecorder *trace = nullptr;
  /// As those of CpuFuserOptions.
  std::function<void(const Status &)> report;
  std::function<void(const Node &)> refused;
};

/// One GPU: memory on it, and a fuser of groups whose tensors are there.
///
/// Threads:   everything may be called from many threads.
/// Ownership: tensors in its memory and the fuser keep using it, and go before it.
/// Errors:    those of the driver, by name and text. A context is made when memory or a kernel is first wanted.
class CudaGpu {
public:
  /// NotFound without a driver, NVRTC or such a device; Unimplemented for one of an architecture below 8.0.
  static StatusOr<std::shared_ptr<CudaGpu>> open(const CudaFuserOptions &options);
  virtual ~CudaGpu() = default;

  virtual const std::string &name() const = 0;
  /// As NVRTC names it: "sm_90".
  virtual const std::string &architecture() const = 0;
  virtual const DeviceMemory &memory() const = 0;
  virtual std::shared_ptr<Fuser> fuser() = 0;
  /// Waits for what runs there.
  virtual Status synchronize() = 0;
  /// Accelerator::runLibrary, for tensors of this device. Where a library is not there nothing is done.
  virtual StatusOr<bool> runLibrary(const OpRecord &record, llvm::ArrayRef<const IValue *> args,
                                    llvm::MutableArrayRef<IValue> results) = 0;
  /// Accelerator::beginCall and its end.
  virtual void beginCall(uint64_t code, TraceRecorder *trace) = 0;
  virtual Status endCall() = 0;
  /// Accelerator::draw, for tensors of this device.
  virtual StatusOr<bool> draw(const RandomDraw &what, const DeviceSeed &seed, const Tensor &result, const Tensor *self,
                              const Tensor *mask) = 0;
};

/// All GPUs of the machine, each opened when a program first asks for it.
class CudaAccelerator : public Accelerator {
public:
  /// The errors of CudaGpu::open, which stay.
  virtual StatusOr<std::shared_ptr<CudaGpu>> gpu(int ordinal) = 0;
};
/// `options.device` is what `cuda` without a number is.
std::shared_ptr<CudaAccelerator> createCudaAccelerator(const CudaFuserOptions &options);

/// What the host hears of kernels that it only wants to see: a kernel's text, what NVRTC makes of it, or all that NVRTC
/// is given, with the options for some architectures.
enum class CudaListing : uint8_t { Source, Ptx, Program };

struct CudaListingOptions {
  CudaListing listing = CudaListing::Source;
  std::string architecture = "sm_90"; ///< Of PTX.
  std::string nvrtc;                  ///< As above.
  std::function<void(llvm::StringRef)> printed;
};

/// A fuser that runs nothing: it plans groups of the processor's tensors as if they were on a GPU, prints their
/// kernels, and leaves the groups to their plain nodes. Unimplemented in a build without CUDA.
StatusOr<std::shared_ptr<Fuser>> createCudaListing(const CudaListingOptions &options);

} // namespace tsc

#endif
