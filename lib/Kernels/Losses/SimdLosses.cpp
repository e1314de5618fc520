//===- SimdLosses.cpp - Losses of pairs, on vectors -----------------------===//
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "Losses/SimdLosses.cpp"
#include "Support/SimdTargets.h"

#include "hwy/foreach_target.h" // first: it includes this file again for every instruction set

#include "LossRows.h"
#include "Pointwise/SpecialFunctions.h"
#include "hwy/contrib/math/math-inl.h"
#include "hwy/highway.h"
#include "tsc/Kernels/Folds.h"
#include <cmath>
#include <limits>
#include <type_traits>

TSC_BEFORE_KERNELS();
#include "Pointwise/SimdBuilder.h"

#include "Reductions/SimdLanes.h"

#include "Support/SimdRowWalks.h"

namespace tsc::cpu::HWY_NAMESPACE {
using losses::Kind;

/// Calls use(loss), loss(x, t) being the kind's loss on vectors.
template <typename T, class Use> HWY_INLINE void withLoss(Kind kind, double limit, Use use) {
  const typename Sixteen<T>::D d;
  using V = hn::Vec<typename Sixteen<T>::D>;
  Builder<T> b;
  const V half = hn::Set(d, T(0.5)), whole = hn::Set(d, static_cast<T>(limit)),
          halfLimit = hn::Set(d, static_cast<T>(0.5 * limit)), one = hn::Set(d, T(1)), least = hn::Set(d, T(-100));
  switch (kind) {
  case Kind::Squared:
    return use([&](V x, V t) HWY_ATTR {
      const V difference = hn::Sub(x, t);
      return hn::Mul(difference, difference);
    });
  case Kind::Absolute: return use([&](V x, V t) HWY_ATTR { return hn::Abs(hn::Sub(x, t)); });
  case Kind::SmoothL1:
    return use([&](V x, V t) HWY_ATTR {
      const V size = hn::Abs(hn::Sub(x, t)), square = hn::Mul(hn::Mul(size, half), size);
      return hn::IfThenElse(hn::Lt(size, whole), limit == 1 ? square : hn::Div(square, whole),
                            hn::Sub(size, halfLimit));
    });
  case Kind::Huber:
    return use([&](V x, V t) HWY_ATTR {
      const V size = hn::Abs(hn::Sub(x, t));
      return hn::IfThenElse(hn::Lt(size, whole), hn::Mul(hn::Mul(size, half), size),
                            hn::Mul(hn::Sub(size, halfLimit), whole));
    });
  case Kind::CrossEntropy:
    return use([&](V x, V t) HWY_ATTR {
      const V other = extrema::HWY_NAMESPACE::larger(b.log1p(hn::Neg(x)), least),
              own = extrema::HWY_NAMESPACE::larger(b.log(x), least);
      return hn::Sub(hn::Mul(hn::Sub(t, one), other), hn::Mul(t, own));
    });
  case Kind::PoissonLog: return use([&](V x, V t) HWY_ATTR { return hn::Sub(b.exp(x), hn::Mul(t, x)); });
  case Kind::Poisson: return use([&](V x, V t) HWY_ATTR { return hn::Sub(x, hn::Mul(t, b.log(hn::Add(x, whole)))); });
  }
}

template <typename T> HWY_NOINLINE void eachLoss(Kind kind, T *out, const T *x, const T *t, double limit, int64_t n) {
  withLoss<T>(kind, limit, [&](auto loss) HWY_ATTR { mapRow(out, n, loss, x, t); });
}

template <typename T> HWY_NOINLINE T sumOfLosses(Kind kind, const T *x, const T *t, double limit, int64_t n) {
  using V = hn::Vec<typename Sixteen<T>::D>;
  const typename Sixteen<T>::D d;
  SumCascade<T> cascade;
  withLoss<T>(kind, limit, [&](auto loss) HWY_ATTR {
    sumBlocks(cascade, x, n, [&](V v, int64_t i, int64_t count) HWY_ATTR {
      return loss(v, count == static_cast<int64_t>(Sixteen<T>::width) ? hn::LoadU(d, t + i)
                                                                      : loadPart(t + i, count, T(0)));
    });
  });
  return cascade.finish();
}

/// A step of the sums over alignments: each state from itself, the one before, and where it may the one before that.
static void alignmentStep(double *after, const double *before, const double *emitted, const double *skips, int64_t n) {
  Builder<double> b;
  const typename Sixteen<double>::D d;
  const int64_t lanes = static_cast<int64_t>(hn::Lanes(d));
  const auto none = hn::Set(d, -std::numeric_limits<double>::infinity());
  for (int64_t s = 0; s < n; s += lanes) { // rows have room for a whole vector
    const auto own = hn::LoadU(d, before + s), last = hn::LoadU(d, before + s - 1);
    const auto isBarred = hn::Eq(hn::LoadU(d, skips + s), none); // then even NaN goes no further
    const auto skipped = hn::IfThenElse(isBarred, none, hn::LoadU(d, before + s - 2));
    // The largest of the three counts as 1, and the others by their distance from it: the total is from 1 to 3.
    const auto larger = extrema::HWY_NAMESPACE::larger(own, last), smaller = hn::Min(own, last);
    const auto most = extrema::HWY_NAMESPACE::larger(larger, skipped), between = hn::Min(larger, skipped);
    const auto shift = hn::IfThenZeroElse(hn::Eq(most, none), most);
    const auto total =
        hn::Add(hn::Set(d, 1.0), hn::Add(b.exp(hn::Sub(smaller, shift)), b.exp(hn::Sub(between, shift))));
    // `most` does not say it: a maximum may be the other operand where one is NaN.
    const auto isUnreached = hn::And(hn::Eq(own, none), hn::And(hn::Eq(last, none), hn::Eq(skipped, none)));
    // Neither an infinite number nor NaN has a distance.
    const auto isNumber = hn::And(hn::Lt(most, hn::Set(d, std::numeric_limits<double>::infinity())),
                                  hn::Not(hn::IsNaN(hn::Add(own, hn::Add(last, skipped)))));
    const auto sum = hn::IfThenElse(isNumber, hn::Add(hn::Log(d, total), shift), hn::NaN(d));
    const auto reached = hn::IfThenElse(isUnreached, none, sum);
    hn::StoreU(hn::Add(reached, hn::LoadU(d, emitted + s)), d, after + s);
  }
}

static losses::Kernels<float> floatLosses() { return {&eachLoss<float>, &sumOfLosses<float>}; }
static losses::Kernels<double> doubleLosses() { return {&eachLoss<double>, &sumOfLosses<double>}; }
} // namespace tsc::cpu::HWY_NAMESPACE
TSC_AFTER_KERNELS();

#if HWY_ONCE
namespace tsc::cpu {
losses::AlignmentStep losses::alignmentStep() {
  static const AlignmentStep best = TSC_BEST_OF(alignmentStep);
  return best;
}
template <> const losses::Kernels<float> &losses::kernels<float>() {
  static const Kernels<float> table = TSC_BEST_OF(floatLosses)();
  return table;
}
template <> const losses::Kernels<double> &losses::kernels<double>() {
  static const Kernels<double> table = TSC_BEST_OF(doubleLosses)();
  return table;
}
} // namespace tsc::cpu
#endif
