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

/// How an operand moves along a row.
enum class Access : uint8_t {
  Contiguous, ///< It moves to the next element in memory.
  Repeated,   ///< It stays: a row has one element of the operand.
  Strided,    ///< It moves by any stride.
  Single,     ///< It stays in all rows: the operand has one element.
  Transposed  ///< It moves by a stride; its neighbours lie along another dimension, and a GPU's threads exchange its
              ///< elements.
};

/// A tensor that a nest reads or writes, or a row of memory of the kernel's own.
struct NestOperand {
  DType dtype;
  Access access;
  bool isOutput;
  bool isKept = false;      ///< Whether it is a row of the kernel's own memory, which a Keep step writes.
  unsigned strideClass = 0; ///< Operands of one class have equal strides in every dimension, in elements.
  /// The number of elements of a record (0: the operand is in none), the first operand in the record, and the place of
  /// this operand in it. Strided operands that interleave in memory, such as the columns of a matrix with four columns,
  /// make a record, so that one access reads or writes them all.
  unsigned recordSize = 0, record = 0, field = 0;
  bool operator==(const NestOperand &) const = default;
};

/// How often a value is computed: once in a call of the kernel, once in a row, or for each element.
enum class Level : uint8_t { Once, Row, Element };

/// What the folds of a nest go along, and where their results go.
enum class FoldMode : uint8_t {
  Rows,    ///< A fold goes along a row, and the row's elements may read its result.
  Blocks,  ///< A fold goes along a row, block by block, and the caller combines the results of blocks.
  Columns, ///< A fold goes down a column of one block of rows, and the caller combines the results of blocks.
};
/// The largest number of columns that one call of a kernel folds.
constexpr unsigned maxFoldColumns = 128;
/// The largest number of elements that a kernel computes at once.
constexpr unsigned maxLanes = 64;

/// An operation of a nest, which computes one value from those of earlier steps.
struct NestStep {
  /// How a step computes its value.
  enum Kind : uint8_t {
    Load,     ///< Reads an element of operand `index`.
    Uniform,  ///< Reads number `index` of the call, stored as `dtype`.
    Constant, ///< Gives the number whose bits are `bits`: a float, double or int64_t.
    Convert,  ///< Converts `inputs[0]` to `dtype`, as the eager engine converts.
    Body,     ///< Computes scalar body `index` in `compute`; numTensors inputs are elements, the rest numbers.
    Fold,     ///< Folds the elements `inputs[0]` in the eager order; except in mode Rows into operand `index`.
    Combine,  ///< Combines two values in the way in which `fold` combines results.
    Keep,     ///< Stores `inputs[0]` in operand `index`, where later phases read it instead of computing it again.
  };
  Kind kind;
  DType dtype;                  ///< The type of the value; for a Body step its compute type, or Bool for a mask.
  DType compute = DType::Float; ///< The compute type of a Body step.
  Level level = Level::Once;
  unsigned index = 0;
  unsigned numTensors = 0;
  FoldKind fold = FoldKind::Sum;
  /// Whether a Fold step in mode Columns goes along the row instead; the caller keeps each row's lanes.
  bool alongRow = false;
  uint64_t bits = 0;
  llvm::SmallVector<unsigned, 3> inputs = {}; ///< The indices of earlier steps.
  bool operator==(const NestStep &) const = default;
};

/// Stores the value of a step in an output.
struct NestStore {
  unsigned step, operand;
  bool operator==(const NestStore &) const = default;
};

/// What a kernel computes: its operands, its steps, each behind those that it reads, and its stores. Sizes and strides
/// are parameters of the kernel and no part of the nest.
class LoopNest {
public:
  /// Appends an operand and returns its index.
  unsigned addOperand(NestOperand operand) {
    operands.push_back(operand);
    return static_cast<unsigned>(operands.size() - 1);
  }
  /// Returns the index of a step equal to this one, which is appended, with the level that follows from its inputs,
  /// where there is none.
  unsigned add(NestStep step);
  /// Returns a step that loads an element of an operand.
  unsigned load(unsigned operand);
  /// Returns a step that converts the value of `step`, or `step` itself where it is of the dtype.
  unsigned convert(unsigned step, DType dtype);
  /// Returns a step that reads number `slot` of the call.
  unsigned uniform(unsigned slot, DType dtype);
  /// Returns a step that gives `value` as a `dtype`: Float, Double or an integer type.
  unsigned constant(const Scalar &value, DType dtype);
  /// Computes the levels of all steps anew, after the accesses of operands have been set.
  void findLevels();
  /// Inserts Keep steps for the values that several phases need and that cost more to compute than to store and load.
  void keepRows();
  /// Adds a store of a step's value to an operand that is an output.
  void store(unsigned step, unsigned operand) {
    assert(step < steps.size() && "what is stored a step gives");
    assert(operand < operands.size() && operands[operand].isOutput && "a store goes to an output");
    stores.push_back({step, operand});
  }

  /// Returns for each step in which walk over the row, from 0 on, it is computed first: a fold ends a walk, and what
  /// depends on its result comes in a later one.
  std::vector<unsigned> findPhases() const;
  /// Returns which steps the stores and folds of a phase need for each element. `phases` are those of findPhases().
  std::vector<bool> neededElements(llvm::ArrayRef<unsigned> phases, unsigned phase) const;
  /// Whether a store writes a whole row, even if its value is the same all along it.
  bool writesRow(const NestStore &store) const {
    assert(store.operand < operands.size() && "a store of this nest");
    return operands[store.operand].access == Access::Contiguous;
  }
  /// Whether no store writes a whole row.
  bool writesNoRow() const {
    return llvm::none_of(stores, [&](const NestStore &store) { return writesRow(store); });
  }

  /// Prints the nest. The text is canonical: nests of equal text have equal code.
  void print(llvm::raw_ostream &os) const;
  /// Returns what print() prints.
  std::string text() const;
  /// Returns a symbol for the kernel that tells something in a debugger: the names of its operators, cut short, and a
  /// hash of the text.
  std::string symbolName() const;

  std::vector<NestOperand> operands;
  std::vector<NestStep> steps;
  std::vector<NestStore> stores;
  unsigned numUniforms = 0; ///< How many numbers a call hands to the kernel.
  FoldMode foldMode = FoldMode::Rows;
  // For devices on which operands of one stride class share the offset of their element.
  unsigned numStrideClasses = 0;
  bool wideOffsets = false;  ///< Whether some offset needs more than 32 bits.
  bool foldsVectors = false; ///< Whether each thread of a fold takes several neighbouring elements.

private:
  Level levelOf(const NestStep &step) const;
  void printStep(llvm::raw_ostream &os, unsigned index) const;
};

} // namespace tsc::fuser

#endif
