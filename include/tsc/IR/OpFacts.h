//===- OpFacts.h - Columns of the records that passes ask for ---*- C++ -*-===//
//
// Facts about operators that, unlike traits, need more than a bit. They are generated
// from include/tsc/IR/Ops/*.td; Base.td describes the columns.
//
//===----------------------------------------------------------------------===//
#ifndef TSC_IR_OPFACTS_H
#define TSC_IR_OPFACTS_H

#include "tsc/IR/OpRecord.h"
#include <optional>
#include <variant>

namespace tsc {

class FunctionSchema;
class Type;

/// How a reduction combines elements into one.
enum class FoldKind : uint8_t { Sum, Product, Max, Min, Mean };

/// The fold that a reduction applies, and the positions of its operands, -1 for one that it does not have. Without
/// `dims` it reduces all dimensions, without `keepDim` it keeps none of them, and without `dtype` the rule of the
/// operator decides.
struct FoldSignature {
  FoldKind kind;
  int dims = -1, keepDim = -1, dtype = -1;
  bool ofTruth = false; ///< Whether it folds whether each element is nonzero (any, all) and not the element itself.
};
/// Returns how a reduction folds elements along dimensions, or nullopt for other operators.
std::optional<FoldSignature> foldSignature(OpKind op);

/// What an operator asks about its first operand, a tensor. `Size` takes the dimension as its second operand.
enum class TensorQuery : uint8_t {
  DType,
  Device,
  IsOnCPU,
  IsOnCUDA,
  IsFloating,
  IsComplex,
  Rank,
  Sizes,
  Size,
  Length,
  Count
};
/// Returns what the operator asks about a tensor, or nullopt where it does more than that.
std::optional<TensorQuery> tensorQuery(OpKind op);

/// How an operator changes its first operand, a list. The further operands are the element for `Append`, the other list
/// for `Extend`, index and element for `Insert` and `Set`, and the index for `Pop`.
enum class ListEdit : uint8_t { Append, Extend, Insert, Set, Pop, Reverse, Clear };
/// Returns how the operator changes a list, or nullopt for other operators.
std::optional<ListEdit> listEdit(OpKind op);

/// The distribution from which an operator draws each element of its result, independently of the others. Its
/// parameters are the operands that are named here, if there are such.
enum class Distribution : uint8_t {
  Uniform,   ///< Real numbers in [`from`, `to`), or in [0, 1).
  Normal,    ///< The normal distribution of mean `mean` and standard deviation `std`, or of 0 and 1.
  Bernoulli, ///< 1 with probability `p`, else 0.
  Integers,  ///< Integers in [`low`, `high`), or in [0, `high`).
  Dropout    ///< Where `train` is true, 0 with probability `p`, else the element of operand 0 divided by 1 - `p`.
};
/// Returns the distribution from which an operator draws, or nullopt where it draws otherwise or not at all.
std::optional<Distribution> distributionOf(OpKind op);

/// One side of an algebraic law: a literal, or the operand `x` itself. Converts to false where there is no such law.
struct Law {
  struct Self {};
  std::variant<std::monostate, Self, int64_t, double, bool, llvm::StringLiteral> value;

  explicit operator bool() const { return !std::holds_alternative<std::monostate>(value); }
  bool isSelf() const { return std::holds_alternative<Self>(value); }
};
/// The algebraic laws of a binary operator `op`, which hold for every operand `x`.
struct OpLaws {
  Law rightNeutral; ///< The value e for which `x op e` is x.
  Law leftNeutral;  ///< The value e for which `e op x` is x.
  Law absorbs;      ///< The value z for which `x op z` and `z op x` are z.
  Law ofSame;       ///< The value of `x op x`.
  Law negates;      ///< The value t for which `x op t` and `t op x` are `not x`.
};
/// Returns the laws of an operator, or null where none is known.
const OpLaws *lawsOf(OpKind op);

/// A bound to which an operator clamps the elements of its first operand: none, a number, or the value of another
/// operand.
struct ClampBound {
  /// The operand that holds the bound.
  struct Operand {
    unsigned position;
  };
  std::variant<std::monostate, int64_t, Operand> value;
};
/// The bounds of an operator that only clamps its first operand.
struct ClampSignature {
  ClampBound low, high;
};
/// Returns the bounds of an operator that only clamps its operand (clamp, relu6, hardtanh), or null.
const ClampSignature *clampSignature(OpKind op);

/// Returns the name of the operator that computes what `op` writes to its first operand, where functionalFormOf() knows
/// none; else an empty string. That operator takes the operands of `op` first, and None for each further one.
llvm::StringRef functionalNameOf(OpKind op);
/// Returns the name of the operator that copies the base of a view with the viewed part replaced (select_scatter for
/// select), or an empty string. Its operands are the base, the new part, and the view's further operands.
llvm::StringRef scatterNameOf(OpKind view);
/// Returns the name of the operator that undoes a view which shows all elements, or an empty string. It takes the
/// view's further operands.
llvm::StringRef inverseNameOf(OpKind view);

/// Whether a value of the type is a tensor or holds some: Tensor?, or a list of either.
bool holdsTensors(const Type *type);
/// Returns the operands through which gradients may flow, one bit each, of the first 32: in grad mode the results
/// require a gradient where one of these does. They are the tensors and lists of tensors. Returns 0 for an operator
/// that takes no part in differentiation.
uint32_t gradientOperands(const OpRecord &record, const FunctionSchema &schema);

} // namespace tsc

#endif
