//===- Memory.cpp - Where tensors' elements and values are allocated ------===//
#include "Handles.h"
#include "tsc/Tensor/MemorySource.h"

using namespace tsc;
using namespace tsc::capi;

/// What the host gives, where it is aligned: kernels count on it.
static void *allocateAligned(void *user, size_t size, size_t alignment) {
  const auto &host = *static_cast<const tsc_allocator *>(user);
  void *block = host.allocate(host.user, size, alignment);
  if (reinterpret_cast<uintptr_t>(block) % alignment == 0)
    return block;
  host.release(host.user, block, size);
  return nullptr;
}

tsc_error *tsc_set_allocator(const tsc_allocator *allocator) {
  return guarded([&]() -> Status {
    TSC_RETURN_IF_ERROR(checkNotNull({{allocator, "allocator"}}));
    if (allocator->struct_size < sizeof(tsc_allocator))
      return invalidArgument("struct_size of a tsc_allocator is " + llvm::Twine(allocator->struct_size) + ", and not " +
                             llvm::Twine(sizeof(tsc_allocator)));
    if (!allocator->allocate || !allocator->release)
      return invalidArgument("an allocator needs 'allocate' and 'release'");
    auto host = std::make_unique<tsc_allocator>(*allocator);
    auto release = [](void *user, void *block, size_t size) {
      const auto &host = *static_cast<const tsc_allocator *>(user);
      host.release(host.user, block, size);
    };
    if (!memory::setSource({allocateAligned, release, host.get()}))
      return invalidArgument("the allocator is set before anything else: memory has been taken already");
    (void)host.release(); // for as long as the process lives
    return okStatus();
  });
}

void tsc_release_free_memory(void) { memory::trim(); }
