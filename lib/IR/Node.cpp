//===- Node.cpp - Operands, results, attributes, position -----------------===//
#include "tsc/IR/Context.h"
#include "tsc/IR/Graph.h"
#include "tsc/IR/NodeFacts.h"
#include "tsc/IR/Operator.h"
#include "tsc/IR/PythonMeaning.h"
#include "llvm/ADT/STLExtras.h"
#include <array>
using namespace tsc;

Node::~Node() {
  for (unsigned i = 0; i != inputCount; ++i)
    operands[i].set(nullptr);
  freeOperands();
}

StringRef Node::kindName() const { return spellingOf(nodeKind); }

Node *Node::parentNode() const { return ownerBlock ? ownerBlock->owner() : nullptr; }

//===----------------------------------------------------------------------===//
// The overload
//===----------------------------------------------------------------------===//

/// Whether the operands may be arguments of the schema as they stand. Type variables match anything.
static bool fits(const FunctionSchema &schema, const Node &node) {
  ArrayRef<Argument> args = schema.arguments();
  if (schema.isVararg() ? node.numInputs() < args.size() : node.numInputs() != args.size())
    return false;
  if (!schema.isVarret() && schema.returns().size() != node.numOutputs())
    return false;
  for (auto [argument, input] : llvm::zip(args, node.inputs()))
    if (!argument.type->hasFreeVariables() && !input->type()->isSubtypeOf(argument.type))
      return false;
  // A container of a type variable still wants a container of that kind.
  for (auto [argument, input] : llvm::zip(args, node.inputs())) {
    const Type *wanted = argument.type;
    if (wanted->hasFreeVariables() && wanted->kind() != TypeKind::Var && wanted->kind() != TypeKind::Optional &&
        wanted->kind() != input->type()->kind())
      return false;
    if (const auto *dict = dyn_cast<DictType>(wanted))
      if (!dict->key()->hasFreeVariables() && !cast<DictType>(input->type())->key()->isSubtypeOf(dict->key()))
        return false;
  }
  return true;
}

const Operator *Node::op() const {
  if (!opLookedUp.load(std::memory_order_acquire)) {
    const Operator *found = nullptr;
    for (const Operator *candidate : ownerGraph->context().operators().overloads(nodeKind))
      if (fits(candidate->schema(), *this)) {
        found = candidate;
        break;
      }
    resolved.store(found, std::memory_order_relaxed);
    opLookedUp.store(true, std::memory_order_release);
  }
  return resolved.load(std::memory_order_relaxed);
}
const OpRecord *Node::record() const { return op() ? op()->record() : nullptr; }
OpKind Node::opKind() const { return record() ? record()->kind : OpKind::Unknown; }
const FunctionSchema *Node::schema() const { return op() ? &op()->schema() : nullptr; }
bool Node::hasTrait(Trait trait) const { return record() && record()->has(trait); }

bool tsc::hasFact(Symbol kind, NodeFact fact) {
  static constexpr auto facts = [] {
    using enum NodeFact;
    std::array<NodeFact, static_cast<size_t>(SymbolId::NumBuiltin)> table{};
#define NODE(NAME, FACTS) table[static_cast<size_t>(SymbolId::prim_##NAME)] = FACTS;
#include "tsc/IR/NodeFacts.def"
    return table;
  }();
  return (static_cast<uint8_t>(facts[static_cast<size_t>(kind.id())]) & static_cast<uint8_t>(fact)) != 0;
}

/// Whether an operator without a record gives nothing and writes to nothing that it is given, so that whoever calls it
/// wants what it does besides.
static bool isForItsEffect(const Operator &op) {
  if (op.record()) // which most operators have, whose schemas nobody may have parsed yet
    return false;
  const FunctionSchema &schema = op.schema();
  return schema.returns().empty() && !schema.isVarret() && !schema.isMutating();
}

bool Node::hasSideEffects() const {
  return hasFact(nodeKind, NodeFact::SideEffects) || hasTrait(Trait::SideEffects) || hasTrait(Trait::Random) ||
         (op() && isForItsEffect(*op()));
}

//===----------------------------------------------------------------------===//
// Operands
//===----------------------------------------------------------------------===//

void Node::freeOperands() { ownerGraph->operandMemory.Deallocate(operands, inputCapacity); }

void Node::reserveOperands(unsigned capacity) {
  if (capacity <= inputCapacity)
    return;
  unsigned grownCapacity = std::max(capacity, inputCapacity * 2);
  Use *grown = ownerGraph->operandMemory.Allocate<Use>(grownCapacity);
  for (unsigned i = 0; i != grownCapacity; ++i)
    (new (&grown[i]) Use)->owner = this;
  for (unsigned i = 0; i != inputCount; ++i) { // take the old use's place in its value's list
    Use &from = operands[i], &to = grown[i];
    to.used = from.used;
    to.nextUse = from.nextUse;
    to.link = from.link;
    *to.link = &to;
    if (to.nextUse)
      to.nextUse->link = &to.nextUse;
  }
  freeOperands();
  operands = grown;
  inputCapacity = grownCapacity;
}

