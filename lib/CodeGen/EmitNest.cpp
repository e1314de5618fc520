//===- EmitNest.cpp - From a loop nest to LLVM IR -------------------------===//
//
//   entry:  base pointers, strides, numbers; what is computed once
//   row:    the row's pointers; for each phase:
//             what is computed for each row
//             element: some vectors, then the next; the last under a mask of the lanes inside the row
//
// A row is walked once for each phase: a fold of rows ends one, and what depends on
// its result comes in a later one. Elements that several phases need are computed
// anew in each, or kept. Folds of columns have accumulators in memory, which every
// row adds to; they are combined when all rows are done. Whole vectors and masked
// ones go through the same steps, so that an element's value does not depend on its
// place.
//
//===----------------------------------------------------------------------===//
#include "EmitNest.h"
#include "Conversions.h"
#include "EmitFold.h"
#include "EmitOperands.h"
#include "tsc/Fusion/Bodies.h"
#include "llvm/IR/Module.h"
#include <optional>

using namespace tsc;
using namespace tsc::fuser;
using llvm::BasicBlock;
using llvm::Value;

namespace {
class NestEmitter {
public:
  NestEmitter(const LoopNest &nest, llvm::Module &module, llvm::StringRef name, const codegen::TargetTraits &traits)
      : nest(nest), context(module.getContext()), ir(context), traits(traits),
        state{ir, std::min(maxLanes, lanesOfOne(nest, traits) * vectorsAtOnce()), this->traits, nullptr, nullptr} {
    llvm::Type *pointer = ir.getPtrTy(), *integer = ir.getInt64Ty();
    auto *signature = llvm::FunctionType::get(
        ir.getVoidTy(), {pointer, pointer, pointer, integer, integer, pointer, pointer, integer}, false);
    function = llvm::Function::Create(signature, llvm::Function::ExternalLinkage, name, module);
    function->setDoesNotThrow();
    function->addFnAttr("prefer-vector-width", std::to_string(traits.vectorBytes * 8));
    function->addFnAttr("min-legal-vector-width", std::to_string(traits.vectorBytes * 8));
    assert(state.lanes >= 1 && state.lanes <= maxLanes && "the planner sees to it that offsets of so many lanes fit");
    state.function = function;
    if (const size_t bytes = bytesOfIntegers(nest))
      state.integerBits = static_cast<unsigned>(bytes * 8);
    state.routines = argument(Parameter::Routines);
  }

