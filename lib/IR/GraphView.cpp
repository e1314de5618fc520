//===- GraphView.cpp - What the writers of pictures share -----------------===//
#include "GraphView.h"
#include "llvm/Support/raw_ostream.h"
using namespace tsc;

static constexpr size_t longestConstant = 24;

bool view::isInlined(const Node &node) { return node.kind() == prim::Constant && node.numOutputs() == 1; }

static std::string constantText(const Value *value) {
  std::string text;
  llvm::raw_string_ostream os(text);
  if (auto constant = constantValue(value); constant && !constant->isTensor())
    reprValue(os, *constant);
  else
    os << (value->type()->isTensor() ? "<Tensor>" : value->type()->str());
  if (text.size() > longestConstant) {
    text.resize(longestConstant);
    text += "…";
  }
  return text;
}

std::string view::labelOf(const Node &node) {
  std::string text = node.kindName().str();
  if (const AttributeValue *name = node.attribute(attr::name))
    if (const auto *attribute = std::get_if<std::string>(name))
      text += " ." + *attribute;
  if (llvm::none_of(node.inputs(), [](Value *input) { return isInlined(*input->node()); }))
    return text;
  text += "(";
  for (unsigned i = 0; i != node.numInputs(); ++i)
    text += (i ? ", " : "") + (isInlined(*node.input(i)->node()) ? constantText(node.input(i)) : "·");
  return text + ")";
}

std::vector<std::shared_ptr<Graph>> view::subgraphsOf(const Node &node) {
  std::vector<std::shared_ptr<Graph>> graphs;
  for (const NamedAttribute &attribute : node.attributes()) {
    if (const auto *graph = std::get_if<std::shared_ptr<Graph>>(&attribute.value); graph && *graph)
      graphs.push_back(*graph);
    if (const auto *list = std::get_if<std::vector<std::shared_ptr<Graph>>>(&attribute.value))
      llvm::append_range(graphs, *list);
  }
  return graphs;
}
