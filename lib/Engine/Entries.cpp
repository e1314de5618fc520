//===- Entries.cpp - What of a program can be called ----------------------===//
#include "ProgramImpl.h"
#include "StateGuard.h"
#include "tsc/Autodiff/Passes.h"
#include "tsc/IR/Graph.h"
#include "tsc/Support/Stack.h"
#include "tsc/Transforms/Inlining.h"
#include "tsc/Transforms/Subgraph.h"
#include "llvm/ADT/SmallPtrSet.h"

using namespace tsc;

static constexpr llvm::StringLiteral diagnosedNote = "tsc.diagnosed";

bool tsc::wasDiagnosed(const Status &status) { return status.note(diagnosedNote).has_value(); }

Status tsc::asDiagnosed(Status status) {
  status.setNote(diagnosedNote, "");
  return status;
}

Status Program::Impl::refusal(size_t skipped, const llvm::Twine &otherwise) const {
  std::string text = sink.errorsAfter(skipped);
  if (text.empty())
    text = sink.errorsAfter(0);
  return text.empty() ? invalidArgument(otherwise) : asDiagnosed(invalidArgument(text));
}

//===----------------------------------------------------------------------===//
// Names
//===----------------------------------------------------------------------===//

/// What is called where nothing is named, the first that there is.
static constexpr llvm::StringRef usualEntries[] = {"forward", "main"};
static bool isUsualEntry(llvm::StringRef name) { return llvm::is_contained(usualEntries, name); }

static std::string namesOf(llvm::ArrayRef<Function *> functions) {
  std::string names;
  for (const Function *function : functions)
    names += (names.empty() ? "" : ", ") + function->name().str();
  return names;
}

StatusOr<Program::Entry> Program::Impl::findMethod(const Module &owner, llvm::StringRef wanted) const {
  Entry entry;
  entry.isMethod = true;
  entry.withHooks = wanted.empty();
  entry.entryName = wanted.empty() ? "forward" : wanted.str();
  entry.function = owner.findMethod(entry.entryName);
  if (entry.function)
    return entry;
  std::string known = namesOf(owner.type().methods());
  return notFound("'" + llvm::Twine(name) + "' has no method '" + entry.entryName +
                  "'; it has: " + (known.empty() ? "none" : known));
}

StatusOr<Program::Entry> Program::Impl::findFunction(llvm::StringRef wanted) const {
  auto find = [&](llvm::StringRef called) -> Function * {
    for (Function *function : functions)
      if (function->qualifiedName() == called || function->name() == called)
        return function;
    return nullptr;
  };
  Entry entry;
  if (!wanted.empty())
    entry.function = find(wanted);
  for (llvm::StringRef usual : wanted.empty() ? llvm::ArrayRef(usualEntries) : llvm::ArrayRef<llvm::StringRef>())
    if (!entry.function)
      entry.function = find(usual);
  if (!entry.function && wanted.empty() && functions.size() == 1)
    entry.function = functions.front();
  if (entry.function) {
    entry.entryName = entry.function->name().str();
    return entry;
  }
  if (functions.empty())
    return notFound("'" + llvm::Twine(name) + "' defines no function");
  return notFound((wanted.empty() ? "which function is meant? " : "there is no function '" + wanted + "'; ") +
                  llvm::Twine("'") + name + "' defines: " + namesOf(functions));
}

StatusOr<Program::Entry> Program::Impl::methodOf(const Ref<ObjectValue> &object, llvm::StringRef method) {
  const size_t heard = sink.numErrors();
  Entry entry;
  entry.target = object;
  entry.isMethod = true;
  entry.withHooks = method.empty();
  entry.entryName = method.empty() ? "forward" : method.str();
  entry.function = compiler.findMethod(*object->type, entry.entryName);
  if (entry.function)
    return entry;
  if (sink.numErrors() != heard)
    return refusal(heard, "");
  return notFound("'" + object->type->name() + "' has no method '" + entry.entryName + "'");
}

