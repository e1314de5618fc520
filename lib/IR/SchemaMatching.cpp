//===- SchemaMatching.cpp - From a call to an overload --------------------===//
//
// One argument after the other is converted to what a schema wants, and binds
// type variables for those that follow. When no overload fits, the report says
// why each of them does not.
//
//===----------------------------------------------------------------------===//
#include "tsc/IR/SchemaMatching.h"
#include "CallMismatch.h"
#include "tsc/IR/ArgumentWalk.h"
#include "tsc/IR/Context.h"
#include "tsc/IR/FunctionSchema.h"
#include "tsc/IR/OpFacts.h"
#include "tsc/IR/Operator.h"
#include "tsc/Support/Diagnostics.h"
#include "llvm/ADT/STLExtras.h"
using namespace tsc;

static constexpr DiagnosticKind callDoesNotFit{Severity::Error, "CallDoesNotFit", "{0}"};
static constexpr DiagnosticKind unknownOperator{Severity::Error, "UnknownOperator", "Unknown builtin op: {0}.{1}"};

//===----------------------------------------------------------------------===//
// Type variables
//===----------------------------------------------------------------------===//

/// Whether `given` is `wanted` but for numbers of unknown kind where numbers of a known one are wanted.
static bool isOfNumbersFor(const Type *given, const Type *wanted) {
  if (given->isSubtypeOf(wanted))
    return true;
  if (const auto *maybe = dyn_cast<OptionalType>(wanted))
    return isOfNumbersFor(given, maybe->element());
  const auto *givenTuple = dyn_cast<TupleType>(given), *wantedTuple = dyn_cast<TupleType>(wanted);
  if (givenTuple && wantedTuple && givenTuple->elements().size() == wantedTuple->elements().size())
    return llvm::all_of(llvm::zip(givenTuple->elements(), wantedTuple->elements()),
                        [](auto pair) { return isOfNumbersFor(std::get<0>(pair), std::get<1>(pair)); });
  return given->isNumber() && (wanted->isInt() || wanted->isFloat() || wanted->isComplex());
}

bool tsc::bindTypeVariables(Context &context, const Type *formal, const Type *actual, TypeBindings &bindings,
                            std::string &why) {
  if (!formal->hasFreeVariables())
    return true;
  auto recurse = [&](const Type *f, const Type *a) { return bindTypeVariables(context, f, a, bindings, why); };
  auto mismatch = [&] {
    why = "Cannot match " + formal->annotation() + " to " + actual->annotation() + ".";
    return false;
  };
  if (const auto *variable = dyn_cast<VarType>(formal)) {
    const Type *&bound = bindings[variable->name()];
    // What a container holds is settled: a number that comes to it is converted, and does not make it one of numbers.
    if (bound && !actual->isSubtypeOf(bound) && isOfNumbersFor(actual, bound))
      return true;
    if (!bound)
      bound = actual;
    else if (!context.unify(bound, actual)) {
      why = "Type variable '" + variable->name().str() + "' previously matched to type " + bound->annotation() +
            " is matched to type " + actual->annotation() + ".";
      return false;
    }
    return true; // as it was bound first: whether `actual` may stand there is seen when it is converted
  }
  if (const auto *maybe = dyn_cast<OptionalType>(formal)) {
    if (const auto *given = dyn_cast<OptionalType>(actual))
      return recurse(maybe->element(), given->element());
    return actual->isNone() || recurse(maybe->element(), actual);
  }
  if (formal->kind() == TypeKind::List && actual->kind() == TypeKind::Tuple) {
    const Type *common = nullptr;
    for (const Type *element : actual->contained())
      if (!(common = common ? context.unify(common, element) : element))
        return mismatch();
    return common ? recurse(formal->contained()[0], common) : mismatch();
  }
  if (formal->kind() != actual->kind() || formal->contained().size() != actual->contained().size())
    return mismatch();
  return llvm::all_of(llvm::zip(formal->contained(), actual->contained()),
                      [&](auto pair) { return recurse(std::get<0>(pair), std::get<1>(pair)); });
}

