//===- SpecialForms.cpp - Calls that are compiled by their syntax ---------===//
//
// `annotate(T, x)`, `range(n)`, `len(x)` and the rest: callees that are neither
// functions nor operators, because they take a type, unroll, or hold no value.
// One member for each; emitForm chooses among them.
//
//===----------------------------------------------------------------------===//
#include "../SugaredValues/Values.h"
#include "FunctionEmitter.h"
#include "TypeExpressions.h"
#include "tsc/Python/Slices.h"
#include "llvm/ADT/DenseMap.h"

using namespace tsc;

FunctionEmitter::Failed FunctionEmitter::arityError(SourceRange range, StringRef form, size_t low, size_t high,
                                                    size_t count) {
  size_t limit = count < low ? low : high;
  const char *kind = low == high ? "exactly" : count < low ? "at least" : "at most";
  return error(range, diag::FormArity, form,
               llvm::formatv("{0} {1} argument{2}", kind, limit, limit == 1 ? "" : "s").str(), count);
}

bool FunctionEmitter::takes(const Apply &tree, StringRef form, size_t low, size_t high) {
  size_t count = tree.args().size();
  if (count < low || count > high)
    return arityError(tree.range(), form, low, high, count);
  return tree.keywords().empty() || error(tree.range(), diag::UnexpectedKeyword, form);
}

//===-- Types --------------------------------------------------------------===//

Value *FunctionEmitter::emitAnnotated(SourceRange range, const Tree *typeTree, const Tree *valueTree) {
  const Type *type = annotationType(typeTree);
  Value *value = type ? emitExpr(valueTree, type) : nullptr;
  if (!value)
    return nullptr;
  value = convertTo(value, type, range, /*allowConversions=*/true);
  if (!value->type()->isSubtypeOf(type))
    return error(range, diag::AnnotateType, type->annotation(), value->type()->annotation());
  // None annotated as Optional[T] has to have that type from now on.
  return value->type()->isNone() && type != value->type() ? castTo(value, type, range) : value;
}

/// annotate(T, x), or Attribute(x, T).
Value *FunctionEmitter::emitAnnotate(const Apply &tree, bool isAttribute) {
  if (!takes(tree, isAttribute ? "Attribute" : "annotate", 2, 2))
    return nullptr;
  return emitAnnotated(tree.range(), tree.args()[isAttribute], tree.args()[!isAttribute]);
}

/// unchecked_cast(T, x). Where a condition has refined `x` to that type already, as it does when code is printed and
/// read again, the refined value will do: else each time there would be one cast more.
Value *FunctionEmitter::emitUncheckedCast(const Apply &tree) {
  const Type *type = takes(tree, "unchecked_cast", 2, 2) ? annotationType(tree.args()[0]) : nullptr;
  Value *value = type ? emitExpr(tree.args()[1]) : nullptr;
  if (value && value->type() == type && value->node()->kind() == prim::unchecked_cast)
    return value;
  return value ? castTo(value, type, tree.range()) : nullptr;
}

/// A form that gives a value of the type it is called with: uninitialized(T), T.__new__(T).
Value *FunctionEmitter::emitOfType(const Apply &tree, StringRef form, Symbol kind) {
  const Type *type = takes(tree, form, 1, 1) ? annotationType(tree.args()[0]) : nullptr;
  return type ? insertValue(kind, {}, type, tree.range()) : nullptr;
}

//===-- Attributes ---------------------------------------------------------===//

/// The name that getattr and hasattr are given; null after a report.
const StringLiteral *FunctionEmitter::attributeNameOf(const Apply &tree, StringRef form) {
  if (auto *name = llvm::dyn_cast<StringLiteral>(tree.args()[1]))
    return name;
  return error(tree.range(), diag::AttributeNameLiteral, form);
}

/// getattr(x, "name"), getattr(x, "name", y)
SugaredValue *FunctionEmitter::emitGetAttr(const Apply &tree) {
  SugaredValue *object = takes(tree, "getattr", 2, 3) ? emitSugared(tree.args()[0]) : nullptr;
  const StringLiteral *name = object ? attributeNameOf(tree, "getattr") : nullptr;
  if (!name)
    return nullptr;
  if (tree.args().size() == 3 && !object->hasAttribute(*this, name->value()))
    return emitSugared(tree.args()[2]);
  return object->attribute(*this, tree.range(), name->value());
}

/// hasattr(x, "name")
Value *FunctionEmitter::emitHasAttr(const Apply &tree) {
  SugaredValue *object = takes(tree, "hasattr", 2, 2) ? emitSugared(tree.args()[0]) : nullptr;
  const StringLiteral *name = object ? attributeNameOf(tree, "hasattr") : nullptr;
  return name ? constant(object->hasAttribute(*this, name->value()), tree.range()) : nullptr;
}

//===-- Statements that are calls ------------------------------------------===//

