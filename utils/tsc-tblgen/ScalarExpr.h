//===- ScalarExpr.h - Scalar bodies of point-wise operators -----*- C++ -*-===//
//
// A Pratt parser for the expressions of `scalar` columns. It checks names and
// kinds (value or truth value) and writes the expression as calls on a builder.
//
//===----------------------------------------------------------------------===//
#ifndef TSC_TBLGEN_SCALAREXPR_H
#define TSC_TBLGEN_SCALAREXPR_H

#include "llvm/ADT/StringMap.h"
#include "llvm/ADT/StringRef.h"
#include <optional>
#include <string>
#include <vector>

namespace tsc::tblgen {

/// What the names in a body stand for.
struct ScalarScope {
  struct Name {
    std::string code; ///< "t[0]", "u[1]"
    char kind = 'v';  ///< v or m; s for a string operand
  };
  llvm::StringMap<Name> names;
  llvm::StringMap<std::string> presence; ///< has(x): the uniform that is 1 when x is given
  /// Code of a string operand, or of a number that is compared with literals in quotes -> the one this body is made
  /// for.
  llvm::StringMap<std::optional<std::string>> texts;
};

struct ScalarBody {
  std::string code; ///< Statements that end in `return …;`.
  char kind = 'v';
};

/// On failure sets `error` and `errorOffset`.
std::optional<ScalarBody> compileScalarBody(llvm::StringRef text, const ScalarScope &scope, std::string &error,
                                            size_t &errorOffset);
/// The literals in quotes that an operand is compared with.
std::vector<std::string> literalsComparedWith(llvm::StringRef text, llvm::StringRef name);

} // namespace tsc::tblgen

#endif
