//===- Allocator.cpp - The caching allocator ------------------------------===//
//
// Size classes: multiples of 64 up to 1 KB, then four to a power of two. Small
// blocks are carved from slabs that live as long as the process; larger ones come
// from the source, which is the system or the host, one by one and go back on
// `trim`. A thread keeps a few free blocks of each class; what exceeds that goes to
// lists under a lock.
//
//===----------------------------------------------------------------------===//
#include "tsc/Tensor/Allocator.h"
#include "tsc/Support/ForkSafety.h"
#include "tsc/Support/ThreadExit.h"
#include "tsc/Tensor/DeviceMemory.h"
#include "tsc/Tensor/MemoryAccount.h"
#include "tsc/Tensor/MemorySource.h"
#include "llvm/Support/MathExtras.h"
#include <atomic>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <mutex>
#include <new>
#include <utility>

using namespace tsc;

#if defined(__SANITIZE_ADDRESS__) || (defined(__has_feature) && __has_feature(address_sanitizer))
#define TSC_NO_CACHING 1
#else
#define TSC_NO_CACHING 0
#endif

namespace {

constexpr size_t alignment = 64;
constexpr size_t smallLimit = 1024;
constexpr unsigned numSmall = smallLimit / alignment;
constexpr unsigned numClasses = numSmall + 4 * 36; // up to 2^46 bytes
constexpr size_t largestBlock = size_t{1} << 46;
constexpr size_t slabSize = 64 * 1024;

unsigned classOf(size_t bytes) {
  if (bytes <= smallLimit)
    return bytes == 0 ? 0 : static_cast<unsigned>((bytes - 1) / alignment);
  unsigned log = 63 - llvm::countl_zero(static_cast<uint64_t>(bytes - 1));
  unsigned quarter = static_cast<unsigned>((bytes - 1) >> (log - 2)) & 3;
  return numSmall + (log - 10) * 4 + quarter;
}

size_t sizeOfClass(unsigned c) {
  if (c < numSmall)
    return (c + 1) * alignment;
  unsigned log = (c - numSmall) / 4 + 10, quarter = (c - numSmall) % 4;
  return (size_t{1} << log) + (size_t(quarter) + 1) * (size_t{1} << (log - 2));
}

/// A free block holds the link to the next one.
struct FreeBlock {
  FreeBlock *next;
};

struct FreeList {
  FreeBlock *head = nullptr;
  uint32_t length = 0;
  void push(void *p) {
    auto *block = static_cast<FreeBlock *>(p);
    block->next = head;
    head = block;
    ++length;
  }
  void *pop() {
    FreeBlock *block = head;
    if (block) {
      head = block->next;
      --length;
    }
    return block;
  }
};

/// The lists that all threads share. Never destroyed: tensors may die in static destructors.
struct Central {
  std::mutex &lock = makeForkSafeMutex();
  FreeList lists[numClasses];
  char *slab = nullptr;
  size_t slabLeft = 0;
};
Central &central() {
  static Central *instance = new Central;
  return *instance;
}

std::atomic<size_t> inUse{0};
std::atomic<size_t> limit{0};

/// How many free blocks of a class a thread keeps to itself: about 4 MB each, at least one up to 16 MB.
constexpr uint32_t threadQuota(size_t size) {
  if (size <= smallLimit)
    return 256;
  if (size > (size_t{16} << 20))
    return 0;
  size_t count = (size_t{4} << 20) / size;
  return count < 1 ? 1 : count > 64 ? 64 : static_cast<uint32_t>(count);
}

/// No constructor and no destructor, so that reading it costs no guard.
struct ThreadCache {
  FreeList lists[numClasses];
  bool retired;             ///< The thread is ending: everything goes to the shared lists.
  bool registered;          ///< Its end will be noticed, or it was found that it cannot be.
  memory::Account *account; ///< What the thread takes is counted in it; null for nobody.
};
constinit thread_local ThreadCache cache{};

void flush(ThreadCache &c) {
  Central &shared = central();
  std::lock_guard<std::mutex> guard(shared.lock);
  for (unsigned i = 0; i != numClasses; ++i)
    while (void *p = c.lists[i].pop())
      shared.lists[i].push(p);
}

void retire(void *) {
  cache.retired = true;
  flush(cache);
}

/// A thread whose end would not be noticed keeps nothing to itself.
void registerThread() {
  if (cache.registered)
    return;
  cache.registered = true;
  cache.retired = !atThreadExit(retire, nullptr);
}

/// Huge pages are not asked for: where a host makes memory as it is touched, a first call with large results would wait
/// for whole ones, and warm calls gain little (docs/measurements.md).
constinit memory::Source source = {
    [](void *, size_t size, size_t aligned) { return std::aligned_alloc(aligned, size); },
    [](void *, void *block, size_t) { std::free(block); }, nullptr};
std::atomic<bool> isSourceInUse{false};

void *fromSource(size_t size) {
  isSourceInUse.store(true, std::memory_order_relaxed);
  return source.allocate(source.user, size, alignment);
}
void toSource(void *block, size_t size) { source.release(source.user, block, size); }

/// Under the lock: a small block from the current slab.
void *carve(Central &shared, size_t size) {
  if (shared.slabLeft < size) {
    shared.slab = static_cast<char *>(fromSource(slabSize));
    shared.slabLeft = shared.slab ? slabSize : 0;
    if (!shared.slab)
      return nullptr;
  }
  char *p = shared.slab;
  shared.slab += size;
  shared.slabLeft -= size;
  return p;
}

void *allocateSlowly(unsigned sizeClass, size_t size) {
  registerThread();
  Central &shared = central();
  {
    std::lock_guard<std::mutex> guard(shared.lock);
    if (void *p = shared.lists[sizeClass].pop()) {
      // Take a few more along, so that the lock is not taken for each.
      for (uint32_t i = 0, n = cache.retired ? 0 : threadQuota(size) / 8; i != n; ++i) {
        void *extra = shared.lists[sizeClass].pop();
        if (!extra)
          break;
        cache.lists[sizeClass].push(extra);
      }
      return p;
    }
    if (sizeClass < numSmall)
      return carve(shared, size);
  }
  if (void *p = fromSource(size))
    return p;
  memory::trim();
  return fromSource(size);
}

void *take(unsigned sizeClass, size_t size) {
  if (TSC_NO_CACHING)
    return fromSource(size);
  if (void *p = cache.lists[sizeClass].pop()) [[likely]]
    return p;
  return allocateSlowly(sizeClass, size);
}

void giveBack(void *p, unsigned sizeClass, size_t size) {
  if (memory::Account *account = cache.account) [[unlikely]]
    account->add(-static_cast<int64_t>(size));
  if (TSC_NO_CACHING) {
    toSource(p, size);
    return;
  }
  FreeList &mine = cache.lists[sizeClass];
  uint32_t quota = threadQuota(size);
  if (!cache.registered) [[unlikely]]
    registerThread();
  if (mine.length < quota && !cache.retired) [[likely]] {
    mine.push(p);
    return;
  }
  Central &shared = central();
  std::lock_guard<std::mutex> guard(shared.lock);
  shared.lists[sizeClass].push(p);
  for (uint32_t i = 0; i != quota / 2; ++i)
    if (void *extra = mine.pop())
      shared.lists[sizeClass].push(extra);
}

memory::Block allocateBlock(size_t bytes) {
  if (bytes > largestBlock)
    return {};
  unsigned sizeClass = classOf(bytes);
  size_t size = sizeOfClass(sizeClass);
  if (memory::Account *account = cache.account; account && !account->take(size)) [[unlikely]]
    return {};
  auto refused = [size]() -> memory::Block {
    if (memory::Account *account = cache.account)
      account->add(-static_cast<int64_t>(size));
    return {};
  };
  if (size <= smallLimit) {
    void *p = take(sizeClass, size);
    return p ? memory::Block{p, size} : refused();
  }
  size_t now = inUse.fetch_add(size, std::memory_order_relaxed) + size;
  size_t most = limit.load(std::memory_order_relaxed);
  void *p = most != 0 && now > most ? nullptr : take(sizeClass, size);
  if (!p) {
    inUse.fetch_sub(size, std::memory_order_relaxed);
    return refused();
  }
  return {p, size};
}

} // namespace

