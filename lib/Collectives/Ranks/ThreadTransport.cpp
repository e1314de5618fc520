//===- ThreadTransport.cpp - Threads as ranks -----------------------------===//
#include "Transport.h"
#include <cstring>
#include <deque>
#include <mutex>

using namespace tsc;
using namespace tsc::ranks;

namespace {
struct Message {
  int from, tag;
  std::vector<char> bytes;
};

/// What the threads share: for each the messages that it has not received yet.
struct World {
  explicit World(int count) : boxes(static_cast<size_t>(count)) {}
  std::mutex lock; ///< Guards the boxes.
  std::vector<std::deque<Message>> boxes;
};

class ThreadTransport final : public Transport {
public:
  ThreadTransport(std::shared_ptr<World> world, int rank) : world(std::move(world)), self(rank) {}
  int rank() const override { return self; }
  int size() const override { return static_cast<int>(world->boxes.size()); }
  int64_t largestTag() const override { return INT32_MAX; }
  bool threadsMayChange() const override { return true; }

  StatusOr<Request> send(const void *data, size_t bytes, int to, int tag) override {
    std::lock_guard guard(world->lock);
    auto *begin = static_cast<const char *>(data);
    world->boxes[static_cast<size_t>(to)].push_back({self, tag, std::vector<char>(begin, begin + bytes)});
    return sent;
  }
  StatusOr<Request> receive(void *data, size_t bytes, int from, int tag) override {
    wanted.push_back({data, bytes, from, tag});
    return static_cast<Request>(wanted.size());
  }
  StatusOr<bool> test(Request request, Received &received) override {
    if (request == sent)
      return true;
    std::lock_guard guard(world->lock);
    const Wanted &want = wanted[request - 1];
    auto &box = world->boxes[static_cast<size_t>(self)];
    for (auto message = box.begin(); message != box.end(); ++message) {
      if (message->tag != want.tag || (want.from >= 0 && message->from != want.from))
        continue;
      if (message->bytes.size() > want.bytes)
        return invalidArgument("a message is longer than what was to be received");
      if (!message->bytes.empty())
        std::memcpy(want.data, message->bytes.data(), message->bytes.size());
      received = {message->bytes.size(), message->from};
      box.erase(message);
      return true;
    }
    return false;
  }
  StatusOr<bool> probe(int tag) override {
    std::lock_guard guard(world->lock);
    for (const Message &message : world->boxes[static_cast<size_t>(self)])
      if (message.tag == tag)
        return true;
    return false;
  }
  Status close() override { return okStatus(); }
  void abort() override {}

private:
  struct Wanted {
    void *data;
    size_t bytes;
    int from, tag;
  };
  static constexpr Request sent = 0; ///< A message is sent at once.
  const std::shared_ptr<World> world;
  const int self;
  std::vector<Wanted> wanted;
};
} // namespace

std::vector<std::unique_ptr<Transport>> ranks::makeThreadTransports(int count) {
  auto world = std::make_shared<World>(count);
  std::vector<std::unique_ptr<Transport>> all;
  for (int rank = 0; rank != count; ++rank)
    all.push_back(std::make_unique<ThreadTransport>(world, rank));
  return all;
}
