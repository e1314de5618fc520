//===- PythonFormat.cpp - str.format and format specifications ------------===//
//
// The text of str.format, and [[fill]align][sign][#][0][width][,][.precision][type]
// for ints, floats, bools, texts and tensors of one element, as CPython has them.
// Fields are numbered: the frontend has made numbers of names.
//
//===----------------------------------------------------------------------===//
#include "tsc/IR/IValue.h"
#include "tsc/Runtime/Ops/Python.h"
#include "tsc/Runtime/Ops/Strings.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/raw_ostream.h"
#include <cmath>
using namespace tsc;
using llvm::StringRef;

namespace {

struct Specification {
  std::string fill = " ";
  char align = 0, sign = '-', grouping = 0, type = 0;
  bool alternate = false;
  int64_t width = 0, precision = -1;
};

bool isAlign(char c) { return c == '<' || c == '>' || c == '=' || c == '^'; }

Status invalidSpecification(StringRef text) {
  return invalidArgument("ValueError: Invalid format specifier '" + text + "'");
}

StatusOr<Specification> parse(StringRef text) {
  StringRef rest = text;
  Specification result;
  size_t fillSize = rest.empty() ? 0 : ops::letterSize(rest, 0);
  bool hasFill = fillSize < rest.size() && isAlign(rest[fillSize]);
  if (hasFill) {
    result.fill = rest.take_front(fillSize).str();
    result.align = rest[fillSize];
    rest = rest.drop_front(fillSize + 1);
  } else if (!rest.empty() && isAlign(rest[0])) {
    result.align = rest[0];
    rest = rest.drop_front();
  }
  if (!rest.empty() && StringRef("+- ").contains(rest[0])) {
    result.sign = rest[0];
    rest = rest.drop_front();
  }
  result.alternate = rest.consume_front("#");
  if (rest.consume_front("0")) {
    if (!hasFill)
      result.fill = "0";
    if (!result.align)
      result.align = '0'; // '=' for numbers
  }
  if (!rest.empty() && llvm::isDigit(rest[0]) && rest.consumeInteger(10, result.width))
    return invalidArgument("ValueError: Too many decimal digits in format string");
  if (!rest.empty() && (rest[0] == ',' || rest[0] == '_')) {
    result.grouping = rest[0];
    rest = rest.drop_front();
  }
  if (rest.consume_front(".") && (rest.empty() || !llvm::isDigit(rest[0]) || rest.consumeInteger(10, result.precision)))
    return invalidArgument("ValueError: Format specifier missing precision");
  if (result.width > 1000000 || result.precision > 1000000)
    return invalidArgument("ValueError: '" + text + "' asks for too many characters");
  if (!rest.empty()) {
    result.type = rest[0];
    rest = rest.drop_front();
  }
  if (!rest.empty())
    return invalidSpecification(text);
  return result;
}

std::string repeated(StringRef letter, int64_t count) {
  std::string text;
  for (; count > 0; --count)
    text += letter;
  return text;
}

/// `head` is a sign and a prefix, between which and the rest the fill goes for '='.
std::string aligned(const Specification &spec, StringRef head, StringRef body, char absent) {
  int64_t missing = spec.width - ops::countLetters(head) - ops::countLetters(body);
  char align = spec.align == '0' ? (absent == '<' ? '<' : '=') : spec.align ? spec.align : absent;
  int64_t left = missing <= 0 ? 0 : align == '<' ? 0 : align == '^' ? missing / 2 : missing;
  std::string before = repeated(spec.fill, left), after = repeated(spec.fill, std::max<int64_t>(missing, 0) - left);
  return align == '=' ? head.str() + before + body.str() : before + head.str() + body.str() + after;
}

/// Digits in groups, filled up with zeros to `width`.
std::string grouped(StringRef digits, char separator, unsigned size, int64_t width) {
  std::string reversed;
  for (size_t i = 0; i < digits.size() || static_cast<int64_t>(reversed.size()) < width; ++i) {
    if (i && i % size == 0)
      reversed += separator;
    reversed += i < digits.size() ? digits[digits.size() - 1 - i] : '0';
  }
  std::reverse(reversed.begin(), reversed.end());
  return reversed;
}

/// `whole` are the digits before the point, `rest` all that follows them.
std::string number(const Specification &spec, bool isNegative, StringRef prefix, StringRef whole, StringRef rest,
                   unsigned groupSize) {
  std::string head = (isNegative ? "-" : spec.sign == '-' ? "" : std::string(1, spec.sign)) + prefix.str(), body;
  bool fillsWithZeros = spec.fill == "0" && (spec.align == '0' || spec.align == '=');
  if (spec.grouping && llvm::all_of(whole, llvm::isHexDigit)) {
    int64_t width = fillsWithZeros ? spec.width - static_cast<int64_t>(head.size() + rest.size()) : 0;
    body = grouped(whole, spec.grouping, groupSize, width);
  } else {
    body = whole.str();
  }
  return aligned(spec, head, body + rest.str(), '>');
}

std::string printed(const char *format, int precision, double value) {
  int size = snprintf(nullptr, 0, format, precision, value);
  std::string text(size + 1, 0);
  snprintf(text.data(), text.size(), format, precision, value);
  text.pop_back();
  return text;
}

/// As repr, or with `precision` digits as 'g' does, but with a point, or an exponent one digit earlier.
std::string plainFloat(double magnitude, int64_t precision) {
  if (precision < 0) {
    std::string text;
    llvm::raw_string_ostream os(text);
    reprValue(os, IValue(magnitude));
    return text;
  }
  precision = std::max<int64_t>(precision, 1);
  std::string scientific = printed("%.*e", precision - 1, magnitude);
  auto [mantissa, exponentText] = StringRef(scientific).split('e');
  int64_t exponent = 0;
  (void)exponentText.ltrim('+').getAsInteger(10, exponent);
  if (exponent < -4 || exponent + 1 > precision - 1) {
    StringRef digits = mantissa.contains('.') ? mantissa.rtrim('0').rtrim('.') : mantissa;
    return (digits + "e" + exponentText).str();
  }
  std::string fixed = printed("%.*f", std::max<int64_t>(precision - 1 - exponent, 0), magnitude);
  if (StringRef(fixed).contains('.'))
    fixed = StringRef(fixed).rtrim('0').str();
  if (!StringRef(fixed).contains('.'))
    fixed += '.';
  return fixed.back() == '.' ? fixed + "0" : fixed;
}

StatusOr<std::string> formatFloat(double value, const Specification &spec) {
  char type = spec.type == 'n' ? 'g' : spec.type;
  double magnitude = std::fabs(value);
  bool isNegative = std::signbit(value) && !std::isnan(value);
  std::string text;
  if (!std::isfinite(value)) {
    text = std::isnan(value) ? "nan" : "inf";
    if (type == 'F' || type == 'E' || type == 'G')
      text = StringRef(text).upper();
    if (type == '%')
      text += '%';
    return number(spec, isNegative, "", text, "", 3);
  }
  int precision = spec.precision < 0 ? 6 : static_cast<int>(spec.precision);
  switch (type) {
  case 0: text = plainFloat(magnitude, spec.precision); break;
  case 'e': text = printed(spec.alternate ? "%#.*e" : "%.*e", precision, magnitude); break;
  case 'E': text = printed(spec.alternate ? "%#.*E" : "%.*E", precision, magnitude); break;
  case 'f':
  case 'F': text = printed(spec.alternate ? "%#.*f" : "%.*f", precision, magnitude); break;
  case 'g': text = printed(spec.alternate ? "%#.*g" : "%.*g", precision, magnitude); break;
  case 'G': text = printed(spec.alternate ? "%#.*G" : "%.*G", precision, magnitude); break;
  case '%': text = printed(spec.alternate ? "%#.*f%%" : "%.*f%%", precision, magnitude * 100); break;
  default:
    return invalidArgument("ValueError: Unknown format code '" + llvm::Twine(type) + "' for object of type 'float'");
  }
  size_t whole = StringRef(text).find_first_not_of("0123456789");
  return number(spec, isNegative, "", StringRef(text).take_front(whole),
                whole == StringRef::npos ? StringRef() : StringRef(text).substr(whole), 3);
}

std::string inBase(uint64_t magnitude, unsigned base) {
  std::string digits;
  do
    digits += "0123456789abcdef"[magnitude % base];
  while (magnitude /= base);
  std::reverse(digits.begin(), digits.end());
  return digits;
}

StatusOr<std::string> formatInt(int64_t value, const Specification &spec) {
  if (spec.type && StringRef("eEfFgG%").contains(spec.type))
    return formatFloat(static_cast<double>(value), spec);
  if (spec.precision >= 0)
    return invalidArgument("ValueError: Precision not allowed in integer format specifier");
  unsigned base = 10;
  const char *prefix = "";
  switch (spec.type) {
  case 0:
  case 'd':
  case 'n': break;
  case 'x': base = 16, prefix = "0x"; break;
  case 'X': base = 16, prefix = "0X"; break;
  case 'o': base = 8, prefix = "0o"; break;
  case 'b': base = 2, prefix = "0b"; break;
  case 'c': {
    TSC_ASSIGN_OR_RETURN(std::string letter, ops::letterOf(value));
    return aligned(spec, "", letter, '<');
  }
  default:
    return invalidArgument("ValueError: Unknown format code '" + llvm::Twine(spec.type) + "' for object of type 'int'");
  }
  if (spec.grouping == ',' && base != 10)
    return invalidArgument("ValueError: Cannot specify ',' with '" + llvm::Twine(spec.type) + "'.");
  std::string digits = inBase(value < 0 ? -static_cast<uint64_t>(value) : static_cast<uint64_t>(value), base);
  if (spec.type == 'X')
    digits = StringRef(digits).upper();
  return number(spec, value < 0, spec.alternate ? prefix : "", digits, "", base == 10 ? 3 : 4);
}

StatusOr<std::string> formatText(StringRef text, const Specification &spec) {
  if (spec.type && spec.type != 's')
    return invalidArgument("ValueError: Unknown format code '" + llvm::Twine(spec.type) + "' for object of type 'str'");
  if (spec.sign != '-' || spec.alternate || spec.grouping)
    return invalidArgument("ValueError: Sign, '#' and ',' are not allowed in string format specifier");
  if (spec.align == '=')
    return invalidArgument("ValueError: '=' alignment not allowed in string format specifier");
  if (spec.precision >= 0)
    text = text.take_front(ops::letterOffset(text, spec.precision));
  return aligned(spec, "", text, '<');
}

std::string pythonText(const IValue &value, bool asRepr) {
  ops::TextStream os;
  asRepr ? reprValue(os, value) : ops::writePythonText(os, value);
  return os.take();
}

StatusOr<std::string> formatValue(const IValue &value, StringRef specification) {
  if (value.isTensor() && value.asTensor().defined() && value.asTensor().dim() == 0) {
    TSC_ASSIGN_OR_RETURN(Scalar number, value.asTensor().item());
    return formatValue(IValue(number), specification);
  }
  if (specification.empty())
    return pythonText(value, false);
  TSC_ASSIGN_OR_RETURN(Specification spec, parse(specification));
  if (value.isString())
    return formatText(value.toString(), spec);
  if (value.isDouble())
    return formatFloat(value.toDouble(), spec);
  if (value.isInt() || value.isBool())
    return formatInt(value.toInt(), spec);
  return invalidArgument("TypeError: unsupported format string '" + specification + "' for " + pythonText(value, true));
}

class Formatter {
public:
  Formatter(llvm::ArrayRef<const IValue *> values) : values(values) {}

