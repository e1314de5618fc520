//===- Exceptions.h - TorchScript's exceptions as values --------*- C++ -*-===//
//
// A program that raises fails with an Aborted status that remembers the class of
// the exception ("builtins.ValueError"). What an operator refuses keeps its code and
// has the class that it has in Python. The message carries the call stack.
//
//===----------------------------------------------------------------------===//
#ifndef TSC_RUNTIME_EXCEPTIONS_H
#define TSC_RUNTIME_EXCEPTIONS_H

#include "tsc/Support/Status.h"
#include "llvm/ADT/StringRef.h"
#include <optional>
#include <string>

namespace tsc {

class IValue;

/// The class of the exception that a run failed with: what its `raise` named, or Python's for what an operator refused.
/// None for plain errors of operators, which are RuntimeErrors, and for other failures.
std::optional<std::string> exceptionClass(const Status &status);
void setExceptionClass(Status &status, llvm::StringRef name);

/// Whether the program itself raised, by `raise` or `assert`.
inline bool isRaised(const Status &status) { return status.code() == StatusCode::Aborted; }

/// An exception as `except` sees it. Classes of Python's that a `raise` named begin with "builtins.".
struct ExceptionText {
  std::string name, message;
};
ExceptionText exceptionOf(const Status &status);

/// The failure with the call stack and its class before its message.
Status describedFailure(const Status &failure, const llvm::Twine &stack);
/// Whether describedFailure() made it, as for a run that this one called.
bool isDescribed(const Status &status);

/// What went wrong, "IndexError: …", without the call stack before it; the whole message when there is none.
std::string errorOf(const Status &status);

/// The failure of a dict that has no such key, Python's KeyError.
Status keyError(const IValue &key);

/// Which limit of the host's a failed run exceeded; none for other failures.
enum class QuotaKind { Steps, Depth, Memory, Output };
Status quotaExceeded(QuotaKind kind);
std::optional<QuotaKind> exceededQuota(const Status &status);

/// How far a failed run came: the number of the instruction of the outermost function at which it failed.
std::optional<size_t> failurePosition(const Status &status);
void setFailurePosition(Status &status, size_t position);

} // namespace tsc

#endif
