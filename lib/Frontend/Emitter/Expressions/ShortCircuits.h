//===- ShortCircuits.h - and, or --------------------------------*- C++ -*-===//
#ifndef TSC_LIB_FRONTEND_SHORTCIRCUITS_H
#define TSC_LIB_FRONTEND_SHORTCIRCUITS_H

#include "../FunctionContext.h"
#include "../Refinement.h"

namespace tsc {

/// Emits `a and b` or `a or b` where the truth alone is asked for. The condition has no value after a report. `known`
/// is an operand of a comparison before this one in a chain.
Condition emitShortCircuit(FunctionContext &fn, const BoolOp &tree, const Compared &known);
/// Emits a condition of which `emitOther` gives the right side, which runs where the left one does not decide.
Condition emitShortCircuit(FunctionContext &fn, SourceRange range, bool isOr, const Condition &left,
                           llvm::function_ref<Condition()> emitOther);
/// Emits `a and b` or `a or b`: in Python one of the operands, whose value counts. Null after a report. `known` is an
/// operand of a comparison before this one in a chain.
Value *emitBoolOp(FunctionContext &fn, const BoolOp &tree, const Type *hint, const Compared &known = {});

} // namespace tsc

#endif
