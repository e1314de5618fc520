//===- MatMul.cpp - Products of matrices and vectors ----------------------===//
//
// Shape checks in PyTorch's words, then one strided gemm. Transposed views and
// expanded batches are read where they stand. Narrow integers compute in int64 and
// half types in float.
//
//===----------------------------------------------------------------------===//
#include "tsc/Kernels/MatMul.h"
#include "ComplexRows.h"
#include "Gemm.h"
#include "Normalization/Rows.h"
#include "OuterProducts.h"
#include "ProductDnn.h"
#include "Support/Compute.h"
#include "Support/HalfRows.h"
#include "tsc/Kernels/Sparse.h"
#include "tsc/Support/ThreadPool.h"
#include "tsc/Tensor/Dispatch.h"
#include <complex>

using namespace tsc;
using namespace tsc::cpu;

/// The dtype that gemm computes a product of this dtype in; BFloat16 and Half gain precision.
static DType gemmType(DType dtype) { return isIntegral(dtype) ? DType::Int64 : workType(dtype); }

static Status checkProductDType(const Tensor &a, const Tensor &b, const char *name = "addmm_impl_cpu_") {
  TSC_RETURN_IF_ERROR(checkSameDType(a, b));
  if (a.dtype() == DType::Bool)
    return detail::dtypeNotImplemented(name, DType::Bool);
  return okStatus();
}

/// An operand in the type of the product, strides as they are unless something had to be converted.
static StatusOr<Tensor> operand(const Tensor &t, DType work) {
  if (isLazy(t))
    return dense(t, work);
  return toDType(t, work);
}

/// The tensor must outlive the product.
static MatrixRef matrixRef(const Tensor &t) {
  int64_t d = t.dim();
  return {t.data(), t.stride(d - 2), t.stride(d - 1), d == 3 ? t.stride(0) : 0, &t};
}

static bool isHalf(const Tensor &t) { return t.dtype() == DType::Half || t.dtype() == DType::BFloat16; }

/// The product of matrices or batches of bfloat16, of dtype `result`: bfloat16 or float. Undefined where the processor
/// has no instructions for it, or the product is too small for them.
static StatusOr<Tensor> productOfBFloat16(const Tensor &a, const Tensor &b, DType result) {
  if (a.dtype() != DType::BFloat16 || !hasBFloat16Products() || a.get()->negative || b.get()->negative)
    return Tensor();
  const int64_t d = a.dim(), m = a.size(d - 2), n = b.size(d - 1);
  Dims sizes(a.sizes().drop_back());
  sizes.push_back(n);
  TSC_ASSIGN_OR_RETURN(Tensor out, Tensor::empty(sizes, result));
  if (out.numel() == 0 || !multiplyBFloat16(d == 3 ? a.size(0) : 1, m, n, a.size(d - 1), matrixRef(a), matrixRef(b),
                                            {out.mutableData(), n, m * n}, result))
    return Tensor();
  return out;
}

/// The product of a few rows of a half type with a transposed matrix, whose elements are widened where they are read.
/// Undefined where it is of another kind. The result is of dtype `result`: that of the operands, or float.
static StatusOr<Tensor> fewRowsOfHalves(const Tensor &a, const Tensor &b, DType result) {
  constexpr int64_t mostRows = 2; // more are worth a conversion of the matrix, or the processor's own instructions
  const int64_t m = a.size(0), k = a.size(1), n = b.size(1);
  if (!isHalf(a) || m == 0 || m > mostRows || b.stride(0) != 1 || k == 0 || a.get()->negative || b.get()->negative)
    return Tensor();
  TSC_ASSIGN_OR_RETURN(Tensor x, dense(a, DType::Float));
  TSC_ASSIGN_OR_RETURN(Tensor out, Tensor::empty({m, n}, DType::Float));
  const float *rows = x.data<float>();
  float *to = out.mutableData<float>();
  auto run = [&](const auto *columns, auto dot) {
    parallelFor(0, n, std::max<int64_t>(1, ProductCut::leastWork / (m * k)), [&](int64_t first, int64_t last) {
      for (int64_t j = first; j != last; ++j)
        for (int64_t i = 0; i != m; ++i)
          to[i * n + j] = dot(rows + i * k, columns + j * b.stride(1), k);
    });
  };
  if (a.dtype() == DType::Half)
    run(b.data<Half>(), halves::kernels().dotHalf);
  else
    run(b.data<BFloat16>(), halves::kernels().dotBFloat16);
  return toDType(out, result);
}

