//===- MatrixFunctions.cpp - Exponentials and powers of matrices ----------===//
#include "LinalgBatch.h"
#include "SmallMatrices.h"
#include "tsc/Kernels/LinearAlgebra.h"
#include "tsc/Kernels/MatMul.h"
#include <cmath>
#include <type_traits>

using namespace tsc;
using namespace tsc::cpu;
using namespace tsc::cpu::linalg;

/// Taylor's series of the exponential, for norms up to 1/2: six products in all.
template <typename T> static Matrix<T> exponentialSeries(const Matrix<T> &a) {
  const Matrix<T> square = multiply(a, a), cube = multiply(square, a), fourth = multiply(square, square);
  Matrix<T> sum;
  for (int block = 3; block >= 0; --block) {
    const double *c = exponentialCoefficients.data() + 4 * block;
    sum = block == 3 ? Matrix<T>(a.rows, a.columns) : multiply(sum, fourth);
    for (size_t i = 0; i != sum.data.size(); ++i)
      sum.data[i] += a.data[i] * c[1] + square.data[i] * c[2] + cube.data[i] * c[3];
    for (int64_t i = 0; i != a.rows; ++i)
      sum(i, i) += c[0];
  }
  return sum;
}

StatusOr<Tensor> tsc::cpu::matrixExp(const Tensor &self) {
  TSC_RETURN_IF_ERROR(checkSquare("linalg.matrix_exp", self));
  TSC_RETURN_IF_ERROR(checkFloatingOrComplex("linalg.matrix_exp", self));
  return dispatchWide(self.dtype(), [&](auto tag) -> StatusOr<Tensor> {
    using T = typename decltype(tag)::Type;
    TSC_ASSIGN_OR_RETURN(Batch<T> in, Batch<T>::of(self));
    TSC_ASSIGN_OR_RETURN(Batch<T> out, Batch<T>::make(leadOf(self), in.rows, in.rows));
    if constexpr (std::is_same_v<T, double>)
      if (areManySmall(in.rows, in.rows, in.count())) {
        TSC_RETURN_IF_ERROR(exponentialManySmall(in.tensor.template data<T>(), in.rows, in.count(),
                                                 out.tensor.template mutableData<T>()));
        return out.as(self.dtype());
      }
    for (int64_t b = 0; b < in.count(); ++b) {
      TSC_ASSIGN_OR_RETURN(Matrix<T> m, in.get(b));
      double norm = 0;
      for (int64_t j = 0; j < m.columns; ++j) {
        double sum = 0;
        for (int64_t i = 0; i < m.rows; ++i)
          sum += std::abs(m(i, j));
        norm = std::max(norm, sum);
      }
      // exp(A) = exp(A / 2^s)^(2^s), the inner one by its Taylor series.
      const int squarings = squaringsFor(norm);
      for (T &x : m.data)
        x *= std::ldexp(1.0, -squarings);
      Matrix<T> sum = exponentialSeries(m);
      for (int s = 0; s < squarings && !work::wasStopped(); ++s)
        sum = multiply(sum, sum);
      out.set(b, sum);
    }
    return out.as(self.dtype());
  });
}

StatusOr<Tensor> tsc::cpu::matrixPower(const Tensor &self, int64_t n) {
  TSC_RETURN_IF_ERROR(checkSquare("linalg.matrix_power", self));
  if (n == 0) {
    TSC_ASSIGN_OR_RETURN(Tensor out, zeros(self.sizes(), self.dtype()));
    TSC_ASSIGN_OR_RETURN(Tensor diagonalView, diagonal(out, 0, -2, -1));
    TSC_RETURN_IF_ERROR(fillWith(diagonalView, Scalar(1)));
    return out;
  }
  Tensor base = self, out;
  if (n < 0) {
    TSC_ASSIGN_OR_RETURN(base, inverse(self));
  }
  for (uint64_t left = n < 0 ? 0 - static_cast<uint64_t>(n) : n; left != 0; left >>= 1) {
    if (left & 1) {
      if (out.defined()) {
        TSC_ASSIGN_OR_RETURN(out, matmul(out, base));
      } else {
        out = base;
      }
    }
    if (left > 1) {
      TSC_ASSIGN_OR_RETURN(base, matmul(base, base));
    }
  }
  return out.isSameAs(self) ? clone(self) : StatusOr<Tensor>(out);
}
