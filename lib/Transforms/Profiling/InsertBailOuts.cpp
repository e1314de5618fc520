//===- InsertBailOuts.cpp - What is done where a guard fails --------------===//
//
// Purpose: replaces each prim::Guard by a prim::BailOut, which holds a graph with
//   all that is left to do from there on, as it is written: without guards, and
//   without the types that they found. Its inputs are the guarded tensor and the
//   other values that this graph reads. Where the guard fails, the graph runs, and
//   what it returns is returned. In a branch, what follows the prim::If is left to
//   do; in a loop, the rest of the trip, the trips that are left, and what follows.
//   The attribute `index` numbers the nodes in the order in which they run.
// Options: max-size=65536: how many nodes the graphs of all bailouts may have
//   together.
//
// Cost:   linear in the size of the result, which is the number of guards times
//   that of the graph at most.
// Limits: fails where there is no room, or where a guard is in a block of another
//   node than prim::If or prim::Loop.
//
// Before:
//   graph(%x : Tensor, %y : Tensor):
//     %2 : Tensor = aten::neg(%y)
//     %3 : Float(2, 3) = prim::Guard(%x)
//     %4 : Float(2, 3) = aten::mul(%3, %2)
//     %5 : Tensor = aten::add(%4, %3)
//     return (%5)
// After:
//   graph(%x : Tensor,
//         %y : Tensor):
//     %2 : Tensor = aten::neg(%y)
//     %6 : Float(2, 3) = prim::BailOut_0[index=0](%x, %2)
//     %4 : Float(2, 3) = aten::mul(%6, %2)
//     %5 : Tensor = aten::add(%4, %6)
//     return (%5)
//   with prim::BailOut_0 = graph(%x : Tensor,
//         %1 : Tensor):
//     %2 : Tensor = aten::mul(%x, %1)
//     %3 : Tensor = aten::add(%2, %x)
//     return (%3)
//
//===----------------------------------------------------------------------===//
#include "Guards.h"
#include "tsc/IR/Context.h"
#include "tsc/Support/Logging.h"
#include "tsc/Support/Statistic.h"
#include "tsc/Transforms/Passes/Profiling.h"
#include "tsc/Transforms/Passes/Types.h"
#include "tsc/Transforms/Subgraph.h"
#include "llvm/ADT/DenseMap.h"
#define DEBUG_TYPE "insert-bailouts"
using namespace tsc;

TSC_STATISTIC(NumInserted, "Bailouts inserted");

Status BailOutInsertion::configure(const PassOptions &options) {
  TSC_RETURN_IF_ERROR(rejectOptionsBut({"max-size"}, options));
  return readOption(options, "max-size", 1, maxSize);
}

/// Whether the node can be copied to where its value is needed.
static bool isFree(const Node &node) { return node.kind() == prim::Constant || node.kind() == prim::Uninitialized; }

namespace {

/// The rest of a program from a guard on, and the values that it needs of what ran before.
class RestOfProgram {
public:
  explicit RestOfProgram(const Node &guard) : rest(std::make_shared<Graph>(guard.graph().context())) {
    Value *guarded = valueBehindGuards(guard.input(0));
    Value *input = addInput(guarded);
    copies[guarded] = input;
    copies[guard.output()] = input;
    copyFrom(*guard.block(), guard.next());
    eraseGuards(*rest);
    eraseTensorFacts(*rest);
  }

  const std::shared_ptr<Graph> &graph() const { return rest; }
  /// Values of the program, one for each input of graph(). The first is the one that is guarded.
  ArrayRef<Value *> captured() const { return captures; }

private:
  Value *addInput(Value *value) {
    captures.push_back(value);
    return rest->addInput(value->hasName() ? value->name() : "", value->type());
  }

  /// Returns what stands for a value of the program here: a copy that was made, a constant, or else an input.
  Value *copyOf(Value *value) {
    if (Value *known = copies.lookup(value))
      return known;
    Value *origin = valueBehindGuards(value);
    if (origin != value)
      return copies[value] = copyOf(origin);
    Node *node = value->node();
    if (!isFree(*node))
      return copies[value] = addInput(value);
    Node *copy = rest->block().prepend(copyNode(*node));
    mapOutputs(*node, *copy);
    return copies.lookup(value);
  }
  Node *copyNode(const Node &node) {
    return rest->copyNode(node, [this](Value *value) { return copyOf(value); });
  }
  void mapOutputs(const Node &from, const Node &to) {
    for (auto [output, copy] : llvm::zip(from.outputs(), to.outputs()))
      copies[output] = copy;
  }

  /// Copies the nodes from `first` on, which may be null, to the end of `into`.
  void copyNodes(const Node *first, Block &into) {
    for (const Node *node = first; node; node = node->next()) {
      if (node->kind() == prim::Guard) {
        copies[node->output()] = copyOf(node->input(0));
        continue;
      }
      Node *copy = copyNode(*node);
      into.append(copy);
      mapOutputs(*node, *copy);
    }
  }