/// A form that hands its arguments to a node without results; None.
Value *FunctionEmitter::emitEffect(const Apply &tree, Symbol kind, size_t padTo) {
  std::vector<NamedValue> args, kwargs;
  if (!emitArguments(tree, args, kwargs))
    return nullptr;
  std::vector<Value *> values;
  for (NamedValue &value : args)
    values.push_back(kind == prim::Print ? textOfObject(value.value, tree.range()) : value.value);
  if (llvm::is_contained(values, nullptr))
    return nullptr;
  while (values.size() < padTo)
    values.push_back(none(tree.range()));
  Node *node = insertNode(kind, values, 0, tree.range());
  if (resolver.followsPython())
    followPython(*node);
  return none(tree.range());
}

static bool hasOwnText(const ClassType &type) { return type.findMethod("__str__") || type.findMethod("__repr__"); }

/// Whether values of a type hold an object that says itself how it is shown.
static bool showsOwnText(const Type *type) {
  if (auto *object = llvm::dyn_cast<ClassType>(type))
    return hasOwnText(*object);
  if (auto *optional = llvm::dyn_cast<OptionalType>(type))
    return showsOwnText(optional->element());
  if (auto *list = llvm::dyn_cast<ListType>(type))
    return showsOwnText(list->element());
  if (auto *dict = llvm::dyn_cast<DictType>(type))
    return showsOwnText(dict->key()) || showsOwnText(dict->value());
  auto *tuple = llvm::dyn_cast<TupleType>(type);
  return tuple && !tuple->isNamed() && llvm::any_of(tuple->elements(), showsOwnText);
}

namespace {
/// What a value is to Python that compiled code has as a number or a list: what gave it tells.
struct Shown {
  enum Kind : uint8_t { AsItIs, DType, Layout, MemoryFormat, Size, Strides, Tuple, Results, BeingFound };
  Kind kind = AsItIs;
  std::vector<Shown> elements{};   ///< Of a tuple.
  const Node *operation = nullptr; ///< Whose named results these are.
  bool operator==(const Shown &) const = default;
};
} // namespace

/// What `torch.float32`, by another name perhaps, is in the program's text.
static Shown shownConstant(FunctionEmitter &e, const Value &value) {
  std::string path = e.resolver.canonicalName(value.node()->range().text());
  StringRef name = path;
  if (!value.type()->isInt() || !name.consume_front("torch.") || !torchConstant(name))
    return {};
  if (name == "strided" || name.starts_with("sparse_"))
    return {Shown::Layout};
  return {name.starts_with("channels_last") || name.ends_with("_format") ? Shown::MemoryFormat : Shown::DType};
}

/// The operator whose results a call of it has made a tuple of, where they have names; null for other tuples.
static const Node *namedResults(const Node &tuple) {
  const Node *operation = tuple.numInputs() > 1 ? tuple.input(0)->node() : nullptr;
  const FunctionSchema *schema = operation && operation->record() ? operation->schema() : nullptr;
  if (!schema || operation->numOutputs() != tuple.numInputs() || operation->range() != tuple.range())
    return nullptr;
  for (unsigned i = 0; i != tuple.numInputs(); ++i)
    if (tuple.input(i) != operation->output(i) || schema->returns()[i].name.empty())
      return nullptr;
  return operation;
}

namespace {
/// Finds out what values of a function that is being compiled are to Python.
class ShownFinder {
public:
  explicit ShownFinder(FunctionEmitter &e) : e(e) {}

  Shown of(const Value &value) {
    const Type *type = value.type();
    if (!(type->isInt() || llvm::isa<ListType, TupleType>(type)))
      return {};
    constexpr size_t most = 256; // values that are looked at; of more nothing is found out
    auto [known, isNew] = found.try_emplace(&value, Shown{Shown::BeingFound});
    if (!isNew || found.size() > most)
      return isNew ? Shown() : known->second;
    Shown shown = type->isInt() ? ofInt(value) : llvm::isa<ListType>(type) ? ofList(value) : ofTuple(value);
    return found[&value] = shown;
  }

private:
  /// What all of several values are; one that hangs on itself says nothing.
  Shown common(ArrayRef<const Value *> values) {
    Shown result{Shown::BeingFound};
    for (const Value *value : values) {
      Shown shown = of(*value);
      if (shown.kind == Shown::BeingFound || shown == result)
        continue;
      if (result.kind != Shown::BeingFound)
        return {};
      result = std::move(shown);
    }
    return result;
  }

  Shown ofInt(const Value &value) {
    const Node &node = *value.node();
    if (node.kind() == prim::dtype)
      return {Shown::DType};
    return node.kind() == prim::Constant ? shownConstant(e, value) : ofAny(value);
  }

  Shown ofList(const Value &value) {
    const Node &node = *value.node();
    if (node.kind().qualified() == "aten::stride")
      return {Shown::Strides};
    if (node.kind() == aten::size)
      return {Shown::Size};
    if (node.kind() == aten::slice) // a part of a size is one, and so are two of them joined
      return common({node.input(0)});
    return node.kind() == aten::add ? common({node.input(0), node.input(1)}) : ofAny(value);
  }

