//===- Stack.cpp - How much stack a thread has left -----------------------===//
#include "tsc/Support/Stack.h"
#include <cstdint>
#include <limits>
#include <pthread.h>
#include <utility>

using namespace tsc;

namespace {
/// The calling thread's stack, [low, low + size); empty where that cannot be found out. It is asked for once, which
/// costs the main thread a look into /proc.
struct Bounds {
  uintptr_t low = 0;
  size_t size = 0;
  bool isKnown = false;
};
} // namespace

static thread_local Bounds bounds;

static size_t measure(uintptr_t at) {
  pthread_attr_t attributes;
  if (std::exchange(bounds.isKnown, true) || pthread_getattr_np(pthread_self(), &attributes) != 0)
    return std::numeric_limits<size_t>::max();
  void *low = nullptr;
  size_t size = 0;
  if (pthread_attr_getstack(&attributes, &low, &size) == 0)
    bounds = {reinterpret_cast<uintptr_t>(low), size, true};
  pthread_attr_destroy(&attributes);
  return at - bounds.low < bounds.size ? at - bounds.low : std::numeric_limits<size_t>::max();
}

size_t tsc::stackLeft() {
  const auto at = reinterpret_cast<uintptr_t>(__builtin_frame_address(0));
  return at - bounds.low < bounds.size ? at - bounds.low : measure(at);
}

Status tsc::checkStack(size_t bytes, llvm::StringRef what) {
  const size_t left = stackLeft();
  if (left >= bytes) [[likely]]
    return okStatus();
  return resourceExhausted(what + " needs at least " + llvm::Twine(bytes >> 10) + " kB of stack, and this thread has " +
                           llvm::Twine(left >> 10) + " kB left");
}
