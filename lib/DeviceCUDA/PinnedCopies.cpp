//===- PinnedCopies.cpp - Between the processor's memory and a GPU's -------===//
//
// The device copies by itself what is in pinned memory, and while it does one piece, the
// processor moves another between there and the memory of a program. Where there is none
// to be had, the driver copies.
//
//===----------------------------------------------------------------------===//
#include "tsc/DeviceCUDA/Driver.h"
#include <algorithm>
#include <cstring>

using namespace tsc;
using namespace tsc::fuser;

static constexpr size_t halfBytes = size_t{1} << 20;

bool DriverContext::makePinned() {
  if (pinned[1].event || hasNoPinned)
    return !hasNoPinned;
  void *memory = nullptr;
  hasNoPinned = driver->cuMemHostAlloc(&memory, 2 * halfBytes, 0) != 0;
  if (hasNoPinned)
    return false;
  for (size_t half = 0; half != 2; ++half) {
    pinned[half].data = static_cast<char *>(memory) + half * halfBytes;
    hasNoPinned |= driver->cuEventCreate(&pinned[half].event, /*withoutTimes=*/2) != 0;
  }
  if (hasNoPinned)
    releasePinned();
  return !hasNoPinned;
}

/// What was asked of it is over.
void DriverContext::releasePinned() {
  for (PinnedHalf &half : pinned)
    if (half.event)
      (void)driver->cuEventDestroy_v2(half.event);
  if (pinned[0].data)
    (void)driver->cuMemFreeHost(pinned[0].data);
  pinned[0] = pinned[1] = {};
}

size_t DriverContext::pieceBytes(size_t piece, size_t bytes) const {
  return std::min(halfBytes, bytes - piece * halfBytes);
}

Status DriverContext::sendPiece(size_t piece, CuPointer to, const void *from, size_t bytes) {
  PinnedHalf &half = pinned[piece % 2];
  if (half.isOnItsWay)
    TSC_DRIVER_CALL(*driver, cuEventSynchronize, half.event);
  half.isOnItsWay = false;
  std::memcpy(half.data, static_cast<const char *>(from) + piece * halfBytes, pieceBytes(piece, bytes));
  TSC_DRIVER_CALL(*driver, cuMemcpyHtoDAsync_v2, to + piece * halfBytes, half.data, pieceBytes(piece, bytes), stream);
  half.isOnItsWay = true;
  TSC_DRIVER_CALL(*driver, cuEventRecord, half.event, stream);
  return okStatus();
}

Status DriverContext::askForPiece(size_t piece, CuPointer from, size_t bytes) {
  PinnedHalf &half = pinned[piece % 2];
  TSC_DRIVER_CALL(*driver, cuMemcpyDtoHAsync_v2, half.data, from + piece * halfBytes, pieceBytes(piece, bytes), stream);
  TSC_DRIVER_CALL(*driver, cuEventRecord, half.event, stream);
  return okStatus();
}

/// After an error nobody knows what of the pinned memory is still on its way: it is used again when nothing is, and
/// never if that cannot be told.
void DriverContext::calmPinned() {
  hasNoPinned = driver->cuStreamSynchronize(stream) != 0;
  for (PinnedHalf &half : pinned)
    half.isOnItsWay = false;
}

Status DriverContext::copyToDevice(CuPointer to, const void *from, size_t bytes) {
  return inOrder([&]() -> Status {
    std::lock_guard<std::mutex> guard(pinnedLock);
    if (!makePinned()) {
      TSC_DRIVER_CALL(*driver, cuMemcpyHtoDAsync_v2, to, from, bytes, stream);
      return okStatus();
    }
    Status sent = okStatus();
    for (size_t piece = 0; sent.ok() && piece * halfBytes < bytes; ++piece)
      sent = sendPiece(piece, to, from, bytes);
    if (!sent.ok())
      calmPinned();
    return sent;
  });
}

Status DriverContext::receivePieces(void *to, CuPointer from, size_t bytes) {
  if (bytes != 0)
    TSC_RETURN_IF_ERROR(askForPiece(0, from, bytes));
  for (size_t piece = 0; piece * halfBytes < bytes; ++piece) {
    if ((piece + 1) * halfBytes < bytes)
      TSC_RETURN_IF_ERROR(askForPiece(piece + 1, from, bytes));
    TSC_DRIVER_CALL(*driver, cuEventSynchronize, pinned[piece % 2].event);
    pinned[piece % 2].isOnItsWay = false;
    std::memcpy(static_cast<char *>(to) + piece * halfBytes, pinned[piece % 2].data, pieceBytes(piece, bytes));
  }
  return okStatus();
}

Status DriverContext::copyToHost(void *to, CuPointer from, size_t bytes) {
  TSC_RETURN_IF_ERROR(inOrder([&]() -> Status {
    std::lock_guard<std::mutex> guard(pinnedLock);
    if (!makePinned()) {
      TSC_DRIVER_CALL(*driver, cuMemcpyDtoHAsync_v2, to, from, bytes, stream);
      TSC_DRIVER_CALL(*driver, cuStreamSynchronize, stream);
      return okStatus();
    }
    Status received = receivePieces(to, from, bytes);
    if (!received.ok())
      calmPinned();
    return received;
  }));
  return checkFailed(); // afterwards, as the stream may have waited for what failed meanwhile
}
