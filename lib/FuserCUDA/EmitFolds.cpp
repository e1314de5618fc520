//===- EmitFolds.cpp - Kernels that fold rows, blocks and columns ----------===//
#include "KernelEmitter.h"

using namespace tsc;
using namespace tsc::fuser;

std::vector<unsigned> KernelEmitter::foldsAfter(unsigned phase) const {
  std::vector<unsigned> folds;
  for (unsigned i = 0; i != nest.steps.size(); ++i)
    if (nest.steps[i].kind == NestStep::Fold && phases[i] == phase + 1)
      folds.push_back(i);
  return folds;
}

void KernelEmitter::declareShared(size_t numFolds) {
  for (size_t f = 0; f != numFolds; ++f)
    if (kind == WalkKind::Columns)
      s.line("__shared__ tsc_word lanes" + number(f) + "[16 * 32];");
    else
      s.line("__shared__ tsc_word partial" + number(f) + "[" + number(teams()) + "], levels" + number(f) + "[" +
             number(teams()) + "][32], result" + number(f) + "[" + number(teams()) + "];");
}

std::string KernelEmitter::typed(const NestStep &step, const std::string &memory) const {
  return "((" + valueType(step.dtype).str() + " *)" + memory + ")";
}

void KernelEmitter::declareTeam() {
  const std::string size = number(team());
  s.line("const unsigned part = threadIdx.x / " + size + ", lane = threadIdx.x % " + size +
         ", shift = (unsigned)p.shift;");
  s.line("const unsigned team = part >> shift, inTeam = part & ((1u << shift) - 1), thread = threadIdx.x & ((" + size +
         "u << shift) - 1);");
}

void KernelEmitter::accumulate(unsigned fold, const std::string &accumulator) {
  const NestStep &step = nest.steps[fold];
  s.line(accumulator + " = " + policy(step) + "::combine(" + accumulator + ", " + s[values[step.inputs[0]]] + ");");
}

void KernelEmitter::emitStepsApart(const std::string &index, unsigned atOnce, unsigned size, const std::string &bound,
                                   llvm::function_ref<void()> emitBody) {
  s.line("#pragma unroll 1");
  open("for (; " + index + " + " + number((atOnce - 1) * 16 + size) + " <= " + bound + "; " + index +
       " += " + number(atOnce * 16) + ")");
  s.line("#pragma unroll");
  open("for (int step = 0; step != " + number(atOnce) + "; ++step)");
  emitBody();
  close();
  close();
}

void KernelEmitter::emitBlockOfElements(const std::vector<unsigned> &folds, unsigned phase, bool storesResults) {
  constexpr unsigned atOnce = 8;
  auto emitBody = [&] {
    element = "i";
    emitElement(neededElements(phase));
    if (storesResults)
      for (const NestStore &store : nest.stores)
        if (isStoredIn(store, phase))
          emitGuarded(store);
    for (auto [f, fold] : llvm::enumerate(folds))
      accumulate(fold, numbered("acc", f));
  };
  s.line("tsc_index next = begin + lane;");
  emitStepsApart("next", atOnce, 1, "end", [&] {
    s.line("const tsc_index i = next + 16 * step;");
    emitBody();
  });
  s.line("#pragma unroll 1");
  open("for (tsc_index i = next; i < end; i += 16)");
  emitBody();
  close();
}

void KernelEmitter::emitFoldedVector(const std::vector<unsigned> &folds, unsigned phase, bool storesResults,
                                     bool isWhole) {
  const std::vector<bool> needed = neededElements(phase);
  if (isWhole) {
    defineVectorOffsets(needed, "first");
    for (unsigned k : vectorLoads(needed))
      s.line("const " + vectorType(k, vectorOfFold) + " x" + number(k) + " = " + vectorAt(k, vectorOfFold) + ";");
  }
  for (const NestStore &store : vectorStored)
    s.line(vectorType(store.operand, vectorOfFold) + " y" + number(store.operand) + ";");
  s.line("#pragma unroll");
  open("for (int j = 0; j < " + number(vectorOfFold) + "; ++j)");
  if (!isWhole)
    s.line("const tsc_index i = first + j;");
  if (!isWhole)
    open("if (i < end)");
  element = "i", readsVectors = isWhole;
  emitElement(needed);
  readsVectors = false;
  if (storesResults)
    for (const NestStore &store : nest.stores)
      if (isStoredIn(store, phase)) {
        if (isWhole && llvm::is_contained(vectorStored, store))
          s.line("y" + number(store.operand) + ".at[j] = " + s[values[store.step]] + ";");
        else
          emitGuarded(store);
      }
  for (auto [f, fold] : llvm::enumerate(folds))
    accumulate(fold, numbered("acc", f) + "[j]");
  if (!isWhole)
    close();
  close();
  if (isWhole && !vectorStored.empty()) {
    open("if (isActive)");
    for (const NestStore &store : vectorStored)
      s.line(vectorAt(store.operand, vectorOfFold) + " = y" + number(store.operand) + ";");
    close();
  }
}

