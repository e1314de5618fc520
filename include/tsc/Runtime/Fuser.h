//===- Fuser.h - What compiles fusion groups --------------------*- C++ -*-===//
//
//   FuserRegistry fusers;
//   fusers.add(DeviceKind::CPU, createCpuFuser(options)); // from FuserCPU
//   CodeCache cache;
//   cache.setFusers(fusers);
//
// Runtime knows no code generator. A program that links one registers it; one that
// does not still runs every fusion group, block by block (PointwiseProgram) or as
// the plain nodes of its subgraph, with the same bits.
//
//===----------------------------------------------------------------------===//
#ifndef TSC_RUNTIME_FUSER_H
#define TSC_RUNTIME_FUSER_H

#include "tsc/IR/IValue.h"
#include "tsc/Support/Status.h"
#include "tsc/Tensor/Scalar.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/SmallVector.h"
#include <atomic>
#include <memory>
#include <optional>

namespace tsc {

class CallContext;
class Graph;

/// When machine code of a group is made.
enum class CompileMode : uint8_t {
  Off,        ///< Never.
  Background, ///< On another thread; calls run the plain nodes until it is there.
  Eager,      ///< At the first call that could use it, which waits.
};

/// What a fuser did so far. Counts only grow; reading them is safe at any time.
struct FuserCounters {
  std::atomic<uint64_t> compilations{0};  ///< Kernels for which machine code was generated.
  std::atomic<uint64_t> compileMicros{0}; ///< The time that took, of one core.
  std::atomic<uint64_t> cacheHits{0};     ///< Kernels found in memory that an equal group had made.
  std::atomic<uint64_t> diskHits{0};      ///< Kernels read from the disk cache.
  std::atomic<uint64_t> kernelsRun{0};
  std::atomic<uint64_t> fallbacks{0}; ///< Calls that the plain nodes had to serve.
  // Of devices whose kernels are launched by a driver.
  std::atomic<uint64_t> launches{0};         ///< Calls that launch a kernel or a graph of kernels.
  std::atomic<uint64_t> graphLaunches{0};    ///< Of these, of graphs.
  std::atomic<uint64_t> graphs{0};           ///< Plans that became graphs.
  std::atomic<uint64_t> sequences{0};        ///< Calls of programs that became graphs.
  std::atomic<uint64_t> sequenceLaunches{0}; ///< Of graphLaunches, those of such graphs.
  std::atomic<uint64_t> sequenceUpdates{0};  ///< Nodes of such graphs that got other operands or numbers.
  std::atomic<uint64_t> launchNanos{0};      ///< The time that the processor took to launch.
};

/// A fusion group as a fuser knows it; one for all equal groups.
///
/// Threads: run() may be called from many threads at once, also while code is being swapped in.
class FusedGroup {
public:
  virtual ~FusedGroup() = default;
  /// Runs the group if there is machine code for inputs of this class. `inputs` are those of the subgraph, in order:
  /// tensors (undefined ones are None), numbers, and lists of ints; `results` points at as many None slots as it has
  /// outputs. False: nothing was done, and the caller runs the plain nodes: the code is not ready, the dtypes, layouts
  /// or shapes are none it takes, or the operators refuse the operands (the plain nodes then give the error, in its
  /// place).
  virtual StatusOr<bool> run(CallContext &context, llvm::ArrayRef<const IValue *> inputs, IValue *results) = 0;
  /// How many bytes of the inputs run() reads, each counted once: of a slice only what is in it. None: not known before
  /// a run with such inputs. For reports.
  virtual std::optional<uint64_t> bytesRead(llvm::ArrayRef<const IValue *> inputs) = 0;
};

/// Makes FusedGroups. get() may be called from many threads at once.
class Fuser {
public:
  virtual ~Fuser() = default;
  /// Null when it is no group that this fuser could ever take. Cheap: nothing is compiled here. Keeps no pointer into
  /// `group`, which may be gone when the FusedGroup runs.
  virtual std::shared_ptr<FusedGroup> get(const Graph &group) = 0;
  virtual const FuserCounters &counters() const = 0;
  /// Waits until what has been asked for so far is compiled. A fuser that compiles within its calls has nothing to do.
  virtual void finishCompiling() {}
};

/// The fusers that a program links, by device. Copies share them.
class FuserRegistry {
public:
  void add(DeviceKind device, std::shared_ptr<Fuser> fuser) { fusers.emplace_back(device, std::move(fuser)); }
  /// Null when there is none.
  Fuser *find(DeviceKind device) const {
    for (const auto &[kind, fuser] : fusers)
      if (kind == device)
        return fuser.get();
    return nullptr;
  }
  auto begin() const { return fusers.begin(); }
  auto end() const { return fusers.end(); }
  bool empty() const { return fusers.empty(); }
  /// Waits for each of them.
  void finishCompiling() const {
    for (const auto &[kind, fuser] : fusers)
      fuser->finishCompiling();
  }

private:
  llvm::SmallVector<std::pair<DeviceKind, std::shared_ptr<Fuser>>, 1> fusers; // shared with whoever reads its counters
};

} // namespace tsc

#endif
