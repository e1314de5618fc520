//===- Operands.h - Operands for any schema ---------------------*- C++ -*-===//
//
// Random values of the types that a schema asks for. Most of a call's tensors have one
// dtype and shapes that fit together, and numbers are often dimensions or sizes of
// theirs, so that kernels are reached; the others are at the edges of what there is.
//
//===----------------------------------------------------------------------===//
#ifndef TSC_FUZZ_OPERANDS_H
#define TSC_FUZZ_OPERANDS_H

#include "Choices.h"
#include "UsualOperands.h"
#include "tsc/IR/FunctionSchema.h"
#include "tsc/IR/SchemaMatching.h"

namespace tsc::fuzz {

struct Operand {
  const Type *type; ///< Without variables.
  IValue value;
};

/// The operands of one call.
class OperandMaker {
public:
  /// `others` are tensors that may be operands, too.
  OperandMaker(Context &context, Choices &choices, llvm::ArrayRef<Tensor> others);
  /// One for each argument of the schema; more where it takes any number.
  std::vector<Operand> make(const FunctionSchema &schema);
  /// A type in the place of one that has variables or stands for several: what the operands were made with.
  const Type *concrete(const Type *type);
  /// Whether the call's operands shall have gradients.
  bool wantsGradients() const { return facts.gradients; }

private:
  static constexpr int64_t mostElements = 20000; ///< Of a tensor.

  /// Decides what the operands of a call of an operator of that name have in common.
  void chooseCommon(llvm::StringRef name);
  IValue value(const Type *type, llvm::StringRef name, std::optional<int32_t> fixedLength = {}, unsigned depth = 0);
  IValue list(const Type *element, llvm::StringRef name, std::optional<int32_t> fixedLength, unsigned depth);
  std::vector<int64_t> integers(llvm::StringRef name, std::optional<int32_t> fixedLength);
  int64_t integer(llvm::StringRef name);
  double real(llvm::StringRef name);
  std::string text(llvm::StringRef name);

  Tensor tensor(llvm::StringRef name);
  Tensor sparse();
  Tensor nested();
  Tensor viewOfOther();
  Dims shape(llvm::StringRef name);
  int64_t size();
  /// A strided tensor with memory of its own; undefined where there is no such tensor.
  Tensor strided(llvm::ArrayRef<int64_t> sizes, DType dtype, std::optional<int64_t> below);
  Dims stridesOf(llvm::ArrayRef<int64_t> sizes);
  void fill(void *data, int64_t count, DType dtype, std::optional<int64_t> below);
  int64_t base(int64_t dim) const {
    return facts.sizes.empty() ? 1 : facts.sizes[dim < 0 ? facts.sizes.size() + dim : dim];
  }

  Context &context;
  Choices &choices;
  llvm::ArrayRef<Tensor> others;
  std::vector<Tensor> earlier; ///< Operands of this call.
  TypeBindings variables;
  CommonFacts facts;
};

/// The value as TorchScript that makes it, as far as there is such a text.
std::string describe(const IValue &value);

} // namespace tsc::fuzz

#endif // TSC_FUZZ_OPERANDS_H