  Shown ofTuple(const Value &value) {
    const Node &node = *value.node();
    if (node.kind() != prim::TupleConstruct)
      return ofAny(value);
    if (const Node *operation = namedResults(node))
      return {Shown::Results, {}, operation};
    if (llvm::cast<TupleType>(value.type())->isNamed())
      return {};
    Shown shown{Shown::Tuple};
    for (const Value *element : node.inputs())
      shown.elements.push_back(of(*element));
    return shown;
  }

  /// Of what only hands values on.
  Shown ofAny(const Value &value) {
    const Node &node = *value.node();
    switch (node.kind().id()) {
    case SymbolId::prim_CallFunction:
    case SymbolId::prim_CallMethod: return ofResult(node);
    case SymbolId::prim_TupleUnpack:
    case SymbolId::prim_TupleIndex: {
      const Shown tuple = of(*node.input(0));
      std::optional<int64_t> at =
          node.kind() == prim::TupleIndex ? e.constantIndex(node.input(1)) : std::optional<int64_t>(value.offset());
      if (at)
        at = python::elementPlace(*at, static_cast<int64_t>(tuple.elements.size()));
      return at ? tuple.elements[*at] : Shown();
    }
    case SymbolId::prim_If: {
      llvm::SmallVector<const Value *, 2> results;
      for (const Block &block : node.blocks())
        results.push_back(block.returnNode().input(value.offset()));
      return common(results);
    }
    case SymbolId::prim_Load: { // of a variable: what has been stored there so far
      const std::string &name = node.get<std::string>(attr::name);
      llvm::SmallVector<const Value *, 4> stored;
      e.graph.walk([&](const Node &store) {
        if (store.kind() == prim::Store && store.get<std::string>(attr::name) == name)
          stored.push_back(store.input(0));
      });
      return common(stored);
    }
    default: return {};
    }
  }

  /// What a call of a function of the program returns.
  Shown ofResult(const Node &call) {
    const Type *type = call.input(0)->type();
    Function *callee = nullptr;
    if (auto *function = llvm::dyn_cast<FunctionType>(type))
      callee = const_cast<Function *>(function->function());
    else if (auto *object = llvm::dyn_cast<ClassType>(type))
      callee = object->findMethod(call.get<std::string>(attr::name));
    if (!callee || callee->isBeingDefined() || failed(callee->ensureDefined()) || !callee->graph())
      return {};
    const Node &returned = callee->graph()->block().returnNode();
    return returned.numInputs() == 1 ? of(*returned.input(0)) : Shown();
  }

  FunctionEmitter &e;
  llvm::DenseMap<const Value *, Shown> found;
};
} // namespace

/// `torch.return_types.max(values=…, indices=…)`
static Value *textOfResults(FunctionEmitter &e, Value *tuple, const Node &operation, SourceRange range) {
  auto *type = llvm::cast<TupleType>(tuple->type());
  Value *text = nullptr;
  for (auto [i, result] : llvm::enumerate(operation.schema()->returns())) {
    std::string before = i == 0 ? "torch.return_types." + operation.kind().name().str() + "(\n" : ",\n";
    Value *label = e.constant(IValue(before + result.name + "="), range);
    text = text ? e.callBuiltin(range, aten::add, {text, label}) : label;
    Value *shown =
        e.callTemplate(range, "repr", {e.tupleIndex(tuple, type->elements()[i], static_cast<int64_t>(i), range)});
    text = text && shown ? e.callBuiltin(range, aten::add, {text, shown}) : nullptr;
    if (!text)
      return nullptr;
  }
  return e.callBuiltin(range, aten::add, {text, e.constant(IValue(")"), range)});
}

static bool isShownOtherwise(const Shown &shown) {
  if (shown.kind == Shown::Tuple)
    return llvm::any_of(shown.elements, isShownOtherwise);
  return shown.kind != Shown::AsItIs && shown.kind != Shown::BeingFound;
}

/// The text of a value that is shown otherwise than it is kept; of others, as an element of a tuple, what repr() gives.
static Value *textOfShown(FunctionEmitter &e, Value *value, const Shown &shown, SourceRange range) {
  switch (shown.kind) {
  case Shown::AsItIs:
  case Shown::BeingFound: return e.callTemplate(range, "repr", {value});
  case Shown::DType: return e.callTemplate(range, "dtype_text", {value});
  case Shown::Layout: return e.callTemplate(range, "layout_text", {value});
  case Shown::MemoryFormat: return e.callTemplate(range, "memory_format_text", {value});
  case Shown::Size: return e.callTemplate(range, "size_text", {value});
  case Shown::Strides: return e.callTemplate(range, "tuple_text", {value});
  case Shown::Results: return textOfResults(e, value, *shown.operation, range);
  case Shown::Tuple: break;
  }
  auto *type = llvm::cast<TupleType>(value->type());
  Value *text = e.constant(IValue("("), range);
  auto append = [&](Value *more) { text = text && more ? e.callBuiltin(range, aten::add, {text, more}) : nullptr; };
  for (auto [i, element] : llvm::enumerate(shown.elements)) {
    if (i != 0)
      append(e.constant(IValue(", "), range));
    append(textOfShown(e, e.tupleIndex(value, type->elements()[i], static_cast<int64_t>(i), range), element, range));
  }
  append(e.constant(IValue(shown.elements.size() == 1 ? ",)" : ")"), range));
  return text;
}

