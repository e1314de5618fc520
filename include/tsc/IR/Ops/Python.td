//===- Python.td - Operators that mean what Python means --------*- tablegen -*-===//
//
// Where PyTorch gives an operator on numbers, texts or dicts another meaning than
// Python does, each meaning is an operator of its own (docs/Python.md): archives
// call aten::div, and source calls python::div. The text of the IR spells the latter
// aten::div[python=1]. Kernels: tsc/Runtime/Dispatch/Ops/Python.h.
//
// `agrees` says what operands show that both operators give the same:
//   Never             whatever they are, as far as one can tell before running
//   NonZeroDivisor    operand 1 is a constant other than 0
//   AsciiText         operand 0 is a constant of ASCII letters
//   SameText          str() writes values of the operands' types alike
//   PlainFields       the same, and operand 0, a constant, is the only one and has no braces but those of {}
//   PlainConversions  the same, and operand 0 is a constant with %s and %d alone
//   Chosen            the frontend chooses by other things than the operands
//
//===----------------------------------------------------------------------===//

// Python's meaning of the operator `plain`. Traits, laws and `partial` are stated anew: those of `plain` need not hold.
class PythonOp<Op plain, string function, string agrees_ = "Never">
    : Op<"python" # !substr(plain.schema, !find(plain.schema, "::"))> {
  defvar head = !substr(plain.schema, 0, !find(plain.schema, "("));
  defvar dot = !find(head, ".");
  let spelling = !substr(head, 0, !if(!lt(dot, 0), !size(head), dot));
  let agrees = agrees_;
  let boxedKernel = "ops::" # function;
  let summary = plain.summary # ", as Python has it";
}

// Divisions fail where the divisor is 0. `//` and `%` of floats come from the exact remainder: 1.0 // 0.1 is 9.0.
let traits = [FailsAtZero] in {
let partial = "divide" in {
let scalarOp = "CheckedDivI" in
def Python_div_int     : PythonOp<Scalar_div_int, "pythonDivide<OpKind::Aten_div_int>", "NonZeroDivisor">;
def Python_div_complex : PythonOp<Scalar_div_complex, "pythonDivide<OpKind::Aten_div_complex>", "NonZeroDivisor">;
let scalarOp = "CheckedDivF" in {
def Python_div_float   : PythonOp<Scalar_div_float, "pythonDivide<OpKind::Aten_div_float>", "NonZeroDivisor"> { let laws = Laws<right="1.0">; }
def Python_div_Scalar  : PythonOp<Scalar_div_Scalar, "pythonDivide<OpKind::Aten_div>", "NonZeroDivisor">;
}
}
foreach t = ["float", "int_float", "float_int", "Scalar"] in {
  let partial = "floorDivide", scalarOp = "CheckedFloorDiv:F" in
  def Python_floordiv_ # t  : PythonOp<!cast<Op>("Scalar_floordiv_" # t), "pythonFloorDivide">;
  let partial = "modulo", scalarOp = "CheckedRem:F" in
  def Python_remainder_ # t : PythonOp<!cast<Op>("Scalar_remainder_" # t), "pythonRemainder">;
}
foreach t = ["float", "int_float", "float_int"] in
  def Python_divmod_ # t : PythonOp<!cast<Op>("Scalar_divmod_" # t), "pythonDivmod">;
}

// Functions of the module math, and powers: what PyTorch computes, and an error where that is not finite although the operands
// are. `function` is an enumerator of python::MathFunction.
class PythonMath<Op plain, string kind, string function>
    : PythonOp<plain, "pythonMath<OpKind::" # kind # ", python::MathFunction::" # function # ">">;
foreach f = ["exp", "expm1", "sinh", "cosh", "log", "log10", "log1p", "atanh", "sqrt", "sin", "cos", "tan", "asin", "acos",
             "acosh", "gamma", "lgamma"] in
  foreach t = ["int", "float", "Scalar"] in
    let scalarOp = !cond(!eq(f, "exp"): "CheckedExp:F", !eq(f, "log"): "CheckedLog:F", !eq(f, "sqrt"): "CheckedSqrt:F",
                         !eq(f, "sin"): "CheckedSin:F", !eq(f, "cos"): "CheckedCos:F", true: "") in
    def Python_ # f # _ # t : PythonMath<!cast<Op>("Scalar_" # f # "_" # t), "Aten_" # f # "_" # t, f>;
