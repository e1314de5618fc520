//===- CopyContainers.h - Copies that share tensors -------------*- C++ -*-===//
#ifndef TSC_IR_COPYCONTAINERS_H
#define TSC_IR_COPYCONTAINERS_H

#include "tsc/IR/IValue.h"

namespace tsc {

/// Copies lists, tuples and dicts recursively, keeping sharing inside the value. Tensors and objects are those of the
/// value itself, as they are where Python hands over arguments.
IValue copyContainers(const IValue &value);

} // namespace tsc

#endif
