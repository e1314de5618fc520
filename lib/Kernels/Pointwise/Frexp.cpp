//===- Frexp.cpp - Mantissas and exponents --------------------------------===//
#include "Support/MemoryFormats.h"
#include "tsc/Kernels/Special.h"
#include "tsc/Support/FunctionClones.h"
#include "tsc/Support/ThreadPool.h"
#include "tsc/Tensor/Dispatch.h"
#include <cmath>
#include <cstring>

using namespace tsc;

/// What the exponent of a number becomes that is scaled so that it is a normal one: `infinite` is the largest field.
/// Zeros, infinities and NaN stay as they are, with exponent 0.
#define TSC_FREXP(TYPE, BITS, FRACTION, INFINITE, BIAS)                                                                \
  TSC_CLONES static void frexpRow(const TYPE *__restrict from, TYPE *__restrict to, int32_t *__restrict power,         \
                                  int64_t n) {                                                                         \
    constexpr BITS field = BITS(INFINITE) << FRACTION;                                                                 \
    constexpr int shift = FRACTION + 2; /* makes the least number normal */                                            \
    for (int64_t i = 0; i < n; ++i) {                                                                                  \
      BITS bits, scaledBits;                                                                                           \
      const TYPE scaled = from[i] * static_cast<TYPE>(BITS(1) << shift);                                               \
      std::memcpy(&bits, from + i, sizeof(bits));                                                                      \
      std::memcpy(&scaledBits, &scaled, sizeof(bits));                                                                 \
      const bool isSubnormal = (bits & field) == 0, isOther = (bits & field) == field || (bits << 1) == 0;             \
      const BITS normal = isSubnormal ? scaledBits : bits;                                                             \
      const int32_t exponent = static_cast<int32_t>((normal & field) >> FRACTION) - BIAS - (isSubnormal ? shift : 0);  \
      const BITS half = (normal & ~field) | (BITS(BIAS) << FRACTION); /* in [1/2, 1) */                                \
      const BITS result = isOther ? bits : half;                                                                       \
      std::memcpy(to + i, &result, sizeof(result));                                                                    \
      power[i] = isOther ? 0 : exponent;                                                                               \
    }                                                                                                                  \
  }
TSC_FREXP(float, uint32_t, 23, 0xff, 126)
TSC_FREXP(double, uint64_t, 52, 0x7ff, 1022)
#undef TSC_FREXP

/// Of half types by way of floats, which hold them exactly; so do they the mantissas.
template <typename T> static void frexpRow(const T *from, T *to, int32_t *power, int64_t n) {
  constexpr int64_t block = 256;
  float wide[block], mantissas[block];
  for (int64_t begin = 0; begin < n; begin += block) {
    const int64_t count = std::min(block, n - begin);
    for (int64_t i = 0; i != count; ++i)
      wide[i] = static_cast<float>(from[begin + i]);
    frexpRow(wide, mantissas, power + begin, count);
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
          frexpRow(from + begin, to + begin, power + begin, end - begin);
        });
      },
      "frexp"));
  TSC_ASSIGN_OR_RETURN(mantissa, inOrderOf(self, std::move(mantissa)));
  TSC_ASSIGN_OR_RETURN(exponent, inOrderOf(self, std::move(exponent)));
  return std::tuple(mantissa, exponent);
}
