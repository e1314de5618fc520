//===- Statistic.h - Counters that passes keep ------------------*- C++ -*-===//
//
//   #define DEBUG_TYPE "dce"
//   TSC_STATISTIC(NumErased, "Nodes erased");
//   ++NumErased;
//
// Unlike LLVM's STATISTIC these count in release builds too. A counter is
// constant-initialized and enters the list of counters when first counted up.
//
//===----------------------------------------------------------------------===//
#ifndef TSC_SUPPORT_STATISTIC_H
#define TSC_SUPPORT_STATISTIC_H

#include <atomic>
#include <cstdint>

namespace llvm {
class raw_ostream;
}

namespace tsc {

/// A process-wide counter. It observes and never decides. Safe to count from many threads.
class Statistic {
public:
  constexpr Statistic(const char *group, const char *name, const char *description)
      : group(group), name(name), description(description) {}
  Statistic &operator++() { return *this += 1; }
  Statistic &operator+=(uint64_t amount) {
    if (count.fetch_add(amount, std::memory_order_relaxed) == 0 && amount != 0)
      enlist();
    return *this;
  }
  uint64_t value() const { return count.load(std::memory_order_relaxed); }

private:
  void enlist();
  friend void printStatistics(llvm::raw_ostream &);
  friend void resetStatistics();

  const char *group, *name, *description;
  std::atomic<uint64_t> count{0};
  std::atomic<bool> listed{false};
  Statistic *next = nullptr;
};

/// Writes one line for each counter that is not zero: value, group, description; sorted by group and name.
void printStatistics(llvm::raw_ostream &os);
/// Sets all counters to zero.
void resetStatistics();

} // namespace tsc

/// Defines the counter NAME of the group DEBUG_TYPE.
#define TSC_STATISTIC(NAME, DESCRIPTION)                                                                               \
  static constinit ::tsc::Statistic NAME { DEBUG_TYPE, #NAME, DESCRIPTION }

#endif
