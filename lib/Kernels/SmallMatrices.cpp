//===- SmallMatrices.cpp - Batches of small matrices ----------------------===//
#include "SmallMatrices.h"
#include "Compute.h"

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

/// Calls run(lanes) for the lanes of a batch, in parallel.
template <typename Fn> static void forEachLanes(int64_t count, Fn run) {
  const int64_t lanes = smallKernels().lanes, groups = (count + lanes - 1) / lanes;
  parallelFor(0, groups, 128, [&](int64_t begin, int64_t end) {
    for (int64_t g = begin; g < end; ++g)
      run(Lanes(g * lanes, count));
  });
}

void linalg::factorManySmall(const double *a, int64_t n, int64_t count, bool pivot, double *lu, int32_t *pivots,
                             int32_t *info) {
  forEachLanes(count, [&](const Lanes &lanes) {
    LaneBuffer values, exchanges, failed;
    lanes.load(values.data, a, n * n);
    smallKernels().factor(values.data, exchanges.data, failed.data, n, pivot);
    lanes.store(lu, values.data, n * n);
    lanes.store(pivots, exchanges.data, n, 1); // LAPACK counts from 1
    lanes.store(info, failed.data, 1);
  });
}

void linalg::solveManySmall(const double *lu, const int32_t *pivots, const double *b, double *x, int64_t n,
                            int64_t columns, int64_t count) {
  forEachLanes(count, [&](const Lanes &lanes) {
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
  });
}
