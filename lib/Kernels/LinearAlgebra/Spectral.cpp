//===- Spectral.cpp - QR, singular values, eigenvalues --------------------===//
//
// QR, SVD and eigenvalues of batches of matrices, and what is made of them:
// pseudo-inverses, ranks, least squares. The factorizations are Decompose.h's;
// here are PyTorch's conventions for shapes, tolerances and modes.
//
//===----------------------------------------------------------------------===//
#include "LinalgBatch.h"
#include "Scaling.h"
#include "SmallMatrices.h"
#include "tsc/Kernels/LinearAlgebra.h"
#include "tsc/Kernels/MatMul.h"
#include <cmath>
#include <type_traits>

using namespace tsc;
using namespace tsc::cpu;
using namespace tsc::cpu::linalg;

using Pair = StatusOr<std::tuple<Tensor, Tensor>>;
using Triple = StatusOr<std::tuple<Tensor, Tensor, Tensor>>;
using Quad = StatusOr<std::tuple<Tensor, Tensor, Tensor, Tensor>>;

//===- QR ------------------------------------------------------------------===//

Pair tsc::cpu::linalgQr(const Tensor &a, llvm::StringRef mode) {
  TSC_RETURN_IF_ERROR(checkMatrix("linalg.qr", a));
  TSC_RETURN_IF_ERROR(checkFloatingOrComplex("linalg.qr", a));
  if (mode != "reduced" && mode != "complete" && mode != "r")
    return invalidArgument("qr received unrecognized mode '" + mode +
                           "' but expected one of 'reduced' (default), 'r', or 'complete'");
  return dispatchWide(a.dtype(), [&](auto tag) -> Pair {
    using T = typename decltype(tag)::Type;
    TSC_ASSIGN_OR_RETURN(Batch<T> in, Batch<T>::of(a));
    int64_t k = mode == "complete" ? in.rows : std::min(in.rows, in.columns);
    TSC_ASSIGN_OR_RETURN(Batch<T> q, Batch<T>::make(leadOf(a), in.rows, k));
    TSC_ASSIGN_OR_RETURN(Batch<T> r, Batch<T>::make(leadOf(a), k, in.columns));
    auto factor = [&](int64_t b) -> Status {
      TSC_ASSIGN_OR_RETURN(const Matrix<T> matrix, in.get(b));
      const Qr<T> d = linalg::qr(matrix, k, mode == "r" ? Vectors::Unwanted : Vectors::Wanted);
      r.set(b, d.r);
      if (mode != "r")
        q.set(b, d.q);
      return okStatus();
    };
    bool isDone = false;
    if constexpr (std::is_same_v<T, double>)
      if (areManySmall(in.rows, std::max(in.columns, k), in.count())) {
        TSC_RETURN_IF_ERROR(qrManySmall(in.tensor.template data<T>(), in.rows, in.columns, k, in.count(),
                                        mode == "r" ? nullptr : q.tensor.template mutableData<T>(),
                                        r.tensor.template mutableData<T>(), factor));
        isDone = true;
      }
    for (int64_t b = 0; !isDone && b < in.count(); ++b)
      TSC_RETURN_IF_ERROR(factor(b));
    TSC_ASSIGN_OR_RETURN(Tensor qt, mode == "r" ? Tensor::empty({0}, a.dtype()) : q.as(a.dtype()));
    TSC_ASSIGN_OR_RETURN(Tensor rt, r.as(a.dtype()));
    return std::make_tuple(qt, rt);
  });
}
Pair tsc::cpu::qr(const Tensor &self, bool some) { return linalgQr(self, some ? "reduced" : "complete"); }

Pair tsc::cpu::geqrf(const Tensor &self) {
  if (self.dim() < 2)
    return invalidArgument("torch.geqrf: input must have at least 2 dimensions.");
  TSC_RETURN_IF_ERROR(checkImplemented("geqrf_cpu", self));
  return dispatchWide(self.dtype(), [&](auto tag) -> Pair {
    using T = typename decltype(tag)::Type;
    TSC_ASSIGN_OR_RETURN(Batch<T> in, Batch<T>::of(self));
    int64_t k = std::min(in.rows, in.columns);
    TSC_ASSIGN_OR_RETURN(Batch<T> out, Batch<T>::make(leadOf(self), in.rows, in.columns));
    TSC_ASSIGN_OR_RETURN(Tensor taus, makeVectors<T>(leadOf(self), k, dtypeOf<T>()));
    for (int64_t b = 0; b < in.count(); ++b) {
      TSC_ASSIGN_OR_RETURN(Matrix<T> m, in.get(b));
      std::vector<T> tau;
      qrFactor(m, tau);
      out.set(b, m);
      std::copy(tau.begin(), tau.end(), taus.mutableData<T>() + b * k);
    }
    TSC_ASSIGN_OR_RETURN(Tensor factors, out.as(self.dtype()));
    TSC_ASSIGN_OR_RETURN(taus, toDType(taus, self.dtype()));
    return std::make_tuple(factors, taus);
  });
}

