//===- Saving.cpp - Programs to archives and source -----------------------===//
#include "FrozenArchive.h"
#include "ProgramImpl.h"
#include "tsc/IR/ClassType.h"
#include "tsc/IR/Graph.h"
#include "tsc/Kernels/Copy.h"
#include "tsc/Runtime/KernelEvaluator.h"
#include "tsc/Serialization/ArchiveWriter.h"
#include "tsc/Serialization/PythonPrinter.h"
#include "tsc/Support/Stack.h"
#include "llvm/ADT/SmallPtrSet.h"

using namespace tsc;

/// The method that does what a function does: its first parameter is the module, which it does not use.
static void addMethod(ClassType &type, const Function &function, llvm::StringRef name, CompilationUnit &unit) {
  Function *method = unit.create((type.name() + "." + name).str());
  std::unique_ptr<Graph> graph = function.graph()->clone();
  graph->block().insertInput(0, &type)->setName("self");
  method->setGraph(std::move(graph));
  Argument self;
  self.name = "self";
  self.type = &type;
  std::vector<Argument> parameters{self};
  llvm::append_range(parameters, function.schema().arguments());
  method->setSchema(FunctionSchema(name.str(), "", std::move(parameters), function.schema().returns().vec()));
  type.addMethod(method);
}

/// A function alone is the forward of a module without attributes; where it is not clear which is meant, all functions
/// of a file are methods of one.
StatusOr<IValue> Program::Impl::makePlaceholder(Function *main) {
  std::vector<Function *> offered = functions;
  if (main)
    offered = {main};
  for (Function *function : offered)
    if (failed(function->ensureDefined()))
      return refusal(0, "'" + function->qualifiedName() + "' does not compile");
  std::lock_guard lock(offering);
  if (auto known = placeholders.find(main); main && known != placeholders.end())
    return known->second;
  std::string name = "__torch__.PlaceholderModule";
  while (context.findNamed(name))
    name += "_";
  ClassType &type = *context.classType(name);
  type.setIsModule(true);
  type.setDefined();
  type.addAttribute("training", Type::boolType());
  for (Function *function : offered)
    addMethod(type, *function, main ? "forward" : function->name(), unit);
  Ref<ObjectValue> object = makeRef<ObjectValue>(&type, 1);
  object->slots[0] = IValue(true);
  IValue made(std::move(object));
  if (main)
    placeholders.try_emplace(main, made);
  return made;
}

StatusOr<IValue> Program::moduleToSave(llvm::StringRef entry) {
  InsideScope inside(&impl->forkDomain);
  TSC_RETURN_IF_ERROR(impl->checkWhole());
  TSC_RETURN_IF_ERROR(checkStack(stackToCompile, "saving"));
  return orMemoryError([&]() -> StatusOr<IValue> {
    auto evaluating = impl->lockEvaluation();
    finishCompiling();
    if (module() && entry.empty())
      return IValue(module()->object());
    if (impl->compiler.wasRun()) {
      const size_t heard = impl->sink.numErrors();
      llvm::FailureOr<Ref<ObjectValue>> object = impl->compiler.makeModule(entry);
      // What the file makes when it is run as a program.
      if (succeeded(object) && !*object && impl->compiler.hasMainBlock()) {
        if (failed(impl->compiler.runMainBlock()))
          return impl->refusal(heard, "'" + impl->name + "' failed");
        object = impl->compiler.makeModule(entry);
      }
      if (failed(object))
        return impl->refusal(heard, "'" + impl->name + "' does not compile");
      if (*object) {
        TSC_RETURN_IF_ERROR(impl->methodOf(*object, "").status());
        impl->compiler.declareExported(**object);
        return IValue(*object);
      }
      for (const std::string &name : impl->compiler.sourceFunctionNames())
        if (!impl->compiler.isEvaluated(name))
          if (Function *function = impl->compiler.findSourceFunction(name);
              function && !llvm::is_contained(impl->functions, function))
            impl->functions.push_back(function);
    }
    if (impl->compiler.wasRun() && impl->functions.empty())
      return notFound("'" + impl->name + "' makes no module that could be saved: write `model = Net(…)` at its end");
    const bool isOne = !entry.empty() || impl->functions.size() == 1;
    StatusOr<Entry> main = find(entry);
    if (!main.ok() && (isOne || impl->functions.empty()))
      return main.status();
    return impl->makePlaceholder(main.ok() ? main->function : nullptr);
  });
}

StatusOr<IValue> Program::moduleToSave(Function &function) {
  InsideScope inside(&impl->forkDomain);
  TSC_RETURN_IF_ERROR(impl->checkWhole());
  TSC_RETURN_IF_ERROR(checkStack(stackToCompile, "saving"));
  return orMemoryError([&] {
    finishCompiling();
    return impl->makePlaceholder(&function);
  });
}

StatusOr<IValue> Program::freezeToSave(llvm::ArrayRef<std::string> keep) {
  InsideScope inside(&impl->forkDomain);
  TSC_RETURN_IF_ERROR(impl->checkWhole());
  TSC_RETURN_IF_ERROR(checkStack(stackToCompile, "freezing a module"));
  return orMemoryError([&]() -> StatusOr<IValue> {
    finishCompiling();
    if (!this->module())
      return invalidArgument("'" + impl->name + "' has no module to freeze");
    const Module &module = *this->module();
    FreezeOptions options;
    auto addMethod = [&](llvm::StringRef name) {
      if (Function *method = module.findMethod(name); method && !llvm::is_contained(options.methods, method))
        options.methods.push_back(method);
    };
    addMethod("forward");
    for (const std::vector<std::string> *hooks :
         {&module.type().forwardHooks().before, &module.type().forwardHooks().after})
      for (const std::string &hook : *hooks)
        addMethod(hook);
    for (const std::string &kept : keep)
      if (module.findMethod(kept))
        addMethod(kept);
      else
        options.keep.push_back(kept);
    if (options.methods.empty())
      return notFound("'" + impl->name + "' has no method 'forward'; name those to keep: --freeze=NAME,…");
    TSC_ASSIGN_OR_RETURN(FrozenModule frozen, freezeModule(module.object(), options));
    return makeFrozenObject(module.object(), std::move(frozen), impl->unit);
  });
}

