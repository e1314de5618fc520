//===- variable.h - Tensors with gradients -------------------- -*- C++ -*-===//
#ifndef TSC_TORCH_CSRC_AUTOGRAD_VARIABLE_H
#define TSC_TORCH_CSRC_AUTOGRAD_VARIABLE_H
#include <torch/csrc/autograd/autograd.h>

namespace torch {
namespace autograd {
inline namespace tsc_torch {
/// Returns a leaf that shares the elements of `data` and not its history.
inline Variable make_variable(const at::Tensor &data, bool requires_grad = false, bool = true) {
  Variable made = data.detach();
  return requires_grad ? made.set_requires_grad(true) : made;
}
} // namespace tsc_torch
} // namespace autograd
} // namespace torch

#endif
