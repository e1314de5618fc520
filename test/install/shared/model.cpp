// A plug-in with one function; tsc is inside.
#include "tsc/Engine/Program.h"
#include "tsc/FuserCPU/FuserCPU.h"
#include "tsc/Serialization/Zip.h"
using namespace tsc;

static constexpr llvm::StringLiteral source = "def grow(x: Tensor) -> Tensor:\n    return (x * 2 + x).abs() - 1\n";

static StatusOr<double> grow(double number) {
  EngineOptions options;
  options.plans = CompileMode::Eager;
  CpuFuserOptions fusing;
  fusing.mode = CompileMode::Eager;
  fusing.cacheFolder = "";
  options.fusers.add(DeviceKind::CPU, createCpuFuser(fusing));
  TSC_ASSIGN_OR_RETURN(Program program, Program::load(Bytes{source, {}}, "grow.py", std::move(options)));
  CallContext call(program.context());
  TSC_ASSIGN_OR_RETURN(Tensor input, Tensor::full({4}, number, DType::Double));
  TSC_ASSIGN_OR_RETURN(IValue result, program.run(call, "grow", {input}));
  if (program.options().fusers.find(DeviceKind::CPU)->counters().kernelsRun == 0)
    return tsc::internalError("no kernel ran");
  return result.toTensor().data<double>()[3];
}

extern "C" __attribute__((visibility("default"))) double growModel(double number) {
  StatusOr<double> result = grow(number);
  return result.ok() ? *result : -1;
}
