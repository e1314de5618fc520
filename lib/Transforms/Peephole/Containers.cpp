//===- Containers.cpp - Rules for lists, dicts and tuples in sight --------===//
#include "Peephole.h"
#include "tsc/IR/Context.h"
#include "tsc/IR/OpFacts.h"
#include "llvm/ADT/STLExtras.h"
#include <cmath>
using namespace tsc;

bool PeepholeRewriter::simplifyContainers(Node &node) {
  return simplifyList(node) || simplifyDict(node) || simplifyTuple(node);
}

//===----------------------------------------------------------------------===//
// Lists
//===----------------------------------------------------------------------===//

const Node *PeepholeRewriter::knownList(const Value *list) const {
  return list->node()->kind() == prim::ListConstruct && isUnwritten(list) ? list->node() : nullptr;
}

/// Whether nobody changes which elements the list has, whatever happens to these.
bool PeepholeRewriter::isUnedited(const Value *list) const {
  return aliases.unknownWriters().empty() && llvm::all_of(aliases.locations(list), [&](Location location) {
           return llvm::all_of(aliases.writersOf(location), [&](const Node *writer) { return writer == list->node(); });
         });
}

/// A list of its own in the place of another; if somebody changes that one, its later readers must not see this one.
bool PeepholeRewriter::makeList(Node &node, llvm::ArrayRef<Value *> elements) {
  if (!isUnwritten(node.output()))
    return false;
  Value *list = insertBefore(node, prim::ListConstruct, elements, node.output()->type());
  if (!replace(node, list)) {
    list->node()->erase();
    return false;
  }
  unwritten.insert(list);
  return true;
}

/// The elements that `list[start:end:step]` takes; nullopt when a bound is not known.
static std::optional<llvm::SmallVector<Value *, 8>> sliceOf(const Node &list, const Node &slice) {
  auto bound = [&](unsigned i, int64_t absent) -> std::optional<int64_t> {
    if (slice.numInputs() <= i || slice.input(i)->type()->isNone())
      return absent;
    return constantInt(slice.input(i));
  };
  auto start = bound(1, 0), end = bound(2, INT64_MAX), step = bound(3, 1);
  if (!start || !end || !step || *step < 1)
    return std::nullopt;
  int64_t size = list.numInputs();
  auto clamp = [&](int64_t at) { return std::clamp<int64_t>(at < 0 ? at + size : at, 0, size); };
  llvm::SmallVector<Value *, 8> elements;
  for (int64_t i = clamp(*start), last = clamp(*end); i < last; i += std::min(*step, size))
    elements.push_back(list.input(i));
  return elements;
}

/// The length of a list of gradients, which has one for each input of aten::grad.
bool PeepholeRewriter::countGradients(Node &node) {
  if (node.numInputs() == 0 || containerQuery(node.opKind()) != ContainerQuery::Length)
    return false;
  const Value *gradients = node.input(0);
  const auto *grad = dyn_cast<GradOp>(gradients->node());
  const Value *inputs = grad ? grad->inputs() : nullptr;
  return inputs && inputs->node()->kind() == prim::ListConstruct && isUnedited(gradients) && isUnedited(inputs) &&
         replaceWithConstant(node, static_cast<int64_t>(inputs->node()->numInputs()));
}

/// The length of the list of a tensor's sizes, where the type knows the rank.
bool PeepholeRewriter::countDimensions(Node &node) {
  if (node.numInputs() == 0 || containerQuery(node.opKind()) != ContainerQuery::Length)
    return false;
  const Value *sizes = node.input(0);
  if (tensorQuery(sizes->node()->opKind()) != TensorQuery::Sizes || !isUnwritten(sizes))
    return false;
  const Value *tensor = sizes->node()->input(0);
  const TensorFacts *facts = factsOf(tensor);
  return facts && facts->sizes && isUnwritten(tensor) &&
         replaceWithConstant(node, static_cast<int64_t>(facts->sizes->size()));
}

static bool unpackList(Node &unpack, const Node &list) {
  if (unpack.numOutputs() != list.numInputs())
    return false;
  for (auto [output, element] : llvm::zip(unpack.outputs(), list.inputs()))
    if (!element->type()->isSubtypeOf(output->type()))
      return false;
  for (auto [output, element] : llvm::zip(unpack.outputs(), list.inputs()))
    output->replaceAllUsesWith(element);
  return true;
}

bool PeepholeRewriter::simplifyList(Node &node) {
  const Node *list = node.numInputs() ? knownList(node.input(0)) : nullptr;
  if (!list)
    return countGradients(node) || countDimensions(node);
  if (node.kind() == prim::ListUnpack)
    return unpackList(node, *list);
  const std::optional<ContainerQuery> query = containerQuery(node.opKind());
  if (!query)
    return false;
  switch (*query) {
  case ContainerQuery::Length: return replaceWithConstant(node, static_cast<int64_t>(list->numInputs()));
  case ContainerQuery::Element: {
    auto index = constantInt(node.input(1));
    auto at = index ? pythonIndex(*index, list->numInputs()) : std::nullopt;
    return at && replace(node, list->input(*at));
  }
  case ContainerQuery::Slice: {
    auto elements = sliceOf(*list, node);
    return elements && makeList(node, *elements);
  }
  case ContainerQuery::Copy: return makeList(node, list->inputVector());
  case ContainerQuery::Concatenation: {
    const Node *other = knownList(node.input(1));
    if (!other)
      return false;
    llvm::SmallVector<Value *> elements(list->inputs());
    llvm::append_range(elements, other->inputs());
    return makeList(node, elements);
  }
  default: return false;
  }
}

