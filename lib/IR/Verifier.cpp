//===- Verifier.cpp - What every graph must satisfy -----------------------===//
//
// One walk in execution order with the set of values in scope: linear in nodes
// and uses. Types are checked where control and known structure depend on them;
// a tensor type's facts are hints and never make a graph wrong.
//
//===----------------------------------------------------------------------===//
#include "tsc/IR/ClassType.h"
#include "tsc/IR/Context.h"
#include "tsc/IR/Diagnostics.h"
#include "tsc/IR/FunctionSchema.h"
#include "tsc/IR/Graph.h"
#include "tsc/IR/Operator.h"
#include "tsc/IR/Parser.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/DenseSet.h"
using namespace tsc;

namespace {
class Verifier {
public:
  /// `holder` is the node that has the graph as its subgraph, or null.
  Verifier(const Graph &graph, DiagnosticEngine &diags, const Node *holder = nullptr)
      : graph(graph), diags(diags), holder(holder) {}

  llvm::LogicalResult run() {
    verifyBlock(graph.block());
    for (const auto &[value, count] : usesSeen)
      if (value->numUses() != count)
        fail(diags.report(value->node()->range(), diag::BrokenUseList, value->displayName()));
    return llvm::success(good);
  }

private:
  void fail(InFlightDiagnostic) { good = false; }
  void leaveScope(ArrayRef<const Value *> values) {
    for (const Value *value : values)
      inScope.erase(value);
  }
  /// Returns what the block's nodes define, which is still in scope.
  std::vector<const Value *> verifyBlock(const Block &block);
  void verifyUses(const Node &user, bool isReturn);
  void verifyNode(const Node &node);
  void verifyIf(const Node &node);
  void verifyLoop(const Node &node);
  void verifyConstant(const Node &node);
  void verifyTupleUnpack(const Node &node);
  void verifyOperator(const Node &node);
  void verifyGroup(const Node &node);
  void verifyTracedScope(const Node &node);
  void verifyTracedAttr(const Node &node);
  void verifyTracedCallPlace(const Node &node);
  void verifyTracedModuleForward(const Node &node);
  void verifyTracedFork(const Node &node);
  void verifyFork(const Node &node);
  void verifyProfile(const Node &node);
  bool verifyGuard(const Node &node);
  bool verifyBailOutPlace(const Node &node);
  void verifyBailOut(const Node &node);
  void verifyBailoutTemplate(const Node &node);

  bool verifyShape(const Node &node);
  void verifyContainer(const Node &node);
  bool expectInputs(const Node &node, unsigned count);
  bool expectOutputs(const Node &node, unsigned count);
  bool expectBlocks(const Node &node, unsigned count);
  bool expectBlockShape(const Node &node, unsigned index, unsigned inputs, unsigned outputs);
  void expectInputType(const Node &node, unsigned index, const Type *type);
  /// The inputs of a node against the parameters of its subgraph, of which there are as many.
  void expectInputTypes(const Node &node, const Graph &subgraph) {
    for (const Value *parameter : subgraph.inputs())
      expectInputType(node, parameter->offset(), parameter->type());
  }
  void expectResultTypes(const Node &node, unsigned block, unsigned firstOutput);

  const Graph &graph;
  DiagnosticEngine &diags;
  const Node *const holder;
  llvm::DenseSet<const Value *> inScope;
  llvm::DenseMap<const Value *, unsigned> usesSeen;
  bool good = true;
};
} // namespace

/// Whether an attribute's value is a T.
template <typename T> static bool is(const AttributeValue &value) { return std::holds_alternative<T>(value); }

namespace {
/// How many inputs and results nodes of a kind have, and which attributes they have in any case.
struct NodeShape {
  struct Attribute {
    Symbol name;
    bool (*isRight)(const AttributeValue &value);
  };
  static constexpr unsigned Any = ~0u;
  unsigned fewestInputs;
  unsigned mostInputs;
  unsigned results;
  Attribute attributes[2];
};
} // namespace

/// Returns the shape of a kind of nodes that has no schema; null for a kind that has one, or none.
static const NodeShape *shapeOf(Symbol kind) {
  constexpr unsigned Any = NodeShape::Any;
  switch (kind.id()) {
#define SHAPE(NS, NAME, FEWEST, MOST, RESULTS, ...)                                                                    \
  case SymbolId::NS##_##NAME: {                                                                                        \
    static const NodeShape shape{FEWEST, MOST, RESULTS, {__VA_ARGS__}};                                                \
    return &shape;                                                                                                     \
  }
#include "NodeShapes.def"
  default: return nullptr;
  }
}

