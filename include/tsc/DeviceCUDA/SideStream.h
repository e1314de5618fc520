//===- SideStream.h - A stream beside the one of programs -------*- C++ -*-===//
//
// What a program asks of a GPU happens on one stream, in order (DriverContext). Work that
// may go on meanwhile has a stream of its own, and waits for points of the other one.
//
//===----------------------------------------------------------------------===//
#ifndef TSC_DEVICECUDA_SIDESTREAM_H
#define TSC_DEVICECUDA_SIDESTREAM_H

#include "tsc/DeviceCUDA/Driver.h"

namespace tsc::fuser {

/// A point of a stream, behind what was on it.
///
/// Ownership: uses the context, which lives longer.
class StreamPoint {
public:
  explicit StreamPoint(DriverContext &context) : context(context) {}
  StreamPoint(const StreamPoint &) = delete;
  ~StreamPoint();
  /// Puts the point behind what the context's stream has, or what a program has asked for.
  Status mark();
  /// Puts the point behind what another stream of the context has, within its call.
  Status markOn(CuStream stream);
  /// Whether the GPU has come to the point, which was put somewhere.
  StatusOr<bool> isReached() const;
  /// Lets what comes later on a stream wait for the point, within a call of the context.
  Status holdBack(CuStream stream) const;
  /// Lets what is asked of the context from now on wait for the point.
  Status follow() const;

private:
  Status make();
  DriverContext &context;
  CuEvent event = nullptr;
};

/// A stream of a context. It is made when it is first used.
///
/// Threads:   one thread at a time uses it.
/// Ownership: uses the context, which lives longer.
class SideStream {
public:
  explicit SideStream(DriverContext &context) : context(context) {}
  SideStream(const SideStream &) = delete;
  ~SideStream();
  /// Calls `f`, which puts work on the stream, when the GPU has come to `after`.
  Status run(const StreamPoint &after, llvm::function_ref<Status(CuStream)> f);
  /// Puts a point behind what is on the stream, which was used.
  Status mark(StreamPoint &point);

private:
  DriverContext &context;
  CuStream stream = nullptr;
};

} // namespace tsc::fuser

#endif
