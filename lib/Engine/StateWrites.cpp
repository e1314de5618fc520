//===- StateWrites.cpp - What calls write that outlives them --------------===//
//
// Freezing inlines the calls of a method, follows the objects of its module, and
// makes constants of the attributes that nobody writes and that never leave. What
// is left of attributes in its graphs is state, and alias analysis says which nodes
// write it. Constants of the code live as long as the program and count as state.
//
// An argument is the caller's. It is state too where a result may refer to state:
// the caller may hand it back, and to two calls at once.
//
//===----------------------------------------------------------------------===//
#include "StateWrites.h"
#include "tsc/Analysis/AliasAnalysis.h"
#include "tsc/Analysis/GradientFlow.h"
#include "tsc/IR/ClassType.h"
#include "tsc/IR/Function.h"
#include "tsc/IR/FunctionSchema.h"
#include "tsc/IR/Graph.h"
#include "tsc/Transforms/Inlining.h"
#include "tsc/Transforms/Remarks.h"
#include "tsc/Transforms/Subgraph.h"

using namespace tsc;

llvm::StringRef StateWrites::firstWrite(const Function &function) const {
  auto at = functions.find(&function);
  if (at == functions.end())
    return "what nobody has looked at";
  const FunctionWrites &writes = at->second;
  return !writes.state.empty() ? writes.state : exposesState ? llvm::StringRef(writes.arguments) : "";
}

llvm::StringRef StateWrites::firstWrite() const {
  for (const auto &entry : functions)
    if (llvm::StringRef write = firstWrite(*entry.first); !write.empty())
      return write;
  return "";
}

llvm::StringRef StateWrites::firstArgumentWrite() const {
  for (const auto &entry : functions)
    if (!entry.second.arguments.empty())
      return entry.second.arguments;
  return "";
}

static constexpr size_t maxNestedConstants = 64;

namespace {

/// Looks at one graph whose calls were inlined.
class GraphWrites {
public:
  GraphWrites(Graph &graph, StateWrites &program) : graph(graph), aliases(graph), program(program) {}
  FunctionWrites find();

private:
  void collect();
  void visit(const Node &node);
  bool outlives(const MemoryEffects &effects) const;
  bool writesConstant(const Node &node, const MemoryEffects &effects) const;
  bool drawsFromState(const Node &node) const;

  Graph &graph;
  AliasAnalysis aliases;
  StateWrites &program;
  FunctionWrites found;
  llvm::SmallVector<const Value *, 8> state;           ///< What attributes give, objects left out.
  llvm::SmallVector<const Value *, 8> constants;       ///< That can be written.
  llvm::SmallVector<const Value *, 4> nestedConstants; ///< Lists of tensors and the like.
  llvm::DenseSet<Location> constantMemory;             ///< Of a nested one, the outermost.
};

} // namespace

/// The line of the program that the node stands for, or its beginning.
static std::string placeOf(const Node &node) {
  constexpr size_t mostShown = 120;
  const SourceRange range = node.range();
  if (!range.isValid())
    return "'" + node.kindName().str() + "'";
  const LineColumn where = range.lineColumn();
  std::string place = range.buffer()->name().str() + ":" + std::to_string(where.line);
  llvm::StringRef text = range.buffer()->hasText() ? range.buffer()->line(where.line).trim().take_front(mostShown) : "";
  return "'" + (text.empty() ? node.kindName() : text).str() + "' (" + place + ")";
}

static const Type *withoutOptional(const Type *type) {
  const auto *optional = llvm::dyn_cast<OptionalType>(type);
  return optional ? optional->element() : type;
}

static bool isCall(const Node &node) {
  return node.kind() == prim::CallFunction || node.kind() == prim::CallMethod || node.kind() == prim::InterfaceCall;
}

/// Whether the node only sets the flag of a tensor that a caller gave, which nobody reads but calls with that tensor.
static bool setsFlagOfArgument(const Node &node) {
  return node.opKind() == OpKind::Aten_requires_grad_ && !node.input(0)->definingNode();
}

/// Whether an argument that the node writes is a tensor, or holds tensors that it writes; true where nobody knows.
static bool writesTensor(const Node &node) {
  if (node.kind() == prim::SetAttr)
    return false;
  const FunctionSchema *schema = node.schema();
  if (!schema || node.numBlocks() || node.hasTrait(Trait::SetsGradients))
    return true;
  return llvm::any_of(schema->arguments(), [](const Argument &argument) {
    const Type *type = withoutOptional(argument.type);
    const bool isWritten = argument.alias && argument.alias->isWrite;
    const bool writesElements =
        argument.alias && !argument.alias->contained.empty() && argument.alias->contained[0].isWrite;
    return (isWritten && type->isTensor()) || writesElements;
  });
}

