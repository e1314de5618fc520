//===- ArgumentFacts.cpp - What plans know of values ----------------------===//
#include "ArgumentFacts.h"
#include "tsc/IR/ClassType.h"
#include "tsc/IR/Context.h"
#include "tsc/IR/Function.h"
#include "tsc/IR/FunctionSchema.h"
#include "tsc/IR/Graph.h"
#include "tsc/Tensor/LongLivedTensors.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SetVector.h"
using namespace tsc;

/// Entries of a dict, and attributes of all arguments, that plans rely on at most.
static constexpr size_t maxEntries = 64, maxAttributes = 4096, maxDepth = 32, maxElements = 16;

bool tsc::hasKnownEntries(const IValue &value) {
  if (!value.isDict() || value.toDict().size() > maxEntries)
    return false;
  bool areTensors = true;
  value.toDict().forEach([&](const IValue &key, const IValue &entry) {
    areTensors &= key.isString() && entry.isTensor() && entry.asTensor().defined() && entry.asTensor().dim() < 127;
  });
  return areTensors;
}

static bool isPlain(const IValue &value) {
  return value.isNone() || value.isBool() || value.isInt() || value.isDouble() || value.isString();
}

/// A copy of a list of such values; nullopt for any other.
static std::optional<IValue> copyOfPlainList(const IValue &value, const Type *type) {
  const auto *list = dyn_cast<ListType>(type);
  if (!list || !value.isList() || value.isTensorList() || value.listSize() > maxElements)
    return std::nullopt;
  IValue copy = makeList(list->element());
  for (size_t i = 0; i != value.listSize(); ++i) {
    IValue element = value.listElement(i);
    if (!isPlain(element))
      return std::nullopt;
    appendToList(copy, std::move(element));
  }
  return copy;
}

/// Whether the operand is a list for the operator that it only reads, and no result can be that list or hold it. An
/// operand of any type, as that of aten::__is__, may be asked which list it is.
static bool readsList(const Node &node, unsigned operand) {
  const FunctionSchema *schema = node.schema();
  if (!schema || operand >= schema->arguments().size())
    return false;
  const Argument &argument = schema->arguments()[operand];
  if (!isa<ListType>(argument.type))
    return false;
  return !argument.alias || (!argument.alias->isWrite && argument.alias->after == argument.alias->before &&
                             llvm::none_of(node.outputs(), [](const Value *result) {
                               return result->type()->isMutable() && !result->type()->isTensor();
                             }));
}

/// Whether the list is only read. (That nobody else changes lists of its type, `changesLists` tells.)
static bool isOnlyRead(const Value &list) {
  return llvm::all_of(list.uses(), [](const Use &use) {
    return use.user()->kind() == prim::ListUnpack || readsList(*use.user(), use.index());
  });
}

/// Whether the graph edits a list of the type that it has not made.
static bool changesLists(Graph &graph, const Type *type) {
  bool changes = false;
  graph.walk([&](Node &node) {
    const FunctionSchema *schema = node.numInputs() && node.input(0)->type() == type ? node.schema() : nullptr;
    const bool isWritten =
        schema && !schema->arguments().empty() && schema->arguments()[0].alias && schema->arguments()[0].alias->isWrite;
    changes |= isWritten && node.input(0)->node()->kind() != prim::ListConstruct;
  });
  return changes;
}

/// All that a plan may rely on of a tensor.
static TensorFacts factsOf(const Tensor &tensor) {
  TensorFacts facts;
  facts.dtype = tensor.dtype();
  facts.device = tensor.device();
  facts.requiresGrad = tensor.requiresGrad();
  facts.sizes.emplace(tensor.dim());
  for (auto [dimension, size] : llvm::zip(*facts.sizes, tensor.sizes()))
    dimension = Dimension::known(size);
  return facts;
}

static bool hasType(const Tensor &tensor, const TensorFacts &facts) {
  return tensor.defined() && tensor.dtype() == facts.dtype && tensor.device() == facts.device &&
         tensor.requiresGrad() == facts.requiresGrad && tensor.sizes().size() == facts.sizes->size() &&
         llvm::all_of(llvm::zip(tensor.sizes(), *facts.sizes),
                      [](const auto &pair) { return Dimension::known(std::get<0>(pair)) == std::get<1>(pair); });
}

bool AttributeFact::holds(llvm::ArrayRef<IValue> args) const {
  const IValue *at = &args[argument];
  for (unsigned slot : slots) {
    if (!at->isObject() || slot >= at->toObject().slots.size())
      return false;
    at = &at->toObject().slots[slot];
  }
  if (type)
    return at->isTensor() && hasType(at->asTensor(), type->facts());
  return at->getTag() == value.getTag() && valuesEqual(*at, value);
}

