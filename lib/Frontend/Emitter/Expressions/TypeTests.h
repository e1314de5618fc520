//===- TypeTests.h - isinstance(), type(x) ----------------------*- C++ -*-===//
#ifndef TSC_LIB_FRONTEND_TYPETESTS_H
#define TSC_LIB_FRONTEND_TYPETESTS_H

#include "../Forms/SpecialForms.h"
#include "../FunctionContext.h"
#include "../Refinement.h"

namespace tsc {

/// Emits isinstance(x, T) or one of its kin. The condition has no value after a report.
Condition emitIsInstance(FunctionContext &fn, const Apply &tree, FormKind form);
/// Emits the question whether `object`, which `tested` gave, is of the types that `of` names; of a tensor where that is
/// null. The condition has no value after a report.
Condition emitIsInstance(FunctionContext &fn, const Tree *tested, Value *object, const Tree *of, SourceRange range);
/// Emits `type(x) == T`; nothing for another comparison.
std::optional<Condition> emitTypeComparison(FunctionContext &fn, const Compare &tree);
/// Emits `type(x)`. Null after a report.
SugaredValue *emitTypeOf(FunctionContext &fn, const Apply &tree);

} // namespace tsc

#endif
