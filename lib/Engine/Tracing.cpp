//===- Tracing.cpp - Programs to traces, and traces to modules ------------===//
#include "ProgramImpl.h"
#include "StateGuard.h"
#include "tsc/Autodiff/Passes.h"
#include "tsc/IR/ClassType.h"
#include "tsc/IR/Graph.h"
#include "tsc/Runtime/Tape/Tape.h"
#include "tsc/Runtime/TraceCheck.h"
#include "tsc/Runtime/Tracer/GraphTracer.h"
#include "tsc/Support/Stack.h"
#include "tsc/Transforms/Inlining.h"
#include "tsc/Transforms/Subgraph.h"
#include "tsc/Transforms/TracedModules.h"
#include "llvm/Support/SaveAndRestore.h"

using namespace tsc;

StatusOr<const Graph *> Program::Impl::bindToTrace(CallContext &context, const Entry &entry, std::vector<IValue> &args,
                                                   const KeywordArguments &kwargs) const {
  if (entry.isScript || !entry.function)
    return unimplemented("'" + llvm::Twine(entry.entryName) +
                         "' is run as Python, which no trace follows; name a function or a method of a module");
  const Module *owner = ownerOf(entry);
  if (owner && owner->isFrozen())
    return unimplemented("a frozen module cannot be traced: trace it first, and freeze the trace");
  const Ref<ObjectValue> self = entry.target ? entry.target : owner ? owner->object() : Ref<ObjectValue>();
  if (entry.withSelf)
    return unimplemented("'" + llvm::Twine(entry.entryName) +
                         "' is a function that is given the module; trace a method of the module");
  if (entry.withHooks && !self->type->forwardHooks().empty())
    return unimplemented("the module has hooks that run around 'forward', and a trace would hold none of them; name "
                         "the method: --entry forward");
  if (failed(entry.function->ensureDefined()) || !entry.function->graph())
    return refusal(0, "'" + entry.function->qualifiedName() + "' does not compile");
  if (entry.isMethod)
    args.emplace(args.begin(), self);
  TSC_RETURN_IF_ERROR(bindArguments(context.context(), entry.function->schema(), args, kwargs));
  assert(args.size() == entry.function->graph()->inputs().size() && "one argument for each parameter");
  return entry.function->graph();
}

/// Calls `work`, with a tape where code may ask for gradients and the context has no observer. All other code runs
/// without one, as the program does: operators of which a tape records the parts round as those.
template <typename F>
static auto runWithTape(CallContext &call, const GraphExecutor &executor, const Graph &graph, F &&work) {
  const bool mayAsk = executor.expectsGradients() || asksForGradients(graph);
  if (call.observer || !mayAsk)
    return work();
  Tape tape(call.context());
  llvm::SaveAndRestore<OperatorObserver *> observing(call.observer, &tape);
  return work();
}

StatusOr<TracedGraph> Program::trace(CallContext &call, const Entry &entry, std::vector<IValue> args,
                                     KeywordArguments kwargs, const TraceOptions &options) const {
  InsideScope inside(&impl->forkDomain, &call);
  TSC_RETURN_IF_ERROR(impl->checkWhole());
  TSC_RETURN_IF_ERROR(checkStack(stackToCompile, "tracing"));
  return orMemoryError([&]() -> StatusOr<TracedGraph> {
    finishCompiling();
    TSC_ASSIGN_OR_RETURN(const Graph *graph, impl->bindToTrace(call, entry, args, kwargs));
    StateUse alone; // it may write to the module
    TSC_RETURN_IF_ERROR(impl->enterAlone(alone, call));
    llvm::SaveAndRestore<FileAccess *> lending(call.files, impl->lentFiles());
    return runWithTape(call, impl->executor, *graph, [&] {
      return traceGraph(call, *graph, entry.function->qualifiedName(), std::move(args), options);
    });
  });
}

StatusOr<TraceCheckReport> Program::checkTrace(CallContext &call, const Entry &entry, const TracedGraph &trace,
                                               std::vector<IValue> args, KeywordArguments kwargs,
                                               const TraceCheckOptions &options) const {
  InsideScope inside(&impl->forkDomain, &call);
  TSC_RETURN_IF_ERROR(impl->checkWhole());
  TSC_RETURN_IF_ERROR(checkStack(stackToCompile, "tracing"));
  return orMemoryError([&]() -> StatusOr<TraceCheckReport> {
    TSC_ASSIGN_OR_RETURN(const Graph *graph, impl->bindToTrace(call, entry, args, kwargs));
    StateUse alone;
    TSC_RETURN_IF_ERROR(impl->enterAlone(alone, call));
    llvm::SaveAndRestore<FileAccess *> lending(call.files, impl->lentFiles());
    TraceOptions again;
    again.warnsOnly = true; // so that the first node that differs is found, and not the first decision
    const TracedFunction function = tracedFunction(*graph, entry.function->qualifiedName(), again);
    return runWithTape(call, impl->executor, *graph,
                       [&] { return tsc::checkTrace(call, *trace.graph, function, args, options); });
  });
}

/// Whether a graph may be the body of a function: it takes the same inputs as the one that the function has.
static bool takesInputsOf(const Graph &graph, const Function &function) {
  return function.graph() && llvm::equal(graph.inputs(), function.graph()->inputs(),
                                         [](const Value *a, const Value *b) { return a->type() == b->type(); });
}

/// Whether a trace, or one of a call in it, calls a function as it is written.
static bool callsWritten(Graph &trace, const Function &function) {
  bool found = false;
  walkWithSubgraphs(trace, [&](Node &node) { found |= calleeOf(node) == &function; });
  return found;
}

StatusOr<IValue> Program::tracedModule(const Entry &entry, TracedGraph &&trace) {
  InsideScope inside(&impl->forkDomain);
  TSC_RETURN_IF_ERROR(impl->checkWhole());
  TSC_RETURN_IF_ERROR(checkStack(stackToCompile, "saving"));
  return orMemoryError([&]() -> StatusOr<IValue> {
    if (own)
      return invalidArgument("the methods of a fork are those of the program that it comes from: trace that one");
    if (!entry.function || !trace.graph || !takesInputsOf(*trace.graph, *entry.function))
      return invalidArgument("the trace is of another entry than '" + llvm::Twine(entry.entryName) + "'");
    if (entry.isMethod && callsWritten(*trace.graph, *entry.function))
      return invalidArgument("the trace calls '" + llvm::Twine(entry.function->qualifiedName()) +
                             "' as it is written, and cannot become its body");
    finishCompiling();
    IValue module;
    Function *traced = entry.function;
    if (entry.isMethod) {
      module = IValue(entry.target ? entry.target : impl->module->object());
      if (entry.target)
        impl->compiler.declareExported(*entry.target);
    } else {
      TSC_ASSIGN_OR_RETURN(module, impl->makePlaceholder(entry.function));
      const ClassType &type = *module.toObject().type;
      trace.graph->block().insertInput(0, &type)->setName("self");
      traced = type.findMethod("forward");
    }
    makeTracedMethods(*trace.graph, *traced, module.toObject(), impl->unit);
    traced->setGraph(std::move(trace.graph));
    impl->noteModuleChange();
    return module;
  });
}
