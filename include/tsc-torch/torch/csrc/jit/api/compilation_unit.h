//===- compilation_unit.h - What archives are said to share --- -*- C++ -*-===//
#ifndef TSC_TORCH_JIT_COMPILATION_UNIT_H
#define TSC_TORCH_JIT_COMPILATION_UNIT_H
#include <memory>

namespace torch {
namespace jit {
inline namespace tsc_torch {
/// Stands for the functions and classes that LibTorch's archives and modules share. Here each has its own, and this is
/// empty.
struct CompilationUnit {};
} // namespace tsc_torch
} // namespace jit
} // namespace torch

#endif
