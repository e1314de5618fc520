//===- Format.h - format(), str.format and the % of texts -------*- C++ -*-===//
//
// Specifications are [[fill]align][sign][#][0][width][, or _][.precision][type].
// Values are numbers and texts; who calls makes one of what he has, and knows what
// str() and repr() make of it.
//
//===----------------------------------------------------------------------===//
#ifndef TSC_PYTHON_FORMAT_H
#define TSC_PYTHON_FORMAT_H

#include "tsc/Python/Text.h"
#include <variant>

namespace tsc::python {

/// Return format(value, specification), or the ValueError that Python raises. A bool is an int where the specification
/// is not empty.
StatusOr<std::string> format(int64_t value, StringRef specification);
StatusOr<std::string> format(double value, StringRef specification);
StatusOr<std::string> format(StringRef value, StringRef specification);

//===-- text.format(…) -----------------------------------------------------===//

/// A field in braces: `{name.attribute[0]!r:>8}`.
struct FormatField {
  StringRef name;            ///< The name of a keyword argument; empty where the field has a number.
  size_t number = 0;         ///< The number of a positional argument.
  StringRef path;            ///< What follows the name or the number: ".attribute[0]".
  char conversion = 0;       ///< The letter behind `!`: 'r', 's', 'a'; 0 for none.
  std::string specification; ///< What follows the colon, with its own fields filled in.
};

/// Whether one text may number some fields and leave numbers out in others. Python refuses that (AllOrNone); compiled
/// code, in which names are numbers, may need it (Mixed).
enum class Numbering { AllOrNone, Mixed };

/// Returns the text with what `show` makes of each field, or the ValueError that Python raises.
StatusOr<std::string> formatFields(StringRef text, Numbering numbering,
                                   llvm::function_ref<StatusOr<std::string>(const FormatField &)> show,
                                   HasRoom hasRoom = nullptr);

//===-- text % values ------------------------------------------------------===//

/// A conversion in the text on the left of `%`, as in "%-5.2f".
struct PercentConversion {
  StringRef before;             ///< The text in front of it.
  std::optional<StringRef> key; ///< The key in a mapping: "%(key)s".
  StringRef options;            ///< Flags, width and precision: "-5.2". A `*` stands for a value.
  char letter = 0; ///< How the value is shown: 'd', 's', …; `%` for "%%", and 0 where the text ends before it.
};

/// Takes the first conversion, and what stands before it, off the front of a text. Where there is none, it returns
/// nothing and leaves the text as it is.
std::optional<PercentConversion> takeConversion(StringRef &text);

/// A value on the right of `%`: a number, or a text, which is that of str() or repr() where the conversion is `s`, `r`
/// or `a`. A value that is neither has nothing but the name of its type.
struct PercentValue {
  std::variant<std::monostate, int64_t, double, std::string> value;
  std::string typeName;
};

/// Gives the values on the right of `%`, one after the other, or by key.
class PercentValues {
public:
  virtual ~PercentValues() = default;
  virtual bool isMapping() const = 0;
  /// Whether there is a value that was not taken.
  virtual bool hasNext() const = 0;
  /// Takes the next value, or gives that of a key, for a conversion with this letter; a `*` wants an int.
  virtual StatusOr<PercentValue> take(std::optional<StringRef> key, char letter) = 0;
};

/// Returns `text % values`, or the exception that Python raises.
StatusOr<std::string> formatPercent(StringRef text, PercentValues &values, HasRoom hasRoom = nullptr);

} // namespace tsc::python

#endif
