//===- SchemaAliases.cpp - Aliasing of a call, from its schema ------------===//
//
// The annotations, and what they mean here:
//
//   Tensor(a) x … -> Tensor(a)   the result may share x's memory
//   Tensor(a!) x                 x is written
//   Tensor(a!)[] x               the elements of the list are written
//   Tensor(a!)? x, bool training x is written unless `training` is False (or `use_input_stats`)
//   Tensor(a!) x, Tensor(a) y    x is written, and shares y's memory from then on
//   … -> Tensor(a)[]             a fresh list whose elements may share x's memory
//   … -> Tensor(a|b)             one of the two; a set that no argument has is fresh memory
//   t(c -> *) x                  x becomes an element of the containers that the call writes
//   … -> t(*)                    an element of the containers among the arguments
//   t[] x … -> t[]               a fresh list; its elements come from where an argument has a `t`
//   Dict(Tensor, t) x … -> Tensor[]   in the schema of a generic operator, likewise
//
// PyTorch sends whatever has a `*` to the wildcard; type variables tell us more: an
// operator that works for every t can only hand on the t's it was given.
//
//===----------------------------------------------------------------------===//
#include "AliasBuilder.h"
#include "tsc/Analysis/GradientFlow.h"
#include "llvm/ADT/STLExtras.h"
using namespace tsc;

static const Type *withoutOptional(const Type *type) {
  const auto *optional = dyn_cast<OptionalType>(type);
  return optional ? optional->element() : type;
}

static bool isContainer(const Type *type) { return isa<ListType, DictType>(withoutOptional(type)); }

/// A new element for what a list or dict holds.
Element SchemaAliases::contentsOf(Element container, const Type *type) {
  type = withoutOptional(type);
  Element held = Element::None;
  const Type *heldType = Type::anyType();
  if (const auto *list = dyn_cast<ListType>(type)) {
    heldType = list->element();
    held = memory.makeElement(heldType);
  } else if (const auto *dict = dyn_cast<DictType>(type)) {
    heldType = dict->value()->isMutable() ? dict->value() : dict->key(); // keys and values in one
    held = memory.makeElement(heldType);
  } else if (isa<FutureType, AwaitType, RRefType>(type)) {
    heldType = type->contained()[0];
    held = memory.makeElement(heldType);
  }
  memory.load(container, Field::Contents, held, heldType);
  return held;
}

/// Whether the call surely leaves alone what the argument is annotated to write: running statistics outside of
/// training.
bool SchemaAliases::isLeftAlone(const Argument &argument) const {
  if (!isa<OptionalType>(argument.type))
    return false;
  for (StringRef name : {"training", "use_input_stats"})
    if (auto index = schema.argumentIndex(name); index && *index < node.numInputs()) {
      auto constant = constantValue(node.input(*index));
      return constant && constant->isBool() && !constant->toBool();
    }
  return false;
}

void SchemaAliases::bindArgument(const AliasInfo &info, Element element, const Type *type) {
  for (StringRef set : info.before)
    if (set != "*")
      sets[set].push_back(element);
  if (info.isWrite && !makesLeaf(node)) {
    builder.write(node, element);
    writtenSets.append(info.before.begin(), info.before.end());
  }
  if (llvm::is_contained(info.after, "*"))
    stored.push_back(element);
  if (!info.contained.empty() && isContainer(type))
    bindArgument(info.contained[0], contentsOf(element, type), withoutOptional(type)->contained().back());
}

