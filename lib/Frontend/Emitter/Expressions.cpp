//===- Expressions.cpp - Literals, operators, names -----------------------===//
//
// Expressions to values. Comprehensions become loops; `and`, `or` and the ternary
// become prim::If (Conditions.cpp).
//
//===----------------------------------------------------------------------===//
#include "../SugaredValues/Values.h"
#include "FunctionEmitter.h"
#include "Nearest.h"
#include "SizeLimits.h"
#include "SourceResolver.h"
#include "TypeExpressions.h"
#include "tsc/IR/PythonMeaning.h"
#include "tsc/IR/SchemaMatching.h"

using namespace tsc;

SugaredValue *FunctionEmitter::simple(Value *value) { return value ? make<SimpleValue>(value) : nullptr; }

Value *FunctionEmitter::constant(const IValue &value, SourceRange range) { return graph.insertConstant(value, range); }

bool tsc::holdsList(const IValue &value) {
  return value.isList() || value.isDict() || (value.isTuple() && llvm::any_of(value.toTuple().elements, holdsList));
}

Value *FunctionEmitter::madeAnew(const IValue &value, const Type *type, SourceRange range) {
  if (!holdsList(value))
    return constant(value, range);
  if (value.isDict()) {
    auto *dict = llvm::dyn_cast_or_null<DictType>(type ? type : value.dynamicType(context));
    llvm::SmallVector<Value *, 8> entries;
    value.toDict().forEach([&](const IValue &key, const IValue &element) {
      entries.push_back(madeAnew(key, nullptr, range));
      entries.push_back(madeAnew(element, dict ? dict->value() : nullptr, range));
    });
    return insertValue(prim::DictConstruct, entries, dict, range);
  }
  auto *list = llvm::dyn_cast_or_null<ListType>(type ? type : value.dynamicType(context));
  auto *tuple = llvm::dyn_cast_or_null<TupleType>(type ? type : value.dynamicType(context));
  size_t count = value.isList() ? value.listSize() : value.toTuple().elements.size();
  llvm::SmallVector<Value *, 8> parts;
  for (size_t i = 0; i != count; ++i)
    parts.push_back(value.isList()
                        ? madeAnew(value.listElement(i), list ? list->element() : nullptr, range)
                        : madeAnew(value.toTuple().elements[i],
                                   tuple && i < tuple->elements().size() ? tuple->elements()[i] : nullptr, range));
  if (value.isList())
    return makeList(list ? list->element() : Type::tensorType(), parts, range);
  return tuple ? insertValue(prim::TupleConstruct, parts, tuple, range) : makeTuple(parts, range);
}

void FunctionEmitter::makeDefaultsAnew(llvm::MutableArrayRef<Value *> inputs, SourceRange range) {
  for (Value *&input : inputs) // lists that are written at the call are no constants
    if (std::optional<IValue> value = constantValue(input); value && holdsList(*value))
      input = madeAnew(*value, input->type(), range);
}

Node *FunctionEmitter::insertNode(Symbol kind, ArrayRef<Value *> inputs, unsigned outputs, SourceRange range) {
  Node *node = graph.create(kind, inputs, outputs);
  node->setRange(range);
  return graph.insertNodeHere(node);
}

Value *FunctionEmitter::insertValue(Symbol kind, ArrayRef<Value *> inputs, const Type *type, SourceRange range) {
  return insertNode(kind, inputs, 1, range)->output()->setType(type);
}

const Type *FunctionEmitter::annotationType(const Tree *tree) {
  return typeFromExpression(context, diags, resolver, tree);
}

Value *FunctionEmitter::makeTuple(ArrayRef<Value *> elements, SourceRange range) {
  llvm::SmallVector<const Type *, 4> types;
  for (Value *element : elements)
    types.push_back(element->type());
  return insertValue(prim::TupleConstruct, elements, context.tupleOf(types), range);
}

Value *FunctionEmitter::makeList(const Type *element, ArrayRef<Value *> elements, SourceRange range) {
  return insertValue(prim::ListConstruct, elements, context.listOf(element), range);
}

