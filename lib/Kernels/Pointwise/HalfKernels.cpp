//===- HalfKernels.cpp - Cheap bodies on rows of half types ---------------===//
//
// Each element is widened to float, computed and rounded in registers: by way of buffers
// of floats, conversions would take longer than what is cheap.
//
//===----------------------------------------------------------------------===//
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "Pointwise/HalfKernels.cpp"
#include "Support/SimdTargets.h"

#include "hwy/foreach_target.h" // first: it includes this file again for every instruction set

#include "KernelTable.h"
#include "SpecialFunctions.h"
#include "hwy/contrib/math/math-inl.h"
#include "hwy/highway.h"
#include "tsc/Tensor/Scalar.h"
#include <bit>
#include <cmath>
#include <cstring>
#include <limits>
#include <type_traits>

TSC_BEFORE_KERNELS();
#include "BodyProbe.h"
#include "SimdBuilder.h"
#include "Support/HalfVectors.h"

namespace tsc::pw::HWY_NAMESPACE {
#define TSC_POINTWISE_INLINE HWY_INLINE
#define TSC_POINTWISE_BODIES
#include "tsc/Kernels/PointwiseBodies.inc"
#undef TSC_POINTWISE_BODIES
#undef TSC_POINTWISE_INLINE

/// As floats, but for what depends on the dtype that the result is rounded to.
template <typename T, class D> struct HalfBuilder : SimdBuilder<D> {
  HWY_INLINE auto largest() { return this->constant(std::is_same_v<T, Half> ? 65504.0 : 0x1.fep127); }
};

template <typename T, class Body>
HWY_NOINLINE void runHalfKernel(void *outData, const void *const *in, const uint8_t *steps, const void *uniformData,
                                int64_t count) {
  using Vectors = cpu::HWY_NAMESPACE::HalfVectors;
  constexpr size_t lanes = Vectors::lanes;
  constexpr size_t numT = Body::numTensors ? Body::numTensors : 1, numU = Body::numUniforms ? Body::numUniforms : 1;
  HalfBuilder<T, Vectors::Floats> b;
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
  // The rest goes through the same instructions. What is repeated is a whole vector.
  const size_t rest = (n - i) * sizeof(T);
  T part[lanes] = {};
  for (size_t k = 0; k != Body::numTensors; ++k) {
    if (advance[k])
      std::memcpy(part, from[k] + i, rest);
    t[k] = Vectors::widen(advance[k] ? part : from[k]);
  }
  Vectors::round(Body::eval(b, t, u), part);
  std::memcpy(out + i, part, rest);
}

/// The same, an element at a time, where there is no vector that converts.
template <typename T, class Body>
HWY_NOINLINE void runElements(void *outData, const void *const *in, const uint8_t *steps, const void *uniformData,
                              int64_t count) {
  constexpr size_t numT = Body::numTensors ? Body::numTensors : 1, numU = Body::numUniforms ? Body::numUniforms : 1;
  HalfBuilder<T, hn::CappedTag<float, 1>> b;
  using V = hn::Vec<hn::CappedTag<float, 1>>;
  V u[numU], t[numT];
  for (size_t k = 0; k != Body::numUniforms; ++k)
    u[k] = hn::Set(b.d, static_cast<const float *>(uniformData)[k]);
  for (int64_t i = 0; i != count; ++i) {
    for (size_t k = 0; k != Body::numTensors; ++k)
      t[k] = hn::Set(b.d, static_cast<float>(static_cast<const T *>(in[k])[i * steps[k]]));
    static_cast<T *>(outData)[i] = T(hn::GetLane(Body::eval(b, t, u)));
  }
}

/// What looks at the sign alone, by bits.
template <class Body>
HWY_NOINLINE void runSignKernel(void *outData, const void *const *in, const uint8_t *steps, const void *,
                                int64_t count) {
  constexpr bool isNegation = std::is_same_v<Body, Aten_neg_Real>;
  const hn::ScalableTag<uint16_t> d;
  const int64_t lanes = static_cast<int64_t>(hn::Lanes(d));
  const auto *from = static_cast<const uint16_t *>(in[0]);
  auto *out = static_cast<uint16_t *>(outData);
  constexpr uint16_t sign = 0x8000;
  const auto mask = hn::Set(d, isNegation ? sign : static_cast<uint16_t>(~sign));
  int64_t i = 0;
  for (; steps[0] && i + lanes <= count; i += lanes) {
    const auto v = hn::LoadU(d, from + i);
    hn::StoreU(isNegation ? hn::Xor(v, mask) : hn::And(v, mask), d, out + i);
  }
  for (; i != count; ++i) {
    const uint16_t v = from[i * steps[0]];
    out[i] = static_cast<uint16_t>(isNegation ? v ^ sign : v & ~sign);
  }
}
template <class Body>
inline constexpr bool isOfSign = std::is_same_v<Body, Aten_neg_Real> || std::is_same_v<Body, Aten_abs_Real>;

/// nextafter: the neighbour in the order of the bits, which is that of the absolute values.
template <typename T>
HWY_NOINLINE void runNeighbours(void *outData, const void *const *in, const uint8_t *steps, const void *,
                                int64_t count) {
  auto *out = static_cast<uint16_t *>(outData);
  const auto *from = static_cast<const uint16_t *>(in[0]), *to = static_cast<const uint16_t *>(in[1]);
  constexpr uint16_t sign = 0x8000;
  for (int64_t i = 0; i != count; ++i) {
    const uint16_t a = from[i * steps[0]], b = to[i * steps[1]];
    const auto x = static_cast<float>(std::bit_cast<T>(a)), y = static_cast<float>(std::bit_cast<T>(b));
    if (x != x || y != y || x == y)
      out[i] = x != x ? a : b;
    else if (x == 0)
      out[i] = static_cast<uint16_t>((b & sign) | 1);
    else
      out[i] = static_cast<uint16_t>((y > x) == (x > 0) ? a + 1 : a - 1);
  }
}

template <class Body> static void put([[maybe_unused]] KernelTable &table, [[maybe_unused]] unsigned index) {
  auto kernelOf = [&](ComputeClass compute) -> Kernel & {
    return table.kernels[static_cast<unsigned>(compute)][index];
  };
  if constexpr (isOfSign<Body>) {
    kernelOf(ComputeClass::Half) = &runSignKernel<Body>;
    kernelOf(ComputeClass::BFloat16) = &runSignKernel<Body>;
  } else if constexpr (std::is_same_v<Body, Aten_nextafter_Real>) {
    kernelOf(ComputeClass::Half) = &runNeighbours<Half>;
    kernelOf(ComputeClass::BFloat16) = &runNeighbours<BFloat16>;
  } else if constexpr (std::is_same_v<Body, Aten_nan_to_num_Real> && !cpu::HWY_NAMESPACE::convertsHalves) {
    kernelOf(ComputeClass::Half) = &runElements<Half, Body>;
    kernelOf(ComputeClass::BFloat16) = &runElements<BFloat16, Body>;
  } else if constexpr (cpu::HWY_NAMESPACE::convertsHalves &&
                       std::is_same_v<ProbedResult<ProbeBuilder<true>, Body>, Probe<CheapValue>>) {
    kernelOf(ComputeClass::Half) = &runHalfKernel<Half, Body>;
    kernelOf(ComputeClass::BFloat16) = &runHalfKernel<BFloat16, Body>;
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
TSC_AFTER_KERNELS();

#if HWY_ONCE
namespace tsc::pw {
void fillHalfKernels(KernelTable &table) { TSC_BEST_OF(fill)(table); }
} // namespace tsc::pw
#endif
