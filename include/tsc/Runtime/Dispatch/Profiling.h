//===- Profiling.h - What runs tell of tensors, and guards ------*- C++ -*-===//
//
// Code may hold observers (prim::profile), which tell what tensors pass them, and
// guards (prim::Guard, prim::BailOut), which let tensors of one type pass.
//
//===----------------------------------------------------------------------===//
#ifndef TSC_RUNTIME_DISPATCH_PROFILING_H
#define TSC_RUNTIME_DISPATCH_PROFILING_H

#include "tsc/IR/IValue.h"
#include "tsc/IR/Type.h"

namespace tsc {

/// Is told of the values that pass the prim::profile nodes of code that runs (CallContext::profile).
///
/// Threads: one at a time calls it: that of the call.
class ProfileObserver {
public:
  virtual ~ProfileObserver();
  /// A value passes the node with this number, its attribute `index`.
  virtual void note(int64_t number, const IValue &value) = 0;
};

/// Whether a guard for `facts` lets the value pass. It looks at the dtype, the device and each size and stride that is
/// a number, and whether the tensor requires a gradient where it must not. An undefined tensor passes if nothing is
/// said.
bool passesGuard(const IValue &value, const TensorFacts &facts);

} // namespace tsc

#endif
