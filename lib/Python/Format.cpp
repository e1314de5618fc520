//===- Format.cpp - format(), str.format and the % of texts ---------------===//
#include "tsc/Python/Format.h"
#include "tsc/Python/Numbers.h"
#include "tsc/Python/Repr.h"
#include "llvm/ADT/StringExtras.h"
#include <cmath>

using namespace tsc;
using namespace tsc::python;

//===----------------------------------------------------------------------===//
// Specifications
//===----------------------------------------------------------------------===//

namespace {
struct Specification {
  std::string fill = " ";
  char align = 0; ///< '0' is '=' for numbers, and nothing for texts.
  char sign = 0, grouping = 0, type = 0;
  bool isAlternate = false;
  int64_t width = 0, precision = -1;
};
} // namespace

/// Wider fields are refused: a program should not be able to ask for all memory by one number.
static constexpr int64_t maxWidth = 1000000;

static Status tooWide(int64_t width) {
  return resourceExhausted("ValueError: a field of " + llvm::Twine(width) + " characters is too wide");
}
static bool isAlign(char c) { return c == '<' || c == '>' || c == '=' || c == '^'; }
static Status unknownCode(StringRef code, StringRef type) {
  return invalidArgument("ValueError: Unknown format code '" + code + "' for object of type '" + type + "'");
}
static Status unknownCode(char code, StringRef type) { return unknownCode(StringRef(&code, 1), type); }

static StatusOr<Specification> parse(StringRef text, StringRef typeName) {
  StringRef rest = text;
  Specification result;
  const size_t fillSize = rest.empty() ? 0 : letterSize(rest, 0);
  const bool hasFill = fillSize < rest.size() && isAlign(rest[fillSize]);
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
  result.isAlternate = rest.consume_front("#");
  if (rest.consume_front("0")) {
    if (!hasFill)
      result.fill = "0";
    if (!result.align)
      result.align = '0';
  }
  if (!rest.empty() && llvm::isDigit(rest[0]) && rest.consumeInteger(10, result.width))
    return invalidArgument("ValueError: Too many decimal digits in format string");
  if (!rest.empty() && (rest[0] == ',' || rest[0] == '_')) {
    result.grouping = rest[0];
    rest = rest.drop_front();
    if (!rest.empty() && (rest[0] == ',' || rest[0] == '_'))
      return invalidArgument("ValueError: Cannot specify both ',' and '_'.");
  }
  if (rest.consume_front(".") && (rest.empty() || !llvm::isDigit(rest[0]) || rest.consumeInteger(10, result.precision)))
    return invalidArgument("ValueError: Format specifier missing precision");
  if (result.width > maxWidth || result.precision > maxWidth)
    return tooWide(std::max(result.width, result.precision));
  if (rest.size() > 1 && countLetters(rest) > 1)
    return invalidArgument("ValueError: Invalid format specifier '" + text + "' for object of type '" + typeName + "'");
  if (rest.size() > 1)
    return unknownCode(rest, typeName);
  if (!rest.empty())
    result.type = rest[0];
  const char shown = result.type ? result.type : typeName == "str" ? 's' : 'd';
  if (result.grouping && !StringRef(result.grouping == ',' ? "deEfFgG%" : "deEfFgG%boxX").contains(shown))
    return invalidArgument("ValueError: Cannot specify '" + llvm::Twine(result.grouping) + "' with '" +
                           llvm::Twine(shown) + "'.");
  return result;
}

//===----------------------------------------------------------------------===//
// Numbers and texts in fields
//===----------------------------------------------------------------------===//

static std::string repeated(StringRef letter, int64_t count) {
  std::string text;
  for (; count > 0; --count)
    text += letter;
  return text;
}

/// `head` is a sign and a prefix, between which and the rest the fill goes for '='.
static std::string aligned(const Specification &spec, StringRef head, StringRef body, char absent) {
  const int64_t missing = spec.width - countLetters(head) - countLetters(body);
  const char align = spec.align == '0' ? (absent == '<' ? '<' : '=') : spec.align ? spec.align : absent;
  const int64_t left = missing <= 0 ? 0 : align == '<' ? 0 : align == '^' ? missing / 2 : missing;
  const std::string before = repeated(spec.fill, left),
                    after = repeated(spec.fill, std::max<int64_t>(missing, 0) - left);
  return align == '=' ? head.str() + before + body.str() : before + head.str() + body.str() + after;
}

