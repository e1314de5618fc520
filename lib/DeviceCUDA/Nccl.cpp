//===- Nccl.cpp - Exchanges between the GPUs of ranks ---------------------===//
//
// NCCL is opened at run time, as the driver is; the declarations are our own. Its
// communicators are asked not to block: a call returns at once, also where another rank
// never comes, and the engine of ranks (lib/Collectives) asks how far it is, and gives up
// in its time. Exchanges are on a stream beside the program's.
//
// NCCL has no tags, no elements of 16-bit integers, no products of complex ones, and no
// operations on bits; elements that are only moved are bytes to it.
//
//===----------------------------------------------------------------------===//
#include "tsc/DeviceCUDA/Nccl.h"
#include "tsc/DeviceCUDA/SideStream.h"
#include "tsc/Tensor/Scalar.h"
#include "llvm/ADT/ScopeExit.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSwitch.h"
#include <cstring>
#include <optional>

using namespace tsc;
using namespace tsc::fuser;
using llvm::StringRef;

namespace {
using NcclComm = struct NcclCommObject *;
/// What ranks join a communicator by: ncclUniqueId, a fact of the library's ABI.
struct NcclId {
  char bytes[128];
};
/// How a communicator works: ncclConfig_t as it was in version 2.14. Later versions have more behind it, and fill in
/// themselves what `size` says is missing.
struct NcclConfig {
  size_t size = sizeof(NcclConfig);
  unsigned magic = 0xcafebeef;
  unsigned version = oldestVersion;
  int isBlocking = 0;
  static constexpr int oldestVersion = 21400;
};
// Of the library's enumerations.
enum Result : int { Success = 0, InProgress = 7 };
enum Operation : int { Sum = 0, Product = 1, Max = 2, Min = 3, Average = 4 };
enum Type : int { Int8 = 0, UInt8 = 1, Int32 = 2, Int64 = 4, Real16 = 6, Real32 = 7, Real64 = 8, RealBf16 = 9 };

/// How NCCL is told of elements of a dtype: `perElement` of its own for each.
struct Elements {
  Type type;
  int64_t perElement = 1;
};

/// The library, whose functions are members of their own names.
struct Library {
  explicit Library(SharedLibrary library) : library(std::move(library)) {}
  /// Returns OK for a call that is done or goes on; else Internal with what the library says.
  Status check(int result, StringRef what, NcclComm comm = nullptr) const;

#define NCCL(NAME, ...) int (*NAME)(__VA_ARGS__) = nullptr;
#include "NcclFunctions.def"
  const char *(*ncclGetErrorString)(int) = nullptr;
  const char *(*ncclGetLastError)(NcclComm) = nullptr;
  SharedLibrary library;
};

#define TSC_NCCL_CALL(FUNCTION, ...) TSC_RETURN_IF_ERROR(library.check(library.FUNCTION(__VA_ARGS__), #FUNCTION, comm))

class Communicator final : public DeviceCommunicator {
public:
  Communicator(const Library &library, DriverContext &context, int ranks, int rank)
      : library(library), context(context), side(context), ranks(ranks), rank(rank) {}
  ~Communicator() override { abort(); }
  Status join(StringRef id);
  StatusOr<bool> isJoined() override { return isSettled("ncclCommInitRankConfig"); }
  StatusOr<std::unique_ptr<DeviceWork>> begin(const CollectiveCall &call, const DevicePoint &after) override;
  StatusOr<bool> leave() override;
  void abort() override;
  StatusOr<bool> isSettled(StringRef what);
  Status mark(StreamPoint &point) { return side.mark(point); }

private:
  Status launch(const CollectiveCall &call, CuStream stream);
  Status launchMoves(const CollectiveCall &call, CuStream stream);
  Status send(const CollectiveCall &call, int64_t begin, int64_t count, int peer, CuStream stream);
  Status receive(const CollectiveCall &call, int64_t begin, int64_t count, int peer, CuStream stream);

