//===- AliasBuilder.cpp - From a graph to its MemoryDAG -------------------===//
//
// One visit per kind of node: control flow and subgraphs, containers, attributes,
// constants; operators by the annotations of their schema. Who writes what is
// collected on the way and resolved at the end, when all locations are known.
//
//===----------------------------------------------------------------------===//
#include "AliasBuilder.h"
#include "tsc/Analysis/GradientFlow.h"
#include "tsc/IR/ClassType.h"
#include "tsc/IR/Context.h"
#include "tsc/IR/NodeFacts.h"
#include "llvm/ADT/STLExtras.h"
using namespace tsc;

template <typename T> static const T *attributeOf(const Node &node, Symbol name) {
  const AttributeValue *value = node.attribute(name);
  return value ? std::get_if<T>(value) : nullptr;
}

Element AliasBuilder::elementOf(const Value *value) {
  if (auto known = result.knownElement(value))
    return *known;
  Element element = memory.makeElement(value->type());
  result.setElement(value, element);
  return element;
}

/// Memory that nobody else has, for every part of the type that can be written.
void AliasBuilder::makeFresh(Element element, const Type *type, const Value *origin) {
  if (element == Element::None)
    return;
  if (const auto *tuple = dyn_cast<TupleType>(type); tuple && memory.isTuple(element)) {
    llvm::SmallVector<Element, 4> fields(memory.fields(element));
    for (auto [field, inner] : llvm::zip(fields, tuple->elements()))
      makeFresh(field, inner, origin);
    return;
  }
  Location location = memory.makeLocation(type, origin);
  memory.pointTo(element, location);
  if (const auto *list = dyn_cast<ListType>(type))
    makeFresh(memory.contents(location, Field::Contents, nullptr), list->element(), origin);
}

AliasAnalysis::Access &AliasBuilder::accessOf(Node &node) {
  auto [at, isNew] = result.accesses.try_emplace(&standIn(node));
  if (isNew)
    at->second.order = result.accesses.size();
  return at->second;
}

void AliasBuilder::write(Node &node, Element element, Field field) {
  accessOf(node);
  pending.push_back({&standIn(node), element, field, true});
}

//===----------------------------------------------------------------------===//
// Control flow and subgraphs
//===----------------------------------------------------------------------===//

void AliasBuilder::run(const Graph &graph) {
  for (const Value *input : graph.inputs())
    memory.pointToWildcard(elementOf(input), input->type());
  if (switchesGradMode(graph)) {
    gradMode = memory.makeElement(Type::capsuleType());
    memory.pointToWildcard(*gradMode, Type::capsuleType());
  }
  visitBlock(graph.block());
  finishWaits();
  llvm::SmallVector<Element> outputs;
  for (const Value *output : graph.outputs())
    outputs.push_back(elementOf(output));
  outputs.append(returned);
  memory.finish(outputs);
  resolveAccesses();
  markDeeplyWritten();
}

void AliasBuilder::visitBlock(const Block &block) {
  for (const Node &node : block.nodes()) {
    visit(const_cast<Node &>(node)); // answers hand out nodes that a pass may change
    memory.solve();
  }
}

void AliasBuilder::visitIf(Node &node) {
  for (const Block &block : node.blocks()) {
    visitBlock(block);
    for (auto [inner, outer] : llvm::zip(block.outputs(), node.outputs()))
      memory.makePointerTo(elementOf(outer), elementOf(inner));
  }
}

void AliasBuilder::visitLoop(Node &node) {
  if (node.numBlocks() != 1 || node.numInputs() < node.numOutputs() + 2 ||
      node.block(0).inputs().size() <= node.numOutputs() || node.block(0).numOutputs() <= node.numOutputs())
    return visitUnknown(node);
  const Block &body = node.block(0);
  auto carried = [&](unsigned i) { return elementOf(body.inputs()[i + 1]); };
  for (unsigned i = 0; i != node.numOutputs(); ++i)
    memory.makePointerTo(carried(i), elementOf(node.input(i + 2)));
  visitBlock(body);
  for (unsigned i = 0; i != node.numOutputs(); ++i) {
    memory.makePointerTo(carried(i), elementOf(body.returnNode().input(i + 1)));
    memory.makePointerTo(elementOf(node.output(i)), carried(i));
  }
}