void KernelEmitter::emitBlockOfVectors(const std::vector<unsigned> &folds, unsigned phase, bool storesResults) {
  vectorStored.clear();
  if (storesResults)
    for (const NestStore &store : nest.stores)
      if (isStoredIn(store, phase) && nest.operands[store.operand].access == Access::Contiguous)
        vectorStored.push_back(store);
  constexpr unsigned atOnce = 4;
  s.line("tsc_index next = begin + " + number(vectorOfFold) + " * lane;");
  s.line("const tsc_index whole = p.inPieces ? end : 0;");
  emitStepsApart("next", atOnce, vectorOfFold, "whole", [&] {
    s.line("const tsc_index first = next + 16 * step;");
    emitFoldedVector(folds, phase, storesResults, /*isWhole=*/true);
  });
  s.line("tsc_index first = next;");
  s.line("#pragma unroll 1");
  open("for (; first + " + number(vectorOfFold) + " <= whole; first += 16)");
  emitFoldedVector(folds, phase, storesResults, /*isWhole=*/true);
  close();
  vectorStored.clear();
  s.line("#pragma unroll 1");
  open("for (; first < end; first += 16)");
  emitFoldedVector(folds, phase, storesResults, /*isWhole=*/false);
  close();
}

void KernelEmitter::emitFold(const std::vector<unsigned> &folds, unsigned phase, bool storesResults,
                             llvm::function_ref<void()> enterBlock) {
  open("for (unsigned first = firstBlock; first < lastBlock; first += 1u << shift)");
  s.line("const unsigned block = first + inTeam;");
  for (auto [f, fold] : llvm::enumerate(folds)) {
    const std::string begins = policy(nest.steps[fold]) + "::first()", type = valueType(nest.steps[fold].dtype).str();
    if (nest.foldsVectors)
      s.line(type + " " + numbered("acc", f) + "[4] = {" + begins + ", " + begins + ", " + begins + ", " + begins +
             "};");
    else
      s.line(type + " " + numbered("acc", f) + " = " + begins + ";");
  }
  open("if (block < lastBlock)");
  enterBlock();
  if (nest.foldsVectors)
    emitBlockOfVectors(folds, phase, storesResults);
  else
    emitBlockOfElements(folds, phase, storesResults);
  close();
  for (auto [f, fold] : llvm::enumerate(folds)) {
    const NestStep &step = nest.steps[fold];
    s.line("const " + valueType(step.dtype) + " " + numbered("lanes", f) + " = tsc_fold_lanes<" + policy(step) + ">(" +
           numbered("acc", f) + ");");
    s.line("if (lane == 0)\n      " + typed(step, numbered("partial", f)) + "[part] = " + numbered("lanes", f) + ";");
  }
  s.line("__syncthreads();");
  for (auto [f, fold] : llvm::enumerate(folds)) {
    const NestStep &step = nest.steps[fold];
    open("if (thread == " + number(f % team()) + ")");
    s.line("for (unsigned b = first; b < lastBlock && b < first + (1u << shift); ++b)");
    s.line("  tsc_push<" + policy(step) + ">(" + typed(step, numbered("levels", f) + "[team]") + ", b - firstBlock, " +
           typed(step, numbered("partial", f)) + "[(team << shift) + b - first]);");
    close();
  }
  s.line("__syncthreads();");
  close();
  for (auto [f, fold] : llvm::enumerate(folds)) {
    const NestStep &step = nest.steps[fold];
    s.line("if (thread == " + number(f % team()) + ")");
    s.line("  " + typed(step, numbered("result", f)) + "[team] = tsc_counted<" + policy(step) + ">(" +
           typed(step, numbered("levels", f) + "[team]") + ", lastBlock - firstBlock);");
  }
  s.line("__syncthreads();");
}

