//===- CudaKernels.h - Operators that have kernels of their own on a GPU *- C++ -*-===//
//
// Kernels that are written by hand, products by cuBLASLt, convolutions and recurrent layers
// by cuDNN, and random numbers. Which operator has which says its record (`cudaKernel`).
//
//===----------------------------------------------------------------------===//
#ifndef TSC_KERNELSCUDA_CUDAKERNELS_H
#define TSC_KERNELSCUDA_CUDAKERNELS_H

#include "tsc/DeviceCUDA/Driver.h"
#include "tsc/DeviceCUDA/Nvrtc.h"
#include "tsc/DeviceCUDA/ProgramStore.h"
#include "tsc/IR/IValue.h"
#include "tsc/IR/OpRecord.h"
#include "tsc/Runtime/Dispatch/Accelerator.h"

namespace tsc::fuser {

/// Where the kernels' libraries and headers are, and whether kernels are compiled.
struct CudaKernelOptions {
  /// The paths of the shared libraries; empty for where they usually are. One that is missing serves no operator.
  std::string cublasLt, cudnn;
  std::string headers;  ///< The folder of the toolkit's headers, whose CUB sorts; empty for where it usually is.
  bool compiles = true; ///< Where it is false, only the libraries' kernels run.
};

/// The kernels of one GPU, each compiled or opened when it is first needed.
///
/// Threads:   everything may be called from many threads.
/// Ownership: uses the context, the compiler, the store and the memory, which live longer.
class CudaKernels {
public:
  CudaKernels(DriverContext &context, const Nvrtc &nvrtc, ProgramStore &disk, const DeviceMemory &memory,
              const CudaKernelOptions &options);
  ~CudaKernels();

  /// Runs an operator on tensors of this GPU, as Accelerator::runLibrary says. Returns false, with nothing done, where
  /// there is no kernel for such operands, or the operator has an error to tell.
  StatusOr<bool> run(const OpRecord &record, llvm::ArrayRef<const IValue *> args,
                     llvm::MutableArrayRef<IValue> results);
  /// Draws random numbers, as Accelerator::draw says.
  StatusOr<bool> draw(const RandomDraw &what, const DeviceSeed &seed, const Tensor &result, const Tensor *self,
                      const Tensor *mask);

private:
  class Kernels;
  std::unique_ptr<Kernels> kernels;
};

} // namespace tsc::fuser

#endif
