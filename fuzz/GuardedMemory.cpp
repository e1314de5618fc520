//===- GuardedMemory.cpp - Tensors between pages of no access -------------===//
#include "GuardedMemory.h"
#include "tsc/Tensor/MemoryAccount.h"
#include "llvm/Support/MathExtras.h"
#include "llvm/Support/raw_ostream.h"
#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <deque>
#include <mutex>
#include <sys/mman.h>

using namespace tsc;
using fuzz::GuardedMemory;

static constexpr size_t pageSize = 4096;
static constexpr size_t largestBlock = size_t{1} << 32;
/// Places of at most so many pages are used again, after so many others of their size were given back.
static constexpr size_t mostPagesKept = 16, mostWaiting = 32;
/// Each place is two or three mappings, of which the kernel gives a process 65,530; a call that makes more tensors has
/// no memory for them.
static constexpr size_t mostPlaces = 16'000;
static constexpr int unused = 0xA5;

namespace {
struct Places {
  std::mutex lock;
  std::deque<char *> waiting[mostPagesKept + 1]; ///< By their pages; nobody may touch them.
  uint64_t taken = 0;
  size_t mapped = 0;
};
} // namespace

static Places &places() {
  static Places *instance = new Places; // tensors may go in static destructors
  return *instance;
}

static size_t pagesOf(size_t bytes) { return llvm::divideCeil(bytes, pageSize); }
static bool protect(char *place, size_t pages, int access) { return mprotect(place, pages * pageSize, access) == 0; }

static char *mapPlace(size_t pages) {
  void *mapped = mmap(nullptr, (pages + 2) * pageSize, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  return mapped == MAP_FAILED ? nullptr : static_cast<char *>(mapped) + pageSize;
}

static void unmapPlace(Places &all, char *place, size_t pages) {
  munmap(place - pageSize, (pages + 2) * pageSize);
  --all.mapped;
}

/// Where the bytes behind a block begin; they end with its last page.
static char *endOf(void *data, size_t bytes) { return static_cast<char *>(data) + bytes; }
static size_t slackOf(void *data, size_t bytes) {
  const auto end = reinterpret_cast<uintptr_t>(endOf(data, bytes));
  return llvm::alignTo(end, pageSize) - end;
}

void GuardedMemory::restart() { places().taken = 0; }

memory::Block GuardedMemory::allocate(size_t bytes) const {
  bytes = std::max<size_t>(bytes, 1); // capacity 0 means memory of somebody else's
  if (bytes > largestBlock || !memory::hasRoom(bytes))
    return {};
  Places &all = places();
  std::lock_guard guard(all.lock);
  const size_t pages = pagesOf(bytes);
  char *place = nullptr;
  if (pages <= mostPagesKept && all.waiting[pages].size() > mostWaiting) {
    place = all.waiting[pages].front();
    all.waiting[pages].pop_front();
  } else if (all.mapped == mostPlaces || !(place = mapPlace(pages))) {
    return {};
  } else {
    ++all.mapped;
  }
  if (!protect(place, pages, PROT_READ | PROT_WRITE)) {
    unmapPlace(all, place, pages);
    return {};
  }
  const bool standsAtBegin = all.taken++ % 4 == 3;
  char *data = standsAtBegin ? place : place + pages * pageSize - llvm::alignTo(bytes, alignment);
  if (pages <= mostPagesKept)
    std::memset(place, unused, pages * pageSize);
  else
    std::memset(endOf(data, bytes), unused, slackOf(data, bytes));
  memory::countBytes(static_cast<int64_t>(bytes));
  return {data, bytes};
}

void GuardedMemory::deallocate(void *data, size_t capacity) const {
  const char *slack = endOf(data, capacity);
  if (!std::all_of(slack, slack + slackOf(data, capacity), [](char c) { return c == static_cast<char>(unused); })) {
    llvm::errs() << "bytes behind a block of " << capacity << " bytes were written\n";
    std::abort();
  }
  memory::countBytes(-static_cast<int64_t>(capacity));
  Places &all = places();
  std::lock_guard guard(all.lock);
  const size_t pages = pagesOf(capacity);
  char *place = static_cast<char *>(data) - reinterpret_cast<uintptr_t>(data) % pageSize;
  const bool isKept = pages <= mostPagesKept && all.waiting[pages].size() <= mostWaiting;
  if (isKept && protect(place, pages, PROT_NONE))
    all.waiting[pages].push_back(place);
  else
    unmapPlace(all, place, pages);
}

void GuardedMemory::copy(void *to, const void *from, size_t bytes) const { std::memcpy(to, from, bytes); }
