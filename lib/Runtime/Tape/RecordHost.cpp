//===- RecordHost.cpp - What a host has computed as a node of a tape ------===//
#include "TapeImpl.h"
#include "tsc/Runtime/Dispatch/RequiresGrad.h"
#include "llvm/ADT/STLExtras.h"
using namespace tsc;

/// Fails where an operand that was written to cannot get another history.
static Status checkWritten(const Tensor &operand) {
  const History *history = historyOf(operand);
  const bool isView = history && history->base.defined();
  if (operand.requiresGrad() && Tape::isLeaf(isView ? history->base : operand))
    return isView ? leafIsWritten(isView)
                  : invalidArgument("a leaf Variable that requires grad has been used in an in-place operation.");
  if (isView)
    return unimplemented("a function of the host's that writes to a view: clone it before");
  return okStatus();
}

/// Returns what a node keeps of a tensor. `result` is its number among the node's results, or -1 for others.
static CapturedTensor keep(const Tensor &tensor, int result, GradientEdge history) {
  CapturedTensor one;
  if (!tensor.defined())
    return one;
  one.tensor = Tape::detached(tensor);
  one.version = tensor.get()->storage->version.load(std::memory_order_relaxed);
  one.isOwnResult = result >= 0;
  one.requiresGrad = one.isOwnResult ? isDifferentiable(tensor) : tensor.requiresGrad();
  if (one.isOwnResult)
    one.history.result = static_cast<unsigned>(result);
  else
    one.history = std::move(history);
  return one;
}

Status Tape::Impl::recordHost(CallContext &call, HostOperation operation) {
  if (!call.gradMode || llvm::none_of(operation.operands, [](const Tensor &tensor) {
        return isDifferentiable(tensor) && tensor.requiresGrad();
      }))
    return okStatus();
  auto isSame = [](const Tensor &tensor) {
    return [&tensor](const Tensor &other) { return tensor.defined() && other.defined() && other.isSameAs(tensor); };
  };
  for (const Tensor &result : operation.results)
    if (llvm::any_of(operation.operands, isSame(result)))
      TSC_RETURN_IF_ERROR(checkWritten(result));
  auto node = makeRef<GradientNode>();
  node->kind = GradientNode::Kind::Operator;
  node->name = std::move(operation.name);
  node->host = std::move(operation.derivative);
  uint64_t order = 0;
  for (const Tensor &tensor : operation.operands) {
    GradientNode::Operand operand;
    operand.edges.push_back(tensor.defined() ? edgeOf(call, tensor) : GradientEdge());
    if (operand.edges.back().node)
      order = std::max(order, operand.edges.back().node->order + 1);
    operand.shapes.push_back(tensor.defined() ? GradientShape::of(tensor) : GradientShape());
    node->operands.push_back(std::move(operand));
  }
  node->order = lastOrder = std::max(order, lastOrder + 1);
  for (const Tensor &tensor : operation.saved) {
    const auto found = llvm::find_if(operation.results, isSame(tensor));
    const int result = found == operation.results.end() ? -1 : static_cast<int>(found - operation.results.begin());
    node->tensors.push_back(
        keep(tensor, result, result < 0 && tensor.defined() ? edgeOf(call, tensor) : GradientEdge()));
  }
  for (auto [i, tensor] : llvm::enumerate(operation.results)) {
    node->listLengths.push_back(-1);
    node->results.push_back(tensor.defined() ? GradientShape::of(tensor) : GradientShape());
    if (!isDifferentiable(tensor))
      continue;
    auto history = makeRef<History>();
    history->made = {node, static_cast<unsigned>(i)};
    const History *before = historyOf(tensor);
    const bool isWritten = llvm::any_of(operation.operands, isSame(tensor));
    history->rewrites = before ? before->rewrites + isWritten : 0;
    history->isOfHostsView = !isWritten && ((before && before->base.defined()) ||
                                            llvm::any_of(operation.operands, [&](const Tensor &operand) {
                                              return operand.defined() && operand.sharesStorageWith(tensor);
                                            }));
    if (isWritten)
      history->takeGradient(historyOf(tensor));
    tensor.get()->history = Ref<RefCounted>(std::move(history));
    tensor.get()->requiresGrad = true;
  }
  return okStatus();
}

Status Tape::recordHost(CallContext &call, HostOperation operation) {
  return impl->recordHost(call, std::move(operation));
}
