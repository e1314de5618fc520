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

// The messages of ScalarFailure.
TSC_FAILURE(failDivisionByZero, python::divisionByZero())
TSC_FAILURE(failFloorDivisionByZero, python::floorDivisionByZero())
TSC_FAILURE(failModuloByZero, python::moduloByZero())
TSC_FAILURE(failFloatDivisionByZero, python::floatDivisionByZero())
TSC_FAILURE(failFloatFloorDivisionByZero, python::floatFloorDivisionByZero())
TSC_FAILURE(failFloatModuloByZero, python::floatModuloByZero())
TSC_FAILURE(failMathDomain, python::mathDomainError())
TSC_FAILURE(failMathRange, python::mathRangeError())
TSC_FAILURE(failNegativeShift, python::negativeShiftCount())
TSC_FAILURE(failZeroStep, invalidArgument("range() arg 3 must not be zero"))
TSC_FAILURE(failNoInteger, ops::noIntegerFor(floatAt(regs, ip->b)))
TSC_FAILURE(failNotAnInt, python::notAnInt(floatAt(regs, ip->b)))

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
TSC_HANDLER(BoxS) {
  putValue(regs, ip->a, IValue(slotAt(regs, ip->b)));
  TSC_NEXT;
}

//===----------------------------------------------------------------------===//
// The rows of ScalarOps.def
//===----------------------------------------------------------------------===//

namespace {
/// The formulas' functions on numbers. A bool is the int 0 or 1.
struct ScalarMath {
  static int64_t add(int64_t a, int64_t b) { return arithmetic::add(a, b); }
  static int64_t subtract(int64_t a, int64_t b) { return arithmetic::subtract(a, b); }
  static int64_t multiply(int64_t a, int64_t b) { return arithmetic::multiply(a, b); }
  static int64_t floorQuotient(int64_t a, int64_t b) { return arithmetic::floorQuotient(a, b); }
  static int64_t floorRemainder(int64_t a, int64_t b) { return arithmetic::floorRemainder(a, b); }
  static int64_t negate(int64_t a) { return arithmetic::negate(a); }
  static int64_t absolute(int64_t a) { return arithmetic::absolute(a); }
  static int64_t bitAnd(int64_t a, int64_t b) { return a & b; }
  static int64_t bitOr(int64_t a, int64_t b) { return a | b; }
  static int64_t bitXor(int64_t a, int64_t b) { return a ^ b; }
  static int64_t shiftLeft(int64_t a, int64_t b) { return arithmetic::shiftLeft(a, b); }
  static int64_t shiftRight(int64_t a, int64_t b) { return arithmetic::shiftRight(a, b); }
  static int64_t minimum(int64_t a, int64_t b) { return a < b ? a : b; }
  static int64_t maximum(int64_t a, int64_t b) { return a < b ? b : a; }
  static int64_t rangeElement(int64_t index, int64_t start, int64_t step) {
    return arithmetic::rangeElement(index, start, step);
  }
  static int64_t rangeLength(int64_t low, int64_t high, int64_t step) {
    return arithmetic::rangeLength(low, high, step);
  }
  static double add(double a, double b) { return a + b; }
  static double subtract(double a, double b) { return a - b; }
  static double multiply(double a, double b) { return a * b; }
  static double divide(double a, double b) { return a / b; }
  static double floorQuotient(double a, double b) { return python::floorQuotient(a, b); }
  static double floorRemainder(double a, double b) { return python::floorRemainder(a, b); }
  static double negate(double a) { return -a; }
  static double absolute(double a) { return std::fabs(a); }
  // Elementary functions: calls, kept out of the handlers' fast path by the compiler.
  static double sqrt(double a) { return std::sqrt(a); }
  static double exp(double a) { return std::exp(a); }
  static double log(double a) { return std::log(a); }
  static double sin(double a) { return std::sin(a); }
  static double cos(double a) { return std::cos(a); }
  static double floor(double a) { return std::floor(a); }
  static double ceil(double a) { return std::ceil(a); }
  template <typename T> static bool less(T a, T b) { return a < b; }
  template <typename T> static bool lessEqual(T a, T b) { return a <= b; }
  template <typename T> static bool equal(T a, T b) { return a == b; }
  template <typename T> static bool different(T a, T b) { return a != b; }
  template <typename T> static bool isNonzero(T a) { return a != 0; }
  static int64_t logicalNot(int64_t a) { return a == 0; }
  static double toFloat(int64_t a) { return static_cast<double>(a); }
  static int64_t toInt(int64_t a) { return a; }
  static int64_t truncate(double a) { return static_cast<int64_t>(a); }
  // What formulas fail for.
  template <typename T> static bool isZero(T a) { return a == 0; }
  template <typename T> static bool isNegative(T a) { return a < 0; }
  static bool isNotPositive(double a) { return a <= 0; }
  static bool isInfinite(double a) { return std::isinf(a); }
  static bool hasOverflowed(double result, double a) { return std::isinf(result) && std::isfinite(a); }
  static bool fitsNoInt(double a) { return !python::fitsInt(a); }
};
constexpr ScalarMath math{};

// How slots of a class are read and written.
int64_t &slotOfInt(char *regs, int32_t offset) { return intAt(regs, offset); }
int64_t &slotOfBool(char *regs, int32_t offset) { return intAt(regs, offset); }
double &slotOfFloat(char *regs, int32_t offset) { return floatAt(regs, offset); }
} // namespace

