//===- Operations.cpp - Operators between values, format strings ----------===//
//
// `-x`, `a + b`, `a if c else b` and f"{x}". `and` and `or` are in Conditions.cpp.
//
//===----------------------------------------------------------------------===//
#include "../SugaredValues/Values.h"
#include "FunctionEmitter.h"
#include "SizeLimits.h"
#include "TypeExpressions.h"
#include "tsc/IR/PythonMeaning.h"
#include "tsc/IR/SchemaMatching.h"
#include "llvm/Support/SaveAndRestore.h"

using namespace tsc;

//===-- Operators ----------------------------------------------------------===//

static Symbol symbolOf(TreeOp op) {
  switch (op) {
#define LANGUAGE_OPERATOR(tree, op, uses)                                                                              \
  case TreeOp::tree: return op;
#include "../Library.def"
  default: return Symbol();
  }
}

Value *FunctionEmitter::emitUnary(const UnaryOp &tree) {
  if (tree.op() == TreeOp::Not)
    return emitCondition(&tree).value;
  Value *operand = emitExpr(tree.operand());
  if (!operand)
    return nullptr;
  const bool isInt = operand->type()->isInt() || operand->type()->isBool();
  if (operand->type()->isBool() && resolver.followsPython())
    operand = callBuiltin(tree.range(), aten::Int, {operand});
  if (tree.op() == TreeOp::Plus && !llvm::isa<ClassType>(operand->type())) {
    const Type *type = operand->type();
    bool isNumber = isInt || type->isFloat() || type->isComplex() || type->isNumber() || type->isTensor();
    return isNumber ? operand : error(tree.range(), diag::NoUnaryOperator, "+", type->annotation());
  }
  if (tree.op() == TreeOp::Invert && isInt) { // ~n is -n - 1
    Value *negated = callBuiltin(tree.range(), aten::neg, {operand});
    return callBuiltin(tree.range(), aten::sub, {negated, constant(int64_t{1}, tree.range())});
  }
  return callMagic(tree.range(), treeOpMethod(tree.op()), symbolOf(tree.op()), {operand});
}

Value *FunctionEmitter::emitBinary(const BinOp &tree) {
  Value *lhs = emitExpr(tree.lhs());
  Value *rhs = lhs ? emitExpr(tree.rhs()) : nullptr;
  return rhs ? emitBinaryOn(tree.op(), lhs, rhs, tree.range()) : nullptr;
}

/// A number on the left of a tensor: TorchScript writes `2 - x` as `-x + 2`, where Python has an operator of its own,
/// and turns comparisons around. Null when the operator has overloads of its own for that, or an error was reported.
static Value *emitNumberWithTensor(FunctionEmitter &e, TreeOp op, Value *number, Value *tensor, SourceRange range) {
  auto call = [&](Symbol name, std::initializer_list<Value *> args) { return e.callBuiltin(range, name, args); };
  switch (op) {
  case TreeOp::Add: return call(aten::add, {tensor, number});
  case TreeOp::Mul: return call(aten::mul, {tensor, number});
  case TreeOp::Sub: {
    if (e.resolver.followsPython())
      return call(aten::rsub, {tensor, number});
    Value *negated = call(aten::neg, {tensor});
    return negated ? call(aten::add, {negated, number}) : nullptr;
  }
  case TreeOp::Div: {
    Value *inverse = call(e.context.symbol("aten::reciprocal"), {tensor});
    return inverse ? call(aten::mul, {inverse, number}) : nullptr;
  }
  case TreeOp::Mod: return e.resolver.followsPython() ? call(aten::remainder, {number, tensor}) : nullptr;
  case TreeOp::FloorDiv: { // of as many numbers: no overload takes one on the left
    if (!e.resolver.followsPython())
      return nullptr;
    Value *ones = call(e.context.symbol("aten::ones_like"), {tensor});
    Value *numbers = ones ? call(aten::mul, {ones, number}) : nullptr;
    return numbers ? call(e.context.symbol("aten::floor_divide"), {numbers, tensor}) : nullptr;
  }
  case TreeOp::BitAnd:
  case TreeOp::BitOr:
  case TreeOp::BitXor: // TorchScript makes an int of the tensor
    return e.resolver.followsPython() && number->type()->isInt() ? call(symbolOf(op), {tensor, number}) : nullptr;
  case TreeOp::ShiftLeft:
  case TreeOp::ShiftRight:
    return e.resolver.followsPython() && number->type()->isInt()
               ? call(e.context.symbol(op == TreeOp::ShiftLeft ? "aten::bitwise_left_shift"
                                                               : "aten::bitwise_right_shift"),
                      {number, tensor})
               : nullptr;
  case TreeOp::Eq: return call(aten::eq, {tensor, number});
  case TreeOp::Ne: return call(aten::ne, {tensor, number});
  case TreeOp::Lt: return call(aten::gt, {tensor, number});
  case TreeOp::Le: return call(aten::ge, {tensor, number});
  case TreeOp::Gt: return call(aten::lt, {tensor, number});
  case TreeOp::Ge: return call(aten::le, {tensor, number});
  default: return nullptr;
  }
}