/// Whether a value of type `a` can never be one of type `b`. Any, type variables and classes that the text does not
/// define may be anything.
static bool neverFits(const Type *a, const Type *b) {
  auto unknown = [](const Type *type) {
    return type->isAny() || type->hasFreeVariables() || llvm::isa<NamedType>(type) || type->isAnyClass();
  };
  if (unknown(a) || unknown(b) || a->isSubtypeOf(b) || b->isSubtypeOf(a))
    return false;
  // Facts of tensors are hints, also inside containers.
  if (a->kind() != b->kind() || a->contained().size() != b->contained().size())
    return a->kind() != TypeKind::Union && b->kind() != TypeKind::Union && a->kind() != TypeKind::Optional &&
           b->kind() != TypeKind::Optional;
  for (auto [x, y] : llvm::zip(a->contained(), b->contained()))
    if (neverFits(x, y))
      return true;
  return a->contained().empty() && !a->isTensor();
}

bool Verifier::expectInputs(const Node &node, unsigned count) {
  if (node.numInputs() == count)
    return true;
  fail(diags.report(node.range(), diag::NodeInputs, node.kindName(), count, node.numInputs()));
  return false;
}

bool Verifier::expectOutputs(const Node &node, unsigned count) {
  if (node.numOutputs() == count)
    return true;
  fail(diags.report(node.range(), diag::NodeOutputs, node.kindName(), count, node.numOutputs()));
  return false;
}

bool Verifier::expectBlocks(const Node &node, unsigned count) {
  if (node.numBlocks() == count)
    return true;
  fail(diags.report(node.range(), diag::NodeBlocks, node.kindName(), count, node.numBlocks()));
  return false;
}

bool Verifier::expectBlockShape(const Node &node, unsigned index, unsigned inputs, unsigned outputs) {
  const Block &block = node.block(index);
  if (block.inputs().size() != inputs) {
    fail(diags.report(node.range(), diag::BlockInputs, index, node.kindName(), inputs, block.inputs().size()));
    return false;
  }
  if (block.numOutputs() != outputs) {
    fail(diags.report(node.range(), diag::BlockOutputs, index, node.kindName(), outputs, block.numOutputs()));
    return false;
  }
  return true;
}

void Verifier::expectInputType(const Node &node, unsigned index, const Type *type) {
  const Value *input = node.input(index);
  if (neverFits(input->type(), type))
    fail(diags.report(node.range(), diag::InputType, index, node.kindName(), type->str(), input->displayName(),
                      input->type()->str()));
}

/// The outputs of a block, from `firstOutput` on, against the results of the node that holds it.
void Verifier::expectResultTypes(const Node &node, unsigned block, unsigned firstOutput) {
  const Node &returns = node.block(block).returnNode();
  for (unsigned i = 0; i != node.numOutputs(); ++i) {
    const Type *given = returns.input(firstOutput + i)->type(), *expected = node.output(i)->type();
    if (neverFits(given, expected))
      fail(diags.report(node.range(), diag::ResultType, block, node.kindName(), given->str(), expected->str()));
  }
}

void Verifier::verifyIf(const Node &node) {
  if (!expectInputs(node, 1) || !expectBlocks(node, 2))
    return;
  if (!node.input()->type()->isTensor()) // hand-written graphs branch on tensors of one element
    expectInputType(node, 0, Type::boolType());
  for (unsigned block : {0u, 1u})
    if (expectBlockShape(node, block, 0, node.numOutputs()))
      expectResultTypes(node, block, 0);
}

/// Loop(max trips, condition, carried…) with block(trip, carried…) -> (condition, carried…).
void Verifier::verifyLoop(const Node &node) {
  if (!expectInputs(node, node.numOutputs() + 2) || !expectBlocks(node, 1))
    return;
  expectInputType(node, 0, Type::intType());
  expectInputType(node, 1, Type::boolType());
  if (expectBlockShape(node, 0, node.numOutputs() + 1, node.numOutputs() + 1))
    expectResultTypes(node, 0, 1);
}

