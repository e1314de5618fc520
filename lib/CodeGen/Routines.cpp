//===- Routines.cpp - Functions that kernels call -------------------------===//
#include "Routines.h"
#include <array>

using namespace tsc;
using namespace tsc::fuser;

namespace {
enum BodyNumber : unsigned {
#define BODY(INDEX, NAME) NAME = INDEX,
#define TSC_POINTWISE_REAL
#include "tsc/Kernels/PointwiseBodies.inc"
#undef TSC_POINTWISE_REAL
#define TSC_POINTWISE_INT
#include "tsc/Kernels/PointwiseBodies.inc"
#undef TSC_POINTWISE_INT
#undef BODY
};

using Table = std::array<PointwiseKernel, 2 * static_cast<size_t>(Routine::NumRoutines)>;

Table makeTable() {
  Table table{};
  size_t next = 0;
  auto add = [&](DType first, DType second, BodyNumber body) {
    table[next++] = eagerKernel(first, body);
    table[next++] = eagerKernel(second, body);
  };
#define REAL1(NAME, BODY) add(DType::Float, DType::Double, BODY##_Real);
#define REAL2(NAME, BODY) add(DType::Float, DType::Double, BODY##_Real);
#define INT1(NAME, BODY) add(DType::Int64, DType::Int64, BODY##_Int);
#define INT2(NAME, BODY) add(DType::Int64, DType::Int64, BODY##_Int);
#include "tsc/Kernels/PointwiseFunctions.inc"
  assert(next == table.size() && "each routine has its two places");
  return table;
}
} // namespace

const PointwiseKernel *fuser::routineTable() {
  static const Table table = makeTable();
  return table.data();
}
