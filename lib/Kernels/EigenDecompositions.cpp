//===- EigenDecompositions.cpp - Factorizations by the library Eigen ------===//
//
// The one file that includes Eigen, whose headers take long to compile.
//
//===----------------------------------------------------------------------===//
#include "Decompose.h"
#include <Eigen/Eigenvalues>
#include <Eigen/QR>
#include <Eigen/SVD>

using namespace tsc::cpu::linalg;

template <typename T> using RowMajor = Eigen::Matrix<T, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;
template <typename T> using ColumnMajor = Eigen::Matrix<T, Eigen::Dynamic, Eigen::Dynamic>;
template <typename T> using Column = Eigen::Matrix<T, Eigen::Dynamic, 1>;

/// Float where the caller's elements are; complex numbers of single precision are seldom enough to be worth no code of
/// their own.
template <typename T> using Narrow = std::conditional_t<std::is_same_v<T, double>, float, T>;

template <typename T> static Eigen::Map<const RowMajor<T>> view(const Matrix<T> &a) {
  return {a.data.data(), a.rows, a.columns};
}
template <typename T, class Expression> static Matrix<T> copyOf(const Expression &e) {
  Matrix<T> out(e.rows(), e.cols());
  Eigen::Map<RowMajor<T>>(out.data.data(), out.rows, out.columns) = e.template cast<T>();
  return out;
}

//===----------------------------------------------------------------------===//
// QR
//===----------------------------------------------------------------------===//

template <typename T> void tsc::cpu::linalg::qrFactor(Matrix<T> &a, std::vector<T> &tau) {
  tau.assign(std::min(a.rows, a.columns), T(0));
  if (tau.empty())
    return;
  const Eigen::HouseholderQR<ColumnMajor<T>> qr(view(a));
  a = copyOf<T>(qr.matrixQR());
  for (size_t k = 0; k != tau.size(); ++k) // Eigen's reflectors are the adjoints of LAPACK's
    tau[k] = conjugate(qr.hCoeffs()(static_cast<Eigen::Index>(k)));
}

template <typename T>
Matrix<T> tsc::cpu::linalg::householderProduct(const Matrix<T> &a, const std::vector<T> &tau, int64_t columns) {
  if (a.rows == 0 || columns == 0)
    return Matrix<T>(a.rows, columns);
  ColumnMajor<T> q = ColumnMajor<T>::Identity(a.rows, columns);
  if (!tau.empty()) {
    const ColumnMajor<T> reflectors = view(a);
    const auto coefficients = Eigen::Map<const Column<T>>(tau.data(), static_cast<Eigen::Index>(tau.size()));
    q = Eigen::householderSequence(reflectors, coefficients).setLength(coefficients.size()) * q;
  }
  return copyOf<T>(q);
}

template <typename T>
int64_t tsc::cpu::linalg::leastSquares(const Matrix<T> &a, const Matrix<T> &b, double threshold, Matrix<T> &x) {
  Eigen::CompleteOrthogonalDecomposition<ColumnMajor<T>> decomposition(a.rows, a.columns);
  decomposition.setThreshold(threshold);
  decomposition.compute(view(a));
  x = copyOf<T>(ColumnMajor<T>(decomposition.solve(ColumnMajor<T>(view(b)))));
  return decomposition.rank();
}

//===----------------------------------------------------------------------===//
// Singular values
//===----------------------------------------------------------------------===//

template <typename T> Svd<T> tsc::cpu::linalg::svd(const Matrix<T> &a, Precision, Vectors vectors) {
  const int64_t k = std::min(a.rows, a.columns);
  if (k == 0)
    return {Matrix<T>(a.rows, 0), Matrix<T>(0, a.columns), {}};
  if (!view(a).allFinite()) {
    const T nan(std::numeric_limits<double>::quiet_NaN());
    Svd<T> out{Matrix<T>(a.rows, k), Matrix<T>(k, a.columns), std::vector<double>(k, std::real(nan))};
    out.u.data.assign(out.u.data.size(), nan);
    out.vh.data.assign(out.vh.data.size(), nan);
    return out;
  }
  const ColumnMajor<T> matrix = view(a);
  const bool wanted = vectors == Vectors::Wanted;
  const Eigen::BDCSVD<ColumnMajor<T>> svd(matrix, wanted ? Eigen::ComputeThinU | Eigen::ComputeThinV : 0);
  Svd<T> out;
  out.s.assign(svd.singularValues().begin(), svd.singularValues().end());
  if (wanted) {
    out.u = copyOf<T>(svd.matrixU());
    out.vh = copyOf<T>(svd.matrixV().adjoint());
  }
  return out;
}

//===----------------------------------------------------------------------===//
// Eigenvalues
//===----------------------------------------------------------------------===//

template <typename Number, typename T>
static std::vector<double> eighIn(const Matrix<T> &a, Triangle triangle, Vectors wanted, Matrix<T> &vectors) {
  ColumnMajor<Number> matrix = view(a).template cast<Number>();
  if (triangle == Triangle::Upper)
    matrix.adjointInPlace();
  const bool wantsVectors = wanted == Vectors::Wanted;
  const Eigen::SelfAdjointEigenSolver<ColumnMajor<Number>> solver(matrix, wantsVectors ? Eigen::ComputeEigenvectors
                                                                                       : Eigen::EigenvaluesOnly);
  if (wantsVectors)
    vectors = copyOf<T>(solver.eigenvectors());
  return {solver.eigenvalues().begin(), solver.eigenvalues().end()};
}

template <typename T>
std::vector<double> tsc::cpu::linalg::eighOfLarge(const Matrix<T> &a, Triangle triangle, Precision precision,
                                                  Vectors wanted, Matrix<T> &vectors) {
  return precision == Precision::Single ? eighIn<Narrow<T>>(a, triangle, wanted, vectors)
                                        : eighIn<T>(a, triangle, wanted, vectors);
}

// Of real matrices these are in Reflections.cpp and RealSvd.cpp.
template Svd<std::complex<double>> tsc::cpu::linalg::svd(const Matrix<std::complex<double>> &, Precision, Vectors);
template void tsc::cpu::linalg::qrFactor(Matrix<std::complex<double>> &, std::vector<std::complex<double>> &);
template Matrix<std::complex<double>> tsc::cpu::linalg::householderProduct(const Matrix<std::complex<double>> &,
                                                                           const std::vector<std::complex<double>> &,
                                                                           int64_t);

#define TSC_INSTANTIATE(T)                                                                                             \
  template int64_t tsc::cpu::linalg::leastSquares(const Matrix<T> &, const Matrix<T> &, double, Matrix<T> &);          \
  template std::vector<double> tsc::cpu::linalg::eighOfLarge(const Matrix<T> &, Triangle, Precision, Vectors,          \
                                                             Matrix<T> &);
TSC_INSTANTIATE(double)
TSC_INSTANTIATE(std::complex<double>)
