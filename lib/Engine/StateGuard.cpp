//===- StateGuard.cpp - Calls of programs that write their state ----------===//
#include "StateGuard.h"
#include "ProgramImpl.h"
#include "tsc/Support/MemoryErrors.h"
#include "tsc/Support/Stack.h"
#include "llvm/ADT/ScopeExit.h"
#include <chrono>
#include <thread>

using namespace tsc;

//===----------------------------------------------------------------------===//
// Who runs
//===----------------------------------------------------------------------===//

constinit thread_local StateUse *StateUse::innermost = nullptr;

bool StateUse::share(StateGuard &wanted) {
  StateTurn &wantedTurn = *wanted.turn;
  met = wantedTurn.holders.load(std::memory_order_relaxed);
  while (met >= 0)
    if (wantedTurn.holders.compare_exchange_weak(met, met + 1, std::memory_order_acquire)) {
      hold(wantedTurn, /*shared=*/true);
      return true;
    }
  return false;
}

void StateUse::change(Mode to) {
  if (!turn)
    return;
  assert(!isShared && "others hold it too");
  isShared = to == Mode::Shared;
  if (isShared)
    turn->owner.store({}, std::memory_order_relaxed);
  turn->holders.store(isShared ? 1 : StateTurn::writes, std::memory_order_release);
}

/// The thread that forked goes on with what it holds. Calls of other threads have stopped, and never end.
void StateTurn::restartInChild() {
  numWaiting.store(0, std::memory_order_relaxed);
  int32_t shared = 0;
  for (const StateUse *use = StateUse::innermost; use; use = use->outer) {
    if (use->turn != this)
      continue;
    if (!use->isShared)
      return;
    ++shared;
  }
  holders.store(shared, std::memory_order_relaxed);
  owner.store({}, std::memory_order_relaxed);
}

namespace {
/// Sleeps longer each time: what is waited for is a call of the program.
class Backoff {
public:
  void wait() {
    std::this_thread::sleep_for(pause);
    waited += pause;
    pause = std::min(2 * pause, std::chrono::microseconds(1000));
  }
  /// About how long it has waited.
  std::chrono::microseconds time() const { return waited; }

private:
  std::chrono::microseconds waited{0};
  std::chrono::microseconds pause{20};
};
} // namespace

//===----------------------------------------------------------------------===//
// What entries do
//===----------------------------------------------------------------------===//

std::shared_ptr<Program::GuardedEntry> Program::Impl::guardedEntry(const Entry &entry,
                                                                   const std::shared_ptr<StateGuard> &guard) const {
  if (options.counted == CountedCalls::None)
    return nullptr;
  std::lock_guard lock(guard->listing);
  GuardedEntry &guarded = guard->entries
                              .try_emplace({entry.function, entry.target.get(), entry.withHooks}, *guard, entry.target,
                                           /*staysWriting=*/compiler.wasRun())
                              .first->second;
  return std::shared_ptr<GuardedEntry>(guard, &guarded);
}

/// What a call of the entry runs.
llvm::SmallVector<Function *, 2> Program::Impl::functionsOf(const Entry &entry) const {
  llvm::SmallVector<Function *, 2> run{entry.function};
  if (!entry.withHooks)
    return run;
  const ClassType &type = entry.target ? *entry.target->type : ownerOf(entry)->type();
  for (const std::vector<std::string> *hooks : {&type.forwardHooks().before, &type.forwardHooks().after})
    for (const std::string &hook : *hooks)
      if (Function *method = type.findMethod(hook))
        run.push_back(method);
  return run;
}

std::shared_ptr<StateGuard> Program::Impl::makeGuard(std::shared_ptr<StateTurn> turn) const {
  return std::make_shared<StateGuard>(options.counted == CountedCalls::All,
                                      turn ? std::move(turn) : std::make_shared<StateTurn>());
}

/// Of all that a host may call: each method of the module, each function of a file, gradients.
const StateWrites &Program::Impl::factsOf(StateGuard &guard, const Module *owner) const {
  const uint32_t version = moduleVersion.load(std::memory_order_relaxed);
  if (guard.factsOf.load(std::memory_order_relaxed) != version) {
    std::vector<Function *> callable = owner ? owner->type().methods().vec() : functions;
    callable.insert(callable.end(), gradientFunctions.begin(), gradientFunctions.end());
    guard.facts = findStateWrites(owner, callable);
    guard.factsOf.store(version, std::memory_order_relaxed);
    if (guard.facts->firstWrite().empty() && !guard.othersWrite.load(std::memory_order_relaxed))
      guard.harmless.store(version, std::memory_order_release);
  }
  return *guard.facts;
}