static Status checkReflectors(const Tensor &input, const Tensor &tau) {
  if (input.dim() < 2)
    return invalidArgument("torch.linalg.householder_product: input must have at least 2 dimensions.");
  int64_t m = input.size(input.dim() - 2), n = input.sizes().back();
  if (m < n)
    return invalidArgument(
        "torch.linalg.householder_product: input.shape[-2] must be greater than or equal to input.shape[-1]");
  if (tau.dim() != input.dim() - 1 || tau.sizes().drop_back() != leadOf(input))
    return invalidArgument("torch.linalg.householder_product: Expected tau to have one dimension less than input, but "
                           "got tau.ndim equal to " +
                           llvm::Twine(tau.dim()) + " and input.ndim is equal to " + llvm::Twine(input.dim()));
  if (tau.sizes().back() > n)
    return invalidArgument(
        "torch.linalg.householder_product: input.shape[-1] must be greater than or equal to tau.shape[-1]");
  if (tau.dtype() != input.dtype())
    return invalidArgument("torch.linalg.householder_product: tau dtype " + dtypeText(tau.dtype()) +
                           " does not match input dtype " + dtypeText(input.dtype()));
  return okStatus();
}

StatusOr<Tensor> tsc::cpu::householderProduct(const Tensor &input, const Tensor &tau) {
  TSC_RETURN_IF_ERROR(checkReflectors(input, tau));
  TSC_RETURN_IF_ERROR(checkImplemented("orgqr_cpu", input));
  return dispatchWide(input.dtype(), [&](auto tag) -> StatusOr<Tensor> {
    using T = typename decltype(tag)::Type;
    TSC_ASSIGN_OR_RETURN(Batch<T> in, Batch<T>::of(input));
    TSC_ASSIGN_OR_RETURN(Tensor taus, dense(tau, dtypeOf<T>()));
    TSC_ASSIGN_OR_RETURN(Batch<T> out, Batch<T>::make(leadOf(input), in.rows, in.columns));
    int64_t k = tau.sizes().back();
    for (int64_t b = 0; b < in.count(); ++b) {
      const T *t = taus.data<T>() + b * k;
      TSC_ASSIGN_OR_RETURN(const Matrix<T> reflectors, in.get(b));
      out.set(b, linalg::householderProduct(reflectors, std::vector<T>(t, t + k), in.columns));
    }
    return out.as(input.dtype());
  });
}

StatusOr<Tensor> tsc::cpu::ormqr(const Tensor &self, const Tensor &input2, const Tensor &input3, bool left,
                                 bool transposed) {
  if (self.dim() < 2)
    return invalidArgument("torch.ormqr: input must have at least 2 dimensions.");
  for (auto [name, operand] : {std::pair("tau", &input2), std::pair("other", &input3)})
    if (operand->dtype() != self.dtype())
      return invalidArgument(llvm::Twine("torch.ormqr: Expected input and ") + name +
                             " to have the same dtype, but input has dtype" + irName(self.dtype()) + " and " + name +
                             " has dtype " + irName(operand->dtype()));
  TSC_RETURN_IF_ERROR(checkImplemented("ormqr_cpu", self));
  // There are at most as many reflectors as rows: columns behind them take no part.
  TSC_ASSIGN_OR_RETURN(const Tensor reflectors,
                       narrow(self, -1, 0, std::min(self.size(self.dim() - 2), self.sizes().back())));
  TSC_RETURN_IF_ERROR(checkReflectors(reflectors, input2));
  if (input3.dim() < 2 || input3.size(input3.dim() - (left ? 2 : 1)) != self.size(self.dim() - 2))
    return invalidArgument("torch.ormqr: other.shape[" + llvm::Twine(left ? -2 : -1) +
                           "] must be equal to input.shape[-2]");
  // All of Q: reflectors in a square matrix.
  int64_t m = self.size(self.dim() - 2);
  Dims square(self.sizes());
  square.back() = m;
  TSC_ASSIGN_OR_RETURN(Tensor wide, zeros(square, self.dtype()));
  TSC_ASSIGN_OR_RETURN(Tensor inner, narrow(wide, -1, 0, reflectors.sizes().back()));
  TSC_RETURN_IF_ERROR(copyInto(inner, reflectors));
  TSC_ASSIGN_OR_RETURN(Tensor q, householderProduct(wide, input2));
  if (transposed) {
    TSC_ASSIGN_OR_RETURN(q, mH(q));
  }
  return left ? matmul(q, input3) : matmul(input3, q);
}

