//===- StateGuard.h - Calls of programs that write their state --*- C++ -*-===//
//
// Calls that only read a module run beside each other. One that writes runs alone,
// and what comes meanwhile is an error: whoever meant to call a module with state
// from two threads reads so, and no archive corrupts the memory of its host. A host
// that writes itself waits for calls to end, and calls wait for it.
//
// What a program writes is looked at when two calls meet for the first time. Until
// then each call has the guard for itself, so that a host with one thread pays for
// one exchange of a number, and for nothing where it is known that there is nothing
// to guard.
//
//===----------------------------------------------------------------------===//
#ifndef TSC_LIB_ENGINE_STATEGUARD_H
#define TSC_LIB_ENGINE_STATEGUARD_H

#include "StateWrites.h"
#include "tsc/Engine/Program.h"
#include "tsc/Support/ForkSafety.h"
#include <atomic>
#include <map>
#include <mutex>
#include <optional>
#include <thread>
#include <tuple>

namespace tsc {

/// What calls of an entry do to state.
enum class StateAccess : uint8_t {
  Unknown,
  None,   ///< They use none, or no entry of the program writes any.
  Reads,  ///< Others may write.
  Writes, ///< Or may.
};

/// An entry as its guard knows it.
class Program::GuardedEntry {
public:
  GuardedEntry(StateGuard &guard, Ref<ObjectValue> target, bool staysWriting)
      : guard(guard), target(std::move(target)), staysWriting(staysWriting) {}
  /// What was found, unless the program's modules have another version since.
  StateAccess access(uint32_t version) const {
    const uint64_t known = judged.load(std::memory_order_acquire);
    const auto last = static_cast<StateAccess>(known & 0xff);
    return known >> 8 == version || (staysWriting && last == StateAccess::Writes) ? last : StateAccess::Unknown;
  }
  void setAccess(StateAccess access, uint32_t version) {
    judged.store(uint64_t(version) << 8 | static_cast<uint64_t>(access), std::memory_order_release);
  }

  StateGuard &guard;
  const Ref<ObjectValue> target; ///< The object that the entry is called on, as in Program::Entry.

private:
  const bool staysWriting; ///< An entry that once might write is not looked at again.
  std::atomic<uint64_t> judged{0};
};

/// The calls that run now with the state of a module, or with what its forks share: any number that read, or one that
/// has it alone.
///
/// Threads: may be used by many at once. In the child of a fork(2) the turns of the other threads are over.
class StateTurn final : ForkListener {
public:
  static constexpr int32_t writes = -1, isUnjudged = -2, hostWrites = -3;
  StateTurn() { listenToForks(); }
  ~StateTurn() { stopListening(); }
  StateTurn(const StateTurn &) = delete;

  /// How many calls share the state, or that one has it alone: `writes`, or `isUnjudged`, which may only read; or that
  /// a host has it, between calls.
  std::atomic<int32_t> holders{0};
  /// The thread that has the state alone. It is nobody's until that thread has said so, and before it leaves.
  std::atomic<std::thread::id> owner{};
  std::atomic<bool> isContended{false}; ///< Two calls have met.
  std::atomic<int32_t> numWaiting{0};   ///< How many hosts wait to write between calls; new calls let them pass.

private:
  bool quiesce() override { return true; }
  void lockForFork() override {}
  void resumeInParent() override {}
  void restartInChild() override;
};

/// What is known of the state of one module, or of a file's functions, and who runs them now.
///
/// Threads: may be used by many at once. `facts` belong to who holds `judging`, `entries` to who holds `listing`.
struct StateGuard {
  /// Forks whose calls write what they share take turns.
  StateGuard(bool hostWrites, std::shared_ptr<StateTurn> turn) : turn(std::move(turn)), othersWrite(hostWrites) {}
  const std::shared_ptr<StateTurn> turn;
  std::mutex judging, listing;
  std::optional<StateWrites> facts;
  std::atomic<uint32_t> factsOf{0};  ///< The version of the program's modules that the facts are about; 0: none.
  std::atomic<uint32_t> harmless{0}; ///< The version in which no call writes state, last known.
  /// Whether somebody may write about whom the facts say nothing: a host that sets attributes, or methods of objects
  /// within the module that a host has found.
  std::atomic<bool> othersWrite;
  /// Where a method of such an object first writes, of the last one that does. It belongs to who holds `judging`.
  std::string firstOfOthers;
  /// What is known of each entry, by its function, its target, and whether hooks run.
  std::map<std::tuple<const Function *, const ObjectValue *, bool>, Program::GuardedEntry> entries;
};

/// The right to run, while it lives. For the thread that asked for it.
class StateUse {
public:
  /// How a call uses state: beside others that read, alone, or alone until it is known what it writes.
  enum class Mode : uint8_t { Shared, Alone, AloneUnjudged, Host };

