//===- EmitFolds.cpp - Kernels that fold rows, blocks and columns ----------===//
#include "KernelEmitter.h"

using namespace tsc;
using namespace tsc::fuser;
using llvm::Twine;

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
      s.line("__shared__ tsc_word partial" + number(f) + "[16], levels" + number(f) + "[16][32], result" + number(f) +
             "[16];");
}

std::string KernelEmitter::typed(const NestStep &step, const std::string &memory) const {
  return "((" + valueType(step.dtype).str() + " *)" + memory + ")";
}

void KernelEmitter::declareTeam() {
  s.line("const unsigned half = threadIdx.x / 16, lane = threadIdx.x % 16, shift = (unsigned)p.shift;");
  s.line("const unsigned team = half >> shift, inTeam = half & ((1u << shift) - 1), "
         "thread = threadIdx.x & ((16u << shift) - 1);");
}

void KernelEmitter::emitFold(const std::vector<unsigned> &folds, unsigned phase, bool storesResults,
                             llvm::function_ref<void()> enterBlock) {
  std::vector<bool> needed = neededElements(phase);
  open("for (unsigned first = firstBlock; first < lastBlock; first += 1u << shift)");
  s.line("const unsigned block = first + inTeam;");
  for (auto [f, fold] : llvm::enumerate(folds))
    s.line(valueType(nest.steps[fold].dtype) + " " + numbered("acc", f) + " = " + policy(nest.steps[fold]) +
           "::first();");
  open("if (block < lastBlock)");
  enterBlock();
  open("for (long long i = begin + lane; i < end; i += 16)");
  element = "i";
  emitElement(needed);
  if (storesResults)
    for (const NestStore &store : nest.stores)
      if (isStoredIn(store, phase))
        emitGuarded(store);
  for (auto [f, fold] : llvm::enumerate(folds)) {
    const NestStep &step = nest.steps[fold];
    s.line(numbered("acc", f) + " = " + policy(step) + "::combine(" + numbered("acc", f) + ", " +
           s[values[step.inputs[0]]] + ");");
  }
  close();
  close();
  for (auto [f, fold] : llvm::enumerate(folds)) {
    const NestStep &step = nest.steps[fold];
    s.line(numbered("acc", f) + " = tsc_fold_lanes<" + policy(step) + ">(" + numbered("acc", f) + ");");
    s.line("if (lane == 0)\n      " + typed(step, numbered("partial", f)) + "[half] = " + numbered("acc", f) + ";");
  }
  s.line("__syncthreads();");
  for (auto [f, fold] : llvm::enumerate(folds)) {
    const NestStep &step = nest.steps[fold];
    open("if (thread == " + number(f % 16) + ")");
    s.line("for (unsigned b = first; b < lastBlock && b < first + (1u << shift); ++b)");
    s.line("  tsc_push<" + policy(step) + ">(" + typed(step, numbered("levels", f) + "[team]") + ", b - firstBlock, " +
           typed(step, numbered("partial", f)) + "[(team << shift) + b - first]);");
    close();
  }
  s.line("__syncthreads();");
  close();
  for (auto [f, fold] : llvm::enumerate(folds)) {
    const NestStep &step = nest.steps[fold];
    s.line("if (thread == " + number(f % 16) + ")");
    s.line("  " + typed(step, numbered("result", f)) + "[team] = tsc_counted<" + policy(step) + ">(" +
           typed(step, numbered("levels", f) + "[team]") + ", lastBlock - firstBlock);");
  }
  s.line("__syncthreads();");
}

