//===- GradientReduction.h - Sums over ranks, beside backward ---*- C++ -*-===//
#ifndef TSC_LIB_RUNTIME_DISPATCH_OPS_GRADIENTREDUCTION_H
#define TSC_LIB_RUNTIME_DISPATCH_OPS_GRADIENTREDUCTION_H

#include "Exchanged.h"
#include "tsc/Runtime/Dispatch/Collectives.h"
#include "tsc/Runtime/Dispatch/OperatorServices.h"
#include "llvm/ADT/SmallBitVector.h"
#include <optional>

namespace tsc {

/// An all_reduce of the gradients of some leaves, one behind the other in one tensor, which begins as soon as
/// backward() has completed all of them, and as the reductions before it have begun. So all ranks begin theirs in one
/// order, in whatever order gradients come.
///
/// Threads: one thread goes backward and waits at a time.
class GradientReduction final : public GradientListener {
public:
  /// What is to be reduced.
  struct Request {
    std::string reduceOp, group;
    std::vector<Tensor> leaves;
    /// Tensors like `total` that are added to the gradients first: earlier[0] + (earlier[1] + (… + gradients)).
    std::vector<Tensor> earlier;
    Tensor total;                              ///< Gets the gradients, and then the result: one dimension, contiguous.
    std::shared_ptr<GradientReduction> before; ///< What has to begin first; null where there is none.
  };
  /// Waits for the gradients. InvalidArgument: the tensors do not fit each other.
  static StatusOr<std::shared_ptr<GradientReduction>> make(CallContext &context, std::shared_ptr<Collectives> ranks,
                                                           Request request);
  Status complete(CallContext &context, size_t leaf, const Tensor &gradient) override;
  /// Begins, if it has not: a leaf whose gradient has not come counts as one with a gradient of zeros. Returns the
  /// number of the exchange.
  StatusOr<int64_t> begin(CallContext &context);
  /// Gives the device of `total` the result, when the exchange is over, where ranks exchanged a copy.
  Status deliver() const { return exchanged->deliver(); }
  /// Returns the number of the exchange if it has begun.
  std::optional<int64_t> exchange() const { return work; }

private:
  GradientReduction(std::shared_ptr<Collectives> ranks, Request request);
  StatusOr<Tensor> partOf(size_t leaf) const;
  Status start(CallContext &context);

  const std::shared_ptr<Collectives> ranks;
  Request request;
  llvm::SmallVector<int64_t> begins; ///< Where the part of each leaf begins.
  llvm::SmallBitVector missing;      ///< The leaves whose gradients have not come.
  std::weak_ptr<GradientReduction> next;
  std::optional<int64_t> work;
  std::shared_ptr<Exchanged> exchanged; ///< What the exchange reads and writes: `total`, or a copy of it.
};

} // namespace tsc

#endif
