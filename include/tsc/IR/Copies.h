//===- Copies.h - Copies that share a part of a value -----------*- C++ -*-===//
#ifndef TSC_IR_COPIES_H
#define TSC_IR_COPIES_H

#include "tsc/IR/IValue.h"
#include "llvm/ADT/STLFunctionalExtras.h"

namespace tsc {

/// As deepCopy(), but what `shared` says so of, alone or within the value, stays what it is.
IValue copyUnless(const IValue &value, llvm::function_ref<bool(const IValue &)> shared);
/// Copies lists, tuples and dicts recursively, keeping sharing inside the value. Tensors and objects are those of the
/// value itself, as they are where Python hands over arguments.
IValue copyContainers(const IValue &value);

} // namespace tsc

#endif