/// As if the subgraph's nodes stood here; to the graph around it the node does all that they do.
void AliasBuilder::visitSubgraph(Node &node, const Graph &subgraph) {
  if (subgraph.inputs().size() != node.numInputs() || !open.insert(&subgraph).second)
    return visitUnknown(node);
  for (auto [parameter, argument] : llvm::zip(subgraph.inputs(), node.inputs()))
    memory.makePointerTo(elementOf(parameter), elementOf(argument));
  Node *outer = holder;
  holder = &standIn(node);
  accessOf(node).holdsSubgraph = true;
  visitBlock(subgraph.block());
  holder = outer;
  open.erase(&subgraph);
}

/// The result is the tensor that is guarded. Where the guard fails, the node does all that its graph does, and what
/// that returns leaves the graph around it.
void AliasBuilder::visitBailOut(Node &node) {
  const auto *subgraph = attributeOf<std::shared_ptr<Graph>>(node, attr::Subgraph);
  if (!subgraph || !*subgraph || node.numOutputs() != 1 || (*subgraph)->inputs().size() != node.numInputs() ||
      node.numInputs() == 0)
    return visitUnknown(node);
  visitSubgraph(node, **subgraph);
  accessOf(node).hasSideEffects = true; // to leave
  for (const Value *output : (*subgraph)->outputs())
    returned.push_back(elementOf(output));
  memory.makePointerTo(elementOf(node.output()), elementOf(node.input(0)));
}

void AliasBuilder::visitFork(Node &node) {
  const auto *subgraph = attributeOf<std::shared_ptr<Graph>>(node, attr::Subgraph);
  if (!subgraph || !*subgraph || node.numOutputs() != 1)
    return visitUnknown(node);
  visitSubgraph(node, **subgraph);
  result.forks.push_back(&standIn(node));
  Element future = elementOf(node.output());
  memory.pointTo(future, memory.makeLocation(node.output()->type(), node.output()));
  auto outputs = (*subgraph)->outputs();
  if ((*subgraph)->block().numOutputs() == 1)
    memory.store(future, Field::Contents, elementOf(*outputs.begin()), Type::anyType());
  else
    for (const Value *output : outputs)
      memory.store(future, Field::Contents, elementOf(output), Type::anyType());
}

void AliasBuilder::visitWait(Node &node) {
  if (node.numOutputs() == 1)
    memory.load(elementOf(node.input(0)), Field::Contents, elementOf(node.output()), node.output()->type());
  waits.push_back(&node);
  accessOf(node).waits = true;
}

/// A wait may be the moment at which a fork did its work; a future from outside does whatever it wants.
void AliasBuilder::finishWaits() {
  memory.solve();
  for (Node *wait : waits) {
    llvm::SmallVector<Location, 4> futures;
    memory.collect(elementOf(wait->input(0)), futures);
    if (llvm::any_of(futures, [&](Location l) { return memory.isWildcard(l); }))
      visitUnknown(*wait);
  }
}

//===----------------------------------------------------------------------===//
// Single nodes
//===----------------------------------------------------------------------===//

/// Code that is not seen: it may store, write and return all that it can reach.
void AliasBuilder::visitUnknown(Node &node) {
  AliasAnalysis::Access &access = accessOf(node);
  if (!access.isUnknown)
    result.unknown.push_back(&standIn(node));
  access.isUnknown = access.hasSideEffects = true;
  memory.setHasUnknownCode();
  for (const Value *input : node.inputs())
    memory.escape(elementOf(input));
  for (const Value *output : node.outputs())
    memory.pointToWildcard(elementOf(output), output->type());
  for (const Block &block : node.blocks()) {
    for (const Value *parameter : block.inputs())
      memory.pointToWildcard(elementOf(parameter), parameter->type());
    visitBlock(block);
    for (const Value *output : block.outputs())
      memory.escape(elementOf(output));
  }
}

/// The outputs are the inputs, one for one.
void AliasBuilder::passThrough(Node &node) {
  for (auto [input, output] : llvm::zip(node.inputs(), node.outputs()))
    memory.makePointerTo(elementOf(output), elementOf(input));
}

/// Every output may be any of the inputs.
void AliasBuilder::joinAll(Node &node) {
  for (const Value *output : node.outputs()) {
    makeFresh(elementOf(output), output->type(), output);
    for (const Value *input : node.inputs())
      memory.makePointerTo(elementOf(output), elementOf(input));
  }
}

