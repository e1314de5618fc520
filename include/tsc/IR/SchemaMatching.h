//===- SchemaMatching.h - From a call to an overload ------------*- C++ -*-===//
//
// Decides which schema a call means and converts its arguments by TorchScript's
// implicit rules: None and T for Optional[T], a number for each of int[2], a
// tuple for a list, `[]` for a list of any type, further positional arguments
// for a last list, a Tensor for a number, a str for a Device, type variables.
// Overloads are tried in order, first without conversions of numbers, then with
// them. The receiver of a method is the argument named `self`, wherever it
// stands: `x.where(condition, y)`.
//
//===----------------------------------------------------------------------===//
#ifndef TSC_IR_SCHEMAMATCHING_H
#define TSC_IR_SCHEMAMATCHING_H

#include "tsc/IR/Graph.h"
#include "llvm/ADT/StringMap.h"

namespace tsc {

class DiagnosticEngine;
class Operator;

/// What type variables (`t` in `t[]`) stand for.
using TypeBindings = llvm::StringMap<const Type *>;

/// Binds the variables of `formal` so that it fits `actual`. False with a reason when that cannot be.
bool bindTypeVariables(Context &context, const Type *formal, const Type *actual, TypeBindings &bindings,
                       std::string &why);
/// `type` with its variables replaced; null when one is unbound.
const Type *substituteTypeVariables(Context &context, const Type *type, const TypeBindings &bindings);

/// A call that fits: one value for each argument of the schema, converted where needed.
struct MatchedCall {
  std::vector<Value *> inputs;
  std::vector<const Type *> returnTypes;
};

/// Converts `value` for a place of type `type`, inserting nodes at the graph's insertion point. Gives `value` itself
/// when it needs or has no conversion; the caller checks the type.
Value *convertImplicitly(Graph &graph, Value *value, const Type *type, SourceRange range, bool allowConversions);

/// Matches one schema; nullopt with the reason when the call does not fit (then no node stays behind).
std::optional<MatchedCall> tryMatchSchema(const FunctionSchema &schema, Graph &graph, SourceRange range,
                                          ArrayRef<NamedValue> args, ArrayRef<NamedValue> kwargs, bool allowConversions,
                                          std::string &why, Value *receiver = nullptr);
/// Matches one schema or reports why not.
std::optional<MatchedCall> matchSchema(const FunctionSchema &schema, Graph &graph, SourceRange range,
                                       ArrayRef<NamedValue> args, ArrayRef<NamedValue> kwargs, DiagnosticEngine &diags);
/// The first of several schemas that fits, and its number; or a report that says what of the call does not fit, with
/// all of the schemas where the engine is to list them. `spelling` is `+` where the call is an operator of the
/// language.
std::optional<std::pair<unsigned, MatchedCall>> matchSchemas(ArrayRef<const FunctionSchema *> schemas, Graph &graph,
                                                             SourceRange range, ArrayRef<NamedValue> args,
                                                             ArrayRef<NamedValue> kwargs, DiagnosticEngine &diags,
                                                             Value *receiver = nullptr, StringRef spelling = "");
/// Inserts a call of the operator `name`: its one result, a tuple of several, or None; null after a report.
Value *insertCall(Graph &graph, SourceRange range, Symbol name, ArrayRef<NamedValue> args, ArrayRef<NamedValue> kwargs,
                  DiagnosticEngine &diags, Value *receiver = nullptr, StringRef spelling = "");
/// Several values as one: the value itself, a tuple (with field names when given), or None.
Value *packResults(Graph &graph, ArrayRef<Value *> results, ArrayRef<std::string> fieldNames, SourceRange range);

} // namespace tsc

#endif
