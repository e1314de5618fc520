//===- VectorBuilder.h - Scalar bodies as vector IR -------------*- C++ -*-===//
//
// The operations of a scalar body as LLVM instructions on vectors: RealBuilder on
// float and double, IntegerBuilder on int64_t. They mirror lib/Kernels/Pointwise's
// SimdBuilder and IntBuilder operation by operation; the bits of each are the same.
// Nothing is reassociated or contracted; fma is one where the body says so.
//
//===----------------------------------------------------------------------===//
#ifndef TSC_LIB_CODEGEN_VECTORBUILDER_H
#define TSC_LIB_CODEGEN_VECTORBUILDER_H

#include "Routines.h"
#include "tsc/CodeGen/TargetTraits.h"
#include "llvm/IR/IRBuilder.h"

namespace tsc::fuser {

/// A vector. Where it is 1 and 0 made from a mask, that mask too, so that a test for truth finds it again.
struct VectorValue {
  llvm::Value *value = nullptr;
  llvm::Value *mask = nullptr;
};
/// A vector of i1.
struct VectorMask {
  llvm::Value *value = nullptr;
};

/// What all bodies of a kernel share.
struct VectorState {
  llvm::IRBuilder<> &ir;
  unsigned lanes;
  const codegen::TargetTraits &traits;
  llvm::Value *routines; ///< The kernel's table of them.
  llvm::Function *function;
  unsigned integerBits = 64; ///< In how many bits integers are computed; fewer where nobody can tell.
  bool failed = false;       ///< A body asked for what has no code here.
  llvm::DenseMap<llvm::Value *, llvm::Value *> nanTests{0}; ///< By the vector, of another block.

  llvm::Type *vectorOf(llvm::Type *element) const { return llvm::FixedVectorType::get(element, lanes); }
  /// As many lanes of a wider vector as there are now; null of null.
  llvm::Value *firstLanes(llvm::Value *vector) const;
  /// Which lanes of floats are NaN. Of what is computed once or for each row, that is found out as often.
  llvm::Value *isNaN(llvm::Value *vector);
  /// A slot in the kernel's frame.
  llvm::AllocaInst *frameSlot(llvm::Type *type, unsigned alignment);
  /// The eager kernel on these operands; both of the type of `a`.
  llvm::Value *callRoutine(Routine routine, llvm::Value *a, llvm::Value *b = nullptr);
};

/// What integers and reals share.
class BuilderBase {
public:
  using Value = VectorValue;
  using Mask = VectorMask;
  using V = Value;
  using M = Mask;
  BuilderBase(VectorState &state, llvm::Type *element)
      : s(state), ir(state.ir), element(element), type(state.vectorOf(element)) {}

  M maskAnd(M a, M b) { return {ir.CreateAnd(a.value, b.value)}; }
  M maskOr(M a, M b) { return {ir.CreateOr(a.value, b.value)}; }
  M maskNot(M a) { return {ir.CreateNot(a.value)}; }
  /// Where the mask is a constant, as of a test whether a bound is NaN, nothing is selected.
  V where(M m, V a, V b) {
    if (auto *known = llvm::dyn_cast<llvm::Constant>(m.value);
        known && (known->isNullValue() || known->isAllOnesValue()))
      return known->isNullValue() ? b : a;
    return {ir.CreateSelect(m.value, a.value, b.value)};
  }
  V toValue(V v) { return v; }

protected:
  V unsupported() {
    s.failed = true;
    return {llvm::PoisonValue::get(type)};
  }
  VectorState &s;
  llvm::IRBuilder<> &ir;
  llvm::Type *element, *type;
};

class RealBuilder : public BuilderBase {
public:
  RealBuilder(VectorState &state, bool isDouble)
      : BuilderBase(state, isDouble ? state.ir.getDoubleTy() : state.ir.getFloatTy()), isDouble(isDouble),
        bitsElement(isDouble ? state.ir.getInt64Ty() : state.ir.getInt32Ty()), bitsType(state.vectorOf(bitsElement)) {}

