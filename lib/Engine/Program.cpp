//===- Program.cpp - A loaded program, whatever it came from --------------===//
#include "Placement.h"
#include "ProgramImpl.h"
#include "StateGuard.h"
#include "tsc/Collectives/Open.h"
#include "tsc/Engine/Prompt.h"
#include "tsc/Frontend/Prelude/Prelude.h"
#include "tsc/IR/Graph.h"
#include "tsc/IR/Operator.h"
#include "tsc/Runtime/Dispatch/Accelerator.h"
#include "tsc/Runtime/Dispatch/Exceptions.h"
#include "tsc/Support/MappedFile.h"
#include "tsc/Support/SimdLevel.h"
#include "tsc/Support/Stack.h"
#include "llvm/ADT/ScopeExit.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/SaveAndRestore.h"

using namespace tsc;

//===----------------------------------------------------------------------===//
// How it is put together
//===----------------------------------------------------------------------===//

Program::Impl::Impl(llvm::StringRef name, EngineOptions chosen)
    : options(std::move(chosen)), name(name), sink(options.onDiagnostic), unit(context),
      compiler(unit, errors, prelude()), optimizer(context, options, remarks), sourceHost(context, options, files),
      executor(executorOptions()), guard(makeGuard()) {
  setConstructionHost(compiler, sourceHost);
  compiler.setObserver(options.compileObserver);
  setAccelerator(context, options.accelerator);
  setCollectivesOpener(context, openCollectives);
  if (options.operators.isSet() || options.device)
    unit.setAdmission([this](Function &function) { return admit(function); });
  errors.listAllOverloads(options.listAllOverloads);
  sink.connect(errors);
  sink.connect(remarks);
  if (options.checkAliases)
    aliasChecker.emplace(context);
  if (executor.policy().makesPlans())
    optimizer.differentiateWhere([this] { return executor.expectsGradients(); });
}

/// Which tiers the options leave, and how their code is made.
GraphExecutorOptions Program::Impl::executorOptions() {
  GraphExecutorOptions made;
  made.prepare = [this](Graph &graph) { return optimize(graph); };
  made.onCode = options.onCode;
  made.onModuleChange = [this] { noteModuleChange(); };
  made.tiers.isOptimized = options.optimization != 0;
  if (options.optimization < 2)
    return made;
  made.fusers = options.fusers;
  made.tiers.plans = options.plans;
  if (options.plans == CompileMode::Eager)
    made.tiers.callsBefore = 0;
  made.prepareForTape = [this](Graph &graph) { return optimizer.prepareForTape(graph); };
  made.knowsLayers = true;
  made.profiles = options.profiles;
  made.profilingCounters = options.profilingCounters;
  made.trace = options.trace;
  return made;
}

std::shared_ptr<Program::Impl> Program::Impl::make(llvm::StringRef name, EngineOptions options) {
  return std::shared_ptr<Impl>(new Impl(name, std::move(options)), [](Impl *impl) {
    if (!impl->forkDomain.isLost())
      delete impl;
  });
}

Status Program::Impl::lostInFork() const {
  return unimplemented("'" + name +
                       "' cannot be used in this process: another thread was in a call of it when the process was "
                       "forked; load it again, or fork between calls");
}

static constexpr DiagnosticKind cannotPlace{Severity::Error, "CannotPlace", "{0}"};

bool Program::Impl::isTyped(const Graph &body) const {
  return !typedTexts.empty() && llvm::any_of(body.block().nodes(), [&](const Node &node) {
    return typedTexts.contains(node.range().buffer());
  });
}

llvm::LogicalResult Program::Impl::admit(Function &function) {
  const Graph &body = *function.graph();
  if (placement)
    if (Status placed = placeBody(*function.graph(), *options.device, *placement, !isSource && !isTyped(body));
        !placed.ok())
      return errors.report({}, cannotPlace, messageOf(placed));
  if (!options.operators.isSet())
    return llvm::success();
  return llvm::success(options.operators.allows(*function.graph(), errors));
}

/// Nothing of a library that others wrote is believed: neither how many results it gives nor what they are.
static Status checkResults(const FunctionSchema &schema, const IValue *results) {
  for (size_t i = 0; i != schema.returns().size(); ++i)
    if (const Type *type = schema.returns()[i].type; !isInstanceOf(results[i], type))
      return invalidArgument("operator '" + schema.name() + "' gave a '" + pythonTypeName(results[i]) +
                             "' where its schema says '" + type->str() + "'");
  return okStatus();
}