//===- Singular values -----------------------------------------------------===//

static Precision precisionOf(const Tensor &a) {
  return toRealDType(a.dtype()) == DType::Double ? Precision::Double : Precision::Single;
}

static Triple decomposeSvd(const char *name, const Tensor &a, bool fullMatrices, bool vectors) {
  TSC_RETURN_IF_ERROR(checkMatrix(name, a));
  TSC_RETURN_IF_ERROR(checkFloatingOrComplex(name, a));
  return dispatchWide(a.dtype(), [&](auto tag) -> Triple {
    using T = typename decltype(tag)::Type;
    TSC_ASSIGN_OR_RETURN(Batch<T> in, Batch<T>::of(a));
    int64_t m = in.rows, n = in.columns, k = std::min(m, n);
    TSC_ASSIGN_OR_RETURN(Batch<T> u, Batch<T>::make(leadOf(a), m, !vectors ? 0 : fullMatrices ? m : k));
    TSC_ASSIGN_OR_RETURN(Batch<T> vh, Batch<T>::make(leadOf(a), !vectors ? 0 : fullMatrices ? n : k, n));
    TSC_ASSIGN_OR_RETURN(Tensor s, makeVectors<T>(leadOf(a), k, DType::Double));
    for (int64_t b = 0; b < in.count(); ++b) {
      TSC_ASSIGN_OR_RETURN(const Matrix<T> matrix, in.get(b));
      Svd<T> d = linalg::svd(matrix, precisionOf(a), vectors ? Vectors::Wanted : Vectors::Unwanted);
      if (work::wasStopped())
        return work::stopped();
      if (!d.s.empty() && std::isnan(d.s[0]))
        return invalidArgument(
            llvm::Twine(name) + ": " +
            (in.count() > 1 ? "(Batch element " + std::to_string(b) + "): " : std::string()) +
            "The algorithm failed to converge because the input matrix contained non-finite values.");
      std::copy(d.s.begin(), d.s.end(), s.mutableData<double>() + b * k);
      if (!vectors)
        continue;
      u.set(b, fullMatrices ? completeBasis(d.u) : d.u);
      vh.set(b, fullMatrices ? completeBasis(d.vh.adjoint()).adjoint() : d.vh);
    }
    TSC_ASSIGN_OR_RETURN(s, toDType(s, toRealDType(a.dtype())));
    TSC_ASSIGN_OR_RETURN(Tensor ut, vectors ? u.as(a.dtype()) : Tensor::empty({0}, a.dtype()));
    TSC_ASSIGN_OR_RETURN(Tensor vt, vectors ? vh.as(a.dtype()) : Tensor::empty({0}, a.dtype()));
    return std::make_tuple(ut, s, vt);
  });
}

Triple tsc::cpu::svdInternal(const Tensor &a, bool fullMatrices, bool computeUv, std::optional<llvm::StringRef>) {
  return decomposeSvd("linalg.svd", a, fullMatrices, computeUv);
}
Triple tsc::cpu::linalgSvd(const Tensor &a, bool fullMatrices, std::optional<llvm::StringRef>) {
  return decomposeSvd("linalg.svd", a, fullMatrices, true);
}
StatusOr<Tensor> tsc::cpu::svdvals(const Tensor &a, std::optional<llvm::StringRef>) {
  TSC_ASSIGN_OR_RETURN(auto r, decomposeSvd("linalg.svdvals", a, false, false));
  return std::get<1>(r);
}
Triple tsc::cpu::svd(const Tensor &self, bool some, bool computeUv) {
  if (self.dim() < 2)
    return invalidArgument("linalg.svd: input should have at least 2 dimensions, but has " + llvm::Twine(self.dim()) +
                           " dimensions instead");
  TSC_ASSIGN_OR_RETURN(auto r, decomposeSvd("linalg.svd", self, !some, computeUv));
  if (!computeUv) { // zeros of the shapes that vectors would have
    Dims u(self.sizes()), v(self.sizes());
    u.back() = self.size(self.dim() - 2);
    v[self.dim() - 2] = self.sizes().back();
    TSC_ASSIGN_OR_RETURN(std::get<0>(r), zeros(u, self.dtype()));
    TSC_ASSIGN_OR_RETURN(std::get<2>(r), zeros(v, self.dtype()));
    return r;
  }
  TSC_ASSIGN_OR_RETURN(Tensor v, mH(std::get<2>(r)));
  TSC_ASSIGN_OR_RETURN(std::get<2>(r), contiguous(v));
  return r;
}