Value *FunctionEmitter::castTo(Value *value, const Type *type, SourceRange range) {
  return insertValue(prim::unchecked_cast, {value}, type, range);
}

bool FunctionEmitter::isLiteralNone(const Tree *tree) const { return llvm::isa<NoneLiteral>(tree); }

Value *FunctionEmitter::emitExpr(const Tree *tree, const Type *hint) {
  SugaredValue *value = emitSugared(tree, 1, hint);
  return value ? value->asValue(*this, tree->range()) : nullptr;
}

SugaredValue *FunctionEmitter::emitSugared(const Tree *tree, NumBinders binders, const Type *hint) {
  SugaredValue *value = emitUnobserved(tree, binders, hint);
  if (value && compiler.observer)
    tellOf(*tree, *value);
  return value;
}

SugaredValue *FunctionEmitter::emitUnobserved(const Tree *tree, NumBinders binders, const Type *hint) {
  switch (tree->kind()) {
  case TreeKind::Var: return lookUp(llvm::cast<Var>(tree)->name(), tree->range());
  case TreeKind::Select: {
    auto *select = llvm::cast<Select>(tree);
    SugaredValue *object = emitSugared(select->value());
    SugaredValue *member = object ? object->attribute(*this, tree->range(), select->name()) : nullptr;
    auto *value = llvm::dyn_cast_or_null<SimpleValue>(member);
    if (value && env.hasFrames() && llvm::isa<OptionalType, UnionType>(value->get()->type()))
      if (const Type *narrowed = env.typeOfPath(placeOf(tree)))
        return simple(castTo(value->get(), narrowed, tree->range()));
    return member;
  }
  case TreeKind::Apply: return emitApply(*llvm::cast<Apply>(tree), binders, hint);
  case TreeKind::Subscript: return emitSubscript(*llvm::cast<Subscript>(tree), hint);
  case TreeKind::Lambda: return makeClosure(*tree);
  default: return simple(emitSimpleExpr(tree, hint));
  }
}

bool FunctionEmitter::isVisible(StringRef name) const {
  return env.isDefined(name) || (outer && outer->isVisible(name));
}

/// A name that is known here and that the user may have meant.
static std::string nearestName(FunctionEmitter &e, StringRef name) {
  Nearest nearest(name);
  if (e.env.hasFrames())
    for (const Frame *frame = &e.env.current(); frame; frame = frame->parent.get()) {
      for (auto &entry : frame->types)
        nearest.offer(entry.first);
      for (auto &entry : frame->sugared)
        nearest.offer(entry.first);
    }
  if (e.outer)
    nearest.offer(nearestName(*e.outer, name));
  if (auto *file = dynamic_cast<SourceResolver *>(&e.resolver))
    for (StringRef known : file->definedNames())
      nearest.offer(known);
  for (StringRef known :
       {"range", "len",  "print", "enumerate", "zip", "isinstance", "sorted", "reversed", "float", "int", "str",
        "bool",  "list", "dict",  "tuple",     "min", "max",        "sum",    "abs",      "round", "any", "all"})
    nearest.offer(known);
  return nearest.get();
}

