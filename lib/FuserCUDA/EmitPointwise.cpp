//===- EmitPointwise.cpp - Kernels that compute each element ---------------===//
#include "KernelEmitter.h"

using namespace tsc;
using namespace tsc::fuser;
using llvm::Twine;

void KernelEmitter::emitPointwise() {
  const unsigned width = elementsAtOnce(nest), times = vectorsAtOnce(nest);
  const bool together = times != 1 && readsVectorsTogether(nest);
  std::vector<bool> needed = neededElements(0);
  for (const NestStore &store : nest.stores)
    if (nest.operands[store.operand].access == Access::Contiguous)
      vectorStored.push_back(store);
  s.line("const tsc_index count = (tsc_index)p.count;");
  end = "last";
  s.line("const unsigned ownRow = threadIdx.x >> (unsigned)p.shift;");
  s.line("const tsc_index apart = inPieces ? 1 : 1u << (unsigned)p.shift;");
  s.line("const tsc_index ownFirst = (threadIdx.x & ((1u << (unsigned)p.shift) - 1)) * (inPieces ? " + number(width) +
         " : 1);");
  openUnits();
  s.line("const tsc_start<tsc_index> start = tsc_start_of<tsc_index>(p, unit, ownRow, ownFirst);");
  open("if (start.row < (unsigned)p.rows && start.first < count)");
  s.line("const tsc_index all = start.first + (tsc_index)p.stripElements, last = all < count ? all : count;");
  declareOffsets("at");
  s.line("tsc_move_to_row(p, start.row, at);");
  emitLevel(Level::Row, 0);
  if (times == 1) {
    s.line("const tsc_index first = start.first;");
    emitVector(needed, width);
  } else {
    if (together) {
      open("if (start.first < (tsc_index)p.together)");
      emitWholeVectors(needed, width, times);
      orElse();
    }
    emitVectorLoop(needed, width);
    if (together)
      close();
  }
  for (const NestStore &store : nest.stores)
    if (!writesElements(store))
      s.line(elementOf(store.operand, offset(store.operand, "at")) + " = " + s[values[store.step]] + ";");
  close();
  close();
}

void KernelEmitter::orElse() {
  s.indent -= 2;
  s.line("} else {");
  s.indent += 2;
}

llvm::SmallVector<unsigned, 8> KernelEmitter::vectorLoads(const std::vector<bool> &needed) const {
  llvm::SmallVector<unsigned, 8> loads;
  for (unsigned i = 0; i != nest.steps.size(); ++i)
    if (nest.steps[i].kind == NestStep::Load && needed[i] &&
        nest.operands[nest.steps[i].index].access == Access::Contiguous)
      loads.push_back(nest.steps[i].index);
  return loads;
}

llvm::SmallVector<unsigned, 4> KernelEmitter::records(bool written) const {
  llvm::SmallVector<unsigned, 4> found;
  for (unsigned k = 0; k != nest.operands.size(); ++k)
    if (const NestOperand &operand = nest.operands[k];
        operand.recordSize && operand.record == k && operand.isOutput == written)
      found.push_back(k);
  return found;
}

std::string KernelEmitter::recordsAt(unsigned k) const {
  const NestOperand &operand = nest.operands[k];
  const std::string type = vectorType(k, operand.recordSize);
  return "((" + type + " *)(" + address(k, "(" + offset(k, "at") + " + first * " + number(operand.recordSize) + ")") +
         " - " + number(operand.field) + "))[j" + ofPiece + "]";
}

/// With several vectors, they are 256 apart.
void KernelEmitter::emitVectorLoop(const std::vector<bool> &needed, unsigned width) {
  s.line("#pragma unroll 1");
  open("for (tsc_index first = start.first; first < last; first += " + number(width * pointwiseThreads) + ")");
  emitVector(needed, width);
  close();
}

void KernelEmitter::defineVectorOffsets(const std::vector<bool> &needed, llvm::StringRef first) {
  std::vector<bool> isNeeded(nest.numStrideClasses, false);
  for (unsigned k : vectorLoads(needed))
    isNeeded[nest.operands[k].strideClass] = true;
  for (const NestStore &store : vectorStored)
    isNeeded[nest.operands[store.operand].strideClass] = true;
  for (unsigned c = 0; c != nest.numStrideClasses; ++c)
    if (isNeeded[c])
      s.line("const tsc_index e" + number(c) + " = at[" + number(c) + "] + " + first + ";");
}

