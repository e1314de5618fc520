//===- GraphView.h - Graphs as pictures -------------------------*- C++ -*-===//
#ifndef TSC_IR_GRAPHVIEW_H
#define TSC_IR_GRAPHVIEW_H

#include "llvm/ADT/ArrayRef.h"
#include <memory>

namespace llvm {
class raw_ostream;
}

namespace tsc {

class Graph;

/// Writes graphs in the language of Graphviz: one box for each node, a frame around each block and subgraph, and an
/// edge for each use, labelled with the value's type. Constants are written into the boxes of their users.
void writeDot(llvm::raw_ostream &os, llvm::ArrayRef<std::unique_ptr<Graph>> graphs);

/// Writes graphs as an SVG picture that any browser shows, laid out without Graphviz: nodes stand in their order from
/// top to bottom, blocks are boxes within the box of their node, and uses are curves on the left.
void writeSvg(llvm::raw_ostream &os, llvm::ArrayRef<std::unique_ptr<Graph>> graphs);

} // namespace tsc

#endif
