//===- Graph.cpp - Ownership, blocks, constants, copies -------------------===//
#include "tsc/IR/Graph.h"
#include "tsc/IR/ClassType.h"
#include "tsc/IR/Context.h"
#include "tsc/IR/Function.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/raw_ostream.h"
using namespace tsc;

std::string Scope::path() const { return parent ? parent->path() + "/" + name : name; }

//===----------------------------------------------------------------------===//
// Blocks
//===----------------------------------------------------------------------===//

Block::Block(Graph &graph, Node *owner) : ownerGraph(graph), ownerNode(owner) {
  params = graph.create(prim::Param, 0);
  returns = graph.create(prim::Return, 0);
  params->ownerBlock = returns->ownerBlock = this;
}

Block::~Block() {
  // Users first: the return, then the nodes from the last to the first, then the parameters. Blocks within are emptied
  // before the node that holds them goes, without recursion: whose stack this is, and how much is left, nobody knows.
  returns->eraseAllInputs();
  for (Block *at = this; at != this || !list.empty();) {
    if (at->list.empty()) {
      Node *holder = at->ownerNode;
      at = holder->ownerBlock;
      holder->eraseBlock(holder->numBlocks() - 1);
    } else if (Node &last = at->list.back(); last.numBlocks() == 0) {
      last.erase();
    } else {
      at = &last.block(last.numBlocks() - 1);
      at->returns->eraseAllInputs();
    }
  }
  returns->ownerBlock = nullptr;
  returns->erase();
  params->ownerBlock = nullptr;
  params->erase();
}

Value *Block::addInput(StringRef name, const Type *type) {
  Value *value = params->addOutput(type);
  if (!name.empty())
    value->setName(name);
  return value;
}
Value *Block::insertInput(unsigned index, const Type *type) { return params->insertOutput(index, type); }
Node *Block::append(Node *node) { return node->insertBefore(returns); }
Node *Block::prepend(Node *node) { return list.empty() ? append(node) : node->insertBefore(&list.front()); }

//===----------------------------------------------------------------------===//
// Graphs
//===----------------------------------------------------------------------===//

Graph::Graph(Context &context) : ctx(context) {
  top = insertBlock = new Block(*this, nullptr); // registers nodes, so all members must stand
}

Graph::~Graph() {
  // Nodes use each other in any order: cut all uses first, then delete without looking.
  for (Node *node : allNodes)
    for (unsigned i = 0; i != node->inputCount; ++i)
      node->operands[i].set(nullptr);
  delete top;
  while (!allNodes.empty()) { // created and never inserted, or in a block of such a node
    Node *outermost = allNodes.back();
    while (Node *around = outermost->parentNode())
      outermost = around;
    outermost->erase();
  }
}

Node *Graph::create(Symbol kind, unsigned numOutputs) {
  Node *node = new (nodeMemory.Allocate<Node>()) Node(*this, kind, nextNode++);
  node->ownerIndex = allNodes.size();
  allNodes.push_back(node);
  node->nodeScope = currentScope;
  for (unsigned i = 0; i != numOutputs; ++i)
    node->addOutput();
  return node;
}
Node *Graph::create(Symbol kind, ArrayRef<Value *> inputs, unsigned numOutputs) {
  Node *node = create(kind, numOutputs);
  node->reserveOperands(inputs.size());
  for (Value *input : inputs)
    node->addInput(input);
  return node;
}
void Graph::destroy(Node *node) {
  assert(node->ownerIndex < allNodes.size() && allNodes[node->ownerIndex] == node && "a node of the graph");
  if (insertNode == node) {
    insertNode = nullptr;
    insertBlock = top;
  }
  allNodes[node->ownerIndex] = allNodes.back();
  allNodes[node->ownerIndex]->ownerIndex = node->ownerIndex;
  allNodes.pop_back();
  node->~Node();
  nodeMemory.Deallocate(node);
}
Value *Graph::makeValue(Node *owner, unsigned position, const Type *type) {
  return new (valueMemory.Allocate<Value>()) Value(owner, position, type, nextValue++);
}
void Graph::destroy(Value *value) {
  value->~Value();
  valueMemory.Deallocate(value);
}

