//===- Calls.cpp - Calls and special forms --------------------------------===//
#include "../SugaredValues/Values.h"
#include "FunctionEmitter.h"
#include "TypeExpressions.h"
#include "tsc/IR/Operator.h"
#include "tsc/IR/SchemaMatching.h"

using namespace tsc;

Value *FunctionEmitter::callBuiltin(SourceRange range, Symbol name, ArrayRef<NamedValue> args,
                                    ArrayRef<NamedValue> kwargs, Value *receiver) {
  return insertCall(graph, range, name, args, kwargs, diags, receiver);
}

Value *FunctionEmitter::callBuiltin(SourceRange range, Symbol name, std::initializer_list<Value *> args) {
  std::vector<NamedValue> values;
  for (Value *value : args) {
    if (!value)
      return nullptr;
    values.push_back(value);
    values.back().range = range;
  }
  return callBuiltin(range, name, values);
}

bool FunctionEmitter::emitArguments(const Apply &tree, std::vector<NamedValue> &args, std::vector<NamedValue> &kwargs,
                                    unsigned skip) {
  for (size_t i = skip; i < tree.args().size(); ++i) {
    llvm::SmallVector<Value *, 4> values;
    if (auto *starred = llvm::dyn_cast<Starred>(tree.args()[i])) {
      SugaredValue *whole = emitSugared(starred->value());
      auto parts = whole ? whole->asTuple(*this, starred->range(), std::nullopt) : std::nullopt;
      if (!parts)
        return false;
      for (SugaredValue *part : *parts)
        values.push_back(part->asValue(*this, starred->range()));
    } else {
      values.push_back(emitExpr(tree.args()[i]));
    }
    for (Value *value : values) {
      if (!value)
        return false;
      args.push_back(value);
      args.back().range = tree.args()[i]->range();
    }
  }
  for (const Tree *keyword : tree.keywords()) {
    auto *named = llvm::dyn_cast<Keyword>(keyword);
    if (!named)
      return error(keyword->range(), diag::UnsupportedSyntax, unsupportedWords(keyword->kind()));
    Value *value = emitExpr(named->value());
    if (!value)
      return false;
    kwargs.emplace_back(named->name().str(), NamedValue(value));
    kwargs.back().range = keyword->range();
  }
  return true;
}

SugaredValue *FunctionEmitter::emitApply(const Apply &tree, NumBinders binders, const Type *hint) {
  SugaredValue *callee = emitSugared(tree.callee());
  if (!callee)
    return nullptr;
  if (auto *form = llvm::dyn_cast<SpecialForm>(callee))
    if (form->self)
      return form->form == FormKind::ToList ? simple(emitToList(form->self, hint, tree.range()))
                                            : error(tree.range(), diag::CannotCall, form->describe());
  if (auto *form = llvm::dyn_cast<SpecialForm>(callee))
    return emitForm(form->form, tree, binders, hint);
  std::vector<NamedValue> args, kwargs;
  if (!emitArguments(tree, args, kwargs))
    return nullptr;
  return callee->call(*this, tree.range(), args, kwargs);
}

//===-- Functions and methods ----------------------------------------------===//

bool FunctionEmitter::ensureSchema(SourceRange range, Function *function) {
  if (function->hasSchema() && !function->schema().returns().empty())
    return true;
  if (function->isBeingDefined())
    return error(range, diag::RecursiveCall, function->name());
  if (compiler.bodyDepth > 200)
    return error(range, diag::NestedTooDeeply, 200);
  return succeeded(function->ensureDefined()) && !function->schema().returns().empty();
}

Value *FunctionEmitter::callSchema(SourceRange range, Value *self, const FunctionSchema &schema, StringRef methodName,
                                   ArrayRef<NamedValue> args, ArrayRef<NamedValue> kwargs, Symbol kind) {
  std::vector<NamedValue> all;
  if (self && kind == prim::CallMethod)
    all.push_back(self);
  all.insert(all.end(), args.begin(), args.end());
  auto matched = matchSchema(schema, graph, range, all, kwargs, diags);
  if (!matched)
    return nullptr;
  std::vector<Value *> inputs = matched->inputs;
  if (kind == prim::CallFunction)
    inputs.insert(inputs.begin(), self);
  Node *node = insertNode(kind, inputs, 1, range);
  if (kind == prim::CallMethod)
    node->setAttribute(attr::name, methodName.str());
  return node->output()->setType(matched->returnTypes.empty() ? Type::noneType() : matched->returnTypes[0]);
}