Element AliasBuilder::elementOfConstant(const IValue &constant, const Type *type, const Value *origin) {
  Element element = memory.makeElement(type);
  if (element == Element::None || constant.isNone())
    return element;
  if (constant.isTuple()) {
    llvm::SmallVector<Element, 4> fields(memory.isTuple(element) ? memory.fields(element) : ArrayRef<Element>());
    const auto *shape = dyn_cast<TupleType>(type);
    for (auto [i, item] : llvm::enumerate(constant.toTuple().elements))
      memory.makePointerTo(
          i < fields.size() ? fields[i] : element,
          elementOfConstant(item, shape && i < shape->elements().size() ? shape->elements()[i] : Type::anyType(),
                            origin));
    return element;
  }
  if (!constant.isTensor() && !constant.isList()) {
    memory.pointToWildcard(element, type);
    return element;
  }
  const void *payload =
      constant.isTensor() ? static_cast<const void *>(constant.asTensor().get()->storage.get()) : constant.counted();
  auto [known, isNew] = constantLocations.try_emplace(payload);
  if (isNew) {
    Location location = memory.makeLocation(type, origin);
    known->second = location;
    memory.setConstant(location);
    const auto *list = dyn_cast<ListType>(type);
    if (list && list->element()->isMutable())
      for (size_t i = 0; i != constant.listSize(); ++i)
        memory.makePointerTo(memory.contents(location, Field::Contents, nullptr),
                             elementOfConstant(constant.listElement(i), list->element(), origin));
    memory.pointTo(element, location);
  } else {
    memory.pointTo(element, known->second);
  }
  return element;
}

void AliasBuilder::visitConstant(Node &node) {
  if (node.numOutputs() != 1 || !node.output()->type()->isMutable())
    return;
  auto constant = constantValue(node.output());
  Element element = elementOf(node.output());
  if (constant)
    memory.makePointerTo(element, elementOfConstant(*constant, node.output()->type(), node.output()));
  else
    memory.pointToWildcard(element, node.output()->type());
}

void AliasBuilder::visitTupleAccess(Node &node) {
  Element tuple = elementOf(node.input(0));
  if (!memory.isTuple(tuple)) {
    for (const Value *output : node.outputs())
      memory.makePointerTo(elementOf(output), tuple);
    return;
  }
  llvm::SmallVector<Element, 4> fields(memory.fields(tuple));
  if (node.kind() == prim::TupleUnpack) {
    for (auto [field, output] : llvm::zip(fields, node.outputs()))
      memory.makePointerTo(elementOf(output), field);
    return;
  }
  Element output = elementOf(node.output(0));
  if (node.kind() == prim::TupleSlice) {
    const auto *begin = attributeOf<int64_t>(node, attr::beg);
    llvm::SmallVector<Element, 4> parts(memory.isTuple(output) ? memory.fields(output) : ArrayRef<Element>(output));
    for (auto [i, part] : llvm::enumerate(parts))
      if (size_t from = (begin ? *begin : 0) + i; from < fields.size())
        memory.makePointerTo(part, fields[from]);
    return;
  }
  auto index = node.numInputs() > 1 ? constantValue(node.input(1)) : std::nullopt;
  int64_t at = index && index->isInt() ? index->toInt() : INT64_MAX;
  if (at < 0)
    at += fields.size();
  for (auto [i, field] : llvm::enumerate(fields)) // all of them when the index is not known
    if (at < 0 || at >= static_cast<int64_t>(fields.size()) || static_cast<size_t>(at) == i)
      memory.makePointerTo(output, field);
}

void AliasBuilder::visitDictConstruct(Node &node) {
  Location dict = memory.makeLocation(node.output()->type(), node.output());
  memory.pointTo(elementOf(node.output()), dict);
  Element pair = memory.contents(dict, Field::Contents, nullptr);
  if (!memory.isTuple(pair))
    return;
  Element keyAndValue[2] = {memory.fields(pair)[0], memory.fields(pair)[1]};
  for (auto [i, input] : llvm::enumerate(node.inputs()))
    memory.makePointerTo(keyAndValue[i % 2], elementOf(input));
}

