//===- CudaCompiler.h - Kernels on a device ---------------------*- C++ -*-===//
#ifndef TSC_LIB_FUSERCUDA_CUDACOMPILER_H
#define TSC_LIB_FUSERCUDA_CUDACOMPILER_H

#include "CudaDevice.h"
#include "Driver.h"
#include "Nvrtc.h"
#include "tsc/Fusion/KernelCache.h"

namespace tsc::fuser {

/// What compiling kernels for an architecture is worth.
Nvrtc::Effort effortFor(llvm::StringRef architecture, llvm::ArrayRef<const LoopNest *> nests);

/// Compiles the kernels that are wanted as one program, loads it, and launches what is in it. Programs are unloaded
/// with the compiler.
class CudaCompiler final : public KernelCompiler, public KernelRunner {
public:
  CudaCompiler(DriverContext &context, const Nvrtc &nvrtc) : context(context), nvrtc(nvrtc) {}
  ~CudaCompiler() override;

  Status prepare() override { return okStatus(); }
  std::vector<Kernel *> load(llvm::ArrayRef<Kernel *> wanted) override { return wanted.vec(); }
  Status generate(llvm::ArrayRef<Kernel *> kernels) override;
  Status launch(const Kernel &kernel, Entry entry, unsigned units, unsigned threads,
                ArrayRef<uint64_t> params) const override;
  /// What launch() asks of the driver.
  DriverContext::Configuration configuration(const Kernel &kernel, Entry entry, unsigned units, unsigned threads,
                                             ArrayRef<uint64_t> params) const;

private:
  /// Of a kernel, by Entry.
  struct Code {
    CuFunction entries[2] = {};
  };

  DriverContext &context;
  const Nvrtc &nvrtc;
  std::mutex lock; ///< Of what follows.
  std::vector<CuModule> modules;
  std::vector<std::unique_ptr<Code>> codes;
};

} // namespace tsc::fuser

#endif
