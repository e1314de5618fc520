//===- Python.cpp - Operators that mean what Python means -----------------===//
#include "tsc/Runtime/Ops/Python.h"
#include "tsc/IR/ClassType.h"
#include "tsc/Runtime/Arguments.h"
#include "tsc/Runtime/Ops/Scalars.h"
#include "tsc/Runtime/Ops/Strings.h"
#include "tsc/Support/PercentFormat.h"
#include "tsc/Support/WorkMeter.h"
#include "tsc/Tensor/TensorHistory.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/ConvertUTF.h"
#include "llvm/Support/raw_ostream.h"
#include <cmath>
using namespace tsc;
using llvm::StringRef;

using Args = const IValue *const *;

//===----------------------------------------------------------------------===//
// Numbers
//===----------------------------------------------------------------------===//

Status ops::floatDivisionByZero() { return invalidArgument("ZeroDivisionError: float division by zero"); }
Status ops::floatFloorDivisionByZero() { return invalidArgument("ZeroDivisionError: float floor division by zero"); }
Status ops::floatModuloByZero() { return invalidArgument("ZeroDivisionError: float modulo"); }

double ops::pythonRemainder(double a, double divisor) {
  double r = std::fmod(a, divisor);
  if (r == 0)
    return std::copysign(0.0, divisor);
  return (r < 0) != (divisor < 0) ? r + divisor : r;
}

/// From the remainder, and not from the quotient: 1.0 // 0.1 is 9.0, though 1.0 / 0.1 is 10.0.
double ops::pythonFloorDivide(double a, double divisor) {
  double r = std::fmod(a, divisor), quotient = (a - r) / divisor;
  if (r != 0 && (r < 0) != (divisor < 0))
    quotient -= 1;
  if (quotient == 0)
    return std::copysign(0.0, a / divisor);
  double whole = std::floor(quotient);
  return quotient - whole > 0.5 ? whole + 1 : whole;
}

static bool isIntegral(const IValue &value) { return value.isInt() || value.isBool(); }
static double realOf(const IValue &value) { return value.toScalar().toDouble(); }
static bool isZero(const IValue &value) {
  Scalar number = value.toScalar();
  return number.isComplex() ? number.toComplex() == std::complex<double>() : number.toDouble() == 0;
}

template <OpKind Kind> static Status checkedDivide(CallContext &context, Args args, IValue *results) {
  if (isZero(*args[1])) {
    if (args[0]->toScalar().isComplex() || args[1]->toScalar().isComplex())
      return invalidArgument("ZeroDivisionError: complex division by zero");
    return isIntegral(*args[0]) && isIntegral(*args[1]) ? ops::divisionByZero() : ops::floatDivisionByZero();
  }
  return boxedKernels[static_cast<unsigned>(Kind)](context, args, results);
}

static Status checkedFloorDivide(CallContext &, Args args, IValue *results) {
  if (isIntegral(*args[0]) && isIntegral(*args[1])) {
    TSC_ASSIGN_OR_RETURN(results[0], ops::floorDivide(args[0]->toInt(), args[1]->toInt()));
    return okStatus();
  }
  if (isZero(*args[1]))
    return ops::floatFloorDivisionByZero();
  results[0] = ops::pythonFloorDivide(realOf(*args[0]), realOf(*args[1]));
  return okStatus();
}

static Status checkedRemainder(CallContext &, Args args, IValue *results) {
  if (isIntegral(*args[0]) && isIntegral(*args[1])) {
    TSC_ASSIGN_OR_RETURN(results[0], ops::pythonModulo(args[0]->toInt(), args[1]->toInt()));
    return okStatus();
  }
  if (isZero(*args[1]))
    return ops::floatModuloByZero();
  results[0] = ops::pythonRemainder(realOf(*args[0]), realOf(*args[1]));
  return okStatus();
}

static Status divideWithRemainder(CallContext &, Args args, IValue *results) {
  if (isZero(*args[1]))
    return invalidArgument("ZeroDivisionError: float divmod()");
  results[0] = ops::pythonFloorDivide(realOf(*args[0]), realOf(*args[1]));
  results[1] = ops::pythonRemainder(realOf(*args[0]), realOf(*args[1]));
  return okStatus();
}