  StateUse() = default;
  ~StateUse() { leave(); }
  StateUse(const StateUse &) = delete;
  StateUse &operator=(const StateUse &) = delete;

  /// Takes the right if nobody holds one that excludes it. The thread's own, if it is alone, does not: a call may run
  /// an operator of the host's that calls the program again.
  bool tryEnter(StateGuard &wanted, Mode mode) {
    assert(!turn && "it holds a right already");
    const bool isTaken = mode == Mode::Shared ? share(wanted) : own(wanted, mode);
    return isTaken || (met < 0 && wanted.turn->owner.load(std::memory_order_relaxed) == std::this_thread::get_id());
  }
  /// Whether a call of the thread is under way with this state.
  static bool isHeldHere(const StateTurn &turn) {
    for (const StateUse *use = innermost; use; use = use->outer)
      if (use->turn == &turn)
        return true;
    return false;
  }
  /// Whether it is worthwhile to wait for what kept it away: a call that may yet turn out to read only, or a host that
  /// writes between calls.
  bool metPassing() const { return met <= StateTurn::isUnjudged; }
  /// Goes on with another mode. The use must be alone.
  void change(Mode to);
  /// Gives the right back, if it holds one.
  void leave() {
    if (!turn)
      return;
    if (isShared) {
      turn->holders.fetch_sub(1, std::memory_order_release);
    } else {
      turn->owner.store({}, std::memory_order_relaxed);
      turn->holders.store(0, std::memory_order_release);
    }
    turn = nullptr;
    assert(innermost == this && "uses of a thread nest");
    innermost = outer;
  }
  /// Whether others were kept away, who would see what it wrote.
  bool isAlone() const { return turn && !isShared; }

private:
  friend class StateTurn;
  bool own(StateGuard &wanted, Mode mode) {
    StateTurn &wantedTurn = *wanted.turn;
    met = wantedTurn.holders.load(std::memory_order_relaxed);
    const int32_t holder = mode == Mode::Alone  ? StateTurn::writes
                           : mode == Mode::Host ? StateTurn::hostWrites
                                                : StateTurn::isUnjudged;
    if (met != 0 || !wantedTurn.holders.compare_exchange_strong(met, holder, std::memory_order_acquire))
      return false;
    wantedTurn.owner.store(std::this_thread::get_id(), std::memory_order_relaxed);
    hold(wantedTurn, /*shared=*/false);
    return true;
  }
  bool share(StateGuard &wanted);
  void hold(StateTurn &held, bool shared) {
    turn = &held;
    isShared = shared;
    outer = innermost;
    innermost = this;
  }

  static constinit thread_local StateUse *innermost; ///< The thread's last use that holds something.
  StateUse *outer = nullptr;
  StateTurn *turn = nullptr; ///< Null while it holds nothing, or what another one of the thread holds.
  bool isShared = false;
  int32_t met = 0; ///< The holders that kept it away.
};

} // namespace tsc

#endif
