//===- Collectives.h - Ranks that exchange tensors --------------*- C++ -*-===//
//
// A program may run in several processes at once, the ranks of a group, which
// exchange tensors by operators that all of them call (IR/Ops/Collectives.td). The
// operators ask the Collectives of their context. lib/Collectives makes one over MPI,
// in a shared library of its own, which is opened when a program first asks for ranks.
//
//===----------------------------------------------------------------------===//
#ifndef TSC_RUNTIME_DISPATCH_COLLECTIVES_H
#define TSC_RUNTIME_DISPATCH_COLLECTIVES_H

#include "tsc/Support/Status.h"
#include "tsc/Tensor/Scalar.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include <functional>
#include <memory>
#include <string>
#include <vector>

namespace tsc {

class Context;
class DeviceCollectives;

/// One exchange between the ranks of a group, as one of them describes it. Elements stand row-major without gaps, in
/// the processor's memory or, where `device` says so, in a device's. Counts are numbers of elements.
struct CollectiveCall {
  /// "all_reduce", "reduce", "broadcast", "all_gather", "reduce_scatter", "all_to_all", "gather", "scatter", "barrier",
  /// "send" or "recv".
  llvm::StringRef name;
  /// How elements are combined: "sum", "avg", "product", "min", "max", "band", "bor" or "bxor". Empty for exchanges
  /// that combine nothing.
  llvm::StringRef reduceOp;
  DType dtype = DType::Float;
  /// The rank in the group that others send to or receive from; -1 stands for any rank in "recv".
  int64_t peer = 0;
  int64_t tag = 0; ///< "recv" takes what was sent with the same tag, from 0 to 65535.
  const void *input = nullptr;
  void *output = nullptr; ///< May be `input`.
  int64_t inputCount = 0, outputCount = 0;
  /// How many elements "all_to_all" sends to each rank and receives from it. Empty: the same number for each.
  llvm::ArrayRef<int64_t> inputSplits, outputSplits;
  /// What exchanges the elements between devices, of a device that has joined the group's (Collectives::joinDevice).
  /// Null: they are in the processor's memory.
  std::shared_ptr<DeviceCollectives> device;
  bool isCopy = false; ///< Whether what is in the processor's memory is a copy of tensors on a device.
};

/// What exchanges the tensors of a device (DeviceCollectives.h): null where there is nothing of the kind for such
/// devices, and an error that says why where there could be.
using DeviceCollectivesOrWhy = StatusOr<std::shared_ptr<DeviceCollectives>>;

/// How a program asks for ranks.
struct CollectivesOptions {
  /// "mpi", which exchanges tensors of a GPU by NCCL where all ranks can; "nccl", which exchanges these alone; or one
  /// for each device, as in "cpu:mpi,cuda:nccl".
  std::string backend;
  std::string method;     ///< "file:///…/libmpi.so" names the library of MPI. Empty: the one of the launcher.
  double timeout = 0;     ///< How many seconds a rank waits for others before an exchange fails.
  bool isChecked = false; ///< Whether ranks compare what they are about to do before each exchange.
  /// Opens what exchanges the tensors of the program's GPU. It is called for a backend that cannot do without.
  std::function<DeviceCollectivesOrWhy()> openDevice;
};

/// The ranks that a process exchanges tensors with. Groups have names; that of all ranks is "0", and the backend's
/// where that is "nccl".
///
/// Order:   the ranks of a group start its exchanges in the same order, but for "send" and "recv", which match by rank,
///          tag and order. A rank that does otherwise gets InvalidArgument, or the others do.
/// Errors:  messages name the rank. After a failed exchange all later ones of the process fail in the same way. Names
/// and
///          numbers that make no sense are InvalidArgument. A time-out, the end of another rank, and a failure that
///          another rank told of are Aborted.
/// Threads: every function may be called from many threads at once.
class Collectives {
public:
  virtual ~Collectives() = default;
  /// Returns the process's rank in a group, and behind it the ranks of the group, in their order, by their numbers in
  /// group "0". Returns nothing where there is no such group; the rank is -1 in a group that the process is not in.
  virtual std::vector<int64_t> ranksOf(llvm::StringRef group) = 0;
  /// Makes a group of some ranks of group "0", each of which calls this, as all the others do. Returns its name.
  virtual StatusOr<std::string> makeGroup(llvm::ArrayRef<int64_t> ranks) = 0;
  /// Whether tensors of a group are exchanged between their devices, or else as copies in the processor's memory. All
  /// ranks of the group ask when they first exchange tensors on a device, with what they have for it, which is not
  /// null. The call waits for the others then, and all get the same answer. An error says why there is none, where the
  /// backend wants no copies. `interrupt` is that of finish().
  virtual StatusOr<bool> joinDevice(llvm::StringRef group, const DeviceCollectivesOrWhy &device,
                                    llvm::function_ref<Status()> interrupt) = 0;
  /// Starts an exchange, and returns its number. The memory that the call points at must not be touched until finish();
  /// `memory` keeps it until then.
  virtual StatusOr<int64_t> start(llvm::StringRef group, const CollectiveCall &call, std::shared_ptr<void> memory) = 0;
  /// Waits for an exchange, which has no number afterwards. Returns which rank of the group sent what "recv" received,
  /// or -1. `interrupt` is called now and then; its failure ends the wait.
  virtual StatusOr<int64_t> finish(int64_t work, llvm::function_ref<Status()> interrupt) = 0;
  virtual bool isFinished(int64_t work) = 0; ///< Whether finish() would return at once.
  /// Ends the process's part. Where `failure` is empty, it finishes all that was started first. Otherwise it tells the
  /// other ranks this message, and ends them and this process. Calling it again does nothing.
  virtual Status end(llvm::StringRef failure) = 0;
};

/// Makes the ranks that a program asks for.
using CollectivesOpener = StatusOr<std::shared_ptr<Collectives>> (*)(const CollectivesOptions &options);

/// Lets source programs of the context ask for ranks (torch.distributed.init_process_group).
void setCollectivesOpener(Context &context, CollectivesOpener opener);
/// Lets programs of the context exchange tensors with these ranks, or with none (null).
void setCollectives(Context &context, std::shared_ptr<Collectives> collectives);
/// Returns the context's ranks, or null.
std::shared_ptr<Collectives> collectivesOf(Context &context);

} // namespace tsc

#endif
