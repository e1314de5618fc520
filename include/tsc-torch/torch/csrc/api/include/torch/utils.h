//===- utils.h - Seeds and threads ---------------------------- -*- C++ -*-===//
#ifndef TSC_TORCH_CSRC_API_INCLUDE_TORCH_UTILS_H
#define TSC_TORCH_CSRC_API_INCLUDE_TORCH_UTILS_H
#include <ATen/Context.h>
#include <c10/core/GradMode.h>
#include <torch/csrc/autograd/profiler.h>

namespace torch {
inline namespace tsc_torch {
using at::get_num_interop_threads;
using at::get_num_threads;
using at::manual_seed;
using at::set_num_interop_threads;
using at::set_num_threads;
} // namespace tsc_torch
} // namespace torch

#endif
