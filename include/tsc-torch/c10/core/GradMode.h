//===- GradMode.h - Whether gradients are recorded ------------ -*- C++ -*-===//
#ifndef TSC_TORCH_C10_CORE_GRADMODE_H
#define TSC_TORCH_C10_CORE_GRADMODE_H
#include <c10/macros/Macros.h>
#include <tsc-c/tsc.h>

namespace c10 {
inline namespace tsc_torch {

/// The calling thread's grad mode.
struct GradMode {
  static bool is_enabled() { return tsc_get_grad_mode() == TSC_GRAD_ON; }
  static void set_enabled(bool enabled) { tsc_set_grad_mode(enabled ? TSC_GRAD_ON : TSC_GRAD_OFF); }
};
/// Sets the mode of the thread until it goes.
struct AutoGradMode {
  explicit AutoGradMode(bool enabled) : before(tsc_get_grad_mode()) {
    if (before != TSC_GRAD_INFERENCE) // in which nothing is recorded, whatever is asked
      GradMode::set_enabled(enabled);
  }
  AutoGradMode(const AutoGradMode &) = delete;
  AutoGradMode &operator=(const AutoGradMode &) = delete;
  ~AutoGradMode() { tsc_set_grad_mode(before); }

private:
  tsc_grad_mode before;
};
/// Keeps what the thread computes from being recorded for gradients, until the guard goes.
struct NoGradGuard : AutoGradMode {
  NoGradGuard() : AutoGradMode(false) {}
};
/// Stands for LibTorch's switch of forward-mode gradients, and has no effect.
struct AutoFwGradMode {
  explicit AutoFwGradMode(bool) {}
};

} // namespace tsc_torch
} // namespace c10

namespace at {
using c10::AutoGradMode;
using c10::GradMode;
using c10::NoGradGuard;
} // namespace at
namespace torch {
using c10::AutoGradMode;
using c10::GradMode;
using c10::NoGradGuard;
namespace autograd {
using c10::AutoGradMode;
using c10::GradMode;
} // namespace autograd
} // namespace torch

#endif
