//===- LayoutOperators.h - Operators on layouts of our own ------*- C++ -*-===//
#ifndef TSC_RUNTIME_LAYOUTOPERATORS_H
#define TSC_RUNTIME_LAYOUTOPERATORS_H

#include "tsc/Support/Status.h"

namespace tsc {

class OperatorTable;

/// Registers the operators that the pass block-convolutions makes: convolutions and what they are chained with, on
/// images whose channels lie in blocks. They have no gradients.
Status registerLayoutOperators(OperatorTable &table);

} // namespace tsc

#endif