static thread_local bool fillsWithZeros = false;

memory::ZeroFill::ZeroFill() : previous(std::exchange(fillsWithZeros, true)) {}
memory::ZeroFill::~ZeroFill() { fillsWithZeros = previous; }

memory::Block memory::allocate(size_t bytes) {
  Block block = allocateBlock(bytes);
  if (fillsWithZeros && block.data) [[unlikely]]
    std::memset(block.data, 0, block.capacity);
  return block;
}

void memory::deallocate(void *data, size_t capacity) {
  if (!data)
    return;
  assert(capacity == sizeOfClass(classOf(capacity)) && "the capacity that allocate() gave");
  if (capacity > smallLimit)
    inUse.fetch_sub(capacity, std::memory_order_relaxed);
  giveBack(data, classOf(capacity), capacity);
}

void *memory::allocateObject(size_t size) {
  assert(size <= smallLimit && "objects are small");
  unsigned sizeClass = classOf(size);
  if (Account *account = cache.account) [[unlikely]] {
    if (account->isFarExceeded())
      throw std::bad_alloc();
    account->add(static_cast<int64_t>(sizeOfClass(sizeClass)));
  }
  void *p = take(sizeClass, sizeOfClass(sizeClass));
  if (!p)
    throw std::bad_alloc();
  return p;
}

