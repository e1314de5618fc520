//===- Reflections.cpp - Householder reflections --------------------------===//
//
// Columns are kept as rows of memory. A few reflections are joined, and go over a few rows
// at a time; a block of them over a few rows while they are in a near cache.
//
//===----------------------------------------------------------------------===//
#include "Reflections.h"
#include "DenseRows.h"
#include "Scaling.h"
#include "tsc/Kernels/Copy.h"
#include "tsc/Support/WorkMeter.h"
#include "llvm/ADT/SmallVector.h"
#include <algorithm>
#include <cmath>

using namespace tsc::cpu::linalg;

using Complex = std::complex<double>;

/// Reflections that go over rows together, and rows that stay in a near cache meanwhile: those of complex numbers in
/// the nearest one, which holds their vectors as well.
static constexpr int64_t blockReflections = 32;
template <typename T> static constexpr int64_t rowsAtOnce = std::is_same_v<T, double> ? 12 : 4;

static double squaresOf(const double *x, int64_t count) {
  double squares = 0;
  rowKernels().multiply(x, 0, count > 0, x, &squares, count);
  return squares;
}

namespace {
/// What a vector is scaled by before its squares are added.
struct Scaling {
  bool isReflected = true; ///< Not where nothing stands below the first element, and that is real.
  int power = 0;
};
} // namespace

/// Scales the `count` numbers of a vector, the first `head` of which are its first element, where squares would
/// overflow or vanish, and corrects the sum of those below.
static Scaling scaleParts(double *x, int64_t head, int64_t count, double &squares) {
  double all = squares;
  for (int64_t i = 0; i != head; ++i)
    all += x[i] * x[i];
  if (squares > leastModerate && all < mostModerate)
    return {};
  auto largestOf = [](const double *from, const double *to) {
    double largest = 0;
    for (; from != to; ++from)
      largest = std::max(largest, std::fabs(*from));
    return largest;
  };
  const double below = largestOf(x + head, x + count);
  if (below == 0 && squares == 0 && (head == 1 || x[1] == 0)) // and not NaN
    return {false, 0};
  const double largest = std::max(below, largestOf(x, x + head));
  const int power = largest != 0 && std::isfinite(largest) ? std::ilogb(largest) : 0;
  if (std::abs(power) <= 400)
    return {};
  scaleBy(x, count, -power);
  squares = squaresOf(x + head, count - head);
  return {true, power};
}

double tsc::cpu::linalg::makeReflection(double *x, int64_t n, double &tau) {
  assert(n >= 1 && "a vector has a first element");
  double squares = squaresOf(x + 1, n - 1);
  const Scaling scaling = scaleParts(x, 1, n, squares);
  const double alpha = x[0];
  x[0] = 1;
  if (!scaling.isReflected) {
    tau = 0;
    return alpha;
  }
  const double size = std::sqrt(alpha * alpha + squares);
  const double beta = -std::copysign(size, alpha), scale = 1 / (alpha - beta);
  tau = (beta - alpha) / beta;
  for (int64_t i = 1; i < n; ++i)
    x[i] *= scale;
  return scaling.power == 0 ? beta : std::ldexp(beta, scaling.power);
}

double tsc::cpu::linalg::makeReflection(Complex *x, int64_t n, Complex &tau) {
  assert(n >= 1 && "a vector has a first element");
  double squares = squaresOf(parts(x + 1), 2 * (n - 1));
  const Scaling scaling = scaleParts(parts(x), 2, 2 * n, squares);
  const Complex alpha = x[0];
  x[0] = 1;
  if (!scaling.isReflected) {
    tau = 0;
    return alpha.real();
  }
  const double beta = -std::copysign(std::sqrt(std::norm(alpha) + squares), alpha.real());
  const Complex scale = 1.0 / (alpha - beta);
  tau = {(beta - alpha.real()) / beta, -alpha.imag() / beta};
  for (int64_t i = 1; i < n; ++i)
    x[i] *= scale;
  return scaling.power == 0 ? beta : std::ldexp(beta, scaling.power);
}

