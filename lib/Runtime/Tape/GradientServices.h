//===- GradientServices.h - What tapes do for operators ---------*- C++ -*-===//
#ifndef TSC_LIB_RUNTIME_TAPE_GRADIENTSERVICES_H
#define TSC_LIB_RUNTIME_TAPE_GRADIENTSERVICES_H

#include "tsc/IR/Context.h"
#include "tsc/Runtime/Dispatch/OperatorServices.h"
#include <atomic>

namespace tsc {

/// The services of all tapes of a context.
class TapeServices final : public ContextExtension, public GradientServices {
public:
  explicit TapeServices(Context &) {}
  void setGradient(const Tensor &tensor, const Tensor &gradient) override;
  Status listen(llvm::ArrayRef<Tensor> leaves, const std::shared_ptr<GradientListener> &listener) override;
  /// Whether some leaf of this process had a listener at some time. Where none had, calls need not look for one.
  static bool hasListeners() { return isHeard.load(std::memory_order_acquire); }

private:
  static inline std::atomic<bool> isHeard{false};
};

} // namespace tsc

#endif
