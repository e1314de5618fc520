//===- Freezing.cpp - A module's attributes become constants --------------===//
//
// Follows the module's objects through its methods: `self` is known, and so is
// every object read from an attribute of a known one. With that, method calls
// (also through interfaces) are inlined, and each read of an attribute names one
// slot of one object. A slot that no method assigns, whose memory none writes and
// which nobody outside can reach, is a constant.
//
// Reads become constants first, all of them, those of numbers and strings ahead of the
// others: they decide branches, as `training` does what normalization writes. Alias
// analysis then says which of these constants are written or escape, and their reads
// come back. Attributes
// that share memory share the verdict. Objects of unknown origin are taken for
// any object of their class.
//
// Cost:   linear in the size of the inlined methods and of the module; again from
//         the start for each attribute that holds an object and is assigned.
// Limits: an object that a branch or loop chooses is not followed.
//
//===----------------------------------------------------------------------===//
#include "tsc/Transforms/Freezing.h"
#include "../Frozen/FrozenTensor.h"
#include "WriteFacts.h"
#include "tsc/Analysis/AliasAnalysis.h"
#include "tsc/IR/ClassType.h"
#include "tsc/IR/Context.h"
#include "tsc/IR/Function.h"
#include "tsc/IR/Graph.h"
#include "tsc/Support/Statistic.h"
#include "tsc/Transforms/Inlining.h"
#include "tsc/Transforms/Remarks.h"
#include "llvm/ADT/STLExtras.h"
#include <map>
#define DEBUG_TYPE "freeze"
using namespace tsc;

TSC_STATISTIC(NumFrozen, "Attributes frozen");
TSC_STATISTIC(NumKept, "Attributes read that stay attributes");

/// The value without requires_grad, deep in containers that hold tensors; the elements are shared.
static IValue detached(const IValue &value) {
  if (!value.isTensor() || !value.asTensor().requiresGrad())
    return value;
  const Tensor &tensor = value.asTensor();
  Tensor alias = tensor.alias(tensor.sizes(), tensor.strides(), tensor.storageOffset());
  alias.get()->requiresGrad = false;
  return alias;
}

namespace {

/// A read of an attribute of a known object, and the constant that stands for it meanwhile.
struct AttributeRead {
  Node *read;
  AttributeSlot slot;
  Value *constant; ///< Null for a slot that cannot be one.
};

/// One method being frozen.
class MethodFreezer {
public:
  MethodFreezer(const ModuleTree &tree, WriteFacts &facts, llvm::DenseSet<AttributeSlot> &reassigned,
                Function &function)
      : tree(tree), facts(facts), reassigned(reassigned), function(function) {}

  /// Inlines, and finds every read and assignment. False when an attribute that was followed turned out to be assigned:
  /// it is in `reassigned` now, and everything begins again.
  bool inlineAndCollect(const ObjectValue &self);
  /// Puts constants in the place of reads and asks who writes them.
  void speculate();
  /// Lets all that is read stay an attribute, for this method and for others.
  void keepReads() {
    for (const AttributeRead &read : reads)
      facts.keep(read.slot, "a method that is kept reads it");
  }
  /// Takes back the constants of attributes that stay.
  std::unique_ptr<Graph> finish(std::map<std::string, std::string> &fates);
  /// Adds what the finished graph still reads and writes.
  void collectUsed(const Graph &graph, llvm::DenseSet<AttributeSlot> &used);

private:
  const ObjectValue *objectOf(const Value *value) const {
    auto at = known.find(value);
    return at == known.end() ? nullptr : at->second;
  }
  void inlineGraph(Graph &graph);
  void insertConstant(AttributeRead &read);
  void decideBranches(Block &block);
  void forget(Block &block);
  Function *visit(Node &node);
  Function *methodOf(const Node &call) const;
  void visitRead(Node &node);
  void visitAssignment(Node &node);
  void visitSubgraph(Node &node);
  void visitUnknown(Node &node);
  std::string inMethod() const { return "'" + function.name().str() + "'"; }

  const ModuleTree &tree;
  WriteFacts &facts;
  llvm::DenseSet<AttributeSlot> &reassigned;
  Function &function;
  std::unique_ptr<Graph> graph;
  llvm::DenseMap<const Value *, const ObjectValue *> known;
  llvm::DenseSet<AttributeSlot> followed;
  std::vector<AttributeRead> reads;
  llvm::DenseSet<const Node *> gone; ///< In branches that do not run.
  llvm::SmallVector<Node *> calls;   ///< That were not inlined when they were seen.
  bool mustRestart = false;
};

} // namespace