  StatusOr<std::string> format(StringRef text, unsigned depth = 0) {
    std::string result;
    while (!text.empty()) {
      size_t at = std::min(text.find_first_of("{}"), text.size());
      result += text.take_front(at);
      text = text.drop_front(at);
      if (text.empty())
        break;
      if (text.starts_with("{{") || text.starts_with("}}")) {
        result += text[0];
        text = text.drop_front(2);
        continue;
      }
      if (text[0] == '}')
        return invalidArgument("ValueError: Single '}' encountered in format string");
      TSC_ASSIGN_OR_RETURN(StringRef field, takeField(text));
      TSC_ASSIGN_OR_RETURN(std::string piece, formatField(field, depth));
      result += piece;
      TSC_RETURN_IF_ERROR(ops::checkLength(static_cast<int64_t>(result.size())));
    }
    return result;
  }

private:
  /// What stands between the first brace and the one that closes it.
  static StatusOr<StringRef> takeField(StringRef &text) {
    unsigned open = 0;
    for (size_t i = 0; i != text.size(); ++i) {
      open += text[i] == '{' ? 1 : 0;
      if (text[i] == '}' && --open == 0) {
        StringRef field = text.slice(1, i);
        text = text.drop_front(i + 1);
        return field;
      }
    }
    return invalidArgument("ValueError: expected '}' before end of string");
  }

