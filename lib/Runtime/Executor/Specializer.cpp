//===- Specializer.cpp - Code for the arguments that calls have -----------===//
#include "Specializer.h"
#include "tsc/Autodiff/Passes.h"
#include "tsc/IR/Context.h"
#include "tsc/IR/Graph.h"
#include "tsc/IR/OpViews.h"
#include "tsc/Support/Trace.h"
#include "tsc/Tensor/DefaultDType.h"
#include "tsc/Transforms/Passes/Calls.h"
#include "tsc/Transforms/Passes/Types.h"
#include "llvm/ADT/STLExtras.h"

using namespace tsc;

static Executable::Traits traitsOf(const Code &code) {
  return {code.mayDraw(),       code.asksForGradients(),
          code.tracksEffects(), code.hasDifferentiableGraphs(),
          code.accelerator(),   code.number()};
}
InterpretedCode::InterpretedCode(const Code &code) : Executable(traitsOf(code)), code(code) {}

void FunctionPlans::markWeights(llvm::ArrayRef<IValue> args) {
  if (args.empty() || !args[0].isObject())
    return;
  const void *module = &args[0].toObject();
  auto findPlace = [&]() -> std::atomic<const void *> * {
    for (std::atomic<const void *> &place : marked) {
      const void *known = place.load(std::memory_order_acquire);
      if (known == module)
        return nullptr;
      if (!known)
        return &place;
    }
    return nullptr;
  };
  if (!findPlace()) [[likely]]
    return;
  std::lock_guard lock(marking);
  std::atomic<const void *> *place = findPlace();
  if (!place)
    return;
  if (tsc::markWeights(args))
    hasLayers.store(true, std::memory_order_relaxed);
  place->store(module, std::memory_order_release);
}

//===----------------------------------------------------------------------===//
// Finding plans
//===----------------------------------------------------------------------===//

Specializer::Specializer(CodeCache &plans, const TierPolicy &policy, Options options)
    : plans(plans), policy(policy), options(std::move(options)), worker("plans", this->options.trace) {
  plans.trackEffects();
}
Specializer::~Specializer() = default;

/// The code of a plan. Where it is not there, the plan may be one that waits since the process was forked.
const Executable *Specializer::orWake(const Executable *code) {
  if (!code)
    worker.wakeAfterFork();
  return code;
}

StatusOr<const Executable *> Specializer::plan(FunctionPlans &of, const Graph &graph, llvm::StringRef name,
                                               llvm::ArrayRef<IValue> args, bool gradMode) {
  ArgumentSpecs specs(args, gradMode);
  const Executable *code = nullptr;
  // The code is loaded once: a plan that gets its code behind this look relies on facts that were not compared.
  auto isFor = [&](const FunctionPlan &plan) {
    if (!specs.match(plan.spec))
      return false;
    code = plan.code.load(std::memory_order_acquire);
    return !code || llvm::all_of(plan.facts, [&](const AttributeFact &fact) { return fact.holds(args); });
  };
  if (of.plans.find(isFor)) {
    of.markWeights(args);
    return orWake(code);
  }
  if (of.isGeneral.load(std::memory_order_acquire)) {
    of.markWeights(args);
    return orWake(of.general.load(std::memory_order_acquire));
  }

  // There is none: under the lock it is looked for again, and asked for.
  enum class Outcome { Found, General, Nothing, Requested } outcome = Outcome::Found;
  Request request{&of, nullptr, &graph, name.str(), {}, defaultDType(), false, {}, {}, nullptr};
  request.plan = of.plans.findOrAdd(isFor, [&](size_t size) -> std::unique_ptr<FunctionPlan> {
    outcome = Outcome::General;
    if (of.isGeneral.load(std::memory_order_relaxed)) // it is stored under this lock
      return nullptr;
    outcome = Outcome::Nothing;
    if (++of.calls > policy.callsBefore())
      of.markWeights(args);
    const TierPolicy::Next next = policy.next(of.calls, size);
    if (next == TierPolicy::Next::Nothing)
      return nullptr;
    outcome = Outcome::Requested;
    if (next == TierPolicy::Next::PlanForArguments)
      return askForPlan(request, specs, args, gradMode);
    of.isGeneral.store(true, std::memory_order_release);
    return nullptr;
  });
  switch (outcome) {
  case Outcome::Found: of.markWeights(args); return orWake(code);
  case Outcome::General: of.markWeights(args); return orWake(of.general.load(std::memory_order_acquire));
  case Outcome::Nothing: return nullptr;
  case Outcome::Requested: break;
  }
  if (policy.waitsForPlans())
    return make(request);
  // What does not compile, or finds no thread, runs as baseline code from now on.
  (void)worker.post([this, request = std::move(request)] { (void)make(request); });
  return nullptr;
}

