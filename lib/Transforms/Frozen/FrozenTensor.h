//===- FrozenTensor.h - Constant tensors, and arithmetic on them -*- C++ -*-===//
#ifndef TSC_LIB_TRANSFORMS_FROZEN_FROZENTENSOR_H
#define TSC_LIB_TRANSFORMS_FROZEN_FROZENTENSOR_H

#include "tsc/IR/Graph.h"
#include <optional>

namespace tsc {

class ConstantEvaluator;
class TensorType;

/// A tensor that is constant in the graph. A large constant prints as `<Tensor>`; one read back from such text has a
/// type and no elements.
struct FrozenTensor {
  Tensor elements; ///< Undefined when only the type is known.
  DType dtype;
  Dims sizes;
};
/// Nullopt for what is no constant tensor, or is one of unknown shape.
std::optional<FrozenTensor> frozenTensor(const Value *value);

/// The type of a tensor of which everything is known; contiguous unless `strides` say otherwise.
const TensorType *completeType(Context &context, DType dtype, ArrayRef<int64_t> sizes, ArrayRef<int64_t> strides = {});
/// Inserts the constant at the insertion point, with source range and scope of `origin`, and the name of it with
/// `suffix`.
Value *insertFrozen(Graph &graph, const FrozenTensor &tensor, const Value &origin, llvm::StringRef suffix);
/// Whether `value` is the constant None.
bool isNoneConstant(const Value *value);
/// Erases the constant that defines `value` when nobody uses it any more.
void eraseIfUnused(Value *value);

/// Runs operators on constant tensors, as the program would.
class WeightArithmetic {
public:
  WeightArithmetic(Context &context, ConstantEvaluator *evaluator) : scratch(context), evaluator(evaluator) {}
  /// Returns an operator's result; undefined when there is no evaluator or it fails.
  Tensor apply(Symbol op, ArrayRef<NamedValue> operands);
  /// Returns the tensor converted to `dtype`; undefined when `tensor` is.
  Tensor toDType(const Tensor &tensor, DType dtype);

private:
  Graph scratch;
  ConstantEvaluator *evaluator;
};

} // namespace tsc

#endif
