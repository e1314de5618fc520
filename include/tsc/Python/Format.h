//===- Format.h - format(), str.format and the % of texts -------*- C++ -*-===//
//
// Specifications are [[fill]align][sign][#][0][width][,][.precision][type]. Values are
// numbers and texts; who calls makes one of what he has, and knows what str() and
// repr() make of it.
//
//===----------------------------------------------------------------------===//
#ifndef TSC_PYTHON_FORMAT_H
#define TSC_PYTHON_FORMAT_H

#include "tsc/Python/Text.h"
#include <variant>

namespace tsc::python {

// format(value, specification). A bool is an int where the specification is not empty.
StatusOr<std::string> format(int64_t value, StringRef specification);
StatusOr<std::string> format(double value, StringRef specification);
StatusOr<std::string> format(StringRef value, StringRef specification);

//===-- text.format(…) -----------------------------------------------------===//

/// A field in braces: `{name.attribute[0]!r:>8}`.
struct FormatField {
  StringRef name;            ///< Of a keyword argument; empty: it has a number.
  size_t number = 0;         ///< Of a positional argument.
  StringRef path;            ///< What follows the name: ".attribute[0]".
  char conversion = 0;       ///< 'r', 's', 'a', or 0.
  std::string specification; ///< Its own fields are filled in.
};

/// Who may number fields and leave numbers out in one text. In code that was compiled names are numbers.
enum class Numbering { AllOrNone, Mixed };

/// The text with what `show` makes of each field.
StatusOr<std::string> formatFields(StringRef text, Numbering numbering,
                                   llvm::function_ref<StatusOr<std::string>(const FormatField &)> show,
                                   HasRoom hasRoom = nullptr);

//===-- text % values ------------------------------------------------------===//

/// A conversion of a text that `%` fills in, as in "%-5.2f".
struct PercentConversion {
  StringRef before;             ///< The text in front of it.
  std::optional<StringRef> key; ///< Of a mapping: "%(key)s".
  StringRef options;            ///< Flags, width and precision: "-5.2". A `*` stands for a value.
  char letter = 0;              ///< What is made of the value; `%` for "%%"; 0: the text ends before it.
};

/// Takes the first conversion, and what stands before it, off the front of a text. Nothing where there is none.
std::optional<PercentConversion> takeConversion(StringRef &text);

/// A value on the right of `%`: a number, or a text, which is that of str() or repr() where the conversion is `s`, `r`
/// or `a`. Without either, it is something that only has a type.
struct PercentValue {
  std::variant<std::monostate, int64_t, double, std::string> value;
  std::string typeName;
};

/// The values on the right of `%`, which are asked for in turn.
class PercentValues {
public:
  virtual ~PercentValues() = default;
  virtual bool isMapping() const = 0;
  /// Whether there is another one.
  virtual bool hasNext() const = 0;
  /// The next one, or that of a key, for a conversion to a letter; a `*` wants an int.
  virtual StatusOr<PercentValue> take(std::optional<StringRef> key, char letter) = 0;
};

StatusOr<std::string> formatPercent(StringRef text, PercentValues &values, HasRoom hasRoom = nullptr);

} // namespace tsc::python

#endif
