//===- Placement.cpp - Programs that run on a device ----------------------===//
#include "Placement.h"
#include "tsc/IR/Graph.h"
#include "tsc/IR/Operator.h"
#include "tsc/Runtime/Dispatch/Accelerator.h"
#include "llvm/ADT/STLExtras.h"

using namespace tsc;

/// Such an operator puts its result where that is, unless it is told.
static bool takesTensor(const FunctionSchema &schema) {
  return llvm::any_of(schema.arguments(), [](const Argument &argument) {
    const auto *optional = llvm::dyn_cast<OptionalType>(argument.type);
    return llvm::isa<TensorType>(optional ? optional->element() : argument.type);
  });
}

/// The device, or None, that a value is known to be: a constant, or read of one, `torch.device("cpu")`.
static std::optional<IValue> namedDevice(const Value *value) {
  const Node *node = value->node();
  if (node->record() && node->record()->kind == OpKind::Aten_device && node->numInputs() == 1)
    if (auto text = constantValue(node->input(0)); text && text->isString())
      if (auto device = Device::parse(text->toString()))
        return IValue(*device);
  return constantValue(value);
}

Status tsc::placeBody(Graph &graph, Device device, const DeviceMemory &memory, bool namesCpu) {
  std::vector<std::pair<Node *, unsigned>> found;
  Status status;
  graph.walk([&](Node &node) {
    if (!status.ok())
      return;
    if (node.kind() == prim::fork || node.kind() == prim::awaitable) {
      status = placeBody(*node.get<std::shared_ptr<Graph>>(attr::Subgraph), device, memory, namesCpu);
      return;
    }
    if (node.kind() == prim::Constant) {
      if (auto value = constantValue(node.output()))
        status = placeTensors(*value, memory);
      return;
    }
    const Operator *op = node.op();
    std::optional<unsigned> argument = op ? op->schema().deviceArgument() : std::nullopt;
    if (!argument || *argument >= node.numInputs())
      return;
    auto named = namedDevice(node.input(*argument));
    const bool isUnnamed = named && named->isNone() && !takesTensor(op->schema());
    if (isUnnamed || (namesCpu && named && named->isDevice() && named->toDevice().kind == DeviceKind::CPU))
      found.emplace_back(&node, *argument);
  });
  TSC_RETURN_IF_ERROR(status);
  InsertPointGuard guard(graph);
  for (auto [node, argument] : found) {
    graph.setInsertPoint(node);
    node->setInput(argument, graph.insertConstant(IValue(device), node->range()));
  }
  return okStatus();
}
