//===- SourceBuilder.cpp - Scalar bodies as CUDA C++ ----------------------===//
#include "SourceBuilder.h"
#include "llvm/Support/Format.h"
#include "llvm/Support/raw_ostream.h"
#include <cmath>
#include <limits>

using namespace tsc;
using namespace tsc::fuser;
using llvm::Twine;

unsigned SourceState::define(llvm::StringRef type, const Twine &expression) {
  std::string variable = "v" + std::to_string(numVariables++);
  line("const " + type + " " + variable + " = " + expression + ";");
  return name(std::move(variable));
}

void SourceState::line(const Twine &statement) {
  llvm::raw_string_ostream os(text);
  os.indent(indent) << statement << '\n';
}

std::string fuser::realLiteral(double value, bool isDouble) {
  if (!isDouble)
    value = static_cast<float>(value);
  std::string text;
  llvm::raw_string_ostream os(text);
  if (std::isnan(value) || std::isinf(value)) { // a constant of the program
    os << (isDouble ? "tsc_from_bits(0x7ff" : "tsc_from_bits(0x7f");
    os << (isDouble ? (std::isnan(value) ? "8000000000000LL)" : "0000000000000LL)")
                    : (std::isnan(value) ? "c00000)" : "800000)"));
    return std::signbit(value) && std::isinf(value) ? "(-" + text + ")" : text;
  }
  os << llvm::format(isDouble ? "%.17g" : "%.9g", value);
  if (llvm::StringRef(text).find_first_of(".e") == llvm::StringRef::npos)
    os << ".0";
  if (!isDouble)
    os << 'f';
  return std::signbit(value) ? "(" + text + ")" : text;
}

std::string fuser::integerLiteral(int64_t value) {
  if (value == std::numeric_limits<int64_t>::min())
    return "(-9223372036854775807LL - 1)";
  std::string text = std::to_string(value) + "LL";
  return value < 0 ? "(" + text + ")" : text;
}

//===- Integers and reals -------------------------------------------------===//

SourceMask SourceBase::compare(V a, const char *how, V b) { return {s.define("bool", s[a] + " " + how + " " + s[b])}; }
SourceMask SourceBase::maskAnd(M a, M b) { return {s.define("bool", s[a] + " & " + s[b])}; }
SourceMask SourceBase::maskOr(M a, M b) { return {s.define("bool", s[a] + " | " + s[b])}; }
SourceMask SourceBase::maskNot(M a) { return {s.define("bool", "!" + s[a])}; }
SourceMask SourceBase::truth(V a) { return a.mask ? SourceMask{a.mask} : SourceMask{s.define("bool", s[a] + " != 0")}; }
SourceValue SourceBase::fromMask(M m) { return {s.define(type, "(" + type + ")" + s[m]), m.name}; }
SourceValue SourceBase::where(M m, V a, V b) { return value(s[m] + " ? " + s[a] + " : " + s[b]); }
SourceValue SourceBase::binary(V a, const char *how, V b) { return value(s[a] + " " + how + " " + s[b]); }
SourceValue SourceBase::call(llvm::StringRef function, V a) { return value(function + "(" + s[a] + ")"); }
SourceValue SourceBase::call(llvm::StringRef function, V a, V b) {
  return value(function + "(" + s[a] + ", " + s[b] + ")");
}
SourceValue IntegerSource::bitNot(V a) { return value("~" + s[a]); }

//===- Reals --------------------------------------------------------------===//

namespace {
#define TSC_MATH_INLINE
#include "tsc/Kernels/ScalarMath.inc"
#undef TSC_MATH_INLINE
using Math = FloatMath<RealSource>;
} // namespace

SourceValue RealSource::inf() { return constant(std::numeric_limits<double>::infinity()); }
SourceValue RealSource::nan() { return constant(std::numeric_limits<double>::quiet_NaN()); }
SourceValue RealSource::largest() {
  return constant(isDouble ? std::numeric_limits<double>::max() : std::numeric_limits<float>::max());
}
SourceValue RealSource::neg(V a) { return value("-" + s[a]); }
SourceMask RealSource::signbit(V a) { return {s.define("bool", "tsc_bits(" + s[a] + ") < 0")}; }
SourceValue RealSource::fma(V a, V b, V c) {
  return value(functionName("fma") + "(" + s[a] + ", " + s[b] + ", " + s[c] + ")");
}
SourceValue RealSource::scale(V y, V n) { return Math::scaleInTwoSteps(*this, y, n); }
SourceInt RealSource::bits(V a) { return integer("tsc_bits(" + s[a] + ")"); }
SourceValue RealSource::fromBits(Int a) { return value("tsc_from_bits(" + s[a] + ")"); }
SourceValue RealSource::fromInt(Int a) { return value("(" + type + ")" + s[a]); }
SourceInt RealSource::intConstant(int64_t v) {
  return {s.name(isDouble ? integerLiteral(v) : std::to_string(static_cast<int32_t>(v)))};
}
SourceInt RealSource::integerBinary(Int a, const char *how, Int b) {
  std::string bits = "(unsigned " + bitsType.str() + ")(";
  return integer("(" + bitsType + ")(" + bits + s[a] + ") " + how + " " + bits + s[b] + "))");
}
SourceInt RealSource::intAdd(Int a, Int b) { return integerBinary(a, "+", b); }
SourceInt RealSource::intAnd(Int a, Int b) { return integerBinary(a, "&", b); }
SourceInt RealSource::intOr(Int a, Int b) { return integerBinary(a, "|", b); }
SourceInt RealSource::shift(Int a, const char *how, int n) {
  return integer("(" + bitsType + ")((unsigned " + bitsType + ")" + s[a] + " " + how + " " + Twine(n) + ")");
}
SourceMask RealSource::intTruth(Int a) { return {s.define("bool", s[a] + " != 0")}; }