const Type *tsc::substituteTypeVariables(Context &context, const Type *type, const TypeBindings &bindings) {
  if (!type->hasFreeVariables())
    return type;
  if (const auto *variable = dyn_cast<VarType>(type))
    return bindings.lookup(variable->name());
  return context.mapContained(type, [&](const Type *part) { return substituteTypeVariables(context, part, bindings); });
}

//===----------------------------------------------------------------------===//
// Conversions
//===----------------------------------------------------------------------===//

static Value *insertNode(Graph &graph, Symbol kind, ArrayRef<Value *> inputs, const Type *type, SourceRange range) {
  Node *node = graph.insertNodeHere(graph.create(kind, inputs));
  node->setRange(range);
  return node->output()->setType(type);
}

/// Whether every element of a tuple may be an element of the list.
static bool isListLike(const Type *given, const Type *wanted) {
  const auto *list = dyn_cast<ListType>(wanted);
  const auto *tuple = dyn_cast<TupleType>(given);
  return list && tuple &&
         llvm::all_of(tuple->elements(), [&](const Type *t) { return t->isSubtypeOf(list->element()); });
}

static llvm::SmallVector<Value *, 4> unpackTuple(Graph &graph, Value *value, SourceRange range) {
  Node *unpack = graph.create(prim::TupleUnpack, {value}, 0);
  for (const Type *element : cast<TupleType>(value->type())->elements())
    unpack->addOutput(element);
  graph.insertNodeHere(unpack)->setRange(range);
  return llvm::to_vector<4>(unpack->outputs());
}

/// The records of all conversions.
static ArrayRef<const OpRecord *> conversionRecords() {
  static const std::vector<const OpRecord *> records = [] {
    std::vector<const OpRecord *> found;
    for (const OpRecord &record : allOpRecords())
      if (conversionKind(record.kind))
        found.push_back(&record);
    return found;
  }();
  return records;
}

/// The conversion of a Tensor where a number stands, or of a number of unknown kind where one of a known kind stands;
/// null for other types. Only tensors have implicit conversions: for a number it is what a program would call.
static Symbol numberConversion(Context &context, const Type *given, const Type *wanted) {
  const bool isNumber =
      wanted->isInt() || wanted->isFloat() || wanted->isComplex() || (given->isTensor() && wanted->isNumber());
  if (!isNumber || !(given->isTensor() || given->isNumber()))
    return Symbol();
  const ConversionKind kind = given->isTensor() ? ConversionKind::Implicit : ConversionKind::Explicit;
  for (const OpRecord *record : conversionRecords()) {
    if (conversionKind(record->kind) != kind)
      continue;
    const Operator &op = *context.operators().find(record->qualified, record->overload);
    if (op.schema().arguments()[0].type->kind() == given->kind() &&
        op.schema().returns()[0].type->kind() == wanted->kind())
      return op.symbol();
  }
  return Symbol();
}

/// `[]` written as the argument itself, which has been given List[Tensor] for want of elements. (One that a variable
/// holds is loaded, and keeps that type.)
static bool isEmptyListLiteral(const Value &value) {
  const auto *list = dyn_cast<ListType>(value.type());
  const Node *node = value.definingNode();
  return list && list->element()->isTensor() && node && node->kind() == prim::ListConstruct && node->inputs().empty() &&
         !value.hasUses();
}

/// A list written as the argument itself, whose elements may be None as far as the callee knows.
static bool isLiteralWithoutNone(const Value &value, const Type *wanted) {
  const auto *list = dyn_cast<ListType>(wanted);
  const auto *element = list ? dyn_cast<OptionalType>(list->element()) : nullptr;
  const auto *given = dyn_cast<ListType>(value.type());
  const Node *node = value.definingNode();
  return element && given && !element->hasFreeVariables() && given->element()->isSubtypeOf(element) && node &&
         node->kind() == prim::ListConstruct && !value.hasUses();
}