void AliasBuilder::visitAttribute(Node &node) {
  const auto *name = attributeOf<std::string>(node, attr::name);
  if (!name || node.numInputs() == 0)
    return visitUnknown(node);
  Field field = memory.field(*name);
  Element object = elementOf(node.input(0));
  bool isWrite = node.kind() == prim::SetAttr;
  accessOf(node);
  pending.push_back({&standIn(node), object, field, isWrite});
  if (isWrite && node.numInputs() > 1)
    memory.store(object, field, elementOf(node.input(1)), node.input(1)->type());
  else if (!isWrite && node.numOutputs() == 1)
    memory.load(object, field, elementOf(node.output()), node.output()->type());
}

/// Nodes of which their kind says all.
bool AliasBuilder::visitByFacts(Node &node) {
  auto has = [&](NodeFact fact) { return hasFact(node.kind(), fact); };
  if (has(NodeFact::PassesThrough))
    passThrough(node);
  else if (has(NodeFact::MayGiveOperand))
    joinAll(node);
  else if (has(NodeFact::NewMemory))
    for (const Value *output : node.outputs())
      makeFresh(elementOf(output), output->type(), output);
  else
    return has(NodeFact::NoMemory);
  return true;
}

/// A node that runs the graph that it holds, now.
bool AliasBuilder::visitGroup(Node &node) {
  if (node.kind() == prim::awaitable)
    return false;
  const auto *subgraph = attributeOf<std::shared_ptr<Graph>>(node, attr::Subgraph);
  if (!subgraph || !*subgraph || (*subgraph)->inputs().size() != node.numInputs() ||
      (*subgraph)->block().numOutputs() != node.numOutputs())
    return false;
  visitSubgraph(node, **subgraph);
  for (auto [inner, outer] : llvm::zip((*subgraph)->outputs(), node.outputs()))
    memory.makePointerTo(elementOf(outer), elementOf(inner));
  return true;
}

/// Nodes without a schema whose meaning is the IR's own.
bool AliasBuilder::visitStructure(Node &node) {
  switch (node.kind().id()) {
  case SymbolId::prim_Constant: visitConstant(node); return true;
  case SymbolId::prim_If: visitIf(node); return true;
  case SymbolId::prim_Loop: visitLoop(node); return true;
  case SymbolId::prim_fork: visitFork(node); return true;
  case SymbolId::aten_wait: visitWait(node); return true;
  case SymbolId::prim_BailOut: visitBailOut(node); return true;
  case SymbolId::prim_ListConstruct: {
    Element list = elementOf(node.output());
    memory.pointTo(list, memory.makeLocation(node.output()->type(), node.output()));
    for (const Value *input : node.inputs())
      memory.store(list, Field::Contents, elementOf(input), Type::anyType());
    return true;
  }
  case SymbolId::prim_DictConstruct: visitDictConstruct(node); return true;
  case SymbolId::prim_ListUnpack:
    for (const Value *output : node.outputs())
      memory.load(elementOf(node.input(0)), Field::Contents, elementOf(output), output->type());
    return true;
  case SymbolId::prim_TupleConstruct:
  case SymbolId::prim_NamedTupleConstruct: {
    Element tuple = elementOf(node.output());
    if (!memory.isTuple(tuple))
      return joinAll(node), true;
    llvm::SmallVector<Element, 4> fields(memory.fields(tuple));
    for (auto [field, input] : llvm::zip(fields, node.inputs()))
      memory.makePointerTo(field, elementOf(input));
    return true;
  }
  case SymbolId::prim_TupleUnpack:
  case SymbolId::prim_TupleIndex:
  case SymbolId::prim_TupleSlice: visitTupleAccess(node); return true;
  case SymbolId::prim_GetAttr:
  case SymbolId::prim_SetAttr: visitAttribute(node); return true;
  case SymbolId::prim_GradOf:
    if (node.numBlocks() != 1 || node.block(0).numOutputs() != node.numOutputs())
      return false;
    visitIf(node); // its block runs or gives undefined gradients
    return true;
  default: return visitGroup(node) || visitByFacts(node);
  }
}

/// Whether values of the type are, or hold, objects that may have the method. Of what is behind an interface, or known
/// when it runs only, nobody knows the class.
static bool mayHaveMethod(const Type *type, llvm::StringRef name) {
  switch (type->kind()) {
  case TypeKind::Class: return llvm::cast<ClassType>(type)->findMethod(name);
  case TypeKind::Interface:
  case TypeKind::Any:
  case TypeKind::AnyClass:
  case TypeKind::AnyTuple:
  case TypeKind::AnyList:
  case TypeKind::Var:
  case TypeKind::PyObject: return true;
  default: return llvm::any_of(type->contained(), [&](const Type *part) { return mayHaveMethod(part, name); });
  }
}

