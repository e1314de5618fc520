//===- Nccl.h - Exchanges between the GPUs of ranks -------------*- C++ -*-===//
#ifndef TSC_DEVICECUDA_NCCL_H
#define TSC_DEVICECUDA_NCCL_H

#include "tsc/DeviceCUDA/Driver.h"
#include "tsc/Runtime/Dispatch/DeviceCollectives.h"

namespace tsc::fuser {

/// Opens NCCL, NVIDIA's library for exchanges between GPUs, at `path`, or where it usually is when that is empty: by
/// its name, under CUDA_PATH or CUDA_HOME, under the toolkit's usual folder. It exchanges tensors of the context, which
/// lives longer. NotFound: it is not there; Unimplemented: it is older than version 2.14, which waits for nobody.
StatusOr<std::unique_ptr<DeviceCollectives>> openNccl(llvm::StringRef path, DriverContext &context);

} // namespace tsc::fuser

#endif