StatusOr<Program::Entry> Program::Impl::findInSource(llvm::StringRef wanted) {
  const size_t heard = sink.numErrors();
  Entry entry;
  for (llvm::StringRef called : wanted.empty() ? llvm::ArrayRef(usualEntries) : llvm::ArrayRef(wanted))
    if (entry.entryName.empty() && compiler.isEvaluated(called)) {
      entry.isScript = true;
      entry.entryName = called.str();
      return entry;
    } else if (!entry.function) {
      entry.function = compiler.findSourceFunction(called);
    }
  if (sink.numErrors() != heard)
    return refusal(heard, "");
  if (entry.function) {
    entry.entryName = entry.function->name().str();
    return entry;
  }
  auto [owner, method] = wanted.split('.');
  llvm::FailureOr<Ref<ObjectValue>> object = compiler.makeModule(owner);
  if (failed(object))
    return refusal(heard, "'" + name + "' does not compile");
  if (*object)
    return methodOf(*object, method);
  if (!wanted.empty()) { // a method of what the file is about
    object = compiler.makeModule("");
    if (succeeded(object) && *object && compiler.findMethod(*(*object)->type, wanted))
      return methodOf(*object, wanted);
  }
  std::string names;
  for (const std::vector<std::string> &known : {compiler.moduleNames(), compiler.sourceFunctionNames()})
    for (const std::string &one : known)
      names += (names.empty() ? "" : ", ") + one;
  if (names.empty())
    return notFound("'" + name + "' makes no module: its classes need arguments (write `model = Net(…)` at its end)");
  return notFound((wanted.empty() ? "what is meant? " : "there is nothing called '" + wanted + "'; ") +
                  llvm::Twine("'") + name + "' offers: " + names);
}

StatusOr<Program::Entry> Program::find(llvm::StringRef name) const {
  InsideScope inside(&impl->forkDomain);
  TSC_RETURN_IF_ERROR(impl->checkWhole());
  return orMemoryError([&]() -> StatusOr<Entry> {
    auto evaluating = impl->lockEvaluation();
    std::lock_guard lock(impl->finding);
    if (name.empty() && impl->compiler.hasMainBlock()) {
      finishCompiling();
      Entry entry;
      entry.isScript = true;
      entry.entryName = "__main__";
      return entry;
    }
    if (impl->compiler.wasRun()) {
      finishCompiling();
      TSC_ASSIGN_OR_RETURN(Entry entry, impl->findInSource(name));
      TSC_RETURN_IF_ERROR(impl->compile(entry));
      if (entry.isScript)
        return entry;
      entry.guarded = impl->guardedEntry(entry, guard());
      impl->judgeEarly(entry);
      return entry;
    }
    TSC_ASSIGN_OR_RETURN(Entry entry, module() ? impl->findMethod(*module(), name) : impl->findFunction(name));
    if (entry.isMethod)
      entry.fork = own;
    TSC_RETURN_IF_ERROR(impl->compile(entry));
    entry.guarded = impl->guardedEntry(entry, guard());
    impl->judgeEarly(entry);
    return entry;
  });
}

StatusOr<Program::Entry> Program::entryFrom(llvm::function_ref<StatusOr<Entry>()> look) const {
  InsideScope inside(&impl->forkDomain);
  TSC_RETURN_IF_ERROR(impl->checkWhole());
  TSC_RETURN_IF_ERROR(checkStack(stackToCompile, "compiling"));
  return orMemoryError([&]() -> StatusOr<Entry> {
    std::lock_guard lock(impl->finding);
    TSC_ASSIGN_OR_RETURN(Entry entry, look());
    TSC_RETURN_IF_ERROR(impl->compile(entry));
    entry.guarded = impl->guardedEntry(entry, guard());
    if (entry.target && !impl->compiler.wasRun() && !guard()->othersWrite.exchange(true))
      impl->noteModuleChange(); // what was found out about other entries relied on these alone
    return entry;
  });
}

