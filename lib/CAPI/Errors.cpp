//===- Errors.cpp - Statuses as errors of the C interface -----------------===//
#include "Handles.h"
#include "tsc/Runtime/Dispatch/Exceptions.h"

using namespace tsc;
using namespace tsc::capi;

static_assert(int(StatusCode::Cancelled) == TSC_CANCELLED && int(StatusCode::InvalidArgument) == TSC_INVALID_ARGUMENT &&
              int(StatusCode::NotFound) == TSC_NOT_FOUND &&
              int(StatusCode::PermissionDenied) == TSC_PERMISSION_DENIED &&
              int(StatusCode::ResourceExhausted) == TSC_RESOURCE_EXHAUSTED &&
              int(StatusCode::FailedPrecondition) == TSC_FAILED_PRECONDITION &&
              int(StatusCode::Aborted) == TSC_ABORTED && int(StatusCode::OutOfRange) == TSC_OUT_OF_RANGE &&
              int(StatusCode::Unimplemented) == TSC_UNIMPLEMENTED && int(StatusCode::Internal) == TSC_INTERNAL &&
              int(StatusCode::DataLoss) == TSC_DATA_LOSS);

static tsc_code codeOf(const Status &status) {
  switch (status.code()) {
  case StatusCode::Cancelled: return TSC_CANCELLED;
  case StatusCode::InvalidArgument: return TSC_INVALID_ARGUMENT;
  case StatusCode::NotFound: return TSC_NOT_FOUND;
  case StatusCode::PermissionDenied: return TSC_PERMISSION_DENIED;
  case StatusCode::ResourceExhausted: return TSC_RESOURCE_EXHAUSTED;
  case StatusCode::FailedPrecondition: return TSC_FAILED_PRECONDITION;
  case StatusCode::Aborted: return TSC_ABORTED;
  case StatusCode::OutOfRange: return TSC_OUT_OF_RANGE;
  case StatusCode::Unimplemented: return TSC_UNIMPLEMENTED;
  case StatusCode::DataLoss: return TSC_DATA_LOSS;
  default: return TSC_INTERNAL;
  }
}

tsc_error *capi::outOfMemory() {
  // The texts fit into the strings themselves: this needs no memory.
  static tsc_error error{TSC_RESOURCE_EXHAUSTED, "out of memory", "out of memory", ""};
  return &error;
}

tsc_error *capi::guarded(llvm::function_ref<Status()> body) {
  try {
    Status status = orMemoryError(body);
    return status.ok() ? nullptr : capi::errorOf(std::move(status));
  } catch (const std::bad_alloc &) {
    return capi::outOfMemory();
  } catch (const std::exception &exception) {
    return capi::internalError(exception.what());
  }
}

tsc_error *capi::errorOf(Status status) {
  if (status.code() == StatusCode::ResourceExhausted && status.message().empty())
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
  return capi::errorOf(orMemoryError([&] { return tsc::internalError(what); }));
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
    return Status(isKnown ? static_cast<StatusCode>(number) : StatusCode::Internal, message ? message : "");
  }));
}
void tsc_error_free(tsc_error *error) {
  if (error != capi::outOfMemory())
    delete error;
}
