//===- Reductions.h - Making archives small ---------------------*- C++ -*-===//
#ifndef TSC_SERIALIZATION_REDUCTIONS_H
#define TSC_SERIALIZATION_REDUCTIONS_H

#include "tsc/Support/Reduction.h"

namespace tsc {

/// Adds the reductions of archives (`.pt` files). They remove classes, methods and functions, statements, attributes of
/// classes and files, and replace all elements of a tensor by its first.
void addArchiveReductions(Reductions &reductions);

} // namespace tsc

#endif
