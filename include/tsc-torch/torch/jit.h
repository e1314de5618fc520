//===- jit.h - Forwards to where it stands -------------------- -*- C++ -*-===//
#ifndef TSC_TORCH_TORCH_JIT_H
#define TSC_TORCH_TORCH_JIT_H
#include <torch/csrc/api/include/torch/jit.h>

#endif
