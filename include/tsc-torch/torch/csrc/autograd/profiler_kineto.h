//===- profiler_kineto.h - Forwards to where it stands -------- -*- C++ -*-===//
#ifndef TSC_TORCH_CSRC_AUTOGRAD_PROFILER_KINETO_H
#define TSC_TORCH_CSRC_AUTOGRAD_PROFILER_KINETO_H
#include <torch/csrc/autograd/profiler.h>

#endif
