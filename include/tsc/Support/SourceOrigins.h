//===- SourceOrigins.h - Where printed text came from -----------*- C++ -*-===//
//
// Code of an archive was printed from graphs. Records beside it tell what source
// the author wrote for it, which is what those who read errors want to see.
//
//===----------------------------------------------------------------------===//
#ifndef TSC_SUPPORT_SOURCEORIGINS_H
#define TSC_SUPPORT_SOURCEORIGINS_H

#include "tsc/Support/Source.h"

namespace tsc {

/// Tells where the parts of one printed text came from, for as long as it lives.
class SourceOrigins {
public:
  SourceOrigins() = default;
  SourceOrigins(const SourceOrigins &) = delete;
  virtual ~SourceOrigins();
  /// Makes originOf() ask this object about ranges of `buffer`, which outlives it.
  void attachTo(const SourceBuffer &buffer);
  /// Returns the author's text that led to what stands at `offset`; invalid where nothing is known. Safe to call from
  /// many threads.
  virtual SourceRange find(uint32_t offset) const = 0;

private:
  const SourceBuffer *attached = nullptr;
};

/// Returns the author's text that a range of printed text came from; invalid where that is not known.
SourceRange originOf(SourceRange range);
/// Returns originOf(range), or the range itself where that is not known.
inline SourceRange originOrSelf(SourceRange range) {
  SourceRange origin = originOf(range);
  return origin.isValid() ? origin : range;
}
/// Whether a text was printed from graphs, as a SourceOrigins attached to it says.
bool isPrinted(const SourceBuffer &buffer);

} // namespace tsc

#endif
