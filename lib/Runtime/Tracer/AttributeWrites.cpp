//===- AttributeWrites.cpp - What a traced function's code writes ---------===//
#include "AttributeWrites.h"
#include "tsc/IR/ClassType.h"
#include "tsc/IR/Context.h"
#include "tsc/IR/Function.h"
#include "tsc/IR/ListEdits.h"
#include "tsc/IR/OpFacts.h"
#include "llvm/ADT/SetVector.h"

using namespace tsc;

llvm::StringRef tsc::methodNameOf(const Node &node) {
  if (node.kind() == prim::Enter)
    return "__enter__";
  if (node.kind() == prim::Exit)
    return "__exit__";
  const bool calls = node.kind() == prim::CallMethod || node.kind() == prim::InterfaceCall;
  const AttributeValue *name = calls ? node.attribute(attr::name) : nullptr;
  return name ? llvm::StringRef(std::get<std::string>(*name)) : llvm::StringRef();
}

bool tsc::passesOperand(const Node &node) {
  return node.kind() == prim::unchecked_cast || node.kind() == prim::unchecked_unwrap_optional ||
         node.kind() == prim::annotate || node.kind() == aten::_unwrap_optional;
}

static const Type *withoutOptional(const Type *type) {
  const auto *optional = llvm::dyn_cast<OptionalType>(type);
  return optional ? optional->element() : type;
}

bool AttributeWrites::Containers::mayHold(llvm::StringRef name, const Type *type) const {
  return names.contains(name) || types.contains(withoutOptional(type));
}

bool AttributeWrites::Containers::mayHoldWithin(const Type *type) const {
  return !types.empty() &&
         llvm::any_of(type->contained(), [&](const Type *part) { return types.contains(part) || mayHoldWithin(part); });
}

namespace {

class WriteFinder {
public:
  void addObjects(llvm::ArrayRef<IValue> values);
  void call(Function *callee);
  void addGraph(Graph &graph) { graphs.insert(&graph); }
  AttributeWrites find();

private:
  void addClass(const ClassType &type);
  void callIfImplemented(const ClassType &type, const Type *interface, llvm::StringRef name);
  void visit(Node &node);
  void visitCall(const Node &node);
  void noteWrites(const Node &node);
  void noteWrite(const Value *container, AttributeWrites::Containers &into);

  llvm::SetVector<Graph *> graphs; ///< Grows while it is walked.
  llvm::SetVector<const ClassType *> classes;
  /// The interfaces, or other types than classes, through which methods are called, and the names of these.
  llvm::SetVector<std::pair<const Type *, llvm::StringRef>> interfaceMethods;
  /// The values of attributes that are written, and where that is noted.
  std::vector<std::pair<const Value *, AttributeWrites::Containers *>> writtenAttributes;
  AttributeWrites found;
};

} // namespace

static bool keepsLengthOfList(const Node &node) {
  const std::optional<ListEdit> edit = node.opKind() == OpKind::Unknown ? std::nullopt : listEdit(node.opKind());
  return edit && keepsLength(*edit);
}

void WriteFinder::addObjects(llvm::ArrayRef<IValue> values) {
  std::vector<IValue> pending = values.vec();
  llvm::DenseSet<const RefCounted *> seen;
  while (!pending.empty()) {
    const IValue value = std::move(pending.back());
    pending.pop_back();
    if (!value.isCounted() || !seen.insert(value.counted()).second)
      continue;
    if (value.isObject()) {
      addClass(*value.toObject().type);
      llvm::append_range(pending, value.toObject().slots);
    } else if (value.isTuple()) {
      llvm::append_range(pending, value.toTuple().elements);
    } else if (value.isGenericList()) {
      llvm::append_range(pending, value.toGenericList().elements);
    } else if (value.isDict()) {
      value.toDict().forEach([&](const IValue &key, const IValue &item) {
        pending.push_back(key);
        pending.push_back(item);
      });
    }
  }
}

void WriteFinder::addClass(const ClassType &type) {
  if (classes.insert(&type))
    for (auto [interface, name] : interfaceMethods)
      callIfImplemented(type, interface, name);
}

void WriteFinder::callIfImplemented(const ClassType &type, const Type *interface, llvm::StringRef name) {
  if (type.isSubtypeOf(interface))
    call(type.findMethod(name));
}

void WriteFinder::call(Function *callee) {
  if (callee && succeeded(callee->ensureDefined()) && callee->graph())
    addGraph(*callee->graph());
}

