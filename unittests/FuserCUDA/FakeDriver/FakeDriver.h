//===- FakeDriver.h - What tests ask of the fake driver ---------*- C++ -*-===//
#ifndef TSC_UNITTESTS_FUSERCUDA_FAKEDRIVER_H
#define TSC_UNITTESTS_FUSERCUDA_FAKEDRIVER_H

#include <cstddef>

/// The state of the fake driver, as it is asked for by dlsym("fakeDriver").
struct FakeDriver {
  /// Forgets everything but compiled programs; call number `failing` (from 1) fails, 0: none.
  void (*reset)(int failing);
  int (*numCalls)();           ///< Since, but for those that explain errors.
  const char *(*failedCall)(); ///< The function that failed, or "".
  int (*numLive)();            ///< Allocations, modules, streams and contexts that nobody gave back.
  const char *(*complaints)(); ///< What was done wrong, a line each.
  const char *(*log)();        ///< The calls, a line each.
  void (*setCapability)(int major, int minor);
  void (*setDevices)(int count);
  void (*setMemory)(size_t bytes);  ///< What is left to allocate.
  const char *(*source)(int index); ///< Of a program that was compiled, ever; null behind the last one.
};

#endif