void SchemaAliases::bindVariables(const Type *pattern, Element element, const Type *type) {
  if (!pattern->hasFreeVariables() || element == Element::None)
    return;
  pattern = withoutOptional(pattern);
  if (const auto *variable = dyn_cast<VarType>(pattern)) {
    variables[variable->name()].push_back(element);
    return;
  }
  type = withoutOptional(type);
  if (const auto *tuple = dyn_cast<TupleType>(pattern)) {
    const auto *given = dyn_cast<TupleType>(type);
    if (!memory.isTuple(element) || !given || given->elements().size() != tuple->elements().size())
      return;
    llvm::SmallVector<Element, 4> fields(memory.fields(element));
    for (auto [i, inner] : llvm::enumerate(tuple->elements()))
      bindVariables(inner, fields[i], given->elements()[i]);
    return;
  }
  if (pattern->kind() == type->kind() && !pattern->contained().empty())
    bindVariables(pattern->contained().back(), contentsOf(element, type), type->contained().back());
}

/// What the call puts into the containers it writes.
void SchemaAliases::storeElements() {
  for (auto [container, pattern] : writtenContainers) {
    if (pattern->hasFreeVariables()) {
      for (auto &entry : variables)
        for (Element held : entry.second)
          memory.store(container, Field::Contents, held, Type::anyType());
      continue;
    }
    for (Element element : stored)
      memory.store(container, Field::Contents, element, Type::anyType());
  }
  if (!writtenContainers.empty())
    return;
  bool isInResult =
      llvm::any_of(schema.returns(), [](const Argument &r) { return r.alias && !r.alias->contained.empty(); });
  if (!isInResult && !stored.empty()) { // nobody says where it goes
    memory.setHasUnknownCode();
    for (Element element : stored)
      memory.escape(element);
  }
}

static bool mayBeOf(const Type *held, const Type *wanted) {
  held = withoutOptional(held);
  wanted = withoutOptional(wanted);
  auto isOpen = [](const Type *type) { return type->kind() == TypeKind::Any || type->kind() == TypeKind::Union; };
  return held->kind() == wanted->kind() || isOpen(held) || isOpen(wanted);
}

/// Lets `element` point to whatever of type `wanted` stands in `held`, a tuple's fields included.
bool SchemaAliases::bindHeld(Element element, const Type *wanted, Element held, const Type *type) {
  if (held == Element::None)
    return false;
  if (mayBeOf(type, wanted)) {
    memory.makePointerTo(element, held);
    return true;
  }
  const auto *tuple = dyn_cast<TupleType>(withoutOptional(type));
  if (!tuple || !memory.isTuple(held))
    return false;
  bool isKnown = false;
  llvm::SmallVector<Element, 4> fields(memory.fields(held));
  for (auto [field, inner] : llvm::zip(fields, tuple->elements()))
    isKnown |= bindHeld(element, wanted, field, inner);
  return isKnown;
}

/// `-> T(*)`: what the arguments contain of that type. False when no container among them holds any.
bool SchemaAliases::bindElementOfArguments(Element element, const Type *type) {
  bool isKnown = false;
  for (const Value *input : node.inputs()) {
    if (!isContainer(input->type()))
      continue;
    Element held = contentsOf(builder.elementOf(input), input->type());
    for (const Type *inner : withoutOptional(input->type())->contained())
      isKnown |= inner->isMutable() && bindHeld(element, type, held, inner);
  }
  return isKnown;
}

/// New memory of the result's type; where the schema has a type variable, or says so, it holds what arguments hold.
void SchemaAliases::bindFresh(const Type *pattern, Element element, const Type *type, const Value *origin,
                              const AliasInfo *info) {
  Location location = memory.makeLocation(type, origin);
  memory.pointTo(element, location);
  if (!isContainer(type) || !isContainer(pattern))
    return;
  Element held = memory.contents(location, Field::Contents, nullptr);
  const Type *innerPattern = withoutOptional(pattern)->contained().back(),
             *innerType = withoutOptional(type)->contained().back();
  if (isa<DictType>(withoutOptional(type))) {
    if (held == Element::None)
      return;
    bindElementOfArguments(memory.fields(held)[0], withoutOptional(type)->contained()[0]);
    held = memory.fields(held)[1];
  }
  bool isFromArguments = isGeneric || (info && llvm::is_contained(info->before, "*"));
  bool mayBeGiven = isFromArguments && !innerPattern->hasFreeVariables() && !isa<TupleType>(innerPattern);
  if (mayBeGiven && bindElementOfArguments(held, innerType))
    return;
  bindReturn(info && !info->contained.empty() ? &info->contained[0] : nullptr, innerPattern, held, innerType, origin);
}

