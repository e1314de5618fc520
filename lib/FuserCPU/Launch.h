//===- Launch.h - How a processor walks a nest ------------------*- C++ -*-===//
//
// Rows of elements that a kernel computes, and what is done around the kernel:
// operands that are packed, tiles, blocks of folds, threads.
//
//===----------------------------------------------------------------------===//
#ifndef TSC_LIB_FUSERCPU_LAUNCH_H
#define TSC_LIB_FUSERCPU_LAUNCH_H

#include "tsc/CodeGen/KernelFunction.h"
#include "tsc/Fusion/KernelCache.h"
#include "tsc/Fusion/Plan.h"
#include "tsc/Fusion/Walk.h"
#include "tsc/Kernels/Folds.h"

namespace tsc::fuser {

/// Returns the function of a kernel that has code.
inline KernelFunction functionOf(const Kernel &kernel) {
  const void *code = kernel.code.load(std::memory_order_relaxed);
  assert(code && "a kernel is run when it has code");
  return reinterpret_cast<KernelFunction>(const_cast<void *>(code));
}

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
    bool alongColumns = false; ///< Of a launch with columns: of each row, along these.
  };
  llvm::SmallVector<Result, 2> results;
  int64_t folded = 1;   ///< Elements of each result.
  bool crosses = false; ///< Some results are of the run's columns, some of its rows (CrossWalk.h).

  int64_t blocksPerRun() const { return (run.size + cpu::foldBlock - 1) / cpu::foldBlock; }
};

/// Dimensions outside of row and element are walked by the caller.
class CpuLaunch final : public Launch {
public:
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
  int64_t elementsOfOperand(unsigned tensor) const;
  /// Operands that many rows read and whose elements stand apart: copied together first, `times` rows of them.
  struct Packed {
    unsigned operand;
    int64_t stride; ///< Bytes.
    DType dtype;
    int64_t times = 1;
  };
  llvm::SmallVector<Packed, 2> packed;
  /// The row of a packed operand whose first element is `from`.
  StatusOr<Tensor> pack(const Packed &operand, const char *from) const;
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

  Status run(ArrayRef<char *> sources, ArrayRef<const IValue *> inputs) const override;
  int64_t elementsOf(unsigned source) const override;
  Dims walkedSizes() const override;
  uint64_t bytesMoved() const override;
  /// Moves pointers to the operands to place number `outside` of the outside dimensions.
  void moveOutside(llvm::MutableArrayRef<char *> pointers, int64_t outside) const;
};

} // namespace tsc::fuser

#endif
