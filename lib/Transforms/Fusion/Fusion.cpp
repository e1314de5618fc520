//===- Fusion.cpp - Memory-bound regions as one node ----------------------===//
//
// Purpose: puts operators that read and write memory and compute little between it
//   (point-wise operators, casts, reductions, and the views and concatenations
//   beside them) into prim::FusionGroup nodes, which run as one kernel. Names no
//   device: the fuser that a program registers makes the kernel, and without one
//   the nodes of the group run as they are.
//
//   What is worth a group: a group must save memory traffic. It saves a store and
//   a load for every value that one of its operators makes and another one reads;
//   a group without any is not made. A view costs nothing inside, and its copy
//   outside, where somebody else reads it, costs no memory traffic: views go along
//   with what reads them. A value that goes from one group to another is computed
//   in both when that takes one cheap operator on what the other group reads
//   anyhow. A group has at most `max-nodes` operators: the time to compile grows
//   with them and the registers of the machine do not.
//
//   Questions for sizes do not keep a value in memory: the operand of equal shape
//   is asked instead. Where there is none, and operators of the same group use the
//   answer, they are in it. What broadcast_tensors made for an operator that broadcasts
//   by itself, as the losses of torch.nn.functional have it, is read as it was before.
//
// Options: max-nodes=128: operators of one group;
//   reductions=true: whether reductions may be in groups.
// Better:  casts, every dtype mix, reductions and indexing in one group; groups are
//   as large as the order of effects allows, found at once for the whole block.
// Cost:    linear in nodes and uses.
// Limits:  nodes with blocks are in no group; their blocks have groups of their own.
//   In-place operators are in none: remove-mutation comes before. What is reshaped
//   (view, reshape, flatten) before all that computes stays outside: whether that is
//   a view depends on strides.
//
// Before:
//   graph(%x : Tensor, %y : Tensor, %w : Tensor):
//     %1 : int = prim::Constant[value=1]()
//     %2 : Tensor = aten::add(%x, %y, %1)
//     %3 : Tensor = aten::relu(%2)
//     %4 : Tensor = aten::mm(%3, %w)
//     %5 : Tensor = aten::tanh(%4)
//     return (%5)
// After:
//   graph(%x : Tensor,
//         %y : Tensor,
//         %w : Tensor):
//     %3 : int = prim::Constant[value=1]()
//     %8 : Tensor = prim::FusionGroup_0(%x, %y)
//     %6 : Tensor = aten::mm(%8, %w)
//     %7 : Tensor = aten::tanh(%6)
//     return (%7)
//   with prim::FusionGroup_0 = graph(%x : Tensor,
//         %y : Tensor):
//     %2 : int = prim::Constant[value=1]()
//     %3 : Tensor = aten::add(%x, %y, %2)
//     %4 : Tensor = aten::relu(%3)
//     return (%4)
//
//===----------------------------------------------------------------------===//
#include "ImplicitBroadcast.h"
#include "tsc/Analysis/AliasAnalysis.h"
#include "tsc/Analysis/FailureAnalysis.h"
#include "tsc/IR/Type.h"
#include "tsc/Support/Logging.h"
#include "tsc/Support/Statistic.h"
#include "tsc/Transforms/FusionRoles.h"
#include "tsc/Transforms/Passes/Kernels.h"
#include "tsc/Transforms/ShapeRuleCompiler.h"
#include "tsc/Transforms/Subgraph.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/ADT/StringExtras.h"
#define DEBUG_TYPE "fuse"
using namespace tsc;

TSC_STATISTIC(NumGroups, "Fusion groups made");
TSC_STATISTIC(NumFused, "Operators put into fusion groups");
TSC_STATISTIC(NumRecomputed, "Operators computed in two groups");
TSC_STATISTIC(NumForwarded, "Questions for sizes asked of an operand");

using Members = llvm::SetVector<Node *, std::vector<Node *>, llvm::DenseSet<Node *>>; // in program order
using NodeTest = llvm::function_ref<bool(const Node *)>;

