//===- Reductions.h - Making archives small ---------------------*- C++ -*-===//
#ifndef TSC_SERIALIZATION_REDUCTIONS_H
#define TSC_SERIALIZATION_REDUCTIONS_H

#include "tsc/Support/Reduction.h"

namespace tsc {

/// Methods and functions, statements in their bodies, attributes of classes, the numbers of tensors, and files that
/// nothing needs.
void addArchiveReductions(Reductions &reductions);

} // namespace tsc

#endif
