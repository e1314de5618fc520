//===- StackTest.cpp - What threads have: their stacks, their objects -----===//
#include "tsc/Support/Stack.h"
#include "ThreadsOfTests.h"
#include "tsc/Support/ThreadExit.h"
#include <catch2/catch.hpp>
#include <pthread.h>
#include <thread>
#include <unistd.h>
#include <vector>

using namespace tsc;

/// Memory of the caller's frame that an optimizer cannot do without.
static void use(char *memory) { asm volatile("" : : "r"(memory) : "memory"); }

/// How much stack `levels` of calls leave.
[[gnu::noinline]] static size_t leftBelow(unsigned levels) {
  char frame[1024] = {};
  use(frame);
  const size_t left = levels ? leftBelow(levels - 1) : stackLeft();
  use(frame);
  return left;
}

TEST_CASE("a thread knows how much stack it has left") {
  for (size_t size : {size_t{128} << 10, size_t{1} << 20, size_t{16} << 20})
    inThread(size, [size] {
      const size_t left = stackLeft(), below = leftBelow(32);
      CHECK(left < size);
      CHECK(left > size - (32 << 10));
      CHECK(below < left - (32 << 10));
      CHECK(mayRecurse() == (left > stackForLeaves));
    });
  CHECK(stackLeft() > (64 << 10)); // of the thread that runs tests, too
}

TEST_CASE("a process's first thread has as much stack as the system says") {
  REQUIRE(getpid() == gettid());
  pthread_attr_t attributes;
  REQUIRE(pthread_getattr_np(pthread_self(), &attributes) == 0);
  void *low = nullptr;
  size_t size = 0;
  REQUIRE(pthread_attr_getstack(&attributes, &low, &size) == 0);
  pthread_attr_destroy(&attributes);
  const auto left = reinterpret_cast<uintptr_t>(__builtin_frame_address(0)) - reinterpret_cast<uintptr_t>(low);
  CHECK(stackLeft() < left + (16 << 10));
  CHECK(stackLeft() + (16 << 10) > left);
}

TEST_CASE("what needs more stack than there is says how much") {
  inThread(128 << 10, [] {
    CHECK(checkStack(16 << 10, "a test").ok());
    const Status status = checkStack(1 << 20, "a test");
    CHECK(status.code() == StatusCode::ResourceExhausted);
    CHECK(messageOf(status).starts_with("a test needs at least 1024 kB of stack, and this thread has 1"));
  });
}

/// Goes down for as long as it may.
[[gnu::noinline]] static unsigned descend(unsigned depth) {
  requireStack();
  char frame[256] = {};
  use(frame);
  const unsigned deepest = descend(depth + 1);
  use(frame);
  return deepest;
}

TEST_CASE("a recursion without end leaves the stack as an error") {
  inThread(256 << 10, [] {
    const StatusOr<unsigned> depth = orMemoryError([]() -> StatusOr<unsigned> { return descend(0); });
    CHECK(depth.status().code() == StatusCode::ResourceExhausted);
    CHECK(messageOf(depth.status()) == "RecursionError: nested too deeply for the stack of this thread");
  });
}

TEST_CASE("containers that cannot grow are errors") {
  const Status none = orMemoryError([]() -> Status { throw std::bad_alloc(); });
  CHECK(messageOf(none) == "MemoryError: out of memory");
  const StatusOr<int> large = orMemoryError([]() -> StatusOr<int> { throw std::length_error("vector"); });
  CHECK(messageOf(large.status()) == "MemoryError: a list or str would grow too long");
  CHECK(*orMemoryError([]() -> StatusOr<int> { return 3; }) == 3);
}

namespace {
struct Counted {
  static inline int alive = 0;
  int value = 0;
  Counted() { ++alive; }
  ~Counted() { --alive; }
};
} // namespace

TEST_CASE("a thread's object lives as long as the thread") {
  for (int turn = 0; turn != 3; ++turn) {
    std::thread([] {
      threadObject<Counted>().value = 7;
      CHECK(threadObject<Counted>().value == 7);
      CHECK(Counted::alive == 1);
    }).join();
    CHECK(Counted::alive == 0);
  }
  std::vector<int> ended;
  std::thread([&] {
    for (int i = 0; i != 3; ++i)
      REQUIRE(atThreadExit([](void *list) { static_cast<std::vector<int> *>(list)->push_back(1); }, &ended));
    CHECK(ended.empty());
  }).join();
  CHECK(ended.size() == 3);
}