static bool isMember(const Node *node, const Members &members) { return members.contains(const_cast<Node *>(node)); }
static bool hasUser(const Node &node, NodeTest test) {
  return llvm::any_of(node.outputs(), [&](const Value *output) {
    return llvm::any_of(output->uses(), [&](const Use &use) { return test(use.user()); });
  });
}
static bool isUnused(const Node &node) {
  return !hasUser(node, [](const Node *) { return true; });
}

/// Lets the users for which `reads` holds use another value.
static void redirect(Value &from, Value &to, NodeTest reads) {
  llvm::SmallVector<Use *, 4> uses;
  for (Use &use : from.uses())
    if (reads(use.user()))
      uses.push_back(&use);
  for (Use *use : uses)
    use->set(&to);
}

//===----------------------------------------------------------------------===//
// Questions for sizes
//===----------------------------------------------------------------------===//

/// Whether the types tell that both have the same sizes.
static bool haveEqualSizes(const Value *a, const Value *b) {
  const auto *left = dyn_cast<TensorType>(a->type()), *right = dyn_cast<TensorType>(b->type());
  if (!left || !right || !left->facts().sizes || left->facts().sizes != right->facts().sizes)
    return false;
  return llvm::none_of(*left->facts().sizes, [](Dimension d) { return d.isUnknown(); });
}

/// A value that has the sizes of `value` and is made earlier; null when none is known.
static Value *sameShapeOperand(const Value *value) {
  const Node &node = *value->node();
  FusionRole role = fusionRole(node);
  if (role != FusionRole::Pointwise && role != FusionRole::Cast)
    return nullptr;
  Value *only = nullptr;
  unsigned tensors = 0;
  for (Value *input : node.inputs()) {
    if (isa<OptionalType>(input->type()) && !isConstant(input))
      return nullptr; // a tensor or none
    if (!input->type()->isTensor())
      continue;
    ++tensors;
    if (haveEqualSizes(input, value))
      return input;
    only = only ? only : input;
  }
  return tensors == 1 || role == FusionRole::Cast ? only : nullptr;
}

static bool forwardShapeQueries(Graph &graph, const AliasAnalysis &aliases) {
  bool changed = false;
  graph.walk([&](Node &node) {
    if (!node.hasTrait(Trait::SizeQuery) || node.numInputs() == 0)
      return;
    Value *asked = node.input(0), *source = asked;
    while (Value *operand = sameShapeOperand(source)) {
      if (aliases.hasWriters(operand)) // its sizes may change on the way
        break;
      source = operand;
    }
    if (source == asked || !TSC_OPT_ALLOWED)
      return;
    node.setInput(0, source);
    ++NumForwarded;
    changed = true;
  });
  return changed;
}

//===----------------------------------------------------------------------===//
// Candidates
//===----------------------------------------------------------------------===//