Node *Graph::insertNodeHere(Node *node) {
  assert(node && "there is a node to insert");
  return insertNode ? node->insertBefore(insertNode) : insertBlock->append(node);
}
Value *Graph::insertConstant(const IValue &value, SourceRange range) {
  Node *node = insertNodeHere(createConstant(value));
  node->setRange(range);
  return node->output();
}

const Scope *Graph::scope(const Scope *parent, StringRef name) {
  if (const Scope *known = scopeTable.lookup({parent, name}))
    return known;
  const Scope *made = scopes.emplace_back(std::make_unique<Scope>(Scope{parent, name.str()})).get();
  return scopeTable[{parent, made->name}] = made; // the key lives as long as the scope
}

//===----------------------------------------------------------------------===//
// Constants
//===----------------------------------------------------------------------===//

/// The type of a constant's value, where the value shows it; null where nothing can hold it.
static const Type *constantType(Context &context, const IValue &value, unsigned depth = 0) {
  if (depth > 100)
    return nullptr;
  switch (value.getTag()) {
  case IValue::Tag::None: return Type::noneType();
  case IValue::Tag::Bool: return Type::boolType();
  case IValue::Tag::Int: return Type::intType();
  case IValue::Tag::Double: return Type::floatType();
  case IValue::Tag::Complex: return Type::complexType();
  case IValue::Tag::String: return Type::stringType();
  case IValue::Tag::Device: return Type::deviceType();
  case IValue::Tag::IntList: return context.listOf(Type::intType());
  case IValue::Tag::DoubleList: return context.listOf(Type::floatType());
  case IValue::Tag::BoolList: return context.listOf(Type::boolType());
  case IValue::Tag::TensorList: return context.listOf(Type::tensorType());
  case IValue::Tag::GenericList: return context.listOf(value.toGenericList().elementType);
  case IValue::Tag::Dict: return context.dictOf(value.toDict().keyType, value.toDict().valueType);
  case IValue::Tag::Function: return context.functionType(value.toFunction());
  case IValue::Tag::Enum: return value.toEnum().type;
  case IValue::Tag::Object: return value.toObject().type;
  case IValue::Tag::Tensor: return Type::tensorType();
  case IValue::Tag::Tuple: {
    const TupleValue &tuple = value.toTuple();
    if (tuple.type)
      return tuple.type;
    llvm::SmallVector<const Type *, 4> parts;
    for (const IValue &element : tuple.elements) {
      parts.push_back(constantType(context, element, depth + 1));
      if (!parts.back())
        return nullptr;
    }
    return context.tupleOf(parts);
  }
  default: return nullptr;
  }
}

/// Takes each part of `value` off `partsLeft`: containers may share what is in them, and so have parts without end.
static bool canBeConstant(const IValue &value, size_t &partsLeft) {
  const size_t numParts = value.isList() && value.getTag() != IValue::Tag::GenericList ? 1 + value.listSize() : 1;
  if (partsLeft < numParts)
    return false;
  partsLeft -= numParts;
  auto allParts = [&](llvm::ArrayRef<IValue> parts) {
    return llvm::all_of(parts, [&](const IValue &part) { return canBeConstant(part, partsLeft); });
  };
  switch (value.getTag()) {
  case IValue::Tag::Future:
  case IValue::Tag::Generator:
  case IValue::Tag::Capsule:
  case IValue::Tag::Object: return false;
  case IValue::Tag::Tensor: return !value.asTensor().requiresGrad();
  case IValue::Tag::Tuple: return allParts(value.toTuple().elements);
  case IValue::Tag::GenericList: return allParts(value.toGenericList().elements);
  default: return true;
  }
}

bool Graph::canBeConstant(const IValue &value) {
  size_t partsLeft = size_t{1} << 16; // passes copy and compare them
  return ::canBeConstant(value, partsLeft);
}

