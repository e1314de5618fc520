//===- Loop.cpp - A prim::Loop seen as a loop -----------------------------===//
#include "Loop.h"
using namespace tsc;

ValueList Loop::initialValues() const { return ValueList(llvm::drop_begin(loop.inputs(), 2)); }

bool Loop::isCounted() const { return constantBool(condition()) == true && constantBool(nextCondition()) == true; }

std::optional<int64_t> Loop::constantMaxTrips() const {
  auto trips = constantInt(maxTrips());
  return trips ? std::optional(std::max<int64_t>(*trips, 0)) : std::nullopt;
}

bool Loop::runsAtLeastOnce() const { return constantBool(condition()) == true && constantMaxTrips().value_or(0) > 0; }

unsigned tsc::countNodes(const Block &block, unsigned limit) {
  unsigned count = 0;
  for (const Node &node : block.nodes()) {
    if (++count >= limit)
      return limit;
    for (const Block &inner : node.blocks())
      if ((count += countNodes(inner, limit - count)) >= limit)
        return limit;
  }
  return count;
}

Trip tsc::copyTrip(const Loop &loop, Value *number, ArrayRef<Value *> carried) {
  assert(carried.size() == loop.numCarried() && "one value for each that the loop carries");
  assert((number || !loop.trip()->hasUses()) && "a trip that reads its number is given one");
  llvm::DenseMap<Value *, Value *> copies;
  copies[loop.trip()] = number;
  for (auto [parameter, value] : llvm::zip(llvm::drop_begin(loop.body().inputs()), carried))
    copies[parameter] = value;
  auto copyOf = [&](Value *value) {
    auto at = copies.find(value);
    return at == copies.end() ? value : at->second; // a value from around the loop stands for itself
  };
  Graph &graph = loop.node().graph();
  for (const Node &node : loop.body().nodes()) {
    Node *copy = graph.insertNodeHere(graph.copyNode(node, copyOf));
    for (auto [from, to] : llvm::zip(node.outputs(), copy->outputs()))
      copies[from] = to;
  }
  Trip trip{copyOf(loop.nextCondition()), {}};
  for (Value *next : llvm::drop_begin(loop.body().outputs()))
    trip.carried.push_back(copyOf(next));
  return trip;
}

Value *tsc::insertIntOp(Graph &graph, Symbol op, Value *a, Value *b, SourceRange range) {
  assert(a && b && "an operation on two integers");
  Node *node = graph.insertNodeHere(graph.create(op, {a, b}));
  node->setRange(range);
  return node->output()->setType(Type::intType());
}

void tsc::startTripsAt(const Loop &loop, Value *first) {
  assert(first && &first->graph() == &loop.node().graph() && "a number of the loop's graph");
  Graph &graph = loop.node().graph();
  Node *number = loop.body().prepend(graph.create(aten::add, {first, first}));
  number->setRange(loop.node().range());
  number->output()->setType(Type::intType());
  loop.trip()->replaceAllUsesWith(number->output());
  number->setInput(0, loop.trip());
}