namespace {

/// The nodes of one block that may be in groups. A view takes part where it stands between two that compute.
class Candidates {
public:
  /// `left`: operators that are to be in no group.
  Candidates(Block &block, const AliasAnalysis &aliases, const llvm::DenseSet<const Node *> &left)
      : aliases(aliases), left(left) {
    for (Node &node : block.nodes())
      if (isCandidate(node))
        nodes.insert(&node);
    for (Node &node : llvm::reverse(block.nodes()))
      if (nodes.contains(&node) && !isComputing(fusionRole(node)) && !isReadByCandidate(node))
        nodes.erase(&node);
  }
  bool contains(const Node &node) const { return nodes.contains(&node); }
  bool empty() const { return nodes.empty(); }

private:
  bool isCandidate(const Node &node) const {
    FusionRole role = fusionRole(node);
    if (left.contains(&node) || !mayBeFused(node, aliases))
      return false;
    if (isRearranging(role) || role == FusionRole::Number) // of a member's elements, or in its shape
      return llvm::any_of(node.inputs(), [&](const Value *input) { return nodes.contains(input->node()); });
    if (role == FusionRole::Gather) {
      const Node &concatenation = *node.output()->uses().begin()->user();
      bool isMade = llvm::any_of(node.inputs(), [&](const Value *piece) { return nodes.contains(piece->node()); });
      return isReadByPointwise(concatenation) || (isMade && isReadByFoldsAtMost(concatenation));
    }
    if (role == FusionRole::Concatenation)
      return nodes.contains(node.input(0)->node());
    return true;
  }
  /// Whether the test holds for one that reads the concatenation, as it is or in other shapes.
  static bool hasReader(const Node &concatenation, NodeTest test) {
    llvm::SetVector<const Node *> shapes;
    shapes.insert(&concatenation);
    for (size_t i = 0; i != shapes.size(); ++i)
      if (hasUser(*shapes[i], [&](const Node *user) {
            bool isShape = user->block() == concatenation.block() && fusionRole(*user) == FusionRole::Reshape;
            return isShape ? shapes.insert(user), false : test(user);
          }))
        return true;
    return false;
  }
  /// Whether nothing that reads the concatenation could be in a group but folds, which find it in memory: no
  /// element-by-element operator goes on with it.
  static bool isReadByFoldsAtMost(const Node &concatenation) {
    return !hasReader(concatenation, [&](const Node *user) {
      FusionRole role = fusionRole(*user);
      const bool isFold = role == FusionRole::Reduction && !user->hasTrait(Trait::AlongRows);
      return user->block() == concatenation.block() && role != FusionRole::None && !isFold;
    });
  }
  /// Whether each piece can be computed with what is made of it.
  bool isReadByPointwise(const Node &concatenation) const {
    return hasReader(concatenation, [&](const Node *user) {
      FusionRole role = fusionRole(*user);
      return user->block() == concatenation.block() && (role == FusionRole::Pointwise || role == FusionRole::Cast) &&
             !left.contains(user) && mayBeFused(*user, aliases);
    });
  }
  bool isReadByCandidate(const Node &node) const {
    return hasUser(node, [&](const Node *user) { return nodes.contains(user); });
  }

  const AliasAnalysis &aliases;
  const llvm::DenseSet<const Node *> &left;
  llvm::DenseSet<const Node *> nodes;
};

//===----------------------------------------------------------------------===//
// Groups
//===----------------------------------------------------------------------===//

class GroupBuilder {
public:
  GroupBuilder(const AliasAnalysis &aliases, FailureAnalysis &failures, const Remarks &remarks, unsigned maxNodes,
               bool reductions)
      : aliases(aliases), failures(failures), ordersFailures(aliases.hasObservableEffects()), remarks(remarks),
        maxNodes(maxNodes), reductions(reductions) {}

  /// Groups of a block first: what a group is made of is new to the analysis, and the blocks inside do not matter to
  /// this one.
  void visit(Block &block);
  bool changed = false;

private:
  std::vector<NodeList> findGroups(Block &block);
  void findMisplaced(const Block &block, llvm::DenseSet<const Node *> &misplaced);
  void build(Members &members);
  void takeViewsAlong(Members &members);
  void recomputeCheapProducers(Members &members);
  void leaveViewsOutside(Members &members);
  void passTensorsAsInputs(Node &group);
  void explainLeftOver(const Block &block) const;

  static bool mayGiveItsOperand(const Node &cast, const Members &members);

  const AliasAnalysis &aliases;
  FailureAnalysis &failures;
  const bool ordersFailures; ///< A call that fails cannot always be repeated as written.
  const Remarks &remarks;
  const unsigned maxNodes;
  const bool reductions;
  llvm::DenseSet<const Node *> waiting; ///< The members of groups that are still to be built.
};

} // namespace

static Node *copyTo(Node &node, Node &before) {
  Node *copy = node.graph().copyNode(node, [](Value *value) { return value; });
  return copy->insertBefore(&before);
}