/// Which tolerance counts as zero: max(atol, rtol * largest). `rtol` defaults to eps * max(m, n) when atol is not
/// given.
static double defaultRelative(const Tensor &a) {
  double eps = toRealDType(a.dtype()) == DType::Float ? 1.1920928955078125e-07 : 2.220446049250313e-16;
  return eps * static_cast<double>(std::max(a.sizes().back(), a.size(a.dim() - 2)));
}

namespace {
/// Tolerances for each matrix of a batch.
struct Tolerances {
  Tensor absolute, relative; ///< Undefined where not given.
  StatusOr<std::vector<double>> forBatch(const Tensor &a, ArrayRef<double> largest) const {
    auto values = [&](const Tensor &t, double fallback) -> StatusOr<std::vector<double>> {
      if (!t.defined())
        return std::vector<double>(largest.size(), fallback);
      if (isComplex(t.dtype()))
        return invalidArgument("linalg.matrix_rank: atol tensor of complex type is not supported. Got " +
                               dtypeText(t.dtype()));
      TSC_ASSIGN_OR_RETURN(Tensor wide, expand(t, leadOf(a)));
      TSC_ASSIGN_OR_RETURN(wide, dense(wide, DType::Double));
      return std::vector<double>(wide.data<double>(), wide.data<double>() + wide.numel());
    };
    TSC_ASSIGN_OR_RETURN(std::vector<double> low, values(absolute, 0));
    TSC_ASSIGN_OR_RETURN(std::vector<double> scale, values(relative, defaultRelative(a)));
    for (size_t i = 0; i != largest.size(); ++i) {
      double r = !relative.defined() && absolute.defined() && low[i] > 0 ? 0 : scale[i];
      low[i] = std::max(low[i], r * largest[i]);
    }
    return low;
  }
};
} // namespace

static StatusOr<Tensor> optionalScalar(std::optional<double> x) {
  return x ? Tensor::scalar(Scalar(*x), DType::Double) : StatusOr<Tensor>(Tensor());
}

/// The Hermitian matrices whose lower triangles are a's.
static StatusOr<Tensor> hermitianOf(const Tensor &a) {
  TSC_RETURN_IF_ERROR(checkSquare("linalg.pinv", a));
  return dispatchWide(a.dtype(), [&](auto tag) -> StatusOr<Tensor> {
    using T = typename decltype(tag)::Type;
    TSC_ASSIGN_OR_RETURN(Batch<T> in, Batch<T>::of(a));
    TSC_ASSIGN_OR_RETURN(Batch<T> out, Batch<T>::make(leadOf(a), in.rows, in.rows));
    for (int64_t b = 0; b < in.count(); ++b) {
      TSC_ASSIGN_OR_RETURN(Matrix<T> m, in.get(b));
      for (int64_t i = 0; i < in.rows; ++i) {
        m(i, i) = T((m(i, i) + conjugate(m(i, i))) * 0.5);
        for (int64_t j = 0; j < i; ++j)
          m(j, i) = conjugate(m(i, j));
      }
      out.set(b, m);
    }
    return out.as(a.dtype());
  });
}

static StatusOr<Tensor> pseudoInverse(const Tensor &a, const Tolerances &tolerances) {
  TSC_RETURN_IF_ERROR(checkFloatingOrComplex("linalg.pinv", a));
  TSC_RETURN_IF_ERROR(checkMatrix("linalg.pinv", a));
  return dispatchWide(a.dtype(), [&](auto tag) -> StatusOr<Tensor> {
    using T = typename decltype(tag)::Type;
    TSC_ASSIGN_OR_RETURN(Batch<T> in, Batch<T>::of(a));
    TSC_ASSIGN_OR_RETURN(Batch<T> out, Batch<T>::make(leadOf(a), in.columns, in.rows));
    std::vector<Svd<T>> all;
    std::vector<double> largest;
    for (int64_t b = 0; b < in.count(); ++b) {
      TSC_ASSIGN_OR_RETURN(const Matrix<T> matrix, in.get(b));
      all.push_back(linalg::svd(matrix, precisionOf(a), Vectors::Wanted));
      largest.push_back(all.back().s.empty() ? 0 : all.back().s[0]);
    }
    TSC_ASSIGN_OR_RETURN(std::vector<double> limits, tolerances.forBatch(a, largest));
    for (int64_t b = 0; b < in.count() && !work::wasStopped(); ++b) {
      Matrix<T> v = all[b].vh.adjoint();
      for (int64_t j = 0; j < v.columns; ++j)
        for (int64_t i = 0; i < v.rows; ++i)
          v(i, j) *= all[b].s[j] > limits[b] ? 1 / all[b].s[j] : 0.0;
      out.set(b, multiply(v, all[b].u.adjoint()));
    }
    return out.as(a.dtype());
  });
}

