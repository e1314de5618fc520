//===- Profiler.cpp - Guarded code, made of what a profile saw ------------===//
#include "Profiler.h"
#include "Specializer.h"
#include "tsc/IR/Context.h"
#include "tsc/IR/FactsOfTensor.h"
#include "tsc/IR/Function.h"
#include "tsc/IR/MeetFacts.h"
#include "tsc/Support/Trace.h"
#include "tsc/Transforms/Inlining.h"
#include "tsc/Transforms/Passes/Calls.h"
#include "tsc/Transforms/Passes/Profiling.h"
#include "tsc/Transforms/Passes/Types.h"
#include "tsc/Transforms/ShapeRuleCompiler.h"
#include "tsc/Transforms/Subgraph.h"
#include "tsc/Transforms/UnusedOperators.h"
#include "llvm/ADT/ScopeExit.h"

using namespace tsc;

//===----------------------------------------------------------------------===//
// Profiles
//===----------------------------------------------------------------------===//

void TypeProfile::add(size_t number, const TensorFacts &facts) {
  std::optional<TensorFacts> &known = seen[number];
  known = known ? meetFacts(*known, facts) : facts;
}

void TypeProfile::note(int64_t number, const IValue &value) {
  if (number >= 0 && static_cast<size_t>(number) < seen.size())
    add(static_cast<size_t>(number), value.isTensor() ? factsOfTensor(value.asTensor()) : TensorFacts());
}

void TypeProfile::merge(const TypeProfile &other) {
  assert(seen.size() == other.seen.size() && "profiles of one function");
  for (size_t i = 0; i != seen.size(); ++i)
    if (other.seen[i])
      add(i, *other.seen[i]);
}

const TensorFacts *TypeProfile::factsOf(int64_t number) const {
  const bool isThere = number >= 0 && static_cast<size_t>(number) < seen.size() && seen[number];
  return isThere ? &*seen[number] : nullptr;
}

//===----------------------------------------------------------------------===//
// Making code
//===----------------------------------------------------------------------===//

Profiler::Profiler(const GraphExecutorOptions &options) : options(options) {
  for (CodeCache *cache : {&observed, &guarded})
    cache->trackEffects();
  guarded.setFusers(options.fusers);
  if (options.prepare)
    guarded.setPreparation(options.prepare);
  if (options.onCode)
    guarded.setObserver(options.onCode);
}
Profiler::~Profiler() = default;

/// Whether the graph, what it forks or what it calls has brought guards along: they are not to be given bailouts, and
/// where they fail, it is no reason to make other code. Bodies that are not compiled yet have none, and another thread
/// may be at them.
static bool hasGuards(Graph &graph) {
  bool found = false;
  walkWithSubgraphs(graph, [&](const Node &node) {
    const Function *callee = calleeOf(node);
    found |= node.kind() == prim::Guard || node.kind() == prim::BailOut ||
             (callee && callee->isDefined() && hasBailOuts(*callee->graph()));
  });
  return found;
}

/// Makes the code with observers. They stand in the function with all that it calls, without what nobody uses.
Status Profiler::prepareObservers(ProfiledFunction &of, const Graph &graph, llvm::StringRef name) {
  std::unique_ptr<Graph> copy = graph.clone();
  AnalysisManager analyses;
  eraseUnusedOperators(*copy);
  Inline inlining;
  PassOptions erasing;
  erasing["erase-unused"] = "true";
  TSC_RETURN_IF_ERROR(inlining.configure(erasing));
  inlining.run(*copy, analyses);
  analyses.invalidate();
  RemoveProfiling().run(*copy, analyses);
  if (hasGuards(*copy))
    return unimplemented("the program has guards");
  eraseTensorFacts(*copy); // what nobody has looked at is no reason to do without a guard
  ProfileInstrumentation().run(*copy, analyses);
  of.numObservers = 0;
  copy->walk([&](const Node &node) { of.numObservers += node.kind() == prim::profile; });
  of.graph = copy->clone();
  TSC_ASSIGN_OR_RETURN(const Code *code, observed.add(std::move(copy), name));
  of.observing = std::make_unique<InterpretedCode>(*code);
  return okStatus();
}

/// Returns the function with guards for what the profile has seen, and their bailouts.
StatusOr<std::unique_ptr<Graph>> Profiler::relyOn(const ProfiledFunction &of, const TypeProfile &profile) {
  std::unique_ptr<Graph> copy = of.graph->clone();
  copy->walk([&](Node &node) {
    if (node.kind() != prim::profile)
      return;
    if (const TensorFacts *facts = profile.factsOf(node.get<int64_t>(attr::index)))
      node.setAttribute(attr::profiled_type, static_cast<const Type *>(copy->context().tensor(*facts)));
  });
  std::shared_ptr<ShapeRuleCompiler> rules;
  {
    std::lock_guard lock(rulesMutex);
    if (!idleRules.empty())
      rules = std::move(idleRules.back()), idleRules.pop_back();
  }
  AnalysisManager analyses(nullptr, nullptr, &rules);
  GuardElimination elimination;
  PassOptions across;
  across["across-blocks"] = "true";
  TSC_RETURN_IF_ERROR(elimination.configure(across));
  GuardInsertion insertion;
  GuardMotion motion;
  GuardCoalescing coalescing;
  BailOutInsertion bailouts;
  for (Pass *pass : {static_cast<Pass *>(&insertion), static_cast<Pass *>(&motion), static_cast<Pass *>(&coalescing),
                     static_cast<Pass *>(&elimination), static_cast<Pass *>(&bailouts)}) {
    TSC_RETURN_IF_ERROR(pass->run(*copy, analyses).status());
    analyses.invalidate();
  }
  std::lock_guard lock(rulesMutex);
  if (rules)
    idleRules.push_back(std::move(rules));
  return copy;
}

