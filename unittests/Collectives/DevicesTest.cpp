//===- DevicesTest.cpp - Exchanges between devices of threads as ranks ----===//
//
// A stand-in for a device's library connects the threads of a test. Its devices' memory is
// the processor's, and its exchanges are sums of float; what the engine of ranks does about
// them is what is tested here.
//
//===----------------------------------------------------------------------===//
#include "../../lib/Collectives/Ranks/RankEngine.h"
#include "PassingTransport.h"
#include <catch2/catch.hpp>
#include <map>
#include <thread>

using namespace tsc;
using namespace tsc::ranks;

namespace {
/// What the devices of all ranks of a test share.
struct Machine {
  std::mutex lock;
  int ranks = 0;
  std::atomic<int> numJoined{0};
  std::map<int, std::map<int, std::vector<float>>> given; ///< What each rank gave, by exchange and rank.
  std::atomic<int> numBegun{0}, numAborted{0}, numFailed{0};
  std::atomic<bool> isStuck{false}; ///< Whether exchanges do not end.
  std::atomic<int> numFollowed{0};  ///< How often the program's work was told to wait.
};

class StandInWork final : public DeviceWork {
public:
  StandInWork(Machine &machine, int number, float *output) : machine(machine), number(number), output(output) {}
  StatusOr<bool> isLaunched() override { return true; }
  StatusOr<bool> isOver() override {
    std::lock_guard guard(machine.lock);
    const auto &given = machine.given[number];
    if (machine.isStuck || static_cast<int>(given.size()) != machine.ranks)
      return false;
    for (size_t i = 0; i != given.begin()->second.size(); ++i) {
      output[i] = 0;
      for (const auto &[rank, numbers] : given)
        output[i] += numbers[i];
    }
    return true;
  }
  Status follow() override {
    ++machine.numFollowed;
    return okStatus();
  }

private:
  Machine &machine;
  const int number;
  float *const output;
};

class StandInCommunicator final : public DeviceCommunicator {
public:
  StandInCommunicator(Machine &machine, int rank) : machine(machine), rank(rank) { ++machine.numJoined; }
  StatusOr<bool> isJoined() override { return machine.numJoined == machine.ranks; }
  StatusOr<std::unique_ptr<DeviceWork>> begin(const CollectiveCall &call, const DevicePoint &) override {
    if (call.name != "all_reduce" || call.reduceOp != "sum" || call.dtype != DType::Float)
      return internalError("it was not taken");
    std::lock_guard guard(machine.lock);
    ++machine.numBegun;
    const auto *from = static_cast<const float *>(call.input);
    machine.given[numExchanges][rank].assign(from, from + call.inputCount);
    return std::unique_ptr<DeviceWork>(
        std::make_unique<StandInWork>(machine, numExchanges++, static_cast<float *>(call.output)));
  }
  StatusOr<bool> leave() override { return true; }
  void abort() override { ++machine.numAborted; }

private:
  Machine &machine;
  const int rank;
  int numExchanges = 0;
};

class StandIn final : public DeviceCollectives {
public:
  StandIn(Machine &machine, std::string named) : machine(machine), named(std::move(named)) {}
  llvm::StringRef name() const override { return "the stand-in"; }
  StatusOr<std::string> identity() override { return named; }
  bool takes(const CollectiveCall &call) const override { return call.name == "all_reduce"; }
  StatusOr<std::shared_ptr<DevicePoint>> point() override { return std::make_shared<DevicePoint>(); }
  StatusOr<std::string> makeId() override { return std::string("the machine"); }
  void fail(const Status &) override { ++machine.numFailed; }
  StatusOr<std::unique_ptr<DeviceCommunicator>> join(llvm::StringRef id, int, int rank) override {
    if (id != "the machine")
      return internalError("another id");
    return std::unique_ptr<DeviceCommunicator>(std::make_unique<StandInCommunicator>(machine, rank));
  }

private:
  Machine &machine;
  const std::string named;
};

/// Has no second thread, as an MPI without MPI_THREAD_SERIALIZED.
class OneThread final : public PassingTransport {
public:
  using PassingTransport::PassingTransport;
  bool threadsMayChange() const override { return false; }
};

/// Runs `body` as two ranks, and returns their statuses. Each has the device that `devices` gives it.
std::vector<Status> asRanks(const std::vector<DeviceCollectivesOrWhy> &devices, Backends backends,
                            const std::function<Status(Collectives &, int, const DeviceCollectivesOrWhy &)> &body,
                            double timeout = 30, bool hasThread = true) {
  std::vector<std::unique_ptr<Transport>> transports = makeThreadTransports(static_cast<int>(devices.size()));
  for (std::unique_ptr<Transport> &transport : transports)
    if (!hasThread)
      transport = std::make_unique<OneThread>(std::move(transport));
  std::vector<Status> results(devices.size());
  std::vector<std::thread> threads;
  for (size_t rank = 0; rank != results.size(); ++rank)
    threads.emplace_back([&, rank, transport = std::move(transports[rank])]() mutable {
      RankEngine engine(std::move(transport), timeout, false, backends);
      Status status = body(engine, static_cast<int>(rank), devices[rank]);
      Status end = engine.end(status.ok() ? "" : messageOf(status));
      results[rank] = status.ok() ? end : status;
    });
  for (std::thread &thread : threads)
    thread.join();
  return results;
}

std::vector<DeviceCollectivesOrWhy> devicesOf(Machine &machine, const std::vector<std::string> &names) {
  machine.ranks = static_cast<int>(names.size());
  std::vector<DeviceCollectivesOrWhy> all;
  for (const std::string &name : names)
    all.push_back(name.empty() ? DeviceCollectivesOrWhy(notFound("there is no stand-in"))
                               : std::shared_ptr<DeviceCollectives>(std::make_shared<StandIn>(machine, name)));
  return all;
}

/// Adds `count` numbers of all ranks, on devices if they have joined.
Status sum(Collectives &ranks, const DeviceCollectivesOrWhy &device, int rank, int64_t count) {
  TSC_ASSIGN_OR_RETURN(bool isJoined, ranks.joinDevice("0", device, {}));
  std::vector<float> numbers(static_cast<size_t>(count), static_cast<float>(rank + 1));
  CollectiveCall call;
  call.name = "all_reduce";
  call.reduceOp = "sum";
  call.input = call.output = numbers.data();
  call.inputCount = call.outputCount = count;
  call.isCopy = !isJoined;
  if (isJoined)
    call.device = *device;
  TSC_ASSIGN_OR_RETURN(int64_t work, ranks.start("0", call, nullptr));
  while (!ranks.isFinished(work)) // as no stream waits for what the stand-in does
    std::this_thread::yield();
  TSC_RETURN_IF_ERROR(ranks.finish(work, {}).status());
  return numbers[0] == 3 ? okStatus() : internalError("a wrong sum");
}

constexpr Backends preferred{true, Backends::OnDevice::Preferred}, required{false, Backends::OnDevice::Required};
} // namespace