SugaredValue *FunctionEmitter::lookUp(StringRef written, SourceRange range, bool required) {
  std::string known = nameHere(written);
  StringRef name = known;
  if (env.hasFrames()) {
    if (const Type *type = env.typeOf(name))
      return simple(env.load(name, type, range));
    if (SugaredValue *value = env.sugaredOf(name))
      return value;
  }
  if (outer && outer->isVisible(name))
    return variableOf(*outer, name, range);
  if (!resolver.defines(name))
    if (SugaredValue *value = pythonBuiltin(compiler, compiler.arena, name))
      return value;
  if (SugaredValue *value = resolver.resolveValue(name, range)) {
    auto *constant = llvm::dyn_cast<ConstantSugar>(value);
    bool hasElements =
        constant && (holdsList(constant->value) || constant->value.isTuple() || constant->value.isString());
    return hasElements ? simple(constant->asValue(*this, range)) : value;
  }
  if (const Type *type = resolver.resolveType(name, range))
    return make<TypeSugar>(type);
  if (!required)
    return nullptr;
  if (env.hasFrames())
    if (const PathError *path = env.errorOf(name)) {
      if (path->isLoop)
        diags.report(range, diag::UndefinedOnPath, name, path->why).note(path->range, diag::LoopHere);
      else
        diags.report(path->range, diag::UndefinedOnPath, name, path->why).note(range, diag::UsedHere);
      return nullptr;
    }
  if (resolver.defines(name) && !resolver.classDefinition(name))
    return error(range, diag::GlobalNotConstant, name);
  if (isLibrary(name)) {
    diags.report(range, diag::UndefinedValue, name).fixIt("import " + name.str());
    return nullptr;
  }
  if (SourceRange import = resolver.unknownImport(name); import.isValid()) {
    diags.report(range, diag::UndefinedValue, name).note(import, diag::UnknownModule);
    return nullptr;
  }
  auto report = diags.report(range, diag::UndefinedValue, name);
  if (std::string meant = nearestName(*this, name); !meant.empty())
    std::move(report).fixIt(meant);
  return nullptr;
}

/// `target := value`
Value *FunctionEmitter::emitNamed(const NamedExpr &tree, const Type *hint) {
  Value *value = emitExpr(tree.value(), hint);
  StringRef name = tree.target()->name();
  if (!value || !setVariable(name, simple(value), tree.range()))
    return nullptr;
  return env.load(name, env.typeOf(name), tree.range());
}

static Value *emitNumber(FunctionEmitter &e, const Tree *tree) {
  switch (tree->kind()) {
  case TreeKind::IntLiteral: return e.constant(llvm::cast<IntLiteral>(tree)->value(), tree->range());
  case TreeKind::FloatLiteral: return e.constant(llvm::cast<FloatLiteral>(tree)->value(), tree->range());
  default: return e.constant(std::complex<double>(0, llvm::cast<ComplexLiteral>(tree)->imaginary()), tree->range());
  }
}

static Value *emitString(FunctionEmitter &e, const StringLiteral &tree) {
  if (tree.isBytes())
    return e.error(tree.range(), diag::UnsupportedSyntax, "bytes literals");
  return e.constant(IValue(tree.value()), tree.range());
}

Value *FunctionEmitter::emitSimpleExpr(const Tree *tree, const Type *hint) {
  switch (tree->kind()) {
  case TreeKind::IntLiteral:
  case TreeKind::FloatLiteral:
  case TreeKind::ComplexLiteral: return emitNumber(*this, tree);
  case TreeKind::StringLiteral: return emitString(*this, *llvm::cast<StringLiteral>(tree));
  case TreeKind::BoolLiteral: return constant(llvm::cast<BoolLiteral>(tree)->value(), tree->range());
  case TreeKind::NoneLiteral: return none(tree->range());
  case TreeKind::FormatString: return emitFormatString(*llvm::cast<FormatString>(tree));
  case TreeKind::UnaryOp: return emitUnary(*llvm::cast<UnaryOp>(tree));
  case TreeKind::BinOp: return emitBinary(*llvm::cast<BinOp>(tree));
  case TreeKind::BoolOp: return emitBoolOp(*llvm::cast<BoolOp>(tree), hint);
  case TreeKind::Compare: return emitCondition(tree).value;
  case TreeKind::Ternary: return emitTernary(*llvm::cast<Ternary>(tree), hint);
  case TreeKind::ListLiteral: return emitListLiteral(*llvm::cast<ListLiteral>(tree), hint);
  case TreeKind::TupleLiteral: return emitTupleLiteral(*llvm::cast<TupleLiteral>(tree), hint);
  case TreeKind::DictLiteral: return emitDictLiteral(*llvm::cast<DictLiteral>(tree), hint);
  case TreeKind::ListComp: return emitListComp(*llvm::cast<ListComp>(tree), hint);
  case TreeKind::DictComp: return emitDictComp(*llvm::cast<DictComp>(tree), hint);
  case TreeKind::NamedExpr: return emitNamed(*llvm::cast<NamedExpr>(tree), hint);
  case TreeKind::GeneratorExpr: { // the list of what it would give
    auto *generator = llvm::cast<GeneratorExpr>(tree);
    return emitComprehension(generator->element(), generator->loops(), tree->range(), hint);
  }
  case TreeKind::SetLiteral: return emitSetLiteral(*llvm::cast<SetLiteral>(tree), hint);
  case TreeKind::SetComp: return emitSetComp(*llvm::cast<SetComp>(tree), hint);
  case TreeKind::Starred: return error(tree->range(), diag::MisplacedStarred);
  case TreeKind::Dots: return error(tree->range(), diag::MisplacedEllipsis);
  default: {
    StringRef words = unsupportedWords(tree->kind());
    return error(tree->range(), diag::UnsupportedSyntax, words.empty() ? treeKindName(tree->kind()) : words);
  }
  }
}