/// Looks at what passes, printers and the interpreter rely on before they know more of a node. Whoever changes graphs
/// by hand may have left any node in any state.
bool Verifier::verifyShape(const Node &node) {
  if (node.kind() == prim::Param || node.kind() == prim::Return) {
    fail(diags.report(node.range(), diag::EndWithinBlock, node.kindName()));
    return false;
  }
  const NodeShape *shape = shapeOf(node.kind());
  if (!shape)
    return true;
  const unsigned inputs = node.numInputs();
  if ((inputs < shape->fewestInputs && !expectInputs(node, shape->fewestInputs)) ||
      (inputs > shape->mostInputs && !expectInputs(node, shape->mostInputs)) ||
      (shape->results != NodeShape::Any && !expectOutputs(node, shape->results)) || !expectBlocks(node, 0))
    return false;
  for (const auto &[name, isRight] : shape->attributes) {
    const AttributeValue *value = name ? node.attribute(name) : nullptr;
    if (!name || (value && isRight(*value)))
      continue;
    fail(diags.report(node.range(), diag::NodeAttribute, node.kindName(), name.name()));
    return false;
  }
  return true;
}

/// What makes a list or dict says by the type of its result which one.
void Verifier::verifyContainer(const Node &node) {
  const Type *type = node.output()->type();
  const bool isDict = node.kind() == prim::DictConstruct;
  if (type->kind() != (isDict ? TypeKind::Dict : TypeKind::List))
    fail(diags.report(node.range(), diag::ContainerType, node.kindName(), isDict ? "dict" : "list", type->str()));
  if (isDict && node.numInputs() % 2)
    fail(diags.report(node.range(), diag::DictInputs, node.numInputs()));
}

void Verifier::verifyTupleUnpack(const Node &node) {
  if (auto *tuple = llvm::dyn_cast<TupleType>(node.input()->type()))
    expectOutputs(node, tuple->elements().size());
}

/// A known operator has as many inputs as one of its overloads can take, and as many results as that gives; trailing
/// arguments with defaults may be left out, as hand-written graphs do.
void Verifier::verifyOperator(const Node &node) {
  ArrayRef<const Operator *> overloads = graph.context().operators().overloads(node.kind());
  bool fits = overloads.empty(), givesResults = fits;
  unsigned results = 0;
  for (const Operator *overload : overloads) {
    const FunctionSchema &schema = overload->schema();
    unsigned required = 0;
    for (const Argument &argument : schema.arguments())
      required += !argument.defaultValue;
    if (!schema.isVararg() && (node.numInputs() < required || node.numInputs() > schema.arguments().size()))
      continue;
    fits = true;
    results = schema.returns().size();
    givesResults |= schema.isVarret() || node.numOutputs() == results;
  }
  if (!fits)
    fail(diags.report(node.range(), diag::OperatorArity, node.kindName(), node.numInputs()));
  else if (!givesResults)
    expectOutputs(node, results);
  else if (!overloads.empty())
    expectBlocks(node, 0);
}

/// Returns the graph that a node holds, or null. (Graphs that somebody cut out of a print may lack it.)
static const Graph *subgraphOf(const Node &node) {
  const AttributeValue *attribute = node.attribute(attr::Subgraph);
  const auto *subgraph = attribute ? std::get_if<std::shared_ptr<Graph>>(attribute) : nullptr;
  return subgraph ? subgraph->get() : nullptr;
}

/// Inputs and outputs are those of the subgraph, which is a graph by itself.
void Verifier::verifyGroup(const Node &node) {
  const Graph *subgraph = subgraphOf(node);
  if (!subgraph)
    return;
  if (expectInputs(node, subgraph->inputs().size()))
    expectInputTypes(node, *subgraph);
  expectOutputs(node, subgraph->block().numOutputs());
  good &= succeeded(Verifier(*subgraph, diags, &node).run());
}

/// A task runs the subgraph with the node's inputs. (In text that names a function, there is none.)
void Verifier::verifyFork(const Node &node) {
  verifyOperator(node);
  const Graph *subgraph = subgraphOf(node);
  if (!subgraph)
    return;
  if (expectInputs(node, subgraph->inputs().size()))
    expectInputTypes(node, *subgraph);
  expectOutputs(node, 1);
  good &= succeeded(Verifier(*subgraph, diags, &node).run());
}

//===----------------------------------------------------------------------===//
// Traces
//===----------------------------------------------------------------------===//

/// A scope is a path of names that begins with the module that is traced: `__module`, `__module.layers.0`.
void Verifier::verifyTracedScope(const Node &node) {
  const AttributeValue *attribute = node.attribute(attr::scope);
  const auto *path = attribute ? std::get_if<std::string>(attribute) : nullptr;
  if (!path || (*path != "__module" && !StringRef(*path).starts_with("__module.")) || StringRef(*path).ends_with(".") ||
      StringRef(*path).contains(".."))
    fail(diags.report(node.range(), diag::TracedScope, node.kindName()));
}