/// What print() and str() show of a value that is, or holds, an object whose class has __str__ or __repr__: a string in
/// its place. `asElement`: as repr() does, within a container.
Value *FunctionEmitter::textOfObject(Value *value, SourceRange range, bool asElement) {
  const Type *type = value->type();
  if (!resolver.followsPython())
    return value;
  if (!resolver.isPrinted())
    if (Shown shown = ShownFinder(*this).of(*value); isShownOtherwise(shown))
      return textOfShown(*this, value, shown, range);
  if (auto *members = llvm::dyn_cast<EnumType>(type); members && !asElement && compiler.shownAsValues.contains(members))
    return insertValue(prim::EnumValue, {value}, members->valueType(), range);
  if (!showsOwnText(type))
    return value;
  if (auto *optional = llvm::dyn_cast<OptionalType>(type)) {
    Condition isThere;
    isThere.value = callBuiltin(range, aten::__isnot__, {value, none(range)});
    return emitIfExpression(
        range, isThere, [&] { return textOfObject(castTo(value, optional->element(), range), range, asElement); },
        [&]() -> Value * { return constant(IValue("None"), range); });
  }
  if (llvm::isa<TupleType>(type))
    return callTemplate(range, "tuple_text", {value});
  if (llvm::isa<ListType>(type))
    return callTemplate(range, "list_text", {value});
  if (llvm::isa<DictType>(type))
    return callTemplate(range, "dict_text", {value});
  auto *object = llvm::cast<ClassType>(type);
  Function *method = asElement ? nullptr : object->findMethod("__str__");
  if (!method)
    method = object->findMethod("__repr__");
  return method ? callMethod(range, value, method, {}, {}) : value;
}

/// `sep` or `end` of print(): `usual` where it is None. Null after a report.
Value *FunctionEmitter::emitPrintText(const Keyword &keyword, StringRef usual) {
  SourceRange range = keyword.range();
  Value *given = emitExpr(keyword.value());
  if (!given || given->type()->isString())
    return given;
  if (given->type()->isNone())
    return constant(IValue(usual.str()), range);
  if (!withoutNone(context, given->type())->isString())
    return error(range, diag::PrintText, keyword.name(), given->type()->annotation());
  Condition isGiven;
  isGiven.value = callBuiltin(range, aten::__isnot__, {given, none(range)});
  return emitIfExpression(
      range, isGiven, [&] { return castTo(given, Type::stringType(), range); },
      [&] { return constant(IValue(usual.str()), range); });
}

/// What print() is given, each as text, in a list: of `*values` there may be any number. Null after a report.
Value *FunctionEmitter::emitPrintedTexts(const Apply &tree) {
  llvm::SmallVector<Value *, 8> texts;
  Value *before = nullptr; // the list of those before the last list
  auto flush = [&](Value *further) {
    Value *list = makeList(Type::stringType(), texts, tree.range());
    texts.clear();
    before = before ? callBuiltin(tree.range(), aten::add, {before, list}) : list;
    if (further && before)
      before = callBuiltin(tree.range(), aten::add, {before, further});
    return before;
  };
  auto add = [&](SugaredValue *given, SourceRange range) {
    Value *value = given ? given->asValue(*this, range) : nullptr;
    Value *text = value ? textOfObject(value, range) : nullptr;
    if (text && !text->type()->isString())
      text = callBuiltin(range, aten::str, {text});
    return texts.emplace_back(text) != nullptr;
  };
  for (const Tree *arg : tree.args()) {
    auto *star = llvm::dyn_cast<Starred>(arg);
    SugaredValue *given = emitSugared(star ? star->value() : arg);
    if (!star || !given) {
      if (!given || !add(given, arg->range()))
        return nullptr;
      continue;
    }
    if (given->staticLength()) {
      auto elements = given->asTuple(*this, arg->range(), std::nullopt);
      if (!elements || !llvm::all_of(*elements, [&](SugaredValue *each) { return add(each, arg->range()); }))
        return nullptr;
      continue;
    }
    SugaredValue *list = listOf(given, arg->range());
    Value *values = list ? list->asValue(*this, arg->range()) : nullptr;
    Value *further = values ? callTemplate(arg->range(), "texts_of", {values}) : nullptr;
    if (!further || !flush(further))
      return nullptr;
  }
  return flush(nullptr);
}

