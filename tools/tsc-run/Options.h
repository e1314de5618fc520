//===- Options.h - The command line of tsc-run ----------------------------===//
#ifndef TSC_TOOLS_TSCRUN_OPTIONS_H
#define TSC_TOOLS_TSCRUN_OPTIONS_H

#include "ErrorWriter.h"
#include "tsc/Engine/OperatorPolicy.h"
#include "tsc/FuserCPU/FuserCPU.h"
#include "tsc/FuserCUDA/FuserCUDA.h"
#include "tsc/Runtime/Compare.h"
#include "tsc/Runtime/Dispatch/CallContext.h"
#include "tsc/Support/Status.h"
#include "tsc/Tensor/PrintDigits.h"
#include <string>
#include <vector>

namespace tsc::run {

enum class PrintIR { None, Frontend, Optimized, All };

struct Options {
  Device device; ///< Where the program runs.
  std::string cudaDriver;
  std::string program, entry, args, inputs, output, observe, trace, traceTo, tuneFor, simd;
  std::string remarks, missedRemarks; ///< Regular expressions.
  bool hasArgs = false, check = false, checkOnly = false, splitInput = false, printCode = false, allowSetState = false;
  bool freeze = false, verbose = false, explain = false, perfMap = false;
  std::vector<std::string> keep; ///< Attributes that freezing leaves.
  std::string checkGrad;         ///< File of recorded gradients.
  bool noGrad = false;           ///< Calls are made under torch.no_grad().
  bool allOverloads = false;     ///< Errors list every overload that a call does not fit.
  bool checkAliases = false;
  bool traceAnyway = false; ///< What a trace cannot hold is a warning.
  bool checkTrace = false;
  bool help = false, version = false, licenses = false, doctor = false, interactive = false;
  Quotas quotas; ///< Of loading, and of all calls together.
  std::string allowOperators, denyOperators;
  OperatorPolicy operators;           ///< What these two say.
  std::vector<std::string> libraries; ///< Of operators.
  Tolerance tolerance;
  std::optional<uint64_t> seed;
  PrintIR printIR = PrintIR::None;
  bool specializes = true;              ///< --executor, where the level of optimization allows it.
  bool profiles = false;                ///< The same.
  std::optional<uint32_t> forceBailout; ///< The guard that fails.
  PrintKernels printKernels = PrintKernels::None;
  std::optional<CudaListing> cudaListing; ///< What is printed instead: kernels that a GPU would run.
  CompileMode compile = CompileMode::Background;
  std::optional<uint64_t> compileBudget; ///< Milliseconds.
  std::vector<unsigned> gradients;       ///< By these arguments; empty: no gradients are asked for.
  ErrorFormat errorFormat = ErrorFormat::Text;
  unsigned optimization = 2, validate = 0, bench = 0, threads = 1;
  unsigned printDigits = defaultPrintDigits; ///< Behind the point, in the text of tensors.
};

/// InvalidArgument names what is wrong with the command line.
StatusOr<Options> parseOptions(int argc, const char *const *argv);
void printHelp(llvm::raw_ostream &os);

} // namespace tsc::run

#endif
