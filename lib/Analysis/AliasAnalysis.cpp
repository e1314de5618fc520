//===- AliasAnalysis.cpp - Answers about memory ---------------------------===//
//
// Questions become intersections of the sets of locations that AliasBuilder
// found. What a node reads and writes includes what its blocks and subgraphs do.
//
//===----------------------------------------------------------------------===//
#include "tsc/Analysis/AliasAnalysis.h"
#include "tsc/Analysis/GradientFlow.h"
#include "tsc/IR/FunctionSchema.h"
#include "tsc/IR/Graph.h"
#include "tsc/IR/NodeFacts.h"
#include "llvm/ADT/STLExtras.h"
using namespace tsc;

//===----------------------------------------------------------------------===//
// Values
//===----------------------------------------------------------------------===//

static bool intersect(ArrayRef<Location> a, ArrayRef<Location> b) {
  if (a.size() > b.size())
    std::swap(a, b);
  return llvm::any_of(a, [&](Location location) { return std::binary_search(b.begin(), b.end(), location); });
}

bool AliasAnalysis::isMutable(const Value *value) { return value->type()->isMutable(); }

std::optional<Element> AliasAnalysis::knownElement(const Value *value) const {
  if (&value->graph() == &graph)
    return value->id() < elementOfNumber.size() ? elementOfNumber[value->id()] : std::nullopt;
  auto known = elementsInSubgraphs.find(value);
  return known == elementsInSubgraphs.end() ? std::nullopt : std::optional(known->second);
}

/// Nothing for a value that is newer than the analysis; a newer constant is a passing thing that nobody writes.
std::optional<Element> AliasAnalysis::elementOf(const Value *value) const {
  if (!isMutable(value))
    return Element::None;
  auto known = knownElement(value);
  return !known && value->node()->kind() == prim::Constant ? Element::None : known;
}

void AliasAnalysis::setElement(const Value *value, Element element) {
  if (&value->graph() != &graph) {
    elementsInSubgraphs[value] = element;
    return;
  }
  if (value->id() >= elementOfNumber.size())
    elementOfNumber.resize(value->id() + value->id() / 2 + 1);
  elementOfNumber[value->id()] = element;
}

llvm::SmallVector<Location, 4> AliasAnalysis::locations(const Value *value) const {
  llvm::SmallVector<Location, 4> result;
  if (auto element = elementOf(value))
    memory.collect(*element, result);
  return result;
}

bool AliasAnalysis::mayAlias(const Value *a, const Value *b) const {
  if (!isMutable(a) || !isMutable(b))
    return false;
  if (!elementOf(a) || !elementOf(b))
    return true;
  return intersect(locations(a), locations(b));
}

static void sortUnique(llvm::SmallVectorImpl<Location> &set) {
  llvm::sort(set);
  set.erase(std::unique(set.begin(), set.end()), set.end());
}

bool AliasAnalysis::mayAlias(ArrayRef<const Value *> a, ArrayRef<const Value *> b) const {
  llvm::SmallVector<Location, 8> ofA;
  bool isNew = false;
  for (const Value *value : a) {
    isNew |= !elementOf(value);
    ofA.append(locations(value));
  }
  sortUnique(ofA);
  return llvm::any_of(b, [&](const Value *value) {
    return (isMutable(value) && isNew) || !elementOf(value) || intersect(locations(value), ofA);
  });
}

bool AliasAnalysis::mayContainAlias(const Value *a, const Value *b) const {
  return mayContainAlias(ArrayRef<const Value *>(a), ArrayRef<const Value *>(b));
}

bool AliasAnalysis::mayContainAlias(ArrayRef<const Value *> a, ArrayRef<const Value *> b) const {
  MemoryEffects reachable[2];
  for (auto [values, result] : {std::pair(a, &reachable[0]), std::pair(b, &reachable[1])}) {
    for (const Value *value : values) {
      if (!elementOf(value))
        return true;
      readDeeply(locations(value), *result);
    }
    sortUnique(result->reads);
  }
  auto isVisible = [&](Location location) { return memory.isVisibleOutside(location); };
  return intersect(reachable[0].reads, reachable[1].reads) ||
         (reachable[0].readsOutside && llvm::any_of(reachable[1].reads, isVisible)) ||
         (reachable[1].readsOutside && llvm::any_of(reachable[0].reads, isVisible));
}

