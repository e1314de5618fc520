//===- Observation.h - What a run of a graph shows to its caller ----------===//
#ifndef TSC_RUNTIME_VALIDATION_OBSERVATION_H
#define TSC_RUNTIME_VALIDATION_OBSERVATION_H

#include "tsc/IR/IValue.h"
#include "tsc/Runtime/Dispatch/CallContext.h"
#include <optional>
#include <string>

namespace tsc {

class Graph;

/// All that the caller of a graph can see of a run.
struct Observation {
  Status status;
  std::vector<IValue> results;
  std::vector<IValue> inputs; ///< The inputs as the run left them.
  std::string printed;
  bool gradMode = true;     ///< The grad mode that the run left.
  uint64_t nextRandom = 0;  ///< What the generator would give next.
  bool wasObserved = false; ///< Whether somebody outside may have seen what the run did before it failed.
  /// The number of the first tensor or container that each one shares memory with, inputs and results in order.
  std::vector<unsigned> sharing;
};

/// Runs the graph on a copy of the inputs, within quotas, drawing random numbers from `seed`.
Observation observe(const Graph &graph, Context &context, const std::vector<IValue> &inputs, uint64_t seed);

/// What of failures is compared.
enum class Failures {
  OfTheProgram, ///< Whether runs fail, and the class of an exception that the program raises.
  All,          ///< The error and what it leaves behind too, if it was raised after an effect: else a call is repeated.
};

/// Returns where the runs differ, in words, or nullopt when a caller cannot tell them apart (up to rounding).
std::optional<std::string> findDifference(const Observation &before, const Observation &after, Failures failures);

} // namespace tsc

#endif