/// Digits in groups, filled up with zeros to `width`.
static std::string grouped(StringRef digits, char separator, unsigned size, int64_t width) {
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
static std::string number(const Specification &spec, bool isNegative, StringRef prefix, StringRef whole, StringRef rest,
                          unsigned groupSize) {
  const bool hasSign = spec.sign == '+' || spec.sign == ' ';
  const std::string head = (isNegative ? "-" : hasSign ? std::string(1, spec.sign) : "") + prefix.str();
  std::string body = whole.str();
  const bool fillsWithZeros = spec.fill == "0" && (spec.align == '0' || spec.align == '=');
  if (spec.grouping && llvm::all_of(whole, llvm::isHexDigit)) {
    const int64_t width = fillsWithZeros ? spec.width - static_cast<int64_t>(head.size() + rest.size()) : 0;
    body = grouped(whole, spec.grouping, groupSize, width);
  }
  return aligned(spec, head, body + rest.str(), '>');
}

static std::string printed(const char *format, int precision, double value) {
  const int size = snprintf(nullptr, 0, format, precision, value);
  std::string text(size + 1, 0);
  snprintf(text.data(), text.size(), format, precision, value);
  text.pop_back();
  return text;
}

/// As repr, or with `precision` digits as 'g' does, but with a point, or an exponent one digit earlier.
static std::string plainFloat(double magnitude, int64_t precision, bool isAlternate) {
  if (precision < 0) {
    std::string text = reprOf(magnitude);
    if (isAlternate && !StringRef(text).contains('.'))
      text.insert(text.find('e'), 1, '.');
    return text;
  }
  precision = std::max<int64_t>(precision, 1);
  const std::string scientific = printed(isAlternate ? "%#.*e" : "%.*e", static_cast<int>(precision - 1), magnitude);
  auto [mantissa, exponentText] = StringRef(scientific).split('e');
  int64_t exponent = 0;
  (void)exponentText.ltrim('+').getAsInteger(10, exponent);
  if (exponent < -4 || exponent + 1 > precision - 1) {
    const StringRef digits = !isAlternate && mantissa.contains('.') ? mantissa.rtrim('0').rtrim('.') : mantissa;
    return (digits + "e" + exponentText).str();
  }
  std::string fixed = printed("%.*f", static_cast<int>(std::max<int64_t>(precision - 1 - exponent, 0)), magnitude);
  if (isAlternate)
    return StringRef(fixed).contains('.') ? fixed : fixed + ".";
  if (StringRef(fixed).contains('.'))
    fixed = StringRef(fixed).rtrim('0').str();
  if (!StringRef(fixed).contains('.'))
    fixed += '.';
  return fixed.back() == '.' ? fixed + "0" : fixed;
}

static StatusOr<std::string> formatFloat(double value, const Specification &spec) {
  const char type = spec.type == 'n' ? 'g' : spec.type;
  if (type && !StringRef("eEfFgG%").contains(type))
    return unknownCode(spec.type, "float");
  const double magnitude = std::fabs(value);
  const bool isNegative = std::signbit(value) && !std::isnan(value);
  std::string text;
  if (!std::isfinite(value)) {
    text = std::isnan(value) ? "nan" : "inf";
    if (type == 'F' || type == 'E' || type == 'G')
      text = StringRef(text).upper();
    if (type == '%')
      text += '%';
    return number(spec, isNegative, "", text, "", 3);
  }
  const int precision = spec.precision < 0 ? 6 : static_cast<int>(spec.precision);
  const bool isAlternate = spec.isAlternate;
  switch (type) {
  case 0: text = plainFloat(magnitude, spec.precision, isAlternate); break;
  case 'e': text = printed(isAlternate ? "%#.*e" : "%.*e", precision, magnitude); break;
  case 'E': text = printed(isAlternate ? "%#.*E" : "%.*E", precision, magnitude); break;
  case 'f':
  case 'F': text = printed(isAlternate ? "%#.*f" : "%.*f", precision, magnitude); break;
  case 'g': text = printed(isAlternate ? "%#.*g" : "%.*g", precision, magnitude); break;
  case 'G': text = printed(isAlternate ? "%#.*G" : "%.*G", precision, magnitude); break;
  case '%': text = printed(isAlternate ? "%#.*f%%" : "%.*f%%", precision, magnitude * 100); break;
  }
  const size_t whole = StringRef(text).find_first_not_of("0123456789");
  return number(spec, isNegative, "", StringRef(text).take_front(whole),
                whole == StringRef::npos ? StringRef() : StringRef(text).substr(whole), 3);
}

static std::string digitsOf(int64_t value, unsigned base) {
  uint64_t magnitude = value < 0 ? -static_cast<uint64_t>(value) : static_cast<uint64_t>(value);
  std::string digits;
  do
    digits += llvm::hexdigit(magnitude % base, /*LowerCase=*/true);
  while (magnitude /= base);
  std::reverse(digits.begin(), digits.end());
  return digits;
}

static StatusOr<std::string> formatLetter(int64_t code, const Specification &spec) {
  if (spec.sign || spec.isAlternate)
    return invalidArgument(llvm::Twine("ValueError: ") + (spec.sign ? "Sign" : "Alternate form (#)") +
                           " not allowed with integer format specifier 'c'");
  if (code < 0 || code > 0x10ffff)
    return invalidArgument("OverflowError: %c arg not in range(0x110000)");
  TSC_ASSIGN_OR_RETURN(const std::string letter, chr(code));
  return aligned(spec, "", letter, '<');
}

/// `precision` digits at least.
static StatusOr<std::string> formatInt(int64_t value, const Specification &spec, int64_t precision = 0) {
  unsigned base = 10;
  const char *prefix = "";
  switch (spec.type) {
  case 0:
  case 'd':
  case 'n':
  case 'c': break;
  case 'x': base = 16, prefix = "0x"; break;
  case 'X': base = 16, prefix = "0X"; break;
  case 'o': base = 8, prefix = "0o"; break;
  case 'b': base = 2, prefix = "0b"; break;
  default: return unknownCode(spec.type, "int");
  }
  if (spec.type == 'c')
    return formatLetter(value, spec);
  std::string digits = digitsOf(value, base);
  if (spec.type == 'X')
    digits = StringRef(digits).upper();
  digits.insert(0, std::max<int64_t>(precision - static_cast<int64_t>(digits.size()), 0), '0');
  return number(spec, value < 0, spec.isAlternate ? prefix : "", digits, "", base == 10 ? 3 : 4);
}

StatusOr<std::string> python::format(double value, StringRef specification) {
  TSC_ASSIGN_OR_RETURN(const Specification spec, parse(specification, "float"));
  return formatFloat(value, spec);
}

StatusOr<std::string> python::format(int64_t value, StringRef specification) {
  TSC_ASSIGN_OR_RETURN(const Specification spec, parse(specification, "int"));
  if (spec.type && StringRef("eEfFgG%").contains(spec.type))
    return formatFloat(static_cast<double>(value), spec);
  if (spec.precision >= 0 && (!spec.type || StringRef("bcdnoxX").contains(spec.type)))
    return invalidArgument("ValueError: Precision not allowed in integer format specifier");
  return formatInt(value, spec);
}

StatusOr<std::string> python::format(StringRef text, StringRef specification) {
  TSC_ASSIGN_OR_RETURN(const Specification spec, parse(specification, "str"));
  auto notAllowed = [](const char *what) {
    return invalidArgument(llvm::Twine("ValueError: ") + what + " not allowed in string format specifier");
  };
  if (spec.type && spec.type != 's')
    return unknownCode(spec.type, "str");
  if (spec.sign)
    return notAllowed(spec.sign == ' ' ? "Space" : "Sign");
  if (spec.isAlternate)
    return notAllowed("Alternate form (#)");
  if (spec.align == '=')
    return notAllowed("'=' alignment");
  if (spec.precision >= 0)
    text = text.take_front(letterOffset(text, spec.precision));
  return aligned(spec, "", text, '<');
}

//===----------------------------------------------------------------------===//
// text.format(…)
//===----------------------------------------------------------------------===//

namespace {
class FieldFormatter {
public:
  FieldFormatter(Numbering numbering, llvm::function_ref<StatusOr<std::string>(const FormatField &)> show,
                 HasRoom hasRoom)
      : numbering(numbering), show(show), hasRoom(hasRoom) {}

  StatusOr<std::string> format(StringRef text, unsigned depth = 0) {
    std::string result;
    while (!text.empty()) {
      const size_t at = std::min(text.find_first_of("{}"), text.size());
      result += text.take_front(at);
      text = text.drop_front(at);
      if (text.empty())
        break;
      if (text.starts_with("{{") || text.starts_with("}}")) {
        result += text[0];
        text = text.drop_front(2);
        continue;
      }
      if (text[0] == '}' || text.size() == 1)
        return invalidArgument("ValueError: Single '" + text.take_front() + "' encountered in format string");
      TSC_ASSIGN_OR_RETURN(const StringRef field, takeField(text));
      TSC_ASSIGN_OR_RETURN(const std::string piece, formatField(field, depth));
      result += piece;
      TSC_RETURN_IF_ERROR(checkLength(static_cast<int64_t>(result.size()), hasRoom));
    }
    return result;
  }

private:
  /// What stands between the first brace and the one that closes it.
  static StatusOr<StringRef> takeField(StringRef &text) {
    unsigned open = 0;
    bool isIndex = false; // between brackets braces are letters
    for (size_t i = 0; i != text.size(); ++i) {
      isIndex = text[i] == '[' ? open == 1 : isIndex && text[i] != ']';
      if (isIndex)
        continue;
      open += text[i] == '{' ? 1 : 0;
      if (text[i] == '}' && --open == 0) {
        const StringRef field = text.slice(1, i);
        text = text.drop_front(i + 1);
        return field;
      }
    }
    return invalidArgument("ValueError: expected '}' before end of string");
  }

  Status setNumber(FormatField &field) {
    const bool isAutomatic = field.name.empty();
    if (!isAutomatic && field.name.getAsInteger(10, field.number))
      return okStatus(); // a name
    if (numbering == Numbering::AllOrNone && (isAutomatic ? isManual : next != 0))
      return invalidArgument(isAutomatic ? "ValueError: cannot switch from manual field specification to automatic "
                                           "field numbering"
                                         : "ValueError: cannot switch from automatic field numbering to manual field "
                                           "specification");
    if (isAutomatic)
      field.number = next++;
    else
      isManual = true;
    field.name = "";
    return okStatus();
  }

  StatusOr<std::string> formatField(StringRef text, unsigned depth) {
    if (depth > 1)
      return invalidArgument("ValueError: Max string recursion exceeded");
    size_t end = 0;
    for (bool isIndex = false; end != text.size() && (isIndex || (text[end] != '!' && text[end] != ':')); ++end)
      isIndex = text[end] == '[' || (isIndex && text[end] != ']');
    const StringRef whole = text.take_front(end);
    StringRef rest = text.drop_front(end);
    FormatField field;
    field.name = whole.take_front(whole.find_first_of(".["));
    field.path = whole.drop_front(field.name.size());
    TSC_RETURN_IF_ERROR(setNumber(field));
    if (rest.consume_front("!")) {
      if (rest.empty())
        return invalidArgument("ValueError: unmatched '{' in format spec");
      field.conversion = rest[0];
      rest = rest.drop_front();
      if (!rest.empty() && rest[0] != ':')
        return invalidArgument("ValueError: expected ':' after conversion specifier");
      if (!StringRef("rsa").contains(field.conversion))
        return invalidArgument("ValueError: Unknown conversion specifier " + llvm::Twine(field.conversion));
    }
    rest.consume_front(":");
    TSC_ASSIGN_OR_RETURN(field.specification, format(rest, depth + 1));
    return show(field);
  }

  const Numbering numbering;
  const llvm::function_ref<StatusOr<std::string>(const FormatField &)> show;
  const HasRoom hasRoom;
  size_t next = 0;
  bool isManual = false;
};
} // namespace

StatusOr<std::string> python::formatFields(StringRef text, Numbering numbering,
                                           llvm::function_ref<StatusOr<std::string>(const FormatField &)> show,
                                           HasRoom hasRoom) {
  return FieldFormatter(numbering, show, hasRoom).format(text);
}

//===----------------------------------------------------------------------===//
// text % values
//===----------------------------------------------------------------------===//

std::optional<PercentConversion> python::takeConversion(StringRef &text) {
  const size_t at = text.find('%');
  if (at == StringRef::npos)
    return std::nullopt;
  PercentConversion conversion;
  conversion.before = text.take_front(at);
  text = text.drop_front(at + 1);
  if (text.starts_with("(")) {
    size_t depth = 0, end = 0; // parentheses in a key come in pairs
    for (; end != text.size(); ++end) {
      depth += text[end] == '(' ? 1 : text[end] == ')' ? -1 : 0;
      if (depth == 0)
        break;
    }
    conversion.key = text.slice(1, end);
    text = text.drop_front(std::min(end + 1, text.size()));
  }
  conversion.options = text.take_while([](char c) { return StringRef("0123456789.*+-# ").contains(c); });
  text = text.drop_front(conversion.options.size()).ltrim("hlL"); // sizes of C's types, which mean nothing
  if (!text.empty()) {
    conversion.letter = text.front();
    text = text.drop_front();
  }
  return conversion;
}

/// What the value must be for a conversion, with a number made an int where that is wanted.
static Status checkPercentValue(char letter, PercentValue &given) {
  auto wants = [&](const llvm::Twine &wanted) {
    return invalidArgument("TypeError: " + wanted + ", not " + given.typeName);
  };
  const bool isInt = std::holds_alternative<int64_t>(given.value),
             isFloat = std::holds_alternative<double>(given.value);
  switch (letter) {
  case 'd':
  case 'i':
  case 'u':
    if (!isInt && !isFloat)
      return wants("%" + llvm::Twine(letter) + " format: a real number is required");
    if (isFloat) {
      TSC_ASSIGN_OR_RETURN(given.value, toInt(std::get<double>(given.value)));
    }
    return okStatus();
  case 'x':
  case 'X':
  case 'o': return isInt ? okStatus() : wants("%" + llvm::Twine(letter) + " format: an integer is required");
  case 'c': {
    const auto *text = std::get_if<std::string>(&given.value);
    return isInt || (text && countLetters(*text) == 1) ? okStatus()
                                                       : invalidArgument("TypeError: %c requires int or char");
  }
  default: // e, f, g
    if (isInt)
      given.value = static_cast<double>(std::get<int64_t>(given.value));
    return isInt || isFloat ? okStatus() : wants("must be real number");
  }
}

/// Flags, width and precision, for which values stand where there is a `*`.
static StatusOr<Specification> percentSpecification(StringRef options, bool isNumber, PercentValues &values) {
  const StringRef flags = options.take_while([](char c) { return StringRef("+-# 0").contains(c); });
  StringRef rest = options.drop_front(flags.size());
  bool isLeft = flags.contains('-');
  auto size = [&](bool isWidth, int64_t &result) -> Status {
    if (rest.consume_front("*")) {
      if (!values.hasNext())
        return invalidArgument("TypeError: not enough arguments for format string");
      TSC_ASSIGN_OR_RETURN(const PercentValue value, values.take(std::nullopt, '*'));
      const auto *number = std::get_if<int64_t>(&value.value);
      if (!number)
        return invalidArgument("TypeError: * wants int");
      if (!isWidth && static_cast<int32_t>(*number) != *number)
        return invalidArgument("OverflowError: Python int too large to convert to C int");
      isLeft |= isWidth && *number < 0;
      result = isWidth ? *number < 0 ? 0 - static_cast<uint64_t>(*number) : *number : std::max<int64_t>(0, *number);
    } else if (!rest.empty() && llvm::isDigit(rest[0]) && rest.consumeInteger(10, result)) {
      return invalidArgument(isWidth ? "ValueError: width too big" : "ValueError: precision too big");
    }
    return result < 0 || result > maxWidth ? tooWide(result) : okStatus();
  };
  Specification spec;
  TSC_RETURN_IF_ERROR(size(/*isWidth=*/true, spec.width));
  if (rest.consume_front(".")) {
    spec.precision = 0;
    TSC_RETURN_IF_ERROR(size(/*isWidth=*/false, spec.precision));
  }
  const bool fillsWithZeros = isNumber && !isLeft && flags.contains('0');
  spec.align = isLeft ? '<' : fillsWithZeros ? '=' : '>';
  spec.fill = fillsWithZeros ? "0" : " ";
  if (isNumber)
    spec.sign = flags.contains('+') ? '+' : flags.contains(' ') ? ' ' : 0;
  spec.isAlternate = flags.contains('#');
  if (!rest.empty()) // an option behind those that it may not follow
    return invalidArgument("ValueError: unsupported format character '" + rest.take_front() + "'");
  return spec;
}

static StatusOr<std::string> formatConversion(char letter, const Specification &given, const PercentValue &shown) {
  Specification spec = given;
  spec.type = letter == 'i' || letter == 'u' ? 'd' : letter;
  switch (letter) {
  case 's':
  case 'r':
  case 'a':
  case 'c': {
    if (const auto *code = std::get_if<int64_t>(&shown.value)) {
      spec.sign = 0;
      spec.isAlternate = false;
      return formatLetter(*code, spec);
    }
    StringRef text = std::get<std::string>(shown.value);
    if (spec.precision >= 0 && letter != 'c')
      text = text.take_front(letterOffset(text, spec.precision));
    return aligned(spec, "", text, '>');
  }
  case 'd':
  case 'i':
  case 'u':
  case 'x':
  case 'X':
  case 'o': return formatInt(std::get<int64_t>(shown.value), spec, spec.precision);
  default: return formatFloat(std::get<double>(shown.value), spec);
  }
}

StatusOr<std::string> python::formatPercent(StringRef text, PercentValues &values, HasRoom hasRoom) {
  std::string result;
  StringRef rest = text;
  while (std::optional<PercentConversion> conversion = takeConversion(rest)) {
    result += conversion->before;
    const char letter = conversion->letter;
    if (!letter)
      return invalidArgument("ValueError: incomplete format");
    if (letter == '%' && conversion->options.empty() && !conversion->key) {
      result += '%';
      continue;
    }
    if (conversion->key && !values.isMapping())
      return invalidArgument("TypeError: format requires a mapping");
    const bool isText = StringRef("srac").contains(letter);
    TSC_ASSIGN_OR_RETURN(const Specification spec, percentSpecification(conversion->options, !isText, values));
    if (!conversion->key && !values.hasNext())
      return invalidArgument("TypeError: not enough arguments for format string");
    if (!isText && !StringRef("diuxXoeEfFgG").contains(letter)) {
      const auto at = static_cast<size_t>(rest.begin() - text.begin()) - 1;
      const uint32_t point = codePointOf(text.substr(at, letterSize(text, at))).value_or(0xfffd);
      const bool isShown = point >= 0x20 && point < 0x7f;
      return invalidArgument("ValueError: unsupported format character '" + llvm::Twine(isShown ? letter : '?') +
                             "' (0x" + llvm::utohexstr(point, /*LowerCase=*/true) + ") at index " +
                             llvm::Twine(countLetters(text.take_front(at))));
    }
    TSC_ASSIGN_OR_RETURN(PercentValue value, values.take(conversion->key, letter));
    if (letter != 's' && letter != 'r' && letter != 'a')
      TSC_RETURN_IF_ERROR(checkPercentValue(letter, value));
    TSC_ASSIGN_OR_RETURN(const std::string shown, formatConversion(letter, spec, value));
    result += shown;
    TSC_RETURN_IF_ERROR(checkLength(static_cast<int64_t>(result.size()), hasRoom));
  }
  result += rest;
  if (values.hasNext() && !values.isMapping())
    return invalidArgument("TypeError: not all arguments converted during string formatting");
  return result;
}
