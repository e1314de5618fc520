//===- autograd.h - Gradients --------------------------------- -*- C++ -*-===//
#ifndef TSC_TORCH_CSRC_AUTOGRAD_AUTOGRAD_H
#define TSC_TORCH_CSRC_AUTOGRAD_AUTOGRAD_H
#include <ATen/Functions.h>

namespace torch {
namespace autograd {
inline namespace tsc_torch {

/// A tensor, as hosts name it that ask for gradients. All tensors may have them.
using Variable = at::Tensor;
/// The tensors that are differentiated, or their gradients.
using variable_list = std::vector<Variable>;

/// Adds the gradients of the outputs to `.grad` of the leaves, or of `inputs`.
inline void backward(const variable_list &tensors, const variable_list &grad_tensors = {},
                     c10::optional<bool> retain_graph = c10::nullopt, bool create_graph = false,
                     const variable_list &inputs = {}) {
  using namespace tsc_torch_detail;
  TORCH_CHECK(grad_tensors.empty() || grad_tensors.size() == tensors.size(), "got ", tensors.size(), " tensors and ",
              grad_tensors.size(), " gradients");
  writeGrads();
  const auto outputs = handlesOf(tensors), weights = handlesOf(grad_tensors), leaves = handlesOf(inputs);
  thrownInBackward() = nullptr;
  checkGradients(tsc_backward(outputs.data(), outputs.size(), weights.empty() ? nullptr : weights.data(), leaves.data(),
                              leaves.size(),
                              gradientFlags(retain_graph ? *retain_graph : create_graph, create_graph, false)));
}

/// The gradients of the outputs by the inputs; undefined tensors for unused ones, where they are allowed.
inline variable_list grad(const variable_list &outputs, const variable_list &inputs,
                          const variable_list &grad_outputs = {}, c10::optional<bool> retain_graph = c10::nullopt,
                          bool create_graph = false, bool allow_unused = false) {
  using namespace tsc_torch_detail;
  TORCH_CHECK(grad_outputs.empty() || grad_outputs.size() == outputs.size(), "got ", outputs.size(), " tensors and ",
              grad_outputs.size(), " gradients");
  writeGrads();
  const auto of = handlesOf(outputs), weights = handlesOf(grad_outputs), by = handlesOf(inputs);
  std::vector<tsc_value *> gradients(inputs.size());
  thrownInBackward() = nullptr;
  checkGradients(tsc_gradients(of.data(), of.size(), weights.empty() ? nullptr : weights.data(), by.data(), by.size(),
                               gradientFlags(retain_graph ? *retain_graph : create_graph, create_graph, allow_unused),
                               gradients.data()));
  variable_list all;
  for (tsc_value *gradient : gradients) {
    Value owner(gradient);
    all.push_back(tsc_value_kind(gradient) == TSC_KIND_TENSOR ? at::Tensor::adopt(owner.release()) : at::Tensor());
  }
  return all;
}

} // namespace tsc_torch
} // namespace autograd
} // namespace torch

#endif
