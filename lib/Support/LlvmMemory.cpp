//===- LlvmMemory.cpp - Memory of LLVM's hash tables ----------------------===//
//
// Most of LLVM's containers ask for memory before they change anything, so that an
// exception leaves them as they were. DenseMap does not: when it grows it has noted
// its new size by then, and a destructor would go beyond the old table. It must get
// what it asks for. So some memory is set aside, untouched, and given out when the
// system has none; the operation that needed it ends soon, at the next request of
// another container.
//
// DenseMap asks through llvm::allocate_buffer. A program that owns its LLVM is
// linked with --wrap (tsc_stand_alone in TscStandAlone.cmake), by which calls of that
// function come here; in others, these functions are not called.
//
//===----------------------------------------------------------------------===//
#include "LlvmMemory.h"
#include <algorithm>
#include <array>
#include <atomic>
#include <cstddef>
#include <cstdlib>
#include <mutex>
#include <new>
#include <sys/mman.h>
#include <unistd.h>

using namespace tsc;

namespace {
/// Memory that was set aside. It is empty again when the last block of it is given back.
struct Arena {
  char *base = nullptr;
  size_t size = 0, used = 0, numBlocks = 0;

  /// Takes memory where so much more is free: what runs next, such as the constructors of a program that starts, needs
  /// some.
  bool make(size_t wanted, size_t leaves) {
    void *made =
        mmap(nullptr, wanted + leaves, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (made == MAP_FAILED)
      return false;
    if (leaves)
      munmap(static_cast<char *>(made) + wanted, leaves);
    *this = {static_cast<char *>(made), wanted, 0, 0};
    return true;
  }
  bool holds(const void *p) const { return p >= base && p < base + size; }
  void *take(size_t bytes, size_t alignment) {
    const size_t begin = (used + alignment - 1) & ~(alignment - 1);
    if (begin > size || bytes > size - begin)
      return nullptr;
    used = begin + bytes;
    ++numBlocks;
    return base + begin;
  }
};

class Reserve {
public:
  void prepare() {
    std::lock_guard<std::mutex> guard(lock);
    refill(leastSize, spare);
  }
  /// Sees to it that a table of `bytes` finds room for the next one, of twice the size.
  void expect(size_t bytes) {
    if (bytes <= expected.load(std::memory_order_relaxed)) [[likely]]
      return;
    std::lock_guard<std::mutex> guard(lock);
    refill(2 * bytes, spare);
  }
  void *take(size_t bytes, size_t alignment) {
    std::lock_guard<std::mutex> guard(lock);
    void *taken = takeFromOne(bytes, alignment);
    if (!taken && refill(bytes + alignment, 0))
      taken = takeFromOne(bytes, alignment);
    if (taken) {
      numTaken.fetch_add(1, std::memory_order_relaxed);
      refill(2 * expected.load(std::memory_order_relaxed), 0); // for the next one
    }
    return taken;
  }
  /// Whether the block was taken here, and goes back.
  bool giveBack(void *block) {
    if (numTaken.load(std::memory_order_relaxed) == 0) [[likely]]
      return false;
    std::lock_guard<std::mutex> guard(lock);
    for (Arena &arena : arenas)
      if (arena.holds(block)) {
        numTaken.fetch_sub(1, std::memory_order_relaxed);
        if (--arena.numBlocks == 0)
          arena.used = 0;
        return true;
      }
    return false;
  }

private:
  static constexpr size_t leastSize = size_t{8} << 20, spare = size_t{4} << 20;

  void *takeFromOne(size_t bytes, size_t alignment) {
    for (Arena &arena : arenas)
      if (void *taken = arena.take(bytes, alignment))
        return taken;
    return nullptr;
  }
  /// Whether some arena has room for so much; makes one where none has.
  bool refill(size_t bytes, size_t leaves) {
    return refillWith(std::max(bytes, leastSize), leaves) || (leaves == 0 && refillWith(bytes, 0));
  }
  bool refillWith(size_t bytes, size_t leaves) {
    auto hasRoom = [&](const Arena &arena) { return arena.size - arena.used >= bytes; };
    if (std::any_of(arenas.begin(), arenas.end(), hasRoom))
      return true;
    for (Arena &arena : arenas) {
      if (arena.numBlocks != 0)
        continue;
      Arena made;
      if (!made.make(bytes, leaves))
        return false;
      if (arena.base)
        munmap(arena.base, arena.size);
      arena = made;
      expected.store(std::max(bytes / 2, expected.load(std::memory_order_relaxed)), std::memory_order_relaxed);
      return true;
    }
    return false;
  }

  std::mutex lock;
  std::array<Arena, 16> arenas{};
  std::atomic<size_t> expected{0}; ///< The largest table for which the next one's room is there.
  std::atomic<size_t> numTaken{0};
};
} // namespace

static constinit Reserve reserve;

void tsc::prepareLlvmMemory() { reserve.prepare(); }

extern "C" {
/// What llvm::allocate_buffer and llvm::deallocate_buffer are in a program that is linked so: `__wrap_` and their
/// names.
void *__wrap__ZN4llvm15allocate_bufferEmm(size_t size, size_t alignment);
void __wrap__ZN4llvm17deallocate_bufferEPvmm(void *block, size_t size, size_t alignment);

void *__wrap__ZN4llvm15allocate_bufferEmm(size_t size, size_t alignment) {
  reserve.expect(size);
  if (void *block = ::operator new(size, std::align_val_t(alignment), std::nothrow)) [[likely]]
    return block;
  // Bump allocators ask for blocks of the largest alignment, before they change anything; the buckets of tables hold
  // pointers and numbers. Trees and types that go on growing must not use up what tables need.
  if (alignment >= alignof(std::max_align_t))
    throw std::bad_alloc();
  if (void *block = reserve.take(size, alignment))
    return block;
  constexpr char said[] = "tsc: out of memory, and what was set aside is used up\n";
  (void)!write(STDERR_FILENO, said, sizeof said - 1);
  std::abort(); // the table that asks can neither grow nor stay
}

void __wrap__ZN4llvm17deallocate_bufferEPvmm(void *block, size_t size, size_t alignment) {
  if (!reserve.giveBack(block)) [[likely]]
    ::operator delete(block, size, std::align_val_t(alignment));
}
}
