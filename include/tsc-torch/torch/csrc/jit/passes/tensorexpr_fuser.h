//===- tensorexpr_fuser.h - Switches of LibTorch's fusers ----- -*- C++ -*-===//
#ifndef TSC_TORCH_CSRC_JIT_PASSES_TENSOREXPR_FUSER_H
#define TSC_TORCH_CSRC_JIT_PASSES_TENSOREXPR_FUSER_H
#include <atomic>
#include <c10/macros/Macros.h>

namespace torch {
namespace jit {
inline namespace tsc_torch {

/// These are kept, and change no result.
inline std::atomic<bool> &tsc_fuser_switch(int which) {
  static std::atomic<bool> switches[6];
  return switches[which];
}
inline void setTensorExprFuserEnabled(bool enabled) { tsc_fuser_switch(0) = enabled; }
inline bool tensorExprFuserEnabled() { return tsc_fuser_switch(0); }
inline bool setTexprReductionsEnabled(bool enabled) { return tsc_fuser_switch(1).exchange(enabled); }
inline bool texprReductionsEnabled() { return tsc_fuser_switch(1); }
inline bool setTensorExprDynamicShapeFusionEnabled(bool enabled) { return tsc_fuser_switch(2).exchange(enabled); }
inline bool tensorExprDynamicShapeFusionEnabled() { return tsc_fuser_switch(2); }
inline void overrideCanFuseOnCPU(bool enabled) { tsc_fuser_switch(3) = enabled; }
inline bool canFuseOnCPU() { return tsc_fuser_switch(3); }
inline void overrideCanFuseOnGPU(bool enabled) { tsc_fuser_switch(4) = enabled; }
inline bool canFuseOnGPU() { return tsc_fuser_switch(4); }
inline void overrideMustUseLLVMOnCPU(bool enabled) { tsc_fuser_switch(5) = enabled; }

} // namespace tsc_torch
namespace tensorexpr {
inline namespace tsc_torch {
/// Returns a switch of LibTorch's, which is kept and changes no result.
inline bool &getTEMustUseLLVMOnCPU() {
  static bool must = true;
  return must;
}
} // namespace tsc_torch
} // namespace tensorexpr
} // namespace jit
} // namespace torch

#endif