void tsc::cpu::linalg::reflectRows(Complex *rows, int64_t step, int64_t count, const Complex *v, Complex tau,
                                   int64_t n) {
  if (tau == Complex(0))
    return;
  Elements<Complex> adjoint(n, 0);
  std::transform(v, v + n, adjoint.data(), [](Complex x) { return std::conj(x); });
  for (; count > 0; count -= rowsAtOnce<Complex>, rows += rowsAtOnce<Complex> * step) {
    const int64_t block = std::min(rowsAtOnce<Complex>, count);
    Complex factors[rowsAtOnce<Complex>];
    multiplyRows(rows, step, block, adjoint.data(), factors, n);
    for (Complex &factor : factors)
      factor *= tau;
    subtractOuter(rows, step, block, factors, v, n);
  }
}

void tsc::cpu::linalg::reflectRows(double *rows, int64_t step, int64_t count, const double *v, double tau, int64_t n) {
  if (tau != 0)
    rowKernels().reflect(rows, step, count, v, tau, n);
}
/// products[k] = the k-th of `count` rows, conjugated, times v
static void multiplyConjugates(const double *rows, int64_t step, int64_t count, const double *v, double *products,
                               int64_t n) {
  rowKernels().multiply(rows, step, count, v, products, n);
}
static void multiplyConjugates(const Complex *rows, int64_t step, int64_t count, const Complex *v, Complex *products,
                               int64_t n) {
  Elements<Complex> adjoint(n, 0);
  std::transform(v, v + n, adjoint.data(), [](Complex x) { return std::conj(x); });
  multiplyRows(rows, step, count, adjoint.data(), products, n);
  std::transform(products, products + count, products, [](Complex x) { return std::conj(x); });
}
static void reflectTogether(double *rows, int64_t step, int64_t count, const double *vectors, int64_t vectorStep,
                            const double *factors, int64_t n) {
  rowKernels().reflectTogether(rows, step, count, vectors, vectorStep, factors, n);
}
static void reflectTogether(Complex *rows, int64_t step, int64_t count, const Complex *vectors, int64_t vectorStep,
                            const Complex *factors, int64_t n) {
  rowKernels().reflectComplexTogether(parts(rows), 2 * step, count, parts(vectors), 2 * vectorStep, parts(factors),
                                      2 * n);
}

/// Reflections [begin, end), up to `joinedReflections`, as one: their product is 1 - V T V^H with an upper triangle T.
template <typename T> class JoinedReflections {
public:
  JoinedReflections(const ReflectionsOf<T> &reflections, int64_t shift, int64_t begin, int64_t end)
      : vectors(&reflections.vectors), taus(&reflections.taus[begin]), first(begin), start(begin + shift),
        count(end - begin) {
    if (count != joinedReflections)
      return;
    const int64_t n = vectors->columns - start;
    for (int64_t i = 0; i != count; ++i) {
      T products[joinedReflections] = {};
      if (i != 0)
        multiplyConjugates(vector(0), vectors->columns, i, vector(i), products, n);
      factors[i * joinedReflections + i] = taus[i];
      for (int64_t k = 0; k != i; ++k) {
        T sum(0);
        for (int64_t j = k; j != i; ++j)
          sum += factors[k * joinedReflections + j] * products[j];
        factors[k * joinedReflections + i] = -taus[i] * sum;
      }
    }
  }

  /// Each row x of `rows` becomes the product with x, or its adjoint.
  void apply(T *rows, int64_t step, int64_t rowCount, Side side) const {
    const int64_t n = vectors->columns - start;
    if (count == joinedReflections) {
      T turned[joinedReflections * joinedReflections];
      for (int64_t i = 0; i != joinedReflections; ++i)
        for (int64_t k = 0; k != joinedReflections; ++k)
          turned[i * joinedReflections + k] = side == Side::Product ? factors[i * joinedReflections + k]
                                                                    : conjugate(factors[k * joinedReflections + i]);
      reflectTogether(rows + start, step, rowCount, vector(0), vectors->columns, turned, n);
      return;
    }
    for (int64_t i = 0; i != count; ++i) {
      const int64_t k = side == Side::Product ? count - 1 - i : i;
      reflectRows(rows + start + k, step, rowCount, vector(k) + k, side == Side::Product ? taus[k] : conjugate(taus[k]),
                  n - k);
    }
  }

private:
  const T *vector(int64_t i) const { return &vectors->data[(first + i) * vectors->columns + start]; }

  const Matrix<T> *vectors;
  const T *taus;
  int64_t first, start, count;
  T factors[joinedReflections * joinedReflections] = {};
};

