//===- Alone.cpp - A program that links tsc/Python and nothing else -------===//
//
// Reads calls, a line each: the name of a function and its operands, with tabs between,
// and writes a line for each result. An operand is an int (`i3`), a float (`f0x1p+0`), a
// text of hexadecimal digits (`s6162`), or absent (`n`); so are results, an exception is
// `!` with the digits of its text. test/Python/cpython.py has CPython answer the same calls.
//
//===----------------------------------------------------------------------===//
#include "tsc/Python/Format.h"
#include "tsc/Python/Math.h"
#include "tsc/Python/Numbers.h"
#include "tsc/Python/Repr.h"
#include "llvm/ADT/StringExtras.h"
#include <cstdio>
#include <cstdlib>
#include <functional>

using namespace tsc;
using llvm::StringRef;

namespace {
struct Operand {
  char kind = 'n';
  int64_t whole = 0;
  double real = 0;
  std::string text;
};
using Operands = llvm::ArrayRef<Operand>;

std::string shown(int64_t value) { return "i" + std::to_string(value); }
std::string shown(double value) {
  char buffer[64];
  snprintf(buffer, sizeof buffer, "f%a", value);
  return std::isnan(value) ? "fnan" : buffer;
}
std::string shown(StringRef text) { return "s" + llvm::toHex(text, /*LowerCase=*/true); }
std::string shown(const std::string &text) { return shown(StringRef(text)); }
std::string shown(bool value) { return shown(static_cast<int64_t>(value)); }
std::string shown(const std::vector<StringRef> &parts) {
  std::string all = "l";
  for (StringRef part : parts)
    all += shown(part);
  return all;
}
std::string shown(const python::Partition &parts) {
  return shown(std::vector<StringRef>{parts.before, parts.separator, parts.after});
}
std::string failed(const Status &status) { return "!" + llvm::toHex(messageOf(status), /*LowerCase=*/true); }
template <typename T> std::string shown(const StatusOr<T> &result) {
  return result.ok() ? shown(*result) : failed(result.status());
}

std::optional<int64_t> bound(Operands args, size_t i) {
  return i < args.size() && args[i].kind == 'i' ? std::optional(args[i].whole) : std::nullopt;
}
std::optional<StringRef> textIf(const Operand &arg) {
  return arg.kind == 's' ? std::optional<StringRef>(arg.text) : std::nullopt;
}

std::string formatted(const Operand &value, StringRef specification) {
  return value.kind == 'i'   ? shown(python::format(value.whole, specification))
         : value.kind == 'f' ? shown(python::format(value.real, specification))
                             : shown(python::format(StringRef(value.text), specification));
}

class Values final : public python::PercentValues {
public:
  explicit Values(Operands values) : values(values) {}
  bool isMapping() const override { return false; }
  bool hasNext() const override { return !values.empty(); }
  StatusOr<python::PercentValue> take(std::optional<StringRef>, char letter) override {
    const Operand value = values.front();
    values = values.drop_front();
    const bool isText = value.kind == 's';
    if (letter == 's' || letter == 'r' || letter == 'a') {
      const std::string shown = isText && letter == 's' ? value.text
                                : isText                ? python::reprOf(StringRef(value.text))
                                : value.kind == 'i'     ? std::to_string(value.whole)
                                                        : python::reprOf(value.real);
      return python::PercentValue{letter == 'a' ? python::asciiOf(shown) : shown, "str"};
    }
    if (isText)
      return python::PercentValue{value.text, "str"};
    return value.kind == 'i' ? python::PercentValue{value.whole, "int"} : python::PercentValue{value.real, "float"};
  }

private:
  Operands values;
};

/// A binary operator: of ints where both are, else of floats.
template <typename Ints, typename Floats> std::string binary(Operands args, Ints ints, Floats floats) {
  auto real = [](const Operand &arg) { return arg.kind == 'i' ? static_cast<double>(arg.whole) : arg.real; };
  return args[0].kind == 'i' && args[1].kind == 'i' ? shown(ints(args[0].whole, args[1].whole))
                                                    : shown(floats(real(args[0]), real(args[1])));
}

std::string call(StringRef name, Operands args) {
  using namespace python;
  using Reals = StatusOr<double> (*)(double, double);
  using Wholes = StatusOr<int64_t> (*)(int64_t, int64_t);
  using Quotient = StatusOr<double> (*)(int64_t, int64_t);
  const StringRef text = args[0].text;
  if (name.consume_front("math."))
    if (auto function = findMathFunction(name, args.size())) {
      llvm::SmallVector<double> operands;
      for (const Operand &arg : args)
        operands.push_back(arg.real);
      return shown(callMath(*function, operands));
    }
  if (name == "//")
    return binary(args, Wholes(floorDivide), Reals(floorDivide));
  if (name == "%")
    return binary(args, Wholes(modulo), Reals(modulo));
  if (name == "/")
    return binary(args, Quotient(divide), Reals(divide));
  if (name == "**" && args[0].kind == 'i' && args[1].kind == 'i' && args[1].whole < 0)
    return shown(power(static_cast<double>(args[0].whole), static_cast<double>(args[1].whole)));
  if (name == "**")
    return binary(args, Wholes(power), Reals(power));
  if (name == "+")
    return shown(add(args[0].whole, args[1].whole));
  if (name == "*")
    return shown(multiply(args[0].whole, args[1].whole));
  if (name == "<<")
    return shown(shiftLeft(args[0].whole, args[1].whole));
  if (name == ">>")
    return shown(shiftRight(args[0].whole, args[1].whole));
  if (name == "<") {
    const auto order = compare(args[0].whole, args[1].real);
    return shown(static_cast<int64_t>(order < 0 ? -1 : order == 0 ? 0 : order > 0 ? 1 : 2));
  }
  if (name == "round")
    return shown(roundToInt(args[0].real));
  if (name == "int")
    return args[0].kind == 'f' ? shown(toInt(args[0].real)) : shown(parseInt(text, bound(args, 1).value_or(10)));
  if (name == "float")
    return shown(parseFloat(text));
  if (name == "repr")
    return shown(args[0].kind == 'f' ? reprOf(args[0].real) : reprOf(text));
  if (name == "format")
    return formatted(args[0], args[1].text);
  if (name == "str%") {
    Values values(args.drop_front());
    return shown(formatPercent(text, values));
  }
  if (name == "str.format")
    return shown(formatFields(text, Numbering::AllOrNone, [&](const FormatField &field) -> StatusOr<std::string> {
      if (!field.name.empty())
        return invalidArgument("KeyError: " + reprOf(field.name));
      if (field.number + 1 >= args.size())
        return outOfRange("IndexError: Replacement index " + llvm::Twine(field.number) +
                          " out of range for positional args tuple");
      const Operand &value = args[field.number + 1];
      std::string one = formatted(value, field.specification);
      if (StringRef(one).starts_with("!"))
        return invalidArgument(llvm::fromHex(StringRef(one).drop_front()));
      return llvm::fromHex(StringRef(one).drop_front());
    }));
  if (name == "ord")
    return shown(ord(text));
  if (name == "chr")
    return shown(chr(args[0].whole));
  if (name == "slice")
    return shown(python::slice(text, bound(args, 1), bound(args, 2), bound(args, 3).value_or(1)));
  if (name == "getitem")
    return shown(letterAt(text, args[1].whole));
  const Section in{bound(args, 2), bound(args, 3)};
  if (name == "find")
    return shown(python::find(text, args[1].text, in));
  if (name == "rfind")
    return shown(python::rfind(text, args[1].text, in));
  if (name == "count")
    return shown(python::count(text, args[1].text, in));
  if (name == "startswith")
    return shown(startsWith(text, args[1].text, in));
  if (name == "endswith")
    return shown(endsWith(text, args[1].text, in));
  if (name == "strip")
    return shown(strip(text, textIf(args[1])));
  if (name == "lstrip")
    return shown(stripLeft(text, textIf(args[1])));
  if (name == "rstrip")
    return shown(stripRight(text, textIf(args[1])));
  if (name == "split")
    return shown(python::split(text, textIf(args[1]), args[2].whole));
  if (name == "rsplit")
    return shown(splitFromRight(text, textIf(args[1]), args[2].whole));
  if (name == "splitlines")
    return shown(splitLines(text, args[1].whole != 0));
  if (name == "partition")
    return shown(python::partition(text, args[1].text));
  if (name == "rpartition")
    return shown(partitionFromRight(text, args[1].text));
  if (name == "replace")
    return shown(python::replace(text, args[1].text, args[2].text, args[3].whole));
  if (name == "expandtabs")
    return shown(expandTabs(text, args[1].whole));
  if (name == "ljust")
    return shown(ljust(text, args[1].whole, args[2].text));
  if (name == "rjust")
    return shown(rjust(text, args[1].whole, args[2].text));
  if (name == "center")
    return shown(center(text, args[1].whole, args[2].text));
  if (name == "zfill")
    return shown(zfill(text, args[1].whole));
  static constexpr std::pair<StringRef, bool (*)(StringRef, Letters)> questions[] = {
      {"isalnum", isAlnum},           {"isalpha", isAlpha}, {"isdecimal", isDecimal}, {"isdigit", isDigit},
      {"isidentifier", isIdentifier}, {"islower", isLower}, {"isnumeric", isNumeric}, {"isprintable", isPrintableText},
      {"isspace", isSpaces},          {"istitle", isTitle}, {"isupper", isUpper}};
  for (auto [known, holds] : questions)
    if (name == known)
      return shown(holds(text, Letters::CodePoints));
  static constexpr std::pair<StringRef, std::string (*)(StringRef, Letters)> changes[] = {
      {"upper", upper}, {"lower", lower}, {"title", title}, {"capitalize", capitalize}, {"swapcase", swapcase}};
  for (auto [known, make] : changes)
    if (name == known)
      return shown(make(text, Letters::CodePoints));
  return name == "casefold" ? shown(casefold(text)) : "?";
}
} // namespace

int main() {
  std::string line;
  for (int c; (c = getchar()) != EOF;) {
    if (c != '\n') {
      line += static_cast<char>(c);
      continue;
    }
    llvm::SmallVector<StringRef> words;
    StringRef(line).split(words, '\t');
    std::vector<Operand> operands;
    for (StringRef word : llvm::drop_begin(words)) {
      Operand &operand = operands.emplace_back();
      operand.kind = word[0];
      const std::string rest = word.drop_front().str();
      if (operand.kind == 'i')
        operand.whole = std::strtoll(rest.c_str(), nullptr, 10);
      else if (operand.kind == 'f')
        operand.real = std::strtod(rest.c_str(), nullptr);
      else if (operand.kind == 's')
        operand.text = llvm::fromHex(rest);
    }
    puts(call(words[0], operands).c_str());
    line.clear();
  }
}
