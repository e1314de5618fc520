//===- GraphView.h - Graphs as pictures, and nodes as text ------*- C++ -*-===//
#ifndef TSC_IR_GRAPHVIEW_H
#define TSC_IR_GRAPHVIEW_H

#include "llvm/ADT/ArrayRef.h"
#include <memory>

namespace llvm {
class raw_ostream;
}

namespace tsc {

class Graph;
class Node;

/// Writes graphs in the language of Graphviz: one box for each node, a frame around each block and subgraph, and an
/// edge for each use, labelled with the value's type. Constants are written into the boxes of their users.
void writeDot(llvm::raw_ostream &os, llvm::ArrayRef<std::unique_ptr<Graph>> graphs);

/// Writes graphs as an SVG picture that any browser shows, laid out without Graphviz: nodes stand in their order from
/// top to bottom, blocks are boxes within the box of their node, and uses are curves on the left.
void writeSvg(llvm::raw_ostream &os, llvm::ArrayRef<std::unique_ptr<Graph>> graphs);

/// Writes one node with its blocks, as Graph::print() writes it, without indentation. Of a subgraph it writes the name
/// alone.
void printNode(llvm::raw_ostream &os, const Node &node, bool withRanges);

} // namespace tsc

#endif
