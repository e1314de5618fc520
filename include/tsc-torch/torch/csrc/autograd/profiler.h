//===- profiler.h - Profiles of LibTorch's kind --------------- -*- C++ -*-===//
#ifndef TSC_TORCH_CSRC_AUTOGRAD_PROFILER_H
#define TSC_TORCH_CSRC_AUTOGRAD_PROFILER_H
#include <c10/util/Exception.h>
#include <fstream>
#include <memory>
#include <set>
#include <string>
#include <unordered_set>

namespace torch {
namespace profiler {
namespace impl {
inline namespace tsc_torch {

enum class ActivityType { CPU = 0, XPU, CUDA, HPU, MTIA, PrivateUse1, NUM_KINETO_ACTIVITIES };
enum class ProfilerState {
  Disabled = 0,
  CPU,
  CUDA,
  NVTX,
  ITT,
  PRIVATEUSE1,
  KINETO,
  KINETO_GPU_FALLBACK,
  KINETO_PRIVATEUSE1_FALLBACK,
  KINETO_ONDEMAND,
  NUM_PROFILER_STATES
};
struct ExperimentalConfig {};
/// What a profile is to have. It is accepted, and nothing is recorded.
struct ProfilerConfig {
  explicit ProfilerConfig(ProfilerState state, bool report_input_shapes = false, bool profile_memory = false,
                          bool with_stack = false, bool with_flops = false, bool with_modules = false,
                          ExperimentalConfig = ExperimentalConfig(), const std::string & = "")
      : state(state), report_input_shapes(report_input_shapes), profile_memory(profile_memory), with_stack(with_stack),
        with_flops(with_flops), with_modules(with_modules) {}
  ProfilerState state;
  bool report_input_shapes, profile_memory, with_stack, with_flops, with_modules;
};

} // namespace tsc_torch
} // namespace impl
} // namespace profiler

namespace autograd {
namespace profiler {
inline namespace tsc_torch {

using torch::profiler::impl::ActivityType;
using torch::profiler::impl::ProfilerConfig;
using torch::profiler::impl::ProfilerState;

/// A profile without events.
struct ProfilerResult {
  /// Writes a trace that has none.
  void save(const std::string &path) {
    std::ofstream out(path);
    out << "{\"traceEvents\": []}\n";
    TORCH_CHECK(out, "cannot write ", path);
  }
};
inline void prepareProfiler(const ProfilerConfig &, const std::set<ActivityType> &) {}
inline void enableProfiler(const ProfilerConfig &, const std::set<ActivityType> &) {}
inline std::unique_ptr<ProfilerResult> disableProfiler() { return std::unique_ptr<ProfilerResult>(new ProfilerResult); }
/// Names a part of the host's work; without effect.
struct RecordProfile {
  explicit RecordProfile(const std::string &) {}
};

} // namespace tsc_torch
} // namespace profiler
} // namespace autograd
} // namespace torch

#endif
