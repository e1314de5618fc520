//===- Expressions.cpp - Literals, operators, names -----------------------===//
//
// Expressions to values. Comprehensions become loops; `and`, `or` and the ternary
// become prim::If (Conditions.cpp).
//
//===----------------------------------------------------------------------===//
#include "../SugaredValues/Values.h"
#include "FunctionEmitter.h"
#include "SizeLimits.h"
#include "SourceResolver.h"
#include "TypeExpressions.h"
#include "tsc/IR/PythonMeaning.h"
#include "tsc/IR/SchemaMatching.h"
#include "tsc/Support/NearestName.h"
#include "tsc/Support/Stack.h"

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
  requireStack();
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
  NearestName nearest(name);
  if (e.env.hasFrames())
    for (const Frame *frame = &e.env.current(); frame; frame = frame->parent.get()) {
      for (auto &entry : frame->types)
        nearest.consider(entry.first);
      for (auto &entry : frame->sugared)
        nearest.consider(entry.first);
    }
  if (e.outer)
    nearest.consider(nearestName(*e.outer, name));
  if (auto *file = dynamic_cast<SourceResolver *>(&e.resolver))
    for (StringRef known : file->definedNames())
      nearest.consider(known);
  for (StringRef known :
       {"range", "len",  "print", "enumerate", "zip", "isinstance", "sorted", "reversed", "float", "int", "str",
        "bool",  "list", "dict",  "tuple",     "min", "max",        "sum",    "abs",      "round", "any", "all"})
    nearest.consider(known);
  return nearest.name();
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
  if (isUnknown(name))
    return nullptr;
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
      if (path->isChoice)
        diags.report(range, diag::UndefinedOnPath, name, path->why)
            .note(path->range, path->isLoop ? diag::LoopHere : diag::BranchHere);
      else if (path->isLoop)
        diags.report(range, diag::UndefinedOnPath, name, path->why).note(path->range, diag::LoopHere);
      else
        diags.report(path->range, diag::UndefinedOnPath, name, path->why).note(range, diag::UsedHere);
      return nullptr;
    }
  if (resolver.defines(name) && !resolver.classDefinition(name))
    return error(range, diag::GlobalNotConstant, name);
  if (resolver.isAsync(name))
    return error(range, diag::UnsupportedSyntax, "functions that are async");
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
