//===- KernelEmitter.h - From a loop nest to CUDA C++ -----------*- C++ -*-===//
#ifndef TSC_LIB_FUSERCUDA_KERNELEMITTER_H
#define TSC_LIB_FUSERCUDA_KERNELEMITTER_H

#include "EmitKernel.h"
#include "llvm/ADT/STLExtras.h"
#include <algorithm>

namespace tsc::fuser {

/// Whether an operand's elements are read and written one by one.
bool readsGaps(const NestOperand &operand);
/// Whether memory sets the pace, and registers have room for several vectors.
bool readsVectorsTogether(const LoopNest &nest);

/// Returns a number in decimal, for source text.
inline std::string number(uint64_t n) { return std::to_string(n); }
/// Returns a variable's name with its number, e.g. numbered("x", 3) is "x3".
inline std::string numbered(const char *name, uint64_t n) { return name + number(n); }

/// Writes the kernel of one nest. What all ways of walking share is in EmitKernel.cpp and EmitSteps.cpp, point-wise
/// kernels are in EmitPointwise.cpp, those with transposed inputs in EmitTiles.cpp, those that fold in EmitFolds.cpp.
class KernelEmitter {
public:
  KernelEmitter(const LoopNest &nest, llvm::StringRef name, SourceFunctions &functions)
      : nest(nest), name(name), kind(walkKind(nest)), s(functions), values(nest.steps.size()),
        phases(nest.findPhases()) {
    if (!phases.empty())
      numPhases = 1 + *llvm::max_element(phases);
  }

  /// Writes the kernel. To be called once.
  EmittedKernel emit();

private:
  unsigned numOperands() const { return static_cast<unsigned>(nest.operands.size()); }
  // Text.
  void open(const llvm::Twine &statement);
  void close();
  void open(llvm::StringRef kernel, unsigned threads);
  void openUnits() { open("for (unsigned unit = blockIdx.x; unit < (unsigned)p.units; unit += gridDim.x)"); }
  /// Declares an array with an offset for each stride class, all of them 0.
  void declareOffsets(llvm::StringRef called);
  std::string offset(unsigned k, llvm::StringRef called) const;
  /// Returns an expression for the address, or the element, of operand k at `offset` elements from its beginning.
  std::string address(unsigned k, const llvm::Twine &offset) const;
  std::string elementOf(unsigned k, const llvm::Twine &offset) const;

  // Steps.
  SourceValue loaded(unsigned k, const std::string &element);
  /// Emits the load of an operand's element: the one that `element` names, of the row at the offsets `at`; or a lane of
  /// the vectors that were read, if `readsVectors`. Returns the variable that has it.
  SourceValue emitLoad(const NestStep &step);
  SourceValue emitUniform(const NestStep &step);
  SourceValue emitConstant(const NestStep &step);
  std::string policy(const NestStep &step) const;
  SourceValue emitStep(const NestStep &step);
  void emitLevel(Level level, unsigned phase);

  // Elements.
  bool writesElements(const NestStore &store) const;
  bool isStoredIn(const NestStore &store, unsigned phase) const;
  /// Returns, for each step, whether a phase needs it for each element.
  std::vector<bool> neededElements(unsigned phase) const;
  void emitElement(const std::vector<bool> &needed);
  void emitScalarStore(const NestStore &store, const std::string &at);

  // Point-wise.
  /// A thread takes several vectors, 256 of them apart. Where memory sets the pace, and all are inside of the row and
  /// aligned, their addresses differ by constants, and all are read before anything is computed.
  void emitPointwise();
  void orElse();
  /// Returns the contiguous operands that are read for each element.
  llvm::SmallVector<unsigned, 8> vectorLoads(const std::vector<bool> &needed) const;
  void emitVectorLoop(const std::vector<bool> &needed, unsigned width);
  void emitWholeVectors(const std::vector<bool> &needed, unsigned width, unsigned times);
  /// Defines `e0`, `e1` and so on for the stride classes of contiguous operands: the offset at which the vector at
  /// element `first` of the row begins.
  void defineVectorOffsets(const std::vector<bool> &needed, llvm::StringRef first);
  /// Reads a vector from `first` on, and the records of its elements.
  void emitVectorLoads(const std::vector<bool> &needed, unsigned width);
  /// Returns the first operand of each record: of those that are written, or of those that are read.
  llvm::SmallVector<unsigned, 4> records(bool written) const;
  std::string recordsAt(unsigned k) const;
  /// Emits the computation of a vector's elements, lane by lane, into variables.
  void emitLanes(const std::vector<bool> &needed, unsigned width);
  void emitVectorStores(unsigned width);
  /// One vector from `first` on, all in one piece or, at the end of a row and where an operand is not aligned, element
  /// by element, which are `apart` from each other: neighbours, or as far as the row has threads.
  void emitVector(const std::vector<bool> &needed, unsigned width);
  bool isStoredHere(const NestStore &store) const;
  void emitElements(const std::vector<bool> &needed, unsigned width);
  std::string vectorType(unsigned k, unsigned width) const;
  std::string vectorAt(unsigned k, unsigned width) const;