/// Simplifies the methods of the classes of modules that are at or below `object`.
static Status optimizeMethods(Context &context, const ObjectValue &object, PassManager &passes, const PassHost &host,
                              llvm::SmallPtrSetImpl<const void *> &seen) {
  if (!seen.insert(&object).second)
    return okStatus();
  if (seen.insert(object.type).second)
    for (Function *method : object.type->methods()) {
      if (failed(method->ensureDefined()) || !method->graph())
        return invalidArgument("'" + method->qualifiedName() + "' does not compile");
      TSC_RETURN_IF_ERROR(passes.run(*method->graph(), host));
    }
  for (const IValue &slot : object.slots)
    if (isModuleObject(slot))
      TSC_RETURN_IF_ERROR(optimizeMethods(context, slot.toObject(), passes, host, seen));
  return okStatus();
}

Status Program::optimizeToSave(const IValue &module, unsigned level) {
  InsideScope inside(&impl->forkDomain);
  TSC_RETURN_IF_ERROR(impl->checkWhole());
  TSC_RETURN_IF_ERROR(checkStack(stackToCompile, "optimizing"));
  return orMemoryError([&]() -> Status {
    if (level < 1 || level > 2)
      return invalidArgument("there is no level " + llvm::Twine(level) +
                             " of optimization to write: levels are 1 and 2");
    const size_t heard = impl->sink.numErrors();
    finishCompiling();
    PassRegistry registry;
    registerTransformsPasses(registry);
    PassManager passes(registry, impl->options.passes);
    TSC_RETURN_IF_ERROR(passes.parsePipeline(level == 1 ? "optimize-written-1" : "optimize-written-2"));
    KernelEvaluator evaluator(impl->context);
    const PassHost host{&evaluator, nullptr, &impl->remarks, nullptr, nullptr};
    llvm::SmallPtrSet<const void *, 16> seen;
    Status status = optimizeMethods(impl->context, module.toObject(), passes, host, seen);
    return !status.ok() && impl->sink.numErrors() != heard ? asDiagnosed(status) : status;
  });
}

/// Converts the floating-point tensors that the modules below `object` hold. Tensors that share their elements go on
/// doing so where they are the same tensor.
static Status convertWeights(ObjectValue &object, DType dtype, llvm::SmallPtrSetImpl<const void *> &seen) {
  if (!seen.insert(&object).second)
    return okStatus();
  for (IValue &slot : object.slots) {
    if (slot.isObject()) {
      TSC_RETURN_IF_ERROR(convertWeights(slot.toObject(), dtype, seen));
    } else if (slot.isTensor() && isFloating(slot.asTensor().dtype()) && slot.asTensor().dtype() != dtype &&
               seen.insert(slot.counted()).second) {
      TSC_ASSIGN_OR_RETURN(Tensor converted, ::tsc::cpu::toDType(slot.asTensor(), dtype));
      converted.get()->requiresGrad = slot.asTensor().requiresGrad();
      slot = IValue(std::move(converted));
    }
  }
  return okStatus();
}

Status Program::convertWeights(const IValue &module, DType dtype) {
  InsideScope inside(&impl->forkDomain);
  TSC_RETURN_IF_ERROR(impl->checkWhole());
  return orMemoryError([&]() -> Status {
    llvm::SmallPtrSet<const void *, 16> seen;
    return ::convertWeights(module.toObject(), dtype, seen);
  });
}

StatusOr<std::string> Program::Impl::save(const IValue &module, SaveOptions how) {
  InsideScope inside(&forkDomain);
  TSC_RETURN_IF_ERROR(checkWhole());
  TSC_RETURN_IF_ERROR(checkStack(stackToCompile, "saving"));
  return orMemoryError([&]() -> StatusOr<std::string> {
    const size_t heard = sink.numErrors();
    CallContext call(context);
    if (!how.getState)
      how.getState = [&](Function &getState, const IValue &object) -> StatusOr<IValue> {
        if (!options.allowSetState && !isPlain(getState))
          return permissionDenied("saving an object of class '" + object.toObject().type->name() +
                                  "' runs its __getstate__, which was not allowed");
        return callFunction(executor.asWritten(), getState, call, {object});
      };
    if (!how.device)
      how.locations = locations;
    StatusOr<std::string> bytes = saveArchive(module, how);
    return !bytes.ok() && sink.numErrors() != heard ? asDiagnosed(bytes.status()) : std::move(bytes);
  });
}

StatusOr<std::string> Program::Impl::saveObject(const IValue &object) { return save(object, {}); }

StatusOr<std::string> Program::save(const IValue &module, SaveOptions options) {
  return impl->save(module, std::move(options));
}

StatusOr<PythonCode> Program::source(const IValue &module) {
  InsideScope inside(&impl->forkDomain);
  TSC_RETURN_IF_ERROR(impl->checkWhole());
  TSC_RETURN_IF_ERROR(checkStack(stackToCompile, "saving"));
  return orMemoryError([&]() -> StatusOr<PythonCode> {
    const size_t heard = impl->sink.numErrors();
    PythonPrinter printer;
    printer.add(module.toObject().type);
    StatusOr<PythonCode> code = printer.finish();
    return !code.ok() && impl->sink.numErrors() != heard ? asDiagnosed(code.status()) : std::move(code);
  });
}
