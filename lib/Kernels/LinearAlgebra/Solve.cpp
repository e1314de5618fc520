//===- Solve.cpp - LU, determinants, and the systems they solve -----------===//
//
// Every operator works on a batch of matrices, one after the other, in copies
// that are laid out as the factorizations (Decompose.h) want them. Failures of
// single matrices are numbers in `info`, as LAPACK gives them, and become an
// error only where the operator checks.
//
//===----------------------------------------------------------------------===//
#include "LinalgBatch.h"
#include "SmallMatrices.h"
#include "tsc/Kernels/LinearAlgebra.h"
#include "tsc/Kernels/MatMul.h"
#include <cmath>

using namespace tsc;
using namespace tsc::cpu;
using namespace tsc::cpu::linalg;

Status linalg::checkMatrix(const char *name, const Tensor &a) {
  if (a.dim() < 2)
    return invalidArgument(llvm::Twine(name) + ": The input tensor A must have at least 2 dimensions.");
  return okStatus();
}

Status linalg::checkSquare(const char *name, const Tensor &a) {
  TSC_RETURN_IF_ERROR(checkMatrix(name, a));
  int64_t d = a.dim();
  if (a.size(d - 1) != a.size(d - 2))
    return invalidArgument(llvm::Twine(name) + ": A must be batches of square matrices, but they are " +
                           llvm::Twine(a.size(d - 2)) + " by " + llvm::Twine(a.size(d - 1)) + " matrices");
  return okStatus();
}

Status linalg::checkFloatingOrComplex(const char *name, const Tensor &a, HalfTypes halves) {
  if (!isFloating(a.dtype()) && !isComplex(a.dtype()))
    return invalidArgument(llvm::Twine(name) + ": Expected a floating point or complex tensor as input. Got " +
                           dtypeText(a.dtype()));
  if (halves == HalfTypes::Refused && workType(a.dtype()) != a.dtype())
    return invalidArgument(llvm::Twine(name) + ": Low precision dtypes not supported. Got " + dtypeText(a.dtype()));
  return okStatus();
}

Status linalg::checkSystemDTypes(const Tensor &b, const Tensor &a) {
  if (b.dtype() == a.dtype())
    return okStatus();
  return invalidArgument("Expected b and A to have the same dtype, but found b of type " + irName(b.dtype()) +
                         " and A of type " + irName(a.dtype()) + " instead.");
}

Status linalg::checkImplemented(const char *kernel, const Tensor &a) {
  const DType real = toRealDType(a.dtype());
  return real == DType::Float || real == DType::Double ? okStatus() : detail::dtypeNotImplemented(kernel, a.dtype());
}

Status linalg::checkInfo(const Tensor &info, const char *api, bool isMatrix) {
  if (work::wasStopped())
    return work::stopped();
  llvm::StringRef name(api);
  for (int64_t i = 0; i < info.numel(); ++i) {
    int64_t code = info.data<int32_t>()[i];
    if (code == 0)
      continue;
    std::string text = (name + ": " + (isMatrix ? llvm::Twine() : "(Batch element " + llvm::Twine(i) + "): ")).str();
    if (name.contains("inv"))
      text += "The diagonal element " + std::to_string(code) +
              " is zero, the inversion could not be completed because the input matrix is singular.";
    else if (name.contains("solve"))
      text += "The solver failed because the input matrix is singular.";
    else if (name.contains("cholesky"))
      text += "The factorization could not be completed because the input is not positive-definite (the leading minor "
              "of order " +
              std::to_string(code) + " is not positive-definite).";
    else if (name.contains("lu_factor"))
      text += "U[" + std::to_string(code) + "," + std::to_string(code) +
              "] is zero and using it on lu_solve would result in a division by zero. If you still want to perform the "
              "factorization, "
              "consider calling linalg.lu(A, pivot) or linalg.lu_factor_ex(A, pivot)";
    else
      text += "The algorithm failed to converge (error code: " + std::to_string(code) + ").";
    return invalidArgument(text);
  }
  return okStatus();
}

Status tsc::cpu::linalgCheckErrors(const Tensor &info, llvm::StringRef apiName, bool isMatrix) {
  TSC_ASSIGN_OR_RETURN(Tensor codes, dense(info, DType::Int32));
  return checkInfo(codes, apiName.str().c_str(), isMatrix);
}

