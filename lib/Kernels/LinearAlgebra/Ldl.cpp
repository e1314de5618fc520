//===- Ldl.cpp - L D L^T of symmetric and Hermitian matrices --------------===//
//
// Bunch and Kaufman's pivoting: D has blocks of one and of two rows. Pivots count
// from 1 and are negative for blocks of two, as LAPACK writes them.
//
//===----------------------------------------------------------------------===//
#include "DenseRows.h"
#include "LinalgBatch.h"
#include "Reflections.h"
#include "tsc/Kernels/LinearAlgebra.h"
#include <cmath>

using namespace tsc;
using namespace tsc::cpu;
using namespace tsc::cpu::linalg;

namespace {

/// Factors one matrix in place, in its lower triangle, whose columns are rows of memory.
template <typename T> class LdlFactorization {
public:
  LdlFactorization(Matrix<T> &columns, bool hermitian) : columns(columns), n(columns.rows), hermitian(hermitian) {}

  /// Returns 0, or the number (from 1) of the first zero block of D.
  int64_t run(int32_t *pivots) {
    int64_t info = 0;
    for (int64_t k = 0; k < n && !work::wasStopped();) {
      auto [with, size, zero] = choosePivot(k);
      if (zero && info == 0)
        info = k + 1;
      exchange(k, size, with);
      if (!zero)
        size == 1 ? eliminateOne(k) : eliminateTwo(k);
      for (int64_t i = 0; i != size; ++i)
        pivots[k + i] = static_cast<int32_t>(size == 1 ? with + 1 : -(with + 1));
      k += size;
    }
    for (int64_t i = 0; i < n; ++i)
      for (int64_t j = i + 1; j < n; ++j)
        a(i, j) = T(0);
    return info;
  }

private:
  T &a(int64_t i, int64_t j) { return columns.data[j * n + i]; }
  T a(int64_t i, int64_t j) const { return columns.data[j * n + i]; }
  T conjugated(T x) const { return hermitian ? conjugate(x) : x; }
  T diagonal(int64_t i) const { return hermitian ? (a(i, i) + conjugate(a(i, i))) * T(0.5) : a(i, i); }

  struct Pivot {
    int64_t with, size;
    bool zero;
  };
  Pivot choosePivot(int64_t k) const {
    const double alpha = (1 + std::sqrt(17.0)) / 8;
    double here = sizeOf(diagonal(k)), largest = 0;
    int64_t row = k;
    for (int64_t i = k + 1; i < n; ++i)
      if (sizeOf(a(i, k)) > largest) {
        largest = sizeOf(a(i, k));
        row = i;
      }
    if (!(std::max(here, largest) > 0))
      return {k, 1, true};
    if (here >= alpha * largest)
      return {k, 1, false};
    double other = 0;
    for (int64_t j = k; j < row; ++j)
      other = std::max(other, sizeOf(a(row, j)));
    for (int64_t i = row + 1; i < n; ++i)
      other = std::max(other, sizeOf(a(i, row)));
    if (here >= alpha * largest * (largest / other))
      return {k, 1, false};
    if (sizeOf(diagonal(row)) >= alpha * other)
      return {row, 1, false};
    return {row, 2, false};
  }

  /// Rows and columns `with` and the block's last one change places.
  void exchange(int64_t k, int64_t size, int64_t with) {
    int64_t last = k + size - 1;
    if (with == last)
      return;
    for (int64_t i = with + 1; i < n; ++i)
      std::swap(a(i, last), a(i, with));
    for (int64_t i = last + 1; i < with; ++i) {
      T t = conjugated(a(i, last));
      a(i, last) = conjugated(a(with, i));
      a(with, i) = t;
    }
    a(with, last) = conjugated(a(with, last));
    std::swap(a(last, last), a(with, with));
    if (size == 2)
      std::swap(a(k + 1, k), a(with, k));
  }

  /// a(i, j) -= x(i) factors(j) for all i and j from `begin` on that are in the triangle, and some that are in none.
  void subtractProducts(int64_t begin, const T *x, const T *factors) {
    constexpr int64_t atOnce = 4;
    for (int64_t j = begin; j < n; j += atOnce)
      subtractOuter(&a(j, j), n, std::min(atOnce, n - j), factors + j, x + j, n - j);
  }
  void eliminateOne(int64_t k) {
    const T inverse = T(1) / diagonal(k);
    Elements<T> factors(n, T(0));
    for (int64_t j = k + 1; j < n; ++j)
      factors[j] = inverse * conjugated(a(j, k));
    subtractProducts(k + 1, &a(0, k), factors.data());
    for (int64_t i = k + 1; i < n; ++i)
      a(i, k) *= inverse;
    if (hermitian)
      a(k, k) = diagonal(k);
  }

  void eliminateTwo(int64_t k) {
    const T b = a(k + 1, k), first = diagonal(k), second = diagonal(k + 1);
    const T determinant = first * second - b * conjugated(b);
    Elements<T> left(n, T(0)), right(n, T(0)), factors(n, T(0)), otherFactors(n, T(0));
    for (int64_t i = k + 2; i < n; ++i) { // the row of L: (a(i, k), a(i, k + 1)) D^-1
      left[i] = (a(i, k) * second - a(i, k + 1) * b) / determinant;
      right[i] = (a(i, k + 1) * first - a(i, k) * conjugated(b)) / determinant;
      factors[i] = conjugated(a(i, k));
      otherFactors[i] = conjugated(a(i, k + 1));
    }
    subtractProducts(k + 2, left.data(), factors.data());
    subtractProducts(k + 2, right.data(), otherFactors.data());
    for (int64_t i = k + 2; i < n; ++i) {
      a(i, k) = left[i];
      a(i, k + 1) = right[i];
    }
    if (hermitian) {
      a(k, k) = first;
      a(k + 1, k + 1) = second;
    }
  }

  Matrix<T> &columns;
  int64_t n;
  bool hermitian;
};

/// x <- A^-1 x from the factors.
template <typename T> void solveLdl(const Matrix<T> &f, const int32_t *pivots, bool hermitian, Matrix<T> &x) {
  int64_t n = f.rows;
  auto conjugated = [&](T v) { return hermitian ? conjugate(v) : v; };
  auto exchange = [&](int64_t i, int64_t j) {
    for (int64_t c = 0; c != x.columns && i != j; ++c)
      std::swap(x(i, c), x(j, c));
  };
  auto subtract = [&](int64_t to, T factor, int64_t from) {
    for (int64_t c = 0; c != x.columns; ++c)
      x(to, c) -= factor * x(from, c);
  };
  auto rowOf = [&](int64_t i) { return std::clamp<int64_t>(std::abs(static_cast<int64_t>(pivots[i])) - 1, 0, n - 1); };
  auto sizeAt = [&](int64_t k) { return pivots[k] < 0 && k + 1 < n ? 2 : 1; };
  std::vector<int64_t> blocks;
  for (int64_t k = 0; k < n; k += sizeAt(k))
    blocks.push_back(k);
  for (int64_t k : blocks) { // L D y = x
    if (work::wasStopped())
      return;
    int64_t size = sizeAt(k);
    exchange(k + size - 1, rowOf(k));
    for (int64_t s = 0; s != size; ++s)
      for (int64_t i = k + size; i < n; ++i)
        subtract(i, f(i, k + s), k + s);
    if (size == 1) {
      for (int64_t c = 0; c != x.columns; ++c)
        x(k, c) /= f(k, k);
      continue;
    }
    T b = f(k + 1, k), determinant = f(k, k) * f(k + 1, k + 1) - b * conjugated(b);
    for (int64_t c = 0; c != x.columns; ++c) {
      T first = x(k, c), second = x(k + 1, c);
      x(k, c) = (f(k + 1, k + 1) * first - conjugated(b) * second) / determinant;
      x(k + 1, c) = (f(k, k) * second - b * first) / determinant;
    }
  }
  for (int64_t k : llvm::reverse(blocks)) { // L^T x = y
    if (work::wasStopped())
      return;
    int64_t size = sizeAt(k);
    for (int64_t s = 0; s != size; ++s)
      for (int64_t i = k + size; i < n; ++i)
        subtract(k + s, conjugated(f(i, k + s)), i);
    exchange(k + size - 1, rowOf(k));
  }
}

} // namespace

