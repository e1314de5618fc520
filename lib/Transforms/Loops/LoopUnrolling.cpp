//===- LoopUnrolling.cpp - Several trips in one ---------------------------===//
//
// Purpose: fewer branches, and more for the other passes to see at once. A loop
//          that only its trip count ends is replaced by copies of its body when
//          the count is a small constant; otherwise by a loop that makes
//          `max-trip` trips in one, and a second one for the trips that remain.
//
// Better: constants are not copied, the trip number is computed from the new
//         loop's own, and what is known of the count is used: no second loop for
//         a constant count, no loop at all where one trip of it would do.
// Options: max-trip=8: copies of the body in one trip of the new loop.
//          max-size=32: nodes of a body that is still copied. pointwise: only
//          bodies of point-wise operators on tensors, which a fuser makes one
//          kernel of; all copies together have at most `max-size` of them.
//          appending: only loops of a known count that append to lists, name entries of
//          dicts by what they count through, or ask for gradients, and wholly, so that
//          these are known.
// Cost:   linear in the size of the result, which is bounded: a body has at most
//         `max-size` nodes before, and a loop with all inside at most 2048 after.
// Limits: loops that a condition may end stay as they are; no trip is taken off
//         the front of a loop (peel-loops does that).
//
// Before:
//   graph(%x : Tensor):
//     %1 : bool = prim::Constant[value=1]()
//     %2 : int = prim::Constant[value=2]()
//     %3 : Tensor = prim::Loop(%2, %1, %x)
//       block0(%i : int, %5 : Tensor):
//         %6 : Tensor = aten::mul(%5, %i)
//         -> (%1, %6)
//     return (%3)
// After:
//   graph(%x : Tensor):
//     %1 : bool = prim::Constant[value=1]()
//     %2 : int = prim::Constant[value=2]()
//     %7 : int = prim::Constant[value=0]()
//     %8 : int = prim::Constant[value=1]()
//     %9 : Tensor = aten::mul(%x, %7)
//     %10 : Tensor = aten::mul(%9, %8)
//     return (%10)
//
//===----------------------------------------------------------------------===//
#include "Loop.h"
#include "tsc/IR/OpFacts.h"
#include "tsc/Support/Logging.h"
#include "tsc/Support/Statistic.h"
#include "tsc/Transforms/FusionRoles.h"
#include "tsc/Transforms/Passes/Loops.h"
#include "tsc/Transforms/Passes/Mutation.h"
#include <limits>
#define DEBUG_TYPE "unroll"
using namespace tsc;

TSC_STATISTIC(NumUnrolled, "Loops replaced by copies of their body");
TSC_STATISTIC(NumPartial, "Loops that make several trips in one");

/// Nodes that an unrolled loop may have, with all loops inside it unrolled too.
static constexpr unsigned maxResult = 2048;

namespace {

/// Sizes of a block before and after its loops were unrolled.
struct Size {
  unsigned before = 0, after = 0;
};

class Unroller {
public:
  Unroller(Graph &graph, int64_t maxTrip, int64_t maxSize, bool pointwise, bool appending, const Remarks &remarks)
      : graph(graph), maxTrip(maxTrip), maxSize(maxSize), pointwise(pointwise), appending(appending), remarks(remarks) {
  }

  /// Inner loops first; what is inserted is not looked at again.
  Size visit(Block &block) {
    Size size;
    for (Node &node : llvm::make_early_inc_range(block.nodes())) {
      Size inner{1, 1};
      for (Block &child : node.blocks()) {
        Size part = visit(child);
        inner.before += part.before;
        inner.after += part.after;
      }
      if (node.kind() == prim::Loop)
        inner.after = unroll(node, inner);
      size.before += inner.before;
      size.after += inner.after;
    }
    return size;
  }
  bool changed = false;

private:
  unsigned unroll(Node &node, Size size);
  std::optional<int64_t> chooseFactor(const Loop &loop) const;
  void unrollWholly(Loop loop, int64_t trips);
  void unrollPartly(Loop loop, int64_t factor);
  Value *constant(int64_t number, const Loop &loop) { return graph.insertConstant(number, loop.node().range()); }
  Value *compute(Symbol op, Value *a, Value *b, const Loop &loop) {
    return insertIntOp(graph, op, a, b, loop.node().range());
  }
  Loop insertLoop(const Loop &like, Value *trips, ArrayRef<Value *> initial);
  static void replaceAndErase(const Loop &loop, ArrayRef<Value *> results);

