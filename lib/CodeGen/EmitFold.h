//===- EmitFold.h - Folds as vector IR --------------------------*- C++ -*-===//
//
// The order is the eager kernels' (tsc/Kernels/Folds.h): blocks of elements,
// in a block lanes that are combined by halving, the results of blocks combined like
// the digits of a binary counter.
//
//===----------------------------------------------------------------------===//
#ifndef TSC_LIB_CODEGEN_EMITFOLD_H
#define TSC_LIB_CODEGEN_EMITFOLD_H

#include "VectorBuilder.h"
#include "tsc/Fusion/LoopNest.h"
#include "tsc/Kernels/Folds.h"

namespace tsc::fuser {

using cpu::foldBlock;
using cpu::foldLanes;

/// What a fold begins with and how two results become one.
class FoldEmitter {
public:
  /// `dtype`: Float, Double or Int64, of the elements and of the result.
  FoldEmitter(VectorState &state, FoldKind kind, DType dtype);

  llvm::Value *initial(unsigned lanes) const;
  /// On vectors and on single elements.
  llvm::Value *combine(llvm::Value *a, llvm::Value *b);

protected:
  /// `lanes` and the elements that are in the mask, all without one.
  llvm::Value *combineLanes(llvm::Value *lanes, llvm::Value *elements, llvm::Value *mask = nullptr);
  llvm::Value *maskOut(llvm::Value *elements, llvm::Value *mask) const;
  bool isSum() const { return kind == FoldKind::Sum || kind == FoldKind::Mean; }
  VectorState &state;
  llvm::IRBuilder<> &ir;
  FoldKind kind;
  llvm::Type *element;
};

/// A fold of the rows of a nest, 16 elements at a time: vectors have a multiple of 16 lanes.
class RowFoldEmitter : public FoldEmitter {
public:
  using FoldEmitter::FoldEmitter;

  /// The lanes before the first element of a block.
  llvm::Value *initial() const { return FoldEmitter::initial(foldLanes); }
  /// The lanes after another vector's elements, of which those count that are in the mask; all without one.
  llvm::Value *step(llvm::Value *lanes, llvm::Value *elements, llvm::Value *mask);
  /// What a block comes to, from its lanes.
  llvm::Value *finishLanes(llvm::Value *lanes);
  /// Takes the lanes at the end of a block, which is number `block` of the row.
  void finishBlock(llvm::Value *lanes, llvm::Value *block);
  /// What the row comes to, in all lanes. The row has `count` elements, 1 at least.
  VectorValue finishRow(llvm::Value *count);

private:
  llvm::Value *level(llvm::Value *index);
  llvm::Value *levels = nullptr; ///< Results of 2^i blocks, by i.
};

/// A fold of the rows of one block, a vector of columns at a time. The accumulators are memory of the frame.
class ColumnFoldEmitter : public FoldEmitter {
public:
  ColumnFoldEmitter(VectorState &state, FoldKind kind, DType dtype);

  /// Where the accumulators of a row's columns from `column` on are. `width`: columns, rounded up to whole vectors.
  llvm::Value *accumulators(llvm::Value *row, llvm::Value *width, llvm::Value *column);
  void initialize(llvm::Value *at);
  /// Takes a vector of a row.
  void step(llvm::Value *at, llvm::Value *elements);
  /// What the block comes to, for a vector of columns.
  llvm::Value *finish(llvm::Value *width, llvm::Value *column);

private:
  llvm::Type *vector;
  llvm::Value *memory;
  llvm::Align align;
};

} // namespace tsc::fuser

#endif
