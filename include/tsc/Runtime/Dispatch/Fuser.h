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
#ifndef TSC_RUNTIME_DISPATCH_FUSER_H
#define TSC_RUNTIME_DISPATCH_FUSER_H

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

/// When faster code is made: kernels of fusion groups, or plans of functions (EngineOptions).
enum class CompileMode : uint8_t {
  Off,        ///< It is never made.
  Background, ///< It is made on another thread. Calls run plain code until it is there.
  Eager,      ///< It is made in the first call that can use it, which waits.
};

/// Counts of what a fuser has done. They only grow, and may be read at any time.
struct FuserCounters {
  std::atomic<uint64_t> compilations{0};  ///< The kernels for which machine code was generated.
  std::atomic<uint64_t> compileMicros{0}; ///< The microseconds of one core that this took.
  std::atomic<uint64_t> cacheHits{0};     ///< The kernels that were found in memory, made for an equal group.
  std::atomic<uint64_t> diskHits{0};      ///< The kernels that were read from the disk cache.
  std::atomic<uint64_t> kernelsRun{0};
  std::atomic<uint64_t> fallbacks{0}; ///< The calls of groups that ran as plain nodes.
  // Devices whose kernels a driver launches have these counts as well.
  std::atomic<uint64_t> launches{0};         ///< The launches of a kernel, a library's operation, or a graph of these.
  std::atomic<uint64_t> graphLaunches{0};    ///< The launches that were of graphs.
  std::atomic<uint64_t> graphs{0};           ///< The graphs made of the kernels of one fusion group.
  std::atomic<uint64_t> sequences{0};        ///< The graphs made of what a whole call of a program launches.
  std::atomic<uint64_t> sequenceLaunches{0}; ///< The launches that were of graphs of the latter sort.
  std::atomic<uint64_t> sequenceUpdates{0};  ///< The nodes of these graphs that got other operands or numbers.
  std::atomic<uint64_t> launchNanos{0};      ///< The nanoseconds that the processor spent on launches.
};

/// A fusion group that a fuser has taken. Equal groups share one.
///
/// Threads: run() may be called from many threads at once, also while code is being swapped in.
class FusedGroup {
public:
  virtual ~FusedGroup() = default;
  /// Runs the group if there is machine code for such inputs. `inputs` are those of the subgraph, in order: tensors
  /// (undefined ones are None), numbers, and lists of ints; `results` points at as many None slots as it has outputs.
  /// Returns false where it did nothing, so that the caller has to run the plain nodes: the code is not ready, the
  /// fuser takes no such dtypes, layouts or shapes, or the operators refuse the operands (the plain nodes then give the
  /// error, in its place).
  virtual StatusOr<bool> run(CallContext &context, llvm::ArrayRef<const IValue *> inputs, IValue *results) = 0;
  /// Returns how many bytes of the inputs run() reads, each counted once and of a slice only those in it, or nothing
  /// where that is not known before a run with such inputs. For reports.
  virtual std::optional<uint64_t> bytesRead(llvm::ArrayRef<const IValue *> inputs) = 0;
};

/// A compiler of fusion groups for one kind of device. get() may be called from many threads at once.
class Fuser {
public:
  virtual ~Fuser() = default;
  /// Returns the FusedGroup for a group's subgraph, or null where the fuser could never run it. Cheap: nothing is
  /// compiled yet. Keeps no pointer into `group`, which may be gone when the FusedGroup runs.
  virtual std::shared_ptr<FusedGroup> get(const Graph &group) = 0;
  virtual const FuserCounters &counters() const = 0;
  /// Waits until all code that has been asked for is compiled. A fuser that compiles within its calls does nothing.
  virtual void finishCompiling() {}
};

/// The fusers that a program links, by the kind of device. Copies of a registry share the fusers.
class FuserRegistry {
public:
  void add(DeviceKind device, std::shared_ptr<Fuser> fuser) { fusers.emplace_back(device, std::move(fuser)); }
  /// Returns the fuser for a kind of device, or null.
  Fuser *find(DeviceKind device) const {
    for (const auto &[kind, fuser] : fusers)
      if (kind == device)
        return fuser.get();
    return nullptr;
  }
  auto begin() const { return fusers.begin(); }
  auto end() const { return fusers.end(); }
  bool empty() const { return fusers.empty(); }
  /// Waits until every fuser has compiled what it was asked for.
  void finishCompiling() const {
    for (const auto &[kind, fuser] : fusers)
      fuser->finishCompiling();
  }

private:
  llvm::SmallVector<std::pair<DeviceKind, std::shared_ptr<Fuser>>, 1> fusers; // shared with whoever reads its counters
};

} // namespace tsc

#endif
