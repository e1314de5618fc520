//===- GradientNode.h - One operator on a tape ------------------*- C++ -*-===//
#ifndef TSC_LIB_RUNTIME_TAPE_GRADIENTNODE_H
#define TSC_LIB_RUNTIME_TAPE_GRADIENTNODE_H

#include "tsc/Autodiff/Derivatives.h"
#include "tsc/IR/IValue.h"
#include "tsc/Tensor/DeviceCopy.h"
#include "tsc/Tensor/TensorHistory.h"
#include "llvm/ADT/SmallBitVector.h"
#include "llvm/ADT/SmallVector.h"
#include <memory>
#include <mutex>

namespace tsc {

class GradientListener;
class HostDerivative;
class TapedCode;

class GradientNode;

/// Where a gradient goes: to a result of a node. No node: nobody wants it.
struct GradientEdge {
  Ref<GradientNode> node;
  unsigned result = 0;
};

/// What a gradient has to look like: an operand may have been broadcast or promoted.
struct GradientShape {
  Dims sizes;
  DType dtype = DType::Float;
  const DeviceMemory *memory = &DeviceMemory::cpu();
  /// Returns the shape of gradients of this tensor.
  static GradientShape of(const Tensor &tensor) {
    const Storage *storage = tensor.get()->storage.get();
    return {Dims(tensor.sizes()), tensor.dtype(), storage ? &memoryOf(*storage) : &DeviceMemory::cpu()};
  }
};

/// A tensor that a derivative reads.
struct CapturedTensor {
  Tensor tensor; ///< Shares the memory of what was captured, and has no history.
  GradientEdge history;
  uint32_t version = 0; ///< The version of its memory when it was captured.
  bool requiresGrad = false;
  bool isOnlyMeasured = false; ///< Whatever is written to it does not matter.
  bool isOwnResult = false;    ///< Its history is the node that captured it, which does not own itself.
};

/// The place of a gradient that backward() adds up for a tensor.
///
/// Threads: gradients may arrive in one thread while others add theirs, read the sum, or drop the tensor. The lock is
/// never held while an operator runs or a tensor is released.
class GradientSlot {
public:
  Tensor get() const;
  /// Replaces the gradient; an undefined one takes it away.
  void set(Tensor gradient);
  /// Takes the gradient out, so that more can be added to it; none where nobody can read it any more.
  std::optional<Tensor> take();
  /// Puts a sum where it was taken from, and returns an undefined tensor. Where another thread has put one there
  /// meanwhile, takes that out instead, to be added to `sum`, which stays as it is.
  Tensor put(Tensor &sum);
  /// The tensor is gone: no gradient of it is kept from now on.
  void forget();
  /// Lets backward() tell `listener` when the gradient is complete, by the number `leaf`.
  void listen(std::weak_ptr<GradientListener> listener, size_t leaf);
  /// Returns who is told, and by which number; null where there is nobody.
  std::pair<std::shared_ptr<GradientListener>, size_t> listener() const;

private:
  mutable std::mutex mutex;
  std::weak_ptr<GradientListener> heardBy;
  size_t heardAs = 0;
  Tensor gradient;
  bool isForgotten = false;
};

/// The gradient of a result that was asked to retain it. The node that makes the gradient and the tensor's history
/// share it.
class RetainedGradient final : public RefCounted {
public:
  GradientSlot gradient;
};

/// An operator that ran, a graph of such, or a leaf (no derivative, no edges).
class GradientNode final : public RefCounted {
public:
  /// What the node stands for.
  enum class Kind : uint8_t {
    Leaf,
    Operator,
    Constant, ///< What was written over with something that requires no gradient.
    Unknown,  ///< An operator without a derivative.
  };
  Kind kind = Kind::Leaf;
  OpKind op = OpKind::Unknown;
  std::string name;   ///< The name of an operator without a record, or of a host's.
  uint64_t order = 0; ///< Greater than those of the nodes its edges lead to, and of those its tape made before.
  const Derivative *derivative = nullptr;
  std::shared_ptr<TapedCode> graph;     ///< A graph as one operator, in place of a derivative.
  std::shared_ptr<HostDerivative> host; ///< What a host computed, in place of a derivative.
  /// Guards what gradients release when they go through the node, in any thread: `released`, `captured`, `tensors` and
  /// `isReleased`. Whoever has just made the node, and has shown it to nobody, need not take it.
  mutable std::mutex releasing;
  llvm::SmallBitVector released; ///< Operators of the graph that gradients have gone through.
  /// One for each capture of the derivative but gradients, or for each tensor that the graph keeps: a value, or the
  /// number of a tensor in `tensors`. A host's operation has none: it saves `tensors` alone.
  struct Captured {
    IValue value;
    int first = -1;     ///< The first of its tensors in `tensors`; -1: it is `value`.
    unsigned count = 0; ///< How many: a list has several.
    bool isList = false;
  };
  std::vector<Captured> captured;
  std::vector<CapturedTensor> tensors;
  bool isReleased = false;
  /// An operand that the derivative has a gradient for, in its order: one edge, or one for each tensor of a list.
  struct Operand {
    llvm::SmallVector<GradientEdge, 1> edges;
    llvm::SmallVector<GradientShape, 1> shapes;
    bool isList = false;
  };
  llvm::SmallVector<Operand, 2> operands;
  /// What gradients of the results look like; a list is several in a row.
  llvm::SmallVector<GradientShape, 1> results;
  llvm::SmallVector<int, 1> listLengths;  ///< How many tensors each result has as a list; -1: it is a tensor.
  std::unique_ptr<GradientSlot> gradient; ///< A leaf's gradient; null for others.
  /// The strides of a leaf that is dense in another order of dimensions than a contiguous tensor; none for others.
  std::unique_ptr<Dims> leafStrides;
  /// Retained gradients, with the number of the result that each belongs to.
  llvm::SmallVector<std::pair<unsigned, Ref<RetainedGradient>>, 0> retained;

