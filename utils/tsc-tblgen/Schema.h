//===- Schema.h - Just enough of a schema parser for tsc-tblgen -*- C++ -*-===//
#ifndef TSC_TBLGEN_SCHEMA_H
#define TSC_TBLGEN_SCHEMA_H

#include "llvm/ADT/StringRef.h"
#include <optional>
#include <string>
#include <vector>

namespace tsc::tblgen {

struct SchemaArg {
  std::string type;         ///< Without alias annotation: "Tensor?", "int[2]".
  std::string annotated;    ///< As written: "Tensor(a!)".
  std::string name;         ///< Empty for most results.
  std::string defaultValue; ///< Empty when there is none.
  bool writes = false, aliases = false, keywordOnly = false;
};

struct Schema {
  std::string ns, name, overload;
  std::vector<SchemaArg> args, returns;
  bool varargs = false, varreturns = false;
  bool parenthesizedReturns = false;

  std::string qualified() const { return ns + "::" + name; }
  std::string str() const;
};

/// Parses `ns::name.overload(args) -> returns`. On failure `error` and `errorOffset` say what and where.
std::optional<Schema> parseSchema(llvm::StringRef text, std::string &error, size_t &errorOffset);

} // namespace tsc::tblgen

#endif
