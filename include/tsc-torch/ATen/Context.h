//===- Context.h - Settings of the process -------------------- -*- C++ -*-===//
#ifndef TSC_TORCH_ATEN_CONTEXT_H
#define TSC_TORCH_ATEN_CONTEXT_H
#include <ATen/Functions.h>
#include <ATen/Parallel.h>
#include <torch/csrc/api/include/torch/cuda.h>

namespace at {
inline namespace tsc_torch {

/// Settings of LibTorch's backends. They are kept, and change no result here.
class Context {
public:
  bool hasCUDA() const { return torch::cuda::is_available(); }
  bool hasMKL() const { return false; }
  bool hasMKLDNN() const { return false; }
  bool hasLAPACK() const { return true; }
  bool hasOpenMP() const { return false; }
  bool hasMPS() const { return false; }
  bool hasXPU() const { return false; }
  bool hasHIP() const { return false; }
#define TSC_TORCH_SETTING(SET, GET, TYPE, INITIAL)                                                                     \
  void SET(TYPE value) { value##GET = value; }                                                                         \
  TYPE GET() const { return value##GET; }                                                                              \
                                                                                                                       \
private:                                                                                                               \
  TYPE value##GET = INITIAL;                                                                                           \
                                                                                                                       \
public:
  TSC_TORCH_SETTING(setUserEnabledCuDNN, userEnabledCuDNN, bool, true)
  TSC_TORCH_SETTING(setUserEnabledMkldnn, userEnabledMkldnn, bool, true)
  TSC_TORCH_SETTING(setBenchmarkCuDNN, benchmarkCuDNN, bool, false)
  TSC_TORCH_SETTING(setDeterministicCuDNN, deterministicCuDNN, bool, false)
  TSC_TORCH_SETTING(setAllowTF32CuDNN, allowTF32CuDNN, bool, true)
  TSC_TORCH_SETTING(setAllowTF32CuBLAS, allowTF32CuBLAS, bool, false)
  TSC_TORCH_SETTING(setAllowFP16ReductionCuBLAS, allowFP16ReductionCuBLAS, bool, true)
  TSC_TORCH_SETTING(setAllowBF16ReductionCuBLAS, allowBF16ReductionCuBLAS, bool, true)
#undef TSC_TORCH_SETTING
  void setDeterministicAlgorithms(bool enabled, bool = false) { deterministic = enabled; }
  bool deterministicAlgorithms() const { return deterministic; }
  void setFloat32MatmulPrecision(const std::string &) {}
  bool setFlushDenormal(bool enabled) { return !enabled; }
  void lazyInitCUDA() {}

private:
  bool deterministic = false;
};
/// Returns the settings of the process. No lock guards them.
inline Context &globalContext() {
  static Context context;
  return context;
}
inline bool hasCUDA() { return globalContext().hasCUDA(); }
inline bool hasMKL() { return false; }
inline bool hasMPS() { return false; }
/// Begins the random numbers of the calling thread anew.
inline void manual_seed(uint64_t seed) { tsc_set_seed(seed); }

} // namespace tsc_torch
} // namespace at

#endif
