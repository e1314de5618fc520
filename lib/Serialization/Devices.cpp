//===- Devices.cpp - Archives of other devices ----------------------------===//
#include "Devices.h"
#include "tsc/IR/Context.h"
#include "tsc/IR/OpFacts.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

using namespace tsc;
using llvm::StringRef;

bool tsc::isPyTorchDevice(StringRef text) {
  static constexpr StringRef names[] = {"cpu", "cuda", "mkldnn", "opengl", "opencl", "ideep", "hip",          "fpga",
                                        "ort", "xla",  "vulkan", "metal",  "xpu",    "mps",   "meta",         "hpu",
                                        "ve",  "lazy", "ipu",    "mtia",   "maia",   "npu",   "privateuseone"};
  auto [name, index] = text.split(':');
  return llvm::is_contained(names, name) && llvm::all_of(index, llvm::isDigit) &&
         (index.empty() ? !text.ends_with(":") : index.size() < 4);
}

/// Whether a device that a graph names is to become the target. `text` may be unknown: a device that is chosen while
/// the program runs.
static bool isRetargeted(std::optional<StringRef> text, Device target) {
  if (!text)
    return target.kind == DeviceKind::CPU;
  StringRef name = text->split(':').first;
  return name != "cpu" && name != "meta" && isPyTorchDevice(*text);
}

/// Whether a node moves a tensor to a device by its name alone, `x.cuda()`.
static bool movesToDevice(const Node &node) {
  const std::optional<DeviceKind> kind = deviceKindOf(node.opKind());
  return kind && *kind != DeviceKind::CPU && node.hasTrait(Trait::MovesDevice);
}

/// Inserts what takes the place of `x.cuda()`; null where that stays.
static Value *insertInPlaceOfMove(Graph &graph, const Node &node, Device target) {
  if (target.kind != DeviceKind::CPU)
    return nullptr;
  return graph.insert(graph.context().symbol("aten::cpu"), {node.input(0)}, {}, node.range());
}

/// Inserts what takes the place of a constant, or of `torch.device(text)`; null where that stays.
static Value *insertInPlaceOfDevice(Graph &graph, const Node &node, Device target) {
  const bool isConstant = node.kind() == prim::Constant;
  std::optional<IValue> named = constantValue(isConstant ? node.output() : node.input(0));
  std::optional<std::string> text;
  if (named && named->isDevice())
    text = named->toDevice().str();
  else if (named && named->isString() && !isConstant)
    text = named->toString();
  if (isConstant && !text)
    return nullptr;
  const bool changes = isRetargeted(text ? std::optional<StringRef>(*text) : std::nullopt, target);
  return changes ? graph.insertConstant(IValue(target), node.range()) : nullptr;
}

void tsc::retargetDevices(Graph &graph, Device target) {
  const Symbol parse = graph.context().symbol("aten::device");
  std::vector<Node *> found;
  graph.walk([&](Node &node) {
    const AttributeValue *attribute = node.attribute(attr::Subgraph); // what a fork runs; of text, it may be anything
    if (const auto *inner = attribute ? std::get_if<std::shared_ptr<Graph>>(attribute) : nullptr; inner && *inner)
      retargetDevices(**inner, target);
    if (node.kind() == parse || movesToDevice(node) || node.kind() == prim::Constant)
      found.push_back(&node);
  });
  InsertPointGuard guard(graph);
  for (Node *node : found) {
    graph.setInsertPoint(node);
    Value *replacement =
        movesToDevice(*node) ? insertInPlaceOfMove(graph, *node, target) : insertInPlaceOfDevice(graph, *node, target);
    if (!replacement)
      continue;
    node->output()->replaceAllUsesWith(replacement);
    node->erase();
  }
}