/// Whether the tensor becomes a leaf: whatever takes its place would require a gradient.
static bool becomesLeaf(const Value *value) { return value->hasOneUse() && makesLeaf(*value->uses().begin()->user()); }

bool AliasAnalysis::hasWriters(const Value *value) const {
  if (!elementOf(value) || becomesLeaf(value))
    return true;
  return llvm::any_of(locations(value),
                      [&](Location location) { return deeplyWritten[static_cast<unsigned>(location)]; });
}

llvm::SmallVector<Node *, 4> AliasAnalysis::writers(const Value *value) const {
  MemoryEffects reachable;
  readDeeply(locations(value), reachable);
  llvm::SmallVector<Node *, 4> result;
  bool isVisible = false;
  for (Location location : reachable.reads) {
    result.append(writersOf(location).begin(), writersOf(location).end());
    isVisible |= memory.isVisibleOutside(location);
  }
  if (reachable.readsOutside) // everything visible
    for (size_t i = 0; i != memory.numLocations(); ++i)
      if (memory.isVisibleOutside(Location(i)))
        result.append(writersOf(Location(i)).begin(), writersOf(Location(i)).end());
  if (isVisible)
    result.append(unknown.begin(), unknown.end());
  auto order = [&](Node *node) { return accesses.find(node)->second.order; };
  llvm::sort(result, [&](Node *a, Node *b) { return order(a) < order(b); });
  result.erase(std::unique(result.begin(), result.end()), result.end());
  return result;
}

ArrayRef<Node *> AliasAnalysis::writersOf(Location location) const {
  return writerLists[writerListOf[static_cast<unsigned>(memory.find(location))]];
}

bool AliasAnalysis::escapes(const Value *value) const {
  return !elementOf(value) ||
         llvm::any_of(locations(value), [&](Location location) { return memory.escapes(location); });
}

bool AliasAnalysis::reachesEscaping(const Value *value) const {
  bool found = escapes(value);
  memory.walkReachable(locations(value), [&](Location location) { return !(found |= memory.escapes(location)); });
  return found;
}

bool AliasAnalysis::makesEscaping(const Node &node) const {
  llvm::DenseSet<Location> given;
  for (const Value *input : node.inputs())
    memory.walkReachable(locations(input), [&](Location location) { return given.insert(location), true; });
  return llvm::any_of(node.outputs(), [&](const Value *output) {
    bool found = false;
    memory.walkReachable(locations(output), [&](Location location) {
      return !(found |= memory.escapes(location) && !given.contains(location));
    });
    return found;
  });
}

void AliasAnalysis::copyValue(const Value *existing, const Value *added) {
  if (auto element = elementOf(existing); element && isMutable(added))
    setElement(added, *element);
}

//===----------------------------------------------------------------------===//
// Nodes
//===----------------------------------------------------------------------===//

/// The locations and all that can be reached from them.
void AliasAnalysis::readDeeply(ArrayRef<Location> locations, MemoryEffects &effects) const {
  memory.walkReachable(locations, [&](Location location) {
    effects.reads.push_back(location);
    effects.readsOutside |= memory.mayHoldAnythingOutside(location);
    return true;
  });
}

/// Whether the operator cannot look into what `argument` holds: it is generic in it and only hands it on.
static bool onlyHandsOn(const FunctionSchema &schema, const Argument &argument) {
  if (!argument.type->hasFreeVariables())
    return false;
  bool isStored = argument.alias && llvm::is_contained(argument.alias->after, "*");
  return isStored || argument.alias.has_value() ||
         llvm::any_of(schema.returns(), [](const Argument &result) { return result.type->hasFreeVariables(); });
}