StatusOr<std::tuple<Tensor, Tensor, Tensor>> tsc::cpu::linalgLdlFactorEx(const Tensor &self, bool hermitian,
                                                                         bool checkErrors) {
  TSC_RETURN_IF_ERROR(checkSquare("torch.linalg.ldl_factor_ex", self));
  TSC_RETURN_IF_ERROR(checkFloatingOrComplex("torch.linalg.ldl_factor_ex", self));
  hermitian &= isComplex(self.dtype());
  int64_t n = self.sizes().back();
  TSC_ASSIGN_OR_RETURN(Tensor pivots, makeVectors<int32_t>(leadOf(self), n, DType::Int32));
  TSC_ASSIGN_OR_RETURN(Tensor info, makeVectors<int32_t>(leadOf(self), -1, DType::Int32));
  TSC_ASSIGN_OR_RETURN(Tensor factors, dispatchWide(self.dtype(), [&](auto tag) -> StatusOr<Tensor> {
                         using T = typename decltype(tag)::Type;
                         TSC_ASSIGN_OR_RETURN(Batch<T> in, Batch<T>::of(self));
                         TSC_ASSIGN_OR_RETURN(Batch<T> out, Batch<T>::make(leadOf(self), n, n));
                         for (int64_t b = 0; b != in.count(); ++b) {
                           TSC_ASSIGN_OR_RETURN(Matrix<T> m, in.get(b));
                           m = transposed(m);
                           info.mutableData<int32_t>()[b] = static_cast<int32_t>(
                               LdlFactorization<T>(m, hermitian).run(pivots.mutableData<int32_t>() + b * n));
                           out.set(b, transposed(m));
                         }
                         return out.as(self.dtype());
                       }));
  if (checkErrors)
    TSC_RETURN_IF_ERROR(checkInfo(info, "torch.linalg.ldl_factor_ex", self.dim() == 2));
  return std::tuple(factors, pivots, info);
}

