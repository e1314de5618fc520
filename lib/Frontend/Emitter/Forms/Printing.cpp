//===- Printing.cpp - print(), and the text of objects --------------------===//
//
// What print() and str() show: a dtype is an int to compiled code and a size a list,
// and an object may have a text of its own.
//
//===----------------------------------------------------------------------===//
#include "Printing.h"
#include "../../SugaredValues/Values.h"
#include "../Calls.h"
#include "../Calls/FunctionCalls.h"
#include "../Calls/Instances.h"
#include "../Conversions.h"
#include "../Expressions.h"
#include "../Expressions/Subscripts.h"
#include "../FunctionContext.h"
#include "../Refinement.h"
#include "../Statements/Branches.h"
#include "ContainerForms.h"
#include "SpecialForms.h"
#include "tsc/Python/Slices.h"
#include "llvm/ADT/DenseMap.h"

using namespace tsc;

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
static Shown shownConstant(FunctionContext &fn, const Value &value) {
  std::string path = fn.resolver.canonicalName(value.node()->range().text());
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
  explicit ShownFinder(FunctionContext &fn) : fn(fn) {}

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
    return node.kind() == prim::Constant ? shownConstant(fn, value) : ofAny(value);
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
          node.kind() == prim::TupleIndex ? constantIndex(fn, node.input(1)) : std::optional<int64_t>(value.offset());
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
      fn.graph().walk([&](const Node &store) {
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

  FunctionContext &fn;
  llvm::DenseMap<const Value *, Shown> found;
};
} // namespace

/// `torch.return_types.max(values=…, indices=…)`
static Value *textOfResults(FunctionContext &fn, Value *tuple, const Node &operation, SourceRange range) {
  auto *type = llvm::cast<TupleType>(tuple->type());
  Value *text = nullptr;
  for (auto [i, result] : llvm::enumerate(operation.schema()->returns())) {
    std::string before = i == 0 ? "torch.return_types." + operation.kind().name().str() + "(\n" : ",\n";
    Value *label = fn.constant(IValue(before + result.name + "="), range);
    text = text ? callBuiltin(fn, range, aten::add, {text, label}) : label;
    Value *shown =
        callTemplate(fn, range, "repr", {tupleIndex(fn, tuple, type->elements()[i], static_cast<int64_t>(i), range)});
    text = text && shown ? callBuiltin(fn, range, aten::add, {text, shown}) : nullptr;
    if (!text)
      return nullptr;
  }
  return callBuiltin(fn, range, aten::add, {text, fn.constant(IValue(")"), range)});
}

static bool isShownOtherwise(const Shown &shown) {
  if (shown.kind == Shown::Tuple)
    return llvm::any_of(shown.elements, isShownOtherwise);
  return shown.kind != Shown::AsItIs && shown.kind != Shown::BeingFound;
}

/// The text of a value that is shown otherwise than it is kept; of others, as an element of a tuple, what repr() gives.
static Value *textOfShown(FunctionContext &fn, Value *value, const Shown &shown, SourceRange range) {
  switch (shown.kind) {
  case Shown::AsItIs:
  case Shown::BeingFound: return callTemplate(fn, range, "repr", {value});
  case Shown::DType: return callTemplate(fn, range, "dtype_text", {value});
  case Shown::Layout: return callTemplate(fn, range, "layout_text", {value});
  case Shown::MemoryFormat: return callTemplate(fn, range, "memory_format_text", {value});
  case Shown::Size: return callTemplate(fn, range, "size_text", {value});
  case Shown::Strides: return callTemplate(fn, range, "tuple_text", {value});
  case Shown::Results: return textOfResults(fn, value, *shown.operation, range);
  case Shown::Tuple: break;
  }
  auto *type = llvm::cast<TupleType>(value->type());
  Value *text = fn.constant(IValue("("), range);
  auto append = [&](Value *more) { text = text && more ? callBuiltin(fn, range, aten::add, {text, more}) : nullptr; };
  for (auto [i, element] : llvm::enumerate(shown.elements)) {
    if (i != 0)
      append(fn.constant(IValue(", "), range));
    append(textOfShown(fn, tupleIndex(fn, value, type->elements()[i], static_cast<int64_t>(i), range), element, range));
  }
  append(fn.constant(IValue(shown.elements.size() == 1 ? ",)" : ")"), range));
  return text;
}

Value *tsc::textOfObject(FunctionContext &fn, Value *value, SourceRange range, bool asElement) {
  const Type *type = value->type();
  if (!fn.resolver.followsPython())
    return value;
  if (!fn.resolver.isPrinted())
    if (Shown shown = ShownFinder(fn).of(*value); isShownOtherwise(shown))
      return textOfShown(fn, value, shown, range);
  if (auto *members = llvm::dyn_cast<EnumType>(type);
      members && !asElement && fn.compiler.shownAsValues.contains(members))
    return fn.insertValue(prim::EnumValue, {value}, members->valueType(), range);
  if (!showsOwnText(type))
    return value;
  if (auto *optional = llvm::dyn_cast<OptionalType>(type)) {
    Condition isThere;
    isThere.value = callBuiltin(fn, range, aten::__isnot__, {value, fn.none(range)});
    return emitIfExpression(
        fn, range, isThere,
        [&] { return textOfObject(fn, fn.castTo(value, optional->element(), range), range, asElement); },
        [&]() -> Value * { return fn.constant(IValue("None"), range); });
  }
  if (llvm::isa<TupleType>(type))
    return callTemplate(fn, range, "tuple_text", {value});
  if (llvm::isa<ListType>(type))
    return callTemplate(fn, range, "list_text", {value});
  if (llvm::isa<DictType>(type))
    return callTemplate(fn, range, "dict_text", {value});
  auto *object = llvm::cast<ClassType>(type);
  Function *method = asElement ? nullptr : object->findMethod("__str__");
  if (!method)
    method = object->findMethod("__repr__");
  return method ? callMethod(fn, range, value, method, {}, {}) : value;
}

/// `sep` or `end` of print(): `usual` where it is None. Null after a report.
static Value *emitPrintText(FunctionContext &fn, const Keyword &keyword, StringRef usual) {
  SourceRange range = keyword.range();
  Value *given = emitExpr(fn, keyword.value());
  if (!given || given->type()->isString())
    return given;
  if (given->type()->isNone())
    return fn.constant(IValue(usual.str()), range);
  if (!withoutNone(fn.context(), given->type())->isString())
    return fn.error(range, diag::PrintText, keyword.name(), given->type()->annotation());
  Condition isGiven;
  isGiven.value = callBuiltin(fn, range, aten::__isnot__, {given, fn.none(range)});
  return emitIfExpression(
      fn, range, isGiven, [&] { return fn.castTo(given, Type::stringType(), range); },
      [&] { return fn.constant(IValue(usual.str()), range); });
}

/// What print() is given, each as text, in a list: of `*values` there may be any number. Null after a report.
static Value *emitPrintedTexts(FunctionContext &fn, const Apply &tree) {
  llvm::SmallVector<Value *, 8> texts;
  Value *before = nullptr; // the list of those before the last list
  auto flush = [&](Value *further) {
    Value *list = fn.makeList(Type::stringType(), texts, tree.range());
    texts.clear();
    before = before ? callBuiltin(fn, tree.range(), aten::add, {before, list}) : list;
    if (further && before)
      before = callBuiltin(fn, tree.range(), aten::add, {before, further});
    return before;
  };
  auto add = [&](SugaredValue *given, SourceRange range) {
    Value *value = given ? given->asValue(fn, range) : nullptr;
    Value *text = value ? textOfObject(fn, value, range) : nullptr;
    if (text && !text->type()->isString())
      text = callBuiltin(fn, range, aten::str, {text});
    return texts.emplace_back(text) != nullptr;
  };
  for (const Tree *arg : tree.args()) {
    auto *star = llvm::dyn_cast<Starred>(arg);
    SugaredValue *given = emitSugared(fn, star ? star->value() : arg);
    if (!star || !given) {
      if (!given || !add(given, arg->range()))
        return nullptr;
      continue;
    }
    if (given->staticLength()) {
      auto elements = given->asTuple(fn, arg->range(), std::nullopt);
      if (!elements || !llvm::all_of(*elements, [&](SugaredValue *each) { return add(each, arg->range()); }))
        return nullptr;
      continue;
    }
    SugaredValue *list = listOf(fn, given, arg->range());
    Value *values = list ? list->asValue(fn, arg->range()) : nullptr;
    Value *further = values ? callTemplate(fn, arg->range(), "texts_of", {values}) : nullptr;
    if (!further || !flush(further))
      return nullptr;
  }
  return flush(nullptr);
}

Value *tsc::emitPrint(FunctionContext &fn, const Apply &tree) {
  SourceRange range = tree.range();
  auto isText = [](const Keyword &keyword) { return keyword.name() == "sep" || keyword.name() == "end"; };
  bool hasText = false;
  for (const Tree *keyword : tree.keywords()) {
    auto *named = llvm::dyn_cast<Keyword>(keyword);
    if (!named || (named->name() != "flush" && !isText(*named)))
      return fn.error(keyword->range(), diag::PrintKeyword, named ? named->name() : "**");
    hasText |= isText(*named);
  }
  const bool isPlain = !hasText && llvm::none_of(tree.args(), [](const Tree *arg) { return llvm::isa<Starred>(arg); });
  if (isPlain)
    return emitEffect(fn, tree, prim::Print);
  // One text, for prim::Print writes a line with spaces between what is printed.
  Value *texts = emitPrintedTexts(fn, tree), *separator = nullptr, *end = nullptr;
  if (!texts)
    return nullptr;
  for (const Tree *keyword : tree.keywords())
    if (auto *named = llvm::cast<Keyword>(keyword); isText(*named)) {
      const bool isEnd = named->name() == "end";
      Value *text = emitPrintText(fn, *named, isEnd ? "\n" : " ");
      if (!text)
        return nullptr;
      (isEnd ? end : separator) = text;
    }
  Value *line = callBuiltin(fn, range, fn.context().symbol("aten::join"),
                            {separator ? separator : fn.constant(IValue(" "), range), texts});
  auto known = end ? constantValue(end) : std::nullopt;
  if (line && end && !(known && known->toString() == "\n"))
    line = callBuiltin(fn, range, aten::add, {line, end});
  else
    end = nullptr;
  if (!line)
    return nullptr;
  fn.insertNode(end ? fn.context().symbol("tsc::write") : Symbol(prim::Print), {line}, 0, range);
  return fn.none(range);
}