//===----------------------------------------------------------------------===//
// Following objects
//===----------------------------------------------------------------------===//

bool MethodFreezer::inlineAndCollect(const ObjectValue &self) {
  graph = function.graph()->clone();
  if (!graph->inputs().empty())
    known[graph->inputs()[0]] = &self;
  inlineGraph(*graph);
  return !mustRestart;
}

void MethodFreezer::inlineGraph(Graph &body) {
  const Remarks silent; // what became of attributes is told, not how it was found out
  inlineCalls(body, [&](Node &node) { return visit(node); }, silent, Unused::Erased);
  // A call that is still there may do anything with the objects it is given.
  body.walk([&](Node &node) {
    if (node.kind() == prim::CallMethod || node.kind() == prim::CallFunction)
      visitUnknown(node);
  });
}

/// Sees each node in execution order; the function to inline for a call.
Function *MethodFreezer::visit(Node &node) {
  switch (node.kind().id()) {
  case SymbolId::prim_CallMethod: return methodOf(node);
  case SymbolId::prim_CallFunction: return calleeOf(node);
  case SymbolId::prim_GetAttr: visitRead(node); break;
  case SymbolId::prim_SetAttr: visitAssignment(node); break;
  case SymbolId::prim_unchecked_cast:
    if (const ObjectValue *object = objectOf(node.input(0)))
      known[node.output()] = object;
    break;
  default:
    if (node.hasAttribute(attr::Subgraph))
      visitSubgraph(node);
  }
  return nullptr;
}

/// By the object when it is known (also through an interface), else by its class.
Function *MethodFreezer::methodOf(const Node &call) const {
  const ObjectValue *object = objectOf(call.input(0));
  const AttributeValue *name = call.attribute(attr::name);
  const auto *text = name ? std::get_if<std::string>(name) : nullptr;
  return object && text ? object->type->findMethod(*text) : calleeOf(call);
}

static llvm::StringRef attributeName(const Node &node) {
  const AttributeValue *name = node.attribute(attr::name);
  const auto *text = name ? std::get_if<std::string>(name) : nullptr;
  return text ? llvm::StringRef(*text) : llvm::StringRef();
}

static std::optional<AttributeSlot> slotOf(const ObjectValue &object, const Node &node) {
  auto index = object.type->findAttribute(attributeName(node));
  return index && *index < object.slots.size() ? std::optional(AttributeSlot{&object, *index}) : std::nullopt;
}

void MethodFreezer::visitRead(Node &node) {
  const ObjectValue *object = objectOf(node.input(0));
  if (!object) {
    const auto *type = dyn_cast<ClassType>(node.input(0)->type());
    if (type && node.output()->type()->isMutable())
      facts.keepOfClass(type, attributeName(node), inMethod() + " reads it through an object that is not known");
    return;
  }
  std::optional<AttributeSlot> slot = slotOf(*object, node);
  if (!slot)
    return;
  const IValue &value = object->slots[slot->index];
  if (value.isObject() && !reassigned.contains(*slot)) {
    known[node.output()] = &value.toObject();
    followed.insert(*slot);
  } else if (!value.isObject()) {
    reads.push_back({&node, *slot, nullptr});
  }
}

void MethodFreezer::visitAssignment(Node &node) {
  std::string reason = inMethod() + " assigns it";
  const ObjectValue *object = objectOf(node.input(0));
  const auto *type = dyn_cast<ClassType>(node.input(0)->type());
  llvm::SmallVector<AttributeSlot> slots;
  if (object) {
    if (std::optional<AttributeSlot> slot = slotOf(*object, node))
      slots.push_back(*slot);
  } else if (auto index = type ? type->findAttribute(attributeName(node)) : std::nullopt) {
    for (const ObjectValue *other : tree.objectsOf(type))
      if (*index < other->slots.size())
        slots.push_back({other, *index});
  }
  for (AttributeSlot slot : slots) {
    facts.keep(slot, reason);
    if (slot.object->slots[slot.index].isObject() && reassigned.insert(slot).second)
      mustRestart = true;
  }
}

/// A fork runs its subgraph with the objects that it is given.
void MethodFreezer::visitSubgraph(Node &node) {
  const auto *subgraph = std::get_if<std::shared_ptr<Graph>>(node.attribute(attr::Subgraph));
  if (!subgraph || !*subgraph || (*subgraph)->inputs().size() != node.numInputs())
    return visitUnknown(node);
  for (auto [input, parameter] : llvm::zip(node.inputs(), (*subgraph)->inputs()))
    if (const ObjectValue *object = objectOf(input))
      known[parameter] = object;
  inlineGraph(**subgraph);
}

