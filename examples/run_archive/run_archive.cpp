//===- run_archive.cpp - Runs a policy of 48 inputs from its archive ------===//
#include "tsc/Engine/Program.h"
#include "tsc/FuserCPU/FuserCPU.h"
#include "llvm/Support/raw_ostream.h"
using namespace tsc;

static Status runPolicy(const char *path) {
  EngineOptions options;
  options.fusers.add(DeviceKind::CPU, createCpuFuser());
  TSC_ASSIGN_OR_RETURN(Program policy, Program::load(path, std::move(options)));
  CallContext call(policy.context());
  TSC_ASSIGN_OR_RETURN(Tensor observation, Tensor::full({1, 48}, 0.5, DType::Float));
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
