//===- EmitFold.h - Folds of a row as vector IR -----------------*- C++ -*-===//
//
// The order is the eager kernels' (lib/Tensor/Kernels/Reduce.h): blocks of 256
// elements, in a block 16 lanes that are combined by halving, the results of blocks
// combined like the digits of a binary counter.
//
//===----------------------------------------------------------------------===//
#ifndef TSC_LIB_FUSERCPU_EMITFOLD_H
#define TSC_LIB_FUSERCPU_EMITFOLD_H

#include "LoopNest.h"
#include "VectorBuilder.h"

namespace tsc::fuser {

constexpr unsigned foldLanes = 16, foldBlock = 256;

/// One fold of the rows of a nest.
class FoldEmitter {
public:
  /// `dtype`: Float, Double or Int64, of the elements and of the result.
  FoldEmitter(VectorState &state, FoldKind kind, DType dtype);

  /// The lanes before the first element of a block.
  llvm::Value *initial() const;
  /// The lanes after 16 more elements, of which those count that are in the mask.
  llvm::Value *step(llvm::Value *lanes, llvm::Value *elements, llvm::Value *mask);
  /// Takes the lanes at the end of a block, which is number `block` of the row.
  void finishBlock(llvm::Value *lanes, llvm::Value *block);
  /// What the row comes to, in all lanes. The row has `count` elements, 1 at least.
  VectorValue finishRow(llvm::Value *count);

private:
  llvm::Value *combine(llvm::Value *a, llvm::Value *b);
  llvm::Value *level(llvm::Value *index);
  VectorState &state;
  llvm::IRBuilder<> &ir;
  FoldKind kind;
  llvm::Type *element;
  llvm::Value *levels; ///< Results of 2^i blocks, by i.
};

} // namespace tsc::fuser

#endif
