//===- SideStream.cpp - A stream beside the one of programs ---------------===//
#include "tsc/DeviceCUDA/SideStream.h"

using namespace tsc;
using namespace tsc::fuser;

namespace {
// Of the driver's enumerations.
constexpr int success = 0, notReady = 600;
constexpr unsigned nonBlocking = 1, withoutTimes = 2;
} // namespace

StreamPoint::~StreamPoint() {
  if (event)
    (void)context.callBeside([&]() -> Status {
      TSC_DRIVER_CALL(context.functions(), cuEventDestroy_v2, event);
      return okStatus();
    });
}

Status StreamPoint::make() {
  if (!event)
    TSC_DRIVER_CALL(context.functions(), cuEventCreate, &event, withoutTimes);
  return okStatus();
}

Status StreamPoint::mark() {
  return context.call([&](CuStream stream) { return markOn(stream); });
}

Status StreamPoint::markOn(CuStream stream) {
  TSC_RETURN_IF_ERROR(make());
  TSC_DRIVER_CALL(context.functions(), cuEventRecord, event, stream);
  return okStatus();
}

StatusOr<bool> StreamPoint::isReached() const {
  assert(event && "the point is somewhere");
  bool isThere = false;
  TSC_RETURN_IF_ERROR(context.callBeside([&]() -> Status {
    const int result = context.functions().cuEventQuery(event);
    isThere = result == success;
    return result == notReady ? okStatus() : context.functions().check(result, "cuEventQuery");
  }));
  return isThere;
}

Status StreamPoint::holdBack(CuStream stream) const {
  TSC_DRIVER_CALL(context.functions(), cuStreamWaitEvent, stream, event, 0);
  return okStatus();
}

Status StreamPoint::follow() const {
  return context.call([&](CuStream stream) { return holdBack(stream); });
}

SideStream::~SideStream() {
  if (stream)
    (void)context.callBeside([&]() -> Status {
      TSC_DRIVER_CALL(context.functions(), cuStreamDestroy_v2, stream);
      return okStatus();
    });
}

Status SideStream::run(const StreamPoint &after, llvm::function_ref<Status(CuStream)> f) {
  return context.callBeside([&]() -> Status {
    if (!stream)
      TSC_DRIVER_CALL(context.functions(), cuStreamCreate, &stream, nonBlocking);
    TSC_RETURN_IF_ERROR(after.holdBack(stream));
    return f(stream);
  });
}

Status SideStream::mark(StreamPoint &point) {
  return context.callBeside([&] { return point.markOn(stream); });
}
