//===- Withs.h - with statements --------------------------------*- C++ -*-===//
#ifndef TSC_LIB_FRONTEND_WITHS_H
#define TSC_LIB_FRONTEND_WITHS_H

#include "../FunctionContext.h"

namespace tsc {

/// An object that an open with statement has entered.
struct OpenWith {
  Value *object;
  SourceRange range; ///< The place of the statement.
  OpenWith *outer;   ///< What was entered before it.
};

/// Emits a with statement. Objects are entered first to last and left last to first: at the end of the body, and before
/// every statement that leaves it. When an exception passes, the interpreter leaves what was entered. False after a
/// report.
bool emitWith(FunctionContext &fn, const With &tree);
/// Leaves the objects of open with statements, innermost first, up to `outermost`, which stays open; all of them where
/// that is null.
void emitWithExits(FunctionContext &fn, const OpenWith *outermost);

} // namespace tsc

#endif
