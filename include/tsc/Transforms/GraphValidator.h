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

/// The outcome of a comparison; `text` says why graphs are incomparable, or where the difference shows.
struct ValidationResult {
  /// The verdict on the graphs.
  enum class Verdict {
    Same,         ///< The graphs did the same in every run.
    Different,    ///< The graph computes something else than before.
    Incomparable, ///< The graph cannot be run, or takes or gives values of other types than before.
  };
  Verdict verdict = Verdict::Same;
  std::string text;
};

/// Compares what a graph does before and after a pass.
class GraphValidator {
public:
  virtual ~GraphValidator() = default;
  /// Chooses inputs, runs the graph on them and remembers what it did. Returns Same, or Incomparable when the graph
  /// cannot be run.
  virtual ValidationResult begin(const Graph &graph) = 0;
  /// Runs the graph as it is now on the same inputs, and compares what it does with what begin() remembered.
  virtual ValidationResult compare(const Graph &graph) = 0;
};

} // namespace tsc

#endif