/// `part in text`
static Value *emitSubstringTest(FunctionEmitter &e, Value *text, Value *part, SourceRange range) {
  Value *place = e.callBuiltin(range, e.context.symbol("aten::find"),
                               {text, part, e.constant(int64_t{0}, range), e.callBuiltin(range, aten::len, {text})});
  return e.callBuiltin(range, aten::ne, {place, e.constant(int64_t{-1}, range)});
}

/// `a + b` of tuples: the elements of both. Named tuples lose their names, as in Python.
static Value *emitJoinedTuple(FunctionEmitter &e, ArrayRef<Value *> tuples, SourceRange range) {
  llvm::SmallVector<Value *, 8> parts;
  for (Value *tuple : tuples) {
    Node *unpack = e.insertNode(prim::TupleUnpack, {tuple}, 0, range);
    for (const Type *element : llvm::cast<TupleType>(tuple->type())->elements())
      parts.push_back(unpack->addOutput(element));
    if (parts.size() > maxParts)
      return e.error(range, diag::TypeTooLarge, "tuple");
  }
  return e.makeTuple(parts, range);
}

/// `t * n` and `n * t` with a tuple and a number that is known: the elements that many times. Null for others.
static Value *emitRepeatedTuple(FunctionEmitter &e, Value *lhs, Value *rhs, SourceRange range) {
  Value *tuple = llvm::isa<TupleType>(lhs->type()) ? lhs : rhs, *times = tuple == lhs ? rhs : lhs;
  std::optional<int64_t> count = e.constantIndex(times);
  if (times->type()->isBool())
    if (auto known = constantValue(times))
      count = known->toBool();
  if (!llvm::isa<TupleType>(tuple->type()) || !(times->type()->isInt() || times->type()->isBool()) || !count)
    return nullptr;
  return emitJoinedTuple(e, std::vector<Value *>(std::clamp<int64_t>(*count, 0, maxParts + 1), tuple), range);
}

Value *FunctionEmitter::emitBinaryOn(TreeOp op, Value *lhs, Value *rhs, SourceRange range) {
  llvm::SaveAndRestore<StringRef> spelled(spelling, treeOpSpelling(op));
  if (resolver.followsPython() && !resolver.isPrinted())
    if (std::optional<Value *> result = emitPythonBinary(op, lhs, rhs, range))
      return *result;
  if (op == TreeOp::Add && llvm::isa<TupleType>(lhs->type()) && llvm::isa<TupleType>(rhs->type()))
    return emitJoinedTuple(*this, {lhs, rhs}, range);
  if (op == TreeOp::Mul)
    if (Value *tuple = emitRepeatedTuple(*this, lhs, rhs, range))
      return tuple;
  if (rhs->type()->isTensor() && (lhs->type()->isSubtypeOf(Type::numberType()) || lhs->type()->isNumber()))
    if (Value *result = emitNumberWithTensor(*this, op, lhs, rhs, range))
      return result;
  if (op == TreeOp::In || op == TreeOp::NotIn) {
    if (ModuleInfo *module = compiler.moduleInfo(rhs->type()); module && module->isDict)
      if (auto key = constantValue(lhs); key && key->isString())
        return constant(llvm::is_contained(module->children, key->toString()) == (op == TreeOp::In), range);
    Value *found = rhs->type()->isString() && lhs->type()->isString()
                       ? emitSubstringTest(*this, rhs, lhs, range)
                       : callMagic(range, "__contains__", aten::__contains__, {rhs, lhs});
    return found && op == TreeOp::NotIn ? callBuiltin(range, aten::__not__, {found}) : found;
  }
  if (op == TreeOp::Mod && lhs->type()->isString()) {
    std::vector<NamedValue> args{lhs};
    auto *tuple = llvm::dyn_cast<TupleType>(rhs->type());
    // The operator takes a tuple alone apart, and one within another one stays whole.
    if (tuple && !(tuple->elements().size() == 1 && llvm::isa<TupleType>(tuple->elements()[0]))) {
      Node *unpack = insertNode(prim::TupleUnpack, {rhs}, 0, range);
      for (const Type *element : tuple->elements())
        args.push_back(unpack->addOutput(element));
    } else {
      args.push_back(rhs);
    }
    return callBuiltin(range, aten::percentFormat, args);
  }
  if (op == TreeOp::FloorDiv && lhs->type()->isTensor())
    return callBuiltin(range, context.symbol("aten::floor_divide"), {lhs, rhs});
  Value *result = callMagic(range, treeOpMethod(op), symbolOf(op), {lhs, rhs});
  return result && op == TreeOp::Pow ? asPythonPower(result) : result;
}

