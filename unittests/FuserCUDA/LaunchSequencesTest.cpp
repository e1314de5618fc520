//===- LaunchSequencesTest.cpp - What is held back, and the threads -------===//
#include "tsc/DeviceCUDA/LaunchSequences.h"
#include "FakeGpu.h"
#include <future>

using namespace tsc;
using namespace tsc::fuser;

namespace {
/// A stream whose calls write down that they were launched.
class Stream {
public:
  Stream() : context(*DriverContext::open(*Driver::open(TSC_FAKE_DRIVER), 0)), sequences(*context, counters) {}

  /// `captured` hears of it when a graph is made.
  void submit(std::string name, std::function<void()> captured = nullptr) {
    auto run = [this, name, captured](CuStream on) {
      if (!main)
        main = on;
      if (on == main)
        launched.push_back(name);
      else if (captured)
        captured();
      return okStatus();
    };
    const Status done = context->submit(StreamOperation::ofCall({static_cast<int64_t>(name.front())}, {}, run));
    INFO(done.message());
    REQUIRE(done.ok());
  }

  FuserCounters counters;
  std::unique_ptr<DriverContext> context;
  LaunchSequences sequences;
  std::vector<std::string> launched;

private:
  CuStream main = nullptr; ///< The first that something is launched on; what a graph is made of is on another.
};
} // namespace

TEST_CASE("LaunchSequences: other threads do not wait for a graph, and come after what it is made of") {
  fake().reset(0);
  {
    Stream stream;
    std::future<void> other;
    for (int call = 0; call != 3; ++call) {
      stream.sequences.begin(0, nullptr);
      stream.submit("a");
      stream.submit("b", [&] {
        other = std::async(std::launch::async, [&] { stream.submit("c"); });
        CHECK(other.wait_for(std::chrono::seconds(20)) == std::future_status::ready);
      });
      REQUIRE(stream.sequences.end().ok());
    }
    // The graph was made, but not launched, in the second call, and is there for the third.
    CHECK(stream.launched == std::vector<std::string>{"a", "b", "a", "b", "c"});
    CHECK(stream.counters.sequences == 1);
    CHECK(stream.counters.sequenceLaunches == 1);
    stream.sequences.close();
  }
  CHECK(std::string(fake().complaints()) == "");
  CHECK(fake().numLive() == 0);
}