  // Tiles.
  void readTiles();
  void emitTiles();

  // Folds.
  std::vector<unsigned> foldsAfter(unsigned phase) const;
  /// Memory that the threads of a block share, for the folds of the phase that has most; each is of 8 bytes an element.
  void declareShared(size_t numFolds);
  std::string typed(const NestStep &step, const std::string &memory) const;
  /// Declares which team a thread belongs to, and its place there. A team folds one result.
  void declareTeam();
  unsigned team() const { return foldTeam(nest); }
  unsigned teams() const { return foldThreads / team(); }
  /// Folds the elements of blocks [firstBlock, lastBlock), a block for each of the team's groups of threads at a time,
  /// and leaves the results in memory that all threads may read until the next barrier. `enterBlock` writes what a
  /// block begins with, and gives the bounds `begin` and `end` of its elements.
  void emitFold(const std::vector<unsigned> &folds, unsigned phase, bool storesResults,
                llvm::function_ref<void()> enterBlock);
  /// Emits a loop over `index`, 16 elements a step, whose turns take `atOnce` whole steps of `size` elements: nothing
  /// is asked between them, so that their loads are on their way together. What is left is the caller's.
  void emitStepsApart(const std::string &index, unsigned atOnce, unsigned size, const std::string &bound,
                      llvm::function_ref<void()> emitBody);
  /// Emit the fold of a block's elements, one by one or as vectors, into the accumulators of lanes.
  void emitBlockOfElements(const std::vector<unsigned> &folds, unsigned phase, bool storesResults);
  void emitBlockOfVectors(const std::vector<unsigned> &folds, unsigned phase, bool storesResults);
  /// Vectors while they are whole, then the rest with tests for each element.
  void emitFoldedVector(const std::vector<unsigned> &folds, unsigned phase, bool storesResults, bool isWhole);
  void accumulate(unsigned fold, const std::string &accumulator);
  void emitGuarded(const NestStore &store);
  void emitRows();
  void emitRowPhase(unsigned phase);
  /// The unit's chunk of blocks, and the group of results that it is one of.
  void declareChunk();
  /// Pointers to the block's run, and the bounds of its elements in it.
  void enterRunBlock();
  /// What `value` comes to in the memory of a result. `isDivided`: operands that are means, by the call.
  void emitResult(const NestStore &store, const std::string &value, const std::string &to);
  /// Returns the address in scratch memory of what the chunks of result `result` come to in the fold with number f, in
  /// the order of chunks.
  std::string partialOf(size_t f, const NestStep &step, const std::string &result) const;
  void emitBlocks();
  /// Emits the stores of results or, where a fold has several chunks, of what the chunk comes to.
  void emitOutcome(const std::vector<unsigned> &folds, const std::string &result,
                   llvm::function_ref<std::string(size_t)> outcome);
  /// Moves the offsets `base` to the column.
  void addColumn();
  void emitColumns();
  /// Emits the steps that element `i` of the column's run needs, at the offsets `at` of the block.
  void emitColumnElement(const std::vector<bool> &needed);
  /// Emits the kernel NAME_combine, in which a thread folds the chunks of one result.
  void emitCombine();

  static constexpr size_t mostFolds = 8; ///< The folds of a phase; shared memory holds the partial sums of each.
  const LoopNest &nest;
  const llvm::StringRef name;
  const WalkKind kind;
  SourceState s;
  std::string missing; ///< The first body without code.
  std::vector<SourceValue> values;
  const std::vector<unsigned> phases;
  unsigned numPhases = 1;
  std::string element = "i", whichVector, ofPiece, end = "p.count"; ///< Where emitElement reads, and a row's end.
  bool readsVectors = false;                                        ///< Contiguous operands are in variables.
  std::vector<NestStore> vectorStored;                              ///< Stores that write whole vectors.
};

} // namespace tsc::fuser

#endif