Value *FunctionEmitter::callFunction(SourceRange range, Function *function, ArrayRef<NamedValue> args,
                                     ArrayRef<NamedValue> kwargs) {
  if (!ensureSchema(range, function))
    return nullptr;
  Value *target = constant(IValue(function), range);
  return callSchema(range, target, function->schema(), "", args, kwargs, prim::CallFunction);
}

Value *FunctionEmitter::callMethod(SourceRange range, Value *self, Function *method, ArrayRef<NamedValue> args,
                                   ArrayRef<NamedValue> kwargs) {
  if (!ensureSchema(range, method))
    return nullptr;
  return callSchema(range, self, method->schema(), method->name(), args, kwargs, prim::CallMethod);
}

Value *FunctionEmitter::callMagic(SourceRange range, StringRef magic, Symbol fallback, ArrayRef<Value *> args) {
  if (auto *type = llvm::dyn_cast<ClassType>(args[0]->type()); type && !magic.empty()) {
    Function *method = type->findMethod(magic);
    if (!method)
      return error(range, diag::NoMagicMethod, type->annotation(), magic);
    std::vector<NamedValue> rest(args.begin() + 1, args.end());
    return callMethod(range, args[0], method, rest, {});
  }
  std::vector<NamedValue> values(args.begin(), args.end());
  for (NamedValue &value : values)
    value.range = range;
  return callBuiltin(range, fallback, values);
}

//===-- Special forms ------------------------------------------------------===//

Value *FunctionEmitter::emitToList(Value *tensor, const Type *hint, SourceRange range) {
  auto *list = llvm::dyn_cast_or_null<ListType>(hint);
  if (!hint || (!list && !hint->isInt() && !hint->isFloat() && !hint->isBool() && !hint->isComplex()))
    return error(range, diag::ToListHint);
  int64_t depth = 0;
  const Type *element = hint;
  for (; auto *inner = llvm::dyn_cast<ListType>(element); element = inner->element())
    ++depth;
  int64_t number = element->isInt()       ? 0
                   : element->isFloat()   ? 1
                   : element->isComplex() ? 2
                   : element->isBool()    ? 3
                                          : -1;
  if (number < 0)
    return error(range, diag::ToListHint);
  // PyTorch's numbers of element types: int 0, float 1, bool 2 (complex 3).
  if (element->isBool())
    number = 2;
  else if (element->isComplex())
    number = 3;
  return insertValue(prim::tolist, {tensor, constant(depth, range), constant(number, range)}, hint, range);
}

/// The graph that a forked call runs, with what it needs as inputs.
Value *FunctionEmitter::emitFork(const Apply &tree) {
  if (tree.args().empty())
    return error(tree.range(), diag::FormArity, "fork", 1, 0);
  SugaredValue *callee = emitSugared(tree.args()[0]);
  std::vector<NamedValue> args, kwargs;
  if (!callee || !emitArguments(tree, args, kwargs, 1))
    return nullptr;
  auto body = std::make_shared<Graph>(context);
  FunctionEmitter inner(compiler, resolver, *body, this);
  inner.graph.setInsertPoint(body->block());
  std::vector<Value *> inputs;
  auto import = [&](Value *value) {
    inputs.push_back(value);
    return body->addInput("", value->type());
  };
  const Type *result = nullptr;
  if (auto *closure = llvm::dyn_cast<ClosureSugar>(callee)) {
    llvm::SmallVector<Value *, 4> parameters;
    for (NamedValue &arg : args)
      parameters.push_back(import(arg.value));
    result = inner.emitClosureBody(closure->def, parameters);
    inputs.insert(inputs.end(), inner.captured.begin(), inner.captured.end());
  } else {
    SugaredValue *target = callee;
    if (auto *method = llvm::dyn_cast<MethodSugar>(callee))
      if (callee->describe() != "interface method")
        target = inner.make<MethodSugar>(import(method->self), method->methods);
    if (auto *object = llvm::dyn_cast<SimpleValue>(callee))
      target = inner.simple(import(object->get()));
    for (std::vector<NamedValue> *list : {&args, &kwargs})
      for (NamedValue &arg : *list)
        if (arg.value)
          arg.value = import(arg.value);
    SugaredValue *called = target->call(inner, tree.range(), args, kwargs);
    Value *value = called ? called->asValue(inner, tree.range()) : nullptr;
    if (value) {
      inner.insertNode(prim::ReturnStmt, {value}, 0, tree.range());
      result = value->type();
    }
  }
  if (!result)
    return nullptr;
  lowerBody(*body, result);
  Node *node = insertNode(prim::fork, inputs, 1, tree.range());
  node->setAttribute(attr::Subgraph, body);
  return node->output()->setType(context.futureOf(result));
}

