//===- TracedCalls.cpp - Lifted calls of a trace as methods or nodes ------===//
//
// The tracer of graphs makes a graph of each call of a module's method, under the name of
// the method. A program that calls the method elsewhere, as it is written, goes on doing
// so: the trace holds for calls of one kind only.
//
//===----------------------------------------------------------------------===//
#include "../NodeEquality.h"
#include "Traces.h"
#include "tsc/IR/ClassType.h"
#include "tsc/IR/Function.h"
#include "tsc/Transforms/Inlining.h"
#include "tsc/Transforms/Subgraph.h"
#include "tsc/Transforms/TracedModules.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSet.h"
using namespace tsc;

static bool isLifted(const Node &node) { return isTracedCall(node) && subgraphOf(node); }

void tsc::inlineTracedCalls(Graph &trace) {
  llvm::SmallVector<Node *> calls;
  do {
    calls.clear();
    for (Node &node : trace.nodes())
      if (isLifted(node))
        calls.push_back(&node);
    for (Node *call : calls) // calls within it are nodes of the trace then
      unmergeSubgraph(*call);
  } while (!calls.empty());
}

/// Returns the method that was called, as the program has it.
static Function &calledMethod(const Node &call) {
  Function *method = llvm::cast<ClassType>(call.input(0)->type())->findMethod(call.get<std::string>(attr::name));
  assert(method && "the call ran");
  return *method;
}

namespace {

/// What the traced calls of one method have in common.
struct CallsOfMethod {
  const Graph *first = nullptr; ///< The trace of one of them.
  bool differ = false;          ///< Whether another one is not equal to it.
  llvm::StringSet<> modules;    ///< The paths of the modules whose method was called.
};

class TracedCallMaker {
public:
  TracedCallMaker(const Function &entry, CompilationUnit &unit) : entry(entry), unit(unit) {}
  /// Finds out which methods only traced calls call.
  void findReplaceable(Graph &trace, const ObjectValue &module);
  void visit(Graph &graph);

private:
  void addTraced(const Node &call);
  void addMethodsOf(const ObjectValue &module);
  void keepWhatModulesDoAlone();
  void addWritten(Function *callee);
  void addCallees(const Node &node);
  Function &methodFor(Function &called, const Graph &graph);
  Function &addMethod(Function &called);

  const Function &entry;
  CompilationUnit &unit;
  llvm::SetVector<Function *> replaceable;
  llvm::DenseMap<const Function *, CallsOfMethod> calls;
  llvm::DenseMap<const Type *, unsigned> numModules; ///< For each class, how many modules have it.
  llvm::SetVector<Graph *> live; ///< What runs, and is no traced method. It grows while it is walked.
  /// The methods that stand for a method that was called, which have different bodies.
  llvm::DenseMap<const Function *, llvm::SmallVector<Function *, 2>> made;
};

} // namespace

void TracedCallMaker::addTraced(const Node &call) {
  Function &method = calledMethod(call);
  if (&method == &entry)
    return;
  replaceable.insert(&method);
  CallsOfMethod &known = calls[&method];
  if (!known.first)
    known.first = subgraphOf(call);
  known.differ |= !areSameGraph(*known.first, *subgraphOf(call));
  known.modules.insert(call.get<std::string>(attr::scope));
}

/// Adds the bodies of the methods of all modules at or below `module`, but for those that are replaced.
void TracedCallMaker::addMethodsOf(const ObjectValue &module) {
  llvm::SetVector<const ObjectValue *> modules; // grows while it is walked
  modules.insert(&module);
  for (size_t i = 0; i != modules.size(); ++i) {
    ++numModules[modules[i]->type];
    for (Function *method : modules[i]->type->methods())
      if (!replaceable.contains(method))
        addWritten(method);
    for (const IValue &slot : modules[i]->slots)
      if (isModuleObject(slot))
        modules.insert(&slot.toObject());
  }
}

