//===- SourceBuilder.h - Scalar bodies as CUDA C++ --------------*- C++ -*-===//
//
// The operations of a scalar body as statements of CUDA C++: RealSource on float and
// double, IntegerSource on int64_t. They mirror lib/Kernels/Pointwise's SimdBuilder
// and IntBuilder, and CodeGen's VectorBuilder, operation by operation. Elementary
// functions of floats are those of ScalarMath.inc, written out as device functions,
// so that they give the processor's bits; others are the CUDA library's.
//
//===----------------------------------------------------------------------===//
#ifndef TSC_LIB_FUSERCUDA_SOURCEBUILDER_H
#define TSC_LIB_FUSERCUDA_SOURCEBUILDER_H

#include "tsc/KernelsCUDA/Prelude.h"
#include "tsc/Tensor/Scalar.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/ADT/Twine.h"
#include <string>
#include <vector>

namespace tsc::fuser {

/// A variable or a literal, by its number in a SourceState; 0: none. Where a value is 1 and 0 made from a mask, that
/// mask too, so that a test for truth finds it again.
struct SourceValue {
  unsigned name = 0, mask = 0;
};
/// A variable of type bool, by its number in a SourceState.
struct SourceMask {
  unsigned name = 0;
};
/// A variable with the bits of a float or double, by its number in a SourceState: int or long long.
struct SourceInt {
  unsigned name = 0;
};

/// Device functions and tables that kernels of a program call, each before the first that needs it.
class SourceFunctions {
public:
  /// Writes `type NAME(...)` unless it is there.
  bool isNew(llvm::StringRef name) { return names.insert(name).second; }
  void add(std::string definition) { text += definition; }
  llvm::StringRef definitions() const { return text; }
  unsigned numTables = 0;

private:
  llvm::StringSet<> names;
  std::string text;
};

/// A function that is being written.
struct SourceState {
  explicit SourceState(SourceFunctions &functions) : functions(functions), names(1) {}

  SourceFunctions &functions;
  std::string text;
  unsigned indent = 2;
  bool failed = false; ///< A body asked for what has no code here.
  /// The function calls functions of the CUDA library, which may differ from the processor's in the last places.
  bool callsLibrary = false;

  /// Returns the number of an expression, which operator[] turns into its text again.
  unsigned name(std::string text) {
    names.push_back(std::move(text));
    return static_cast<unsigned>(names.size() - 1);
  }
  /// Writes `const TYPE vN = EXPRESSION;`.
  unsigned define(llvm::StringRef type, const llvm::Twine &expression);
  /// Appends a line with the current indentation.
  void line(const llvm::Twine &statement);
  const std::string &operator[](unsigned name) const { return names[name]; }
  const std::string &operator[](SourceValue v) const { return names[v.name]; }
  const std::string &operator[](SourceMask m) const { return names[m.name]; }
  const std::string &operator[](SourceInt i) const { return names[i.name]; }

private:
  std::vector<std::string> names;
  unsigned numVariables = 0;
};

/// Adds the function tsc::pw::NAME, of SpecialFunctions.def, unless it is there.
void addSpecialFunction(SourceFunctions &functions, llvm::StringRef name);

/// Returns a literal that reads back as the same float or double.
std::string realLiteral(double value, bool isDouble);
/// Returns a literal of type long long, in parentheses if it is negative.
std::string integerLiteral(int64_t value);

/// The operations that integers and reals share. Each writes a statement and returns the variable that it defines.
class SourceBase {
public:
  using Value = SourceValue;
  using Mask = SourceMask;
  using V = Value;
  using M = Mask;
  SourceBase(SourceState &state, llvm::StringRef type) : s(state), type(type) {}

  M eq(V a, V b) { return compare(a, "==", b); }
  M ne(V a, V b) { return compare(a, "!=", b); }
  M lt(V a, V b) { return compare(a, "<", b); }
  M le(V a, V b) { return compare(a, "<=", b); }
  M gt(V a, V b) { return compare(a, ">", b); }
  M ge(V a, V b) { return compare(a, ">=", b); }
  /// Conjunction of two masks; both are evaluated.
  M maskAnd(M a, M b);
  /// Disjunction of two masks; both are evaluated.
  M maskOr(M a, M b);
  /// Negation of a mask.
  M maskNot(M a);
  /// Whether a is not 0; NaN counts as true.
  M truth(V a);
  /// 1 where m is true, and 0 elsewhere.
  V fromMask(M m);
  /// a where m is true, and b elsewhere; both are evaluated.
  V where(M m, V a, V b);
  V toValue(V v) { return v; }

protected:
  M compare(V a, const char *how, V b);
  V value(const llvm::Twine &expression) { return {s.define(type, expression)}; }
  V binary(V a, const char *how, V b);
  V call(llvm::StringRef function, V a);
  V call(llvm::StringRef function, V a, V b);
  V unsupported() {
    s.failed = true;
    return {s.name("0")};
  }
  SourceState &s;
  const llvm::StringRef type;
};

/// Operations on float or double; each gives the processor's bits, but for those that set SourceState::callsLibrary.
class RealSource : public SourceBase {
public:
  RealSource(SourceState &state, bool isDouble)
      : SourceBase(state, isDouble ? "double" : "float"), isDouble(isDouble), bitsType(isDouble ? "long long" : "int") {
  }

