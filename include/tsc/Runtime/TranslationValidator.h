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

/// Validates passes over one graph at a time: it runs the graph on random inputs before and after each pass and
/// compares what the runs do.
///
/// Cost:   `runs` runs of the graph for each comparison, and up to 750 to find inputs that the graph takes.
/// Limits: each run has a quota of steps. A graph that needs undefined classes or operators is not run, except that a
///         stand-in object is made where only attributes of an undefined class are used, with attributes of the types
///         that they are read as.
class TranslationValidator final : public GraphValidator {
public:
  /// Validates on up to `runs` random inputs, which `seed` determines.
  TranslationValidator(Context &context, unsigned runs, uint64_t seed = 0);
  /// Lets it also compare runs in which operators fail. For pipelines that keep nodes that may raise (a single pass may
  /// erase them), on graphs without unused operators (eraseUnusedOperators).
  void compareErrors();
  ~TranslationValidator() override;
  /// Lets graphs whose inputs are objects run on copies of `object` and of the objects in it, by their classes.
  void useObjects(const IValue &object);
  /// Looks for inputs on which the graph runs, and keeps what the runs did. Incomparable where it finds none.
  ValidationResult begin(const Graph &graph) override;
  /// Runs the changed graph on the same inputs. Different where a run does something else than before.
  ValidationResult compare(const Graph &graph) override;

private:
  struct Impl;
  std::unique_ptr<Impl> impl;
};

} // namespace tsc

#endif
