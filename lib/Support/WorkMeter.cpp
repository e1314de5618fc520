//===- WorkMeter.cpp - What operators do, and when to stop ----------------===//
#include "tsc/Support/WorkMeter.h"

using namespace tsc;
using namespace tsc::work;

constinit thread_local work::detail::ThreadState work::detail::threadState{};

void Meter::count(uint64_t steps) {
  const uint64_t most = limit.load(std::memory_order_relaxed);
  if (most != unlimited && counted.fetch_add(steps, std::memory_order_relaxed) + steps > most)
    alarm->store(true, std::memory_order_relaxed);
}

/// Tells the meter of the operations that were done. False: the loop is to stop, and asks again at its next turn.
bool work::detail::look(ThreadState &state) {
  if (Meter *meter = state.meter) {
    const bool wentOn = meter->mayGoOn();
    if (wentOn)
      meter->count(static_cast<uint64_t>((operationsInStep - state.left) / operationsInStep));
    if (!wentOn || !meter->mayGoOn()) {
      state.left = 0;
      return false;
    }
  }
  state.left = operationsInStep;
  return true;
}
