//===- NewExceptions.h - Exceptions with constructors -----------*- C++ -*-===//
#ifndef TSC_LIB_FRONTEND_NEWEXCEPTIONS_H
#define TSC_LIB_FRONTEND_NEWEXCEPTIONS_H

#include "../FunctionContext.h"

namespace tsc {

/// The `__init__` that a class of exceptions of the user's has, and the class and the file it stands in.
struct ExceptionConstructor {
  const Def *init;
  const ClassDef *type;
  Resolver *file;
};

/// The exception whose `__init__` is being emitted.
struct ConstructedException {
  const ExceptionConstructor &constructor;
  bool hasMessage = false; ///< Whether the body has called the `__init__` of its base.
};

/// Returns the text of an exception that is given these arguments.
Value *exceptionText(FunctionContext &fn, ArrayRef<Value *> args, SourceRange range);
/// Returns the constructor that the class of exceptions called `name`, or a base of it, has in the source; nothing for
/// other names. `depth` counts the classes that were looked at.
std::optional<ExceptionConstructor> exceptionConstructor(Resolver &resolver, StringRef name, unsigned depth = 0);
/// Returns the message of a new exception; `call` is null in `raise Late`. Null after a report.
Value *emitNewException(FunctionContext &fn, const ExceptionConstructor &constructor, const Apply *call,
                        SourceRange range);

} // namespace tsc

#endif
