//===- DeviceCollectives.h - Exchanges between devices ----------*- C++ -*-===//
//
// A device may have a library that moves tensors from the device of one rank to those of
// others, without the processor's memory between them (NCCL). An Accelerator hands it out,
// and the ranks of lib/Collectives use it: they find each other, compare what they are about
// to do, wait and give up; the library moves and combines elements.
//
//===----------------------------------------------------------------------===//
#ifndef TSC_RUNTIME_DISPATCH_DEVICECOLLECTIVES_H
#define TSC_RUNTIME_DISPATCH_DEVICECOLLECTIVES_H

#include "tsc/Runtime/Dispatch/Collectives.h"

namespace tsc {

/// A point in the work that a program has asked of a device.
class DevicePoint {
public:
  virtual ~DevicePoint() = default;
};

/// An exchange that a device's library has begun. Errors are those of the library, by name and text.
///
/// Threads: follow() may be called by another thread than the rest.
class DeviceWork {
public:
  virtual ~DeviceWork() = default;
  /// Whether the device has been told all that it has to do; only then may the next exchange begin.
  virtual StatusOr<bool> isLaunched() = 0;
  /// Whether the device has finished, which was launched.
  virtual StatusOr<bool> isOver() = 0;
  /// Lets what is asked of the device from now on wait until the exchange, which was launched, is over.
  virtual Status follow() = 0;
};

/// The ranks of one group, as a device's library connects them. The device makes their exchanges one after the other.
///
/// Threads: one thread at a time uses it and its exchanges.
/// Errors:  those of the library, by name and text. After one, abort() alone makes sense.
class DeviceCommunicator {
public:
  /// Ends what is under way, where neither leave() nor abort() did.
  virtual ~DeviceCommunicator() = default;
  /// Whether all ranks have joined; only then is there an exchange to begin.
  virtual StatusOr<bool> isJoined() = 0;
  /// Begins an exchange that the library takes, when the device has come to the point `after`. The input and the output
  /// do not overlap, or are the same memory in an exchange that gives each element its own place again. The work does
  /// not outlive the device.
  virtual StatusOr<std::unique_ptr<DeviceWork>> begin(const CollectiveCall &call, const DevicePoint &after) = 0;
  /// Ends the rank's part, as all others do, when all exchanges are over, and returns whether that is done. It is
  /// called until it is.
  virtual StatusOr<bool> leave() = 0;
  /// Ends the rank's part without the others, also where the device waits for one of them. Its exchanges are used no
  /// more.
  virtual void abort() = 0;
};

/// The library by which one device exchanges tensors with those of other ranks.
///
/// Threads: everything may be called from many threads at once.
class DeviceCollectives {
public:
  virtual ~DeviceCollectives() = default;
  /// Returns the library's name, for messages.
  virtual llvm::StringRef name() const = 0;
  /// Returns text that no other device has, on whatever machine; at most 64 bytes.
  virtual StatusOr<std::string> identity() = 0;
  /// Whether it makes such an exchange. The answer depends on the names and the dtype alone, and is the same in all
  /// ranks.
  virtual bool takes(const CollectiveCall &call) const = 0;
  /// Returns the point behind all that was asked of the device.
  virtual StatusOr<std::shared_ptr<DevicePoint>> point() = 0;
  /// Returns what one rank gives all others, so that they join the same communicator; at most 256 bytes.
  virtual StatusOr<std::string> makeId() = 0;
  /// Says that exchanges were given up: what the device holds from now on may be wrong. Whoever reads from it gets
  /// `why`.
  virtual void fail(const Status &why) = 0;
  /// Begins to join the others as rank `rank` of `ranks`, and returns without waiting for them.
  virtual StatusOr<std::unique_ptr<DeviceCommunicator>> join(llvm::StringRef id, int ranks, int rank) = 0;
};

} // namespace tsc

#endif