  const Library &library;
  DriverContext &context;
  SideStream side;
  const int ranks, rank;
  NcclComm comm = nullptr;
  bool isLeaving = false;
};

/// An exchange of a communicator.
class Work final : public DeviceWork {
public:
  Work(Communicator &communicator, DriverContext &context, std::string name)
      : communicator(communicator), end(context), name(std::move(name)) {}
  StatusOr<bool> isLaunched() override;
  StatusOr<bool> isOver() override;
  Status follow() override { return end.follow(); }

private:
  Communicator &communicator;
  StreamPoint end;
  const std::string name; ///< The exchange's, for messages.
};

/// A point of the program's stream.
struct Point final : DevicePoint {
  explicit Point(DriverContext &context) : point(context) {}
  StreamPoint point;
};

class Nccl final : public DeviceCollectives {
public:
  Nccl(SharedLibrary library, DriverContext &context) : library(std::move(library)), context(context) {}
  Status findFunctions();
  StringRef name() const override { return "NCCL"; }
  StatusOr<std::string> identity() override {
    TSC_ASSIGN_OR_RETURN(auto bytes, context.uuid());
    return llvm::toHex(bytes);
  }
  bool takes(const CollectiveCall &call) const override;
  StatusOr<std::shared_ptr<DevicePoint>> point() override {
    auto made = std::make_shared<Point>(context);
    TSC_RETURN_IF_ERROR(made->point.mark());
    return std::shared_ptr<DevicePoint>(std::move(made));
  }
  StatusOr<std::string> makeId() override;
  void fail(const Status &why) override { context.fail(why); }
  StatusOr<std::unique_ptr<DeviceCommunicator>> join(StringRef id, int ranks, int rank) override;

private:
  Library library;
  DriverContext &context;
};
} // namespace

Status Library::check(int result, StringRef what, NcclComm comm) const {
  if (result == Success || result == InProgress)
    return okStatus();
  const char *text = ncclGetErrorString(result), *last = ncclGetLastError(comm);
  std::string message = (what + ": " + (text ? text : "an error without a text")).str();
  if (last && *last)
    message += std::string(" (") + last + ")";
  return internalError(message);
}

Status Nccl::findFunctions() {
#define NCCL(NAME, ...) TSC_RETURN_IF_ERROR(library.library.find(#NAME, library.NAME));
#include "NcclFunctions.def"
  TSC_RETURN_IF_ERROR(library.library.find("ncclGetErrorString", library.ncclGetErrorString));
  TSC_RETURN_IF_ERROR(library.library.find("ncclGetLastError", library.ncclGetLastError));
  int version = 0;
  TSC_RETURN_IF_ERROR(library.check(library.ncclGetVersion(&version), "ncclGetVersion"));
  if (version < NcclConfig::oldestVersion)
    return unimplemented("NCCL 2.14 or later is needed, and this one calls itself version " + llvm::Twine(version));
  return okStatus();
}

StatusOr<std::unique_ptr<DeviceCollectives>> fuser::openNccl(StringRef path, DriverContext &context) {
  TSC_ASSIGN_OR_RETURN(SharedLibrary library, SharedLibrary::open("NCCL, NVIDIA's library for exchanges between GPUs,",
                                                                  toolkitLibrary("nccl", path, {2})));
  auto opened = std::make_unique<Nccl>(std::move(library), context);
  TSC_RETURN_IF_ERROR(opened->findFunctions());
  return std::unique_ptr<DeviceCollectives>(std::move(opened));
}

//===-- What NCCL takes --------------------------------------------------===//

/// Returns the elements that NCCL combines, or nothing where it has none of the kind.
static std::optional<Elements> combinedElements(DType dtype) {
  switch (dtype) {
  case DType::Bool: // 0 or 1
  case DType::UInt8: return Elements{UInt8};
  case DType::Int8: return Elements{Int8};
  case DType::Int32: return Elements{Int32};
  case DType::Int64: return Elements{Int64};
  case DType::Half: return Elements{Real16};
  case DType::BFloat16: return Elements{RealBf16};
  case DType::Float: return Elements{Real32};
  case DType::Double: return Elements{Real64};
  case DType::ComplexFloat: return Elements{Real32, 2};
  case DType::ComplexDouble: return Elements{Real64, 2};
  default: return std::nullopt;
  }
}

static bool isComplexDType(DType dtype) { return dtype == DType::ComplexFloat || dtype == DType::ComplexDouble; }

