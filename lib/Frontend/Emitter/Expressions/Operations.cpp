//===- Operations.cpp - Operators between values --------------------------===//
//
// `-x` and `a + b`. `and` and `or` are in ShortCircuits.cpp.
//
//===----------------------------------------------------------------------===//
#include "Operations.h"
#include "../../SugaredValues/Values.h"
#include "../Calls.h"
#include "../Calls/FunctionCalls.h"
#include "../Expressions.h"
#include "../FunctionContext.h"
#include "../SizeLimits.h"
#include "Conditions.h"
#include "PythonOperators.h"
#include "Subscripts.h"
#include "tsc/IR/PythonMeaning.h"
#include "llvm/Support/SaveAndRestore.h"

using namespace tsc;

Symbol tsc::operatorOf(TreeOp op) {
  switch (op) {
#define LANGUAGE_OPERATOR(tree, op, uses)                                                                              \
  case TreeOp::tree: return op;
#include "../../Library.def"
  default: return Symbol();
  }
}

Value *tsc::emitUnary(FunctionContext &fn, const UnaryOp &tree) {
  if (tree.op() == TreeOp::Not)
    return emitCondition(fn, &tree).value;
  Value *operand = emitExpr(fn, tree.operand());
  if (!operand)
    return nullptr;
  const bool isInt = operand->type()->isInt() || operand->type()->isBool();
  if (operand->type()->isBool() && fn.resolver.followsPython())
    operand = callBuiltin(fn, tree.range(), aten::Int, {operand});
  if (tree.op() == TreeOp::Plus && !llvm::isa<ClassType>(operand->type())) {
    const Type *type = operand->type();
    bool isNumber = isInt || type->isFloat() || type->isComplex() || type->isNumber() || type->isTensor();
    return isNumber ? operand : fn.error(tree.range(), diag::NoUnaryOperator, "+", type->annotation());
  }
  if (tree.op() == TreeOp::Invert && isInt) { // ~n is -n - 1
    Value *negated = callBuiltin(fn, tree.range(), operatorOf(TreeOp::Neg), {operand});
    return callBuiltin(fn, tree.range(), operatorOf(TreeOp::Sub), {negated, fn.constant(int64_t{1}, tree.range())});
  }
  return callMagic(fn, tree.range(), treeOpMethod(tree.op()), operatorOf(tree.op()), {operand});
}

Value *tsc::emitBinary(FunctionContext &fn, const BinOp &tree) {
  Value *lhs = emitExpr(fn, tree.lhs());
  Value *rhs = lhs ? emitExpr(fn, tree.rhs()) : nullptr;
  return rhs ? emitBinaryOn(fn, tree.op(), lhs, rhs, tree.range()) : nullptr;
}

/// A number on the left of a tensor: TorchScript writes `2 - x` as `-x + 2`, where Python has an operator of its own,
/// and turns comparisons around. Null when the operator has overloads of its own for that, or an error was reported.
static Value *emitNumberWithTensor(FunctionContext &fn, TreeOp op, Value *number, Value *tensor, SourceRange range) {
  auto call = [&](Symbol name, std::initializer_list<Value *> args) { return callBuiltin(fn, range, name, args); };
  switch (op) {
  case TreeOp::Add:
  case TreeOp::Mul: return call(operatorOf(op), {tensor, number});
  case TreeOp::Sub: {
    if (fn.resolver.followsPython())
      return call(aten::rsub, {tensor, number});
    Value *negated = call(aten::neg, {tensor});
    return negated ? call(aten::add, {negated, number}) : nullptr;
  }
  case TreeOp::Div: {
    Value *inverse = call(fn.context().symbol("aten::reciprocal"), {tensor});
    return inverse ? call(aten::mul, {inverse, number}) : nullptr;
  }
  case TreeOp::Mod: return fn.resolver.followsPython() ? call(aten::remainder, {number, tensor}) : nullptr;
  case TreeOp::FloorDiv: { // of as many numbers: no overload takes one on the left
    if (!fn.resolver.followsPython())
      return nullptr;
    Value *ones = call(fn.context().symbol("aten::ones_like"), {tensor});
    Value *numbers = ones ? call(aten::mul, {ones, number}) : nullptr;
    return numbers ? call(fn.context().symbol("aten::floor_divide"), {numbers, tensor}) : nullptr;
  }
  case TreeOp::BitAnd:
  case TreeOp::BitOr:
  case TreeOp::BitXor: // TorchScript makes an int of the tensor
    return fn.resolver.followsPython() && number->type()->isInt() ? call(operatorOf(op), {tensor, number}) : nullptr;
  case TreeOp::ShiftLeft:
  case TreeOp::ShiftRight:
    return fn.resolver.followsPython() && number->type()->isInt()
               ? call(fn.context().symbol(op == TreeOp::ShiftLeft ? "aten::bitwise_left_shift"
                                                                  : "aten::bitwise_right_shift"),
                      {number, tensor})
               : nullptr;
  case TreeOp::Eq:
  case TreeOp::Ne:
  case TreeOp::Lt:
  case TreeOp::Le:
  case TreeOp::Gt:
  case TreeOp::Ge: return call(operatorOf(mirroredOp(op)), {tensor, number});
  default: return nullptr;
  }
}

