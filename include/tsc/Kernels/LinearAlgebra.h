//===- LinearAlgebra.h - Factorizations, norms and distances ---*- C++ -*-===//
//
// Each function is the kernel of an operator whose record in include/tsc/IR/Ops
// names it, and computes what PyTorch computes for that operator, or fails with its
// message. Arguments are those of the schema, in its order; an undefined tensor
// stands for None.
//
//===----------------------------------------------------------------------===//
#ifndef TSC_KERNELS_LINEARALGEBRA_H
#define TSC_KERNELS_LINEARALGEBRA_H

#include "tsc/Tensor/Tensor.h"
#include "llvm/ADT/StringRef.h"
#include <tuple>
#include <vector>

namespace tsc::cpu {

// Factorizations and what follows from them. A matrix may have any number of batch dimensions.
StatusOr<std::tuple<Tensor, Tensor, Tensor>> luFactorEx(const Tensor &a, bool pivot, bool checkErrors);
StatusOr<std::tuple<Tensor, Tensor>> luFactor(const Tensor &a, bool pivot);
StatusOr<std::tuple<Tensor, Tensor, Tensor>> luWithInfo(const Tensor &self, bool pivot, bool checkErrors);
StatusOr<std::tuple<Tensor, Tensor, Tensor>> lu(const Tensor &a, bool pivot);
StatusOr<std::tuple<Tensor, Tensor, Tensor>> luUnpack(const Tensor &lUData, const Tensor &lUPivots, bool unpackData,
                                                      bool unpackPivots);
StatusOr<std::tuple<Tensor, Tensor>> linalgLdlFactor(const Tensor &self, bool hermitian);
StatusOr<std::tuple<Tensor, Tensor, Tensor>> linalgLdlFactorEx(const Tensor &self, bool hermitian, bool checkErrors);
StatusOr<Tensor> linalgLdlSolve(const Tensor &ld, const Tensor &pivots, const Tensor &b, bool hermitian);
StatusOr<Tensor> luSolve(const Tensor &self, const Tensor &lUData, const Tensor &lUPivots);
StatusOr<Tensor> luSolveLinalg(const Tensor &lU, const Tensor &pivots, const Tensor &b, bool left, bool adjoint);
StatusOr<std::tuple<Tensor, Tensor, Tensor>> detWithFactors(const Tensor &a);
StatusOr<Tensor> det(const Tensor &self);
StatusOr<std::tuple<Tensor, Tensor, Tensor, Tensor>> slogdetWithFactors(const Tensor &a);
StatusOr<std::tuple<Tensor, Tensor>> slogdet(const Tensor &self);
StatusOr<Tensor> logdet(const Tensor &self);
StatusOr<Tensor> inverse(const Tensor &a);
StatusOr<std::tuple<Tensor, Tensor>> invEx(const Tensor &a, bool checkErrors);
StatusOr<std::tuple<Tensor, Tensor, Tensor, Tensor>> solveExFactors(const Tensor &a, const Tensor &b, bool left,
                                                                    bool checkErrors);
StatusOr<std::tuple<Tensor, Tensor>> solveEx(const Tensor &a, const Tensor &b, bool left, bool checkErrors);
StatusOr<Tensor> solve(const Tensor &a, const Tensor &b, bool left);
StatusOr<std::tuple<Tensor, Tensor>> choleskyEx(const Tensor &self, bool upper, bool checkErrors);
StatusOr<Tensor> linalgCholesky(const Tensor &self, bool upper);
StatusOr<Tensor> cholesky(const Tensor &self, bool upper);
StatusOr<Tensor> choleskySolve(const Tensor &self, const Tensor &input2, bool upper);
StatusOr<Tensor> choleskyInverse(const Tensor &self, bool upper);
StatusOr<Tensor> solveTriangular(const Tensor &self, const Tensor &b, bool upper, bool left, bool unitriangular);
StatusOr<std::tuple<Tensor, Tensor>> triangularSolve(const Tensor &self, const Tensor &a, bool upper, bool transpose,
                                                     bool unitriangular);
StatusOr<std::tuple<Tensor, Tensor>> linalgQr(const Tensor &a, llvm::StringRef mode);
StatusOr<std::tuple<Tensor, Tensor>> qr(const Tensor &self, bool some);
StatusOr<std::tuple<Tensor, Tensor>> geqrf(const Tensor &self);
StatusOr<Tensor> householderProduct(const Tensor &self, const Tensor &input2);
StatusOr<Tensor> ormqr(const Tensor &self, const Tensor &input2, const Tensor &input3, bool left, bool transpose);
StatusOr<std::tuple<Tensor, Tensor, Tensor>> svdInternal(const Tensor &a, bool fullMatrices, bool computeUv,
                                                         std::optional<llvm::StringRef> driver);
StatusOr<std::tuple<Tensor, Tensor, Tensor>> linalgSvd(const Tensor &a, bool fullMatrices,
                                                       std::optional<llvm::StringRef> driver);
StatusOr<Tensor> svdvals(const Tensor &a, std::optional<llvm::StringRef> driver);
StatusOr<std::tuple<Tensor, Tensor, Tensor>> svd(const Tensor &self, bool some, bool computeUv);
StatusOr<std::tuple<Tensor, Tensor>> eighInternal(const Tensor &a, llvm::StringRef uPLO, bool computeV);
StatusOr<std::tuple<Tensor, Tensor>> eigh(const Tensor &self, llvm::StringRef uPLO);
StatusOr<Tensor> eigvalsh(const Tensor &self, llvm::StringRef uPLO);
StatusOr<std::tuple<Tensor, Tensor>> symeig(const Tensor &self, bool eigenvectors, bool upper);
StatusOr<std::tuple<Tensor, Tensor>> eig(const Tensor &self);
StatusOr<Tensor> eigvals(const Tensor &self);
StatusOr<Tensor> pinvRcond(const Tensor &self, double rcond, bool hermitian);
StatusOr<Tensor> pinvFloat(const Tensor &self, std::optional<double> atol, std::optional<double> rtol, bool hermitian);
StatusOr<Tensor> pinvTensor(const Tensor &self, const Tensor &atol, const Tensor &rtol, bool hermitian);
StatusOr<Tensor> pinvRcondTensor(const Tensor &self, const Tensor &rcond, bool hermitian);
StatusOr<Tensor> pinverse(const Tensor &self, double rcond);
StatusOr<Tensor> matrixRankTol(const Tensor &self, double tol, bool hermitian);
StatusOr<Tensor> matrixRankFloat(const Tensor &self, std::optional<double> atol, std::optional<double> rtol,
                                 bool hermitian);
StatusOr<Tensor> matrixRankTensor(const Tensor &input, const Tensor &atol, const Tensor &rtol, bool hermitian);
StatusOr<Tensor> matrixRankTolTensor(const Tensor &input, const Tensor &tol, bool hermitian);
StatusOr<std::tuple<Tensor, Tensor, Tensor, Tensor>>
lstsq(const Tensor &self, const Tensor &b, std::optional<double> rcond, std::optional<llvm::StringRef> driver);
StatusOr<Tensor> matrixExp(const Tensor &self);
StatusOr<Tensor> cond(const Tensor &self, std::optional<Scalar> p);
StatusOr<Tensor> condStr(const Tensor &self, llvm::StringRef p);
StatusOr<Tensor> tensorinv(const Tensor &self, int64_t ind);
StatusOr<Tensor> tensorsolve(const Tensor &self, const Tensor &other, std::optional<ArrayRef<int64_t>> dims);
StatusOr<Tensor> linalgVander(const Tensor &x, std::optional<int64_t> n);
StatusOr<Tensor> linalgCross(const Tensor &self, const Tensor &other, int64_t dim);
StatusOr<Tensor> cross(const Tensor &self, const Tensor &other, std::optional<int64_t> dim);
StatusOr<Tensor> vecdot(const Tensor &x, const Tensor &y, int64_t dim);
StatusOr<Tensor> linalgDiagonal(const Tensor &a, int64_t offset, int64_t dim1, int64_t dim2);
StatusOr<Tensor> trace(const Tensor &self);
StatusOr<Tensor> cov(const Tensor &self, int64_t correction, const Tensor &fweights, const Tensor &aweights);
StatusOr<Tensor> corrcoef(const Tensor &self);
Status linalgCheckErrors(const Tensor &info, llvm::StringRef apiName, bool isMatrix);

// Norms and distances (Norms.cpp).
StatusOr<Tensor> vectorNorm(const Tensor &self, const Scalar &ord, std::optional<ArrayRef<int64_t>> dim, bool keepdim,
                            std::optional<DType> dtype);
StatusOr<Tensor> matrixNorm(const Tensor &self, const Scalar &ord, ArrayRef<int64_t> dim, bool keepdim,
                            std::optional<DType> dtype);
StatusOr<Tensor> matrixNormStr(const Tensor &self, llvm::StringRef ord, ArrayRef<int64_t> dim, bool keepdim,
                               std::optional<DType> dtype);
StatusOr<Tensor> linalgNorm(const Tensor &self, std::optional<Scalar> ord, std::optional<ArrayRef<int64_t>> dim,
                            bool keepdim, std::optional<DType> dtype);
StatusOr<Tensor> linalgNormStr(const Tensor &self, llvm::StringRef ord, std::optional<ArrayRef<int64_t>> dim,
                               bool keepdim, std::optional<DType> dtype);
StatusOr<Tensor> normScalar(const Tensor &self, const Scalar &p);
StatusOr<Tensor> normDim(const Tensor &self, std::optional<Scalar> p, ArrayRef<int64_t> dim, bool keepdim);
StatusOr<Tensor> normDimDType(const Tensor &self, std::optional<Scalar> p, ArrayRef<int64_t> dim, bool keepdim,
                              DType dtype);
StatusOr<Tensor> normDType(const Tensor &self, std::optional<Scalar> p, DType dtype);
StatusOr<Tensor> frobeniusNorm(const Tensor &self);
StatusOr<Tensor> frobeniusNormDim(const Tensor &self, ArrayRef<int64_t> dim, bool keepdim);
StatusOr<Tensor> nuclearNorm(const Tensor &self, bool keepdim);
StatusOr<Tensor> nuclearNormDim(const Tensor &self, ArrayRef<int64_t> dim, bool keepdim);
StatusOr<Tensor> renorm(const Tensor &self, const Scalar &p, int64_t dim, const Scalar &maxnorm);
StatusOr<Tensor> dist(const Tensor &self, const Tensor &other, const Scalar &p);
StatusOr<Tensor> cdist(const Tensor &x1, const Tensor &x2, double p, std::optional<int64_t> computeMode);
StatusOr<Tensor> cdistForward(const Tensor &x1, const Tensor &x2, double p, std::optional<int64_t> computeMode);
StatusOr<Tensor> euclideanDist(const Tensor &x1, const Tensor &x2);
StatusOr<Tensor> pdist(const Tensor &self, double p);
StatusOr<Tensor> pairwiseDistance(const Tensor &x1, const Tensor &x2, double p, double eps, bool keepdim);
StatusOr<Tensor> cosineSimilarity(const Tensor &x1, const Tensor &x2, int64_t dim, double eps);

} // namespace tsc::cpu

#endif
