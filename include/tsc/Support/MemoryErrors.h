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

/// Thrown where a recursion over nested values, types or trees would leave the stack; it is caught where std::bad_alloc
/// is.
class StackExhausted final : public std::bad_alloc {
public:
  const char *what() const noexcept override { return "stack exhausted"; }
};

/// Returns Python's MemoryError as ResourceExhausted. Where there is no memory for the message, the status has none.
Status outOfMemory() noexcept;
/// Returns the MemoryError of a container that would have had more elements than it can hold.
Status tooLarge() noexcept;
/// Returns a RecursionError, as ResourceExhausted, for what is nested too deeply for the stack of this thread.
Status tooDeepForStack() noexcept;

/// Returns what `run` returns, a Status or a StatusOr, or the error where memory or stack ran out in it.
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

/// Makes the LLVM that is linked into this program throw std::bad_alloc where it gets no memory, instead of ending the
/// process. It is for those who own that LLVM: tools, and a shared library that keeps its own copy, both linked by
/// tsc_stand_alone (TscStandAlone.cmake). A host that links LLVM itself decides for itself
/// (llvm::install_bad_alloc_error_handler).
void throwWhereLlvmLacksMemory();

/// Runs the `main` of a tool that owns its LLVM, and returns what `run` returns. Where memory runs out, it says so on
/// the standard error stream and returns `failed`.
int runTool(llvm::StringRef name, int failed, llvm::function_ref<int()> run);

} // namespace tsc

#endif
