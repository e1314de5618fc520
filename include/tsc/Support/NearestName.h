//===- NearestName.h - What a misspelled name may have meant ----*- C++ -*-===//
#ifndef TSC_SUPPORT_NEARESTNAME_H
#define TSC_SUPPORT_NEARESTNAME_H

#include "llvm/ADT/StringRef.h"
#include <string>

namespace tsc {

/// The name spelled most like a wrong one, by edit distance; the first of several. It is no name of Python's own
/// use (`_x`) unless the wrong one looks like that, too.
class NearestName {
public:
  explicit NearestName(llvm::StringRef wrong, unsigned maxDistance = 2) : wrong(wrong), best(maxDistance + 1) {}

  void consider(llvm::StringRef known) {
    if (known == wrong || (known.starts_with("_") && !wrong.starts_with("_")))
      return;
    unsigned distance = wrong.edit_distance(known, /*AllowReplacements=*/true, best);
    if (distance >= best)
      return;
    best = distance;
    name = known.str();
  }

  /// `. Did you mean 'x'?`; empty where no name is near.
  std::string hint() const { return name.empty() ? "" : ". Did you mean '" + name + "'?"; }

private:
  llvm::StringRef wrong;
  unsigned best;
  std::string name;
};

} // namespace tsc

#endif
