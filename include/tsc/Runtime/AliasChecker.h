//===- AliasChecker.h - Alias analysis against what happens -----*- C++ -*-===//
#ifndef TSC_RUNTIME_ALIASCHECKER_H
#define TSC_RUNTIME_ALIASCHECKER_H

#include "tsc/Support/Status.h"
#include <memory>

namespace tsc {

class Context;
class Graph;

/// Lets programs check alias analysis while they run: graphs get nodes that report what every value is and what every
/// node changed. A run fails with Internal when two values share a storage, list, dict or object although the analysis
/// said they cannot, or when a node changed what it was not said to write; so do operators whose schema keeps silent
/// about either.
///
/// Ownership: keeps the analyses of the graphs, which must outlive it; holds what values referred to while a call runs,
///            so that no address is used twice.
/// Threads:   programs that it observes run in one thread.
/// Cost:      a run takes many times as long. A call with very many values is observed up to a limit.
class AliasChecker {
public:
  explicit AliasChecker(Context &context);
  ~AliasChecker();
  /// The last change to a graph before it is compiled.
  Status instrument(Graph &graph);

private:
  class Observer;
  std::unique_ptr<Observer> observer;
};

} // namespace tsc

#endif