  StatusOr<const IValue *> valueOf(StringRef name) {
    size_t number;
    if (name.empty())
      number = next++;
    else if (name.getAsInteger(10, number))
      return invalidArgument("KeyError: a field '" + name +
                             "': fields are numbers, or names of keyword arguments where the text is "
                             "a literal");
    if (number >= values.size())
      return outOfRange("IndexError: Replacement index " + llvm::Twine(number) +
                        " out of range for positional args tuple");
    return values[number];
  }

  StatusOr<std::string> formatField(StringRef field, unsigned depth) {
    if (depth > 1)
      return invalidArgument("ValueError: Max string recursion exceeded");
    size_t end = std::min(field.find_first_of("!:"), field.size());
    StringRef name = field.take_front(end), rest = field.drop_front(end);
    TSC_ASSIGN_OR_RETURN(const IValue *value, valueOf(name));
    std::optional<IValue> converted;
    if (rest.consume_front("!")) {
      if (!rest.starts_with("r") && !rest.starts_with("s"))
        return invalidArgument("ValueError: a conversion '!" + rest.take_front() + "': !r and !s are known");
      converted = IValue(pythonText(*value, rest[0] == 'r'));
      rest = rest.drop_front();
    }
    if (!rest.empty() && !rest.consume_front(":"))
      return invalidArgument("ValueError: expected ':' after conversion specifier");
    TSC_ASSIGN_OR_RETURN(std::string specification, format(rest, depth + 1));
    return formatValue(converted ? *converted : *value, specification);
  }

  llvm::ArrayRef<const IValue *> values;
  size_t next = 0;
};

} // namespace

StatusOr<std::string> ops::pythonFormat(StringRef text, llvm::ArrayRef<const IValue *> values) {
  return Formatter(values).format(text);
}