void KernelEmitter::emitWholeVectors(const std::vector<bool> &needed, unsigned width, unsigned times) {
  std::string loop = "for (int t = 0; t < " + number(times) + "; ++t)";
  auto loads = vectorLoads(needed);
  auto pointerTo = [&](unsigned k) {
    const std::string type = storedType(nest.operands[k].dtype).str();
    s.line(type + " *const q" + number(k) + " = " + address(k, "e" + number(nest.operands[k].strideClass)) + ";");
  };
  auto vectorOf = [&](unsigned k) {
    return "*(" + vectorType(k, width) + " *)(q" + number(k) + " + t * " + number(pointwiseThreads * width) + ")";
  };
  defineVectorOffsets(needed, "start.first");
  whichVector = "[t]";
  for (unsigned k : loads) {
    pointerTo(k);
    s.line(vectorType(k, width) + " x" + number(k) + "[" + number(times) + "];");
  }
  for (const NestStore &store : vectorStored)
    pointerTo(store.operand);
  s.line("#pragma unroll");
  open(loop);
  for (unsigned k : loads)
    s.line("x" + number(k) + "[t] = " + vectorOf(k) + ";");
  close();
  s.line("#pragma unroll");
  open(loop);
  emitLanes(needed, width);
  for (const NestStore &store : vectorStored)
    s.line(vectorOf(store.operand) + " = y" + number(store.operand) + ";");
  close();
  whichVector.clear();
}

void KernelEmitter::emitLanes(const std::vector<bool> &needed, unsigned width) {
  for (const NestStore &store : vectorStored)
    s.line(vectorType(store.operand, width) + " y" + number(store.operand) + ";");
  for (unsigned k : records(/*written=*/true))
    s.line(vectorType(k, nest.operands[k].recordSize) + " y" + number(k) + "[" + number(width) + "];");
  s.line("#pragma unroll");
  open("for (int j = 0; j < " + number(width) + "; ++j)");
  if (llvm::any_of(nest.operands, readsGaps))
    s.line("const tsc_index i = first + j" + ofPiece + ";");
  element = "i", readsVectors = true;
  emitElement(needed);
  readsVectors = false;
  for (const NestStore &store : nest.stores) {
    const NestOperand &operand = nest.operands[store.operand];
    if (!isStoredHere(store))
      continue;
    if (operand.recordSize)
      s.line("y" + number(operand.record) + "[j].at[" + number(operand.field) + "] = " + s[values[store.step]] + ";");
    else if (operand.access == Access::Contiguous)
      s.line("y" + number(store.operand) + ".at[j] = " + s[values[store.step]] + ";");
    else
      emitScalarStore(store, "i");
  }
  close();
}

bool KernelEmitter::isStoredHere(const NestStore &store) const {
  return llvm::is_contained(vectorStored, store) || (kind == WalkKind::Pointwise && writesElements(store));
}

void KernelEmitter::emitVectorLoads(const std::vector<bool> &needed, unsigned width) {
  for (unsigned k : vectorLoads(needed))
    s.line("const " + vectorType(k, width) + " x" + number(k) + " = " + vectorAt(k, width) + ";");
  for (unsigned k : records(/*written=*/false)) {
    s.line(vectorType(k, nest.operands[k].recordSize) + " x" + number(k) + "[" + number(width) + "];");
    s.line("#pragma unroll");
    s.line("for (int j = 0; j < " + number(width) + "; ++j)");
    s.line("  x" + number(k) + "[j] = " + recordsAt(k) + ";");
  }
}

void KernelEmitter::emitVectorStores(unsigned width) {
  for (const NestStore &store : vectorStored)
    s.line(vectorAt(store.operand, width) + " = y" + number(store.operand) + ";");
  for (unsigned k : records(/*written=*/true)) {
    s.line("#pragma unroll");
    s.line("for (int j = 0; j < " + number(width) + "; ++j)");
    s.line("  " + recordsAt(k) + " = y" + number(k) + "[j];");
  }
}

void KernelEmitter::emitVector(const std::vector<bool> &needed, unsigned width) {
  open("if (first + " + number(width) + " <= inPieces)");
  defineVectorOffsets(needed, "first");
  const unsigned pieces = vectorWidth(nest).pieces, piece = width / pieces;
  if (pieces != 1) {
    s.line("#pragma unroll");
    open("for (int h = 0; h < " + number(pieces) + "; ++h)");
    ofPiece = " + h * " + number(piece);
  }
  emitVectorLoads(needed, piece);
  emitLanes(needed, piece);
  emitVectorStores(piece);
  if (pieces != 1)
    close();
  ofPiece.clear();
  orElse();
  emitElements(needed, width);
  close();
}

/// One by one, in a loop that stays one: it is the way of few elements, the ends of rows, and of rows that are not
/// aligned, where the threads of a row take neighbours each time.
void KernelEmitter::emitElements(const std::vector<bool> &needed, unsigned width) {
  s.line("#pragma unroll 1");
  open("for (tsc_index i = first; i < " + end + " && i < first + " + number(width) + " * apart; i += apart)");
  element = "i";
  emitElement(needed);
  for (const NestStore &store : nest.stores)
    if (isStoredHere(store))
      emitScalarStore(store, "i");
  close();
}

std::string KernelEmitter::vectorType(unsigned k, unsigned width) const {
  return "tsc_vector<" + storedType(nest.operands[k].dtype).str() + ", " + number(width) + ">";
}

std::string KernelEmitter::vectorAt(unsigned k, unsigned width) const {
  return "*(" + vectorType(k, width) + " *)(" + address(k, "e" + number(nest.operands[k].strideClass)) + ofPiece + ")";
}
