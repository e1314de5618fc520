//===- Driver.cpp - CUDA's driver, and a device's context -----------------===//
#include "tsc/DeviceCUDA/Driver.h"

using namespace tsc;
using namespace tsc::fuser;

namespace {
// Of the driver's enumerations.
enum Result : int { Success = 0, OutOfMemory = 2, NoDevice = 100, InvalidDevice = 101 };
enum Attribute : int {
  MultiprocessorCount = 16,
  ThreadsOfMultiprocessor = 39,
  CapabilityMajor = 75,
  CapabilityMinor = 76
};
constexpr unsigned nonBlocking = 1;
} // namespace

StatusOr<std::unique_ptr<Driver>> Driver::open(llvm::StringRef path) {
  std::vector<std::string> paths{"libcuda.so.1", "libcuda.so"};
  if (!path.empty())
    paths = {path.str()};
  TSC_ASSIGN_OR_RETURN(SharedLibrary library, SharedLibrary::open("CUDA's driver", paths));
  std::unique_ptr<Driver> opened(new Driver(std::move(library)));
#define DRIVER(NAME, ...) TSC_RETURN_IF_ERROR(opened->library.find(#NAME, opened->NAME));
#include "tsc/DeviceCUDA/DriverFunctions.def"
  TSC_DRIVER_CALL(*opened, cuInit, 0);
  return opened;
}

Status Driver::check(int result, llvm::StringRef what) const {
  if (result == Success)
    return okStatus();
  const char *name = nullptr, *text = nullptr;
  if (cuGetErrorName(result, &name) != Success || !name)
    name = "an error without a name";
  if (cuGetErrorString(result, &text) != Success || !text)
    text = "no text";
  const std::string message = (what + ": " + name + " (" + text + ")").str();
  switch (result) {
  case OutOfMemory: return resourceExhausted(message);
  case NoDevice:
  case InvalidDevice: return notFound(message);
  default: return internalError(message);
  }
}

StatusOr<std::unique_ptr<DriverContext>> DriverContext::open(std::unique_ptr<Driver> driver, int ordinal) {
  int count = 0, device = 0;
  TSC_DRIVER_CALL(*driver, cuDeviceGetCount, &count);
  if (ordinal < 0 || ordinal >= count)
    return notFound("there is no CUDA device " + llvm::Twine(ordinal) + ": there are " + llvm::Twine(count));
  TSC_DRIVER_CALL(*driver, cuDeviceGet, &device, ordinal);
  std::unique_ptr<DriverContext> opened(new DriverContext(std::move(driver), device));
  TSC_RETURN_IF_ERROR(opened->describe());
  return opened;
}

Status DriverContext::describe() {
  char text[256] = {};
  int major = 0, minor = 0;
  TSC_DRIVER_CALL(*driver, cuDriverGetVersion, &version);
  TSC_DRIVER_CALL(*driver, cuDeviceGetName, text, sizeof(text) - 1, device);
  TSC_DRIVER_CALL(*driver, cuDeviceGetAttribute, &major, CapabilityMajor, device);
  TSC_DRIVER_CALL(*driver, cuDeviceGetAttribute, &minor, CapabilityMinor, device);
  TSC_DRIVER_CALL(*driver, cuDeviceGetAttribute, &numMultiprocessors, MultiprocessorCount, device);
  TSC_DRIVER_CALL(*driver, cuDeviceGetAttribute, &mostThreads, ThreadsOfMultiprocessor, device);
  numMultiprocessors = std::max(numMultiprocessors, 1);
  mostThreads = std::max(mostThreads, 256);
  deviceName = text;
  deviceArchitecture = "sm_" + std::to_string(major) + std::to_string(minor);
  if (major < 8)
    return unimplemented("kernels are for GPUs from sm_80 on; " + deviceName + " is " + deviceArchitecture);
  return okStatus();
}

StatusOr<std::array<unsigned char, 16>> DriverContext::uuid() {
  std::array<unsigned char, 16> bytes{};
  TSC_DRIVER_CALL(*driver, cuDeviceGetUuid_v2, bytes.data(), device);
  return bytes;
}

Status DriverContext::make() {
  std::lock_guard<std::mutex> guard(lock);
  if (stream)
    return okStatus();
  if (!context)
    TSC_DRIVER_CALL(*driver, cuDevicePrimaryCtxRetain, &context, device);
  TSC_DRIVER_CALL(*driver, cuCtxPushCurrent_v2, context);
  Status made = driver->check(driver->cuStreamCreate(&stream, nonBlocking), "cuStreamCreate");
  leave();
  if (!made.ok())
    stream = nullptr;
  return made;
}

Status DriverContext::makeCaptureStream() {
  if (!captureStream)
    TSC_DRIVER_CALL(*driver, cuStreamCreate, &captureStream, nonBlocking);
  return okStatus();
}

