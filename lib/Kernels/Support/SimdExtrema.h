//===- SimdExtrema.h - The lesser and the larger of two vectors -*- C++ -*-===//
//
// Highway's Min and Max give what the processor's instructions give, and these differ
// in zeros of unlike signs and in NaN. Included once for each instruction set, inside of
// its attributes; hence no guard of its own kind.
//
//===----------------------------------------------------------------------===//
#if defined(TSC_LIB_KERNELS_SUPPORT_SIMDEXTREMA_H) == defined(HWY_TARGET_TOGGLE)
#ifdef TSC_LIB_KERNELS_SUPPORT_SIMDEXTREMA_H
#undef TSC_LIB_KERNELS_SUPPORT_SIMDEXTREMA_H
#else
#define TSC_LIB_KERNELS_SUPPORT_SIMDEXTREMA_H
#endif

namespace tsc::extrema::HWY_NAMESPACE {

/// a where it is less than b, else b, which are x86-64's own minimum and the bits of every other way to compute it.
template <class V> HWY_INLINE V lesser(V a, V b) {
#if HWY_ARCH_X86
  return hwy::HWY_NAMESPACE::Min(a, b);
#else
  return hwy::HWY_NAMESPACE::IfThenElse(hwy::HWY_NAMESPACE::Lt(a, b), a, b);
#endif
}

/// a where it is greater than b, else b.
template <class V> HWY_INLINE V larger(V a, V b) {
#if HWY_ARCH_X86
  return hwy::HWY_NAMESPACE::Max(a, b);
#else
  return hwy::HWY_NAMESPACE::IfThenElse(hwy::HWY_NAMESPACE::Gt(a, b), a, b);
#endif
}

} // namespace tsc::extrema::HWY_NAMESPACE
#endif
