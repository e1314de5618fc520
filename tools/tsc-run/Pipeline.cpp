//===- Pipeline.cpp - What runs over a function before it is compiled -----===//
//
// Functions are optimized one by one, when they are first called: what a program
// does not use costs nothing. What -O0 … -O3 run is in Transforms/Pipelines.def.
//
//===----------------------------------------------------------------------===//
#include "Pipeline.h"
#include "tsc/IR/Context.h"
#include "tsc/IR/Graph.h"
#include "tsc/Runtime/KernelEvaluator.h"
#include "tsc/Runtime/TranslationValidator.h"
#include "tsc/Transforms/PassManager.h"
#include "tsc/Transforms/UnusedOperators.h"
#include "llvm/Support/raw_ostream.h"

using namespace tsc;
using namespace tsc::run;

struct Optimizer::Impl {
  Impl(Context &context, PassInstrumentation instrumentation)
      : passes(registry, std::move(instrumentation)), evaluator(context) {
    registerTransformsPasses(registry);
  }
  PassRegistry registry;
  PassManager passes;
  KernelEvaluator evaluator;
};

Optimizer::Optimizer(Context &context, const Options &options, DiagnosticEngine &diags, TraceRecorder *trace)
    : options(options), context(context), diags(diags), trace(trace) {}
Optimizer::~Optimizer() = default;

void Optimizer::validate(unsigned runs, const IValue &object) {
  validator = std::make_unique<TranslationValidator>(context, runs);
  validator->compareErrors();
  validator->useObjects(object);
}

Status Optimizer::run(Graph &graph) {
  PrintIR print = options.printIR;
  if (print == PrintIR::Frontend || print == PrintIR::All)
    graph.print(llvm::errs());
  TSC_RETURN_IF_ERROR(prepare());
  if (validator)
    eraseUnusedOperators(graph); // as each level begins: what does not run is not compared
  TSC_RETURN_IF_ERROR(impl->passes.run(graph, PassHost{&impl->evaluator, validator.get(), &diags, nullptr, trace}));
  if (print == PrintIR::Optimized || print == PrintIR::All)
    graph.print(llvm::errs());
  return okStatus();
}

/// Makes the passes when the first function arrives.
Status Optimizer::prepare() {
  if (impl)
    return okStatus();
  PassInstrumentation instrumentation;
  instrumentation.printChanged = options.printIR == PrintIR::All ? ChangePrinting::Graph : ChangePrinting::None;
  instrumentation.remarks = options.remarks;
  instrumentation.missedRemarks = options.missedRemarks;
  impl = std::make_unique<Impl>(context, std::move(instrumentation));
  const bool isFrozen = options.freeze && options.optimization >= 2;
  return impl->passes.parsePipeline("O" + std::to_string(options.optimization) + (isFrozen ? "-frozen" : ""));
}
