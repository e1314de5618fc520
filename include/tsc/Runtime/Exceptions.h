//===- Exceptions.h - TorchScript's exceptions as values --------*- C++ -*-===//
//
// A program that raises fails with an Aborted status that remembers the class of
// the exception ("builtins.ValueError"). Its message carries the call stack.
//
//===----------------------------------------------------------------------===//
#ifndef TSC_RUNTIME_EXCEPTIONS_H
#define TSC_RUNTIME_EXCEPTIONS_H

#include "tsc/Support/Status.h"
#include "llvm/ADT/StringRef.h"
#include <optional>
#include <string>

namespace tsc {

/// The class a `raise` named; none for other failures.
std::optional<std::string> exceptionClass(const Status &status);
void setExceptionClass(Status &status, llvm::StringRef name);

/// What went wrong, "RuntimeError: …", without the call stack before it; the whole message when there is none.
std::string errorOf(const Status &status);

/// Which limit of the host's a failed run exceeded; none for other failures.
enum class QuotaKind { Steps, Depth, Memory, Output };
Status quotaExceeded(QuotaKind kind);
std::optional<QuotaKind> exceededQuota(const Status &status);

/// How far a failed run came: the number of the instruction of the outermost function at which it failed.
std::optional<size_t> failurePosition(const Status &status);

} // namespace tsc

#endif
