//===- Python.cpp - Operators that mean what Python means -----------------===//
//
// Takes operands out of their boxes, and calls the definitions of tsc/Python.
//
//===----------------------------------------------------------------------===//
#include "tsc/Runtime/Dispatch/Ops/Python.h"
#include "tsc/IR/ClassType.h"
#include "tsc/Python/Format.h"
#include "tsc/Python/Math.h"
#include "tsc/Python/Numbers.h"
#include "tsc/Python/Repr.h"
#include "tsc/Runtime/Dispatch/Arguments.h"
#include "tsc/Runtime/Dispatch/Exceptions.h"
#include "tsc/Runtime/Dispatch/Ops/Scalars.h"
#include "tsc/Runtime/Dispatch/Ops/Strings.h"
#include "tsc/Support/WorkMeter.h"
#include "tsc/Tensor/TensorHistory.h"
#include "llvm/Support/raw_ostream.h"
using namespace tsc;
using llvm::StringRef;
using python::Letters;

using Args = const IValue *const *;

//===----------------------------------------------------------------------===//
// Numbers
//===----------------------------------------------------------------------===//

static bool isIntegral(const IValue &value) { return value.isInt() || value.isBool(); }
static bool areIntegral(Args args) { return isIntegral(*args[0]) && isIntegral(*args[1]); }
static double realOf(const IValue &value) { return value.toScalar().toDouble(); }
static bool isZero(const IValue &value) {
  Scalar number = value.toScalar();
  return number.isComplex() ? number.toComplex() == std::complex<double>() : number.toDouble() == 0;
}

/// The quotient itself is PyTorch's: of ints too, which are made floats.
template <OpKind Kind> static Status checkedDivide(CallContext &context, Args args, IValue *results) {
  if (isZero(*args[1])) {
    if (args[0]->toScalar().isComplex() || args[1]->toScalar().isComplex())
      return python::complexDivisionByZero();
    return areIntegral(args) ? python::divisionByZero() : python::floatDivisionByZero();
  }
  return boxedKernels[static_cast<unsigned>(Kind)](context, args, results);
}

static Status checkedFloorDivide(CallContext &, Args args, IValue *results) {
  if (areIntegral(args)) {
    TSC_ASSIGN_OR_RETURN(results[0], ops::floorDivide(args[0]->toInt(), args[1]->toInt()));
  } else {
    TSC_ASSIGN_OR_RETURN(results[0], python::floorDivide(realOf(*args[0]), realOf(*args[1])));
  }
  return okStatus();
}

static Status checkedRemainder(CallContext &, Args args, IValue *results) {
  if (areIntegral(args)) {
    TSC_ASSIGN_OR_RETURN(results[0], python::modulo(args[0]->toInt(), args[1]->toInt()));
  } else {
    TSC_ASSIGN_OR_RETURN(results[0], python::modulo(realOf(*args[0]), realOf(*args[1])));
  }
  return okStatus();
}

