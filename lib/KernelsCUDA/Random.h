//===- Random.h - Random numbers of a GPU -----------------------*- C++ -*-===//
#ifndef TSC_LIB_KERNELSCUDA_RANDOM_H
#define TSC_LIB_KERNELSCUDA_RANDOM_H

#include "Programs.h"
#include "tsc/Runtime/Dispatch/Accelerator.h"

namespace tsc::fuser {

/// Programs that fill tensors with PyTorch's numbers for CUDA: those of curand's Philox, each thread with a subsequence
/// of its own, and as many threads as PyTorch has for so many elements on such a device.
///
/// Threads: everything may be called from many threads.
class RandomPrograms {
public:
  RandomPrograms(DriverContext &context, const Nvrtc &nvrtc, ProgramStore &disk)
      : context(context), programs(context, nvrtc, disk) {}
  /// Does what Accelerator::draw says; all tensors are row-major.
  StatusOr<bool> draw(const RandomDraw &what, const DeviceSeed &seed, const Tensor &result, const Tensor *self,
                      const Tensor *mask);

private:
  /// How much was drawn since the seed was set, to which `more`, a multiple of 4, is added.
  uint64_t takeOffset(const DeviceSeed &seed, uint64_t more);

  DriverContext &context;
  Programs programs;
  std::mutex lock; ///< Guards what follows.
  uint64_t seedNumber = 0, offset = 0;
};

} // namespace tsc::fuser

#endif
