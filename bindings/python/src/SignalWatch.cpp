//===- SignalWatch.cpp - Signals that come during a call ------------------===//
#include "SignalWatch.h"
#include "Python.h"
#include <chrono>
#include <csignal>
#include <pthread.h>
#include <system_error>
#include <thread>

using namespace tsc;
using namespace tsc::bindings;

/// How long a call goes on before it asks Python for signals, and between two times that it does.
static constexpr std::chrono::milliseconds interval{30};
/// After how many turns without a new call the watch goes to sleep.
static constexpr unsigned turnsBeforeSleep = 30;

static std::atomic<unsigned long> mainThread{0};
void SignalWatch::setMainThread(unsigned long ident) { mainThread.store(ident, std::memory_order_relaxed); }

bool SignalWatch::isMainThread() {
  static thread_local const unsigned long own = PyThread_get_thread_ident();
  return own == mainThread.load(std::memory_order_relaxed);
}

SignalWatch &SignalWatch::get() {
  static SignalWatch &watch = *new SignalWatch; // its thread uses it until the process ends
  return watch;
}

void SignalWatch::start() {
  isStarted = true;
  sigset_t all, before; // signals are for the threads of the program
  sigfillset(&all);
  pthread_sigmask(SIG_SETMASK, &all, &before);
  try {
    std::thread([this] { watch(); }).detach();
  } catch (const std::system_error &) { // signals wait until the call is over
  }
  pthread_sigmask(SIG_SETMASK, &before, nullptr);
  static const int handled = pthread_atfork(nullptr, nullptr, [] { // the child has no such thread
    SignalWatch &watch = get();
    watch.isStarted = false;
    watch.isAsleep.store(false);
    watch.busy.clear();
    new (&watch.mutex) std::mutex;
    new (&watch.wake) std::condition_variable;
  });
  (void)handled;
}

EngineCall *SignalWatch::enter(EngineCall *call, CallContext &of) {
  if (!isStarted) [[unlikely]]
    start();
  numCalls.fetch_add(1, std::memory_order_relaxed);
  context.store(&of);
  if (isAsleep.load()) [[unlikely]] {
    std::lock_guard lock(mutex);
    isAsleep.store(false);
    wake.notify_one();
  }
  return std::exchange(entered, call);
}

void SignalWatch::leave(EngineCall *outer, CallContext *of) {
  while (busy.test_and_set(std::memory_order_acquire))
    std::this_thread::yield();
  context.store(of, std::memory_order_relaxed);
  busy.clear(std::memory_order_release);
  entered = outer;
}

void SignalWatch::turn() {
  while (busy.test_and_set(std::memory_order_acquire))
    std::this_thread::yield();
  const uint64_t now = numCalls.load(std::memory_order_relaxed);
  CallContext *current = context.load(std::memory_order_acquire); // pairs with enter(): it is seen complete
  if (current && now == seen)
    current->interrupt();
  busy.clear(std::memory_order_release);
}

void SignalWatch::watch() {
  for (unsigned idle = 0;;) {
    std::this_thread::sleep_for(interval);
    turn();
    const uint64_t now = numCalls.load(std::memory_order_relaxed);
    idle = now == seen && !context.load() ? idle + 1 : 0;
    seen = now;
    if (idle < turnsBeforeSleep)
      continue;
    std::unique_lock lock(mutex);
    isAsleep.store(true);
    if (context.load() || numCalls.load() != seen) // a call that came just now did not see that
      isAsleep.store(false);
    wake.wait(lock, [&] { return !isAsleep.load(); });
    idle = 0;
  }
}