llvm::SmallVector<Value *, 4> Node::inputVector() const { return llvm::to_vector<4>(inputs()); }

Value *Node::namedInput(StringRef name) const {
  const FunctionSchema *signature = schema();
  auto index = signature ? signature->argumentIndex(name) : std::nullopt;
  return index && *index < inputCount ? input(*index) : nullptr;
}

Value *Node::addInput(Value *value) {
  insertInput(inputCount, value);
  return value;
}
void Node::insertInput(unsigned index, Value *value) {
  assert(index <= inputCount && "a place among the inputs");
  reserveOperands(inputCount + 1);
  ++inputCount;
  for (unsigned i = inputCount - 1; i > index; --i)
    operands[i].set(operands[i - 1].used);
  operands[index].set(value);
  forgetOp();
}
void Node::setInput(unsigned index, Value *value) {
  assert(index < inputCount && "one of the inputs");
  operands[index].set(value);
}
void Node::eraseInput(unsigned index) {
  assert(index < inputCount && "one of the inputs");
  for (unsigned i = index; i + 1 < inputCount; ++i)
    operands[i].set(operands[i + 1].used);
  operands[inputCount - 1].set(nullptr);
  --inputCount;
  forgetOp();
}
void Node::eraseAllInputs() {
  for (unsigned i = 0; i != inputCount; ++i)
    operands[i].set(nullptr);
  inputCount = 0;
  forgetOp();
}

//===----------------------------------------------------------------------===//
// Results and blocks
//===----------------------------------------------------------------------===//

Value *Node::addOutput(const Type *type) { return insertOutput(outputList.size(), type); }
Value *Node::insertOutput(unsigned index, const Type *type) {
  assert(index <= outputList.size() && "a place among the outputs");
  Value *value = ownerGraph->makeValue(this, index, type);
  outputList.insert(outputList.begin() + index, value);
  for (unsigned i = index + 1; i < outputList.size(); ++i)
    outputList[i]->position = i;
  forgetOp();
  return value;
}
void Node::eraseOutput(unsigned index) {
  assert(index < outputList.size() && "one of the outputs");
  Value *value = outputList[index];
  assert(!value->hasUses() && "a value in use cannot go");
  value->setName("");
  outputList.erase(outputList.begin() + index);
  for (unsigned i = index; i < outputList.size(); ++i)
    outputList[i]->position = i;
  ownerGraph->destroy(value);
  forgetOp();
}
void Node::replaceAllUsesWith(Node *other) {
  assert(other != this && outputList.size() == other->outputList.size() && "another node with as many outputs");
  for (auto [mine, theirs] : llvm::zip(outputList, other->outputList))
    mine->replaceAllUsesWith(theirs);
}

Block &Node::addBlock() {
  blockList.reserve(blockList.size() + 1); // no block without a place in the list
  return *blockList.emplace_back(new Block(*ownerGraph, this));
}
void Node::eraseBlock(unsigned i) {
  assert(i < blockList.size() && "one of the blocks");
  delete blockList[i];
  blockList.erase(blockList.begin() + i);
}

//===----------------------------------------------------------------------===//
// Attributes
//===----------------------------------------------------------------------===//

const AttributeValue *Node::attribute(Symbol name) const {
  auto at = llvm::find_if(attrs, [&](const NamedAttribute &a) { return a.name == name; });
  return at == attrs.end() ? nullptr : &at->value;
}
void Node::setAttribute(Symbol name, AttributeValue value) {
  if (auto at = llvm::find_if(attrs, [&](const NamedAttribute &a) { return a.name == name; }); at != attrs.end())
    at->value = std::move(value);
  else
    attrs.push_back({name, std::move(value)});
}
void Node::removeAttribute(Symbol name) {
  llvm::erase_if(attrs, [&](const NamedAttribute &a) { return a.name == name; });
}

//===----------------------------------------------------------------------===//
// Position
//===----------------------------------------------------------------------===//

/// Distance between the positions of neighbours when a block is numbered.
static constexpr uint64_t orderStep = uint64_t{1} << 32;
/// Position of the first node: a block grows at both ends without being numbered anew.
static constexpr uint64_t firstOrder = uint64_t{1} << 62;

void Block::renumber() const {
  uint64_t position = firstOrder;
  for (const Node &node : list)
    node.order = position += orderStep;
}

