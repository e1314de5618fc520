//===- Watch.cpp - Ends calls whose requests were cancelled ---------------===//
#include "Watch.h"
#include <algorithm>

namespace tsc::triton {

Watch::Watch() : thread([this] { run(); }) {}

Watch::~Watch() {
  {
    std::lock_guard lock(mutex);
    isEnding = true;
  }
  changed.notify_one();
  thread.join();
}

static bool isCancelled(TRITONBACKEND_Request *request) {
  bool cancelled = false;
  if (TRITONSERVER_Error *error = TRITONBACKEND_RequestIsCancelled(request, &cancelled)) {
    TRITONSERVER_ErrorDelete(error);
    return false;
  }
  return cancelled;
}

void Watch::run() {
  std::unique_lock lock(mutex);
  int idle = 0;
  while (!isEnding) {
    // It goes on for a while without calls, so that a call need not wake it.
    if (idle > 100) {
      isAsleep = true;
      changed.wait(lock, [&] { return isEnding || !calls.empty(); });
      isAsleep = false;
    }
    changed.wait_for(lock, std::chrono::milliseconds(2), [&] { return isEnding; });
    idle = calls.empty() ? idle + 1 : 0;
    for (const Call *call : calls)
      if (std::all_of(call->requests.begin(), call->requests.end(), isCancelled))
        tsc_context_cancel(call->context);
  }
}

Watch::Call::Call(Watch &watch, tsc_context *context, std::span<TRITONBACKEND_Request *const> requests)
    : watch(watch), context(context), requests(requests) {
  std::lock_guard lock(watch.mutex);
  tsc_context_resume(context); // the call before this one may have been cancelled when it had ended
  watch.calls.push_back(this);
  if (watch.isAsleep)
    watch.changed.notify_one();
}

Watch::Call::~Call() {
  std::lock_guard lock(watch.mutex);
  watch.calls.erase(std::find(watch.calls.begin(), watch.calls.end(), this));
}

} // namespace tsc::triton
