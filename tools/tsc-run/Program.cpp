//===- Program.cpp - A loaded program, whatever it came from --------------===//
#include "Program.h"
#include "tsc/IR/ClassType.h"
#include "tsc/IR/Graph.h"
#include "tsc/IR/Parser.h"
#include "tsc/Runtime/Specializer.h"
#include "tsc/Support/MappedFile.h"
#include "tsc/Transforms/Inlining.h"
#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/Support/MathExtras.h"
#include "llvm/Support/raw_ostream.h"

using namespace tsc;
using namespace tsc::run;

Program::Program(const Options &options, TraceRecorder *trace)
    : options(options), trace(trace), unit(context), compiler(unit, diags), optimizer(context, options, diags, trace),
      aliasChecker(context) {
  diags.setHandler([](const Diagnostic &diagnostic) { diagnostic.print(llvm::errs()); });
  if (options.optimization >= 2)
    useFuser();
  if (options.specializes && options.optimization >= 2)
    specialize();
  else
    optimizeAhead();
}
Program::~Program() = default;

/// Functions are optimized before their first call; what fails is repeated as it is written.
void Program::optimizeAhead() {
  prepareCode(cache);
  if (options.optimization == 0)
    return;
  cache.trackEffects();
  cache.setAsWritten(written);
}

/// What happens to functions as they come to be compiled.
void Program::prepareCode(CodeCache &codes) {
  codes.setPreparation([this](Graph &graph) { return optimize(graph); });
  if (options.printCode)
    codes.setObserver([](const Code &code) { code.print(llvm::errs()); });
}

/// Kernels for the fusion groups, which -O2 makes.
void Program::useFuser() {
  CpuFuserOptions fusing;
  fusing.mode = kernelMode();
  fusing.printKernels = options.printKernels;
  fusing.printed = [](llvm::StringRef text) { llvm::outs() << text; };
  if (options.compileBudget)
    fusing.maxCompileMicros = llvm::SaturatingMultiply<uint64_t>(*options.compileBudget, 1000);
  fusing.trace = trace;
  fusing.perfMap = options.perfMap;
  fusing.tuneFor = options.tuneFor;
  fusing.report = [](const Status &why) { llvm::errs() << "tsc-run: warning: " << messageOf(why) << '\n'; };
  (void)remarks.enable("", options.missedRemarks); // the optimizer says what is wrong with it
  remarks.setEngine(&diags);
  remarks.setPass("fuse");
  if (remarks.wantsMissed())
    fusing.refused = [this](const Node &last) {
      remarks.missed(last, "its group runs as plain nodes: there is no code for operands of these dtypes or layouts");
    };
  fuser = createCpuFuser(fusing);
  FuserRegistry fusers;
  fusers.add(DeviceKind::CPU, fuser);
  cache.setFusers(fusers);
  plans.setFusers(fusers);
}

void Program::finishCompiling() {
  if (specializer)
    specializer->finish();
  if (fuser)
    fuser->finishCompiling();
}

Status Program::optimize(Graph &graph) {
  TSC_RETURN_IF_ERROR(optimizer.run(graph));
  return options.checkAliases ? aliasChecker.instrument(graph) : okStatus();
}

/// Calls wait for the kernels that are to be shown, where one call may be all.
CompileMode Program::kernelMode() const {
  bool isShown = options.printKernels != PrintKernels::None || (options.explain && !options.bench);
  return isShown && options.compile == CompileMode::Background ? CompileMode::Eager : options.compile;
}

/// First calls run the code as it is, at once, and later ones too until their plans are there. Who wants to see what
/// optimization does sees it at the first call.
void Program::specialize() {
  prepareCode(plans);
  SpecializerOptions planning;
  planning.trace = trace;
  bool isObserved = options.printIR != PrintIR::None || options.printCode || options.validate || options.checkAliases ||
                    options.freeze || !options.remarks.empty() || !options.missedRemarks.empty() ||
                    options.printKernels != PrintKernels::None;
  if (kernelMode() == CompileMode::Eager || isObserved) {
    planning.mode = CompileMode::Eager;
    planning.callsBefore = 0;
  }
  auto made = std::make_unique<Specializer>(plans, planning);
  specializer = made.get();
  cache.setSpecializer(std::move(made));
}