/// a (m x k) times b (k x n), both 2-d of one dtype and matching sizes; `result`: their dtype, or float of halves.
static StatusOr<Tensor> product2d(const Tensor &a, const Tensor &b, DType result) {
  const DType work = gemmType(a.dtype());
  TSC_ASSIGN_OR_RETURN(Tensor few, fewRowsOfHalves(a, b, result));
  if (few.defined())
    return few;
  TSC_ASSIGN_OR_RETURN(Tensor narrow, productOfBFloat16(a, b, result));
  if (narrow.defined())
    return narrow;
  TSC_ASSIGN_OR_RETURN(Tensor x, operand(a, work));
  TSC_ASSIGN_OR_RETURN(Tensor y, operand(b, work));
  TSC_ASSIGN_OR_RETURN(Tensor out, Tensor::empty({a.size(0), b.size(1)}, work));
  TSC_RETURN_IF_ERROR(gemm(work, 1, a.size(0), b.size(1), a.size(1), matrixRef(x), matrixRef(y),
                           {out.mutableData(), b.size(1)}, GemmMode::Assign));
  return toDType(out, result);
}

static StatusOr<Tensor> product2d(const Tensor &a, const Tensor &b) { return product2d(a, b, a.dtype()); }

/// start + a b of matrices or batches, the sum begun with `start`: no second pass over the result. Float and Double
/// only.
static StatusOr<Tensor> productOnto(const Tensor &start, const Tensor &a, const Tensor &b) {
  const int64_t d = a.dim(), m = a.size(d - 2), n = b.size(d - 1);
  TSC_ASSIGN_OR_RETURN(Tensor x, operand(a, a.dtype()));
  TSC_ASSIGN_OR_RETURN(Tensor y, operand(b, b.dtype()));
  Dims sizes(a.sizes().drop_back());
  sizes.push_back(n);
  TSC_ASSIGN_OR_RETURN(Tensor out, Tensor::empty(sizes, a.dtype()));
  TSC_RETURN_IF_ERROR(copyInto(out, start));
  TSC_RETURN_IF_ERROR(gemm(a.dtype(), d == 3 ? a.size(0) : 1, m, n, a.size(d - 1), matrixRef(x), matrixRef(y),
                           {out.mutableData(), n, m * n}, GemmMode::Accumulate));
  return out;
}

/// The same of batches.
static StatusOr<Tensor> product3d(const Tensor &a, const Tensor &b, DType result) {
  const DType work = gemmType(a.dtype());
  TSC_ASSIGN_OR_RETURN(Tensor narrow, productOfBFloat16(a, b, result));
  if (narrow.defined())
    return narrow;
  TSC_ASSIGN_OR_RETURN(Tensor x, operand(a, work));
  TSC_ASSIGN_OR_RETURN(Tensor y, operand(b, work));
  int64_t m = a.size(1), n = b.size(2);
  TSC_ASSIGN_OR_RETURN(Tensor out, Tensor::empty({a.size(0), m, n}, work));
  TSC_RETURN_IF_ERROR(gemm(work, a.size(0), m, n, a.size(2), matrixRef(x), matrixRef(y), {out.mutableData(), n, m * n},
                           GemmMode::Assign));
  return toDType(out, result);
}
static StatusOr<Tensor> product3d(const Tensor &a, const Tensor &b) { return product3d(a, b, a.dtype()); }

static Status checkMultiply(int64_t m, int64_t k1, int64_t k2, int64_t n) {
  if (k1 == k2)
    return okStatus();
  return invalidArgument("mat1 and mat2 shapes cannot be multiplied (" + llvm::Twine(m) + "x" + llvm::Twine(k1) +
                         " and " + llvm::Twine(k2) + "x" + llvm::Twine(n) + ")");
}

/// Whether a sparse or nested tensor is among the operands.
static bool anyOpaque(const Tensor &a, const Tensor &b) {
  return a.dtype() == DType::Opaque || b.dtype() == DType::Opaque;
}

StatusOr<Tensor> tsc::cpu::mm(const Tensor &self, const Tensor &mat2) {
  if (anyOpaque(self, mat2)) [[unlikely]]
    return sparseMm(self, mat2);
  if (self.dim() != 2)
    return invalidArgument("self must be a matrix");
  if (mat2.dim() != 2)
    return invalidArgument("mat2 must be a matrix");
  TSC_RETURN_IF_ERROR(checkMultiply(self.size(0), self.size(1), mat2.size(0), mat2.size(1)));
  TSC_RETURN_IF_ERROR(checkProductDType(self, mat2));
  return product2d(self, mat2);
}