  llvm::Function *emit() {
    ir.SetInsertPoint(BasicBlock::Create(context, "entry", function));
    operands.emplace(nest, state, traits);
    emitOnce();
    emitBytesAhead();
    openColumnFolds();
    BasicBlock *entry = ir.GetInsertBlock(), *rowBlock = block("row"), *done = block("done");
    ir.CreateCondBr(ir.CreateICmpSGT(argument(Parameter::Rows), ir.getInt64(0)), rowBlock, done);
    ir.SetInsertPoint(rowBlock);
    llvm::PHINode *row = ir.CreatePHI(ir.getInt64Ty(), 2, "r");
    row->addIncoming(ir.getInt64(0), entry);
    currentRow = row;
    emitRow(row);
    Value *next = ir.CreateAdd(row, ir.getInt64(1));
    row->addIncoming(next, ir.GetInsertBlock());
    ir.CreateCondBr(ir.CreateICmpSLT(next, argument(Parameter::Rows)), rowBlock, done);
    ir.SetInsertPoint(done);
    finishColumnFolds();
    if (!nest.writesNoRow())
      operands->fence();
    ir.CreateRetVoid();
    if (!state.failed)
      return function;
    function->eraseFromParent();
    return nullptr;
  }

private:
  /// Where registers are many, several vectors go side by side, since the steps of one wait for each other: four where
  /// there is much to wait for, two where memory sets the pace or more would not fit into the registers. That is not
  /// for large kernels, which have independent steps of their own and take long to compile, nor for columns, which may
  /// be few.
  unsigned vectorsAtOnce() const {
    if (traits.vectorRegisters < 32 || nest.foldMode == FoldMode::Columns || !isSmall)
      return 1;
    unsigned cost = elementCost(nest);
    return cost >= leastForFour && cost <= mostForFour ? 4 : 2;
  }
  /// Instructions an element; less than a routine counts.
  static constexpr unsigned leastForFour = 24, mostForFour = 64, largestSmall = 96;
  static unsigned elementCost(const LoopNest &nest) {
    return elementCost(nest, std::vector<bool>(nest.steps.size(), true));
  }
  static unsigned elementCost(const LoopNest &nest, const std::vector<bool> &counted) {
    unsigned cost = 0;
    for (auto [step, counts] : llvm::zip(nest.steps, counted))
      if (counts && step.kind == NestStep::Body && step.level == Level::Element)
        cost += bodyCost(step.compute, step.index);
    return cost;
  }
  /// Of the walks over a row that is in the cache, the one that computes most.
  unsigned findLongestRewalk() const {
    unsigned longest = 1, most = 0;
    for (unsigned phase = 1; phase < numPhases; ++phase)
      if (unsigned cost = elementCost(nest, nest.neededElements(phases, phase)); cost > most)
        longest = phase, most = cost;
    return longest;
  }
  /// Whether nothing but truth values is computed, whose integers are masks in other words.
  static bool isOfTruth(const LoopNest &nest) {
    return llvm::all_of(nest.steps, [](const NestStep &step) {
      switch (step.kind) {
      case NestStep::Load: return step.dtype == DType::Bool;
      case NestStep::Convert: return step.dtype == DType::Bool || step.dtype == DType::Int64;
      case NestStep::Body: return step.compute == DType::Bool && step.numTensors == step.inputs.size();
      default: return false;
      }
    });
  }
  /// The bytes of the widest integer in memory, where the low bits of what is computed depend on no others; else 0.
  static size_t bytesOfIntegers(const LoopNest &nest) {
    const bool isOfLowBits = llvm::all_of(nest.steps, [](const NestStep &step) {
      switch (step.kind) {
      case NestStep::Load:
      case NestStep::Convert: return isIntegral(step.dtype);
      case NestStep::Uniform:
      case NestStep::Constant: return step.dtype == DType::Int64;
      case NestStep::Body: return step.compute == DType::Int64 && isBodyOfLowBits(step.compute, step.index);
      default: return false;
      }
    });
    size_t widest = 0;
    if (!isOfLowBits)
      return widest;
    for (const NestStep &step : nest.steps)
      if (step.kind == NestStep::Load)
        widest = std::max(widest, itemSize(step.dtype));
    for (const NestStore &store : nest.stores)
      widest = std::max(widest, itemSize(nest.operands[store.operand].dtype));
    return widest;
  }
  /// As many as the widest type that matters fills a register with; folds of rows are defined on 16.
  static unsigned lanesOfOne(const LoopNest &nest, const codegen::TargetTraits &traits) {
    if (const size_t bytes = bytesOfIntegers(nest))
      return traits.vectorBytes / static_cast<unsigned>(bytes);
    size_t narrowest = isOfTruth(nest) ? 1 : 8;
    for (const NestStep &step : nest.steps) {
      if (step.kind == NestStep::Fold && (nest.foldMode != FoldMode::Columns || step.alongRow))
        return foldLanes;
      if (step.kind == NestStep::Body)
        narrowest = std::min<size_t>(narrowest, step.compute == DType::Float ? 4 : 8);
      else if (step.kind == NestStep::Convert || step.kind == NestStep::Load)
        narrowest = std::min<size_t>(narrowest, std::max<size_t>(4, itemSize(step.dtype)));
    }
    return traits.vectorBytes / static_cast<unsigned>(narrowest);
  }

  llvm::Argument *argument(Parameter p) { return function->getArg(static_cast<unsigned>(p)); }
  BasicBlock *block(const char *name) { return BasicBlock::Create(context, name, function); }

  void emitOnce() {
    values.resize(nest.steps.size());
    for (unsigned i = 0; i != nest.steps.size(); ++i)
      if (nest.steps[i].level == Level::Once)
        values[i] = emitStep(nest.steps[i]);
  }

