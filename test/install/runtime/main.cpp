// Links tsc::Runtime: compiles a graph and runs it on a tensor.
#include "tsc/IR/Context.h"
#include "tsc/IR/Graph.h"
#include "tsc/IR/Parser.h"
#include "tsc/Runtime/Dispatch/CallContext.h"
#include "tsc/Runtime/Interpreter/Code.h"
#include "tsc/Support/Diagnostics.h"
#include "llvm/Support/raw_ostream.h"
using namespace tsc;

static StatusOr<double> twice(double number) {
  Context context;
  DiagnosticEngine diags;
  SourceBuffer text("twice.ir", "graph(%x : Tensor):\n  %1 : int = prim::Constant[value=1]()\n"
                                "  %2 : Tensor = aten::add(%x, %x, %1)\n  return (%2)\n");
  auto graphs = parseGraphs(context, text, diags);
  if (failed(graphs))
    return invalidArgument(diags.str());
  CodeCache cache;
  TSC_ASSIGN_OR_RETURN(std::unique_ptr<Code> code, Code::compile(*graphs->front(), "twice", cache));
  TSC_ASSIGN_OR_RETURN(Tensor input, Tensor::full({}, number, DType::Double));
  CallContext call(context);
  TSC_ASSIGN_OR_RETURN(std::vector<IValue> results, code->run(call, {input}));
  TSC_ASSIGN_OR_RETURN(Scalar result, results[0].toTensor().item());
  return result.toDouble();
}

int main() {
  StatusOr<double> result = twice(1.25);
  if (!result.ok())
    llvm::errs() << messageOf(result.status()) << '\n';
  return result.ok() && *result == 2.5 ? 0 : 1;
}