Status Program::Impl::registerHostOperators() {
  for (const HostOperator &one : options.hostOperators) {
    auto schema = std::make_shared<const FunctionSchema *>(nullptr);
    auto checked = [schema](CustomKernel run) -> CustomKernel {
      return [schema, run = std::move(run)](CallContext &call, const IValue *const *args, IValue *results) -> Status {
        TSC_RETURN_IF_ERROR(run(call, args, results));
        return checkResults(**schema, results);
      };
    };
    auto checkedForNode = [checked, make = one.kernelMaker](const Node &node) -> StatusOr<CustomKernel> {
      TSC_ASSIGN_OR_RETURN(CustomKernel made, make(node));
      return checked(std::move(made));
    };
    llvm::StringRef name = llvm::StringRef(one.schema).split('(').first.trim();
    OperatorTable &table = context.operators();
    TSC_RETURN_IF_ERROR(withContext(one.kernelMaker ? table.registerNodeOperator(one.schema, checkedForNode)
                                                    : table.registerOperator(one.schema, checked(one.kernel)),
                                    "operator '" + name + "': "));
    auto [qualified, overload] = name.split('.');
    const Operator *made = context.operators().find(qualified, overload);
    if (!made)
      return invalidArgument("operator '" + name + "': its schema does not name it");
    *schema = &made->schema();
  }
  return okStatus();
}

Status Program::Impl::openDevice() {
  if (!options.device)
    return okStatus();
  if (!options.accelerator)
    return invalidArgument("there is no accelerator for the device '" + options.device->str() + "'");
  TSC_ASSIGN_OR_RETURN(placement, options.accelerator->memory(*options.device));
  return okStatus();
}

Status Program::Impl::optimize(Graph &graph) {
  TSC_RETURN_IF_ERROR(optimizer.run(graph));
  return aliasChecker ? aliasChecker->instrument(graph) : okStatus();
}

StatusOr<Program> Program::load(const std::string &path, EngineOptions options) {
  return orMemoryError([&]() -> StatusOr<Program> {
    TSC_ASSIGN_OR_RETURN(Ref<MappedFile> file, MappedFile::open(path));
    llvm::StringRef bytes = file->bytes();
    if (options.sourceFolder.empty()) {
      llvm::StringRef folder = llvm::sys::path::parent_path(path);
      options.sourceFolder = folder.empty() ? "." : folder.str();
    }
    return load(Bytes{bytes, std::move(file)}, path, std::move(options));
  });
}

StatusOr<Program> Program::load(Bytes file, llvm::StringRef name, EngineOptions options) {
  if (options.optimization > 3)
    return invalidArgument("there is no optimization level " + llvm::Twine(options.optimization) +
                           ": levels are 0 to 3");
  InsideScope inside(nullptr);
  TSC_RETURN_IF_ERROR(checkStack(stackToCompile, "loading a program"));
  return orMemoryError([&]() -> StatusOr<Program> {
    TSC_RETURN_IF_ERROR(simdStatus());
    Program program(Impl::make(name, std::move(options)));
    TSC_RETURN_IF_ERROR(program.impl->registerHostOperators());
    TSC_RETURN_IF_ERROR(program.impl->openDevice());
    TSC_RETURN_IF_ERROR(program.readWithinLimits(std::move(file), /*inspects=*/false));
    return std::move(program);
  });
}

Program Program::inspect(Bytes file, llvm::StringRef name, EngineOptions options) {
  InsideScope inside(nullptr);
  Program program(Impl::make(name, std::move(options)));
  if (program.impl->registerHostOperators().ok())
    (void)program.readWithinLimits(std::move(file), /*inspects=*/true); // onDiagnostic has heard
  return program;
}

/// Compiles all of what is inspected, also where a part of it was refused.
Status Program::readWithinLimits(Bytes file, bool inspects) {
  CallContext limits(context());
  limits.quotas = options().loadingQuotas;
  CallContext::MemoryScope counting(limits);
  Status loaded = orMemoryError([&] {
    Status status = impl->load(std::move(file));
    if (status.ok() && impl->placement && impl->module)
      status = placeTensors(IValue(impl->module->object()), *impl->placement);
    if (inspects || (status.ok() && impl->module && options().operators.isSet()))
      status = compileAll();
    return status;
  });
  return limits.account().wasExceeded() ? quotaExceeded(QuotaKind::Memory) : loaded;
}

