//===- EmitPointwise.cpp - Kernels that compute each element ---------------===//
#include "KernelEmitter.h"

using namespace tsc;
using namespace tsc::fuser;

void KernelEmitter::emitPointwise() {
  const unsigned width = elementsAtOnce(nest), times = vectorsAtOnce(nest);
  std::vector<bool> needed = neededElements(0);
  openUnits();
  s.line("const tsc_place place = tsc_place_of(p, unit, " + number(width) + ");");
  open("if (place.row < (unsigned)p.rows && place.first < p.count)");
  declarePointers("at");
  s.line("tsc_begin(p, at);");
  open("if (p.dims)");
  s.line("tsc_move(p, place.row, 0, (int)p.dims, at);");
  close();
  emitLevel(Level::Row, 0);
  if (times == 1) {
    s.line("const long long first = place.first;");
    emitVector(needed, width);
  } else if (!readsVectorsTogether(nest)) {
    emitVectorLoop(needed, width);
  } else {
    open("if (p.vector && p.times == " + number(times) + " && place.first + " +
         number((times - 1) * pointwiseThreads * width + width) + " <= p.count)");
    emitWholeVectors(needed, width, times);
    orElse();
    emitVectorLoop(needed, width);
    close();
  }
  for (const NestStore &store : nest.stores)
    if (!writesElements(store))
      s.line("*" + pointer(store.operand, "at[" + number(store.operand) + "]") + " = " + s[values[store.step]] + ";");
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

llvm::SmallVector<const NestStore *, 4> KernelEmitter::vectorStores() const {
  llvm::SmallVector<const NestStore *, 4> stores;
  for (const NestStore &store : nest.stores)
    if (nest.operands[store.operand].access == Access::Contiguous)
      stores.push_back(&store);
  return stores;
}

void KernelEmitter::emitVectorLoop(const std::vector<bool> &needed, unsigned width) {
  s.line("#pragma unroll 1");
  open("for (long long first = place.first, t = 0; t != p.times && first < p.count; ++t, first += " + number(width) +
       "LL << p.shift)");
  emitVector(needed, width);
  close();
}

void KernelEmitter::emitWholeVectors(const std::vector<bool> &needed, unsigned width, unsigned times) {
  std::string place = "place.first + t * " + number(pointwiseThreads * width);
  std::string loop = "for (int t = 0; t < " + number(times) + "; ++t)";
  auto loads = vectorLoads(needed);
  whichVector = "[t]";
  for (unsigned k : loads)
    s.line(vectorType(k, width) + " x" + number(k) + "[" + number(times) + "];");
  s.line("#pragma unroll");
  open(loop);
  for (unsigned k : loads)
    s.line("x" + number(k) + "[t] = " + vectorAt(k, width, place) + ";");
  close();
  s.line("#pragma unroll");
  open(loop);
  emitLanes(needed, width);
  for (const NestStore *store : vectorStores())
    s.line(vectorAt(store->operand, width, place) + " = y" + number(store->operand) + ";");
  close();
  whichVector.clear();
}

void KernelEmitter::emitLanes(const std::vector<bool> &needed, unsigned width) {
  for (const NestStore *store : vectorStores())
    s.line(vectorType(store->operand, width) + " y" + number(store->operand) + ";");
  s.line("#pragma unroll");
  open("for (int j = 0; j < " + number(width) + "; ++j)");
  bool isStrided = llvm::any_of(nest.operands, [](const NestOperand &o) { return o.access == Access::Strided; });
  if (isStrided)
    s.line("const long long i = first + j < p.count ? first + j : first;");
  element = "i";
  emitElement(needed);
  for (const NestStore &store : nest.stores)
    if (nest.operands[store.operand].access == Access::Contiguous) {
      s.line("y" + number(store.operand) + ".at[j] = " + s[values[store.step]] + ";");
    } else if (writesElements(store)) {
      s.line("if (first + j < p.count)");
      emitIndented(store);
    }
  close();
}

void KernelEmitter::emitVector(const std::vector<bool> &needed, unsigned width) {
  auto loads = vectorLoads(needed);
  auto stores = vectorStores();
  s.line("const bool whole = p.vector && first + " + number(width) + " <= p.count;");
  for (unsigned k : loads)
    s.line(vectorType(k, width) + " x" + number(k) + ";");
  if (!loads.empty()) {
    open("if (whole)");
    for (unsigned k : loads)
      s.line("x" + number(k) + " = " + vectorAt(k, width, "first") + ";");
    orElse();
    s.line("#pragma unroll");
    open("for (int j = 0; j < " + number(width) + "; ++j)");
    s.line("const long long i = first + j < p.count ? first + j : first;");
    for (unsigned k : loads)
      s.line("x" + number(k) + ".at[j] = (" + pointer(k, "at[" + number(k) + "]") + ")[i];");
    close();
    close();
  }
  emitLanes(needed, width);
  if (stores.empty())
    return;
  open("if (whole)");
  for (const NestStore *store : stores)
    s.line(vectorAt(store->operand, width, "first") + " = y" + number(store->operand) + ";");
  orElse();
  s.line("#pragma unroll");
  s.line("for (int j = 0; j < " + number(width) + "; ++j)");
  s.indent += 2;
  open("if (first + j < p.count)");
  for (const NestStore *store : stores)
    s.line("(" + pointer(store->operand, "at[" + number(store->operand) + "]") + ")[first + j] = y" +
           number(store->operand) + ".at[j];");
  close();
  s.indent -= 2;
  close();
}

void KernelEmitter::emitIndented(const NestStore &store) {
  s.indent += 2;
  emitScalarStore(store, "i");
  s.indent -= 2;
}

std::string KernelEmitter::vectorType(unsigned k, unsigned width) const {
  return "tsc_vector<" + storedType(nest.operands[k].dtype).str() + ", " + number(width) + ">";
}

std::string KernelEmitter::vectorAt(unsigned k, unsigned width, const std::string &place) const {
  return "*(" + vectorType(k, width) + " *)(" + pointer(k, "at[" + number(k) + "]") + " + " + place + ")";
}
