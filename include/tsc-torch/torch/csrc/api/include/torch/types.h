//===- types.h - Names of namespace torch --------------------- -*- C++ -*-===//
#ifndef TSC_TORCH_CSRC_API_INCLUDE_TORCH_TYPES_H
#define TSC_TORCH_CSRC_API_INCLUDE_TORCH_TYPES_H
#include <ATen/ATen.h>
#include <c10/core/DefaultDtype.h>
#include <torch/csrc/autograd/variable.h>

namespace torch {
inline namespace tsc_torch {
using c10::get_default_dtype;
using c10::nullopt;
using c10::optional;
using c10::set_default_dtype;
} // namespace tsc_torch
} // namespace torch

#endif