  V constant(double v) { return {s.name(realLiteral(v, isDouble))}; }
  /// Positive infinity.
  V inf();
  /// A quiet NaN.
  V nan();
  /// The largest finite value of the type.
  V largest();
  V pi() { return constant(3.14159265358979323846); }

  V add(V a, V b) { return binary(a, "+", b); }
  V sub(V a, V b) { return binary(a, "-", b); }
  V mul(V a, V b) { return binary(a, "*", b); }
  V div(V a, V b) { return binary(a, "/", b); }
  /// Flips the sign, also of 0 and NaN.
  V neg(V a);
  V abs(V a) { return math("fabs", a); }
  V sqrt(V a) { return math("sqrt", a); }
  V rsqrt(V a) { return div(constant(1), sqrt(a)); }
  V ceil(V a) { return math("ceil", a); }
  V floor(V a) { return math("floor", a); }
  V round(V a) { return math("rint", a); }
  V trunc(V a) { return math("trunc", a); }
  M isnan(V a) { return ne(a, a); }
  M isinf(V a) { return eq(abs(a), inf()); }
  M isfinite(V a) { return lt(abs(a), inf()); }
  /// Whether the sign bit is set, that of -0 and NaN too.
  M signbit(V a);
  V copysign(V a, V b) { return math("copysign", a, b); }
  V min(V a, V b) { return where(maskOr(isnan(a), lt(a, b)), a, b); }
  V max(V a, V b) { return where(maskOr(isnan(a), gt(a, b)), a, b); } // b where it is NaN: nothing is greater
  V fmin(V a, V b) { return where(isnan(a), b, where(isnan(b), a, where(lt(a, b), a, b))); }
  V fmax(V a, V b) { return where(isnan(a), b, where(isnan(b), a, where(gt(a, b), a, b))); }
  V real(V a) { return a; }
  V imag(V) { return constant(0); }
  V conj(V a) { return a; }
  V sgn(V a) { return sub(fromMask(gt(a, constant(0))), fromMask(lt(a, constant(0)))); }
  V angle(V a) { return where(isnan(a), a, where(lt(a, constant(0)), pi(), constant(0))); }

  // ScalarMath.inc asks for these.
  using Int = SourceInt;
  V fma(V a, V b, V c);
  V scale(V y, V n);
  Int bits(V a);
  V fromBits(Int a);
  V fromInt(Int a);
  Int intConstant(int64_t v);
  Int intAdd(Int a, Int b);
  Int intAnd(Int a, Int b);
  Int intOr(Int a, Int b);
  template <int n> Int shiftLeft(Int a) { return shift(a, "<<", n); }
  template <int n> Int shiftRight(Int a) { return shift(a, ">>", n); }
  V lookup(const float (&table)[8], Int index);
  M intTruth(Int a);

  // Elementary functions of floats are calls of device functions with ScalarMath.inc's bodies; those of doubles are the
  // CUDA library's.
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
  V fmod(V a, V b) { return call("tsc_fmod", a, b); }
  V remainder(V a, V b) { return call("tsc_remainder", a, b); }
  V floordiv(V a, V b) { return call("tsc_floordiv", a, b); }
  V nextafter(V a, V b) { return math("nextafter", a, b); }
  V atan2(V a, V b) { return library("atan2", a, b); }
  V hypot(V a, V b) { return library("hypot", a, b); }
  // clang-format off
#define TSC_LIBRARY(NAME) V NAME(V x) { return library(#NAME, x); }
  TSC_LIBRARY(tan) TSC_LIBRARY(asin) TSC_LIBRARY(acos) TSC_LIBRARY(atan) TSC_LIBRARY(sinh) TSC_LIBRARY(cosh)
  TSC_LIBRARY(asinh) TSC_LIBRARY(acosh) TSC_LIBRARY(atanh) TSC_LIBRARY(erfc) TSC_LIBRARY(lgamma)
#undef TSC_LIBRARY
#define SPECIAL1(NAME) V NAME(V x) { return special(#NAME, x); }
#define SPECIAL2(NAME) V NAME(V x, V y) { return special(#NAME, x, y); }
#include "tsc/Kernels/SpecialFunctions.def"
    // clang-format on