/// What was done in the context stands, whether or not leaving it works.
void DriverContext::leave() {
  CuContext popped = nullptr;
  (void)driver->cuCtxPopCurrent_v2(&popped);
}

Status DriverContext::within(llvm::function_ref<Status()> f) {
  TSC_RETURN_IF_ERROR(make());
  TSC_DRIVER_CALL(*driver, cuCtxPushCurrent_v2, context);
  Status done = f();
  leave();
  return done;
}

Status DriverContext::inOrder(llvm::function_ref<Status()> f) {
  if (order)
    TSC_RETURN_IF_ERROR(order->settle());
  return within(f);
}

DriverContext::~DriverContext() {
  if (stream && driver->cuCtxPushCurrent_v2(context) == Success) {
    (void)driver->cuStreamSynchronize(stream);
    releasePinned();
    if (captureStream)
      (void)driver->cuStreamDestroy_v2(captureStream);
    (void)driver->cuStreamDestroy_v2(stream);
    leave();
  }
  if (context)
    (void)driver->cuDevicePrimaryCtxRelease_v2(device);
}

StatusOr<CuPointer> DriverContext::allocate(size_t bytes) {
  CuPointer address = 0;
  TSC_RETURN_IF_ERROR(within([&]() -> Status {
    TSC_DRIVER_CALL(*driver, cuMemAllocAsync, &address, bytes, stream);
    return okStatus();
  }));
  return address;
}

Status DriverContext::deallocate(CuPointer address) {
  return inOrder([&]() -> Status {
    TSC_DRIVER_CALL(*driver, cuMemFreeAsync, address, stream);
    return okStatus();
  });
}

Status DriverContext::copy(CuPointer to, CuPointer from, size_t bytes) {
  return submit({nullptr, 0, 0, {bytes}, {to, from}, [=, this](CuStream on) { return copyOn(on, to, from, bytes); }});
}

Status DriverContext::copyOn(CuStream on, CuPointer to, CuPointer from, size_t bytes) {
  TSC_DRIVER_CALL(*driver, cuMemcpyDtoDAsync_v2, to, from, bytes, on);
  return okStatus();
}

Status DriverContext::synchronize() {
  TSC_RETURN_IF_ERROR(inOrder([&]() -> Status {
    TSC_DRIVER_CALL(*driver, cuStreamSynchronize, stream);
    return okStatus();
  }));
  return checkFailed();
}

void DriverContext::fail(const Status &why) {
  std::lock_guard<std::mutex> guard(lock);
  if (failed.ok())
    failed = why;
}

Status DriverContext::checkFailed() {
  std::lock_guard<std::mutex> guard(lock);
  return failed;
}

StatusOr<CuModule> DriverContext::load(const std::string &image) {
  CuModule module = nullptr;
  TSC_RETURN_IF_ERROR(within([&]() -> Status {
    TSC_DRIVER_CALL(*driver, cuModuleLoadData, &module, image.data());
    return okStatus();
  }));
  return module;
}

Status DriverContext::unload(CuModule module) {
  return within([&]() -> Status {
    TSC_DRIVER_CALL(*driver, cuModuleUnload, module);
    return okStatus();
  });
}

StatusOr<CuFunction> DriverContext::find(CuModule module, const std::string &name) {
  CuFunction function = nullptr;
  TSC_RETURN_IF_ERROR(within([&]() -> Status {
    TSC_DRIVER_CALL(*driver, cuModuleGetFunction, &function, module, name.c_str());
    return okStatus();
  }));
  return function;
}

DriverContext::Timer::~Timer() {
  (void)context.within([&]() -> Status {
    for (CuEvent event : events)
      (void)context.driver->cuEventDestroy_v2(event);
    return okStatus();
  });
}

Status DriverContext::Timer::mark() {
  return context.within([&]() -> Status {
    CuEvent event = nullptr;
    TSC_DRIVER_CALL(*context.driver, cuEventCreate, &event, 0);
    events.push_back(event);
    TSC_DRIVER_CALL(*context.driver, cuEventRecord, event, context.stream);
    return okStatus();
  });
}

StatusOr<std::vector<double>> DriverContext::Timer::micros() {
  std::vector<double> between;
  TSC_RETURN_IF_ERROR(context.within([&]() -> Status {
    TSC_DRIVER_CALL(*context.driver, cuEventSynchronize, events.back());
    for (size_t i = 1; i != events.size(); ++i) {
      float milliseconds = 0;
      TSC_DRIVER_CALL(*context.driver, cuEventElapsedTime, &milliseconds, events[i - 1], events[i]);
      between.push_back(1e3 * static_cast<double>(milliseconds));
    }
    return okStatus();
  }));
  return between;
}

Status DriverContext::call(llvm::function_ref<Status(CuStream)> f) {
  return inOrder([&] { return f(stream); });
}
