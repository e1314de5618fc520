//===- HalfKernels.cpp - Cheap bodies on rows of half types ---------------===//
//
// Each element is widened to float, computed and rounded in registers: by way of buffers
// of floats, conversions would take longer than what is cheap.
//
//===----------------------------------------------------------------------===//
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "Pointwise/HalfKernels.cpp"
#include "SimdTargets.h"

#include "hwy/foreach_target.h" // first: it includes this file again for every instruction set

#include "KernelTable.h"
#include "SpecialFunctions.h"
#include "hwy/contrib/math/math-inl.h"
#include "hwy/highway.h"
#include "tsc/Tensor/Scalar.h"
#include <cmath>
#include <limits>
#include <type_traits>

HWY_BEFORE_NAMESPACE();
#include "BodyProbe.h"
#include "HalfVectors.h"
#include "SimdBuilder.h"

namespace tsc::pw::HWY_NAMESPACE {
#define TSC_POINTWISE_INLINE HWY_INLINE
#define TSC_POINTWISE_BODIES
#include "tsc/Kernels/PointwiseBodies.inc"
#undef TSC_POINTWISE_BODIES
#undef TSC_POINTWISE_INLINE

template <typename T, class Body>
HWY_NOINLINE void runHalfKernel(void *outData, const void *const *in, const uint8_t *steps, const void *uniformData,
                                int64_t count) {
  using Vectors = cpu::HWY_NAMESPACE::HalfVectors;
  constexpr size_t lanes = Vectors::lanes;
  constexpr size_t numT = Body::numTensors ? Body::numTensors : 1, numU = Body::numUniforms ? Body::numUniforms : 1;
  SimdBuilder<Vectors::Floats> b;
  Vectors::V u[numU], t[numT];
  for (size_t k = 0; k != Body::numUniforms; ++k)
    u[k] = hn::Set(b.d, static_cast<const float *>(uniformData)[k]);
  const T *from[numT];
  size_t advance[numT];
  for (size_t k = 0; k != Body::numTensors; ++k)
    from[k] = static_cast<const T *>(in[k]), advance[k] = steps[k];
  T *out = static_cast<T *>(outData);
  const size_t n = static_cast<size_t>(count);
  size_t i = 0;
  for (; i + lanes <= n; i += lanes) {
    for (size_t k = 0; k != Body::numTensors; ++k)
      t[k] = Vectors::widen(from[k] + i * advance[k]);
    Vectors::round(Body::eval(b, t, u), out + i);
  }
  if (i == n)
    return;
  // The rest goes through the same instructions.
  T part[lanes] = {};
  for (size_t k = 0; k != Body::numTensors; ++k) {
    for (size_t j = 0; j != n - i; ++j)
      part[j] = from[k][(i + j) * advance[k]];
    t[k] = Vectors::widen(part);
  }
  Vectors::round(Body::eval(b, t, u), part);
  for (size_t j = 0; j != n - i; ++j)
    out[i + j] = part[j];
}

template <class Body> static void put([[maybe_unused]] KernelTable &table, [[maybe_unused]] unsigned index) {
  if constexpr (cpu::HWY_NAMESPACE::convertsHalves &&
                std::is_same_v<ProbedResult<ProbeBuilder<true>, Body>, Probe<CheapValue>>) {
    table.kernels[static_cast<unsigned>(ComputeClass::Half)][index] = &runHalfKernel<Half, Body>;
    table.kernels[static_cast<unsigned>(ComputeClass::BFloat16)][index] = &runHalfKernel<BFloat16, Body>;
  }
}

static void fill(KernelTable &table) {
#define BODY(INDEX, NAME) put<NAME>(table, INDEX);
#define TSC_POINTWISE_REAL
#define TSC_POINTWISE_INLINE
#include "tsc/Kernels/PointwiseBodies.inc"
#undef TSC_POINTWISE_INLINE
#undef TSC_POINTWISE_REAL
#undef BODY
}
} // namespace tsc::pw::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace tsc::pw {
void fillHalfKernels(KernelTable &table) { TSC_BEST_OF(fill)(table); }
} // namespace tsc::pw
#endif
