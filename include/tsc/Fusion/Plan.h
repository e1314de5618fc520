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

/// One nest and its walk on a device.
class Launch {
public:
  virtual ~Launch();
  /// `sources`: the first element of each source, as FusedNest numbers them. The kernel has code.
  virtual Status run(ArrayRef<char *> sources, ArrayRef<const IValue *> inputs) const = 0;

  // For reports.

  /// How many elements of the source the walk reads or writes; those that it comes to again are not counted.
  virtual int64_t elementsOf(unsigned source) const = 0;
  /// The sizes of what is walked, outermost first, and the bytes that are read and written by it.
  virtual Dims walkedSizes() const = 0;
  virtual uint64_t bytesMoved() const = 0;

  Kernel *kernel = nullptr;
};

/// How a device runs the launches of a plan, one after the other, with what it remembers of earlier calls. May be used
/// from many threads at once.
class LaunchSequence {
public:
  virtual ~LaunchSequence();
  /// As Launch::run of each. `trace`, if not null, hears of them.
  virtual Status run(ArrayRef<std::unique_ptr<Launch>> launches, ArrayRef<char *> sources,
                     ArrayRef<const IValue *> inputs, TraceRecorder *trace) = 0;
};

/// What a fuser knows of its device.
class NestDevice {
public:
  virtual ~NestDevice();
  /// Where operands are that it takes, and what it makes.
  virtual const DeviceMemory &memory() const = 0;
  /// Whether `rows` rows of `length` elements are better folded by a nest that does nothing else than by one that reads
  /// the results.
  virtual bool foldsApart(int64_t rows, int64_t length) const = 0;
  /// Whether one nest may fold a matrix along its rows and its columns at once.
  virtual bool crossesFolds() const { return false; }
  struct LaidOut {
    std::unique_ptr<Launch> launch;
    LoopNest nest; ///< What to compile.
  };
  /// Decides how the nest is walked. No launch where there is no way: the planner learns, and tries another one.
  /// `firstTemporary`: sources from here on are read by later nests of the plan.
  virtual LaidOut layOut(FusedNest nest, unsigned firstTemporary) const = 0;
  /// Of a new plan. Null: its launches are run one by one.
  virtual std::unique_ptr<LaunchSequence> sequence() const { return nullptr; }
};

struct OutputShape {
  Dims sizes, strides;
  DType dtype;
  bool isRowMajor;
};

class Plan {
public:
  /// Whether the inputs are of the sizes, strides and kinds that this was made for.
  bool matches(ArrayRef<const IValue *> inputs) const;
  /// Allocates the outputs and runs the kernels, all of which must be there. `trace`, if not null, hears of each.
  Status run(ArrayRef<const IValue *> inputs, IValue *results, TraceRecorder *trace = nullptr) const;
  /// Bytes of the inputs that the kernels read, each counted once where operands do not overlap.
  uint64_t bytesRead(ArrayRef<const IValue *> inputs) const;

  std::vector<std::unique_ptr<Launch>> launches;
  std::unique_ptr<LaunchSequence> sequence; ///< May be null.
  std::vector<OutputShape> outputs;
  /// Row-major tensors that one launch writes and later ones read.
  std::vector<OutputShape> temporaries;

private:
  friend class Planner;
  struct InputKey {
    IValue::Tag tag;
    DType dtype;
    bool byValue;
    Dims sizes, strides; ///< Of a tensor; of a list by value, its elements.
    IValue value;        ///< Of a number by value.
  };
  std::vector<InputKey> keys;
  const DeviceMemory *memory = nullptr;
};

/// Plans a call (Planner.cpp). Null: not by this fuser (the operators may refuse the operands, or it has no code for
/// them). `nests` receives one nest for each launch.
std::unique_ptr<Plan> makePlan(const Group &group, const NestDevice &device, CallContext &context,
                               ArrayRef<const IValue *> inputs, std::vector<LoopNest> &nests);

} // namespace tsc::fuser

#endif