  V constant(double v);
  V inf() { return {llvm::ConstantFP::getInfinity(type)}; }
  V nan() { return {llvm::ConstantFP::getNaN(type)}; }
  V largest() { return {llvm::ConstantFP::get(type, llvm::APFloat::getLargest(element->getFltSemantics()))}; }
  V pi() { return constant(3.14159265358979323846); }

  V add(V a, V b) { return {ir.CreateFAdd(a.value, b.value)}; }
  V sub(V a, V b) { return {ir.CreateFSub(a.value, b.value)}; }
  V mul(V a, V b) { return {ir.CreateFMul(a.value, b.value)}; }
  V div(V a, V b) { return {ir.CreateFDiv(a.value, b.value)}; }
  V neg(V a) { return {ir.CreateFNeg(a.value)}; }
  M eq(V a, V b) { return {ir.CreateFCmpOEQ(a.value, b.value)}; }
  M ne(V a, V b) { return {ir.CreateFCmpUNE(a.value, b.value)}; }
  M lt(V a, V b) { return {ir.CreateFCmpOLT(a.value, b.value)}; }
  M le(V a, V b) { return {ir.CreateFCmpOLE(a.value, b.value)}; }
  M gt(V a, V b) { return {ir.CreateFCmpOGT(a.value, b.value)}; }
  M ge(V a, V b) { return {ir.CreateFCmpOGE(a.value, b.value)}; }
  M truth(V a) { return a.mask ? M{a.mask} : ne(a, constant(0)); }
  V fromMask(M m) { return {ir.CreateSelect(m.value, constant(1).value, constant(0).value), m.value}; }

  V abs(V a) { return unary(llvm::Intrinsic::fabs, a); }
  V sqrt(V a) { return unary(llvm::Intrinsic::sqrt, a); }
  V rsqrt(V a) { return div(constant(1), sqrt(a)); }
  V ceil(V a) { return unary(llvm::Intrinsic::ceil, a); }
  V floor(V a) { return unary(llvm::Intrinsic::floor, a); }
  V round(V a) { return unary(llvm::Intrinsic::roundeven, a); }
  V trunc(V a) { return unary(llvm::Intrinsic::trunc, a); }
  M isnan(V a) { return {s.isNaN(a.value)}; }
  M isinf(V a) { return eq(abs(a), inf()); }
  M isfinite(V a) { return lt(abs(a), inf()); }
  M signbit(V a) { return {ir.CreateICmpSLT(bits(a), llvm::Constant::getNullValue(bitsType))}; }
  V copysign(V a, V b) { return {ir.CreateBinaryIntrinsic(llvm::Intrinsic::copysign, a.value, b.value)}; }
  /// As the machine's: the second of two zeros, and the second where it is NaN, since a comparison with that is false.
  V min(V a, V b) { return where(isnan(a), a, where(lt(a, b), a, b)); }
  V max(V a, V b) { return where(isnan(a), a, where(gt(a, b), a, b)); }
  V fmin(V a, V b) { return where(isnan(a), b, where(isnan(b), a, where(lt(a, b), a, b))); }
  V fmax(V a, V b) { return where(isnan(a), b, where(isnan(b), a, where(gt(a, b), a, b))); }
  V real(V a) { return a; }
  V imag(V) { return constant(0); }
  V conj(V a) { return a; }
  V sgn(V a) { return sub(fromMask(gt(a, constant(0))), fromMask(lt(a, constant(0)))); }
  V angle(V a) { return where(isnan(a), a, where(lt(a, constant(0)), pi(), constant(0))); }

  // What ScalarMath.inc asks for.
  using Int = llvm::Value *;
  V fma(V a, V b, V c);
  V scale(V y, V n);
  Int bits(V a) { return ir.CreateBitCast(a.value, bitsType); }
  V fromBits(Int a) { return {ir.CreateBitCast(a, type)}; }
  V fromInt(Int a) { return {ir.CreateSIToFP(a, type)}; }
  Int intConstant(int64_t v) { return llvm::ConstantInt::get(bitsType, static_cast<uint64_t>(v), true); }
  Int intAdd(Int a, Int b) { return ir.CreateAdd(a, b); }
  Int intAnd(Int a, Int b) { return ir.CreateAnd(a, b); }
  Int intOr(Int a, Int b) { return ir.CreateOr(a, b); }
  template <int n> Int shiftLeft(Int a) { return ir.CreateShl(a, n); }
  template <int n> Int shiftRight(Int a) { return ir.CreateLShr(a, n); }
  V lookup(const float (&table)[8], Int index);
  M intTruth(Int a) { return {ir.CreateICmpNE(a, llvm::Constant::getNullValue(bitsType))}; }

