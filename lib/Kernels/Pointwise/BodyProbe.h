//===- BodyProbe.h - What a scalar body asks of a builder -------*- C++ -*-===//
//
// Finds by types alone whether a body is cheap, so that it pays to have kernels of it for
// narrow dtypes of their own. Included once for each instruction set, inside no namespace;
// hence no guard.
//
//===----------------------------------------------------------------------===//

namespace tsc::pw::HWY_NAMESPACE {

/// What is known of a value: Truth where it is a truth value, Costly where something costly made it.
enum ProbedKind { CheapValue, CheapTruth, Costly };
/// A value, or a truth value, in a body that is only probed.
template <ProbedKind kind> struct Probe {};

template <ProbedKind made, ProbedKind... from>
inline constexpr ProbedKind probed = ((from == Costly) || ...) ? Costly : made;

/// A builder whose values are types that say what a body costs. Divisions and roots of floats are cheap, too.
template <bool ofFloats> class ProbeBuilder {
public:
  using Value = Probe<CheapValue>;
  template <typename T> Value constant(T) { return {}; }
  Value inf() { return {}; }
  Value nan() { return {}; }
  Value largest() { return {}; }
  Value pi() { return {}; }
#define TSC_PROBED(NAME, KIND)                                                                                         \
  template <ProbedKind... from> Probe<probed<KIND, from...>> NAME(Probe<from>...) { return {}; }
#define TSC_CHEAP(NAME) TSC_PROBED(NAME, CheapValue)
#define TSC_TRUTH(NAME) TSC_PROBED(NAME, CheapTruth)
#define TSC_OF_FLOATS(NAME) TSC_PROBED(NAME, ofFloats ? CheapValue : Costly)
#define TSC_COSTLY(NAME) TSC_PROBED(NAME, Costly)
  // clang-format off
  TSC_CHEAP(add) TSC_CHEAP(sub) TSC_CHEAP(mul) TSC_CHEAP(neg) TSC_CHEAP(abs) TSC_CHEAP(sgn)
  TSC_CHEAP(min) TSC_CHEAP(max) TSC_CHEAP(fmin) TSC_CHEAP(fmax) TSC_CHEAP(bitAnd) TSC_CHEAP(bitOr) TSC_CHEAP(bitXor)
  TSC_CHEAP(bitNot) TSC_CHEAP(shiftLeft) TSC_CHEAP(shiftRight) TSC_CHEAP(fromMask) TSC_CHEAP(toValue)
  TSC_CHEAP(ceil) TSC_CHEAP(floor) TSC_CHEAP(round) TSC_CHEAP(trunc) TSC_CHEAP(real) TSC_CHEAP(imag) TSC_CHEAP(conj)
  TSC_CHEAP(copysign) TSC_CHEAP(angle)
  TSC_TRUTH(eq) TSC_TRUTH(ne) TSC_TRUTH(lt) TSC_TRUTH(le) TSC_TRUTH(gt) TSC_TRUTH(ge)
  TSC_TRUTH(maskAnd) TSC_TRUTH(maskOr) TSC_TRUTH(maskNot) TSC_TRUTH(truth)
  TSC_TRUTH(isnan) TSC_TRUTH(isinf) TSC_TRUTH(isfinite) TSC_TRUTH(signbit)
  TSC_OF_FLOATS(div) TSC_OF_FLOATS(sqrt) TSC_OF_FLOATS(rsqrt)
  TSC_COSTLY(fmod) TSC_COSTLY(remainder) TSC_COSTLY(floordiv) TSC_COSTLY(gcd) TSC_COSTLY(pow)
  TSC_COSTLY(exp) TSC_COSTLY(exp2) TSC_COSTLY(expm1) TSC_COSTLY(log) TSC_COSTLY(log2) TSC_COSTLY(log10)
  TSC_COSTLY(log1p) TSC_COSTLY(sin) TSC_COSTLY(cos) TSC_COSTLY(tan) TSC_COSTLY(asin) TSC_COSTLY(acos) TSC_COSTLY(atan)
  TSC_COSTLY(sinh) TSC_COSTLY(cosh) TSC_COSTLY(tanh) TSC_COSTLY(asinh) TSC_COSTLY(acosh) TSC_COSTLY(atanh)
  TSC_COSTLY(erf) TSC_COSTLY(erfc) TSC_COSTLY(sigmoid) TSC_COSTLY(lgamma) TSC_COSTLY(atan2) TSC_COSTLY(hypot)
  TSC_COSTLY(nextafter)
  // clang-format on
#define SPECIAL1(NAME) TSC_COSTLY(NAME)
#define SPECIAL2(NAME) TSC_COSTLY(NAME)
#include "tsc/Kernels/SpecialFunctions.def"
#undef TSC_PROBED
#undef TSC_CHEAP
#undef TSC_TRUTH
#undef TSC_OF_FLOATS
#undef TSC_COSTLY
      /// Chooses between two truth values as well as between two values.
      template <ProbedKind mask, ProbedKind a, ProbedKind b>
      Probe<probed<a, mask, b>> where(Probe<mask>, Probe<a>, Probe<b>) {
    return {};
  }
};

/// What evaluating a body with a builder gives: with ProbeBuilder, the Probe of its result.
template <class Builder, class Body>
using ProbedResult = decltype(Body::eval(std::declval<Builder &>(), std::declval<const typename Builder::Value *>(),
                                         std::declval<const typename Builder::Value *>()));

} // namespace tsc::pw::HWY_NAMESPACE
