//===- graph_executor.h - Switches of LibTorch's executor ----- -*- C++ -*-===//
#ifndef TSC_TORCH_CSRC_JIT_RUNTIME_GRAPH_EXECUTOR_H
#define TSC_TORCH_CSRC_JIT_RUNTIME_GRAPH_EXECUTOR_H
#include <atomic>
#include <cstddef>
#include <torch/csrc/jit/api/module.h>

namespace torch {
namespace jit {
inline namespace tsc_torch {

/// These are kept, and change no result: a program runs alike at every level of optimization, and on its first call as
/// on later ones.
inline std::atomic<bool> &getProfilingMode() {
  static std::atomic<bool> mode{true};
  return mode;
}
/// Returns LibTorch's switch of its profiling executor, which changes no result.
inline std::atomic<bool> &getExecutorMode() {
  static std::atomic<bool> mode{true};
  return mode;
}
/// Returns how many calls LibTorch would profile, which changes no result.
inline std::atomic<size_t> &getNumProfiledRuns() {
  static std::atomic<size_t> runs{1};
  return runs;
}
/// Returns how often LibTorch would specialize code anew, which changes no result.
inline std::atomic<size_t> &getBailoutDepth() {
  static std::atomic<size_t> depth{1};
  return depth;
}
/// Returns what setGraphExecutorOptimize() sets. It changes no result.
inline std::atomic<bool> &tsc_graph_optimizer() {
  static std::atomic<bool> enabled{true};
  return enabled;
}
inline void setGraphExecutorOptimize(bool enabled) { tsc_graph_optimizer() = enabled; }
inline bool getGraphExecutorOptimize() { return tsc_graph_optimizer(); }
/// Sets the switch until it goes.
struct GraphOptimizerEnabledGuard {
  explicit GraphOptimizerEnabledGuard(bool enabled) : before(getGraphExecutorOptimize()) {
    setGraphExecutorOptimize(enabled);
  }
  GraphOptimizerEnabledGuard(const GraphOptimizerEnabledGuard &) = delete;
  GraphOptimizerEnabledGuard &operator=(const GraphOptimizerEnabledGuard &) = delete;
  ~GraphOptimizerEnabledGuard() { setGraphExecutorOptimize(before); }

private:
  bool before;
};

} // namespace tsc_torch
} // namespace jit
} // namespace torch

#endif