//===----------------------------------------------------------------------===//
// Dicts
//===----------------------------------------------------------------------===//

/// Whether keys like this one are equal where valuesEqual says so. NaN is no key that is found again.
static bool mayBeCompared(const IValue &key) {
  return key.isInt() || key.isString() || key.isBool() || (key.isDouble() && !std::isnan(key.toDouble()));
}

/// A dict's entries by constant keys. A key that comes twice, or is no constant, makes the dict unknown.
static std::optional<llvm::SmallVector<std::pair<IValue, Value *>, 8>> entriesOf(const Node &construct) {
  llvm::SmallVector<std::pair<IValue, Value *>, 8> entries;
  if (construct.numInputs() % 2 || construct.numInputs() > 64) // keys are compared pairwise
    return std::nullopt;
  for (unsigned i = 0; i + 1 < construct.numInputs(); i += 2) {
    auto key = constantValue(construct.input(i));
    if (!key || !mayBeCompared(*key) ||
        llvm::any_of(entries, [&](const auto &entry) { return valuesEqual(entry.first, *key); }))
      return std::nullopt;
    entries.emplace_back(*key, construct.input(i + 1));
  }
  return entries;
}

bool PeepholeRewriter::simplifyDict(Node &node) {
  const Value *dict = node.numInputs() && node.numOutputs() == 1 ? node.input(0) : nullptr;
  if (!dict || dict->node()->kind() != prim::DictConstruct || !isUnwritten(dict))
    return false;
  auto entries = entriesOf(*dict->node());
  if (!entries)
    return false;
  auto lookUp = [&](const Value *key) -> std::optional<Value *> {
    auto wanted = constantValue(key);
    if (!wanted)
      return std::nullopt;
    auto at = llvm::find_if(*entries, [&](const auto &entry) { return valuesEqual(entry.first, *wanted); });
    return at == entries->end() ? nullptr : at->second;
  };
  const std::optional<ContainerQuery> query = containerQuery(node.opKind());
  if (!query)
    return false;
  switch (*query) {
  case ContainerQuery::Length: return replaceWithConstant(node, static_cast<int64_t>(entries->size()));
  case ContainerQuery::Element: {
    auto value = lookUp(node.input(1));
    return value && *value && replace(node, *value);
  }
  case ContainerQuery::Lookup: {
    auto value = lookUp(node.input(1));
    if (!value || *value)
      return value && replace(node, *value);
    return node.numInputs() > 2 ? replace(node, node.input(2)) : replaceWithConstant(node, IValue());
  }
  case ContainerQuery::Contains: {
    auto value = lookUp(node.input(1));
    return value && replaceWithConstant(node, *value != nullptr);
  }
  case ContainerQuery::Keys:
  case ContainerQuery::Values: {
    llvm::SmallVector<Value *, 8> elements;
    for (unsigned i = *query == ContainerQuery::Keys ? 0 : 1; i < dict->node()->numInputs(); i += 2)
      elements.push_back(dict->node()->input(i));
    return makeList(node, elements);
  }
  default: return false;
  }
}

//===----------------------------------------------------------------------===//
// Tuples
//===----------------------------------------------------------------------===//

/// The tuple that a construct puts together again from all its elements in order.
static Value *unpackedTuple(const Node &construct) {
  if (construct.numInputs() == 0)
    return nullptr;
  const Node *unpack = construct.input(0)->node();
  if (unpack->kind() != prim::TupleUnpack || unpack->numOutputs() != construct.numInputs() ||
      !llvm::equal(unpack->outputs(), construct.inputs()))
    return nullptr;
  return unpack->input(0)->type() == construct.output()->type() ? unpack->input(0) : nullptr;
}

bool PeepholeRewriter::simplifyTuple(Node &node) {
  if (node.kind() == prim::TupleConstruct) {
    Value *tuple = unpackedTuple(node);
    return tuple && replace(node, tuple);
  }
  const Node *construct = node.numInputs() ? node.input(0)->node() : nullptr;
  if (!construct || construct->kind() != prim::TupleConstruct)
    return false;
  if (node.kind() == prim::TupleIndex && node.numInputs() == 2) {
    auto index = constantInt(node.input(1));
    auto at = index ? pythonIndex(*index, construct->numInputs()) : std::nullopt;
    return at && replace(node, construct->input(*at));
  }
  if (node.kind() != prim::TupleUnpack || node.numOutputs() != construct->numInputs())
    return false;
  for (auto [output, element] : llvm::zip(node.outputs(), construct->inputs()))
    output->replaceAllUsesWith(element);
  return true;
}