  /// Copies what is left of a block from `first` on, and then of the blocks around it.
  void copyFrom(Block &start, const Node *first) {
    Block *block = &start;
    copyNodes(first, rest->block());
    while (Node *owner = block->owner()) {
      if (owner->kind() == prim::Loop)
        finishLoop(*owner);
      else
        for (unsigned i = 0; i != owner->numOutputs(); ++i)
          copies[owner->output(i)] = copyOf(block->returnNode().input(i));
      copyNodes(owner->next(), rest->block());
      block = owner->block();
    }
    for (Value *output : block->outputs())
      rest->addOutput(copyOf(output));
  }

  Value *insertIntOp(Symbol op, Value *a, Value *b, SourceRange range) {
    Node *node = rest->insertNodeHere(rest->create(op, {a, b}));
    node->setRange(range);
    return node->output()->setType(Type::intType());
  }

  /// Makes the trips that are left, where a trip has been copied to its end.
  void finishLoop(const Node &loop) {
    const Block &body = loop.block(0);
    const Node &returns = body.returnNode();
    const SourceRange range = loop.range();
    rest->setInsertPoint(rest->block());
    Value *one = rest->insertConstant(int64_t{1}, range);
    Value *trips = insertIntOp(aten::add, copyOf(body.inputs()[0]), one, range); // that are done
    Node *left = rest->create(prim::Loop, 0);
    left->setRange(range);
    left->addInput(insertIntOp(aten::sub, copyOf(loop.input(0)), trips, range));
    for (Value *next : returns.inputs())
      left->addInput(copyOf(next));
    rest->insertNodeHere(left);
    Block &trip = left->addBlock();
    Value *number = trip.addInput("", Type::intType());
    rest->setInsertPoint(trip);
    copies[body.inputs()[0]] = insertIntOp(aten::add, number, trips, range);
    for (Value *parameter : body.inputs().drop_front())
      copies[parameter] = trip.addInput(parameter->hasName() ? parameter->name() : "", parameter->type());
    copyNodes(body.nodes().empty() ? nullptr : &body.nodes().front(), trip);
    for (Value *next : returns.inputs())
      trip.addOutput(copyOf(next));
    for (Value *output : loop.outputs())
      copies[output] = left->addOutput(output->type());
  }

  std::shared_ptr<Graph> rest; // shared: the node's attribute takes it over
  llvm::SmallVector<Value *, 8> captures;
  llvm::DenseMap<Value *, Value *> copies;
};

} // namespace

/// Returns why there can be no bailout in the place of the guard, or OK where there can be one.
static Status checkPlace(const Node &guard) {
  for (const Block *block = guard.block(); const Node *owner = block->owner(); block = owner->block())
    if (owner->kind() != prim::If && owner->kind() != prim::Loop)
      return unimplemented("a guard in a block of '" + owner->kindName() +
                           "' can have no bailout: only blocks of prim::If and prim::Loop can be left");
  return okStatus();
}

PreservedAnalyses BailOutInsertion::run(Graph &graph, AnalysisManager &) {
  struct BailOut {
    Node *guard;
    std::shared_ptr<Graph> rest; // shared: as RestOfProgram's
    llvm::SmallVector<Value *, 8> inputs;
  };
  std::vector<BailOut> bailouts;
  int64_t size = 0;
  for (Node *guard : guardsOf(graph)) {
    if (!TSC_OPT_ALLOWED)
      break;
    if (Status status = checkPlace(*guard); !status.ok())
      return PreservedAnalyses::failure(std::move(status));
    RestOfProgram rest(*guard);
    walkWithSubgraphs(*rest.graph(), [&](Node &) { ++size; }); // each has a copy of what forks run, too
    if (size > maxSize)
      return PreservedAnalyses::failure(resourceExhausted("what is left to do at each guard is more than " +
                                                          llvm::Twine(maxSize) +
                                                          " nodes; the option max-size allows more"));
    bailouts.push_back({guard, rest.graph(), llvm::SmallVector<Value *, 8>(rest.captured())});
  }
  for (auto [index, bailout] : llvm::enumerate(bailouts)) {
    Node *node = graph.create(prim::BailOut, bailout.inputs)->insertBefore(bailout.guard);
    node->setAttribute(attr::index, static_cast<int64_t>(index));
    node->setAttribute(attr::Subgraph, std::move(bailout.rest));
    node->setRange(bailout.guard->range());
    node->setScope(bailout.guard->scope());
    node->output()->setType(bailout.guard->output()->type());
    bailout.guard->output()->replaceAllUsesWith(node->output());
    bailout.guard->erase();
    ++NumInserted;
  }
  return PreservedAnalyses::allUnless(!bailouts.empty());
}
