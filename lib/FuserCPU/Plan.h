//===- Plan.h - A group on operands of given sizes --------------*- C++ -*-===//
//
// What a call does once sizes, strides and dtypes are known: the nests to run, from
// where to where. Nests depend on classes of operands alone, so that new sizes make
// a new plan and no new code.
//
//===----------------------------------------------------------------------===//
#ifndef TSC_LIB_FUSERCPU_PLAN_H
#define TSC_LIB_FUSERCPU_PLAN_H

#include "Group.h"
#include "LoopNest.h"
#include "tsc/Kernels/Folds.h"
#include "tsc/Support/Status.h"
#include <optional>

namespace tsc {
class CallContext;
class TraceRecorder;
} // namespace tsc

namespace tsc::fuser {

struct Kernel; // KernelCache.h

/// A number that a nest reads: which input it is, the type that it is stored as, and the one that it is rounded to
/// first.
struct NumberSource {
  unsigned input;
  DType dtype, roundsTo;
  IValue value = {}; ///< Not None: one that shapes decide, and no input.
};

/// A dimension that is walked.
struct WalkDim {
  int64_t size;
  llvm::SmallVector<int64_t, 8> strides; ///< Bytes, by operand.
  int64_t resultStep = 0;                ///< Elements of a fold's result.
};

/// How blocks of elements are folded and their results combined.
struct FoldLaunch {
  llvm::SmallVector<WalkDim, 4> kept; ///< Outermost first, without the columns.
  llvm::SmallVector<WalkDim, 2> runs; ///< Reduced dimensions, outermost first, that are not the run.
  WalkDim run;                        ///< The innermost reduced dimensions: cut into blocks.
  std::optional<WalkDim> columns;     ///< A kept dimension whose elements are folded side by side.
  struct Result {
    unsigned operand; ///< Where the kernel writes results of blocks.
    FoldKind kind;
    DType inside, dtype;
    unsigned source;
  };
  llvm::SmallVector<Result, 2> results;
  int64_t folded = 1; ///< Elements of each result.

  int64_t blocksPerRun() const { return (run.size + cpu::foldBlock - 1) / cpu::foldBlock; }
};

/// One nest and its walk. Dimensions outside of row and element are walked by the caller.
struct Launch {
  Kernel *kernel = nullptr;
  struct Operand {
    unsigned source; ///< An input; from the number of inputs on, an output; behind these, a temporary.
    int64_t offset;  ///< Bytes.
  };
  llvm::SmallVector<Operand, 8> operands;
  int64_t count = 1, rows = 1, outside = 1;                           ///< Elements of a row, rows, and times of these.
  llvm::SmallVector<int64_t, 8> inner, outer;                         ///< Strides in bytes, by operand.
  Dims outsideSizes;                                                  ///< Innermost first.
  llvm::SmallVector<llvm::SmallVector<int64_t, 8>, 2> outsideStrides; ///< By dimension, by operand.
  llvm::SmallVector<NumberSource, 4> numbers;
  /// The values of `numbers` as a kernel reads them.
  llvm::SmallVector<uint64_t, 8> storedNumbers(ArrayRef<const IValue *> inputs) const;
  /// Operands that are tensors of the plan. Behind them come a thread's own.
  ArrayRef<Operand> tensors() const {
    return ArrayRef(operands).take_front(fold ? fold->run.strides.size() : operands.size() - kept.size());
  }
  /// How many elements of a tensor the walk comes to; those that it comes to again are not counted.
  int64_t elementsOf(unsigned tensor) const;
  /// Operands that many rows read and whose elements stand apart: copied together first, `times` rows of them.
  struct Packed {
    unsigned operand;
    int64_t stride; ///< Bytes.
    DType dtype;
    int64_t times = 1;
  };
  llvm::SmallVector<Packed, 2> packed;
  /// So many short rows are walked as one: each begins where the last one ends, or is the same.
  int64_t rowsAtOnce = 1;
  bool hasFolds = false; ///< A row is whole.
  /// Operands whose elements stand apart in a row. With any, some rows and columns are walked at a time (TileWalk.h).
  struct Tiled {
    llvm::SmallVector<unsigned, 4> operands; ///< Several: element by element in turn, as x[:, 0], x[:, 1], x[:, 2].
    DType dtype;
    bool isOutput;
  };
  llvm::SmallVector<Tiled, 2> tiled;
  /// Operands that are a row of memory for each thread.
  struct Kept {
    unsigned operand;
    DType dtype;
  };
  llvm::SmallVector<Kept, 1> kept;
  bool mayStream = false;         ///< A KernelFunction's `streaming`, if the outputs begin aligned.
  bool isOneCall = false;         ///< One call of the kernel does it all: little work, no packing, no tiles.
  std::optional<FoldLaunch> fold; ///< With it: what the kernel gives are results of blocks.

  /// The sizes of what is walked, outermost first, and the bytes that are read and written by it.
  Dims walkedSizes() const;
  uint64_t bytesMoved() const;
  /// `sources` as Operand numbers them.
  Status run(ArrayRef<char *> sources, ArrayRef<const IValue *> inputs) const;
  /// Moves pointers to the operands to place number `outside` of the outside dimensions.
  void moveOutside(llvm::MutableArrayRef<char *> pointers, int64_t outside) const;
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

  std::vector<Launch> launches;
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
};

/// Plans a call (Planner.cpp). Null: not by this fuser (the operators may refuse the operands, or it has no code for
/// them). `nests` receives one nest for each launch.
std::unique_ptr<Plan> makePlan(const Group &group, CallContext &context, ArrayRef<const IValue *> inputs,
                               std::vector<LoopNest> &nests);

} // namespace tsc::fuser

#endif
