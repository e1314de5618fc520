//===- HalfVectors.h - Half types on vectors of floats ----------*- C++ -*-===//
//
// Included once for each instruction set; hence no guard of its own kind.
//
//===----------------------------------------------------------------------===//

namespace tsc::cpu::HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

inline constexpr bool convertsHalves = TSC_CONVERTS_HALVES;

/// A vector of floats from as many half numbers, which are given by their bits, and back: what convertTo gives for
/// each.
struct HalfVectors {
  using Floats = hn::ScalableTag<float>;
  using Words = hn::RebindToUnsigned<Floats>;
  using Bits = hn::Rebind<uint16_t, Floats>;
  using Float16s = hn::Rebind<hwy::float16_t, Floats>;
  using V = hn::Vec<Floats>;
  static constexpr int64_t lanes = hn::MaxLanes(Floats());

  /// Returns a vector of elements at `from` as floats.
  static HWY_INLINE V widen(const Half *from) {
    const auto bits = hn::LoadU(Bits(), reinterpret_cast<const uint16_t *>(from));
    V x = hn::PromoteTo(Floats(), hn::BitCast(Float16s(), bits));
    // Else the compiler (LLVM 19) compares the halves in place of the floats, one after the other.
#if HWY_ARCH_ARM
    asm("" : "+w"(x.raw));
#elif TSC_CONVERTS_HALVES
    asm("" : "+v"(x.raw));
#endif
    return x;
  }
  static HWY_INLINE V widen(const BFloat16 *from) {
    const auto bits = hn::LoadU(Bits(), reinterpret_cast<const uint16_t *>(from));
    return hn::BitCast(Floats(), hn::ShiftLeft<16>(hn::PromoteTo(Words(), bits)));
  }
  /// Rounds a vector of floats to the nearest elements, ties to even, and stores them at `to`.
  template <typename T> static HWY_INLINE void round(V x, T *to) {
    hn::StoreU(bitsOf(x, T()), Bits(), reinterpret_cast<uint16_t *>(to));
  }
  /// Stores the elements of two vectors with one instruction.
  template <typename T> static HWY_INLINE void round(V low, V high, T *to) {
    const hn::Twice<Bits> d;
    hn::StoreU(hn::Combine(d, bitsOf(high, T()), bitsOf(low, T())), d, reinterpret_cast<uint16_t *>(to));
  }

private:
  static HWY_INLINE hn::Vec<Bits> bitsOf(V x, Half) { return hn::BitCast(Bits(), hn::DemoteTo(Float16s(), x)); }
  static HWY_INLINE hn::Vec<Bits> bitsOf(V x, BFloat16) {
    const Words d;
    const auto word = hn::BitCast(d, x), odd = hn::And(hn::ShiftRight<16>(word), hn::Set(d, 1));
    const auto rounded = hn::ShiftRight<16>(hn::Add(hn::Add(word, hn::Set(d, 0x7fff)), odd));
    const auto isNaN = hn::RebindMask(d, hn::IsNaN(x));
    return hn::TruncateTo(Bits(), hn::IfThenElse(isNaN, hn::Set(d, 0x7fc0), rounded));
  }
};

} // namespace tsc::cpu::HWY_NAMESPACE
