//===- Attempts.h - try statements ------------------------------*- C++ -*-===//
#ifndef TSC_LIB_FRONTEND_ATTEMPTS_H
#define TSC_LIB_FRONTEND_ATTEMPTS_H

#include "../FunctionContext.h"

namespace tsc {

/// An exception that a handler has caught, in hidden variables of the function.
struct CaughtException {
  std::string message, className;
  std::string future; ///< What failed with it.
};

/// How the body of a `try` is left, which is done again behind it.
enum class Leaving : uint8_t { AtEnd, ByReturn, ByBreak, ByContinue };

/// Keeps what a variable was set to in the body of a `try` for the code behind the body. False after a report.
bool keepForHandlers(FunctionContext &fn, StringRef name, Value *value, SourceRange range);
/// Keeps the value that a return statement in the body of a `try` returns. False after a report.
bool keepReturned(FunctionContext &fn, Value *value, SourceRange range);
/// Leaves the body of a `try`; what `how` says is done again behind it. True.
bool leaveAttempt(FunctionContext &fn, Leaving how, SourceRange range);
/// Whether this is the body of a `try` that stands in a loop, which a break or continue may leave.
bool isAttemptInLoop(const FunctionContext &fn);
/// Returns the function that a return statement here returns from: of the body of a `try`, the one around it.
FunctionContext &returningFunction(FunctionContext &fn);
/// Raises an exception that was caught once more. False after a report.
bool emitRaiseAgain(FunctionContext &fn, const CaughtException &exception, SourceRange range);
/// Emits a try statement. False after a report.
bool emitTry(FunctionContext &fn, const Try &tree);

} // namespace tsc

#endif
