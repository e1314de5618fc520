//===- interpreter.h - Forwards to where it stands ------------ -*- C++ -*-===//
#ifndef TSC_TORCH_CSRC_JIT_RUNTIME_INTERPRETER_H
#define TSC_TORCH_CSRC_JIT_RUNTIME_INTERPRETER_H
#include <torch/csrc/jit/runtime/graph_executor.h>

#endif
