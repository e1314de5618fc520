//===- FrozenArchive.h - A frozen module as a module of its own -*- C++ -*-===//
#ifndef TSC_LIB_ENGINE_FROZENARCHIVE_H
#define TSC_LIB_ENGINE_FROZENARCHIVE_H

#include "tsc/IR/Function.h"
#include "tsc/Transforms/Freezing.h"

namespace tsc {

/// An object whose classes have the attributes that frozen code uses and no others, and whose methods are that code.
/// Values are shared with the object that was frozen; `frozen` loses its graphs.
StatusOr<IValue> makeFrozenObject(const Ref<ObjectValue> &root, FrozenModule frozen, CompilationUnit &unit);

} // namespace tsc

#endif
