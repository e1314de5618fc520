//===- autograd.h - Forwards to where it stands --------------- -*- C++ -*-===//
#ifndef TSC_TORCH_TORCH_AUTOGRAD_H
#define TSC_TORCH_TORCH_AUTOGRAD_H
#include <torch/csrc/api/include/torch/autograd.h>

#endif
