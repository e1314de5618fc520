//===- profiling_graph_executor_impl.h - Forwards to where it stands - -*- C++ -*-===//
#ifndef TSC_TORCH_CSRC_JIT_RUNTIME_PROFILING_GRAPH_EXECUTOR_IMPL_H
#define TSC_TORCH_CSRC_JIT_RUNTIME_PROFILING_GRAPH_EXECUTOR_IMPL_H
#include <torch/csrc/jit/runtime/graph_executor.h>

#endif
