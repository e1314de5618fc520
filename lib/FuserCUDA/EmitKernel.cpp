//===- EmitKernel.cpp - From a loop nest to CUDA C++ ----------------------===//
//
// Point-wise:  unit:  some neighbouring elements for each thread: loads, steps, stores
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
#include "EmitKernel.h"
#include "Prelude.h"
#include "tsc/Fusion/Bodies.h"
#include "tsc/Kernels/Folds.h"
#include "llvm/ADT/STLExtras.h"
#include <algorithm>
#include <bit>

using namespace tsc;
using namespace tsc::fuser;
using llvm::Twine;

WalkKind fuser::walkKind(const LoopNest &nest) {
  if (nest.foldMode == FoldMode::Columns)
    return WalkKind::Columns;
  if (nest.foldMode == FoldMode::Blocks)
    return WalkKind::Blocks;
  bool folds = llvm::any_of(nest.steps, [](const NestStep &step) { return step.kind == NestStep::Fold; });
  return folds ? WalkKind::Rows : WalkKind::Pointwise;
}

/// 16 bytes of the narrowest operand that lies in one piece, but no more than 32 of the widest.
unsigned fuser::elementsAtOnce(const LoopNest &nest) {
  size_t narrowest = 16, widest = 1;
  for (const NestOperand &operand : nest.operands)
    if (operand.access == Access::Contiguous) {
      narrowest = std::min(narrowest, itemSize(operand.dtype));
      widest = std::max(widest, itemSize(operand.dtype));
    }
  return static_cast<unsigned>(std::clamp<size_t>(16 / narrowest, 1, 32 / widest));
}

/// Instructions an element.
static unsigned elementCost(const LoopNest &nest) {
  unsigned cost = 0;
  for (const NestStep &step : nest.steps)
    if (step.kind == NestStep::Body && step.level == Level::Element)
      cost += bodyCost(step.compute, step.index);
  return cost;
}

/// Whether memory sets the pace, and registers have room for several vectors.
static bool readsVectorsTogether(const LoopNest &nest) {
  constexpr unsigned little = 24, fewOperands = 6;
  return elementCost(nest) <= little && elementsAtOnce(nest) <= 8 && nest.operands.size() <= fewOperands;
}

unsigned fuser::vectorsAtOnce(const LoopNest &nest) {
  if (llvm::any_of(nest.operands, [](const NestOperand &o) { return o.access == Access::Strided; }))
    return 1;
  bool isSmall = nest.operands.size() <= 3 && elementsAtOnce(nest) <= 4;
  return readsVectorsTogether(nest) && isSmall ? 8 : 4;
}

unsigned fuser::accessBytes(const LoopNest &nest, const NestOperand &operand) {
  return static_cast<unsigned>(std::min<size_t>(16, elementsAtOnce(nest) * itemSize(operand.dtype)));
}

namespace {
std::string number(uint64_t n) { return std::to_string(n); }
std::string numbered(const char *name, uint64_t n) { return name + number(n); }

class KernelEmitter {
public:
  KernelEmitter(const LoopNest &nest, llvm::StringRef name, SourceFunctions &functions)
      : nest(nest), name(name), kind(walkKind(nest)), s(functions), values(nest.steps.size()),
        phases(nest.findPhases()) {
    if (!phases.empty())
      numPhases = 1 + *llvm::max_element(phases);
  }

