//===- Loading.cpp - Programs from source, graphs and archives ------------===//
#include "ProgramImpl.h"
#include "tsc/IR/Graph.h"
#include "tsc/IR/Parser.h"
#include "tsc/Serialization/Archive.h"

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

Status Program::Impl::loadSource(const SourceBuffer &text) {
  if (failed(compiler.addSource(text)))
    return refusal(0, "'" + text.name() + "' does not compile");
  functions = compiler.sourceFunctions().vec();
  isSource = true;
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
    functions.push_back(function);
  }
  return okStatus();
}

/// Whether the code of an archive names torch.autograd. Its methods are compiled as they are reached: this is known
/// before they do what somebody can see.
static bool mentionsGradients(const Bytes &file) {
  StatusOr<ZipReader> zip = ZipReader::open(file);
  if (!zip.ok())
    return false; // loading says why
  return llvm::any_of(zip->names(), [&](llvm::StringRef name) {
    if (!name.contains("/code/") || !name.ends_with(".py"))
      return false;
    StatusOr<Bytes> text = zip->read(name);
    return text.ok() && (text->data.contains("torch.autograd.") || text->data.contains("torch.backward("));
  });
}

Status Program::Impl::loadArchive(Bytes file) {
  needsTape = mentionsGradients(file);
  LoadOptions load;
  CallContext call(context);
  if (options.loadingOut)
    call.setOut(*options.loadingOut);
  if (options.allowSetState)
    load.setState = [&](Function &setState, const IValue &object, IValue state) {
      return callFunction(cache, setState, call, {object, std::move(state)}).status();
    };
  StatusOr<ArchiveContents> contents = tsc::loadArchive(compiler, std::move(file), load);
  if (!contents.ok()) {
    Status failure = withContext(contents.status(), name + ": ");
    return sink.numErrors() ? asDiagnosed(std::move(failure)) : failure;
  }
  module.emplace(Ref<ObjectValue>::share(&contents->object.toObject()), cache);
  return okStatus();
}