namespace {
struct LuResult {
  Tensor lu, pivots, info; ///< lu in the wide type; pivots from 1, as LAPACK counts.
};
} // namespace

static StatusOr<LuResult> factorLu(const Tensor &a, bool pivot) {
  return dispatchWide(a.dtype(), [&](auto tag) -> StatusOr<LuResult> {
    using T = typename decltype(tag)::Type;
    TSC_ASSIGN_OR_RETURN(Batch<T> in, Batch<T>::of(a));
    int64_t n = std::min(in.rows, in.columns);
    TSC_ASSIGN_OR_RETURN(Batch<T> out, Batch<T>::make(leadOf(a), in.rows, in.columns));
    LuResult r;
    TSC_ASSIGN_OR_RETURN(r.pivots, makeVectors<T>(leadOf(a), n, DType::Int32));
    TSC_ASSIGN_OR_RETURN(r.info, makeVectors<T>(leadOf(a), -1, DType::Int32));
    r.lu = out.tensor;
    if constexpr (std::is_same_v<T, double>)
      if (in.rows == in.columns && areManySmall(n, n, in.count())) {
        TSC_RETURN_IF_ERROR(factorManySmall(in.tensor.template data<T>(), n, in.count(), pivot, r.lu.mutableData<T>(),
                                            r.pivots.mutableData<int32_t>(), r.info.mutableData<int32_t>()));
        return r;
      }
    std::vector<int64_t> pivots;
    for (int64_t b = 0; b < in.count(); ++b) {
      TSC_ASSIGN_OR_RETURN(Matrix<T> m, in.get(b));
      r.info.mutableData<int32_t>()[b] =
          static_cast<int32_t>(luFactor(m, pivots, pivot ? Pivoting::Partial : Pivoting::None));
      for (int64_t i = 0; i < n; ++i)
        r.pivots.mutableData<int32_t>()[b * n + i] = static_cast<int32_t>(pivots[i] + 1);
      out.set(b, m);
    }
    return r;
  });
}

using Pair = StatusOr<std::tuple<Tensor, Tensor>>;
using Triple = StatusOr<std::tuple<Tensor, Tensor, Tensor>>;
using Quad = StatusOr<std::tuple<Tensor, Tensor, Tensor, Tensor>>;

static Triple factorChecked(const char *name, const Tensor &a, bool pivot, bool checkErrors) {
  TSC_RETURN_IF_ERROR(checkMatrix(name, a));
  TSC_RETURN_IF_ERROR(checkFloatingOrComplex(name, a));
  TSC_ASSIGN_OR_RETURN(LuResult r, factorLu(a, pivot));
  if (checkErrors)
    TSC_RETURN_IF_ERROR(checkInfo(r.info, name, a.dim() == 2));
  TSC_ASSIGN_OR_RETURN(Tensor lu, toDType(r.lu, a.dtype()));
  return std::make_tuple(lu, r.pivots, r.info);
}

Triple tsc::cpu::luFactorEx(const Tensor &a, bool pivot, bool checkErrors) {
  return factorChecked("torch.linalg.lu_factor_ex", a, pivot, checkErrors);
}
Pair tsc::cpu::luFactor(const Tensor &a, bool pivot) {
  TSC_ASSIGN_OR_RETURN(auto r, factorChecked("torch.linalg.lu_factor", a, pivot, true));
  return std::make_tuple(std::get<0>(r), std::get<1>(r));
}
Triple tsc::cpu::luWithInfo(const Tensor &self, bool pivot, bool checkErrors) {
  return factorChecked("torch.linalg.lu_factor_ex", self, pivot, checkErrors);
}

/// The row that each row of P^T A came from, out of LAPACK's exchanges.
static std::vector<int64_t> permutationOf(const int32_t *pivots, int64_t count, int64_t rows) {
  std::vector<int64_t> order(rows);
  for (int64_t i = 0; i < rows; ++i)
    order[i] = i;
  for (int64_t i = 0; i < count; ++i)
    if (pivots[i] >= 1 && pivots[i] <= rows)
      std::swap(order[i], order[pivots[i] - 1]);
  return order;
}