Node *Graph::createConstant(const IValue &value) {
  Node *node = create(prim::Constant);
  const Type *type = constantType(ctx, value);
  assert(type && "a constant of a kind that constants have");
  node->output()->setType(type);
  switch (value.getTag()) {
  case IValue::Tag::None: break;
  case IValue::Tag::Bool:
  case IValue::Tag::Int: node->setAttribute(attr::value, value.toInt()); break;
  case IValue::Tag::Double: node->setAttribute(attr::value, value.toDouble()); break;
  case IValue::Tag::Complex: node->setAttribute(attr::value, value.toComplex()); break;
  case IValue::Tag::String: node->setAttribute(attr::value, value.toString()); break;
  case IValue::Tag::Device: node->setAttribute(attr::value, value.toDevice().str()); break;
  case IValue::Tag::Tensor: node->setAttribute(attr::value, value.toTensor()); break;
  default: node->setAttribute(attr::value, value); break;
  }
  return node;
}

bool tsc::isConstant(const Value *value) {
  return value->node()->kind() == prim::Constant && value->node()->numOutputs() == 1;
}

std::optional<IValue> tsc::constantValue(const Value *value) {
  if (!isConstant(value))
    return std::nullopt;
  const Type *type = value->type();
  const AttributeValue *attribute = value->node()->attribute(attr::value);
  if (!attribute)
    return type->kind() == TypeKind::Function ? std::nullopt : std::optional<IValue>(IValue());
  if (const auto *held = std::get_if<IValue>(attribute))
    return *held;
  if (const auto *number = std::get_if<int64_t>(attribute))
    return type->isBool()    ? IValue(*number != 0)
           : type->isFloat() ? IValue(static_cast<double>(*number))
                             : IValue(*number);
  if (const auto *number = std::get_if<double>(attribute))
    return IValue(*number);
  if (const auto *number = std::get_if<std::complex<double>>(attribute))
    return IValue(*number);
  if (const auto *text = std::get_if<std::string>(attribute)) {
    if (type->isDevice()) {
      auto device = Device::parse(*text);
      return device ? std::optional<IValue>(IValue(*device)) : std::nullopt;
    }
    return IValue(*text);
  }
  if (const auto *tensor = std::get_if<Tensor>(attribute)) // undefined: read from text, which lost the elements
    return tensor->defined() ? std::optional<IValue>(IValue(*tensor)) : std::nullopt;
  if (const auto *list = std::get_if<std::vector<int64_t>>(attribute)) {
    if (type->kind() == TypeKind::List && cast<ListType>(type)->element()->isBool())
      return IValue(makeRef<BoolList>(std::vector<uint8_t>(list->begin(), list->end())));
    return IValue(*list);
  }
  if (const auto *list = std::get_if<std::vector<double>>(attribute))
    return IValue(*list);
  if (const auto *list = std::get_if<std::vector<Tensor>>(attribute))
    return IValue(*list);
  if (const auto *list = std::get_if<std::vector<std::string>>(attribute)) {
    IValue strings = makeList(Type::stringType(), list->size());
    for (const std::string &s : *list)
      appendToList(strings, s);
    return strings;
  }
  return std::nullopt;
}

std::optional<int64_t> tsc::constantInt(const Value *value) {
  auto constant = constantValue(value);
  return constant && constant->isInt() ? std::optional(constant->toInt()) : std::nullopt;
}

std::optional<bool> tsc::constantBool(const Value *value) {
  auto constant = constantValue(value);
  return constant && constant->isBool() ? std::optional(constant->toBool()) : std::nullopt;
}

std::optional<DType> tsc::knownDType(const Value *value) {
  const auto *type = dyn_cast<TensorType>(value->type());
  return type ? type->facts().dtype : std::nullopt;
}

//===----------------------------------------------------------------------===//
// Copies
//===----------------------------------------------------------------------===//

namespace {

/// Copies blocks of one graph into another, keeping a map from old to new values.
class Cloner {
public:
  Cloner(Graph &target, llvm::DenseMap<Value *, Value *> &map, llvm::function_ref<Value *(Value *)> outside)
      : target(target), map(map), outside(outside) {}

