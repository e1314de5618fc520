//===- RanksTest.cpp - Exchanges between threads as ranks -----------------===//
//
// Each test runs the same function in several threads, whose transports pass messages
// within the process, and compares what comes out with the exchange's definition.
//
//===----------------------------------------------------------------------===//
#include "../../lib/Collectives/Ranks/RankEngine.h"
#include "PassingTransport.h"
#include <algorithm>
#include <bit>
#include <catch2/catch.hpp>
#include <cmath>
#include <functional>
#include <thread>

using namespace tsc;
using namespace tsc::ranks;

namespace {
/// Runs `body` as the rank of each transport, and returns their statuses.
std::vector<Status> asRanks(std::vector<std::unique_ptr<Transport>> transports,
                            const std::function<Status(Collectives &, int rank)> &body, double timeout = 30,
                            bool isChecked = false) {
  std::vector<Status> results(transports.size());
  std::vector<std::thread> threads;
  for (int rank = 0; rank != static_cast<int>(results.size()); ++rank)
    threads.emplace_back([&, rank, transport = std::move(transports[static_cast<size_t>(rank)])]() mutable {
      RankEngine engine(std::move(transport), timeout, isChecked);
      Status status = body(engine, rank);
      Status end = engine.end(status.ok() ? "" : messageOf(status));
      results[static_cast<size_t>(rank)] = status.ok() ? end : status;
    });
  for (std::thread &thread : threads)
    thread.join();
  return results;
}

/// Runs `body` as `count` ranks.
std::vector<Status> asRanks(int count, const std::function<Status(Collectives &, int rank)> &body, double timeout = 30,
                            bool isChecked = false) {
  return asRanks(makeThreadTransports(count), body, timeout, isChecked);
}

CollectiveCall callOf(llvm::StringRef name, llvm::StringRef op = "", int64_t peer = 0) {
  CollectiveCall call;
  call.name = name;
  call.reduceOp = op;
  call.peer = peer;
  return call;
}

template <typename T> constexpr DType dtypeOf();
template <> constexpr DType dtypeOf<float>() { return DType::Float; }
template <> constexpr DType dtypeOf<double>() { return DType::Double; }
template <> constexpr DType dtypeOf<int64_t>() { return DType::Int64; }

template <typename T>
StatusOr<int64_t> begin(Collectives &ranks, CollectiveCall call, const std::vector<T> &in, std::vector<T> &out,
                        llvm::StringRef group = "0") {
  call.dtype = dtypeOf<T>();
  call.input = in.data();
  call.inputCount = static_cast<int64_t>(in.size());
  call.output = out.data();
  call.outputCount = static_cast<int64_t>(out.size());
  return ranks.start(group, call, nullptr);
}

template <typename T>
Status exchange(Collectives &ranks, const CollectiveCall &call, const std::vector<T> &in, std::vector<T> &out,
                llvm::StringRef group = "0") {
  TSC_ASSIGN_OR_RETURN(int64_t work, begin(ranks, call, in, out, group));
  return ranks.finish(work, {}).status();
}

/// The element `i` of what a rank begins with.
double element(int rank, size_t i) { return std::sin(1.0 + 3.7 * rank + 0.013 * static_cast<double>(i)); }

std::vector<float> valuesOf(int rank, size_t count) {
  std::vector<float> all;
  for (size_t i = 0; i != count; ++i)
    all.push_back(static_cast<float>(element(rank, i)));
  return all;
}

/// The sum of one element over ranks [first, last), halved at the largest power of two below the length.
float treeSum(size_t i, int first, int last) {
  if (last - first == 1)
    return static_cast<float>(element(first, i));
  int half = 1;
  while (half * 2 < last - first)
    half *= 2;
  return treeSum(i, first, first + half) + treeSum(i, first + half, last);
}

void requireOk(const std::vector<Status> &all) {
  for (const Status &status : all) {
    INFO(messageOf(status).str());
    REQUIRE(status.ok());
  }
}

/// Watches another transport.
class WatchedTransport final : public PassingTransport {
public:
  /// Counts messages of exchanges in `numSent`. No second half of one comes before `leastRests` were asked for.
  WatchedTransport(std::unique_ptr<Transport> inner, int &numSent, size_t leastRests)
      : PassingTransport(std::move(inner)), numSent(numSent), leastRests(leastRests) {}
  StatusOr<Request> send(const void *data, size_t bytes, int to, int tag) override {
    numSent += tag != Tags::control;
    return PassingTransport::send(data, bytes, to, tag);
  }
  StatusOr<Request> receive(void *data, size_t bytes, int from, int tag) override {
    StatusOr<Request> request = PassingTransport::receive(data, bytes, from, tag);
    if (request.ok() && tag == Tags::rest(tag))
      rests.push_back(*request);
    return request;
  }
  StatusOr<bool> test(Request request, Received &received) override {
    if (llvm::is_contained(rests, request) && rests.size() < leastRests)
      return false;
    return PassingTransport::test(request, received);
  }

private:
  int &numSent;
  const size_t leastRests;
  std::vector<Request> rests;
};

/// Runs one exchange as `count` ranks, and returns how many messages the busiest rank sends.
int mostMessages(int count, const CollectiveCall &call, size_t in, size_t out, size_t leastRests = 0) {
  std::vector<int> sent(static_cast<size_t>(count));
  std::vector<std::unique_ptr<Transport>> transports = makeThreadTransports(count);
  for (size_t rank = 0; rank != sent.size(); ++rank)
    transports[rank] = std::make_unique<WatchedTransport>(std::move(transports[rank]), sent[rank], leastRests);
  requireOk(asRanks(
      std::move(transports),
      [&](Collectives &ranks, int) -> Status {
        std::vector<float> from(in, 1.0f), to(out);
        return exchange(ranks, call, from, to);
      },
      10));
  return *std::max_element(sent.begin(), sent.end());
}

/// What all_reduce gives of two ranks' elements, one of each.
template <typename T> T combined(CombineOp op, DType dtype, T a, T b) {
  combine(op, dtype, &a, &b, 1);
  return a;
}
} // namespace

