//===- EmitFold.cpp - Folds as vector IR ----------------------------------===//
#include "EmitFold.h"
#include "llvm/IR/PatternMatch.h"
#include <limits>

using namespace tsc;
using namespace tsc::fuser;
using llvm::BasicBlock;
using llvm::Value;

static llvm::Type *foldType(llvm::IRBuilder<> &ir, DType dtype) {
  assert((dtype == DType::Float || dtype == DType::Double || dtype == DType::Int64) && "what elements are folded as");
  return dtype == DType::Float ? ir.getFloatTy() : dtype == DType::Double ? ir.getDoubleTy() : ir.getInt64Ty();
}

FoldEmitter::FoldEmitter(VectorState &state, FoldKind kind, DType dtype)
    : state(state), ir(state.ir), kind(kind), element(foldType(ir, dtype)) {}

Value *FoldEmitter::initial(unsigned lanes) const {
  bool isReal = element->isFloatingPointTy();
  auto least = [&](bool negative) -> llvm::Constant * {
    if (isReal)
      return llvm::ConstantFP::getInfinity(element, negative);
    int64_t value = negative ? std::numeric_limits<int64_t>::min() : std::numeric_limits<int64_t>::max();
    return llvm::ConstantInt::getSigned(element, value);
  };
  llvm::Constant *value = nullptr;
  switch (kind) {
  case FoldKind::Sum:
  case FoldKind::Mean: value = llvm::Constant::getNullValue(element); break;
  case FoldKind::Product:
    value = isReal ? llvm::ConstantFP::get(element, 1.0) : llvm::ConstantInt::get(element, 1);
    break;
  case FoldKind::Max: value = least(true); break;
  case FoldKind::Min: value = least(false); break;
  }
  return llvm::ConstantVector::getSplat(llvm::ElementCount::getFixed(lanes), value);
}

Value *FoldEmitter::combine(Value *a, Value *b) {
  bool isReal = element->isFloatingPointTy();
  switch (kind) {
  case FoldKind::Sum:
  case FoldKind::Mean: return isReal ? ir.CreateFAdd(a, b) : ir.CreateAdd(a, b);
  case FoldKind::Product: return isReal ? ir.CreateFMul(a, b) : ir.CreateMul(a, b);
  case FoldKind::Max:
  case FoldKind::Min: break;
  }
  bool isMax = kind == FoldKind::Max;
  if (!isReal)
    return ir.CreateSelect(isMax ? ir.CreateICmpSLE(b, a) : ir.CreateICmpSGE(b, a), a, b);
  // One instruction that keeps a NaN of `a`; whether `b` is one is known while that runs.
  Value *beyond = ir.CreateSelect(isMax ? ir.CreateFCmpOGT(b, a) : ir.CreateFCmpOLT(b, a), b, a);
  return ir.CreateSelect(ir.CreateFCmpUNO(b, b), b, beyond);
}

/// The negation of a mask, which a comparison gives at no cost.
static Value *invert(llvm::IRBuilder<> &ir, Value *mask) {
  if (auto *compare = llvm::dyn_cast<llvm::CmpInst>(mask))
    return ir.CreateCmp(compare->getInversePredicate(), compare->getOperand(0), compare->getOperand(1));
  return ir.CreateNot(mask);
}

/// Of elements that are +0 but where a mask holds: that mask, and what they are there. Null of others.
static std::pair<Value *, Value *> splitZeros(llvm::IRBuilder<> &ir, Value *elements) {
  using namespace llvm::PatternMatch;
  Value *condition, *number;
  if (match(elements, m_Select(m_Value(condition), m_Value(number), m_PosZeroFP())))
    return {condition, number};
  if (match(elements, m_Select(m_Value(condition), m_PosZeroFP(), m_Value(number))))
    return {invert(ir, condition), number};
  return {};
}

