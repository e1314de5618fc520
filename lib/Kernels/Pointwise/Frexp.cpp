//===- Frexp.cpp - Mantissas and exponents --------------------------------===//
#include "Support/MemoryFormats.h"
#include "tsc/Kernels/Special.h"
#include "tsc/Support/AtSimdLevel.h"
#include "tsc/Support/ThreadPool.h"
#include "tsc/Tensor/Dispatch.h"
#include <cmath>
#include <cstring>

using namespace tsc;

/// What a type's bits are: a word of them, so many for the fraction, the field of an infinite exponent, and what the
/// field of a number in [1/2, 1) holds.
template <typename T> struct FloatLayout;
template <> struct FloatLayout<float> {
  using Bits = uint32_t;
  static constexpr int fraction = 23, infinite = 0xff, bias = 126;
};
template <> struct FloatLayout<double> {
  using Bits = uint64_t;
  static constexpr int fraction = 52, infinite = 0x7ff, bias = 1022;
};

/// What the exponent of a number becomes that is scaled so that it is a normal one. Zeros, infinities and NaN stay as
/// they are, with exponent 0.
template <typename T>
LLVM_ATTRIBUTE_ALWAYS_INLINE static void frexpRow(const T *__restrict from, T *__restrict to, int32_t *__restrict power,
                                                  int64_t n) {
  using Layout = FloatLayout<T>;
  using Bits = typename Layout::Bits;
  constexpr Bits field = Bits(Layout::infinite) << Layout::fraction;
  constexpr int shift = Layout::fraction + 2; // makes the least number normal
  for (int64_t i = 0; i < n; ++i) {
    Bits bits, scaledBits;
    const T scaled = from[i] * static_cast<T>(Bits(1) << shift);
    std::memcpy(&bits, from + i, sizeof(bits));
    std::memcpy(&scaledBits, &scaled, sizeof(bits));
    const bool isSubnormal = (bits & field) == 0, isOther = (bits & field) == field || (bits << 1) == 0;
    const Bits normal = isSubnormal ? scaledBits : bits;
    const int32_t exponent =
        static_cast<int32_t>((normal & field) >> Layout::fraction) - Layout::bias - (isSubnormal ? shift : 0);
    const Bits half = (normal & ~field) | (Bits(Layout::bias) << Layout::fraction); // in [1/2, 1)
    const Bits result = isOther ? bits : half;
    std::memcpy(to + i, &result, sizeof(result));
    power[i] = isOther ? 0 : exponent;
  }
}

/// Of half types by way of floats, which hold them exactly; so do they the mantissas.
template <typename T> static void frexpHalfRow(const T *from, T *to, int32_t *power, int64_t n) {
  constexpr int64_t block = 256;
  float wide[block], mantissas[block];
  for (int64_t begin = 0; begin < n; begin += block) {
    const int64_t count = std::min(block, n - begin);
    for (int64_t i = 0; i != count; ++i)
      wide[i] = static_cast<float>(from[begin + i]);
    atSimdLevel<frexpRow<float>, Overlap::None>(wide, mantissas, power + begin, count);
    for (int64_t i = 0; i != count; ++i)
      to[begin + i] = T(mantissas[i]);
  }
}

StatusOr<std::tuple<Tensor, Tensor>> cpu::frexp(const Tensor &self) {
  if (!isFloating(self.dtype()))
    return invalidArgument("torch.frexp() only supports floating-point dtypes");
  TSC_ASSIGN_OR_RETURN(Tensor input, contiguous(self));
  TSC_ASSIGN_OR_RETURN(Tensor mantissa, Tensor::empty(self.sizes(), self.dtype()));
  TSC_ASSIGN_OR_RETURN(Tensor exponent, Tensor::empty(self.sizes(), DType::Int32));
  TSC_RETURN_IF_ERROR(dispatchFloating(
      self.dtype(),
      [&](auto tag) {
        using T = typename decltype(tag)::Type;
        const T *from = input.data<T>();
        T *to = mantissa.mutableData<T>();
        int32_t *power = exponent.mutableData<int32_t>();
        parallelFor(0, input.numel(), 1 << 15, [&](int64_t begin, int64_t end) {
          if constexpr (isHalfType<T>)
            frexpHalfRow(from + begin, to + begin, power + begin, end - begin);
          else
            atSimdLevel<frexpRow<T>, Overlap::None>(from + begin, to + begin, power + begin, end - begin);
        });
      },
      "frexp"));
  TSC_ASSIGN_OR_RETURN(mantissa, inOrderOf(self, std::move(mantissa)));
  TSC_ASSIGN_OR_RETURN(exponent, inOrderOf(self, std::move(exponent)));
  return std::tuple(mantissa, exponent);
}
