//===- EmitOperands.h - A nest's operands as vector IR ----------*- C++ -*-===//
//
// Where the elements of operands are, and how a vector of them is read and written:
// in one piece, under a mask, repeated, gathered by strides, or around the caches.
//
//===----------------------------------------------------------------------===//
#ifndef TSC_LIB_CODEGEN_EMITOPERANDS_H
#define TSC_LIB_CODEGEN_EMITOPERANDS_H

#include "EmitNest.h"
#include "VectorBuilder.h"

namespace tsc::fuser {

/// Parameters of a KernelFunction, in order.
enum class Parameter : unsigned { Pointers, InnerStrides, OuterStrides, Count, Rows, Uniforms, Routines, Streaming };

enum class CacheLevel : uint8_t { First, Second };

/// Emits accesses at one place at a time: a row, and in it a vector.
class OperandEmitter {
public:
  /// Emits what is the same for all rows, at the builder's place.
  OperandEmitter(const LoopNest &nest, VectorState &state, const codegen::TargetTraits &traits);

  void enterRow(llvm::Value *row);
  /// To the vector of elements from `position` on, of which `left` are in the row; null: all of them, known to be.
  void enterVector(llvm::Value *position, llvm::Value *left);

  VectorValue load(unsigned operand);
  /// Values and their operands, which are written as whole rows. `mayStream`: around the caches when the kernel is told
  /// to, whole vectors only.
  void store(llvm::ArrayRef<std::pair<llvm::Value *, unsigned>> values, bool mayStream);
  /// The value's first element, as the row's only one.
  void storeOne(llvm::Value *value, unsigned operand);
  /// A vector that a later walk over the row reads.
  void keep(llvm::Value *value, unsigned operand);
  /// The lines that the vector would be in, `distance` bytes further on. Addresses outside of memory do nothing.
  void prefetch(unsigned operand, llvm::Value *distance, CacheLevel into);
  /// Makes what was written around the caches visible, before the kernel returns.
  void fence();

  /// Whether the caller says that the kernel's memory exceeds the caches.
  llvm::Value *isStreaming() { return ir.CreateICmpNE(argument(Parameter::Streaming), ir.getInt64(0)); }
  llvm::Value *base(unsigned operand) const { return bases[operand]; }
  llvm::Value *rowPointer(unsigned operand) const { return rowPointers[operand]; }
  /// Returns the stride of an operand that has other elements in other rows.
  llvm::Value *outerStride(unsigned operand) const {
    assert(outerStrides[operand] && "an operand of one element has no stride");
    return outerStrides[operand];
  }
  /// Returns the mask of the vector's lanes in the row, or null where all are.
  llvm::Value *laneMask() const { return mask; }
  /// The mask of a vector's lanes when `left` elements are left, 1 at least.
  llvm::Value *lanesInside(llvm::Value *left);

private:
  llvm::Argument *argument(Parameter p) { return state.function->getArg(static_cast<unsigned>(p)); }
  llvm::BasicBlock *block(const char *name) { return llvm::BasicBlock::Create(ir.getContext(), name, state.function); }
  llvm::Type *storedType(unsigned operand);
  llvm::Align alignOf(unsigned operand) const { return llvm::Align(itemSize(nest.operands[operand].dtype)); }
  llvm::Value *storedValue(llvm::Value *value, unsigned operand);
  llvm::Value *laneNumbers();
  llvm::Value *maskOrAll();
  llvm::Value *contiguousAddress(unsigned operand);
  llvm::Value *stridedAddress(unsigned operand);
  llvm::Value *stridedAddresses(unsigned operand); ///< Returns those of all lanes.
  llvm::Value *loadVector(unsigned operand);
  llvm::Value *loadLaneByLane(unsigned operand);
  void storeStreaming(llvm::Value *value, unsigned operand);

  const LoopNest &nest;
  VectorState &state;
  llvm::IRBuilder<> &ir;
  const codegen::TargetTraits &traits;
  // By operand. Offsets of lanes are those of strided ones, in bytes; the planner sees to it that they fit.
  llvm::SmallVector<llvm::Value *, 16> bases, rowPointers, innerStrides, outerStrides, laneOffsets;
  llvm::Value *position = nullptr, *left = nullptr, *mask = nullptr;
};

} // namespace tsc::fuser

#endif