/// An int to the power of an int, where the program says that the result is one.
static Status powerOfInts(CallContext &, Args args, IValue *results) {
  int64_t exponent = args[1]->toInt();
  if (exponent < 0)
    return invalidArgument("ValueError: " + llvm::Twine(args[0]->toInt()) + " ** " + llvm::Twine(exponent) +
                           " is a float, and the program takes it for an int: float(" + llvm::Twine(args[0]->toInt()) +
                           ") ** " + llvm::Twine(exponent) + " is one");
  results[0] = ops::integerPower(args[0]->toInt(), exponent);
  return okStatus();
}

Status ops::mathDomainError() { return invalidArgument("ValueError: math domain error"); }
Status ops::mathRangeError() { return invalidArgument("OverflowError: math range error"); }

namespace {
enum class Infinite { Never, Pole, Range, Gamma, Base, Power };
}

static Status infiniteResult(Infinite kind, ArrayRef<double> operands) {
  switch (kind) {
  case Infinite::Range: return ops::mathRangeError();
  case Infinite::Gamma: // which has its poles there
    return operands[0] <= 0 && operands[0] == std::floor(operands[0]) ? ops::mathDomainError() : ops::mathRangeError();
  case Infinite::Base: // log(a) / log(b)
    return operands[0] > 0 && operands[1] == 1 ? ops::floatDivisionByZero() : ops::mathDomainError();
  case Infinite::Power: return invalidArgument("OverflowError: (34, 'Numerical result out of range')");
  case Infinite::Never:
  case Infinite::Pole: break;
  }
  return ops::mathDomainError();
}

/// As CPython's mathmodule.c: a result that is not finite is one only of operands that are not.
template <OpKind Kind, Infinite OfInfinite>
static Status checkedMath(CallContext &context, Args args, IValue *results) {
  Status status = boxedKernels[static_cast<unsigned>(Kind)](context, args, results);
  if (!status.ok()) {
    if (OfInfinite != Infinite::Power || args[0]->toScalar().isComplex() || args[1]->toScalar().isComplex())
      return status;
    if (!std::isinf(realOf(*args[1]))) // zero to a negative power
      return status;
    results[0] = HUGE_VAL; // 0.0 ** -inf
    return okStatus();
  }
  if (!results[0].isDouble() || std::isfinite(results[0].toDouble())) [[likely]]
    return okStatus();
  llvm::SmallVector<double, 2> operands;
  for (unsigned i = 0; i != context.site->numArgs; ++i)
    operands.push_back(realOf(*args[i]));
  if (std::isnan(results[0].toDouble())) {
    if (llvm::any_of(operands, [](double each) { return std::isnan(each); }))
      return okStatus();
    if (OfInfinite == Infinite::Power)
      return invalidArgument("ValueError: math domain error: a negative number to the power of a fraction is complex; "
                             "complex(a, 0) ** b is one");
    return ops::mathDomainError();
  }
  if (!llvm::all_of(operands, [](double each) { return std::isfinite(each); }) && OfInfinite != Infinite::Base)
    return okStatus();
  return infiniteResult(OfInfinite, operands);
}

//===----------------------------------------------------------------------===//
// Text
//===----------------------------------------------------------------------===//

void ops::writePythonText(llvm::raw_ostream &os, const IValue &value) {
  if (value.isString())
    os << value.toString();
  else if (value.getTag() == IValue::Tag::Enum)
    os << StringRef(value.toEnum().type->name()).rsplit('.').second << '.' << value.toEnum().name;
  else if (value.isDevice())
    os << value.toDevice().str();
  else
    reprValue(os, value);
}

/// Whether all tensors that a value's text shows have a text of their own.
static bool hasText(const IValue &value, unsigned depth = 0) {
  constexpr unsigned maxDepth = 32; // deeper ones are shown as "..." at some point
  auto have = [&](const auto &values) {
    return llvm::all_of(values, [&](const IValue &one) { return hasText(one, depth + 1); });
  };
  if (value.isTensor())
    return hasPythonString(value.asTensor());
  if (depth == maxDepth)
    return true;
  if (value.isTuple())
    return have(value.toTuple().elements);
  if (value.isTensorList())
    return llvm::all_of(value.toTensorList().elements, hasPythonString);
  bool hasOne = true;
  for (size_t i = 0; value.isGenericList() && hasOne && i != value.listSize(); ++i)
    hasOne = hasText(value.listElement(i), depth + 1);
  if (value.isDict())
    value.toDict().forEach([&](const IValue &, const IValue &one) { hasOne = hasOne && hasText(one, depth + 1); });
  return hasOne;
}

