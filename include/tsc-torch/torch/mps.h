//===- mps.h - Forwards to where it stands --------------------*- C++ -*-===//
#ifndef TSC_TORCH_TORCH_MPS_H
#define TSC_TORCH_TORCH_MPS_H
#include <torch/csrc/api/include/torch/mps.h>

#endif