//===----------------------------------------------------------------------===//
// Loading
//===----------------------------------------------------------------------===//

Status Program::load() {
  llvm::StringRef path = options.program;
  if (!path.ends_with(".py") && !path.ends_with(".ir")) {
    TSC_RETURN_IF_ERROR(loadArchive());
  } else {
    TSC_ASSIGN_OR_RETURN(Ref<MappedFile> file, MappedFile::open(options.program));
    TSC_RETURN_IF_ERROR(load(file->bytes().str()));
  }
  if (options.validate)
    optimizer.validate(options.validate, module ? IValue(module->object()) : IValue());
  return okStatus();
}

Status Program::load(std::string text) {
  const SourceBuffer &source = context.sources().add(options.program, std::move(text));
  return source.name().ends_with(".ir") ? loadIR(source) : loadSource(source);
}

/// The signature of a graph that stands alone: its inputs are the parameters.
static FunctionSchema schemaOf(const Graph &graph, llvm::StringRef name) {
  std::vector<Argument> parameters, results;
  for (const Value *input : graph.inputs()) {
    Argument parameter;
    parameter.name = input->displayName();
    parameter.type = input->type();
    parameters.push_back(std::move(parameter));
  }
  for (const Value *output : graph.outputs()) {
    Argument result;
    result.type = output->type();
    results.push_back(std::move(result));
  }
  return FunctionSchema(name.str(), "", std::move(parameters), std::move(results));
}

Status Program::loadIR(const SourceBuffer &text) {
  auto graphs = parseGraphs(context, text, diags);
  if (failed(graphs))
    return okStatus(); // reported
  unsigned unnamed = 0;
  for (std::unique_ptr<Graph> &graph : *graphs) {
    std::string name = graph->name().empty() ? "graph" + (unnamed ? std::to_string(unnamed) : "") : graph->name().str();
    unnamed += graph->name().empty();
    if (unit.find(name))
      return invalidArgument("'" + text.name() + "' holds two graphs of the name '" + name + "'");
    Function *function = unit.create(name);
    function->setSchema(schemaOf(*graph, name));
    function->setGraph(std::move(graph));
    functions.push_back(function);
  }
  return okStatus();
}

Status Program::loadSource(const SourceBuffer &text) {
  if (failed(compiler.addSource(text)))
    return okStatus(); // reported
  functions = compiler.sourceFunctions().vec();
  return okStatus();
}

Status Program::compileAll() {
  if (module)
    for (Function *method : module->type().methods())
      if (failed(method->ensureDefined()))
        return okStatus();
  return failed(compiler.defineAll()) && !diags.hasErrors() ? invalidArgument("the program does not compile")
                                                            : okStatus();
}

//===----------------------------------------------------------------------===//
// Calling
//===----------------------------------------------------------------------===//

Function *Program::findFunction(llvm::StringRef name) const {
  for (Function *function : functions)
    if (function->qualifiedName() == name || function->name() == name)
      return function;
  return nullptr;
}

