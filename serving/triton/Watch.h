//===- Watch.h - Ends calls whose requests were cancelled -----------------===//
#ifndef TSC_SERVING_TRITON_WATCH_H
#define TSC_SERVING_TRITON_WATCH_H

#include "Failure.h"
#include "TritonInterface.h"
#include <condition_variable>
#include <mutex>
#include <span>
#include <thread>
#include <vector>

namespace tsc::triton {

/// A thread that asks every two milliseconds whether requests of running calls were cancelled, and cancels the calls
/// of which nobody wants the result. It sleeps while there are no calls.
class Watch {
public:
  Watch();
  ~Watch();

  /// A call that is watched as long as this lives. The requests must stay unreleased meanwhile.
  class Call {
  public:
    Call(Watch &watch, tsc_context *context, std::span<TRITONBACKEND_Request *const> requests);
    ~Call();

  private:
    friend class Watch;
    Watch &watch;
    tsc_context *context;
    std::span<TRITONBACKEND_Request *const> requests;
  };

private:
  void run();
  std::mutex mutex;
  std::condition_variable changed;
  std::vector<Call *> calls;
  bool isAsleep = false, isEnding = false;
  std::thread thread;
};

} // namespace tsc::triton

#endif
