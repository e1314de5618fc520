//===- SimdKernels.h - One part of the kernels on float and double -*- C++ -*-===//
//
// A SimdKernels<N>.cpp defines TSC_PART and HWY_TARGET_INCLUDE and includes this,
// which Highway includes again for every instruction set.
//
//===----------------------------------------------------------------------===//
#include "Support/SimdTargets.h"

#include "hwy/foreach_target.h" // first: it includes this file again for every instruction set

#include "Pointwise/KernelTable.h"
#include "Pointwise/SpecialFunctions.h"
#include "hwy/contrib/math/math-inl.h"
#include "hwy/highway.h"
#include <cmath>
#include <limits>
#include <type_traits>

TSC_BEFORE_KERNELS();
#include "Pointwise/BodyProbe.h"
#include "Pointwise/SimdBuilder.h"

namespace tsc::pw::HWY_NAMESPACE {
#define TSC_POINTWISE_INLINE HWY_INLINE
#define TSC_POINTWISE_BODIES
#include "tsc/Kernels/PointwiseBodies.inc"
#undef TSC_POINTWISE_BODIES
#undef TSC_POINTWISE_INLINE

template <unsigned index, class Body> static void put(KernelTable &table) {
  if constexpr (Body::number % numSimdParts == TSC_PART) {
    constexpr bool isCheap = !std::is_same_v<ProbedResult<ProbeBuilder<true>, Body>, Probe<Costly>>;
    table.kernels[static_cast<unsigned>(ComputeClass::Float)][index] = &runKernel<float, Body, isCheap>;
    table.kernels[static_cast<unsigned>(ComputeClass::Double)][index] = &runKernel<double, Body, isCheap>;
  }
}

static void fill(KernelTable &table) {
#define BODY(INDEX, NAME) put<INDEX, NAME>(table);
#define TSC_POINTWISE_REAL
#define TSC_POINTWISE_INLINE
#include "tsc/Kernels/PointwiseBodies.inc"
#undef TSC_POINTWISE_INLINE
#undef TSC_POINTWISE_REAL
#undef BODY
}
} // namespace tsc::pw::HWY_NAMESPACE
TSC_AFTER_KERNELS();

#if HWY_ONCE
namespace tsc::pw {
#define TSC_FILL_NAME_INNER(PART) fillSimdPart##PART
#define TSC_FILL_NAME(PART) TSC_FILL_NAME_INNER(PART)
void TSC_FILL_NAME(TSC_PART)(KernelTable &table) { TSC_BEST_OF(fill)(table); }
} // namespace tsc::pw
#endif
