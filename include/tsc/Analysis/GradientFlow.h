//===- GradientFlow.h - Where requires_grad comes from ----------*- C++ -*-===//
#ifndef TSC_ANALYSIS_GRADIENTFLOW_H
#define TSC_ANALYSIS_GRADIENTFLOW_H

#include <cstdint>

namespace tsc {

class Context;
class FunctionSchema;
class Graph;
class Node;
class Value;
struct OpRecord;

/// The operands, one bit each, of which one that requires a gradient makes the results require one in grad mode: those
/// that are tensors, or lists of them. 0 for an operator that takes no part in differentiation.
uint32_t gradientOperands(const OpRecord &record, const FunctionSchema &schema);
/// The same of a node, without operands whose types say that they require none; of a node that a pass inserts and that
/// no record describes, all tensors.
uint32_t gradientOperands(const Node &node);
/// Whether each tensor that the value is was made by the node that defines it, as memory of its own or as a view, so
/// that no other value is the same tensor.
bool isNewTensor(const Value *value);
/// Whether the node is requires_grad_ of a new tensor that nothing else reads. The flag is then no write: what reads
/// the tensor reads it as the node returns it.
bool makesLeaf(const Node &node);
/// The operator of the same name without the underscore that gives what this one writes to its first operand, of the
/// same operands in the same order; null when there is none. (functionalFormOf knows those that one record describes.)
const OpRecord *functionalNamesake(Context &context, const OpRecord &record);
/// Whether something in the graph may switch grad mode, so that two calls of an operator may differ in it.
bool switchesGradMode(const Graph &graph);

} // namespace tsc

#endif
