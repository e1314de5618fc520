//===- Reductions.h - Making textual IR small -------------------*- C++ -*-===//
#ifndef TSC_IR_REDUCTIONS_H
#define TSC_IR_REDUCTIONS_H

#include "tsc/Support/Reduction.h"

namespace tsc {

/// Graphs of a file, nodes, If and Loop around their blocks, results, inputs, values carried by loops, constants,
/// what types tell of tensors, and names. What stands before the first graph stays.
void addGraphReductions(Reductions &reductions);

} // namespace tsc

#endif
