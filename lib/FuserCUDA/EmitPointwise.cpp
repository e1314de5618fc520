//===- EmitPointwise.cpp - Kernels that compute each element ---------------===//
#include "KernelEmitter.h"

using namespace tsc;
using namespace tsc::fuser;
using llvm::Twine;

void KernelEmitter::emitPointwise() {
  const unsigned width = elementsAtOnce(nest), times = vectorsAtOnce(nest);
  std::vector<bool> needed = neededElements(0);
  for (const NestStore &store : nest.stores)
    if (nest.operands[store.operand].access == Access::Contiguous)
      vectorStored.push_back(store);
  readsVectors = true;
  s.line("const tsc_index end = (tsc_index)p.count;");
  end = "end";
  openUnits();
  s.line("const tsc_place<tsc_index> place = tsc_place_of<tsc_index>(p, unit, " + number(width) + ");");
  open("if (place.row < (unsigned)p.rows && place.first < end)");
  declarePlaces("at");
  s.line("tsc_move(p, place.row, 0, (int)p.dims, at);");
  emitLevel(Level::Row, 0);
  if (times == 1) {
    s.line("const tsc_index first = place.first;");
    emitVector(needed, width);
  } else if (!readsVectorsTogether(nest)) {
    emitVectorLoop(needed, width);
  } else {
    open("if (p.times == " + number(times) + " && place.first + " +
         number((times - 1) * pointwiseThreads * width + width) + " <= inPieces)");
    emitWholeVectors(needed, width, times);
    orElse();
    emitVectorLoop(needed, width);
    close();
  }
  for (const NestStore &store : nest.stores)
    if (!writesElements(store))
      s.line(elementOf(store.operand, place(store.operand, "at")) + " = " + s[values[store.step]] + ";");
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

/// With several vectors, they are 256 apart.
void KernelEmitter::emitVectorLoop(const std::vector<bool> &needed, unsigned width) {
  const std::string step = number(width * pointwiseThreads);
  s.line("const tsc_index all = place.first + (tsc_index)p.times * " + step + ", last = all < end ? all : end;");
  s.line("#pragma unroll 1");
  open("for (tsc_index first = place.first; first < last; first += " + step + ")");
  emitVector(needed, width);
  close();
}

void KernelEmitter::defineVectorPlaces(const std::vector<bool> &needed) {
  std::vector<bool> isNeeded(nest.numPlaces, false);
  for (unsigned k : vectorLoads(needed))
    isNeeded[nest.operands[k].place] = true;
  for (const NestStore &store : vectorStored)
    isNeeded[nest.operands[store.operand].place] = true;
  for (unsigned c = 0; c != nest.numPlaces; ++c)
    if (isNeeded[c])
      s.line("const tsc_index e" + number(c) + " = at[" + number(c) + "] + first;");
}

void KernelEmitter::emitWholeVectors(const std::vector<bool> &needed, unsigned width, unsigned times) {
  std::string loop = "for (int t = 0; t < " + number(times) + "; ++t)";
  auto loads = vectorLoads(needed);
  auto pointerTo = [&](unsigned k) {
    const std::string type = storedType(nest.operands[k].dtype).str();
    s.line(type + " *const q" + number(k) + " = " + address(k, place(k, "at") + " + place.first") + ";");
  };
  auto vectorOf = [&](unsigned k) {
    return "*(" + vectorType(k, width) + " *)(q" + number(k) + " + t * " + number(pointwiseThreads * width) + ")";
  };
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
  s.line("#pragma unroll");
  open("for (int j = 0; j < " + number(width) + "; ++j)");
  bool readsGaps = llvm::any_of(nest.operands,
                                [](const NestOperand &o) { return o.access == Access::Strided && o.recordSize == 0; });
  if (readsGaps)
    s.line("const tsc_index i = first + j < " + end + " ? first + j : first;");
  element = "i";
  emitElement(needed);
  for (const NestStore &store : nest.stores)
    if (llvm::is_contained(vectorStored, store)) {
      s.line("y" + number(store.operand) + ".at[j] = " + s[values[store.step]] + ";");
    } else if (kind == WalkKind::Pointwise && writesElements(store)) {
      s.line("if (first + j < " + end + ")");
      emitIndented(store);
    }
  close();
}

void KernelEmitter::emitVectorLoads(const std::vector<bool> &needed, unsigned width) {
  auto loads = vectorLoads(needed);
  llvm::SmallVector<unsigned, 4> fields;
  for (unsigned i = 0; i != nest.steps.size(); ++i)
    if (nest.steps[i].kind == NestStep::Load && needed[i] && nest.operands[nest.steps[i].index].recordSize)
      fields.push_back(nest.steps[i].index);
  auto sizeOf = [&](unsigned k) { return nest.operands[k].recordSize; };
  for (unsigned k : loads)
    s.line(vectorType(k, width) + " x" + number(k) + ";");
  for (unsigned k : fields)
    if (nest.operands[k].record == k)
      s.line(vectorType(k, sizeOf(k)) + " x" + number(k) + "[" + number(width) + "];");
  if (loads.empty() && fields.empty())
    return;
  open("if (whole)");
  for (unsigned k : loads)
    s.line("x" + number(k) + " = " + vectorAt(k, width) + ";");
  for (unsigned k : fields)
    if (nest.operands[k].record == k) {
      const std::string first = "(" + place(k, "at") + " + first * " + number(sizeOf(k)) + ")";
      s.line("#pragma unroll");
      s.line("for (int j = 0; j < " + number(width) + "; ++j)");
      s.line("  x" + number(k) + "[j] = ((" + vectorType(k, sizeOf(k)) + " *)(" + address(k, first) + " - " +
             number(nest.operands[k].field) + "))[j];");
    }
  orElse();
  s.line("#pragma unroll");
  open("for (int j = 0; j < " + number(width) + "; ++j)");
  s.line("const tsc_index i = first + j < " + end + " ? first + j : first;");
  for (unsigned k : loads)
    s.line("x" + number(k) + ".at[j] = " + elementOf(k, place(k, "at") + " + i") + ";");
  for (unsigned k : fields)
    s.line("x" + number(nest.operands[k].record) + "[j].at[" + number(nest.operands[k].field) +
           "] = " + elementOf(k, place(k, "at") + " + i * " + number(sizeOf(k))) + ";");
  close();
  close();
}

void KernelEmitter::emitVectorStores(unsigned width) {
  if (vectorStored.empty())
    return;
  open("if (whole)");
  for (const NestStore &store : vectorStored)
    s.line(vectorAt(store.operand, width) + " = y" + number(store.operand) + ";");
  orElse();
  s.line("#pragma unroll");
  s.line("for (int j = 0; j < " + number(width) + "; ++j)");
  s.indent += 2;
  open("if (first + j < " + end + ")");
  for (const NestStore &store : vectorStored)
    s.line(elementOf(store.operand, place(store.operand, "at") + " + (first + j)") + " = y" + number(store.operand) +
           ".at[j];");
  close();
  s.indent -= 2;
  close();
}

void KernelEmitter::emitVector(const std::vector<bool> &needed, unsigned width) {
  s.line("const bool whole = first + " + number(width) + " <= inPieces;");
  defineVectorPlaces(needed);
  emitVectorLoads(needed, width);
  emitLanes(needed, width);
  emitVectorStores(width);
}

void KernelEmitter::emitIndented(const NestStore &store) {
  s.indent += 2;
  emitScalarStore(store, "i");
  s.indent -= 2;
}

std::string KernelEmitter::vectorType(unsigned k, unsigned width) const {
  return "tsc_vector<" + storedType(nest.operands[k].dtype).str() + ", " + number(width) + ">";
}

std::string KernelEmitter::vectorAt(unsigned k, unsigned width) const {
  return "*(" + vectorType(k, width) + " *)(" + address(k, "e" + number(nest.operands[k].place)) + ")";
}
