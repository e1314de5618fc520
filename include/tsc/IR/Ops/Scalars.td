//===- Scalars.td - Operators on int, float, bool and complex ---*- tablegen -*-===//
//
// The kernels are C++ overload sets and templates of tsc/Runtime/Dispatch/Ops/Scalars.h:
// the operand types of the schema choose the instance.
//
//===----------------------------------------------------------------------===//

class ScalarOp<string name, string overload, string signature, string function, string summary_, Laws laws_ = Laws<>>
    : Op<name # !if(!empty(overload), "", "." # overload) # signature> {
  let kernel = "ops::" # function;
  let summary = summary_;
  let laws = laws_;
}

// f(int), f(float), f(Scalar), and f(complex) where it is defined.
multiclass UnaryMath<string name, string function, bit hasComplex, string doc> {
  def _int    : ScalarOp<"aten::" # name, "int", "(int a) -> float", function, doc>;
  def _float  : ScalarOp<"aten::" # name, "float", "(float a) -> float", function, doc>;
  if hasComplex then
    def _complex : ScalarOp<"aten::" # name, "complex", "(complex a) -> complex", function, doc>;
  def _Scalar : ScalarOp<"aten::" # name, "Scalar", "(Scalar a) -> Scalar", "unary<ops::Math_" # function # ">", doc>;
}
foreach f = ["exp", "log", "log10", "sqrt", "sin", "cos", "tan", "asin", "acos", "atan", "sinh", "cosh", "tanh",
             "asinh", "acosh", "atanh"] in
  let scalarOp = !cond(!eq(f, "exp"): "Exp:F", !eq(f, "log"): "Log:F", !eq(f, "sqrt"): "Sqrt:F", !eq(f, "sin"): "Sin:F",
                       !eq(f, "cos"): "Cos:F", true: "") in
  defm Scalar_ # f : UnaryMath<f, f, 1, "math." # f>;
foreach f = ["log1p", "expm1", "lgamma", "fabs", "erf", "erfc", "gamma", "degrees", "radians"] in
  defm Scalar_ # f : UnaryMath<f, f, 0, "math." # f>;

// f(float, float) and its mixtures with int, f(Scalar, Scalar): result float.
multiclass BinaryFloat<string name, string function, string scalarOverload, string doc> {
  def _int       : ScalarOp<"aten::" # name, "int", "(int a, int b) -> float", function, doc>;
  def _float     : ScalarOp<"aten::" # name, "float", "(float a, float b) -> float", function, doc>;
  def _int_float : ScalarOp<"aten::" # name, "int_float", "(int a, float b) -> float", function, doc>;
  def _float_int : ScalarOp<"aten::" # name, "float_int", "(float a, int b) -> float", function, doc>;
  def _Scalar    : ScalarOp<"aten::" # name, scalarOverload, "(Scalar a, Scalar b) -> float", function, doc>;
}
defm Scalar_fmod          : BinaryFloat<"fmod", "fmodFloat", "", "math.fmod">;
defm Scalar_mathremainder : BinaryFloat<"mathremainder", "ieeeRemainder", "", "math.remainder">;
defm Scalar_copysign      : BinaryFloat<"copysign", "copySign", "", "math.copysign">;
defm Scalar_atan2         : BinaryFloat<"atan2", "arcTangent2", "Scalar_Scalar", "math.atan2">;

