//===- Status.h - Shorthands over absl::Status ------------------*- C++ -*-===//
//
// Failures of the outside world and of running programs are absl::Status. The
// code tells who is to blame; the message is text for the user.
//
//===----------------------------------------------------------------------===//
#ifndef TSC_SUPPORT_STATUS_H
#define TSC_SUPPORT_STATUS_H

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "llvm/ADT/Twine.h"

namespace tsc {

using absl::Status;
using absl::StatusOr;

inline Status okStatus() { return absl::OkStatus(); }
/// A value, shape or dtype that the operation does not take.
Status invalidArgument(const llvm::Twine &message);
/// An index or a size outside its range.
Status outOfRange(const llvm::Twine &message);
/// Something that is legal TorchScript and that this build cannot do.
Status unimplemented(const llvm::Twine &message);
/// A file or text that is not what it claims to be.
Status dataLoss(const llvm::Twine &message);
Status notFound(const llvm::Twine &message);
/// A limit (memory, depth, steps) was exceeded.
Status resourceExhausted(const llvm::Twine &message);
/// The same failure with `prefix` before its message.
Status withContext(const Status &status, const llvm::Twine &prefix);

inline llvm::StringRef messageOf(const Status &status) {
  return llvm::StringRef(status.message().data(), status.message().size());
}

} // namespace tsc

/// Returns from the enclosing function when `expr` (a Status) is a failure.
#define TSC_RETURN_IF_ERROR(expr)                                                                                      \
  do {                                                                                                                 \
    if (absl::Status tscStatus = (expr); !tscStatus.ok()) [[unlikely]]                                                 \
      return tscStatus;                                                                                                \
  } while (false)

#define TSC_CONCAT_INNER(a, b) a##b
#define TSC_CONCAT(a, b) TSC_CONCAT_INNER(a, b)
/// `TSC_ASSIGN_OR_RETURN(Tensor t, makeTensor())`: the value, or returns the failure.
#define TSC_ASSIGN_OR_RETURN(decl, expr) TSC_ASSIGN_OR_RETURN_INNER(TSC_CONCAT(tscResult, __LINE__), decl, expr)
#define TSC_ASSIGN_OR_RETURN_INNER(tmp, decl, expr)                                                                    \
  auto tmp = (expr);                                                                                                   \
  if (!tmp.ok()) [[unlikely]]                                                                                          \
    return std::move(tmp).status();                                                                                    \
  decl = *std::move(tmp)

#endif
