//===- VectorBuilder.cpp - Scalar bodies as vector IR ---------------------===//
#include "VectorBuilder.h"
#include "llvm/Analysis/VectorUtils.h"
#include "llvm/IR/IntrinsicsX86.h"
#include <numeric>

using namespace tsc;
using namespace tsc::fuser;
using llvm::Type;

llvm::AllocaInst *VectorState::frameSlot(Type *type, unsigned alignment) {
  assert(function && !function->empty() && "the frame is that of a function that has begun");
  llvm::IRBuilder<>::InsertPointGuard guard(ir);
  llvm::BasicBlock &entry = function->getEntryBlock();
  ir.SetInsertPoint(&entry, entry.begin());
  llvm::AllocaInst *slot = ir.CreateAlloca(type);
  slot->setAlignment(llvm::Align(alignment));
  return slot;
}

llvm::Value *VectorState::firstLanes(llvm::Value *vector) const {
  if (!vector || vector->getType() == vectorOf(vector->getType()->getScalarType()))
    return vector;
  llvm::SmallVector<int, 64> first(lanes);
  std::iota(first.begin(), first.end(), 0);
  return ir.CreateShuffleVector(vector, first);
}

llvm::Value *VectorState::isNaN(llvm::Value *vector) {
  auto *definition = llvm::dyn_cast<llvm::Instruction>(vector);
  if (!definition || definition->getParent() == ir.GetInsertBlock())
    return ir.CreateFCmpUNO(vector, vector);
  llvm::Value *&test = nanTests[vector];
  if (!test) {
    llvm::IRBuilder<>::InsertPointGuard guard(ir);
    ir.SetInsertPoint(*definition->getInsertionPointAfterDef());
    test = ir.CreateFCmpUNO(vector, vector);
  }
  return test;
}

llvm::Value *VectorState::callRoutine(Routine routine, llvm::Value *a, llvm::Value *b) {
  assert(a && (!b || b->getType() == a->getType()) && "both operands are of the type of the first");
  Type *pointer = ir.getPtrTy();
  Type *arrayType = llvm::ArrayType::get(pointer, 2);
  llvm::Value *operands[2] = {a, b};
  llvm::Value *array = frameSlot(arrayType, 8), *result = frameSlot(a->getType(), 64);
  for (unsigned i = 0; i != (b ? 2 : 1); ++i) {
    llvm::Value *slot = frameSlot(a->getType(), 64);
    ir.CreateAlignedStore(operands[i], slot, llvm::Align(64));
    ir.CreateStore(slot, ir.CreateConstInBoundsGEP2_32(arrayType, array, 0, i));
  }
  llvm::Value *steps = frameSlot(ir.getInt16Ty(), 2);
  ir.CreateStore(ir.getInt16(0x0101), steps);
  unsigned index = routineIndex(routine, a->getType()->getScalarType()->isDoubleTy());
  llvm::Value *target = ir.CreateLoad(pointer, ir.CreateConstInBoundsGEP1_32(pointer, routines, index));
  auto *signature =
      llvm::FunctionType::get(ir.getVoidTy(), {pointer, pointer, pointer, pointer, ir.getInt64Ty()}, false);
  ir.CreateCall(signature, target,
                {result, array, steps, llvm::ConstantPointerNull::get(ir.getPtrTy()), ir.getInt64(lanes)});
  return ir.CreateAlignedLoad(a->getType(), result, llvm::Align(64));
}

VectorValue RealBuilder::constant(double v) {
  return {isDouble ? llvm::ConstantFP::get(type, v)
                   : llvm::ConstantFP::get(type, llvm::APFloat(static_cast<float>(v)))};
}

namespace {
#define TSC_MATH_INLINE
#include "tsc/Kernels/ScalarMath.inc"
#undef TSC_MATH_INLINE
using Math = FloatMath<RealBuilder>;
} // namespace

/// What `instruction` gives for each `width` lanes of the operands.
static llvm::Value *byParts(VectorState &s, unsigned width, llvm::ArrayRef<llvm::Value *> operands,
                            llvm::function_ref<llvm::Value *(llvm::ArrayRef<llvm::Value *>)> instruction) {
  assert(s.lanes % width == 0 && "a vector is taken apart into whole ones");
  if (s.lanes == width)
    return instruction(operands);
  llvm::SmallVector<llvm::Value *, 4> results;
  for (unsigned first = 0; first != s.lanes; first += width) {
    llvm::SmallVector<llvm::Value *, 2> parts;
    for (llvm::Value *operand : operands) {
      auto *type = llvm::FixedVectorType::get(operand->getType()->getScalarType(), width);
      parts.push_back(s.ir.CreateExtractVector(type, operand, s.ir.getInt64(first)));
    }
    results.push_back(instruction(parts));
  }
  return llvm::concatenateVectors(s.ir, results);
}

/// Without the instruction it is rounded twice, as in the eager kernels.
VectorValue RealBuilder::fma(V a, V b, V c) {
  if (!s.traits.hasFma)
    return add(mul(a, b), c);
  return {ir.CreateIntrinsic(llvm::Intrinsic::fma, {type}, {a.value, b.value, c.value})};
}

