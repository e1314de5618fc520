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

/// An object that calls of the library work with and lock: a program. Its address is its identity.
class ForkDomain : public llvm::ilist_node<ForkDomain> {
public:
  ForkDomain();
  ~ForkDomain();
  ForkDomain(const ForkDomain &) = delete;
  /// Whether this is the child of a fork during which another thread was in a call on this domain, or a task could not
  /// be waited for: its locks may be held for ever.
  bool isLost() const { return lost.load(std::memory_order_relaxed); }

private:
  friend struct ForkState;
  std::atomic<bool> lost{false};
};

namespace detail {
/// Says which calls of the library a thread is in. The thread alone writes it, but for the last two fields; the thread
/// that forks reads it.
struct ThreadRecord : llvm::ilist_node<ThreadRecord> {
  static constexpr unsigned mostDomains = 8;
  std::atomic<unsigned> depth{0}; ///< The number of scopes that it is in.
  /// The domain of each scope, the outermost first; null for a scope without one.
  std::array<std::atomic<const ForkDomain *>, mostDomains> domains{};
  const void *stopsAt = nullptr; ///< The `who` of the call that may stop for forks; null for none.
  // Written under the lock of the registry of threads.
  bool isKnown = false; ///< The record is in the registry.
  bool isOwn = false;   ///< The thread is one of the library's own (markAsOwnThread).
};
extern constinit thread_local ThreadRecord threadRecord;
extern constinit std::atomic<int> isForking;
void makeKnown(ThreadRecord &mine);
void waitAndEnter(ThreadRecord &mine);
void stopForFork(const void *who);

/// Marks the thread as inside the library, once no other thread forks.
inline void enter(ThreadRecord &mine) {
  mine.depth.store(1, std::memory_order_relaxed);
  std::atomic_signal_fence(std::memory_order_seq_cst); // who forks makes a barrier for all processors
  if (isForking.load(std::memory_order_acquire) != 0 && !mine.isOwn) [[unlikely]]
    waitAndEnter(mine);
}
} // namespace detail

/// While it lives, the calling thread is in a call of the library that takes locks. Scopes nest; the outermost one
/// waits while another thread forks. It costs a few plain stores.
class InsideScope {
public:
  /// Enters a call that works with `domain`, or with null, with nothing that a child knows of. The call stops for forks
  /// where it calls letFork(who), `who` being its alone; in a nested scope it does not, as the outer ones may hold
  /// locks.
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
  const unsigned depth; ///< The number of scopes around this one.
};

/// Waits while another thread forks. Long calls call it now and then, where they hold no lock and their data is whole.
/// It does nothing in nested scopes.
inline void letFork(const void *who) {
  if (detail::isForking.load(std::memory_order_relaxed) != 0) [[unlikely]]
    detail::stopForFork(who);
}

/// While it lives, the calling thread waits for something in a call, holding no lock and leaving its data whole: a fork
/// need not wait for it. It has no effect in nested scopes, of which the outer ones may hold locks.
class OutsideScope {
public:
  OutsideScope();
  ~OutsideScope();
  OutsideScope(const OutsideScope &) = delete;

private:
  detail::ThreadRecord &mine;
  const bool isLeft;
};

/// Base of an object that has threads of its own, and takes part in forks of the process.
class ForkListener : public llvm::ilist_node<ForkListener> {
public:
  /// Tells its threads to begin no task, and returns whether none is at work. It is called again until that is so, or
  /// has taken too long.
  virtual bool quiesce() = 0;
  /// Takes, just before the fork, the locks that the child must find free. It waits for nothing that takes time.
  virtual void lockForFork() = 0;
  /// Releases those locks in the parent, and lets its threads go on.
  virtual void resumeInParent() = 0;
  /// Makes the object usable in the child, which has neither its threads nor their tasks under way.
  virtual void restartInChild() = 0;

protected:
  ForkListener() = default;
  ~ForkListener() = default;
  /// Registers the object. The derived class calls it at the end of its constructor, and stopListening() before it
  /// begins to be destroyed.
  void listenToForks();
  void stopListening();
};

/// Marks the calling thread, for as long as it runs, as a ForkListener's: its calls do not wait for forks, which wait
/// for its tasks.
void markAsOwnThread();

/// Returns a new mutex that lives as long as the process, and that the child of a fork finds free. It is for what all
/// programs share, held for short times. Several such mutexes are held at once in one order only.
std::mutex &makeForkSafeMutex();

} // namespace tsc

#endif