/// list(), list(xs)
SugaredValue *FunctionEmitter::emitListForm(const Apply &tree, const Type *hint) {
  if (tree.args().empty()) {
    auto *list = llvm::dyn_cast_or_null<ListType>(hint);
    return simple(makeList(list ? list->element() : Type::tensorType(), {}, tree.range()));
  }
  if (tree.args().size() > 1)
    return error(tree.range(), diag::FormArity, "list", 1, tree.args().size());
  SugaredValue *argument = emitSugared(tree.args()[0]);
  if (!argument)
    return nullptr;
  if (auto *plain = llvm::dyn_cast<SimpleValue>(argument); plain && llvm::isa<ListType>(plain->get()->type()))
    return simple(callBuiltin(tree.range(), aten::list, {plain->get()}));
  if (auto *plain = llvm::dyn_cast<SimpleValue>(argument); plain && plain->get()->type()->isString())
    return simple(callBuiltin(tree.range(), aten::list, {plain->get()}));
  SugaredValue *iterable = argument->iterable(*this, tree.range());
  if (!iterable)
    return nullptr;
  if (std::optional<unsigned> count = iterable->staticLength()) {
    llvm::SmallVector<Value *, 4> values;
    for (unsigned i = 0; i != *count; ++i) {
      SugaredValue *element = iterable->element(*this, tree.range(), constant(static_cast<int64_t>(i), tree.range()));
      Value *value = element ? element->asValue(*this, tree.range()) : nullptr;
      if (!value)
        return nullptr;
      values.push_back(value);
    }
    const Type *type = values.empty() ? Type::tensorType() : values[0]->type();
    for (Value *value : values)
      if (const Type *common = context.unify(type, value->type()))
        type = common;
      else
        return error(tree.range(), diag::MixedList, type->annotation(),
                     context.unionOf({type, value->type()})->annotation());
    return simple(makeList(type, values, tree.range()));
  }
  // A loop that appends.
  Value *list = makeList(Type::tensorType(), {}, tree.range());
  Value *length = iterable->length(*this, tree.range());
  if (!length)
    return nullptr;
  Node *loop = insertNode(prim::Loop, {length, constant(true, tree.range())}, 0, tree.range());
  Block &body = loop->addBlock();
  Value *index = body.addInput("", Type::intType());
  InsertPointGuard guard(graph);
  graph.setInsertPoint(body);
  SugaredValue *element = iterable->element(*this, tree.range(), index);
  Value *value = element ? element->asValue(*this, tree.range()) : nullptr;
  if (!value)
    return nullptr;
  list->setType(context.listOf(value->type()));
  if (!callBuiltin(tree.range(), aten::append, {list, value}))
    return nullptr;
  body.addOutput(constant(true, tree.range()));
  return simple(list);
}

/// dict(), dict(a=1), dict(pairs)
SugaredValue *FunctionEmitter::emitDictForm(const Apply &tree, const Type *hint) {
  auto *dictHint = llvm::dyn_cast_or_null<DictType>(hint);
  if (tree.args().empty()) {
    llvm::SmallVector<Value *, 8> entries;
    const Type *value = dictHint ? dictHint->value() : nullptr;
    for (const Tree *keyword : tree.keywords()) {
      auto *named = llvm::dyn_cast<Keyword>(keyword);
      Value *entry = named ? emitExpr(named->value(), value) : nullptr;
      if (!entry)
        return nullptr;
      value = value ? context.unify(value, entry->type(), true) : entry->type();
      entries.push_back(constant(IValue(named->name()), keyword->range()));
      entries.push_back(entry);
    }
    const Type *type = dictHint ? dictHint : context.dictOf(Type::stringType(), value ? value : Type::tensorType());
    return simple(insertValue(prim::DictConstruct, entries, type, tree.range()));
  }
  if (auto *literal = llvm::dyn_cast<ListLiteral>(tree.args()[0]); literal && literal->elements().empty()) {
    const Type *type = dictHint ? dictHint : context.dictOf(Type::stringType(), Type::tensorType());
    return simple(insertValue(prim::DictConstruct, {}, type, tree.range()));
  }
  if (auto *comp = llvm::dyn_cast<DictComp>(tree.args()[0]))
    return simple(emitDictComp(*comp, hint));
  if (auto *literal = llvm::dyn_cast<DictLiteral>(tree.args()[0]))
    return simple(emitDictLiteral(*literal, hint));
  Value *source = emitExpr(tree.args()[0]);
  return source ? simple(callBuiltin(tree.range(), aten::dict, {source})) : nullptr;
}

