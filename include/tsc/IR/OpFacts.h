//===- OpFacts.h - Columns of the records that passes ask for ---*- C++ -*-===//
//
// Facts about operators that, unlike traits, need more than a bit. They are generated
// from include/tsc/IR/Ops/*.td; Base.td describes the columns.
//
//===----------------------------------------------------------------------===//
#ifndef TSC_IR_OPFACTS_H
#define TSC_IR_OPFACTS_H

#include "tsc/IR/OpRecord.h"
#include "tsc/Tensor/Scalar.h"
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

/// What an operator asks about its first operand, a tensor. `Size` and `Stride` take the dimension as second operand,
/// and which kind of device `IsOnDevice` asks for says deviceKindOf().
enum class TensorQuery : uint8_t {
  DType,
  Device,
  IsOnDevice,
  IsFloating,
  IsComplex,
  Rank,
  Sizes,
  Size,
  Length,
  Count,
  Strides,
  Stride,
  StorageOffset,
  IsContiguous
};
/// Returns what the operator asks about a tensor, or nullopt where it does more than that.
std::optional<TensorQuery> tensorQuery(OpKind op);
/// Whether the operator asks about a tensor what is the same for all of one rank, dtype, layout and device.
bool asksForTensorKind(OpKind op);

/// Returns the kind of device that the operator moves its first operand to (aten::cuda), or that it asks about it
/// (prim::is_cuda); nullopt for other operators.
std::optional<DeviceKind> deviceKindOf(OpKind op);

/// What an operator reads of its first operand, a list or a dict, which it leaves as it is. Its result is no view of
/// it.
enum class ContainerQuery : uint8_t {
  Length,
  Element,       ///< The element at the index, or under the key, that is operand 1. It fails where there is none.
  Lookup,        ///< The same of a dict; where there is none, operand 2, or None without such an operand.
  Contains,      ///< Whether operand 1 is in it: of a list, as an element; of a dict, as a key.
  Slice,         ///< The list of the elements that operands 1 to 3 (start, end, step) choose.
  Copy,          ///< A container of its own with the same elements.
  Concatenation, ///< The elements of the list and of another one, operand 1.
  Keys,          ///< The lists of a dict's keys, values, and pairs of both, in its order.
  Values,
  Items
};
/// Returns what the operator reads of a list or a dict, or nullopt for other operators.
std::optional<ContainerQuery> containerQuery(OpKind op);

/// How an operator changes its first operand, a list. The further operands are the element for `Append`, the other list
/// for `Extend`, index and element for `Insert` and `Set`, and the index for `Pop`.
enum class ListEdit : uint8_t { Append, Extend, Insert, Set, Pop, Reverse, Clear };
/// Returns how the operator changes a list, or nullopt for other operators.
std::optional<ListEdit> listEdit(OpKind op);

/// How a view shows the elements of its first operand, of which it says which by sizes and numbers alone, whatever the
/// strides: `Part` shows some, each once; `Permutation` shows all, with the dimensions in another order; `Regrouping`
/// shows all, in order, in other sizes, and fails where strides do not allow that.
enum class ViewKind : uint8_t { Part, Permutation, Regrouping };
/// Returns what kind of view the operator gives, or a list of, or nullopt for other operators.
std::optional<ViewKind> viewKind(OpKind op);

/// Arithmetic of a tensor and another operand, a tensor or a number: `self + alpha * other` (Add), `self - alpha *
/// other` (Subtract), where `alpha` is operand 2, or 1 without such an operand; `self * other` and `self / other`.
enum class ArithmeticKind : uint8_t { Add, Subtract, Multiply, Divide };
/// Returns the arithmetic of a point-wise operator that writes to no operand, or nullopt for other operators.
std::optional<ArithmeticKind> arithmeticKind(OpKind op);

/// The positions of the operands of beta * bias + alpha * left @ right, -1 for one that the operator does not have. `@`
/// multiplies matrices; operands of other ranks are refused, or multiplied as matmul does.
struct ProductSignature {
  int left, right, bias = -1, beta = -1, alpha = -1;
  bool isLeftTransposed = false, isRightTransposed = false; ///< Whether the transposed operand is the factor.
};
/// Returns the operands of an operator that multiplies two matrices (mm, linear, addmm), or null for other operators.
const ProductSignature *productSignature(OpKind op);

/// How a program writes an operator that gives its operand as a value of the result's type: as a call of the type
/// (`int(x)`), or not at all, where a value of that type is expected.
enum class ConversionKind : uint8_t { Explicit, Implicit };
/// Returns how the conversion is written, or nullopt for an operator that is none. An explicit conversion gives its
/// operand itself where that has the result's type.
std::optional<ConversionKind> conversionKind(OpKind op);

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
  /// The operand `x`.
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