/// Code that is not seen may assign whatever it can reach.
void MethodFreezer::visitUnknown(Node &node) {
  std::string reason = inMethod() + " hands it to code that is not known";
  for (Value *input : node.inputs()) {
    if (const ObjectValue *object = objectOf(input)) {
      facts.keepAllIn(*object, reason);
    } else if (input->type()->kind() == TypeKind::Class || input->type()->kind() == TypeKind::Interface) {
      for (const ObjectValue *any : tree.objects())
        facts.keepAllIn(*any, reason);
    }
  }
}

//===----------------------------------------------------------------------===//
// Constants
//===----------------------------------------------------------------------===//

/// The constant for a value, before its read; null when the value cannot be one, or would have another type.
static Value *insertConstantFor(Node &read, const IValue &value, const std::string &path) {
  if (!Graph::canBeConstant(value) || (value.isNone() && read.output()->type()->isTensor()))
    return nullptr;
  Graph &graph = read.graph();
  Node *constant = graph.createConstant(value);
  if (!constant->output()->type()->isSubtypeOf(read.output()->type()))
    return nullptr;
  constant->insertBefore(&read);
  constant->setRange(read.range());
  constant->setScope(read.scope());
  if (value.isTensor())
    constant->output()->setType(
        completeType(graph.context(), value.asTensor().dtype(), value.asTensor().sizes(), value.asTensor().strides()));
  constant->output()->setName("self." + path);
  return constant->output();
}

/// Whether the caller or a later call can get hold of what the constant refers to. (That a constant outlives the call
/// is no matter here: nobody can write it through the constant.)
static bool mayLeave(const AliasAnalysis &aliases, const Value *constant) {
  auto isVisible = [&](Location location) { return aliases.isVisibleOutside(location); };
  return llvm::any_of(aliases.locations(constant), isVisible) ||
         llvm::any_of(constant->graph().outputs(),
                      [&](const Value *output) { return aliases.mayContainAlias(constant, output); });
}

void MethodFreezer::insertConstant(AttributeRead &read) {
  read.constant =
      insertConstantFor(*read.read, detached(read.slot.object->slots[read.slot.index]), tree.pathOf(read.slot));
  if (read.constant)
    read.read->output()->replaceAllUsesWith(read.constant);
  else
    facts.keep(read.slot, "its value cannot be a constant");
}

/// Nodes of a branch that goes are no reads any more.
void MethodFreezer::forget(Block &block) {
  for (Node &node : block.nodes()) {
    for (Block &inner : node.blocks())
      forget(inner);
    for (Value *output : node.outputs())
      known.erase(output);
    gone.insert(&node);
  }
}

/// Puts the branch that runs in the place of each conditional whose condition is a constant.
void MethodFreezer::decideBranches(Block &block) {
  for (Node *node = block.empty() ? nullptr : &*block.nodes().begin(), *next; node; node = next) {
    std::optional<bool> condition = node->kind() == prim::If ? constantBool(node->input(0)) : std::nullopt;
    if (!condition) {
      for (Block &inner : node->blocks())
        decideBranches(inner);
      next = node->next();
      continue;
    }
    Block &taken = node->block(*condition ? 0 : 1);
    forget(node->block(*condition ? 1 : 0));
    next = nullptr;
    for (Node &inner : llvm::make_early_inc_range(taken.nodes())) {
      if (!next)
        next = &inner;
      inner.moveBefore(node);
    }
    if (!next)
      next = node->next();
    for (auto [output, value] : llvm::zip(node->outputs(), taken.returnNode().inputs()))
      output->replaceAllUsesWith(value);
    node->erase();
  }
}

void MethodFreezer::speculate() {
  // The graph returns to none of these: what assigns an attribute has been seen.
  auto isSettled = [&](const AttributeRead &read) {
    return !read.read->output()->type()->isMutable() && facts.reasonToKeep(read.slot).empty();
  };
  for (AttributeRead &read : reads)
    if (isSettled(read))
      insertConstant(read);
  decideBranches(graph->block());
  llvm::erase_if(reads, [&](const AttributeRead &read) { return gone.contains(read.read); });
  for (AttributeRead &read : reads)
    if (!read.constant)
      insertConstant(read);
  AliasAnalysis aliases(*graph);
  for (const AttributeRead &read : reads) {
    if (!read.constant || !read.constant->type()->isMutable())
      continue;
    if (aliases.hasWriters(read.constant))
      facts.keep(read.slot, inMethod() + " writes it in place");
    else if (mayLeave(aliases, read.constant))
      facts.keep(read.slot, "what " + inMethod() + " gives or stores may refer to it");
  }
}

