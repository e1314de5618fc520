//===- FunctionSchema.h - Signatures ----------------------------*- C++ -*-===//
//
// `ns::name.overload(Tensor(a!) self, int[2] stride=1, *, Tensor? out=None, ...) -> (Tensor(a!), int)`
//
//===----------------------------------------------------------------------===//
#ifndef TSC_IR_FUNCTIONSCHEMA_H
#define TSC_IR_FUNCTIONSCHEMA_H

#include "tsc/IR/IValue.h"
#include "tsc/IR/Type.h"
#include "llvm/Support/LogicalResult.h"
#include <memory>

namespace tsc {

class Context;
class DiagnosticEngine;
class SourceBuffer;

/// The alias annotation of an argument or result, such as `(a! -> b|*)`: the alias sets that the value belongs to
/// before and after the call, and whether the call writes to it. A set's name is a letter; "*" is the wildcard.
struct AliasInfo {
  bool isWrite = false; ///< The `!`: the call writes to the value.
  llvm::SmallVector<std::string, 1> before, after;
  /// The annotations of a container's elements (`Tensor(a!)[]`), in the order of Type::contained().
  std::vector<AliasInfo> contained;
  bool operator==(const AliasInfo &) const = default;
};

/// An argument or a result of a schema.
struct Argument {
  std::string name; ///< May be empty for a return.
  const Type *type = nullptr;
  /// The length that a list type names, such as the 2 of `int[2]`. A single number is accepted in its place and
  /// repeated so many times.
  std::optional<int32_t> fixedLength;
  std::optional<IValue> defaultValue; ///< Absent where the caller has to give the argument.
  bool keywordOnly = false;           ///< It stands behind the `*`.
  std::optional<AliasInfo> alias;     ///< Absent where the schema has no annotation: no write, no alias.
};

/// The signature of an operator, function or method: its name, arguments and results. A value that owns its strings and
/// borrows its types from a Context.
class FunctionSchema {
public:
  FunctionSchema() = default;
  FunctionSchema(std::string name, std::string overload, std::vector<Argument> arguments, std::vector<Argument> returns,
                 bool isVararg = false, bool isVarret = false)
      : qualified(std::move(name)), overload(std::move(overload)), args(std::move(arguments)), rets(std::move(returns)),
        vararg(isVararg), varret(isVarret) {}

  StringRef name() const { return qualified; }        ///< The name without its overload, such as "aten::add".
  StringRef overloadName() const { return overload; } ///< The overload, such as "Tensor"; may be empty.
  ArrayRef<Argument> arguments() const { return args; }
  ArrayRef<Argument> returns() const { return rets; }
  bool isVararg() const { return vararg; } ///< Whether any further arguments may follow (`...`).
  bool isVarret() const { return varret; } ///< Whether the number of results is open (`-> ...`).
  /// Returns the position of the argument called `name`, or nullopt.
  std::optional<unsigned> argumentIndex(StringRef name) const;
  /// Returns the position of the first argument of type Device or Device?, which says where the results are made;
  /// nullopt where there is none, or no result is a tensor.
  std::optional<unsigned> deviceArgument() const;
  bool isMutating() const; ///< Whether an annotation says that the call writes to an argument or to its elements.
  /// Returns the schema as PyTorch prints it; parseSchema() reads it back.
  std::string str() const;
  void setName(std::string n) { qualified = std::move(n); }
  std::vector<Argument> &mutableReturns() { return rets; }

private:
  std::string qualified, overload;
  std::vector<Argument> args, rets;
  bool vararg = false, varret = false;
};

/// Parses one schema, with nothing behind it. On failure reports where the text is wrong. Nesting is bounded.
llvm::FailureOr<FunctionSchema> parseSchema(Context &context, const SourceBuffer &text, DiagnosticEngine &diags);
/// Parses the schema of an operator's record. The text is known to be right, which is asserted.
FunctionSchema parseKnownSchema(Context &context, StringRef text);
/// Parses a type as IR or a schema spells it: `Tensor?`, `int[]`, `Dict(str, int)`, `__torch__.Foo`. On failure reports
/// where the text is wrong. A class that nobody has defined is made opaque.
llvm::FailureOr<const Type *> parseType(Context &context, const SourceBuffer &text, DiagnosticEngine &diags);

} // namespace tsc

#endif
