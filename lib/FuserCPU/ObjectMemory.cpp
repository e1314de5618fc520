//===- ObjectMemory.cpp - Where the sections of an object go --------------===//
#include "ObjectMemory.h"
#include "llvm/Support/MathExtras.h"
#include "llvm/Support/Process.h"
#include <limits>
#include <new>

using namespace tsc;
using namespace tsc::fuser;
using llvm::sys::Memory;
using llvm::sys::MemoryBlock;

PageRange::~PageRange() { Memory::releaseMappedMemory(range); }

void PageRange::reserve(size_t bytes) {
  assert(!range.base() && "a range is reserved once");
  std::error_code error; // without a range, nothing is placed later on
  range = Memory::allocateMappedMemory(bytes, nullptr, Memory::MF_READ | Memory::MF_WRITE, error);
}

MemoryBlock PageRange::allocateMappedMemory(llvm::SectionMemoryManager::AllocationPurpose, size_t bytes,
                                            const MemoryBlock *, unsigned flags, std::error_code &error) {
  size_t whole = llvm::alignTo(bytes, llvm::sys::Process::getPageSizeEstimate());
  if (whole > range.allocatedSize() - used) {
    MemoryBlock placed = Memory::allocateMappedMemory(bytes, &range, flags, error);
    if (!error && isWithinReach(placed))
      return placed;
    if (!error)
      Memory::releaseMappedMemory(placed);
    throw std::bad_alloc(); // LLVM would end the process
  }
  error = {};
  MemoryBlock block(static_cast<char *>(range.base()) + used, whole);
  used += whole;
  return block;
}

/// Of 32-bit offsets from anywhere in the range. Without a range nothing is: one section may be far from the next.
bool PageRange::isWithinReach(const MemoryBlock &block) const {
  auto first = reinterpret_cast<uintptr_t>(range.base()), other = reinterpret_cast<uintptr_t>(block.base());
  uintptr_t begin = std::min(first, other);
  uintptr_t end = std::max(first + range.allocatedSize(), other + block.allocatedSize());
  return range.base() && end - begin <= std::numeric_limits<int32_t>::max();
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
  range.reserve(code + readOnly + writable + padding);
}