StatusOr<Tensor> tsc::cpu::pinvFloat(const Tensor &self, std::optional<double> atol, std::optional<double> rtol,
                                     bool hermitian) {
  Tolerances t;
  TSC_ASSIGN_OR_RETURN(t.absolute, optionalScalar(atol));
  TSC_ASSIGN_OR_RETURN(t.relative, optionalScalar(rtol));
  if (!hermitian)
    return pseudoInverse(self, t);
  TSC_ASSIGN_OR_RETURN(Tensor whole, hermitianOf(self));
  return pseudoInverse(whole, t);
}
StatusOr<Tensor> tsc::cpu::pinvTensor(const Tensor &self, const Tensor &atol, const Tensor &rtol, bool hermitian) {
  TSC_ASSIGN_OR_RETURN(Tensor whole, hermitian ? hermitianOf(self) : StatusOr<Tensor>(self));
  return pseudoInverse(whole, {atol, rtol});
}
StatusOr<Tensor> tsc::cpu::pinvRcond(const Tensor &self, double rcond, bool hermitian) {
  return pinvFloat(self, std::nullopt, rcond, hermitian);
}
StatusOr<Tensor> tsc::cpu::pinvRcondTensor(const Tensor &self, const Tensor &rcond, bool hermitian) {
  return pinvTensor(self, Tensor(), rcond, hermitian);
}
StatusOr<Tensor> tsc::cpu::pinverse(const Tensor &self, double rcond) {
  return pinvFloat(self, std::nullopt, rcond, false);
}

static StatusOr<Tensor> rankOf(const Tensor &a, const Tolerances &tolerances) {
  TSC_RETURN_IF_ERROR(checkMatrix("linalg.matrix_rank", a));
  TSC_ASSIGN_OR_RETURN(Tensor s, svdvals(a, std::nullopt));
  TSC_ASSIGN_OR_RETURN(s, dense(s, DType::Double));
  TSC_ASSIGN_OR_RETURN(Tensor out, zeros(leadOf(a), DType::Int64));
  int64_t k = s.sizes().back();
  std::vector<double> largest;
  for (int64_t b = 0; b < out.numel(); ++b)
    largest.push_back(k ? s.data<double>()[b * k] : 0);
  TSC_ASSIGN_OR_RETURN(std::vector<double> limits, tolerances.forBatch(a, largest));
  for (int64_t b = 0; b < out.numel(); ++b)
    for (int64_t i = 0; i < k; ++i)
      out.mutableData<int64_t>()[b] += s.data<double>()[b * k + i] > limits[b];
  return out;
}
StatusOr<Tensor> tsc::cpu::matrixRankFloat(const Tensor &self, std::optional<double> atol, std::optional<double> rtol,
                                           bool hermitian) {
  Tolerances t;
  TSC_ASSIGN_OR_RETURN(t.absolute, optionalScalar(atol));
  TSC_ASSIGN_OR_RETURN(t.relative, optionalScalar(rtol));
  TSC_ASSIGN_OR_RETURN(Tensor whole, hermitian ? hermitianOf(self) : StatusOr<Tensor>(self));
  return rankOf(whole, t);
}
StatusOr<Tensor> tsc::cpu::matrixRankTensor(const Tensor &input, const Tensor &atol, const Tensor &rtol,
                                            bool hermitian) {
  TSC_ASSIGN_OR_RETURN(Tensor whole, hermitian ? hermitianOf(input) : StatusOr<Tensor>(input));
  return rankOf(whole, {atol, rtol});
}
StatusOr<Tensor> tsc::cpu::matrixRankTol(const Tensor &self, double tol, bool hermitian) {
  return matrixRankFloat(self, tol, 0.0, hermitian);
}
StatusOr<Tensor> tsc::cpu::matrixRankTolTensor(const Tensor &input, const Tensor &tol, bool hermitian) {
  TSC_ASSIGN_OR_RETURN(Tensor zero, Tensor::scalar(Scalar(0.0), DType::Double));
  return matrixRankTensor(input, tol, zero, hermitian);
}

