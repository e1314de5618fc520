//===- TypeExpressions.h - Annotations to types -----------------*- C++ -*-===//
#ifndef TSC_LIB_FRONTEND_TYPEEXPRESSIONS_H
#define TSC_LIB_FRONTEND_TYPEEXPRESSIONS_H

#include "tsc/Frontend/Resolver.h"
#include "tsc/Frontend/Tree.h"
#include "tsc/Tensor/Scalar.h"

namespace tsc {

class Context;
class DiagnosticEngine;
class FunctionContext;

/// `a.b.c` of names and selects; empty when the expression is something else.
std::string dottedName(const Tree *tree);
/// The type an annotation denotes; null after a report.
const Type *typeFromExpression(Context &context, DiagnosticEngine &diags, Resolver &resolver, const Tree *tree);
/// The type that an annotation in the text of a function denotes; null after a report.
const Type *annotationType(FunctionContext &fn, const Tree *tree);
/// Returns the type that an expression denotes, or null, without a report, when it denotes none.
const Type *tryTypeFromExpression(Context &context, Resolver &resolver, const Tree *tree);
/// The N of `BroadcastingListN[T]`, also inside Optional: a single T that is given instead is repeated so many times.
std::optional<int32_t> broadcastLength(Resolver &resolver, const Tree *tree);
/// `Final[T]` -> T; null when the annotation is not Final. A bare `Final` sets `inner` to null and returns true.
bool isFinalAnnotation(Resolver &resolver, const Tree *tree, const Tree *&inner);

/// The dtype of torch.FloatTensor and its kin, by the name behind the dot.
std::optional<DType> legacyDType(StringRef name);
/// `Callable`, `Callable[[int], int]`
bool isCallableType(Resolver &resolver, const Tree *annotation);

} // namespace tsc

#endif