void WriteFinder::visitCall(const Node &node) {
  if (node.kind() == prim::CallFunction) {
    std::optional<IValue> function = constantValue(node.input(0));
    const auto *type = llvm::dyn_cast<FunctionType>(node.input(0)->type());
    if (function && function->isFunction())
      call(function->toFunction());
    else if (type)
      call(const_cast<Function *>(type->function()));
    else
      found.isAnything = true;
    return;
  }
  const llvm::StringRef name = methodNameOf(node);
  if (name.empty() || !node.numInputs())
    return;
  if (const auto *type = llvm::dyn_cast<ClassType>(node.input(0)->type()))
    call(type->findMethod(name));
  else if (const Type *interface = node.input(0)->type(); interfaceMethods.insert({interface, name}))
    for (size_t i = 0; i != classes.size(); ++i)
      callIfImplemented(*classes[i], interface, name);
}

/// Whether a value that is no parameter is a container that its node made.
static bool isMade(const Value *value) {
  const Node &maker = *value->node();
  const FunctionSchema *schema = maker.schema();
  return maker.kind() == prim::ListConstruct || maker.kind() == prim::DictConstruct ||
         (schema && value->offset() < schema->returns().size() && !schema->returns()[value->offset()].alias);
}

/// Returns the type of a list or dict as Containers::types has it.
static const Type *plainType(const Value &value) {
  return withoutOptional(value.graph().context().unshaped(value.type()));
}

/// Notes the attribute that a container which is written comes from, `self.items.append(…)`. Where that is not seen,
/// any attribute of its type may be the one.
void WriteFinder::noteWrite(const Value *container, AttributeWrites::Containers &into) {
  llvm::SetVector<const Value *> origins; // grows while it is walked
  origins.insert(container);
  for (size_t i = 0; i != origins.size(); ++i) {
    const Value *value = origins[i];
    Node *maker = value->definingNode();
    const bool isParameter = !maker || value->node() != maker;
    if (maker && maker->kind() == prim::Loop) { // carried: the value before the loop, and that of each turn
      const unsigned carried = isParameter ? value->offset() - 1 : value->offset();
      assert((!isParameter || value->offset() != 0) && "the number of a turn is no container");
      origins.insert(maker->input(carried + 2));
      origins.insert(maker->block(0).returnNode().input(carried + 1));
    } else if (maker && !isParameter && maker->kind() == prim::If) {
      for (Block &block : maker->blocks())
        origins.insert(block.returnNode().input(value->offset()));
    } else if (maker && !isParameter && passesOperand(*maker)) {
      origins.insert(maker->input(0));
    } else if (maker && maker->kind() == prim::GetAttr) {
      into.names.insert(maker->get<std::string>(attr::name));
      writtenAttributes.push_back({value, &into});
    } else if (!maker || isParameter || !isMade(value)) {
      into.types.insert(plainType(*value));
    }
  }
}

void WriteFinder::noteWrites(const Node &node) {
  const FunctionSchema *schema = node.schema();
  if (!schema || !schema->isMutating())
    return;
  for (auto [argument, input] : llvm::zip(schema->arguments(), node.inputs())) {
    const TypeKind kind = withoutOptional(input->type())->kind();
    if (argument.alias && argument.alias->isWrite && (kind == TypeKind::List || kind == TypeKind::Dict))
      noteWrite(input, keepsLengthOfList(node) ? found.rewritten : found.resized);
  }
}

void WriteFinder::visit(Node &node) {
  if (node.kind() == prim::SetAttr)
    found.assigned.insert(node.get<std::string>(attr::name));
  if (node.kind() == prim::CreateObject)
    if (const auto *type = llvm::dyn_cast<ClassType>(node.output()->type()))
      addClass(*type);
  noteWrites(node);
  visitCall(node);
  if (const AttributeValue *subgraph = node.attribute(attr::Subgraph))
    addGraph(*std::get<std::shared_ptr<Graph>>(*subgraph));
}

AttributeWrites WriteFinder::find() {
  for (size_t i = 0; i != graphs.size(); ++i)
    graphs[i]->walk([&](Node &node) { visit(node); });
  // What is assigned to an attribute may be the list of another one, `self.mine = self.items`.
  for (auto [value, into] : writtenAttributes)
    if (found.assigned.contains(value->node()->get<std::string>(attr::name)))
      into->types.insert(plainType(*value));
  return std::move(found);
}

AttributeWrites tsc::findAttributeWrites(Graph &graph, llvm::ArrayRef<IValue> args) {
  WriteFinder finder;
  finder.addObjects(args);
  finder.addGraph(graph);
  return finder.find();
}