  ~GradientNode() override;
  /// Whether the derivative reads elements that were captured, so that these are kept for one time. Under the lock.
  bool readsElements() const;
  /// Drops what was captured. Takes the lock.
  void dropCaptures();
};

/// TensorImpl::history.
class History final : public TensorHistory {
public:
  GradientEdge made; ///< The node that made the tensor, or its leaf.
  Tensor base;       ///< The tensor whose memory a view shares, which is no view; undefined for others.
  /// How often a write gave a base, or a view of it, another history; for a view, the base's number when it was made.
  uint32_t rewrites = 0;
  Ref<RetainedGradient> retained; ///< None: the gradient of the tensor is not retained.
  Tensor assigned;                ///< What a program assigned to `.grad` of a tensor that is no leaf and retains none.
  /// Whether a host's operation gave the tensor, which shares memory with an operand: what is written to it would not
  /// go through the derivative of the host.
  bool isOfHostsView = false;
  /// Whether the tensor is the leaf `made`, whose gradient can be read by this tensor alone.
  bool isOfLeaf = false;
  /// Which operator the tensor's text names, where that is not the node's: one that ran as its definition, or that
  /// wrote to the tensor or to a part of it.
  OpKind madeBy = OpKind::Unknown;
  /// Whether the tensor was last written to, and then as a whole or in part.
  enum class Write : uint8_t { None, Whole, Part } write = Write::None;

  ~History() override;
  /// Goes on with another node, which makes the retained gradient from now on.
  void setMade(GradientEdge edge);
  Tensor gradient() const override;
  bool isLeaf(const Tensor &tensor) const override;
  bool retainsGradient() const override { return static_cast<bool>(retained); }
  void setGradient(Tensor gradient);
  /// What `before`, an earlier history of the same tensor, retains is retained here, and its gradient stays.
  void takeGradient(History *before);
  std::optional<std::string> nodeName(const Tensor &tensor) const override;
};

/// Returns the place of a leaf's gradient, which is made where there is none yet; null for a tensor that is no leaf.
GradientSlot *slotOfLeaf(const Tensor &tensor);

inline History *historyOf(const Tensor &tensor) {
  return static_cast<History *>(sharedHistory(tensor).load(std::memory_order_acquire));
}

} // namespace tsc

#endif