  void emitRow(Value *row) {
    operands->enterRow(row);
    for (unsigned phase = 0; phase != numPhases; ++phase) {
      for (unsigned i = 0; i != nest.steps.size(); ++i)
        if (nest.steps[i].level == Level::Row && nest.steps[i].kind != NestStep::Fold && phases[i] == phase)
          values[i] = emitStep(nest.steps[i]);
      for (const NestStore &store : nest.stores)
        if (nest.steps[store.step].level != Level::Element && phases[store.step] == phase && !nest.writesRow(store))
          operands->storeOne(values[store.step].value, store.operand);
      emitElements(phase);
    }
  }

  /// Folds take the elements in blocks; without folds all of them are one.
  void emitElements(unsigned phase) {
    currentPhase = phase;
    neededSteps = nest.neededElements(phases, phase);
    if (llvm::none_of(neededSteps, [](bool b) { return b; }))
      return;
    std::vector<RowFold> folds = openFolds(phase);
    if (nest.foldMode == FoldMode::Columns || folds.empty()) {
      emitStrips(ir.getInt64(0), argument(Parameter::Count), folds);
      for (RowFold &fold : folds)
        ir.CreateAlignedStore(fold.lanes, operands->rowPointer(nest.steps[fold.step].index), llvm::Align(64));
      return;
    }
    BasicBlock *before = ir.GetInsertBlock(), *body = block("block"), *after = block("blocks");
    ir.CreateCondBr(ir.CreateICmpSGT(argument(Parameter::Count), ir.getInt64(0)), body, after);
    ir.SetInsertPoint(body);
    llvm::PHINode *begin = ir.CreatePHI(ir.getInt64Ty(), 2, "b");
    begin->addIncoming(ir.getInt64(0), before);
    Value *next = ir.CreateAdd(begin, ir.getInt64(foldBlock));
    emitStrips(begin, ir.CreateBinaryIntrinsic(llvm::Intrinsic::umin, next, argument(Parameter::Count)), folds);
    Value *number = ir.CreateLShr(begin, llvm::Log2_64(foldBlock));
    for (RowFold &fold : folds)
      if (nest.foldMode == FoldMode::Rows)
        fold.emitter.finishBlock(fold.lanes, number);
      else
        storeBlock(nest.steps[fold.step], fold.emitter.finishLanes(fold.lanes), number);
    begin->addIncoming(next, ir.GetInsertBlock());
    ir.CreateCondBr(ir.CreateICmpSLT(next, argument(Parameter::Count)), body, after);
    ir.SetInsertPoint(after);
    if (nest.foldMode == FoldMode::Rows)
      for (RowFold &fold : folds)
        values[fold.step] = fold.emitter.finishRow(argument(Parameter::Count));
  }

  /// A fold that a phase's elements go into.
  struct RowFold {
    unsigned step;
    RowFoldEmitter emitter;
    Value *lanes; ///< So far.
  };
  std::vector<RowFold> openFolds(unsigned phase) {
    std::vector<RowFold> folds;
    for (unsigned s = 0; s != nest.steps.size(); ++s) {
      const NestStep &step = nest.steps[s];
      const bool isOfColumns = nest.foldMode == FoldMode::Columns && !step.alongRow;
      if (step.kind != NestStep::Fold || isOfColumns || phases[s] != phase + 1)
        continue;
      RowFoldEmitter emitter(state, step.fold, step.dtype);
      Value *lanes = emitter.initial();
      if (step.alongRow) // the row began in an earlier call
        lanes = ir.CreateAlignedLoad(lanes->getType(), operands->rowPointer(step.index), llvm::Align(64));
      folds.push_back({s, emitter, lanes});
    }
    return folds;
  }

  /// Elements [begin, end): whole vectors first, then what is left under a mask. That is two vectors at most, so that a
  /// short row costs no four, and compiles sooner. Large kernels have one loop for both.
  void emitStrips(Value *begin, Value *end, std::vector<RowFold> &folds) {
    if (isSmall) {
      Value *whole = ir.CreateAnd(ir.CreateSub(end, begin), ir.getInt64(-int64_t{state.lanes}));
      whole = ir.CreateAdd(begin, whole);
      emitStripLoop(begin, whole, folds, false);
      begin = whole;
    }
    unsigned all = state.lanes, some = std::min(maxLanes, lanesOfOne(nest, traits) * 2);
    if (all <= some)
      return emitStripLoop(begin, end, folds, true);
    std::vector<VectorValue> wide = values;
    state.lanes = some;
    for (auto [step, value] : llvm::zip(nest.steps, values))
      if (step.level != Level::Element)
        value = {state.firstLanes(value.value), state.firstLanes(value.mask)};
    emitStripLoop(begin, end, folds, true);
    state.lanes = all;
    values = std::move(wide);
  }