/// Returns NCCL's operation that combines such elements, or nothing where it has none.
static std::optional<Operation> operationOf(StringRef name, DType dtype) {
  using Found = std::optional<Operation>;
  if (!combinedElements(dtype))
    return std::nullopt;
  if (dtype == DType::Bool) // sums are `or`, and products `and`
    return llvm::StringSwitch<Found>(name)
        .Cases("sum", "max", "bor", Max)
        .Cases("product", "min", "band", Min)
        .Default(std::nullopt);
  if (isComplexDType(dtype))
    return llvm::StringSwitch<Found>(name).Case("sum", Sum).Case("avg", Average).Default(std::nullopt);
  const bool hasAverage =
      dtype == DType::Half || dtype == DType::BFloat16 || dtype == DType::Float || dtype == DType::Double;
  return llvm::StringSwitch<Found>(name)
      .Case("sum", Sum)
      .Case("product", Product)
      .Case("min", Min)
      .Case("max", Max)
      .Case("avg", hasAverage ? Found(Average) : std::nullopt)
      .Default(std::nullopt);
}

bool Nccl::takes(const CollectiveCall &call) const {
  switch (llvm::StringSwitch<int>(call.name)
              .Cases("all_reduce", "reduce", "reduce_scatter", 2)
              .Cases("broadcast", "all_gather", "all_to_all", "gather", "scatter", 1)
              .Default(0)) {
  case 2: return operationOf(call.reduceOp, call.dtype).has_value();
  case 1: return true;
  default: return false;
  }
}

//===-- Exchanges --------------------------------------------------------===//

StatusOr<std::string> Nccl::makeId() {
  NcclId id{};
  TSC_RETURN_IF_ERROR(
      context.callBeside([&] { return library.check(library.ncclGetUniqueId(&id), "ncclGetUniqueId"); }));
  return std::string(id.bytes, sizeof id.bytes);
}

StatusOr<std::unique_ptr<DeviceCommunicator>> Nccl::join(StringRef id, int ranks, int rank) {
  auto made = std::make_unique<Communicator>(library, context, ranks, rank);
  TSC_RETURN_IF_ERROR(made->join(id));
  return std::unique_ptr<DeviceCommunicator>(std::move(made));
}

Status Communicator::join(StringRef text) {
  NcclId id{};
  if (text.size() != sizeof id.bytes)
    return internalError("what ranks join NCCL's communicator by has another size");
  std::memcpy(id.bytes, text.data(), sizeof id.bytes);
  NcclConfig config;
  return context.callBeside([&]() -> Status {
    TSC_NCCL_CALL(ncclCommInitRankConfig, &comm, ranks, id, rank, &config);
    return okStatus();
  });
}

/// Whether the library has done what it was asked for: it is on the stream, or a communicator is there. `what` was
/// asked for last.
StatusOr<bool> Communicator::isSettled(StringRef what) {
  int result = Success;
  TSC_RETURN_IF_ERROR(context.callBeside([&]() -> Status {
    TSC_NCCL_CALL(ncclCommGetAsyncError, comm, &result);
    return library.check(result, what, comm);
  }));
  return result == Success;
}

StatusOr<std::unique_ptr<DeviceWork>> Communicator::begin(const CollectiveCall &call, const DevicePoint &after) {
  TSC_RETURN_IF_ERROR(
      side.run(static_cast<const Point &>(after).point, [&](CuStream stream) { return launch(call, stream); }));
  return std::unique_ptr<DeviceWork>(std::make_unique<Work>(*this, context, call.name.str()));
}

Status Communicator::launch(const CollectiveCall &call, CuStream stream) {
  const auto root = static_cast<int>(call.peer);
  const auto bytes = static_cast<int64_t>(itemSize(call.dtype));
  const auto count = static_cast<size_t>(call.inputCount * bytes);
  if (call.name == "broadcast") {
    TSC_NCCL_CALL(ncclBroadcast, call.input, call.output, count, UInt8, root, comm, stream);
    return okStatus();
  }
  if (call.name == "all_gather") {
    TSC_NCCL_CALL(ncclAllGather, call.input, call.output, count, UInt8, comm, stream);
    return okStatus();
  }
  if (call.reduceOp.empty())
    return launchMoves(call, stream);
  const std::optional<Operation> op = operationOf(call.reduceOp, call.dtype);
  assert(op && "the exchange is one that NCCL takes");
  const Elements elements = *combinedElements(call.dtype);
  const auto combined = static_cast<size_t>(call.outputCount * elements.perElement);
  if (call.name == "all_reduce")
    TSC_NCCL_CALL(ncclAllReduce, call.input, call.output, combined, elements.type, *op, comm, stream);
  else if (call.name == "reduce")
    TSC_NCCL_CALL(ncclReduce, call.input, call.output, combined, elements.type, *op, root, comm, stream);
  else
    TSC_NCCL_CALL(ncclReduceScatter, call.input, call.output, combined, elements.type, *op, comm, stream);
  return okStatus();
}

