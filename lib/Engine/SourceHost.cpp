//===- SourceHost.cpp - Runs what source files do at loading --------------===//
#include "SourceHost.h"
#include "TapedCalls.h"
#include "tsc/IR/Function.h"
#include "tsc/IR/Graph.h"
#include "tsc/Runtime/Dispatch/Accelerator.h"
#include "tsc/Runtime/Dispatch/Exceptions.h"
#include "tsc/Runtime/Module.h"
#include "tsc/Serialization/ArchiveWriter.h"
#include "tsc/Support/Diagnostics.h"
#include "tsc/Support/ReplaceFile.h"
#include "tsc/Tensor/Generator.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/raw_ostream.h"

using namespace tsc;

SourceHost::SourceHost(Context &context, const EngineOptions &options, FileAccess &files)
    : operators(options.operators), call(context) {
  if (options.loadingOut)
    call.setOut(*options.loadingOut);
  if (options.seed) {
    call.generator().setSeed(*options.seed);
    if (options.accelerator)
      options.accelerator->seed(*options.seed);
  }
  if (options.allowFiles)
    call.files = &files;
  call.quotas = options.loadingQuotas;
  call.quotas.memory = Quotas::unlimited; // all that loading takes is counted together
}

bool SourceHost::hasDevice(const Device &device) {
  Accelerator *accelerator = acceleratorOf(call.context());
  return accelerator && accelerator->memory(device).ok();
}

StatusOr<IValue> SourceHost::run(Function &function, std::vector<IValue> args,
                                 std::vector<std::pair<std::string, IValue>> kwargs) {
  // What the file computes outside of functions was compiled for this call.
  if (DiagnosticEngine refused; operators.isSet() && function.graph() && !operators.allows(*function.graph(), refused))
    return permissionDenied(refused.str());
  auto run = [&](std::vector<IValue> values, bool) {
    return callFunction(executor, function, call, std::move(values), kwargs);
  };
  StatusOr<IValue> result = calls ? calls->run(call, function, std::move(args), run) : run(std::move(args), false);
  // A call that stands in the file alone: the file's own calls are its stack.
  if (!result.ok() && function.name().starts_with("__loading_"))
    return Status(result.status().code(), errorOf(result.status()));
  return result;
}

Status SourceHost::saveModule(const IValue &module, const std::string &path) {
  if (!call.files)
    return permissionDenied("this program may not write files");
  SaveOptions options;
  options.folder = llvm::sys::path::stem(path).str();
  TSC_ASSIGN_OR_RETURN(std::string bytes, saveArchive(module, options));
  return replaceFile(path, bytes);
}

void SourceHost::print(llvm::StringRef text) {
  (void)call.write([&](llvm::raw_ostream &os) { os << text; }); // what is too much is dropped
}