/// Moves the positions of nodes around `node`, which has that of its neighbour, apart; or returns false. What is moved
/// are those in the smallest aligned range that is sparse enough, the sparser the larger it is, so that inserting costs
/// O(log n) amortized wherever it is done (Bender and others, "Two Simplified Algorithms for Maintaining Order in a
/// List").
static bool makeRoomAt(const Node &node, const Block::NodeList &list,
                       llvm::function_ref<uint64_t &(const Node &)> order) {
  auto first = node.getIterator(), last = first; // the nodes in the range
  const uint64_t position = order(node);
  uint64_t count = 1;
  double most = 1; // nodes that may be in the range: (2/3)^bits of it
  for (unsigned bits = 1; bits != 62; ++bits) {
    const uint64_t size = uint64_t{1} << bits, begin = position & ~(size - 1);
    most *= 4.0 / 3;
    for (; first != list.begin() && order(*std::prev(first)) >= begin; --first)
      ++count;
    for (; std::next(last) != list.end() && order(*std::next(last)) - begin < size; ++last)
      ++count;
    if (static_cast<double>(count) > most || size / count < 2)
      continue;
    uint64_t next = begin + size / count / 2;
    for (auto at = first; at != std::next(last); ++at, next += size / count)
      order(*at) = next;
    return true;
  }
  return false;
}

Node *Node::insertBefore(Node *other) {
  assert(!ownerBlock && other->ownerBlock && "inserted once, before an inserted node");
  assert(ownerGraph == other->ownerGraph && "a graph holds its own nodes");
  assert(other != other->ownerBlock->params && "parameters come first");
  Block &target = *other->ownerBlock;
  ownerBlock = &target;
  if (other == target.returns) {
    order = target.list.empty() ? firstOrder : target.list.back().order + orderStep;
    target.list.push_back(*this);
    return this;
  }
  auto at = other->getIterator();
  uint64_t before = at != target.list.begin()      ? std::prev(at)->order
                    : other->order > 2 * orderStep ? other->order - 2 * orderStep
                                                   : 0;
  target.list.insert(at, *this);
  order = before + (other->order - before) / 2;
  if (order == before && !makeRoomAt(*this, target.list, [](const Node &node) -> uint64_t & { return node.order; }))
    target.renumber();
  return this;
}
Node *Node::insertAfter(Node *other) {
  assert(!ownerBlock && other->ownerBlock && "inserted once, after an inserted node");
  assert(other != other->ownerBlock->returns && "a block ends with what it returns");
  if (other == other->ownerBlock->params)
    return other->ownerBlock->prepend(this);
  if (Node *following = other->next())
    return insertBefore(following);
  return other->ownerBlock->append(this);
}
void Node::moveBefore(Node *other) {
  if (other == this)
    return;
  removeFromBlock();
  insertBefore(other);
}
void Node::moveAfter(Node *other) {
  if (other == this)
    return;
  removeFromBlock();
  insertAfter(other);
}
void Node::removeFromBlock() {
  assert(ownerBlock && "the node is inserted");
  assert(this != ownerBlock->params && this != ownerBlock->returns && "a block keeps its parameters and returns");
  ownerBlock->list.remove(*this);
  ownerBlock = nullptr;
}
void Node::erase() {
  assert(llvm::none_of(outputList, [](Value *v) { return v->hasUses(); }) && "a node in use cannot go");
  if (ownerBlock)
    removeFromBlock();
  while (!blockList.empty())
    eraseBlock(blockList.size() - 1);
  while (!outputList.empty())
    eraseOutput(outputList.size() - 1);
  ownerGraph->destroy(this);
}

Node *Node::next() const {
  assert(ownerBlock && "the node is inserted");
  auto at = std::next(const_cast<Node *>(this)->getIterator());
  return at == ownerBlock->list.end() ? nullptr : &*at;
}
Node *Node::previous() const {
  assert(ownerBlock && "the node is inserted");
  auto at = const_cast<Node *>(this)->getIterator();
  return at == ownerBlock->list.begin() ? nullptr : &*std::prev(at);
}

bool Node::isBefore(const Node *other) const {
  assert(ownerBlock && other->ownerBlock && ownerGraph == other->ownerGraph && "two inserted nodes of one graph");
  if (this == other)
    return false;
  // Lift the deeper one until both stand in one block; a node comes before those inside its blocks.
  auto depth = [](const Node *node) {
    unsigned levels = 0;
    for (; node->parentNode(); node = node->parentNode())
      ++levels;
    return levels;
  };
  const Node *a = this, *b = other;
  unsigned depthA = depth(a), depthB = depth(b);
  for (; depthA > depthB; --depthA)
    a = a->parentNode();
  for (; depthB > depthA; --depthB)
    b = b->parentNode();
  if (a == b)
    return a == this;
  while (a->ownerBlock != b->ownerBlock) {
    if (a->parentNode() == b->parentNode()) { // two blocks of one node: the earlier block first
      for (const Block *block : a->parentNode()->blockList)
        if (block == a->ownerBlock || block == b->ownerBlock)
          return block == a->ownerBlock;
    }
    a = a->parentNode();
    b = b->parentNode();
  }
  auto position = [](const Node *node) {
    return node == node->ownerBlock->params ? 0 : node == node->ownerBlock->returns ? UINT64_MAX : node->order;
  };
  return position(a) < position(b);
}