StatusOr<Program::Entry> Program::findEntry(llvm::StringRef name) {
  if (module) {
    llvm::StringRef method = name.empty() ? "forward" : name;
    if (!module->findMethod(method)) {
      std::string known;
      for (Function *other : module->type().methods())
        known += (known.empty() ? "" : ", ") + other->name().str();
      return notFound("'" + llvm::Twine(options.program) + "' has no method '" + method +
                      "'; it has: " + (known.empty() ? "none" : known));
    }
    return Entry{nullptr, method.str(), /*isCallOfModule=*/name.empty()};
  }
  Function *function = nullptr;
  if (!name.empty())
    function = findFunction(name);
  else if (!(function = findFunction("forward")) && !(function = findFunction("main")) && functions.size() == 1)
    function = functions.front();
  if (function)
    return Entry{function, {}};
  std::string known;
  for (Function *other : functions)
    known += (known.empty() ? "" : ", ") + other->name().str();
  if (functions.empty())
    return notFound("'" + llvm::Twine(options.program) + "' defines no function");
  return notFound((name.empty() ? "which function is meant? " : "there is no function '" + name + "'; ") +
                  llvm::Twine("'") + options.program + "' defines: " + known);
}

/// Compiles the function and what it calls, so that whether a program is refused does not depend on what runs first.
/// The one that does not compile; null when all do.
static Function *defineReachable(Function &entry) {
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
      const auto *type = node.numInputs() ? dyn_cast<ClassType>(node.input(0)->type()) : nullptr;
      if (type && node.kind() == prim::Enter) {
        pending.push_back(type->findMethod("__enter__"));
        pending.push_back(type->findMethod("__exit__"));
      }
    });
  }
  return nullptr;
}

Status Program::prepare(llvm::StringRef name) {
  TSC_ASSIGN_OR_RETURN(Entry entry, findEntry(name));
  Function *function = entry.function ? entry.function : module->findMethod(entry.method);
  // Archives were compiled once, and are read as far as they run.
  Function *wrong = module ? (failed(function->ensureDefined()) ? function : nullptr) : defineReachable(*function);
  if (wrong && !diags.hasErrors())
    return invalidArgument("'" + wrong->qualifiedName() + "' does not compile");
  if (entry.isCallOfModule)
    for (const std::vector<std::string> *hooks :
         {&module->type().forwardHooks().before, &module->type().forwardHooks().after})
      for (const std::string &hook : *hooks)
        TSC_RETURN_IF_ERROR(prepare(hook));
  return okStatus();
}

StatusOr<IValue> Program::call(CallContext &callContext, const Call &call) {
  TSC_ASSIGN_OR_RETURN(Entry entry, findEntry(call.method.empty() ? options.entry : call.method));
  if (entry.function)
    return callFunction(cache, *entry.function, callContext, call.args, call.kwargs);
  if (entry.isCallOfModule)
    return (*module)(callContext, call.args, call.kwargs);
  return module->run(callContext, entry.method, call.args, call.kwargs);
}

//===----------------------------------------------------------------------===//
// Arguments
//===----------------------------------------------------------------------===//

StatusOr<std::vector<IValue>> Program::evaluateArgs(CallContext &callContext) {
  if (llvm::StringRef(options.args).trim().empty())
    return std::vector<IValue>();
  const SourceBuffer &text = context.sources().add("--args", options.args);
  Function *expressions = compiler.compileExpressions(text);
  if (!expressions)
    return diags.hasErrors() ? absl::CancelledError("") : invalidArgument("--args does not compile");
  CodeCache plain; // not a part of the program: neither printed nor optimized
  TSC_ASSIGN_OR_RETURN(IValue values, callFunction(plain, *expressions, callContext, {}));
  if (!values.isTuple())
    return std::vector<IValue>{values};
  return values.toTuple().elements;
}

static Status wrongEntry(llvm::StringRef name, const std::string &path, llvm::StringRef expected) {
  return dataLoss("'" + name + "' in '" + path + "' is not " + expected);
}

/// The elements of a tuple or list.
static StatusOr<std::vector<IValue>> elementsOf(const IValue &value, llvm::StringRef name, const std::string &path) {
  if (value.isTuple())
    return value.toTuple().elements;
  if (!value.isList())
    return wrongEntry(name, path, "a tuple or list");
  std::vector<IValue> elements;
  for (size_t i = 0; i != value.listSize(); ++i)
    elements.push_back(value.listElement(i));
  return elements;
}