// Arithmetic: + - *. Integers wrap.
multiclass Arithmetic<string name, string function, string doc, Laws ofInts, Laws ofFloats> {
  def _int           : ScalarOp<"aten::" # name, "int", "(int a, int b) -> int", function, doc, ofInts>;
  def _complex       : ScalarOp<"aten::" # name, "complex", "(complex a, complex b) -> complex", function, doc>;
  def _float         : ScalarOp<"aten::" # name, "float", "(float a, float b) -> float", function, doc, ofFloats>;
  def _int_complex   : ScalarOp<"aten::" # name, "int_complex", "(int a, complex b) -> complex", function, doc>;
  def _complex_int   : ScalarOp<"aten::" # name, "complex_int", "(complex a, int b) -> complex", function, doc>;
  def _float_complex : ScalarOp<"aten::" # name, "float_complex", "(float a, complex b) -> complex", function, doc>;
  def _complex_float : ScalarOp<"aten::" # name, "complex_float", "(complex a, float b) -> complex", function, doc>;
  def _int_float     : ScalarOp<"aten::" # name, "int_float", "(int a, float b) -> float", function, doc>;
  def _float_int     : ScalarOp<"aten::" # name, "float_int", "(float a, int b) -> float", function, doc>;
  def _Scalar        : ScalarOp<"aten::" # name, "", "(Scalar a, Scalar b) -> Scalar", "binary<ops::Math_" # function # ">", doc>;
}
// Of floats, -0.0 + 0.0 is 0.0, and NaN - NaN and NaN * 0 are NaN.
let traits = [Speculatable] in {
let partial = "add", scalarOp = "Add:IF" in
defm Scalar_add : Arithmetic<"add", "add", "a + b", Laws<right="0", left="0">, Laws<>>;
let partial = "subtract", scalarOp = "Sub:IF" in
defm Scalar_sub : Arithmetic<"sub", "sub", "a - b", Laws<right="0", same="0">, Laws<right="0.0">>;
let partial = "multiply", scalarOp = "Mul:IF" in
defm Scalar_mul : Arithmetic<"mul", "mul", "a * b", Laws<right="1", left="1", absorbing="0">, Laws<right="1.0", left="1.0">>;
}

let partial = "divide", traits = [FailsAtZero] in {
let scalarOp = "DivI" in
def Scalar_div_int     : ScalarOp<"aten::div", "int", "(int a, int b) -> float", "divide", "a / b">;
def Scalar_div_complex : ScalarOp<"aten::div", "complex", "(complex a, complex b) -> complex", "divide", "a / b">;
let scalarOp = "DivF" in {
def Scalar_div_float   : ScalarOp<"aten::div", "float", "(float a, float b) -> float", "divide", "a / b", Laws<right="1.0">>;
def Scalar_div_Scalar  : ScalarOp<"aten::div", "", "(Scalar a, Scalar b) -> float", "divide", "a / b">; // of an int and a float
}
}

// Python's // and %: rounded towards minus infinity.
multiclass IntOrFloat<string name, string function, string doc, Laws ofInts> {
  def _int       : ScalarOp<"aten::" # name, "int", "(int a, int b) -> int", function, doc, ofInts>;
  def _float     : ScalarOp<"aten::" # name, "float", "(float a, float b) -> float", function, doc>;
  def _int_float : ScalarOp<"aten::" # name, "int_float", "(int a, float b) -> float", function, doc>;
  def _float_int : ScalarOp<"aten::" # name, "float_int", "(float a, int b) -> float", function, doc>;
  def _Scalar    : ScalarOp<"aten::" # name, "", "(Scalar a, Scalar b) -> Scalar", "realBinary<ops::Math_" # function # ">", doc>;
}
let traits = [FailsAtZero] in {
let partial = "floorDivide", scalarOp = "FloorDiv:I" in
defm Scalar_floordiv  : IntOrFloat<"floordiv", "floorDivide", "a // b", Laws<right="1">>;
let partial = "modulo", scalarOp = "Rem:I" in
defm Scalar_remainder : IntOrFloat<"remainder", "pythonModulo", "a % b", Laws<>>;
def Scalar_round_to_zero_floordiv
    : ScalarOp<"aten::__round_to_zero_floordiv", "int", "(int a, int b) -> int", "truncatingDivide", "C's integer division", Laws<right="1">>;
}
def Scalar_divmod_int       : ScalarOp<"aten::divmod", "int", "(int x, int y) -> (int, int)", "divmod<int64_t>", "divmod(x, y)">;
def Scalar_divmod_float     : ScalarOp<"aten::divmod", "float", "(float x, float y) -> (float, float)", "divmod<double>", "divmod(x, y)">;
def Scalar_divmod_int_float : ScalarOp<"aten::divmod", "int_float", "(int x, float y) -> (float, float)", "divmod<double>", "divmod(x, y)">;
def Scalar_divmod_float_int : ScalarOp<"aten::divmod", "float_int", "(float x, int y) -> (float, float)", "divmod<double>", "divmod(x, y)">;