Triple tsc::cpu::luUnpack(const Tensor &luData, const Tensor &luPivots, bool unpackData, bool unpackPivots) {
  TSC_RETURN_IF_ERROR(checkMatrix("lu_unpack", luData));
  if (luPivots.dtype() != DType::Int32)
    return invalidArgument(
        "torch.lu_unpack: LU_pivots is expected to be a contiguous tensor of torch.int32 dtype.\nNote: this function "
        "is intended to be used with the output produced by torch.linalg.lu_factor");
  return dispatchWide(luData.dtype(), [&](auto tag) -> Triple {
    using T = typename decltype(tag)::Type;
    TSC_ASSIGN_OR_RETURN(Batch<T> in, Batch<T>::of(luData));
    int64_t m = in.rows, n = in.columns, k = std::min(m, n);
    if (luPivots.numel() != in.count() * k)
      return invalidArgument("lu_unpack: LU_pivots does not match LU_data");
    TSC_ASSIGN_OR_RETURN(Tensor pivots, contiguous(luPivots));
    TSC_ASSIGN_OR_RETURN(Batch<T> p, Batch<T>::make(leadOf(luData), m, m));
    TSC_ASSIGN_OR_RETURN(Batch<T> l, Batch<T>::make(leadOf(luData), m, k));
    TSC_ASSIGN_OR_RETURN(Batch<T> u, Batch<T>::make(leadOf(luData), k, n));
    for (int64_t b = 0; b < in.count(); ++b) {
      TSC_ASSIGN_OR_RETURN(const Matrix<T> a, in.get(b));
      Matrix<T> pm(m, m), lm(m, k), um(k, n);
      std::vector<int64_t> order = permutationOf(pivots.template data<int32_t>() + b * k, k, m);
      for (int64_t i = 0; i < m; ++i)
        pm(order[i], i) = T(1);
      for (int64_t i = 0; i < m; ++i)
        for (int64_t j = 0; j < n; ++j) {
          if (i > j && j < k)
            lm(i, j) = a(i, j);
          else if (i <= j)
            um(i, j) = a(i, j);
        }
      for (int64_t i = 0; i < k; ++i)
        lm(i, i) = T(1);
      p.set(b, pm), l.set(b, lm), u.set(b, um);
    }
    DType type = luData.dtype();
    auto orEmpty = [&](bool wanted, const Batch<T> &x) -> StatusOr<Tensor> {
      return wanted ? x.as(type) : Tensor::empty({0}, type);
    };
    TSC_ASSIGN_OR_RETURN(Tensor pt, orEmpty(unpackPivots, p));
    TSC_ASSIGN_OR_RETURN(Tensor lt, orEmpty(unpackData, l));
    TSC_ASSIGN_OR_RETURN(Tensor ut, orEmpty(unpackData, u));
    return std::make_tuple(pt, lt, ut);
  });
}

Triple tsc::cpu::lu(const Tensor &a, bool pivot) {
  TSC_ASSIGN_OR_RETURN(auto r, factorChecked("linalg.lu", a, pivot, false));
  TSC_ASSIGN_OR_RETURN(auto out, luUnpack(std::get<0>(r), std::get<1>(r), true, true));
  if (!pivot) {
    TSC_ASSIGN_OR_RETURN(std::get<0>(out), Tensor::empty({0}, a.dtype()));
  }
  return out;
}

/// b <- a^-1 b from packed factors.
template <typename T> static void solvePacked(const Matrix<T> &lu, const int32_t *pivots, Matrix<T> &b) {
  Matrix<T> permuted(b.rows, b.columns);
  std::vector<int64_t> order = permutationOf(pivots, lu.rows, lu.rows);
  for (int64_t i = 0; i < b.rows; ++i)
    std::copy_n(b.data.data() + order[i] * b.columns, b.columns, permuted.data.data() + i * b.columns);
  solveTriangularInPlace(lu, Triangle::Lower, Diagonal::Unit, permuted);
  solveTriangularInPlace(lu, Triangle::Upper, Diagonal::General, permuted);
  b = std::move(permuted);
}