Value *tsc::convertImplicitly(Graph &graph, Value *value, const Type *type, SourceRange range, bool allowConversions) {
  assert(value && type && "a value and what it is to become");
  const Type *given = value->type();
  if (const auto *maybe = dyn_cast<OptionalType>(type)) {
    if (given->kind() == TypeKind::Optional || given->isNone() || given->isSubtypeOf(type))
      return value;
    return convertImplicitly(graph, value, maybe->element(), range, allowConversions);
  }
  if (isa<ListType>(type) && !type->hasFreeVariables() && isEmptyListLiteral(*value))
    return given->isSubtypeOf(type) ? value : insertNode(graph, prim::ListConstruct, {}, type, range);
  if (isListLike(given, type))
    return insertNode(graph, prim::ListConstruct, unpackTuple(graph, value, range), type, range);
  const auto *wantedTuple = dyn_cast<TupleType>(type);
  const auto *givenTuple = dyn_cast<TupleType>(given);
  if (wantedTuple && givenTuple && !given->isSubtypeOf(type) &&
      wantedTuple->elements().size() == givenTuple->elements().size()) {
    llvm::SmallVector<Value *, 4> parts = unpackTuple(graph, value, range);
    llvm::SmallVector<const Type *, 4> types;
    for (auto [part, wanted] : llvm::zip(parts, wantedTuple->elements())) {
      part = convertImplicitly(graph, part, wanted, range, allowConversions);
      types.push_back(part->type());
    }
    return insertNode(graph, prim::TupleConstruct, parts, graph.context().tupleOf(types), range);
  }
  if (!allowConversions)
    return value;
  if (Symbol conversion = numberConversion(graph.context(), given, type))
    return insertNode(graph, conversion, {value}, type, range);
  if (isLiteralWithoutNone(*value, type))
    return insertNode(graph, prim::ListConstruct, llvm::to_vector<4>(value->definingNode()->inputs()), type, range);
  if (given->isString() && type->isDevice())
    return insertNode(graph, graph.context().symbol("aten::device"), {value}, type, range);
  return value;
}

//===----------------------------------------------------------------------===//
// One schema
//===----------------------------------------------------------------------===//

namespace {

class Matcher {
public:
  Matcher(const FunctionSchema &schema, Graph &graph, SourceRange range, ArrayRef<NamedValue> args,
          ArrayRef<NamedValue> kwargs, bool allowConversions, Value *receiver)
      : schema(schema), graph(graph), range(range), args(args), kwargs(kwargs), allowConversions(allowConversions),
        receiver(receiver), walk(schema, args.size(), namesOf(kwargs)) {}

  std::optional<MatchedCall> run(Mismatch &mismatch) {
    Node *before = lastNode();
    auto call = match();
    if (!call) {
      removeAfter(before);
      mismatch = std::move(wrong);
    }
    return call;
  }

private:
  std::optional<MatchedCall> match() {
    MatchedCall call;
    const NamedValue *unknown = schema.isVararg() ? nullptr : unknownKeyword();
    for (unsigned i = 0; i < schema.arguments().size(); ++i) {
      const size_t left = givenLeft();
      Value *value = argument(i);
      if (!value) {
        if (unknown) // its name tells an author more, though the argument comes first in the list of overloads
          (void)refuseKeyword(unknown->name, std::move(wrong.text));
        return std::nullopt;
      }
      call.inputs.push_back(value);
      wrong.matched += givenLeft() != left;
    }
    if (unknown)
      return refuseKeyword(unknown->name);
    if (schema.isVararg())
      for (const NamedValue &further : args.drop_front(walk.takeFurther()))
        call.inputs.push_back(valueOf(further));
    if (receiver) {
      return refuse("Provided self argument not used in schema.");
    }
    if (const size_t used = walk.numTaken(); used < args.size()) {
      wrong.kind = Mismatch::Kind::TooMany;
      wrong.mostPositional = static_cast<unsigned>(used);
      return refuse("Expected at most " + std::to_string(used) + " arguments but found " + std::to_string(args.size()) +
                    " positional arguments.");
    }
    if (std::optional<size_t> unused = walk.unusedKeyword()) {
      const std::string &name = kwargs[*unused].name;
      return schema.argumentIndex(name) ? refuse("Argument '" + name + "' specified twice.") : refuseKeyword(name);
    }
    for (const Argument &result : schema.returns()) {
      const Type *type = substituteTypeVariables(graph.context(), result.type, bindings);
      if (!type)
        return refuse("The type of the result, " + result.type->annotation() +
                      ", does not follow from the arguments: it could not be inferred from actual type None.");
      call.returnTypes.push_back(type);
    }
    return call;
  }