  Value *get(Value *value) {
    auto at = map.find(value);
    return at != map.end() ? at->second : outside(value);
  }
  Node *copy(const Node &node) {
    Node *result = target.create(node.kind(), 0);
    for (Value *input : node.inputs())
      result->addInput(get(input));
    for (Value *output : node.outputs())
      copyValue(output, result->addOutput(output->type()));
    for (const NamedAttribute &attribute : node.attributes())
      result->setAttribute(attribute.name, copyAttribute(attribute.value));
    result->setRange(node.range());
    result->setScope(copyScope(node.scope()));
    for (Block &block : node.blocks())
      copyBlock(block, result->addBlock());
    return result;
  }
  void copyBlock(const Block &from, Block &to) {
    for (Value *input : from.inputs())
      copyValue(input, to.addInput("", input->type()));
    copyNodes(from, [&](Node *node) { to.append(node); });
    for (Value *output : from.outputs())
      to.addOutput(get(output));
  }
  template <typename F> void copyNodes(const Block &from, F &&place) {
    for (const Node &node : from.nodes())
      place(copy(node));
  }
  void copyValue(Value *from, Value *to) {
    if (from->hasName())
      to->setName(from->name());
    map[from] = to;
  }

private:
  static AttributeValue copyAttribute(const AttributeValue &value) {
    if (const auto *graph = std::get_if<std::shared_ptr<Graph>>(&value))
      return std::shared_ptr<Graph>((*graph)->clone());
    if (const auto *graphs = std::get_if<std::vector<std::shared_ptr<Graph>>>(&value)) {
      std::vector<std::shared_ptr<Graph>> copies;
      for (const auto &graph : *graphs)
        copies.push_back(graph->clone());
      return copies;
    }
    return value;
  }
  const Scope *copyScope(const Scope *scope) {
    return scope ? target.scope(copyScope(scope->parent), scope->name) : target.currentScope;
  }

  Graph &target;
  llvm::DenseMap<Value *, Value *> &map;
  llvm::function_ref<Value *(Value *)> outside;
};

/// Not llvm_unreachable: a function without instructions has the address of the next one, and hides how to unwind that.
Value *noOutside(Value *) {
  assert(false && "a graph uses only its own values");
  return nullptr;
}

} // namespace

std::unique_ptr<Graph> Graph::clone(llvm::DenseMap<Value *, Value *> *map) const {
  auto copy = std::make_unique<Graph>(ctx);
  copy->graphName = graphName;
  llvm::DenseMap<Value *, Value *> local;
  Cloner(*copy, map ? *map : local, noOutside).copyBlock(*top, copy->block());
  return copy;
}

std::vector<Value *> Graph::inlineInto(Graph &into, ArrayRef<Value *> arguments) const {
  assert(&into.context() == &ctx && "types belong to one Context");
  assert(arguments.size() == inputs().size() && "one argument for each input");
  llvm::DenseMap<Value *, Value *> map;
  for (auto [input, argument] : llvm::zip(inputs(), arguments))
    map[input] = argument;
  Cloner cloner(into, map, noOutside);
  cloner.copyNodes(*top, [&](Node *node) { into.insertNodeHere(node); });
  std::vector<Value *> results;
  for (Value *output : outputs())
    results.push_back(cloner.get(output));
  return results;
}

Node *Graph::copyNode(const Node &node, llvm::function_ref<Value *(Value *)> valueMap) {
  assert(&node.graph().context() == &ctx && "types belong to one Context");
  llvm::DenseMap<Value *, Value *> map;
  return Cloner(*this, map, valueMap).copy(node);
}

bool Graph::renumberValues() {
  bool changed = false;
  nextValue = 0;
  auto number = [&](ArrayRef<Value *> values) {
    for (Value *value : values) {
      changed |= value->number != nextValue;
      value->number = nextValue++;
    }
  };
  number(inputs());
  walk([&](Node &node) {
    number(node.outputs());
    for (Block &block : node.blocks())
      number(block.inputs());
  });
  return changed;
}

std::string Graph::str(bool withRanges) const {
  std::string text;
  llvm::raw_string_ostream os(text);
  print(os, withRanges);
  return text;
}
