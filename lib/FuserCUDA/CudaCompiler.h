//===- CudaCompiler.h - Kernels on a device ---------------------*- C++ -*-===//
#ifndef TSC_LIB_FUSERCUDA_CUDACOMPILER_H
#define TSC_LIB_FUSERCUDA_CUDACOMPILER_H

#include "CudaDevice.h"
#include "tsc/DeviceCUDA/Driver.h"
#include "tsc/DeviceCUDA/Nvrtc.h"
#include "tsc/DeviceCUDA/ProgramStore.h"
#include "tsc/Fusion/KernelCache.h"

namespace tsc::fuser {

/// Returns how much work NVRTC should spend on the kernels of `nests` for `architecture`, e.g. "sm_90".
Nvrtc::Effort effortFor(llvm::StringRef architecture, llvm::ArrayRef<const LoopNest *> nests);

/// Loads the kernels that are wanted from disk, or compiles them as one program, and launches what is in it. Programs
/// are unloaded with the compiler.
class CudaCompiler final : public KernelCompiler, public KernelRunner {
public:
  CudaCompiler(DriverContext &context, const Nvrtc &nvrtc, ProgramStore &disk, FuserCounters &counters)
      : context(context), nvrtc(nvrtc), disk(disk), counters(counters) {}
  ~CudaCompiler() override;

  Status prepare() override { return okStatus(); }
  std::vector<Kernel *> load(llvm::ArrayRef<Kernel *> wanted) override;
  Status generate(llvm::ArrayRef<Kernel *> kernels) override;
  Status launch(const Kernel &kernel, Entry entry, unsigned units, unsigned threads,
                ArrayRef<uint64_t> params) const override;
  /// What launch() asks of the driver.
  DriverContext::Configuration configuration(const Kernel &kernel, Entry entry, unsigned units, unsigned threads,
                                             ArrayRef<uint64_t> params) const;

private:
  /// The functions of one kernel in a loaded program, by Entry; a kernel without Entry::Combine has null there.
  struct Code {
    CuFunction entries[2] = {};
  };

  /// Loads a program, and gives kernels what they are in it, by its symbols; nothing to those without one.
  Status give(const std::string &image, llvm::ArrayRef<Kernel *> kernels, llvm::ArrayRef<std::string> symbols);

  DriverContext &context;
  const Nvrtc &nvrtc;
  ProgramStore &disk;
  FuserCounters &counters;
  std::mutex lock; ///< Guards `modules` and `codes`.
  std::vector<CuModule> modules;
  std::vector<std::unique_ptr<Code>> codes;
};

} // namespace tsc::fuser

#endif
