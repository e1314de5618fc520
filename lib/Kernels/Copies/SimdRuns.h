//===- SimdRuns.h - Runs of memory on vectors -------------------*- C++ -*-===//
//
// Included once for each instruction set, behind Highway; hence no guard of its own
// kind.
//
//===----------------------------------------------------------------------===//

TSC_BEFORE_KERNELS();
namespace tsc::cpu::HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

/// Copies the elements from `first` on of a run of `count`, at least one vector; the last vector overlaps the one
/// before.
template <class D, typename T = hn::TFromD<D>>
HWY_INLINE void copyRun(D d, T *HWY_RESTRICT to, const T *HWY_RESTRICT from, int64_t first, int64_t count) {
  const int64_t lanes = static_cast<int64_t>(hn::Lanes(d)), last = count - lanes;
  assert(last >= 0 && first >= 0 && "a run of at least a vector");
  int64_t i = first;
  for (; i + 3 * lanes < last; i += 4 * lanes) {
    const auto a = hn::LoadU(d, from + i), b = hn::LoadU(d, from + i + lanes);
    const auto c = hn::LoadU(d, from + i + 2 * lanes), e = hn::LoadU(d, from + i + 3 * lanes);
    hn::StoreU(a, d, to + i);
    hn::StoreU(b, d, to + i + lanes);
    hn::StoreU(c, d, to + i + 2 * lanes);
    hn::StoreU(e, d, to + i + 3 * lanes);
  }
  for (; i < last; i += lanes)
    hn::StoreU(hn::LoadU(d, from + i), d, to + i);
  hn::StoreU(hn::LoadU(d, from + last), d, to + last);
}

} // namespace tsc::cpu::HWY_NAMESPACE
TSC_AFTER_KERNELS();
