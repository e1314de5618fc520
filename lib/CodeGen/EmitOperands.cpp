//===- EmitOperands.cpp - A nest's operands as vector IR ------------------===//
#include "EmitOperands.h"
#include "Conversions.h"
#include "llvm/IR/IntrinsicsX86.h"

using namespace tsc;
using namespace tsc::fuser;
using llvm::BasicBlock;
using llvm::Value;

OperandEmitter::OperandEmitter(const LoopNest &nest, VectorState &state, const codegen::TargetTraits &traits)
    : nest(nest), state(state), ir(state.ir), traits(traits) {
  auto element = [&](llvm::Type *type, Parameter array, unsigned index) -> Value * {
    return ir.CreateLoad(type, ir.CreateConstInBoundsGEP1_32(type, argument(array), index));
  };
  llvm::Type *integer = ir.getInt64Ty();
  for (unsigned k = 0; k != nest.operands.size(); ++k) {
    bool isSingle = nest.operands[k].access == Access::Single, isStrided = nest.operands[k].access == Access::Strided;
    bases.push_back(element(ir.getPtrTy(), Parameter::Pointers, k));
    outerStrides.push_back(isSingle ? nullptr : element(integer, Parameter::OuterStrides, k));
    innerStrides.push_back(isStrided ? element(integer, Parameter::InnerStrides, k) : nullptr);
    laneOffsets.push_back(nullptr);
    if (isStrided)
      laneOffsets[k] = ir.CreateMul(ir.CreateVectorSplat(state.lanes, ir.CreateTrunc(innerStrides[k], ir.getInt32Ty())),
                                    laneNumbers());
  }
  rowPointers = bases;
}

void OperandEmitter::enterRow(Value *row) {
  for (unsigned k = 0; k != bases.size(); ++k)
    if (outerStrides[k])
      rowPointers[k] = ir.CreateGEP(ir.getInt8Ty(), bases[k], ir.CreateMul(row, outerStrides[k]));
}

void OperandEmitter::enterVector(Value *at, Value *elements) {
  assert(at && "a vector begins somewhere in the row");
  position = at;
  left = elements;
  mask = left ? lanesInside(left) : nullptr;
}

Value *OperandEmitter::laneNumbers() {
  llvm::SmallVector<llvm::Constant *, 32> numbers;
  for (unsigned lane = 0; lane != state.lanes; ++lane)
    numbers.push_back(ir.getInt32(lane));
  return llvm::ConstantVector::get(numbers);
}

Value *OperandEmitter::lanesInside(Value *elements) {
  assert(elements && "so many elements are left");
  Value *inside = ir.CreateBinaryIntrinsic(llvm::Intrinsic::umin, elements, ir.getInt64(state.lanes));
  return ir.CreateICmpULT(laneNumbers(), ir.CreateVectorSplat(state.lanes, ir.CreateTrunc(inside, ir.getInt32Ty())));
}

Value *OperandEmitter::maskOrAll() {
  return mask ? mask : llvm::ConstantVector::getSplat(llvm::ElementCount::getFixed(state.lanes), ir.getTrue());
}

llvm::Type *OperandEmitter::storedType(unsigned k) {
  DType dtype = nest.operands[k].dtype;
  return dtype == DType::Bool ? ir.getInt8Ty() : elementType(ir, dtype);
}
Value *OperandEmitter::contiguousAddress(unsigned k) {
  assert(position && "elements are addressed in a vector that was entered");
  return ir.CreateGEP(storedType(k), rowPointers[k], position);
}
Value *OperandEmitter::stridedAddress(unsigned k) {
  assert(position && innerStrides[k] && "a vector that was entered, of an operand with a stride");
  return ir.CreateGEP(ir.getInt8Ty(), rowPointers[k], ir.CreateMul(position, innerStrides[k]));
}

Value *OperandEmitter::stridedAddresses(unsigned k) {
  return ir.CreateGEP(ir.getInt8Ty(), stridedAddress(k), state.firstLanes(laneOffsets[k]));
}

VectorValue OperandEmitter::load(unsigned k) {
  assert(k < nest.operands.size() && !nest.operands[k].isOutput && "an operand that is read");
  Value *loaded = loadVector(k);
  if (nest.operands[k].dtype == DType::Bool)
    loaded = ir.CreateICmpNE(loaded, llvm::Constant::getNullValue(loaded->getType()));
  return {loaded};
}

Value *OperandEmitter::loadVector(unsigned k) {
  llvm::Type *type = storedType(k), *vector = state.vectorOf(type);
  Value *zero = llvm::Constant::getNullValue(vector);
  switch (nest.operands[k].access) {
  case Access::Single:
  case Access::Repeated:
    return ir.CreateVectorSplat(state.lanes, ir.CreateAlignedLoad(type, rowPointers[k], alignOf(k)));
  case Access::Contiguous:
    if (!mask)
      return ir.CreateAlignedLoad(vector, contiguousAddress(k), alignOf(k));
    return ir.CreateMaskedLoad(vector, contiguousAddress(k), alignOf(k), mask, zero);
  case Access::Strided:
  case Access::Transposed: break;
  }
  if (!traits.hasGather || alignOf(k).value() < 4)
    return loadLaneByLane(k);
  return ir.CreateMaskedGather(vector, stridedAddresses(k), alignOf(k), maskOrAll(), zero);
}