/// Erases reads of attributes that nobody uses, users before what they use.
static void eraseUnusedReads(Block &block) {
  for (Node &node : llvm::make_early_inc_range(llvm::reverse(block.nodes()))) {
    for (Block &inner : node.blocks())
      eraseUnusedReads(inner);
    if (const auto *subgraph = node.attribute(attr::Subgraph)
                                   ? std::get_if<std::shared_ptr<Graph>>(node.attribute(attr::Subgraph))
                                   : nullptr)
      eraseUnusedReads((*subgraph)->block());
    if (node.kind() == prim::GetAttr && !node.output()->hasUses())
      node.erase();
  }
}

std::unique_ptr<Graph> MethodFreezer::finish(std::map<std::string, std::string> &fates) {
  for (AttributeRead &read : reads) {
    llvm::StringRef reason = facts.reasonToKeep(read.slot);
    fates[tree.pathOf(read.slot)] = reason.str();
    if (reason.empty() || !read.constant)
      continue;
    read.constant->replaceAllUsesWith(read.read->output());
    read.constant->node()->erase();
  }
  eraseUnusedReads(graph->block());
  return std::move(graph);
}

void MethodFreezer::collectUsed(const Graph &finished, llvm::DenseSet<AttributeSlot> &used) {
  auto useOfClass = [&](const ClassType *type, llvm::StringRef name) {
    auto index = type ? type->findAttribute(name) : std::nullopt;
    for (const ObjectValue *object : type ? tree.objectsOf(type) : llvm::ArrayRef<const ObjectValue *>())
      if (index && *index < object->slots.size())
        used.insert({object, *index});
  };
  auto visitUse = [&](Node &node, auto &&visitGraph) -> void {
    if (node.kind() == prim::GetAttr || node.kind() == prim::SetAttr) {
      if (const ObjectValue *object = objectOf(node.input(0))) {
        if (auto slot = slotOf(*object, node))
          used.insert(*slot);
      } else {
        useOfClass(dyn_cast<ClassType>(node.input(0)->type()), attributeName(node));
      }
    } else if (node.kind() == prim::CallMethod || node.kind() == prim::CallFunction) {
      tree.forEachSlot(tree.objects(), [&](AttributeSlot slot) { used.insert(slot); });
    } else if (const AttributeValue *attribute = node.attribute(attr::Subgraph)) {
      if (const auto *subgraph = std::get_if<std::shared_ptr<Graph>>(attribute))
        visitGraph(**subgraph, visitGraph);
    }
  };
  auto visitGraph = [&](const Graph &body, auto &&self) -> void {
    const_cast<Graph &>(body).walk([&](Node &node) { visitUse(node, self); });
  };
  visitGraph(finished, visitGraph);
}

//===----------------------------------------------------------------------===//
// The module
//===----------------------------------------------------------------------===//

namespace {
/// A method of a submodule that the host keeps.
struct MethodWithin {
  const ObjectValue *object;
  Function *method;
};
} // namespace

/// Adds the method that a path names to `within`, and the way to its module to `used`.
static Status keepMethod(const ModuleTree &tree, llvm::StringRef path, llvm::DenseSet<AttributeSlot> &used,
                         std::vector<MethodWithin> &within) {
  const auto [owner, name] = path.rsplit('.');
  std::optional<AttributeSlot> slot = name.empty() ? std::nullopt : tree.find(owner);
  const IValue *value = slot ? &slot->object->slots[slot->index] : nullptr;
  Function *method = value && value->isObject() ? value->toObject().type->findMethod(name) : nullptr;
  if (!method)
    return invalidArgument("Unknown name: " + path);
  if (failed(method->ensureDefined()) || !method->graph())
    return invalidArgument("method '" + method->qualifiedName() + "' could not be compiled");
  for (size_t dot = path.find('.'); dot != llvm::StringRef::npos; dot = path.find('.', dot + 1))
    used.insert(*tree.find(path.take_front(dot)));
  within.push_back({&value->toObject(), method});
  return okStatus();
}

