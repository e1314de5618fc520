//===- PythonMeaning.h - Nodes that mean what Python means ------*- C++ -*-===//
//
// PyTorch and Python give some operators on numbers, strings and dicts different
// meanings (docs/Python.md). Archives were made and tested with PyTorch's; source
// is read as Python, and its nodes say so by an attribute: aten::div[python=1].
// An operator that has only one meaning is never marked.
//
//===----------------------------------------------------------------------===//
#ifndef TSC_IR_PYTHONMEANING_H
#define TSC_IR_PYTHONMEANING_H

namespace tsc {

class Node;

/// Whether the node means what Python means, not what PyTorch means.
bool meansPython(const Node &node);
/// Marks the node so that it means what Python means.
void setMeansPython(Node &node);

} // namespace tsc

#endif
