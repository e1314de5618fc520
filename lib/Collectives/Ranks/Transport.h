//===- Transport.h - What moves bytes between ranks -------------*- C++ -*-===//
#ifndef TSC_LIB_COLLECTIVES_RANKS_TRANSPORT_H
#define TSC_LIB_COLLECTIVES_RANKS_TRANSPORT_H

#include "tsc/Support/Status.h"
#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

namespace tsc::ranks {

/// Moves messages between processes, which are numbered from 0. What one process sends to another with one tag arrives
/// in the order in which it was sent.
///
/// Threads: one thread at a time uses it. Which one may change only where threadsMayChange() says so.
class Transport {
public:
  /// A message under way, whose bytes stay where they are until test() has returned true.
  using Request = uint32_t;
  /// What came: how many bytes, and from which process.
  struct Received {
    size_t bytes = 0;
    int from = -1;
  };

  virtual ~Transport() = default;
  virtual int rank() const = 0;
  virtual int size() const = 0;
  virtual int64_t largestTag() const = 0;
  /// Whether a thread of the library's own may use the transport, while the program's thread does something else.
  virtual bool threadsMayChange() const = 0;
  /// Sends a message.
  virtual StatusOr<Request> send(const void *data, size_t bytes, int to, int tag) = 0;
  /// Receives a message of at most `bytes` bytes; a longer one is an error of test(). -1 receives from any process.
  virtual StatusOr<Request> receive(void *data, size_t bytes, int from, int tag) = 0;
  /// Whether a message is done. Then the request is none any longer, and `received` says what came.
  virtual StatusOr<bool> test(Request request, Received &received) = 0;
  /// Whether a message with the tag has come from anyone, which nobody has asked for.
  virtual StatusOr<bool> probe(int tag) = 0;
  /// Ends the process's part, when all its messages are done.
  virtual Status close() = 0;
  /// Ends all processes, where the transport can.
  virtual void abort() = 0;
};

/// Returns transports between `count` threads of this process, by which tests have ranks without MPI.
std::vector<std::unique_ptr<Transport>> makeThreadTransports(int count);

/// Opens MPI's library, and joins the ranks that its launcher started. `path` names the library; where it is empty, it
/// is the launcher's. Unimplemented: there is none.
StatusOr<std::unique_ptr<Transport>> openMpi(const std::string &path);
/// Uses a communicator of the host's MPI, which has initialized it: `communicator` points at its MPI_Comm.
StatusOr<std::unique_ptr<Transport>> adoptMpi(const void *communicator);

} // namespace tsc::ranks

#endif