template <typename T> ReflectionsOf<T> tsc::cpu::linalg::reflectColumns(Matrix<T> &columns) {
  const int64_t n = columns.rows, m = columns.columns, steps = std::min(m, n);
  ReflectionsOf<T> result{Matrix<T>(steps, m), Elements<T>(steps, T(0))};
  llvm::SmallVector<JoinedReflections<T>, blockReflections / joinedReflections> block;
  for (int64_t begin = 0; begin < steps && !tsc::work::wasStopped(); begin += blockReflections) {
    const int64_t end = std::min(begin + blockReflections, steps);
    block.clear();
    for (int64_t first = begin; first < end && !tsc::work::wasStopped(); first += joinedReflections) {
      const int64_t last = std::min(first + joinedReflections, end);
      for (int64_t k = first; k != last; ++k) {
        T *v = &result.vectors(k, k);
        std::copy_n(&columns(k, k), m - k, v);
        columns(k, k) = makeReflection(v, m - k, result.taus[k]);
        if (k + 1 < last)
          reflectRows(&columns(k + 1, k), m, last - k - 1, v, conjugate(result.taus[k]), m - k);
      }
      block.emplace_back(result, 0, first, last);
      if (last != end)
        block.back().apply(&columns(last, 0), m, end - last, Side::Adjoint);
    }
    for (int64_t j = end; j < n && !tsc::work::wasStopped(); j += rowsAtOnce<T>)
      for (const JoinedReflections<T> &joined : block)
        joined.apply(&columns(j, 0), m, std::min(rowsAtOnce<T>, n - j), Side::Adjoint);
  }
  return result;
}
template Reflections tsc::cpu::linalg::reflectColumns(Matrix<double> &);
template ReflectionsOf<Complex> tsc::cpu::linalg::reflectColumns(Matrix<Complex> &);

template <typename T>
void tsc::cpu::linalg::applyReflections(const ReflectionsOf<T> &reflections, int64_t shift, Matrix<T> &rows,
                                        RowsAre rowsAre, Side side) {
  assert(shift >= 0 && static_cast<int64_t>(reflections.taus.size()) <= reflections.vectors.rows &&
         "a factor of each vector");
  assert((reflections.taus.size() == 0 || reflections.vectors.columns == rows.columns) &&
         "vectors as long as the rows");
  const int64_t count = static_cast<int64_t>(reflections.taus.size()), n = rows.columns;
  const int64_t blocks = (count + blockReflections - 1) / blockReflections;
  llvm::SmallVector<JoinedReflections<T>, blockReflections / joinedReflections> block;
  // Blocks begin at multiples, so that only the last group may have fewer than others.
  for (int64_t i = 0; i != blocks && !tsc::work::wasStopped(); ++i) {
    const int64_t begin = (side == Side::Product ? blocks - 1 - i : i) * blockReflections;
    const int64_t end = std::min(begin + blockReflections, count);
    block.clear();
    for (int64_t first = begin; first < end; first += joinedReflections)
      block.emplace_back(reflections, shift, first, std::min(first + joinedReflections, end));
    if (side == Side::Product)
      std::reverse(block.begin(), block.end());
    for (int64_t j = rowsAre == RowsAre::Identity ? begin + shift : 0; j < rows.rows && !tsc::work::wasStopped();
         j += rowsAtOnce<T>)
      for (const JoinedReflections<T> &joined : block)
        joined.apply(&rows(j, 0), n, std::min(rowsAtOnce<T>, rows.rows - j), side);
  }
}
template void tsc::cpu::linalg::applyReflections(const Reflections &, int64_t, Matrix<double> &, RowsAre, Side);
template void tsc::cpu::linalg::applyReflections(const ReflectionsOf<Complex> &, int64_t, Matrix<Complex> &, RowsAre,
                                                 Side);