static Status checkBatches(const Tensor &a, const Tensor &b) {
  if (a.dim() != 3)
    return invalidArgument("batch1 must be a 3D tensor");
  if (b.dim() != 3)
    return invalidArgument("batch2 must be a 3D tensor");
  if (b.size(0) != a.size(0) || b.size(1) != a.size(2))
    return invalidArgument("Expected size for first two dimensions of batch2 tensor to be: [" + llvm::Twine(a.size(0)) +
                           ", " + llvm::Twine(a.size(2)) + "] but got: [" + llvm::Twine(b.size(0)) + ", " +
                           llvm::Twine(b.size(1)) + "].");
  return checkProductDType(a, b, "baddbmm_with_gemm");
}

StatusOr<Tensor> tsc::cpu::bmm(const Tensor &self, const Tensor &mat2) {
  TSC_RETURN_IF_ERROR(checkBatches(self, mat2));
  return product3d(self, mat2);
}

StatusOr<Tensor> tsc::cpu::mv(const Tensor &self, const Tensor &vec) {
  if (sparseOf(self)) [[unlikely]] {
    TSC_ASSIGN_OR_RETURN(Tensor column, unsqueeze(vec, -1));
    TSC_ASSIGN_OR_RETURN(Tensor product, sparseMm(self, column));
    return squeezeDim(product, -1);
  }
  if (self.dim() != 2 || vec.dim() != 1)
    return invalidArgument("vector + matrix @ vector expected, got 1, " + llvm::Twine(self.dim()) + ", " +
                           llvm::Twine(vec.dim()));
  if (self.size(1) != vec.size(0))
    return invalidArgument("size mismatch, got " + llvm::Twine(self.size(0)) + ", " + llvm::Twine(self.size(0)) + "x" +
                           llvm::Twine(self.size(1)) + "," + llvm::Twine(vec.size(0)));
  TSC_RETURN_IF_ERROR(checkProductDType(self, vec, "addmv_impl_cpu"));
  Tensor column = vec.alias({vec.size(0), 1}, {vec.stride(0), 1}, vec.storageOffset());
  TSC_ASSIGN_OR_RETURN(Tensor out, product2d(self, column));
  return out.alias({out.size(0)}, {1}, out.storageOffset());
}

/// Of two vectors of complex numbers, where both are dense; undefined elsewhere.
static StatusOr<Tensor> denseComplexDot(const Tensor &self, const Tensor &other, bool conjugated) {
  const bool isDense = self.dim() == 1 && other.dim() == 1 && isComplex(self.dtype()) &&
                       self.dtype() == other.dtype() && self.numel() == other.numel() && self.isContiguous() &&
                       other.isContiguous() && !self.get()->conjugate && !other.get()->conjugate;
  if (!isDense || (self.dtype() != DType::ComplexFloat && self.dtype() != DType::ComplexDouble))
    return Tensor();
  TSC_ASSIGN_OR_RETURN(Tensor out, Tensor::empty({}, self.dtype()));
  auto compute = [&]<typename T>(T) {
    using Number = std::complex<T>;
    *out.mutableData<Number>() =
        complexes::kernels<T>().dot(self.data<Number>(), other.data<Number>(), self.numel(), conjugated);
  };
  self.dtype() == DType::ComplexFloat ? compute(float()) : compute(double());
  return out;
}

StatusOr<Tensor> tsc::cpu::dot(const Tensor &self, const Tensor &tensor) {
  if (self.dim() != 1 || tensor.dim() != 1)
    return invalidArgument("1D tensors expected, but got " + llvm::Twine(self.dim()) + "D and " +
                           llvm::Twine(tensor.dim()) + "D tensors");
  if (self.dtype() != tensor.dtype())
    return invalidArgument("dot : expected both vectors to have same dtype, but found " + dtypeText(self.dtype()) +
                           " and " + dtypeText(tensor.dtype()));
  if (self.numel() != tensor.numel())
    return invalidArgument("inconsistent tensor size, expected tensor [" + llvm::Twine(self.numel()) + "] and src [" +
                           llvm::Twine(tensor.numel()) + "] to have the same number of elements, but got " +
                           llvm::Twine(self.numel()) + " and " + llvm::Twine(tensor.numel()) +
                           " elements respectively");
  TSC_RETURN_IF_ERROR(checkProductDType(self, tensor, "dot"));
  if ((self.dtype() == DType::Float || self.dtype() == DType::Double) && self.isContiguous() && tensor.isContiguous()) {
    TSC_ASSIGN_OR_RETURN(Tensor out, Tensor::empty({}, self.dtype()));
    TSC_RETURN_IF_ERROR(dispatchFloatDouble(self.dtype(), [&](auto tag) {
      using T = typename decltype(tag)::Type;
      *out.mutableData<T>() = rows::kernels<T>().dot(self.data<T>(), tensor.data<T>(), self.numel());
    }));
    return out;
  }
  TSC_ASSIGN_OR_RETURN(Tensor complexResult, denseComplexDot(self, tensor, /*conjugated=*/false));
  if (complexResult.defined())
    return complexResult;
  Tensor row = self.alias({1, self.size(0)}, {1, self.stride(0)}, self.storageOffset());
  Tensor column = tensor.alias({tensor.size(0), 1}, {tensor.stride(0), 1}, tensor.storageOffset());
  TSC_ASSIGN_OR_RETURN(Tensor out, product2d(row, column));
  return out.alias({}, {}, out.storageOffset());
}

