//===- SecularEquation.cpp - Eigenvalues after a correction ---------------===//
//
// Each step replaces both sums, of the poles to the left of the root and of those to its right, by one pole with the
// same value and slope: the middle way of R.-C. Li ("Solving secular equations stably and efficiently", 1993), within
// bounds that every value narrows.
//
//===----------------------------------------------------------------------===//
#include "SecularEquation.h"
#include "DenseRows.h"
#include <algorithm>
#include <cmath>

using namespace tsc::cpu::linalg;

void SecularEquation::moveOrigin(int64_t origin) {
  const double pole = d[origin];
  std::transform(d.begin(), d.end(), offsets.begin(), [&](double x) { return x - pole; });
}

SecularEquation::Value SecularEquation::evaluate(int64_t split, double x) const {
  Value value;
  const auto count = static_cast<int64_t>(d.size());
  rowKernels().poles(offsets.data(), squares.data(), x, split, &value.left, &value.leftSlope);
  rowKernels().poles(offsets.data() + split, squares.data() + split, x, count - split, &value.right, &value.rightSlope);
  return value;
}

/// From the two poles beside the root, the others as they are in the middle.
SecularEquation::Start SecularEquation::startBetween(int64_t j) {
  moveOrigin(j);
  const double gap = offsets[j + 1], middle = gap / 2, low = squares[j], high = squares[j + 1];
  const auto count = static_cast<int64_t>(d.size());
  double others = 0, slope = 0;
  rowKernels().poles(offsets.data(), squares.data(), middle, j, &others, &slope);
  rowKernels().poles(offsets.data() + j + 2, squares.data() + j + 2, middle, count - j - 2, &others, &slope);
  const double c = inverseRho + others, here = c + (high - low) / middle;
  if (here > 0) {
    const double a = c * gap + low + high, b = low * gap, root = std::sqrt(std::fabs(a * a - 4 * b * c));
    return {j, a > 0 ? 2 * b / (a + root) : (a - root) / (2 * c), 0, middle};
  }
  moveOrigin(j + 1);
  const double a = c * gap - low - high, b = high * gap, root = std::sqrt(std::fabs(a * a + 4 * b * c));
  return {j + 1, a < 0 ? 2 * b / (a - root) : -(a + root) / (2 * c), -middle, 0};
}

SecularEquation::Start SecularEquation::startLast() {
  const auto last = static_cast<int64_t>(d.size()) - 1;
  moveOrigin(last);
  double sum = 0, others = 0, slope = 0;
  for (double square : squares)
    sum += square;
  const double most = sum / inverseRho;
  rowKernels().poles(offsets.data(), squares.data(), most, last, &others, &slope);
  const double c = inverseRho + others;
  return {last, c > 0 ? squares[last] / c : most / 2, 0, most * (1 + 0x1p-50)};
}

double SecularEquation::solve(int64_t j, double *deltas) {
  assert(j >= 0 && j < static_cast<int64_t>(d.size()) && "as many roots as poles");
  const auto count = static_cast<int64_t>(d.size());
  const bool isLast = j + 1 == count;
  auto [origin, x, low, high] = isLast ? startLast() : startBetween(j);
  const int64_t split =
      isLast ? j : j + 1; // the last root has poles on one side alone: the nearest counts as the other
  if (!(x > low && x < high))
    x = (low + high) / 2;
  constexpr int mostSteps = 100; // far more than the bounds alone would need where x is not tiny
  for (int step = 0; step != mostSteps; ++step) {
    const Value value = evaluate(split, x);
    const double f = inverseRho + value.left + value.right, slope = value.leftSlope + value.rightSlope;
    const double size = 8 * (std::fabs(value.left) + std::fabs(value.right)) + inverseRho + std::fabs(x) * slope;
    if (std::fabs(f) <= epsilon * size)
      break;
    (f < 0 ? low : high) = x;
    double move = -f / slope; // Newton
    if (split != 0) {
      const double left = offsets[split - 1] - x, right = offsets[split] - x;
      double c = f - left * value.leftSlope - right * value.rightSlope;
      if (isLast)
        c = std::fabs(c);
      const double a = (left + right) * f - left * right * slope, b = left * right * f;
      const double root = std::sqrt(std::fabs(a * a - 4 * b * c));
      double middleWay;
      if (isLast)
        middleWay = a >= 0 ? (a + root) / (2 * c) : 2 * b / (a - root);
      else
        middleWay = a <= 0 ? (a - root) / (2 * c) : 2 * b / (a + root);
      if (std::isfinite(middleWay) && middleWay * f < 0)
        move = middleWay;
    }
    double next = x + move;
    if (!(next > low && next < high))
      next = (low + high) / 2;
    if (next == x || !(next > low && next < high))
      break;
    x = next;
  }
  std::transform(offsets.begin(), offsets.end(), deltas, [&](double offset) { return offset - x; });
  return d[origin] + x;
}