void Verifier::verifyTracedAttr(const Node &node) {
  if (!expectInputs(node, 0) || !expectOutputs(node, 1) || !expectBlocks(node, 0))
    return;
  verifyTracedScope(node);
  if (node.parentNode() || holder)
    fail(diags.report(node.range(), diag::TracedAttrPlace));
}

/// A branch or loop in a trace is that of a compiled function, which calls no module that is traced.
void Verifier::verifyTracedCallPlace(const Node &node) {
  const Node *parent = node.parentNode();
  if (parent && parent->kind() != prim::TracedModuleForward && parent->kind() != prim::TracedFork)
    fail(diags.report(node.range(), diag::TracedCallPlace, node.kindName(), parent->kindName()));
}

/// TracedModuleForward(self, …) has a block(self, …) that hands back its results, or, lifted, a subgraph. While its
/// attributes are not converted, it has no inputs, and while definitions need not dominate their uses, no results.
void Verifier::verifyTracedModuleForward(const Node &node) {
  verifyTracedScope(node);
  verifyTracedCallPlace(node);
  if (node.numInputs() && !isa<ClassType>(node.input(0)->type()))
    fail(diags.report(node.range(), diag::TracedSelf, node.input(0)->displayName(), node.input(0)->type()->str()));
  if (node.hasAttribute(attr::Subgraph)) {
    if (expectBlocks(node, 0))
      verifyGroup(node);
  } else if (expectBlocks(node, 1) && expectBlockShape(node, 0, node.numInputs(), node.numOutputs())) {
    expectResultTypes(node, 0, 0);
  }
}

/// TracedFork() has a block() that hands back the value of the future.
void Verifier::verifyTracedFork(const Node &node) {
  verifyTracedCallPlace(node);
  if (!expectInputs(node, 0) || !expectOutputs(node, 1) || !expectBlocks(node, 1) || !expectBlockShape(node, 0, 0, 1))
    return;
  const Type *given = node.block(0).returnNode().input(0)->type(), *type = node.output()->type();
  const auto *future = llvm::dyn_cast<FutureType>(type);
  if (!future || neverFits(given, future->element()))
    fail(diags.report(node.range(), diag::TracedForkResult, type->str(), given->str()));
}

/// A node that observes a value hands it on. PyTorch's text also has one without a value, which counts runs.
void Verifier::verifyProfile(const Node &node) {
  if (node.numInputs() == 0 && node.numOutputs() == 0)
    return;
  if (expectInputs(node, 1) && expectOutputs(node, 1) && expectBlocks(node, 0))
    expectInputType(node, 0, node.output()->type());
}

/// The first input and the only output are tensors.
bool Verifier::verifyGuard(const Node &node) {
  if (!expectOutputs(node, 1) || !expectBlocks(node, 0))
    return false;
  for (const Value *value : {static_cast<const Value *>(node.input(0)), static_cast<const Value *>(node.output())})
    if (neverFits(value->type(), Type::tensorType())) {
      fail(diags.report(node.range(), diag::GuardOfOther, node.kindName(), value->displayName(), value->type()->str()));
      return false;
    }
  return true;
}

/// Whether a prim::BailOut can end the graph around it from where it stands: from blocks of prim::If and prim::Loop,
/// and where that graph runs as a call. The nodes of a group may run as one, or be put in the place of the group.
bool Verifier::verifyBailOutPlace(const Node &node) {
  const Node *obstacle = node.parentNode();
  while (obstacle && (obstacle->kind() == prim::If || obstacle->kind() == prim::Loop))
    obstacle = obstacle->parentNode();
  if (!obstacle && holder && holder->kind() != prim::fork && holder->kind() != prim::awaitable &&
      holder->kind() != prim::BailOut && holder->kind() != prim::BailoutTemplate)
    obstacle = holder;
  if (!obstacle)
    return true;
  fail(diags.report(node.range(), diag::BailOutPlace, node.kindName(), obstacle->kindName()));
  return false;
}

/// Its subgraph does what is left of the graph around it, and returns what that returns. (PyTorch's text lacks it, and
/// names a template before the tensor.)
void Verifier::verifyBailOut(const Node &node) {
  if (node.numInputs() == 0) {
    expectInputs(node, 1);
    return;
  }
  const Graph *subgraph = subgraphOf(node);
  if (!subgraph) {
    expectOutputs(node, 1);
    return;
  }
  if (!verifyBailOutPlace(node) || !verifyGuard(node) || !expectInputs(node, subgraph->inputs().size()))
    return;
  const Block &rest = subgraph->block();
  if (rest.numOutputs() != graph.block().numOutputs()) {
    fail(diags.report(node.range(), diag::BailOutResults, node.kindName(), rest.numOutputs(),
                      graph.block().numOutputs()));
    return;
  }
  for (auto [given, expected] : llvm::zip(rest.outputs(), graph.block().outputs()))
    if (neverFits(given->type(), expected->type()))
      fail(diags.report(node.range(), diag::BailOutResultType, node.kindName(), given->type()->str(),
                        expected->type()->str()));
  good &= succeeded(Verifier(*subgraph, diags, &node).run());
}