StatusOr<Tensor> tsc::cpu::vdot(const Tensor &self, const Tensor &other) {
  if (!isComplex(self.dtype()))
    return dot(self, other);
  TSC_ASSIGN_OR_RETURN(Tensor result, denseComplexDot(self, other, /*conjugated=*/true));
  if (result.defined())
    return result;
  TSC_ASSIGN_OR_RETURN(Tensor conjugated, conj(self));
  return dot(conjugated, other);
}

/// Products of batches that broadcast: operands expanded to `batch` + their last two dimensions, as one 3-d product.
static StatusOr<Tensor> broadcastBatches(const Tensor &a, const Tensor &b) {
  TSC_ASSIGN_OR_RETURN(Dims batch, broadcastShapes(a.sizes().drop_back(2), b.sizes().drop_back(2)));
  TSC_ASSIGN_OR_RETURN(int64_t count, elementCount(batch));
  auto flat = [&](const Tensor &t) -> StatusOr<Tensor> {
    Dims whole = batch;
    whole.append({t.size(t.dim() - 2), t.size(t.dim() - 1)});
    TSC_ASSIGN_OR_RETURN(Tensor expanded, expand(t, whole));
    if (batch.size() == 1)
      return expanded;
    return reshape(expanded, {count, whole[whole.size() - 2], whole.back()});
  };
  TSC_ASSIGN_OR_RETURN(Tensor x, flat(a));
  TSC_ASSIGN_OR_RETURN(Tensor y, flat(b));
  TSC_RETURN_IF_ERROR(checkBatches(x, y));
  TSC_ASSIGN_OR_RETURN(Tensor out, product3d(x, y));
  batch.append({a.size(a.dim() - 2), b.size(b.dim() - 1)});
  return view(out, batch);
}

StatusOr<Tensor> tsc::cpu::matmul(const Tensor &self, const Tensor &other) {
  int64_t d1 = self.dim(), d2 = other.dim();
  if (d1 == 0 || d2 == 0)
    return invalidArgument("both arguments to matmul need to be at least 1D, but they are " + llvm::Twine(d1) +
                           "D and " + llvm::Twine(d2) + "D");
  if (d1 == 1 && d2 == 1)
    return dot(self, other);
  if (d1 == 2 && d2 == 1)
    return mv(self, other);
  if (d1 == 2 && d2 == 2)
    return mm(self, other);
  if (d1 == 1) {
    TSC_ASSIGN_OR_RETURN(Tensor row, unsqueeze(self, 0));
    TSC_ASSIGN_OR_RETURN(Tensor out, matmul(row, other));
    return squeezeDim(out, -2);
  }
  if (d2 == 1) {
    TSC_ASSIGN_OR_RETURN(Tensor column, unsqueeze(other, 1));
    TSC_ASSIGN_OR_RETURN(Tensor out, matmul(self, column));
    return squeezeDim(out, -1);
  }
  if (d2 == 2) { // one matrix for the whole batch: a single tall product
    TSC_ASSIGN_OR_RETURN(Tensor tall,
                         self.numel() == 0 ? StatusOr<Tensor>(self) : reshape(self, {-1, self.size(d1 - 1)}));
    if (self.numel() != 0) {
      TSC_ASSIGN_OR_RETURN(Tensor out, mm(tall, other));
      Dims shape(self.sizes().drop_back());
      shape.push_back(other.size(1));
      return view(out, shape);
    }
  }
  return broadcastBatches(self, other);
}

/// beta self + alpha product of halves, whose product is float: rounded once, with what is added.
static StatusOr<Tensor> blendOnce(const Tensor &self, const Scalar &beta, const Tensor &product, const Scalar &alpha) {
  TSC_ASSIGN_OR_RETURN(Tensor wide, blend(self, beta, product, alpha));
  return toDType(wide, self.dtype());
}

static bool isOne(const Scalar &factor) { return factor.toComplex() == 1.0; }

