//===- ImplicitBroadcast.cpp - broadcast_tensors before operators ---------===//
//
// torch.nn.functional broadcasts the operands of a loss into a list before it calls the
// loss. A list of tensors is in no group, so that nothing that makes the operands could
// be in one with the loss: views of one operand each take its place. The loss broadcasts
// by itself, but an operand without dimensions would not take part in its dtype.
//
//===----------------------------------------------------------------------===//
#include "ImplicitBroadcast.h"
#include "tsc/Analysis/AliasAnalysis.h"
#include "tsc/IR/Context.h"
#include "tsc/IR/Graph.h"
#include "tsc/Support/Logging.h"
#include "tsc/Support/Statistic.h"
#include "llvm/ADT/STLExtras.h"
#include <map>
#include <tuple>
#define DEBUG_TYPE "fuse"
using namespace tsc;

TSC_STATISTIC(NumBroadcastsDropped, "Operators that broadcast by themselves");

namespace {
/// Element of a list that broadcast_tensors gives.
struct Broadcasted {
  Node *broadcast;
  Value *original; ///< The same element of the list that it takes.
};

/// Views in the shape that two values have in common; one of each for all that read it in a block.
class Expansions {
public:
  Value *expand(Value *value, Value *other, Node &reader) {
    Node *&made = views[{reader.block(), value, other}];
    if (!made) {
      Graph &graph = reader.graph();
      made = graph.create(graph.context().symbol("tsc::expand_with"), {value, other})->insertBefore(&reader);
      made->setRange(reader.range());
    }
    return made->output();
  }

private:
  std::map<std::tuple<Block *, Value *, Value *>, Node *> views;
};
} // namespace

static std::optional<Broadcasted> findBroadcasted(const Value *value, const AliasAnalysis &aliases) {
  const Node &taken = *value->node();
  std::optional<int64_t> index;
  if (taken.kind() == prim::ListUnpack)
    index = llvm::find(taken.outputs(), value) - taken.outputs().begin();
  else if (taken.kind() == aten::__getitem__)
    index = constantInt(taken.input(1));
  Node *broadcast = index ? taken.input(0)->node() : nullptr;
  if (!broadcast || broadcast->opKind() != OpKind::Aten_broadcast_tensors)
    return std::nullopt;
  const Value *list = broadcast->input(0);
  if (list->node()->kind() != prim::ListConstruct)
    return std::nullopt;
  int64_t count = list->node()->numInputs(), at = *index < 0 ? *index + count : *index;
  if (at < 0 || at >= count)
    return std::nullopt;
  Value *original = list->node()->input(static_cast<unsigned>(at));
  if (llvm::any_of(llvm::ArrayRef<const Value *>{list, broadcast->output(), value, original},
                   [&](const Value *v) { return aliases.hasWriters(v); }))
    return std::nullopt;
  return Broadcasted{broadcast, original};
}

/// Where the node, which gives the common shape, reads all elements of one list and no other tensor.
static bool forwardTo(Node &node, const AliasAnalysis &aliases, std::vector<Node *> &left, Expansions &known) {
  std::vector<std::pair<unsigned, Value *>> originals;
  Node *broadcast = nullptr;
  for (unsigned i = 0; i != node.numInputs(); ++i) {
    if (!node.input(i)->type()->isTensor())
      continue;
    auto element = findBroadcasted(node.input(i), aliases);
    if (!element || (broadcast && broadcast != element->broadcast))
      return false;
    broadcast = element->broadcast;
    originals.push_back({i, element->original});
  }
  if (!broadcast || !TSC_OPT_ALLOWED)
    return false;
  for (const Value *needed : broadcast->input(0)->node()->inputs())
    if (llvm::none_of(originals, [&](const auto &original) { return original.second == needed; }))
      return false;
  for (auto [operand, original] : originals) {
    left.push_back(node.input(operand)->node());
    Value *expanded = original;
    for (const auto &[_, other] : originals)
      if (other != original)
        expanded = known.expand(expanded, other, node);
    node.setInput(operand, expanded);
  }
  left.push_back(broadcast);
  left.push_back(broadcast->input(0)->node());
  ++NumBroadcastsDropped;
  return true;
}

bool tsc::forwardBroadcasts(Graph &graph, const AliasAnalysis &aliases) {
  std::vector<Node *> left; // what was read, before what it reads
  Expansions known;
  bool changed = false;
  graph.walk([&](Node &node) {
    if (node.hasTrait(Trait::Broadcasts) && node.hasTrait(Trait::Pure))
      changed |= forwardTo(node, aliases, left, known);
  });
  llvm::DenseSet<Node *> erased;
  for (Node *node : left) {
    bool isUnused = !erased.contains(node) && llvm::none_of(node->outputs(), [](Value *v) { return v->hasUses(); });
    if (isUnused) {
      erased.insert(node);
      node->erase();
    }
  }
  return changed;
}
