//===- Failure.h - Why something failed, and handles of the C interface ---===//
#ifndef TSC_SERVING_TRITON_FAILURE_H
#define TSC_SERVING_TRITON_FAILURE_H

#include "tsc-c/tsc.h"
#include <memory>
#include <optional>
#include <string>

namespace tsc::triton {

/// Why something failed: a code of the C interface, and a sentence for whoever asked.
struct Failure {
  tsc_code code = TSC_INVALID_ARGUMENT;
  std::string message;
};

/// Nothing when a function did what it says: `if (Status failure = load()) return failure;`.
using Status = std::optional<Failure>;

/// Returns a failure with this message. The code says that the one who asked gave something that does not fit.
inline Failure invalid(std::string message) { return {TSC_INVALID_ARGUMENT, std::move(message)}; }

/// Takes an error of the C interface, which may be null, and frees it.
inline Status take(tsc_error *error) {
  if (!error)
    return std::nullopt;
  Failure failure{tsc_error_code(error), tsc_error_message(error)};
  tsc_error_free(error);
  return failure;
}

template <auto free> struct Free {
  template <typename T> void operator()(T *handle) const { free(handle); }
};

/// Handles that free what they own.
using Options = std::unique_ptr<tsc_options, Free<tsc_options_free>>;
using Program = std::unique_ptr<tsc_program, Free<tsc_program_free>>;
using Entry = std::unique_ptr<tsc_entry, Free<tsc_entry_free>>;
using CallContext = std::unique_ptr<tsc_context, Free<tsc_context_free>>;
using Value = std::unique_ptr<tsc_value, Free<tsc_value_free>>;

/// Calls a function of the C interface that gives an object through its last parameter.
template <typename Handle, typename Function, typename... Arguments>
Status make(Handle &handle, Function function, Arguments... arguments) {
  typename Handle::pointer made = nullptr;
  Status failure = take(function(arguments..., &made));
  handle.reset(made);
  return failure;
}

} // namespace tsc::triton

#endif
