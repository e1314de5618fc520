//===- MemoryErrors.h - Memory that is not to be had ------------*- C++ -*-===//
//
// Tensors ask for memory and get a Status; containers of the standard library and
// of LLVM throw std::bad_alloc, the latter where LLVM has been told to. It passes
// through everything that does not hold it up, and becomes a Status at the doors:
// of an operator, a run of the interpreter, a task of another thread, and each
// public function of Engine and of the C interface.
//
//===----------------------------------------------------------------------===//
#ifndef TSC_SUPPORT_MEMORYERRORS_H
#define TSC_SUPPORT_MEMORYERRORS_H

#include "tsc/Support/Status.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include <new>
#include <stdexcept>

namespace tsc {

/// Thrown where a recursion over nested values, types or trees would leave the stack; it ends at the same doors.
class StackExhausted final : public std::bad_alloc {
public:
  const char *what() const noexcept override { return "stack exhausted"; }
};

/// Python's MemoryError as ResourceExhausted. Throws nothing: where there is no memory for its text, it has none.
Status outOfMemory() noexcept;
/// The same for a container that would have had more elements than it can.
Status tooLarge() noexcept;
/// The same for what is nested too deeply for the stack of this thread.
Status tooDeepForStack() noexcept;

/// What `run` returns, a Status or a StatusOr, or outOfMemory() where a container could not grow.
template <typename Run> auto orMemoryError(Run run) -> decltype(run()) {
  try {
    return run();
  } catch (const StackExhausted &) {
    return tooDeepForStack();
  } catch (const std::bad_alloc &) {
    return outOfMemory();
  } catch (const std::length_error &) {
    return tooLarge();
  }
}

/// Has the LLVM that is linked into this program throw std::bad_alloc where it gets no memory, instead of ending the
/// process. It is for who owns that LLVM: tools, and a shared library that keeps its own copy, both linked by
/// tsc_stand_alone (TscStandAlone.cmake). A host that links LLVM itself decides for itself
/// (llvm::install_bad_alloc_error_handler).
void throwWhereLlvmLacksMemory();

/// What the `main` of a tool does, which owns its LLVM: where there is no memory, it says so and gives `failed`.
int runTool(llvm::StringRef name, int failed, llvm::function_ref<int()> run);

} // namespace tsc

#endif
