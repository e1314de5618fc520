//===- EmitKernel.h - From a loop nest to CUDA C++ --------------*- C++ -*-===//
#ifndef TSC_LIB_FUSERCUDA_EMITKERNEL_H
#define TSC_LIB_FUSERCUDA_EMITKERNEL_H

#include "SourceBuilder.h"
#include "tsc/Fusion/LoopNest.h"
#include <set>

namespace tsc::fuser {

/// How a kernel's threads share the work. The order of folds is that of tsc/Kernels/Folds.h in each.
enum class WalkKind : uint8_t {
  Pointwise, ///< A thread takes neighbouring elements, 16 bytes of them where they are aligned.
  Tiles,     ///< 256 threads take 32 neighbours of 32 rows, of inputs whose neighbours lie across these.
  Rows,      ///< 16 or 256 threads take a row, whose folds the row's elements read.
  Blocks,    ///< 16 or 256 threads take some blocks of a result's elements.
  Columns,   ///< 512 threads take some blocks of 32 results side by side.
};
/// Returns how a kernel's threads share the work of `nest`.
WalkKind walkKind(const LoopNest &nest);

constexpr unsigned pointwiseThreads = 256, foldThreads = 256, columnThreads = 512, columnsAtOnce = 32;
/// Rows and columns of a tile, and how many inputs are tiles at most: shared memory holds as many.
constexpr unsigned tileSize = 32, mostTiles = 5;
/// How many neighbours of what is folded a thread takes where it takes several (LoopNest::foldsVectors), how many
/// threads a block of elements has then, and how many folds shared memory holds.
constexpr unsigned vectorOfFold = 4, vectorTeam = 4, mostVectorFolds = 2;
/// Returns how many threads fold one block of elements.
inline unsigned foldTeam(const LoopNest &nest) { return nest.foldsVectors ? vectorTeam : 16; }

/// Neighbouring elements that a thread takes where nothing is folded. Registers hold those of a piece.
struct VectorWidth {
  unsigned elements, pieces;
};
/// Returns how many neighbouring elements of `nest` a thread takes; the dtypes and number of its operands decide.
VectorWidth vectorWidth(const LoopNest &nest);
inline unsigned elementsAtOnce(const LoopNest &nest) { return vectorWidth(nest).elements; }
/// Returns how many vectors of elementsAtOnce() elements a thread takes in a unit of work, where a row has many.
unsigned vectorsAtOnce(const LoopNest &nest);
/// Returns the bytes, at most 16, of one access to a contiguous operand of which a thread takes `width` elements.
unsigned accessBytes(const NestOperand &operand, unsigned width);

/// The source of one kernel, or why there is none.
struct EmittedKernel {
  std::string text;  ///< The kernel, and NAME_combine for folds of blocks and columns.
  bool callsLibrary; ///< Whether it calls functions of the CUDA library (SourceState::callsLibrary).
  /// The operator that has no code for GPUs, or why else there is no kernel; `text` is empty then. Empty for others.
  std::string missing;
};

/// Writes a kernel called `name`; what it calls goes to `functions`.
EmittedKernel emitKernel(const LoopNest &nest, llvm::StringRef name, SourceFunctions &functions);

/// A whole program of kernels, each under its name; nothing for those that have no code.
struct EmittedProgram {
  std::string text;
  std::string kernels;                     ///< The part of `text` behind the prelude.
  std::vector<bool> hasCode, callsLibrary; ///< An element for each nest, in order.
  std::set<std::string> missing;           ///< Why nests have no code: EmittedKernel::missing of each.
};
/// Writes a program with a kernel for each of `nests`, called by the name of the same number in `names`. A nest without
/// code gets no kernel, and is no error.
EmittedProgram emitProgram(llvm::ArrayRef<const LoopNest *> nests, llvm::ArrayRef<std::string> names);

} // namespace tsc::fuser

#endif
