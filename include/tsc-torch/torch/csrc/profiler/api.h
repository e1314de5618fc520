//===- api.h - Forwards to where it stands -------------------- -*- C++ -*-===//
#ifndef TSC_TORCH_CSRC_PROFILER_API_H
#define TSC_TORCH_CSRC_PROFILER_API_H
#include <torch/csrc/autograd/profiler.h>

#endif