/// Lanes outside of the row read its last element.
Value *OperandEmitter::loadLaneByLane(unsigned k) {
  auto least = [&](Value *a, Value *b) { return ir.CreateBinaryIntrinsic(llvm::Intrinsic::umin, a, b); };
  Value *last = left ? least(ir.CreateSub(left, ir.getInt64(1)), ir.getInt64(state.lanes - 1)) : nullptr;
  Value *from = stridedAddress(k), *result = llvm::PoisonValue::get(state.vectorOf(storedType(k)));
  for (unsigned lane = 0; lane != state.lanes; ++lane) {
    Value *inside = last ? least(ir.getInt64(lane), last) : ir.getInt64(lane);
    Value *address = ir.CreateGEP(ir.getInt8Ty(), from, ir.CreateMul(inside, innerStrides[k]));
    result = ir.CreateInsertElement(result, ir.CreateAlignedLoad(storedType(k), address, alignOf(k)), lane);
  }
  return result;
}

Value *OperandEmitter::storedValue(Value *value, unsigned k) {
  return nest.operands[k].dtype == DType::Bool ? ir.CreateZExt(value, state.vectorOf(ir.getInt8Ty())) : value;
}

void OperandEmitter::storeOne(Value *value, unsigned k) {
  assert(value && nest.operands[k].isOutput && "a value, and an operand that is written");
  ir.CreateAlignedStore(ir.CreateExtractElement(storedValue(value, k), uint64_t{0}), rowPointers[k], alignOf(k));
}

void OperandEmitter::keep(Value *value, unsigned k) {
  assert(value && nest.operands[k].access == Access::Contiguous && "a value, and an operand that is written as a row");
  if (mask)
    ir.CreateMaskedStore(value, contiguousAddress(k), alignOf(k), mask);
  else
    ir.CreateAlignedStore(value, contiguousAddress(k), alignOf(k));
}

void OperandEmitter::storeStreaming(Value *value, unsigned k) {
  uint64_t size = state.lanes * itemSize(nest.operands[k].dtype);
  auto *store = ir.CreateAlignedStore(value, contiguousAddress(k), llvm::Align(std::min<uint64_t>(size, 64)));
  store->setMetadata(llvm::LLVMContext::MD_nontemporal,
                     llvm::MDNode::get(ir.getContext(), llvm::ConstantAsMetadata::get(ir.getInt32(1))));
}

void OperandEmitter::store(llvm::ArrayRef<std::pair<Value *, unsigned>> values, bool mayStream) {
  llvm::SmallVector<std::pair<Value *, unsigned>, 2> stored;
  for (auto [value, k] : values) {
    assert(nest.operands[k].access == Access::Contiguous && "outputs that stand apart are tiled");
    stored.push_back({storedValue(value, k), k});
  }
  auto storeThrough = [&] {
    for (auto [value, k] : stored)
      keep(value, k);
  };
  if (stored.empty() || !mayStream || !traits.hasStreamingStores)
    return storeThrough();
  BasicBlock *around = block("stream"), *through = block("store"), *after = block("stored");
  Value *isStreamed = isStreaming();
  if (left)
    isStreamed = ir.CreateAnd(ir.CreateICmpUGE(left, ir.getInt64(state.lanes)), isStreamed);
  ir.CreateCondBr(isStreamed, around, through);
  ir.SetInsertPoint(around);
  for (auto [value, k] : stored)
    storeStreaming(value, k);
  ir.CreateBr(after);
  ir.SetInsertPoint(through);
  storeThrough();
  ir.CreateBr(after);
  ir.SetInsertPoint(after);
}

void OperandEmitter::prefetch(unsigned k, Value *distance, CacheLevel into) {
  assert(nest.operands[k].access == Access::Contiguous && "lines are fetched of what is read in order");
  constexpr unsigned line = 64;
  constexpr int toRead = 0, data = 1;
  const int locality = into == CacheLevel::First ? 3 : 2; // as llvm.prefetch has it
  for (unsigned first = 0; first < state.lanes * itemSize(nest.operands[k].dtype); first += line) {
    Value *at = ir.CreateGEP(ir.getInt8Ty(), contiguousAddress(k), ir.CreateAdd(distance, ir.getInt64(first)));
    ir.CreateIntrinsic(llvm::Intrinsic::prefetch, {ir.getPtrTy()},
                       {at, ir.getInt32(toRead), ir.getInt32(locality), ir.getInt32(data)});
  }
}

void OperandEmitter::fence() {
  if (!traits.hasStreamingStores)
    return;
  BasicBlock *fence = block("fence"), *after = block("return");
  ir.CreateCondBr(isStreaming(), fence, after);
  ir.SetInsertPoint(fence);
  ir.CreateIntrinsic(llvm::Intrinsic::x86_sse_sfence, {}, {});
  ir.CreateBr(after);
  ir.SetInsertPoint(after);
}
