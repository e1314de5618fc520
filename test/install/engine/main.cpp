// Links tsc::Engine alone: runs a program from memory, also when plans are there, and stays small.
#include "tsc/Engine/Program.h"
#include "tsc/Serialization/Zip.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/raw_ostream.h"
using namespace tsc;

static constexpr llvm::StringLiteral source = "def grow(x: Tensor) -> Tensor:\n    return (x * 2 + x).abs() - 1\n";
static constexpr uint64_t maxSize = 24'000'000; ///< Bytes; LLVM's code generator alone has more.

static StatusOr<double> grow(const Program &program, double number) {
  CallContext call(program.context());
  TSC_ASSIGN_OR_RETURN(Tensor input, Tensor::full({4}, number, DType::Double));
  TSC_ASSIGN_OR_RETURN(IValue result, program.run(call, "grow", {input}));
  return result.toTensor().data<double>()[3];
}

static Status useEngine() {
  TSC_ASSIGN_OR_RETURN(Program program, Program::load(Bytes{source, {}}, "grow.py"));
  for (int i = 0; i != 3; ++i) {
    TSC_ASSIGN_OR_RETURN(double grown, grow(program, 3));
    if (grown != 8)
      return tsc::internalError("grow(3) is wrong");
    program.finishCompiling();
  }
  uint64_t size = 0;
  if (llvm::sys::fs::file_size("/proc/self/exe", size) || size > maxSize)
    return tsc::internalError("the program has " + std::to_string(size) + " bytes");
  return okStatus();
}

int main() {
  Status status = useEngine();
  if (!status.ok())
    llvm::errs() << messageOf(status) << '\n';
  return status.ok() ? 0 : 1;
}