#define SCALAR1(NAME, RESULT, A, VALUE)                                                                                \
  TSC_HANDLER(NAME) {                                                                                                  \
    auto a = slotOf##A(regs, ip->b);                                                                                   \
    slotOf##RESULT(regs, ip->a) = VALUE;                                                                               \
    TSC_NEXT;                                                                                                          \
  }
#define SCALAR1_CHECKED(NAME, RESULT, A, FAILS, FAILURE, VALUE)                                                        \
  TSC_HANDLER(NAME) {                                                                                                  \
    auto a = slotOf##A(regs, ip->b);                                                                                   \
    if (FAILS) [[unlikely]]                                                                                            \
      TSC_FAIL(fail##FAILURE);                                                                                         \
    slotOf##RESULT(regs, ip->a) = VALUE;                                                                               \
    TSC_NEXT;                                                                                                          \
  }
#define SCALAR1_CHECKED_AFTER(NAME, RESULT, A, COMPUTED, FAILS, FAILURE, VALUE)                                        \
  TSC_HANDLER(NAME) {                                                                                                  \
    [[maybe_unused]] auto a = slotOf##A(regs, ip->b);                                                                  \
    auto computed = COMPUTED;                                                                                          \
    if (FAILS) [[unlikely]]                                                                                            \
      TSC_FAIL(fail##FAILURE);                                                                                         \
    slotOf##RESULT(regs, ip->a) = VALUE;                                                                               \
    TSC_NEXT;                                                                                                          \
  }
#define SCALAR2(NAME, RESULT, A, B, VALUE)                                                                             \
  TSC_HANDLER(NAME) {                                                                                                  \
    auto a = slotOf##A(regs, ip->b);                                                                                   \
    auto b = slotOf##B(regs, ip->c);                                                                                   \
    slotOf##RESULT(regs, ip->a) = VALUE;                                                                               \
    TSC_NEXT;                                                                                                          \
  }
#define SCALAR2_CHECKED(NAME, RESULT, A, B, FAILS, FAILURE, VALUE)                                                     \
  TSC_HANDLER(NAME) {                                                                                                  \
    auto a = slotOf##A(regs, ip->b);                                                                                   \
    auto b = slotOf##B(regs, ip->c);                                                                                   \
    if (FAILS) [[unlikely]]                                                                                            \
      TSC_FAIL(fail##FAILURE);                                                                                         \
    slotOf##RESULT(regs, ip->a) = VALUE;                                                                               \
    TSC_NEXT;                                                                                                          \
  }
#define SCALAR3(NAME, RESULT, A, B, C, VALUE)                                                                          \
  TSC_HANDLER(NAME) {                                                                                                  \
    auto a = slotOf##A(regs, ip->b);                                                                                   \
    auto b = slotOf##B(regs, ip->c);                                                                                   \
    auto c = slotOf##C(regs, ip->d);                                                                                   \
    slotOf##RESULT(regs, ip->a) = VALUE;                                                                               \
    TSC_NEXT;                                                                                                          \
  }
#define SCALAR3_CHECKED(NAME, RESULT, A, B, C, FAILS, FAILURE, VALUE)                                                  \
  TSC_HANDLER(NAME) {                                                                                                  \
    auto a = slotOf##A(regs, ip->b);                                                                                   \
    auto b = slotOf##B(regs, ip->c);                                                                                   \
    auto c = slotOf##C(regs, ip->d);                                                                                   \
    if (FAILS) [[unlikely]]                                                                                            \
      TSC_FAIL(fail##FAILURE);                                                                                         \
    slotOf##RESULT(regs, ip->a) = VALUE;                                                                               \
    TSC_NEXT;                                                                                                          \
  }
#define COMPARISON(NAME, A, VALUE) SCALAR2(NAME, Bool, A, A, VALUE)
#include "tsc/Runtime/Lowering/ScalarOps.def"

/// The payload is moved, whatever its class.
TSC_HANDLER(Select) {
  int64_t condition = intAt(regs, ip->b), yes = intAt(regs, ip->c), no = intAt(regs, ip->d);
  intAt(regs, ip->a) = condition ? yes : no;
  TSC_NEXT;
}

} // namespace tsc