/// print(…)
Value *FunctionEmitter::emitPrint(const Apply &tree) {
  SourceRange range = tree.range();
  auto isText = [](const Keyword &keyword) { return keyword.name() == "sep" || keyword.name() == "end"; };
  bool hasText = false;
  for (const Tree *keyword : tree.keywords()) {
    auto *named = llvm::dyn_cast<Keyword>(keyword);
    if (!named || (named->name() != "flush" && !isText(*named)))
      return error(keyword->range(), diag::PrintKeyword, named ? named->name() : "**");
    hasText |= isText(*named);
  }
  const bool isPlain = !hasText && llvm::none_of(tree.args(), [](const Tree *arg) { return llvm::isa<Starred>(arg); });
  if (isPlain)
    return emitEffect(tree, prim::Print);
  // One text, for prim::Print writes a line with spaces between what is printed.
  Value *texts = emitPrintedTexts(tree), *separator = nullptr, *end = nullptr;
  if (!texts)
    return nullptr;
  for (const Tree *keyword : tree.keywords())
    if (auto *named = llvm::cast<Keyword>(keyword); isText(*named)) {
      const bool isEnd = named->name() == "end";
      Value *text = emitPrintText(*named, isEnd ? "\n" : " ");
      if (!text)
        return nullptr;
      (isEnd ? end : separator) = text;
    }
  Value *line =
      callBuiltin(range, context.symbol("aten::join"), {separator ? separator : constant(IValue(" "), range), texts});
  auto known = end ? constantValue(end) : std::nullopt;
  if (line && end && !(known && known->toString() == "\n"))
    line = callBuiltin(range, aten::add, {line, end});
  else
    end = nullptr;
  if (!line)
    return nullptr;
  insertNode(end ? context.symbol("tsc::write") : Symbol(prim::Print), {line}, 0, range);
  return none(range);
}

/// RaiseException(message), RaiseException(message, class)
Value *FunctionEmitter::emitRaiseForm(const Apply &tree) {
  return takes(tree, "RaiseException", 1, 2) ? emitEffect(tree, prim::RaiseException, 2) : nullptr;
}

//===-- Forks --------------------------------------------------------------===//

