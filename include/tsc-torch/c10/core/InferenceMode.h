//===- InferenceMode.h - Threads that record nothing ---------- -*- C++ -*-===//
#ifndef TSC_TORCH_C10_CORE_INFERENCEMODE_H
#define TSC_TORCH_C10_CORE_INFERENCEMODE_H
#include <c10/core/GradMode.h>

namespace c10 {
inline namespace tsc_torch {

/// Has the thread record nothing, until it goes.
class InferenceMode {
public:
  explicit InferenceMode(bool enabled = true) : before(tsc_set_grad_mode(enabled ? TSC_GRAD_INFERENCE : TSC_GRAD_ON)) {}
  InferenceMode(const InferenceMode &) = delete;
  InferenceMode &operator=(const InferenceMode &) = delete;
  ~InferenceMode() { tsc_set_grad_mode(before); }
  static bool is_enabled() { return tsc_get_grad_mode() == TSC_GRAD_INFERENCE; }

private:
  tsc_grad_mode before;
};

} // namespace tsc_torch
} // namespace c10

namespace torch {
using c10::InferenceMode;
} // namespace torch

#endif
