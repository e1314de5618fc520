//===- LineDiff.h - What changed between two texts --------------*- C++ -*-===//
#ifndef TSC_SUPPORT_LINEDIFF_H
#define TSC_SUPPORT_LINEDIFF_H

#include "llvm/ADT/StringRef.h"
#include <string>

namespace tsc {

/// Returns a unified diff, line by line, with `context` unchanged lines around each change; it is empty when the texts
/// are equal. It is the shortest one for up to 2000 changed lines; beyond that, the changed part is shown as one
/// replacement.
std::string unifiedDiff(llvm::StringRef before, llvm::StringRef after, unsigned context = 3);

} // namespace tsc

#endif
