//===- Eager.h - Operators that Python calls one by one ---------*- C++ -*-===//
#ifndef TSC_BINDINGS_PYTHON_EAGER_H
#define TSC_BINDINGS_PYTHON_EAGER_H

#include "Python.h"
#include "tsc/Runtime/Dispatch/Arguments.h"

namespace tsc::bindings {

/// Calls an operator by its name, "aten::add" or "aten::add.Tensor", without the GIL, and returns its results. What it
/// computes is recorded for gradients where the thread's grad mode is on.
std::vector<IValue> callEager(llvm::StringRef name, std::vector<IValue> args, KeywordArguments kwargs = {});
/// The same, for an operator that has one result, a tensor.
Tensor callForTensor(llvm::StringRef name, std::vector<IValue> args, KeywordArguments kwargs = {});
/// Returns the results of an operator as Python sees them: None, a value, or a tuple.
nb::object resultsOf(llvm::StringRef name, std::vector<IValue> results);

/// Lets gradients be computed for a leaf, or not any more. Raises PyTorch's errors for other tensors.
void requireGrad(const Tensor &tensor, bool wanted);
/// Counts how often somebody has set `requires_grad`, or an attribute of a module: what was found out about these holds
/// as long as the number stays.
uint64_t gradientMarks();
void noteGradientMark();

/// Operators as objects: what `tsc.ops.aten.add` and the methods of tensors are.
void bindOperators(nb::module_ &module);
/// Functions about gradients, grad mode and random numbers.
void bindGradients(nb::module_ &module);

} // namespace tsc::bindings

#endif
