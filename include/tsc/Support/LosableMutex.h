//===- LosableMutex.h - A lock for which forks do not wait ------*- C++ -*-===//
#ifndef TSC_SUPPORT_LOSABLEMUTEX_H
#define TSC_SUPPORT_LOSABLEMUTEX_H

#include "tsc/Support/ForkSafety.h"
#include <atomic>
#include <mutex>

namespace tsc {

/// A lock that is held for long: while code is generated, or files are read. Where another thread held it during a
/// fork(2), what it guards is lost in the child: half way through something, for ever.
///
/// Threads: safe. Whoever takes the lock asks isLost() first.
class LosableMutex final : private ForkListener {
public:
  LosableMutex() { listenToForks(); }
  ~LosableMutex() { stopListening(); }
  LosableMutex(const LosableMutex &) = delete;

  /// Whether a fork made this process while another thread held the lock.
  bool isLost() const { return lost.load(std::memory_order_relaxed); }
  /// Waits for the lock. Nobody waits for one that is lost.
  void lock() {
    if (!isLost())
      mutex.lock();
  }
  /// Does nothing where the lock is lost.
  void unlock() {
    if (!isLost())
      mutex.unlock();
  }

private:
  bool quiesce() override { return true; }
  void lockForFork() override { isForks = mutex.try_lock(); }
  void resumeInParent() override {
    if (isForks)
      mutex.unlock();
  }
  void restartInChild() override {
    if (isForks)
      mutex.unlock();
    else
      lost.store(true, std::memory_order_relaxed);
  }

  std::mutex mutex;
  bool isForks = false; ///< Whether the thread that forks has it; set during a fork alone.
  std::atomic<bool> lost{false};
};

} // namespace tsc

#endif