/// A sum is an addition under a mask: lanes begin with +0 and are never -0, so that adding 0 would change nothing. That
/// holds for lanes outside of the row and for elements that are 0 by a condition, as gradients of a clamp are.
Value *FoldEmitter::combineLanes(Value *lanes, Value *elements, Value *mask) {
  if (isSum()) {
    if (auto [kept, number] = splitZeros(ir, elements); kept) {
      mask = mask ? ir.CreateAnd(mask, kept) : kept;
      elements = number;
    }
    return mask ? ir.CreateSelect(mask, combine(lanes, elements), lanes) : combine(lanes, elements);
  }
  return combine(lanes, maskOut(elements, mask));
}

/// What a fold begins with changes nothing where it stands for an element.
Value *FoldEmitter::maskOut(Value *elements, Value *mask) const {
  return mask ? ir.CreateSelect(mask, elements, initial(state.lanes)) : elements;
}

//===- Of rows ------------------------------------------------------------===//

Value *RowFoldEmitter::step(Value *lanes, Value *elements, Value *mask) {
  assert(state.lanes % foldLanes == 0 && "vectors are taken apart into lanes of a block");
  if (state.lanes == foldLanes)
    return combineLanes(lanes, elements, mask);
  Value *inside = maskOut(elements, mask);
  auto *type = llvm::FixedVectorType::get(element, foldLanes);
  auto part = [&](unsigned first) { return ir.CreateExtractVector(type, inside, ir.getInt64(first)); };
  // The first of equal elements wins, and NaN over all, in any grouping that keeps the order: what does not wait for
  // the lanes goes first.
  bool lanesGoLast = kind == FoldKind::Max || kind == FoldKind::Min;
  Value *result = lanesGoLast ? part(0) : combine(lanes, part(0));
  for (unsigned first = foldLanes; first != state.lanes; first += foldLanes)
    result = combine(result, part(first));
  return lanesGoLast ? combine(lanes, result) : result;
}

Value *RowFoldEmitter::level(Value *index) {
  if (!levels)
    levels = state.frameSlot(llvm::ArrayType::get(element, 64), 64);
  return ir.CreateGEP(element, levels, index);
}

Value *RowFoldEmitter::finishLanes(Value *lanes) {
  for (int width = foldLanes / 2; width; width /= 2) {
    llvm::SmallVector<int, 8> low, high;
    for (int k = 0; k != width; ++k)
      low.push_back(k), high.push_back(k + width);
    lanes = combine(ir.CreateShuffleVector(lanes, low), ir.CreateShuffleVector(lanes, high));
  }
  return ir.CreateExtractElement(lanes, uint64_t{0});
}

void RowFoldEmitter::finishBlock(Value *lanes, Value *block) {
  Value *result = finishLanes(lanes);
  // As many results are combined as the block's number ends in ones.
  BasicBlock *before = ir.GetInsertBlock(), *carry = BasicBlock::Create(ir.getContext(), "carry", state.function);
  BasicBlock *test = BasicBlock::Create(ir.getContext(), "count", state.function, carry);
  BasicBlock *stored = BasicBlock::Create(ir.getContext(), "counted", state.function);
  ir.CreateBr(test);
  ir.SetInsertPoint(test);
  llvm::PHINode *value = ir.CreatePHI(element, 2), *digits = ir.CreatePHI(ir.getInt64Ty(), 2),
                *index = ir.CreatePHI(ir.getInt64Ty(), 2);
  value->addIncoming(result, before);
  digits->addIncoming(block, before);
  index->addIncoming(ir.getInt64(0), before);
  Value *at = level(index);
  ir.CreateCondBr(ir.CreateTrunc(digits, ir.getInt1Ty()), carry, stored);
  ir.SetInsertPoint(carry);
  value->addIncoming(combine(ir.CreateLoad(element, at), value), carry);
  digits->addIncoming(ir.CreateLShr(digits, 1), carry);
  index->addIncoming(ir.CreateAdd(index, ir.getInt64(1)), carry);
  ir.CreateBr(test);
  ir.SetInsertPoint(stored);
  ir.CreateStore(value, at);
}