/// Notes what a plan for these arguments is made with, and returns the plan, which has no code yet. The lock of the
/// function's plans is held.
std::unique_ptr<FunctionPlan> Specializer::askForPlan(Request &request, ArgumentSpecs &specs,
                                                      llvm::ArrayRef<IValue> args, bool gradMode) const {
  const FunctionPlans &of = *request.of;
  const Graph &graph = *request.graph;
  const bool usesSizes = options.usesSizes && options.usesSizes();
  // The second plan that differs in sizes alone is for all of them.
  const bool varies = usesSizes && of.plans.find([&](const FunctionPlan &plan) {
    return plan.like == specs.of(SizeDetail::None);
  }) != nullptr;
  const SizeDetail detail = TierPolicy::detail(usesSizes, varies);
  SizeFacts sizes(detail);
  const bool knowsValues = detail != SizeDetail::None && asksForGradients(graph);
  request.asksForGradients = knowsValues;
  for (auto [input, value] : llvm::zip(graph.inputs(), args)) {
    const Type *declared = withoutTensorFacts(graph.context(), input->type());
    request.types.push_back(specializedType(graph.context(), declared, value, gradMode, sizes));
    request.flags.push_back(knowsValues && value.isBool() ? std::optional(value.toBool()) : std::nullopt);
    auto &entries = request.entries.emplace_back();
    if (hasKnownEntries(value))
      value.toDict().forEach([&](const IValue &key, const IValue &entry) {
        const Type *type = typeOfTensor(graph.context(), entry.asTensor(), gradMode, sizes);
        if (knowsValues)
          entries.emplace_back(key.toString(), type);
      });
  }
  if (knowsValues || (options.knowsLayers && of.hasLayers.load(std::memory_order_relaxed)))
    request.attributes = std::make_shared<const AttributeSnapshot>(args);
  return std::unique_ptr<FunctionPlan>(
      new FunctionPlan{specs.of(detail),
                       detail == SizeDetail::Exact ? std::optional(specs.of(SizeDetail::None)) : std::nullopt,
                       {},
                       nullptr,
                       nullptr});
}

//===----------------------------------------------------------------------===//
// Making plans
//===----------------------------------------------------------------------===//

/// Writes what is known of values into the graph of a plan.
std::vector<AttributeFact> Specializer::tellValues(Graph &graph, const Request &request) {
  for (auto [input, entries] : llvm::zip(graph.inputs(), request.entries))
    if (const auto *dict = dyn_cast<DictType>(input->type());
        dict && dict->key()->kind() == TypeKind::String && dict->value()->isTensor())
      readEntries(graph, input, entries);
  for (auto [input, flag] : llvm::zip(graph.inputs(), request.flags))
    if (flag && input->hasUses() && input->type()->isBool()) {
      Node *constant = graph.createConstant(IValue(*flag));
      graph.block().prepend(constant);
      input->replaceAllUsesWith(constant->output());
    }
  if (!request.attributes)
    return {};
  AnalysisManager analyses;
  Inline inlining;
  PassOptions options;
  options["erase-unused"] = "true";
  if (!inlining.configure(options).ok())
    return {};
  inlining.run(graph, analyses);
  bool hasLayers = false;
  graph.walk([&](const Node &node) { hasLayers |= node.opKind() == OpKind::Aten_conv2d; });
  return request.asksForGradients || hasLayers ? request.attributes->apply(graph) : std::vector<AttributeFact>();
}

/// Lets calls run the code: whoever loads the pointer sees the code, and the facts that were written before.
static const Executable *publish(std::atomic<const Executable *> &at, std::unique_ptr<const Executable> &owner,
                                 const Code &code) {
  owner = std::make_unique<InterpretedCode>(code);
  at.store(owner.get(), std::memory_order_release);
  return owner.get();
}

StatusOr<const Executable *> Specializer::make(const Request &request) {
  TraceScope span(options.trace, "plan", request.name);
  const DefaultDTypeScope dtypes(request.defaultDType); // what is folded, and what types tell, depends on it
  std::unique_ptr<Graph> copy = request.graph->clone();
  eraseTensorFacts(*copy); // what the graph claims; the types of the arguments are known
  for (auto [input, type] : llvm::zip(copy->inputs(), request.types))
    input->setType(type);
  std::vector<AttributeFact> facts = tellValues(*copy, request);
  TSC_ASSIGN_OR_RETURN(const Code *code, plans.add(std::move(copy), request.name));
  if (!request.plan)
    return publish(request.of->general, request.of->generalMade, *code);
  request.plan->facts = std::move(facts);
  return publish(request.plan->code, request.plan->made, *code);
}