static Status divideWithRemainder(CallContext &, Args args, IValue *results) {
  if (isZero(*args[1]))
    return python::floatDivmodByZero();
  results[0] = python::floorQuotient(realOf(*args[0]), realOf(*args[1]));
  results[1] = python::floorRemainder(realOf(*args[0]), realOf(*args[1]));
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

static Status powerOfReals(Args args, IValue *results) {
  StatusOr<double> power = python::power(realOf(*args[0]), realOf(*args[1]));
  if (power.status().code() == StatusCode::Unimplemented)
    return invalidArgument("ValueError: math domain error: a negative number to the power of a fraction is complex; "
                           "complex(a, 0) ** b is one");
  TSC_RETURN_IF_ERROR(power.status());
  results[0] = *power;
  return okStatus();
}

/// A function of the module math, or a power: what PyTorch computes, where Python has it.
template <OpKind Kind, python::MathFunction Function>
static Status checkedMath(CallContext &context, Args args, IValue *results) {
  if (Function == python::MathFunction::pow_ && !args[0]->toScalar().isComplex() && !args[1]->toScalar().isComplex())
    return powerOfReals(args, results);
  TSC_RETURN_IF_ERROR(boxedKernels[static_cast<unsigned>(Kind)](context, args, results));
  if (!results[0].isDouble())
    return okStatus();
  llvm::SmallVector<double, 2> operands;
  for (unsigned i = 0; i != context.site->numArgs; ++i)
    operands.push_back(realOf(*args[i]));
  return python::checkMath(Function, results[0].toDouble(), operands);
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

/// Whether all tensors that a value's text shows have a text of their own. Containers may hold one container many times
/// over: who stops here is told by whoever writes the text.
static bool hasText(const IValue &value, unsigned depth = 0) {
  constexpr unsigned maxDepth = 32; // deeper ones are shown as "..." at some point
  if (value.isTensor())
    return hasPythonString(value.asTensor());
  if (depth == maxDepth)
    return true;
  work::LongLoop turns(16);
  auto has = [&](const IValue &one) { return !turns.goOn() || hasText(one, depth + 1); };
  if (value.isTuple())
    return llvm::all_of(value.toTuple().elements, has);
  if (value.isTensorList())
    return llvm::all_of(value.toTensorList().elements,
                        [&](const Tensor &one) { return !turns.goOn() || hasPythonString(one); });
  bool hasOne = true;
  for (size_t i = 0; value.isGenericList() && hasOne && i != value.listSize() && turns.goOn(); ++i)
    hasOne = hasText(value.listElement(i), depth + 1);
  if (value.isDict())
    value.toDict().forEach([&](const IValue &, const IValue &one) { hasOne = hasOne && has(one); });
  return hasOne;
}

Status ops::checkTexts(llvm::ArrayRef<const IValue *> values) {
  if (llvm::all_of(values, [](const IValue *value) { return hasText(*value); }))
    return okStatus();
  return invalidArgument("the text of a tensor names the node that made it (grad_fn=<…>), which isn't known for this "
                         "one; that of its detach() does not");
}

static StatusOr<std::string> textOf(const IValue &value, bool asRepr = false) {
  ops::TextStream os;
  asRepr ? reprValue(os, value) : ops::writePythonText(os, value);
  return os.take();
}

static Status pythonStr(CallContext &, Args args, IValue *results) {
  TSC_RETURN_IF_ERROR(ops::checkTexts({args, 1}));
  TSC_ASSIGN_OR_RETURN(results[0], textOf(*args[0]));
  return okStatus();
}

/// A number, a text, a tensor of one number, or another value, which has a text only.
static StatusOr<std::string> formatValue(const IValue &value, StringRef specification) {
  if (value.isTensor() && value.asTensor().defined() && value.asTensor().dim() == 0) {
    TSC_ASSIGN_OR_RETURN(Scalar number, value.asTensor().item());
    return formatValue(IValue(number), specification);
  }
  if (specification.empty())
    return textOf(value);
  if (value.isString())
    return python::format(StringRef(value.toString()), specification);
  if (value.isDouble())
    return python::format(value.toDouble(), specification);
  if (isIntegral(value))
    return python::format(value.toInt(), specification);
  return invalidArgument("TypeError: unsupported format string '" + specification + "' for " +
                         textOf(value, true).value_or("a long text"));
}

/// `text.format(values…)`: the frontend has made numbers of names.
static Status format(CallContext &context, Args args, IValue *results) {
  const llvm::ArrayRef<const IValue *> values(args + 1, (context.site ? context.site->numArgs : 1) - 1);
  TSC_RETURN_IF_ERROR(ops::checkTexts(values));
  auto show = [&](const python::FormatField &field) -> StatusOr<std::string> {
    if (!field.name.empty() || !field.path.empty())
      return invalidArgument("KeyError: a field '" + field.name + field.path +
                             "': fields are numbers, or names of keyword arguments where the text is a literal");
    if (field.number >= values.size())
      return outOfRange("IndexError: Replacement index " + llvm::Twine(field.number) +
                        " out of range for positional args tuple");
    const IValue &value = *values[field.number];
    if (!field.conversion)
      return formatValue(value, field.specification);
    TSC_ASSIGN_OR_RETURN(const std::string text, textOf(value, field.conversion != 's'));
    return python::format(StringRef(field.conversion == 'a' ? python::asciiOf(text) : text), field.specification);
  };
  TSC_ASSIGN_OR_RETURN(results[0],
                       python::formatFields(args[0]->toString(), python::Numbering::Mixed, show, memory::hasRoom));
  return okStatus();
}

namespace {
/// The right side of `%`: one value, or a tuple, or a dict.
class PercentOperands final : public python::PercentValues {
public:
  PercentOperands(Args args, unsigned count) {
    for (unsigned i = 0; i != count; ++i)
      if (count == 1 && args[i]->isTuple())
        for (const IValue &element : args[i]->toTuple().elements)
          values.push_back(element);
      else
        values.push_back(*args[i]);
    if (count == 1 && args[0]->isDict())
      mapping = &args[0]->toDict();
  }
  bool isMapping() const override { return mapping; }
  bool hasNext() const override { return used != values.size(); }
  StatusOr<python::PercentValue> take(std::optional<StringRef> key, char letter) override {
    const IValue *named = key ? mapping->find(IValue(*key)) : nullptr;
    if (key && !named)
      return keyError(IValue(*key));
    IValue value = named ? *named : values[used++];
    if (letter == 's' || letter == 'r' || letter == 'a') {
      const IValue *shown = &value;
      TSC_RETURN_IF_ERROR(ops::checkTexts({&shown, 1}));
      TSC_ASSIGN_OR_RETURN(const std::string text, textOf(value, letter != 's'));
      return python::PercentValue{letter == 'a' ? python::asciiOf(text) : text, "str"};
    }
    if (value.isTensor() && value.toTensor().numel() == 1) {
      TSC_ASSIGN_OR_RETURN(Scalar number, value.toTensor().item());
      value = IValue(number);
    }
    python::PercentValue result{{}, pythonTypeName(value)};
    if (isIntegral(value))
      result.value = value.toInt();
    else if (value.isDouble())
      result.value = value.toDouble();
    else if (value.isString())
      result.value = value.toString();
    return result;
  }

private:
  std::vector<IValue> values;
  size_t used = 0;
  const DictValue *mapping = nullptr;
};
} // namespace

static Status percentFormat(CallContext &context, Args args, IValue *results) {
  PercentOperands values(args + 1, (context.site ? context.site->numArgs : 1) - 1);
  TSC_ASSIGN_OR_RETURN(results[0], python::formatPercent(args[0]->toString(), values, memory::hasRoom));
  return okStatus();
}

static Status length(CallContext &, Args args, IValue *results) {
  results[0] = python::countLetters(args[0]->toString());
  return okStatus();
}

static Status letterAt(CallContext &, Args args, IValue *results) {
  TSC_ASSIGN_OR_RETURN(StringRef letter, python::letterAt(args[0]->toString(), args[1]->toInt()));
  results[0] = IValue(letter);
  return okStatus();
}

static Status letters(CallContext &, Args args, IValue *results) {
  results[0] = ops::listOfStrings(python::lettersOf(args[0]->toString()));
  return okStatus();
}

static Status slice(CallContext &, Args args, IValue *results) {
  auto bound = [](const IValue &given) {
    return given.isNone() ? std::nullopt : std::optional<int64_t>(given.toInt());
  };
  TSC_ASSIGN_OR_RETURN(results[0],
                       python::slice(args[0]->toString(), bound(*args[1]), bound(*args[2]), args[3]->toInt()));
  return okStatus();
}

/// Kernels of functions of a text, and of a text, a part and a place to search in.
template <auto Function> static Status ofText(CallContext &, Args args, IValue *results) {
  results[0] = IValue(Function(args[0]->toString(), Letters::CodePoints));
  return okStatus();
}
template <typename T> static Status store(T value, IValue &result) {
  result = IValue(value);
  return okStatus();
}
template <typename T> static Status store(const StatusOr<T> &value, IValue &result) {
  return value.ok() ? store(*value, result) : value.status();
}
template <auto Function> static Status inSection(CallContext &, Args args, IValue *results) {
  return store(Function(args[0]->toString(), args[1]->toString(), ops::sectionOf(args[2]->toInt(), args[3]->toInt()),
                        Letters::CodePoints),
               results[0]);
}
template <auto Function> static Status fill(CallContext &, Args args, IValue *results) {
  TSC_ASSIGN_OR_RETURN(results[0], Function(args[0]->toString(), args[1]->toInt(), args[2]->toString(), memory::hasRoom,
                                            Letters::CodePoints));
  return okStatus();
}
static Status zfill(CallContext &, Args args, IValue *results) {
  TSC_ASSIGN_OR_RETURN(results[0], python::zfill(args[0]->toString(), args[1]->toInt(), memory::hasRoom));
  return okStatus();
}
static Status replace(CallContext &, Args args, IValue *results) {
  TSC_ASSIGN_OR_RETURN(results[0], python::replace(args[0]->toString(), args[1]->toString(), args[2]->toString(),
                                                   args[3]->toInt(), memory::hasRoom));
  return okStatus();
}
static Status expandTabs(CallContext &, Args args, IValue *results) {
  TSC_ASSIGN_OR_RETURN(results[0], python::expandTabs(args[0]->toString(), args[1]->toInt(), memory::hasRoom));
  return okStatus();
}

/// TorchScript has white space as the default of the letters that strip() takes away; Python takes more for space.
template <auto Function> static Status stripped(CallContext &, Args args, IValue *results) {
  const StringRef chars = args[1]->toString();
  const bool isDefault = chars == " \n\t\f\v";
  results[0] =
      IValue(Function(args[0]->toString(), isDefault ? std::nullopt : std::optional(chars), Letters::CodePoints));
  return okStatus();
}

static Status split(CallContext &, Args args, IValue *results) {
  return ops::splitInto(results[0], args, Letters::CodePoints);
}
static Status splitLines(CallContext &, Args args, IValue *results) {
  results[0] = ops::listOfStrings(python::splitLines(args[0]->toString(), args[1]->toBool()));
  return okStatus();
}

static Status codeOf(CallContext &, Args args, IValue *results) {
  TSC_ASSIGN_OR_RETURN(results[0], python::ord(args[0]->toString()));
  return okStatus();
}

static Status chr(CallContext &, Args args, IValue *results) {
  TSC_ASSIGN_OR_RETURN(results[0], python::chr(args[0]->toInt()));
  return okStatus();
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
#define PYTHON_MATH(KIND, FUNCTION)                                                                                    \
  case OpKind::KIND: return checkedMath<OpKind::KIND, python::MathFunction::FUNCTION>;
#include "tsc/IR/PythonMath.def"
  case OpKind::Aten_str: return pythonStr;
  case OpKind::Aten_format: return format;
  case OpKind::Aten_percentFormat: return percentFormat;
  case OpKind::Aten_len_str: return length;
  case OpKind::Aten___getitem___str:
  case OpKind::Prim_StringIndex: return letterAt;
  case OpKind::Aten_list: return letters;
  case OpKind::Aten_slice_str: return slice;
  case OpKind::Aten_find: return inSection<python::find>;
  case OpKind::Aten_rfind: return inSection<python::rfind>;
  case OpKind::Aten_index_str: return inSection<python::index>;
  case OpKind::Aten_rindex: return inSection<python::rindex>;
  case OpKind::Aten_startswith: return inSection<python::startsWith>;
  case OpKind::Aten_endswith: return inSection<python::endsWith>;
  case OpKind::Aten_count: return inSection<python::count>;
  case OpKind::Aten_ljust: return fill<python::ljust>;
  case OpKind::Aten_rjust: return fill<python::rjust>;
  case OpKind::Aten_center: return fill<python::center>;
  case OpKind::Aten_zfill: return zfill;
  case OpKind::Aten_replace: return replace;
  case OpKind::Aten_expandtabs: return expandTabs;
  case OpKind::Aten_strip: return stripped<python::strip>;
  case OpKind::Aten_lstrip: return stripped<python::stripLeft>;
  case OpKind::Aten_rstrip: return stripped<python::stripRight>;
  case OpKind::Aten_split_str: return split;
  case OpKind::Aten_splitlines: return splitLines;
  case OpKind::Aten_isupper: return ofText<python::isUpper>;
  case OpKind::Aten_islower: return ofText<python::isLower>;
  case OpKind::Aten_isalpha: return ofText<python::isAlpha>;
  case OpKind::Aten_isdigit: return ofText<python::isDigit>;
  case OpKind::Aten_isdecimal: return ofText<python::isDecimal>;
  case OpKind::Aten_isnumeric: return ofText<python::isNumeric>;
  case OpKind::Aten_isspace: return ofText<python::isSpaces>;
  case OpKind::Aten_isalnum: return ofText<python::isAlnum>;
  case OpKind::Aten_isidentifier: return ofText<python::isIdentifier>;
  case OpKind::Aten_isprintable: return ofText<python::isPrintableText>;
  case OpKind::Aten_istitle: return ofText<python::isTitle>;
  case OpKind::Aten_upper: return ofText<python::upper>;
  case OpKind::Aten_lower: return ofText<python::lower>;
  case OpKind::Aten_capitalize: return ofText<python::capitalize>;
  case OpKind::Aten_title: return ofText<python::title>;
  case OpKind::Aten_swapcase: return ofText<python::swapcase>;
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
