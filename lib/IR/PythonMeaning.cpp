//===- PythonMeaning.cpp - Nodes that mean what Python means --------------===//
#include "tsc/IR/PythonMeaning.h"
#include "tsc/IR/Context.h"
#include "tsc/IR/Graph.h"
using namespace tsc;

bool tsc::meansPython(const Node &node) {
  return !node.attributes().empty() && node.hasAttribute(node.graph().context().symbol("attr::python"));
}
void tsc::setMeansPython(Node &node) { node.setAttribute(node.graph().context().symbol("attr::python"), int64_t{1}); }