StatusOr<Tensor> tsc::cpu::addmm(const Tensor &self, const Tensor &mat1, const Tensor &mat2, const Scalar &beta,
                                 const Scalar &alpha) {
  if (mat1.dim() != 2)
    return invalidArgument("mat1 must be a matrix, got " + llvm::Twine(mat1.dim()) + "-D tensor");
  if (anyOpaque(mat1, mat2)) [[unlikely]] {
    TSC_ASSIGN_OR_RETURN(Tensor product, sparseMm(mat1, mat2));
    return blend(self, beta, product, alpha);
  }
  if (mat2.dim() != 2)
    return invalidArgument("mat2 must be a matrix, got " + llvm::Twine(mat2.dim()) + "-D tensor");
  TSC_RETURN_IF_ERROR(checkMultiply(mat1.size(0), mat1.size(1), mat2.size(0), mat2.size(1)));
  TSC_RETURN_IF_ERROR(expand(self, {mat1.size(0), mat2.size(1)}).status());
  if (self.dtype() != mat2.dtype())
    return invalidArgument("self and mat2 must have the same dtype, but got " + dtypeText(self.dtype()) + " and " +
                           dtypeText(mat2.dtype()));
  if (mat1.dtype() != mat2.dtype())
    return invalidArgument("mat1 and mat2 must have the same dtype, but got " + dtypeText(mat1.dtype()) + " and " +
                           dtypeText(mat2.dtype()));
  TSC_RETURN_IF_ERROR(checkProductDType(mat1, mat2));
  if ((mat1.dtype() == DType::Float || mat1.dtype() == DType::Double) && isOne(alpha) && isOne(beta))
    return productOnto(self, mat1, mat2);
  if (isHalf(mat1)) {
    TSC_ASSIGN_OR_RETURN(Tensor wide, product2d(mat1, mat2, DType::Float));
    return blendOnce(self, beta, wide, alpha);
  }
  TSC_ASSIGN_OR_RETURN(Tensor out, product2d(mat1, mat2));
  return blend(self, beta, out, alpha);
}

/// self += a b of matrices or batches where that can be done in self's memory, with the bits of productOnto. False: it
/// cannot.
static StatusOr<bool> addProduct(const Tensor &self, const Tensor &a, const Tensor &b, const Scalar &beta,
                                 const Scalar &alpha) {
  const int64_t d = self.dim();
  auto isPlain = [&](const Tensor &t) {
    return t.dim() == d && t.dtype() == self.dtype() && !t.get()->conjugate && !t.get()->negative;
  };
  const bool isFloats = self.dtype() == DType::Float || self.dtype() == DType::Double;
  if (d < 2 || d > 3 || !isFloats || !isPlain(self) || !isPlain(a) || !isPlain(b) || !isOne(alpha) || !isOne(beta) ||
      !self.isContiguous() || self.get()->storage == a.get()->storage || self.get()->storage == b.get()->storage)
    return false;
  const int64_t m = a.size(d - 2), n = b.size(d - 1), k = a.size(d - 1), batches = d == 3 ? a.size(0) : 1;
  if (self.size(d - 2) != m || self.size(d - 1) != n || b.size(d - 2) != k ||
      (d == 3 && (self.size(0) != batches || b.size(0) != batches)))
    return false;
  TSC_RETURN_IF_ERROR(gemm(self.dtype(), batches, m, n, k, matrixRef(a), matrixRef(b), {self.mutableData(), n, m * n},
                           GemmMode::Accumulate));
  self.bumpVersion();
  return true;
}

static Status write(const Tensor &self, const StatusOr<Tensor> &value) {
  TSC_RETURN_IF_ERROR(value.status());
  TSC_RETURN_IF_ERROR(checkWritten(value->sizes(), value->dtype(), self));
  return copyInto(self, *value);
}

Status tsc::cpu::addmmInPlace(const Tensor &self, const Tensor &mat1, const Tensor &mat2, const Scalar &beta,
                              const Scalar &alpha) {
  TSC_ASSIGN_OR_RETURN(const bool isDone, addProduct(self, mat1, mat2, beta, alpha));
  return isDone ? okStatus() : write(self, addmm(self, mat1, mat2, beta, alpha));
}

