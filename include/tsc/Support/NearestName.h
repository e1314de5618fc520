//===- NearestName.h - What a misspelled name may have meant ----*- C++ -*-===//
#ifndef TSC_SUPPORT_NEARESTNAME_H
#define TSC_SUPPORT_NEARESTNAME_H

#include "llvm/ADT/StringRef.h"
#include <string>

namespace tsc {

/// Finds, among the names that are considered, the one spelled most like a wrong one: that of the smallest edit
/// distance, the first of several. A wrong name of three or four letters may be off by one edit, a longer one by two; a
/// shorter one matches nothing. A name that begins with an underscore is meant only by one that does so, too; one that
/// begins with `$` is no name of the user's. The wrong name is borrowed.
class NearestName {
public:
  explicit NearestName(llvm::StringRef wrong) : wrong(wrong), limit(wrong.size() < 3 ? 0 : wrong.size() < 5 ? 2 : 3) {}

  /// Takes a name that the wrong one may stand for.
  void consider(llvm::StringRef known) {
    if (limit == 0 || known == wrong || known.starts_with("$") || (known.starts_with("_") && !wrong.starts_with("_")))
      return;
    unsigned distance = wrong.edit_distance(known, /*AllowReplacements=*/true, limit);
    if (distance >= limit)
      return;
    limit = distance;
    nearest = known.str();
  }

  const std::string &name() const { return nearest; } ///< The nearest name; empty where none is near.
  /// Returns `. Did you mean 'x'?`, or an empty text where no name is near.
  std::string hint() const { return nearest.empty() ? "" : ". Did you mean '" + nearest + "'?"; }

private:
  llvm::StringRef wrong;
  unsigned limit; ///< A name is nearer than the nearest one so far when it has fewer edits than this.
  std::string nearest;
};

} // namespace tsc

#endif