TEST_CASE("ranks: sums are added along one tree, whatever the algorithm") {
  for (int count : {1, 2, 3, 4, 5, 8, 13, 22})
    for (size_t elements : {0, 1, 7, 1000, 4096, 5000, 100001})
      requireOk(asRanks(count, [&](Collectives &ranks, int rank) -> Status {
        std::vector<float> own = valuesOf(rank, elements), out(elements);
        TSC_RETURN_IF_ERROR(exchange(ranks, callOf("all_reduce", "sum"), own, out));
        std::vector<float> inPlace = own;
        TSC_RETURN_IF_ERROR(exchange(ranks, callOf("all_reduce", "sum"), inPlace, inPlace));
        if (inPlace != out)
          return internalError("a sum in place");
        std::vector<float> atRoot(elements, -1.0f);
        TSC_RETURN_IF_ERROR(exchange(ranks, callOf("reduce", "sum", count - 1), own, atRoot));
        for (size_t i = 0; i < elements; i += 1 + elements / 50) {
          const float expected = treeSum(i, 0, count);
          if (out[i] != expected)
            return internalError("element " + llvm::Twine(i) + " of a sum");
          if (atRoot[i] != (rank == count - 1 ? expected : -1.0f))
            return internalError("element " + llvm::Twine(i) + " of a sum at one rank");
        }
        return okStatus();
      }));
}

TEST_CASE("ranks: small sums need few messages") {
  const CollectiveCall sum = callOf("all_reduce", "sum");
  CHECK(mostMessages(16, sum, 2, 2) == 4);
  CHECK(mostMessages(13, sum, 2, 2) == 4);       // along a tree, of which rank 0 sends the result to four
  CHECK(mostMessages(5, sum, 2, 2) == 8);        // few ranks send all at once
  CHECK(mostMessages(4, sum, 8000, 8000) == 12); // in two parts each
}

TEST_CASE("ranks: the long messages of an exchange are asked for together") {
  CHECK(mostMessages(4, callOf("all_gather"), 5000, 20000, 3) == 6);
}

