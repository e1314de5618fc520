//===- TranslationValidator.h - Runs graphs to compare them -----*- C++ -*-===//
//
// Random inputs of the graph's types, tried until it runs; then results, what
// became of the inputs, what shares memory with what, printed text, grad mode and
// the random generator must be the same after each pass. Random operators draw from
// the same seed.
//
//===----------------------------------------------------------------------===//
#ifndef TSC_RUNTIME_TRANSLATIONVALIDATOR_H
#define TSC_RUNTIME_TRANSLATIONVALIDATOR_H

#include "tsc/IR/IValue.h"
#include "tsc/Transforms/GraphValidator.h"
#include <memory>

namespace tsc {

class Context;

/// Validates the passes over one graph at a time.
///
/// Cost:   `runs` runs of the graph for each comparison; at most a few hundred more to find inputs that it takes.
/// Limits: each run has a quota of steps; a graph that needs classes or operators nobody defined is not run. An opaque
///         class whose attributes alone are used is run on a stand-in object with attributes of the types they are read
///         as.
class TranslationValidator final : public GraphValidator {
public:
  TranslationValidator(Context &context, unsigned runs, uint64_t seed = 0);
  /// Also compares runs in which operators fail. For pipelines that keep what may raise; a pass on its own may erase
  /// it. Graphs come without operators that they do not use (eraseUnusedOperators).
  void compareErrors();
  ~TranslationValidator() override;
  /// Lets graphs that take objects have copies of this one and of those in it, each where its class is asked for.
  void useObjects(const IValue &object);
  ValidationResult begin(const Graph &graph) override;
  ValidationResult compare(const Graph &graph) override;

private:
  struct Impl;
  std::unique_ptr<Impl> impl;
};

} // namespace tsc

#endif
