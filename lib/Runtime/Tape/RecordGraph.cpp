//===- RecordGraph.cpp - Graphs as one node of a tape ---------------------===//
#include "TapeImpl.h"
#include "tsc/Runtime/Tape/TapedCode.h"
#include "llvm/ADT/STLExtras.h"
using namespace tsc;

void Tape::Impl::recordGraph(CallContext &call, const std::shared_ptr<TapedCode> &code, llvm::ArrayRef<IValue> args,
                             llvm::ArrayRef<IValue> results) {
  const TapedGraph &graph = code->graph();
  auto node = makeRef<GradientNode>();
  node->kind = GradientNode::Kind::Operator;
  node->graph = code;
  node->released.resize(code->operators().size());
  uint64_t order = 0;
  for (unsigned input : graph.operands()) {
    const Tensor &tensor = args[input].asTensor();
    GradientNode::Operand operand;
    operand.edges.push_back(edgeOf(call, tensor));
    if (operand.edges.back().node)
      order = std::max(order, operand.edges.back().node->order + 1);
    operand.shapes.push_back(GradientShape::of(tensor));
    node->operands.push_back(std::move(operand));
  }
  node->order = lastOrder = std::max(order, lastOrder + 1);
  for (const TapedGraph::Source &source : code->kept()) {
    const IValue &value = source.kind == TapedGraph::Source::Input ? args[source.index] : results[source.index];
    GradientNode::Captured captured;
    if (value.isTensor() && value.asTensor().defined()) {
      CapturedTensor one;
      one.tensor = Tape::detached(value.asTensor());
      one.version = value.asTensor().get()->storage->version.load(std::memory_order_relaxed);
      captured.first = static_cast<int>(node->tensors.size());
      captured.count = 1;
      node->tensors.push_back(std::move(one));
    } else {
      captured.value = value;
    }
    node->captured.push_back(std::move(captured));
  }
  for (unsigned i = 0; i != graph.numResults(); ++i) {
    const Tensor tensor = results[i].isTensor() ? results[i].asTensor() : Tensor();
    node->listLengths.push_back(-1);
    node->results.push_back(tensor.defined() ? GradientShape::of(tensor) : GradientShape());
    if (!tensor.defined() || !graph.tracked().test(i))
      continue;
    auto history = makeRef<History>();
    history->made = {node, i};
    tensor.get()->history = Ref<RefCounted>(std::move(history));
    tensor.get()->requiresGrad = true;
  }
}

void Tape::recordGraph(CallContext &call, const std::shared_ptr<TapedCode> &code, llvm::ArrayRef<IValue> args,
                       llvm::ArrayRef<IValue> results) {
  impl->recordGraph(call, code, args, results);
}