TEST_CASE("ranks: what moves elements moves all of them") {
  for (int count : {1, 2, 3, 4})
    for (size_t each : {0, 1, 3, 2000})
      requireOk(asRanks(count, [&](Collectives &ranks, int rank) -> Status {
        const auto size = static_cast<size_t>(count);
        std::vector<float> own = valuesOf(rank, each), all(each * size), back(each), other(each * size);
        TSC_RETURN_IF_ERROR(exchange(ranks, callOf("all_gather"), own, all));
        for (size_t i = 0; i != all.size(); ++i)
          if (all[i] != static_cast<float>(element(static_cast<int>(i / each), i % each)))
            return internalError("all_gather");
        std::vector<float> atRoot = rank == 0 ? std::vector<float>(all.size()) : std::vector<float>();
        TSC_RETURN_IF_ERROR(exchange(ranks, callOf("gather", "", 0), own, atRoot));
        if (rank == 0 && atRoot != all)
          return internalError("gather");
        TSC_RETURN_IF_ERROR(exchange(ranks, callOf("scatter", "", 0), atRoot, back));
        if (back != own)
          return internalError("scatter");
        TSC_RETURN_IF_ERROR(exchange(ranks, callOf("all_to_all"), all, other));
        for (size_t i = 0; i != other.size(); ++i) // every rank had the same
          if (other[i] != static_cast<float>(element(rank, i % each)))
            return internalError("all_to_all");
        std::vector<float> part(each);
        TSC_RETURN_IF_ERROR(exchange(ranks, callOf("reduce_scatter", "max"), all, part));
        if (part != own)
          return internalError("reduce_scatter");
        std::vector<float> sent = rank == count - 1 ? own : std::vector<float>(each), taken(each);
        TSC_RETURN_IF_ERROR(exchange(ranks, callOf("broadcast", "", count - 1), sent, taken));
        if (taken != valuesOf(count - 1, each))
          return internalError("broadcast");
        std::vector<float> none;
        return exchange(ranks, callOf("barrier"), none, none);
      }));
}

TEST_CASE("ranks: all_to_all of unequal parts") {
  requireOk(asRanks(3, [](Collectives &ranks, int rank) -> Status {
    // Rank r sends s + 2 r + 1 elements to rank s.
    std::vector<int64_t> in, out, given, taken;
    for (int other = 0; other != 3; ++other) {
      given.push_back(other + 2 * rank + 1);
      taken.push_back(rank + 2 * other + 1);
      in.insert(in.end(), static_cast<size_t>(given.back()), 10 * rank + other);
      out.insert(out.end(), static_cast<size_t>(taken.back()), -1);
    }
    CollectiveCall call = callOf("all_to_all");
    call.inputSplits = given;
    call.outputSplits = taken;
    TSC_RETURN_IF_ERROR(exchange(ranks, call, in, out));
    size_t at = 0;
    for (int other = 0; other != 3; ++other)
      for (int64_t i = 0; i != taken[static_cast<size_t>(other)]; ++i)
        if (out[at++] != 10 * other + rank)
          return internalError("all_to_all");
    return okStatus();
  }));
}

TEST_CASE("ranks: elements of every dtype are combined") {
  CHECK(combined<int8_t>(CombineOp::Sum, DType::Int8, 100, 100) == int8_t(200));
  CHECK(combined<uint8_t>(CombineOp::Product, DType::UInt8, 20, 20) == uint8_t(400 & 255));
  CHECK(combined<int16_t>(CombineOp::Min, DType::Int16, -5, 3) == -5);
  CHECK(combined<int32_t>(CombineOp::Max, DType::Int32, -5, 3) == 3);
  CHECK(combined<int64_t>(CombineOp::Xor, DType::Int64, 12, 10) == 6);
  CHECK(combined<int64_t>(CombineOp::Sum, DType::Int64, INT64_MAX, 1) == INT64_MIN);
  CHECK(combined<bool>(CombineOp::Sum, DType::Bool, true, true));
  CHECK_FALSE(combined<bool>(CombineOp::Product, DType::Bool, true, false));
  CHECK_FALSE(combined<bool>(CombineOp::Xor, DType::Bool, true, true));
  CHECK(combined<double>(CombineOp::Product, DType::Double, 1.5, -2.0) == -3.0);
  CHECK(std::isnan(combined<float>(CombineOp::Max, DType::Float, NAN, 1.0f)));
  CHECK(std::isnan(combined<float>(CombineOp::Min, DType::Float, 1.0f, NAN)));
  CHECK(float(combined<Half>(CombineOp::Sum, DType::Half, Half(2048.0f), Half(1.0f))) == 2048.0f);
  CHECK(float(combined<BFloat16>(CombineOp::Sum, DType::BFloat16, BFloat16(1.0f), BFloat16(2.0f))) == 3.0f);
  using C = std::complex<float>;
  CHECK(combined<C>(CombineOp::Product, DType::ComplexFloat, C(0, 1), C(0, 1)) == C(-1, 0));
  CHECK_FALSE(combineOpOf("max", DType::ComplexDouble).ok());
  CHECK_FALSE(combineOpOf("avg", DType::Int64).ok());
  CHECK_FALSE(combineOpOf("band", DType::Float).ok());
  CHECK_FALSE(combineOpOf("mean", DType::Float).ok());
  CHECK(combineOpOf("avg", DType::Half).ok());
}