static StatusOr<KeywordArguments> keywordsOf(const IValue &value, const std::string &path) {
  if (!value.isDict())
    return wrongEntry("kwargs", path, "a dict");
  KeywordArguments keywords;
  bool named = true;
  value.toDict().forEach([&](const IValue &key, const IValue &argument) {
    named &= key.isString();
    if (named)
      keywords.emplace_back(key.toString(), argument);
  });
  if (!named)
    return wrongEntry("kwargs", path, "a dict of names");
  return keywords;
}

/// Empty when none is named.
static StatusOr<std::string> methodIn(const DictValue &dict, const std::string &path) {
  const IValue *method = dict.find(IValue("method"));
  if (!method || method->isNone())
    return std::string();
  if (!method->isString())
    return wrongEntry("method", path, "a name");
  return std::string(method->toString());
}

/// The dict of a torch.save file as calls: {'args', 'kwargs', 'result', 'method'}, or {'calls': [such, …]}.
static StatusOr<Call> callFrom(const IValue &value, const std::string &path) {
  if (!value.isDict())
    return dataLoss("'" + llvm::Twine(path) + "' does not hold a dict of 'args' and 'kwargs'");
  const DictValue &dict = value.toDict();
  Call call;
  if (const IValue *args = dict.find(IValue("args"))) {
    TSC_ASSIGN_OR_RETURN(call.args, elementsOf(*args, "args", path));
  }
  if (const IValue *kwargs = dict.find(IValue("kwargs"))) {
    TSC_ASSIGN_OR_RETURN(call.kwargs, keywordsOf(*kwargs, path));
  }
  if (const IValue *result = dict.find(IValue("result")))
    call.expected = *result;
  TSC_ASSIGN_OR_RETURN(call.method, methodIn(dict, path));
  return call;
}

/// Its calls; a method named beside them is that of every call which names none.
static StatusOr<std::vector<Call>> callsFrom(const IValue &file, const std::string &path) {
  const IValue *list = file.isDict() ? file.toDict().find(IValue("calls")) : nullptr;
  std::vector<Call> calls;
  if (!list) {
    TSC_ASSIGN_OR_RETURN(calls.emplace_back(), callFrom(file, path));
    return calls;
  }
  TSC_ASSIGN_OR_RETURN(std::vector<IValue> each, elementsOf(*list, "calls", path));
  TSC_ASSIGN_OR_RETURN(std::string shared, methodIn(file.toDict(), path));
  for (const IValue &value : each) {
    TSC_ASSIGN_OR_RETURN(Call call, callFrom(value, path));
    if (call.method.empty())
      call.method = shared;
    calls.push_back(std::move(call));
  }
  return calls;
}

StatusOr<std::vector<Call>> Program::makeCalls(CallContext &callContext) {
  if (options.inputs.empty()) {
    TSC_RETURN_IF_ERROR(prepare(options.entry));
    if (diags.hasErrors())
      return absl::CancelledError("");
    Call call;
    TSC_ASSIGN_OR_RETURN(call.args, evaluateArgs(callContext));
    return std::vector<Call>{std::move(call)};
  }
  TSC_ASSIGN_OR_RETURN(IValue file, readInputs());
  TSC_ASSIGN_OR_RETURN(std::vector<Call> calls, callsFrom(file, options.inputs));
  // Calls may share values in the file; each gets its own, so that a program that writes to one does not change the
  // next.
  for (Call &call : calls) {
    IValue copied = deepCopy(makeTuple(call.args));
    call.args = copied.toTuple().elements;
    for (auto &[name, value] : call.kwargs)
      value = deepCopy(value);
    if (!options.entry.empty())
      call.method = options.entry;
    TSC_RETURN_IF_ERROR(prepare(call.method));
    if (diags.hasErrors())
      return absl::CancelledError("");
  }
  return calls;
}
