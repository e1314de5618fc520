//===- PassingTransport.h - A transport over another one --------*- C++ -*-===//
#ifndef TSC_UNITTESTS_COLLECTIVES_PASSINGTRANSPORT_H
#define TSC_UNITTESTS_COLLECTIVES_PASSINGTRANSPORT_H

#include "../../lib/Collectives/Ranks/Transport.h"

namespace tsc::ranks {

/// Passes everything on to another transport; tests derive from it what they change.
class PassingTransport : public Transport {
public:
  explicit PassingTransport(std::unique_ptr<Transport> inner) : inner(std::move(inner)) {}
  int rank() const override { return inner->rank(); }
  int size() const override { return inner->size(); }
  int64_t largestTag() const override { return inner->largestTag(); }
  bool threadsMayChange() const override { return inner->threadsMayChange(); }
  StatusOr<Request> send(const void *data, size_t bytes, int to, int tag) override {
    return inner->send(data, bytes, to, tag);
  }
  StatusOr<Request> receive(void *data, size_t bytes, int from, int tag) override {
    return inner->receive(data, bytes, from, tag);
  }
  StatusOr<bool> test(Request request, Received &received) override { return inner->test(request, received); }
  StatusOr<bool> probe(int tag) override { return inner->probe(tag); }
  Status close() override { return inner->close(); }
  void abort() override { inner->abort(); }

private:
  const std::unique_ptr<Transport> inner;
};

} // namespace tsc::ranks

#endif
