//===- Keywords.h - Arguments by name in --args -----------------*- C++ -*-===//
#ifndef TSC_TOOLS_TSCRUN_KEYWORDS_H
#define TSC_TOOLS_TSCRUN_KEYWORDS_H

#include "tsc/Support/Status.h"
#include <string>
#include <vector>

namespace tsc::run {

/// What stands in the brackets of a call, without the names.
struct ArgumentText {
  std::string expressions;           ///< The values of all arguments, each where it stood in the text.
  std::vector<std::string> keywords; ///< The names of the last ones.
};

/// Separates the names in a text such as "x, mask=y, n=3" from the values. A text that is wrong in another way is
/// returned as it is, for the compiler to report. InvalidArgument: a name is given twice, a value without a name
/// stands behind one, or an argument is to be expanded (`*x`). `origin` names the text in messages.
StatusOr<ArgumentText> separateKeywords(std::string text, llvm::StringRef origin);

} // namespace tsc::run

#endif
