//===- ExtremaTest.cpp - Maxima and minima on vectors ---------------------===//
//
// With NaN, infinities and zeros of both signs anywhere, in rows of any length, all at
// once or with their places.
//
//===----------------------------------------------------------------------===//
#include "../KernelTest.h"
#include "tsc/Kernels/Reductions.h"
#include <algorithm>

using namespace tsc;
using namespace tsc::cpu;
using namespace tsc::test;

static bool isSame(double a, double b) { return a == b || (std::isnan(a) && std::isnan(b)); }
/// Whether `v` replaces the best so far.
static bool beats(double v, double best, bool maximum) {
  return best == best && (v != v || (maximum ? v > best : v < best));
}
static int64_t bestOf(const Tensor &t, int64_t row, int64_t n, bool maximum) {
  int64_t best = 0;
  for (int64_t i = 1; i != n; ++i)
    if (beats(t.at(row * n + i).toDouble(), t.at(row * n + best).toDouble(), maximum))
      best = i;
  return best;
}

static void checkRows(const Tensor &t) {
  const int64_t rows = t.size(0), n = t.size(1);
  const Tensor largest = only(amax(t, {1}, false)), least = only(amin(t, {1}, false));
  const auto both = aminmax(t, 1, false), byMax = maxDim(t, 1, false), byMin = minDim(t, 1, false);
  for (int64_t r = 0; r != rows; ++r)
    for (bool maximum : {false, true}) {
      const int64_t best = bestOf(t, r, n, maximum);
      const double wanted = t.at(r * n + best).toDouble();
      INFO(irName(t.dtype()).str() << ", row " << r << " of " << n);
      CHECK(isSame((maximum ? largest : least).at(r).toDouble(), wanted));
      CHECK(isSame((maximum ? part<1>(both) : part<0>(both)).at(r).toDouble(), wanted));
      CHECK(isSame(part<0>(maximum ? byMax : byMin).at(r).toDouble(), wanted));
      CHECK(part<1>(maximum ? byMax : byMin).at(r).toInt() == best);
    }
}

TEST_CASE("extrema of rows with and without NaN") {
  for (DType dtype : {DType::Float, DType::Double})
    for (int64_t n : {1, 2, 3, 4, 5, 7, 8, 11, 12, 13, 16, 17, 40, 1000, 1030, 5000}) {
      Tensor t = ramp({9, n}, 3, dtype);
      checkRows(t);
      for (int64_t r : {0, 4, 5, 8})
        t.set(r * n + (r * 13 + n / 2) % n, Scalar(NAN));
      t.set(n - 1, Scalar(-INFINITY));
      t.set(3 * n, Scalar(INFINITY));
      checkRows(t);
      for (int64_t i = 0; i != n; ++i)
        t.set(2 * n + i, Scalar(-INFINITY)), t.set(3 * n + i, Scalar(INFINITY));
      checkRows(t);
    }
  for (DType dtype : {DType::Int8, DType::UInt8, DType::Int16, DType::Int32, DType::Int64})
    for (int64_t n : {1, 3, 4, 12, 13, 40, 70000})
      checkRows(*toDType(indices({2, n}, 113, 5), dtype));
}

TEST_CASE("extrema of columns have the bits of their folds, with and without NaN") {
  for (DType dtype : {DType::Float, DType::Double})
    for (int64_t rows : {1, 2, 9, 16, 31, 40, 300, 1030})
      for (int64_t columns : {4, 16, 37, 200}) {
        Tensor t = ramp({rows, columns}, 3, dtype);
        for (int64_t i = 0; i < t.numel(); i += 3)
          t.set(i, Scalar(i % 2 ? -0.0 : 0.0));
        for (int round = 0; round != 3; ++round) {
          INFO(irName(dtype).str() << ", " << rows << " by " << columns << ", " << round);
          const Tensor turned = only(contiguous(*transpose(t, 0, 1)));
          for (auto *fold : {&amax, &amin}) {
            const Tensor down = only((*fold)(t, {0}, false)), along = only((*fold)(turned, {1}, false));
            bool agrees = true;
            for (int64_t c = 0; c != columns; ++c) {
              const double a = down.at(c).toDouble(), b = along.at(c).toDouble();
              agrees &= isSame(a, b) && (std::isnan(a) || std::signbit(a) == std::signbit(b));
            }
            CHECK(agrees);
          }
          // Infinities of both signs beside each other, then a NaN.
          t.set(t.numel() / 2, Scalar(round ? NAN : INFINITY));
          t.set(t.numel() / 2 - (rows > 1 ? columns : 0), Scalar(-INFINITY));
        }
      }
}

TEST_CASE("extrema of everything, and of places far from each other") {
  for (int64_t n : {1, 17, 9000, 150000, 300001}) {
    Tensor t = ramp({n}, 1);
    t.set(n / 3, Scalar(-7.5)), t.set(n / 2, Scalar(9.25));
    for (int round = 0; round != 2; ++round) {
      const auto both = aminmax(t, std::nullopt, false);
      CHECK(isSame(part<0>(both).at(0).toDouble(), t.at(bestOf(t, 0, n, false)).toDouble()));
      CHECK(isSame(part<1>(both).at(0).toDouble(), t.at(bestOf(t, 0, n, true)).toDouble()));
      t.set(n - 1, Scalar(NAN));
    }
  }
  const Tensor columns = *transpose(ramp({40, 30}, 2), 0, 1);
  const auto both = aminmax(columns, 1, true);
  CHECK(part<0>(both).sizes() == ArrayRef<int64_t>({30, 1}));
  const Tensor rows = only(contiguous(columns));
  for (int64_t r = 0; r != 30; ++r) {
    CHECK(part<0>(both).at(r).toDouble() == rows.at(r * 40 + bestOf(rows, r, 40, false)).toDouble());
    CHECK(part<1>(both).at(r).toDouble() == rows.at(r * 40 + bestOf(rows, r, 40, true)).toDouble());
  }
  CHECK(!aminmax(*Tensor::empty({0, 3}), std::nullopt, false).ok());
}

TEST_CASE("reductions of large tensors have the bits of their rows alone") {
  const int64_t rows = 1500, n = 1500; // more than what is near
  Tensor t = *Tensor::empty({rows, n}, DType::Float);
  for (int64_t i = 0; i != t.numel(); ++i) // numbers whose sums depend on the order
    t.mutableData<float>()[i] = std::sin(static_cast<float>(i));
  const Tensor sums = only(sumDims(t, Dims{1}, false, std::nullopt)), largest = only(amax(t, {1}, false)),
               least = only(amin(t, {1}, false));
  int64_t wrong = 0;
  for (int64_t r = 0; r != rows; ++r) {
    const Tensor row = *select(t, 0, r);
    wrong += only(sumDims(row, Dims{0}, false, std::nullopt)).at(0).toDouble() != sums.at(r).toDouble();
    const float *from = t.data<float>() + r * n;
    wrong += largest.data<float>()[r] != *std::max_element(from, from + n);
    wrong += least.data<float>()[r] != *std::min_element(from, from + n);
  }
  CHECK(wrong == 0);
}
