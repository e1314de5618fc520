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
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/Support/raw_ostream.h"
using namespace tsc;
using llvm::StringRef;
using python::Letters;

using Args = const IValue *const *;

//===----------------------------------------------------------------------===//
// Numbers
//===----------------------------------------------------------------------===//

static bool isIntegral(const IValue &value) { return value.isInt() || value.isBool(); }
static bool areIntegral(const IValue &a, const IValue &b) { return isIntegral(a) && isIntegral(b); }
static bool areIntegral(Args args) { return areIntegral(*args[0], *args[1]); }
static double realOf(const IValue &value) { return value.toScalar().toDouble(); }
static bool isZero(const IValue &value) {
  Scalar number = value.toScalar();
  return number.isComplex() ? number.toComplex() == std::complex<double>() : number.toDouble() == 0;
}

Status ops::checkDivision(const IValue &dividend, const IValue &divisor) {
  if (!isZero(divisor))
    return okStatus();
  if (dividend.toScalar().isComplex() || divisor.toScalar().isComplex())
    return python::complexDivisionByZero();
  return areIntegral(dividend, divisor) ? python::divisionByZero() : python::floatDivisionByZero();
}

Status ops::pythonFloorDivide(CallContext &, Args args, IValue *results) {
  if (areIntegral(args)) {
    TSC_ASSIGN_OR_RETURN(results[0], ops::floorDivide(args[0]->toInt(), args[1]->toInt()));
  } else {
    TSC_ASSIGN_OR_RETURN(results[0], python::floorDivide(realOf(*args[0]), realOf(*args[1])));
  }
  return okStatus();
}

Status ops::pythonRemainder(CallContext &, Args args, IValue *results) {
  if (areIntegral(args)) {
    TSC_ASSIGN_OR_RETURN(results[0], python::modulo(args[0]->toInt(), args[1]->toInt()));
  } else {
    TSC_ASSIGN_OR_RETURN(results[0], python::modulo(realOf(*args[0]), realOf(*args[1])));
  }
  return okStatus();
}

Status ops::pythonDivmod(CallContext &, Args args, IValue *results) {
  if (isZero(*args[1]))
    return python::floatDivmodByZero();
  results[0] = python::floorQuotient(realOf(*args[0]), realOf(*args[1]));
  results[1] = python::floorRemainder(realOf(*args[0]), realOf(*args[1]));
  return okStatus();
}

