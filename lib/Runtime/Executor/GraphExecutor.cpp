//===- GraphExecutor.cpp - Runs the functions of a program ----------------===//
#include "tsc/Runtime/Executor/GraphExecutor.h"
#include "DifferentiableRunner.h"
#include "Profiler.h"
#include "Specializer.h"
#include "tsc/IR/Function.h"
#include "tsc/IR/Graph.h"
#include "tsc/Runtime/Dispatch/Accelerator.h"
#include "tsc/Runtime/Dispatch/CallContext.h"
#include "tsc/Runtime/Tape/Tape.h"
#include "tsc/Support/AddressTable.h"
#include "tsc/Tensor/DefaultDType.h"
#include "tsc/Tensor/Generator.h"
#include "tsc/Transforms/Passes/Types.h"
#include "llvm/ADT/ScopeExit.h"
#include "llvm/Support/SaveAndRestore.h"
#include <utility>

using namespace tsc;

namespace {

/// What a call calls: a function, or a graph that is no function's.
struct Callee {
  const void *key; ///< The address by which it is known.
  const Graph &graph;
  llvm::StringRef name;
  Function *function; ///< Null for a graph.
};

/// The executables of one function.
///
/// Threads: several may make the baseline's at once. The first that stores the pointer, with release, has made it; all
///          load it with acquire.
struct FunctionTiers {
  explicit FunctionTiers(const TierPolicy &policy) {
    if (!policy.makesPlans())
      return;
    plans = std::make_unique<FunctionPlans>(policy.maxPlans());
    tapedPlans = std::make_unique<FunctionPlans>(policy.maxPlans());
  }
  ~FunctionTiers() { delete baseline.load(std::memory_order_relaxed); }
  std::atomic<const Executable *> baseline{nullptr}; ///< Null until the first call that runs it; owned.
  std::unique_ptr<FunctionPlans> plans, tapedPlans;  ///< Null where no plans are made.
  ProfiledFunction profiled;                         ///< Used where calls are profiled.
};

/// What a call may have changed before it failed, besides what others can see.
class CallState {
public:
  CallState(CallContext &context, const Executable &code)
      : context(context), gradMode(context.gradMode), wasObserved(context.isObserved) {
    context.isObserved = false;
    if (code.traits().mayDraw)
      generator = context.generator();
  }
  ~CallState() { context.isObserved |= wasObserved; }
  void restore() {
    context.gradMode = gradMode;
    if (generator)
      context.generator() = *generator;
  }

private:
  CallContext &context;
  const bool gradMode, wasObserved;
  std::optional<Generator> generator;
};

} // namespace

static void collectTensors(llvm::ArrayRef<IValue> values, llvm::SmallVectorImpl<const Tensor *> &into) {
  for (const IValue &value : values)
    if (value.isTuple())
      collectTensors(value.toTuple().elements, into);
    else if (value.isDict())
      value.toDict().forEach([&](const IValue &, const IValue &entry) { collectTensors(entry, into); });
    else if (value.isTensor())
      into.push_back(&value.asTensor());
}

/// Whether one tensor is given twice.
static bool haveDuplicates(llvm::ArrayRef<IValue> values) {
  llvm::SmallVector<const Tensor *, 16> tensors;
  collectTensors(values, tensors);
  for (auto *at = tensors.begin(); at != tensors.end(); ++at)
    if ((*at)->defined() &&
        std::any_of(at + 1, tensors.end(), [&](const Tensor *other) { return other->isSameAs(**at); }))
      return true;
  return false;
}

/// Runs code as a call that devices may know again.
static Status runFollowed(const Executable &code, CallContext &context, llvm::MutableArrayRef<IValue> args,
                          std::vector<IValue> &results) {
  Accelerator *accelerator = code.traits().accelerator;
  if (!accelerator || !accelerator->isUsed()) [[likely]]
    return code.run(context, args, results);
  accelerator->beginCall(code.traits().number, context.trace);
  Status status = code.run(context, args, results);
  Status ended = accelerator->endCall();
  return status.ok() ? std::move(ended) : std::move(status);
}

//===----------------------------------------------------------------------===//
// How it is put together
//===----------------------------------------------------------------------===//

/// Members stand in the order in which they need each other. The specializers, whose threads use all others, go first.
struct GraphExecutor::Impl {
  explicit Impl(GraphExecutorOptions options);
  void specialize();
  /// Returns the executor for calls whose thread has another default dtype: what plans fold, and what their types tell,
  /// depends on it.
  Impl &forDefaultDType(DType dtype);