/// Lets the users for which `reads` holds read the copy's results.
static void redirect(Node &node, Node &copy, NodeTest reads) {
  for (auto [from, to] : llvm::zip(node.outputs(), copy.outputs()))
    redirect(*from, *to, reads);
}

/// Copies of the views that members read come into the group; a view that nobody else reads goes. What is in a group
/// that is still to be built goes with that one.
void GroupBuilder::takeViewsAlong(Members &members) {
  Node *first = members.front();
  llvm::SmallVector<Node *> pending(members.begin(), members.end());
  llvm::SetVector<Node *> taken;
  auto reads = [&](const Node *user) { return isMember(user, members) || taken.contains(const_cast<Node *>(user)); };
  auto canTake = [&](const Node &view) {
    FusionRole role = fusionRole(view);
    return view.block() == first->block() && isRearranging(role) && role != FusionRole::Reshape &&
           mayBeFused(view, aliases) && !aliases.hasWriters(view.input(0)) &&
           !(ordersFailures && failures.mayFail(view));
  };
  auto take = [&](Node &view) {
    Node *copy = copyTo(view, *first);
    redirect(view, *copy, reads);
    if (isUnused(view) && !waiting.contains(&view))
      view.erase();
    first = copy; // what the copy reads comes before it
    taken.insert(copy);
    pending.push_back(copy);
  };
  while (!pending.empty()) {
    Node *reader = pending.pop_back_val();
    for (unsigned i = 0; i != reader->numInputs(); ++i) {
      Node *view = reader->input(i)->node();
      if (reads(view) || !canTake(*view) || fusionRole(*view) == FusionRole::Split)
        continue;
      Node *split = fusionRole(*view) == FusionRole::Pick ? view->input(0)->node() : nullptr;
      if (split && (reads(split) || !canTake(*split)))
        continue;
      take(*view);
      if (split)
        take(*split);
    }
  }
  Members all;
  for (Node *node : llvm::reverse(taken))
    all.insert(node);
  for (Node *node : members)
    all.insert(node);
  members = std::move(all);
}

/// Whether a cast may have nothing to do, so that its result is the operand, which somebody else knows.
bool GroupBuilder::mayGiveItsOperand(const Node &cast, const Members &members) {
  const auto *from = dyn_cast<TensorType>(cast.input(0)->type()), *to = dyn_cast<TensorType>(cast.output()->type());
  if (from && to && from->facts().dtype && to->facts().dtype && from->facts().dtype != to->facts().dtype)
    return false;
  const Node *producer = cast.input(0)->node();
  FusionRole role = isMember(producer, members) ? fusionRole(*producer) : FusionRole::None;
  return !(role == FusionRole::Pointwise || role == FusionRole::Reduction) || cast.input(0)->numUses() > 1;
}

/// What comes out of a group is memory of its own. A view that somebody outside reads, and a cast that may be one, is
/// made anew behind the group from what it is a view of; so is a number. What nobody reads any more, and what may
/// raise, stays outside.
void GroupBuilder::leaveViewsOutside(Members &members) {
  Node *next = members.back()->next();
  Block &block = *members.back()->block();
  auto isOutside = [&](const Node *user) { return !isMember(user, members); };
  const std::vector<Node *> all = members.getArrayRef().vec();
  for (Node *node : llvm::reverse(all)) {
    FusionRole role = fusionRole(*node);
    if (isUnused(*node)) {
      members.remove(node);
      if (isRearranging(role) || !failures.mayFail(*node)) { // another group has taken a copy of a view
        node->erase();
        continue;
      }
      next ? node->moveBefore(next) : node->moveBefore(&block.returnNode());
      next = node;
    } else if (hasUser(*node, isOutside) && (isRearranging(role) || role == FusionRole::Number ||
                                             (role == FusionRole::Cast && mayGiveItsOperand(*node, members)))) {
      Node *copy = node->graph().copyNode(*node, [](Value *value) { return value; });
      next ? copy->insertBefore(next) : block.append(copy);
      next = copy; // what reads a copy is copied already
      if (!hasUser(*node, [&](const Node *user) { return isMember(user, members); }))
        members.remove(node);
      redirect(*node, *copy, isOutside);
      if (isUnused(*node))
        node->erase();
    }
  }
}

