//===- ForkSafety.cpp - What fork(2) leaves to a child --------------------===//
//
// Whether a thread is inside is a store to a record of its own, without a barrier; who
// forks makes one for all threads (membarrier). So a thread that comes after that sees
// that somebody forks, and of one that came before, the thread that forks sees that it
// is inside.
//
//===----------------------------------------------------------------------===//
#include "tsc/Support/ForkSafety.h"
#include "tsc/Support/ThreadExit.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/simple_ilist.h"
#include <algorithm>
#include <array>
#include <chrono>
#include <linux/membarrier.h>
#include <pthread.h>
#include <sys/syscall.h>
#include <thread>
#include <unistd.h>
#include <vector>

using namespace tsc;
using detail::isForking;
using detail::ThreadRecord;
using detail::threadRecord;

constinit thread_local ThreadRecord detail::threadRecord;
constinit std::atomic<int> detail::isForking{0};

namespace tsc {
/// All that forks need to know. Never destroyed: threads may outlive main.
struct ForkState {
  /// Held from before a fork until after it, by the thread that forks.
  std::mutex forks;
  std::mutex registry; ///< Of what follows. Taken after `forks`.
  llvm::simple_ilist<ThreadRecord> threads;
  llvm::simple_ilist<ForkListener> listeners;
  llvm::simple_ilist<ForkDomain> domains;
  std::vector<std::mutex *> locks;
  bool tasksAreLost = false; ///< Between the steps of a fork: a task could not be waited for.

  static ForkState &instance() {
    static ForkState &made = *new ForkState;
    static const bool registered =
        (pthread_atfork([] { instance().prepare(); }, [] { instance().goOn(); }, [] { instance().beginChild(); }),
         true);
    (void)registered;
    return made;
  }

  void prepare();
  void goOn();
  void beginChild();

private:
  bool othersAreOutside();
  bool listenersAreQuiet();
  bool tryLocks();
  void markLost();
};
} // namespace tsc

/// Forgets the record of a thread that ends.
static void forgetRecord(void *record) {
  auto &mine = *static_cast<ThreadRecord *>(record);
  ForkState &state = ForkState::instance();
  std::lock_guard lock(state.registry);
  if (mine.isKnown)
    state.threads.remove(mine);
  mine.isKnown = false;
}

/// A thread for which there is no memory to note its end stays unknown: forks do not wait for it.
void detail::makeKnown(ThreadRecord &mine) {
  ForkState &state = ForkState::instance();
  if (!atThreadExit(forgetRecord, &mine))
    return;
  std::lock_guard lock(state.registry);
  state.threads.push_back(mine);
  mine.isKnown = true;
}

static ThreadRecord &knownRecord() {
  if (!threadRecord.isKnown)
    detail::makeKnown(threadRecord);
  return threadRecord;
}

//===----------------------------------------------------------------------===//
// Calls
//===----------------------------------------------------------------------===//

void detail::waitAndEnter(ThreadRecord &mine) {
  mine.depth.store(0, std::memory_order_release);
  isForking.wait(1, std::memory_order_acquire);
  enter(mine);
}

void detail::stopForFork(const void *who) {
  ThreadRecord &mine = threadRecord;
  if (mine.stopsAt == who && mine.depth.load(std::memory_order_relaxed) == 1)
    waitAndEnter(mine);
}

OutsideScope::OutsideScope() : mine(threadRecord), isLeft(mine.depth.load(std::memory_order_relaxed) == 1) {
  if (isLeft)
    mine.depth.store(0, std::memory_order_release);
}
OutsideScope::~OutsideScope() {
  if (isLeft)
    detail::enter(mine);
}

void tsc::markAsOwnThread() {
  ThreadRecord &mine = knownRecord();
  std::lock_guard lock(ForkState::instance().registry);
  mine.isOwn = true;
}

//===----------------------------------------------------------------------===//
// What there is to know of
//===----------------------------------------------------------------------===//

ForkDomain::ForkDomain() {
  ForkState &state = ForkState::instance();
  std::lock_guard lock(state.registry);
  state.domains.push_back(*this);
}
ForkDomain::~ForkDomain() {
  ForkState &state = ForkState::instance();
  std::lock_guard lock(state.registry);
  state.domains.remove(*this);
}

void ForkListener::listenToForks() {
  ForkState &state = ForkState::instance();
  std::lock_guard lock(state.registry);
  state.listeners.push_back(*this);
}
void ForkListener::stopListening() {
  ForkState &state = ForkState::instance();
  std::lock_guard lock(state.registry);
  state.listeners.remove(*this);
}

std::mutex &tsc::makeForkSafeMutex() {
  auto &made = *new std::mutex;
  ForkState &state = ForkState::instance();
  std::lock_guard lock(state.registry);
  state.locks.push_back(&made);
  return made;
}