StateAccess Program::Impl::judge(const Entry &entry) const {
  GuardedEntry &guarded = *entry.guarded;
  std::lock_guard lock(guarded.guard.judging);
  const uint32_t version = moduleVersion.load(std::memory_order_relaxed);
  StateAccess access = guarded.access(version);
  if (access != StateAccess::Unknown)
    return access;
  const llvm::SmallVector<Function *, 2> run = functionsOf(entry);
  if (compiler.wasRun() || entry.target) {
    // What is called on an object within the module is no method that the facts are about; and where a file was run,
    // its code goes on making objects. Nothing is known of other entries then.
    std::optional<Module> target;
    if (entry.target)
      target.emplace(entry.target, executor);
    const StateWrites facts = findStateWrites(target ? &*target : nullptr, run);
    const llvm::StringRef first = facts.firstWrite().empty() ? facts.firstArgumentWrite() : facts.firstWrite();
    if (!first.empty())
      guarded.guard.firstOfOthers = first.str();
    access = first.empty() ? StateAccess::Reads : StateAccess::Writes;
  } else {
    const StateWrites &facts = factsOf(guarded.guard, ownerOf(entry));
    const bool isListed = llvm::all_of(run, [&](Function *function) { return facts.knows(*function); });
    // A function that a host has defined since belongs to no module. It is looked at by itself, and others that were
    // defined so may write.
    const StateWrites own = isListed ? StateWrites() : findStateWrites(ownerOf(entry), run);
    const StateWrites &about = isListed ? facts : own;
    const bool writes = llvm::any_of(run, [&](Function *function) { return !about.firstWrite(*function).empty(); });
    const bool othersWrite =
        !isListed || !facts.firstWrite().empty() || guarded.guard.othersWrite.load(std::memory_order_relaxed);
    access = writes ? StateAccess::Writes : othersWrite ? StateAccess::Reads : StateAccess::None;
  }
  guarded.setAccess(access, version);
  return access;
}

/// Why two calls cannot run at once.
Status Program::Impl::isBusy(StateGuard &state) const {
  std::lock_guard lock(state.judging);
  std::string first = state.facts ? state.facts->firstWrite().str() : "";
  if (first.empty())
    first = state.firstOfOthers;
  const bool isShared = state.facts && state.facts->writesShared;
  return failedPrecondition(
      "a call of '" + name + "' is under way, and this program writes its state" +
      (first.empty() ? "" : ", first in " + first) + ": two calls of it cannot run at the same time; " +
      (isShared ? "forks share what is written, so load it once for each thread" : "fork it for each thread"));
}

void Program::Impl::judgeEarly(const Entry &entry) const {
  if (!entry.guarded)
    return;
  GuardedEntry &guarded = *entry.guarded;
  const uint32_t version = moduleVersion.load(std::memory_order_relaxed);
  if (guarded.access(version) != StateAccess::Unknown)
    return;
  if (functionsOf(entry).size() == 1 && entry.function->graph() && usesOperandsAlone(*entry.function->graph()))
    guarded.setAccess(StateAccess::None, version);
  else if (StateUse reading; mayCallsMeet() && reading.tryEnter(guarded.guard, StateUse::Mode::Shared))
    judge(entry);
}

//===----------------------------------------------------------------------===//
// Calls
//===----------------------------------------------------------------------===//

/// Waits for a moment, in a call that holds nothing yet: whoever forks need not wait for it.
static Status waitForMoment(CallContext &call, Backoff &backoff) {
  letFork(&call);
  if (call.hasAlarm())
    TSC_RETURN_IF_ERROR(call.checkLimits());
  backoff.wait();
  return okStatus();
}
static Status waitForTurn(StateGuard &guard, CallContext &call, Backoff &backoff) {
  guard.turn->isContended.store(true, std::memory_order_relaxed);
  return waitForMoment(call, backoff);
}

/// How long a call lets a host pass that waits to write.
static constexpr std::chrono::seconds longestCourtesy{1};

