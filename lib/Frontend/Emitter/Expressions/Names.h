//===- Names.h - What names denote ------------------------------*- C++ -*-===//
#ifndef TSC_LIB_FRONTEND_NAMES_H
#define TSC_LIB_FRONTEND_NAMES_H

#include "../FunctionContext.h"

namespace tsc {

/// Returns the dotted name that an expression reads, with the variable as it is called here; empty for other
/// expressions.
std::string placeOf(const FunctionContext &fn, const Tree *tree);
/// Whether a variable of this function, or of one it is nested in, has the name.
bool isVisible(const FunctionContext &fn, StringRef name);
/// Returns what a name denotes at this place of the function. Null after a report, or without one where the name is
/// unknown and not `required`.
SugaredValue *lookUp(FunctionContext &fn, StringRef name, SourceRange range, bool required = true);
/// Emits `target := value`. Null after a report.
Value *emitNamed(FunctionContext &fn, const NamedExpr &tree, const Type *hint);

} // namespace tsc

#endif