/// Least squares by QR, and the ranks; `self` says how exact the elements are.
static Pair solveByRank(const Tensor &self, const Tensor &a, const Tensor &b, const Tolerances &tolerances) {
  TSC_ASSIGN_OR_RETURN(Tensor ranks, zeros(leadOf(self), DType::Int64));
  TSC_ASSIGN_OR_RETURN(std::vector<double> limits,
                       tolerances.forBatch(self, std::vector<double>(static_cast<size_t>(ranks.numel()), 1.0)));
  return dispatchWide(a.dtype(), [&](auto tag) -> Pair {
    using T = typename decltype(tag)::Type;
    TSC_ASSIGN_OR_RETURN(Batch<T> left, Batch<T>::of(a));
    TSC_ASSIGN_OR_RETURN(Batch<T> right, Batch<T>::of(b));
    TSC_ASSIGN_OR_RETURN(Batch<T> out, Batch<T>::make(leadOf(a), left.columns, right.columns));
    for (int64_t i = 0; i < left.count(); ++i) {
      TSC_ASSIGN_OR_RETURN(Matrix<T> matrix, left.get(i));
      TSC_ASSIGN_OR_RETURN(Matrix<T> sides, right.get(i));
      Matrix<T> x;
      const int scale = scaleOf(matrix).value_or(0), sideScale = scaleOf(sides).value_or(0);
      scaleBy(matrix, -scale);
      scaleBy(sides, -sideScale);
      ranks.mutableData<int64_t>()[i] = solveRegular(matrix, sides, limits[i], x)
                                            ? std::min(left.rows, left.columns)
                                            : leastSquares(matrix, sides, limits[i], x);
      scaleBy(x, sideScale - scale);
      out.set(i, x);
    }
    TSC_ASSIGN_OR_RETURN(Tensor solution, out.as(dtypeOf<T>()));
    return std::make_tuple(solution, ranks);
  });
}

Quad tsc::cpu::lstsq(const Tensor &self, const Tensor &b, std::optional<double> rcond,
                     std::optional<llvm::StringRef> driver) {
  if (self.dim() < 2)
    return invalidArgument("torch.linalg.lstsq: input must have at least 2 dimensions.");
  if (b.dim() < 1)
    return invalidArgument("torch.linalg.lstsq: other must have at least 1 dimension.");
  if (self.dtype() != b.dtype())
    return invalidArgument(
        "torch.linalg.lstsq: Expected input and other to have the same dtype, but got input's dtype " +
        irName(self.dtype()) + " and other's dtype " + irName(b.dtype()));
  if (!checkImplemented("lstsq", self).ok())
    return invalidArgument("This function doesn't handle types other than float and double");
  llvm::StringRef how = driver.value_or("gelsy");
  if (how != "gels" && how != "gelsy" && how != "gelsd" && how != "gelss")
    return invalidArgument("torch.linalg.lstsq: parameter `driver` should be one of (gels, gelsy, gelsd, gelss)");
  bool isVector = self.dim() - 1 == b.dim() && b.sizes() == self.sizes().drop_back();
  Tensor rhs = b;
  if (isVector) {
    TSC_ASSIGN_OR_RETURN(rhs, unsqueeze(b, -1));
  }
  if (rhs.dim() < 2 || rhs.size(rhs.dim() - 2) != self.size(self.dim() - 2))
    return invalidArgument("torch.linalg.lstsq: input.size(-2) should match other.size(-" +
                           llvm::Twine(isVector ? 1 : 2) + ")");
  Tolerances t;
  TSC_ASSIGN_OR_RETURN(t.relative, optionalScalar(rcond));
  // The solution in the wide type, as the residuals are differences of near numbers.
  TSC_ASSIGN_OR_RETURN(Tensor a64, toDType(self, wideType(self.dtype())));
  TSC_ASSIGN_OR_RETURN(Tensor b64, toDType(rhs, wideType(self.dtype())));
  int64_t m = self.size(self.dim() - 2), n = self.sizes().back();
  Tensor x, rank;
  if ((how == "gels" || how == "gelsy") && leadOf(self) == leadOf(rhs) && self.numel() != 0 && rhs.numel() != 0) {
    TSC_ASSIGN_OR_RETURN(std::tie(x, rank), solveByRank(self, a64, b64, t));
    if (how == "gels") {
      TSC_ASSIGN_OR_RETURN(rank, Tensor::empty({0}, DType::Int64));
    }
  } else {
    TSC_ASSIGN_OR_RETURN(Tensor pinv64, pseudoInverse(a64, t));
    TSC_ASSIGN_OR_RETURN(x, matmul(pinv64, b64));
    TSC_ASSIGN_OR_RETURN(rank, how == "gels" ? Tensor::empty({0}, DType::Int64) : rankOf(self, t));
  }
  TSC_ASSIGN_OR_RETURN(Tensor values, how == "gelsd" || how == "gelss" ? svdvals(self, std::nullopt)
                                                                       : Tensor::empty({0}, toRealDType(self.dtype())));
  TSC_ASSIGN_OR_RETURN(Tensor residuals, Tensor::empty({0}, toRealDType(self.dtype())));
  bool fullRank = m > n;
  for (int64_t i = 0; i < rank.numel(); ++i)
    fullRank &= rank.data<int64_t>()[i] == n;
  if (fullRank) {
    TSC_ASSIGN_OR_RETURN(Tensor product, matmul(a64, x));
    TSC_ASSIGN_OR_RETURN(Tensor difference, arith(Arith::Sub, product, b64));
    TSC_ASSIGN_OR_RETURN(Tensor norm, vectorNorm(difference, Scalar(2), Dims{-2}, false, std::nullopt));
    TSC_ASSIGN_OR_RETURN(residuals, zip(norm, norm, toRealDType(self.dtype()), [](double r, double) { return r * r; }));
  }
  if (isVector) {
    TSC_ASSIGN_OR_RETURN(x, squeezeDim(x, -1));
  }
  TSC_ASSIGN_OR_RETURN(x, toDType(x, self.dtype()));
  return std::make_tuple(x, residuals, rank, values);
}

