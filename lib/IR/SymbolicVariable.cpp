//===- SymbolicVariable.cpp - Graphs written as expressions ---------------===//
#include "tsc/IR/SymbolicVariable.h"
#include "tsc/IR/Context.h"
using namespace tsc;

SymbolicVariable detail::insertBinary(Symbol op, Value *left, Value *right) {
  return left->node()->graph().insert(op, {left, right});
}

SymbolicVariable detail::insertBinary(Symbol op, Value *left, const IValue &right) {
  return left->node()->graph().insert(op, {left, right});
}

SymbolicVariable detail::insertReversed(Symbol op, Symbol reversed, const IValue &left, Value *right) {
  Graph &graph = right->node()->graph();
  if (!right->type()->isTensor())
    return insertBinary(op, graph.insertConstant(left), right);
  return reversed ? insertBinary(reversed, right, left) : SymbolicVariable(graph.insert(op, {left, right}));
}

SymbolicVariable SymbolicVariable::call(Symbol op, ArrayRef<NamedValue> further, ArrayRef<NamedValue> keywords) const {
  std::vector<NamedValue> arguments{node};
  arguments.insert(arguments.end(), further.begin(), further.end());
  return graph().insert(op, arguments, keywords);
}

SymbolicVariable SymbolicVariable::call(StringRef op, ArrayRef<NamedValue> further,
                                        ArrayRef<NamedValue> keywords) const {
  return call(graph().context().symbol(op), further, keywords);
}

llvm::SmallVector<SymbolicVariable, 4> SymbolicVariable::chunk(unsigned pieces, int64_t dim) const {
  SymbolicVariable list = call(aten::chunk, {int64_t(pieces), dim});
  Node *unpack = graph().insertNodeHere(graph().create(prim::ListUnpack, {list.value()}, pieces));
  llvm::SmallVector<SymbolicVariable, 4> results;
  for (Value *piece : unpack->outputs())
    results.push_back(piece);
  return results;
}

/// `op([parts...], dim)`
static SymbolicVariable join(Symbol op, ArrayRef<SymbolicVariable> parts, int64_t dim) {
  assert(!parts.empty() && "there is something to join");
  Graph &graph = parts.front().graph();
  llvm::SmallVector<Value *, 4> values(parts.begin(), parts.end());
  Node *list = graph.insertNodeHere(graph.create(prim::ListConstruct, values));
  list->output()->setType(graph.context().listOf(Type::tensorType()));
  return SymbolicVariable(list->output()).call(op, {dim});
}

SymbolicVariable SymbolicVariable::cat(ArrayRef<SymbolicVariable> parts, int64_t dim) {
  return join(aten::cat, parts, dim);
}
SymbolicVariable SymbolicVariable::stack(ArrayRef<SymbolicVariable> parts, int64_t dim) {
  return join(aten::stack, parts, dim);
}
