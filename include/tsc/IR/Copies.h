//===- Copies.h - Copies that share a part of a value -----------*- C++ -*-===//
#ifndef TSC_IR_COPIES_H
#define TSC_IR_COPIES_H

#include "tsc/IR/IValue.h"
#include "llvm/ADT/STLFunctionalExtras.h"

namespace tsc {

/// Copies a value as deepCopy() does, except that the value or any part of it for which `shared` returns true is not
/// copied but shared with the original.
IValue copyUnless(const IValue &value, llvm::function_ref<bool(const IValue &)> shared);
/// Copies lists, tuples and dicts recursively, keeping sharing inside the value. Tensors and objects are shared with
/// the original, as when Python passes arguments.
IValue copyContainers(const IValue &value);

} // namespace tsc

#endif
