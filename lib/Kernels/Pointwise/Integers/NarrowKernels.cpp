//===- NarrowKernels.cpp - Cheap bodies on rows of the narrowest integers -===//
//
// What needs no more than additions, products, comparisons and shifts computes in 32
// bits, and gives the same as in 64: numbers that do not fit (Call.cpp) and bodies
// with divisions or powers are left to the kernels on int64_t.
//
//===----------------------------------------------------------------------===//
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "Pointwise/Integers/NarrowKernels.cpp"
#include "Support/SimdTargets.h"

#include "hwy/foreach_target.h" // first: it includes this file again for every instruction set

#include "Pointwise/KernelTable.h"
#include "hwy/highway.h"
#include <type_traits>

TSC_BEFORE_KERNELS();
#include "Pointwise/BodyProbe.h"

namespace tsc::pw::HWY_NAMESPACE {

/// Two's complement in 32 bits, as IntBuilder has it in 64.
class NarrowBuilder {
  using T = int32_t;
  using U = uint32_t;
  static T wrap(U v) { return static_cast<T>(v); }

public:
  using Value = T;
  static T constant(double v) { return static_cast<T>(v); }
  static T add(T a, T b) { return wrap(U(a) + U(b)); }
  static T sub(T a, T b) { return wrap(U(a) - U(b)); }
  static T mul(T a, T b) { return wrap(U(a) * U(b)); }
  static T neg(T a) { return wrap(-U(a)); }
  static T abs(T a) { return a < 0 ? neg(a) : a; }
  static T sgn(T a) { return T(a > 0) - T(a < 0); }
  static T min(T a, T b) { return a < b ? a : b; }
  static T max(T a, T b) { return a < b ? b : a; }
  static T fmin(T a, T b) { return min(a, b); }
  static T fmax(T a, T b) { return max(a, b); }
  static bool eq(T a, T b) { return a == b; }
  static bool ne(T a, T b) { return a != b; }
  static bool lt(T a, T b) { return a < b; }
  static bool le(T a, T b) { return a <= b; }
  static bool gt(T a, T b) { return a > b; }
  static bool ge(T a, T b) { return a >= b; }
  static bool maskAnd(bool a, bool b) { return a & b; }
  static bool maskOr(bool a, bool b) { return a | b; }
  static bool maskNot(bool a) { return !a; }
  static bool truth(T a) { return a != 0; }
  static T fromMask(bool m) { return m; }
  static T where(bool m, T a, T b) { return m ? a : b; }
  static bool where(bool m, bool a, bool b) { return m ? a : b; }
  static T bitAnd(T a, T b) { return a & b; }
  static T bitOr(T a, T b) { return a | b; }
  static T bitXor(T a, T b) { return a ^ b; }
  static T bitNot(T a) { return ~a; }
  // Of the results no more than 16 bits are kept, of which a longer shift leaves none.
  static T shiftLeft(T a, T b) { return U(b) > 31 ? 0 : wrap(U(a) << b); }
  static T shiftRight(T a, T b) { return U(b) > 31 ? (a < 0 ? -1 : 0) : a >> b; }
};

template <typename T, class Body>
static void runNarrowKernel(void *outData, const void *const *in, const uint8_t *steps, const void *uniformData,
                            int64_t count) {
  NarrowBuilder b;
  constexpr size_t numT = Body::numTensors ? Body::numTensors : 1, numU = Body::numUniforms ? Body::numUniforms : 1;
  T *out = static_cast<T *>(outData);
  int32_t u[numU] = {}, t[numT] = {};
  for (size_t k = 0; k != Body::numUniforms; ++k)
    u[k] = static_cast<int32_t>(static_cast<const int64_t *>(uniformData)[k]);
  const T *from[numT] = {};
  bool isDense = true;
  for (size_t k = 0; k != Body::numTensors; ++k)
    from[k] = static_cast<const T *>(in[k]), isDense &= steps[k] == 1;
  if (isDense) {
    for (int64_t i = 0; i != count; ++i) {
      for (size_t k = 0; k != Body::numTensors; ++k)
        t[k] = from[k][i];
      out[i] = static_cast<T>(Body::eval(b, t, u));
    }
    return;
  }
  for (int64_t i = 0; i != count; ++i) {
    for (size_t k = 0; k != Body::numTensors; ++k)
      t[k] = from[k][i * steps[k]];
    out[i] = static_cast<T>(Body::eval(b, t, u));
  }
}

#define TSC_POINTWISE_INLINE
#define TSC_POINTWISE_BODIES
#include "tsc/Kernels/PointwiseBodies.inc"
#undef TSC_POINTWISE_BODIES
#undef TSC_POINTWISE_INLINE

template <class Body> static void put(KernelTable &table, unsigned index) {
  if constexpr (!std::is_same_v<ProbedResult<ProbeBuilder<false>, Body>, Probe<Costly>>) {
    auto kernelOf = [&](ComputeClass compute) -> Kernel & {
      return table.kernels[static_cast<unsigned>(compute)][index];
    };
    kernelOf(ComputeClass::Int16) = &runNarrowKernel<int16_t, Body>;
    kernelOf(ComputeClass::Int8) = &runNarrowKernel<int8_t, Body>;
    kernelOf(ComputeClass::UInt8) = &runNarrowKernel<uint8_t, Body>;
  }
}

static void fillNarrow(KernelTable &table) {
#define BODY(INDEX, NAME) put<NAME>(table, INDEX);
#define TSC_POINTWISE_INT
#define TSC_POINTWISE_INLINE
#include "tsc/Kernels/PointwiseBodies.inc"
#undef TSC_POINTWISE_INLINE
#undef TSC_POINTWISE_INT
#undef BODY
}
} // namespace tsc::pw::HWY_NAMESPACE
TSC_AFTER_KERNELS();

#if HWY_ONCE
namespace tsc::pw {
void fillNarrowKernels(KernelTable &table) { TSC_BEST_OF(fillNarrow)(table); }
} // namespace tsc::pw
#endif