TEST_CASE("ranks: messages go on while a program does, in their order") {
  requireOk(asRanks(2, [](Collectives &ranks, int rank) -> Status {
    const size_t count = 50000; // more than a first message holds
    std::vector<double> out[3], in[3];
    std::vector<int64_t> works;
    for (int i = 0; i != 3; ++i) {
      out[i].assign(count, 0);
      in[i].assign(count, 10 * rank + i);
      CollectiveCall receive = callOf("recv", "", i == 2 ? -1 : 1 - rank), send = callOf("send", "", 1 - rank);
      receive.tag = send.tag = i == 1 ? 7 : 0;
      TSC_ASSIGN_OR_RETURN(int64_t first, begin(ranks, receive, out[i], out[i]));
      TSC_ASSIGN_OR_RETURN(int64_t second, begin(ranks, send, in[i], in[i]));
      works.insert(works.end(), {first, second});
    }
    std::vector<double> sum(1);
    TSC_RETURN_IF_ERROR(exchange(ranks, callOf("all_reduce", "sum"), std::vector<double>{1.0}, sum));
    for (size_t i = 0; i != works.size(); ++i) {
      TSC_ASSIGN_OR_RETURN(int64_t sender, ranks.finish(works[i], {}));
      if (i % 2 == 0 && sender != 1 - rank)
        return internalError("the sender is another");
    }
    for (int i = 0; i != 3; ++i)
      for (double value : out[i])
        if (value != 10 * (1 - rank) + i)
          return internalError("a message of another number");
    return sum[0] == 2.0 ? okStatus() : internalError("the sum beside");
  }));
}

TEST_CASE("ranks: groups have ranks of their own") {
  requireOk(asRanks(4, [](Collectives &ranks, int rank) -> Status {
    TSC_ASSIGN_OR_RETURN(std::string odd, ranks.makeGroup({3, 1}));
    TSC_ASSIGN_OR_RETURN(std::string all, ranks.makeGroup({0, 1, 2, 3}));
    if (ranks.ranksOf(odd) != std::vector<int64_t>{rank == 3 ? 0 : rank == 1 ? 1 : -1, 3, 1})
      return internalError("ranks of the group");
    std::vector<int64_t> out(2);
    if (rank % 2 == 1) {
      TSC_RETURN_IF_ERROR(exchange(ranks, callOf("all_gather"), std::vector<int64_t>{rank}, out, odd));
      if (out != std::vector<int64_t>{3, 1})
        return internalError("all_gather in the group");
    } else if (exchange(ranks, callOf("all_gather"), std::vector<int64_t>{rank}, out, odd).ok()) {
      return internalError("a rank that is not in the group");
    }
    std::vector<int64_t> sum(1);
    TSC_RETURN_IF_ERROR(exchange(ranks, callOf("all_reduce", "sum"), std::vector<int64_t>{rank}, sum, all));
    return sum[0] == 6 ? okStatus() : internalError("the sum of all");
  }));
}

TEST_CASE("ranks: differences between ranks are told") {
  for (bool isChecked : {false, true}) {
    auto differ = [&](const std::function<Status(Collectives &, int)> &body, const char *what) {
      bool isTold = false;
      for (const Status &status : asRanks(2, body, 10, isChecked)) {
        INFO(messageOf(status).str());
        CHECK_FALSE(status.ok());
        isTold |= messageOf(status).contains(what);
      }
      INFO(what);
      CHECK(isTold);
    };
    differ(
        [](Collectives &ranks, int rank) {
          std::vector<float> out(rank ? 5 : 4);
          return exchange(ranks, callOf("all_reduce", "sum"), std::vector<float>(out.size()), out);
        },
        "all_reduce (sum) of 5 x float32");
    differ(
        [](Collectives &ranks, int rank) {
          std::vector<float> out(rank ? 8 : 4);
          return exchange(ranks, rank ? callOf("all_gather") : callOf("all_reduce", "sum"), std::vector<float>(4), out);
        },
        "all_gather");
    differ(
        [](Collectives &ranks, int rank) {
          std::vector<double> doubles(3);
          std::vector<float> floats(3);
          return rank ? exchange(ranks, callOf("all_reduce", "sum"), doubles, doubles)
                      : exchange(ranks, callOf("all_reduce", "sum"), floats, floats);
        },
        "float64");
  }
}

