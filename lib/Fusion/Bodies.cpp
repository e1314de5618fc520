//===- Bodies.cpp - What is known of scalar bodies ------------------------===//
#include "tsc/Fusion/Bodies.h"
using namespace tsc;
using namespace tsc::fuser;

namespace {
struct BodyFacts {
  const char *name = ""; ///< Empty: not defined on the compute class.
  bool isMask = false;
  unsigned cost = 0;
  bool isOfLowBits = false;
};
constexpr BodyFacts realBodies[] = {
#define BODY(NAME, IS_MASK, COST, IS_OF_LOW_BITS) {NAME, IS_MASK, COST, IS_OF_LOW_BITS},
#define TSC_REAL_BODIES
#include "tsc/Kernels/PointwiseBodyFacts.inc"
#undef TSC_REAL_BODIES
};
constexpr BodyFacts intBodies[] = {
#define TSC_INT_BODIES
#include "tsc/Kernels/PointwiseBodyFacts.inc"
#undef TSC_INT_BODIES
};
constexpr BodyFacts boolBodies[] = {
#define TSC_BOOL_BODIES
#include "tsc/Kernels/PointwiseBodyFacts.inc"
#undef TSC_BOOL_BODIES
#undef BODY
};
} // namespace

static const BodyFacts &factsOf(DType compute, unsigned body) {
  static_assert(std::size(realBodies) == std::size(intBodies) && std::size(realBodies) == std::size(boolBodies));
  assert(body < std::size(realBodies) && "the number of a scalar body");
  return (compute == DType::Int64 ? intBodies : compute == DType::Bool ? boolBodies : realBodies)[body];
}

bool fuser::hasBody(DType compute, unsigned body) { return *factsOf(compute, body).name != 0; }
bool fuser::bodyGivesMask(DType compute, unsigned body) { return factsOf(compute, body).isMask; }
unsigned fuser::bodyCost(DType compute, unsigned body) { return factsOf(compute, body).cost; }
bool fuser::isBodyOfLowBits(DType compute, unsigned body) { return factsOf(compute, body).isOfLowBits; }
llvm::StringRef fuser::bodyName(DType compute, unsigned body) { return factsOf(compute, body).name; }