def Scalar_pow_int           : ScalarOp<"aten::pow", "int", "(int a, int b) -> float", "power", "a ** b">;
def Scalar_pow_complex       : ScalarOp<"aten::pow", "complex", "(complex a, complex b) -> complex", "power", "a ** b">;
def Scalar_pow_float         : ScalarOp<"aten::pow", "float", "(float a, float b) -> float", "power", "a ** b">;
def Scalar_pow_int_float     : ScalarOp<"aten::pow", "int_float", "(int a, float b) -> float", "power", "a ** b">;
def Scalar_pow_float_int     : ScalarOp<"aten::pow", "float_int", "(float a, int b) -> float", "power", "a ** b">;
def Scalar_pow_float_complex : ScalarOp<"aten::pow", "float_complex", "(float a, complex b) -> complex", "power", "a ** b">;
def Scalar_pow_complex_float : ScalarOp<"aten::pow", "complex_float", "(complex a, float b) -> complex", "power", "a ** b">;
def Scalar_pow_Scalar        : ScalarOp<"aten::pow", "Scalar_Scalar", "(Scalar a, Scalar b) -> float", "power", "a ** b">;
def Scalar_pow_int_to_int    : ScalarOp<"aten::pow", "int_to_int", "(int a, int b) -> int", "integerPower", "a ** b in wrapping integers">;

// Comparisons.
multiclass Ordering<string name, string function, string doc, Laws laws> {
  let traits = [Speculatable] in {
    def _int       : ScalarOp<"aten::" # name, "int", "(int a, int b) -> bool", function, doc, laws>;
    def _float     : ScalarOp<"aten::" # name, "float", "(float a, float b) -> bool", function, doc>;
    def _int_float : ScalarOp<"aten::" # name, "int_float", "(int a, float b) -> bool", function, doc>;
    def _float_int : ScalarOp<"aten::" # name, "float_int", "(float a, int b) -> bool", function, doc>;
    def _str       : ScalarOp<"aten::" # name, "str", "(str a, str b) -> bool", function, doc, laws>;
  }
  def _Scalar    : ScalarOp<"aten::" # name, "", "(Scalar a, Scalar b) -> bool", function, doc>; // fails for complex numbers
}
let partial = "isLess", scalarOp = "Lt:IF" in
defm Scalar_lt : Ordering<"lt", "less", "a < b", Laws<same="False">>;
let partial = "isAtMost", scalarOp = "Le:IF" in
defm Scalar_le : Ordering<"le", "lessEqual", "a <= b", Laws<same="True">>;
let partial = "isGreater", scalarOp = "Lt:IF swapped" in
defm Scalar_gt : Ordering<"gt", "greater", "a > b", Laws<same="False">>;
let partial = "isAtLeast", scalarOp = "Le:IF swapped" in
defm Scalar_ge : Ordering<"ge", "greaterEqual", "a >= b", Laws<same="True">>;
// NaN differs from itself: `laws` are not of floats.
multiclass Equality<string name, string function, string doc, Laws laws, Laws ofBools> {
  def _int           : ScalarOp<"aten::" # name, "int", "(int a, int b) -> bool", function, doc, laws>;
  def _complex       : ScalarOp<"aten::" # name, "complex", "(complex a, complex b) -> bool", function, doc>;
  def _float         : ScalarOp<"aten::" # name, "float", "(float a, float b) -> bool", function, doc>;
  def _int_float     : ScalarOp<"aten::" # name, "int_float", "(int a, float b) -> bool", function, doc>;
  def _float_int     : ScalarOp<"aten::" # name, "float_int", "(float a, int b) -> bool", function, doc>;
  def _float_complex : ScalarOp<"aten::" # name, "float_complex", "(float a, complex b) -> bool", function, doc>;
  def _complex_float : ScalarOp<"aten::" # name, "complex_float", "(complex a, float b) -> bool", function, doc>;
  def _Scalar        : ScalarOp<"aten::" # name, "", "(Scalar a, Scalar b) -> bool", function, doc>;
  def _str           : ScalarOp<"aten::" # name, "str", "(str a, str b) -> bool", function, doc, laws>;
  def _bool          : ScalarOp<"aten::" # name, "bool", "(bool a, bool b) -> bool", function, doc, ofBools>;
  def _device        : ScalarOp<"aten::" # name, "device", "(Device a, Device b) -> bool", function, doc, laws>;
}
let traits = [Speculatable] in {
let partial = "isEqual", scalarOp = "Eq:IFBS" in
defm Scalar_eq : Equality<"eq", "equals", "a == b", Laws<same="True">,
                          Laws<right="True", left="True", same="True", negating="False">>;
let partial = "differs", scalarOp = "Ne:IFBS" in
defm Scalar_ne : Equality<"ne", "differs", "a != b", Laws<same="False">,
                          Laws<right="False", left="False", same="False", negating="True">>;
}