SugaredValue *FunctionEmitter::emitForm(FormKind form, const Apply &tree, NumBinders binders, const Type *hint) {
  SourceRange range = tree.range();
  size_t count = tree.args().size();
  auto arg = [&](size_t i) { return tree.args()[i]; };
  auto needs = [&](size_t low, size_t high, StringRef name) {
    if (count >= low && count <= high)
      return true;
    error(range, diag::FormArity, name, low, count);
    return false;
  };
  switch (form) {
  case FormKind::Annotate:
  case FormKind::JitAttribute: {
    bool attribute = form == FormKind::JitAttribute;
    if (!needs(2, 2, attribute ? "Attribute" : "annotate"))
      return nullptr;
    const Type *type = annotationType(arg(attribute ? 1 : 0));
    Value *value = type ? emitExpr(arg(attribute ? 0 : 1), type) : nullptr;
    if (!value)
      return nullptr;
    value = convertTo(value, type, range, /*allowConversions=*/true);
    if (!value->type()->isSubtypeOf(type))
      return error(range, diag::AnnotateType, type->annotation(), value->type()->annotation());
    // None annotated as Optional[T] has to have that type from now on.
    return simple(value->type()->isNone() && type != value->type() ? castTo(value, type, range) : value);
  }
  case FormKind::UncheckedCast: {
    if (!needs(2, 2, "unchecked_cast"))
      return nullptr;
    const Type *type = annotationType(arg(0));
    Value *value = type ? emitExpr(arg(1)) : nullptr;
    return value ? simple(castTo(value, type, range)) : nullptr;
  }
  case FormKind::CastTyping: {
    if (!needs(2, 2, "cast"))
      return nullptr;
    return emitSugared(arg(1));
  }
  case FormKind::Uninitialized: {
    if (!needs(1, 1, "uninitialized"))
      return nullptr;
    const Type *type = annotationType(arg(0));
    return type ? simple(insertValue(prim::Uninitialized, {}, type, range)) : nullptr;
  }
  case FormKind::IsInstance:
  case FormKind::JitIsInstance: return simple(emitIsInstance(tree, form).value);
  case FormKind::GetAttr: {
    if (!needs(2, 3, "getattr"))
      return nullptr;
    SugaredValue *object = emitSugared(arg(0));
    auto *name = llvm::dyn_cast<StringLiteral>(arg(1));
    if (!object || !name) {
      if (object)
        error(range, diag::AttributeNameLiteral, "getattr");
      return nullptr;
    }
    if (count == 3 && !object->hasAttribute(*this, name->value()))
      return emitSugared(arg(2));
    return object->attribute(*this, range, name->value());
  }
  case FormKind::HasAttr: {
    if (!needs(2, 2, "hasattr"))
      return nullptr;
    SugaredValue *object = emitSugared(arg(0));
    auto *name = llvm::dyn_cast<StringLiteral>(arg(1));
    if (!object || !name) {
      if (object)
        error(range, diag::AttributeNameLiteral, "hasattr");
      return nullptr;
    }
    return simple(constant(object->hasAttribute(*this, name->value()), range));
  }
  case FormKind::Fork: return simple(emitFork(tree));
  case FormKind::Print: {
    std::vector<NamedValue> args, kwargs;
    if (!emitArguments(tree, args, kwargs))
      return nullptr;
    if (!kwargs.empty())
      return error(range, diag::UnexpectedKeyword, "print");
    std::vector<Value *> values;
    for (NamedValue &value : args)
      values.push_back(value.value);
    insertNode(prim::Print, values, 0, range);
    return simple(none(range));
  }
  case FormKind::List: return emitListForm(tree, hint);
  case FormKind::Dict: return emitDictForm(tree, hint);
  case FormKind::Tuple: {
    if (count == 0)
      return simple(makeTuple({}, range));
    SugaredValue *source = emitSugared(arg(0));
    auto parts =
        source ? source->asTuple(*this, range, binders && *binders > 1 ? binders : NumBinders()) : std::nullopt;
    return parts ? make<TupleSugar>(*parts) : nullptr;
  }
  case FormKind::Range: {
    std::vector<NamedValue> args, kwargs;
    if (!needs(1, 3, "range") || !emitArguments(tree, args, kwargs))
      return nullptr;
    Value *values[3] = {nullptr, nullptr, nullptr};
    for (size_t i = 0; i != args.size() && i < 3; ++i) {
      values[i] = convertTo(args[i].value, Type::intType(), range, true);
      if (!values[i]->type()->isInt())
        return error(range, diag::RangeArgument, values[i]->type()->annotation());
    }
    if (args.size() == 1)
      return make<RangeSugar>(constant(int64_t{0}, range), values[0], constant(int64_t{1}, range), true);
    return make<RangeSugar>(values[0], values[1], values[2] ? values[2] : constant(int64_t{1}, range), false);
  }
  case FormKind::Enumerate:
  case FormKind::Zip: {
    llvm::SmallVector<SugaredValue *, 4> children;
    if (form == FormKind::Enumerate) {
      if (!needs(1, 2, "enumerate"))
        return nullptr;
      const Tree *startTree = count == 2 ? arg(1) : nullptr;
      for (const Tree *keyword : tree.keywords())
        if (auto *named = llvm::dyn_cast<Keyword>(keyword); named && named->name() == "start")
          startTree = named->value();
      Value *start = startTree ? emitExpr(startTree) : constant(int64_t{0}, range);
      if (!start)
        return nullptr;
      children.push_back(make<RangeSugar>(start, nullptr, constant(int64_t{1}, range), !startTree));
    }
    size_t last = form == FormKind::Enumerate ? 1 : count;
    if (last == 0)
      return error(range, diag::FormArity, "zip", 1, 0);
    for (size_t i = 0; i != last; ++i) {
      SugaredValue *source = emitSugared(arg(i));
      SugaredValue *iterable = source ? source->iterable(*this, arg(i)->range()) : nullptr;
      if (!iterable)
        return nullptr;
      children.push_back(iterable);
    }
    auto unrolls = [](SugaredValue *child) { return child->staticLength().has_value(); };
    auto counts = [](SugaredValue *child) {
      return llvm::isa<RangeSugar>(child) && !llvm::cast<RangeSugar>(child)->end;
    };
    if (llvm::any_of(children, unrolls) &&
        !llvm::all_of(children, [&](SugaredValue *child) { return unrolls(child) || counts(child); }))
      return error(range, diag::MixedLengths);
    return make<IterableTree>(children);
  }
  case FormKind::Reversed: {
    if (!needs(1, 1, "reversed"))
      return nullptr;
    Value *value = emitExpr(arg(0));
    Value *copy = value ? callBuiltin(range, aten::list, {value}) : nullptr;
    return copy && callBuiltin(range, context.symbol("aten::reverse"), {copy}) ? simple(copy) : nullptr;
  }
  case FormKind::Len: {
    if (!needs(1, 1, "len"))
      return nullptr;
    SugaredValue *object = emitSugared(arg(0));
    if (!object)
      return nullptr;
    if (auto *plain = llvm::dyn_cast<SimpleValue>(object)) {
      if (auto *tuple = llvm::dyn_cast<TupleType>(plain->get()->type()))
        return simple(constant(static_cast<int64_t>(tuple->elements().size()), range));
      return simple(callMagic(range, "__len__", aten::len, {plain->get()}));
    }
    if (std::optional<unsigned> known = object->staticLength())
      return simple(constant(static_cast<int64_t>(*known), range));
    return simple(object->length(*this, range));
  }
  case FormKind::NewObject: {
    const Type *type = needs(1, 1, "__new__") ? annotationType(arg(0)) : nullptr;
    return type ? simple(insertValue(prim::CreateObject, {}, type, range)) : nullptr;
  }
  case FormKind::Raise: {
    std::vector<NamedValue> args, kwargs;
    if (!needs(1, 2, "RaiseException") || !emitArguments(tree, args, kwargs))
      return nullptr;
    std::vector<Value *> values;
    for (NamedValue &value : args)
      values.push_back(value.value);
    if (values.size() == 1)
      values.push_back(none(range));
    insertNode(prim::RaiseException, values, 0, range);
    return simple(none(range));
  }
  case FormKind::Super: return make<SuperSugar>();
  case FormKind::TrueConstant:
  case FormKind::FalseConstant: return simple(constant(form == FormKind::TrueConstant, range));
  case FormKind::ToList: break; // a method of tensors, which emitCall takes before
  }
  llvm_unreachable("a form that is not called by name");
}
