//===- SignalWatch.h - Signals that come during a call ----------*- C++ -*-===//
//
// Python runs handlers of signals in its main thread, between two instructions of its
// own. So that they run during long calls too, a thread tells a call of the main thread
// that goes on for more than a moment to ask Python, again and again.
//
//===----------------------------------------------------------------------===//
#ifndef TSC_BINDINGS_PYTHON_SIGNALWATCH_H
#define TSC_BINDINGS_PYTHON_SIGNALWATCH_H

#include "tsc/Runtime/Dispatch/CallContext.h"
#include <atomic>
#include <condition_variable>
#include <mutex>

namespace tsc::bindings {

class EngineCall;

/// Watches the calls of the main thread. Its own thread starts with the first call, sleeps while there are none, and
/// ends with the process.
class SignalWatch {
public:
  static SignalWatch &get();
  /// Whether the calling thread is the one in which Python runs handlers of signals.
  static bool isMainThread();
  /// Says which thread that is, by Python's number (threading.main_thread().ident).
  static void setMainThread(unsigned long ident);

  /// Watches a call, which is about to begin, and returns the one that was watched before.
  EngineCall *enter(EngineCall *entered, CallContext &context);
  /// Goes back to the call around the one that has ended, or to none.
  void leave(EngineCall *outer, CallContext *context);

private:
  SignalWatch() = default;
  void start();
  void watch();
  /// Tells the call that it was watching at the last turn, if it is still under way.
  void turn();

  EngineCall *entered = nullptr; ///< What enter() was last given. The main thread alone uses it.
  std::atomic<CallContext *> context{nullptr};
  std::atomic<uint64_t> numCalls{0};
  std::atomic<bool> isAsleep{false};
  std::atomic_flag busy = ATOMIC_FLAG_INIT; ///< Held while the call may be told, and when it goes.
  bool isStarted = false;
  uint64_t seen = 0; ///< The number of calls at the last turn. The watching thread alone uses it.
  std::mutex mutex;
  std::condition_variable wake;
};

} // namespace tsc::bindings

#endif