  Status callAsOne(const Callee &callee, CallContext &context, llvm::MutableArrayRef<IValue> args,
                   std::vector<IValue> &results);
  Status call(const Callee &callee, CallContext &context, llvm::MutableArrayRef<IValue> args,
              std::vector<IValue> &results);
  Status callProfiled(const Callee &callee, FunctionTiers &tiers, const Profiler::Choice &choice, CallContext &context,
                      llvm::MutableArrayRef<IValue> args, std::vector<IValue> &results);
  StatusOr<const Executable *> baselineOf(const Callee &callee, FunctionTiers &tiers);
  StatusOr<const Executable *> writtenOf(const Callee &callee);
  FunctionTiers &tiersOf(const Callee &callee) {
    if (FunctionTiers *known = functions.find(callee.key)) [[likely]]
      return *known;
    installGradientServices(callee.graph.context());
    return functions.findOrMake(callee.key, policy);
  }

  const GraphExecutorOptions options;
  const TierPolicy policy;
  /// Whether the program asks for gradients, or may. It is a hint for calls to come, and orders nothing: relaxed.
  std::atomic<bool> expectsGradients{false};
  std::unique_ptr<GraphExecutor> written; ///< Null where this one runs all as it is written.
  CodeCache baseline;
  /// The code of plans, of functions that they call, and of graphs that a tape records as one.
  std::unique_ptr<CodeCache> plans;
  std::unique_ptr<CodeCache> tapedPlans;
  AddressTable<FunctionTiers> functions;
  std::unique_ptr<Profiler> profiler;                 ///< Null where calls are not profiled.
  std::unique_ptr<Specializer> planner, tapedPlanner; ///< Null where no plans are made, and where no taped ones are.
  Impl *home = this; ///< The executor that this one was made for, which knows whether gradients are expected.
  /// Executors for other default dtypes, by their numbers; null where no call has asked for one. Each is stored with
  /// release when it is made, under the lock, and loaded with acquire.
  std::array<std::atomic<Impl *>, static_cast<size_t>(DType::Opaque)> others{};
  std::vector<std::unique_ptr<Impl>> ownedOthers;
  std::mutex makingOthers;
};

GraphExecutor::Impl::Impl(GraphExecutorOptions chosen) : options(std::move(chosen)), policy(options.tiers) {
  baseline.setFusers(options.fusers);
  if (options.profiles)
    profiler = std::make_unique<Profiler>(options);
  if (policy.makesPlans()) {
    specialize();
    return;
  }
  // Functions are optimized before their first call.
  if (options.prepare)
    baseline.setPreparation([this](Graph &graph) {
      eraseTensorFacts(graph); // no argument is compared with what the graph claims
      return options.prepare(graph);
    });
  if (options.onCode)
    baseline.setObserver(options.onCode);
  if (policy.isOptimized())
    baseline.trackEffects();
}

/// First calls run the code as it is, at once, and later ones too until their plans are there.
void GraphExecutor::Impl::specialize() {
  auto prepare = [this](CodeCache &codes, const CodeCache::Preparation &preparation) {
    if (preparation)
      codes.setPreparation(preparation);
    if (options.onCode)
      codes.setObserver(options.onCode);
  };
  auto usesSizes = [this] { return home->expectsGradients.load(std::memory_order_relaxed); };
  plans = std::make_unique<CodeCache>();
  plans->setFusers(options.fusers);
  prepare(*plans, options.prepare);
  planner = std::make_unique<Specializer>(*plans, policy,
                                          Specializer::Options{options.knowsLayers, options.trace, usesSizes});
  if (!options.prepareForTape)
    return;
  tapedPlans = std::make_unique<CodeCache>();
  prepare(*tapedPlans, options.prepareForTape);
  tapedPlans->makeForTape([this](const Graph &graph) {
    return std::make_unique<DifferentiableRunner>(graph, *plans, policy.callsBefore());
  });
  // A tape records operators that have gradients, which rely on nothing that modules hold.
  tapedPlanner = std::make_unique<Specializer>(*tapedPlans, policy,
                                               Specializer::Options{/*knowsLayers=*/false, options.trace, usesSizes});
}

GraphExecutor::Impl &GraphExecutor::Impl::forDefaultDType(DType dtype) {
  std::atomic<Impl *> &known = others[static_cast<size_t>(dtype)];
  if (Impl *made = known.load(std::memory_order_acquire)) [[likely]]
    return *made;
  std::lock_guard lock(makingOthers);
  if (Impl *made = known.load(std::memory_order_relaxed)) // another thread was faster
    return *made;
  ownedOthers.push_back(std::make_unique<Impl>(options));
  Impl &made = *ownedOthers.back();
  made.home = this;
  made.written = std::make_unique<GraphExecutor>();
  known.store(&made, std::memory_order_release);
  return made;
}

