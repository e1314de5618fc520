//===- ForkSafety.h - What fork(2) leaves to a child ------------*- C++ -*-===//
//
// The child of a fork has all memory of its parent, and one thread: the one that
// forked. What another thread was about to do is never done, and a lock that it held
// stays locked. So at a fork (pthread_atfork)
//
//   1. threads of the library's own end the task that they work on, and begin none;
//   2. calls that begin in other threads wait, and those under way are waited for until
//      they end or come to a place to stop, for a short time: they may be within an
//      operator that takes long, and the fork may be one before an exec;
//   3. locks that are taken outside of such calls are taken by the thread that forks.
//
// Then no thread is inside of the library. In the child threads are made anew when
// there is work for them. A call that was still under way leaves what it worked with
// (its ForkDomain) in an unknown state: in the child that is lost, and said to be.
//
// Nothing of this happens in a process that uses nothing of the library, in posix_spawn
// and in vfork.
//
//===----------------------------------------------------------------------===//
#ifndef TSC_SUPPORT_FORKSAFETY_H
#define TSC_SUPPORT_FORKSAFETY_H

#include "llvm/ADT/ilist_node.h"
#include <array>
#include <atomic>
#include <mutex>

namespace tsc {

/// What calls work with, and lock: a program. Its address is its identity.
class ForkDomain : public llvm::ilist_node<ForkDomain> {
public:
  ForkDomain();
  ~ForkDomain();
  ForkDomain(const ForkDomain &) = delete;
  /// Whether this is the child of a fork during which another thread was in a call: locks may be held for ever.
  bool isLost() const { return lost.load(std::memory_order_relaxed); }

private:
  friend struct ForkState;
  std::atomic<bool> lost{false};
};

namespace detail {
/// Where one thread is. It writes here alone, and who forks reads.
struct ThreadRecord : llvm::ilist_node<ThreadRecord> {
  static constexpr unsigned mostDomains = 8;
  std::atomic<unsigned> depth{0}; ///< Scopes it is in.
  std::array<std::atomic<const ForkDomain *>, mostDomains> domains{};
  const void *stopsAt = nullptr; ///< Who may stop the call for a fork.
  // Written under the lock of the registry of threads.
  bool isKnown = false; ///< It stands there.
  bool isOwn = false;   ///< A thread of the library's.
};
extern constinit thread_local ThreadRecord threadRecord;
extern constinit std::atomic<int> isForking;
void makeKnown(ThreadRecord &mine);
void waitAndEnter(ThreadRecord &mine);
void stopForFork(const void *who);

/// Steps into the library when nobody forks.
inline void enter(ThreadRecord &mine) {
  mine.depth.store(1, std::memory_order_relaxed);
  std::atomic_signal_fence(std::memory_order_seq_cst); // who forks makes a barrier for all processors
  if (isForking.load(std::memory_order_acquire) != 0 && !mine.isOwn) [[unlikely]]
    waitAndEnter(mine);
}
} // namespace detail

/// Says that the thread is in a call of the library that takes locks. Scopes nest; the outermost waits while another
/// thread forks. Costs a few plain stores.
class InsideScope {
public:
  /// `domain` may be null, for a call that works with nothing that a child knows of. The call stops for forks where it
  /// calls letFork with `who`, which is its alone; in nested scopes, of which the outer ones may hold locks, it does
  /// not.
  explicit InsideScope(const ForkDomain *domain, const void *who = nullptr)
      : mine(detail::threadRecord), depth(mine.depth.load(std::memory_order_relaxed)) {
    if (!mine.isKnown) [[unlikely]]
      detail::makeKnown(mine);
    if (depth < detail::ThreadRecord::mostDomains)
      mine.domains[depth].store(domain, std::memory_order_relaxed);
    if (depth != 0) {
      mine.depth.store(depth + 1, std::memory_order_release);
    } else {
      mine.stopsAt = who;
      detail::enter(mine);
    }
  }
  ~InsideScope() { mine.depth.store(depth, std::memory_order_release); }
  InsideScope(const InsideScope &) = delete;

private:
  detail::ThreadRecord &mine;
  const unsigned depth; ///< Of the thread's scopes, this one not counted.
};

/// Called by long calls, now and then, where they hold no lock and all is whole: waits while another thread forks.
inline void letFork(const void *who) {
  if (detail::isForking.load(std::memory_order_relaxed) != 0) [[unlikely]]
    detail::stopForFork(who);
}

/// Says that the thread waits for something, in a call that holds no lock and leaves everything whole meanwhile: a fork
/// need not wait for it. Without effect in nested scopes, of which the outer ones may hold locks.
class OutsideScope {
public:
  OutsideScope();
  ~OutsideScope();
  OutsideScope(const OutsideScope &) = delete;

private:
  detail::ThreadRecord &mine;
  const bool isLeft;
};

/// Something with threads of its own.
class ForkListener : public llvm::ilist_node<ForkListener> {
public:
  /// Tells its threads to begin no task; whether none is at work. Called again until that is so, or it has taken too
  /// long.
  virtual bool quiesce() = 0;
  /// Just before the fork: takes the locks that the child must find free. Waits for nothing that takes time.
  virtual void lockForFork() = 0;
  /// In the parent: all goes on.
  virtual void resumeInParent() = 0;
  /// In the child, where the locks and the threads that they were for are gone.
  virtual void restartInChild() = 0;

protected:
  ForkListener() = default;
  ~ForkListener() = default;
  /// Called when the object is made, and before it begins to go.
  void listenToForks();
  void stopListening();
};

/// Marks a thread of a ForkListener for as long as it runs: its calls do not wait for forks, which wait for its tasks.
void markAsOwnThread();

/// A new lock that lives as long as the process, and that the child of a fork finds free. For locks of what all
/// programs share, held for short times, under which no other such lock is taken but in one order.
std::mutex &makeForkSafeMutex();

} // namespace tsc

#endif
