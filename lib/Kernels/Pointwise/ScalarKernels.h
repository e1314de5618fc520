//===- ScalarKernels.h - The kernels on one type of integers or complex numbers -*- C++ -*-===//
//
// A file of kernels defines HWY_TARGET_INCLUDE, TSC_ELEMENT, TSC_CLASS,
// TSC_FILL and which bodies are its own (TSC_BODIES_INT, _BOOL or _COMPLEX), and
// includes this, which Highway includes again for every instruction set.
//
//===----------------------------------------------------------------------===//
#include "Support/SimdTargets.h"

#include "hwy/foreach_target.h" // first: it includes this file again for every instruction set

#include "KernelTable.h"
#include "SpecialFunctions.h"
#include "hwy/contrib/math/math-inl.h"
#include "hwy/highway.h"
#include <complex>
#include <limits>
#include <numeric>
#include <type_traits>
#include <utility>

#if defined(TSC_BODIES_COMPLEX)
TSC_BEFORE_KERNELS();
#else
HWY_BEFORE_NAMESPACE();
#endif
#include "BodyProbe.h"
#include "ScalarBuilder.h"
#if defined(TSC_BODIES_COMPLEX)
#include "SimdBuilder.h"

#include "ComplexVectors.h"
#endif

namespace tsc::pw::HWY_NAMESPACE {
static void fill(KernelTable &table) {
  Kernel *kernels = table.kernels[static_cast<unsigned>(TSC_CLASS)];
#if defined(TSC_BODIES_COMPLEX)
#define BODY(INDEX, NAME) kernels[INDEX] = &runComplexKernel<TSC_ELEMENT::value_type, NAME>;
#define TSC_POINTWISE_COMPLEX
#else
#define BODY(INDEX, NAME) kernels[INDEX] = &runScalarKernel<TSC_ELEMENT, NAME>;
#if defined(TSC_BODIES_BOOL)
#define TSC_POINTWISE_BOOL
#else
#define TSC_POINTWISE_INT
#endif
#endif
#define TSC_POINTWISE_INLINE
#include "tsc/Kernels/PointwiseBodies.inc"
#undef TSC_POINTWISE_INLINE
#undef TSC_POINTWISE_COMPLEX
#undef TSC_POINTWISE_BOOL
#undef TSC_POINTWISE_INT
#undef BODY
}
} // namespace tsc::pw::HWY_NAMESPACE
#if defined(TSC_BODIES_COMPLEX)
TSC_AFTER_KERNELS();
#else
HWY_AFTER_NAMESPACE();
#endif

#if HWY_ONCE
namespace tsc::pw {
void TSC_FILL(KernelTable &table) { TSC_BEST_OF(fill)(table); }
} // namespace tsc::pw
#endif
