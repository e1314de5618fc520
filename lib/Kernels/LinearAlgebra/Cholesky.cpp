//===- Cholesky.cpp - Cholesky factors, and the systems they solve --------===//
#include "LinalgBatch.h"
#include "SmallMatrices.h"
#include "tsc/Kernels/LinearAlgebra.h"
#include <type_traits>

using namespace tsc;
using namespace tsc::cpu;
using namespace tsc::cpu::linalg;

using Pair = StatusOr<std::tuple<Tensor, Tensor>>;

/// The lower factor, or the upper one, which is the adjoint of the adjoint's lower factor. Each reads the triangle that
/// is named.
static Pair factorCholesky(const char *name, const Tensor &a, bool upper, bool checkErrors) {
  TSC_RETURN_IF_ERROR(checkSquare(name, a));
  TSC_RETURN_IF_ERROR(checkFloatingOrComplex(name, a));
  if (upper) {
    TSC_ASSIGN_OR_RETURN(Tensor turned, mH(a));
    TSC_ASSIGN_OR_RETURN(auto lower, factorCholesky(name, turned, false, checkErrors));
    TSC_ASSIGN_OR_RETURN(Tensor factor, mH(std::get<0>(lower)));
    TSC_ASSIGN_OR_RETURN(std::get<0>(lower), contiguous(factor));
    return lower;
  }
  return dispatchWide(a.dtype(), [&](auto tag) -> Pair {
    using T = typename decltype(tag)::Type;
    TSC_ASSIGN_OR_RETURN(Batch<T> in, Batch<T>::of(a));
    TSC_ASSIGN_OR_RETURN(Batch<T> out, Batch<T>::make(leadOf(a), in.rows, in.rows));
    TSC_ASSIGN_OR_RETURN(Tensor info, makeVectors<T>(leadOf(a), -1, DType::Int32));
    auto factorAlone = [&](int64_t b) -> Status {
      TSC_ASSIGN_OR_RETURN(Matrix<T> m, in.get(b));
      info.mutableData<int32_t>()[b] = static_cast<int32_t>(linalg::cholesky(m));
      out.set(b, m);
      return okStatus();
    };
    bool isDone = false;
    if constexpr (std::is_same_v<T, double>)
      if (areManySmall(in.rows, in.rows, in.count())) {
        TSC_RETURN_IF_ERROR(choleskyManySmall(in.tensor.template data<T>(), in.rows, in.count(),
                                              out.tensor.template mutableData<T>(), info.mutableData<int32_t>(),
                                              factorAlone));
        isDone = true;
      }
    for (int64_t b = 0; !isDone && b < in.count(); ++b)
      TSC_RETURN_IF_ERROR(factorAlone(b));
    if (checkErrors)
      TSC_RETURN_IF_ERROR(checkInfo(info, name, a.dim() == 2));
    TSC_ASSIGN_OR_RETURN(Tensor factor, out.as(a.dtype()));
    return std::make_tuple(factor, info);
  });
}
Pair tsc::cpu::choleskyEx(const Tensor &self, bool upper, bool checkErrors) {
  return factorCholesky("linalg.cholesky_ex", self, upper, checkErrors);
}
StatusOr<Tensor> tsc::cpu::linalgCholesky(const Tensor &self, bool upper) {
  TSC_ASSIGN_OR_RETURN(auto r, factorCholesky("linalg.cholesky", self, upper, true));
  return std::get<0>(r);
}
StatusOr<Tensor> tsc::cpu::cholesky(const Tensor &self, bool upper) {
  TSC_ASSIGN_OR_RETURN(auto r, factorCholesky("cholesky", self, upper, true));
  return std::get<0>(r);
}

StatusOr<Tensor> tsc::cpu::choleskySolve(const Tensor &self, const Tensor &input2, bool upper) {
  if (self.dim() < 2)
    return invalidArgument("b should have at least 2 dimensions, but has " + llvm::Twine(self.dim()) +
                           " dimensions instead");
  if (input2.dim() < 2)
    return invalidArgument("u should have at least 2 dimensions, but has " + llvm::Twine(input2.dim()) +
                           " dimensions instead");
  TSC_RETURN_IF_ERROR(checkSystemDTypes(self, input2));
  TSC_RETURN_IF_ERROR(checkSquare("cholesky_solve", input2));
  if (self.size(self.dim() - 2) != input2.sizes().back())
    return invalidArgument("Incompatible matrix sizes for cholesky_solve: each A matrix is " +
                           llvm::Twine(input2.sizes().back()) + " by " + llvm::Twine(input2.sizes().back()) +
                           " but each b matrix is " + llvm::Twine(self.size(self.dim() - 2)) + " by " +
                           llvm::Twine(self.size(self.dim() - 1)));
  TSC_RETURN_IF_ERROR(checkImplemented("cholesky_solve_cpu", self));
  TSC_ASSIGN_OR_RETURN(Dims lead, broadcastShapes(leadOf(self), leadOf(input2)));
  TSC_ASSIGN_OR_RETURN(Tensor factor, expandLead(input2, lead, 2));
  TSC_ASSIGN_OR_RETURN(Tensor rhs, expandLead(self, lead, 2));
  return dispatchWide(self.dtype(), [&](auto tag) -> StatusOr<Tensor> {
    using T = typename decltype(tag)::Type;
    TSC_ASSIGN_OR_RETURN(Batch<T> f, Batch<T>::of(factor));
    TSC_ASSIGN_OR_RETURN(Batch<T> in, Batch<T>::of(rhs));
    TSC_ASSIGN_OR_RETURN(Batch<T> out, Batch<T>::make(lead, in.rows, in.columns));
    for (int64_t b = 0; b < in.count(); ++b) {
      TSC_ASSIGN_OR_RETURN(Matrix<T> l, f.get(b));
      TSC_ASSIGN_OR_RETURN(Matrix<T> x, in.get(b));
      if (upper)
        l = l.adjoint();
      solveTriangularInPlace(l, Triangle::Lower, Diagonal::General, x);
      solveTriangularInPlace(l.adjoint(), Triangle::Upper, Diagonal::General, x);
      out.set(b, x);
    }
    return out.as(self.dtype());
  });
}

StatusOr<Tensor> tsc::cpu::choleskyInverse(const Tensor &self, bool upper) {
  TSC_RETURN_IF_ERROR(checkSquare("cholesky_inverse", self));
  TSC_RETURN_IF_ERROR(checkImplemented("cholesky_inverse_out_cpu", self));
  return dispatchWide(self.dtype(), [&](auto tag) -> StatusOr<Tensor> {
    using T = typename decltype(tag)::Type;
    TSC_ASSIGN_OR_RETURN(Batch<T> in, Batch<T>::of(self));
    TSC_ASSIGN_OR_RETURN(Batch<T> out, Batch<T>::make(leadOf(self), in.rows, in.columns));
    TSC_ASSIGN_OR_RETURN(Tensor info, makeVectors<T>(leadOf(self), -1, DType::Int32));
    for (int64_t b = 0; b < in.count(); ++b) {
      TSC_ASSIGN_OR_RETURN(Matrix<T> l, in.get(b));
      if (upper)
        l = l.adjoint();
      int32_t code = 0;
      for (int64_t i = l.rows; i-- != 0;)
        if (l(i, i) == T(0))
          code = static_cast<int32_t>(i + 1);
      info.mutableData<int32_t>()[b] = code;
      out.set(b, squareOfLower(lowerInverse(l, Diagonal::General)));
    }
    TSC_RETURN_IF_ERROR(checkInfo(info, "cholesky_inverse", self.dim() == 2));
    return out.as(self.dtype());
  });
}