Status Program::Impl::enter(StateUse &use, const Entry &entry, CallContext &call) const {
  GuardedEntry &guarded = *entry.guarded;
  StateGuard &guard = guarded.guard;
  for (Backoff backoff;;) {
    const uint32_t version = moduleVersion.load(std::memory_order_relaxed);
    const StateAccess access = guarded.access(version);
    if (access == StateAccess::None)
      return okStatus();
    // The time is bounded: the host waits for calls that are under way, one of which may wait for this one.
    if (guard.turn->numWaiting.load(std::memory_order_relaxed) > 0 && backoff.time() < longestCourtesy &&
        !StateUse::isHeldHere(*guard.turn)) {
      TSC_RETURN_IF_ERROR(waitForMoment(call, backoff));
      continue;
    }
    if (access != StateAccess::Unknown) {
      if (use.tryEnter(guard, access == StateAccess::Writes ? StateUse::Mode::Alone : StateUse::Mode::Shared))
        return okStatus();
      if (!use.metPassing())
        return isBusy(guard);
    } else if (guard.factsOf.load(std::memory_order_relaxed) == version) { // others have looked
      judge(entry);
      continue;
    } else if (use.tryEnter(guard, StateUse::Mode::AloneUnjudged)) {
      if (!guard.turn->isContended.load(std::memory_order_relaxed) && !mayCallsMeet())
        return okStatus();
      const StateAccess found = judge(entry);
      if (found == StateAccess::None)
        use.leave();
      else
        use.change(found == StateAccess::Writes ? StateUse::Mode::Alone : StateUse::Mode::Shared);
      return okStatus();
    } else if (StateUse reading; reading.tryEnter(guard, StateUse::Mode::Shared)) {
      judge(entry); // beside calls that only read
      continue;
    } else if (!reading.metPassing()) {
      return isBusy(guard);
    }
    TSC_RETURN_IF_ERROR(waitForTurn(guard, call, backoff));
  }
}

Status Program::Impl::enterAlone(StateUse &use, CallContext &call) const {
  for (Backoff backoff; !use.tryEnter(*guard, StateUse::Mode::Alone);) {
    if (!use.metPassing())
      return isBusy(*guard);
    TSC_RETURN_IF_ERROR(waitForTurn(*guard, call, backoff));
  }
  return okStatus();
}

//===----------------------------------------------------------------------===//
// What hosts ask
//===----------------------------------------------------------------------===//

Status Program::readState(llvm::function_ref<void()> read) const {
  InsideScope inside(&impl->forkDomain);
  TSC_RETURN_IF_ERROR(impl->checkWhole());
  StateGuard &state = *guard();
  StateUse use;
  for (Backoff backoff;; backoff.wait()) {
    if (state.harmless.load(std::memory_order_acquire) == impl->moduleVersion.load(std::memory_order_relaxed) ||
        use.tryEnter(state, StateUse::Mode::Shared))
      return read(), okStatus();
    if (!use.metPassing())
      return impl->isBusy(state);
    state.turn->isContended.store(true, std::memory_order_relaxed);
  }
}

bool Program::tryReadState(llvm::function_ref<void()> read) const {
  InsideScope inside(&impl->forkDomain);
  if (impl->forkDomain.isLost())
    return false;
  StateGuard &state = *guard();
  StateUse use;
  if (state.harmless.load(std::memory_order_acquire) != impl->moduleVersion.load(std::memory_order_relaxed) &&
      !use.tryEnter(state, StateUse::Mode::Shared))
    return false;
  read();
  return true;
}

bool Program::tryWriteState(llvm::function_ref<void()> write) const {
  InsideScope inside(&impl->forkDomain);
  StateUse use;
  if (impl->forkDomain.isLost() || !use.tryEnter(*guard(), StateUse::Mode::Host))
    return false;
  write();
  return true;
}

Status Program::writeState(llvm::function_ref<void()> write, llvm::function_ref<Status()> isInterrupted) const {
  InsideScope inside(&impl->forkDomain);
  TSC_RETURN_IF_ERROR(impl->checkWhole());
  StateGuard &state = *guard();
  StateUse use;
  if (!use.tryEnter(state, StateUse::Mode::Host)) {
    state.turn->numWaiting.fetch_add(1, std::memory_order_relaxed);
    auto over = llvm::make_scope_exit([&] { state.turn->numWaiting.fetch_sub(1, std::memory_order_relaxed); });
    Backoff backoff;
    do {
      if (StateUse::isHeldHere(*state.turn))
        return failedPrecondition("a call of '" + impl->name +
                                  "' is under way in this thread, and others may run beside it: what they read cannot "
                                  "be set before it is over");
      {
        OutsideScope outside;
        backoff.wait();
      }
      if (isInterrupted)
        TSC_RETURN_IF_ERROR(isInterrupted());
    } while (!use.tryEnter(state, StateUse::Mode::Host));
  }
  write();
  return okStatus();
}