  void emitStripLoop(Value *begin, Value *end, std::vector<RowFold> &folds, bool isMasked) {
    BasicBlock *before = ir.GetInsertBlock(), *body = block("element"), *after = block("end");
    ir.CreateCondBr(ir.CreateICmpSLT(begin, end), body, after);
    ir.SetInsertPoint(body);
    llvm::PHINode *i = ir.CreatePHI(ir.getInt64Ty(), 2, "i");
    i->addIncoming(begin, before);
    llvm::SmallVector<llvm::PHINode *, 2> lanes;
    for (RowFold &fold : folds) {
      lanes.push_back(ir.CreatePHI(fold.lanes->getType(), 2));
      lanes.back()->addIncoming(fold.lanes, before);
    }
    operands->enterVector(i, isMasked ? ir.CreateSub(end, i) : nullptr);
    bool isHot = !isMasked || !isSmall; // else it is the end of a row
    if (isHot)
      emitPrefetches();
    for (unsigned s = 0; s != nest.steps.size(); ++s)
      if (neededSteps[s] && nest.steps[s].level == Level::Element)
        values[s] = emitStep(nest.steps[s]);
    emitStores(isHot);
    auto element = [&](unsigned step) { return values[nest.steps[step].inputs[0]].value; };
    for (ColumnFold &fold : columnFolds)
      fold.emitter.step(fold.emitter.accumulators(currentRow, wholeVectors, i), element(fold.step));
    llvm::SmallVector<Value *, 2> taken;
    for (auto [fold, lane] : llvm::zip(folds, lanes))
      taken.push_back(fold.emitter.step(lane, element(fold.step), operands->laneMask()));
    Value *next = ir.CreateAdd(i, ir.getInt64(state.lanes));
    BasicBlock *last = ir.GetInsertBlock();
    i->addIncoming(next, last);
    ir.CreateCondBr(ir.CreateICmpSLT(next, end), body, after);
    ir.SetInsertPoint(after);
    for (auto [fold, lane, result] : llvm::zip(folds, lanes, taken)) {
      lane->addIncoming(result, last);
      llvm::PHINode *either = ir.CreatePHI(result->getType(), 2);
      either->addIncoming(fold.lanes, before);
      either->addIncoming(result, last);
      fold.lanes = either;
    }
  }

  /// Where a row that is in the cache is walked again, the next one is fetched meanwhile, or the first walk would wait
  /// for memory; the walk that computes most leaves memory most time. Elements that are walked once are fetched a page
  /// ahead where the processor's own prefetching ends with each page; elsewhere half a page ahead and into the second
  /// cache, and only where nothing is written, little is computed, and the inputs come from memory.
  void emitPrefetches() {
    if (bytesAhead.empty() || (!isWalkedOnce && currentPhase != longestRewalk))
      return;
    BasicBlock *after = nullptr;
    if (fetchesWhenTold) {
      BasicBlock *ahead = block("ahead");
      after = block("fetched");
      ir.CreateCondBr(operands->isStreaming(), ahead, after);
      ir.SetInsertPoint(ahead);
    }
    for (auto [k, distance] : bytesAhead)
      operands->prefetch(k, distance, fetchesWhenTold ? CacheLevel::Second : CacheLevel::First);
    if (after) {
      ir.CreateBr(after);
      ir.SetInsertPoint(after);
    }
  }
  /// Short rows come in time a page ahead, which is more than the next of them.
  void emitBytesAhead() {
    constexpr unsigned little = 4; // instructions an element; with more, the processor's own prefetching keeps up
    if (fetchesWhenTold && (nest.foldMode != FoldMode::Blocks || elementCost(nest) > little))
      return;
    const int64_t least = fetchesWhenTold ? 2048 : 4096;
    constexpr int64_t longest = 16384; // elements that a cache holds besides what else is there
    Value *isShort = ir.CreateICmpULE(argument(Parameter::Count), ir.getInt64(longest));
    for (unsigned k = 0; k != nest.operands.size(); ++k) {
      if (!isRowRead(nest.operands[k]))
        continue;
      Value *ahead = ir.getInt64(least);
      if (!isWalkedOnce)
        ahead = ir.CreateSelect(
            isShort, ir.CreateBinaryIntrinsic(llvm::Intrinsic::smax, operands->outerStride(k), ahead), ahead);
      bytesAhead.push_back({k, ahead});
    }
  }
  bool findWhetherWalkedOnce() const {
    return llvm::none_of(nest.steps, [&](const NestStep &step) {
      return step.level == Level::Element && phases[&step - nest.steps.data()] != 0;
    });
  }
  static bool isRowRead(const NestOperand &operand) {
    return !operand.isOutput && !operand.isKept && operand.access == Access::Contiguous;
  }