void KernelEmitter::emitGuarded(const NestStore &store) {
  s.line("if (isActive)");
  emitIndented(store);
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
  s.line("unsigned row = unit * (16u >> shift) + team;");
  s.line("const bool isActive = row < (unsigned)p.rows;");
  s.line("row = isActive ? row : (unsigned)p.rows - 1;");
  declarePointers("at");
  s.line("tsc_begin(p, at);");
  s.line("tsc_move(p, row, 0, (int)p.dims, at);");
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
      s.line("  *" + pointer(store.operand, "at[" + number(store.operand) + "]") + " = " + s[values[store.step]] + ";");
    }
  std::vector<unsigned> folds = foldsAfter(phase);
  if (!folds.empty()) {
    emitFold(folds, phase, true, [&] {
      s.line("const long long begin = 1024LL * block, end = begin + 1024 < p.count ? begin + 1024 : p.count;");
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
  open("if (isActive)");
  s.line("#pragma unroll 4");
  open("for (long long i = thread; i < p.count; i += 16u << shift)");
  element = "i";
  emitElement(needed);
  for (const NestStore &store : nest.stores)
    if (isStoredIn(store, phase))
      emitScalarStore(store, "i");
  close();
  close();
}

void KernelEmitter::declareChunk() {
  s.line("const unsigned chunk = p.chunks == 1 ? 0 : unit % (unsigned)p.chunks;");
  s.line("const unsigned place = p.chunks == 1 ? unit : unit / (unsigned)p.chunks;");
  s.line("const unsigned firstBlock = chunk << (unsigned)p.chunkShift;");
  s.line("const unsigned lastBlock = (unsigned)p.blocks - firstBlock < 1u << (unsigned)p.chunkShift ? "
         "(unsigned)p.blocks : firstBlock + (1u << (unsigned)p.chunkShift);");
}

void KernelEmitter::enterRunBlock() {
  s.line("const unsigned run = p.runDims ? block / (unsigned)p.perRun : 0, inRun = block - run * (unsigned)p.perRun;");
  s.line("const long long begin = 1024LL * inRun, end = begin + 1024 < p.run ? begin + 1024 : p.run;");
  declarePointers("at");
  s.line("#pragma unroll");
  s.line("for (int k = 0; k != " + number(numOperands()) + "; ++k)\n          at[k] = base[k];");
  s.line("if (p.runDims)");
  s.line("  tsc_move(p, run, (int)p.dims, (int)(p.dims + p.runDims), at);");
}

void KernelEmitter::emitResult(const NestStore &store, const std::string &value, const std::string &to) {
  const NestStep &step = nest.steps[store.step];
  DType dtype = nest.operands[store.operand].dtype;
  SourceValue folded{s.name(value)};
  if (step.dtype != DType::Int64) {
    std::string type = valueType(step.dtype).str();
    folded = {
        s.define(type, "p.along[" + number(store.operand) + "] ? " + value + " / (" + type + ")p.folded : " + value)};
  }
  SourceValue converted = emitConversion(s, folded, step.dtype, dtype);
  s.line("*" + pointer(store.operand, to) + " = " + s[converted] + ";");
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
  s.line("unsigned row = place * (16u >> shift) + team;");
  s.line("const bool isActive = row < (unsigned)p.rows;");
  s.line("row = isActive ? row : (unsigned)p.rows - 1;");
  declarePointers("base");
  s.line("tsc_begin(p, base);");
  s.line("tsc_move(p, row, 0, (int)p.dims, base);");
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
    emitResult(store, outcome(f), "(base[" + number(store.operand) + "])");
  }
  s.indent -= 2;
  s.line("} else {");
  s.indent += 2;
  for (auto [f, fold] : llvm::enumerate(folds))
    s.line(partialOf(f, nest.steps[fold], result) + "[chunk] = " + outcome(f) + ";");
  close();
}

void KernelEmitter::emitColumns() {
  std::vector<unsigned> folds = foldsAfter(0);
  if (folds.size() > mostFolds || numPhases > 2)
    s.failed = true;
  declareShared(folds.size());
  s.line("const unsigned lane = threadIdx.x / 32, within = threadIdx.x % 32;");
  openUnits();
  declareChunk();
  s.line("const unsigned row = place / (unsigned)p.strips;");
  s.line("const long long own = (long long)(place - row * (unsigned)p.strips) * 32 + within;");
  s.line("const bool isActive = own < p.count;");
  s.line("const long long column = isActive ? own : p.count - 1;");
  declarePointers("base");
  s.line("tsc_begin(p, base);");
  s.line("tsc_move(p, row, 0, (int)p.dims, base);");
  s.line("#pragma unroll");
  s.line("for (int k = 0; k != " + number(numOperands()) + "; ++k)\n      base[k] += column * p.inner[k];");
  for (auto [f, fold] : llvm::enumerate(folds))
    s.line(valueType(nest.steps[fold].dtype) + " " + numbered("levels", f) + "[32];");
  std::vector<bool> needed = neededElements(0);
  open("for (unsigned block = firstBlock; block < lastBlock; ++block)");
  for (auto [f, fold] : llvm::enumerate(folds))
    s.line(valueType(nest.steps[fold].dtype) + " " + numbered("acc", f) + " = " + policy(nest.steps[fold]) +
           "::first();");
  enterRunBlock();
  open("for (long long i = begin + lane; i < end; i += 16)");
  emitColumnElement(needed);
  for (auto [f, fold] : llvm::enumerate(folds)) {
    const NestStep &step = nest.steps[fold];
    s.line(numbered("acc", f) + " = " + policy(step) + "::combine(" + numbered("acc", f) + ", " +
           s[values[step.inputs[0]]] + ");");
  }
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
  emitOutcome(folds, "(row * p.count + column)", [&](size_t f) { return numbered("outcome", f); });
  close();
  close();
}

void KernelEmitter::emitColumnElement(const std::vector<bool> &needed) {
  for (unsigned i = 0; i != nest.steps.size(); ++i) {
    const NestStep &step = nest.steps[i];
    if (step.level == Level::Once || step.kind == NestStep::Fold || (step.level == Level::Element && !needed[i]))
      continue;
    if (step.kind == NestStep::Load)
      values[i] = loaded(step.index, "*" + pointer(step.index, "(at[" + number(step.index) + "] + i * p.along[" +
                                                                   number(step.index) + "])"));
    else
      values[i] = emitStep(step);
  }
}

void KernelEmitter::emitCombine() {
  std::vector<unsigned> folds = foldsAfter(0);
  std::string combined = name.str() + "_combine";
  open(combined, pointwiseThreads);
  open("for (long long id = blockIdx.x * 256LL + threadIdx.x; id < p.folds; id += gridDim.x * 256LL)");
  declarePointers("base");
  s.line("tsc_begin(p, base);");
  if (kind == WalkKind::Columns) {
    s.line("const unsigned row = (unsigned)(id / p.count);");
    s.line("const long long column = id - row * p.count;");
    s.line("tsc_move(p, row, 0, (int)p.dims, base);");
    s.line("for (int k = 0; k != " + number(numOperands()) + "; ++k)\n      base[k] += column * p.inner[k];");
  } else {
    s.line("tsc_move(p, (unsigned)id, 0, (int)p.dims, base);");
  }
  s.line("const bool isLastWhole = p.blocks == p.chunks << p.chunkShift;");
  for (auto [f, fold] : llvm::enumerate(folds)) {
    const NestStep &step = nest.steps[fold];
    s.line("const " + valueType(step.dtype) + " " + numbered("outcome", f) + " = tsc_fold_chunks<" + policy(step) +
           ">(" + partialOf(f, step, "id") + ", (unsigned)p.chunks, isLastWhole);");
  }
  for (const NestStore &store : nest.stores) {
    size_t f = static_cast<size_t>(llvm::find(folds, store.step) - folds.begin());
    emitResult(store, numbered("outcome", f), "(base[" + number(store.operand) + "])");
  }
  close();
  close();
}