SourceValue RealSource::lookup(const float (&table)[8], Int index) {
  std::string name = "tsc_table" + std::to_string(s.functions.numTables++);
  std::string entries;
  for (float entry : table)
    entries += (entries.empty() ? "" : ", ") + realLiteral(entry, false);
  s.functions.add("static __constant__ float " + name + "[8] = {" + entries + "};\n");
  return value(name + "[" + s[index] + " & 7]");
}

SourceValue RealSource::elementary(llvm::StringRef name, V x, llvm::function_ref<V(RealSource &, V)> body) {
  if (isDouble)
    return library(name, x);
  std::string full = ("tsc_" + name).str();
  if (s.functions.isNew(full)) {
    SourceState inner(s.functions);
    RealSource builder(inner, false);
    V result = body(builder, {inner.name("x")});
    s.functions.add("static __device__ __forceinline__ float " + full + "(float x) {\n" + inner.text + "  return " +
                    inner[result] + ";\n}\n");
  }
  return call(full, x);
}

SourceValue RealSource::trigonometric(llvm::StringRef name, V x, llvm::function_ref<V(RealSource &, V)> body) {
  if (isDouble)
    return library(name, x);
  std::string full = ("tsc_" + name).str();
  if (s.functions.isNew(full)) {
    SourceState inner(s.functions);
    RealSource builder(inner, false);
    V argument{inner.name("x")};
    M moderate = Math::isModerate(builder, argument);
    inner.line("if (!" + inner[moderate] + ")\n    return " + name + "f(x);");
    V result = body(builder, argument);
    s.functions.add("static __device__ __forceinline__ float " + full + "(float x) {\n" + inner.text + "  return " +
                    inner[result] + ";\n}\n");
  }
  return call(full, x);
}

SourceValue RealSource::special(llvm::StringRef function, V a, V b) {
  addSpecialFunction(s.functions, function);
  s.callsLibrary = true;
  const std::string operands = "(double)" + s[a] + (b.name ? ", (double)" + s[b] : "");
  return value("(" + type + ")tsc::pw::" + function + "(" + operands + ")");
}
SourceValue RealSource::library(llvm::StringRef function, V a) {
  s.callsLibrary = true;
  return math(function, a);
}
SourceValue RealSource::library(llvm::StringRef function, V a, V b) {
  s.callsLibrary = true;
  return math(function, a, b);
}

#define TSC_ELEMENTARY(NAME)                                                                                           \
  SourceValue RealSource::NAME(V x) {                                                                                  \
    return elementary(#NAME, x, [](RealSource &b, V v) { return Math::NAME(b, v); });                                  \
  }
// clang-format off
TSC_ELEMENTARY(exp) TSC_ELEMENTARY(exp2) TSC_ELEMENTARY(expm1) TSC_ELEMENTARY(log) TSC_ELEMENTARY(log2)
TSC_ELEMENTARY(log10) TSC_ELEMENTARY(log1p) TSC_ELEMENTARY(tanh) TSC_ELEMENTARY(erf)
// clang-format on
#undef TSC_ELEMENTARY

        SourceValue RealSource::sin(V x) {
  return trigonometric("sin", x, [](RealSource &b, V v) { return Math::trigonometric<false>(b, v); });
}
SourceValue RealSource::cos(V x) {
  return trigonometric("cos", x, [](RealSource &b, V v) { return Math::trigonometric<true>(b, v); });
}

SourceValue RealSource::pow(V a, V b) {
  if (isDouble)
    return library("pow", a, b);
  if (s.functions.isNew("tsc_powf")) {
    SourceState inner(s.functions);
    RealSource wide(inner, true);
    V result = PowerMath<RealSource>::pow(wide, {inner.name("x")}, {inner.name("y")});
    s.functions.add("static __device__ __forceinline__ float tsc_powf(double x, double y) {\n" + inner.text +
                    "  return (float)" + inner[result] + ";\n}\n");
  }
  return call("tsc_powf", a, b);
}

//===- Conversions --------------------------------------------------------===//

llvm::StringRef fuser::valueType(DType dtype) { return dtype == DType::Bool ? "bool" : storedType(dtype); }

static unsigned converted(SourceState &s, SourceValue value, DType from, DType to) {
  const std::string &v = s[value];
  if (from == to)
    return value.name;
  if (from == DType::Half || from == DType::BFloat16) {
    bool isHalf = from == DType::Half;
    unsigned wide = s.define("float", Twine(isHalf ? "tsc_from_half(" : "tsc_from_bfloat16(") + v + ")");
    return converted(s, {wide}, DType::Float, to);
  }
  if (to == DType::Half || to == DType::BFloat16) {
    unsigned wide = converted(s, value, from, DType::Float);
    bool isHalf = to == DType::Half;
    return s.define(valueType(to), Twine(isHalf ? "tsc_to_half(" : "tsc_to_bfloat16(") + s[wide] + ")");
  }
  if (to == DType::Bool)
    return value.mask ? value.mask : s.define("bool", v + " != 0");
  if (isFloating(from) && isIntegral(to)) {
    if (to == DType::Int64)
      return s.define("long long", "tsc_to_int64(" + v + ")");
    return s.define(valueType(to), "(" + valueType(to) + ")tsc_to_int32(" + v + ")");
  }
  return s.define(valueType(to), "(" + valueType(to) + ")" + v);
}

SourceValue fuser::emitConversion(SourceState &state, SourceValue value, DType from, DType to) {
  SourceValue result{converted(state, value, from, to), 0};
  // A mask stays known through any type that holds 1 and 0.
  if (to != DType::Bool)
    result.mask = from == DType::Bool ? value.name : value.mask;
  return result;
}
