//===- utils.h - Forwards to where it stands ------------------ -*- C++ -*-===//
#ifndef TSC_TORCH_TORCH_UTILS_H
#define TSC_TORCH_TORCH_UTILS_H
#include <torch/csrc/api/include/torch/utils.h>

#endif