VectorValue RowFoldEmitter::finishRow(Value *count) {
  Value *one = ir.getInt64(1);
  Value *blocks = ir.CreateLShr(ir.CreateAdd(count, ir.getInt64(foldBlock - 1)), llvm::Log2_64(foldBlock));
  Value *lowest = ir.CreateBinaryIntrinsic(llvm::Intrinsic::cttz, blocks, ir.getFalse());
  Value *first = ir.CreateLoad(element, level(lowest)), *higher = ir.CreateAdd(lowest, one);
  BasicBlock *before = ir.GetInsertBlock(), *digit = BasicBlock::Create(ir.getContext(), "digit", state.function);
  BasicBlock *test = BasicBlock::Create(ir.getContext(), "digits", state.function, digit);
  BasicBlock *after = BasicBlock::Create(ir.getContext(), "folded", state.function);
  ir.CreateBr(test);
  ir.SetInsertPoint(test);
  llvm::PHINode *result = ir.CreatePHI(element, 2), *index = ir.CreatePHI(ir.getInt64Ty(), 2);
  result->addIncoming(first, before);
  index->addIncoming(higher, before);
  Value *left = ir.CreateLShr(blocks, index);
  ir.CreateCondBr(ir.CreateICmpNE(left, ir.getInt64(0)), digit, after);
  ir.SetInsertPoint(digit);
  // A digit that is none keeps the result; its slot may hold anything.
  Value *combined = combine(ir.CreateLoad(element, level(index)), result);
  result->addIncoming(ir.CreateSelect(ir.CreateTrunc(left, ir.getInt1Ty()), combined, result), digit);
  index->addIncoming(ir.CreateAdd(index, one), digit);
  ir.CreateBr(test);
  ir.SetInsertPoint(after);
  Value *total = result;
  assert((kind != FoldKind::Mean || element->isFloatingPointTy()) && "a mean is of real numbers");
  if (kind == FoldKind::Mean)
    total = ir.CreateFDiv(total, ir.CreateSIToFP(count, element));
  return {ir.CreateVectorSplat(state.lanes, total)};
}

//===- Of columns ---------------------------------------------------------===//

ColumnFoldEmitter::ColumnFoldEmitter(VectorState &state, FoldKind kind, DType dtype)
    : FoldEmitter(state, kind, dtype), vector(state.vectorOf(element)),
      memory(state.frameSlot(llvm::ArrayType::get(element, foldLanes * maxFoldColumns), 64)),
      align(std::min<uint64_t>(64, state.lanes * element->getPrimitiveSizeInBits() / 8)) {
  assert(maxFoldColumns % state.lanes == 0 && "columns are rounded up to whole vectors");
}

Value *ColumnFoldEmitter::accumulators(Value *row, Value *width, Value *column) {
  Value *lane = ir.CreateAnd(row, foldLanes - 1);
  return ir.CreateGEP(element, memory, ir.CreateAdd(ir.CreateMul(lane, width), column));
}

void ColumnFoldEmitter::initialize(Value *at) { ir.CreateAlignedStore(initial(state.lanes), at, align); }

void ColumnFoldEmitter::step(Value *at, Value *elements) {
  ir.CreateAlignedStore(combineLanes(ir.CreateAlignedLoad(vector, at, align), elements), at, align);
}

Value *ColumnFoldEmitter::finish(Value *width, Value *column) {
  llvm::SmallVector<Value *, foldLanes> lanes;
  for (int lane = 0; lane != foldLanes; ++lane)
    lanes.push_back(ir.CreateAlignedLoad(vector, accumulators(ir.getInt64(lane), width, column), align));
  for (int count = foldLanes / 2; count; count /= 2)
    for (int lane = 0; lane != count; ++lane)
      lanes[lane] = combine(lanes[lane], lanes[lane + count]);
  return lanes.front();
}