void KernelEmitter::emitGuarded(const NestStore &store) {
  s.line("if (isActive)");
  s.indent += 2;
  emitScalarStore(store, "i");
  s.indent -= 2;
}

void KernelEmitter::emitRows() {
  size_t most = 0;
  for (unsigned phase = 0; phase != numPhases; ++phase)
    most = std::max(most, foldsAfter(phase).size());
  if (most > mostFolds)
    s.failed = true;
  declareShared(most);
  declareTeam();
  s.line("const unsigned firstBlock = 0, lastBlock = (unsigned)p.blocks;");
  openUnits();
  s.line("unsigned row = unit * (blockDim.x / " + number(team()) + "u >> shift) + team;");
  s.line("const bool isActive = row < (unsigned)p.rows;");
  s.line("row = isActive ? row : (unsigned)p.rows - 1;");
  declareOffsets("at");
  s.line("tsc_move_to_row(p, row, at);");
  for (unsigned phase = 0; phase != numPhases; ++phase)
    emitRowPhase(phase);
  close();
}

void KernelEmitter::emitRowPhase(unsigned phase) {
  emitLevel(Level::Row, phase);
  // Once-level steps of later phases do not exist: they depend on no fold.
  for (const NestStore &store : nest.stores)
    if (!writesElements(store) && phases[store.step] == phase) {
      s.line("if (isActive && thread == 0)");
      s.line("  " + elementOf(store.operand, offset(store.operand, "at")) + " = " + s[values[store.step]] + ";");
    }
  std::vector<unsigned> folds = foldsAfter(phase);
  if (!folds.empty()) {
    emitFold(folds, phase, true, [&] {
      s.line("const tsc_index count = (tsc_index)p.count, begin = (tsc_index)1024 * block, "
             "end = begin + 1024 < count ? begin + 1024 : count;");
    });
    for (auto [f, fold] : llvm::enumerate(folds)) {
      const NestStep &step = nest.steps[fold];
      std::string result = typed(step, numbered("result", f)) + "[team]";
      if (step.fold == FoldKind::Mean)
        result += " / (" + valueType(step.dtype).str() + ")p.count";
      values[fold] = {s.define(valueType(step.dtype), result)};
    }
    return;
  }
  std::vector<bool> needed = neededElements(phase);
  if (llvm::none_of(nest.stores, [&](const NestStore &store) { return isStoredIn(store, phase); }))
    return;
  // Rows have no strided operands (CudaLayout::decide).
  const unsigned width = elementsAtOnce(nest);
  vectorStored.clear();
  for (const NestStore &store : nest.stores)
    if (isStoredIn(store, phase))
      vectorStored.push_back(store);
  open("if (isActive)");
  s.line("const tsc_index end = (tsc_index)p.count;");
  end = "end";
  s.line("const tsc_index apart = inPieces ? 1 : " + number(team()) + "u << shift;");
  open("for (tsc_index first = (inPieces ? " + number(width) +
       " : 1) * thread; first < end; first += " + number(width * team()) + "u << shift)");
  emitVector(needed, width);
  close();
  close();
  vectorStored.clear();
}

void KernelEmitter::declareChunk() {
  s.line("const unsigned group = tsc_divide(unit, p.byChunks), chunk = unit - group * (unsigned)p.chunks;");
  s.line("const unsigned firstBlock = chunk << (unsigned)p.chunkShift;");
  s.line("const unsigned lastBlock = (unsigned)p.blocks - firstBlock < 1u << (unsigned)p.chunkShift ? "
         "(unsigned)p.blocks : firstBlock + (1u << (unsigned)p.chunkShift);");
}