Status ops::checkTexts(llvm::ArrayRef<const IValue *> values) {
  if (llvm::all_of(values, [](const IValue *value) { return hasText(*value); }))
    return okStatus();
  return invalidArgument("the text of a tensor names the node that made it (grad_fn=<…>), which isn't known for this "
                         "one; that of its detach() does not");
}

static Status pythonStr(CallContext &, Args args, IValue *results) {
  TSC_RETURN_IF_ERROR(ops::checkTexts({args, 1}));
  ops::TextStream os;
  ops::writePythonText(os, *args[0]);
  results[0] = IValue(os.take());
  return okStatus();
}

static Status format(CallContext &context, Args args, IValue *results) {
  unsigned count = context.site ? context.site->numArgs : 1;
  TSC_RETURN_IF_ERROR(ops::checkTexts({args + 1, count - 1}));
  TSC_ASSIGN_OR_RETURN(results[0], ops::pythonFormat(args[0]->toString(), {args + 1, count - 1}));
  return okStatus();
}

bool ops::isAsciiText(StringRef text) { return llvm::isASCII(text); }

static bool isContinuation(char c) { return (static_cast<unsigned char>(c) & 0xC0) == 0x80; }

int64_t ops::countLetters(StringRef text) {
  work::count(static_cast<int64_t>(text.size()));
  return static_cast<int64_t>(text.size()) - llvm::count_if(text, isContinuation);
}
size_t ops::letterSize(StringRef text, size_t offset) {
  size_t end = offset + 1;
  while (end < text.size() && isContinuation(text[end]))
    ++end;
  return end - offset;
}
size_t ops::letterOffset(StringRef text, int64_t number) {
  size_t at = 0;
  for (; number > 0 && at < text.size(); --number)
    at += letterSize(text, at);
  return at;
}

static Status length(CallContext &, Args args, IValue *results) {
  results[0] = ops::countLetters(args[0]->toString());
  return okStatus();
}

static Status letterAt(CallContext &, Args args, IValue *results) {
  StringRef text = args[0]->toString();
  int64_t count = ops::countLetters(text), at = args[1]->toInt();
  if (at < 0)
    at += count;
  if (at < 0 || at >= count)
    return outOfRange("IndexError: string index out of range");
  size_t begin = ops::letterOffset(text, at);
  results[0] = IValue(text.substr(begin, ops::letterSize(text, begin)));
  return okStatus();
}

static std::vector<StringRef> lettersOf(StringRef text) {
  std::vector<StringRef> letters;
  for (size_t at = 0; at < text.size(); at += letters.back().size())
    letters.push_back(text.substr(at, ops::letterSize(text, at)));
  return letters;
}

static Status letters(CallContext &, Args args, IValue *results) {
  results[0] = makeList(Type::stringType(), 0);
  for (StringRef letter : lettersOf(args[0]->toString()))
    appendToList(results[0], IValue(letter));
  return okStatus();
}

static Status slice(CallContext &context, Args args, IValue *results) {
  StringRef text = args[0]->toString();
  if (ops::isAsciiText(text) || args[3]->toInt() == 0)
    return boxedKernels[static_cast<unsigned>(OpKind::Aten_slice_str)](context, args, results);
  std::vector<StringRef> all = lettersOf(text);
  int64_t size = static_cast<int64_t>(all.size()), step = args[3]->toInt();
  int64_t low = step > 0 ? 0 : -1, high = step > 0 ? size : size - 1;
  auto place = [&](const IValue &bound, int64_t absent) {
    if (bound.isNone())
      return absent;
    return std::clamp(bound.toInt() < 0 ? bound.toInt() + size : bound.toInt(), low, high);
  };
  int64_t from = place(*args[1], step > 0 ? low : high), to = place(*args[2], step > 0 ? high : low);
  std::string taken;
  for (int64_t i = from; step > 0 ? i < to : i > to;) {
    taken += all[i];
    if (__builtin_add_overflow(i, step, &i))
      break;
  }
  results[0] = IValue(std::move(taken));
  return okStatus();
}

