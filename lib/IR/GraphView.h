//===- GraphView.h - What the writers of pictures share -------------------===//
#ifndef TSC_LIB_IR_GRAPHVIEW_H
#define TSC_LIB_IR_GRAPHVIEW_H

#include "tsc/IR/Graph.h"

namespace tsc::view {

/// Whether the node is written into its users' boxes.
bool isInlined(const Node &node);
/// "aten::relu", with attributes, and with the constants among its operands: "aten::add(·, ·, 1)".
std::string labelOf(const Node &node);
/// Graphs that the node holds as attributes: fusion groups, forks, differentiable graphs.
std::vector<std::shared_ptr<Graph>> subgraphsOf(const Node &node);

} // namespace tsc::view

#endif