// Bits and logic.
let traits = [Speculatable] in {
let partial = "logicalAnd", scalarOp = "AndB" in
def Scalar_and_bool : ScalarOp<"aten::__and__", "bool", "(bool a, bool b) -> bool", "bitAnd", "a & b",
                               Laws<right="True", left="True", absorbing="False", same="self">>;
let scalarOp = "AndI" in
def Scalar_and_int  : ScalarOp<"aten::__and__", "int", "(int a, int b) -> int", "bitAnd", "a & b">;
let partial = "logicalOr", scalarOp = "OrB" in
def Scalar_or_bool  : ScalarOp<"aten::__or__", "bool", "(bool a, bool b) -> bool", "bitOr", "a | b",
                               Laws<right="False", left="False", absorbing="True", same="self">>;
let scalarOp = "OrI" in
def Scalar_or_int   : ScalarOp<"aten::__or__", "int", "(int a, int b) -> int", "bitOr", "a | b">;
let scalarOp = "NeB" in
def Scalar_xor_bool : ScalarOp<"aten::__xor__", "bool", "(bool a, bool b) -> bool", "bitXor", "a ^ b",
                               Laws<right="False", left="False", same="False", negating="True">>;
let scalarOp = "XorI" in
def Scalar_xor_int  : ScalarOp<"aten::__xor__", "int", "(int a, int b) -> int", "bitXor", "a ^ b">;
}
let scalarOp = "ShlI" in
def Scalar_lshift   : ScalarOp<"aten::__lshift__", "int", "(int a, int b) -> int", "shiftLeft", "a << b">;
let scalarOp = "ShrI" in
def Scalar_rshift   : ScalarOp<"aten::__rshift__", "int", "(int a, int b) -> int", "shiftRight", "a >> b">;
let partial = "logicalNot", scalarOp = "NotB", traits = [Speculatable, SelfInverse] in
def Scalar_not      : ScalarOp<"aten::__not__", "", "(bool self) -> bool", "logicalNot", "not self">;

