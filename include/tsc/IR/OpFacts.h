//===- OpFacts.h - Columns of the records that passes ask for ---*- C++ -*-===//
//
// What holds of an operator beyond its traits, and needs more than a bit to say.
// All of it is generated from include/tsc/IR/Ops/*.td; Base.td describes the columns.
//
//===----------------------------------------------------------------------===//
#ifndef TSC_IR_OPFACTS_H
#define TSC_IR_OPFACTS_H

#include "tsc/IR/OpRecord.h"
#include <optional>
#include <variant>

namespace tsc {

/// How elements become one.
enum class FoldKind : uint8_t { Sum, Product, Max, Min, Mean };

/// Where a reduction has its operands; -1: it has none such, and reduces all dimensions, or keeps none.
struct FoldSignature {
  FoldKind kind;
  int dims = -1, keepDim = -1, dtype = -1;
  bool ofTruth = false; ///< Of whether elements are not zero.
};
/// Of the reductions that fold elements along dimensions; nullopt for others.
std::optional<FoldSignature> foldSignature(OpKind op);

/// What an operator asks about its first operand, a tensor. `Size` takes the dimension as its second.
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
std::optional<TensorQuery> tensorQuery(OpKind op);

/// What an operator does to its first operand, a list. Operands after it: the element of `Append`; the list of
/// `Extend`; index and element of `Insert` and `Set`; the index of `Pop`.
enum class ListEdit : uint8_t { Append, Extend, Insert, Set, Pop, Reverse, Clear };
std::optional<ListEdit> listEdit(OpKind op);

/// The value of a law: a literal, or the operand itself. Empty: there is no such law.
struct Law {
  struct Self {};
  std::variant<std::monostate, Self, int64_t, double, bool, llvm::StringLiteral> value;

  explicit operator bool() const { return !std::holds_alternative<std::monostate>(value); }
  bool isSelf() const { return std::holds_alternative<Self>(value); }
};
/// What holds of a binary operator whatever its operands are.
struct OpLaws {
  Law rightNeutral; ///< x op it is x.
  Law leftNeutral;  ///< it op x is x.
  Law absorbs;      ///< x op it, and it op x, are it.
  Law ofSame;       ///< x op x is it.
  Law negates;      ///< x op it, and it op x, are `not x`.
};
/// Null where no law is known.
const OpLaws *lawsOf(OpKind op);

/// A limit of the elements of an operator's first operand: a number, or what another operand is; empty: there is none.
struct ClampBound {
  struct Operand {
    unsigned position;
  };
  std::variant<std::monostate, int64_t, Operand> value;
};
struct ClampSignature {
  ClampBound low, high;
};
/// Of operators that keep elements within limits, and do nothing else; null for others.
const ClampSignature *clampSignature(OpKind op);

/// The name of the operator that gives what this one writes to its first operand, where functionalFormOf finds none. It
/// has the same first operands; the others are None. Empty for others.
llvm::StringRef functionalNameOf(OpKind op);
/// The name of the operator that gives operand 0 of a view where what the view shows has been replaced. Its operands
/// are that, what takes the place, and the view's further ones. Empty for others.
llvm::StringRef scatterNameOf(OpKind view);
/// The name of the operator that undoes a view of all elements, and has its further operands. Empty for others.
llvm::StringRef inverseNameOf(OpKind view);

} // namespace tsc

#endif
