//===- torch.h - Forwards to where it stands ------------------ -*- C++ -*-===//
#ifndef TSC_TORCH_CSRC_API_INCLUDE_TORCH_TORCH_H
#define TSC_TORCH_CSRC_API_INCLUDE_TORCH_TORCH_H
#include <torch/torch.h>

#endif
