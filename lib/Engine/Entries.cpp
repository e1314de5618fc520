//===- Entries.cpp - What of a program can be called ----------------------===//
#include "ProgramImpl.h"
#include "tsc/Autodiff/Passes.h"
#include "tsc/IR/Graph.h"
#include "tsc/Transforms/Inlining.h"
#include "llvm/ADT/SmallPtrSet.h"

using namespace tsc;

static constexpr llvm::StringLiteral diagnosedPayload = "tsc.diagnosed";

bool tsc::wasDiagnosed(const Status &status) { return status.GetPayload(diagnosedPayload.data()).has_value(); }

Status tsc::asDiagnosed(Status status) {
  status.SetPayload(diagnosedPayload.data(), absl::Cord());
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

static std::string namesOf(llvm::ArrayRef<Function *> functions) {
  std::string names;
  for (const Function *function : functions)
    names += (names.empty() ? "" : ", ") + function->name().str();
  return names;
}

StatusOr<Program::Entry> Program::Impl::findMethod(llvm::StringRef wanted) const {
  Entry entry;
  entry.isMethod = true;
  entry.withHooks = wanted.empty();
  entry.entryName = wanted.empty() ? "forward" : wanted.str();
  entry.function = module->findMethod(entry.entryName);
  if (entry.function)
    return entry;
  std::string known = namesOf(module->type().methods());
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
  else if (!(entry.function = find("forward")) && !(entry.function = find("main")) && functions.size() == 1)
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

StatusOr<Program::Entry> Program::find(llvm::StringRef name) const {
  TSC_ASSIGN_OR_RETURN(Entry entry, impl->module ? impl->findMethod(name) : impl->findFunction(name));
  TSC_RETURN_IF_ERROR(impl->compile(entry));
  return entry;
}

const FunctionSchema &Program::Entry::schema() const { return function->schema(); }
llvm::ArrayRef<Function *> Program::functions() const { return impl->functions; }
const Module *Program::module() const { return impl->module ? &*impl->module : nullptr; }

StatusOr<Module> Program::findModule(llvm::StringRef path) const {
  if (!impl->module)
    return notFound("'" + impl->name + "' holds functions, and no module '" + path + "'");
  Module found = *impl->module;
  for (llvm::StringRef rest = path; !rest.empty();) {
    auto [name, next] = rest.split('.');
    rest = next;
    TSC_ASSIGN_OR_RETURN(IValue value, found.attribute(name));
    if (!value.isObject() || !value.toObject().type->isModule())
      return notFound("'" + name + "' of '" + path + "' is no module");
    found = Module(Ref<ObjectValue>::share(&value.toObject()), impl->cache);
  }
  return found;
}

//===----------------------------------------------------------------------===//
// Bodies
//===----------------------------------------------------------------------===//

/// Compiles the function and what it calls, so that whether a program is refused does not depend on what runs first.
/// The one that does not compile; null when all do. `needsTape` is set where something asks for gradients.
static Function *defineReachable(Function &entry, std::atomic<bool> &needsTape) {
  llvm::SmallPtrSet<Function *, 16> seen;
  llvm::SmallVector<Function *> pending{&entry};
  while (!pending.empty()) {
    Function *function = pending.pop_back_val();
    if (!function || !seen.insert(function).second)
      continue;
    if (failed(function->ensureDefined()))
      return function;
    if (!function->graph())
      continue;
    function->graph()->walk([&](Node &node) {
      pending.push_back(calleeOf(node));
      if (asksForGradients(node))
        needsTape = true;
      const auto *type = node.numInputs() ? dyn_cast<ClassType>(node.input(0)->type()) : nullptr;
      if (type && node.kind() == prim::Enter) {
        pending.push_back(type->findMethod("__enter__"));
        pending.push_back(type->findMethod("__exit__"));
      }
    });
  }
  return nullptr;
}

/// Archives were compiled once, and are read as far as they run.
static Function *defineAlone(Function &method) { return failed(method.ensureDefined()) ? &method : nullptr; }

Status Program::Impl::compileOnce(Function &function) {
  {
    std::lock_guard lock(mutex);
    if (auto found = compiled.find(&function); found != compiled.end())
      return found->second;
  }
  const size_t heard = sink.numErrors();
  const Function *wrong = module ? defineAlone(function) : defineReachable(function, needsTape);
  Status result = wrong ? refusal(heard, "'" + wrong->qualifiedName() + "' does not compile") : okStatus();
  std::lock_guard lock(mutex);
  return compiled.try_emplace(&function, std::move(result)).first->second;
}

Status Program::Impl::compile(const Entry &entry) {
  TSC_RETURN_IF_ERROR(compileOnce(*entry.function));
  if (!entry.withHooks)
    return okStatus();
  const ForwardHooks &hooks = module->type().forwardHooks();
  for (const std::vector<std::string> *names : {&hooks.before, &hooks.after})
    for (const std::string &hook : *names) {
      TSC_ASSIGN_OR_RETURN(Entry method, findMethod(hook));
      TSC_RETURN_IF_ERROR(compileOnce(*method.function));
    }
  return okStatus();
}

Status Program::compileAll() {
  finishCompiling();
  const size_t heard = impl->sink.numErrors();
  if (impl->module)
    for (Function *method : impl->module->type().methods())
      TSC_RETURN_IF_ERROR(impl->compileOnce(*method));
  return failed(impl->compiler.defineAll()) ? impl->refusal(heard, "the program does not compile") : okStatus();
}
