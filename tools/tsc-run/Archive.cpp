//===- Archive.cpp - Files that torch.save and torch.jit.save wrote -------===//
#include "Program.h"
#include "tsc/Serialization/Archive.h"
#include "tsc/Serialization/ValueFile.h"

using namespace tsc;
using namespace tsc::run;

Status Program::loadArchive() {
  LoadOptions load;
  CallContext callContext(context);
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

StatusOr<IValue> Program::readInputs() { return loadValue(context, options.inputs); }

Status run::saveResult(const std::string &path, const IValue &value) { return saveValue(value, path); }