  void storeBlock(const NestStep &fold, Value *result, Value *number) {
    assert(fold.kind == NestStep::Fold && nest.foldMode == FoldMode::Blocks &&
           "a fold whose blocks the caller combines");
    Value *at = ir.CreateGEP(result->getType(), operands->rowPointer(fold.index), number);
    ir.CreateAlignedStore(result, at, llvm::Align(itemSize(fold.dtype)));
  }

  /// A fold of a block of rows.
  struct ColumnFold {
    unsigned step;
    ColumnFoldEmitter emitter;
  };
  void openColumnFolds() {
    if (nest.foldMode != FoldMode::Columns)
      return;
    for (unsigned s = 0; s != nest.steps.size(); ++s)
      if (nest.steps[s].kind == NestStep::Fold && !nest.steps[s].alongRow)
        columnFolds.push_back({s, ColumnFoldEmitter(state, nest.steps[s].fold, nest.steps[s].dtype)});
    Value *lanes = ir.getInt64(state.lanes);
    wholeVectors =
        ir.CreateAnd(ir.CreateAdd(argument(Parameter::Count), ir.getInt64(state.lanes - 1)), ir.CreateNeg(lanes));
    emitVectorLoop("clear", ir.CreateMul(wholeVectors, ir.getInt64(foldLanes)), [&](Value *i) {
      for (ColumnFold &fold : columnFolds)
        fold.emitter.initialize(fold.emitter.accumulators(ir.getInt64(0), wholeVectors, i));
    });
  }

  /// Combines the accumulators into what the block comes to.
  void finishColumnFolds() {
    if (columnFolds.empty())
      return;
    emitVectorLoop("columns", argument(Parameter::Count), [&](Value *i) {
      Value *inside = operands->lanesInside(ir.CreateSub(argument(Parameter::Count), i));
      for (ColumnFold &fold : columnFolds) {
        const NestStep &step = nest.steps[fold.step];
        Value *to = ir.CreateGEP(elementType(ir, step.dtype), operands->base(step.index), i);
        ir.CreateMaskedStore(fold.emitter.finish(wholeVectors, i), to, llvm::Align(itemSize(step.dtype)), inside);
      }
    });
  }

  /// body(i) for each vector of `count` elements, 1 at least.
  void emitVectorLoop(const char *name, Value *count, llvm::function_ref<void(Value *)> body) {
    BasicBlock *before = ir.GetInsertBlock(), *loop = block(name), *after = block("after");
    ir.CreateBr(loop);
    ir.SetInsertPoint(loop);
    llvm::PHINode *i = ir.CreatePHI(ir.getInt64Ty(), 2);
    i->addIncoming(ir.getInt64(0), before);
    body(i);
    Value *next = ir.CreateAdd(i, ir.getInt64(state.lanes));
    i->addIncoming(next, ir.GetInsertBlock());
    ir.CreateCondBr(ir.CreateICmpSLT(next, count), loop, after);
    ir.SetInsertPoint(after);
  }

