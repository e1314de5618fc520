//===- GuardedMemory.h - Tensors between pages of no access -----*- C++ -*-===//
//
// Kernels that read or write outside of a tensor seldom crash: what lies there is
// memory of the allocator's too. Here each block is between two pages that nobody may
// touch, and ends where the one begins or begins where the other ends. What is given
// back cannot be touched either, until its place is needed again.
//
//===----------------------------------------------------------------------===//
#ifndef TSC_FUZZ_GUARDEDMEMORY_H
#define TSC_FUZZ_GUARDEDMEMORY_H

#include "tsc/Tensor/DeviceMemory.h"

namespace tsc::fuzz {

/// Memory of the processor's, counted in the account of the thread that takes it. Where `alignment` leaves bytes
/// between a block and the page behind it, they are looked at when the block goes: whoever wrote them is found then.
class GuardedMemory final : public DeviceMemory {
public:
  constexpr explicit GuardedMemory(size_t alignment) : DeviceMemory(Device()), alignment(alignment) {}
  memory::Block allocate(size_t bytes) const override;
  void deallocate(void *data, size_t capacity) const override;
  void copy(void *to, const void *from, size_t bytes) const override;
  /// Decides alike from now on which blocks stand behind a page: an input does the same each time.
  static void restart();

private:
  size_t alignment;
};

} // namespace tsc::fuzz

#endif // TSC_FUZZ_GUARDEDMEMORY_H