/// The kernels below take a part of a text: their bounds, the last two arguments, are made offsets of bytes.
template <OpKind Kind, bool GivesPlace> static Status inPart(CallContext &context, Args args, IValue *results) {
  BoxedKernel kernel = boxedKernels[static_cast<unsigned>(Kind)];
  StringRef text = args[0]->toString();
  if (ops::isAsciiText(text))
    return kernel(context, args, results);
  int64_t size = ops::countLetters(text), start = args[2]->toInt(), end = args[3]->toInt();
  start = start < 0 ? std::max<int64_t>(0, start + size) : start;
  end = end < 0 ? std::max<int64_t>(0, end + size + 1) : std::min(end, size); // -1 is the end
  int64_t beyond = std::max<int64_t>(0, start - size);
  IValue first(static_cast<int64_t>(ops::letterOffset(text, std::min(start, size))) + beyond),
      last(static_cast<int64_t>(ops::letterOffset(text, end)));
  const IValue *bounded[] = {args[0], args[1], &first, &last};
  TSC_RETURN_IF_ERROR(kernel(context, bounded, results));
  if (GivesPlace && results[0].toInt() > 0)
    results[0] = ops::countLetters(text.take_front(results[0].toInt()));
  return okStatus();
}

/// Counts an empty text between every two letters.
static Status count(CallContext &context, Args args, IValue *results) {
  TSC_RETURN_IF_ERROR((inPart<OpKind::Aten_count, false>(context, args, results)));
  StringRef text = args[0]->toString();
  if (!args[1]->toString().empty() || ops::isAsciiText(text) || results[0].toInt() == 0)
    return okStatus();
  int64_t size = ops::countLetters(text), start = args[2]->toInt(), end = args[3]->toInt();
  start = start < 0 ? std::max<int64_t>(0, start + size) : start;
  end = end < 0 ? std::max<int64_t>(0, end + size + 1) : std::min(end, size);
  results[0] = end - start + 1;
  return okStatus();
}

/// Kernels that fill a text up to a width, argument 1: bytes beyond the letters widen it.
template <OpKind Kind> static Status fill(CallContext &context, Args args, IValue *results) {
  BoxedKernel kernel = boxedKernels[static_cast<unsigned>(Kind)];
  StringRef text = args[0]->toString();
  int64_t more = static_cast<int64_t>(text.size()) - ops::countLetters(text);
  bool hasFill = Kind != OpKind::Aten_zfill;
  if (!more && (!hasFill || args[2]->toString().size() == 1))
    return kernel(context, args, results);
  if (hasFill && args[2]->toString().size() != 1) { // one letter of several bytes
    StringRef letter = args[2]->toString();
    if (ops::countLetters(letter) != 1)
      return kernel(context, args, results); // which refuses it
    IValue plain(StringRef("\x01"));
    const IValue *filled[] = {args[0], args[1], &plain};
    TSC_RETURN_IF_ERROR((fill<Kind>(context, filled, results)));
    std::string text;
    for (char c : results[0].toString())
      text += c == '\x01' ? letter : StringRef(&c, 1);
    results[0] = IValue(std::move(text));
    return okStatus();
  }
  IValue width(args[1]->toInt() > 0 ? args[1]->toInt() + more : args[1]->toInt());
  const IValue *widened[] = {args[0], &width, hasFill ? args[2] : nullptr};
  return kernel(context, widened, results);
}

static Status codeOf(CallContext &context, Args args, IValue *results) {
  StringRef text = args[0]->toString();
  if (ops::countLetters(text) != 1)
    return invalidArgument("TypeError: ord() expected a character, but string of length " +
                           llvm::Twine(ops::countLetters(text)) + " found");
  if (text.size() == 1)
    return boxedKernels[static_cast<unsigned>(OpKind::Aten_ord)](context, args, results);
  const auto *begin = reinterpret_cast<const llvm::UTF8 *>(text.begin());
  llvm::UTF32 code = 0, *target = &code;
  if (llvm::ConvertUTF8toUTF32(&begin, begin + text.size(), &target, &code + 1, llvm::strictConversion) !=
      llvm::conversionOK)
    return invalidArgument("ValueError: the text is not UTF-8");
  results[0] = static_cast<int64_t>(code);
  return okStatus();
}

StatusOr<std::string> ops::letterOf(int64_t code) {
  if (code < 0 || code > 0x10ffff)
    return invalidArgument("ValueError: chr() arg not in range(0x110000)");
  char bytes[UNI_MAX_UTF8_BYTES_PER_CODE_POINT], *end = bytes;
  if (!llvm::ConvertCodePointToUTF8(static_cast<unsigned>(code), end))
    return invalidArgument("ValueError: chr(" + llvm::Twine(code) + ") is half of a surrogate pair, and no character");
  return std::string(bytes, end - bytes);
}

static Status chr(CallContext &, Args args, IValue *results) {
  TSC_ASSIGN_OR_RETURN(results[0], ops::letterOf(args[0]->toInt()));
  return okStatus();
}

