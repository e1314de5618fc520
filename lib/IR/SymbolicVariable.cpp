//===- SymbolicVariable.cpp - Graphs written as expressions ---------------===//
#include "tsc/IR/SymbolicVariable.h"
#include "tsc/IR/Context.h"
using namespace tsc;
using detail::BinaryOp;

static Symbol symbolOf(BinaryOp op) {
  switch (op) {
  case BinaryOp::Add: return aten::add;
  case BinaryOp::Sub: return aten::sub;
  case BinaryOp::Mul: return aten::mul;
  case BinaryOp::Div: return aten::div;
  case BinaryOp::Remainder: return aten::remainder;
  case BinaryOp::And: return aten::__and__;
  case BinaryOp::Or: return aten::__or__;
  case BinaryOp::Xor: return aten::__xor__;
  case BinaryOp::Lt: return aten::lt;
  case BinaryOp::Le: return aten::le;
  case BinaryOp::Gt: return aten::gt;
  case BinaryOp::Ge: return aten::ge;
  case BinaryOp::Eq: return aten::eq;
  case BinaryOp::Ne: return aten::ne;
  }
  llvm_unreachable("all operators are listed");
}

/// The operator that gives the same when its operands change places, if there is one.
static std::optional<BinaryOp> mirrored(BinaryOp op) {
  switch (op) {
  case BinaryOp::Add:
  case BinaryOp::Mul:
  case BinaryOp::Eq:
  case BinaryOp::Ne:
  case BinaryOp::And:
  case BinaryOp::Or:
  case BinaryOp::Xor: return op;
  case BinaryOp::Lt: return BinaryOp::Gt;
  case BinaryOp::Le: return BinaryOp::Ge;
  case BinaryOp::Gt: return BinaryOp::Lt;
  case BinaryOp::Ge: return BinaryOp::Le;
  case BinaryOp::Sub:
  case BinaryOp::Div:
  case BinaryOp::Remainder: return std::nullopt;
  }
  llvm_unreachable("all operators are listed");
}

SymbolicVariable detail::insertBinary(BinaryOp op, Value *left, Value *right) {
  return left->node()->graph().insert(symbolOf(op), {left, right});
}

SymbolicVariable detail::insertBinary(BinaryOp op, Value *left, const IValue &right) {
  return left->node()->graph().insert(symbolOf(op), {left, right});
}

SymbolicVariable detail::insertBinary(BinaryOp op, const IValue &left, Value *right) {
  if (!right->type()->isTensor())
    return insertBinary(op, right->node()->graph().insertConstant(left), right);
  if (std::optional<BinaryOp> other = mirrored(op))
    return insertBinary(*other, right, left);
  SymbolicVariable tensor(right);
  if (op == BinaryOp::Sub)
    return tensor.call(aten::rsub, {left});
  if (op == BinaryOp::Div)
    return insertBinary(BinaryOp::Mul, tensor.call(aten::reciprocal).value(), left);
  return right->node()->graph().insert(symbolOf(op), {left, right}); // aten::remainder takes a number first
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