StatusOr<Tensor> tsc::cpu::cond(const Tensor &self, std::optional<Scalar> p) {
  TSC_RETURN_IF_ERROR(checkMatrix("linalg.cond", self));
  double order = p ? p->toDouble() : 2;
  if (self.numel() == 0)
    return zeros(leadOf(self), toRealDType(self.dtype()));
  if (std::fabs(order) == 2) {
    TSC_ASSIGN_OR_RETURN(Tensor s, svdvals(self, std::nullopt));
    TSC_ASSIGN_OR_RETURN(Tensor first, select(s, -1, 0));
    TSC_ASSIGN_OR_RETURN(Tensor last, select(s, -1, -1));
    return order > 0 ? arith(Arith::Div, first, last) : arith(Arith::Div, last, first);
  }
  TSC_RETURN_IF_ERROR(checkSquare("linalg.cond", self));
  TSC_ASSIGN_OR_RETURN(auto inverted, invEx(self, false));
  TSC_ASSIGN_OR_RETURN(Tensor norm, matrixNorm(self, *p, {-2, -1}, false, std::nullopt));
  TSC_ASSIGN_OR_RETURN(Tensor other, matrixNorm(std::get<0>(inverted), *p, {-2, -1}, false, std::nullopt));
  return arith(Arith::Mul, norm, other);
}
StatusOr<Tensor> tsc::cpu::condStr(const Tensor &self, llvm::StringRef p) {
  TSC_RETURN_IF_ERROR(checkSquare("linalg.cond", self));
  if (self.numel() == 0)
    return zeros(leadOf(self), toRealDType(self.dtype()));
  TSC_ASSIGN_OR_RETURN(auto inverted, invEx(self, false));
  TSC_ASSIGN_OR_RETURN(Tensor norm, matrixNormStr(self, p, {-2, -1}, false, std::nullopt));
  TSC_ASSIGN_OR_RETURN(Tensor other, matrixNormStr(std::get<0>(inverted), p, {-2, -1}, false, std::nullopt));
  return arith(Arith::Mul, norm, other);
}

//===- Eigenvalues ---------------------------------------------------------===//

