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

/// Writes graphs in the language of Graphviz: a box a node, a frame around each block, branch and fusion group, and an
/// edge for each use, labelled with the type of the value. Constants are written into the boxes of their users.
void writeDot(llvm::raw_ostream &os, llvm::ArrayRef<std::unique_ptr<Graph>> graphs);

/// The same as a picture that any browser shows, by a layout of our own: nodes in their order from top to bottom,
/// blocks as boxes within the box of their node, and uses as curves on the left.
void writeSvg(llvm::raw_ostream &os, llvm::ArrayRef<std::unique_ptr<Graph>> graphs);

} // namespace tsc

#endif