void SchemaAliases::bindReturn(const AliasInfo *info, const Type *pattern, Element element, const Type *type,
                               const Value *origin) {
  if (element == Element::None)
    return;
  pattern = withoutOptional(pattern);
  type = withoutOptional(type);
  bool isFresh = !info || info->before.empty(), isFromElements = false;
  if (info)
    for (StringRef set : info->before) {
      auto known = sets.find(set);
      if (set == "*")
        isFromElements = true;
      else if (known == sets.end())
        isFresh = true;
      else
        for (Element source : known->second)
          memory.makePointerTo(element, source);
    }
  if (const auto *variable = dyn_cast<VarType>(pattern)) {
    auto known = variables.find(variable->name());
    if (known == variables.end())
      return memory.pointToWildcard(element, type);
    for (Element source : known->second)
      memory.makePointerTo(element, source);
    return;
  }
  if (isFromElements) {
    bool isNewContainer = isContainer(type) && isContainer(pattern);
    bool isKnown = bindElementOfArguments(element, type);
    if (!isKnown && !isNewContainer)
      memory.pointToWildcard(element, type);
    isFresh |= isNewContainer;
  }
  if (!isFresh)
    return;
  const auto *tuple = dyn_cast<TupleType>(pattern);
  if (tuple && memory.isTuple(element) && memory.fields(element).size() == tuple->elements().size() &&
      isa<TupleType>(type)) {
    llvm::SmallVector<Element, 4> fields(memory.fields(element));
    for (auto [i, inner] : llvm::enumerate(tuple->elements())) {
      const Type *given = cast<TupleType>(type)->elements()[i];
      if (!isGeneric || inner->hasFreeVariables() || !bindElementOfArguments(fields[i], given))
        bindReturn(nullptr, inner, fields[i], given, origin);
    }
    return;
  }
  switch (type->kind()) {
  case TypeKind::Tensor:
  case TypeKind::List:
  case TypeKind::Dict:
  case TypeKind::Generator: return bindFresh(pattern, element, type, origin, info);
  default: // objects, futures, anything: an operator got them from somewhere
    return memory.pointToWildcard(element, type);
  }
}

void SchemaAliases::apply() {
  ArrayRef<Argument> arguments = schema.arguments();
  isGeneric = llvm::any_of(arguments, [](const Argument &argument) { return argument.type->hasFreeVariables(); });
  for (auto [argument, input] : llvm::zip(arguments, node.inputs())) {
    Element element = builder.elementOf(input);
    if (argument.alias && !isLeftAlone(argument)) {
      bindArgument(*argument.alias, element, input->type());
      if (argument.alias->isWrite && isContainer(argument.type))
        writtenContainers.push_back({element, argument.type});
    } else if (argument.alias) {
      builder.accessOf(node); // known to write nothing
    }
    bindVariables(argument.type, element, input->type());
  }
  storeElements();
  for (StringRef set : writtenSets) {
    if (sets[set].size() < 2)
      continue;
    memory.setHasUnknownCode(); // whoever refers to the one refers to the other's memory from now on
    for (Element element : sets[set])
      memory.escape(element);
  }
  for (auto [i, output] : llvm::enumerate(node.outputs())) {
    Element element = builder.elementOf(output);
    if (i < schema.returns().size()) {
      const Argument &result = schema.returns()[i];
      bindReturn(result.alias ? &*result.alias : nullptr, result.type, element, output->type(), output);
    } else { // of a schema with `-> ...`
      for (const Value *input : node.inputs())
        memory.makePointerTo(element, builder.elementOf(input));
      memory.pointToWildcard(element, output->type());
    }
  }
}