  /// How many values of the call have found no argument yet.
  size_t givenLeft() const { return (receiver != nullptr) + walk.numLeft(); }

  std::nullopt_t refuse(std::string why) {
    wrong.text = std::move(why);
    return std::nullopt;
  }
  std::nullopt_t refuseKeyword(const std::string &keyword, std::string why = {}) {
    wrong.kind = Mismatch::Kind::UnknownKeyword;
    wrong.parameter = keyword;
    wrong.matched = 0;
    return refuse((why.empty() ? "" : why + "\n") + "Unknown keyword argument '" + keyword + "'.");
  }

  /// The first keyword of the call that no argument of the schema has as its name, or null.
  const NamedValue *unknownKeyword() const {
    const auto *found = llvm::find_if(kwargs, [&](const NamedValue &one) { return !schema.argumentIndex(one.name); });
    return found == kwargs.end() ? nullptr : found;
  }

  /// The value for one argument of the schema: positional, by keyword, or its default.
  Value *argument(unsigned index) {
    const Argument &formal = schema.arguments()[index];
    if (receiver && formal.name == "self")
      return convertArgument(formal, std::exchange(receiver, nullptr));
    Value *first = nullptr; // the next argument by position, where it was looked at
    auto isElement = [&](size_t next) {
      if (!allowConversions)
        return false;
      first = valueOf(args[next]);
      return first->type()->kind() != TypeKind::List && !first->type()->isSubtypeOf(formal.type) &&
             !isListLike(first->type(), ArgumentWalk::withoutOptional(formal.type)) && !first->type()->isNone();
    };
    const ArgumentWalk::Source source = walk.take(index, isElement);
    switch (source.kind) {
    case ArgumentWalk::Source::Positional: return convertArgument(formal, first ? first : valueOf(args[source.index]));
    case ArgumentWalk::Source::Rest: return convertRest(formal, first, args.drop_front(source.index + 1));
    case ArgumentWalk::Source::Keyword: return convertArgument(formal, valueOf(kwargs[source.index]));
    case ArgumentWalk::Source::Default:
      return convertArgument(formal, graph.insertConstant(*formal.defaultValue, range));
    case ArgumentWalk::Source::Missing: break;
    }
    wrong.kind = Mismatch::Kind::Missing;
    wrong.parameter = formal.name;
    wrong.text = "Argument " + formal.name + " not provided.";
    return nullptr;
  }

  /// The list of `first` and further arguments.
  Value *convertRest(const Argument &formal, Value *first, ArrayRef<NamedValue> further) {
    const Type *list = ArgumentWalk::withoutOptional(formal.type), *element = cast<ListType>(list)->element();
    llvm::SmallVector<Value *, 4> elements{convert(formal, element, first)};
    for (const NamedValue &argument : further) {
      if (!elements.back())
        return nullptr;
      elements.push_back(convert(formal, element, valueOf(argument)));
    }
    return elements.back() ? insertNode(graph, prim::ListConstruct, elements, list, range) : nullptr;
  }