TEST_CASE("ranks: nobody waits for ever") {
  std::vector<float> one(1);
  const std::vector<Status> late = asRanks(
      2,
      [&](Collectives &ranks, int rank) -> Status {
        std::vector<float> out(1);
        if (rank == 0)
          return exchange(ranks, callOf("all_reduce", "sum"), one, out);
        std::this_thread::sleep_for(std::chrono::milliseconds(900));
        return okStatus();
      },
      0.3);
  CHECK(messageOf(late[0]).contains("rank 0 of 2: timed out after 0.3 s waiting for rank 1 in all_reduce"));

  const std::vector<Status> gone = asRanks(2, [&](Collectives &ranks, int rank) -> Status {
    std::vector<float> out(1);
    return rank == 0 ? exchange(ranks, callOf("recv", "", 1), out, out) : okStatus();
  });
  CHECK(messageOf(gone[0]).contains("rank 1 takes part no longer"));

  const std::vector<Status> failed = asRanks(3, [&](Collectives &ranks, int rank) -> Status {
    std::vector<float> out(1);
    return rank == 2 ? aborted("ValueError: model.py:7") : exchange(ranks, callOf("all_reduce", "sum"), one, out);
  });
  CHECK(messageOf(failed[0]).contains("rank 2 failed: ValueError: model.py:7"));
  CHECK(messageOf(failed[1]).contains("rank 2 failed: ValueError: model.py:7"));

  std::atomic<int> turns{0};
  const std::vector<Status> stopped = asRanks(2, [&](Collectives &ranks, int rank) -> Status {
    std::vector<float> out(1);
    if (rank == 1)
      return cancelled("rank 1 never comes");
    TSC_ASSIGN_OR_RETURN(int64_t work, begin(ranks, callOf("recv", "", 1), out, out));
    return ranks.finish(work, [&] { return ++turns > 3 ? cancelled("the host said so") : okStatus(); }).status();
  });
  CHECK_FALSE(stopped[0].ok());
}

TEST_CASE("ranks: what makes no sense is refused") {
  requireOk(asRanks(2, [](Collectives &ranks, int) -> Status {
    auto refuses = [&](const CollectiveCall &call, std::vector<float> in, std::vector<float> out, const char *what,
                       llvm::StringRef group = "0") {
      StatusOr<int64_t> work = begin(ranks, call, in, out, group);
      return !work.ok() && messageOf(work.status()).contains(what)
                 ? okStatus()
                 : internalError(llvm::Twine(what) + ": " + messageOf(work.status()));
    };
    std::vector<float> two(2), three(3);
    TSC_RETURN_IF_ERROR(refuses(callOf("all_reduce", "mean"), two, two, "'mean'"));
    TSC_RETURN_IF_ERROR(refuses(callOf("all_reduce", "band"), two, two, "float32 have no 'band'"));
    TSC_RETURN_IF_ERROR(refuses(callOf("all_gather"), two, three, "does not fit a group of 2"));
    TSC_RETURN_IF_ERROR(refuses(callOf("reduce_scatter", "sum"), three, two, "does not fit"));
    TSC_RETURN_IF_ERROR(refuses(callOf("all_to_all"), three, three, "cannot be divided among 2"));
    TSC_RETURN_IF_ERROR(refuses(callOf("broadcast", "", 2), two, two, "there is no rank 2"));
    TSC_RETURN_IF_ERROR(refuses(callOf("all_shrink"), two, two, "'all_shrink'"));
    TSC_RETURN_IF_ERROR(refuses(callOf("barrier"), two, two, "no group '9'", "9"));
    CollectiveCall tagged = callOf("send", "", 0);
    tagged.tag = 1 << 20;
    TSC_RETURN_IF_ERROR(refuses(tagged, two, two, ranks.ranksOf("0")[0] == 0 ? "to itself" : "a tag is"));
    if (ranks.makeGroup({0, 2}).ok() || ranks.makeGroup({1, 1}).ok() || ranks.makeGroup({}).ok())
      return internalError("a group of ranks that are none");
    return ranks.finish(99, {}).ok() ? internalError("an exchange that is none") : okStatus();
  }));
}
