//===- EmitKernel.cpp - From a loop nest to CUDA C++ ----------------------===//
//
// Point-wise:  unit:  some neighbouring elements for each thread: loads, steps, stores
// Tiles:       unit:  32 elements of 32 rows: loads by columns, then the elements by rows
// Rows:        unit:  a row for each team of threads; for each phase what is computed
//                     once a row, then its elements, block by block where they are folded
// Blocks:      unit:  a chunk of blocks for each team, and what they come to
// Columns:     unit:  a chunk of blocks of 32 columns, a thread for each lane of a column
//
// Units go to the blocks of threads in turn, whatever their number; what is computed in
// a unit depends on sizes alone, and so do the bits of a fold. Barriers stand where all
// threads of a block come by: teams without a row of their own walk the last one again,
// and store nothing.
//
//===----------------------------------------------------------------------===//
#include "KernelEmitter.h"
#include "tsc/Fusion/Bodies.h"
#include "tsc/KernelsCUDA/Prelude.h"

using namespace tsc;
using namespace tsc::fuser;
using llvm::Twine;

WalkKind fuser::walkKind(const LoopNest &nest) {
  if (nest.foldMode == FoldMode::Columns)
    return WalkKind::Columns;
  if (nest.foldMode == FoldMode::Blocks)
    return WalkKind::Blocks;
  bool folds = llvm::any_of(nest.steps, [](const NestStep &step) { return step.kind == NestStep::Fold; });
  bool hasTiles =
      llvm::any_of(nest.operands, [](const NestOperand &operand) { return operand.access == Access::Transposed; });
  return folds ? WalkKind::Rows : hasTiles ? WalkKind::Tiles : WalkKind::Pointwise;
}

/// 16 bytes of the narrowest operand that lies in one piece, but no more than 32 of the widest. Each operand costs an
/// address: 32 of the widest where there are several, and 64 where there are many.
VectorWidth fuser::vectorWidth(const LoopNest &nest) {
  constexpr unsigned several = 4, many = 8, mostElements = 16;
  size_t narrowest = 16, widest = 1;
  unsigned count = 0;
  for (const NestOperand &operand : nest.operands)
    if (operand.access == Access::Contiguous || operand.recordSize) {
      narrowest = std::min(narrowest, itemSize(operand.dtype));
      widest = std::max(widest, itemSize(operand.dtype));
      ++count;
    }
  const auto most = static_cast<unsigned>(32 / widest);
  if (count > many && 2 * most <= mostElements)
    return {2 * most, 2};
  return {count > several ? most : std::clamp(static_cast<unsigned>(16 / narrowest), 1u, most), 1};
}

bool fuser::readsGaps(const NestOperand &operand) {
  return operand.access == Access::Strided && operand.recordSize == 0;
}

/// Instructions an element.
static unsigned elementCost(const LoopNest &nest) {
  unsigned cost = 0;
  for (const NestStep &step : nest.steps)
    if (step.kind == NestStep::Body && step.level == Level::Element)
      cost += bodyCost(step.compute, step.index);
  return cost;
}

bool fuser::readsVectorsTogether(const LoopNest &nest) {
  constexpr unsigned little = 24, fewOperands = 6;
  auto isRecord = [](const NestOperand &operand) { return operand.recordSize != 0; };
  return llvm::none_of(nest.operands, isRecord) && elementCost(nest) <= little && elementsAtOnce(nest) <= 8 &&
         nest.operands.size() <= fewOperands;
}

unsigned fuser::vectorsAtOnce(const LoopNest &nest) {
  if (llvm::any_of(nest.operands, readsGaps))
    return 1;
  bool isSmall = nest.operands.size() <= 3 && elementsAtOnce(nest) <= 4;
  return readsVectorsTogether(nest) && isSmall ? 8 : 4;
}

unsigned fuser::accessBytes(const NestOperand &operand, unsigned width) {
  return static_cast<unsigned>(std::min<size_t>(16, width * itemSize(operand.dtype)));
}

EmittedKernel KernelEmitter::emit() {
  s.indent = 0;
  open(name, kind == WalkKind::Columns ? columnThreads : pointwiseThreads);
  s.line(llvm::Twine("typedef ") + (nest.wideOffsets ? "long long" : "unsigned") + " tsc_index;");
  if (kind == WalkKind::Pointwise || kind == WalkKind::Rows)
    s.line("const tsc_index inPieces = (tsc_index)p.inPieces;");
  emitLevel(Level::Once, 0);
  switch (kind) {
  case WalkKind::Pointwise: emitPointwise(); break;
  case WalkKind::Tiles: emitTiles(); break;
  case WalkKind::Rows: emitRows(); break;
  case WalkKind::Blocks: emitBlocks(); break;
  case WalkKind::Columns: emitColumns(); break;
  }
  close();
  if (kind == WalkKind::Blocks || kind == WalkKind::Columns)
    emitCombine();
  if (s.failed)
    return EmittedKernel{"", false, missing.empty() ? "so many reductions at once" : missing};
  return EmittedKernel{std::move(s.text), s.callsLibrary, ""};
}

void KernelEmitter::open(const Twine &statement) {
  s.line(statement + " {");
  s.indent += 2;
}

void KernelEmitter::close() {
  s.indent -= 2;
  s.line("}");
}

void KernelEmitter::open(llvm::StringRef kernel, unsigned threads) {
  open("extern \"C\" __global__ void __launch_bounds__(" + number(threads) + ") " + kernel +
       "(const __grid_constant__ tsc_params<" + number(numOperands()) + ", " +
       number(std::max(nest.numStrideClasses, 1u)) + ", " + number(std::max(nest.numUniforms, 1u)) + "> p)");
}

void KernelEmitter::declareOffsets(llvm::StringRef called) {
  s.line("tsc_index " + called + "[" + number(std::max(nest.numStrideClasses, 1u)) + "] = {};");
}

std::string KernelEmitter::address(unsigned k, const Twine &offset) const {
  return ("(" + storedType(nest.operands[k].dtype) + " *)p.at[" + number(k) + "] + " + offset).str();
}

std::string KernelEmitter::offset(unsigned k, llvm::StringRef called) const {
  return (called + "[" + number(nest.operands[k].strideClass) + "]").str();
}

std::string KernelEmitter::elementOf(unsigned k, const Twine &offset) const {
  return ("((" + storedType(nest.operands[k].dtype) + " *)p.at[" + number(k) + "])[" + offset + "]").str();
}

EmittedKernel fuser::emitKernel(const LoopNest &nest, llvm::StringRef name, SourceFunctions &functions) {
  return KernelEmitter(nest, name, functions).emit();
}

EmittedProgram fuser::emitProgram(llvm::ArrayRef<const LoopNest *> nests, llvm::ArrayRef<std::string> names) {
  EmittedProgram program;
  SourceFunctions functions;
  for (auto [nest, name] : llvm::zip_equal(nests, names)) {
    EmittedKernel kernel = emitKernel(*nest, name, functions);
    program.hasCode.push_back(kernel.missing.empty());
    program.callsLibrary.push_back(kernel.callsLibrary);
    if (kernel.missing.empty())
      program.kernels += "\n" + kernel.text;
    else
      program.missing.insert(kernel.missing);
  }
  program.kernels = functions.definitions().str() + program.kernels;
  program.text = cudaPrelude().str() + program.kernels;
  return program;
}
