//===- torch.h - Forwards to where it stands ------------------ -*- C++ -*-===//
#ifndef TSC_TORCH_TORCH_TORCH_H
#define TSC_TORCH_TORCH_TORCH_H
#include <torch/csrc/api/include/torch/all.h>
#include <torch/script.h>

#endif