//===-- Operators ----------------------------------------------------------===//

namespace {
struct OperatorNames {
  Symbol symbol;
  const char *magic;
};
} // namespace

static OperatorNames namesOf(TreeOp op) {
  switch (op) {
  case TreeOp::Add: return {aten::add, "__add__"};
  case TreeOp::Sub: return {aten::sub, "__sub__"};
  case TreeOp::Mul: return {aten::mul, "__mul__"};
  case TreeOp::Div: return {aten::div, "__truediv__"};
  case TreeOp::FloorDiv: return {aten::floordiv, "__floordiv__"};
  case TreeOp::Mod: return {aten::remainder, "__mod__"};
  case TreeOp::Pow: return {aten::pow, "__pow__"};
  case TreeOp::MatMul: return {aten::matmul, "__matmul__"};
  case TreeOp::BitAnd: return {aten::__and__, "__and__"};
  case TreeOp::BitOr: return {aten::__or__, "__or__"};
  case TreeOp::BitXor: return {aten::__xor__, "__xor__"};
  case TreeOp::ShiftLeft: return {aten::__lshift__, "__lshift__"};
  case TreeOp::ShiftRight: return {aten::__rshift__, "__rshift__"};
  case TreeOp::Eq: return {aten::eq, "__eq__"};
  case TreeOp::Ne: return {aten::ne, "__ne__"};
  case TreeOp::Lt: return {aten::lt, "__lt__"};
  case TreeOp::Le: return {aten::le, "__le__"};
  case TreeOp::Gt: return {aten::gt, "__gt__"};
  case TreeOp::Ge: return {aten::ge, "__ge__"};
  case TreeOp::Is: return {aten::__is__, ""};
  case TreeOp::IsNot: return {aten::__isnot__, ""};
  case TreeOp::Neg: return {aten::neg, "__neg__"};
  case TreeOp::Invert: return {aten::bitwise_not, "__invert__"};
  case TreeOp::Plus: return {Symbol(), "__pos__"};
  default: return {Symbol(), ""};
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
  OperatorNames names = namesOf(tree.op());
  return callMagic(tree.range(), names.magic, names.symbol, {operand});
}

Value *FunctionEmitter::emitBinary(const BinOp &tree) {
  Value *lhs = emitExpr(tree.lhs());
  Value *rhs = lhs ? emitExpr(tree.rhs()) : nullptr;
  return rhs ? emitBinaryOn(tree.op(), lhs, rhs, tree.range()) : nullptr;
}

/// A number on the left of a tensor: TorchScript writes `2 - x` as `-x + 2`, and turns comparisons around. Null when
/// the operator has overloads of its own for that, or an error was reported.
static Value *emitNumberWithTensor(FunctionEmitter &e, TreeOp op, Value *number, Value *tensor, SourceRange range) {
  auto call = [&](Symbol name, std::initializer_list<Value *> args) { return e.callBuiltin(range, name, args); };
  switch (op) {
  case TreeOp::Add: return call(aten::add, {tensor, number});
  case TreeOp::Mul: return call(aten::mul, {tensor, number});
  case TreeOp::Sub: {
    Value *negated = call(aten::neg, {tensor});
    return negated ? call(aten::add, {negated, number}) : nullptr;
  }
  case TreeOp::Div: {
    Value *inverse = call(e.context.symbol("aten::reciprocal"), {tensor});
    return inverse ? call(aten::mul, {inverse, number}) : nullptr;
  }
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
  if (!llvm::isa<TupleType>(tuple->type()) || !times->type()->isInt() || !count)
    return nullptr;
  return emitJoinedTuple(e, std::vector<Value *>(std::clamp<int64_t>(*count, 0, maxParts + 1), tuple), range);
}

Value *FunctionEmitter::emitBinaryOn(TreeOp op, Value *lhs, Value *rhs, SourceRange range) {
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
    if (auto *tuple = llvm::dyn_cast<TupleType>(rhs->type())) {
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
  OperatorNames names = namesOf(op);
  Value *result = callMagic(range, names.magic, names.symbol, {lhs, rhs});
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
    for (const Tree *each : value->children()) { // the value, and those in its specification
      Value *argument = emitExpr(each);
      argument = argument ? textOfObject(argument, each->range()) : nullptr;
      if (!argument)
        return nullptr;
      args.push_back(argument);
    }
    format += '{';
    if (value->conversion())
      format += {'!', value->conversion()};
    if (!value->spec().empty())
      format += ":" + withPlainFields(value->spec());
    format += '}';
  }
  Value *text = constant(IValue(format), tree.range());
  args.insert(args.begin(), text);
  return callBuiltin(tree.range(), aten::format, args);
}

//===-- Containers ---------------------------------------------------------===//

bool FunctionEmitter::emitElements(TreeList<Expr> trees, llvm::SmallVectorImpl<Value *> &values, const Type *hint) {
  for (const Tree *tree : trees) {
    if (auto *starred = llvm::dyn_cast<Starred>(tree)) {
      SugaredValue *whole = emitSugared(starred->value());
      auto parts = whole ? whole->asTuple(*this, tree->range(), std::nullopt) : std::nullopt;
      if (!parts)
        return false;
      for (SugaredValue *part : *parts) {
        Value *value = part->asValue(*this, tree->range());
        if (!value)
          return false;
        values.push_back(value);
      }
      continue;
    }
    Value *value = emitExpr(tree, hint);
    if (!value)
      return false;
    values.push_back(value);
  }
  return true;
}

/// The member of `hint` (perhaps Optional or Union) that is of the class `T`; null when there is none or several.
template <typename T> static const T *hintOf(const Type *hint) {
  if (!hint)
    return nullptr;
  const T *found = nullptr;
  for (const Type *member : alternativesOf(hint))
    if (auto *match = llvm::dyn_cast<T>(member)) {
      if (found)
        return nullptr;
      found = match;
    }
  return found;
}

/// The type that all values share, a Union when nothing less will do.
static const Type *unifyAll(Context &context, ArrayRef<Value *> values) {
  const Type *type = values.front()->type();
  for (Value *value : values.drop_front())
    type = context.unify(type, value->type(), /*allowUnion=*/true);
  return type;
}

/// `[a, *rest, b]`: lists of what stands between the stars, added up.
Value *FunctionEmitter::emitStarredList(const ListLiteral &tree, const Type *element) {
  SourceRange range = tree.range();
  Value *whole = nullptr;
  llvm::SmallVector<Value *, 8> open;
  auto append = [&](Value *list) {
    whole = !list ? nullptr : whole ? callBuiltin(range, aten::add, {whole, list}) : list;
    return whole != nullptr;
  };
  auto flush = [&](const Type *following) {
    if (open.empty() && whole)
      return true;
    if (!element)
      element = open.empty() ? following : unifyAll(context, open);
    for (Value *&value : open) {
      value = convertTo(value, element, range, /*allowConversions=*/true);
      if (!value->type()->isSubtypeOf(element))
        return static_cast<bool>(
            error(range, diag::ListElementType, element->annotation(), value->type()->annotation()));
    }
    Value *list = makeList(element, open, range);
    open.clear();
    return append(list);
  };
  for (const Tree *part : tree.elements()) {
    auto *starred = llvm::dyn_cast<Starred>(part);
    SugaredValue *given = emitSugared(starred ? starred->value() : part, std::nullopt, starred ? nullptr : element);
    if (given && starred && llvm::isa<RangeSugar, IterableTree>(given))
      given = listByLoop(given, part->range());
    if (!given)
      return nullptr;
    auto *plain = llvm::dyn_cast<SimpleValue>(given);
    if (auto *list = starred && plain ? llvm::dyn_cast<ListType>(plain->get()->type()) : nullptr) {
      if (!flush(list->element()) || !append(plain->get()))
        return nullptr;
      continue;
    }
    llvm::SmallVector<SugaredValue *, 4> parts{given};
    if (starred) {
      auto all = given->asTuple(*this, part->range(), std::nullopt);
      if (!all)
        return nullptr;
      parts = std::move(*all);
    }
    for (SugaredValue *one : parts) {
      Value *value = one->asValue(*this, part->range());
      if (!value)
        return nullptr;
      open.push_back(value);
    }
  }
  return flush(Type::tensorType()) ? whole : nullptr;
}

Value *FunctionEmitter::emitListLiteral(const ListLiteral &tree, const Type *hint) {
  auto *listHint = hintOf<ListType>(hint);
  const Type *element = listHint ? listHint->element() : nullptr;
  if (hint && !element && tree.elements().empty()) {
    if (llvm::count_if(alternativesOf(hint), [](const Type *t) { return llvm::isa<ListType>(t); }) > 1)
      return error(tree.range(), diag::AmbiguousEmptyList, hint->annotation());
  }
  if (llvm::any_of(tree.elements(), [](const Tree *part) { return llvm::isa<Starred>(part); }))
    return emitStarredList(tree, element);
  llvm::SmallVector<Value *, 8> values;
  if (!emitElements(tree.elements(), values, element))
    return nullptr;
  if (element) {
    for (Value *&value : values) {
      value = convertTo(value, element, tree.range(), /*allowConversions=*/true);
      if (!value->type()->isSubtypeOf(element))
        return error(tree.range(), diag::ListElementType, element->annotation(), value->type()->annotation());
    }
  } else {
    element = values.empty() ? Type::tensorType() : unifyAll(context, values);
  }
  return makeList(element, values, tree.range());
}

Value *FunctionEmitter::emitTupleLiteral(const TupleLiteral &tree, const Type *hint) {
  auto *tupleHint = hintOf<TupleType>(hint);
  bool starred = llvm::any_of(tree.elements(), [](const Tree *t) { return llvm::isa<Starred>(t); });
  llvm::SmallVector<Value *, 8> values;
  if (!tupleHint || starred || tupleHint->elements().size() != tree.elements().size()) {
    if (!emitElements(tree.elements(), values))
      return nullptr;
    return makeTuple(values, tree.range());
  }
  for (size_t i = 0; i != tree.elements().size(); ++i) {
    Value *value = emitExpr(tree.elements()[i], tupleHint->elements()[i]);
    if (!value)
      return nullptr;
    values.push_back(value);
  }
  return makeTuple(values, tree.range());
}

static bool isDictKey(const Type *type) {
  return type->isInt() || type->isBool() || type->isFloat() || type->isComplex() || type->isString() ||
         type->isTensor() || type->isDevice() || llvm::isa<EnumType, TupleType>(type);
}

/// A dict of the types of `hint`, or, without one, of what the keys and the values have in common.
Value *FunctionEmitter::makeDict(ArrayRef<Value *> keys, ArrayRef<Value *> values, const DictType *hint,
                                 SourceRange range) {
  const Type *keyType = hint ? hint->key() : Type::stringType();
  const Type *valueType = hint ? hint->value() : Type::tensorType();
  if (!hint && !keys.empty()) {
    keyType = unifyAll(context, keys);
    valueType = unifyAll(context, values);
    if (!isDictKey(keyType))
      return error(range, diag::DictKeyType, keyType->annotation());
  }
  const Type *type = context.dictOf(keyType, valueType);
  llvm::SmallVector<Value *, 8> entries;
  for (auto [givenKey, givenValue] : llvm::zip_equal(keys, values)) {
    Value *key = convertTo(givenKey, keyType, range, true), *value = convertTo(givenValue, valueType, range, true);
    if (!key->type()->isSubtypeOf(keyType))
      return error(range, diag::DictEntryType, type->annotation(), "keys", key->type()->annotation());
    if (!value->type()->isSubtypeOf(valueType))
      return error(range, diag::DictEntryType, type->annotation(), "values", value->type()->annotation());
    entries.push_back(key);
    entries.push_back(value);
  }
  return insertValue(prim::DictConstruct, entries, type, range);
}

Value *FunctionEmitter::emitDictLiteral(const DictLiteral &tree, const Type *hint) {
  auto *dictHint = hintOf<DictType>(hint);
  llvm::SmallVector<Value *, 8> keys, values;
  Value *whole = nullptr; // of what stands before, where a `**dict` does
  auto append = [&] {
    if (keys.empty())
      return true;
    Value *part = makeDict(keys, values, whole ? llvm::cast<DictType>(whole->type()) : dictHint, tree.range());
    keys.clear();
    values.clear();
    if (whole)
      return part && callBuiltin(tree.range(), context.symbol("aten::update"), {whole, part});
    whole = part;
    return part != nullptr;
  };
  for (size_t i = 0; i != tree.keys().size(); ++i) {
    const Tree *key = tree.keys()[i];
    if (auto *starred = llvm::dyn_cast<DoubleStarred>(key)) {
      Value *other = emitExpr(starred->value(), dictHint);
      auto *type = other ? llvm::dyn_cast<DictType>(other->type()) : nullptr;
      if (!other || !append())
        return nullptr;
      if (!type)
        return error(key->range(), diag::NotADict, other->type()->annotation());
      if (!whole && !(whole = makeDict({}, {}, type, tree.range())))
        return nullptr;
      if (!callBuiltin(key->range(), context.symbol("aten::update"), {whole, other}))
        return nullptr;
      continue;
    }
    Value *keyValue = emitExpr(key, dictHint ? dictHint->key() : nullptr);
    Value *value = keyValue ? emitExpr(tree.values()[i], dictHint ? dictHint->value() : nullptr) : nullptr;
    if (!value)
      return nullptr;
    keys.push_back(keyValue);
    values.push_back(value);
  }
  if (!whole)
    return makeDict(keys, values, dictHint, tree.range());
  return append() ? whole : nullptr;
}

//===-- Comprehensions -----------------------------------------------------===//

/// The dotted name that an expression reads, with the variable as it is called here; empty for other expressions.
std::string FunctionEmitter::placeOf(const Tree *tree) const {
  std::string name = dottedName(tree);
  StringRef root = StringRef(name).split('.').first;
  std::string here = nameHere(root);
  return here == root ? name : here + name.substr(root.size());
}

/// Targets of a comprehension are its own: variables of these names around it stay as they are.
void FunctionEmitter::hideTargets(const Tree *target) {
  if (auto *var = llvm::dyn_cast<Var>(target)) {
    std::string name = var->name().str();
    if (env.typeOf(name) || env.sugaredOf(name))
      renamed[name] = compiler.hiddenName(name);
  } else if (llvm::isa<TupleLiteral, ListLiteral, Starred>(target)) {
    for (const Tree *part : target->children())
      hideTargets(part);
  }
}

/// Runs `innermost` in the loops of a comprehension, conditions included.
static bool emitLoops(FunctionEmitter &e, TreeList<Comprehension> loops, size_t depth,
                      llvm::function_ref<bool()> innermost) {
  if (depth == loops.size())
    return innermost();
  const Comprehension *loop = loops[depth];
  SugaredValue *source = e.emitSugared(loop->iterable());
  SugaredValue *iterable = source ? source->iterable(e, loop->iterable()->range()) : nullptr;
  if (!iterable)
    return false;
  e.hideTargets(loop->target());
  return e.emitForLoop(loop->target(), iterable, loop->range(), [&] {
    std::function<bool(size_t)> guarded = [&](size_t i) -> bool {
      if (i == loop->conditions().size())
        return emitLoops(e, loops, depth + 1, innermost);
      Condition condition = e.emitCondition(loop->conditions()[i]);
      return condition && e.emitIfBlocks(loop->range(), condition, [&] { return guarded(i + 1); }, [] { return true; });
    };
    return guarded(0);
  });
}

bool FunctionEmitter::emitComprehensionLoops(TreeList<Comprehension> loops, llvm::function_ref<bool()> innermost) {
  auto around = renamed;
  bool ok = emitLoops(*this, loops, 0, innermost);
  renamed = std::move(around);
  return ok;
}

Value *FunctionEmitter::emitListComp(const ListComp &tree, const Type *hint) {
  return emitComprehension(tree.element(), tree.loops(), tree.range(), hint);
}

Value *FunctionEmitter::emitComprehension(const Tree *elementTree, TreeList<Comprehension> loops, SourceRange range,
                                          const Type *hint) {
  auto *listHint = hintOf<ListType>(hint);
  if (hint && !listHint && !hint->isAny())
    return error(range, diag::ListCompHint, hint->annotation());
  Value *list = makeList(listHint ? listHint->element() : Type::tensorType(), {}, range);
  bool typed = listHint;
  bool ok = emitComprehensionLoops(loops, [&] {
    Value *element = emitExpr(elementTree, listHint ? listHint->element() : nullptr);
    if (!element)
      return false;
    if (!typed)
      list->setType(context.listOf(element->type()));
    typed = true;
    return callBuiltin(range, aten::append, {list, element}) != nullptr;
  });
  return ok ? list : nullptr;
}

Value *FunctionEmitter::emitDictComp(const DictComp &tree, const Type *hint) {
  auto *dictHint = hintOf<DictType>(hint);
  const Type *type = dictHint ? dictHint : context.dictOf(Type::stringType(), Type::tensorType());
  Value *dict = insertValue(prim::DictConstruct, {}, type, tree.range());
  bool typed = dictHint;
  bool ok = emitComprehensionLoops(tree.loops(), [&] {
    Value *key = emitExpr(tree.key());
    Value *value = key ? emitExpr(tree.value()) : nullptr;
    if (!value)
      return false;
    if (!typed)
      dict->setType(context.dictOf(key->type(), value->type()));
    typed = true;
    return callBuiltin(tree.range(), aten::_set_item, {dict, key, value}) != nullptr;
  });
  return ok ? dict : nullptr;
}

//===-- Conversions --------------------------------------------------------===//

Value *FunctionEmitter::tupleIndex(Value *tuple, const Type *element, int64_t index, SourceRange range) {
  return insertValue(prim::TupleIndex, {tuple, constant(index, range)}, element, range);
}

Value *FunctionEmitter::convertTo(Value *value, const Type *type, SourceRange range, bool allowConversions) {
  if (value->type() == type || value->type()->isSubtypeOf(type))
    return value;
  if (auto *members = llvm::dyn_cast<EnumType>(value->type()); members && compiler.intEnums.contains(members))
    return convertTo(insertValue(prim::EnumValue, {value}, members->valueType(), range), type, range, allowConversions);
  return convertImplicitly(graph, value, type, range, allowConversions);
}
