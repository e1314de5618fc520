//===- Exceptions.h - TorchScript's exceptions as values --------*- C++ -*-===//
//
// A program that raises fails with an Aborted status that remembers the class of
// the exception ("builtins.ValueError"). What an operator refuses keeps its code and
// has the class that it has in Python. The message carries the call stack.
//
//===----------------------------------------------------------------------===//
#ifndef TSC_RUNTIME_DISPATCH_EXCEPTIONS_H
#define TSC_RUNTIME_DISPATCH_EXCEPTIONS_H

#include "tsc/Support/Status.h"
#include "llvm/ADT/StringRef.h"
#include <optional>
#include <string>

namespace tsc {

class IValue;

/// Returns the class of the exception with which a run failed: the class that its `raise` named, or Python's class for
/// an operator's error, "builtins.IndexError". Returns nothing for errors that are RuntimeErrors, and for failures that
/// are no exceptions.
std::optional<std::string> exceptionClass(const Status &status);
/// Stores the name of the exception's class in a status.
void setExceptionClass(Status &status, llvm::StringRef name);

/// Whether the program itself raised the exception, by `raise` or `assert`.
inline bool isRaised(const Status &status) { return status.code() == StatusCode::Aborted; }

/// An exception as `except` sees it. A class of Python's that is stored in the status begins with "builtins.".
struct ExceptionText {
  std::string name, message;
};
/// Returns the class and message of the exception that a failure is for the program. A message that names no class is a
/// RuntimeError's, or an IndexError's where the status is OutOfRange.
ExceptionText exceptionOf(const Status &status);

/// Returns the failure with `stack`, a text that shows the call stack, and the exception's class before its message.
Status describedFailure(const Status &failure, const llvm::Twine &stack);
/// Whether describedFailure() made the status, so that its message has a call stack already.
bool isDescribed(const Status &status);

/// Returns a failure's error without the call stack before it, "IndexError: …".
std::string errorOf(const Status &status);

/// Returns Python's KeyError for a key that a dict does not have.
Status keyError(const IValue &key);

/// The limits of Quotas (CallContext.h), by which a host restricts calls.
enum class QuotaKind { Steps, Depth, Memory, Output };
/// Returns the failure (ResourceExhausted) of a run that exceeded a limit.
Status quotaExceeded(QuotaKind kind);
/// Returns the limit that a failed run exceeded, or nothing for other failures.
std::optional<QuotaKind> exceededQuota(const Status &status);

/// Returns the number of the instruction of the outermost function at which a run failed, which says how far it came,
/// or nothing where the status does not know.
std::optional<size_t> failurePosition(const Status &status);
/// Stores that number in a status.
void setFailurePosition(Status &status, size_t position);

} // namespace tsc

#endif
