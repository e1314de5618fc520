//===- PrintValue.cpp - Values as text ------------------------------------===//
//
// Two forms: TorchScript's print, which is LibTorch's `ostream << IValue`
// (`1.`, strings without quotes), and Python's repr (`1.0`, 'text').
//
//===----------------------------------------------------------------------===//
#include "tsc/IR/ClassType.h"
#include "tsc/IR/Function.h"
#include "tsc/IR/IValue.h"
#include "tsc/Python/Repr.h"
#include "tsc/Support/Stack.h"
#include "tsc/Support/WorkMeter.h"
#include "llvm/Support/Format.h"
#include "llvm/Support/raw_ostream.h"
#include <cmath>

using namespace tsc;
using llvm::raw_ostream;

/// Whole numbers that an int can hold print as `3.`. (Constants in graphs do below 1e10 only: see Printer.cpp.)
static void printDouble(raw_ostream &os, double value) {
  if (value >= -0x1p63 && value < 0x1p63 && std::trunc(value) == value) {
    os << (std::signbit(value) ? "-" : "") << static_cast<uint64_t>(std::abs(value)) << '.';
    return;
  }
  if (std::isnan(value))
    os << (std::signbit(value) ? "-nan" : "nan");
  else
    os << llvm::format("%.17g", value);
}

namespace {
/// What both forms have in common: the containers.
class ValuePrinter {
public:
  ValuePrinter(raw_ostream &os, bool isPython) : os(os), isPython(isPython), start(os.tell()) {}
  void print(const IValue &value);

private:
  /// Deeper than this there is only `...`: a program can make a value that contains itself.
  static constexpr unsigned maxDepth = 200;
  /// Whether there is to be more of the text. Containers may share what is in them, so that it may be of any length.
  bool goesOn() { return turns.goOn() && !work::wasStopped() && os.tell() - start <= longest; }
  static constexpr uint64_t longest = uint64_t{1} << 31;
  void printTuple(const TupleValue &tuple);
  void printList(const IValue &list);
  void printDict(const DictValue &dict);
  void printComplex(std::complex<double> value);
  void printEnum(const EnumValue &value);

  raw_ostream &os;
  bool isPython;
  const uint64_t start;
  unsigned depth = 0;
  work::LongLoop turns{16};
};
} // namespace

void ValuePrinter::printList(const IValue &list) {
  os << '[';
  for (size_t i = 0, n = list.listSize(); i != n && goesOn(); ++i) {
    os << (i ? ", " : "");
    print(list.listElement(i));
  }
  os << ']';
}

void ValuePrinter::printTuple(const TupleValue &tuple) {
  bool named = isPython && tuple.type && tuple.type->isNamed();
  if (named)
    os << tuple.type->name().rsplit('.').second;
  os << '(';
  for (size_t i = 0; i != tuple.elements.size() && goesOn(); ++i) {
    os << (i ? ", " : "");
    if (named)
      os << tuple.type->fieldNames()[i] << '=';
    print(tuple.elements[i]);
  }
  os << (tuple.elements.size() == 1 && !named ? ",)" : ")");
}

void ValuePrinter::printDict(const DictValue &dict) {
  os << '{';
  bool first = true;
  dict.forEach([&](const IValue &key, const IValue &value) {
    if (!goesOn())
      return;
    os << (first ? "" : ", ");
    first = false;
    print(key);
    os << ": ";
    print(value);
  });
  os << '}';
}

void ValuePrinter::printComplex(std::complex<double> value) {
  if (isPython)
    return python::writeRepr(os, value);
  printDouble(os, value.real());
  os << (value.imag() >= 0 ? "+" : "-");
  printDouble(os, std::abs(value.imag()));
  os << 'j';
}

void ValuePrinter::printEnum(const EnumValue &value) {
  StringRef className = StringRef(value.type->name()).rsplit('.').second;
  os << (isPython ? "<" : "Enum<") << className << '.' << value.name;
  if (isPython) {
    os << ": ";
    print(value.value);
  }
  os << '>';
}

void ValuePrinter::print(const IValue &value) {
  if (depth == maxDepth || !mayRecurse()) {
    os << "...";
    return;
  }
  ++depth;
  switch (value.getTag()) {
  case IValue::Tag::None: os << "None"; break;
  case IValue::Tag::Bool: os << (value.toBool() ? "True" : "False"); break;
  case IValue::Tag::Int: os << value.toInt(); break;
  case IValue::Tag::Double:
    isPython ? python::writeRepr(os, value.toDouble()) : printDouble(os, value.toDouble());
    break;
  case IValue::Tag::Complex: printComplex(value.toComplex()); break;
  case IValue::Tag::String: isPython ? python::writeRepr(os, value.toString()) : void(os << value.toString()); break;
  case IValue::Tag::Tensor: os << (isPython ? toPythonString(value.asTensor()) : toCppString(value.asTensor())); break;
  case IValue::Tag::Device:
    if (isPython)
      os << "device(type='" << StringRef(value.toDevice().str()).split(':').first << "')";
    else
      os << value.toDevice().str();
    break;
  case IValue::Tag::IntList:
  case IValue::Tag::DoubleList:
  case IValue::Tag::BoolList:
  case IValue::Tag::TensorList:
  case IValue::Tag::GenericList: printList(value); break;
  case IValue::Tag::Tuple: printTuple(value.toTuple()); break;
  case IValue::Tag::Dict: printDict(value.toDict()); break;
  case IValue::Tag::Object:
    os << '<' << value.toObject().type->name() << " object at "
       << llvm::format("%p", static_cast<void *>(value.counted())) << '>';
    break;
  case IValue::Tag::Enum: printEnum(value.toEnum()); break;
  case IValue::Tag::Function: os << value.toFunction()->qualifiedName(); break;
  case IValue::Tag::Future: os << "Future"; break;
  case IValue::Tag::Generator: os << "Generator"; break;
  case IValue::Tag::Capsule: os << "Capsule"; break;
  }
  --depth;
}

void tsc::printValue(raw_ostream &os, const IValue &value) { ValuePrinter(os, /*isPython=*/false).print(value); }
void tsc::reprValue(raw_ostream &os, const IValue &value) { ValuePrinter(os, /*isPython=*/true).print(value); }