StatusOr<std::tuple<Tensor, Tensor>> tsc::cpu::linalgLdlFactor(const Tensor &self, bool hermitian) {
  TSC_ASSIGN_OR_RETURN(auto result, linalgLdlFactorEx(self, hermitian, false));
  TSC_RETURN_IF_ERROR(checkInfo(std::get<2>(result), "torch.linalg.ldl_factor", self.dim() == 2));
  return std::tuple(std::get<0>(result), std::get<1>(result));
}

StatusOr<Tensor> tsc::cpu::linalgLdlSolve(const Tensor &ld, const Tensor &pivots, const Tensor &b, bool hermitian) {
  TSC_RETURN_IF_ERROR(checkSquare("torch.linalg.ldl_solve", ld));
  TSC_RETURN_IF_ERROR(checkFloatingOrComplex("torch.linalg.ldl_solve", ld, HalfTypes::Allowed));
  TSC_RETURN_IF_ERROR(checkSystemDTypes(b, ld));
  if (b.dim() < 2)
    return invalidArgument("torch.linalg.ldl_solve: Expected B to have at least 2 dimensions, but it has " +
                           llvm::Twine(b.dim()) + " dimensions instead");
  int64_t n = ld.sizes().back();
  if (b.size(b.dim() - 2) != n)
    return invalidArgument("Incompatible matrix sizes for torch.linalg.ldl_solve: each A matrix is " + llvm::Twine(n) +
                           " by " + llvm::Twine(n) + " but each b matrix is " + llvm::Twine(b.size(b.dim() - 2)) +
                           " by " + llvm::Twine(b.size(b.dim() - 1)));
  if (ld.sizes().drop_back() != pivots.sizes())
    return invalidArgument("torch.linalg.ldl_solve: Expected LD.shape[:-1] and pivots.shape to be the same, but got "
                           "pivots with shape " +
                           shapeString(pivots.sizes()) + " instead");
  if (!isIntegral(pivots.dtype()))
    return invalidArgument("torch.linalg.ldl_solve: Expected pivots to be integers. Got " + irName(pivots.dtype()));
  if (b.numel() != 0)
    TSC_RETURN_IF_ERROR(checkImplemented("ldl_solve_kernel_cpu", ld));
  TSC_ASSIGN_OR_RETURN(Dims lead, broadcastShapes(leadOf(ld), leadOf(b)));
  TSC_ASSIGN_OR_RETURN(Tensor factorsWide, expandLead(ld, lead, 2));
  TSC_ASSIGN_OR_RETURN(Tensor bWide, expandLead(b, lead, 2));
  TSC_ASSIGN_OR_RETURN(Tensor exchanges, expandLead(pivots, lead, 1));
  TSC_ASSIGN_OR_RETURN(exchanges, toDType(exchanges, DType::Int32));
  TSC_ASSIGN_OR_RETURN(exchanges, contiguous(exchanges));
  return dispatchWide(ld.dtype(), [&](auto tag) -> StatusOr<Tensor> {
    using T = typename decltype(tag)::Type;
    TSC_ASSIGN_OR_RETURN(Batch<T> factors, Batch<T>::of(factorsWide));
    TSC_ASSIGN_OR_RETURN(Batch<T> in, Batch<T>::of(bWide));
    TSC_ASSIGN_OR_RETURN(Batch<T> out, Batch<T>::make(lead, in.rows, in.columns));
    for (int64_t i = 0; i != in.count(); ++i) {
      TSC_ASSIGN_OR_RETURN(Matrix<T> x, in.get(i));
      TSC_ASSIGN_OR_RETURN(const Matrix<T> f, factors.get(i));
      solveLdl(f, exchanges.template data<int32_t>() + i * n, hermitian && isComplex(ld.dtype()), x);
      out.set(i, x);
    }
    return out.as(b.dtype());
  });
}
