//===- ScalarOps.h - What is computed of scalars without a call -*- C++ -*-===//
#ifndef TSC_RUNTIME_LOWERING_SCALAROPS_H
#define TSC_RUNTIME_LOWERING_SCALAROPS_H

#include "tsc/IR/OpRecord.h"
#include "tsc/Runtime/Lowering/Representation.h"
#include "llvm/ADT/StringRef.h"
#include <optional>

namespace tsc {

class Node;

/// A computation of ScalarOps.def.
enum class ScalarOp : uint8_t {
#define SCALAR_ROW1(NAME, RESULT, FAILURE, A) NAME,
#define SCALAR_ROW2(NAME, RESULT, FAILURE, A, B) NAME,
#define SCALAR_ROW3(NAME, RESULT, FAILURE, A, B, C) NAME,
#include "tsc/Runtime/Lowering/ScalarOps.def"
};

/// Why a computation fails. The interpreter has the message of each (ScalarHandlers.cpp).
enum class ScalarFailure : uint8_t {
  None, ///< It never does.
  DivisionByZero,
  FloorDivisionByZero,
  ModuloByZero,
  FloatDivisionByZero,
  FloatFloorDivisionByZero,
  FloatModuloByZero,
  NegativeShift,
  ZeroStep,
  MathDomain,
  MathRange,
  NoInteger, ///< A float that floor() and ceil() find no int for.
  NotAnInt,  ///< A float that int() finds no int for.
  NotAString,
  IndexOutOfRange
};

/// The row of a computation, without its formula.
struct ScalarSignature {
  llvm::StringLiteral name;
  ScalarFailure failure;
  SlotClass result;
  uint8_t numOperands;
  SlotClass operands[3];
  bool isComparison; ///< Whether a branch may test it (StepKind::BranchCompare).
};
/// Returns the row of a computation.
const ScalarSignature &signatureOf(ScalarOp op);

/// The computation that a node is, with the classes of what it reads and writes. An int may stand where a float is
/// expected, and is converted first.
struct ScalarPattern {
  ScalarOp op;
  SlotClass result;
  uint8_t numOperands;
  SlotClass operands[3];   ///< The classes of the node's inputs, of which there are `numOperands`.
  bool areSwapped = false; ///< Whether the computation takes the node's two inputs in the other order.
};
/// Returns the computation of a node by its operator's record, or none where the operator has to be called. Whether the
/// node's own values are of these classes is for the caller to see.
std::optional<ScalarPattern> scalarPattern(const Node &node);

} // namespace tsc

#endif