Matrix<double> tsc::cpu::linalg::transposed(const Matrix<double> &a) {
  constexpr int64_t item = sizeof(double);
  Matrix<double> t = Matrix<double>::unset(a.columns, a.rows);
  if (!a.data.size())
    return t;
  transposeElements(reinterpret_cast<char *>(t.data.data()), a.rows * item,
                    reinterpret_cast<const char *>(a.data.data()), a.columns * item, a.columns, a.rows, item);
  return t;
}

Matrix<Complex> tsc::cpu::linalg::transposed(const Matrix<Complex> &a) {
  constexpr int64_t tile = 4; // numbers that fill a line of the cache
  Matrix<Complex> t = Matrix<Complex>::unset(a.columns, a.rows);
  for (int64_t i = 0; i < t.rows; i += tile)
    for (int64_t j = 0; j < t.columns; j += tile)
      for (int64_t row = i, lastRow = std::min(i + tile, t.rows); row != lastRow; ++row)
        for (int64_t column = j, lastColumn = std::min(j + tile, t.columns); column != lastColumn; ++column)
          t.data[row * t.columns + column] = a.data[column * a.columns + row];
  return t;
}

template <typename T> void tsc::cpu::linalg::qrFactor(Matrix<T> &a, std::vector<T> &tau) {
  Matrix<T> columns = transposed(a);
  const ReflectionsOf<T> reflections = reflectColumns(columns);
  for (int64_t k = 0; k != reflections.vectors.rows; ++k) // below the diagonal LAPACK keeps the vectors
    std::copy_n(&reflections.vectors.data[k * a.rows + k] + 1, a.rows - k - 1, &columns(k, k) + 1);
  tau.assign(reflections.taus.begin(), reflections.taus.end());
  a = transposed(columns);
}
template void tsc::cpu::linalg::qrFactor(Matrix<double> &, std::vector<double> &);
template void tsc::cpu::linalg::qrFactor(Matrix<Complex> &, std::vector<Complex> &);

template <typename T>
Matrix<T> tsc::cpu::linalg::householderProduct(const Matrix<T> &a, const std::vector<T> &tau, int64_t columns) {
  assert(static_cast<int64_t>(tau.size()) <= std::min(a.rows, a.columns) && "a reflector for each factor");
  Matrix<T> q(columns, a.rows);
  for (int64_t i = 0; i < std::min(a.rows, columns); ++i)
    q(i, i) = 1;
  ReflectionsOf<T> reflections{transposed(a), Elements<T>(tau.size(), T(0))};
  std::copy(tau.begin(), tau.end(), reflections.taus.begin());
  for (int64_t k = 0; k != static_cast<int64_t>(tau.size()); ++k) {
    std::fill_n(&reflections.vectors(k, 0), k, T(0));
    reflections.vectors(k, k) = 1;
  }
  applyReflections(reflections, 0, q, RowsAre::Identity);
  return transposed(q);
}
template Matrix<double> tsc::cpu::linalg::householderProduct(const Matrix<double> &, const std::vector<double> &,
                                                             int64_t);
template Matrix<Complex> tsc::cpu::linalg::householderProduct(const Matrix<Complex> &, const std::vector<Complex> &,
                                                              int64_t);