void memory::deallocateObject(void *object, size_t size) {
  assert(object && size <= smallLimit && "an object of allocateObject()");
  unsigned sizeClass = classOf(size);
  giveBack(object, sizeClass, sizeOfClass(sizeClass));
}

void memory::trim() {
  Central &shared = central();
  flush(cache);
  std::lock_guard<std::mutex> guard(shared.lock);
  for (unsigned i = numSmall; i != numClasses; ++i)
    while (void *p = shared.lists[i].pop())
      toSource(p, sizeOfClass(i));
}

bool memory::setSource(const Source &given) {
  assert(given.allocate && given.release && "a source gives memory and takes it back");
  if (isSourceInUse.load(std::memory_order_relaxed))
    return false;
  source = given;
  return true;
}

//===----------------------------------------------------------------------===//
// Accounts
//===----------------------------------------------------------------------===//

void memory::Account::reset() {
  used.store(0, std::memory_order_relaxed);
  exceeded.store(false, std::memory_order_relaxed);
}

void memory::Account::sound() {
  exceeded.store(true, std::memory_order_relaxed);
  if (alarm)
    alarm->store(true, std::memory_order_relaxed);
}

/// More than an account may hold, in a number that can be compared with what is used.
static int64_t asBytes(size_t limit) { return limit > INT64_MAX ? INT64_MAX : static_cast<int64_t>(limit); }

bool memory::Account::take(size_t bytes) {
  if (!hasRoom(bytes))
    return false;
  used.fetch_add(static_cast<int64_t>(bytes), std::memory_order_relaxed);
  return true;
}

void memory::Account::add(int64_t bytes) {
  if (used.fetch_add(bytes, std::memory_order_relaxed) + bytes > asBytes(getLimit()) && bytes > 0) [[unlikely]]
    sound();
}

bool memory::Account::hasRoom(size_t bytes) {
  int64_t all;
  if (!__builtin_add_overflow(bytesUsed(), bytes, &all) && all <= asBytes(getLimit())) [[likely]]
    return true;
  sound();
  return false;
}

bool memory::Account::isFarExceeded() const {
  const int64_t most = asBytes(getLimit());
  int64_t far;
  return !__builtin_add_overflow(most, most / 16 + (int64_t{1} << 20), &far) && bytesUsed() > far;
}

memory::AccountScope::AccountScope(Account *account) : previous(std::exchange(cache.account, account)) {}
memory::AccountScope::~AccountScope() { cache.account = previous; }

void memory::countBytes(int64_t bytes) {
  if (Account *account = cache.account) [[unlikely]]
    account->add(bytes);
}
bool memory::hasRoom(size_t bytes) { return !cache.account || cache.account->hasRoom(bytes); }

void memory::setLimit(size_t bytes) { limit.store(bytes, std::memory_order_relaxed); }
size_t memory::bytesInUse() { return inUse.load(std::memory_order_relaxed); }

//===----------------------------------------------------------------------===//
// The processor
//===----------------------------------------------------------------------===//

namespace {
class ProcessorMemory final : public DeviceMemory {
public:
  constexpr ProcessorMemory() : DeviceMemory(Device()) {}
  memory::Block allocate(size_t bytes) const override { return memory::allocate(bytes); }
  void deallocate(void *data, size_t capacity) const override { memory::deallocate(data, capacity); }
  void copy(void *to, const void *from, size_t bytes) const override { std::memcpy(to, from, bytes); }
};
} // namespace

static constexpr ProcessorMemory cachingMemory;
static constinit const DeviceMemory *processorMemory = &cachingMemory;

void memory::setProcessorMemory(const DeviceMemory &memory) {
  assert(memory.device().kind == DeviceKind::CPU && "memory that the processor reads");
  processorMemory = &memory;
}
const DeviceMemory &DeviceMemory::cpu() { return *processorMemory; }
