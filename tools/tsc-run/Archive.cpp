//===- Archive.cpp - Files that torch.save and torch.jit.save wrote -------===//
#include "tsc/Serialization/Archive.h"
#include "Program.h"
#include "tsc/Serialization/ValueFile.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/raw_ostream.h"

using namespace tsc;
using namespace tsc::run;

Status Program::loadArchive() {
  LoadOptions load;
  CallContext callContext(context);
  callContext.setOut(llvm::outs());
  if (options.allowSetState)
    load.setState = [&](Function &setState, const IValue &object, IValue state) {
      return callFunction(cache, setState, callContext, {object, std::move(state)}).status();
    };
  auto contents = tsc::loadArchive(compiler, options.program, load);
  if (!contents.ok())
    return diags.hasErrors() ? okStatus() : contents.status(); // diagnostics were printed
  module.emplace(Ref<ObjectValue>::share(&contents->object.toObject()), cache);
  return okStatus();
}

Status Program::freezeFor(llvm::ArrayRef<Call> calls) {
  std::vector<std::string> methods;
  for (const Call &call : calls) {
    TSC_ASSIGN_OR_RETURN(Entry entry, findEntry(call.method.empty() ? options.entry : call.method));
    if (!llvm::is_contained(methods, entry.method))
      methods.push_back(entry.method);
  }
  std::vector<AttributeFate> fates;
  TSC_ASSIGN_OR_RETURN(module, module->freeze(methods, options.keep, &fates));
  for (const AttributeFate &fate : fates)
    if (options.verbose)
      llvm::errs() << (fate.keptBecause.empty() ? "froze '" : "kept '") << fate.path << '\''
                   << (fate.keptBecause.empty() ? "" : ": ") << fate.keptBecause << '\n';
  return okStatus();
}

StatusOr<IValue> Program::readInputs() { return loadValue(context, options.inputs); }

Status run::saveResult(const std::string &path, const IValue &value) { return saveValue(value, path); }
