//===- all.h - All there is ----------------------------------- -*- C++ -*-===//
#ifndef TSC_TORCH_CSRC_API_INCLUDE_TORCH_ALL_H
#define TSC_TORCH_CSRC_API_INCLUDE_TORCH_ALL_H
#include <c10/core/InferenceMode.h>
#include <torch/csrc/api/include/torch/cuda.h>
#include <torch/csrc/api/include/torch/jit.h>
#include <torch/csrc/api/include/torch/mps.h>
#include <torch/csrc/api/include/torch/serialize.h>
#include <torch/csrc/api/include/torch/types.h>
#include <torch/csrc/api/include/torch/utils.h>
#include <torch/csrc/autograd/autograd.h>
#include <torch/csrc/autograd/custom_function.h>
#include <torch/version.h>

#endif