  VectorValue emitStep(const NestStep &step) {
    llvm::Type *vector = state.vectorOf(computedElement(state, step.dtype));
    switch (step.kind) {
    case NestStep::Load: return operands->load(step.index);
    case NestStep::Uniform: {
      Value *slot = ir.CreateConstInBoundsGEP1_32(ir.getInt64Ty(), argument(Parameter::Uniforms), step.index);
      return {ir.CreateVectorSplat(state.lanes, ir.CreateLoad(vector->getScalarType(), slot))};
    }
    case NestStep::Constant: {
      llvm::Type *element = vector->getScalarType();
      llvm::APInt bits(element->getPrimitiveSizeInBits(), step.bits);
      auto *number = element->isIntegerTy()
                         ? static_cast<llvm::Constant *>(llvm::ConstantInt::get(element, bits))
                         : llvm::ConstantFP::get(element, llvm::APFloat(element->getFltSemantics(), bits));
      return {llvm::ConstantVector::getSplat(llvm::ElementCount::getFixed(state.lanes), number)};
    }
    case NestStep::Convert:
      return emitConversion(state, values[step.inputs[0]], nest.steps[step.inputs[0]].dtype, step.dtype);
    case NestStep::Body: return emitBodyStep(step);
    case NestStep::Combine: {
      FoldEmitter fold(state, step.fold, step.dtype);
      return {fold.combine(values[step.inputs[0]].value, values[step.inputs[1]].value)};
    }
    case NestStep::Keep: return emitKeep(step);
    case NestStep::Fold: break;
    }
    return {};
  }

  VectorValue emitKeep(const NestStep &step) {
    assert(nest.operands[step.index].isKept && "what is kept has a row of the kernel's own");
    if (currentPhase > phases[step.inputs[0]])
      return operands->load(step.index);
    VectorValue value = values[step.inputs[0]];
    operands->keep(value.value, step.index);
    return value;
  }

  VectorValue emitBodyStep(const NestStep &step) {
    llvm::SmallVector<VectorValue, 4> inputs;
    for (unsigned input : step.inputs)
      inputs.push_back(values[input]);
    llvm::ArrayRef<VectorValue> all = inputs;
    return emitBody(state, step.compute, step.index, all.take_front(step.numTensors), all.drop_front(step.numTensors));
  }

  void emitStores(bool mayStream) {
    llvm::SmallVector<std::pair<Value *, unsigned>, 4> stored;
    for (const NestStore &store : nest.stores)
      if (nest.writesRow(store) && phases[store.step] == currentPhase)
        stored.push_back({values[store.step].value, store.operand});
    operands->store(stored, mayStream);
  }

  const LoopNest &nest;
  const bool isSmall = elementCost(nest) <= largestSmall;
  llvm::LLVMContext &context;
  llvm::IRBuilder<> ir;
  const codegen::TargetTraits traits;
  VectorState state;
  llvm::Function *function;
  const std::vector<unsigned> phases = nest.findPhases();
  const unsigned numPhases = 1 + *std::max_element(phases.begin(), phases.end());
  const unsigned longestRewalk = findLongestRewalk();
  const bool isWalkedOnce = findWhetherWalkedOnce();
  const bool fetchesWhenTold = isWalkedOnce && !traits.stopsAtPages;
  unsigned currentPhase = 0;
  std::optional<OperandEmitter> operands;                        ///< From the entry on.
  llvm::SmallVector<std::pair<unsigned, Value *>, 4> bytesAhead; ///< By operand; for prefetches.
  std::vector<VectorValue> values;
  std::vector<bool> neededSteps; ///< For each element of the phase.
  Value *currentRow = nullptr;
  std::vector<ColumnFold> columnFolds;
  Value *wholeVectors = nullptr; ///< The number of columns, rounded up.
};
} // namespace

llvm::Function *fuser::emitNest(const LoopNest &nest, llvm::Module &module, llvm::StringRef name,
                                const codegen::TargetTraits &traits) {
  assert(!nest.steps.empty() && "a nest computes something");
  assert(llvm::isPowerOf2_32(traits.vectorBytes) && "vectors are of a power of two of bytes");
  return NestEmitter(nest, module, name, traits).emit();
}