//===----------------------------------------------------------------------===//
// Forks
//===----------------------------------------------------------------------===//

/// Makes what each thread of the process stored before this visible to the caller, and what the caller stored to them.
static void barrierForAllThreads() {
  auto membarrier = [](int command) { return syscall(SYS_membarrier, command, 0, 0); };
  if (membarrier(MEMBARRIER_CMD_REGISTER_PRIVATE_EXPEDITED) == 0 && membarrier(MEMBARRIER_CMD_PRIVATE_EXPEDITED) == 0)
    return;
  // Where the system call is forbidden: by then every processor has written out what waits to be.
  std::this_thread::sleep_for(std::chrono::milliseconds(1));
}

bool ForkState::othersAreOutside() {
  std::lock_guard lock(registry);
  return llvm::all_of(threads, [](const ThreadRecord &thread) {
    return &thread == &threadRecord || thread.isOwn || thread.depth.load(std::memory_order_acquire) == 0;
  });
}

bool ForkState::listenersAreQuiet() {
  bool all = true;
  for (ForkListener &listener : listeners) // each of them hears of it
    all &= listener.quiesce();
  return all;
}

/// Whether the condition came to hold in time. It is asked at once, and then less and less often.
template <typename Condition> static bool waitFor(Condition &&holds, std::chrono::milliseconds limit) {
  const auto end = std::chrono::steady_clock::now() + limit;
  for (auto pause = std::chrono::microseconds(20); !holds();
       pause = std::min(pause * 2, std::chrono::microseconds(1000))) {
    if (std::chrono::steady_clock::now() >= end)
      return false;
    std::this_thread::sleep_for(pause);
  }
  return true;
}

/// Takes all of the locks, or none. In whatever order others nest them, none is waited for while another is held.
bool ForkState::tryLocks() {
  for (size_t held = 0; held != locks.size(); ++held) {
    if (locks[held]->try_lock())
      continue;
    while (held != 0)
      locks[--held]->unlock();
    return false;
  }
  return true;
}

void ForkState::prepare() {
  constexpr std::chrono::milliseconds forCalls(200);
  // A task may be the compilation of a large kernel. It ends by itself, unless it waits for the thread that forks.
  constexpr std::chrono::seconds forTasks(10);
  forks.lock();
  // Tasks first: calls go on meanwhile. Then those of listeners that came in such calls.
  auto listenersAreQuietNow = [this] {
    std::lock_guard lock(registry);
    return listenersAreQuiet();
  };
  waitFor(listenersAreQuietNow, forTasks);
  isForking.store(1, std::memory_order_seq_cst);
  barrierForAllThreads();
  waitFor([this] { return othersAreOutside(); }, forCalls);
  waitFor(listenersAreQuietNow, forCalls);
  // Whoever holds one of the locks may wait for a thread that ends, and so for the registry.
  for (;;) {
    registry.lock();
    tasksAreLost = !listenersAreQuiet();
    if (tryLocks())
      break;
    registry.unlock();
    std::this_thread::yield();
  }
  for (ForkListener &listener : listeners)
    listener.lockForFork();
}

void ForkState::goOn() {
  for (ForkListener &listener : listeners)
    listener.resumeInParent();
  for (std::mutex *lock : locks)
    lock->unlock();
  registry.unlock();
  isForking.store(0, std::memory_order_release);
  isForking.notify_all();
  forks.unlock();
}

/// Marks the domains that other threads were in, or all where it is not known which.
void ForkState::markLost() {
  auto isIn = [](const ThreadRecord &thread, const ForkDomain &domain) {
    const unsigned depth = thread.depth.load(std::memory_order_relaxed);
    if (depth > ThreadRecord::mostDomains)
      return true;
    return std::any_of(thread.domains.begin(), thread.domains.begin() + depth,
                       [&](const auto &entered) { return entered.load(std::memory_order_relaxed) == &domain; });
  };
  for (ForkDomain &domain : domains)
    if (tasksAreLost || llvm::any_of(threads, [&](const ThreadRecord &thread) {
          return &thread != &threadRecord && !thread.isOwn && isIn(thread, domain);
        }))
      domain.lost.store(true, std::memory_order_relaxed);
}

void ForkState::beginChild() {
  markLost();
  // The records of the other threads are gone with these, or will be.
  threads.clear();
  if (threadRecord.isKnown)
    threads.push_back(threadRecord);
  for (ForkListener &listener : listeners)
    listener.restartInChild();
  for (std::mutex *lock : locks)
    lock->unlock();
  registry.unlock();
  isForking.store(0, std::memory_order_release);
  forks.unlock();
}
