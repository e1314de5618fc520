//===- StateGuard.h - Calls of programs that write their state --*- C++ -*-===//
//
// Calls that only read a module run beside each other. One that writes runs alone,
// and what comes meanwhile is an error: whoever meant to call a module with state
// from two threads reads so, and no archive corrupts the memory of its host.
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
  None,   ///< No entry of the program writes any.
  Reads,  ///< Others may write.
  Writes, ///< Or may.
};

/// An entry as its guard knows it.
class Program::GuardedEntry {
public:
  GuardedEntry(StateGuard &guard, Ref<ObjectValue> target, bool staysWriting)
      : guard(guard), target(std::move(target)), staysWriting(staysWriting) {}
  /// As of a version of the program's modules.
  StateAccess access(uint32_t version) const {
    const uint64_t known = judged.load(std::memory_order_acquire);
    const auto last = static_cast<StateAccess>(known & 0xff);
    return known >> 8 == version || (staysWriting && last == StateAccess::Writes) ? last : StateAccess::Unknown;
  }
  void setAccess(StateAccess access, uint32_t version) {
    judged.store(uint64_t(version) << 8 | static_cast<uint64_t>(access), std::memory_order_release);
  }

  StateGuard &guard;
  const Ref<ObjectValue> target; ///< As the Entry's.

private:
  const bool staysWriting; ///< An entry that once might write is not looked at again.
  std::atomic<uint64_t> judged{0};
};

/// Of one module, or of a file's functions: who runs them now.
///
/// Threads: may be used by many at once. `facts` belong to who holds `judging`, `entries` to who holds `listing`.
struct StateGuard {
  static constexpr int32_t writes = -1, isUnjudged = -2;
  /// How many calls share the state, or that one has it alone: `writes`, or `isUnjudged`, which may only read.
  std::atomic<int32_t> holders{0};
  /// Of who has it alone; nobody's before that has said so, and again before it leaves.
  std::atomic<std::thread::id> owner{};
  std::atomic<bool> isContended{false}; ///< Two calls have met.
  std::mutex judging, listing;
  std::optional<StateWrites> facts;
  std::atomic<uint32_t> factsOf{0};  ///< The version of the program's modules that the facts are about; 0: none.
  std::atomic<uint32_t> harmless{0}; ///< The version in which no call writes state, last known.
  /// By function, target, and whether hooks run.
  std::map<std::tuple<const Function *, const ObjectValue *, bool>, Program::GuardedEntry> entries;
};

/// The right to run, while it lives. For the thread that asked for it.
class StateUse {
public:
  enum class Mode : uint8_t { Shared, Alone, AloneUnjudged };

  StateUse() = default;
  ~StateUse() { leave(); }
  StateUse(const StateUse &) = delete;
  StateUse &operator=(const StateUse &) = delete;

  /// Takes the right if nobody holds one that excludes it. The thread's own, if it is alone, does not: a call may run
  /// an operator of the host's that calls the program again.
  bool tryEnter(StateGuard &wanted, Mode mode) {
    assert(!guard && "it holds a right already");
    const bool isTaken = mode == Mode::Shared ? share(wanted) : own(wanted, mode);
    return isTaken || (met < 0 && wanted.owner.load(std::memory_order_relaxed) == std::this_thread::get_id());
  }
  /// Whether what kept it away may yet turn out to read only.
  bool metUnjudged() const { return met == StateGuard::isUnjudged; }
  /// Goes on with another mode. From alone only.
  void change(Mode to);
  void leave() {
    if (!guard)
      return;
    if (isShared) {
      guard->holders.fetch_sub(1, std::memory_order_release);
    } else {
      guard->owner.store({}, std::memory_order_relaxed);
      guard->holders.store(0, std::memory_order_release);
    }
    guard = nullptr;
  }
  /// Whether others were kept away, who would see what it wrote.
  bool isAlone() const { return guard && !isShared; }

private:
  bool own(StateGuard &wanted, Mode mode) {
    met = wanted.holders.load(std::memory_order_relaxed);
    const int32_t holder = mode == Mode::Alone ? StateGuard::writes : StateGuard::isUnjudged;
    if (met != 0 || !wanted.holders.compare_exchange_strong(met, holder, std::memory_order_acquire))
      return false;
    wanted.owner.store(std::this_thread::get_id(), std::memory_order_relaxed);
    guard = &wanted;
    isShared = false;
    return true;
  }
  bool share(StateGuard &wanted);

  StateGuard *guard = nullptr; ///< Null while it holds nothing, or what another one of the thread holds.
  bool isShared = false;
  int32_t met = 0; ///< The holders that kept it away.
};

} // namespace tsc

#endif
