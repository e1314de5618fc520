//===- Dependence.cpp - What the values of a trace depend on --------------===//
#include "Dependence.h"
#include "tsc/IR/Context.h"
#include "tsc/IR/FunctionSchema.h"
#include "tsc/IR/ListEdits.h"
#include "tsc/IR/OpFacts.h"

using namespace tsc;

//===----------------------------------------------------------------------===//
// Attributes
//===----------------------------------------------------------------------===//

static std::optional<ListEdit> listEditOf(const Node &node) {
  return node.opKind() == OpKind::Unknown ? std::nullopt : listEdit(node.opKind());
}

void Dependences::setAttribute(const Node &node, Datum &result) {
  const std::string &name = node.get<std::string>(attr::name);
  const Type *type = node.graph().context().unshaped(node.output()->type());
  const bool isAssigned = writes.isAnything || writes.assigned.contains(name);
  const bool holdsWritten = writes.resized.mayHoldWithin(type) || writes.rewritten.mayHoldWithin(type);
  const Dependence on = isAssigned ? Dependence::Elements : Dependence::Kind;
  const IValue &value = result.value;
  result.isOptional = isAssigned; // an earlier call may have set it
  if (value.isList() || value.isDict()) {
    const Dependence length = writes.resized.mayHold(name, type) ? Dependence::Elements : on;
    const bool isRewritten = holdsWritten || writes.rewritten.mayHold(name, type);
    result.on = on;
    note(value, length, isRewritten ? Dependence::Elements : length, /*isState=*/true);
  } else if (value.isTensor() || value.isObject() || value.isFunction()) {
    result.on = isAssigned && value.isTensor() ? Dependence::Elements : Dependence::Constant;
  } else {
    result.on = holdsWritten ? Dependence::Elements : on;
  }
}

//===----------------------------------------------------------------------===//
// Containers
//===----------------------------------------------------------------------===//

static bool isContainer(const IValue &value) { return value.isList() || value.isDict(); }

/// Lists hold tensors, so the memory of those that the function is done with must not wait for the end of the trace.
void Dependences::dropUnused() {
  llvm::SmallVector<const RefCounted *> unused;
  for (const auto &[key, container] : containers)
    if (key->useCount() == 1)
      unused.push_back(key);
  for (const RefCounted *key : unused)
    containers.erase(key);
  limit = std::max<size_t>(256, size_t{2} * containers.size());
}

/// Notes a container that is new, or was not heard of, or a tensor that got other sizes. What is known already keeps
/// what it may depend on.
void Dependences::note(const IValue &container, Dependence length, Dependence contents, bool isState) {
  Container &known = containers[container.counted()];
  known.keep = container;
  known.length = std::max(known.length, length);
  known.contents = std::max(known.contents, contents);
  known.isState |= isState;
}

Dependence Dependences::ofLength(const Datum &datum) const {
  auto known = containers.find(datum.value.counted());
  return known == containers.end() ? datum.on : std::max(datum.on, known->second.length);
}

Dependence Dependences::ofAll(const Datum &datum) const {
  if (!isContainer(datum.value))
    return datum.on;
  auto known = containers.find(datum.value.counted());
  return known == containers.end() ? datum.on : std::max({datum.on, known->second.length, known->second.contents});
}

/// What is called may write to any container that it is given.
void Dependences::noteCall(const IValue &operand) {
  if (isContainer(operand))
    note(operand, Dependence::Elements, Dependence::Elements);
  if (operand.isTuple())
    for (const IValue &field : operand.toTuple().elements)
      noteCall(field);
  if (operand.isGenericList())
    for (const IValue &element : operand.toGenericList().elements)
      if (isContainer(element) || element.isTuple())
        noteCall(element);
}