  Graph &graph;
  const int64_t maxTrip, maxSize;
  const bool pointwise, appending;
  const Remarks &remarks;
};

} // namespace

/// Constants need not be copied with the body.
static void moveConstantsOut(const Loop &loop) {
  for (Node &node : llvm::make_early_inc_range(loop.body().nodes()))
    if (node.kind() == prim::Constant)
      node.moveBefore(&loop.node());
}

/// Operators in a body that has no others than point-wise ones on tensors.
static std::optional<unsigned> countPointwise(const Block &body) {
  unsigned count = 0;
  for (const Node &node : body.nodes()) {
    FusionRole role = fusionRole(node);
    bool computes = (role == FusionRole::Pointwise || role == FusionRole::Cast) && node.output()->type()->isTensor();
    if (!computes && node.kind() != prim::Constant)
      return std::nullopt;
    count += computes;
  }
  return count ? std::optional(count) : std::nullopt;
}

static bool appends(const Block &body) {
  return llvm::any_of(body.nodes(), [](const Node &node) { return listEdit(node.opKind()) == ListEdit::Append; });
}

/// Whether keys of dicts, or what is differentiated, are known in a copy of the body only.
static bool namesEntries(const Block &body) {
  return llvm::any_of(body.nodes(), [](const Node &node) {
    const bool hasKey =
        isDictLoad(node) || isDictStore(node) || isDictRemoval(node) || node.kind() == aten::__contains__;
    return (hasKey && !isConstant(node.input(1))) || node.opKind() == OpKind::Aten_grad ||
           llvm::any_of(node.blocks(), namesEntries);
  });
}

/// Copies of the body in one trip of the new loop, 1 at least; nothing when the loop is none that is asked for.
std::optional<int64_t> Unroller::chooseFactor(const Loop &loop) const {
  if (appending &&
      (loop.constantMaxTrips().value_or(maxTrip + 1) > maxTrip || !(appends(loop.body()) || namesEntries(loop.body()))))
    return std::nullopt;
  if (!pointwise)
    return maxTrip;
  auto operators = countPointwise(loop.body());
  return operators ? std::optional(std::clamp<int64_t>(maxSize / *operators, 1, maxTrip)) : std::nullopt;
}

/// Unrolls the loop if it is worth it. Returns the number of nodes that stand in its place.
unsigned Unroller::unroll(Node &node, Size size) {
  Loop loop(node);
  std::optional<int64_t> chosen = chooseFactor(loop);
  if (!chosen)
    return size.after;
  int64_t factor = *chosen;
  std::optional<int64_t> trips = loop.constantMaxTrips();
  if (!loop.isCounted() || size.before > maxSize + 1 || trips == std::numeric_limits<int64_t>::max()) {
    remarks.missed(node, loop.isCounted() && trips != std::numeric_limits<int64_t>::max()
                             ? "not unrolled: its body has " + llvm::Twine(size.before - 1) + " nodes, more than " +
                                   llvm::Twine(maxSize)
                             : llvm::Twine("not unrolled: its condition decides how many trips it makes"));
    return size.after;
  }
  bool wholly = trips && *trips < 2 * factor; // else the new loop would make one trip
  uint64_t copies = wholly ? *trips : trips ? factor + *trips % factor : factor + 1;
  uint64_t result = copies * size.after;
  if (result > maxResult)
    remarks.missed(node, "not unrolled: " + llvm::Twine(result) + " nodes would stand in its place");
  else if (!wholly && factor < maxTrip && factor < 2)
    remarks.missed(node, "not unrolled: two copies of its operators would be more than " + llvm::Twine(maxSize));
  if (result > maxResult || (!wholly && factor < 2) || !TSC_OPT_ALLOWED)
    return size.after;
  InsertPointGuard guard(graph);
  graph.setInsertPoint(&node);
  moveConstantsOut(loop);
  if (wholly)
    remarks.done(node, "of " + llvm::Twine(*trips) + " trips unrolled wholly");
  else
    remarks.done(node, "unrolled " + llvm::Twine(factor) + " times");
  TSC_GRAPH_UPDATE("unrolling a loop " << (wholly ? "wholly" : "partly"));
  wholly ? unrollWholly(loop, *trips) : unrollPartly(loop, factor);
  changed = true;
  return result;
}

void Unroller::replaceAndErase(const Loop &loop, ArrayRef<Value *> results) {
  for (auto [output, result] : llvm::zip(loop.node().outputs(), results))
    output->replaceAllUsesWith(result);
  loop.node().erase();
}