StatusOr<Tensor> tsc::cpu::luSolveLinalg(const Tensor &lu, const Tensor &pivots, const Tensor &b, bool left,
                                         bool adjoint) {
  TSC_RETURN_IF_ERROR(checkFloatingOrComplex("torch.linalg.lu_solve", lu, HalfTypes::Allowed));
  TSC_RETURN_IF_ERROR(checkSquare("torch.linalg.lu_solve", lu));
  if (lu.dtype() != b.dtype())
    return invalidArgument("linalg.lu_solve: Expected LU and B to have the same dtype, but found LU of type " +
                           dtypeText(lu.dtype()) + " and B of type " + dtypeText(b.dtype()) + " instead");
  if (pivots.dtype() != DType::Int32)
    return invalidArgument("linalg.lu_solve: pivots should be a Tensor of scalar type torch.int32");
  TSC_RETURN_IF_ERROR(checkMatrix("linalg.lu_solve", b));
  int64_t n = lu.sizes().back();
  if (b.size(b.dim() - (left ? 2 : 1)) != n)
    return invalidArgument("linalg.lu_solve: Incompatible shapes of A and B for the equation " +
                           std::string(left ? "AX = B" : "XA = B") + " (" + llvm::Twine(n) + "x" + llvm::Twine(n) +
                           " and " + llvm::Twine(b.size(b.dim() - 2)) + "x" + llvm::Twine(b.size(b.dim() - 1)) + ")");
  if (pivots.dim() == 0 || pivots.sizes().back() != n || pivots.sizes().drop_back() != leadOf(lu))
    return invalidArgument("linalg.lu_solve: Number of pivots per batch should be same as the dimension of the matrix");
  if (b.numel() != 0)
    TSC_RETURN_IF_ERROR(checkImplemented("linalg.lu_solve_cpu", lu));
  TSC_ASSIGN_OR_RETURN(Dims lead, broadcastShapes(leadOf(lu), leadOf(b)));
  TSC_ASSIGN_OR_RETURN(Tensor luWide, expandLead(lu, lead, 2));
  TSC_ASSIGN_OR_RETURN(Tensor bWide, expandLead(b, lead, 2));
  TSC_ASSIGN_OR_RETURN(Tensor pivotsWide, expandLead(pivots, lead, 1));
  TSC_ASSIGN_OR_RETURN(pivotsWide, contiguous(pivotsWide));
  return dispatchWide(lu.dtype(), [&](auto tag) -> StatusOr<Tensor> {
    using T = typename decltype(tag)::Type;
    TSC_ASSIGN_OR_RETURN(Batch<T> factors, Batch<T>::of(luWide));
    TSC_ASSIGN_OR_RETURN(Batch<T> in, Batch<T>::of(bWide));
    TSC_ASSIGN_OR_RETURN(Batch<T> out, Batch<T>::make(lead, in.rows, in.columns));
    if constexpr (std::is_same_v<T, double>)
      if (left && !adjoint && areManySmall(n, in.columns, in.count())) {
        TSC_RETURN_IF_ERROR(solveManySmall(factors.tensor.template data<T>(), pivotsWide.template data<int32_t>(),
                                           in.tensor.template data<T>(), out.tensor.template mutableData<T>(), n,
                                           in.columns, in.count()));
        return out.as(b.dtype());
      }
    for (int64_t i = 0; i < in.count(); ++i) {
      TSC_ASSIGN_OR_RETURN(const Matrix<T> f, factors.get(i));
      TSC_ASSIGN_OR_RETURN(Matrix<T> x, in.get(i));
      const int32_t *exchanges = pivotsWide.template data<int32_t>() + i * n;
      if (!left)
        x = x.adjoint(); // X A = B is A^H X^H = B^H
      if (left == !adjoint) {
        solvePacked(f, exchanges, x);
      } else { // A^H = U^H L^H P^T
        Matrix<T> h = f.adjoint();
        solveTriangularInPlace(h, Triangle::Lower, Diagonal::General, x);
        solveTriangularInPlace(h, Triangle::Upper, Diagonal::Unit, x);
        Matrix<T> y(x.rows, x.columns);
        std::vector<int64_t> order = permutationOf(exchanges, n, n);
        for (int64_t r = 0; r < n; ++r)
          std::copy_n(x.data.data() + r * x.columns, x.columns, y.data.data() + order[r] * x.columns);
        x = std::move(y);
      }
      out.set(i, left ? x : x.adjoint());
    }
    return out.as(b.dtype());
  });
}
StatusOr<Tensor> tsc::cpu::luSolve(const Tensor &self, const Tensor &luData, const Tensor &luPivots) {
  return luSolveLinalg(luData, luPivots, self, true, false);
}

