//===- PercentFormat.h - Texts on the left of % ------------------*- C++ -*-===//
#ifndef TSC_SUPPORT_PERCENTFORMAT_H
#define TSC_SUPPORT_PERCENTFORMAT_H

#include "llvm/ADT/StringRef.h"
#include <optional>

namespace tsc {

/// A conversion of a text that `%` fills in, as in "%-5.2f".
struct PercentConversion {
  llvm::StringRef before;             ///< The text in front of it.
  std::optional<llvm::StringRef> key; ///< Of a mapping: "%(key)s".
  llvm::StringRef options;            ///< Flags, width and precision: "-5.2". A `*` stands for a value.
  char letter = 0;                    ///< What is made of the value; `%` for "%%"; 0: the text ends before it.
};

/// Takes the first conversion, and what stands before it, off the front of a text. Nothing where there is none.
std::optional<PercentConversion> takeConversion(llvm::StringRef &text);

} // namespace tsc

#endif