static Pair eigenHermitian(const Tensor &a, llvm::StringRef triangle, bool vectors) {
  TSC_RETURN_IF_ERROR(checkSquare("linalg.eigh", a));
  TSC_RETURN_IF_ERROR(checkFloatingOrComplex("linalg.eigh", a));
  if (triangle.upper() != "L" && triangle.upper() != "U")
    return invalidArgument("Expected UPLO argument to be 'L' or 'U', but got " + triangle);
  bool lower = triangle.upper() == "L";
  return dispatchWide(a.dtype(), [&](auto tag) -> Pair {
    using T = typename decltype(tag)::Type;
    TSC_ASSIGN_OR_RETURN(Batch<T> in, Batch<T>::of(a));
    int64_t n = in.rows;
    TSC_ASSIGN_OR_RETURN(Batch<T> out, Batch<T>::make(leadOf(a), n, vectors ? n : 0));
    TSC_ASSIGN_OR_RETURN(Tensor values, makeVectors<T>(leadOf(a), n, DType::Double));
    for (int64_t b = 0; b < in.count(); ++b) {
      TSC_ASSIGN_OR_RETURN(const Matrix<T> m, in.get(b));
      Matrix<T> v;
      std::vector<double> w;
      const bool converges = linalg::eigh(m, lower ? Triangle::Lower : Triangle::Upper, precisionOf(a),
                                          vectors ? Vectors::Wanted : Vectors::Unwanted, w, v);
      if (work::wasStopped())
        return work::stopped();
      if (!converges)
        return invalidArgument(
            "linalg.eigh: " + (in.count() > 1 ? "(Batch element " + std::to_string(b) + "): " : std::string()) +
            "The algorithm failed to converge because the input matrix is ill-conditioned or has too many repeated "
            "eigenvalues (error code: 1).");
      std::copy(w.begin(), w.end(), values.mutableData<double>() + b * n);
      if (vectors)
        out.set(b, v);
    }
    TSC_ASSIGN_OR_RETURN(values, toDType(values, toRealDType(a.dtype())));
    TSC_ASSIGN_OR_RETURN(Tensor v, vectors ? out.as(a.dtype()) : Tensor::empty({0}, a.dtype()));
    return std::make_tuple(values, v);
  });
}
Pair tsc::cpu::eighInternal(const Tensor &a, llvm::StringRef uplo, bool computeV) {
  return eigenHermitian(a, uplo, computeV);
}
Pair tsc::cpu::eigh(const Tensor &self, llvm::StringRef uplo) { return eigenHermitian(self, uplo, true); }
StatusOr<Tensor> tsc::cpu::eigvalsh(const Tensor &self, llvm::StringRef uplo) {
  TSC_ASSIGN_OR_RETURN(auto r, eigenHermitian(self, uplo, false));
  return std::get<0>(r);
}
Pair tsc::cpu::symeig(const Tensor &self, bool eigenvectors, bool upper) {
  return eigenHermitian(self, upper ? "U" : "L", eigenvectors);
}

static Pair eigenGeneral(const Tensor &self, Vectors wanted) {
  TSC_RETURN_IF_ERROR(checkSquare("linalg.eig", self));
  TSC_RETURN_IF_ERROR(checkFloatingOrComplex("linalg.eig", self));
  using Complex = std::complex<double>;
  const Precision precision = precisionOf(self);
  return dispatchWide(self.dtype(), [&](auto tag) -> Pair {
    using T = typename decltype(tag)::Type;
    TSC_ASSIGN_OR_RETURN(Batch<T> in, Batch<T>::of(self));
    int64_t n = in.rows;
    TSC_ASSIGN_OR_RETURN(Batch<Complex> out, Batch<Complex>::make(leadOf(self), n, wanted == Vectors::Wanted ? n : 0));
    TSC_ASSIGN_OR_RETURN(Tensor values, makeVectors<Complex>(leadOf(self), n, DType::ComplexDouble));
    for (int64_t b = 0; b < in.count(); ++b) {
      TSC_ASSIGN_OR_RETURN(const Matrix<T> m, in.get(b));
      for (const T &x : m.data)
        if (!std::isfinite(std::real(x)) || !std::isfinite(std::imag(x)))
          return invalidArgument("torch.linalg.eig: input tensor should not contain infs or NaNs.");
      std::vector<Complex> w;
      Matrix<Complex> v;
      const bool converges = linalg::eig(m, precision, wanted, w, v);
      if (work::wasStopped())
        return work::stopped();
      if (!converges)
        return invalidArgument(
            "linalg.eig: The algorithm failed to converge because the input matrix is ill-conditioned or has too many "
            "repeated eigenvalues (error code: 1).");
      std::copy(w.begin(), w.end(), values.mutableData<Complex>() + b * n);
      if (wanted == Vectors::Wanted)
        out.set(b, v);
    }
    DType type = toComplexDType(self.dtype());
    TSC_ASSIGN_OR_RETURN(values, toDType(values, type));
    TSC_ASSIGN_OR_RETURN(Tensor vectors, out.as(type));
    return std::make_tuple(values, vectors);
  });
}
Pair tsc::cpu::eig(const Tensor &self) { return eigenGeneral(self, Vectors::Wanted); }
StatusOr<Tensor> tsc::cpu::eigvals(const Tensor &self) {
  TSC_ASSIGN_OR_RETURN(auto r, eigenGeneral(self, Vectors::Unwanted));
  return std::get<0>(r);
}
