//===- Errors.cpp - Statuses as errors of the C interface -----------------===//
#include "Handles.h"
#include "tsc/Runtime/Exceptions.h"

using namespace tsc;
using namespace tsc::capi;

static_assert(int(absl::StatusCode::kCancelled) == TSC_CANCELLED &&
              int(absl::StatusCode::kInvalidArgument) == TSC_INVALID_ARGUMENT &&
              int(absl::StatusCode::kNotFound) == TSC_NOT_FOUND &&
              int(absl::StatusCode::kPermissionDenied) == TSC_PERMISSION_DENIED &&
              int(absl::StatusCode::kResourceExhausted) == TSC_RESOURCE_EXHAUSTED &&
              int(absl::StatusCode::kFailedPrecondition) == TSC_FAILED_PRECONDITION &&
              int(absl::StatusCode::kAborted) == TSC_ABORTED &&
              int(absl::StatusCode::kOutOfRange) == TSC_OUT_OF_RANGE &&
              int(absl::StatusCode::kUnimplemented) == TSC_UNIMPLEMENTED &&
              int(absl::StatusCode::kInternal) == TSC_INTERNAL && int(absl::StatusCode::kDataLoss) == TSC_DATA_LOSS);

static tsc_code codeOf(const Status &status) {
  switch (status.code()) {
  case absl::StatusCode::kCancelled: return TSC_CANCELLED;
  case absl::StatusCode::kInvalidArgument: return TSC_INVALID_ARGUMENT;
  case absl::StatusCode::kNotFound: return TSC_NOT_FOUND;
  case absl::StatusCode::kPermissionDenied: return TSC_PERMISSION_DENIED;
  case absl::StatusCode::kResourceExhausted: return TSC_RESOURCE_EXHAUSTED;
  case absl::StatusCode::kFailedPrecondition: return TSC_FAILED_PRECONDITION;
  case absl::StatusCode::kAborted: return TSC_ABORTED;
  case absl::StatusCode::kOutOfRange: return TSC_OUT_OF_RANGE;
  case absl::StatusCode::kUnimplemented: return TSC_UNIMPLEMENTED;
  case absl::StatusCode::kDataLoss: return TSC_DATA_LOSS;
  default: return TSC_INTERNAL;
  }
}

tsc_error *capi::outOfMemory() {
  // The texts fit into the strings themselves: this needs no memory.
  static tsc_error error{TSC_RESOURCE_EXHAUSTED, "out of memory", "out of memory", ""};
  return &error;
}

tsc_error *capi::errorOf(Status status) {
  if (status.code() == absl::StatusCode::kResourceExhausted && status.message().empty())
    return capi::outOfMemory(); // there was no memory for its text
  try {
    std::string message = messageOf(status).str();
    return new tsc_error{codeOf(status), std::move(message), tsc::errorOf(status),
                         exceptionClass(status).value_or(std::string())};
  } catch (const std::bad_alloc &) {
    return capi::outOfMemory();
  }
}

tsc_error *capi::internalError(const char *what) {
  return errorOf(orMemoryError([&] { return absl::InternalError(what); }));
}
Status capi::nullArgument(const char *name) { return invalidArgument("'" + llvm::Twine(name) + "' is NULL"); }

Status capi::checkLength(size_t length, const char *name) {
  if (length <= maxLength) [[likely]]
    return okStatus();
  return invalidArgument("'" + llvm::Twine(name) + "' has " + llvm::Twine(length) +
                         " elements, and a list or string has at most " + llvm::Twine(maxLength));
}

const char *tsc_version(void) { return TSC_VERSION; }

tsc_code tsc_error_code(const tsc_error *error) { return error ? error->code : TSC_OK; }
const char *tsc_error_message(const tsc_error *error) { return error ? error->message.c_str() : ""; }
const char *tsc_error_summary(const tsc_error *error) { return error ? error->summary.c_str() : ""; }
const char *tsc_error_exception(const tsc_error *error) { return error ? error->exception.c_str() : ""; }
tsc_error *tsc_error_new(tsc_code code, const char *message) {
  const int number = static_cast<int>(code);
  const bool isKnown = number > TSC_OK && number <= TSC_DATA_LOSS;
  return capi::errorOf(orMemoryError([&] {
    return Status(isKnown ? static_cast<absl::StatusCode>(number) : absl::StatusCode::kInternal,
                  message ? message : "");
  }));
}
void tsc_error_free(tsc_error *error) {
  if (error != capi::outOfMemory())
    delete error;
}