/// Whether the operator may run methods of what it is given, as sorting does.
static bool runsMethods(const Node &node) {
  switch (node.opKind()) {
#define METHOD(OP, NAME)                                                                                               \
  case OpKind::OP: return mayHaveMethod(node.input(0)->type(), NAME);
#include "tsc/IR/OpFacts.inc"
  default: return false;
  }
}

void AliasBuilder::visit(Node &node) {
  if (holder && node.kind() != prim::GetAttr && node.kind() != prim::SetAttr) {
    accessOf(node).hasSideEffects |= node.hasSideEffects() && node.kind() != prim::fork && node.kind() != aten::wait;
    for (const Value *input : node.inputs())
      pending.push_back({holder, elementOf(input), Field::Contents, false});
  }
  if (visitStructure(node))
    return;
  const FunctionSchema *schema = node.schema();
  if (!schema || node.numBlocks() || node.hasTrait(Trait::Control) || runsMethods(node))
    return visitUnknown(node);
  SchemaAliases(*this, node, *schema).apply();
  if (gradMode)
    accessGradMode(node);
}

/// Grad mode is memory that somebody outside may write too. Whether a result requires a gradient depends on it, unless
/// no operand does.
void AliasBuilder::accessGradMode(Node &node) {
  if (node.kind() == aten::set_grad_enabled)
    return write(node, *gradMode);
  uint32_t operands = gradientOperands(node);
  if (!operands)
    return;
  accessOf(node);
  pending.push_back({&standIn(node), *gradMode, Field::Contents, false});
}

//===----------------------------------------------------------------------===//
// Who writes what
//===----------------------------------------------------------------------===//

void AliasBuilder::resolveAccesses() {
  result.writerListOf.resize(memory.numLocations());
  for (const PendingAccess &access : pending) {
    llvm::SmallVector<Location, 4> touched;
    memory.collect(access.element, touched);
    AliasAnalysis::Access &known = result.accesses[access.node];
    for (Location location : touched) {
      if (access.field != Field::Contents) {
        auto attribute = memory.attribute(location, access.field);
        if (!attribute)
          continue;
        location = *attribute;
      }
      (access.isWrite ? known.writes : known.reads).push_back(location);
      if (!access.isWrite)
        continue;
      auto &list = result.writerListOf[static_cast<unsigned>(location)];
      if (list == 0) {
        list = result.writerLists.size();
        result.writerLists.emplace_back();
      }
      auto &writers = result.writerLists[list];
      if (writers.empty() || writers.back() != access.node)
        writers.push_back(access.node);
    }
  }
  for (auto &entry : result.accesses)
    for (auto *set : {&entry.second.writes, &entry.second.reads}) {
      llvm::sort(*set);
      set->erase(std::unique(set->begin(), set->end()), set->end());
    }
}

/// A location counts as written when something that it holds is. An object of which not all is known may hold whatever
/// is visible outside.
void AliasBuilder::markDeeplyWritten() {
  size_t count = memory.numLocations();
  result.deeplyWritten.assign(count, false);
  bool isVisibleWritten = false;
  for (size_t i = 0; i != count; ++i) {
    Location location = memory.find(Location(i));
    bool byUnknown = !result.unknown.empty() && memory.isVisibleOutside(location);
    if (!byUnknown && result.writersOf(location).empty())
      continue;
    result.deeplyWritten[static_cast<unsigned>(location)] = true;
    isVisibleWritten |= memory.isVisibleOutside(location);
  }
  for (size_t i = 0; isVisibleWritten && i != count; ++i)
    if (memory.mayHoldAnythingOutside(Location(i)))
      result.deeplyWritten[static_cast<unsigned>(memory.find(Location(i)))] = true;
  memory.spreadToHolders(result.deeplyWritten);
}

AliasAnalysis::AliasAnalysis(const Graph &graph) : graph(graph), memory(graph), elementOfNumber(graph.numIds<Value>()) {
  AliasBuilder(*this).run(graph);
}
AliasAnalysis::~AliasAnalysis() = default;
