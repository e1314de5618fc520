//===- KernelFunction.h - How kernels are called ----------------*- C++ -*-===//
#ifndef TSC_CODEGEN_KERNELFUNCTION_H
#define TSC_CODEGEN_KERNELFUNCTION_H

#include "tsc/Kernels/PointwiseCall.h"
#include <cstdint>

namespace tsc::fuser {

/// A kernel's machine code. Strides are in bytes. With `streaming`, contiguous outputs are written around the caches;
/// they are aligned to 64 bytes then, and so is each row of them. Of a kernel without such outputs, `streaming` says
/// that inputs come from memory. `routines` is routineTable().
using KernelFunction = void (*)(char *const *pointers, const int64_t *inner, const int64_t *outer, int64_t count,
                                int64_t rows, const uint64_t *uniforms, const void *routines, int64_t streaming);

/// Returns the table of functions that kernels call: what the eager engine computes lane by lane through the C library.
const PointwiseKernel *routineTable();

} // namespace tsc::fuser

#endif
