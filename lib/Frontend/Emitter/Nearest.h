//===- Nearest.h - What a misspelled name may have meant ----------*- C++ -*-===//
#ifndef TSC_LIB_FRONTEND_NEAREST_H
#define TSC_LIB_FRONTEND_NEAREST_H

#include "llvm/ADT/StringRef.h"
#include <string>

namespace tsc {

/// Keeps that of the offered names which is the fewest letters away from a misspelled one, if any is near.
class Nearest {
public:
  explicit Nearest(llvm::StringRef name) : name(name), best(name.size() < 3 ? 0 : name.size() < 5 ? 2 : 3) {}
  void offer(llvm::StringRef known) {
    if (!best || known.starts_with("$") || known == name)
      return;
    unsigned distance = name.edit_distance(known, /*AllowReplacements=*/true, best);
    if (distance >= best)
      return;
    best = distance;
    found = known.str();
  }
  const std::string &get() const { return found; } ///< Empty: none is near.

private:
  llvm::StringRef name;
  unsigned best;
  std::string found;
};

} // namespace tsc

#endif
