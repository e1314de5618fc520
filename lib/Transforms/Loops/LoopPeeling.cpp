//===- LoopPeeling.cpp - Run the first trips of a loop ahead of it --------===//
//
// Purpose: what differs in the first trip only (an initial value that is None or
//          empty, a shape that settles after it) stands before the loop then, and
//          the loop itself can be specialized. A trip that surely takes place is
//          copied as it is; others become a loop of at most `trips` trips.
// Options: trips=1: trips that are taken off each loop.
//          max-size=512: nodes of a body that is still copied.
// Cost:    linear in the size of the result, at most (trips + 1) times the graph.
// Limits:  only innermost loops are peeled.
//
// Before:
//   graph(%x : Tensor):
//     %1 : bool = prim::Constant[value=1]()
//     %2 : int = prim::Constant[value=9]()
//     %3 : Tensor = prim::Loop(%2, %1, %x)
//       block0(%i : int, %5 : Tensor):
//         %6 : Tensor = aten::relu(%5)
//         -> (%1, %6)
//     return (%3)
// After:
//   graph(%x : Tensor):
//     %1 : bool = prim::Constant[value=1]()
//     %2 : int = prim::Constant[value=9]()
//     %7 : Tensor = aten::relu(%x)
//     %8 : int = prim::Constant[value=8]()
//     %3 : Tensor = prim::Loop(%8, %1, %7)
//       block0(%i : int, %5 : Tensor):
//         %6 : Tensor = aten::relu(%5)
//         -> (%1, %6)
//     return (%3)
//
//===----------------------------------------------------------------------===//
#include "Loop.h"
#include "tsc/Support/Logging.h"
#include "tsc/Support/Statistic.h"
#include "tsc/Transforms/Passes/Loops.h"
#define DEBUG_TYPE "peel-loops"
using namespace tsc;

TSC_STATISTIC(NumPeeled, "Loops whose first trips run ahead of them");

/// Copies `count` trips that surely take place; then the loop makes that many less.
static void peelCertainTrips(const Loop &loop, int64_t count) {
  Graph &graph = loop.node().graph();
  SourceRange range = loop.node().range();
  ValueList carried = loop.initialValues();
  for (int64_t i = 0; i != count; ++i) {
    Value *number = loop.trip()->hasUses() ? graph.insertConstant(i, range) : nullptr;
    carried = copyTrip(loop, number, carried).carried;
  }
  loop.node().setInput(0, graph.insertConstant(*loop.constantMaxTrips() - count, range));
  for (unsigned i = 0; i != loop.numCarried(); ++i)
    loop.node().setInput(i + 2, carried[i]);
  if (loop.trip()->hasUses())
    startTripsAt(loop, graph.insertConstant(count, range));
}

/// Inserts a loop of at most `count` trips that hands its condition on, and lets the loop go on from there.
static void peelPossibleTrips(const Loop &loop, int64_t count) {
  Graph &graph = loop.node().graph();
  SourceRange range = loop.node().range();
  Value *done = insertIntOp(graph, prim::min, loop.maxTrips(), graph.insertConstant(count, range), range);
  Node *first = graph.create(prim::Loop, {done, loop.condition(), loop.condition()}, 0);
  first->setRange(range);
  first->setScope(loop.node().scope());
  first->addOutput(Type::boolType());
  Block &body = first->addBlock();
  Value *number = body.addInput(loop.trip()->name(), Type::intType());
  body.addInput("", Type::boolType());
  ValueList carried;
  for (unsigned i = 0; i != loop.numCarried(); ++i) {
    Value *parameter = loop.body().inputs()[i + 1];
    first->addInput(loop.node().input(i + 2));
    first->addOutput(loop.node().output(i)->type());
    carried.push_back(body.addInput(parameter->name(), parameter->type()));
  }
  graph.insertNodeHere(first);
  Value *rest = insertIntOp(graph, aten::sub, loop.maxTrips(), done, range);
  graph.setInsertPoint(body);
  Trip trip = copyTrip(loop, number, carried);
  body.addOutput(trip.condition); // ends this loop, and
  body.addOutput(trip.condition); // says whether the other one starts
  for (Value *value : trip.carried)
    body.addOutput(value);
  loop.node().setInput(0, rest);
  for (unsigned i = 0; i != first->numOutputs(); ++i)
    loop.node().setInput(i + 1, first->output(i));
  if (loop.trip()->hasUses())
    startTripsAt(loop, done);
}

/// Whether a loop stands in the block, however deep.
static bool containsLoop(const Block &block) {
  return llvm::any_of(block.nodes(), [](const Node &node) {
    return node.kind() == prim::Loop || llvm::any_of(node.blocks(), containsLoop);
  });
}

Status LoopPeeling::configure(const PassOptions &options) {
  TSC_RETURN_IF_ERROR(rejectOptionsBut({"trips", "max-size"}, options));
  TSC_RETURN_IF_ERROR(readOption(options, "trips", 1, trips));
  trips = std::min<int64_t>(trips, 64);
  return readOption(options, "max-size", 0, maxSize);
}

/// Why the loop stays as it is; null when its first trips can run ahead of it.
static const char *whyNot(const Node &loop, int64_t maxSize) {
  if (countNodes(loop.block(0), maxSize + 1) > maxSize)
    return "not peeled: its body is too large";
  return containsLoop(loop.block(0)) ? "not peeled: there is a loop in it" : nullptr;
}

PreservedAnalyses LoopPeeling::run(Graph &graph, AnalysisManager &analyses) {
  llvm::SmallVector<Node *> loops;
  graph.walk([&](Node &node) {
    if (node.kind() != prim::Loop)
      return;
    if (const char *obstacle = whyNot(node, maxSize))
      analyses.remarks().missed(node, obstacle);
    else
      loops.push_back(&node);
  });
  InsertPointGuard guard(graph);
  bool changed = false;
  for (Node *node : loops) {
    if (!TSC_OPT_ALLOWED)
      break;
    TSC_GRAPH_UPDATE("peeling " << trips << " trips off a loop");
    analyses.remarks().done(*node, llvm::Twine("first trips run ahead of it: ") + llvm::Twine(trips));
    Loop loop(*node);
    graph.setInsertPoint(node);
    if (loop.isCounted() && loop.constantMaxTrips().value_or(0) >= trips)
      peelCertainTrips(loop, trips);
    else
      peelPossibleTrips(loop, trips);
    ++NumPeeled;
    changed = true;
  }
  return PreservedAnalyses::allUnless(changed);
}