Program::Program(std::shared_ptr<Impl> impl) : impl(std::move(impl)) {}
Program::Program(Program &&) = default;
Program &Program::operator=(Program &&) = default;
Program::~Program() = default;

Generator *Program::generator() const { return impl->compiler.wasRun() ? &impl->sourceHost.generator() : nullptr; }
Context &Program::context() const { return impl->context; }
const EngineOptions &Program::options() const { return impl->options; }

//===----------------------------------------------------------------------===//
// Calls
//===----------------------------------------------------------------------===//

StatusOr<IValue> Program::Impl::evaluate(CallContext &context, const Entry &entry, std::vector<IValue> args,
                                         KeywordArguments kwargs) {
  StateUse alone; // it may do anything to the modules that other entries are methods of
  TSC_RETURN_IF_ERROR(enterAlone(alone, context));
  std::lock_guard lock(evaluation);
  auto changed = llvm::make_scope_exit([&] { noteModuleChange(); });
  const size_t heard = sink.numErrors();
  // What it compiles and runs obeys the limits of this call.
  CallContext &inner = sourceHost.context();
  TapedCalls calls(this->context, whoMayAsk());
  llvm::SaveAndRestore<TapedCalls *> taping(sourceHost.calls, &calls);
  CallContext::MemoryScope counting(context);
  llvm::SaveAndRestore<Quotas> lending(inner.quotas, context.quotas);
  inner.quotas.memory = Quotas::unlimited;
  inner.obey(&context);
  inner.stepsUsed = context.stepsUsed;
  inner.outputUsed = context.outputUsed;
  auto restored = llvm::make_scope_exit([&] {
    inner.obey(nullptr);
    context.stepsUsed = inner.stepsUsed;
    context.outputUsed = inner.outputUsed;
  });
  if (!entry.isMainBlock()) {
    llvm::FailureOr<IValue> result = compiler.callEvaluated(entry.entryName, std::move(args), std::move(kwargs));
    return failed(result) ? StatusOr<IValue>(refusal(heard, "'" + name + "' failed")) : *std::move(result);
  }
  if (failed(compiler.runMainBlock()))
    return refusal(heard, "'" + name + "' failed");
  return IValue();
}

StatusOr<IValue> Program::Impl::call(const GraphExecutor &through, CallContext &context, const Entry &entry,
                                     std::vector<IValue> &&args, const KeywordArguments &kwargs) const {
  if (entry.target && !entry.withSelf) {
    const Module callee(entry.target, through);
    return entry.withHooks ? callee(context, std::move(args), kwargs)
                           : callee.run(context, entry.entryName, std::move(args), kwargs);
  }
  const Module *called = ownerOf(entry);
  if (entry.withSelf)
    args.emplace(args.begin(), entry.target ? entry.target : called->object());
  if (!entry.isMethod)
    return callFunction(through, *entry.function, context, std::move(args), kwargs);
  auto callMethod = [&](const Module &callee) {
    return entry.withHooks ? callee(context, std::move(args), kwargs)
                           : callee.run(context, *entry.function, std::move(args), kwargs);
  };
  return &through == &executor ? callMethod(*called) : callMethod(called->withExecutor(through));
}

