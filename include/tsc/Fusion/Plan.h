//===- Plan.h - A group on operands of given sizes --------------*- C++ -*-===//
//
// What a call does once sizes, strides and dtypes are known: the nests to run, from
// where to where. Nests depend on classes of operands alone, so that new sizes make
// a new plan and no new code.
//
//===----------------------------------------------------------------------===//
#ifndef TSC_FUSION_PLAN_H
#define TSC_FUSION_PLAN_H

#include "tsc/Fusion/FusedNest.h"
#include "tsc/Fusion/Group.h"
#include "tsc/Support/Status.h"
#include <optional>

namespace tsc {
class CallContext;
class TraceRecorder;
} // namespace tsc

namespace tsc::fuser {

struct Kernel; // KernelCache.h

/// A nest with its walk over given operands on a device.
///
/// Threads: all functions may be called from many threads at once.
class Launch {
public:
  virtual ~Launch();
  /// Runs the kernel, which must have code. `sources` holds the address of the first element of each source, as
  /// FusedNest::Operand numbers them; `inputs` are those of the group.
  virtual Status run(ArrayRef<char *> sources, ArrayRef<const IValue *> inputs) const = 0;

  // For reports.

  /// Returns how many elements of a source the operands of the nest read or write. Each operand counts an element once,
  /// however often the walk comes to it.
  virtual int64_t elementsOf(unsigned source) const = 0;
  /// Returns the sizes of what is walked, outermost first.
  virtual Dims walkedSizes() const = 0;
  /// Returns how many bytes the operands read and write, counted like elementsOf().
  virtual uint64_t bytesMoved() const = 0;

  Kernel *kernel = nullptr; ///< The kernel cache owns it.
};

/// Runs the launches of one plan in order, with the help of what it remembers of earlier calls.
///
/// Threads: may be used from many threads at once.
class LaunchSequence {
public:
  virtual ~LaunchSequence();
  /// Runs the launches as Launch::run does, and records them in `trace` unless it is null.
  virtual Status run(ArrayRef<std::unique_ptr<Launch>> launches, ArrayRef<char *> sources,
                     ArrayRef<const IValue *> inputs, TraceRecorder *trace) = 0;
};

/// What the planner has to know of a device.
class NestDevice {
public:
  virtual ~NestDevice();
  /// Returns the memory in which operands have to be, and in which outputs and temporaries are allocated.
  virtual const DeviceMemory &memory() const = 0;
  /// Whether it is better to fold `rows` rows of `length` elements by a nest that only folds than by one whose elements
  /// read the results.
  virtual bool foldsApart(int64_t rows, int64_t length) const = 0;
  /// Whether one nest may fold a matrix along its rows and along its columns at once.
  virtual bool crossesFolds() const { return false; }
  /// A launch, and the nest that its kernel is compiled from.
  struct LaidOut {
    std::unique_ptr<Launch> launch;
    LoopNest nest; ///< The nest to compile, with accesses and levels set.
  };
  /// Decides how a nest is walked. The launch is null where the device cannot walk it; the planner then tries another
  /// plan. Sources from `firstTemporary` on are temporaries, which later nests of the plan read.
  virtual LaidOut layOut(FusedNest nest, unsigned firstTemporary) const = 0;
  /// Returns what runs the launches of a new plan, or null where they are run one by one.
  virtual std::unique_ptr<LaunchSequence> sequence() const { return nullptr; }
};

/// The sizes, strides (in elements) and dtype of a tensor that a plan allocates.
struct OutputShape {
  Dims sizes, strides;
  DType dtype;
  bool isRowMajor;
};

/// What a call of a group does for inputs of given sizes, strides and dtypes.
///
/// Threads: all functions may be called from many threads at once.
class Plan {
public:
  /// Whether the plan is for such inputs: of the same kinds, dtypes, sizes, strides and device, and of the same values
  /// where these decide shapes or are checked. Each function takes one value for each input of the plan's group.
  bool matches(ArrayRef<const IValue *> inputs) const;
  /// Allocates the outputs, runs the kernels, which must all have code, and puts the outputs into `results`. `trace`,
  /// unless null, receives a span for each kernel.
  Status run(ArrayRef<const IValue *> inputs, IValue *results, TraceRecorder *trace = nullptr) const;
  /// Returns how many bytes of the inputs the kernels read: no more than an input has, and each byte once where the
  /// operands that read it do not overlap.
  uint64_t bytesRead(ArrayRef<const IValue *> inputs) const;

  std::vector<std::unique_ptr<Launch>> launches; ///< The kernels, in the order in which they run.
  std::unique_ptr<LaunchSequence> sequence;      ///< Runs the launches; null where they are run one by one.
  std::vector<OutputShape> outputs;
  /// Row-major tensors that live during a call: one launch writes them, and later ones read them.
  std::vector<OutputShape> temporaries;

private:
  friend class Planner;
  /// What an input has to be for the plan to match.
  struct InputKey {
    IValue::Tag tag;
    DType dtype;
    bool byValue;
    Dims sizes, strides; ///< The sizes and strides of a tensor; `sizes` has the elements of a list of ints.
    IValue value;        ///< The number that is compared, where `byValue`.
  };
  std::vector<InputKey> keys;
  const DeviceMemory *memory = nullptr;
};

/// Makes a plan for a call (Planner.cpp). Returns null where the device cannot run it: the operators may refuse the
/// operands, or there is no code for them. `nests` receives the nest of each launch, which the caller has compiled.
std::unique_ptr<Plan> makePlan(const Group &group, const NestDevice &device, CallContext &context,
                               ArrayRef<const IValue *> inputs, std::vector<LoopNest> &nests);

} // namespace tsc::fuser

#endif