// Sign and rounding.
let partial = "negate", scalarOp = "Neg:IF", traits = [Speculatable, SelfInverse] in {
def Scalar_neg_int     : ScalarOp<"aten::neg", "int", "(int a) -> int", "negate", "-a">;
def Scalar_neg_float   : ScalarOp<"aten::neg", "float", "(float a) -> float", "negate", "-a">;
def Scalar_neg_complex : ScalarOp<"aten::neg", "complex", "(complex a) -> complex", "negate", "-a">;
def Scalar_neg_Scalar  : ScalarOp<"aten::neg", "Scalar", "(Scalar a) -> Scalar", "unary<ops::Math_negate>", "-a">;
}
let partial = "absolute", scalarOp = "Abs:IF", traits = [Speculatable, Idempotent] in {
def Scalar_abs_int     : ScalarOp<"prim::abs", "int", "(int a) -> int", "absolute", "abs(a)">;
def Scalar_abs_float   : ScalarOp<"prim::abs", "float", "(float a) -> float", "absolute", "abs(a)">;
def Scalar_abs_complex : ScalarOp<"prim::abs", "complex", "(complex a) -> float", "absolute", "abs(a)">;
def Scalar_abs_Scalar  : ScalarOp<"prim::abs", "Scalar", "(Scalar a) -> Scalar", "unary<ops::Math_absolute>", "abs(a)">;
}
foreach f = ["floor", "ceil"] in
let partial = f, scalarOp = !if(!eq(f, "floor"), "Floor:F", "Ceil:F") in {
  def Scalar_ # f # _int    : ScalarOp<"aten::" # f, "int", "(int a) -> int", f # "ToInt", "math." # f>;
  def Scalar_ # f # _float  : ScalarOp<"aten::" # f, "float", "(float a) -> int", f # "ToInt", "math." # f>;
  def Scalar_ # f # _Scalar : ScalarOp<"aten::" # f, "Scalar", "(Scalar a) -> Scalar", "unary<ops::Math_" # f # "ToInt>", "math." # f>;
}
def Scalar_round_int    : ScalarOp<"aten::round", "int", "(int a) -> float", "roundHalfEven", "round(a)">;
def Scalar_round_float  : ScalarOp<"aten::round", "float", "(float a) -> float", "roundHalfEven", "round(a)">;
def Scalar_round_Scalar : ScalarOp<"aten::round", "Scalar", "(Scalar a) -> Scalar", "unary<ops::Math_roundHalfEven>", "round(a)">;
def Scalar_frexp        : ScalarOp<"aten::frexp", "", "(float a) -> (float, int)", "splitExponent", "math.frexp">;
def Scalar_modf         : ScalarOp<"aten::modf", "", "(float a) -> (float, float)", "splitFraction", "math.modf">;
def Scalar_ldexp        : ScalarOp<"aten::ldexp", "", "(float x, int i) -> float", "scaleByPowerOfTwo", "math.ldexp">;
def Scalar_factorial    : ScalarOp<"aten::factorial", "int", "(int a) -> int", "factorial", "math.factorial">;
def Scalar_gcd          : ScalarOp<"aten::gcd", "int", "(int a, int b) -> int", "greatestCommonDivisor", "math.gcd">;

// Logarithm to a base.
def Scalar_log_float_float : ScalarOp<"aten::log", "float_float", "(float a, float b) -> float", "logBase", "math.log(a, b)">;
def Scalar_log_int_int     : ScalarOp<"aten::log", "int_int", "(int a, int b) -> float", "logBase", "math.log(a, b)">;
def Scalar_log_int_float   : ScalarOp<"aten::log", "int_float", "(int a, float b) -> float", "logBase", "math.log(a, b)">;
def Scalar_log_float_int   : ScalarOp<"aten::log", "float_int", "(float a, int b) -> float", "logBase", "math.log(a, b)">;
def Scalar_log_Scalar_2    : ScalarOp<"aten::log", "Scalar_Scalar", "(Scalar a, Scalar b) -> float", "logBase", "math.log(a, b)">;

// Questions.
foreach f = ["isnan", "isinf", "isfinite"] in {
  def Scalar_ # f # _float   : ScalarOp<"aten::" # f, "float", "(float a) -> bool", f # "Scalar", "math." # f>;
  def Scalar_ # f # _complex : ScalarOp<"aten::" # f, "complex", "(complex a) -> bool", f # "Scalar", "cmath." # f>;
}
def Scalar_angle_float   : ScalarOp<"aten::angle", "float", "(float a) -> float", "phase", "cmath.phase">;
def Scalar_angle_int     : ScalarOp<"aten::angle", "int", "(int a) -> float", "phase", "cmath.phase">;
def Scalar_angle_complex : ScalarOp<"aten::angle", "complex", "(complex a) -> float", "phase", "cmath.phase">;
foreach t = ["int", "float"] in
  def Scalar_polar_ # t : ScalarOp<"aten::polar", t, "(" # t # " a, " # t # " b) -> complex", "polar", "cmath.rect">;
def Scalar_polar_int_float : ScalarOp<"aten::polar", "int_float", "(int a, float b) -> complex", "polar", "cmath.rect">;
def Scalar_polar_float_int : ScalarOp<"aten::polar", "float_int", "(float a, int b) -> complex", "polar", "cmath.rect">;