/// PyTorch's text keeps the graph that bailouts run in a node of its own, which gives a number and has no inputs.
void Verifier::verifyBailoutTemplate(const Node &node) {
  if (!expectInputs(node, 0) || !expectOutputs(node, 1) || !expectBlocks(node, 0))
    return;
  if (const Graph *subgraph = subgraphOf(node))
    good &= succeeded(Verifier(*subgraph, diags, &node).run());
}

/// A number or string has the value that its type says. (What other types hold is looked at when it is run.)
void Verifier::verifyConstant(const Node &node) {
  std::optional<IValue> value = constantValue(node.output());
  bool good = true;
  switch (node.output()->type()->kind()) {
  case TypeKind::Int: good = value && value->isInt(); break;
  case TypeKind::Float: good = value && value->isDouble(); break;
  case TypeKind::Bool: good = value && value->isBool(); break;
  case TypeKind::String: good = value && value->isString(); break;
  default: break;
  }
  if (!good)
    fail(diags.report(node.range(), diag::ConstantOfOtherType, node.output()->type()->str()));
}

void Verifier::verifyNode(const Node &node) {
  if (!verifyShape(node))
    return;
  switch (node.kind().id()) {
  case SymbolId::prim_If: return verifyIf(node);
  case SymbolId::prim_Loop: return verifyLoop(node);
  case SymbolId::prim_TupleUnpack: return verifyTupleUnpack(node);
  case SymbolId::prim_Constant: return verifyConstant(node);
  case SymbolId::prim_ListConstruct:
  case SymbolId::prim_DictConstruct: return verifyContainer(node);
  case SymbolId::prim_TracedAttr: return verifyTracedAttr(node);
  case SymbolId::prim_TracedModuleForward: return verifyTracedModuleForward(node);
  case SymbolId::prim_TracedFork: return verifyTracedFork(node);
  case SymbolId::prim_fork:
  case SymbolId::prim_awaitable: return verifyFork(node);
  case SymbolId::prim_profile:
  case SymbolId::prim_profile_ivalue: return verifyProfile(node);
  case SymbolId::prim_Guard:
    if (expectInputs(node, 1))
      verifyGuard(node);
    return;
  case SymbolId::prim_BailOut: return verifyBailOut(node);
  case SymbolId::prim_BailoutTemplate: return verifyBailoutTemplate(node);
  default: return node.hasAttribute(attr::Subgraph) ? verifyGroup(node) : verifyOperator(node);
  }
}

void Verifier::verifyUses(const Node &user, bool isReturn) {
  for (const Value *input : user.inputs()) {
    ++usesSeen[input];
    if (inScope.contains(input))
      continue;
    if (isReturn)
      fail(diags.report(user.range(), diag::ReturnNotDominated, input->displayName()));
    else
      fail(diags.report(user.range(), diag::NotDominated, input->displayName(), user.kindName()));
  }
}

std::vector<const Value *> Verifier::verifyBlock(const Block &block) {
  std::vector<const Value *> defined;
  inScope.insert(block.inputs().begin(), block.inputs().end());
  for (const Node &node : block.nodes()) {
    verifyUses(node, /*isReturn=*/false);
    for (const Block &inner : node.blocks()) {
      std::vector<const Value *> innerDefined = verifyBlock(inner);
      if (node.kind() != prim::TracedModuleForward) {
        leaveScope(innerDefined);
        continue;
      }
      // The block of a traced call says where its nodes come from. It runs exactly once, and what it computes may be
      // used behind it, until defs-dominate-uses has made results of that.
      if (defined.size() < innerDefined.size()) // calls nest, and the longer list is not copied
        std::swap(defined, innerDefined);
      llvm::append_range(defined, innerDefined);
    }
    verifyNode(node);
    for (const Value *output : node.outputs()) {
      inScope.insert(output);
      defined.push_back(output);
    }
  }
  verifyUses(block.returnNode(), /*isReturn=*/true);
  leaveScope(block.inputs());
  return defined;
}

llvm::LogicalResult tsc::verify(const Graph &graph, DiagnosticEngine &diags) { return Verifier(graph, diags).run(); }
