//===- ProgramOrder.cpp - What may run before what ------------------------===//
#include "tsc/Analysis/ProgramOrder.h"
#include "llvm/ADT/STLExtras.h"
using namespace tsc;

ProgramOrder::ProgramOrder(const Graph &graph) : places(graph) { visit(graph.block(), 0); }

void ProgramOrder::visit(const Block &block, unsigned loop) {
  for (const Node &node : block.nodes()) {
    unsigned position = ++numPlaces;
    places[&node] = {position, loop};
    unsigned inner = loop;
    if (node.kind() == prim::Loop) {
      inner = loops.size();
      loops.push_back({loop, position, position});
      outermost.push_back(loop ? outermost[loop] : inner);
    }
    for (const Block &nested : node.blocks())
      visit(nested, inner);
    if (inner != loop)
      loops[inner].end = numPlaces + 1;
  }
}

unsigned ProgramOrder::latestBefore(const Node &node) const {
  Place place = places.lookup(&node);
  return place.loop ? loops[outermost[place.loop]].end : place.position;
}

bool ProgramOrder::anyBetween(llvm::ArrayRef<Node *> nodes, const Node &first, const Node &second) const {
  unsigned after = position(first), before = position(second);
  // A loop that holds the second only may have run its whole body before.
  for (unsigned loop = places.lookup(&second).loop; loop && loops[loop].begin > after; loop = loops[loop].outer)
    before = loops[loop].end;
  auto next = llvm::upper_bound(nodes, after,
                                [&](unsigned position, const Node *node) { return position < this->position(*node); });
  return next != nodes.end() && position(**next) < before;
}
