//===- cuda.h - Forwards to where it stands ------------------- -*- C++ -*-===//
#ifndef TSC_TORCH_TORCH_CUDA_H
#define TSC_TORCH_TORCH_CUDA_H
#include <torch/csrc/api/include/torch/cuda.h>

#endif