/// What a node without blocks or subgraph reads. Building lists, tuples and objects reads nothing.
void AliasAnalysis::collectReads(const Node &node, MemoryEffects &effects) const {
  switch (node.kind().id()) {
  case SymbolId::prim_Constant:
  case SymbolId::prim_ListConstruct:
  case SymbolId::prim_DictConstruct:
  case SymbolId::prim_TupleConstruct:
  case SymbolId::prim_NamedTupleConstruct:
  case SymbolId::prim_TupleUnpack:
  case SymbolId::prim_TupleIndex:
  case SymbolId::prim_TupleSlice:
  case SymbolId::prim_CreateObject:
  case SymbolId::prim_unchecked_cast:
  case SymbolId::prim_unchecked_unwrap_optional:
  case SymbolId::prim_annotate:
  case SymbolId::prim_isinstance:
  case SymbolId::prim_HasAttr:
  case SymbolId::prim_Uninitialized:
  case SymbolId::prim_GetAttr:
  case SymbolId::prim_SetAttr: // the attribute is in `accesses`
  case SymbolId::prim_If:
  case SymbolId::prim_Loop: return;
  case SymbolId::prim_ListUnpack: effects.reads.append(locations(node.input(0))); return;
  default: break;
  }
  const FunctionSchema *schema = node.schema();
  for (auto [i, input] : llvm::enumerate(node.inputs())) {
    if (!elementOf(input))
      effects.readsOutside = true;
    bool handsOn = schema && i < schema->arguments().size() && onlyHandsOn(*schema, schema->arguments()[i]);
    if (!handsOn)
      readDeeply(locations(input), effects);
    else if (schema->arguments()[i].type->kind() != TypeKind::Var)
      effects.reads.append(locations(input));
  }
}

static void merge(const MemoryEffects &from, MemoryEffects &into) {
  into.reads.append(from.reads);
  into.writes.append(from.writes);
  into.uses.append(from.uses);
  into.readsOutside |= from.readsOutside;
  into.writesOutside |= from.writesOutside;
  into.hasSideEffects |= from.hasSideEffects;
  into.mayLeave |= from.mayLeave;
}

static void sortUnique(llvm::SmallVectorImpl<Value *> &set) {
  llvm::sort(set);
  set.erase(std::unique(set.begin(), set.end()), set.end());
}

void AliasAnalysis::collectEffects(const Node &node, MemoryEffects &effects) const {
  auto known = accesses.find(&node);
  auto addAccess = [&](const Access &access) {
    effects.writes.append(access.writes);
    if (access.holdsSubgraph)
      readDeeply(access.reads, effects);
    else
      effects.reads.append(access.reads);
    effects.readsOutside |= access.isUnknown;
    effects.writesOutside |= access.isUnknown;
  };
  if (known != accesses.end()) {
    addAccess(known->second);
    if (known->second.waits)
      for (const Node *fork : forks) { // which may wait in turn, for another of them
        if (auto forked = accesses.find(fork); fork != &node && forked != accesses.end())
          addAccess(forked->second);
        collectReads(*fork, effects);
        effects.hasSideEffects |= hasSideEffects(*fork);
        llvm::append_range(effects.uses, fork->inputs());
      }
  } else if (const FunctionSchema *schema = node.schema(); schema && schema->isMutating()) {
    effects.readsOutside = effects.writesOutside = true; // newer than the analysis
  }
  collectReads(node, effects);
  effects.hasSideEffects |= hasSideEffects(node);
  effects.mayLeave |= hasFact(node.kind(), NodeFact::LeavesBlock);
  llvm::append_range(effects.uses, node.inputs());
  llvm::SmallDenseSet<Value *, 16> defined;
  for (const Block &block : node.blocks()) {
    defined.insert(block.inputs().begin(), block.inputs().end());
    for (const Node &inner : block.nodes()) {
      MemoryEffects storage;
      merge(effectsOf(inner, storage), effects);
      defined.insert(inner.outputs().begin(), inner.outputs().end());
    }
    llvm::append_range(effects.uses, block.outputs());
  }
  if (!defined.empty())
    llvm::erase_if(effects.uses, [&](Value *value) { return defined.contains(value); });
  sortUnique(effects.reads);
  sortUnique(effects.writes);
  sortUnique(effects.uses);
}

const MemoryEffects &AliasAnalysis::effectsOf(const Node &node, MemoryEffects &storage) const {
  auto known = accesses.find(&node);
  bool isHolder = node.numBlocks() || (known != accesses.end() && (known->second.holdsSubgraph || known->second.waits));
  if (!isHolder) {
    storage = MemoryEffects();
    collectEffects(node, storage);
    return storage;
  }
  if (auto kept = effectsOfHolders.find(&node); kept != effectsOfHolders.end())
    return *kept->second;
  auto effects = std::make_unique<MemoryEffects>();
  collectEffects(node, *effects);
  return *(effectsOfHolders[&node] = std::move(effects));
}

MemoryEffects AliasAnalysis::effects(const Node &node) const {
  MemoryEffects storage;
  return effectsOf(node, storage);
}