    private :
    /// Calls one of CUDA's functions that round as they do everywhere.
    V math(llvm::StringRef function, V a) {
    return call(functionName(function), a);
  }
  V math(llvm::StringRef function, V a, V b) { return call(functionName(function), a, b); }
  /// Calls a function of the CUDA library, whose last places may differ from the processor's.
  V library(llvm::StringRef function, V a);
  /// Calls one of SpecialFunctions.def, computed in double.
  V special(llvm::StringRef function, V a, V b = {});
  V library(llvm::StringRef function, V a, V b);
  std::string functionName(llvm::StringRef function) const { return function.str() + (isDouble ? "" : "f"); }
  Int integer(const llvm::Twine &expression) { return {s.define(bitsType, expression)}; }
  /// Shifts the bits by n places; what comes in from either side is zeros, as the bits are taken as unsigned.
  Int shift(Int a, const char *how, int n);
  /// Applies a C++ operator to the bits, taken as unsigned, so that sums wrap.
  Int integerBinary(Int a, const char *how, Int b);
  /// Calls tsc_NAME, a device function that is written with `body` unless it is there; for doubles, the CUDA library's
  /// function.
  V elementary(llvm::StringRef name, V x, llvm::function_ref<V(RealSource &, V)> body);
  /// Returns a call like elementary() does, for sine and cosine of floats: where |x| is so large that `body` does not
  /// hold, the device function calls the CUDA library's.
  V trigonometric(llvm::StringRef name, V x, llvm::function_ref<V(RealSource &, V)> body);

  const bool isDouble;
  const llvm::StringRef bitsType;
};

/// Operations on int64_t, in two's complement; division by zero gives 0.
class IntegerSource : public SourceBase {
public:
  explicit IntegerSource(SourceState &state) : SourceBase(state, "long long") {}

  V constant(double v) { return {s.name(integerLiteral(static_cast<int64_t>(v)))}; }
  V add(V a, V b) { return call("tsc_add", a, b); }
  V sub(V a, V b) { return call("tsc_sub", a, b); }
  V mul(V a, V b) { return call("tsc_mul", a, b); }
  V neg(V a) { return sub(constant(0), a); }
  V abs(V a) { return where(lt(a, constant(0)), neg(a), a); }
  V div(V a, V b) { return call("tsc_div", a, b); }
  V fmod(V a, V b) { return call("tsc_fmod", a, b); }
  V remainder(V a, V b) { return call("tsc_remainder", a, b); }
  V floordiv(V a, V b) { return call("tsc_floordiv", a, b); }
  V bitAnd(V a, V b) { return binary(a, "&", b); }
  V bitOr(V a, V b) { return binary(a, "|", b); }
  V bitXor(V a, V b) { return binary(a, "^", b); }
  /// Flips each bit.
  V bitNot(V a);
  V shiftLeft(V a, V b) { return call("tsc_shift_left", a, b); }
  V shiftRight(V a, V b) { return call("tsc_shift_right", a, b); }
  V min(V a, V b) { return where(lt(a, b), a, b); }
  V max(V a, V b) { return where(lt(a, b), b, a); }
  V fmin(V a, V b) { return min(a, b); }
  V fmax(V a, V b) { return max(a, b); }
  V sgn(V a) { return sub(fromMask(gt(a, constant(0))), fromMask(lt(a, constant(0)))); }
  V gcd(V a, V b) { return call("tsc_gcd", a, b); }
  V pow(V a, V b) { return call("tsc_pow", a, b); }
};

/// Writes body number `body` on operands of the compute type (Float, Double, Int64 or Bool). Returns a value of that
/// type (Int64 for Bool), or a truth value.
SourceValue emitBody(SourceState &state, DType compute, unsigned body, llvm::ArrayRef<SourceValue> tensors,
                     llvm::ArrayRef<SourceValue> uniforms);

/// Returns C++'s name for the type of values of a dtype.
llvm::StringRef valueType(DType dtype);
/// Writes the conversion of `value` as the eager engine does it, and returns the result.
SourceValue emitConversion(SourceState &state, SourceValue value, DType from, DType to);

} // namespace tsc::fuser

#endif
