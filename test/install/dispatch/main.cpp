// Links tsc::Dispatch and tsc::Kernels: calls three operators on tensors, and one that needs more.
#include "tsc/IR/Context.h"
#include "tsc/Kernels/Views.h"
#include "tsc/Runtime/Dispatch/CallByName.h"
#include "tsc/Tensor/Tensor.h"
#include "llvm/Support/raw_ostream.h"
using namespace tsc;

/// Returns the sum of the elements of x @ x.T - 2 * 2.5, where every element of the matrix x is `number`.
static StatusOr<double> compute(CallContext &call, double number) {
  TSC_ASSIGN_OR_RETURN(Tensor x, Tensor::full({2, 2}, number, DType::Float));
  TSC_ASSIGN_OR_RETURN(Tensor transposed, cpu::transpose(x, 0, 1));
  TSC_ASSIGN_OR_RETURN(auto product, callOperator(call, "aten::matmul", {x, transposed}));
  TSC_ASSIGN_OR_RETURN(auto less, callOperator(call, "aten::sub", {product[0], 2.5}, {{"alpha", 2}}));
  TSC_ASSIGN_OR_RETURN(auto sum, callOperator(call, "aten::sum", {less[0]}));
  TSC_ASSIGN_OR_RETURN(Scalar result, sum[0].toTensor().item());
  return result.toDouble();
}

int main() {
  Context context;
  CallContext call(context);
  StatusOr<double> result = compute(call, 2);
  if (!result.ok()) {
    llvm::errs() << messageOf(result.status()) << '\n';
    return 1;
  }
  // What runs as its definition needs the compiler, and says so.
  auto composite = callOperator(call, "aten::_cast_Double", {IValue(*Tensor::full({}, 1.0, DType::Float))});
  const bool isRefused = !composite.ok() && composite.status().code() == StatusCode::Unimplemented;
  return *result == 12 && isRefused ? 0 : 1;
}
