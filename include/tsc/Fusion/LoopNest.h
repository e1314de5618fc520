//===- LoopNest.h - A kernel before it is code ------------------*- C++ -*-===//
//
// Between a fusion group and LLVM IR: rows of elements, and what is computed for
// each element, for each row, and once. Operands are pointers with an inner and an
// outer stride; sizes and strides are parameters of the kernel. So a nest says
// everything that its code depends on, and its text is the key of the code.
//
//   kernel(%0 : Float contiguous, %1 : Float repeated) -> (%2 : Float contiguous)
//     once:
//       %a = 2 : Float
//     row:
//       %b = load %1
//     element:
//       %c = load %0
//       %d = Aten_mul_Tensor.Float(%c, %b)
//       store %d -> %2
//
//===----------------------------------------------------------------------===//
#ifndef TSC_FUSION_LOOPNEST_H
#define TSC_FUSION_LOOPNEST_H

#include "tsc/IR/OpFacts.h"
#include "tsc/Tensor/Scalar.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/Support/raw_ostream.h"
#include <string>
#include <vector>

namespace tsc::fuser {

/// How an operand moves along a row: to the next element, not at all, or by any stride (inputs of nests that fold
/// blocks or columns); Single is one element everywhere. A transposed one is an input whose neighbours lie along
/// another dimension, and whose elements the threads of a GPU exchange.
enum class Access : uint8_t { Contiguous, Repeated, Strided, Single, Transposed };

struct NestOperand {
  DType dtype;
  Access access;
  bool isOutput;
  bool isKept = false;      ///< A row of memory of the kernel's own, for Keep steps.
  unsigned strideClass = 0; ///< Of numStrideClasses: operands of one are as far apart in every dimension.
  /// Of a strided input that is a field of records, neighbours along the row (the columns of a matrix of four, say):
  /// how many elements those have, 0 if it is none; the first field that is read, which is its record's; and which it
  /// is.
  unsigned recordSize = 0, record = 0, field = 0;
  bool operator==(const NestOperand &) const = default;
};

/// How often a value is computed.
enum class Level : uint8_t { Once, Row, Element };

/// What the folds of a nest go along, and what they give.
enum class FoldMode : uint8_t {
  Rows,    ///< A row, whose result the row's elements may read.
  Blocks,  ///< A row, block by block; the caller combines the results of blocks.
  Columns, ///< The rows of one block, element by element; the caller combines the results of blocks.
};
/// Columns that one call folds at most.
constexpr unsigned maxFoldColumns = 128;
/// Elements that a kernel takes at once, at most.
constexpr unsigned maxLanes = 64;

struct NestStep {
  enum Kind : uint8_t {
    Load,     ///< An element of operand `index`.
    Uniform,  ///< Number `index` of the call, stored as `dtype`.
    Constant, ///< `bits`: a float, double or int64_t.
    Convert,  ///< `inputs[0]` to `dtype`, as the eager engine converts.
    Body,     ///< Scalar body `index` in `compute`, on numTensors operands and then numbers.
    Fold,     ///< Elements `inputs[0]` folded in the eager order. But for Rows, into operand `index`.
    Combine,  ///< Two values as `fold` combines results.
    Keep,     ///< `inputs[0]`, which later phases read from operand `index` instead of computing it again.
  };
  Kind kind;
  DType dtype;                  ///< Of the value. A body's is its compute type, or Bool for a mask.
  DType compute = DType::Float; ///< Of a body.
  Level level = Level::Once;
  unsigned index = 0;
  unsigned numTensors = 0;
  FoldKind fold = FoldKind::Sum;
  bool alongRow = false; ///< Of a Fold in mode Columns: along the row; the caller keeps each row's lanes.
  uint64_t bits = 0;
  llvm::SmallVector<unsigned, 3> inputs = {}; ///< Earlier steps.
  bool operator==(const NestStep &) const = default;
};

struct NestStore {
  unsigned step, operand;
  bool operator==(const NestStore &) const = default;
};

class LoopNest {
public:
  unsigned addOperand(NestOperand operand) {
    operands.push_back(operand);
    return static_cast<unsigned>(operands.size() - 1);
  }
  /// Finds or adds a step; sets its level.
  unsigned add(NestStep step);
  unsigned load(unsigned operand);
  unsigned convert(unsigned step, DType dtype);
  unsigned uniform(unsigned slot, DType dtype);
  unsigned constant(const Scalar &value, DType dtype);
  /// Sets the levels of all steps anew, after the classes of operands have been set.
  void findLevels();
  /// Lets values that several phases need, and that cost more than a store and a load, be kept from one to the next.
  void keepRows();
  void store(unsigned step, unsigned operand) { stores.push_back({step, operand}); }

  /// In which walk over the row a step is computed first: a fold ends one, and what depends on it comes in a later one.
  std::vector<unsigned> findPhases() const;
  /// Steps that the stores and folds of a phase need for each element.
  std::vector<bool> neededElements(llvm::ArrayRef<unsigned> phases, unsigned phase) const;
  /// Whether a store writes a whole row, though its value may be one for all of it.
  bool writesRow(const NestStore &store) const { return operands[store.operand].access == Access::Contiguous; }
  bool writesNoRow() const {
    return llvm::none_of(stores, [&](const NestStore &store) { return writesRow(store); });
  }

  /// Canonical: equal text means equal code.
  void print(llvm::raw_ostream &os) const;
  std::string text() const;
  /// A symbol for debuggers: the operators' names, cut, and a hash of the text.
  std::string symbolName() const;

  std::vector<NestOperand> operands;
  std::vector<NestStep> steps;
  std::vector<NestStore> stores;
  unsigned numUniforms = 0;
  FoldMode foldMode = FoldMode::Rows;
  // Of devices that know where elements are by offsets that several operands share.
  unsigned numStrideClasses = 0;
  bool wideOffsets = false;  ///< Some offset does not fit into 32 bits.
  bool foldsVectors = false; ///< Threads take neighbours of what is folded.

private:
  Level levelOf(const NestStep &step) const;
  void printStep(llvm::raw_ostream &os, unsigned index) const;
};

} // namespace tsc::fuser

#endif