/// Whether products of these sizes are added up in the order of one kernel, whatever their number is: the right factors
/// are read row by row, and there is more than one row and column.
static bool addsInOneOrder(const Tensor &self, const Tensor &a, const Tensor &b) {
  constexpr int64_t mostWork = int64_t{1} << 20;
  auto isPlain = [&](const Tensor &t) {
    return t.dim() == 2 && t.dtype() == self.dtype() && !t.get()->conjugate && !t.get()->negative;
  };
  return (self.dtype() == DType::Float || self.dtype() == DType::Double) && isPlain(self) && isPlain(a) && isPlain(b) &&
         self.isContiguous() && self.size(0) == a.size(0) && self.size(1) == b.size(1) && a.size(1) == b.size(0) &&
         self.size(0) > 1 && self.size(1) > 1 && a.size(1) != 0 && a.size(1) <= simd::mostOuterTerms &&
         b.stride(1) == 1 && self.numel() * a.size(1) < mostWork && self.get()->storage != a.get()->storage &&
         self.get()->storage != b.get()->storage;
}

/// The factors, which have as many terms each, one behind the other: x[p][i] and y[p][j].
template <typename T> static Status addStacked(const Tensor &self, ArrayRef<Tensor> factors) {
  const int64_t m = self.size(0), n = self.size(1), terms = factors[0].size(1),
                k = static_cast<int64_t>(factors.size() / 2) * terms;
  TSC_ASSIGN_OR_RETURN(Tensor left, Tensor::empty({k, m}, self.dtype()));
  TSC_ASSIGN_OR_RETURN(Tensor right, Tensor::empty({k, n}, self.dtype()));
  T *x = left.mutableData<T>(), *y = right.mutableData<T>();
  for (size_t pair = 0; pair != factors.size(); pair += 2)
    for (int64_t p = 0; p != terms; ++p, x += m, y += n) {
      const Tensor &a = factors[pair], &b = factors[pair + 1];
      const T *from = a.data<T>() + p * a.stride(1);
      for (int64_t i = 0; i != m; ++i)
        x[i] = from[i * a.stride(0)];
      std::copy_n(b.data<T>() + p * b.stride(0), n, y);
    }
  simd::addOuterProducts(m, n, k, terms, left.data<T>(), right.data<T>(), self.mutableData<T>());
  self.bumpVersion();
  return okStatus();
}

Status tsc::cpu::addProducts(const Tensor &self, ArrayRef<Tensor> factors) {
  assert(factors.size() % 2 == 0 && "a product has two factors");
  bool areAlike = factors.size() > 2;
  for (size_t i = 0; areAlike && i != factors.size(); i += 2)
    areAlike = addsInOneOrder(self, factors[i], factors[i + 1]) && factors[i].size(1) == factors[0].size(1);
  if (areAlike)
    return self.dtype() == DType::Float ? addStacked<float>(self, factors) : addStacked<double>(self, factors);
  for (size_t i = 0; i != factors.size(); i += 2)
    TSC_RETURN_IF_ERROR(addmmInPlace(self, factors[i], factors[i + 1], Scalar(1), Scalar(1)));
  return okStatus();
}

Status tsc::cpu::baddbmmInPlace(const Tensor &self, const Tensor &batch1, const Tensor &batch2, const Scalar &beta,
                                const Scalar &alpha) {
  TSC_ASSIGN_OR_RETURN(const bool isDone, addProduct(self, batch1, batch2, beta, alpha));
  return isDone ? okStatus() : write(self, baddbmm(self, batch1, batch2, beta, alpha));
}

StatusOr<Tensor> tsc::cpu::addmmActivation(const Tensor &self, const Tensor &mat1, const Tensor &mat2,
                                           const Scalar &beta, const Scalar &alpha, bool useGelu) {
  TSC_ASSIGN_OR_RETURN(Tensor out, addmm(self, mat1, mat2, beta, alpha));
  return zip(out, out, out.dtype(), [&](double x, double) {
    return useGelu ? 0.5 * x * (1 + std::erf(x * 0.70710678118654752440)) : (x <= 0 ? 0.0 : x);
  });
}

StatusOr<Tensor> tsc::cpu::baddbmm(const Tensor &self, const Tensor &batch1, const Tensor &batch2, const Scalar &beta,
                                   const Scalar &alpha) {
  TSC_RETURN_IF_ERROR(checkBatches(batch1, batch2));
  TSC_RETURN_IF_ERROR(expand(self, {batch1.size(0), batch1.size(1), batch2.size(2)}).status());
  if (self.dtype() != batch1.dtype())
    return invalidArgument("Input dtypes must be the same, got: input " + dtypeText(self.dtype()) +
                           ", batch1: " + dtypeText(batch1.dtype()) + ", batch2: " + dtypeText(batch2.dtype()));
  if (self.dtype() == batch1.dtype() && (self.dtype() == DType::Float || self.dtype() == DType::Double) &&
      isOne(alpha) && isOne(beta))
    return productOnto(self, batch1, batch2);
  if (isHalf(batch1) && self.dtype() == batch1.dtype()) {
    TSC_ASSIGN_OR_RETURN(Tensor wide, product3d(batch1, batch2, DType::Float));
    return blendOnce(self, beta, wide, alpha);
  }
  TSC_ASSIGN_OR_RETURN(Tensor out, product3d(batch1, batch2));
  return blend(self, beta, out, alpha);
}