StatusOr<Program::Entry> Program::entryOf(Function &function) const {
  return entryFrom([&]() -> StatusOr<Entry> {
    Entry entry;
    entry.function = &function;
    entry.entryName = function.name().str();
    return entry;
  });
}

StatusOr<Program::Entry> Program::entryOf(const Ref<ObjectValue> &object, llvm::StringRef method) const {
  return entryFrom([&]() -> StatusOr<Entry> {
    TSC_ASSIGN_OR_RETURN(Entry entry, impl->methodOf(object, method));
    entry.fork = own;
    return entry;
  });
}

const std::shared_ptr<StateGuard> &Program::guard() const { return ownGuard ? ownGuard : impl->guard; }

StatusOr<Program::Entry> Program::findWithoutArguments() const {
  InsideScope inside(&impl->forkDomain);
  TSC_RETURN_IF_ERROR(impl->checkWhole());
  return orMemoryError([&]() -> StatusOr<Entry> {
    auto isScript = [&] {
      std::lock_guard lock(impl->finding);
      if (!impl->isSource || !impl->compiler.isScript())
        return false;
      finishCompiling();
      if (impl->compiler.wasRun())
        return llvm::none_of(impl->compiler.sourceFunctionNames(), isUsualEntry);
      StatusOr<Entry> called = impl->findFunction("");
      return !called.ok() || (!isUsualEntry(called->entryName) &&
                              llvm::any_of(called->schema().arguments(),
                                           [](const Argument &argument) { return !argument.defaultValue; }));
    };
    if (!isScript())
      return find();
    Entry entry;
    entry.isScript = true;
    entry.entryName = "__main__";
    return entry;
  });
}

const FunctionSchema &Program::Entry::schema() const {
  static const FunctionSchema none("__main__", "", {}, {});
  return function ? function->schema() : none;
}
llvm::ArrayRef<Function *> Program::functions() const { return impl->functions; }
int64_t Program::formatVersion() const { return impl->formatVersion; }
llvm::ArrayRef<std::string> Program::extraFileNames() const { return impl->extraFileNames; }
llvm::StringRef Program::extraFile(size_t index) const { return impl->extraFiles[index].data; }
llvm::ArrayRef<std::pair<Function *, unsigned>> Program::stateMethods() const { return impl->stateMethods; }
const Module *Program::module() const {
  const std::optional<Module> &held = own ? own : impl->module;
  return held ? &*held : nullptr;
}

StatusOr<Module> Program::findModule(llvm::StringRef path) const {
  return orMemoryError([&]() -> StatusOr<Module> {
    if (!module())
      return notFound("'" + impl->name + "' holds functions, and no module '" + path + "'");
    TSC_ASSIGN_OR_RETURN(Module found, module()->findModule(path));
    return found.withUnit(impl);
  });
}

//===----------------------------------------------------------------------===//
// Bodies
//===----------------------------------------------------------------------===//

/// Compiles the function and what it calls, so that whether a program is refused does not depend on what runs first.
/// The one that does not compile; null when all do. The executor expects gradients where something asks for them, or
/// for who requires them. What is known was looked at before.
static Function *defineReachable(Function &entry, const GraphExecutor &executor,
                                 llvm::function_ref<bool(const Function &)> isKnown) {
  bool makesLeaves = false, needsHistory = false;
  llvm::SmallPtrSet<Function *, 16> seen;
  llvm::SmallVector<Function *> pending{&entry};
  Function *wrong = nullptr; // others are compiled all the same: what is wrong is said at once
  for (size_t next = 0; next != pending.size(); ++next) {
    Function *function = pending[next];
    if (!function || !seen.insert(function).second || isKnown(*function))
      continue;
    if (failed(function->ensureDefined()) && !wrong)
      wrong = function;
    if (!function->graph())
      continue;
    walkWithSubgraphs(*function->graph(), [&](Node &node) {
      pending.push_back(calleeOf(node));
      makesLeaves |= mayMakeLeaf(node);
      // Texts tell what made a tensor, and a leaf refuses writes.
      const bool isFlag = node.opKind() == OpKind::Prim_requires_grad;
      needsHistory |= isFlag || showsValues(node);
      if (asksForGradients(node) || writesToLeaf(node) || (makesLeaves && needsHistory))
        executor.expectGradients();
      const auto *type = node.numInputs() ? dyn_cast<ClassType>(node.input(0)->type()) : nullptr;
      if (type && node.kind() == prim::Enter) {
        pending.push_back(type->findMethod("__enter__"));
        pending.push_back(type->findMethod("__exit__"));
      }
    });
  }
  return wrong;
}