  /// The list that repeats an optional element, or None, for an argument that may be None: what overloads of
  /// `torch.nn.functional.interpolate` say in Python.
  Value *repeatUnlessNone(const Argument &formal, const ListType &list, Value *value) {
    Value *none = graph.insertConstant(IValue(), range);
    Value *isGiven = insertNode(graph, aten::__isnot__, {value, none}, Type::boolType(), range);
    Node *choice = graph.insertNodeHere(graph.create(prim::If, {isGiven}, 0));
    choice->setRange(range);
    InsertPointGuard guard(graph);
    Block &given = choice->addBlock(), &otherwise = choice->addBlock();
    graph.setInsertPoint(given);
    Value *element = insertNode(graph, prim::unchecked_cast, {value}, list.element(), range);
    llvm::SmallVector<Value *, 4> repeated(*formal.fixedLength, element);
    given.addOutput(insertNode(graph, prim::ListConstruct, repeated, &list, range));
    otherwise.addOutput(none);
    return choice->addOutput(formal.type);
  }

  Value *convertArgument(const Argument &formal, Value *value) {
    if (formal.fixedLength) {
      const auto *list = dyn_cast<ListType>(ArgumentWalk::withoutOptional(formal.type));
      const auto *maybe = dyn_cast<OptionalType>(value->type());
      if (list && maybe && maybe->element() == list->element() && formal.type->kind() == TypeKind::Optional)
        return repeatUnlessNone(formal, *list, value);
      bool isElement = list && (value->type() == list->element() ||
                                (list->element()->isInt() && value->type()->isSubtypeOf(Type::intType())) ||
                                (allowConversions && value->type()->isNumber()) ||
                                (list->element()->isFloat() && value->type()->isInt()));
      if (isElement && (list->element()->isInt() || list->element()->isFloat())) {
        if (Symbol conversion = numberConversion(graph.context(), value->type(), list->element()))
          value = insertNode(graph, conversion, {value}, list->element(), range);
        llvm::SmallVector<Value *, 4> repeated(*formal.fixedLength, value);
        const Type *element = value->type()->isInt() ? Type::intType() : list->element();
        return convert(formal, formal.type,
                       insertNode(graph, prim::ListConstruct, repeated,
                                  element == list->element() ? list : graph.context().listOf(element), range));
      }
    }
    std::string reason;
    if (isEmptyListLiteral(*value)) // its type is that of the list it stands beside: `table.get(key, [])`
      if (const Type *known = substituteTypeVariables(graph.context(), formal.type, bindings);
          llvm::isa_and_nonnull<ListType>(known))
        return convert(formal, known, value);
    if (!bindTypeVariables(graph.context(), formal.type, value->type(), bindings, reason)) {
      refuseType(formal, formal.type, *value);
      wrong.text = "Could not match type " + value->type()->annotation() + " to " + formal.type->annotation() +
                   " in argument '" + formal.name + "': " + reason;
      return nullptr;
    }
    const Type *type = substituteTypeVariables(graph.context(), formal.type, bindings);
    if (!type) // a variable that only None was seen for
      return value->type()->isNone() ? value : nullptr;
    return convert(formal, type, value);
  }