GraphExecutor::GraphExecutor() : impl(std::make_unique<Impl>(GraphExecutorOptions())) {}
GraphExecutor::GraphExecutor(GraphExecutorOptions options) : impl(std::make_unique<Impl>(std::move(options))) {
  impl->written = std::make_unique<GraphExecutor>();
}
GraphExecutor::~GraphExecutor() = default;

const TierPolicy &GraphExecutor::policy() const { return impl->policy; }
const GraphExecutor &GraphExecutor::asWritten() const { return impl->written ? *impl->written : *this; }
const GraphExecutor &GraphExecutor::whereHostsRecord() const {
  const HostChoice choice = impl->policy.chooseForHost(/*isRecorded=*/true, expectsGradients());
  return choice.isAsWritten ? asWritten() : *this;
}
CodeCache &GraphExecutor::baseline() const { return impl->baseline; }
void GraphExecutor::expectGradients(bool expected) const {
  impl->expectsGradients.store(expected, std::memory_order_relaxed);
}
bool GraphExecutor::expectsGradients() const { return impl->expectsGradients.load(std::memory_order_relaxed); }
void GraphExecutor::keepAlive(std::shared_ptr<const void> owner) const { impl->baseline.keepAlive(std::move(owner)); }

void GraphExecutor::finishCompiling() const {
  llvm::SmallVector<Impl *, 2> all{impl.get()};
  for (std::atomic<Impl *> &other : impl->others)
    if (Impl *made = other.load(std::memory_order_acquire))
      all.push_back(made);
  for (Impl *one : all)
    for (Specializer *specializer : {one->planner.get(), one->tapedPlanner.get()})
      if (specializer)
        specializer->finish();
}

void GraphExecutor::noteModuleChange() const {
  if (impl->options.onModuleChange)
    impl->options.onModuleChange();
}

//===----------------------------------------------------------------------===//
// Code
//===----------------------------------------------------------------------===//

StatusOr<const Executable *> GraphExecutor::Impl::baselineOf(const Callee &callee, FunctionTiers &tiers) {
  if (const Executable *known = tiers.baseline.load(std::memory_order_acquire)) [[likely]]
    return known;
  TSC_ASSIGN_OR_RETURN(const Code *code,
                       callee.function ? baseline.get(*callee.function) : baseline.get(callee.graph, callee.name));
  auto made = std::make_unique<InterpretedCode>(*code);
  const Executable *known = nullptr;
  if (!tiers.baseline.compare_exchange_strong(known, made.get(), std::memory_order_release, std::memory_order_acquire))
    return known; // another thread was faster
  return made.release();
}

StatusOr<const Executable *> GraphExecutor::Impl::writtenOf(const Callee &callee) {
  Impl &executor = *written->impl;
  return executor.baselineOf(callee, executor.tiersOf(callee));
}

//===----------------------------------------------------------------------===//
// Calls
//===----------------------------------------------------------------------===//

/// Lets the context's observer take a call whole.
Status GraphExecutor::Impl::callAsOne(const Callee &callee, CallContext &context, llvm::MutableArrayRef<IValue> args,
                                      std::vector<IValue> &results) {
  if (!callee.function)
    return unimplemented("'" + callee.name + "' is a graph and no function, so that no trace can hold a call of it");
  return context.observer->runCall(context, *callee.function, args, results,
                                   [&](CallContext &in) { return call(callee, in, args, results); });
}