/// Keeps the methods of classes that several modules have, unless all of these ran the same nodes: whoever calls such a
/// module alone, in an archive, does not get what another one ran.
void TracedCallMaker::keepWhatModulesDoAlone() {
  for (Function *method : replaceable.takeVector()) {
    const unsigned number = numModules.lookup(method->schema().arguments()[0].type);
    const CallsOfMethod &known = calls.find(method)->second;
    if (number > 1 && (known.differ || known.modules.size() < number))
      addWritten(method);
    else
      replaceable.insert(method);
  }
}

/// Notes that a function runs as it is written.
void TracedCallMaker::addWritten(Function *callee) {
  if (!callee || callee == &entry) // whose body is the trace
    return;
  replaceable.remove(callee);
  if (succeeded(callee->ensureDefined()) && callee->graph())
    live.insert(callee->graph());
}

void TracedCallMaker::addCallees(const Node &node) {
  if (Function *callee = calleeOf(node))
    return addWritten(callee);
  const auto *type = node.numInputs() ? llvm::dyn_cast<ClassType>(node.input(0)->type()) : nullptr;
  if (type && (node.kind() == prim::Enter || node.kind() == prim::Exit))
    return addWritten(type->findMethod(node.kind() == prim::Enter ? "__enter__" : "__exit__"));
  if (node.kind() != prim::CallMethod && node.kind() != prim::InterfaceCall)
    return;
  const std::string &name = node.get<std::string>(attr::name); // of an interface: any class may have the method
  for (Function *method : replaceable.takeVector())
    if (method->name() == name)
      addWritten(method);
    else
      replaceable.insert(method);
}

void TracedCallMaker::findReplaceable(Graph &trace, const ObjectValue &module) {
  walkWithSubgraphs(trace, [&](Node &node) {
    if (isLifted(node))
      addTraced(node);
  });
  live.insert(&trace);
  addMethodsOf(module);
  keepWhatModulesDoAlone();
  for (size_t i = 0; i != live.size(); ++i)
    walkWithSubgraphs(*live[i], [&](Node &node) { addCallees(node); });
}

/// Adds a method beside the one that was called: `forward1` for `forward`.
Function &TracedCallMaker::addMethod(Function &called) {
  // Types are constant once a program runs, and its owner, who traces it, adds methods to its classes.
  auto &type = const_cast<ClassType &>(*llvm::cast<ClassType>(called.schema().arguments()[0].type));
  std::string name;
  for (unsigned number = 1;; ++number) {
    name = called.name().str() + llvm::utostr(number);
    if (!type.findMethod(name) && !type.hasAttribute(name) && !type.hasConstant(name) &&
        !unit.find((type.name() + "." + name).str()))
      break;
  }
  Function &method = *unit.create((type.name() + "." + name).str());
  method.setSchema(FunctionSchema(name, "", called.schema().arguments().vec(), called.schema().returns().vec()));
  type.addMethod(&method);
  return method;
}

Function &TracedCallMaker::methodFor(Function &called, const Graph &graph) {
  llvm::SmallVector<Function *, 2> &known = made[&called];
  for (Function *method : known)
    if (areSameGraph(*method->graph(), graph))
      return *method;
  Function &method = known.empty() && replaceable.contains(&called) ? called : addMethod(called);
  method.setGraph(graph.clone());
  known.push_back(&method);
  return method;
}

/// Replaces the traced calls of a graph, inner ones first, so that equal graphs call equal methods.
void TracedCallMaker::visit(Graph &graph) {
  for (Node &node : graph.nodes()) {
    if (!isLifted(node))
      continue;
    visit(*subgraphOf(node));
    const Function &method = methodFor(calledMethod(node), *subgraphOf(node));
    node.setKind(prim::CallMethod);
    node.setAttribute(attr::name, method.name().str());
    node.removeAttribute(attr::scope);
    node.removeAttribute(attr::Subgraph);
  }
}

void tsc::makeTracedMethods(Graph &trace, const Function &entry, const ObjectValue &module, CompilationUnit &unit) {
  TracedCallMaker maker(entry, unit);
  maker.findReplaceable(trace, module);
  maker.visit(trace);
}