TEST_CASE("devices: they exchange what ranks have compared") {
  Machine machine, other;
  for (const Status &status : asRanks(devicesOf(machine, {"a", "b"}), preferred,
                                      [](Collectives &ranks, int rank, const DeviceCollectivesOrWhy &device) -> Status {
                                        TSC_RETURN_IF_ERROR(sum(ranks, device, rank, 4));
                                        return sum(ranks, device, rank, 3);
                                      }))
    CHECK(messageOf(status) == messageOf(okStatus()));
  CHECK(machine.numBegun == 4);
  CHECK(machine.numAborted == 0);

  for (const Status &status : asRanks(devicesOf(other, {"a", "b"}), preferred,
                                      [](Collectives &ranks, int rank, const DeviceCollectivesOrWhy &device) {
                                        return sum(ranks, device, rank, 3 + rank);
                                      }))
    CHECK(messageOf(status).contains("of the group does all_reduce (sum) of"));
  CHECK(other.numBegun == 0);
}

TEST_CASE("devices: ranks that share one, or have none, exchange copies, or are told why they cannot") {
  for (const auto &names : {std::vector<std::string>{"a", "a"}, std::vector<std::string>{"a", ""}}) {
    Machine machine;
    auto add = [](Collectives &ranks, int rank, const DeviceCollectivesOrWhy &device) {
      return sum(ranks, device, rank, 2);
    };
    for (const Status &status : asRanks(devicesOf(machine, names), preferred, add))
      CHECK(messageOf(status) == messageOf(okStatus()));
    for (const Status &status : asRanks(devicesOf(machine, names), required, add))
      CHECK(messageOf(status).contains(names[1].empty()
                                           ? "rank 1 of the group: there is no stand-in"
                                           : "ranks 0 and 1 of the group have one GPU, and the stand-in wants one for "
                                             "each"));
    for (const Status &status : asRanks(devicesOf(machine, names), {true, Backends::OnDevice::Never}, add))
      CHECK(messageOf(status) == messageOf(okStatus()));
    CHECK(machine.numBegun == 0);
  }
}

