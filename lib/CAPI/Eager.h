//===- Eager.h - Operators that a host calls, and gradients -----*- C++ -*-===//
//
// A host's own arithmetic, and the calls that it wants gradients of, leave their
// histories on tapes of one Context, which belongs to no program and lives as long as
// the process. So a history may reach over calls of several programs, and outlive them.
//
//===----------------------------------------------------------------------===//
#ifndef TSC_LIB_CAPI_EAGER_H
#define TSC_LIB_CAPI_EAGER_H

#include "Handles.h"
#include "tsc/Runtime/Tape/Gradients.h"
#include "tsc/Runtime/Tape/Tape.h"
#include "tsc/Support/ForkSafety.h"
#include "tsc/Tensor/Generator.h"

namespace tsc::capi {

/// Returns the Context of operators that belong to no program.
Context &eagerContext();

/// What each thread has for calls without a program.
struct ThreadState {
  Generator generator;
  Tape tape{eagerContext()};
  CallContext call{eagerContext()};
  ThreadState();
  /// Returns that of the calling thread.
  static ThreadState &get();
};

/// Whether the calling thread's grad mode lets calls be recorded.
bool recordsGradients();

/// Counts how often somebody may have changed whether tensors of modules require gradients: what was found out about
/// these holds as long as the number stays.
uint64_t gradientMarks();
/// Adds one to gradientMarks(). Any thread may call it.
void noteGradientMark();

/// Returns a value of a call that was not recorded, for one that is. Its tensors are replaced by views of them whose
/// gradient fails with a sentence, where they require one; with `inPlace`, as a tensor is to be written, it is the
/// tensor itself that does so from now on.
IValue recordable(const IValue &value, bool inPlace = false);

/// A call of operators by a host.
class EagerCall {
public:
  EagerCall();
  ~EagerCall() { state.call.observer = outer; }
  EagerCall(const EagerCall &) = delete;
  /// Unimplemented in the child of a fork(2) that lost what operators lock.
  Status status() const;
  CallContext &context() { return state.call; }
  Tape &tape() { return state.tape; }

private:
  InsideScope inside;
  ThreadState &state;
  OperatorObserver *const outer; ///< Null, unless one call makes another.
  Threads::Scope threads;
};

/// Whether nobody has computed the tensor of a value.
bool isLeaf(const tsc_value &value);

/// Returns a tensor without lazy conjugation or negation, and with the history of the one given.
StatusOr<Tensor> resolved(const Tensor &tensor);

} // namespace tsc::capi

#endif
