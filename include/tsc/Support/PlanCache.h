//===- PlanCache.h - Plans by kind of arguments -----------------*- C++ -*-===//
//
// A plan is what was made for calls of one kind: code for arguments of some dtypes and
// ranks, kernels for some sizes and strides. A place in a program has few, and every
// call looks for its own. A call that finds one takes no lock; whoever adds a plan
// takes one.
//
// The plans stand in an immutable list, and an atomic pointer says which list is the
// current one. Adding makes a new list.
//
// Memory ordering, where the cache refuses plans beyond its limit: a list is complete
// before the release store that makes it the current one; calls load that with
// acquire. No list goes before the cache does, so there are at most as many as plans.
//
// Where it replaces the oldest plan, lists go when no call is in one. A call counts
// itself in before it loads the pointer, and out when it has copied what it found. The
// thread that adds stores the pointer first and reads the count then. All four are
// sequentially consistent (counting out: release), so in their one order a thread that
// reads zero comes before the counting-in of every call that is still to look, and such
// a call loads the new list; and it comes after the counting-out of all calls before,
// with whose reads the release orders the deletion. A count that is not zero only means
// that the old lists stay until the next plan is added.
//
//===----------------------------------------------------------------------===//
#ifndef TSC_SUPPORT_PLANCACHE_H
#define TSC_SUPPORT_PLANCACHE_H

#include <atomic>
#include <cassert>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <mutex>
#include <type_traits>
#include <utility>
#include <vector>

namespace tsc {

/// What a PlanCache does with a plan beyond its limit.
enum class WhenFull : uint8_t {
  Refuse,       ///< It takes no more. Plans live as long as the cache, which hands out pointers to them.
  ReplaceOldest ///< The oldest plan goes. Calls share the plans that they found (hence shared_ptr).
};

/// The plans of one place in a program. Which calls a plan is for, the caller decides, with a predicate: usually
/// whether the plan's key equals that of the call.
///
/// Ownership: owns the plans; see WhenFull.
/// Threads:   safe. What a plan allows to threads that share it is its own matter.
template <typename Plan, WhenFull whenFull = WhenFull::Refuse> class PlanCache {
  static constexpr bool replaces = whenFull == WhenFull::ReplaceOldest;

public:
  using Found = std::conditional_t<replaces, std::shared_ptr<Plan>, Plan *>;

  /// Makes a cache of at most `limit` plans, and at least one.
  explicit PlanCache(size_t limit) : limit(limit) { assert(limit > 0 && "a cache has room for a plan"); }
  PlanCache(const PlanCache &) = delete;

  /// Returns the first plan, in the order in which they were added, for which `isFor(plan)` returns true, or null.
  /// Takes no lock.
  template <typename IsFor> Found find(IsFor &&isFor) const {
    const Reader inside(readers);
    if (const List *list = current.load(replaces ? std::memory_order_seq_cst : std::memory_order_acquire))
      for (const std::shared_ptr<Plan> &plan : *list)
        if (isFor(*plan))
          return handOut(plan);
    return nullptr;
  }

  /// Whether the cache refuses further plans. It then does for good, so find() alone can answer whatever comes later.
  /// Takes no lock.
  bool isFull() const {
    static_assert(!replaces, "a cache that replaces takes every plan");
    const List *list = current.load(std::memory_order_acquire);
    return list && list->size() == limit;
  }

  /// Returns the first plan for which `isFor(plan)` returns true. Where there is none, calls `make(size)` with the
  /// number of plans, which returns a std::unique_ptr to a plan to add, or null for none, and returns that. One thread
  /// at a time makes a plan; others that find none wait for it, and look again. Where the cache refuses plans beyond
  /// its limit, `make` returns null at the limit.
  template <typename IsFor, typename Make> Found findOrAdd(IsFor &&isFor, Make &&make) {
    if (Found known = find(isFor))
      return known;
    std::lock_guard lock(adding);
    if (Found known = find(isFor))
      return known;
    const List *list = lists.empty() ? nullptr : lists.back().get();
    std::unique_ptr<Plan> made = make(list ? list->size() : size_t{0});
    return made ? addLocked(std::move(made)) : nullptr;
  }

  /// Adds a plan that was made outside. Only for caches that replace.
  void add(std::shared_ptr<Plan> plan) {
    static_assert(replaces, "a cache that refuses has to be asked first");
    std::lock_guard lock(adding);
    addLocked(std::move(plan));
  }

private:
  using List = std::vector<std::shared_ptr<Plan>>; // shared by the lists, and with calls where plans are replaced

  /// Counts a call in and out, where lists may go while calls are in them.
  class Reader {
  public:
    explicit Reader(std::atomic<size_t> &readers) : readers(readers) {
      if constexpr (replaces)
        readers.fetch_add(1, std::memory_order_seq_cst);
    }
    ~Reader() {
      if constexpr (replaces)
        readers.fetch_sub(1, std::memory_order_release);
    }
    Reader(const Reader &) = delete;

  private:
    [[maybe_unused]] std::atomic<size_t> &readers;
  };

  static Found handOut(const std::shared_ptr<Plan> &plan) {
    if constexpr (replaces)
      return plan;
    else
      return plan.get();
  }

  Found addLocked(std::shared_ptr<Plan> plan) {
    auto next = std::make_unique<List>();
    next->reserve(limit < 16 ? limit : 16);
    if (!lists.empty()) {
      const List &last = *lists.back();
      assert((replaces || last.size() < limit) && "a plan beyond the limit");
      next->assign(last.begin() + (last.size() == limit), last.end());
    }
    next->push_back(plan);
    const List *published = lists.emplace_back(std::move(next)).get();
    current.store(published, replaces ? std::memory_order_seq_cst : std::memory_order_release);
    if constexpr (replaces)
      if (readers.load(std::memory_order_seq_cst) == 0)
        lists.erase(lists.begin(), lists.end() - 1);
    return handOut(plan);
  }

  const size_t limit;
  std::mutex adding;                              ///< Guards `lists`; held while a plan is made.
  std::vector<std::unique_ptr<const List>> lists; ///< The current one is the last.
  std::atomic<const List *> current{nullptr};
  mutable std::atomic<size_t> readers{0}; ///< How many calls are in a list. Unused where lists stay.
};

} // namespace tsc

#endif
