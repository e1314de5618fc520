//===- Conversions.cpp - Element types as vector IR -----------------------===//
#include "Conversions.h"

using namespace tsc;
using namespace tsc::fuser;
using llvm::Value;

llvm::Type *fuser::elementType(llvm::IRBuilder<> &ir, DType dtype) {
  switch (dtype) {
  case DType::Bool: return ir.getInt1Ty();
  case DType::UInt8:
  case DType::Int8: return ir.getInt8Ty();
  case DType::Int16:
  case DType::BFloat16: return ir.getInt16Ty();
  case DType::Int32: return ir.getInt32Ty();
  case DType::Half: return ir.getHalfTy();
  case DType::Float: return ir.getFloatTy();
  case DType::Double: return ir.getDoubleTy();
  default: assert(dtype == DType::Int64 && "a dtype that kernels take"); return ir.getInt64Ty();
  }
}

llvm::Type *fuser::computedElement(const VectorState &state, DType dtype) {
  return dtype == DType::Int64 ? state.ir.getIntNTy(state.integerBits) : elementType(state.ir, dtype);
}

namespace {
class Converter {
public:
  explicit Converter(VectorState &s) : s(s), ir(s.ir) {}

  Value *convert(VectorValue v, DType from, DType to) {
    if (from == DType::Half || from == DType::BFloat16)
      return convert({toFloat(v.value, from)}, DType::Float, to);
    if (to == DType::Half)
      return ir.CreateFPTrunc(convert(v, from, DType::Float), s.vectorOf(ir.getHalfTy()));
    if (to == DType::BFloat16)
      return roundToBFloat16(convert(v, from, DType::Float));
    if (to == from)
      return v.value;
    if (to == DType::Bool)
      return toTruth(v, from);
    llvm::Type *type = s.vectorOf(computedElement(s, to));
    bool fromInteger = isIntegral(from, true), toInteger = isIntegral(to);
    bool isUnsigned = from == DType::Bool || from == DType::UInt8;
    if (fromInteger && toInteger)
      return isUnsigned ? ir.CreateZExtOrTrunc(v.value, type) : ir.CreateSExtOrTrunc(v.value, type);
    if (from == DType::Bool)
      return ir.CreateSelect(v.value, llvm::ConstantFP::get(type, 1), llvm::ConstantFP::get(type, 0));
    if (fromInteger)
      return isUnsigned ? ir.CreateUIToFP(v.value, type) : ir.CreateSIToFP(v.value, type);
    if (toInteger)
      return truncate(v.value, from, to);
    return ir.CreateFPCast(v.value, type);
  }

private:
  Value *toFloat(Value *v, DType from) {
    llvm::Type *floats = s.vectorOf(ir.getFloatTy());
    if (from == DType::Half)
      return ir.CreateFPExt(v, floats);
    return ir.CreateBitCast(ir.CreateShl(ir.CreateZExt(v, s.vectorOf(ir.getInt32Ty())), 16), floats);
  }

  /// To nearest, ties to even; every NaN is the same one.
  Value *roundToBFloat16(Value *v) {
    llvm::Type *words = s.vectorOf(ir.getInt32Ty()), *halves = s.vectorOf(ir.getInt16Ty());
    Value *word = ir.CreateBitCast(v, words);
    Value *odd = ir.CreateAnd(ir.CreateLShr(word, 16), 1);
    Value *rounded = ir.CreateLShr(ir.CreateAdd(ir.CreateAdd(word, llvm::ConstantInt::get(words, 0x7fff)), odd), 16);
    Value *isNaN = ir.CreateFCmpUNO(v, v);
    return ir.CreateTrunc(ir.CreateSelect(isNaN, llvm::ConstantInt::get(words, 0x7fc0), rounded), halves);
  }

  Value *toTruth(VectorValue v, DType from) {
    if (v.mask)
      return v.mask;
    Value *zero = llvm::Constant::getNullValue(v.value->getType());
    return isFloating(from) ? ir.CreateFCmpUNE(v.value, zero) : ir.CreateICmpNE(v.value, zero);
  }

  /// What does not fit is the smallest integer; narrow types take the low bits of int32's answer.
  Value *truncate(Value *v, DType from, DType to) {
    unsigned bits = to == DType::Int64 ? 64 : 32;
    llvm::Type *wide = s.vectorOf(ir.getIntNTy(bits)), *floats = v->getType();
    double limit = bits == 64 ? 9223372036854775808.0 : 2147483648.0;
    Value *fits = ir.CreateAnd(ir.CreateFCmpOGE(v, llvm::ConstantFP::get(floats, -limit)),
                               ir.CreateFCmpOLT(v, llvm::ConstantFP::get(floats, limit)));
    Value *safe = ir.CreateSelect(fits, v, llvm::Constant::getNullValue(floats));
    Value *smallest = llvm::ConstantInt::get(wide, llvm::APInt::getSignedMinValue(bits));
    return ir.CreateTrunc(ir.CreateSelect(fits, ir.CreateFPToSI(safe, wide), smallest),
                          s.vectorOf(elementType(ir, to)));
  }

  VectorState &s;
  llvm::IRBuilder<> &ir;
};
} // namespace

VectorValue fuser::emitConversion(VectorState &state, VectorValue v, DType from, DType to) {
  assert(v.value && "a value is converted");
  VectorValue result{Converter(state).convert(v, from, to), nullptr};
  // A mask stays known through any type that holds 1 and 0.
  if (to != DType::Bool)
    result.mask = from == DType::Bool ? v.value : v.mask;
  return result;
}
