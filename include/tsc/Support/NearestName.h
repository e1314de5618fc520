//===- NearestName.h - What a misspelled name may have meant ----*- C++ -*-===//
#ifndef TSC_SUPPORT_NEARESTNAME_H
#define TSC_SUPPORT_NEARESTNAME_H

#include "llvm/ADT/StringRef.h"
#include <string>

namespace tsc {

/// Of the names that are considered, the one spelled most like a wrong one: by edit distance, the first of several. A
/// short name has fewer letters to be wrong. What begins with an underscore is meant by what does so, too; what begins
/// with `$` is no name of the user's.
class NearestName {
public:
  explicit NearestName(llvm::StringRef wrong) : wrong(wrong), limit(wrong.size() < 3 ? 0 : wrong.size() < 5 ? 2 : 3) {}

  void consider(llvm::StringRef known) {
    if (limit == 0 || known == wrong || known.starts_with("$") || (known.starts_with("_") && !wrong.starts_with("_")))
      return;
    unsigned distance = wrong.edit_distance(known, /*AllowReplacements=*/true, limit);
    if (distance >= limit)
      return;
    limit = distance;
    nearest = known.str();
  }

  const std::string &name() const { return nearest; } ///< Empty: none is near.
  /// `. Did you mean 'x'?`; empty where none is near.
  std::string hint() const { return nearest.empty() ? "" : ". Did you mean '" + nearest + "'?"; }

private:
  llvm::StringRef wrong;
  unsigned limit; ///< What is nearer has fewer edits.
  std::string nearest;
};

} // namespace tsc

#endif
