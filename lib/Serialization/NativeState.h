//===- NativeState.h - States of PyTorch's C++ classes ----------*- C++ -*-===//
#ifndef TSC_LIB_SERIALIZATION_NATIVESTATE_H
#define TSC_LIB_SERIALIZATION_NATIVESTATE_H

#include "tsc/IR/ClassType.h"
#include "tsc/IR/Context.h"
#include "tsc/IR/IValue.h"

namespace tsc {

/// The state of an object of one of PyTorch's C++ classes in the version of our prelude's class: `state` itself, or
/// what an older or newer version of it says. DataLoss for a state that is of a known version, but damaged.
StatusOr<IValue> upgradedState(const ClassType &type, const IValue &state, Context &context);

} // namespace tsc

#endif
