//===- types.h - Forwards to where it stands ------------------ -*- C++ -*-===//
#ifndef TSC_TORCH_TORCH_TYPES_H
#define TSC_TORCH_TORCH_TYPES_H
#include <torch/csrc/api/include/torch/types.h>

#endif