VectorValue RealBuilder::scale(V y, V n) {
  constexpr unsigned width = 16; // lanes of the instruction
  if (!s.traits.hasScalef || s.lanes % width != 0)
    return Math::scaleInTwoSteps(*this, y, n);
  return {byParts(s, width, {y.value, n.value}, [&](llvm::ArrayRef<llvm::Value *> parts) {
    constexpr int currentRounding = 4;
    llvm::Value *zero = llvm::Constant::getNullValue(parts[0]->getType());
    return ir.CreateIntrinsic(llvm::Intrinsic::x86_avx512_mask_scalef_ps_512, {},
                              {parts[0], parts[1], zero, ir.getInt16(-1), ir.getInt32(currentRounding)});
  })};
}

/// The entries are chosen by one bit of the indices after the other.
VectorValue RealBuilder::select(const float (&table)[8], Int index) {
  assert(!isDouble && "entries are floats");
  llvm::SmallVector<V, 8> entries;
  for (float entry : table)
    entries.push_back({llvm::ConstantFP::get(type, llvm::APFloat(entry))});
  for (int64_t bit = 1; entries.size() != 1; bit *= 2) {
    M isSet = intTruth(intAnd(index, intConstant(bit)));
    for (size_t i = 0; i != entries.size() / 2; ++i)
      entries[i] = where(isSet, entries[2 * i + 1], entries[2 * i]);
    entries.resize(entries.size() / 2);
  }
  return entries.front();
}

VectorValue RealBuilder::lookup(const float (&table)[8], Int index) {
  // The instructions heed as many bits of an index as their lanes have numbers.
  bool isWide = s.traits.permutedFloats >= 16 && s.lanes % 16 == 0;
  if (!isWide && (s.traits.permutedFloats < 8 || s.lanes % 8 != 0))
    return select(table, index);
  llvm::SmallVector<float, 16> entries(std::begin(table), std::end(table));
  if (isWide)
    entries.append(std::begin(table), std::end(table));
  llvm::Constant *vector = llvm::ConstantDataVector::get(ir.getContext(), entries);
  auto permute = isWide ? llvm::Intrinsic::x86_avx512_permvar_sf_512 : llvm::Intrinsic::x86_avx2_permps;
  return {byParts(s, isWide ? 16 : 8, {index}, [&](llvm::ArrayRef<llvm::Value *> parts) {
    return ir.CreateIntrinsic(permute, {}, {vector, parts[0]});
  })};
}

#define TSC_FLOAT_FUNCTION(NAME)                                                                                       \
  VectorValue RealBuilder::NAME(V x) {                                                                                 \
    return isDouble ? V{s.callRoutine(Routine::NAME, x.value)} : Math::NAME(*this, x);                                 \
  }
// clang-format off
TSC_FLOAT_FUNCTION(exp) TSC_FLOAT_FUNCTION(exp2) TSC_FLOAT_FUNCTION(expm1) TSC_FLOAT_FUNCTION(log) TSC_FLOAT_FUNCTION(log2)
TSC_FLOAT_FUNCTION(log10) TSC_FLOAT_FUNCTION(log1p) TSC_FLOAT_FUNCTION(tanh) TSC_FLOAT_FUNCTION(erf)
// clang-format on
#undef TSC_FLOAT_FUNCTION

VectorValue RealBuilder::sin(V x) {
  return trigonometric(x, Routine::sin, isDouble ? V() : Math::trigonometric<false>(*this, x));
}
VectorValue RealBuilder::cos(V x) {
  return trigonometric(x, Routine::cos, isDouble ? V() : Math::trigonometric<true>(*this, x));
}

/// `moderateValue` where all arguments are moderate; else the routine, which decides lane by lane.
VectorValue RealBuilder::trigonometric(V x, Routine routine, V moderateValue) {
  if (isDouble)
    return {s.callRoutine(routine, x.value)};
  llvm::Value *allModerate = ir.CreateAndReduce(Math::isModerate(*this, x).value);
  llvm::BasicBlock *before = ir.GetInsertBlock();
  auto *large = llvm::BasicBlock::Create(ir.getContext(), "large", s.function);
  auto *after = llvm::BasicBlock::Create(ir.getContext(), "", s.function);
  ir.CreateCondBr(allModerate, after, large);
  ir.SetInsertPoint(large);
  llvm::Value *called = s.callRoutine(routine, x.value);
  ir.CreateBr(after);
  ir.SetInsertPoint(after);
  llvm::PHINode *result = ir.CreatePHI(type, 2);
  result->addIncoming(moderateValue.value, before);
  result->addIncoming(called, large);
  return {result};
}

VectorValue RealBuilder::pow(V a, V b) {
  if (isDouble)
    return {s.callRoutine(Routine::pow, a.value, b.value)};
  RealBuilder wide(s, true);
  V x{ir.CreateFPExt(a.value, wide.type)}, y{ir.CreateFPExt(b.value, wide.type)};
  return {ir.CreateFPTrunc(PowerMath<RealBuilder>::pow(wide, x, y).value, type)};
}