/// An int to the power of an int, where the program says that the result is one.
Status ops::pythonPowerOfInts(CallContext &, Args args, IValue *results) {
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

Status ops::callPlainMath(CallContext &context, Args args, IValue *results, OpKind plain,
                          python::MathFunction function) {
  if (function == python::MathFunction::pow_ && !args[0]->toScalar().isComplex() && !args[1]->toScalar().isComplex())
    return powerOfReals(args, results);
  TSC_RETURN_IF_ERROR(boxedKernels[static_cast<unsigned>(plain)](context, args, results));
  if (!results[0].isDouble())
    return okStatus();
  llvm::SmallVector<double, 2> operands;
  for (unsigned i = 0; i != context.site->numArgs; ++i)
    operands.push_back(realOf(*args[i]));
  return python::checkMath(function, results[0].toDouble(), operands);
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

/// Whether all tensors that a value holds have a text of their own. A container is looked through once: others may hold
/// it many times over, and it may hold itself. Who is stopped here is told by whoever writes the text.
static bool hasText(const IValue &value) {
  llvm::SmallVector<IValue, 4> left; // containers
  llvm::SmallPtrSet<const void *, 8> seen;
  auto has = [&](const IValue &one) {
    if (one.isTensor())
      return hasPythonString(one.asTensor());
    const bool isContainer = one.isTuple() || one.isTensorList() || one.isGenericList() || one.isDict();
    if (isContainer && seen.insert(one.counted()).second)
      left.push_back(one);
    return true;
  };
  bool hasAll = has(value);
  for (work::LongLoop turns(16); hasAll && !left.empty() && turns.goOn();) {
    const IValue one = left.pop_back_val();
    if (one.isTuple())
      hasAll = llvm::all_of(one.toTuple().elements, has);
    else if (one.isTensorList())
      hasAll = llvm::all_of(one.toTensorList().elements, hasPythonString);
    else if (one.isGenericList())
      hasAll = llvm::all_of(one.toGenericList().elements, has);
    else
      one.toDict().forEach([&](const IValue &, const IValue &held) { hasAll = hasAll && has(held); });
  }
  return hasAll;
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

Status ops::pythonStr(CallContext &, Args args, IValue *results) {
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
Status ops::pythonFormat(CallContext &context, Args args, IValue *results) {
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

Status ops::pythonPercentFormat(CallContext &context, Args args, IValue *results) {
  PercentOperands values(args + 1, (context.site ? context.site->numArgs : 1) - 1);
  TSC_ASSIGN_OR_RETURN(results[0], python::formatPercent(args[0]->toString(), values, memory::hasRoom));
  return okStatus();
}

Status ops::pythonLength(CallContext &, Args args, IValue *results) {
  results[0] = python::countLetters(args[0]->toString());
  return okStatus();
}

Status ops::pythonLetterAt(CallContext &, Args args, IValue *results) {
  TSC_ASSIGN_OR_RETURN(StringRef letter, python::letterAt(args[0]->toString(), args[1]->toInt()));
  results[0] = IValue(letter);
  return okStatus();
}

Status ops::pythonLetters(CallContext &, Args args, IValue *results) {
  results[0] = ops::listOfStrings(python::lettersOf(args[0]->toString()));
  return okStatus();
}

Status ops::pythonSlice(CallContext &, Args args, IValue *results) {
  auto bound = [](const IValue &given) {
    return given.isNone() ? std::nullopt : std::optional<int64_t>(given.toInt());
  };
  TSC_ASSIGN_OR_RETURN(results[0],
                       python::slice(args[0]->toString(), bound(*args[1]), bound(*args[2]), args[3]->toInt()));
  return okStatus();
}

Status ops::pythonZfill(CallContext &, Args args, IValue *results) {
  TSC_ASSIGN_OR_RETURN(results[0], python::zfill(args[0]->toString(), args[1]->toInt(), memory::hasRoom));
  return okStatus();
}
Status ops::pythonReplace(CallContext &, Args args, IValue *results) {
  TSC_ASSIGN_OR_RETURN(results[0], python::replace(args[0]->toString(), args[1]->toString(), args[2]->toString(),
                                                   args[3]->toInt(), memory::hasRoom));
  return okStatus();
}
Status ops::pythonExpandTabs(CallContext &, Args args, IValue *results) {
  TSC_ASSIGN_OR_RETURN(results[0], python::expandTabs(args[0]->toString(), args[1]->toInt(), memory::hasRoom));
  return okStatus();
}

Status ops::pythonSplit(CallContext &, Args args, IValue *results) {
  return ops::splitInto(results[0], args, Letters::CodePoints);
}
Status ops::pythonSplitLines(CallContext &, Args args, IValue *results) {
  results[0] = ops::listOfStrings(python::splitLines(args[0]->toString(), args[1]->toBool()));
  return okStatus();
}

Status ops::pythonOrd(CallContext &, Args args, IValue *results) {
  TSC_ASSIGN_OR_RETURN(results[0], python::ord(args[0]->toString()));
  return okStatus();
}

Status ops::pythonChr(CallContext &, Args args, IValue *results) {
  TSC_ASSIGN_OR_RETURN(results[0], python::chr(args[0]->toInt()));
  return okStatus();
}

//===----------------------------------------------------------------------===//
// Dicts
//===----------------------------------------------------------------------===//

/// The entry that came last.
Status ops::pythonPopItem(CallContext &, Args args, IValue *results) {
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