//===- Determinants --------------------------------------------------------===//

Triple tsc::cpu::detWithFactors(const Tensor &a) {
  TSC_RETURN_IF_ERROR(checkSquare("linalg.det", a));
  TSC_RETURN_IF_ERROR(checkFloatingOrComplex("linalg.det", a));
  TSC_ASSIGN_OR_RETURN(LuResult r, factorLu(a, true));
  return dispatchWide(a.dtype(), [&](auto tag) -> Triple {
    using T = typename decltype(tag)::Type;
    TSC_ASSIGN_OR_RETURN(Batch<T> lu, Batch<T>::of(r.lu));
    TSC_ASSIGN_OR_RETURN(Tensor det, makeVectors<T>(leadOf(a), -1, dtypeOf<T>()));
    int64_t n = lu.rows;
    work::LongLoop turns(1 + n);
    for (int64_t b = 0; b < lu.count() && turns.goOn(); ++b) {
      T product(1);
      for (int64_t i = 0; i < n; ++i) {
        product *= lu.tensor.template data<T>()[(b * n + i) * n + i];
        if (r.pivots.data<int32_t>()[b * n + i] != i + 1)
          product = -product;
      }
      det.mutableData<T>()[b] = product;
    }
    TSC_ASSIGN_OR_RETURN(det, toDType(det, a.dtype()));
    TSC_ASSIGN_OR_RETURN(Tensor factors, toDType(r.lu, a.dtype()));
    return std::make_tuple(det, factors, r.pivots);
  });
}
StatusOr<Tensor> tsc::cpu::det(const Tensor &self) {
  TSC_ASSIGN_OR_RETURN(auto r, detWithFactors(self));
  return std::get<0>(r);
}

Quad tsc::cpu::slogdetWithFactors(const Tensor &a) {
  TSC_RETURN_IF_ERROR(checkSquare("linalg.slogdet", a));
  TSC_RETURN_IF_ERROR(checkFloatingOrComplex("linalg.slogdet", a));
  TSC_ASSIGN_OR_RETURN(LuResult r, factorLu(a, true));
  return dispatchWide(a.dtype(), [&](auto tag) -> Quad {
    using T = typename decltype(tag)::Type;
    TSC_ASSIGN_OR_RETURN(Batch<T> lu, Batch<T>::of(r.lu));
    TSC_ASSIGN_OR_RETURN(Tensor sign, makeVectors<T>(leadOf(a), -1, dtypeOf<T>()));
    TSC_ASSIGN_OR_RETURN(Tensor logs, makeVectors<T>(leadOf(a), -1, DType::Double));
    int64_t n = lu.rows;
    work::LongLoop turns(1 + 16 * n);
    for (int64_t b = 0; b < lu.count() && turns.goOn(); ++b) {
      T s(1);
      double sum = 0;
      for (int64_t i = 0; i < n; ++i) {
        T d = lu.tensor.template data<T>()[(b * n + i) * n + i];
        double size = std::abs(d);
        s = size == 0 ? T(0) : s * (d / size);
        sum += std::log(size);
        if (r.pivots.data<int32_t>()[b * n + i] != i + 1)
          s = -s;
      }
      sign.mutableData<T>()[b] = s;
      logs.mutableData<double>()[b] = sum;
    }
    TSC_ASSIGN_OR_RETURN(sign, toDType(sign, a.dtype()));
    TSC_ASSIGN_OR_RETURN(logs, toDType(logs, toRealDType(a.dtype())));
    TSC_ASSIGN_OR_RETURN(Tensor factors, toDType(r.lu, a.dtype()));
    return std::make_tuple(sign, logs, factors, r.pivots);
  });
}
Pair tsc::cpu::slogdet(const Tensor &self) {
  TSC_ASSIGN_OR_RETURN(auto r, slogdetWithFactors(self));
  return std::make_tuple(std::get<0>(r), std::get<1>(r));
}
StatusOr<Tensor> tsc::cpu::logdet(const Tensor &self) {
  TSC_ASSIGN_OR_RETURN(auto r, slogdetWithFactors(self));
  if (isComplex(self.dtype())) {
    TSC_ASSIGN_OR_RETURN(Tensor sign, dense(std::get<0>(r), DType::ComplexDouble));
    TSC_ASSIGN_OR_RETURN(Tensor logs, dense(std::get<1>(r), DType::Double));
    TSC_ASSIGN_OR_RETURN(Tensor out, Tensor::empty(sign.sizes(), DType::ComplexDouble));
    for (int64_t i = 0; i < out.numel(); ++i)
      out.mutableData<std::complex<double>>()[i] =
          std::log(sign.data<std::complex<double>>()[i]) + logs.data<double>()[i];
    return toDType(out, self.dtype());
  }
  return zip(std::get<0>(r), std::get<1>(r), self.dtype(), [](double s, double l) { return s < 0 ? NAN : l; });
}