Status Communicator::send(const CollectiveCall &call, int64_t begin, int64_t count, int peer, CuStream stream) {
  const auto bytes = static_cast<int64_t>(itemSize(call.dtype));
  if (count != 0)
    TSC_NCCL_CALL(ncclSend, static_cast<const char *>(call.input) + begin * bytes, static_cast<size_t>(count * bytes),
                  UInt8, peer, comm, stream);
  return okStatus();
}

Status Communicator::receive(const CollectiveCall &call, int64_t begin, int64_t count, int peer, CuStream stream) {
  const auto bytes = static_cast<int64_t>(itemSize(call.dtype));
  if (count != 0)
    TSC_NCCL_CALL(ncclRecv, static_cast<char *>(call.output) + begin * bytes, static_cast<size_t>(count * bytes), UInt8,
                  peer, comm, stream);
  return okStatus();
}

/// Makes an exchange of messages between two ranks each, all of which go on at once.
Status Communicator::launchMoves(const CollectiveCall &call, CuStream stream) {
  TSC_NCCL_CALL(ncclGroupStart);
  auto launchAll = [&]() -> Status {
    if (call.name == "gather") {
      TSC_RETURN_IF_ERROR(send(call, 0, call.inputCount, static_cast<int>(call.peer), stream));
      for (int peer = 0; peer != ranks && rank == call.peer; ++peer)
        TSC_RETURN_IF_ERROR(receive(call, peer * call.inputCount, call.inputCount, peer, stream));
      return okStatus();
    }
    if (call.name == "scatter") {
      for (int peer = 0; peer != ranks && rank == call.peer; ++peer)
        TSC_RETURN_IF_ERROR(send(call, peer * call.outputCount, call.outputCount, peer, stream));
      return receive(call, 0, call.outputCount, static_cast<int>(call.peer), stream);
    }
    assert(call.name == "all_to_all" && "the exchange is one that NCCL takes");
    int64_t from = 0, to = 0;
    for (int peer = 0; peer != ranks; ++peer) {
      const int64_t given = call.inputSplits[static_cast<size_t>(peer)],
                    taken = call.outputSplits[static_cast<size_t>(peer)];
      TSC_RETURN_IF_ERROR(send(call, from, given, peer, stream));
      TSC_RETURN_IF_ERROR(receive(call, to, taken, peer, stream));
      from += given;
      to += taken;
    }
    return okStatus();
  };
  Status launched = launchAll();
  const int ended = library.ncclGroupEnd(); // in any case, as the group is the thread's
  return launched.ok() ? library.check(ended, "ncclGroupEnd", comm) : launched;
}

StatusOr<bool> Work::isLaunched() {
  TSC_ASSIGN_OR_RETURN(bool isSettled, communicator.isSettled(name));
  if (isSettled)
    TSC_RETURN_IF_ERROR(communicator.mark(end));
  return isSettled;
}

StatusOr<bool> Work::isOver() {
  TSC_RETURN_IF_ERROR(communicator.isSettled(name).status()); // of other ranks, which the device may wait for
  return end.isReached();
}

StatusOr<bool> Communicator::leave() {
  if (!comm)
    return true;
  if (!isLeaving)
    TSC_RETURN_IF_ERROR(context.callBeside([&]() -> Status {
      TSC_NCCL_CALL(ncclCommFinalize, comm);
      return okStatus();
    }));
  isLeaving = true;
  TSC_ASSIGN_OR_RETURN(bool isFinal, isSettled("ncclCommFinalize"));
  if (!isFinal)
    return false;
  TSC_RETURN_IF_ERROR(context.callBeside(
      [&] { return library.check(library.ncclCommDestroy(std::exchange(comm, nullptr)), "ncclCommDestroy"); }));
  return true;
}

void Communicator::abort() {
  if (comm) // nothing is to be done where this fails, too
    (void)context.callBeside(
        [&] { return library.check(library.ncclCommAbort(std::exchange(comm, nullptr)), "ncclCommAbort"); });
}