/// What `%d`, `%x`, `%f` and `%c` take: numbers, tensors of one number, and for the last a letter.
static Status takeForConversion(char letter, IValue &value) {
  if (value.isTensor() && value.toTensor().numel() == 1) {
    TSC_ASSIGN_OR_RETURN(Scalar number, value.toTensor().item());
    value = IValue(number);
  }
  auto refuse = [&](const llvm::Twine &wanted) {
    return invalidArgument("TypeError: " + wanted + ", not " + pythonTypeName(value));
  };
  const bool isReal = value.isScalar() && !value.isComplex();
  switch (letter) {
  case 'd':
  case 'i':
  case 'u':
    if (!isReal)
      return refuse("%" + llvm::Twine(letter) + " format: a real number is required");
    if (value.isDouble() && std::isnan(value.toDouble()))
      return invalidArgument("ValueError: cannot convert float NaN to integer");
    if (value.isDouble() && !(value.toDouble() >= -0x1p63 && value.toDouble() < 0x1p63))
      return invalidArgument("OverflowError: %d takes numbers of 64 bits");
    return okStatus();
  case 'x':
  case 'X':
  case 'o':
    return isIntegral(value) ? okStatus() : refuse("%" + llvm::Twine(letter) + " format: an integer is required");
  case 'e':
  case 'E':
  case 'f':
  case 'F':
  case 'g':
  case 'G': return isReal ? okStatus() : refuse("must be real number");
  case 'c':
    if (isIntegral(value)) {
      if (value.toInt() < 0 || value.toInt() > 0x10ffff)
        return invalidArgument("OverflowError: %c arg not in range(0x110000)");
      TSC_ASSIGN_OR_RETURN(std::string text, ops::letterOf(value.toInt()));
      value = IValue(std::move(text));
    }
    return value.isString() && ops::countLetters(value.toString()) == 1
               ? okStatus()
               : invalidArgument("TypeError: %c requires int or char");
  default: return okStatus();
  }
}

static Status percentFormat(CallContext &context, Args args, IValue *results) {
  unsigned count = context.site ? context.site->numArgs : 1;
  std::vector<IValue> values;
  for (unsigned i = 1; i < count; ++i)
    if (count == 2 && args[i]->isTuple())
      for (const IValue &element : args[i]->toTuple().elements)
        values.push_back(element);
    else
      values.push_back(*args[i]);
  const DictValue *mapping = count == 2 && args[1]->isDict() ? &args[1]->toDict() : nullptr;
  // The conversions in turn: what they show becomes text or a number that the operator behind this one knows.
  std::string format;
  std::vector<IValue> shown;
  size_t used = 0;
  auto next = [&]() -> StatusOr<IValue> {
    if (used == values.size())
      return invalidArgument("TypeError: not enough arguments for format string");
    return values[used++];
  };
  StringRef rest = args[0]->toString();
  while (auto conversion = takeConversion(rest)) {
    format += conversion->before;
    if (!conversion->letter)
      return invalidArgument("ValueError: incomplete format");
    if (conversion->letter == '%') {
      format += "%%";
      continue;
    }
    format += '%';
    for (char option : conversion->options) {
      if (option != '*') {
        format += option;
        continue;
      }
      TSC_ASSIGN_OR_RETURN(IValue number, next());
      if (!number.isInt())
        return invalidArgument("TypeError: * wants int");
      const bool isPrecision = format.back() == '.';
      format += std::to_string(isPrecision ? std::max<int64_t>(0, number.toInt()) : number.toInt());
    }
    IValue value;
    if (conversion->key) {
      if (!mapping)
        return invalidArgument("TypeError: format requires a mapping");
      const IValue *known = mapping->find(IValue(*conversion->key));
      if (!known)
        return invalidArgument("KeyError: " + *conversion->key);
      value = *known;
    } else {
      TSC_ASSIGN_OR_RETURN(value, next());
    }
    const char letter = conversion->letter;
    if (letter == 's') {
      const IValue *argument = &value;
      IValue text;
      TSC_RETURN_IF_ERROR(pythonStr(context, &argument, &text));
      value = std::move(text);
    } else if (letter == 'r') {
      const IValue *argument = &value;
      TSC_RETURN_IF_ERROR(ops::checkTexts({&argument, 1}));
      ops::TextStream os;
      reprValue(os, value);
      value = IValue(os.take());
    } else {
      TSC_RETURN_IF_ERROR(takeForConversion(letter, value));
    }
    shown.push_back(std::move(value));
    format += letter == 'r' || letter == 'c' ? 's' : letter == 'u' ? 'd' : letter;
  }
  format += rest;
  if (used != values.size() && !mapping)
    return invalidArgument("TypeError: not all arguments converted during string formatting");
  IValue text(std::move(format)), tuple = makeTuple(std::move(shown));
  const IValue *both[] = {&text, &tuple};
  CallSite site = context.site ? *context.site : CallSite();
  site.numArgs = 2;
  const CallSite *outer = context.site;
  context.site = &site;
  Status status = boxedKernels[static_cast<unsigned>(OpKind::Aten_percentFormat)](context, both, results);
  context.site = outer;
  return status;
}