void KernelEmitter::enterRunBlock() {
  s.line("const unsigned run = tsc_divide(block, p.byRun), inRun = block - run * (unsigned)p.perRun;");
  s.line("const tsc_index length = (tsc_index)p.run, begin = (tsc_index)1024 * inRun, "
         "end = begin + 1024 < length ? begin + 1024 : length;");
  declareOffsets("at");
  s.line("#pragma unroll");
  s.line("for (int c = 0; c != " + number(std::max(nest.numStrideClasses, 1u)) + "; ++c)\n          at[c] = base[c];");
  s.line("tsc_move_to_run(p, run, at);");
}

void KernelEmitter::emitResult(const NestStore &store, const std::string &value, const std::string &to) {
  const NestStep &step = nest.steps[store.step];
  DType dtype = nest.operands[store.operand].dtype;
  SourceValue folded{s.name(value)};
  if (step.dtype != DType::Int64) {
    std::string type = valueType(step.dtype).str();
    auto isOutput = [](const NestOperand &operand) { return operand.isOutput; };
    const auto index =
        store.operand - static_cast<size_t>(llvm::find_if(nest.operands, isOutput) - nest.operands.begin());
    folded = {
        s.define(type, "p.means >> " + number(index) + " & 1 ? " + value + " / (" + type + ")p.folded : " + value)};
  }
  SourceValue converted = emitConversion(s, folded, step.dtype, dtype);
  s.line(elementOf(store.operand, to) + " = " + s[converted] + ";");
}

std::string KernelEmitter::partialOf(size_t f, const NestStep &step, const std::string &result) const {
  return "(" + typed(step, "p.scratch") + " + (" + number(f) + "LL * p.folds + " + result + ") * p.chunks)";
}

void KernelEmitter::emitBlocks() {
  std::vector<unsigned> folds = foldsAfter(0);
  if (folds.size() > mostFolds || numPhases > 2)
    s.failed = true;
  declareShared(folds.size());
  declareTeam();
  openUnits();
  declareChunk();
  s.line("unsigned row = group * (" + number(teams()) + "u >> shift) + team;");
  s.line("const bool isActive = row < (unsigned)p.rows;");
  s.line("row = isActive ? row : (unsigned)p.rows - 1;");
  declareOffsets("base");
  s.line("tsc_move_to_row(p, row, base);");
  emitFold(folds, 0, false, [&] {
    enterRunBlock();
    emitLevel(Level::Row, 0);
  });
  open("if (isActive && thread == 0)");
  emitOutcome(folds, "row", [&](size_t f) { return typed(nest.steps[folds[f]], numbered("result", f)) + "[team]"; });
  close();
  s.line("__syncthreads();");
  close();
}

void KernelEmitter::emitOutcome(const std::vector<unsigned> &folds, const std::string &result,
                                llvm::function_ref<std::string(size_t)> outcome) {
  open("if (p.chunks == 1)");
  for (const NestStore &store : nest.stores) {
    size_t f = static_cast<size_t>(llvm::find(folds, store.step) - folds.begin());
    emitResult(store, outcome(f), offset(store.operand, "base"));
  }
  s.indent -= 2;
  s.line("} else {");
  s.indent += 2;
  for (auto [f, fold] : llvm::enumerate(folds))
    s.line(partialOf(f, nest.steps[fold], result) + "[chunk] = " + outcome(f) + ";");
  close();
}

void KernelEmitter::addColumn() {
  s.line("#pragma unroll");
  s.line("for (int c = 0; c != " + number(std::max(nest.numStrideClasses, 1u)) +
         "; ++c)\n      base[c] += column * (tsc_index)p.inner[c];");
}

