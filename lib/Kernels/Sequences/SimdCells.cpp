//===- SimdCells.cpp - One step of recurrent cells, on vectors ------------===//
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "Sequences/SimdCells.cpp"
#include "Support/SimdTargets.h"

#include "hwy/foreach_target.h" // first: it includes this file again for every instruction set

#include "Cells.h"
#include "Pointwise/SpecialFunctions.h"
#include "hwy/contrib/math/math-inl.h"
#include "hwy/highway.h"
#include <cmath>
#include <limits>
#include <type_traits>

TSC_BEFORE_KERNELS();
#include "Pointwise/SimdBuilder.h"

namespace tsc::cpu::HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;
using cells::Step;

/// A vector of neighbours in a row: all of it, or the `count` that are left at its end.
template <typename T> struct Part {
  using D = hn::CappedTag<T, 16>;
  using V = hn::Vec<D>;
  static constexpr D d{};
  static constexpr int64_t width = hn::MaxLanes(D());

  HWY_INLINE V load(const T *from) const {
    if (count == width)
      return hn::LoadU(d, from);
#if TSC_HAS_MASKED_LOADS
    return hn::MaskedLoad(hn::FirstN(d, static_cast<size_t>(count)), d, from);
#else
    HWY_ALIGN T lanes[width] = {};
    for (int64_t k = 0; k != count; ++k)
      lanes[k] = from[k];
    return hn::Load(d, lanes);
#endif
  }
  HWY_INLINE void store(V v, T *to) const {
    if (count == width)
      return hn::StoreU(v, d, to);
    HWY_ALIGN T lanes[width];
    hn::Store(v, d, lanes);
    for (int64_t k = 0; k != count; ++k)
      to[k] = lanes[k];
  }
  int64_t count;
};

/// The gates of one vector of a row: what the input and the hidden state give.
template <typename T> class Gates {
  using V = typename Part<T>::V;

public:
  HWY_INLINE Gates(const Step<T> &step, int64_t gatesPerRow, int64_t row, int64_t column, Part<T> part)
      : input(step.inputGates + row * gatesPerRow + column), hidden(step.hiddenGates + row * gatesPerRow + column),
        bias(step.hiddenBias ? step.hiddenBias + column : nullptr), width(step.width), part(part) {}
  HWY_INLINE V ofInput(int64_t gate) const { return part.load(input + gate * width); }
  HWY_INLINE V ofHidden(int64_t gate) const {
    const V product = part.load(hidden + gate * width);
    return bias ? hn::Add(product, part.load(bias + gate * width)) : product;
  }
  HWY_INLINE V sum(int64_t gate) const { return hn::Add(ofInput(gate), ofHidden(gate)); }

private:
  const T *input, *hidden, *bias;
  int64_t width;
  Part<T> part;
};

/// Calls body(gates, part, place) for each vector of each row.
template <typename T, class Body> HWY_INLINE void forVectors(const Step<T> &step, int64_t gates, Body body) {
  constexpr int64_t lanes = Part<T>::width;
  for (int64_t row = 0; row != step.rows; ++row)
    for (int64_t j = 0; j < step.width; j += lanes) {
      const Part<T> part{step.width - j < lanes ? step.width - j : lanes};
      body(Gates<T>(step, gates * step.width, row, j, part), part, row * step.width + j);
    }
}

template <typename T> using CellBuilder = pw::HWY_NAMESPACE::SimdBuilder<typename Part<T>::D>;

template <typename T> HWY_NOINLINE void lstmStep(const Step<T> &step) {
  forVectors<T>(step, 4, [&](const Gates<T> &gates, Part<T> part, int64_t at) HWY_ATTR {
    CellBuilder<T> b;
    const auto in = b.sigmoid(gates.sum(0)), forget = b.sigmoid(gates.sum(1));
    const auto fresh = b.tanh(gates.sum(2)), out = b.sigmoid(gates.sum(3));
    const auto cell = hn::Add(hn::Mul(forget, part.load(step.cell + at)), hn::Mul(in, fresh));
    part.store(cell, step.cellAfter + at);
    part.store(hn::Mul(out, b.tanh(cell)), step.after + at);
  });
}

template <typename T> HWY_NOINLINE void gruStep(const Step<T> &step) {
  forVectors<T>(step, 3, [&](const Gates<T> &gates, Part<T> part, int64_t at) HWY_ATTR {
    CellBuilder<T> b;
    const auto reset = b.sigmoid(gates.sum(0)), update = b.sigmoid(gates.sum(1));
    const auto fresh = b.tanh(hn::Add(gates.ofInput(2), hn::Mul(reset, gates.ofHidden(2))));
    part.store(hn::Add(hn::Mul(hn::Sub(part.load(step.before + at), fresh), update), fresh), step.after + at);
  });
}

template <typename T> HWY_NOINLINE void tanhStep(const Step<T> &step) {
  forVectors<T>(step, 1, [&](const Gates<T> &gates, Part<T> part, int64_t at) HWY_ATTR {
    CellBuilder<T> b;
    part.store(b.tanh(gates.sum(0)), step.after + at);
  });
}

template <typename T> HWY_NOINLINE void reluStep(const Step<T> &step) {
  forVectors<T>(step, 1, [&](const Gates<T> &gates, Part<T> part, int64_t at) HWY_ATTR {
    const auto sum = gates.sum(0), zero = hn::Zero(Part<T>::d);
    part.store(hn::IfThenElse(hn::Lt(sum, zero), zero, sum), step.after + at); // NaN stays
  });
}

template <typename T> cells::Kernels<T> cellKernels() {
  return {&lstmStep<T>, &gruStep<T>, &tanhStep<T>, &reluStep<T>};
}
static cells::Kernels<float> floatCells() { return cellKernels<float>(); }
static cells::Kernels<double> doubleCells() { return cellKernels<double>(); }
} // namespace tsc::cpu::HWY_NAMESPACE
TSC_AFTER_KERNELS();

#if HWY_ONCE
namespace tsc::cpu {
template <> const cells::Kernels<float> &cells::kernels<float>() {
  static const Kernels<float> table = TSC_BEST_OF(floatCells)();
  return table;
}
template <> const cells::Kernels<double> &cells::kernels<double>() {
  static const Kernels<double> table = TSC_BEST_OF(doubleCells)();
  return table;
}
} // namespace tsc::cpu
#endif