/// `part in text`
static Value *emitSubstringTest(FunctionContext &fn, Value *text, Value *part, SourceRange range) {
  Value *place = callBuiltin(fn, range, fn.context().symbol("aten::find"),
                             {text, part, fn.constant(int64_t{0}, range), callBuiltin(fn, range, aten::len, {text})});
  return callBuiltin(fn, range, aten::ne, {place, fn.constant(int64_t{-1}, range)});
}

/// `a + b` of tuples: the elements of both. Named tuples lose their names, as in Python.
static Value *emitJoinedTuple(FunctionContext &fn, ArrayRef<Value *> tuples, SourceRange range) {
  llvm::SmallVector<Value *, 8> parts;
  for (Value *tuple : tuples) {
    Node *unpack = fn.insertNode(prim::TupleUnpack, {tuple}, 0, range);
    for (const Type *element : llvm::cast<TupleType>(tuple->type())->elements())
      parts.push_back(unpack->addOutput(element));
    if (parts.size() > maxParts)
      return fn.error(range, diag::TypeTooLarge, "tuple");
  }
  return fn.makeTuple(parts, range);
}

/// `t * n` and `n * t` with a tuple and a number that is known: the elements that many times. Null for others.
static Value *emitRepeatedTuple(FunctionContext &fn, Value *lhs, Value *rhs, SourceRange range) {
  Value *tuple = llvm::isa<TupleType>(lhs->type()) ? lhs : rhs, *times = tuple == lhs ? rhs : lhs;
  std::optional<int64_t> count = constantIndex(fn, times);
  if (times->type()->isBool())
    if (auto known = constantValue(times))
      count = known->toBool();
  if (!llvm::isa<TupleType>(tuple->type()) || !(times->type()->isInt() || times->type()->isBool()) || !count)
    return nullptr;
  return emitJoinedTuple(fn, std::vector<Value *>(std::clamp<int64_t>(*count, 0, maxParts + 1), tuple), range);
}

Value *tsc::emitBinaryOn(FunctionContext &fn, TreeOp op, Value *lhs, Value *rhs, SourceRange range) {
  llvm::SaveAndRestore<StringRef> spelled(fn.spelling, treeOpSpelling(op));
  if (fn.resolver.followsPython() && !fn.resolver.isPrinted())
    if (std::optional<Value *> result = emitPythonBinary(fn, op, lhs, rhs, range))
      return *result;
  if (op == TreeOp::Add && llvm::isa<TupleType>(lhs->type()) && llvm::isa<TupleType>(rhs->type()))
    return emitJoinedTuple(fn, {lhs, rhs}, range);
  if (op == TreeOp::Mul)
    if (Value *tuple = emitRepeatedTuple(fn, lhs, rhs, range))
      return tuple;
  if (rhs->type()->isTensor() && (lhs->type()->isSubtypeOf(Type::numberType()) || lhs->type()->isNumber()))
    if (Value *result = emitNumberWithTensor(fn, op, lhs, rhs, range))
      return result;
  if (op == TreeOp::In || op == TreeOp::NotIn) {
    if (ModuleInfo *module = fn.compiler.moduleInfo(rhs->type()); module && module->isDict)
      if (auto key = constantValue(lhs); key && key->isString())
        return fn.constant(llvm::is_contained(module->children, key->toString()) == (op == TreeOp::In), range);
    Value *found = rhs->type()->isString() && lhs->type()->isString()
                       ? emitSubstringTest(fn, rhs, lhs, range)
                       : callMagic(fn, range, "__contains__", aten::__contains__, {rhs, lhs});
    return found && op == TreeOp::NotIn ? callBuiltin(fn, range, aten::__not__, {found}) : found;
  }
  if (op == TreeOp::Mod && lhs->type()->isString()) {
    std::vector<NamedValue> args{lhs};
    auto *tuple = llvm::dyn_cast<TupleType>(rhs->type());
    // The operator takes a tuple alone apart, and one within another one stays whole.
    if (tuple && !(tuple->elements().size() == 1 && llvm::isa<TupleType>(tuple->elements()[0]))) {
      Node *unpack = fn.insertNode(prim::TupleUnpack, {rhs}, 0, range);
      for (const Type *element : tuple->elements())
        args.push_back(unpack->addOutput(element));
    } else {
      args.push_back(rhs);
    }
    return callBuiltin(fn, range, aten::percentFormat, args);
  }
  if (op == TreeOp::FloorDiv && lhs->type()->isTensor())
    return callBuiltin(fn, range, fn.context().symbol("aten::floor_divide"), {lhs, rhs});
  Value *result = callMagic(fn, range, treeOpMethod(op), operatorOf(op), {lhs, rhs});
  return result && op == TreeOp::Pow ? asPythonPower(fn, result) : result;
}

Value *tsc::asPythonPower(FunctionContext &fn, Value *power) {
  Node &node = *power->node();
  if (!fn.resolver.followsPython() || node.opKind() != OpKind::Aten_pow_int)
    return power;
  auto exponent = constantValue(node.input(1));
  if (node.input(1)->node()->kind() == aten::neg || (exponent && exponent->toInt() < 0))
    return power;
  setMeansPython(node);
  return power->setType(Type::intType());
}
