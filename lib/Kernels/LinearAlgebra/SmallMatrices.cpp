//===- SmallMatrices.cpp - Batches of small matrices ----------------------===//
#include "SmallMatrices.h"
#include "Support/Compute.h"
#include "tsc/Support/WorkMeter.h"
#include <atomic>
#include <cmath>

using namespace tsc;
using namespace tsc::cpu;
using namespace tsc::cpu::linalg;

namespace {
/// What lies side by side in the lanes of vectors: the matrices from `first` on, as many as there are of a batch.
class Lanes {
public:
  Lanes(int64_t first, int64_t count) : first(first), some(std::min(lanes, count - first)) {}
  /// Lanes beyond the batch repeat the first one.
  template <typename T> void load(double *to, const T *from, int64_t elements) const {
    for (int64_t lane = 0; lane != lanes; ++lane) {
      const T *matrix = from + (first + (lane < some ? lane : 0)) * elements;
      for (int64_t e = 0; e != elements; ++e)
        to[e * lanes + lane] = static_cast<double>(matrix[e]);
    }
  }
  template <typename T> void store(T *to, const double *from, int64_t elements, double more = 0) const {
    for (int64_t lane = 0; lane != some; ++lane)
      for (int64_t e = 0; e != elements; ++e)
        to[(first + lane) * elements + e] = static_cast<T>(from[e * lanes + lane] + more);
  }
  /// Calls fn(lane, number of the matrix) until one fails.
  template <typename Fn> Status forEach(Fn fn) const {
    for (int64_t lane = 0; lane != some; ++lane)
      TSC_RETURN_IF_ERROR(fn(lane, first + lane));
    return okStatus();
  }

private:
  const int64_t lanes = smallKernels().lanes, first, some;
};

/// Room for the elements of small matrices in lanes.
struct alignas(64) LaneBuffer {
  double data[mostSmallRows * mostSmallRows * mostLanes];
};
} // namespace

bool linalg::areManySmall(int64_t rows, int64_t columns, int64_t count) {
  return rows <= mostSmallRows && columns <= mostSmallRows && rows > 0 && columns > 0 && count >= smallKernels().lanes;
}

/// Calls run(lanes) for the lanes of a batch, in parallel. Fails where the call is to end before the last ones, and
/// where a run does, which has no other reason to.
template <typename Fn> static Status forEachLanes(int64_t count, Fn run) {
  const int64_t lanes = smallKernels().lanes, groups = (count + lanes - 1) / lanes;
  std::atomic<bool> isDone{true};
  parallelFor(0, groups, 128, [&](int64_t begin, int64_t end) {
    for (int64_t g = begin; g < end; ++g)
      if (work::wasStopped() || !run(Lanes(g * lanes, count)).ok()) {
        isDone.store(false, std::memory_order_relaxed);
        return;
      }
  });
  return isDone.load(std::memory_order_relaxed) ? okStatus() : work::stopped();
}

Status linalg::factorManySmall(const double *a, int64_t n, int64_t count, bool pivot, double *lu, int32_t *pivots,
                               int32_t *info) {
  assert(areManySmall(n, n, count) && "matrices that are worth lanes");
  return forEachLanes(count, [&](const Lanes &lanes) {
    LaneBuffer values, exchanges, failed;
    lanes.load(values.data, a, n * n);
    smallKernels().factor(values.data, exchanges.data, failed.data, n, pivot);
    lanes.store(lu, values.data, n * n);
    lanes.store(pivots, exchanges.data, n, 1); // LAPACK counts from 1
    lanes.store(info, failed.data, 1);
    return okStatus();
  });
}

Status linalg::solveManySmall(const double *lu, const int32_t *pivots, const double *b, double *x, int64_t n,
                              int64_t columns, int64_t count) {
  assert(areManySmall(n, columns, count) && (b || columns == n) && "matrices that are worth lanes");
  return forEachLanes(count, [&](const Lanes &lanes) {
    LaneBuffer a, exchanges, values;
    lanes.load(a.data, lu, n * n);
    lanes.load(exchanges.data, pivots, n);
    const int64_t width = smallKernels().lanes;
    for (int64_t i = 0; i != n * width; ++i)
      exchanges.data[i] -= 1;
    if (b)
      lanes.load(values.data, b, n * columns);
    else
      for (int64_t e = 0; e != n * n; ++e)
        std::fill_n(values.data + e * width, width, e % (n + 1) == 0 ? 1. : 0.);
    smallKernels().solve(a.data, exchanges.data, values.data, n, columns);
    lanes.store(x, values.data, n * columns);
    return okStatus();
  });
}

Status linalg::choleskyManySmall(const double *a, int64_t n, int64_t count, double *lower, int32_t *info,
                                 llvm::function_ref<Status(int64_t)> other) {
  assert(areManySmall(n, n, count) && "matrices that are worth lanes");
  return forEachLanes(count, [&](const Lanes &lanes) {
    LaneBuffer values, failed;
    lanes.load(values.data, a, n * n);
    smallKernels().cholesky(values.data, failed.data, n);
    lanes.store(lower, values.data, n * n);
    lanes.store(info, failed.data, 1);
    return lanes.forEach(
        [&](int64_t lane, int64_t matrix) { return failed.data[lane] == 0 ? okStatus() : other(matrix); });
  });
}

Status linalg::qrManySmall(const double *a, int64_t rows, int64_t columns, int64_t k, int64_t count, double *q,
                           double *r, llvm::function_ref<Status(int64_t)> other) {
  assert(areManySmall(rows, std::max(columns, k), count) && k <= rows && "matrices that are worth lanes");
  return forEachLanes(count, [&](const Lanes &lanes) {
    LaneBuffer values, vectors, odd;
    lanes.load(values.data, a, rows * columns);
    smallKernels().qr(values.data, q ? vectors.data : nullptr, odd.data, rows, columns, k);
    lanes.store(r, values.data, k * columns); // the first rows
    if (q)
      lanes.store(q, vectors.data, rows * k);
    return lanes.forEach(
        [&](int64_t lane, int64_t matrix) { return odd.data[lane] == 0 ? okStatus() : other(matrix); });
  });
}

Status linalg::exponentialManySmall(const double *a, int64_t n, int64_t count, double *out) {
  assert(areManySmall(n, n, count) && "matrices that are worth lanes");
  return forEachLanes(count, [&](const Lanes &lanes) {
    LaneBuffer values, squarings, result;
    lanes.load(values.data, a, n * n);
    const int64_t width = smallKernels().lanes;
    for (int64_t lane = 0; lane != width; ++lane) {
      double norm = 0;
      for (int64_t j = 0; j != n; ++j) {
        double sum = 0;
        for (int64_t i = 0; i != n; ++i)
          sum += std::fabs(values.data[(i * n + j) * width + lane]);
        norm = std::max(norm, sum);
      }
      squarings.data[lane] = squaringsFor(norm);
    }
    smallKernels().exponential(values.data, squarings.data, result.data, n);
    lanes.store(out, result.data, n * n);
    return okStatus();
  });
}

int linalg::squaringsFor(double norm) {
  constexpr double most = 0.5;
  // The difference of logarithms: the quotient of a norm next to the largest double is infinite.
  return norm > most && std::isfinite(norm) ? static_cast<int>(std::ceil(std::log2(norm) - std::log2(most))) : 0;
}