void GraphWrites::collect() {
  walkWithSubgraphs(graph, [&](Node &node) {
    if (node.numOutputs() != 1 || !AliasAnalysis::isMutable(node.output()))
      return;
    const Type *type = withoutOptional(node.output()->type());
    const bool isObject = type->kind() == TypeKind::Class || type->kind() == TypeKind::Interface;
    if (node.kind() == prim::GetAttr && !isObject)
      state.push_back(node.output());
    if (node.kind() != prim::Constant)
      return;
    constants.push_back(node.output());
    for (Location location : aliases.locations(node.output()))
      constantMemory.insert(location);
    if (llvm::any_of(type->contained(), [](const Type *inner) { return inner->isMutable(); }))
      nestedConstants.push_back(node.output());
  });
}

bool GraphWrites::outlives(const MemoryEffects &effects) const {
  return effects.writesOutside ||
         llvm::any_of(effects.writes, [&](Location location) { return aliases.isVisibleOutside(location); });
}

bool GraphWrites::writesConstant(const Node &node, const MemoryEffects &effects) const {
  if (llvm::any_of(effects.writes, [&](Location location) { return constantMemory.contains(location); }))
    return true;
  if (nestedConstants.size() > maxNestedConstants) // each question walks through all of them
    return !effects.writes.empty();
  return !nestedConstants.empty() && aliases.writesTo(node, nestedConstants);
}

/// Drawing changes a generator; one that the call did not make is somebody else's too.
bool GraphWrites::drawsFromState(const Node &node) const {
  return !node.numBlocks() && !isCall(node) && llvm::any_of(node.inputs(), [&](const Value *input) {
    return withoutOptional(input->type())->kind() == TypeKind::Generator &&
           llvm::any_of(aliases.locations(input),
                        [&](Location location) { return aliases.isVisibleOutside(location); });
  });
}

void GraphWrites::visit(const Node &node) {
  if (node.kind() == aten::set_grad_enabled || setsFlagOfArgument(node)) // grad mode is the CallContext's
    return;
  // Schemas say nothing of what a tape keeps with tensors.
  const bool draws = drawsFromState(node), isTaken = draws || node.hasTrait(Trait::SetsGradients);
  // Of what escapes, results are of no interest.
  if (!isTaken && !aliases.isWriteObservable(node))
    return;
  const MemoryEffects effects = aliases.effects(node);
  const bool writesConstants = writesConstant(node, effects);
  if (!isTaken && !writesConstants && !outlives(effects))
    return;
  // A fork may set attributes.
  const bool isState = isTaken || writesConstants || effects.writesOutside || node.kind() == prim::SetAttr ||
                       subgraphOf(node) || (!state.empty() && aliases.writesTo(node, state));
  std::string &place = isState ? found.state : found.arguments;
  if (place.empty())
    place = placeOf(node);
  program.writesTensors |= writesTensor(node);
  program.writesShared |= draws || writesConstants || effects.writesOutside;
}

FunctionWrites GraphWrites::find() {
  collect();
  graph.walk([&](Node &node) { visit(node); });
  llvm::SmallVector<const Value *, 4> outputs(graph.outputs().begin(), graph.outputs().end());
  program.exposesState |= aliases.mayContainAlias(state, outputs) || aliases.mayContainAlias(constants, outputs);
  return std::move(found);
}

bool tsc::usesOperandsAlone(Graph &graph) {
  bool isAlone = true;
  walkWithSubgraphs(graph, [&](Node &node) {
    const FunctionSchema *schema = node.schema();
    auto isGenerator = [](const Value *input) {
      return withoutOptional(input->type())->kind() == TypeKind::Generator; // drawing changes it
    };
    const bool isHarmless =
        schema
            ? !schema->isMutating() && !node.hasTrait(Trait::SetsGradients) && llvm::none_of(node.inputs(), isGenerator)
            : showsValues(node) || // to the output, which is the CallContext's
                  (node.kind().ns() == "prim" && !node.hasSideEffects() && node.kind() != prim::GetAttr);
    const bool isShared = node.kind() == prim::Constant && AliasAnalysis::isMutable(node.output());
    isAlone &= isHarmless && !isShared && !isCall(node);
  });
  return isAlone;
}

//===----------------------------------------------------------------------===//
// Programs
//===----------------------------------------------------------------------===//

