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

#include "tsc/Runtime/Dispatch/Accelerator.h"
#include "tsc/Runtime/Dispatch/Fuser.h"
#include "tsc/Tensor/DeviceMemory.h"
#include <functional>
#include <optional>
#include <string>

namespace tsc {

class Node;
class TraceRecorder;

/// Which GPU and which libraries the fuser for CUDA uses, how it compiles, and what it reports.
struct CudaFuserOptions {
  CompileMode mode = CompileMode::Background;
  int device = 0; ///< The GPU's number, as the driver counts.
  /// The paths of the shared libraries of the driver, NVRTC, cuBLASLt, cuDNN and NCCL; empty for where they usually
  /// are.
  std::string driver, nvrtc, cublasLt, cudnn, nccl;
  /// The folder of the CUDA toolkit's headers, whose CUB is used to sort where it is there; empty for where it usually
  /// is.
  std::string headers;
  /// The folder that keeps kernels for the next process, as in CpuFuserOptions; the default is the same folder.
  std::optional<std::string> cacheFolder;
  /// About how many bytes the files in the cache folder may take.
  uint64_t maxCacheBytes = uint64_t{64} << 20;
  /// Microseconds of one core for compiling, as in CpuFuserOptions.
  uint64_t maxCompileMicros = UINT64_MAX;
  /// Receives a span for each compilation, unless null; outlives the fuser.
  TraceRecorder *trace = nullptr;
  /// Called when kernels could not be compiled, as in CpuFuserOptions.
  std::function<void(const Status &)> report;
  /// Called for groups that have no code, as in CpuFuserOptions.
  std::function<void(const Node &)> refused;
};

/// One GPU: memory on it, and a fuser of groups whose tensors are there.
///
/// Threads:   everything may be called from many threads.
/// Ownership: tensors in its memory and the fuser keep using it, and go before it.
/// Errors:    those of the driver, by name and text. A context is made when memory or a kernel is first wanted.
class CudaGpu {
public:
  /// Opens the GPU `options.device`. Returns NotFound without a driver, NVRTC or such a GPU, and Unimplemented for an
  /// architecture below 8.0 and in a build without CUDA.
  static StatusOr<std::shared_ptr<CudaGpu>> open(const CudaFuserOptions &options);
  virtual ~CudaGpu() = default;

  virtual const std::string &name() const = 0;
  /// Returns the GPU's architecture as NVRTC names it: "sm_90".
  virtual const std::string &architecture() const = 0;
  /// Returns the GPU's memory, in which tensors can be allocated.
  virtual const DeviceMemory &memory() const = 0;
  /// Returns the fuser of groups whose tensors are on this GPU.
  virtual std::shared_ptr<Fuser> fuser() = 0;
  /// Waits until the GPU has run all that was launched so far.
  virtual Status synchronize() = 0;
  /// Does what Accelerator::runLibrary says, for tensors of this GPU. Returns false, with nothing done, where the
  /// library is not there.
  virtual StatusOr<bool> runLibrary(const OpRecord &record, llvm::ArrayRef<const IValue *> args,
                                    llvm::MutableArrayRef<IValue> results) = 0;
  /// Returns what exchanges tensors with GPUs of other ranks, NCCL, which is opened on the first call. NotFound: it is
  /// not there.
  virtual DeviceCollectivesOrWhy collectives() = 0;
  /// Begins a call of a program, as Accelerator::beginCall says.
  virtual void beginCall(uint64_t code, TraceRecorder *trace) = 0;
  /// Ends the call that beginCall() began.
  virtual Status endCall() = 0;
  /// Does what Accelerator::draw says, for tensors of this GPU.
  virtual StatusOr<bool> draw(const RandomDraw &what, const DeviceSeed &seed, const Tensor &result, const Tensor *self,
                              const Tensor *mask) = 0;
};

/// All GPUs of the machine, each opened when a program first asks for it.
class CudaAccelerator : public Accelerator {
public:
  /// Returns the GPU with this number, opened on the first call. An error of CudaGpu::open is returned again by later
  /// calls.
  virtual StatusOr<std::shared_ptr<CudaGpu>> gpu(int ordinal) = 0;
};
/// Returns the machine's GPUs, each opened with `options`. Programs get GPU `options.device` for `cuda` without a
/// number.
std::shared_ptr<CudaAccelerator> createCudaAccelerator(const CudaFuserOptions &options);

/// Which text of a kernel a listing prints.
enum class CudaListing : uint8_t {
  Source, ///< The kernel's own text.
  Ptx,    ///< The PTX that NVRTC makes of it.
  Program ///< All that NVRTC is given, below a line with its options for each of some architectures.
};

/// Which kernels' text a listing prints, for which architecture, and how.
struct CudaListingOptions {
  CudaListing listing = CudaListing::Source;
  std::string architecture = "sm_90";           ///< The architecture that PTX is made for.
  std::string nvrtc;                            ///< The path of NVRTC's shared library; empty for where it usually is.
  std::function<void(llvm::StringRef)> printed; ///< Called with the text of each kernel.
};

/// Returns a fuser that runs nothing: it plans groups of the processor's tensors as if they were on a GPU, prints their
/// kernels, and leaves the groups to their plain nodes. Returns Unimplemented in a build without CUDA.
StatusOr<std::shared_ptr<Fuser>> createCudaListing(const CudaListingOptions &options);

} // namespace tsc

#endif