/// The upper triangle of the first `rows` rows of a matrix that is given by its columns.
template <typename T> static Matrix<T> upperTriangle(const Matrix<T> &columns, int64_t rows) {
  Matrix<T> r(rows, columns.rows);
  for (int64_t j = 0; j < columns.rows; ++j)
    for (int64_t i = 0; i < std::min(rows, j + 1); ++i)
      r(i, j) = columns(j, i);
  return r;
}
template <typename T> Qr<T> tsc::cpu::linalg::qr(const Matrix<T> &a, int64_t k, Vectors vectors) {
  assert(k >= 0 && k <= a.rows && "no more columns than an orthogonal matrix has");
  Matrix<T> columns = transposed(a);
  const ReflectionsOf<T> reflections = reflectColumns(columns);
  Qr<T> out{{}, upperTriangle(columns, k)};
  if (vectors == Vectors::Wanted) {
    Matrix<T> q(k, a.rows);
    for (int64_t i = 0; i != k; ++i)
      q(i, i) = 1;
    applyReflections(reflections, 0, q, RowsAre::Identity);
    out.q = transposed(q);
  }
  return out;
}
template Qr<double> tsc::cpu::linalg::qr(const Matrix<double> &, int64_t, Vectors);
template Qr<Complex> tsc::cpu::linalg::qr(const Matrix<Complex> &, int64_t, Vectors);

/// Whether what pivots of a QR with exchanged columns would show is above the threshold for all columns: from norms of
/// r and of its inverse.
template <typename T> static bool isClearlyRegular(const Matrix<T> &r, double threshold) {
  for (int64_t i = 0; i != r.rows; ++i)
    if (r(i, i) == T(0))
      return false;
  Matrix<T> inverse = Matrix<T>::identity(r.rows);
  solveTriangularInPlace(r, Triangle::Upper, Diagonal::General, inverse);
  auto squaresOf = [](const Matrix<T> &m) { return squaredNorm(m.data.data(), static_cast<int64_t>(m.data.size())); };
  return 1 / std::sqrt(squaresOf(r) * squaresOf(inverse)) > threshold; // and not NaN
}

template <typename T>
bool tsc::cpu::linalg::solveRegular(const Matrix<T> &a, const Matrix<T> &b, double threshold, Matrix<T> &x) {
  assert(a.rows == b.rows && "a right side for each equation");
  const bool isTall = a.rows >= a.columns;
  const int64_t n = std::min(a.rows, a.columns);
  Matrix<T> columns = isTall ? transposed(a) : a; // of a, or of its adjoint
  if (!isTall)
    for (T &element : columns.data)
      element = conjugate(element);
  const ReflectionsOf<T> q = reflectColumns(columns);
  const Matrix<T> r = upperTriangle(columns, n);
  if (!isClearlyRegular(r, threshold))
    return false;
  if (isTall) { // r x = q^H b
    Matrix<T> rows = transposed(b);
    applyReflections(q, 0, rows, RowsAre::Any, Side::Adjoint);
    x = Matrix<T>(n, b.columns);
    for (int64_t i = 0; i != n; ++i)
      for (int64_t j = 0; j != b.columns; ++j)
        x(i, j) = rows(j, i);
    solveTriangularInPlace(r, Triangle::Upper, Diagonal::General, x);
    return true;
  }
  Matrix<T> y = b; // x = q r^-H b
  solveTriangularInPlace(r.adjoint(), Triangle::Lower, Diagonal::General, y);
  Matrix<T> rows(b.columns, a.columns);
  for (int64_t i = 0; i != n; ++i)
    for (int64_t j = 0; j != b.columns; ++j)
      rows(j, i) = y(i, j);
  applyReflections(q, 0, rows, RowsAre::Any);
  x = transposed(rows);
  return true;
}
template bool tsc::cpu::linalg::solveRegular(const Matrix<double> &, const Matrix<double> &, double, Matrix<double> &);
template bool tsc::cpu::linalg::solveRegular(const Matrix<Complex> &, const Matrix<Complex> &, double,
                                             Matrix<Complex> &);