StatusOr<const Code *> Profiler::guard(const ProfiledFunction &of, const TypeProfile &profile, llvm::StringRef name) {
  TraceScope span(options.trace, "guarded code", name);
  TSC_ASSIGN_OR_RETURN(std::unique_ptr<Graph> graph, relyOn(of, profile));
  if (ProfilingCounters *counters = options.profilingCounters)
    graph->walk([&](const Node &node) { counters->guards += node.kind() == prim::BailOut; });
  return guarded.add(std::move(graph), name);
}

//===----------------------------------------------------------------------===//
// Calls
//===----------------------------------------------------------------------===//

Profiler::Choice Profiler::choose(ProfiledFunction &of, const Graph &graph, llvm::StringRef name) {
  using Stage = ProfiledFunction::Stage;
  ProfilingCounters *const counters = options.profilingCounters;
  const Executable *code = of.current.load(std::memory_order_acquire);
  if (!code) [[unlikely]]
    if (const Stage seen = of.stage; seen == Stage::Unobserved || seen == Stage::Guarded) {
      std::unique_lock lock(of.mutex);
      if (of.stage == Stage::Unobserved) {
        of.stage = Stage::Observed;
        lock.unlock();
        if (Choice choice = observe(of, graph, name); choice.code)
          return choice;
      } else {
        code = of.current.load(std::memory_order_relaxed); // made since this call looked, or null
      }
    }
  if (counters)
    ++(code ? counters->guardedRuns : counters->otherRuns);
  return {code, nullptr};
}

/// Returns what the call runs that has set the stage to Observed: code with observers, or nothing where there can be
/// none.
Profiler::Choice Profiler::observe(ProfiledFunction &of, const Graph &graph, llvm::StringRef name) {
  auto moveTo = [&](ProfiledFunction::Stage stage) {
    std::lock_guard lock(of.mutex);
    of.stage = stage;
  };
  auto givingUp = llvm::make_scope_exit([&] { moveTo(ProfiledFunction::Stage::Unobserved); }); // for lack of memory
  const bool canObserve = of.observing || prepareObservers(of, graph, name).ok(); // why it cannot, nobody asks
  Choice choice;
  if (canObserve)
    choice = {of.observing.get(), std::make_unique<TypeProfile>(of.numObservers)};
  else
    moveTo(ProfiledFunction::Stage::Unprofiled);
  givingUp.release();
  if (canObserve && options.profilingCounters)
    ++options.profilingCounters->profiledRuns;
  return choice;
}

void Profiler::finish(ProfiledFunction &of, llvm::StringRef name, const Choice &choice, bool succeeded,
                      uint64_t numFailed, uint64_t numForced) {
  using Stage = ProfiledFunction::Stage;
  ProfilingCounters *const counters = options.profilingCounters;
  if (numFailed + numForced != 0 && counters) [[unlikely]] {
    counters->guardFailures += numFailed;
    counters->forcedFailures += numForced;
  }
  if (!choice.profile && numFailed == 0) [[likely]]
    return;
  std::unique_lock lock(of.mutex);
  if (!choice.profile) {
    if (of.current.load(std::memory_order_relaxed) != choice.code)
      return; // another call has seen it fail, too
    of.current.store(nullptr, std::memory_order_release);
    of.stage = of.numCodes > staticAgain + dynamicAgain ? Stage::Unprofiled : Stage::Unobserved;
    return;
  }
  // What a call would have done after it failed is not known. If the next one fails, too, what it has seen has to do.
  of.numFailed = succeeded ? 0 : of.numFailed + 1;
  if (of.numFailed == 1) {
    of.stage = Stage::Unobserved;
    return;
  }
  if (of.all)
    of.all->merge(*choice.profile);
  else
    of.all = std::make_unique<TypeProfile>(*choice.profile);
  const bool isStatic = of.numCodes <= staticAgain;
  lock.unlock(); // other calls need not wait: while the stage is Observed, nobody else changes what is read here
  StatusOr<const Code *> code = guard(of, isStatic ? *choice.profile : *of.all, name);
  lock.lock();
  if (!code.ok()) {
    of.stage = Stage::Unprofiled;
    return;
  }
  if (counters)
    ++(isStatic ? counters->staticCodes : counters->dynamicCodes);
  ++of.numCodes;
  of.codes.push_back(std::make_unique<InterpretedCode>(**code));
  of.current.store(of.codes.back().get(), std::memory_order_release);
  of.stage = Stage::Guarded;
}

void Profiler::abandon(ProfiledFunction &of, const Choice &choice) {
  std::lock_guard lock(of.mutex);
  if (choice.profile && of.stage == ProfiledFunction::Stage::Observed)
    of.stage = ProfiledFunction::Stage::Unobserved;
}
