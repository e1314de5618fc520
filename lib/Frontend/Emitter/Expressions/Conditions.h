//===- Conditions.h - Truth and what it tells -------------------*- C++ -*-===//
#ifndef TSC_LIB_FRONTEND_CONDITIONS_H
#define TSC_LIB_FRONTEND_CONDITIONS_H

#include "../FunctionContext.h"
#include "../Refinement.h"

namespace tsc {

/// Gives variables and attributes the narrower types that a condition tells, from here on in the current frame.
void insertRefinements(FunctionContext &fn, ArrayRef<Refinement> refinements, SourceRange range);
/// Returns a condition whose truth is known while compiling, with its constant.
Condition knownCondition(FunctionContext &fn, bool value, SourceRange range);
/// Whether an empty value of the type counts as false.
inline bool hasLength(const Type *type) { return llvm::isa<ListType, DictType>(type) || type->isString(); }
/// Returns the truth of a value as a bool, by its class's `__bool__` or `__len__` too. Null after a report.
Value *toBool(FunctionContext &fn, Value *value, SourceRange range);
/// Emits an expression whose truth is asked for. The condition has no value after a report. `known` is an operand of a
/// comparison before this one in a chain.
Condition emitCondition(FunctionContext &fn, const Tree *tree, const Compared &known = {});
/// Returns the variable or the attribute (`a.b.c` of a variable) that an expression reads, and its type as it is known
/// here; an empty name for other expressions.
Refinement testedPlace(const FunctionContext &fn, const Tree *tree, const Value *value);

} // namespace tsc

#endif
