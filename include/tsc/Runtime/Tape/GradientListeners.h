//===- GradientListeners.h - Who waits for gradients ------------*- C++ -*-===//
#ifndef TSC_RUNTIME_TAPE_GRADIENTLISTENERS_H
#define TSC_RUNTIME_TAPE_GRADIENTLISTENERS_H

#include "tsc/IR/IValue.h"

namespace tsc {

/// Whether leaves among the values have different listeners (GradientServices::listen). A graph that is recorded as one
/// node gives all gradients when its derivative has run, so that all of them but the last would wait in vain.
bool haveSeveralListeners(llvm::ArrayRef<IValue> values);

} // namespace tsc

#endif
