//===- jit.h - TorchScript from source ------------------------ -*- C++ -*-===//
#ifndef TSC_TORCH_CSRC_API_INCLUDE_TORCH_JIT_H
#define TSC_TORCH_CSRC_API_INCLUDE_TORCH_JIT_H
#include <torch/csrc/jit/api/module.h>
#include <torch/csrc/jit/serialization/import.h>

#endif