//===----------------------------------------------------------------------===//
// Dicts
//===----------------------------------------------------------------------===//

/// The entry that came last.
static Status popItem(CallContext &, Args args, IValue *results) {
  DictValue &dict = args[0]->toDict();
  if (dict.size() == 0)
    return outOfRange("popitem(): dictionary is empty");
  IValue key, value;
  size_t left = dict.size();
  work::count(static_cast<int64_t>(left));
  dict.forEach([&](const IValue &k, const IValue &v) {
    if (--left == 0)
      key = k, value = v;
  });
  dict.erase(key);
  results[0] = makeTuple({std::move(key), std::move(value)});
  return okStatus();
}

BoxedKernel ops::pythonKernel(OpKind kind) {
  switch (kind) {
  case OpKind::Aten_div: return checkedDivide<OpKind::Aten_div>;
  case OpKind::Aten_div_int: return checkedDivide<OpKind::Aten_div_int>;
  case OpKind::Aten_div_float: return checkedDivide<OpKind::Aten_div_float>;
  case OpKind::Aten_div_complex: return checkedDivide<OpKind::Aten_div_complex>;
  case OpKind::Aten_floordiv:
  case OpKind::Aten_floordiv_float:
  case OpKind::Aten_floordiv_int_float:
  case OpKind::Aten_floordiv_float_int: return checkedFloorDivide;
  case OpKind::Aten_remainder:
  case OpKind::Aten_remainder_float:
  case OpKind::Aten_remainder_int_float:
  case OpKind::Aten_remainder_float_int: return checkedRemainder;
  case OpKind::Aten_divmod_float:
  case OpKind::Aten_divmod_int_float:
  case OpKind::Aten_divmod_float_int: return divideWithRemainder;
  case OpKind::Aten_pow_int: return powerOfInts;
#define PYTHON_MATH(KIND, INFINITE)                                                                                    \
  case OpKind::KIND: return checkedMath<OpKind::KIND, Infinite::INFINITE>;
#include "tsc/IR/PythonMath.def"
  case OpKind::Aten_str: return pythonStr;
  case OpKind::Aten_format: return format;
  case OpKind::Aten_percentFormat: return percentFormat;
  case OpKind::Aten_len_str: return length;
  case OpKind::Aten___getitem___str:
  case OpKind::Prim_StringIndex: return letterAt;
  case OpKind::Aten_list: return letters;
  case OpKind::Aten_slice_str: return slice;
  case OpKind::Aten_find: return inPart<OpKind::Aten_find, true>;
  case OpKind::Aten_rfind: return inPart<OpKind::Aten_rfind, true>;
  case OpKind::Aten_index_str: return inPart<OpKind::Aten_index_str, true>;
  case OpKind::Aten_rindex: return inPart<OpKind::Aten_rindex, true>;
  case OpKind::Aten_startswith: return inPart<OpKind::Aten_startswith, false>;
  case OpKind::Aten_endswith: return inPart<OpKind::Aten_endswith, false>;
  case OpKind::Aten_count: return count;
  case OpKind::Aten_ljust: return fill<OpKind::Aten_ljust>;
  case OpKind::Aten_rjust: return fill<OpKind::Aten_rjust>;
  case OpKind::Aten_center: return fill<OpKind::Aten_center>;
  case OpKind::Aten_zfill: return fill<OpKind::Aten_zfill>;
  case OpKind::Aten_ord: return codeOf;
  case OpKind::Aten_chr: return chr;
  case OpKind::Aten_popitem_str:
  case OpKind::Aten_popitem_int:
  case OpKind::Aten_popitem_bool:
  case OpKind::Aten_popitem_float:
  case OpKind::Aten_popitem_complex:
  case OpKind::Aten_popitem_Tensor: return popItem;
  default: return nullptr;
  }
}
