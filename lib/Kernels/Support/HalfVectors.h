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
#if HWY_TARGET == HWY_AVX2
    if constexpr (std::is_same_v<T, BFloat16>) { // packed in halves of vectors, and these put in order
      const hn::RebindToSigned<Words> integers;
      const hn::RebindToSigned<decltype(d)> shorts;
      const hn::Repartition<uint64_t, decltype(d)> quarters;
      auto extended = [&](V x) HWY_ATTR { // as signed numbers, none of which is too large
        return hn::ShiftRight<16>(hn::BitCast(integers, highBitsOf(x)));
      };
      const auto packed = hn::ReorderDemote2To(shorts, extended(low), extended(high));
      alignas(32) static constexpr int64_t order[] = {0, 2, 1, 3};
      const auto ordered = hn::TableLookupLanes(hn::BitCast(quarters, packed), hn::SetTableIndices(quarters, order));
      hn::StoreU(hn::BitCast(d, ordered), d, reinterpret_cast<uint16_t *>(to));
      return;
    }
#endif
    hn::StoreU(hn::Combine(d, bitsOf(high, T()), bitsOf(low, T())), d, reinterpret_cast<uint16_t *>(to));
  }

private:
  static HWY_INLINE hn::Vec<Bits> bitsOf(V x, Half) { return hn::BitCast(Bits(), hn::DemoteTo(Float16s(), x)); }
  static HWY_INLINE hn::Vec<Bits> bitsOf(V x, BFloat16) {
    return hn::TruncateTo(Bits(), hn::ShiftRight<16>(highBitsOf(x)));
  }
  /// The bits of the nearest element in the upper half of each word.
  static HWY_INLINE hn::Vec<Words> highBitsOf(V x) {
    const Words d;
    const auto word = hn::BitCast(d, x), odd = hn::And(hn::ShiftRight<16>(word), hn::Set(d, 1));
    const auto rounded = hn::Add(hn::Add(word, hn::Set(d, 0x7fff)), odd);
    const auto isNaN = hn::RebindMask(d, hn::IsNaN(x));
    return hn::IfThenElse(isNaN, hn::Set(d, 0x7fc00000), rounded);
  }
};

} // namespace tsc::cpu::HWY_NAMESPACE