StatusOr<Tensor> tsc::cpu::addbmm(const Tensor &self, const Tensor &batch1, const Tensor &batch2, const Scalar &beta,
                                  const Scalar &alpha) {
  TSC_RETURN_IF_ERROR(checkBatches(batch1, batch2));
  TSC_RETURN_IF_ERROR(expand(self, {batch1.size(1), batch2.size(2)}).status());
  if (self.dtype() != batch2.dtype())
    return invalidArgument("self and mat2 must have the same dtype, but got " + dtypeText(self.dtype()) + " and " +
                           dtypeText(batch2.dtype()));
  TSC_ASSIGN_OR_RETURN(Tensor products, product3d(batch1, batch2));
  TSC_ASSIGN_OR_RETURN(Tensor out, sumOver(products, {0}, false));
  return blend(self, beta, out, alpha);
}

StatusOr<Tensor> tsc::cpu::addmv(const Tensor &self, const Tensor &mat, const Tensor &vec, const Scalar &beta,
                                 const Scalar &alpha) {
  if (mat.dim() != 2 || vec.dim() != 1 || self.dim() > 1)
    return invalidArgument("vector + matrix @ vector expected, got " + llvm::Twine(self.dim()) + ", " +
                           llvm::Twine(mat.dim()) + ", " + llvm::Twine(vec.dim()));
  if (mat.size(1) != vec.size(0) || (self.numel() != 1 && mat.size(0) != self.numel()))
    return invalidArgument("size mismatch, got " + llvm::Twine(self.dim() == 0 ? 1 : self.size(0)) + ", " +
                           llvm::Twine(mat.size(0)) + "x" + llvm::Twine(mat.size(1)) + "," + llvm::Twine(vec.size(0)));
  if (isHalf(mat) && vec.dtype() == mat.dtype() && self.dtype() == mat.dtype()) {
    TSC_ASSIGN_OR_RETURN(Tensor column, unsqueeze(vec, 1));
    TSC_ASSIGN_OR_RETURN(Tensor wide, product2d(mat, column, DType::Float));
    TSC_ASSIGN_OR_RETURN(wide, squeezeDim(wide, 1));
    return blendOnce(self, beta, wide, alpha);
  }
  TSC_ASSIGN_OR_RETURN(Tensor out, mv(mat, vec));
  return blend(self, beta, out, alpha);
}

StatusOr<Tensor> tsc::cpu::outer(const Tensor &self, const Tensor &vec2) {
  if (self.dim() != 1)
    return invalidArgument("outer: Expected 1-D argument self, but got " + llvm::Twine(self.dim()) + "-D");
  if (vec2.dim() != 1)
    return invalidArgument("outer: Expected 1-D argument vec2, but got " + llvm::Twine(vec2.dim()) + "-D");
  TSC_ASSIGN_OR_RETURN(Tensor column, unsqueeze(self, 1));
  return arith(Arith::Mul, column, vec2);
}

StatusOr<Tensor> tsc::cpu::addr(const Tensor &self, const Tensor &vec1, const Tensor &vec2, const Scalar &beta,
                                const Scalar &alpha) {
  if (vec1.dim() != 1)
    return invalidArgument("addr: Expected 1-D argument vec1, but got " + llvm::Twine(vec1.dim()) + "-D");
  if (vec2.dim() != 1)
    return invalidArgument("addr: Expected 1-D argument vec2, but got " + llvm::Twine(vec2.dim()) + "-D");
  TSC_RETURN_IF_ERROR(expand(self, {vec1.size(0), vec2.size(0)}).status());
  if (isFloating(self.dtype()) && self.dtype() == vec1.dtype() && self.dtype() == vec2.dtype() && !beta.isComplex() &&
      beta.toDouble() == 1) { // in one pass
    TSC_ASSIGN_OR_RETURN(Tensor column, unsqueeze(vec1, 1));
    return pointwise(PointwiseKind::Aten_addcmul,
                     {PointwiseArg(self), PointwiseArg(column), PointwiseArg(vec2), PointwiseArg(alpha)});
  }
  TSC_ASSIGN_OR_RETURN(Tensor out, outer(vec1, vec2));
  TSC_ASSIGN_OR_RETURN(out, toDType(out, promoteTypes(out.dtype(), self.dtype())));
  if (out.dtype() == DType::Bool) {
    TSC_ASSIGN_OR_RETURN(Tensor wide, toDType(out, DType::Int64));
    TSC_ASSIGN_OR_RETURN(wide, blend(self, beta, wide, alpha));
    return toDType(wide, DType::Bool);
  }
  return blend(self, beta, out, alpha);
}

