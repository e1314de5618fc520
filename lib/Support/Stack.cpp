//===- Stack.cpp - How much stack a thread has left -----------------------===//
#include "tsc/Support/Stack.h"
#include "llvm/Support/MathExtras.h"
#include <algorithm>
#include <cstdint>
#include <limits>
#include <optional>
#include <pthread.h>
#include <sys/auxv.h>
#include <sys/resource.h>
#include <unistd.h>
#include <utility>

using namespace tsc;

namespace {
/// The calling thread's stack, [low, low + size); empty where that cannot be found out. It is asked for once.
struct Bounds {
  uintptr_t low = 0;
  size_t size = 0;
  bool isKnown = false;
};
} // namespace

static thread_local Bounds bounds;

/// What the kernel leaves free below the stack of a process's first thread, whatever the limit is set to later.
static constexpr size_t gapBelowFirstStack = size_t(64) << 20;

/// Where that thread's stack is, if `at` lies in it: it begins with the name of the program's file and grows down to
/// its limit. The library would read every mapping in /proc for it, which takes as long as a small source does to load.
static std::optional<Bounds> findFirstStack(uintptr_t at) {
  rlimit limit;
  const uintptr_t top = llvm::alignTo(getauxval(AT_EXECFN), sysconf(_SC_PAGESIZE));
  if (top == 0 || getrlimit(RLIMIT_STACK, &limit) != 0 || limit.rlim_cur > std::min<rlim_t>(gapBelowFirstStack, top))
    return std::nullopt;
  const Bounds first = {top - limit.rlim_cur, limit.rlim_cur, true};
  if (at - first.low >= first.size)
    return std::nullopt;
  return first;
}

static std::optional<Bounds> findStackOfThread() {
  pthread_attr_t attributes;
  if (pthread_getattr_np(pthread_self(), &attributes) != 0)
    return std::nullopt;
  void *low = nullptr;
  size_t size = 0;
  const bool isKnown = pthread_attr_getstack(&attributes, &low, &size) == 0;
  pthread_attr_destroy(&attributes);
  if (!isKnown)
    return std::nullopt;
  return Bounds{reinterpret_cast<uintptr_t>(low), size, true};
}

static size_t measure(uintptr_t at) {
  if (!std::exchange(bounds.isKnown, true)) {
    std::optional<Bounds> found = findFirstStack(at);
    if (!found)
      found = findStackOfThread();
    bounds = found.value_or(bounds);
  }
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
