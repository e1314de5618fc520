//===- Status.cpp - Makers of absl::Status from Twines --------------------===//
#include "tsc/Support/Status.h"
#include "llvm/ADT/SmallString.h"
using namespace tsc;

static Status make(absl::StatusCode code, const llvm::Twine &message) {
  llvm::SmallString<128> storage;
  llvm::StringRef text = message.toStringRef(storage);
  return Status(code, absl::string_view(text.data(), text.size()));
}

Status tsc::invalidArgument(const llvm::Twine &message) { return make(absl::StatusCode::kInvalidArgument, message); }
Status tsc::outOfRange(const llvm::Twine &message) { return make(absl::StatusCode::kOutOfRange, message); }
Status tsc::unimplemented(const llvm::Twine &message) { return make(absl::StatusCode::kUnimplemented, message); }
Status tsc::dataLoss(const llvm::Twine &message) { return make(absl::StatusCode::kDataLoss, message); }
Status tsc::notFound(const llvm::Twine &message) { return make(absl::StatusCode::kNotFound, message); }
Status tsc::resourceExhausted(const llvm::Twine &message) {
  return make(absl::StatusCode::kResourceExhausted, message);
}

Status tsc::withContext(const Status &status, const llvm::Twine &prefix) {
  return status.ok() ? status : make(status.code(), prefix + messageOf(status));
}