void Dependences::noteWrites(const Node &node, llvm::ArrayRef<const Datum *> operands, Dependence all) {
  const FunctionSchema *schema = node.schema();
  if (!schema || !schema->isMutating())
    return;
  const std::optional<ListEdit> edit = listEditOf(node);
  // Whoever holds the tensor sees its new sizes.
  if (node.hasTrait(Trait::Resizes) && all != Dependence::Constant && operands[0]->value.isTensor())
    note(operands[0]->value, Dependence::Elements, Dependence::Elements);
  for (auto [i, operand] : llvm::enumerate(operands)) {
    if (i >= schema->arguments().size() || !isContainer(operand->value))
      continue;
    const std::optional<AliasInfo> &alias = schema->arguments()[i].alias;
    if (!alias || !alias->isWrite)
      continue;
    Container &known = containers[operand->value.counted()];
    known.keep = operand->value;
    known.contents = std::max(known.contents, all);
    if (known.isState && !(edit && keepsLength(*edit)))
      known.length = known.contents = Dependence::Elements;
    else if (edit == ListEdit::Extend)
      known.length = std::max(known.length, ofLength(*operands[1]));
    else if (!edit)
      known.length = std::max(known.length, all);
  }
}

//===----------------------------------------------------------------------===//
// Nodes
//===----------------------------------------------------------------------===//

Datum Dependences::parameter(const Datum &operand) {
  Datum made = argument(operand.value);
  made.on = std::max(made.on, operand.on);
  made.isOptional = operand.isOptional;
  if (isContainer(operand.value))
    note(operand.value, ofLength(operand), Dependence::Elements);
  for (auto [i, field] : llvm::enumerate(made.fields))
    field = std::max(field, i < operand.fields.size() ? operand.fields[i] : operand.on);
  return made;
}

Datum Dependences::argument(const IValue &value) {
  Datum made;
  made.value = value;
  if (value.isTuple()) {
    for (const IValue &field : value.toTuple().elements)
      made.fields.push_back(argument(field).on);
    made.on = made.fields.empty() ? Dependence::Constant : *llvm::max_element(made.fields);
  } else if (isContainer(value)) {
    note(value, Dependence::Kind, Dependence::Elements);
    if (value.isGenericList())
      for (const IValue &element : value.toGenericList().elements)
        argument(element);
  } else if (value.isNone() || value.isDevice()) {
    made.on = Dependence::Kind;
  } else if (!value.isObject()) {
    made.on = Dependence::Elements;
  }
  return made;
}

/// Returns what the result of a node depends on, which is a number, a text or another value that is no container.
Dependence Dependences::ofAnswer(const Node &node, llvm::ArrayRef<const Datum *> operands, Dependence all) const {
  const OpKind op = node.opKind();
  auto isNone = [](const Datum *operand) { return operand->value.isNone(); };
  if (node.kind() == prim::isinstance ||
      ((node.kind() == aten::__is__ || node.kind() == aten::__isnot__) && llvm::any_of(operands, isNone)))
    return llvm::any_of(operands, [](const Datum *operand) { return operand->isOptional; })
               ? all
               : std::min(all, Dependence::Kind);
  if (node.hasTrait(Trait::Nondeterministic))
    return Dependence::Elements;
  if (operands.empty()) // such as whether gradients are enabled
    return node.hasTrait(Trait::Pure) ? Dependence::Constant : Dependence::Kind;
  if (op == OpKind::Unknown)
    return all;
  if (containerQuery(op) == ContainerQuery::Length && isContainer(operands[0]->value))
    return ofLength(*operands[0]);
  if (containerQuery(op) == ContainerQuery::Contains && operands[0]->value.isDict())
    return std::max(ofLength(*operands[0]), operands[1]->on);
  if ((tensorQuery(op) || asksForTensorKind(op)) && operands[0]->value.isTensor()) {
    Dependence rest = Dependence::Constant;
    for (const Datum *operand : operands.drop_front())
      rest = std::max(rest, ofAll(*operand));
    if (ofLength(*operands[0]) == Dependence::Constant)
      return rest;
    return std::max(rest, asksForTensorKind(op) ? Dependence::Kind : Dependence::Sizes);
  }
  const bool readsTensor = llvm::any_of(
      operands, [](const Datum *operand) { return operand->value.isTensor() || operand->value.isTensorList(); });
  if (readsTensor && !containerQuery(op))
    return Dependence::Elements;
  return all;
}

