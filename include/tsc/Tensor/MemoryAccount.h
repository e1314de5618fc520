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

/// Counts the bytes of blocks, objects and containers that the threads in its AccountScopes take, less those that they
/// give back. Memory that was there before may be given back too: the count is less than nothing then.
///
/// Threads: any number may count in one account.
class Account {
public:
  /// Sets how many bytes may be used. Blocks beyond that are refused at once; objects of a few bytes are counted, and
  /// refused when they come to much more than the limit: who runs a program looks at wasExceeded() from time to time.
  void setLimit(size_t bytes) { limit.store(bytes, std::memory_order_relaxed); }
  size_t getLimit() const { return limit.load(std::memory_order_relaxed); }
  /// Names a flag that is set when the limit is exceeded; it may be null, and outlives the account.
  void setAlarm(std::atomic<bool> *flag) { alarm = flag; }
  bool wasExceeded() const { return exceeded.load(std::memory_order_relaxed); }
  int64_t bytesUsed() const { return used.load(std::memory_order_relaxed); }
  /// Begins anew, with nothing used and the limit not exceeded.
  void reset();

  /// Counts bytes, and returns whether there is room for them. Where there is none, they are not counted, and the limit
  /// is exceeded.
  bool take(size_t bytes);
  /// Counts bytes, or takes them back where the number is negative, whether there is room or not.
  void add(int64_t bytes);
  /// Whether there is room for so many bytes more; where there is none, the limit is exceeded.
  bool hasRoom(size_t bytes);
  /// Whether so much more than the limit is used (a sixteenth and 1 MB) that no object may be made any more.
  bool isFarExceeded() const;

private:
  void sound();
  std::atomic<int64_t> used{0};
  std::atomic<size_t> limit{SIZE_MAX};
  std::atomic<bool> exceeded{false};
  std::atomic<bool> *alarm = nullptr;
};

/// While it lives, what the calling thread takes and gives back is counted in an account, or, with null, in none.
class AccountScope {
public:
  explicit AccountScope(Account *account);
  ~AccountScope();
  AccountScope(const AccountScope &) = delete;
  AccountScope &operator=(const AccountScope &) = delete;

private:
  Account *previous;
};

/// Counts bytes of containers, whose memory comes from elsewhere, in the thread's account, if it has one; a negative
/// number takes them back.
void countBytes(int64_t bytes);
/// Whether the thread's account, if it has one, has room for so many bytes more. It is asked before much is taken at
/// once.
bool hasRoom(size_t bytes);

/// Counts the bytes of one container, and takes them back when destroyed.
class CountedBytes {
public:
  CountedBytes() = default;
  CountedBytes(const CountedBytes &) = delete;
  CountedBytes &operator=(const CountedBytes &) = delete;
  ~CountedBytes() {
    if (bytes)
      countBytes(-static_cast<int64_t>(bytes));
  }
  /// Changes the number of bytes that the container is counted with.
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
