//===- LateRelease.cpp - Python's objects that tsc lets go ----------------===//
#include "LateRelease.h"
#include "Python.h"
#include <atomic>

using namespace tsc;
using namespace tsc::bindings;

Kept::~Kept() = default;

static std::atomic<Kept *> released{nullptr};
static thread_local unsigned clearing = 0; ///< How many ClearsReleased the thread has.

ClearsReleased::ClearsReleased() { ++clearing; }
ClearsReleased::~ClearsReleased() { --clearing; }

static int clearInMainThread(void *) {
  clearReleased();
  return 0;
}

void bindings::releaseLater(Kept *kept) noexcept {
  kept->next = released.load(std::memory_order_relaxed);
  while (!released.compare_exchange_weak(kept->next, kept, std::memory_order_release, std::memory_order_relaxed))
    ;
  // Where the interpreter has no room to note this, or is gone, the objects wait for the next call, or for ever.
  if (!clearing && Py_IsInitialized())
    (void)Py_AddPendingCall(clearInMainThread, nullptr);
}

void bindings::clearReleased() noexcept {
  if (!released.load(std::memory_order_relaxed)) [[likely]]
    return;
  Kept *first = released.exchange(nullptr, std::memory_order_acquire);
  while (first) {
    Kept *next = first->next;
    delete first;
    first = next;
  }
}