StatusOr<IValue> Program::run(CallContext &call, const Entry &entry, std::vector<IValue> args,
                              KeywordArguments kwargs) const {
  // What is locked meanwhile, while code is made, runs nothing in this context; a script is locked itself.
  InsideScope inside(&impl->forkDomain, entry.isScript ? nullptr : &call);
  if (impl->forkDomain.isLost()) [[unlikely]]
    return impl->checkWhole();
  TSC_RETURN_IF_ERROR(checkStack(stackToCall, "a call"));
  return orMemoryError([&]() -> StatusOr<IValue> {
    if (entry.isMainBlock() && (!args.empty() || !kwargs.empty()))
      return invalidArgument("'if __name__ == \"__main__\":' of '" + llvm::Twine(impl->name) +
                             "' takes no arguments: name the function that does");
    const size_t heard = impl->sink.numErrors();
    llvm::SaveAndRestore<FileAccess *> lending(call.files, impl->lentFiles());
    StateUse use;
    if (entry.guarded &&
        entry.guarded->access(impl->moduleVersion.load(std::memory_order_relaxed)) != StateAccess::None)
      TSC_RETURN_IF_ERROR(impl->enter(use, entry, call));
    StatusOr<IValue> result = IValue();
    if (entry.isMainBlock() && !impl->compiler.wasRun()) {
      std::lock_guard lock(impl->evaluation);
      if (Status status = Prompt(*this, call).runFile(); !status.ok())
        result = std::move(status);
    } else if (entry.isScript) {
      result = impl->evaluate(call, entry, std::move(args), std::move(kwargs));
    } else { // all that a function can call was looked at; what a method calls is known when it runs
      const Impl &program = *impl;
      result = program.executor.callForHost(call, entry.isMethod, [&](const GraphExecutor &through, bool isLast) {
        if (isLast)
          return program.call(through, call, entry, std::move(args), kwargs);
        std::vector<IValue> copies;
        copies.reserve(args.size() + 1); // the module goes before them
        copies.insert(copies.end(), args.begin(), args.end());
        return program.call(through, call, entry, std::move(copies), kwargs);
      });
    }
    // What is known of other methods of modules that the file made may rest on what this one assigned.
    if (use.isAlone() && impl->compiler.wasRun())
      impl->noteModuleChange();
    // A function that is compiled when it is reached may turn out to be wrong. Who does not listen reads why.
    if (!result.ok() && !impl->options.onDiagnostic && impl->sink.numErrors() != heard)
      return withContext(result.status(), impl->sink.errorsAfter(heard));
    return result;
  });
}

StatusOr<IValue> Program::run(CallContext &call, llvm::StringRef name, std::vector<IValue> args,
                              KeywordArguments kwargs) const {
  return orMemoryError([&]() -> StatusOr<IValue> {
    TSC_ASSIGN_OR_RETURN(Entry entry, find(name));
    return run(call, entry, std::move(args), std::move(kwargs));
  });
}

StatusOr<std::vector<IValue>> Program::evaluate(CallContext &call, std::string expressions, llvm::StringRef origin) {
  TSC_RETURN_IF_ERROR(checkStack(stackToCompile, "compiling"));
  return orMemoryError([&]() -> StatusOr<std::vector<IValue>> {
    if (llvm::StringRef(expressions).trim().empty())
      return std::vector<IValue>();
    InsideScope inside(&impl->forkDomain);
    TSC_RETURN_IF_ERROR(impl->checkWhole());
    finishCompiling(); // the thread that makes plans compiles bodies too
    const size_t heard = impl->sink.numErrors();
    const SourceBuffer &text = impl->context.sources().add(origin.str(), std::move(expressions));
    Function *function = impl->compiler.compileExpressions(text);
    if (!function)
      return impl->refusal(heard, origin + " does not compile");
    const GraphExecutor plain;
    TSC_ASSIGN_OR_RETURN(IValue values, callFunction(plain, *function, call, {}));
    if (!values.isTuple())
      return std::vector<IValue>{values};
    return values.toTuple().elements;
  });
}

Status Program::freeze(llvm::ArrayRef<std::string> methods, std::vector<std::string> keep,
                       std::vector<AttributeFate> *fates) {
  InsideScope inside(&impl->forkDomain);
  TSC_RETURN_IF_ERROR(impl->checkWhole());
  TSC_RETURN_IF_ERROR(checkStack(stackToCompile, "freezing a module"));
  return orMemoryError([&]() -> Status {
    if (!impl->module)
      return invalidArgument("'" + impl->name + "' has no module to freeze");
    if (own)
      return invalidArgument("a fork cannot be frozen: freeze the program that it comes from, and fork that one");
    finishCompiling();
    TSC_ASSIGN_OR_RETURN(impl->module, impl->module->freeze(methods, std::move(keep), fates));
    impl->optimizer.useFrozenPipeline();
    impl->noteModuleChange();
    return okStatus();
  });
}

Status Program::status() const { return impl->checkWhole(); }

void Program::finishCompiling() const {
  InsideScope inside(&impl->forkDomain);
  if (impl->forkDomain.isLost())
    return;
  impl->executor.finishCompiling();
  impl->options.fusers.finishCompiling();
}