  Value *convert(const Argument &formal, const Type *type, Value *value) {
    Value *converted = convertImplicitly(graph, value, type, range, allowConversions);
    std::string reason;
    if (converted->type()->isSubtypeOf(type, &reason))
      return converted;
    refuseType(formal, type, *converted);
    wrong.text = "Expected a value of type '" + shown(*type) + "' for argument '" + formal.name +
                 "' but instead found type '" + converted->type()->annotation() + "'.";
    if (type == Type::inferredTensorType())
      wrong.text +=
          "\nInferred '" + formal.name + "' to be of type 'Tensor' because it was not annotated with an explicit type.";
    if (converted->type() == Type::inferredTensorType())
      wrong.text += "\nInferred the value for argument '" + formal.name +
                    "' to be of type 'Tensor' because it was not annotated with an explicit type.";
    if (!reason.empty())
      wrong.text += "\n" + reason;
    else if (dyn_cast<OptionalType>(converted->type()) &&
             cast<OptionalType>(converted->type())->element()->isSubtypeOf(type))
      wrong.text += "\nCheck that it is not None first: 'if x is not None: ...' or 'assert x is not None'.";
    return nullptr;
  }

  /// A type as messages write it: of a parameter without an annotation they say that nobody wrote it.
  static std::string shown(const Type &type) {
    return &type == Type::inferredTensorType() ? "Tensor (inferred)" : type.annotation();
  }

  void refuseType(const Argument &formal, const Type *wanted, const Value &value) {
    wrong.kind = Mismatch::Kind::WrongType;
    wrong.parameter = formal.name;
    wrong.wanted = wanted;
    wrong.given = value.type();
  }

  static llvm::SmallVector<StringRef, 4> namesOf(ArrayRef<NamedValue> kwargs) {
    return llvm::to_vector<4>(llvm::map_range(kwargs, [](const NamedValue &one) { return StringRef(one.name); }));
  }
  Value *valueOf(const NamedValue &named) {
    return named.value ? named.value : graph.insertConstant(named.constant, range);
  }

  Node *lastNode() const {
    if (Node *at = graph.insertPointNode())
      return at->previous();
    Block &block = graph.insertPointBlock();
    return block.empty() ? nullptr : &block.nodes().back();
  }
  /// Erases what the attempt inserted, last first.
  void removeAfter(Node *before) {
    for (Node *node = lastNode(); node && node != before; node = lastNode())
      node->erase();
  }

  const FunctionSchema &schema;
  Graph &graph;
  SourceRange range;
  ArrayRef<NamedValue> args, kwargs;
  bool allowConversions;
  Value *receiver; ///< null once an argument has taken it
  ArgumentWalk walk;
  TypeBindings bindings;
  Mismatch wrong;
};

} // namespace

std::optional<MatchedCall> tsc::tryMatchSchema(const FunctionSchema &schema, Graph &graph, SourceRange range,
                                               ArrayRef<NamedValue> args, ArrayRef<NamedValue> kwargs,
                                               bool allowConversions, std::string &why, Value *receiver) {
  Mismatch mismatch;
  auto call = Matcher(schema, graph, range, args, kwargs, allowConversions, receiver).run(mismatch);
  if (!call)
    why = std::move(mismatch.text);
  return call;
}

std::optional<MatchedCall> tsc::matchSchema(const FunctionSchema &schema, Graph &graph, SourceRange range,
                                            ArrayRef<NamedValue> args, ArrayRef<NamedValue> kwargs,
                                            DiagnosticEngine &diags) {
  auto matched = matchSchemas({&schema}, graph, range, args, kwargs, diags);
  return matched ? std::optional<MatchedCall>(std::move(matched->second)) : std::nullopt;
}

//===----------------------------------------------------------------------===//
// Several schemas
//===----------------------------------------------------------------------===//

bool tsc::takesDTypeForSize(const FunctionSchema &schema) {
  return schema.name() == "aten::view" && schema.overloadName() == "dtype";
}

