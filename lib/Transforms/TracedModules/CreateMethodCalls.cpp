//===- CreateMethodCalls.cpp - Traced calls as calls of methods -----------===//
//
// Purpose: makes the graph of a traced call a method of the class of its module, and calls the method instead. The
//   first call of a module becomes its method `forward`, further ones `forward1`, `forward2` and so on, since each may
//   have run other operators. A call that names another method, by its attribute `name`, has that name in the place of
//   `forward`. tsc-opt prints the methods behind the graph that they were made for, as
//   `graph @__torch__.Layer.forward(…)`.
//
// Cost:   linear.
// Limits: calls have to be lifted, with their module as input 0 and one result: convert-traced-attrs,
//   defs-dominate-uses, returns-to-tuples and lambda-lift come first.
//
// Before:
//   graph(%self : __torch__.Layer, %x : Tensor):
//     %2 : Float(2, 3) = prim::TracedModuleForward_0[scope="__module.layer"](%self, %x)
//     return (%2)
//   with prim::TracedModuleForward_0 = graph(%self : __torch__.Layer, %x : Tensor):
//     %2 : Tensor = prim::GetAttr[name="weight"](%self)
//     %3 : Float(2, 3) = aten::matmul(%x, %2)
//     return (%3)
// After:
//   graph(%self : __torch__.Layer,
//         %x : Tensor):
//     %3 : Tensor = prim::CallMethod[name="forward"](%self, %x)
//     return (%3)
//   graph @__torch__.Layer.forward(%self : __torch__.Layer,
//         %x : Tensor):
//     %2 : Tensor = prim::GetAttr[name="weight"](%self)
//     %3 : Float(2, 3) = aten::matmul(%x, %2)
//     return (%3)
//
//===----------------------------------------------------------------------===//
#include "Traces.h"
#include "tsc/IR/ClassType.h"
#include "tsc/IR/Context.h"
#include "tsc/IR/Function.h"
#include "tsc/Support/Logging.h"
#include "tsc/Support/Statistic.h"
#include "tsc/Transforms/Passes/TracedModules.h"
#include "tsc/Transforms/Subgraph.h"
#include "tsc/Transforms/TracedModules.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSet.h"
#define DEBUG_TYPE "create-method-calls"
using namespace tsc;

TSC_STATISTIC(NumMethods, "Methods made of traced calls");

/// Returns the names of a graph's inputs without their numbers, each once: those that have none are `argument_N`.
static std::vector<std::string> parameterNames(const Graph &graph) {
  std::vector<std::string> names;
  llvm::StringSet<> taken;
  for (auto [index, input] : llvm::enumerate(graph.inputs())) {
    auto [stem, suffix] = input->name().rsplit('.');
    bool isNumbered = !suffix.empty() && llvm::all_of(suffix, llvm::isDigit);
    std::string base = isNumbered ? stem.str() : input->name().str();
    if (base.empty() || base.find_first_of(".:") != std::string::npos)
      base = "argument_" + llvm::utostr(index);
    std::string name = base;
    for (unsigned number = 1; !taken.insert(name).second; ++number)
      name = base + "_" + llvm::utostr(number);
    names.push_back(std::move(name));
  }
  return names;
}

static Argument argumentOf(std::string name, const Value &value) {
  Argument argument;
  argument.name = std::move(name);
  argument.type = value.graph().context().unshaped(value.type());
  return argument;
}

Function *tsc::defineMethod(CompilationUnit &unit, ClassType &type, StringRef name, std::unique_ptr<Graph> graph) {
  assert(graph->block().numOutputs() == 1 && "a method returns one value");
  assert(!graph->inputs().empty() && graph->inputs()[0]->type() == &type && "a method's first input is its object");
  std::vector<Argument> arguments;
  for (auto [parameter, input] : llvm::zip_equal(parameterNames(*graph), graph->inputs()))
    arguments.push_back(argumentOf(parameter, *input));
  std::vector<Argument> returns{argumentOf("", *graph->block().returnNode().input(0))};
  Function *method = unit.create((type.name() + "." + name).str());
  method->setSchema(FunctionSchema(name.str(), "", std::move(arguments), std::move(returns)));
  method->setGraph(std::move(graph));
  type.addMethod(method);
  return method;
}

