//===- ScalarHandlers.cpp - Jumps, moves, arithmetic of scalars -----------===//
//
// These read and write payloads in place. Integers wrap at 64 bits
// (Support/IntegerArithmetic.h); what Python raises, and its floats, are those of
// tsc/Python.
//
//===----------------------------------------------------------------------===//
#include "Instruction.h"
#include "tsc/Python/Numbers.h"
#include "tsc/Runtime/Dispatch/Ops/Scalars.h"
#include <cmath>

namespace tsc {

TSC_FAILURE(divisionByZero, python::divisionByZero())
TSC_FAILURE(floorDivisionByZero, python::floorDivisionByZero())
TSC_FAILURE(moduloByZero, python::moduloByZero())
TSC_FAILURE(floatDivisionByZero, python::floatDivisionByZero())
TSC_FAILURE(mathDomainError, python::mathDomainError())
TSC_FAILURE(mathRangeError, python::mathRangeError())
TSC_FAILURE(floatFloorDivisionByZero, python::floatFloorDivisionByZero())
TSC_FAILURE(floatModuloByZero, python::floatModuloByZero())
TSC_FAILURE(negativeShift, python::negativeShiftCount())
TSC_FAILURE(zeroStep, invalidArgument("range() arg 3 must not be zero"))
TSC_FAILURE(noInteger, ops::noIntegerFor(floatAt(regs, ip->b)))
TSC_FAILURE(notInt, python::notAnInt(floatAt(regs, ip->b)))

// Jumps. Targets are relative to the instruction; backward ones count a step.
TSC_HANDLER(Jump) { TSC_GOTO(ip->a); }
TSC_HANDLER(JumpBack) {
  if (--m->stepsLeft == 0) [[unlikely]]
    TSC_TAIL goOnHandler(ip, regs, m);
  TSC_GOTO(ip->a);
}
TSC_HANDLER(JumpIf) {
  if (intAt(regs, ip->a))
    TSC_GOTO(ip->b);
  TSC_NEXT;
}
TSC_HANDLER(JumpIfNot) {
  if (!intAt(regs, ip->a))
    TSC_GOTO(ip->b);
  TSC_NEXT;
}
#define COMPARE_AND_JUMP(NAME, ACCESS, CONDITION)                                                                      \
  TSC_HANDLER(NAME) {                                                                                                  \
    auto a = ACCESS(regs, ip->a), b = ACCESS(regs, ip->b);                                                             \
    if (CONDITION)                                                                                                     \
      TSC_GOTO(ip->c);                                                                                                 \
    TSC_NEXT;                                                                                                          \
  }
COMPARE_AND_JUMP(JumpLtI, intAt, a < b)
COMPARE_AND_JUMP(JumpLeI, intAt, a <= b)
COMPARE_AND_JUMP(JumpEqI, intAt, a == b)
COMPARE_AND_JUMP(JumpNeI, intAt, a != b)
COMPARE_AND_JUMP(JumpLtF, floatAt, a < b)
COMPARE_AND_JUMP(JumpNotLtF, floatAt, !(a < b))
COMPARE_AND_JUMP(JumpLeF, floatAt, a <= b)
COMPARE_AND_JUMP(JumpNotLeF, floatAt, !(a <= b))
COMPARE_AND_JUMP(JumpEqF, floatAt, a == b)
COMPARE_AND_JUMP(JumpNeF, floatAt, a != b)

/// The loop's counter is its parameter i: -1 before the first turn.
TSC_HANDLER(ForEnter) {
  intAt(regs, ip->a) = 0;
  if (intAt(regs, ip->b) <= 0)
    TSC_GOTO(ip->c);
  TSC_NEXT;
}
TSC_HANDLER(ForNext) {
  if (--m->stepsLeft == 0) [[unlikely]]
    TSC_TAIL goOnHandler(ip, regs, m);
  if (++intAt(regs, ip->a) < intAt(regs, ip->b))
    TSC_GOTO(ip->c);
  TSC_NEXT;
}

// Moves.
TSC_HANDLER(MoveS) {
  intAt(regs, ip->a) = intAt(regs, ip->b);
  TSC_NEXT;
}
TSC_HANDLER(Select) {
  int64_t condition = intAt(regs, ip->b), yes = intAt(regs, ip->c), no = intAt(regs, ip->d);
  intAt(regs, ip->a) = condition ? yes : no;
  TSC_NEXT;
}
TSC_HANDLER(BoxS) {
  putValue(regs, ip->a, IValue(slotAt(regs, ip->b)));
  TSC_NEXT;
}

// Arithmetic.
#define BINARY(NAME, TO, FROM, EXPR)                                                                                   \
  TSC_HANDLER(NAME) {                                                                                                  \
    auto a = FROM(regs, ip->b), b = FROM(regs, ip->c);                                                                 \
    TO(regs, ip->a) = EXPR;                                                                                            \
    TSC_NEXT;                                                                                                          \
  }
#define UNARY(NAME, TO, FROM, EXPR)                                                                                    \
  TSC_HANDLER(NAME) {                                                                                                  \
    auto a = FROM(regs, ip->b);                                                                                        \
    TO(regs, ip->a) = EXPR;                                                                                            \
    TSC_NEXT;                                                                                                          \
  }
BINARY(AddI, intAt, intAt, arithmetic::add(a, b))
BINARY(SubI, intAt, intAt, arithmetic::subtract(a, b))
BINARY(MulI, intAt, intAt, arithmetic::multiply(a, b))
BINARY(AndI, intAt, intAt, a &b)
BINARY(OrI, intAt, intAt, a | b)
BINARY(XorI, intAt, intAt, a ^ b)
BINARY(MinI, intAt, intAt, a < b ? a : b)
BINARY(MaxI, intAt, intAt, a < b ? b : a)
BINARY(LtI, intAt, intAt, a < b)
BINARY(LeI, intAt, intAt, a <= b)
BINARY(EqI, intAt, intAt, a == b)
BINARY(NeI, intAt, intAt, a != b)
BINARY(DivI, floatAt, intAt, static_cast<double>(a) / static_cast<double>(b))
UNARY(NegI, intAt, intAt, arithmetic::negate(a))
UNARY(AbsI, intAt, intAt, arithmetic::absolute(a))
UNARY(NotI, intAt, intAt, ~a)
BINARY(AddF, floatAt, floatAt, a + b)
BINARY(SubF, floatAt, floatAt, a - b)
BINARY(MulF, floatAt, floatAt, a *b)
BINARY(DivF, floatAt, floatAt, a / b)
BINARY(LtF, intAt, floatAt, a < b)
BINARY(LeF, intAt, floatAt, a <= b)
BINARY(EqF, intAt, floatAt, a == b)
BINARY(NeF, intAt, floatAt, a != b)
UNARY(NegF, floatAt, floatAt, -a)
UNARY(AbsF, floatAt, floatAt, std::fabs(a))
BINARY(AndB, intAt, intAt, a &b)
BINARY(OrB, intAt, intAt, a | b)
BINARY(EqB, intAt, intAt, a == b)
BINARY(NeB, intAt, intAt, a != b)
UNARY(NotB, intAt, intAt, a == 0)
UNARY(IntToFloat, floatAt, intAt, static_cast<double>(a))
UNARY(IntToBool, intAt, intAt, a != 0)
UNARY(FloatToBool, intAt, floatAt, a != 0.0)
UNARY(BoolToInt, intAt, intAt, a)

#define CHECKED_BINARY(NAME, FROM, EXPR, FAILURE)                                                                      \
  TSC_HANDLER(NAME) {                                                                                                  \
    auto a = FROM(regs, ip->b), b = FROM(regs, ip->c);                                                                 \
    if (b == 0) [[unlikely]]                                                                                           \
      TSC_FAIL(FAILURE);                                                                                               \
    floatAt(regs, ip->a) = EXPR;                                                                                       \
    TSC_NEXT;                                                                                                          \
  }
CHECKED_BINARY(CheckedDivI, intAt, static_cast<double>(a) / static_cast<double>(b), divisionByZero)
CHECKED_BINARY(CheckedDivF, floatAt, a / b, floatDivisionByZero)
CHECKED_BINARY(CheckedFloorDivF, floatAt, python::floorQuotient(a, b), floatFloorDivisionByZero)
CHECKED_BINARY(CheckedRemF, floatAt, python::floorRemainder(a, b), floatModuloByZero)

TSC_HANDLER(FloorDivI) {
  int64_t a = intAt(regs, ip->b), b = intAt(regs, ip->c);
  if (b == 0) [[unlikely]]
    TSC_FAIL(floorDivisionByZero);
  intAt(regs, ip->a) = arithmetic::floorQuotient(a, b);
  TSC_NEXT;
}
TSC_HANDLER(RemI) {
  int64_t a = intAt(regs, ip->b), b = intAt(regs, ip->c);
  if (b == 0) [[unlikely]]
    TSC_FAIL(moduloByZero);
  intAt(regs, ip->a) = arithmetic::floorRemainder(a, b);
  TSC_NEXT;
}
TSC_HANDLER(ShlI) {
  int64_t a = intAt(regs, ip->b), b = intAt(regs, ip->c);
  if (b < 0) [[unlikely]]
    TSC_FAIL(negativeShift);
  intAt(regs, ip->a) = arithmetic::shiftLeft(a, b);
  TSC_NEXT;
}
TSC_HANDLER(ShrI) {
  int64_t a = intAt(regs, ip->b), b = intAt(regs, ip->c);
  if (b < 0) [[unlikely]]
    TSC_FAIL(negativeShift);
  intAt(regs, ip->a) = arithmetic::shiftRight(a, b);
  TSC_NEXT;
}
TSC_HANDLER(DeriveIndex) {
  intAt(regs, ip->a) = arithmetic::rangeElement(intAt(regs, ip->b), intAt(regs, ip->c), intAt(regs, ip->d));
  TSC_NEXT;
}
TSC_HANDLER(RangeLength) {
  int64_t low = intAt(regs, ip->b), high = intAt(regs, ip->c), step = intAt(regs, ip->d);
  if (step == 0) [[unlikely]]
    TSC_FAIL(zeroStep);
  intAt(regs, ip->a) = arithmetic::rangeLength(low, high, step);
  TSC_NEXT;
}
TSC_HANDLER(FloatToInt) {
  double a = floatAt(regs, ip->b);
  if (!python::fitsInt(a)) [[unlikely]]
    TSC_FAIL(notInt);
  intAt(regs, ip->a) = static_cast<int64_t>(a);
  TSC_NEXT;
}

// Elementary functions: calls, kept out of the handlers' fast path by the compiler.
#define MATH(NAME, FUNCTION) UNARY(NAME, floatAt, floatAt, FUNCTION(a))
MATH(SqrtF, std::sqrt)
MATH(ExpF, std::exp)
MATH(LogF, std::log)
MATH(SinF, std::sin)
MATH(CosF, std::cos)
// The same as Python has them. A NaN passes every test.
#define CHECKED_MATH(NAME, FUNCTION, FAILS, FAILURE)                                                                   \
  TSC_HANDLER(NAME) {                                                                                                  \
    double a = floatAt(regs, ip->b), result = FUNCTION(a);                                                             \
    if (FAILS) [[unlikely]]                                                                                            \
      TSC_FAIL(FAILURE);                                                                                               \
    floatAt(regs, ip->a) = result;                                                                                     \
    TSC_NEXT;                                                                                                          \
  }
CHECKED_MATH(CheckedSqrtF, std::sqrt, a < 0, mathDomainError)
CHECKED_MATH(CheckedExpF, std::exp, std::isinf(result) && std::isfinite(a), mathRangeError)
CHECKED_MATH(CheckedLogF, std::log, a <= 0, mathDomainError)
CHECKED_MATH(CheckedSinF, std::sin, std::isinf(a), mathDomainError)
CHECKED_MATH(CheckedCosF, std::cos, std::isinf(a), mathDomainError)
#define ROUNDING(NAME, FUNCTION)                                                                                       \
  TSC_HANDLER(NAME) {                                                                                                  \
    double a = FUNCTION(floatAt(regs, ip->b));                                                                         \
    if (!python::fitsInt(a)) [[unlikely]]                                                                              \
      TSC_FAIL(noInteger);                                                                                             \
    intAt(regs, ip->a) = static_cast<int64_t>(a);                                                                      \
    TSC_NEXT;                                                                                                          \
  }
ROUNDING(FloorF, std::floor)
ROUNDING(CeilF, std::ceil)

} // namespace tsc