/// An int to the power of an int is an int, unless the exponent is negative as one can see: `2 ** -1`, `10 ** -n`.
Value *FunctionEmitter::asPythonPower(Value *power) {
  Node &node = *power->node();
  if (!resolver.followsPython() || node.opKind() != OpKind::Aten_pow_int)
    return power;
  auto exponent = constantValue(node.input(1));
  if (node.input(1)->node()->kind() == aten::neg || (exponent && exponent->toInt() < 0))
    return power;
  setMeansPython(node);
  return power->setType(Type::intType());
}

Value *FunctionEmitter::emitTernary(const Ternary &tree, const Type *hint) {
  Condition condition = emitCondition(tree.condition());
  if (!condition)
    return nullptr;
  if (condition.known) {
    insertRefinements(*condition.known ? condition.refinements.whenTrue : condition.refinements.whenFalse,
                      tree.range());
    return emitExpr(*condition.known ? tree.trueValue() : tree.falseValue(), hint);
  }
  return emitIfExpression(
      tree.range(), condition, [&] { return emitExpr(tree.trueValue(), hint); },
      [&] { return emitExpr(tree.falseValue(), hint); }, hint);
}

/// The text of the literal in a text to format.
static std::string withDoubledBraces(StringRef literal) {
  std::string text;
  for (char c : literal)
    text += c == '{' || c == '}' ? std::string(2, c) : std::string(1, c);
  return text;
}

/// A specification with `{}` where it holds an expression.
static std::string withPlainFields(StringRef spec) {
  std::string text;
  unsigned depth = 0;
  for (char c : spec) {
    depth -= c == '}';
    if (depth == 0)
      text += c;
    depth += c == '{';
  }
  return text;
}

Value *FunctionEmitter::emitFormatString(const FormatString &tree) {
  std::string format;
  std::vector<NamedValue> args;
  for (const Tree *part : tree.parts()) {
    if (auto *text = llvm::dyn_cast<StringLiteral>(part)) {
      StringRef literal = text->value();
      if (resolver.followsPython()) {
        format += withDoubledBraces(literal);
        continue;
      }
      // aten::format knows no escape: what it would take for a place to fill goes there itself.
      if (literal.contains("{}") || (StringRef(format).ends_with("{") && literal.starts_with("}"))) {
        args.push_back(constant(IValue(literal), text->range()));
        literal = "{}";
      }
      format += literal;
      continue;
    }
    auto *value = llvm::cast<FormatValue>(part);
    bool isKnown = resolver.followsPython() && (value->conversion() == 'r' || value->conversion() == 's');
    if (value->conversion() && !isKnown)
      return error(part->range(), diag::FStringConversion, std::string(1, value->conversion()));
    if (!value->spec().empty() && !resolver.followsPython())
      return error(part->range(), diag::UnsupportedSyntax, "format specifications of f-strings");
    // The value, and those in its specification; what an object says of itself is converted already.
    bool isText = false;
    for (const Tree *each : value->children()) {
      Value *emitted = emitExpr(each);
      Value *argument = emitted
                            ? textOfObject(emitted, each->range(), each == value->value() && value->conversion() == 'r')
                            : nullptr;
      if (!argument)
        return nullptr;
      isText |= each == value->value() && argument != emitted;
      args.push_back(argument);
    }
    format += '{';
    if (value->conversion() && !isText)
      format += {'!', value->conversion()};
    if (!value->spec().empty())
      format += ":" + withPlainFields(value->spec());
    format += '}';
  }
  Value *text = constant(IValue(format), tree.range());
  args.insert(args.begin(), text);
  return callBuiltin(tree.range(), aten::format, args);
}
