//===- Loading.cpp - Programs from source, graphs and archives ------------===//
#include "ProgramImpl.h"
#include "tsc/Frontend/LibraryNames.h"
#include "tsc/IR/ClassType.h"
#include "tsc/IR/Context.h"
#include "tsc/IR/Graph.h"
#include "tsc/IR/Parser.h"
#include "tsc/Serialization/Archive.h"
#include "tsc/Support/MappedFile.h"
#include "tsc/Transforms/Inlining.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/SaveAndRestore.h"

using namespace tsc;

Status Program::Impl::load(Bytes file) {
  const llvm::StringRef path = name;
  if (path.ends_with(".py"))
    TSC_RETURN_IF_ERROR(loadSource(context.sources().add(name, file.data.str())));
  else if (path.ends_with(".ir"))
    TSC_RETURN_IF_ERROR(loadGraphs(context.sources().add(name, file.data.str())));
  else
    TSC_RETURN_IF_ERROR(loadArchive(std::move(file)));
  optimizer.validateWith(module ? IValue(module->object()) : IValue());
  return okStatus();
}

/// The file that `import a.b` names: a/b/__init__.py or a/b.py below the folder. Names have no slashes and are never
/// `..`, so that nothing outside of it is read.
Compiler::FoundFile Program::Impl::findImported(llvm::StringRef module) {
  llvm::SmallString<128> path(options.sourceFolder == "." ? "" : options.sourceFolder);
  llvm::SmallVector<llvm::StringRef, 4> parts;
  module.split(parts, '.');
  for (llvm::StringRef part : parts)
    llvm::sys::path::append(path, part);
  auto read = [&](const llvm::Twine &file) -> const SourceBuffer * {
    StatusOr<Ref<MappedFile>> mapped = MappedFile::open(file.str());
    return mapped.ok() ? &context.sources().add(file.str(), (*mapped)->bytes().str()) : nullptr;
  };
  Compiler::FoundFile found;
  found.isPackage = llvm::sys::fs::is_directory(path);
  if (found.isPackage)
    found.text = read(path + "/__init__.py");
  if (const SourceBuffer *file = found.text ? nullptr : read(path + ".py"))
    found = {file, false}; // a file comes before a folder without __init__.py
  return found;
}

void Program::Impl::findFiles() {
  if (!options.sourceFolder.empty())
    compiler.setFindFile([this](llvm::StringRef module) { return findImported(module); });
}

Status Program::Impl::loadSource(const SourceBuffer &text) {
  findFiles();
  isSource = true;
  TapedCalls calls(context, whoMayAsk());
  llvm::SaveAndRestore<TapedCalls *> taping(sourceHost.calls, &calls);
  if (failed(compiler.addSource(text)))
    return refusal(0, "'" + text.name() + "' does not compile");
  functions = compiler.sourceFunctions().vec();
  return okStatus();
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

Status Program::Impl::loadGraphs(const SourceBuffer &text) {
  auto graphs = parseGraphs(context, text, errors);
  if (failed(graphs))
    return refusal(0, "'" + text.name() + "' does not parse");
  unsigned unnamed = 0;
  for (std::unique_ptr<Graph> &graph : *graphs) {
    std::string called =
        graph->name().empty() ? "graph" + (unnamed ? std::to_string(unnamed) : "") : graph->name().str();
    unnamed += graph->name().empty();
    if (unit.find(called))
      return invalidArgument("'" + text.name() + "' holds two graphs of the name '" + called + "'");
    Function *function = unit.create(called);
    function->setSchema(schemaOf(*graph, called));
    function->setGraph(std::move(graph));
    if (options.operators.isSet() || options.device)
      (void)admit(*function);
    functions.push_back(function);
  }
  return sink.numErrors() == 0 ? okStatus() : refusal(0, "");
}

/// Whether a node costs no more than its operands: it moves or compares values.
static bool isCheap(const Node &node) {
  if (node.kindName().starts_with("prim::"))
    return node.kind() != prim::Loop && node.kind() != prim::fork && node.kind() != prim::awaitable;
  return movesDataOnly(node.graph().context().symbol(node.kindName()));
}

/// How many nodes a call of `function` can reach, its own and those of what it calls, up to `limit`; nothing where it
/// computes, has a loop or calls what only running shows.
static std::optional<size_t> reach(Function &function, size_t limit, unsigned depth = 0) {
  if (depth == 16 || failed(function.ensureDefined()) || !function.graph())
    return std::nullopt;
  size_t count = 0;
  bool isKnown = true;
  function.graph()->walk([&](Node &node) {
    const bool isCall = node.kind() == prim::CallFunction || node.kind() == prim::CallMethod;
    isKnown &= isCheap(node);
    if (!isKnown || ++count > limit)
      return;
    Function *callee = isCall ? calleeOf(node) : nullptr;
    if (!isCall || (callee && callee->qualifiedName().starts_with(nativeClasses)))
      return;
    std::optional<size_t> within = callee ? reach(*callee, limit - count, depth + 1) : std::nullopt;
    isKnown &= within.has_value();
    count += within.value_or(0);
  });
  return isKnown && count <= limit ? std::optional(count) : std::nullopt;
}

bool tsc::isPlain(Function &stateMethod) { return reach(stateMethod, 500).has_value(); }

Status Program::Impl::loadArchive(Bytes file) {
  LoadOptions load;
  load.device = options.device ? options.device : options.archiveDevice;
  load.sawCode = [this](bool asksForGradients) { executor.expectGradients(asksForGradients); };
  CallContext call(context);
  if (options.loadingOut)
    call.setOut(*options.loadingOut);
  call.quotas = options.loadingQuotas;
  call.quotas.memory = Quotas::unlimited;                 // all that loading takes is counted together
  llvm::DenseMap<const Function *, size_t> methodIndices; // in stateMethods
  load.setState = [&](Function &setState, const IValue &object, IValue state) -> Status {
    auto [known, isNew] = methodIndices.try_emplace(&setState, stateMethods.size());
    if (isNew)
      stateMethods.emplace_back(&setState, 0);
    ++stateMethods[known->second].second;
    const bool mayRun = options.allowSetState || isPlain(setState);
    if (!mayRun && options.skipSetState)
      return okStatus();
    if (!mayRun)
      return permissionDenied("loading an object of class '" + object.toObject().type->name() +
                              "' runs its __setstate__, which was not allowed");
    // It runs once: optimizing it would take longer, and tables that nothing else may need.
    return callFunction(executor.asWritten(), setState, call, {object, std::move(state)}).status();
  };
  StatusOr<ArchiveContents> contents = tsc::loadArchive(compiler, std::move(file), load);
  if (!contents.ok()) {
    Status failure = withContext(contents.status(), name + ": ");
    return sink.numErrors() ? asDiagnosed(std::move(failure)) : failure;
  }
  locations = std::move(contents->locations);
  formatVersion = contents->version;
  for (auto &[name, bytes] : contents->extraFiles) {
    extraFileNames.push_back(std::move(name));
    extraFiles.push_back(std::move(bytes));
  }
  module.emplace(Ref<ObjectValue>::share(&contents->object.toObject()), executor, borrowed());
  return okStatus();
}