foreach t = ["int", "float", "int_float", "float_int", "Scalar"] in {
  defvar suffix = !if(!eq(t, "Scalar"), "", "_" # t);
  def Python_fmod_ # t          : PythonMath<!cast<Op>("Scalar_fmod_" # t), "Aten_fmod" # suffix, "fmod_">;
  def Python_mathremainder_ # t : PythonMath<!cast<Op>("Scalar_mathremainder_" # t), "Aten_mathremainder" # suffix, "remainder_">;
}
foreach t = ["float_float", "int_int", "int_float", "float_int"] in
  def Python_log_ # t : PythonMath<!cast<Op>("Scalar_log_" # t), "Aten_log_" # t, "log_">;
def Python_log_Scalar_2 : PythonMath<Scalar_log_Scalar_2, "Aten_log_Scalar_Scalar", "log_">;
def Python_ldexp        : PythonMath<Scalar_ldexp, "Aten_ldexp", "ldexp_">;
// An int to the power of an int is an int, and the exponent is not negative.
def Python_pow_int      : PythonOp<Scalar_pow_int, "pythonPowerOfInts", "Chosen"> {
  let schema = "python::pow.int(int a, int b) -> int";
}
foreach t = ["float", "int_float", "float_int"] in
  def Python_pow_ # t   : PythonMath<!cast<Op>("Scalar_pow_" # t), "Aten_pow_" # t, "pow_">;
def Python_pow_Scalar   : PythonMath<Scalar_pow_Scalar, "Aten_pow_Scalar_Scalar", "pow_">;

// Values as text.
let traits = [ShowsValues], conversion = "Explicit" in
def Python_str     : PythonOp<Str_str, "pythonStr", "SameText">;
let traits = [ShowsValues] in {
def Python_format  : PythonOp<Str_format, "pythonFormat", "PlainFields"> { let summary = "str.format"; }
def Python_percent : PythonOp<Str_percent, "pythonPercentFormat", "PlainConversions">;
}
// prim::Print is no operator. The interpreter has an instruction for each.
def Python_Print   : Op<"python::Print(...) -> ()"> {
  let spelling = "prim::Print";
  let summary = "print(…), as Python has it";
  let traits = [ShowsValues, SideEffects];
}

// Text is letters, which are code points, and not bytes. What is a letter, and white space, says Unicode.
let traits = [Answers], scalarOp = "LetterCount" in
def Python_len         : PythonOp<Str_len, "pythonLength", "AsciiText">;
let scalarOp = "LetterAt" in {
def Python_getitem     : PythonOp<Str_getitem, "pythonLetterAt", "AsciiText">;
def Python_StringIndex : PythonOp<Str_StringIndex, "pythonLetterAt", "AsciiText">;
}
def Python_list        : PythonOp<Str_list, "pythonLetters", "AsciiText">;
def Python_slice       : PythonOp<Str_slice, "pythonSlice", "AsciiText">;
def Python_zfill       : PythonOp<Str_zfill, "pythonZfill", "AsciiText">;
def Python_replace     : PythonOp<Str_replace, "pythonReplace", "AsciiText">;
def Python_expandtabs  : PythonOp<Str_expandtabs, "pythonExpandTabs", "AsciiText">;
def Python_split       : PythonOp<Str_split, "pythonSplit">;
def Python_splitlines  : PythonOp<Str_splitlines, "pythonSplitLines">;
def Python_ord         : PythonOp<Str_ord, "pythonOrd", "AsciiText">;
def Python_chr         : PythonOp<Str_chr, "pythonChr">;

// Methods of str. `function` is one of tsc/Python/Text.h.
class PythonMethod<string method, string kernel, string function, string agrees = "AsciiText">
    : PythonOp<!cast<Op>("Str_" # method), kernel # "<python::" # function # ">", agrees>;
def Python_isupper      : PythonMethod<"isupper", "pythonText", "isUpper">;
def Python_islower      : PythonMethod<"islower", "pythonText", "isLower">;
def Python_isalpha      : PythonMethod<"isalpha", "pythonText", "isAlpha">;
def Python_isdigit      : PythonMethod<"isdigit", "pythonText", "isDigit">;
def Python_isdecimal    : PythonMethod<"isdecimal", "pythonText", "isDecimal">;
def Python_isnumeric    : PythonMethod<"isnumeric", "pythonText", "isNumeric">;
def Python_isspace      : PythonMethod<"isspace", "pythonText", "isSpaces", "Never">;
def Python_isalnum      : PythonMethod<"isalnum", "pythonText", "isAlnum">;
def Python_isidentifier : PythonMethod<"isidentifier", "pythonText", "isIdentifier">;
def Python_isprintable  : PythonMethod<"isprintable", "pythonText", "isPrintableText">;
def Python_istitle      : PythonMethod<"istitle", "pythonText", "isTitle">;
def Python_upper        : PythonMethod<"upper", "pythonText", "upper">;
def Python_lower        : PythonMethod<"lower", "pythonText", "lower">;
def Python_capitalize   : PythonMethod<"capitalize", "pythonText", "capitalize">;
def Python_title        : PythonMethod<"title", "pythonText", "title">;
def Python_swapcase     : PythonMethod<"swapcase", "pythonText", "swapcase">;
def Python_find         : PythonMethod<"find", "pythonSearch", "find">;
def Python_rfind        : PythonMethod<"rfind", "pythonSearch", "rfind">;
def Python_index        : PythonMethod<"index", "pythonSearch", "index">;
def Python_rindex       : PythonMethod<"rindex", "pythonSearch", "rindex">;
def Python_startswith   : PythonMethod<"startswith", "pythonSearch", "startsWith">;
def Python_endswith     : PythonMethod<"endswith", "pythonSearch", "endsWith">;
def Python_count        : PythonMethod<"count", "pythonSearch", "count">;
def Python_ljust        : PythonMethod<"ljust", "pythonFill", "ljust">;
def Python_rjust        : PythonMethod<"rjust", "pythonFill", "rjust">;
def Python_center       : PythonMethod<"center", "pythonFill", "center">;
def Python_strip        : PythonMethod<"strip", "pythonStrip", "strip", "Never">;
def Python_lstrip       : PythonMethod<"lstrip", "pythonStrip", "stripLeft", "Never">;
def Python_rstrip       : PythonMethod<"rstrip", "pythonStrip", "stripRight", "Never">;

// The newest entry and not the oldest. The failure is an effect, also where nobody reads what was written.
let traits = [SideEffects] in
foreach k = ["str", "int", "bool", "float", "complex", "Tensor"] in
  def Python_popitem_ # k : PythonOp<!cast<Op>("Dict_popitem_" # k), "pythonPopItem">;
