//===- MemoryErrors.h - Memory that is not to be had ------------*- C++ -*-===//
//
// Tensors ask for memory and get a Status; the lists and strings of kernels are
// containers of the standard library, which throw. What they throw ends here.
//
//===----------------------------------------------------------------------===//
#ifndef TSC_LIB_RUNTIME_MEMORYERRORS_H
#define TSC_LIB_RUNTIME_MEMORYERRORS_H

#include "tsc/Support/Status.h"
#include <new>
#include <stdexcept>

namespace tsc {

/// What `run` returns, or Python's MemoryError where a container could not grow.
template <typename Run> Status orMemoryError(Run run) {
  try {
    return run();
  } catch (const std::bad_alloc &) {
    return resourceExhausted("MemoryError: out of memory");
  } catch (const std::length_error &) {
    return resourceExhausted("MemoryError: a list or str would grow too long");
  }
}

} // namespace tsc

#endif