void KernelEmitter::emitColumns() {
  std::vector<unsigned> folds = foldsAfter(0);
  if (folds.size() > mostFolds || numPhases > 2)
    s.failed = true;
  declareShared(folds.size());
  s.line("const unsigned lane = threadIdx.x / 32, within = threadIdx.x % 32;");
  openUnits();
  declareChunk();
  s.line("const unsigned row = tsc_divide(group, p.byStrips);");
  s.line("const tsc_index count = (tsc_index)p.count, "
         "own = (tsc_index)(group - row * (unsigned)p.strips) * 32 + within;");
  s.line("const bool isActive = own < count;");
  s.line("const tsc_index column = isActive ? own : count - 1;");
  declareOffsets("base");
  s.line("tsc_move_to_row(p, row, base);");
  addColumn();
  for (auto [f, fold] : llvm::enumerate(folds))
    s.line(valueType(nest.steps[fold].dtype) + " " + numbered("levels", f) + "[32];");
  std::vector<bool> needed = neededElements(0);
  open("for (unsigned block = firstBlock; block < lastBlock; ++block)");
  for (auto [f, fold] : llvm::enumerate(folds))
    s.line(valueType(nest.steps[fold].dtype) + " " + numbered("acc", f) + " = " + policy(nest.steps[fold]) +
           "::first();");
  enterRunBlock();
  open("for (tsc_index i = begin + lane; i < end; i += 16)");
  emitColumnElement(needed);
  for (auto [f, fold] : llvm::enumerate(folds))
    accumulate(fold, numbered("acc", f));
  close();
  for (auto [f, fold] : llvm::enumerate(folds))
    s.line(typed(nest.steps[fold], numbered("lanes", f)) + "[threadIdx.x] = " + numbered("acc", f) + ";");
  s.line("__syncthreads();");
  open("if (lane == 0)");
  for (auto [f, fold] : llvm::enumerate(folds)) {
    const NestStep &step = nest.steps[fold];
    s.line("tsc_push<" + policy(step) + ">(" + numbered("levels", f) + ", block - firstBlock, tsc_fold_column<" +
           policy(step) + ">(" + typed(step, numbered("lanes", f)) + " + within));");
  }
  close();
  s.line("__syncthreads();");
  close();
  open("if (isActive && lane == 0)");
  for (auto [f, fold] : llvm::enumerate(folds)) {
    const NestStep &step = nest.steps[fold];
    s.line("const " + valueType(step.dtype) + " " + numbered("outcome", f) + " = tsc_counted<" + policy(step) + ">(" +
           numbered("levels", f) + ", lastBlock - firstBlock);");
  }
  emitOutcome(folds, "((long long)row * p.count + column)", [&](size_t f) { return numbered("outcome", f); });
  close();
  close();
}

void KernelEmitter::emitColumnElement(const std::vector<bool> &needed) {
  for (unsigned i = 0; i != nest.steps.size(); ++i) {
    const NestStep &step = nest.steps[i];
    if (step.level == Level::Once || step.kind == NestStep::Fold || (step.level == Level::Element && !needed[i]))
      continue;
    if (step.kind == NestStep::Load)
      values[i] = loaded(step.index, elementOf(step.index, offset(step.index, "at") + " + i * (tsc_index)" +
                                                               offset(step.index, "p.along")));
    else
      values[i] = emitStep(step);
  }
}

void KernelEmitter::emitCombine() {
  std::vector<unsigned> folds = foldsAfter(0);
  std::string combined = name.str() + "_combine";
  open(combined, pointwiseThreads);
  s.line(llvm::Twine("typedef ") + (nest.wideOffsets ? "long long" : "unsigned") + " tsc_index;");
  open("for (long long id = blockIdx.x * 256LL + threadIdx.x; id < p.folds; id += gridDim.x * 256LL)");
  declareOffsets("base");
  if (kind == WalkKind::Columns) {
    s.line("const unsigned row = (unsigned)(id / p.count);");
    s.line("const tsc_index column = (tsc_index)(id - row * p.count);");
    s.line("tsc_move_to_row(p, row, base);");
    addColumn();
  } else {
    s.line("tsc_move_to_row(p, (unsigned)id, base);");
  }
  s.line("const bool isLastWhole = p.blocks == p.chunks << p.chunkShift;");
  for (auto [f, fold] : llvm::enumerate(folds)) {
    const NestStep &step = nest.steps[fold];
    s.line("const " + valueType(step.dtype) + " " + numbered("outcome", f) + " = tsc_fold_chunks<" + policy(step) +
           ">(" + partialOf(f, step, "id") + ", (unsigned)p.chunks, isLastWhole);");
  }
  for (const NestStore &store : nest.stores) {
    size_t f = static_cast<size_t>(llvm::find(folds, store.step) - folds.begin());
    emitResult(store, numbered("outcome", f), offset(store.operand, "base"));
  }
  close();
  close();
}
