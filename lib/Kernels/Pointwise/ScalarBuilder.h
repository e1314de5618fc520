//===- ScalarBuilder.h - Scalar bodies on integers and complex numbers -*- C++ -*-===//
//
// Plain C++, which the compiler turns into vectors where it can. Included once for
// each instruction set; hence no guard of its own kind.
//
//===----------------------------------------------------------------------===//

#pragma clang fp contract(off)

namespace tsc::pw::HWY_NAMESPACE {

/// What integers and complex numbers share. A truth value is a bool.
template <typename T> class ScalarBuilderBase {
public:
  using Value = T;
  static T constant(double v) { return static_cast<T>(v); }
  static bool eq(T a, T b) { return a == b; }
  static bool ne(T a, T b) { return a != b; }
  static bool maskAnd(bool a, bool b) { return a & b; }
  static bool maskOr(bool a, bool b) { return a | b; }
  static bool maskNot(bool a) { return !a; }
  static bool truth(T a) { return a != T(0); }
  static T fromMask(bool m) { return static_cast<T>(m); }
  static T where(bool m, T a, T b) { return m ? a : b; }
};

/// Two's complement: arithmetic wraps. `isNarrow`: of operands that fit in 32 bits. `isOnVectors`: in a loop that the
/// compiler can make vectors of.
template <bool isNarrow, bool isOnVectors = true> class IntBuilder : public ScalarBuilderBase<int64_t> {
  using T = int64_t;
  using U = uint64_t;
  static T wrap(U v) { return static_cast<T>(v); }
  /// Divides as div does, in 32 bits: doubles hold the quotients to within less than one part. What does not fit wraps.
  static int32_t narrowQuotient(int32_t a, int32_t b) {
    const bool isUnit = uint32_t(b) + 1 < 3;
    const auto quotient = static_cast<int32_t>(static_cast<double>(a) / static_cast<double>(isUnit ? 2 : b));
    return isUnit ? static_cast<int32_t>(uint32_t(a) * uint32_t(b)) : quotient;
  }

public:
  static T add(T a, T b) { return wrap(U(a) + U(b)); }
  static T sub(T a, T b) { return wrap(U(a) - U(b)); }
  static T mul(T a, T b) { return wrap(U(a) * U(b)); }
  static T neg(T a) { return wrap(-U(a)); }
  static T abs(T a) { return a < 0 ? neg(a) : a; }
  /// Truncates. Division by zero is refused before; 0 keeps us from trapping. Where vectors of 64 bits are converted to
  /// doubles, without branches: the quotient in double, that of what it leaves, and what rounding did to the last
  /// place. Elsewhere small numbers are divided by the processor's own division of 32 bits, which is sooner done, and
  /// in loops that do not become vectors as doubles, which is sooner done still.
  static T div(T a, T b) {
    if constexpr (isNarrow && isOnVectors) {
      const int32_t quotient = narrowQuotient(static_cast<int32_t>(a), static_cast<int32_t>(b));
      return b == -1 ? neg(a) : quotient; // which may not fit
    }
    const bool isUnit = U(b) + 1 < 3; // -1, 0 and 1, by which one divides as one multiplies
    const T divisor = isUnit ? 2 : b;
    if constexpr (!isNarrow && isOnVectors && HWY_TARGET != HWY_AVX3)
      if (const int32_t p = static_cast<int32_t>(a), q = static_cast<int32_t>(divisor); p == a && q == divisor)
        return isUnit ? mul(a, b) : p / q;
    T quotient = static_cast<T>(static_cast<double>(a) / static_cast<double>(divisor));
    if constexpr (!isOnVectors)
      if (isNarrow || (U(a) + 0x80000000u <= UINT32_MAX && U(b) + 0x80000000u <= UINT32_MAX))
        return isUnit ? mul(a, b) : quotient;
    T rest = sub(a, mul(quotient, divisor));
    const T more = static_cast<T>(static_cast<double>(rest) / static_cast<double>(divisor));
    rest = sub(rest, mul(more, divisor));
    const T step = (a ^ divisor) < 0 ? -1 : 1;
    const bool isTooFar = (rest != 0) & ((rest ^ a) < 0), isTooShort = U(abs(rest)) >= U(abs(divisor));
    quotient = add(quotient, more) + (isTooShort ? step : isTooFar ? -step : 0);
    return isUnit ? mul(a, b) : quotient;
  }
  /// Returns the rest of a division, with the sign of a; 0 where b is 0.
  static T fmod(T a, T b) {
    if constexpr (isNarrow) {
      const auto p = static_cast<int32_t>(a), q = static_cast<int32_t>(b);
      return q == 0 ? 0 : static_cast<int32_t>(uint32_t(p) - uint32_t(narrowQuotient(p, q)) * uint32_t(q));
    }
    return b == 0 ? 0 : sub(a, mul(div(a, b), b));
  }
  /// Python's a % b, which has the sign of b; 0 where b is 0.
  static T remainder(T a, T b) {
    T m = fmod(a, b);
    return ((m != 0) & ((m ^ b) < 0)) ? m + b : m;
  }
  /// Python's a // b, rounded towards minus infinity; 0 where b is 0.
  static T floordiv(T a, T b) {
    const T quotient = div(a, b), rest = isNarrow ? fmod(a, b) : sub(a, mul(quotient, b));
    return ((b != 0) & (rest != 0) & ((rest ^ b) < 0)) ? quotient - 1 : quotient;
  }
  static bool lt(T a, T b) { return a < b; }
  static bool le(T a, T b) { return a <= b; }
  static bool gt(T a, T b) { return a > b; }
  static bool ge(T a, T b) { return a >= b; }
  static T bitAnd(T a, T b) { return a & b; }
  static T bitOr(T a, T b) { return a | b; }
  static T bitXor(T a, T b) { return a ^ b; }
  static T bitNot(T a) { return ~a; }
  static T shiftLeft(T a, T b) { return U(b) > 63 ? 0 : wrap(U(a) << b); }
  static T shiftRight(T a, T b) { return U(b) > 63 ? (a < 0 ? -1 : 0) : a >> b; }
  static T min(T a, T b) { return a < b ? a : b; }
  static T max(T a, T b) { return a < b ? b : a; }
  static T fmin(T a, T b) { return min(a, b); }
  static T fmax(T a, T b) { return max(a, b); }
  static T sgn(T a) { return T(a > 0) - T(a < 0); }
  /// The greatest common divisor, not negative but for 2^63, which wraps.
  static T gcd(T a, T b) {
    U x = U(abs(a)), y = U(abs(b));
    if ((x | y) <= UINT32_MAX) { // half as wide, which processors divide sooner
      uint32_t p = static_cast<uint32_t>(x), q = static_cast<uint32_t>(y);
      while (q)
        p = std::exchange(q, p % q);
      return p;
    }
    while (y)
      x = std::exchange(y, x % y);
    return wrap(x);
  }
  /// Computes a power by squaring, wrapping; a negative exponent is refused before, but for bases 1 and -1.
  static T pow(T base, T exponent) {
    if (exponent < 0)
      return base == 1 ? 1 : base == -1 ? (exponent % 2 ? -1 : 1) : 0;
    T result = 1;
    for (; exponent; exponent >>= 1, base = mul(base, base))
      if (exponent & 1)
        result = mul(result, base);
    return result;
  }
};

/// Truth values in a byte each, for bodies that need no more than this: what is not 0 is true.
class TruthBuilder : public ScalarBuilderBase<uint8_t> {
  using T = uint8_t;

public:
  static T add(T a, T b) { return static_cast<T>(a + b); }
  static T sub(T a, T b) { return static_cast<T>(a - b); }
  static T mul(T a, T b) { return static_cast<T>(a * b); }
  static T neg(T a) { return static_cast<T>(-a); }
  static T abs(T a) { return a; }
  static T sgn(T a) { return a != 0; }
  static T min(T a, T b) { return a < b ? a : b; }
  static T max(T a, T b) { return a < b ? b : a; }
  static T fmin(T a, T b) { return min(a, b); }
  static T fmax(T a, T b) { return max(a, b); }
  static bool lt(T a, T b) { return a < b; }
  static bool le(T a, T b) { return a <= b; }
  static bool gt(T a, T b) { return a > b; }
  static bool ge(T a, T b) { return a >= b; }
  static T bitAnd(T a, T b) { return a & b; }
  static T bitOr(T a, T b) { return a | b; }
  static T bitXor(T a, T b) { return a ^ b; }
  static T bitNot(T a) { return static_cast<T>(~a); }
  static T shiftLeft(T a, T b) { return b > 7 ? 0 : static_cast<T>(a << b); }
  static T shiftRight(T a, T b) { return b > 7 ? 0 : static_cast<T>(a >> b); }
  static bool where(bool m, bool a, bool b) { return m ? a : b; }
  using ScalarBuilderBase<uint8_t>::where;
};

/// The operations of scalar bodies on one complex number with parts of type R, float or double.
template <typename R> class ComplexBuilder : public ScalarBuilderBase<std::complex<R>> {
  using T = std::complex<R>;

public:
  static T constant(double v) { return T(static_cast<R>(v)); }
  static T inf() { return T(std::numeric_limits<R>::infinity()); }
  static T nan() { return T(std::numeric_limits<R>::quiet_NaN()); }
  static T pi() { return T(static_cast<R>(3.14159265358979323846)); }
  static T add(T a, T b) { return a + b; }
  static T sub(T a, T b) { return a - b; }
  /// Multiplies as PyTorch does: what C adds for infinite factors is left out.
  static T mul(T a, T b) {
    return T(a.real() * b.real() - a.imag() * b.imag(), a.real() * b.imag() + a.imag() * b.real());
  }
  static T div(T a, T b) { return a / b; }
  static T neg(T a) { return -a; }
  static T abs(T a) { return T(std::abs(a)); }
  static T real(T a) { return T(a.real()); }
  static T imag(T a) { return T(a.imag()); }
  static T conj(T a) { return std::conj(a); }
  static T angle(T a) { return T(std::arg(a)); }
  static T sgn(T a) { return a == T(0) ? a : a / std::abs(a); }
  static bool isnan(T a) { return std::isnan(a.real()) || std::isnan(a.imag()); }
  static bool isinf(T a) { return std::isinf(a.real()) || std::isinf(a.imag()); }
  static bool isfinite(T a) { return std::isfinite(a.real()) && std::isfinite(a.imag()); }
#define TSC_COMPLEX(NAME)                                                                                              \
  static T NAME(T a) { return std::NAME(a); }
  // clang-format off
  TSC_COMPLEX(exp) TSC_COMPLEX(log) TSC_COMPLEX(log10) TSC_COMPLEX(sqrt) TSC_COMPLEX(sin) TSC_COMPLEX(cos) TSC_COMPLEX(tan)
  TSC_COMPLEX(asin) TSC_COMPLEX(acos) TSC_COMPLEX(atan) TSC_COMPLEX(sinh) TSC_COMPLEX(cosh) TSC_COMPLEX(tanh)
  TSC_COMPLEX(asinh) TSC_COMPLEX(acosh) TSC_COMPLEX(atanh)
  // clang-format on
#undef TSC_COMPLEX
  static T log2(T a) { return std::log(a) / static_cast<R>(0.69314718055994530942); }
  static T log1p(T a) { return std::log(T(1) + a); }
  static T expm1(T a) { return std::exp(a) - T(1); }
  static T exp2(T a) { return std::exp(a * static_cast<R>(0.69314718055994530942)); }
  static T rsqrt(T a) { return T(1) / std::sqrt(a); }
  static T sigmoid(T a) { return T(1) / (T(1) + std::exp(-a)); }
  /// Computes a power; exponents 0 and 2 need no logarithm.
  static T pow(T a, T b) {
    if (b == T(0))
      return T(1);
    if (b == T(2))
      return a * a;
    return std::pow(a, b);
  }
};

template <class Body>
inline constexpr bool isCheap = !std::is_same_v<ProbedResult<ProbeBuilder<false>, Body>, Probe<Costly>>;

/// Marks as costly the bodies that contain loops, such as gcd and pow, which compilers do not vectorize.
class LoopProbe : public ProbeBuilder<true> {
public:
  template <ProbedKind... from> Probe<probed<CheapValue, from...>> fmod(Probe<from>...) { return {}; }
  template <ProbedKind... from> Probe<probed<CheapValue, from...>> remainder(Probe<from>...) { return {}; }
  template <ProbedKind... from> Probe<probed<CheapValue, from...>> floordiv(Probe<from>...) { return {}; }
};
template <class Body> inline constexpr bool hasLoops = std::is_same_v<ProbedResult<LoopProbe, Body>, Probe<Costly>>;

/// Whether `count` numbers fit in 32 bits.
inline bool fitNarrow(const int64_t *from, int64_t count) {
  uint64_t all = 0;
  for (int64_t i = 0; i != count; ++i)
    all |= static_cast<uint64_t>(from[i]) + 0x80000000u;
  return all <= UINT32_MAX;
}

/// Runs a body on `count` integers or truth values. A step is 1 for operands with an element each, and 0 for those
/// whose only element is read again and again.
template <typename T, class Body>
void runScalarKernel(void *outData, const void *const *in, const uint8_t *steps, const void *uniformData,
                     int64_t count) {
  constexpr bool isByte = std::is_same_v<T, bool> && isCheap<Body>;
  constexpr bool isNarrow = sizeof(T) < sizeof(int64_t);
  using Builder = std::conditional_t<isByte, TruthBuilder, IntBuilder<isNarrow, !hasLoops<Body>>>;
  using Value = typename Builder::Value;
  using Element = std::conditional_t<isByte, uint8_t, T>;
  Builder b;
  constexpr size_t numT = Body::numTensors ? Body::numTensors : 1, numU = Body::numUniforms ? Body::numUniforms : 1;
  T *out = static_cast<T *>(outData);
  Value u[numU] = {}, t[numT] = {};
  for (size_t k = 0; k != Body::numUniforms; ++k)
    u[k] = static_cast<Value>(static_cast<const int64_t *>(uniformData)[k]);
  bool isDense = true;
  for (size_t k = 0; k != Body::numTensors; ++k)
    isDense &= steps[k] == 1;
  if (isDense) {
    const Element *from[numT] = {};
    for (size_t k = 0; k != Body::numTensors; ++k)
      from[k] = static_cast<const Element *>(in[k]);
    auto compute = [&](auto &builder, int64_t begin, int64_t end) HWY_ATTR {
      for (int64_t i = begin; i != end; ++i) {
        for (size_t k = 0; k != Body::numTensors; ++k)
          t[k] = from[k][i];
        out[i] = static_cast<T>(Body::eval(builder, t, u));
      }
    };
    if constexpr (TSC_HAS_VECTORS && !isNarrow && !isCheap<Body> && !hasLoops<Body>) {
      // Each part of the row whose numbers fit in 32 bits is divided in these.
      constexpr int64_t part = 1024;
      IntBuilder<true> narrow;
      const bool isNarrowDivisor = fitNarrow(u, Body::numUniforms);
      for (int64_t i = 0, end = 0; i != count; i = end) {
        end = count - i < part ? count : i + part;
        bool areNarrow = isNarrowDivisor;
        for (size_t k = 0; k != Body::numTensors; ++k)
          areNarrow = areNarrow && fitNarrow(from[k] + i, end - i);
        if (areNarrow)
          compute(narrow, i, end);
        else
          compute(b, i, end);
      }
    } else {
      compute(b, 0, count);
    }
    return;
  }
  for (int64_t i = 0; i != count; ++i) {
    for (size_t k = 0; k != Body::numTensors; ++k)
      t[k] = static_cast<const Element *>(in[k])[i * steps[k]];
    out[i] = static_cast<T>(Body::eval(b, t, u));
  }
}

#define TSC_POINTWISE_INLINE
#define TSC_POINTWISE_BODIES
#include "tsc/Kernels/PointwiseBodies.inc"
#undef TSC_POINTWISE_BODIES
#undef TSC_POINTWISE_INLINE

} // namespace tsc::pw::HWY_NAMESPACE
