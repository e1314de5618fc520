//===- script.h - What hosts of archives include -------------- -*- C++ -*-===//
#ifndef TSC_TORCH_TORCH_SCRIPT_H
#define TSC_TORCH_TORCH_SCRIPT_H
#include <ATen/ATen.h>
#include <c10/core/InferenceMode.h>
#include <torch/csrc/api/include/torch/types.h>
#include <torch/csrc/api/include/torch/utils.h>
#include <torch/csrc/autograd/autograd.h>
#include <torch/csrc/autograd/custom_function.h>
#include <torch/csrc/autograd/grad_mode.h>
#include <torch/csrc/jit/runtime/graph_executor.h>
#include <torch/csrc/jit/runtime/jit_exception.h>
#include <torch/csrc/jit/serialization/export.h>
#include <torch/csrc/jit/serialization/import.h>
#include <torch/custom_class.h>
#include <torch/version.h>

#endif
