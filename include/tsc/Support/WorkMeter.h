//===- WorkMeter.h - What operators do, and when to stop --------*- C++ -*-===//
//
// How long an operator takes is decided by its operands: by their size, and, for
// some operators, by the value of a number. What is done for the first is counted
// in bulk (count), and what is done for the second is counted turn by turn, by a
// loop that stops when its call is to end (LongLoop). Kernels know of calls nothing
// but this: whoever runs a program enters a MeterScope.
//
//===----------------------------------------------------------------------===//
#ifndef TSC_SUPPORT_WORKMETER_H
#define TSC_SUPPORT_WORKMETER_H

#include "tsc/Support/Status.h"
#include <atomic>
#include <cstdint>
#include <limits>

namespace tsc::work {

/// The number of elementary operations (an addition, a few bytes copied, an element compared) that count as one step of
/// a program.
inline constexpr int64_t operationsInStep = 32768;

/// Counts the steps that the operators of a call come to, and knows whether the call is to end.
///
/// Threads: any number may count in one meter.
class Meter {
public:
  static constexpr uint64_t unlimited = std::numeric_limits<uint64_t>::max();

  /// Makes a meter with the flag that says that the call is to end. The meter looks at the flag, and sets it when the
  /// limit is exceeded. The flag outlives the meter.
  explicit Meter(std::atomic<bool> &alarm) : alarm(&alarm) {}
  void setAlarm(std::atomic<bool> &flag) { alarm = &flag; }
  /// Sets how many steps may be used. Without a limit nothing is counted.
  void setLimit(uint64_t steps) { limit.store(steps, std::memory_order_relaxed); }
  /// Counts steps, and sets the flag where they are more than the limit.
  void count(uint64_t steps);
  uint64_t used() const { return counted.load(std::memory_order_relaxed); }
  /// Returns the number of steps used, and begins anew with none.
  uint64_t take() { return used() == 0 ? 0 : counted.exchange(0, std::memory_order_relaxed); }
  /// Whether the call may go on: the flag is not set.
  bool mayGoOn() const { return !alarm->load(std::memory_order_relaxed); }

private:
  std::atomic<uint64_t> counted{0}, limit{unlimited};
  std::atomic<bool> *alarm;
};

namespace detail {
struct ThreadState {
  Meter *meter = nullptr;
  int64_t left = operationsInStep; ///< The operations that long loops may do before the meter is told of them.
};
extern constinit thread_local ThreadState threadState;
bool look(ThreadState &state);
} // namespace detail

/// Returns the meter that the calling thread counts in; null when there is none.
inline Meter *currentMeter() { return detail::threadState.meter; }

/// While it lives, the calling thread counts in a meter, or, with null, in none.
class MeterScope {
public:
  explicit MeterScope(Meter *meter) : previous(detail::threadState.meter) { detail::threadState.meter = meter; }
  ~MeterScope() { detail::threadState.meter = previous; }
  MeterScope(const MeterScope &) = delete;
  MeterScope &operator=(const MeterScope &) = delete;

private:
  Meter *previous;
};

/// Counts operations whose number the sizes of operands decide. Fewer than a step of them are not counted.
inline void count(int64_t operations) {
  if (operations >= operationsInStep) [[unlikely]]
    if (Meter *meter = currentMeter())
      meter->count(static_cast<uint64_t>(operations / operationsInStep));
}

/// Counts multiplications of a product, a convolution or a decomposition, of which a processor does several at once.
/// `number` may be larger than any int64_t.
inline void countMultiplications(double number) {
  constexpr double atOnce = 16, most = 0x1p62;
  if (number >= atOnce * static_cast<double>(operationsInStep)) [[unlikely]]
    count(static_cast<int64_t>(number < atOnce * most ? number / atOnce : most));
}

/// Says, before each turn of a loop whose number of turns the value of an argument decides, whether the call goes on:
///
///     work::LongLoop turns;
///     for (int64_t i = 0; i != n && turns.goOn(); ++i)
///
/// A loop that stops leaves its result unfinished. That does not matter for the elements of a tensor: nobody looks at
/// them before the call ends, right behind the operator. Where other code relies on the result, return stopped() in its
/// place.
class LongLoop {
public:
  /// `cost` is the number of elementary operations that a turn is worth.
  explicit LongLoop(int64_t cost = 1) : state(detail::threadState), cost(cost) {}
  bool goOn() { return (state.left -= cost) > 0 || detail::look(state); }

private:
  detail::ThreadState &state;
  int64_t cost;
};

/// Returns the error of an operator that stopped; why it had to, the call says.
inline Status stopped() { return cancelled("the operator was stopped"); }
/// Whether the calling thread's call is to end.
inline bool wasStopped() {
  const Meter *meter = currentMeter();
  return meter && !meter->mayGoOn();
}

} // namespace tsc::work

#endif
