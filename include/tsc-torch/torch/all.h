//===- all.h - Forwards to where it stands -------------------- -*- C++ -*-===//
#ifndef TSC_TORCH_TORCH_ALL_H
#define TSC_TORCH_TORCH_ALL_H
#include <torch/csrc/api/include/torch/all.h>

#endif