void Dependences::setResult(const Node &node, llvm::ArrayRef<const Datum *> operands, Dependence all, Datum &result) {
  const OpKind op = node.opKind();
  if (result.value.isTensor()) {
    result.on = all == Dependence::Constant ? all : Dependence::Elements;
    return;
  }
  if (!isContainer(result.value)) {
    const bool isPlain = !result.value.isCounted() || result.value.isString() || result.value.isScalar();
    result.on = isPlain && !node.hasSideEffects() ? ofAnswer(node, operands, all) : all;
    return;
  }
  for (const Datum *operand : operands)
    if (operand->value.isSameAs(result.value)) { // a list that was given, as append() returns it
      result.on = operand->on;
      return;
    }
  if (node.kind() == prim::ListConstruct || node.kind() == prim::DictConstruct)
    return note(result.value, Dependence::Constant, all);
  const std::optional<TensorQuery> query = op == OpKind::Unknown ? std::nullopt : tensorQuery(op);
  if (query) { // sizes or strides: as many as the tensor has dimensions
    const bool isConstant = operands[0]->on == Dependence::Constant;
    return note(result.value, isConstant ? Dependence::Constant : Dependence::Kind,
                isConstant ? Dependence::Constant : Dependence::Sizes);
  }
  Dependence length = all;
  const std::optional<ContainerQuery> made = op == OpKind::Unknown ? std::nullopt : containerQuery(op);
  if (made == ContainerQuery::Copy || made == ContainerQuery::Slice || made == ContainerQuery::Concatenation) {
    length = Dependence::Constant;
    for (const Datum *operand : operands)
      length = std::max(length, isContainer(operand->value) ? ofLength(*operand) : operand->on);
  } else if (made == ContainerQuery::Keys || made == ContainerQuery::Values || made == ContainerQuery::Items) {
    length = ofLength(*operands[0]);
    all = made == ContainerQuery::Keys ? length : all;
  } else if (made == ContainerQuery::Element || made == ContainerQuery::Lookup) {
    result.on = all;
    return;
  } else if (node.hasTrait(Trait::Split) && length == Dependence::Elements) {
    length = Dependence::Sizes;
  }
  note(result.value, length, all);
}

std::vector<Datum> Dependences::results(const Node &node, llvm::ArrayRef<const Datum *> operands,
                                        llvm::ArrayRef<IValue> values) {
  if (containers.size() >= limit)
    dropUnused();
  Dependence all = Dependence::Constant;
  for (const Datum *operand : operands)
    all = std::max(all, ofAll(*operand));
  const bool runsOther = node.hasSideEffects() && node.opKind() == OpKind::Unknown && node.kind() != prim::SetAttr;
  if (runsOther || node.kind() == aten::wait)
    all = Dependence::Elements;
  if (runsOther)
    for (const Datum *operand : operands)
      noteCall(operand->value);
  noteWrites(node, operands, all);
  std::vector<Datum> made(values.size());
  for (auto [i, value] : llvm::enumerate(values)) {
    Datum &result = made[i];
    result.value = value;
    const TypeKind kind = node.output(i)->type()->kind();
    result.isOptional = kind == TypeKind::Optional || kind == TypeKind::Union || kind == TypeKind::Any;
    if (node.kind() == prim::GetAttr) {
      setAttribute(node, result);
    } else if (passesOperand(node) && !operands.empty()) {
      result.on = operands[0]->on;
      result.fields = operands[0]->fields;
      result.isOptional = operands[0]->isOptional && node.output(i)->type()->kind() == TypeKind::Optional;
    } else if (node.kind() == prim::TupleConstruct) {
      for (const Datum *operand : operands)
        result.fields.push_back(ofAll(*operand));
      result.on = all;
    } else if (node.kind() == prim::TupleUnpack && operands[0]->fields.size() == values.size()) {
      result.on = operands[0]->fields[i];
    } else if (node.kind() == prim::CreateObject) {
      result.on = Dependence::Constant;
    } else {
      setResult(node, operands, all, result);
    }
  }
  return made;
}
