//===- GradientServices.cpp - Gradients that programs assign and await ----===//
#include "GradientServices.h"
#include "GradientNode.h"
#include "tsc/Runtime/Tape/GradientListeners.h"
#include "tsc/Runtime/Tape/Tape.h"

using namespace tsc;

void TapeServices::setGradient(const Tensor &tensor, const Tensor &gradient) { Tape::setGradient(tensor, gradient); }

Status TapeServices::listen(llvm::ArrayRef<Tensor> leaves, const std::shared_ptr<GradientListener> &listener) {
  for (const Tensor &leaf : leaves)
    if (leaf.requiresGrad() && !Tape::isLeaf(leaf))
      return invalidArgument("gradients are awaited for leaves, and an operator has computed one of these tensors");
  for (size_t i = 0; i != leaves.size(); ++i)
    if (leaves[i].requiresGrad())
      if (GradientSlot *slot = slotOfLeaf(leaves[i]))
        slot->listen(listener, i);
  isHeard.store(true, std::memory_order_release);
  return okStatus();
}

void tsc::installGradientServices(Context &context) { installServices(context, context.extension<TapeServices>()); }

bool tsc::haveSeveralListeners(llvm::ArrayRef<IValue> values) {
  if (!TapeServices::hasListeners())
    return false;
  std::shared_ptr<GradientListener> first;
  for (const IValue &value : values) {
    if (!value.isTensor() || !value.asTensor().defined() || !value.asTensor().requiresGrad())
      continue;
    const History *history = historyOf(value.asTensor());
    if (!history || !history->isOfLeaf)
      continue;
    std::shared_ptr<GradientListener> listener = history->made.node->gradient->listener().first;
    if (listener && first && listener != first)
      return true;
    if (listener)
      first = std::move(listener);
  }
  return false;
}