//===- Systems and inverses ------------------------------------------------===//

static bool isVectorSystem(const Tensor &a, const Tensor &b) {
  return b.dim() == 1 || (a.dim() - 1 == b.dim() && b.sizes() == a.sizes().drop_back());
}

static Quad solveSystem(const char *name, const char *api, const Tensor &a, const Tensor &b, bool left,
                        bool checkErrors) {
  TSC_RETURN_IF_ERROR(checkFloatingOrComplex(name, a));
  if (a.dtype() != b.dtype())
    return invalidArgument(llvm::Twine(name) + ": Expected A and B to have the same dtype, but found A of type " +
                           dtypeText(a.dtype()) + " and B of type " + dtypeText(b.dtype()) + " instead");
  TSC_RETURN_IF_ERROR(checkSquare(name, a));
  bool isVector = isVectorSystem(a, b);
  if (isVector && !left)
    return invalidArgument(llvm::Twine(name) +
                           ": Vector broadcasting of the left hand side is not supported for left=False. In this "
                           "case linalg.solve is equivalent to B / A.squeeze(-1)");
  Tensor rhs = b;
  if (isVector) {
    TSC_ASSIGN_OR_RETURN(rhs, unsqueeze(b, b.dim()));
  }
  TSC_RETURN_IF_ERROR(checkMatrix(name, rhs));
  int64_t n = a.sizes().back();
  if (rhs.size(rhs.dim() - (left ? 2 : 1)) != n)
    return invalidArgument(llvm::Twine(name) + ": Incompatible shapes of A and B for the equation " +
                           (left ? "AX = B" : "XA = B") + " (" + llvm::Twine(n) + "x" + llvm::Twine(n) + " and " +
                           llvm::Twine(rhs.size(rhs.dim() - 2)) + "x" + llvm::Twine(rhs.size(rhs.dim() - 1)) + ")");
  TSC_ASSIGN_OR_RETURN(LuResult r, factorLu(a, true));
  if (checkErrors)
    TSC_RETURN_IF_ERROR(checkInfo(r.info, api, a.dim() == 2));
  TSC_ASSIGN_OR_RETURN(Tensor wide, toDType(rhs, wideType(b.dtype())));
  TSC_ASSIGN_OR_RETURN(Tensor x, luSolveLinalg(r.lu, r.pivots, wide, left, false));
  if (isVector) {
    TSC_ASSIGN_OR_RETURN(x, squeezeDim(x, -1));
  }
  TSC_ASSIGN_OR_RETURN(x, toDType(x, b.dtype()));
  TSC_ASSIGN_OR_RETURN(Tensor lu, toDType(r.lu, a.dtype()));
  return std::make_tuple(x, lu, r.pivots, r.info);
}

Quad tsc::cpu::solveExFactors(const Tensor &a, const Tensor &b, bool left, bool checkErrors) {
  return solveSystem("linalg.solve", "torch.linalg.solve_ex", a, b, left, checkErrors);
}
Pair tsc::cpu::solveEx(const Tensor &a, const Tensor &b, bool left, bool checkErrors) {
  TSC_ASSIGN_OR_RETURN(auto r, solveExFactors(a, b, left, checkErrors));
  return std::make_tuple(std::get<0>(r), std::get<3>(r));
}
StatusOr<Tensor> tsc::cpu::solve(const Tensor &a, const Tensor &b, bool left) {
  TSC_ASSIGN_OR_RETURN(auto r, solveSystem("linalg.solve", "torch.linalg.solve", a, b, left, true));
  return std::get<0>(r);
}

