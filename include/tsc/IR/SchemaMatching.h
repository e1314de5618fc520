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

/// The types that type variables stand for, by the variable's name (`t` in `t[]`).
using TypeBindings = llvm::StringMap<const Type *>;

/// Binds the type variables in `formal` so that an argument of type `actual` fits it; a bound variable keeps its type.
/// Returns false, with the reason in `why`, where that is impossible.
bool bindTypeVariables(Context &context, const Type *formal, const Type *actual, TypeBindings &bindings,
                       std::string &why);
/// Returns `type` with its variables replaced by their bindings, or null where one is unbound.
const Type *substituteTypeVariables(Context &context, const Type *type, const TypeBindings &bindings);

/// A call that fits a schema, as operands for a node.
struct MatchedCall {
  std::vector<Value *> inputs;           ///< One value for each argument of the schema, converted where needed.
  std::vector<const Type *> returnTypes; ///< The types of the results, without type variables.
};

/// Converts `value` to `type` by TorchScript's implicit rules, and inserts the nodes that do so at the insertion point.
/// Numbers, devices and None in lists are converted only with `allowConversions`. Returns `value` itself where no
/// conversion is needed or none exists: the caller checks the type.
Value *convertImplicitly(Graph &graph, Value *value, const Type *type, SourceRange range, bool allowConversions);

/// Matches a call against one schema and inserts the conversions of its arguments. Returns nullopt, with the reason in
/// `why` and no node left behind, where the call does not fit. `receiver` is the object of a method call, or null.
std::optional<MatchedCall> tryMatchSchema(const FunctionSchema &schema, Graph &graph, SourceRange range,
                                          ArrayRef<NamedValue> args, ArrayRef<NamedValue> kwargs, bool allowConversions,
                                          std::string &why, Value *receiver = nullptr);
/// Matches a call against one schema, first without and then with conversions of numbers. Reports why it does not fit.
std::optional<MatchedCall> matchSchema(const FunctionSchema &schema, Graph &graph, SourceRange range,
                                       ArrayRef<NamedValue> args, ArrayRef<NamedValue> kwargs, DiagnosticEngine &diags);
/// Matches a call against several schemas. Returns the position of the first that fits, and the call. Where none does,
/// it returns nullopt and reports what does not fit, with all schemas where `diags` is to list them. `spelling` is what
/// the report calls an operator of the language: `+`.
std::optional<std::pair<unsigned, MatchedCall>> matchSchemas(ArrayRef<const FunctionSchema *> schemas, Graph &graph,
                                                             SourceRange range, ArrayRef<NamedValue> args,
                                                             ArrayRef<NamedValue> kwargs, DiagnosticEngine &diags,
                                                             Value *receiver = nullptr, StringRef spelling = "");
/// Whether an overload that takes a dtype would be chosen where sizes are meant. A dtype is an int to a program:
/// `x.view(4)` fits view.dtype as well as view, and before it. PyTorch decided for sizes; `x.view(dtype=torch.int32)`
/// says the other, so that the overload is left out of calls without keywords.
bool takesDTypeForSize(const FunctionSchema &schema);
/// Inserts a call of the operator `name` at the insertion point, with the overload that fits. Returns its result;
/// several results as one tuple, none as None. Returns null after a report where no overload fits or the operator is
/// unknown.
Value *insertCall(Graph &graph, SourceRange range, Symbol name, ArrayRef<NamedValue> args, ArrayRef<NamedValue> kwargs,
                  DiagnosticEngine &diags, Value *receiver = nullptr, StringRef spelling = "");
/// Makes one value of several: the only one itself, else a tuple, which is a NamedTuple where there is a field name for
/// each value, or None where there is none.
Value *packResults(Graph &graph, ArrayRef<Value *> results, ArrayRef<std::string> fieldNames, SourceRange range);

} // namespace tsc

#endif