bool AliasAnalysis::hasInputWriters(const Node &node) const {
  return llvm::any_of(node.inputs(), [&](const Value *input) { return hasWriters(input); });
}
bool AliasAnalysis::hasOutputWriters(const Node &node) const {
  return llvm::any_of(node.outputs(), [&](const Value *output) { return hasWriters(output); });
}
bool AliasAnalysis::hasWriters(const Node &node) const { return hasInputWriters(node) || hasOutputWriters(node); }

bool AliasAnalysis::mayWrite(const Node &node) const {
  MemoryEffects storage;
  const MemoryEffects &effects = effectsOf(node, storage);
  return effects.writesOutside || !effects.writes.empty();
}

bool AliasAnalysis::writesTo(const Node &node, const Value *value) const {
  return writesTo(node, ArrayRef<const Value *>(value));
}

bool AliasAnalysis::writesTo(const Node &node, ArrayRef<const Value *> values) const {
  MemoryEffects storage, read;
  for (const Value *value : values) {
    if (!elementOf(value))
      return mayWrite(node);
    readDeeply(locations(value), read);
  }
  sortUnique(read.reads);
  return disturbs(effectsOf(node, storage), read);
}

bool AliasAnalysis::isWriteObservable(const Node &node) const {
  auto known = accesses.find(&node);
  return known != accesses.end() &&
         (known->second.isUnknown || llvm::any_of(known->second.writes, [&](Location l) { return memory.escapes(l); }));
}

bool AliasAnalysis::hasSideEffects(const Node &node) const {
  auto known = accesses.find(&node);
  if (known != accesses.end() && known->second.hasSideEffects)
    return true;
  if (known != accesses.end() && (known->second.holdsSubgraph || node.kind() == prim::SetAttr))
    return false;
  return node.hasSideEffects();
}

bool tsc::changesGenerator(const Node &node) {
  return node.hasTrait(Trait::Random) || node.opKind() == OpKind::Aten_manual_seed;
}

bool AliasAnalysis::isObservable(const Node &node) const {
  if (node.numBlocks())
    return llvm::any_of(node.blocks(), [&](const Block &block) { return hasObservableEffects(block); });
  if (isWriteObservable(node))
    return true;
  if (node.kind() == prim::RaiseException || changesGenerator(node)) // the generator is put back
    return false;
  const FunctionSchema *schema = node.schema(); // its writes are all that a container's operator does
  return hasSideEffects(node) && !(schema && schema->isMutating());
}

bool AliasAnalysis::hasObservableEffects() const { return hasObservableEffects(graph.block()); }
bool AliasAnalysis::hasObservableEffects(const Block &block) const {
  return llvm::any_of(block.nodes(), [&](const Node &node) { return isObservable(node); });
}

//===----------------------------------------------------------------------===//
// Order
//===----------------------------------------------------------------------===//

bool AliasAnalysis::disturbs(const MemoryEffects &writer, const MemoryEffects &other) const {
  auto isVisible = [&](Location location) { return memory.isVisibleOutside(location); };
  if (intersect(writer.writes, other.reads) || intersect(writer.writes, other.writes))
    return true;
  bool touchesOutside = other.readsOutside || other.writesOutside;
  return (touchesOutside && (writer.writesOutside || llvm::any_of(writer.writes, isVisible))) ||
         (writer.writesOutside && (llvm::any_of(other.reads, isVisible) || llvm::any_of(other.writes, isVisible)));
}

/// Memory, side effects and ways out; data flow is the caller's.
bool AliasAnalysis::mustPrecede(const MemoryEffects &first, const MemoryEffects &second) const {
  if (disturbs(first, second) || disturbs(second, first) || (first.hasSideEffects && second.hasSideEffects))
    return true;
  auto isSeen = [&](const MemoryEffects &effects) {
    return effects.writesOutside || llvm::any_of(effects.writes, [&](Location l) { return memory.escapes(l); });
  };
  return (first.mayLeave && isSeen(second)) || (second.mayLeave && isSeen(first));
}

bool AliasAnalysis::mustPrecede(const Node &first, const Node &second) const {
  MemoryEffects ofFirst, ofSecond;
  const MemoryEffects &a = effectsOf(first, ofFirst), &b = effectsOf(second, ofSecond);
  return mustPrecede(a, b) ||
         llvm::any_of(first.outputs(), [&](Value *v) { return std::binary_search(b.uses.begin(), b.uses.end(), v); });
}
