//===- EagerTrace.h - Traces of tsc's own tensors ---------------*- C++ -*-===//
//
// While a function of Python's is traced, the operators that it calls on tsc's tensors run
// in the Context of the unit (ScriptUnit.h), where the tracer observes them.
//
//===----------------------------------------------------------------------===//
#ifndef TSC_BINDINGS_PYTHON_SCRIPT_EAGERTRACE_H
#define TSC_BINDINGS_PYTHON_SCRIPT_EAGERTRACE_H

#include "../Calls.h"
#include "tsc/Runtime/Dispatch/Arguments.h"
#include "tsc/Runtime/Tracer/Tracer.h"

namespace tsc::bindings {

struct LoadedProgram;

/// The trace that is under way in a thread.
struct EagerTrace {
  CallContext &context; ///< Its observer is the tracer.
  const LoadedProgram &program;
  /// The ints that Python gave since the last operator was called, in their order; those that the trace computes among
  /// them. They are found again among the operator's arguments.
  std::vector<TracedInt> numbers;

  /// Returns that of the calling thread, or null.
  static EagerTrace *current() { return ThreadState::get().trace; }
  /// Calls an operator, which the trace records. RuntimeError where a number that the trace computes would become a
  /// constant.
  std::vector<IValue> call(llvm::StringRef name, std::vector<IValue> args, KeywordArguments kwargs);
};

/// Notes an int that Python gives, which may be a size that the trace computes.
void noteNumber(EagerTrace &trace, nb::handle object, int64_t value);
/// Raises RuntimeError where a trace computes a tensor whose elements Python is about to read.
void refuseReading(const Tensor &tensor);
/// Returns the sizes of a tensor, which are numbers that the trace computes where it computes the tensor.
nb::object sizesOf(const Tensor &tensor);

/// Adds the functions of traces of tsc's tensors to the extension's module.
void bindEagerTraces(nb::module_ &module);

} // namespace tsc::bindings

#endif
