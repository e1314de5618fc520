//===- Reductions.h - Making textual IR small -------------------*- C++ -*-===//
#ifndef TSC_IR_REDUCTIONS_H
#define TSC_IR_REDUCTIONS_H

#include "tsc/Support/Reduction.h"

namespace tsc {

/// Adds the reductions by which tsc-reduce makes a file of textual IR smaller while it still fails. They remove graphs,
/// nodes, an If or Loop around its blocks, results, inputs and loop-carried values, and simplify constants, tensor
/// types and names. Comments before the first graph stay.
void addGraphReductions(Reductions &reductions);

} // namespace tsc

#endif
