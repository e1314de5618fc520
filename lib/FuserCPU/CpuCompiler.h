//===- CpuCompiler.h - Machine code of kernels ------------------*- C++ -*-===//
//
// Code is loaded from disk, or generated and put there.
//
//===----------------------------------------------------------------------===//
#ifndef TSC_LIB_FUSERCPU_CPUCOMPILER_H
#define TSC_LIB_FUSERCPU_CPUCOMPILER_H

#include "Jit.h"
#include "tsc/CodeGen/NestCompiler.h"
#include "tsc/FuserCPU/FuserCPU.h"
#include "tsc/Fusion/KernelCache.h"
#include "tsc/Support/LosableMutex.h"

namespace tsc::fuser {

class CpuCompiler final : public KernelCompiler {
public:
  CpuCompiler(const CpuFuserOptions &options, FuserCounters &counters) : options(options), counters(counters) {}
  Status prepare() override;
  std::vector<Kernel *> load(llvm::ArrayRef<Kernel *> kernels) override;
  Status generate(llvm::ArrayRef<Kernel *> kernels) override;

private:
  void give(Kernel &kernel, KernelFunction function);
  void print(const Kernel &kernel);

  const CpuFuserOptions options;
  FuserCounters &counters;
  std::once_flag made;
  std::unique_ptr<NestCompiler> nestCompiler;
  std::unique_ptr<Jit> jit;
  Status machineStatus; ///< Why there is no compiler of nests, once it was asked for.
  LosableMutex diskLock;
  std::unique_ptr<DiskCache> disk; ///< Made with the compiler of nests.
};

} // namespace tsc::fuser

#endif
