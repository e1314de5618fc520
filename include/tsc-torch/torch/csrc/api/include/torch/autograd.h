//===- autograd.h - Gradients and functions of the host's ----- -*- C++ -*-===//
#ifndef TSC_TORCH_CSRC_API_INCLUDE_TORCH_AUTOGRAD_H
#define TSC_TORCH_CSRC_API_INCLUDE_TORCH_AUTOGRAD_H
#include <torch/csrc/autograd/autograd.h>
#include <torch/csrc/autograd/custom_function.h>

#endif