Status GraphExecutor::Impl::call(const Callee &callee, CallContext &context, llvm::MutableArrayRef<IValue> args,
                                 std::vector<IValue> &results) {
  // Code that runs as it is written is the same for every default dtype.
  if (const DType dtype = defaultDType(); dtype != DType::Float && home == this && options.prepare) [[unlikely]]
    return forDefaultDType(dtype).call(callee, context, args, results);
  CallContext::MemoryScope counting(context);
  FunctionTiers &tiers = tiersOf(callee);
  OperatorObserver *const observer = context.observer;
  if (profiler && !observer)
    if (const Profiler::Choice choice = profiler->choose(tiers.profiled, callee.graph, callee.name); choice.code)
      return callProfiled(callee, tiers, choice, context, args, results);
  const Executable *plan = nullptr, *tapedPlan = nullptr;
  CallSituation situation;
  if (observer) [[unlikely]] {
    if (observer->takesCalls())
      return callAsOne(callee, context, args, results);
    situation.isRecorded = true;
  }
  situation.gradMode = context.gradMode;
  if (planner) {
    TSC_ASSIGN_OR_RETURN(plan, planner->plan(*tiers.plans, callee.graph, callee.name, args, context.gradMode));
    situation.hasPlan = plan != nullptr;
  }
  if (plan && observer) [[unlikely]] {
    situation.planAsksForGradients = plan->traits().asksForGradients;
    situation.hasDuplicates = !situation.planAsksForGradients && context.gradMode && haveDuplicates(args);
    if (TierPolicy::leavesGradientsToTape(situation) && tapedPlanner) {
      StatusOr<const Executable *> found =
          tapedPlanner->plan(*tiers.tapedPlans, callee.graph, callee.name, args, context.gradMode);
      tapedPlan = found.ok() ? *found : nullptr;
      situation.hasTapedPlan = tapedPlan && tapedPlan->traits().hasDifferentiableGraphs;
    }
  }

  const TierChoice choice = policy.choose(situation);
  llvm::SaveAndRestore<OperatorObserver *> observing(context.observer, choice.isRecorded ? observer : nullptr);
  const Executable *code = choice.tier == Tier::Plan ? plan : choice.tier == Tier::TapedPlan ? tapedPlan : nullptr;
  if (!code) {
    TSC_ASSIGN_OR_RETURN(code, baselineOf(callee, tiers));
  }
  assert((!choice.repeats || code->traits().tracksEffects) && "nobody could tell whether the call may be repeated");
  if (!choice.repeats)
    return runFollowed(*code, context, args, results);

  CallState before(context, *code);
  llvm::SmallVector<IValue, 8> kept(args.begin(), args.end());
  Status status = runFollowed(*code, context, args, results);
  if (status.ok() || !TierPolicy::repeats(status, context.isObserved)) [[likely]]
    return status;
  before.restore();
  context.observer = observer;
  TSC_ASSIGN_OR_RETURN(code, *choice.repeats == Tier::Written ? writtenOf(callee) : baselineOf(callee, tiers));
  return code->run(context, kept, results);
}

/// Makes a call that no tape records, with code that the profiler has chosen. Where that fails, plain code repeats it,
/// as a plan's call, unless somebody has seen an effect of it.
Status GraphExecutor::Impl::callProfiled(const Callee &callee, FunctionTiers &tiers, const Profiler::Choice &choice,
                                         CallContext &context, llvm::MutableArrayRef<IValue> args,
                                         std::vector<IValue> &results) {
  CallState before(context, *choice.code);
  llvm::SmallVector<IValue, 8> kept(args.begin(), args.end());
  // Guards of calls within this one, which host operators make, are no reason to make other code for this function.
  uint64_t failed = std::exchange(context.guardFailures, 0), forced = std::exchange(context.forcedFailures, 0);
  auto abandoning = llvm::make_scope_exit([&] { profiler->abandon(tiers.profiled, choice); });
  Status status;
  {
    llvm::SaveAndRestore<ProfileObserver *> observing(context.profile, choice.profile.get());
    status = runFollowed(*choice.code, context, args, results);
  }
  std::swap(failed, context.guardFailures);
  std::swap(forced, context.forcedFailures);
  profiler->finish(tiers.profiled, callee.name, choice, status.ok(), failed, forced);
  abandoning.release();
  if (status.ok() || !TierPolicy::repeats(status, context.isObserved)) [[likely]]
    return status;
  before.restore();
  TSC_ASSIGN_OR_RETURN(const Executable *plain, baselineOf(callee, tiers));
  return plain->run(context, kept, results);
}

Status GraphExecutor::call(Function &function, CallContext &context, llvm::MutableArrayRef<IValue> args,
                           std::vector<IValue> &results) const {
  if (failed(function.ensureDefined()) || !function.graph())
    return impl->baseline.get(function).status();
  return impl->call({&function, *function.graph(), function.qualifiedName(), &function}, context, args, results);
}

Status GraphExecutor::call(const Graph &graph, llvm::StringRef name, CallContext &context,
                           llvm::MutableArrayRef<IValue> args, std::vector<IValue> &results) const {
  return impl->call({&graph, graph, name, nullptr}, context, args, results);
}

StatusOr<IValue> GraphExecutor::callForHost(CallContext &context, bool mayRepeat, HostCall call) const {
  const HostChoice first = impl->policy.chooseForHost(context.observer != nullptr, expectsGradients());
  auto callWith = [&](const HostChoice &choice, bool isLast) {
    const GraphExecutor &through = choice.isAsWritten ? asWritten() : *this;
    if (!choice.makesTape) [[likely]]
      return call(through, isLast);
    Tape tape(context.context());
    llvm::SaveAndRestore<OperatorObserver *> observing(context.observer, &tape);
    return call(through, isLast);
  };
  mayRepeat &= !first.makesTape && !context.observer;
  StatusOr<IValue> result = callWith(first, !mayRepeat);
  if (!mayRepeat || result.ok() || !TierPolicy::repeatsWithTape(result.status(), context.isObserved)) [[likely]]
    return result;
  expectGradients();
  return callWith(impl->policy.chooseForHost(/*isRecorded=*/false, /*expectsGradients=*/true), /*isLast=*/true);
}
