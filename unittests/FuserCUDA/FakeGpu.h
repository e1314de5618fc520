//===- FakeGpu.h - A GPU whose driver checks its calls ----------*- C++ -*-===//
#ifndef TSC_UNITTESTS_FUSERCUDA_FAKEGPU_H
#define TSC_UNITTESTS_FUSERCUDA_FAKEGPU_H

#include "FakeDriver/FakeDriver.h"
#include "tsc/FuserCUDA/FuserCUDA.h"
#include "llvm/ADT/StringRef.h"
#include <catch2/catch.hpp>
#include <dlfcn.h>

namespace tsc {

inline const FakeDriver &fake() {
  static const FakeDriver *const driver = [] {
    void *library = dlopen(TSC_FAKE_DRIVER, RTLD_NOW | RTLD_LOCAL); // kept, with its state
    REQUIRE(library);
    return static_cast<const FakeDriver *>(dlsym(library, "fakeDriver"));
  }();
  return *driver;
}

/// Whether the call that failed was to give something back, which then is not.
inline bool givesBack(llvm::StringRef failed, bool succeeded) {
  return failed.contains("Destroy") || failed.starts_with("cuMemFree") || failed == "cuModuleUnload" ||
         failed == "cuDevicePrimaryCtxRelease_v2" || (succeeded && failed == "cuCtxPushCurrent_v2");
}

/// Of a GPU with the fake driver and a fake NVRTC.
inline CudaFuserOptions fakeOptions() {
  CudaFuserOptions asked;
  asked.mode = CompileMode::Eager;
  asked.driver = asked.nvrtc = TSC_FAKE_DRIVER;
  asked.headers = asked.driver.substr(0, asked.driver.rfind('/')) + "/include";
  asked.cacheFolder = "";
  return asked;
}

} // namespace tsc

#endif