/// Waits for a call that nobody has looked at, if one is under way.
const StateWrites &Program::stateWrites() const {
  StateGuard &state = *guard();
  for (Backoff backoff;; backoff.wait()) {
    if (std::lock_guard lock(state.judging);
        state.factsOf.load(std::memory_order_relaxed) == impl->moduleVersion.load(std::memory_order_relaxed))
      return *state.facts;
    if (StateUse use; use.tryEnter(state, StateUse::Mode::Shared)) {
      std::lock_guard lock(state.judging);
      return impl->factsOf(state, module());
    }
    state.turn->isContended.store(true, std::memory_order_relaxed);
  }
}

Program::Writes Program::writes() const {
  InsideScope inside(&impl->forkDomain);
  Writes result;
  if (impl->forkDomain.isLost()) { // locks may be held for ever
    result.state = result.arguments = "code that nothing is known of in this child of a fork";
    return result;
  }
  if (impl->compiler.wasRun()) {
    result.state = result.arguments = "the code that made its modules";
    return result;
  }
  const StateWrites &found = stateWrites();
  result.state = found.firstWrite().str();
  result.arguments = found.firstArgumentWrite().str();
  return result;
}

/// Refuses the forks of a file that was run.
static Status checkForks(const Compiler &compiler, llvm::StringRef name) {
  if (!compiler.wasRun())
    return okStatus();
  return unimplemented("'" + name +
                       "' makes its modules when it is run, and cannot be forked; save a module of it as an "
                       "archive, and fork that");
}

/// Returns a fork that has the module, which is its own.
Program Program::forkAround(Module module) const {
  Program made(impl);
  const bool sharesState = stateWrites().writesShared;
  made.own = module.withUnit(impl->borrowed());
  made.ownGuard = sharesState ? impl->makeGuard(guard()->turn) : impl->makeGuard();
  return made;
}

StatusOr<Program> Program::forkCopy(const Module &module) const {
  InsideScope inside(&impl->forkDomain);
  TSC_RETURN_IF_ERROR(impl->checkWhole());
  return orMemoryError([&]() -> StatusOr<Program> {
    TSC_RETURN_IF_ERROR(checkForks(impl->compiler, impl->name));
    std::optional<Module> copied;
    TSC_RETURN_IF_ERROR(readState([&] { copied = module.deepcopy(); }));
    return forkAround(*std::move(copied));
  });
}

StatusOr<Program> Program::forkFrozen(const Module &module, llvm::ArrayRef<std::string> methods,
                                      std::vector<std::string> keep) const {
  InsideScope inside(&impl->forkDomain);
  TSC_RETURN_IF_ERROR(impl->checkWhole());
  TSC_RETURN_IF_ERROR(checkStack(stackToCompile, "freezing a module"));
  return orMemoryError([&]() -> StatusOr<Program> {
    TSC_RETURN_IF_ERROR(checkForks(impl->compiler, impl->name));
    if (module.isFrozen())
      return invalidArgument("the module is frozen already");
    finishCompiling();
    TSC_ASSIGN_OR_RETURN(Module frozen, module.freeze(methods, std::move(keep)));
    return forkAround(std::move(frozen));
  });
}

StatusOr<Program> Program::fork() const {
  InsideScope inside(&impl->forkDomain);
  TSC_RETURN_IF_ERROR(impl->checkWhole());
  return orMemoryError([&]() -> StatusOr<Program> {
    TSC_RETURN_IF_ERROR(checkForks(impl->compiler, impl->name));
    Program forked(impl);
    const Module *origin = module();
    if (!origin)
      return forked;
    const StateWrites &found = stateWrites();
    // Parameters that a call can write, or get hold of and write as an argument, are the fork's own too.
    auto mayShare = [&](const Tensor &parameter) {
      return !found.writesTensors || !found.exposed.contains(parameter.get()->storage.get());
    };
    TSC_RETURN_IF_ERROR(readState([&] { forked.own = origin->fork(mayShare); }));
    forked.ownGuard = found.writesShared ? impl->makeGuard(guard()->turn) : impl->makeGuard();
    return forked;
  });
}
