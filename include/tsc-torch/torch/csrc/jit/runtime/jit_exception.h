//===- jit_exception.h - What a program raises ------------------*- C++ -*-===//
#ifndef TSC_TORCH_JIT_EXCEPTION_H
#define TSC_TORCH_JIT_EXCEPTION_H
#include <c10/util/Optional.h>
#include <stdexcept>
#include <string>
#include <tsc-torch/Handles.h>

namespace torch {
namespace jit {
inline namespace tsc_torch {

/// An exception that the program raised with `raise` or `assert`; its message has the calls that led there.
struct JITException : public std::runtime_error {
  explicit JITException(const std::string &message, c10::optional<std::string> python_class_name = c10::nullopt,
                        c10::optional<std::string> original_msg = c10::nullopt)
      : std::runtime_error(message), python_class(std::move(python_class_name)), original(std::move(original_msg)) {}
  /// "builtins.ValueError".
  c10::optional<std::string> getPythonClassName() const { return python_class; }
  /// The last line alone.
  c10::optional<std::string> getOriginalMsg() const { return original; }

private:
  c10::optional<std::string> python_class, original;
};

} // namespace tsc_torch
} // namespace jit
} // namespace torch

namespace tsc_torch_detail {

/// Throws what a call of a method failed with: JITException for what the program raised, else c10::Error.
[[noreturn]] inline void raiseFromCall(tsc_error *error) {
  if (tsc_error_code(error) != TSC_ABORTED)
    raise(error);
  const std::string message = tsc_error_message(error), summary = tsc_error_summary(error);
  const std::string exception = tsc_error_exception(error);
  tsc_error_free(error);
  throw torch::jit::JITException(message, exception, summary);
}

} // namespace tsc_torch_detail

#endif