std::optional<std::pair<unsigned, MatchedCall>>
tsc::matchSchemas(ArrayRef<const FunctionSchema *> schemas, Graph &graph, SourceRange range, ArrayRef<NamedValue> args,
                  ArrayRef<NamedValue> kwargs, DiagnosticEngine &diags, Value *receiver, StringRef spelling) {
  std::vector<Mismatch> mismatches(schemas.size());
  for (bool allowConversions : {false, true})
    for (unsigned i = 0; i < schemas.size(); ++i)
      if (kwargs.empty() && takesDTypeForSize(*schemas[i]))
        mismatches[i].text = "A program cannot tell a dtype from a size.";
      else if (auto call =
                   Matcher(*schemas[i], graph, range, args, kwargs, allowConversions, receiver).run(mismatches[i]))
        return std::make_pair(i, std::move(*call));

  std::string message;
  if (schemas.size() == 1) {
    message = schemas[0]->str() + ":\n" + mismatches[0].text;
    const bool isKeyword = mismatches[0].kind == Mismatch::Kind::UnknownKeyword;
    if (std::string near = isKeyword ? nearestParameter(schemas, mismatches[0].parameter) : ""; !near.empty())
      message += " Did you mean '" + near + "'?";
  } else {
    message = describeMismatch(schemas, mismatches, {args, kwargs, receiver, spelling});
    if (diags.listsAllOverloads()) {
      message += "\nArguments for call are not valid.\nThe following variants are available:\n";
      for (auto [schema, mismatch] : llvm::zip(schemas, mismatches))
        message += "  \n  " + schema->str() + ":\n  " + mismatch.text + "\n";
      message += "\nThe original call is";
    } else {
      message += "\n(none of " + std::to_string(schemas.size()) + " overloads fits; --all-overloads lists them)";
    }
  }
  (void)diags.report(range, callDoesNotFit, message);
  return std::nullopt;
}

Value *tsc::packResults(Graph &graph, ArrayRef<Value *> results, ArrayRef<std::string> fieldNames, SourceRange range) {
  if (results.size() == 1)
    return results[0];
  if (results.empty())
    return graph.insertConstant(IValue(), range);
  llvm::SmallVector<const Type *, 4> types;
  for (Value *result : results)
    types.push_back(result->type());
  bool named = fieldNames.size() == results.size();
  const Type *type = named ? graph.context().namedTuple("", fieldNames, types) : graph.context().tupleOf(types);
  return insertNode(graph, prim::TupleConstruct, results, type, range);
}

Value *tsc::insertCall(Graph &graph, SourceRange range, Symbol name, ArrayRef<NamedValue> args,
                       ArrayRef<NamedValue> kwargs, DiagnosticEngine &diags, Value *receiver, StringRef spelling) {
  ArrayRef<const Operator *> overloads = graph.context().operators().overloads(name);
  if (overloads.empty()) {
    std::string suggestions;
    for (const std::string &similar : graph.context().operators().similarNames(name.qualified()))
      suggestions += (suggestions.empty() ? "\nHere are some suggestions: \n\t" : "\n\t") + similar;
    (void)diags.report(range, unknownOperator, name.qualified(), suggestions);
    return nullptr;
  }
  llvm::SmallVector<const FunctionSchema *, 8> schemas;
  for (const Operator *overload : overloads)
    schemas.push_back(&overload->schema());
  auto matched = matchSchemas(schemas, graph, range, args, kwargs, diags, receiver, spelling);
  if (!matched)
    return nullptr;
  auto &[index, call] = *matched;
  Node *node = graph.create(name, call.inputs, 0);
  std::vector<std::string> fields;
  for (auto [type, result] : llvm::zip(call.returnTypes, schemas[index]->returns())) {
    node->addOutput(type);
    if (!result.name.empty())
      fields.push_back(result.name);
  }
  node->setOp(overloads[index]);
  graph.insertNodeHere(node)->setRange(range);
  return packResults(graph, llvm::to_vector<4>(node->outputs()), fields, range);
}

Value *Graph::insert(Symbol op, ArrayRef<NamedValue> args, ArrayRef<NamedValue> kwargs, SourceRange range) {
  DiagnosticEngine diags;
  Value *result = insertCall(*this, range, op, args, kwargs, diags);
  assert(result && "some overload takes these arguments");
  return result;
}
