//===- ObjectMemory.h - Where the sections of an object go ------*- C++ -*-===//
//
// Code refers to its constants by offsets of 32 bits: all sections of an object lie
// in one range of addresses.
//
//===----------------------------------------------------------------------===//
#ifndef TSC_LIB_FUSERCPU_OBJECTMEMORY_H
#define TSC_LIB_FUSERCPU_OBJECTMEMORY_H

#include "llvm/ExecutionEngine/SectionMemoryManager.h"

namespace tsc::fuser {

/// Gives out pages of a range that it owns. What the range has no room for, the system places, within reach of the rest
/// or not at all.
class PageRange : public llvm::SectionMemoryManager::MemoryMapper {
public:
  PageRange() = default;
  PageRange(const PageRange &) = delete;
  PageRange &operator=(const PageRange &) = delete;
  ~PageRange() override;
  /// Once.
  void reserve(size_t bytes);
  llvm::sys::MemoryBlock allocateMappedMemory(llvm::SectionMemoryManager::AllocationPurpose purpose, size_t bytes,
                                              const llvm::sys::MemoryBlock *near, unsigned flags,
                                              std::error_code &error) override;
  std::error_code protectMappedMemory(const llvm::sys::MemoryBlock &block, unsigned flags) override;
  std::error_code releaseMappedMemory(llvm::sys::MemoryBlock &block) override;

private:
  bool isWithinReach(const llvm::sys::MemoryBlock &block) const;
  llvm::sys::MemoryBlock range;
  size_t used = 0; ///< Bytes of it; whole pages.
};

/// A base, so that it outlives the manager, which returns its pages when it is destroyed.
struct OwnsPageRange {
  PageRange range;
};
/// For one object.
class ObjectMemory : private OwnsPageRange, public llvm::SectionMemoryManager {
public:
  ObjectMemory() : llvm::SectionMemoryManager(&range) {}
  bool needsToReserveAllocationSpace() override { return true; }
  void reserveAllocationSpace(uintptr_t code, llvm::Align, uintptr_t readOnly, llvm::Align, uintptr_t writable,
                              llvm::Align) override;
};

} // namespace tsc::fuser

#endif
