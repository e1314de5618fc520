//===- ObjectMemory.cpp - Where the sections of an object go --------------===//
#include "ObjectMemory.h"
#include "llvm/Support/MathExtras.h"
#include "llvm/Support/Process.h"

using namespace tsc;
using namespace tsc::fuser;
using llvm::sys::Memory;
using llvm::sys::MemoryBlock;

PageRange::~PageRange() { Memory::releaseMappedMemory(range); }

void PageRange::reserve(size_t bytes) {
  std::error_code error; // without a range, the system places everything
  range = Memory::allocateMappedMemory(bytes, nullptr, Memory::MF_READ | Memory::MF_WRITE, error);
  used = 0;
}

MemoryBlock PageRange::allocateMappedMemory(llvm::SectionMemoryManager::AllocationPurpose, size_t bytes,
                                            const MemoryBlock *near, unsigned flags, std::error_code &error) {
  size_t whole = llvm::alignTo(bytes, llvm::sys::Process::getPageSizeEstimate());
  if (whole > range.allocatedSize() - used)
    return Memory::allocateMappedMemory(bytes, near, flags, error);
  error = {};
  MemoryBlock block(static_cast<char *>(range.base()) + used, whole);
  used += whole;
  return block;
}

std::error_code PageRange::protectMappedMemory(const MemoryBlock &block, unsigned flags) {
  return Memory::protectMappedMemory(block, flags);
}

std::error_code PageRange::releaseMappedMemory(MemoryBlock &block) {
  const char *begin = static_cast<const char *>(range.base()), *at = static_cast<const char *>(block.base());
  bool isOurs = begin && at >= begin && at < begin + range.allocatedSize();
  return isOurs ? std::error_code() : Memory::releaseMappedMemory(block);
}

void ObjectMemory::reserveAllocationSpace(uintptr_t code, llvm::Align, uintptr_t readOnly, llvm::Align,
                                          uintptr_t writable, llvm::Align) {
  constexpr size_t padding = 1 << 16; // each of a few sections begins on a page of its own
  reserve(code + readOnly + writable + padding);
}