// Casts.
let partial = "toBool", conversion = "Explicit", traits = [Speculatable] in {
let scalarOp = "IntToBool" in
def Scalar_Bool_int     : ScalarOp<"aten::Bool", "int", "(int a) -> bool", "toBool", "bool(a)">;
let scalarOp = "FloatToBool" in
def Scalar_Bool_float   : ScalarOp<"aten::Bool", "float", "(float a) -> bool", "toBool", "bool(a)">;
}
let partial = "toInt", conversion = "Explicit" in {
let traits = [Speculatable], scalarOp = "BoolToInt" in
def Scalar_Int_bool     : ScalarOp<"aten::Int", "bool", "(bool a) -> int", "toInt", "int(a)">;
let scalarOp = "FloatToInt" in
def Scalar_Int_float    : ScalarOp<"aten::Int", "float", "(float a) -> int", "toInt", "int(a)">;
def Scalar_Int_Scalar   : ScalarOp<"aten::Int", "Scalar", "(Scalar a) -> int", "toInt", "int(a)">;
}
def Scalar_Int_str      : ScalarOp<"aten::Int", "str", "(str a) -> int", "parseInt", "int(a)"> { let conversion = "Explicit"; }
let partial = "toFloat", conversion = "Explicit" in {
let traits = [Speculatable] in {
let scalarOp = "IntToFloat" in
def Scalar_Float_int    : ScalarOp<"aten::Float", "int", "(int a) -> float", "toFloat", "float(a)">;
def Scalar_Float_bool   : ScalarOp<"aten::Float", "bool", "(bool a) -> float", "toFloat", "float(a)">;
}
def Scalar_Float_Scalar : ScalarOp<"aten::Float", "Scalar", "(Scalar a) -> float", "toFloat", "float(a)">;
}
def Scalar_Float_str    : ScalarOp<"aten::Float", "str", "(str a) -> float", "parseFloat", "float(a)"> { let conversion = "Explicit"; }
def Scalar_Complex_Scalar : ScalarOp<"aten::Complex", "Scalar", "(Scalar a) -> complex", "toComplex", "complex(a)"> { let conversion = "Explicit"; }
foreach x = ["int", "float", "bool"] in
  foreach y = ["int", "float", "bool"] in
    def Scalar_Complex_ # x # _ # y
        : ScalarOp<"aten::Complex", x # "_" # y, "(" # x # " x, " # y # " y) -> complex", "makeComplex", "complex(x, y)">;

// min and max of two.
multiclass Extremum<string name, string doc> {
  let traits = [Speculatable] in {
    def _int       : ScalarOp<"prim::" # name, "int", "(int a, int b) -> int", name # "imum", doc, Laws<same="self">>;
    def _float     : ScalarOp<"prim::" # name, "float", "(float a, float b) -> float", name # "imum", doc>;
    def _int_float : ScalarOp<"prim::" # name, "int_float", "(int a, float b) -> float", name # "imum", doc>;
    def _float_int : ScalarOp<"prim::" # name, "float_int", "(float a, int b) -> float", name # "imum", doc>;
  }
  def _Scalar    : ScalarOp<"prim::" # name, "", "(Scalar a, Scalar b) -> Scalar", "realBinary<ops::Math_" # name # "imum>", doc>;
}
let partial = "minimum", scalarOp = "Min:I" in
defm Scalar_min : Extremum<"min", "min(a, b)">;
let partial = "maximum", scalarOp = "Max:I" in
defm Scalar_max : Extremum<"max", "max(a, b)">;

// Ranges.
let partial = "rangeLength", scalarOp = "RangeLength" in
def Scalar_range_length : ScalarOp<"aten::__range_length", "", "(int lo, int hi, int step) -> int", "rangeLength", "len(range(lo, hi, step))">;
let partial = "deriveIndex", scalarOp = "DeriveIndex" in
def Scalar_derive_index : ScalarOp<"aten::__derive_index", "", "(int index, int start, int step) -> int", "deriveIndex", "range(start, …, step)[index]">;