void Unroller::unrollWholly(Loop loop, int64_t trips) {
  llvm::SmallVector<Value *, 8> numbers(trips, nullptr);
  if (loop.trip()->hasUses())
    for (auto [i, number] : llvm::enumerate(numbers))
      number = constant(i, loop);
  ValueList carried = loop.initialValues();
  for (Value *number : numbers)
    carried = copyTrip(loop, number, carried).carried;
  replaceAndErase(loop, carried);
  ++NumUnrolled;
}

/// A loop of `trips` trips with the carried values of `like` and an empty body.
Loop Unroller::insertLoop(const Loop &like, Value *trips, ArrayRef<Value *> initial) {
  Node *node = graph.create(prim::Loop, {trips, like.condition()}, 0);
  for (Value *value : initial)
    node->addInput(value);
  node->setRange(like.node().range());
  node->setScope(like.node().scope());
  Block &body = node->addBlock();
  body.addInput("", Type::intType())->setName(like.trip()->name());
  for (unsigned i = 0; i != like.numCarried(); ++i) {
    Value *parameter = like.body().inputs()[i + 1];
    body.addInput(parameter->name(), parameter->type());
    node->addOutput(like.node().output(i)->type());
  }
  return Loop(*graph.insertNodeHere(node));
}

/// Loop(n) { body } becomes Loop(n / f) { body × f } and, for the remaining n % f trips, Loop(n - n / f * f) { body }.
void Unroller::unrollPartly(Loop loop, int64_t factor) {
  std::optional<int64_t> trips = loop.constantMaxTrips();
  Value *factorValue = constant(factor, loop);
  Value *mainTrips = trips ? constant(*trips / factor, loop)
                           : compute(aten::__round_to_zero_floordiv, loop.maxTrips(), factorValue, loop);
  bool usesTrip = loop.trip()->hasUses();
  llvm::SmallVector<Value *, 8> offsets(factor, nullptr);
  if (usesTrip)
    for (int64_t i = 1; i != factor; ++i)
      offsets[i] = constant(i, loop);
  Value *done = trips ? nullptr : compute(aten::mul, mainTrips, factorValue, loop);
  Value *rest = trips ? nullptr : compute(aten::sub, loop.maxTrips(), done, loop);

  Loop main = insertLoop(loop, mainTrips, loop.initialValues());
  graph.setInsertPoint(main.body());
  Value *first = usesTrip ? compute(aten::mul, main.trip(), factorValue, loop) : nullptr;
  ValueList carried(llvm::drop_begin(main.body().inputs()));
  for (int64_t i = 0; i != factor; ++i)
    carried = copyTrip(loop, i && usesTrip ? compute(aten::add, first, offsets[i], loop) : first, carried).carried;
  main.body().addOutput(loop.nextCondition());
  for (Value *value : carried)
    main.body().addOutput(value);
  ++NumPartial;

  graph.setInsertPoint(&loop.node());
  if (trips) { // what remains is known too
    carried.assign(main.node().outputs().begin(), main.node().outputs().end());
    for (int64_t number = *trips - *trips % factor; number != *trips; ++number)
      carried = copyTrip(loop, usesTrip ? constant(number, loop) : nullptr, carried).carried;
    return replaceAndErase(loop, carried);
  }
  loop.node().setInput(0, rest);
  for (unsigned i = 0; i != loop.numCarried(); ++i)
    loop.node().setInput(i + 2, main.node().output(i));
  if (usesTrip)
    startTripsAt(loop, done);
}

Status LoopUnrolling::configure(const PassOptions &options) {
  TSC_RETURN_IF_ERROR(rejectOptionsBut({"max-trip", "max-size", "pointwise", "appending"}, options));
  TSC_RETURN_IF_ERROR(readOption(options, "max-trip", 1, maxTrip));
  TSC_RETURN_IF_ERROR(readOption(options, "pointwise", pointwise));
  TSC_RETURN_IF_ERROR(readOption(options, "appending", appending));
  return readOption(options, "max-size", 0, maxSize);
}

PreservedAnalyses LoopUnrolling::run(Graph &graph, AnalysisManager &analyses) {
  Unroller unroller(graph, std::min<int64_t>(maxTrip, maxResult), std::min<int64_t>(maxSize, maxResult), pointwise,
                    appending, analyses.remarks());
  unroller.visit(graph.block());
  return PreservedAnalyses::allUnless(unroller.changed);
}
