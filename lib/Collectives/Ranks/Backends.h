//===- Backends.h - What exchanges the tensors of a program -----*- C++ -*-===//
#ifndef TSC_LIB_COLLECTIVES_RANKS_BACKENDS_H
#define TSC_LIB_COLLECTIVES_RANKS_BACKENDS_H

#include "tsc/Support/Status.h"
#include "llvm/ADT/StringRef.h"

namespace tsc::ranks {

/// What a program asked init_process_group for. MPI finds the ranks in any case.
struct Backends {
  /// How tensors on a device are exchanged.
  enum class OnDevice : uint8_t {
    Preferred, ///< The device's library exchanges them where all ranks can, and else they go as copies.
    Required,  ///< The device's library exchanges them, or nothing does.
    Never,     ///< They go as copies in the processor's memory.
  };
  bool takesHost = true; ///< Whether tensors in the processor's memory are exchanged.
  OnDevice onDevice = OnDevice::Preferred;
};

/// Returns what "mpi", "nccl" or "cpu:mpi,cuda:nccl" stands for. InvalidArgument for what is none of these.
StatusOr<Backends> backendsOf(llvm::StringRef name);

} // namespace tsc::ranks

#endif
