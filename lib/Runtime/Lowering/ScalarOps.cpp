//===- ScalarOps.cpp - What is computed of scalars without a call ---------===//
#include "tsc/Runtime/Lowering/ScalarOps.h"
#include "tsc/IR/Graph.h"
#include <iterator>

using namespace tsc;

const ScalarSignature &tsc::signatureOf(ScalarOp op) {
  static constexpr SlotClass no = SlotClass::Value; // beyond the operands
  static constexpr ScalarSignature rows[] = {
#define SCALAR_ROW1(NAME, RESULT, FAILURE, A)                                                                          \
  {#NAME, ScalarFailure::FAILURE, SlotClass::RESULT, 1, {SlotClass::A, no, no}, false},
#define SCALAR_ROW2(NAME, RESULT, FAILURE, A, B)                                                                       \
  {#NAME, ScalarFailure::FAILURE, SlotClass::RESULT, 2, {SlotClass::A, SlotClass::B, no}, false},
#define SCALAR_ROW3(NAME, RESULT, FAILURE, A, B, C)                                                                    \
  {#NAME, ScalarFailure::FAILURE, SlotClass::RESULT, 3, {SlotClass::A, SlotClass::B, SlotClass::C}, false},
#define COMPARISON_ROW(NAME, A)                                                                                        \
  {#NAME, ScalarFailure::None, SlotClass::Bool, 2, {SlotClass::A, SlotClass::A, no}, true},
#include "tsc/Runtime/Lowering/ScalarOps.def"
  };
  assert(static_cast<size_t>(op) < std::size(rows) && "a row of ScalarOps.def");
  return rows[static_cast<size_t>(op)];
}

static ScalarPattern patternOf(ScalarOp op, bool areSwapped = false) {
  const ScalarSignature &row = signatureOf(op);
  return {op, row.result, row.numOperands, {row.operands[0], row.operands[1], row.operands[2]}, areSwapped};
}

/// The computation of `x if c else y`, where x and y have the result's class and none has to be released.
static std::optional<ScalarPattern> selectPattern(const Node &node) {
  if (node.numOutputs() != 1 || node.numInputs() != 3)
    return std::nullopt;
  const SlotClass of = classOfType(node.output()->type());
  if (of == SlotClass::Value || classOfType(node.input(1)->type()) != of || classOfType(node.input(2)->type()) != of)
    return std::nullopt;
  return ScalarPattern{ScalarOp::Select, of, 3, {SlotClass::Bool, of, of}};
}

std::optional<ScalarPattern> tsc::scalarPattern(const Node &node) {
  switch (node.opKind()) {
  case OpKind::Prim_IfThenElse: return selectPattern(node);
#define SCALAR_OP(OP, ROW, SWAPPED)                                                                                    \
  case OpKind::OP: return patternOf(ScalarOp::ROW, SWAPPED);
#include "tsc/IR/OpFacts.inc"
  default: return std::nullopt;
  }
}