  V exp(V x);
  V exp2(V x);
  V expm1(V x);
  V log(V x);
  V log2(V x);
  V log10(V x);
  V log1p(V x);
  V tanh(V x);
  V erf(V x);
  V sigmoid(V x) { return div(constant(1), add(constant(1), exp(neg(x)))); }
  V sin(V x);
  V cos(V x);
  V pow(V a, V b);
  V polygamma(V, V) { return unsupported(); }
  V multigammaln(V, V) { return unsupported(); }
#define TSC_CALLED1(NAME)                                                                                              \
  V NAME(V x) { return {s.callRoutine(Routine::NAME, x.value)}; }
#define TSC_CALLED2(NAME)                                                                                              \
  V NAME(V x, V y) { return {s.callRoutine(Routine::NAME, x.value, y.value)}; }
  // clang-format off
  TSC_CALLED1(tan) TSC_CALLED1(asin) TSC_CALLED1(acos) TSC_CALLED1(atan) TSC_CALLED1(sinh) TSC_CALLED1(cosh) TSC_CALLED1(asinh)
  TSC_CALLED1(acosh) TSC_CALLED1(atanh) TSC_CALLED1(erfc) TSC_CALLED1(lgamma)
  TSC_CALLED2(atan2) TSC_CALLED2(hypot) TSC_CALLED2(fmod) TSC_CALLED2(nextafter) TSC_CALLED2(remainder) TSC_CALLED2(floordiv)
#define SPECIAL1(NAME) TSC_CALLED1(NAME)
#define SPECIAL2(NAME) TSC_CALLED2(NAME)
#define SPECIAL_OF_INT(NAME) // its operand is no element
#include "tsc/Kernels/SpecialFunctions.def"
  // clang-format on
#undef TSC_CALLED1
#undef TSC_CALLED2

private:
  V unary(llvm::Intrinsic::ID id, V a) { return {ir.CreateUnaryIntrinsic(id, a.value)}; }
  V trigonometric(V x, Routine routine, V moderateValue);
  /// Looks entries up without an instruction for that.
  V select(const float (&table)[8], Int index);
  bool isDouble;
  llvm::Type *bitsElement, *bitsType;
};

/// Two's complement; division by zero gives 0.
class IntegerBuilder : public BuilderBase {
public:
  explicit IntegerBuilder(VectorState &state) : BuilderBase(state, state.ir.getIntNTy(state.integerBits)) {}