  EmittedKernel emit() {
    s.indent = 0;
    open(name, kind == WalkKind::Columns ? columnThreads : pointwiseThreads);
    emitLevel(Level::Once, 0);
    switch (kind) {
    case WalkKind::Pointwise: emitPointwise(); break;
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

private:
  unsigned numOperands() const { return static_cast<unsigned>(nest.operands.size()); }

  //===- Text ---------------------------------------------------------------===//

  void open(const Twine &statement) {
    s.line(statement + " {");
    s.indent += 2;
  }
  void close() {
    s.indent -= 2;
    s.line("}");
  }
  void open(llvm::StringRef kernel, unsigned threads) {
    open("extern \"C\" __global__ void __launch_bounds__(" + number(threads) + ") " + kernel +
         "(const __grid_constant__ tsc_params<" + number(numOperands()) + ", " +
         number(std::max(nest.numUniforms, 1u)) + "> p)");
  }
  void openUnits() { open("for (unsigned unit = blockIdx.x; unit < (unsigned)p.units; unit += gridDim.x)"); }
  void declarePointers(const char *called) { s.line(Twine("char *") + called + "[" + number(numOperands()) + "];"); }
  std::string pointer(unsigned k, llvm::StringRef to) const {
    return "(" + storedType(nest.operands[k].dtype).str() + " *)" + to.str();
  }

  //===- Steps --------------------------------------------------------------===//

  SourceValue loaded(unsigned k, const std::string &element) {
    DType dtype = nest.operands[k].dtype;
    return {s.define(valueType(dtype), dtype == DType::Bool ? element + " != 0" : element)};
  }

  /// At the pointers `at` and element `i` of a row.
  SourceValue emitLoad(const NestStep &step) {
    const unsigned k = step.index;
    switch (nest.operands[k].access) {
    case Access::Single: return loaded(k, "*" + pointer(k, "p.at[" + number(k) + "]"));
    case Access::Repeated: return loaded(k, "*" + pointer(k, "at[" + number(k) + "]"));
    case Access::Contiguous:
      if (kind == WalkKind::Pointwise)
        return loaded(k, "x" + number(k) + whichVector + ".at[j]");
      return loaded(k, "(" + pointer(k, "at[" + number(k) + "]") + ")[" + element + "]");
    case Access::Strided:
      return loaded(k, "*" + pointer(k, "(at[" + number(k) + "] + " + element + " * p.inner[" + number(k) + "])"));
    }
    return {};
  }

  SourceValue emitUniform(const NestStep &step) {
    std::string word = "p.number[" + number(step.index) + "]";
    switch (step.dtype) {
    case DType::Float: return {s.define("float", "tsc_number_float(" + word + ")")};
    case DType::Double: return {s.define("double", "tsc_number_double(" + word + ")")};
    case DType::Bool: return {s.define("bool", "(" + word + " & 1) != 0")};
    default: return {s.define(valueType(step.dtype), "(" + valueType(step.dtype) + ")" + word)};
    }
  }

  SourceValue emitConstant(const NestStep &step) {
    switch (step.dtype) {
    case DType::Float: return {s.name(realLiteral(std::bit_cast<float>(static_cast<uint32_t>(step.bits)), false))};
    case DType::Double: return {s.name(realLiteral(std::bit_cast<double>(step.bits), true))};
    case DType::Bool: return {s.name(step.bits & 1 ? "true" : "false")};
    default: {
      std::string literal = integerLiteral(static_cast<int64_t>(step.bits));
      bool isWide = step.dtype == DType::Int64;
      return {s.name(isWide ? literal : "((" + valueType(step.dtype).str() + ")" + literal + ")")};
    }
    }
  }

  std::string policy(const NestStep &step) const {
    static constexpr const char *names[] = {"tsc_sum", "tsc_product", "tsc_max", "tsc_min", "tsc_sum"};
    return std::string(names[static_cast<size_t>(step.fold)]) + "<" + valueType(step.dtype).str() + ">";
  }

  SourceValue emitStep(const NestStep &step) {
    auto input = [&](unsigned i) { return values[step.inputs[i]]; };
    switch (step.kind) {
    case NestStep::Load: return emitLoad(step);
    case NestStep::Uniform: return emitUniform(step);
    case NestStep::Constant: return emitConstant(step);
    case NestStep::Convert: return emitConversion(s, input(0), nest.steps[step.inputs[0]].dtype, step.dtype);
    case NestStep::Body: {
      llvm::SmallVector<SourceValue, 8> inputs;
      for (unsigned i = 0; i != step.inputs.size(); ++i)
        inputs.push_back(input(i));
      inputs.resize(std::max<size_t>(inputs.size(), 1));
      llvm::ArrayRef<SourceValue> all = inputs;
      SourceValue result =
          emitBody(s, step.compute, step.index, all.take_front(step.numTensors), all.drop_front(step.numTensors));
      if (s.failed && missing.empty())
        missing = bodyName(step.compute, step.index).str();
      return result;
    }
    case NestStep::Combine:
      return {s.define(valueType(step.dtype), policy(step) + "::combine(" + s[input(0)] + ", " + s[input(1)] + ")")};
    case NestStep::Keep: return input(0);
    case NestStep::Fold: break;
    }
    return values[&step - nest.steps.data()];
  }

  void emitLevel(Level level, unsigned phase) {
    for (unsigned i = 0; i != nest.steps.size(); ++i)
      if (nest.steps[i].level == level && nest.steps[i].kind != NestStep::Fold && phases[i] == phase)
        values[i] = emitStep(nest.steps[i]);
  }

  //===- Elements -----------------------------------------------------------===//

  bool writesElements(const NestStore &store) const {
    Access access = nest.operands[store.operand].access;
    return access == Access::Contiguous || access == Access::Strided;
  }
  bool isStoredIn(const NestStore &store, unsigned phase) const {
    return writesElements(store) && phases[store.step] == phase;
  }

  /// Steps that a phase needs for each element.
  std::vector<bool> neededElements(unsigned phase) const {
    std::vector<bool> needed(nest.steps.size(), false);
    if (nest.foldMode == FoldMode::Rows)
      for (const NestStore &store : nest.stores)
        if (isStoredIn(store, phase))
          needed[store.step] = true;
    for (unsigned i = static_cast<unsigned>(nest.steps.size()); i-- > 0;) {
      const NestStep &step = nest.steps[i];
      bool endsHere = step.kind == NestStep::Fold && phases[i] == phase + 1;
      if (endsHere || (needed[i] && step.level == Level::Element))
        for (unsigned input : step.inputs)
          needed[input] = true;
    }
    return needed;
  }

  void emitElement(const std::vector<bool> &needed) {
    for (unsigned i = 0; i != nest.steps.size(); ++i)
      if (needed[i] && nest.steps[i].level == Level::Element && nest.steps[i].kind != NestStep::Fold)
        values[i] = emitStep(nest.steps[i]);
  }

  void emitScalarStore(const NestStore &store, const std::string &at) {
    const unsigned k = store.operand;
    std::string value = s[values[store.step]];
    if (nest.operands[k].access == Access::Contiguous)
      return s.line("(" + pointer(k, "at[" + number(k) + "]") + ")[" + at + "] = " + value + ";");
    s.line("*" + pointer(k, "(at[" + number(k) + "] + " + at + " * p.inner[" + number(k) + "])") + " = " + value + ";");
  }

  //===- Point-wise ---------------------------------------------------------===//

  /// A thread takes several vectors, 256 of them apart. Where memory sets the pace, and all are inside of the row and
  /// aligned, their addresses differ by constants, and all are read before anything is computed.
  void emitPointwise() {
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

  void orElse() {
    s.indent -= 2;
    s.line("} else {");
    s.indent += 2;
  }

  /// Contiguous operands that are read for each element.
  llvm::SmallVector<unsigned, 8> vectorLoads(const std::vector<bool> &needed) const {
    llvm::SmallVector<unsigned, 8> loads;
    for (unsigned i = 0; i != nest.steps.size(); ++i)
      if (nest.steps[i].kind == NestStep::Load && needed[i] &&
          nest.operands[nest.steps[i].index].access == Access::Contiguous)
        loads.push_back(nest.steps[i].index);
    return loads;
  }
  llvm::SmallVector<const NestStore *, 4> vectorStores() const {
    llvm::SmallVector<const NestStore *, 4> stores;
    for (const NestStore &store : nest.stores)
      if (nest.operands[store.operand].access == Access::Contiguous)
        stores.push_back(&store);
    return stores;
  }

  void emitVectorLoop(const std::vector<bool> &needed, unsigned width) {
    s.line("#pragma unroll 1");
    open("for (long long first = place.first, t = 0; t != p.times && first < p.count; ++t, first += " + number(width) +
         "LL << p.shift)");
    emitVector(needed, width);
    close();
  }

  void emitWholeVectors(const std::vector<bool> &needed, unsigned width, unsigned times) {
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

  /// The results of a vector, in variables.
  void emitLanes(const std::vector<bool> &needed, unsigned width) {
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

  /// One vector from `first` on, all in one piece or, at the end of a row and where an operand is not aligned, element
  /// by element; behind the end the first one stands for what is not there.
  void emitVector(const std::vector<bool> &needed, unsigned width) {
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
  void emitIndented(const NestStore &store) {
    s.indent += 2;
    emitScalarStore(store, "i");
    s.indent -= 2;
  }

  std::string vectorType(unsigned k, unsigned width) const {
    return "tsc_vector<" + storedType(nest.operands[k].dtype).str() + ", " + number(width) + ">";
  }
  std::string vectorAt(unsigned k, unsigned width, const std::string &place) const {
    return "*(" + vectorType(k, width) + " *)(" + pointer(k, "at[" + number(k) + "]") + " + " + place + ")";
  }

  //===- Folds --------------------------------------------------------------===//

  std::vector<unsigned> foldsAfter(unsigned phase) const {
    std::vector<unsigned> folds;
    for (unsigned i = 0; i != nest.steps.size(); ++i)
      if (nest.steps[i].kind == NestStep::Fold && phases[i] == phase + 1)
        folds.push_back(i);
    return folds;
  }

  /// Memory that the threads of a block share, for the folds of the phase that has most; each is of 8 bytes an element.
  void declareShared(size_t numFolds) {
    for (size_t f = 0; f != numFolds; ++f)
      if (kind == WalkKind::Columns)
        s.line("__shared__ tsc_word lanes" + number(f) + "[16 * 32];");
      else
        s.line("__shared__ tsc_word partial" + number(f) + "[16], levels" + number(f) + "[16][32], result" + number(f) +
               "[16];");
  }
  std::string typed(const NestStep &step, const std::string &memory) const {
    return "((" + valueType(step.dtype).str() + " *)" + memory + ")";
  }

  /// Who a thread is: one of a team of 16 << shift.
  void declareTeam() {
    s.line("const unsigned half = threadIdx.x / 16, lane = threadIdx.x % 16, shift = (unsigned)p.shift;");
    s.line("const unsigned team = half >> shift, inTeam = half & ((1u << shift) - 1), "
           "thread = threadIdx.x & ((16u << shift) - 1);");
  }

  /// Folds the elements of blocks [firstBlock, lastBlock), a block for each 16 threads of the team at a time, and
  /// leaves the results in memory that all threads may read until the next barrier. `enterBlock` writes what a block
  /// begins with, and gives the bounds `begin` and `end` of its elements.
  void emitFold(const std::vector<unsigned> &folds, unsigned phase, bool storesResults,
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
      s.line("  tsc_push<" + policy(step) + ">(" + typed(step, numbered("levels", f) + "[team]") +
             ", b - firstBlock, " + typed(step, numbered("partial", f)) + "[(team << shift) + b - first]);");
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
  void emitGuarded(const NestStore &store) {
    s.line("if (isActive)");
    emitIndented(store);
  }

  void emitRows() {
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

  void emitRowPhase(unsigned phase) {
    emitLevel(Level::Row, phase);
    // Once-level steps of later phases do not exist: they depend on no fold.
    for (const NestStore &store : nest.stores)
      if (!writesElements(store) && phases[store.step] == phase) {
        s.line("if (isActive && thread == 0)");
        s.line("  *" + pointer(store.operand, "at[" + number(store.operand) + "]") + " = " + s[values[store.step]] +
               ";");
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

  //===- Results of blocks --------------------------------------------------===//

  /// Steps of the nest that fold, in order; their place is where their partial results are.
  void declareChunk() {
    s.line("const unsigned chunk = p.chunks == 1 ? 0 : unit % (unsigned)p.chunks;");
    s.line("const unsigned place = p.chunks == 1 ? unit : unit / (unsigned)p.chunks;");
    s.line("const unsigned firstBlock = chunk << (unsigned)p.chunkShift;");
    s.line("const unsigned lastBlock = (unsigned)p.blocks - firstBlock < 1u << (unsigned)p.chunkShift ? "
           "(unsigned)p.blocks : firstBlock + (1u << (unsigned)p.chunkShift);");
  }
  /// Pointers to the block's run, and the bounds of its elements in it.
  void enterRunBlock() {
    s.line(
        "const unsigned run = p.runDims ? block / (unsigned)p.perRun : 0, inRun = block - run * (unsigned)p.perRun;");
    s.line("const long long begin = 1024LL * inRun, end = begin + 1024 < p.run ? begin + 1024 : p.run;");
    declarePointers("at");
    s.line("#pragma unroll");
    s.line("for (int k = 0; k != " + number(numOperands()) + "; ++k)\n          at[k] = base[k];");
    s.line("if (p.runDims)");
    s.line("  tsc_move(p, run, (int)p.dims, (int)(p.dims + p.runDims), at);");
  }
  /// What `value` comes to in the memory of a result. `isDivided`: operands that are means, by the call.
  void emitResult(const NestStore &store, const std::string &value, const std::string &to) {
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
  /// Of the fold with number f, in chunk order.
  std::string partialOf(size_t f, const NestStep &step, const std::string &result) const {
    return "(" + typed(step, "p.scratch") + " + (" + number(f) + "LL * p.folds + " + result + ") * p.chunks)";
  }

  void emitBlocks() {
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

  /// Results, or what the chunk comes to.
  void emitOutcome(const std::vector<unsigned> &folds, const std::string &result,
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

  void emitColumns() {
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

  /// At the pointers `at`, which have moved to the column: element `i` of the run.
  void emitColumnElement(const std::vector<bool> &needed) {
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

  /// A thread for each result: what its chunks come to.
  void emitCombine() {
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

  static constexpr size_t mostFolds = 8; ///< Of a phase; shared memory holds the digits of each.
  const LoopNest &nest;
  const llvm::StringRef name;
  const WalkKind kind;
  SourceState s;
  std::string missing; ///< The first body without code.
  std::vector<SourceValue> values;
  const std::vector<unsigned> phases;
  unsigned numPhases = 1;
  std::string element = "i", whichVector; ///< Where emitElement reads.
};
} // namespace

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
