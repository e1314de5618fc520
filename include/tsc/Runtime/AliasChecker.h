//===- AliasChecker.h - Alias analysis against what happens -----*- C++ -*-===//
#ifndef TSC_RUNTIME_ALIASCHECKER_H
#define TSC_RUNTIME_ALIASCHECKER_H

#include "tsc/Support/Status.h"
#include <memory>

namespace tsc {

class Context;
class Graph;

/// Checks alias analysis while programs run: it inserts nodes into graphs that report what every value is and what
/// every node changed. A run fails with Internal where two values share a storage, list, dict or object although the
/// analysis said that they cannot, or where a node changed memory that it was not said to write. A wrong schema of an
/// operator shows in the same way.
///
/// Ownership: keeps the analyses of the graphs, which must outlive it. While a call runs, it holds all values that it
///            has seen, so that no address is used twice.
/// Threads:   programs that it observes run in one thread.
/// Cost:      a run takes many times as long. A call with very many values is observed up to a limit.
class AliasChecker {
public:
  explicit AliasChecker(Context &context);
  ~AliasChecker();
  /// Inserts the checks into a graph. Call it after all passes, before the graph is compiled to Code.
  Status instrument(Graph &graph);

private:
  class Observer;
  std::unique_ptr<Observer> observer;
};

} // namespace tsc

#endif
