//===- Loops.h - for and while ----------------------------------*- C++ -*-===//
#ifndef TSC_LIB_FRONTEND_LOOPS_H
#define TSC_LIB_FRONTEND_LOOPS_H

#include "../FunctionContext.h"
#include "Withs.h"

namespace tsc {

/// The loop that `break` and `continue` leave.
struct LoopScope {
  bool isUnrolled = false;   ///< Whether the loop is unrolled: neither of them can leave it.
  OpenWith *withs = nullptr; ///< The innermost with statement around the loop.
  StringRef breakFlag{};     ///< The variable that a break sets; empty where nobody asks.
};

/// Emits `body` for each element of `iterable`, which `target` is given: as a prim::Loop, or unrolled where
/// `iterable` has a length while compiling. A `break` in it sets the variable `breakFlag`, where there is one. False
/// after a report.
bool emitForLoop(FunctionContext &fn, const Tree *target, SugaredValue *iterable, SourceRange range,
                 llvm::function_ref<bool()> body, StringRef breakFlag = {});
/// Emits a for statement. False after a report.
bool emitFor(FunctionContext &fn, const For &tree);
/// Emits a while statement. False after a report.
bool emitWhile(FunctionContext &fn, const While &tree);
/// Emits `break` or `continue`. False after a report.
bool leaveLoop(FunctionContext &fn, bool isBreak, SourceRange range);

} // namespace tsc

#endif
