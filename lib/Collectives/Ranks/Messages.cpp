//===- Messages.cpp - Messages that say what they belong to ---------------===//
#include "Messages.h"
#include <algorithm>
#include <cstring>

using namespace tsc;
using namespace tsc::ranks;

const char *ranks::nameOf(Exchange exchange) {
  static constexpr const char *names[] = {"barrier",
                                          "all_reduce",
                                          "reduce",
                                          "broadcast",
                                          "all_gather",
                                          "reduce_scatter",
                                          "all_to_all",
                                          "gather",
                                          "scatter",
                                          "send",
                                          "recv",
                                          "the first exchange of tensors on a GPU",
                                          "an exchange of tensors on a GPU",
                                          "failure",
                                          "end"};
  return static_cast<size_t>(exchange) < std::size(names) ? names[static_cast<size_t>(exchange)] : "something unknown";
}

static const char *textOf(CombineOp op) {
  static constexpr const char *names[] = {"",       " (sum)",  " (avg)", " (product)", " (min)",
                                          " (max)", " (band)", " (bor)", " (bxor)"};
  return static_cast<size_t>(op) < std::size(names) ? names[static_cast<size_t>(op)] : "";
}

std::string Signature::str() const {
  std::string text = std::string(nameOf(exchange)) + textOf(op);
  if (exchange != Exchange::Barrier && exchange != Exchange::Join && exchange != Exchange::OnDevice) {
    text += " of ";
    if (count != 0)
      text += std::to_string(count) + " x ";
    text += isValidDType(static_cast<int64_t>(dtype)) ? pythonName(dtype).str() : "an unknown dtype";
  }
  if (exchange == Exchange::Reduce || exchange == Exchange::Gather)
    text += " to rank " + std::to_string(peer);
  if (exchange == Exchange::Broadcast || exchange == Exchange::Scatter)
    text += " from rank " + std::to_string(peer);
  if (exchange != Exchange::Send && exchange != Exchange::Receive)
    text += ", exchange " + std::to_string(sequence) + " of its group";
  return text;
}

StatusOr<Outgoing> Outgoing::start(Transport &transport, const Signature &signature, const void *data, size_t bytes,
                                   int to, int tag) {
  Outgoing message;
  const size_t here = std::min(bytes, inlineBytes);
  message.first.reset(new char[sizeof(Header) + here]);
  Header header;
  header.signature = signature;
  header.bytes = bytes;
  std::memcpy(message.first.get(), &header, sizeof header);
  if (here != 0)
    std::memcpy(message.first.get() + sizeof header, data, here);
  TSC_ASSIGN_OR_RETURN(message.requests[0], transport.send(message.first.get(), sizeof header + here, to, tag));
  if (here != bytes) {
    TSC_ASSIGN_OR_RETURN(message.requests[1],
                         transport.send(static_cast<const char *>(data) + here, bytes - here, to, Tags::rest(tag)));
  }
  return message;
}

StatusOr<bool> Outgoing::advance(Transport &transport) {
  Transport::Received ignored;
  for (auto &request : requests) {
    if (!request)
      continue;
    TSC_ASSIGN_OR_RETURN(bool isDone, transport.test(*request, ignored));
    if (isDone)
      request.reset();
  }
  return !requests[0] && !requests[1];
}

StatusOr<Incoming> Incoming::start(Transport &transport, const Signature &signature, void *data, size_t bytes, int from,
                                   int tag) {
  Incoming message;
  message.expected = signature;
  message.data = data;
  message.bytes = bytes;
  message.peer = from;
  message.messageTag = tag;
  message.first.reset(new char[firstBytes]);
  TSC_ASSIGN_OR_RETURN(message.request, transport.receive(message.first.get(), firstBytes, from, tag));
  return message;
}

/// Reads the header of the first message, and asks for the second.
Status Incoming::begin(Transport &transport) {
  isBegun = true;
  Header header;
  std::memcpy(&header, first.get(), sizeof header);
  if (header.magic != Header::mark)
    return dataLoss("rank " + llvm::Twine(peer) + " sent what is no message of tsc");
  const bool isPair = expected.exchange == Exchange::Receive && header.signature.exchange == Exchange::Send;
  Signature own = expected;
  if (isPair) { // who receives says less of the message than who sends
    own = header.signature;
    own.dtype = expected.dtype;
  }
  if (header.signature != own || (isPair && header.signature.count != expected.count))
    return invalidArgument("rank " + llvm::Twine(peer) + " does " + header.signature.str() + ", where this rank does " +
                           expected.str());
  if (header.bytes != bytes)
    return invalidArgument("rank " + llvm::Twine(peer) + " sends " + llvm::Twine(header.bytes) + " bytes in " +
                           header.signature.str() + ", where this rank expects " + llvm::Twine(bytes));
  const size_t here = std::min(bytes, inlineBytes);
  if (here != 0)
    std::memcpy(data, first.get() + sizeof header, here);
  first.reset();
  if (here != bytes) {
    TSC_ASSIGN_OR_RETURN(
        request, transport.receive(static_cast<char *>(data) + here, bytes - here, peer, Tags::rest(messageTag)));
  }
  return okStatus();
}

StatusOr<bool> Incoming::advance(Transport &transport) {
  while (request) {
    Transport::Received received;
    TSC_ASSIGN_OR_RETURN(bool isDone, transport.test(*request, received));
    if (!isDone)
      return false;
    request.reset();
    if (isBegun)
      continue;
    peer = received.from;
    if (received.bytes < sizeof(Header))
      return dataLoss("rank " + llvm::Twine(peer) + " sent what is no message of tsc");
    TSC_RETURN_IF_ERROR(begin(transport));
  }
  return true;
}