static Pair invert(const Tensor &a, bool checkErrors) {
  TSC_RETURN_IF_ERROR(checkSquare("linalg.inv", a));
  TSC_RETURN_IF_ERROR(checkFloatingOrComplex("linalg.inv", a));
  TSC_ASSIGN_OR_RETURN(LuResult r, factorLu(a, true));
  if (checkErrors)
    TSC_RETURN_IF_ERROR(checkInfo(r.info, "linalg.inv", a.dim() == 2));
  return dispatchWide(a.dtype(), [&](auto tag) -> Pair {
    using T = typename decltype(tag)::Type;
    TSC_ASSIGN_OR_RETURN(Batch<T> lu, Batch<T>::of(r.lu));
    TSC_ASSIGN_OR_RETURN(Batch<T> out, Batch<T>::make(leadOf(a), lu.rows, lu.rows));
    const bool isSmall = std::is_same_v<T, double> && areManySmall(lu.rows, lu.rows, lu.count());
    if constexpr (std::is_same_v<T, double>)
      if (isSmall)
        TSC_RETURN_IF_ERROR(solveManySmall(lu.tensor.template data<T>(), r.pivots.template data<int32_t>(), nullptr,
                                           out.tensor.template mutableData<T>(), lu.rows, lu.rows, lu.count()));
    for (int64_t b = 0; b < lu.count() && !isSmall; ++b) {
      TSC_ASSIGN_OR_RETURN(const Matrix<T> factors, lu.get(b));
      const std::vector<int64_t> order = permutationOf(r.pivots.data<int32_t>() + b * lu.rows, lu.rows, lu.rows);
      Matrix<T> x = lowerInverse(factors, Diagonal::Unit), columns(lu.rows, lu.rows);
      solveTriangularInPlace(factors, Triangle::Upper, Diagonal::General, x);
      for (int64_t i = 0; i < lu.rows; ++i)
        for (int64_t j = 0; j < lu.rows; ++j)
          columns(i, order[j]) = x(i, j);
      out.set(b, columns);
    }
    TSC_ASSIGN_OR_RETURN(Tensor inverse, out.as(a.dtype()));
    return std::make_tuple(inverse, r.info);
  });
}
Pair tsc::cpu::invEx(const Tensor &a, bool checkErrors) { return invert(a, checkErrors); }
StatusOr<Tensor> tsc::cpu::inverse(const Tensor &a) {
  TSC_ASSIGN_OR_RETURN(auto r, invert(a, true));
  return std::get<0>(r);
}

//===- Triangular systems --------------------------------------------------===//

StatusOr<Tensor> tsc::cpu::solveTriangular(const Tensor &self, const Tensor &b, bool upper, bool left,
                                           bool unitriangular) {
  TSC_RETURN_IF_ERROR(checkSquare("linalg.solve_triangular", self));
  TSC_RETURN_IF_ERROR(checkMatrix("linalg.solve_triangular", b));
  TSC_RETURN_IF_ERROR(checkImplemented("triangular_solve_cpu", self));
  int64_t n = self.sizes().back();
  if (b.size(b.dim() - (left ? 2 : 1)) != n)
    return invalidArgument("linalg.solve_triangular: Incompatible shapes of A and B for the equation " +
                           std::string(left ? "AX = B" : "XA = B") + " (" + llvm::Twine(n) + "x" + llvm::Twine(n) +
                           " and " + llvm::Twine(b.size(b.dim() - 2)) + "x" + llvm::Twine(b.size(b.dim() - 1)) + ")");
  TSC_ASSIGN_OR_RETURN(Dims lead, broadcastShapes(leadOf(self), leadOf(b)));
  TSC_ASSIGN_OR_RETURN(Tensor aWide, expandLead(self, lead, 2));
  TSC_ASSIGN_OR_RETURN(Tensor bWide, expandLead(b, lead, 2));
  TSC_ASSIGN_OR_RETURN(bWide, toDType(bWide, self.dtype())); // PyTorch solves in a result of A's dtype
  return dispatchWide(self.dtype(), [&](auto tag) -> StatusOr<Tensor> {
    using T = typename decltype(tag)::Type;
    TSC_ASSIGN_OR_RETURN(Batch<T> a, Batch<T>::of(aWide));
    TSC_ASSIGN_OR_RETURN(Batch<T> in, Batch<T>::of(bWide));
    TSC_ASSIGN_OR_RETURN(Batch<T> out, Batch<T>::make(lead, in.rows, in.columns));
    Diagonal diagonal = unitriangular ? Diagonal::Unit : Diagonal::General;
    for (int64_t i = 0; i < in.count(); ++i) {
      TSC_ASSIGN_OR_RETURN(const Matrix<T> m, a.get(i));
      TSC_ASSIGN_OR_RETURN(Matrix<T> x, in.get(i));
      if (left) {
        solveTriangularInPlace(m, upper ? Triangle::Upper : Triangle::Lower, diagonal, x);
      } else {
        x = x.adjoint();
        solveTriangularInPlace(m.adjoint(), upper ? Triangle::Lower : Triangle::Upper, diagonal, x);
        x = x.adjoint();
      }
      out.set(i, x);
    }
    return out.as(self.dtype());
  });
}

