//===- MemoryAccount.h - What a program takes of memory ---------*- C++ -*-===//
//
// Tensors, lists, dicts, strings and objects are counted in the account of the
// thread that makes them, where it has one: so a host limits what a call may use.
//
//===----------------------------------------------------------------------===//
#ifndef TSC_TENSOR_MEMORYACCOUNT_H
#define TSC_TENSOR_MEMORYACCOUNT_H

#include <atomic>
#include <cstddef>
#include <cstdint>

namespace tsc::memory {

/// What the blocks, objects and containers come to that were taken, less those that were given back, by the threads
/// that count in it (AccountScope). Memory that was there before may be given back too: it is less than nothing then.
///
/// Threads: any number may count in one account.
class Account {
public:
  /// More than this is refused. Blocks are refused at once; objects of a few bytes are counted, and refused when they
  /// come to much more than the limit: who runs a program looks at wasExceeded() from time to time.
  void setLimit(size_t bytes) { limit.store(bytes, std::memory_order_relaxed); }
  size_t getLimit() const { return limit.load(std::memory_order_relaxed); }
  /// Is set when the limit is exceeded; may be null. Outlives the account.
  void setAlarm(std::atomic<bool> *flag) { alarm = flag; }
  bool wasExceeded() const { return exceeded.load(std::memory_order_relaxed); }
  int64_t bytesUsed() const { return used.load(std::memory_order_relaxed); }
  /// Begins anew, with nothing used.
  void reset();

  /// Counts bytes, or takes them back. False, and they are not counted, when there is no room for them.
  bool take(size_t bytes);
  /// Counts bytes, room or not.
  void add(int64_t bytes);
  /// Whether there is room; where there is none, the limit is exceeded.
  bool hasRoom(size_t bytes);
  /// Whether so much more than the limit is used that no object may be made any more.
  bool isFarExceeded() const;

private:
  void sound();
  std::atomic<int64_t> used{0};
  std::atomic<size_t> limit{SIZE_MAX};
  std::atomic<bool> exceeded{false};
  std::atomic<bool> *alarm = nullptr;
};

/// While it lives, what the calling thread takes and gives back counts in an account, or, with null, in none.
class AccountScope {
public:
  explicit AccountScope(Account *account);
  ~AccountScope();
  AccountScope(const AccountScope &) = delete;
  AccountScope &operator=(const AccountScope &) = delete;

private:
  Account *previous;
};

/// Counts bytes of containers, which come from elsewhere, in the thread's account.
void countBytes(int64_t bytes);
/// Whether the thread's account, if it has one, has room for so many bytes more. For what would take much at once.
bool hasRoom(size_t bytes);

/// The bytes that one container is counted with.
class CountedBytes {
public:
  CountedBytes() = default;
  CountedBytes(const CountedBytes &) = delete;
  CountedBytes &operator=(const CountedBytes &) = delete;
  ~CountedBytes() {
    if (bytes)
      countBytes(-static_cast<int64_t>(bytes));
  }
  void set(size_t now) {
    if (now != bytes) [[unlikely]] {
      countBytes(static_cast<int64_t>(now) - static_cast<int64_t>(bytes));
      bytes = now;
    }
  }

private:
  size_t bytes = 0;
};

} // namespace tsc::memory

#endif
