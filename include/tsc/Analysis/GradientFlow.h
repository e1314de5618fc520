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

} // namespace tsc

#endif