namespace {

class MethodMaker {
public:
  explicit MethodMaker(CompilationUnit &unit) : unit(unit) {}

  void visit(Graph &graph) {
    for (Node &node : llvm::make_early_inc_range(graph.nodes())) {
      Graph *subgraph = isTracedCall(node) || node.kind() == prim::fork ? subgraphOf(node) : nullptr;
      if (!subgraph)
        continue;
      visit(*subgraph);
      if (isTracedCall(node))
        makeCall(node, *subgraph);
    }
  }
  std::vector<Function *> made;

private:
  /// Returns the name of the method that was called, or the first of `forward1`, `forward2`, … that the class does not
  /// have.
  std::string freeMethodName(const ClassType &type, const Node &traced) {
    const std::string called = traced.hasAttribute(attr::name) ? traced.get<std::string>(attr::name) : "forward";
    for (unsigned &number = numbers[(type.name() + "." + called).str()];; ++number) {
      std::string name = called + (number ? llvm::utostr(number) : "");
      if (!type.findMethod(name) && !unit.find((type.name() + "." + name).str()))
        return name;
    }
  }

  void makeCall(Node &traced, const Graph &body) {
    // Types are constant once a program runs, and its owner, who traces it, adds methods to its classes.
    auto &type = const_cast<ClassType &>(*cast<ClassType>(traced.input(0)->type()));
    Function *method = defineMethod(unit, type, freeMethodName(type, traced), body.clone());
    made.push_back(method);
    TSC_GRAPH_UPDATE("calling " << method->qualifiedName() << " for " << traced.get<std::string>(attr::scope));
    Node *call = traced.graph().create(prim::CallMethod, traced.inputVector());
    call->setAttribute(attr::name, method->name().str());
    call->setScope(nullptr);
    call->setRange(traced.range());
    call->insertBefore(&traced);
    std::string name = traced.output()->name().str();
    traced.output()->setName("");
    call->output()->setType(method->schema().returns()[0].type)->setName(name);
    traced.output()->replaceAllUsesWith(call->output());
    traced.erase();
    ++NumMethods;
  }

  CompilationUnit &unit;
  /// The number of a method's qualified name that is looked at first, since a module may be called any number of times.
  llvm::StringMap<unsigned> numbers;
};

} // namespace

std::vector<Function *> tsc::createMethodCalls(Graph &graph, CompilationUnit &unit) {
  MethodMaker maker(unit);
  maker.visit(graph);
  return std::move(maker.made);
}

/// Returns why the calls of a trace can become no methods yet.
static Status checkCalls(Graph &graph) {
  Status status = okStatus();
  walkWithSubgraphs(graph, [&](Node &node) {
    if (!isTracedCall(node) || !status.ok())
      return;
    auto refuse = [&](const llvm::Twine &lack, const llvm::Twine &pass) {
      status = failedPrecondition("the call of '" + llvm::Twine(node.get<std::string>(attr::scope)) + "' has " + lack +
                                  ", which " + pass + " gives it");
    };
    const Graph *subgraph = subgraphOf(node);
    if (!subgraph)
      refuse("no graph", "lambda-lift");
    else if (node.numInputs() == 0)
      refuse("no module as its input", "convert-traced-attrs");
    else if (node.numOutputs() != 1)
      refuse("not one result", "returns-to-tuples");
    else if (subgraph->inputs()[0]->type() != node.input(0)->type())
      status = failedPrecondition("the graph of the call of '" + node.get<std::string>(attr::scope) +
                                  "' takes an object of another class than the call gives it");
  });
  return status;
}

PreservedAnalyses CreateMethodCalls::run(Graph &graph, AnalysisManager &) {
  if (Status status = checkCalls(graph); !status.ok())
    return PreservedAnalyses::failure(status);
  if (!isTrace(graph) || !TSC_OPT_ALLOWED)
    return PreservedAnalyses::all();
  CompilationUnit &unit = graph.context().extension<TracedMethods>().unit;
  return PreservedAnalyses::allUnless(!createMethodCalls(graph, unit).empty());
}