AttributeSnapshot::AttributeSnapshot(llvm::ArrayRef<IValue> args) {
  for (auto [i, arg] : llvm::enumerate(args)) {
    Path path{static_cast<unsigned>(i)};
    if (arg.isObject())
      collect(arg, path);
  }
}

void AttributeSnapshot::collect(const IValue &value, Path &path) {
  if (path.size() > maxDepth || values.size() >= maxAttributes)
    return;
  for (auto [slot, attribute] : llvm::enumerate(value.toObject().slots)) {
    path.push_back(static_cast<unsigned>(slot));
    if (attribute.isObject())
      collect(attribute, path);
    else if (isPlain(attribute))
      values.try_emplace(path, Known{attribute, {}});
    else if (attribute.isTensor() && attribute.asTensor().defined())
      values.try_emplace(path, Known{IValue(), factsOf(attribute.asTensor())});
    else if (auto list = copyOfPlainList(attribute, value.toObject().type->attribute(slot).type))
      values.try_emplace(path, Known{std::move(*list), {}});
    path.pop_back();
  }
}

std::vector<AttributeFact> AttributeSnapshot::apply(Graph &graph) const {
  std::vector<AttributeFact> facts;
  bool isInSight = !values.empty();
  graph.walk([&](Node &node) {
    const bool writes = node.kind() == prim::SetAttr && node.input(0)->node()->kind() != prim::CreateObject;
    isInSight &=
        !writes && node.kind() != prim::CallMethod && node.kind() != prim::CallFunction && node.kind() != prim::fork;
  });
  if (!isInSight)
    return facts;
  llvm::DenseMap<const Value *, Path> objects;
  for (auto [i, input] : llvm::enumerate(graph.inputs()))
    if (isa<ClassType>(input->type()))
      objects[input] = {static_cast<unsigned>(i)};
  InsertPointGuard guard(graph);
  graph.walk([&](Node &node) {
    if (node.kind() != prim::GetAttr || !objects.contains(node.input()))
      return;
    const auto slot = cast<ClassType>(node.input()->type())->findAttribute(node.get<std::string>(attr::name));
    if (!slot)
      return;
    Path path = objects.lookup(node.input());
    path.push_back(*slot);
    if (isa<ClassType>(node.output()->type())) {
      objects[node.output()] = std::move(path);
      return;
    }
    auto found = values.find(path);
    if (found == values.end() || !node.output()->hasUses())
      return;
    const auto &[value, tensor] = found->second;
    if (tensor) {
      if (!node.output()->type()->isTensor())
        return;
      const auto *type = cast<TensorType>(graph.context().tensor(*tensor));
      node.output()->setType(type);
      facts.push_back({path.front(), {path.begin() + 1, path.end()}, IValue(), type});
      return;
    }
    if (value.isList() && (!isOnlyRead(*node.output()) || changesLists(graph, node.output()->type())))
      return;
    graph.setInsertPoint(&node);
    Value *constant = graph.insertConstant(value, node.range());
    if (!constant->type()->isSubtypeOf(node.output()->type()))
      return;
    node.output()->replaceAllUsesWith(constant);
    facts.push_back({path.front(), {path.begin() + 1, path.end()}, value, nullptr});
  });
  return facts;
}

bool tsc::markWeights(llvm::ArrayRef<IValue> args) {
  bool hasImageWeights = false;
  llvm::SmallSetVector<const ObjectValue *, 16> modules; // grows while it is walked
  auto addModule = [&](const IValue &value) {
    if (isModuleObject(value))
      modules.insert(&value.toObject());
  };
  for (const IValue &arg : args)
    addModule(arg);
  for (size_t i = 0; i != modules.size(); ++i)
    for (const IValue &attribute : modules[i]->slots) {
      addModule(attribute);
      if (attribute.isTensor() && attribute.asTensor().defined()) {
        markLongLived(attribute.asTensor());
        hasImageWeights |= attribute.asTensor().dim() == 4;
      }
    }
  return hasImageWeights;
}

void tsc::readEntries(Graph &graph, Value *dict, llvm::ArrayRef<std::pair<std::string, const Type *>> entries) {
  for (const auto &[name, type] : llvm::reverse(entries)) {
    Node *key = graph.createConstant(IValue(name));
    Node *read = graph.create(aten::__getitem__, {dict, key->output()});
    read->output()->setType(type);
    read->setAttribute(attr::name, std::string("entry"));
    graph.block().prepend(read);
    graph.block().prepend(key);
  }
}