/// The graph that a forked call runs, with what it needs as inputs.
Value *FunctionEmitter::emitFork(const Apply &tree) {
  if (tree.args().empty())
    return arityError(tree.range(), "fork", 1, SIZE_MAX, 0);
  SugaredValue *callee = emitSugared(tree.args()[0]);
  std::vector<NamedValue> args, kwargs;
  if (!callee || !emitArguments(tree, args, kwargs, 1))
    return nullptr;
  auto body = std::make_shared<Graph>(context);
  auto *closure = llvm::dyn_cast<ClosureSugar>(callee);
  FunctionEmitter inner(compiler, closure ? closure->resolver : resolver, *body, closure ? closure->definer : this);
  inner.caller = this;
  inner.graph.setInsertPoint(body->block());
  std::vector<Value *> inputs;
  auto import = [&](Value *value) {
    inputs.push_back(value);
    return body->addInput("", value->type());
  };
  const Type *result = nullptr;
  if (closure) {
    std::vector<SugaredArgument> given;
    for (const NamedValue &arg : args)
      given.push_back({simple(arg.value), tree.range(), ""});
    for (const NamedValue &arg : kwargs)
      given.push_back({simple(arg.value), tree.range(), arg.name});
    inner.env.push(body->block());
    if (inner.bindParameters(*closure, tree.range(), given, *this))
      result = inner.emitClosureBody(*closure);
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

//===-- Containers ---------------------------------------------------------===//

Value *FunctionEmitter::emitToList(Value *tensor, const Type *hint, SourceRange range) {
  if ((!hint || hint->isAny()) && resolver.followsPython() && !resolver.isPrinted())
    return callTemplate(range, "nested_list", {tensor});
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

/// The list of what `iterable` unrolls to, `count` elements.
SugaredValue *FunctionEmitter::listUnrolled(SugaredValue *iterable, unsigned count, SourceRange range) {
  llvm::SmallVector<Value *, 4> values;
  for (unsigned i = 0; i != count; ++i) {
    SugaredValue *element = iterable->element(*this, range, constant(static_cast<int64_t>(i), range));
    Value *value = element ? element->asValue(*this, range) : nullptr;
    if (!value)
      return nullptr;
    values.push_back(value);
  }
  const Type *type = values.empty() ? Type::tensorType() : values[0]->type();
  for (Value *value : values)
    if (const Type *common = context.unify(type, value->type()))
      type = common;
    else
      return error(range, diag::MixedList, type->annotation(), context.unionOf({type, value->type()})->annotation());
  return simple(makeList(type, values, range));
}

/// The list of what `iterable` gives, by a loop that appends.
SugaredValue *FunctionEmitter::listByLoop(SugaredValue *iterable, SourceRange range) {
  Value *list = makeList(Type::tensorType(), {}, range);
  Value *length = iterable->length(*this, range);
  if (!length)
    return nullptr;
  Node *loop = insertNode(prim::Loop, {length, constant(true, range)}, 0, range);
  Block &body = loop->addBlock();
  Value *index = body.addInput("", Type::intType());
  InsertPointGuard guard(graph);
  graph.setInsertPoint(body);
  SugaredValue *element = iterable->element(*this, range, index);
  Value *value = element ? element->asValue(*this, range) : nullptr;
  if (!value)
    return nullptr;
  list->setType(context.listOf(value->type()));
  if (!callBuiltin(range, aten::append, {list, value}))
    return nullptr;
  body.addOutput(constant(true, range));
  return simple(list);
}

/// list(), list(xs)
SugaredValue *FunctionEmitter::emitListForm(const Apply &tree, const Type *hint) {
  if (!takes(tree, "list", 0, 1))
    return nullptr;
  if (tree.args().empty()) {
    auto *list = llvm::dyn_cast_or_null<ListType>(hint);
    return simple(makeList(list ? list->element() : Type::tensorType(), {}, tree.range()));
  }
  SugaredValue *argument = emitSugared(tree.args()[0]);
  return argument ? listCopy(argument, tree.range()) : nullptr;
}

SugaredValue *FunctionEmitter::listCopy(SugaredValue *values, SourceRange range) {
  auto *plain = llvm::dyn_cast<SimpleValue>(values);
  if (plain && (llvm::isa<ListType>(plain->get()->type()) || plain->get()->type()->isString()))
    return simple(callBuiltin(range, aten::list, {plain->get()}));
  return listOf(values, range);
}

SugaredValue *FunctionEmitter::listOf(SugaredValue *values, SourceRange range) {
  SugaredValue *iterable = values->iterable(*this, range);
  if (!iterable)
    return nullptr;
  std::optional<unsigned> count = iterable->staticLength();
  return count ? listUnrolled(iterable, *count, range) : listByLoop(iterable, range);
}

/// dict(), dict(a=1), dict(pairs, a=1)
SugaredValue *FunctionEmitter::emitDictForm(const Apply &tree, const Type *hint) {
  if (tree.args().size() > 1)
    return arityError(tree.range(), "dict", 0, 1, tree.args().size());
  SourceRange range = tree.range();
  auto *dictHint = llvm::dyn_cast_or_null<DictType>(hint);
  llvm::SmallVector<Value *, 8> keys, values;
  for (const Tree *keyword : tree.keywords()) {
    auto *named = llvm::dyn_cast<Keyword>(keyword);
    if (!named)
      return error(keyword->range(), diag::UnsupportedSyntax, unsupportedWords(keyword->kind()));
    Value *value = emitExpr(named->value(), dictHint ? dictHint->value() : nullptr);
    if (!value)
      return nullptr;
    keys.push_back(constant(IValue(named->name()), keyword->range()));
    values.push_back(value);
  }
  const Tree *source = tree.args().empty() ? nullptr : tree.args()[0];
  if (auto *literal = llvm::dyn_cast_or_null<ListLiteral>(source); !source || (literal && literal->elements().empty()))
    return simple(makeDict(keys, values, dictHint, range));
  Value *dict = nullptr;
  if (auto *comp = llvm::dyn_cast<DictComp>(source))
    dict = emitDictComp(*comp, hint);
  else if (auto *literal = llvm::dyn_cast<DictLiteral>(source))
    dict = emitDictLiteral(*literal, hint);
  else if (SugaredValue *given = emitSugared(source)) {
    if (llvm::isa<IterableTree>(given)) // dict(zip(names, values))
      given = listByLoop(given, range);
    Value *pairs = given ? given->asValue(*this, range) : nullptr;
    auto *type = pairs ? llvm::dyn_cast<ClassType>(pairs->type()) : nullptr;
    if (Function *items = type ? type->findMethod("items") : nullptr)
      pairs = callMethod(range, pairs, items, {}, {});
    dict = pairs ? callBuiltin(range, aten::dict, {pairs}) : nullptr;
  }
  for (auto [key, value] : llvm::zip_equal(keys, values))
    if (!dict || !callBuiltin(range, aten::_set_item, {dict, key, value}))
      return nullptr;
  return simple(dict);
}

/// tuple(), tuple(xs)
SugaredValue *FunctionEmitter::emitTupleForm(const Apply &tree, NumBinders binders) {
  if (!takes(tree, "tuple", 0, 1))
    return nullptr;
  if (tree.args().empty())
    return simple(makeTuple({}, tree.range()));
  const Tree *argument = tree.args()[0];
  const bool isPython = resolver.followsPython() && !resolver.isPrinted();
  if (auto *literal = llvm::dyn_cast<ListLiteral>(argument);
      literal && isPython &&
      llvm::none_of(literal->elements(), [](const Tree *part) { return llvm::isa<Starred>(part); })) {
    llvm::SmallVector<SugaredValue *, 4> elements;
    for (const Tree *part : literal->elements())
      if (!elements.emplace_back(simple(emitExpr(part))))
        return nullptr;
    return make<TupleSugar>(elements);
  }
  // tuple(f(x) for x in pair): as long as what it goes over, where that is known.
  if (auto *generator = llvm::dyn_cast<GeneratorExpr>(argument);
      generator && isPython && generator->loops().size() == 1) {
    llvm::SmallVector<SugaredValue *, 4> elements;
    const Block *home = &graph.insertPointBlock();
    bool ok = emitComprehensionLoops(generator->loops(), [&] {
      if (&graph.insertPointBlock() != home)
        return static_cast<bool>(error(tree.range(), diag::UnknownLength));
      Value *element = emitExpr(generator->element());
      elements.push_back(element ? simple(element) : nullptr);
      return element != nullptr;
    });
    return ok ? make<TupleSugar>(elements) : nullptr;
  }
  SugaredValue *source = emitSugared(argument);
  auto parts =
      source ? source->asTuple(*this, tree.range(), binders && *binders > 1 ? binders : NumBinders()) : std::nullopt;
  return parts ? make<TupleSugar>(*parts) : nullptr;
}

/// reversed(xs)
SugaredValue *FunctionEmitter::emitReversed(const Apply &tree) {
  SugaredValue *object = takes(tree, "reversed", 1, 1) ? emitSugared(tree.args()[0]) : nullptr;
  if (object && llvm::isa<RangeSugar, IterableTree>(object))
    object = listByLoop(object, tree.range());
  Value *value = object ? object->asValue(*this, tree.range()) : nullptr;
  if (TupleSugar *modules = value ? moduleElements(*this, tree.range(), value) : nullptr) {
    std::reverse(modules->elements.begin(), modules->elements.end());
    return modules;
  }
  Value *copy = value ? callBuiltin(tree.range(), aten::list, {value}) : nullptr;
  return copy && callBuiltin(tree.range(), aten::reverse, {copy}) ? simple(copy) : nullptr;
}

/// super(): in a method of a module, what its first argument has from the classes behind that of the text.
SugaredValue *FunctionEmitter::emitSuper(const Apply &tree) {
  if (newException)
    return make<NewExceptionSugar>(/*isSuper=*/true);
  Value *self = (owner || textOwner) && !graph.inputs().empty() ? *graph.inputs().begin() : nullptr;
  return make<SuperSugar>(self, owner, textOwner);
}

/// len(x)
Value *FunctionEmitter::emitLen(const Apply &tree) {
  SugaredValue *object = takes(tree, "len", 1, 1) ? emitSugared(tree.args()[0]) : nullptr;
  if (!object)
    return nullptr;
  if (auto *plain = llvm::dyn_cast<SimpleValue>(object)) {
    if (auto *tuple = llvm::dyn_cast<TupleType>(plain->get()->type()))
      return constant(static_cast<int64_t>(tuple->elements().size()), tree.range());
    if (ModuleInfo *module = compiler.moduleInfo(plain->get()->type()); module && (module->isList || module->isDict))
      return constant(static_cast<int64_t>(module->children.size()), tree.range());
    return callMagic(tree.range(), "__len__", aten::len, {plain->get()});
  }
  if (llvm::isa<ConstantSugar>(object)) {
    Value *value = object->asValue(*this, tree.range());
    return value ? callMagic(tree.range(), "__len__", aten::len, {value}) : nullptr;
  }
  if (std::optional<unsigned> known = object->staticLength())
    return constant(static_cast<int64_t>(*known), tree.range());
  return object->length(*this, tree.range());
}

//===-- What loops go over -------------------------------------------------===//

/// range(end), range(begin, end), range(begin, end, step)
SugaredValue *FunctionEmitter::emitRange(const Apply &tree) {
  SourceRange range = tree.range();
  std::vector<NamedValue> args, kwargs;
  if (!takes(tree, "range", 1, 3) || !emitArguments(tree, args, kwargs))
    return nullptr;
  if (args.empty() || args.size() > 3) // a starred argument may be any number of them
    return arityError(range, "range", 1, 3, args.size());
  Value *values[3] = {nullptr, nullptr, nullptr};
  for (size_t i = 0; i != args.size(); ++i) {
    values[i] = convertTo(args[i].value, Type::intType(), range, true);
    if (!values[i]->type()->isInt())
      return error(range, diag::RangeArgument, values[i]->type()->annotation());
  }
  if (args.size() == 1)
    return make<RangeSugar>(constant(int64_t{0}, range), values[0], constant(int64_t{1}, range), true);
  return make<RangeSugar>(values[0], values[1], values[2] ? values[2] : constant(int64_t{1}, range), false);
}

/// enumerate(xs), enumerate(xs, start): zip(range(start, infinity), xs).
SugaredValue *FunctionEmitter::emitEnumerate(const Apply &tree) {
  size_t count = tree.args().size();
  if (count < 1 || count > 2)
    return arityError(tree.range(), "enumerate", 1, 2, count);
  const Tree *startTree = count == 2 ? tree.args()[1] : nullptr;
  for (const Tree *keyword : tree.keywords()) {
    auto *named = llvm::dyn_cast<Keyword>(keyword);
    if (!named)
      return error(keyword->range(), diag::UnsupportedSyntax, unsupportedWords(keyword->kind()));
    if (named->name() != "start" || startTree)
      return error(keyword->range(), diag::UnknownKeyword, "enumerate", named->name());
    startTree = named->value();
  }
  Value *start = startTree ? emitExpr(startTree) : constant(int64_t{0}, tree.range());
  if (!start)
    return nullptr;
  return zipOf(tree, 1, make<RangeSugar>(start, nullptr, constant(int64_t{1}, tree.range()), !startTree));
}

/// zip(xs, ys, …)
SugaredValue *FunctionEmitter::emitZip(const Apply &tree) {
  return takes(tree, "zip", 1, SIZE_MAX) ? zipOf(tree, tree.args().size()) : nullptr;
}

/// A tuple of values of one type, as a value; null for other sources.
static Value *tupleOfOneType(FunctionEmitter &e, SugaredValue *source, SourceRange range) {
  auto isPlain = [](SugaredValue *element) { return llvm::isa<SimpleValue, ConstantSugar>(element); };
  auto *literal = llvm::dyn_cast<TupleSugar>(source);
  if (!llvm::isa<SimpleValue>(source) && !(literal && llvm::all_of(literal->elements, isPlain)))
    return nullptr;
  Value *value = source->asValue(e, range);
  auto *tuple = value ? llvm::dyn_cast<TupleType>(value->type()) : nullptr;
  return tuple && !tuple->elements().empty() && llvm::all_equal(tuple->elements()) ? value : nullptr;
}

/// The first `count` arguments side by side, after `counter` when there is one.
SugaredValue *FunctionEmitter::zipOf(const Apply &tree, size_t count, SugaredValue *counter) {
  llvm::SmallVector<SugaredValue *, 4> children;
  if (counter)
    children.push_back(counter);
  for (size_t i = 0; i != count; ++i) {
    SugaredValue *source = emitSugared(tree.args()[i]);
    SugaredValue *iterable = source ? source->iterable(*this, tree.args()[i]->range()) : nullptr;
    if (!iterable)
      return nullptr;
    children.push_back(iterable);
  }
  auto unrolls = [](SugaredValue *child) { return child->staticLength().has_value(); };
  auto isEndless = [](SugaredValue *child) {
    auto *range = llvm::dyn_cast<RangeSugar>(child);
    return range && !range->end;
  };
  // Beside what has a length at run time a tuple of one type is a list.
  const bool isMixed = llvm::any_of(children, unrolls) &&
                       !llvm::all_of(children, [&](SugaredValue *child) { return unrolls(child) || isEndless(child); });
  if (isMixed && resolver.followsPython())
    for (SugaredValue *&child : children)
      if (Value *tuple = unrolls(child) ? tupleOfOneType(*this, child, tree.range()) : nullptr) {
        SugaredValue *list = listOf(simple(tuple), tree.range());
        child = list ? list->iterable(*this, tree.range()) : nullptr;
        if (!child)
          return nullptr;
      }
  if (llvm::any_of(children, unrolls) &&
      !llvm::all_of(children, [&](SugaredValue *child) { return unrolls(child) || isEndless(child); }))
    return error(tree.range(), diag::MixedLengths);
  return make<IterableTree>(children);
}

//===-- All of them --------------------------------------------------------===//

SugaredValue *FunctionEmitter::emitForm(FormKind form, const Apply &tree, NumBinders binders, const Type *hint) {
  switch (form) {
  case FormKind::Annotate:
  case FormKind::JitAttribute: return simple(emitAnnotate(tree, form == FormKind::JitAttribute));
  case FormKind::UncheckedCast: return simple(emitUncheckedCast(tree));
  case FormKind::CastTyping: return takes(tree, "cast", 2, 2) ? emitSugared(tree.args()[1]) : nullptr;
  case FormKind::Uninitialized: return simple(emitOfType(tree, "uninitialized", prim::Uninitialized));
  case FormKind::NewObject: return simple(emitOfType(tree, "__new__", prim::CreateObject));
  case FormKind::IsInstance:
  case FormKind::IsTensor:
  case FormKind::JitIsInstance: return simple(emitIsInstance(tree, form).value);
  case FormKind::TypeOf: return emitTypeOf(tree);
  case FormKind::GetAttr: return emitGetAttr(tree);
  case FormKind::HasAttr: return simple(emitHasAttr(tree));
  case FormKind::Fork: return simple(emitFork(tree));
  case FormKind::Print: return simple(emitPrint(tree));
  case FormKind::Raise: return simple(emitRaiseForm(tree));
  case FormKind::List: return emitListForm(tree, hint);
  case FormKind::Dict: return emitDictForm(tree, hint);
  case FormKind::Tuple: return emitTupleForm(tree, binders);
  case FormKind::Range: return emitRange(tree);
  case FormKind::Enumerate: return emitEnumerate(tree);
  case FormKind::Zip: return emitZip(tree);
  case FormKind::Reversed: return emitReversed(tree);
  case FormKind::Len: return simple(emitLen(tree));
  case FormKind::Super: return emitSuper(tree);
  case FormKind::TrueConstant:
  case FormKind::FalseConstant: return simple(constant(form == FormKind::TrueConstant, tree.range()));
  case FormKind::Counter: return emitCounterForm(tree, hint);
  case FormKind::Partial: return emitPartial(tree);
  case FormKind::Iter: return takes(tree, "iter", 1, 1) ? emitSugared(tree.args()[0]) : nullptr;
  case FormKind::Set: return emitSetForm(tree, hint);
  case FormKind::AssertNever: {
    Value *value = takes(tree, "assert_never", 1, 1) ? emitExpr(tree.args()[0]) : nullptr;
    if (!value)
      return nullptr;
    return error(tree.range(), diag::AssertNever, value->type()->annotation());
  }
  case FormKind::ToList: break; // a method of tensors, which emitApply takes before
  }
  llvm_unreachable("a form that is not called by name");
}