/// Adds the memory of all tensors in a value, in objects too.
static void addStorages(const IValue &value, llvm::DenseSet<const Storage *> &storages,
                        llvm::DenseSet<const RefCounted *> &seen) {
  llvm::SmallVector<IValue, 8> pending{value};
  while (!pending.empty()) {
    const IValue next = pending.pop_back_val();
    if (!next.isCounted() || !seen.insert(next.counted()).second)
      continue;
    if (next.isTensor())
      storages.insert(next.asTensor().get()->storage.get());
    else if (next.isTensorList())
      llvm::append_range(pending, next.toTensorList().elements);
    else if (next.isGenericList())
      llvm::append_range(pending, next.toGenericList().elements);
    else if (next.isTuple())
      llvm::append_range(pending, next.toTuple().elements);
    else if (next.isObject())
      llvm::append_range(pending, next.toObject().slots);
    else if (next.isDict())
      next.toDict().forEach([&](const IValue &key, const IValue &element) {
        pending.push_back(key);
        pending.push_back(element);
      });
  }
}

/// Whatever is not followed may do anything.
static void noteUnknown(const Function &function, const llvm::Twine &why, StateWrites &found) {
  found.functions[&function].state = ("'" + function.name() + "' " + why).str();
  found.writesTensors = found.writesShared = found.exposesState = true;
}

/// Puts what `with` statements call in their place, so that a context that the function makes itself, as torch.no_grad
/// is one, is seen to be nobody else's.
static void inlineContexts(Graph &graph) {
  llvm::SmallVector<Node *, 4> ends;
  walkWithSubgraphs(graph, [&](Node &node) {
    if (node.kind() == prim::Enter || node.kind() == prim::Exit)
      ends.push_back(&node);
  });
  for (Node *node : ends) {
    const bool enters = node->kind() == prim::Enter;
    const auto *type = llvm::dyn_cast<ClassType>(node->input(0)->type());
    Function *method = type ? type->findMethod(enters ? "__enter__" : "__exit__") : nullptr;
    if (!method || failed(method->ensureDefined()) || !method->graph() ||
        method->graph()->inputs().size() != (enters ? 1 : 4) || hasBailOuts(*method->graph()))
      continue; // it stays as code that is not known
    Graph &around = node->graph();
    around.setInsertPoint(node);
    llvm::SmallVector<Value *, 4> operands{node->input(0)};
    while (operands.size() != method->graph()->inputs().size()) // of an exit: no exception passes
      operands.push_back(around.insertConstant(IValue(), node->range()));
    for (Value *result : method->graph()->inlineInto(around, operands))
      if (node->numOutputs() == 1)
        node->output()->replaceAllUsesWith(result);
    node->erase();
  }
}

static FunctionWrites writesOf(Graph &graph, StateWrites &found) {
  inlineContexts(graph);
  const Remarks silent;
  inlineCalls(graph, [](Node &node) { return calleeOf(node); }, silent, Unused::Erased);
  return GraphWrites(graph, found).find();
}

StateWrites tsc::findStateWrites(const Module *module, llvm::ArrayRef<Function *> functions) {
  StateWrites found;
  llvm::DenseSet<const RefCounted *> seen;
  FreezeOptions options;
  for (Function *function : functions) {
    if (failed(function->ensureDefined()) || !function->graph())
      continue;
    const Graph *body = module ? module->graphOf(*function) : nullptr;
    if (body == function->graph()) {
      options.methods.push_back(function);
      continue;
    }
    if (module && !body && module->findMethod(function->name()) == function)
      continue; // of a frozen module that does not offer it
    // A frozen module holds no more than its code uses.
    std::unique_ptr<Graph> graph = (body ? *body : *function->graph()).clone();
    found.functions[function] = writesOf(*graph, found);
    if (module)
      addStorages(IValue(module->object()), found.exposed, seen);
  }
  if (options.methods.empty())
    return found;
  StatusOr<FrozenModule> frozen = freezeModule(module->object(), options);
  if (!frozen.ok()) {
    for (Function *function : options.methods)
      noteUnknown(*function, "cannot be followed: " + messageOf(frozen.status()), found);
    addStorages(IValue(module->object()), found.exposed, seen);
    return found;
  }
  for (FrozenMethod &method : frozen->methods)
    found.functions[method.function] = writesOf(*method.graph, found);
  for (const AttributeSlot &slot : frozen->used)
    if (const IValue &value = slot.object->slots[slot.index]; !value.isObject())
      addStorages(value, found.exposed, seen);
  return found;
}
