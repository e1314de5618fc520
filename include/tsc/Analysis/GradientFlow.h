//===- GradientFlow.h - Where requires_grad comes from ----------*- C++ -*-===//
#ifndef TSC_ANALYSIS_GRADIENTFLOW_H
#define TSC_ANALYSIS_GRADIENTFLOW_H

#include "tsc/IR/OpFacts.h"
#include <cstdint>

namespace tsc {

class Context;
class Graph;
class Node;
class Value;

/// Returns the operands of a node through which gradients may flow, without those whose types say that they require
/// none. Of a node without a schema, such as passes insert, they are all tensors.
uint32_t gradientOperands(const Node &node);
/// Whether the value is a tensor that its node makes, with memory of its own or as a view, so that no other value is
/// the same tensor object.
bool isNewTensor(const Value *value);
/// Whether the node is requires_grad_ of a new tensor that nothing else reads. Setting the flag is then no write that
/// anybody could see: whoever reads the tensor reads the node's result.
bool makesLeaf(const Node &node);
/// Returns the operator that is called as an in-place operator without the underscore, and takes the same arguments in
/// the same order, or null. Unlike functionalFormOf() it finds forms that have records of their own.
const OpRecord *functionalNamesake(Context &context, const OpRecord &record);
/// Whether a node of the graph may switch grad mode, so that two runs of an operator may differ in it.
bool switchesGradMode(const Graph &graph);

/// Whether the node computes gradients or asks whether a tensor is a leaf, and so needs a tape when it runs.
bool asksForGradients(const Node &node);
/// Whether the node may make a tensor require a gradient. Where the program asks which tensors do, that needs a tape,
/// too: a write to one view makes its base and the other views require a gradient.
bool mayMakeLeaf(const Node &node);
/// Whether the node writes to a tensor for whose maker mayMakeLeaf() holds, or to a view of it, as far as the graph
/// shows. In grad mode such a write to a leaf is an error.
bool writesToLeaf(const Node &node);
/// Whether the node prints or formats values. The text of a tensor that requires a gradient names the operator that
/// made it.
bool showsValues(const Node &node);
/// Whether the node may compute gradients that can be differentiated in turn (create_graph=True).
bool mayCreateGraph(const Node &node);

} // namespace tsc

#endif
