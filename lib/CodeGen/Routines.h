//===- Routines.h - Functions that kernels call -----------------*- C++ -*-===//
//
// What the eager engine computes lane by lane through the C library, kernels leave
// to the eager kernel of an operator that is just this function, as the records say:
// the same code on the same lanes. They find it through a table that they are given,
// so that their code holds no address and can be kept on disk.
//
//===----------------------------------------------------------------------===//
#ifndef TSC_LIB_CODEGEN_ROUTINES_H
#define TSC_LIB_CODEGEN_ROUTINES_H

#include "tsc/CodeGen/KernelFunction.h"
#include <cassert>

namespace tsc::fuser {

/// The functions of one and two operands that are the whole scalar body of some operator: on float and double, or, with
/// `int_` before the name, on int64_t.
enum class Routine : uint16_t {
#define REAL1(NAME, BODY) NAME,
#define REAL2(NAME, BODY) NAME,
#define INT1(NAME, BODY) int_##NAME,
#define INT2(NAME, BODY) int_##NAME,
#include "tsc/Kernels/PointwiseFunctions.inc"
  NumRoutines
};

/// Where a routine on float, double or int64_t stands in routineTable().
inline unsigned routineIndex(Routine routine, bool isDouble) {
  assert(routine < Routine::NumRoutines && "a routine of the table");
  return 2 * static_cast<unsigned>(routine) + isDouble;
}

} // namespace tsc::fuser

#endif