StatusOr<Tensor> tsc::cpu::inner(const Tensor &self, const Tensor &other) {
  if (self.dim() == 0 || other.dim() == 0)
    return arith(Arith::Mul, self, other);
  if (self.sizes().back() != other.sizes().back())
    return invalidArgument("inner() the last dimension must match on both input tensors but got shapes " +
                           shapeString(self.sizes()) + " and " + shapeString(other.sizes()));
  return tensordot(self, other, {-1}, {-1});
}

/// The common small case: float rows against row-major weights. An undefined result means it does not apply.
static StatusOr<Tensor> linearFewRows(const Tensor &input, const Tensor &weight, const Tensor &bias) {
  int64_t k = weight.size(1), n = weight.size(0);
  if (input.dtype() != DType::Float || weight.dtype() != DType::Float || !input.isContiguous() ||
      !weight.isContiguous() || input.dim() == 0 || input.sizes().back() != k || k == 0 || input.numel() == 0 ||
      !takesDotProducts(input.numel() / k, n, k, k))
    return Tensor();
  if (bias.defined() && (bias.dtype() != DType::Float || bias.dim() != 1 || bias.size(0) != n || !bias.isContiguous()))
    return Tensor();
  Dims shape(input.sizes());
  shape.back() = n;
  TSC_ASSIGN_OR_RETURN(Tensor out, Tensor::empty(shape, DType::Float));
  linearRows(input.numel() / k, n, k, input.data<float>(), k, weight.data<float>(), k,
             bias.defined() ? bias.data<float>() : nullptr, out.mutableData<float>(), n);
  return out;
}

/// Rows of any number of dimensions against one matrix: a single tall product.
static StatusOr<Tensor> linearFolded(const Tensor &input, const Tensor &transposed, const Tensor &bias) {
  TSC_ASSIGN_OR_RETURN(const int64_t rows, elementCount(input.sizes().drop_back()));
  TSC_ASSIGN_OR_RETURN(Tensor tall, reshape(input, {rows, input.sizes().back()}));
  TSC_ASSIGN_OR_RETURN(Tensor out, addmm(bias, tall, transposed, Scalar(1), Scalar(1)));
  Dims shape(input.sizes().drop_back());
  shape.push_back(transposed.size(1));
  return view(out, shape);
}

/// As an in-place addition: the shape and dtype of the product stay.
static StatusOr<Tensor> addBias(const Tensor &product, const Tensor &bias) {
  TSC_ASSIGN_OR_RETURN(Tensor out, arith(Arith::Add, product, bias));
  if (out.sizes() != product.sizes())
    return invalidArgument("output with shape " + shapeString(product.sizes()) + " doesn't match the broadcast shape " +
                           shapeString(out.sizes()));
  TSC_RETURN_IF_ERROR(checkCast(out.dtype(), product.dtype()));
  return toDType(out, product.dtype());
}

StatusOr<Tensor> tsc::cpu::linear(const Tensor &input, const Tensor &weight, const Tensor &bias) {
  if (weight.dim() == 2) {
    TSC_ASSIGN_OR_RETURN(Tensor out, linearFewRows(input, weight, bias));
    if (out.defined())
      return out;
  }
  if (weight.dim() > 2)
    return invalidArgument("t() expects a tensor with <= 2 dimensions, but self is " + llvm::Twine(weight.dim()) + "D");
  if (input.dim() == 0)
    return invalidArgument("both arguments to linear need to be at least 1D, but they are 0D and " +
                           llvm::Twine(weight.dim()) + "D");
  TSC_ASSIGN_OR_RETURN(Tensor transposed, t(weight));
  if (bias.defined() && input.dim() == 2)
    return addmm(bias, input, transposed, Scalar(1), Scalar(1));
  const bool isRounded = isHalf(input) && bias.defined() && bias.dim() == 1; // once, with the bias
  if (bias.defined() && weight.dim() == 2 && (isRounded || (input.dim() == 3 && input.isContiguous())))
    return linearFolded(input, transposed, bias);
  TSC_ASSIGN_OR_RETURN(Tensor out, matmul(input, transposed));
  if (!bias.defined())
    return out;
  return addBias(out, bias);
}
