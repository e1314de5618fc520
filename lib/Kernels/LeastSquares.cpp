//===- LeastSquares.cpp - Least squares by the library Eigen --------------===//
//
// The one file that includes Eigen, whose headers take long to compile.
//
//===----------------------------------------------------------------------===//
#include "Decompose.h"
#include <Eigen/QR>

using namespace tsc::cpu::linalg;

template <typename T> using RowMajor = Eigen::Matrix<T, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;
template <typename T> using ColumnMajor = Eigen::Matrix<T, Eigen::Dynamic, Eigen::Dynamic>;

template <typename T> static Eigen::Map<const RowMajor<T>> view(const Matrix<T> &a) {
  return {a.data.data(), a.rows, a.columns};
}
template <typename T, class Expression> static Matrix<T> copyOf(const Expression &e) {
  Matrix<T> out(e.rows(), e.cols());
  Eigen::Map<RowMajor<T>>(out.data.data(), out.rows, out.columns) = e.template cast<T>();
  return out;
}

template <typename T>
int64_t tsc::cpu::linalg::leastSquares(const Matrix<T> &a, const Matrix<T> &b, double threshold, Matrix<T> &x) {
  Eigen::CompleteOrthogonalDecomposition<ColumnMajor<T>> decomposition(a.rows, a.columns);
  decomposition.setThreshold(threshold);
  decomposition.compute(view(a));
  x = copyOf<T>(ColumnMajor<T>(decomposition.solve(ColumnMajor<T>(view(b)))));
  return decomposition.rank();
}

template int64_t tsc::cpu::linalg::leastSquares(const Matrix<double> &, const Matrix<double> &, double,
                                                Matrix<double> &);
template int64_t tsc::cpu::linalg::leastSquares(const Matrix<std::complex<double>> &,
                                                const Matrix<std::complex<double>> &, double,
                                                Matrix<std::complex<double>> &);