TEST_CASE("devices: who waits goes on when the device was told, if somebody else watches it") {
  for (bool hasThread : {true, false}) {
    Machine machine;
    machine.isStuck = true;
    std::atomic<int> numBack{0};
    std::thread device([&] {
      if (hasThread) // else nobody comes back before
        while (numBack != 2)
          std::this_thread::yield();
      std::this_thread::sleep_for(std::chrono::milliseconds(50));
      machine.isStuck = false;
    });
    for (const Status &status : asRanks(
             devicesOf(machine, {"a", "b"}), preferred,
             [&](Collectives &ranks, int rank, const DeviceCollectivesOrWhy &device) -> Status {
               TSC_RETURN_IF_ERROR(ranks.joinDevice("0", device, {}).status());
               std::vector<float> numbers(3, static_cast<float>(rank + 1));
               CollectiveCall call;
               call.name = "all_reduce";
               call.reduceOp = "sum";
               call.device = *device;
               call.input = call.output = numbers.data();
               call.inputCount = call.outputCount = 3;
               TSC_ASSIGN_OR_RETURN(int64_t work, ranks.start("0", call, nullptr));
               TSC_RETURN_IF_ERROR(ranks.finish(work, {}).status());
               ++numBack;
               const bool isEarly = machine.isStuck;
               TSC_RETURN_IF_ERROR(ranks.end("")); // when all is over
               return isEarly == hasThread && numbers[2] == 3 ? okStatus() : internalError("too early, or too late");
             },
             30, hasThread))
      CHECK(messageOf(status) == messageOf(okStatus()));
    device.join();
    CHECK(machine.numFollowed == (hasThread ? 2 : 0));
  }
}

TEST_CASE("devices: what does not end is given up, and nobody reads what it left") {
  Machine machine;
  machine.isStuck = true;
  for (const Status &status : asRanks(
           devicesOf(machine, {"a", "b"}), preferred,
           [](Collectives &ranks, int rank, const DeviceCollectivesOrWhy &device) {
             return sum(ranks, device, rank, 2);
           },
           0.3)) {
    const llvm::StringRef text = messageOf(status);
    CHECK((text.contains("timed out after 0.3 s waiting for the GPUs in all_reduce (sum) of 2 x float32") ||
           text.contains("failed: ")));
    CHECK(text.count(" of 2: rank ") <= 1);
  }
  CHECK(machine.numFailed == 2);
  CHECK(machine.numAborted >= 2);
}

TEST_CASE("devices: a rank exchanges tensors of one, and tensors elsewhere only where the backend has that") {
  Machine machine;
  for (const Status &status :
       asRanks(devicesOf(machine, {"a", "b"}), required,
               [&](Collectives &ranks, int rank, const DeviceCollectivesOrWhy &device) -> Status {
                 TSC_RETURN_IF_ERROR(sum(ranks, device, rank, 2));
                 const DeviceCollectivesOrWhy other =
                     std::shared_ptr<DeviceCollectives>(std::make_shared<StandIn>(machine, "c"));
                 auto joined = ranks.joinDevice("0", other, {});
                 if (joined.ok() || !messageOf(joined.status()).contains("a rank exchanges tensors of one GPU"))
                   return internalError("two devices");
                 CollectiveCall call;
                 call.name = "broadcast";
                 auto refuses = [&](llvm::StringRef what) {
                   StatusOr<int64_t> work = ranks.start("0", call, nullptr);
                   return !work.ok() && messageOf(work.status()).contains(what);
                 };
                 if (!refuses("this backend exchanges tensors on a GPU alone"))
                   return internalError("a tensor of the processor");
                 call.isCopy = true;
                 if (!refuses("broadcast: the stand-in has no exchange of float32"))
                   return internalError("a copy");
                 call.name = "barrier";
                 TSC_ASSIGN_OR_RETURN(int64_t work, ranks.start("0", call, nullptr));
                 return ranks.ranksOf("nccl") == ranks.ranksOf("0") ? ranks.finish(work, {}).status()
                                                                    : internalError("the name of the backend");
               }))
    CHECK(messageOf(status) == messageOf(okStatus()));
}

TEST_CASE("devices: a backend has a name, or one for each device") {
  auto is = [](llvm::StringRef name, bool takesHost, Backends::OnDevice onDevice) {
    const StatusOr<Backends> found = backendsOf(name);
    return found.ok() && found->takesHost == takesHost && found->onDevice == onDevice;
  };
  CHECK(is("mpi", true, Backends::OnDevice::Preferred));
  CHECK(is("nccl", false, Backends::OnDevice::Required));
  CHECK(is("cpu:mpi,cuda:nccl", true, Backends::OnDevice::Required));
  CHECK(is("cuda:nccl,cpu:mpi", true, Backends::OnDevice::Required));
  CHECK(is("cuda:nccl", false, Backends::OnDevice::Required));
  CHECK(is("cpu:mpi,cuda:mpi", true, Backends::OnDevice::Never));
  CHECK(is("cpu:mpi", true, Backends::OnDevice::Preferred));
  for (const char *name : {"", "gloo", "cpu:nccl", "mpi,nccl", "cuda"})
    CHECK(messageOf(backendsOf(name).status()).contains("is none here: there are \"mpi\" and \"nccl\""));
}
