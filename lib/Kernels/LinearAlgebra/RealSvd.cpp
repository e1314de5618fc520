//===- RealSvd.cpp - Singular values of real matrices ---------------------===//
//
// Reflections from both sides to bidiagonal form (Golub and Kahan), then the
// iteration of Bidiagonal.cpp.
//
//===----------------------------------------------------------------------===//
#include "Bidiagonal.h"
#include "DenseRows.h"
#include "Reflections.h"
#include "Scaling.h"
#include "tsc/Support/WorkMeter.h"

using namespace tsc::cpu::linalg;

/// Of a matrix with at least as many rows as columns. What a step does to the rest of the matrix waits for the next
/// one, which needs the rest twice: once by columns, and then by rows.
static BidiagonalOf<double> reduce(Matrix<double> a) {
  const int64_t m = a.rows, n = a.columns;
  const RowKernels &kernels = rowKernels();
  const auto last = static_cast<size_t>(n) - 1;
  BidiagonalOf<double> result{
      {last + 1, 0}, {last, 0}, {Matrix<double>(n, m), {last + 1, 0}}, {Matrix<double>(n, n), {last, 0}}};
  // The last step: what it takes from the rest is u y^T + x v^T.
  Elements<double> y(n, 0), x(m, 0), sum(n, 0);
  const Elements<double> none(m, 0);
  const double *u = none.data(), *v = none.data();
  for (int64_t k = 0; k != n && !tsc::work::wasStopped(); ++k) {
    double *const left = &result.left.vectors(k, 0);
    for (int64_t i = k; i != m; ++i)
      left[i] = a(i, k) - u[i] * y[k] - x[i] * v[k];
    result.diagonal[k] = makeReflection(left + k, m - k, result.left.taus[k]);
    const int64_t rest = n - k - 1;
    if (rest == 0)
      break;
    std::fill_n(sum.data(), rest, 0.0);
    kernels.updateTwice(&a(k, k + 1), n, m - k, u + k, y.data() + k + 1, x.data() + k, v + k + 1, left + k, sum.data(),
                        rest);
    for (int64_t j = 0; j != rest; ++j)
      y[k + 1 + j] = result.left.taus[k] * sum[j];
    double *const right = &result.right.vectors(k, 0);
    for (int64_t j = k + 1; j != n; ++j)
      right[j] = a(k, j) - y[j];
    double &turn = result.right.taus[k];
    result.above[k] = makeReflection(right + k + 1, rest, turn);
    double overlap = 0;
    kernels.multiply(&y[k + 1], 0, 1, right + k + 1, &overlap, rest);
    if (k + 1 != m)
      kernels.multiply(&a(k + 1, k + 1), n, m - k - 1, right + k + 1, &x[k + 1], rest);
    for (int64_t i = k + 1; i != m; ++i)
      x[i] = turn * (x[i] - left[i] * overlap);
    u = left;
    v = right;
  }
  return result;
}

template <> Svd<double> tsc::cpu::linalg::svd(const Matrix<double> &a, Precision precision, Vectors vectors) {
  if (std::min(a.rows, a.columns) == 0)
    return {Matrix<double>(a.rows, 0), Matrix<double>(0, a.columns), {}};
  const std::optional<int> scale = scaleOf(a);
  if (!scale)
    return failedSvd(a);
  const bool isWide = a.rows < a.columns, wanted = vectors == Vectors::Wanted;
  Matrix<double> columns = isWide ? a : transposed(a); // of the taller of the matrix and its transpose
  scaleBy(columns, -*scale);
  const int64_t n = columns.rows, m = columns.columns;
  Matrix<double> ut, vt;
  Svd<double> out;
  if (m >= 2 * n) { // by way of R, which is much smaller
    const Reflections q = reflectColumns(columns);
    Matrix<double> r(n, n), inner;
    for (int64_t i = 0; i != n; ++i)
      for (int64_t j = i; j != n; ++j)
        r(i, j) = columns(j, i);
    if (!decompose(reduce(r), n, precision, vectors, inner, vt, out.s))
      return failedSvd(a);
    if (wanted) {
      ut = Matrix<double>(n, m);
      for (int64_t i = 0; i != n; ++i)
        std::copy_n(&inner(i, 0), n, &ut(i, 0));
      applyReflections(q, 0, ut, RowsAre::Any);
    }
  } else if (!decompose(reduce(transposed(columns)), m, precision, vectors, ut, vt, out.s)) {
    return failedSvd(a);
  }
  scaleBy(out.s, *scale);
  if (wanted) {
    out.u = isWide ? transposed(vt) : transposed(ut);
    out.vh = isWide ? std::move(ut) : std::move(vt);
  }
  return out;
}