/// Instead of a value that another group makes, the members make it again: one operator that is cheap, of operands that
/// they read anyhow.
void GroupBuilder::recomputeCheapProducers(Members &members) {
  llvm::SetVector<Value *> read;
  for (Node *node : members)
    for (Value *input : node->inputs())
      if (!isMember(input->node(), members))
        read.insert(input);
  std::vector<Node *> copies;
  for (Value *value : read) {
    Node *producer = value->node();
    if (producer->block() != members.front()->block() || !producer->hasTrait(Trait::Cheap) ||
        aliases.hasWriters(value) || !mayBeFused(*producer, aliases) || (ordersFailures && failures.mayFail(*producer)))
      continue;
    auto isFree = [&](Value *operand) {
      return !operand->type()->isTensor() || (read.contains(operand) && !aliases.hasWriters(operand));
    };
    if (!llvm::all_of(producer->inputs(), isFree))
      continue;
    Node *copy = copyTo(*producer, *members.front());
    redirect(*value, *copy->output(), [&](const Node *user) { return isMember(user, members); });
    copies.push_back(copy);
    ++NumRecomputed;
  }
  if (copies.empty())
    return;
  Members all(copies.begin(), copies.end());
  for (Node *node : members)
    all.insert(node);
  members = std::move(all);
}

/// Stores and loads that the group saves: values that one member makes and another reads, be it through views.
static unsigned countSaved(const Members &members) {
  llvm::DenseSet<const Node *> carries; // computed values, and views of them
  unsigned saved = 0;
  for (const Node *node : members) {
    FusionRole role = fusionRole(*node);
    bool readsMember =
        llvm::any_of(node->inputs(), [&](const Value *input) { return carries.contains(input->node()); });
    if (isComputing(role)) {
      saved += readsMember;
      carries.insert(node);
    } else if (readsMember && role != FusionRole::Number) {
      carries.insert(node);
    }
  }
  return saved;
}

/// Tensors that are constants become inputs: the code of a group does not depend on their elements.
void GroupBuilder::passTensorsAsInputs(Node &group) {
  Graph &inner = *subgraphOf(group);
  for (Node &node : llvm::make_early_inc_range(inner.nodes())) {
    if (node.kind() != prim::Constant)
      continue;
    auto constant = constantValue(node.output());
    if (!constant || !constant->isTensor() || !constant->asTensor().defined())
      continue;
    Node *outer = group.graph().copyNode(node, [](Value *value) { return value; });
    outer->insertBefore(&group);
    group.addInput(outer->output());
    node.output()->replaceAllUsesWith(inner.addInput("", node.output()->type()));
    node.erase();
  }
}

static std::string namesOf(ArrayRef<Node *> nodes) {
  std::vector<std::string> names;
  for (const Node *node : nodes)
    if (isComputing(fusionRole(*node)) && !llvm::is_contained(names, node->kind().qualified()))
      names.push_back(node->kind().qualified().str());
  return llvm::join(names, ", ");
}

void GroupBuilder::build(Members &members) {
  takeViewsAlong(members);
  leaveViewsOutside(members);
  if (members.empty())
    return;
  unsigned saved = countSaved(members);
  if (saved == 0 || !TSC_OPT_ALLOWED)
    return;
  ArrayRef<Node *> all = members.getArrayRef();
  if (remarks.wantsDone())
    remarks.done(*all.back(), llvm::Twine("fused with ") + llvm::Twine(all.size() - 1) +
                                  " others into one kernel, which saves " + llvm::Twine(saved) +
                                  (saved == 1 ? " store and load: " : " stores and loads: ") + namesOf(all));
  TSC_GRAPH_UPDATE("fusing " << all.size() << " nodes");
  NumFused += all.size();
  passTensorsAsInputs(*createSubgraph(all, prim::FusionGroup));
  ++NumGroups;
}

