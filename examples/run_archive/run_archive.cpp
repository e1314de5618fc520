//===- run_archive.cpp - Runs a policy of 48 inputs from its archive ------===//
#include "tsc/IR/Context.h"
#include "tsc/Runtime/Module.h"
#include "tsc/Serialization/Archive.h"
#include "llvm/Support/raw_ostream.h"
using namespace tsc;

static Status runPolicy(const char *path) {
  Context context;
  CodeCache cache;
  TSC_ASSIGN_OR_RETURN(LoadedModule archive, loadModule(context, path));
  Module policy(Ref<ObjectValue>::share(&archive.object.toObject()), cache);
  TSC_ASSIGN_OR_RETURN(Tensor observation, Tensor::full({1, 48}, 0.5, DType::Float));
  CallContext call(context);
  TSC_ASSIGN_OR_RETURN(IValue action, policy.run(call, "forward", {observation}));
  llvm::outs() << toPythonString(action.toTensor()) << '\n';
  return okStatus();
}

int main(int argc, char **argv) {
  Status status = argc == 2 ? runPolicy(argv[1]) : invalidArgument("usage: run_archive policy.pt");
  if (!status.ok())
    llvm::errs() << messageOf(status) << '\n';
  return status.ok() ? 0 : 1;
}