/// Notes the attributes that the host keeps, a submodule's with all in it, and adds them to `used`; and methods of
/// submodules.
static Status keepOnRequest(const ModuleTree &tree, WriteFacts &facts, const FreezeOptions &options,
                            llvm::DenseSet<AttributeSlot> &used, std::vector<MethodWithin> &within) {
  for (llvm::StringRef path : options.keep) {
    std::optional<AttributeSlot> slot = tree.find(path);
    if (!slot) {
      TSC_RETURN_IF_ERROR(keepMethod(tree, path, used, within));
      continue;
    }
    facts.keep(*slot, "kept on request");
    for (size_t dot = path.find('.'); dot != llvm::StringRef::npos; dot = path.find('.', dot + 1))
      used.insert(*tree.find(path.take_front(dot)));
    used.insert(*slot);
    const IValue &value = slot->object->slots[slot->index];
    if (!value.isObject())
      continue;
    facts.keepAllIn(value.toObject(), "kept on request");
    tree.forEachSlot(tree.reachableFrom(value.toObject()), [&](AttributeSlot inside) { used.insert(inside); });
  }
  return okStatus();
}

StatusOr<FrozenModule> tsc::freezeModule(const Ref<ObjectValue> &root, const FreezeOptions &options) {
  assert(root && "there is a module to freeze");
  for (Function *method : options.methods)
    if (failed(method->ensureDefined()) || !method->graph())
      return invalidArgument("method '" + method->qualifiedName() + "' could not be compiled");
  ModuleTree tree(*root);
  WriteFacts facts(tree);
  llvm::DenseSet<AttributeSlot> used;
  std::vector<MethodWithin> within;
  TSC_RETURN_IF_ERROR(keepOnRequest(tree, facts, options, used, within));

  llvm::DenseSet<AttributeSlot> reassigned; // of those that hold objects
  std::vector<MethodFreezer> methods, methodsWithin;
  bool isSettled = false;
  while (!isSettled) {
    isSettled = true;
    methods.clear();
    methodsWithin.clear();
    for (const MethodWithin &one : within)
      isSettled &= methodsWithin.emplace_back(tree, facts, reassigned, *one.method).inlineAndCollect(*one.object);
    for (Function *method : options.methods)
      isSettled &= methods.emplace_back(tree, facts, reassigned, *method).inlineAndCollect(*root);
  }
  for (MethodFreezer &method : methodsWithin)
    method.keepReads();
  for (MethodFreezer &method : methods)
    method.speculate();

  FrozenModule result;
  std::map<std::string, std::string> fates;
  for (auto [method, function] : llvm::zip(methods, options.methods)) {
    result.methods.push_back({function, method.finish(fates)});
    method.collectUsed(*result.methods.back().graph, used);
  }
  for (auto [method, one] : llvm::zip(methodsWithin, within)) {
    std::map<std::string, std::string> unasked; // what it reads is kept, and became no constant
    result.methods.push_back({one.method, method.finish(unasked)});
    method.collectUsed(*result.methods.back().graph, used);
  }
  for (auto &[path, reason] : fates) {
    ++(reason.empty() ? NumFrozen : NumKept);
    result.attributes.push_back({path, reason});
  }
  if (tree.hasObjectsInContainers()) // one may be reached in two ways
    tree.forEachSlot(tree.objects(), [&](AttributeSlot slot) { used.insert(slot); });
  result.used.assign(used.begin(), used.end());
  return result;
}

//===----------------------------------------------------------------------===//
// Pruning
//===----------------------------------------------------------------------===//

/// Copies the object's slots that are used, and the objects in them; every other slot holds None.
static Ref<ObjectValue> prunedShell(const ObjectValue &object, const llvm::DenseSet<AttributeSlot> &used,
                                    llvm::DenseMap<const ObjectValue *, Ref<ObjectValue>> &copies) {
  auto [at, isNew] = copies.try_emplace(&object);
  if (!isNew)
    return at->second;
  Ref<ObjectValue> copy = makeRef<ObjectValue>(object.type, object.slots.size());
  at->second = copy;
  for (unsigned i = 0; i != object.slots.size(); ++i) {
    if (!used.contains({&object, i}))
      continue;
    const IValue &value = object.slots[i];
    copy->slots[i] = value.isObject() ? IValue(prunedShell(value.toObject(), used, copies)) : value;
  }
  return copy;
}

Ref<ObjectValue> tsc::copyUsed(const Ref<ObjectValue> &root, llvm::ArrayRef<AttributeSlot> used) {
  assert(root && "there is a module to copy");
  llvm::DenseSet<AttributeSlot> wanted(used.begin(), used.end());
  llvm::DenseMap<const ObjectValue *, Ref<ObjectValue>> copies;
  return prunedShell(*root, wanted, copies);
}
