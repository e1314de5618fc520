//===- GraphValidator.h - Whether a pass kept the meaning -------*- C++ -*-===//
//
// Translation validation runs a graph before and after a pass. Running needs the
// interpreter, which stands above Transforms; Runtime implements this interface
// and the tool hands it in.
//
//===----------------------------------------------------------------------===//
#ifndef TSC_TRANSFORMS_GRAPHVALIDATOR_H
#define TSC_TRANSFORMS_GRAPHVALIDATOR_H

#include <string>

namespace tsc {

class Graph;

/// What a comparison found; `text` says why, or where the difference shows.
struct ValidationResult {
  enum class Verdict {
    Same,         ///< Equal in every run.
    Different,    ///< The graph computes something else now.
    Incomparable, ///< It cannot be run, or takes or gives values of other types than before.
  };
  Verdict verdict = Verdict::Same;
  std::string text;
};

class GraphValidator {
public:
  virtual ~GraphValidator() = default;
  /// Chooses inputs, runs the graph on them and keeps what it did. Same, or Incomparable when it does not run.
  virtual ValidationResult begin(const Graph &graph) = 0;
  /// Runs the graph as it is now on the same inputs and compares with what begin() kept.
  virtual ValidationResult compare(const Graph &graph) = 0;
};

} // namespace tsc

#endif
