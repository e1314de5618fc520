//===- PythonMeaning.cpp - Operators that mean what Python means ----------===//
#include "tsc/IR/PythonMeaning.h"
#include "tsc/IR/Context.h"
#include "tsc/IR/Graph.h"
#include "tsc/IR/Operator.h"
using namespace tsc;

std::optional<PythonMeaning> tsc::pythonMeaningOf(OpKind plain) {
  switch (plain) {
#define PYTHON_MEANING(PLAIN, OP, AGREES)                                                                              \
  case OpKind::PLAIN: return PythonMeaning{OpKind::OP, PythonAgreement::AGREES};
#include "tsc/IR/OpFacts.inc"
  default: return std::nullopt;
  }
}

/// Returns the column `spelling` of an operator's record.
static llvm::StringRef columnSpelling(OpKind op) {
  switch (op) {
#define SPELLING(OP, NAME)                                                                                             \
  case OpKind::OP: return NAME;
#include "tsc/IR/OpFacts.inc"
  default: return {};
  }
}

bool tsc::hasPythonMeaning(Symbol kind) { return kind.ns() == "python" && !opRecordsNamed(kind.qualified()).empty(); }

llvm::StringRef tsc::spellingOf(Symbol kind) {
  return hasPythonMeaning(kind) ? columnSpelling(opRecordsNamed(kind.qualified()).front().kind) : kind.qualified();
}

bool tsc::meansPython(const Node &node) { return hasPythonMeaning(node.kind()); }

bool tsc::mayMeanPython(const Node &node) {
  return node.kind() == prim::Print ? node.numOutputs() == 0 : pythonMeaningOf(node.opKind()).has_value();
}

void tsc::setMeansPython(Node &node) {
  assert(mayMeanPython(node) && "Python has another meaning for it");
  if (node.kind() == prim::Print)
    return node.setKind(python::Print);
  Context &context = node.graph().context();
  const OpRecord &record = opRecord(pythonMeaningOf(node.opKind())->op);
  node.setKind(context.symbol(record.qualified));
  node.setOp(context.operators().find(record.qualified, record.overload)); // the overload that has been chosen
}
