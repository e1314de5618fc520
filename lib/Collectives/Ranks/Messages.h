//===- Messages.h - Messages that say what they belong to -------*- C++ -*-===//
//
// A message is a header, which says what exchange of which group it is part of, with
// the first bytes behind it, and where there are more, a second message with the rest.
// Who receives it compares the header with what it is doing itself: a rank that does
// something else is told, and nothing is taken for what it is not.
//
//===----------------------------------------------------------------------===//
#ifndef TSC_LIB_COLLECTIVES_RANKS_MESSAGES_H
#define TSC_LIB_COLLECTIVES_RANKS_MESSAGES_H

#include "Combine.h"
#include "Transport.h"
#include <optional>
#include <string>

namespace tsc::ranks {

/// The exchanges of tensors, which programs name, up to Receive; and what ranks tell of themselves.
enum class Exchange : uint8_t {
  Barrier,
  AllReduce,
  Reduce,
  Broadcast,
  AllGather,
  ReduceScatter,
  AllToAll,
  Gather,
  Scatter,
  Send,
  Receive,
  Join,     ///< Ranks tell each other of their devices, and connect them.
  OnDevice, ///< Ranks compare what their devices are about to exchange.
  Failure,  ///< The sender tells that it failed, and why: this is no exchange.
  End,      ///< The sender tells that it takes part in nothing any more.
};

/// Returns the name of an exchange, as programs and messages have it.
const char *nameOf(Exchange exchange);

/// What all ranks of a group say of one exchange.
struct Signature {
  Exchange exchange = Exchange::Barrier;
  CombineOp op = CombineOp::None;
  DType dtype = DType::Float;
  uint8_t step = 0;      ///< Which of the exchange's own messages it is.
  int32_t peer = 0;      ///< The rank that others send to or receive from; -1 where there is none.
  uint64_t sequence = 0; ///< How many exchanges the group made before.
  uint64_t count = 0;    ///< The number of elements, or 0 where it may differ between ranks.
  bool operator==(const Signature &) const = default;
  std::string str() const; ///< "all_reduce (sum) of 4 x float32, the group's exchange 7"
};

/// What stands before the bytes of a message.
struct Header {
  static constexpr uint32_t mark = 0x7473636d;
  uint32_t magic = mark;
  uint32_t reserved = 0;
  Signature signature;
  uint64_t bytes = 0; ///< The number of bytes in both messages, without the header.
};

/// The bytes of a first message.
inline constexpr size_t firstBytes = 4096;
inline constexpr size_t inlineBytes = firstBytes - sizeof(Header);

/// What tags are made of. Second messages have a tag of their own, so that they are never taken for first ones.
struct Tags {
  static int of(uint32_t group, bool isPointToPoint, int64_t tag) {
    return static_cast<int>(group << 18 | static_cast<uint32_t>(isPointToPoint) << 16 | static_cast<uint32_t>(tag));
  }
  static int rest(int tag) { return tag | 1 << 17; }
  static constexpr int control = 0; ///< Failures and ends; groups are numbered from 1.
  static constexpr int64_t largestOfPrograms = 65535;
};

/// A message that is being sent. Its bytes stay where they are until it is done.
class Outgoing {
public:
  /// Begins to send bytes to a process.
  static StatusOr<Outgoing> start(Transport &transport, const Signature &signature, const void *data, size_t bytes,
                                  int to, int tag);
  StatusOr<bool> advance(Transport &transport); ///< Whether it is sent.

private:
  std::unique_ptr<char[]> first;
  std::optional<Transport::Request> requests[2];
};

/// A message that is being received.
class Incoming {
public:
  /// Receives exactly `bytes` bytes, from a process or from any (-1). `signature` is what this process does.
  static StatusOr<Incoming> start(Transport &transport, const Signature &signature, void *data, size_t bytes, int from,
                                  int tag);
  /// Whether it is there. InvalidArgument: it belongs to another exchange, or has another size.
  StatusOr<bool> advance(Transport &transport);
  bool hasHeader() const { return isBegun; } ///< Whether the first message has come.
  int from() const { return peer; }
  int tag() const { return messageTag; }

private:
  Status begin(Transport &transport);
  std::unique_ptr<char[]> first;
  std::optional<Transport::Request> request;
  Signature expected;
  void *data = nullptr;
  size_t bytes = 0;
  int peer = -1, messageTag = 0;
  bool isBegun = false;
};

} // namespace tsc::ranks

#endif
