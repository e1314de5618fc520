//===- Signature.h - What an entry takes and gives, read from its schema --===//
#ifndef TSC_SERVING_TRITON_SIGNATURE_H
#define TSC_SERVING_TRITON_SIGNATURE_H

#include "Failure.h"
#include <string_view>
#include <vector>

namespace tsc::triton {

/// Types of arguments that a request can give.
enum class ArgumentKind {
  Tensor,
  Int,
  Float,
  Bool,
  String,
  IntList,
  FloatList,
  BoolList,
  StringList,
  TensorDict, ///< Dict[str, Tensor], whose keys are names of inputs.
  Other       ///< A type that no input of a request stands for.
};

struct Argument {
  std::string name;
  std::string type; ///< As the schema writes it.
  ArgumentKind kind = ArgumentKind::Other;
  bool isOptional = false;    ///< None is a value of its type.
  bool hasDefault = false;    ///< A call may leave it out.
  bool isKeywordOnly = false; ///< A call gives it by name.
};

/// An entry's arguments without `self`, and what it returns.
struct Signature {
  std::vector<Argument> arguments;
  std::string result;                   ///< The result's type, as the schema writes it.
  std::vector<std::string> resultNames; ///< Fields of a NamedTuple; none of other results.

  /// Reads a schema as tsc_entry_schema() gives it: "forward(__torch__.M self, Tensor x, int n=3) -> Tensor". A first
  /// argument called `self` is left out.
  static Status parse(std::string_view schema, Signature &signature);
  /// The index of the argument with this name, or -1.
  int find(std::string_view name) const;
};

} // namespace tsc::triton

#endif