/// Archives were compiled once, and are read as far as they run.
static Function *defineAlone(Function &method) { return failed(method.ensureDefined()) ? &method : nullptr; }

Status Program::Impl::compileOnce(Function &function) {
  auto statusOf = [&](const Function &of) -> std::optional<Status> {
    std::lock_guard lock(mutex);
    auto found = compiled.find(&of);
    return found == compiled.end() ? std::nullopt : std::optional(found->second);
  };
  if (std::optional<Status> known = statusOf(function))
    return *known;
  const size_t heard = sink.numErrors();
  auto isGood = [&](const Function &callee) {
    std::optional<Status> known = statusOf(callee);
    return known && known->ok();
  };
  const Function *wrong = module ? defineAlone(function) : defineReachable(function, executor, isGood);
  Status result = wrong ? refusal(heard, "'" + wrong->qualifiedName() + "' does not compile") : okStatus();
  std::lock_guard lock(mutex);
  return compiled.try_emplace(&function, std::move(result)).first->second;
}

TapedCalls::MayAsk Program::Impl::whoMayAsk() {
  return [this](Function &function) -> StatusOr<bool> {
    std::lock_guard lock(finding);
    TSC_RETURN_IF_ERROR(compileOnce(function));
    return executor.expectsGradients();
  };
}

Status Program::Impl::compile(const Entry &entry) {
  if (entry.isScript)
    return okStatus();
  TSC_RETURN_IF_ERROR(compileOnce(*entry.function));
  if (!entry.withHooks || entry.target)
    return okStatus();
  const Module &owner = *ownerOf(entry);
  const ForwardHooks &hooks = owner.type().forwardHooks();
  for (const std::vector<std::string> *names : {&hooks.before, &hooks.after})
    for (const std::string &hook : *names) {
      TSC_ASSIGN_OR_RETURN(Entry method, findMethod(owner, hook));
      TSC_RETURN_IF_ERROR(compileOnce(*method.function));
    }
  return okStatus();
}

Status Program::compileAll() {
  InsideScope inside(&impl->forkDomain);
  TSC_RETURN_IF_ERROR(impl->checkWhole());
  TSC_RETURN_IF_ERROR(checkStack(stackToCompile, "compiling"));
  return orMemoryError([&]() -> Status {
    auto evaluating = impl->lockEvaluation();
    finishCompiling();
    const size_t heard = impl->sink.numErrors();
    // All that is wrong is said at once.
    if (impl->module && failed(impl->compiler.defineAll()))
      return impl->refusal(heard, "the program does not compile");
    if (impl->module)
      for (Function *method : impl->module->type().methods())
        TSC_RETURN_IF_ERROR(impl->compileOnce(*method));
    for (const std::string &name : impl->compiler.moduleNames()) {
      llvm::FailureOr<Ref<ObjectValue>> object = impl->compiler.makeModule(name);
      if (failed(object))
        return impl->refusal(heard, "'" + name + "' does not compile");
      if (*object && !impl->compiler.findMethod(*(*object)->type, "forward") && impl->sink.numErrors() != heard)
        return impl->refusal(heard, "");
      if (*object)
        impl->compiler.declareExported(**object);
    }
    return failed(impl->compiler.defineAll()) ? impl->refusal(heard, "the program does not compile") : okStatus();
  });
}
