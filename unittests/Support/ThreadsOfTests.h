//===- ThreadsOfTests.h - Threads that tests run in -------------*- C++ -*-===//
#ifndef TSC_UNITTESTS_SUPPORT_THREADSOFTESTS_H
#define TSC_UNITTESTS_SUPPORT_THREADSOFTESTS_H

#include <algorithm>
#include <catch2/catch.hpp>
#include <cstdlib>
#include <functional>
#include <limits.h>
#include <pthread.h>

/// Whether the thread sanitizer runs the tests: what it cannot run is left out there.
#if defined(__SANITIZE_THREAD__) || (defined(__has_feature) && __has_feature(thread_sanitizer))
#define TSC_HAS_THREAD_SANITIZER 1
#else
#define TSC_HAS_THREAD_SANITIZER 0
#endif

namespace tsc {

/// Whether an emulator of another processor runs the tests (cmake/TscHostTools.cmake). qemu's cannot start threads in
/// the child of a process that had some.
inline bool isEmulated() { return std::getenv("TSC_IS_EMULATED") != nullptr; }

/// The bytes of the smallest stack that a thread may have, and 64 kB at least.
inline size_t smallestStack() { return std::max<size_t>(64 << 10, PTHREAD_STACK_MIN); }

/// Runs a function in a thread with a stack of so many bytes.
inline void inThread(size_t stack, std::function<void()> run) {
  pthread_attr_t attributes;
  REQUIRE(pthread_attr_init(&attributes) == 0);
  REQUIRE(pthread_attr_setstacksize(&attributes, stack) == 0);
  auto start = [](void *function) -> void * {
    (*static_cast<std::function<void()> *>(function))();
    return nullptr;
  };
  pthread_t thread;
  const int failed =
      pthread_create(&thread, &attributes, start, &run); // looked at when the thread asserts nothing more
  const int lost = failed ? 0 : pthread_join(thread, nullptr);
  REQUIRE(failed == 0);
  REQUIRE(lost == 0);
  pthread_attr_destroy(&attributes);
}

} // namespace tsc

#endif