/// Why operators that could be in a group are in none.
void GroupBuilder::explainLeftOver(const Block &block) const {
  for (const Node &node : block.nodes()) {
    FusionRole role = fusionRole(node);
    if (role == FusionRole::None && node.hasTrait(Trait::Reduction))
      remarks.missed(node, "not fused: a reduction that no kernel folds, or not along these dimensions");
    if (!isComputing(role) || role == FusionRole::Concatenation)
      continue;
    if (role == FusionRole::Reduction && !reductions)
      remarks.missed(node, "not fused: reductions are not asked for");
    else if (!mayBeFused(node, aliases))
      remarks.missed(node, "not fused: an operand is of a kind, or of a dtype, that no group takes");
    else
      remarks.missed(node,
                     "not fused: nothing that reads its result or makes its operands could be in a group with it");
  }
}

/// What leaveViewsOutside would put behind its group, and with that behind other members whose exceptions come later.
void GroupBuilder::findMisplaced(const Block &block, llvm::DenseSet<const Node *> &misplaced) {
  bool failsLater = false;
  for (const Node &node : llvm::reverse(block.nodes())) {
    const FusionRole role = fusionRole(node);
    if (role == FusionRole::None || !failures.mayFail(node))
      continue;
    if (failsLater && (isUnused(node) || isRearranging(role) || role == FusionRole::Number))
      misplaced.insert(&node);
    failsLater = true;
  }
}

std::vector<NodeList> GroupBuilder::findGroups(Block &block) {
  llvm::DenseSet<const Node *> left;
  if (!reductions)
    for (const Node &node : block.nodes())
      if (fusionRole(node) == FusionRole::Reduction)
        left.insert(&node);
  if (ordersFailures)
    findMisplaced(block, left);
  Candidates candidates(block, aliases, left);
  if (candidates.empty())
    return {};
  return formGroups(block, aliases, &failures, [&](const Node &node) { return candidates.contains(node); }, 2);
}

void GroupBuilder::visit(Block &block) {
  std::vector<Members> groups;
  for (const NodeList &group : findGroups(block))
    for (ArrayRef<Node *> rest = group; !rest.empty();
         rest = rest.drop_front(std::min<size_t>(rest.size(), maxNodes))) {
      ArrayRef<Node *> part = rest.take_front(maxNodes);
      groups.emplace_back(part.begin(), part.end());
    }
  changed |= !groups.empty();
  for (Members &members : groups)
    recomputeCheapProducers(members);
  for (Members &members : groups)
    waiting.insert(members.begin(), members.end());
  for (Members &members : groups) {
    for (Node *node : members)
      waiting.erase(node);
    build(members);
  }
  if (remarks.wantsMissed())
    explainLeftOver(block);
  for (Node &node : block.nodes())
    for (Block &inner : node.blocks())
      visit(inner);
}

//===----------------------------------------------------------------------===//
// The pass
//===----------------------------------------------------------------------===//

Status Fusion::configure(const PassOptions &options) {
  TSC_RETURN_IF_ERROR(rejectOptionsBut({"max-nodes", "reductions"}, options));
  TSC_RETURN_IF_ERROR(readOption(options, "max-nodes", 2, maxNodes));
  return readOption(options, "reductions", reductions);
}

PreservedAnalyses Fusion::run(Graph &graph, AnalysisManager &analyses) {
  const auto &aliases = analyses.get<AliasAnalysis>(graph);
  bool changed = forwardShapeQueries(graph, aliases);
  changed |= forwardBroadcasts(graph, aliases);
  FailureAnalysis failures(graph, analyses.shapeRules());
  GroupBuilder builder(aliases, failures, analyses.remarks(),
                       static_cast<unsigned>(std::min<int64_t>(maxNodes, 1 << 20)), reductions);
  builder.visit(graph.block());
  return PreservedAnalyses::allUnless(changed || builder.changed);
}