Pair tsc::cpu::triangularSolve(const Tensor &self, const Tensor &a, bool upper, bool transposed, bool unitriangular) {
  TSC_RETURN_IF_ERROR(checkMatrix("triangular_solve", self));
  TSC_RETURN_IF_ERROR(checkMatrix("triangular_solve", a));
  TSC_RETURN_IF_ERROR(checkSystemDTypes(self, a));
  TSC_RETURN_IF_ERROR(checkSquare("triangular_solve", a));
  Tensor m = a;
  if (transposed) {
    TSC_ASSIGN_OR_RETURN(m, transpose(a, -2, -1));
  }
  TSC_ASSIGN_OR_RETURN(Tensor x, solveTriangular(m, self, transposed ? !upper : upper, true, unitriangular));
  TSC_ASSIGN_OR_RETURN(Tensor copy, clone(a));
  return std::make_tuple(x, copy);
}

StatusOr<Tensor> tsc::cpu::tensorinv(const Tensor &self, int64_t ind) {
  if (ind <= 0)
    return invalidArgument("Expected a strictly positive integer for 'ind'");
  Dims shape(self.sizes().drop_front(std::min<int64_t>(ind, self.dim())));
  Dims front(self.sizes().take_front(std::min<int64_t>(ind, self.dim())));
  TSC_ASSIGN_OR_RETURN(int64_t rows, elementCount(front));
  TSC_ASSIGN_OR_RETURN(int64_t columns, elementCount(shape));
  if (rows != columns)
    return invalidArgument(
        "Expected self to satisfy the requirement prod(self.shape[ind:]) == prod(self.shape[:ind]), but got " +
        llvm::Twine(columns) + " != " + llvm::Twine(rows));
  TSC_ASSIGN_OR_RETURN(Tensor matrix, reshape(self, {rows, rows}));
  TSC_ASSIGN_OR_RETURN(matrix, inverse(matrix));
  shape.append(front);
  return reshape(matrix, shape);
}

StatusOr<Tensor> tsc::cpu::tensorsolve(const Tensor &self, const Tensor &other, std::optional<ArrayRef<int64_t>> dims) {
  Tensor a = self;
  if (dims) {
    Dims destination;
    for (int64_t i = self.dim() - static_cast<int64_t>(dims->size()); i < self.dim(); ++i)
      destination.push_back(i);
    TSC_ASSIGN_OR_RETURN(a, movedimList(self, *dims, destination));
  }
  if (a.dim() < other.dim())
    return invalidArgument("linalg.tensorsolve: other has more dimensions than self");
  Dims shape(a.sizes().drop_front(other.dim()));
  TSC_ASSIGN_OR_RETURN(int64_t n, elementCount(shape));
  if (n != other.numel())
    return invalidArgument("Expected self to satisfy the requirement prod(self.shape[other.ndim:]) == "
                           "prod(self.shape[:other.ndim]), but got " +
                           llvm::Twine(n) + " != " + llvm::Twine(other.numel()));
  TSC_ASSIGN_OR_RETURN(Tensor flat, flatten(other));
  TSC_ASSIGN_OR_RETURN(a, reshape(a, {other.numel(), n}));
  TSC_ASSIGN_OR_RETURN(Tensor x, solve(a, flat, true));
  return reshape(x, shape);
}