  V constant(double v) { return number(static_cast<int64_t>(v)); }
  V add(V a, V b) { return {ir.CreateAdd(a.value, b.value)}; }
  V sub(V a, V b) { return {ir.CreateSub(a.value, b.value)}; }
  V mul(V a, V b) { return areMasks(a, b) ? bitAnd(a, b) : V{ir.CreateMul(a.value, b.value)}; }
  V neg(V a) { return {ir.CreateNeg(a.value)}; }
  V abs(V a) { return where(lt(a, number(0)), neg(a), a); }
  V div(V a, V b) {
    return where(eq(b, number(0)), number(0),
                 where(eq(b, number(-1)), neg(a), V{ir.CreateSDiv(a.value, safeDivisor(b).value)}));
  }
  V fmod(V a, V b) { return where(isTrivialDivisor(b), number(0), V{ir.CreateSRem(a.value, safeDivisor(b).value)}); }
  V remainder(V a, V b) {
    V m = fmod(a, b);
    return where(signsDiffer(m, b), add(m, b), m);
  }
  V floordiv(V a, V b) {
    M down = maskAnd(ne(fmod(a, b), number(0)), M{ir.CreateXor(lt(a, number(0)).value, lt(b, number(0)).value)});
    V quotient = div(a, b);
    return where(down, sub(quotient, number(1)), quotient);
  }
  // Of masks, which are 0 and 1, the logic of the masks: their integers are as wide as eight of them.
  M eq(V a, V b) { return areMasks(a, b) ? maskNot(ne(a, b)) : M{ir.CreateICmpEQ(a.value, b.value)}; }
  M ne(V a, V b) { return {areMasks(a, b) ? ir.CreateXor(a.mask, b.mask) : ir.CreateICmpNE(a.value, b.value)}; }
  M lt(V a, V b) {
    return areMasks(a, b) ? maskAnd(maskNot({a.mask}), {b.mask}) : M{ir.CreateICmpSLT(a.value, b.value)};
  }
  M le(V a, V b) {
    return areMasks(a, b) ? maskOr(maskNot({a.mask}), {b.mask}) : M{ir.CreateICmpSLE(a.value, b.value)};
  }
  M gt(V a, V b) { return areMasks(a, b) ? lt(b, a) : M{ir.CreateICmpSGT(a.value, b.value)}; }
  M ge(V a, V b) { return areMasks(a, b) ? le(b, a) : M{ir.CreateICmpSGE(a.value, b.value)}; }
  M truth(V a) { return a.mask ? M{a.mask} : ne(a, number(0)); }
  V fromMask(M m) { return {ir.CreateZExt(m.value, type), m.value}; }
  V bitAnd(V a, V b) {
    return areMasks(a, b) ? fromMask(maskAnd({a.mask}, {b.mask})) : V{ir.CreateAnd(a.value, b.value)};
  }
  V bitOr(V a, V b) { return areMasks(a, b) ? fromMask(maskOr({a.mask}, {b.mask})) : V{ir.CreateOr(a.value, b.value)}; }
  V bitXor(V a, V b) { return areMasks(a, b) ? fromMask(ne(a, b)) : V{ir.CreateXor(a.value, b.value)}; }
  V bitNot(V a) { return {ir.CreateNot(a.value)}; }
  V shiftLeft(V a, V b) { return where(isShiftable(b), V{ir.CreateShl(a.value, safeShift(b).value)}, number(0)); }
  V shiftRight(V a, V b) {
    return where(isShiftable(b), V{ir.CreateAShr(a.value, safeShift(b).value)}, V{ir.CreateAShr(a.value, 63)});
  }
  V min(V a, V b) { return areMasks(a, b) ? bitAnd(a, b) : where(lt(a, b), a, b); }
  V max(V a, V b) { return areMasks(a, b) ? bitOr(a, b) : where(lt(a, b), b, a); }
  V fmin(V a, V b) { return min(a, b); }
  V fmax(V a, V b) { return max(a, b); }
  V sgn(V a) { return sub(fromMask(gt(a, number(0))), fromMask(lt(a, number(0)))); }
  V gcd(V a, V b) { return {s.callRoutine(Routine::int_gcd, a.value, b.value)}; }
  V pow(V a, V b) { return {s.callRoutine(Routine::int_pow, a.value, b.value)}; }

private:
  static bool areMasks(V a, V b) { return a.mask && b.mask; }
  V number(int64_t v) { return {llvm::ConstantInt::get(type, static_cast<uint64_t>(v), true)}; }
  M isTrivialDivisor(V b) { return maskOr(eq(b, number(0)), eq(b, number(-1))); }
  V safeDivisor(V b) { return where(isTrivialDivisor(b), number(1), b); }
  M signsDiffer(V m, V b) {
    return maskAnd(ne(m, number(0)), M{ir.CreateXor(lt(m, number(0)).value, lt(b, number(0)).value)});
  }
  M isShiftable(V b) { return {ir.CreateICmpULT(b.value, number(64).value)}; }
  V safeShift(V b) { return bitAnd(b, number(63)); }
};

/// Emits body number `body` on operands of the compute type (Float, Double, Int64 or Bool): a vector of that type, or
/// of i1.
VectorValue emitBody(VectorState &state, DType compute, unsigned body, llvm::ArrayRef<VectorValue> tensors,
                     llvm::ArrayRef<VectorValue> uniforms);

} // namespace tsc::fuser

#endif
