//===- ComplexSvd.cpp - Singular values of complex matrices ---------------===//
//
// Reflections from both sides to bidiagonal form (Golub and Kahan), as LAPACK's gebd2
// has them: the bidiagonal matrix is real, and its iteration rotates vectors of pairs
// of doubles.
//
//===----------------------------------------------------------------------===//
#include "Bidiagonal.h"
#include "DenseRows.h"
#include "Reflections.h"
#include "Scaling.h"
#include "tsc/Support/WorkMeter.h"
#include <algorithm>

using namespace tsc::cpu::linalg;

using Complex = std::complex<double>;

/// Of a matrix with at least as many rows as columns.
static BidiagonalOf<Complex> reduce(Matrix<Complex> a) {
  const int64_t m = a.rows, n = a.columns;
  const auto size = static_cast<size_t>(n);
  BidiagonalOf<Complex> b{
      {size, 0}, {size - 1, 0}, {Matrix<Complex>(n, m), {size, 0}}, {Matrix<Complex>(n, n), {size - 1, 0}}};
  Elements<Complex> factors(m, 0), row(n, 0);
  for (int64_t k = 0; k != n && !tsc::work::wasStopped(); ++k) {
    Complex *const v = &b.left.vectors(k, k);
    for (int64_t i = k; i != m; ++i)
      b.left.vectors(k, i) = a(i, k);
    b.diagonal[k] = makeReflection(v, m - k, b.left.taus[k]);
    const int64_t rest = n - k - 1;
    if (rest == 0)
      break;
    // a -= conj(tau) v (v^H a)
    std::fill_n(row.data(), rest, Complex(0));
    for (int64_t i = 0; i != m - k; ++i)
      factors[i] = -std::conj(v[i]);
    subtractRows(row.data(), &a(k, k + 1), n, factors.data(), m - k, rest);
    for (int64_t i = 0; i != m - k; ++i)
      factors[i] = std::conj(b.left.taus[k]) * v[i];
    subtractOuter(&a(k, k + 1), n, m - k, factors.data(), row.data(), rest);
    // a -= tau (a z) z^H
    Complex *const z = &b.right.vectors(k, k + 1);
    for (int64_t j = 0; j != rest; ++j)
      z[j] = std::conj(a(k, k + 1 + j));
    b.above[k] = makeReflection(z, rest, b.right.taus[k]);
    multiplyRows(&a(k + 1, k + 1), n, m - k - 1, z, factors.data(), rest);
    for (int64_t i = 0; i != m - k - 1; ++i)
      factors[i] *= b.right.taus[k];
    for (int64_t j = 0; j != rest; ++j)
      row[j] = std::conj(z[j]);
    subtractOuter(&a(k + 1, k + 1), n, m - k - 1, factors.data(), row.data(), rest);
  }
  return b;
}

template <> Svd<Complex> tsc::cpu::linalg::svd(const Matrix<Complex> &a, Precision precision, Vectors vectors) {
  if (std::min(a.rows, a.columns) == 0)
    return {Matrix<Complex>(a.rows, 0), Matrix<Complex>(0, a.columns), {}};
  const std::optional<int> scale = scaleOf(a);
  if (!scale)
    return failedSvd(a);
  const bool isWide = a.rows < a.columns;
  Matrix<Complex> tall = isWide ? a.adjoint() : a;
  scaleBy(tall, -*scale);
  Svd<Complex> out;
  Matrix<Complex> ut, vt;
  if (!decompose(reduce(tall), tall.rows, precision, vectors, ut, vt, out.s))
    return failedSvd(a);
  scaleBy(out.s, *scale);
  if (vectors == Vectors::Unwanted)
    return out;
  // a = u s v^H, and of the adjoint v s u^H.
  Matrix<Complex> &left = isWide ? vt : ut, &right = isWide ? ut : vt;
  out.u = transposed(left);
  for (Complex &x : right.data)
    x = std::conj(x);
  out.vh = std::move(right);
  return out;
}
