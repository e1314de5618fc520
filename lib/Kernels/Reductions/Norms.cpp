//===- Norms.cpp - Norms and distances ------------------------------------===//
//
// Norms of vectors are compositions of operators, so that fused code can give their
// bits; half types in float with one rounding. The rest computes in double and rounds
// once.
//
//===----------------------------------------------------------------------===//
#include "Distances.h"
#include "Normalization/Rows.h"
#include "Reduce.h"
#include "Support/Compute.h"
#include "tsc/Kernels/LinearAlgebra.h"
#include "tsc/Kernels/Normalization.h"
#include "tsc/Kernels/PointwiseOps.h"
#include "tsc/Kernels/Reductions.h"
#include "tsc/Kernels/StridedLoop.h"
#include "tsc/Support/ThreadPool.h"
#include "tsc/Tensor/DefaultDType.h"
#include "tsc/Tensor/Dispatch.h"
#include <cmath>
#include <limits>

using namespace tsc;
using namespace tsc::cpu;

using OptDims = std::optional<ArrayRef<int64_t>>;
using OptType = std::optional<DType>;

/// |self| in double.
static StatusOr<Tensor> magnitudes(const Tensor &self) {
  if (!isComplex(self.dtype()))
    return zip(self, self, DType::Double, [](double x, double) { return std::fabs(x); });
  TSC_ASSIGN_OR_RETURN(Tensor z, dense(self, DType::ComplexDouble));
  TSC_ASSIGN_OR_RETURN(Tensor out, Tensor::empty(self.sizes(), DType::Double));
  for (int64_t i = 0; i < z.numel(); ++i)
    out.mutableData<double>()[i] = std::abs(z.data<std::complex<double>>()[i]);
  return out;
}

/// Folds a dense double tensor over `dims` (all when empty): out = fold(out, x) from `start`.
template <typename Fn>
static StatusOr<Tensor> fold(const Tensor &x, ArrayRef<int64_t> dims, bool keepDim, double start, Fn fn) {
  llvm::SmallVector<bool, 5> reduced(x.dim(), dims.empty());
  for (int64_t d : dims) {
    TSC_ASSIGN_OR_RETURN(int64_t wrapped, wrapDim(d, x.dim()));
    if (x.dim() == 0)
      continue;
    if (reduced[wrapped])
      return invalidArgument("dim " + llvm::Twine(wrapped) + " appears multiple times in the list of dims");
    reduced[wrapped] = true;
  }
  Dims kept, squeezed, strides(x.dim(), 0);
  for (int64_t d = 0; d < x.dim(); ++d) {
    kept.push_back(reduced[d] ? 1 : x.size(d));
    if (!reduced[d])
      squeezed.push_back(x.size(d));
  }
  for (int64_t d = x.dim() - 1, step = 1; d >= 0; step *= kept[d], --d)
    strides[d] = reduced[d] ? 0 : step;
  TSC_ASSIGN_OR_RETURN(Tensor out, full(kept, Scalar(start), DType::Double));
  StridedLoop<2> loop(x.sizes());
  loop.operand(0, const_cast<void *>(x.data()), x.sizes(), x.strides(), sizeof(double));
  loop.operand(1, out.mutableData(), x.sizes(), strides, sizeof(double));
  loop.forEachRow(
      [&](char *const *p, const int64_t *s, int64_t count) {
        for (int64_t i = 0; i < count; ++i) {
          double &o = *reinterpret_cast<double *>(p[1] + i * s[1]);
          o = fn(o, *reinterpret_cast<const double *>(p[0] + i * s[0]));
        }
      },
      false);
  return keepDim ? StatusOr<Tensor>(out) : view(out, squeezed);
}

/// Whether these are the last dimensions, each once; none stand for all.
static bool areLast(const Tensor &x, ArrayRef<int64_t> dims) {
  llvm::SmallVector<bool, 5> folded(static_cast<size_t>(x.dim()), false);
  for (int64_t d : dims) {
    StatusOr<int64_t> wrapped = wrapDim(d, x.dim());
    if (!wrapped.ok() || x.dim() == 0 || folded[static_cast<size_t>(*wrapped)])
      return false;
    folded[static_cast<size_t>(*wrapped)] = true;
  }
  return llvm::all_of(ArrayRef<bool>(folded).take_back(dims.size()), [](bool f) { return f; });
}

/// A p-norm over dims, operator by operator: sums and powers, or extrema. `x` is Float or Double; the sign of its
/// elements does not matter.
static StatusOr<Tensor> foldNorm(const Tensor &x, double p, ArrayRef<int64_t> dims, bool keepDim) {
  using K = PointwiseKind;
  auto map = [](K kind, const Tensor &t, std::optional<double> number = std::nullopt) {
    return number ? pointwise(kind, {PointwiseArg(t), PointwiseArg(Scalar(*number))})
                  : pointwise(kind, {PointwiseArg(t)});
  };
  if (p == 2 && x.isContiguous() && x.numel() != 0 && areLast(x, dims)) {
    // The sums of squares of whole rows, in the order of the sum: as below, without the squares in memory.
    const size_t folded = dims.empty() ? static_cast<size_t>(x.dim()) : dims.size();
    Dims sizes(x.sizes().drop_back(folded));
    if (keepDim)
      sizes.append(folded, 1);
    TSC_ASSIGN_OR_RETURN(Tensor out, Tensor::empty(sizes, x.dtype()));
    const int64_t count = out.numel(), length = x.numel() / count;
    TSC_RETURN_IF_ERROR(dispatchFloatDouble(x.dtype(), [&](auto tag) {
      using T = typename decltype(tag)::Type;
      const T *from = x.data<T>();
      T *to = out.mutableData<T>();
      if (count == 1) {
        *to = std::sqrt(sumByChunks<T>(length, [&](int64_t begin, int64_t part) {
          return rows::kernels<T>().squaredDeviations(from + begin, T(0), {part});
        }));
        return;
      }
      parallelFor(0, count, std::max<int64_t>(1, parallelGrain / length), [&](int64_t begin, int64_t end) {
        for (int64_t i = begin; i != end; ++i)
          to[i] = std::sqrt(rows::kernels<T>().squaredDeviations(from + i * length, T(0), {length}));
      });
    }));
    return out;
  }
  if (p == 2) {
    TSC_ASSIGN_OR_RETURN(Tensor squares, pointwise(K::Aten_mul_Tensor, {PointwiseArg(x), PointwiseArg(x)}));
    TSC_ASSIGN_OR_RETURN(Tensor sum, sumDims(squares, dims, keepDim, std::nullopt));
    return map(K::Aten_sqrt, sum);
  }
  if (p == 0) {
    TSC_ASSIGN_OR_RETURN(Tensor present, map(K::Aten_ne_Scalar, x, 0));
    return sumDims(present, dims, keepDim, x.dtype());
  }
  TSC_ASSIGN_OR_RETURN(Tensor sizes, map(K::Aten_abs, x));
  if (std::isinf(p))
    return p > 0 ? amax(sizes, dims, keepDim) : amin(sizes, dims, keepDim);
  if (p == 1)
    return sumDims(sizes, dims, keepDim, std::nullopt);
  TSC_ASSIGN_OR_RETURN(Tensor powers, map(K::Aten_pow_Tensor_Scalar, sizes, p));
  TSC_ASSIGN_OR_RETURN(Tensor sum, sumDims(powers, dims, keepDim, std::nullopt));
  return map(K::Aten_pow_Tensor_Scalar, sum, 1 / p);
}

static Status checkNormOperand(const char *name, const Tensor &t) {
  if (isFloating(t.dtype()) || isComplex(t.dtype()))
    return okStatus();
  return invalidArgument(llvm::Twine(name) + ": Expected a floating point or complex tensor as input. Got " +
                         dtypeText(t.dtype()));
}

StatusOr<Tensor> tsc::cpu::vectorNorm(const Tensor &self, const Scalar &ord, OptDims dim, bool keepdim, OptType dtype) {
  TSC_RETURN_IF_ERROR(checkNormOperand("linalg.vector_norm", self));
  if (dtype && !isFloating(*dtype) && !isComplex(*dtype))
    return invalidArgument("linalg.vector_norm: dtype should be floating point or complex. Got " + dtypeText(*dtype));
  double p = ord.toDouble();
  ArrayRef<int64_t> dims = dim.value_or(ArrayRef<int64_t>());
  if (self.numel() == 0 && (p < 0 || p == INFINITY)) {
    bool whole = dims.empty() || self.dim() == 0;
    for (int64_t d : dims) {
      TSC_ASSIGN_OR_RETURN(int64_t wrapped, wrapDim(d, self.dim()));
      if (self.size(wrapped) == 0)
        return invalidArgument("linalg.vector_norm cannot compute the " +
                               (p == INFINITY ? std::string("inf") : std::to_string(p)) + " norm on the dimension " +
                               llvm::Twine(wrapped) +
                               "because this dimension is empty and the operation does not have an identity");
    }
    if (whole)
      return invalidArgument("linalg.vector_norm cannot compute the " +
                             (p == INFINITY ? std::string("inf") : std::to_string(p)) +
                             " norm on an empty tensor because the operation does not have an identity");
  }
  Tensor x = self;
  if (dtype) {
    TSC_ASSIGN_OR_RETURN(x, toDType(self, *dtype));
  }
  if (isComplex(x.dtype())) {
    TSC_ASSIGN_OR_RETURN(x, magnitudes(x));
  } else {
    TSC_ASSIGN_OR_RETURN(x, toDType(x, workType(x.dtype())));
  }
  TSC_ASSIGN_OR_RETURN(Tensor out, foldNorm(x, p, dims, keepdim));
  return toDType(out, toRealDType(dtype.value_or(self.dtype())));
}

/// Largest, smallest or summed singular values of the matrices in dims (d0, d1).
static StatusOr<Tensor> singularValueNorm(const Tensor &self, int64_t d0, int64_t d1, bool keepDim, double start,
                                          double (*fn)(double, double)) {
  Dims order;
  for (int64_t d = 0; d < self.dim(); ++d)
    if (d != d0 && d != d1)
      order.push_back(d);
  order.append({d0, d1});
  TSC_ASSIGN_OR_RETURN(Tensor matrices, permute(self, order));
  TSC_ASSIGN_OR_RETURN(Tensor values, svdvals(matrices, std::nullopt));
  TSC_ASSIGN_OR_RETURN(values, dense(values, DType::Double));
  TSC_ASSIGN_OR_RETURN(Tensor out, fold(values, {-1}, false, start, fn));
  if (keepDim)
    for (int64_t d : {std::min(d0, d1), std::max(d0, d1)}) {
      TSC_ASSIGN_OR_RETURN(out, unsqueeze(out, d));
    }
  return toDType(out, toRealDType(self.dtype()));
}

struct MatrixDims {
  int64_t first, second;
};

static StatusOr<MatrixDims> matrixDims(const Tensor &a, ArrayRef<int64_t> dim) {
  TSC_RETURN_IF_ERROR(checkNormOperand("linalg.matrix_norm", a));
  if (a.dim() < 2)
    return invalidArgument("linalg.matrix_norm: The input tensor A must have at least 2 dimensions.");
  if (dim.size() != 2)
    return invalidArgument("linalg.matrix_norm: dim must be a 2-tuple. Got " + shapeString(dim));
  TSC_ASSIGN_OR_RETURN(int64_t d0, wrapDim(dim[0], a.dim()));
  TSC_ASSIGN_OR_RETURN(int64_t d1, wrapDim(dim[1], a.dim()));
  if (d0 == d1)
    return invalidArgument("linalg.matrix_norm: dims must be different. Got (" + llvm::Twine(dim[0]) + ", " +
                           llvm::Twine(dim[1]) + ")");
  return MatrixDims{d0, d1};
}

static double larger(double a, double b) { return a != a || b != b ? NAN : std::max(a, b); }
static double smaller(double a, double b) { return a != a || b != b ? NAN : std::min(a, b); }
static double plus(double a, double b) { return a + b; }

StatusOr<Tensor> tsc::cpu::matrixNorm(const Tensor &self, const Scalar &ord, ArrayRef<int64_t> dim, bool keepdim,
                                      OptType dtype) {
  TSC_ASSIGN_OR_RETURN(MatrixDims d, matrixDims(self, dim));
  double p = ord.toDouble(), size = std::fabs(p);
  if (size != 1 && size != 2 && size != INFINITY)
    return invalidArgument("linalg.matrix_norm: Order " + llvm::Twine(std::to_string(p)) + " not supported.");
  Tensor x = self;
  if (dtype) {
    TSC_ASSIGN_OR_RETURN(x, toDType(self, *dtype));
  }
  if (size == 2)
    return singularValueNorm(x, d.first, d.second, keepdim, p > 0 ? 0 : INFINITY, p > 0 ? larger : smaller);
  // Sums along one dimension, then the largest or smallest along the other.
  int64_t summed = size == 1 ? d.first : d.second, kept = size == 1 ? d.second : d.first;
  TSC_ASSIGN_OR_RETURN(Tensor sizes, magnitudes(x));
  TSC_ASSIGN_OR_RETURN(sizes, fold(sizes, {summed}, true, 0, plus));
  TSC_ASSIGN_OR_RETURN(sizes,
                       p > 0 ? fold(sizes, {kept}, true, 0, larger) : fold(sizes, {kept}, true, INFINITY, smaller));
  if (!keepdim)
    for (int64_t gone : {std::max(d.first, d.second), std::min(d.first, d.second)}) {
      TSC_ASSIGN_OR_RETURN(sizes, squeezeDim(sizes, gone));
    }
  return toDType(sizes, toRealDType(x.dtype()));
}

StatusOr<Tensor> tsc::cpu::matrixNormStr(const Tensor &self, llvm::StringRef ord, ArrayRef<int64_t> dim, bool keepdim,
                                         OptType dtype) {
  TSC_ASSIGN_OR_RETURN(MatrixDims d, matrixDims(self, dim));
  if (ord != "fro" && ord != "nuc")
    return invalidArgument("linalg.matrix_norm: Order " + ord + " not supported.");
  if (ord == "fro")
    return vectorNorm(self, Scalar(2), Dims{d.first, d.second}, keepdim, dtype);
  Tensor x = self;
  if (dtype) {
    TSC_ASSIGN_OR_RETURN(x, toDType(self, *dtype));
  }
  return singularValueNorm(x, d.first, d.second, keepdim, 0, plus);
}

StatusOr<Tensor> tsc::cpu::linalgNorm(const Tensor &self, std::optional<Scalar> ord, OptDims dim, bool keepdim,
                                      OptType dtype) {
  if (dim && dim->size() != 1 && dim->size() != 2)
    return invalidArgument("linalg.norm: If dim is specified, it must be of length 1 or 2. Got " + shapeString(*dim));
  if (!dim && ord && self.dim() != 1 && self.dim() != 2)
    return invalidArgument("linalg.norm: If dim is not specified but ord is, the input must be 1D or 2D. Got " +
                           llvm::Twine(self.dim()) + "D.");
  if (ord && ((dim && dim->size() == 2) || (!dim && self.dim() == 2)))
    return matrixNorm(self, *ord, dim ? *dim : ArrayRef<int64_t>({0, 1}), keepdim, dtype);
  return vectorNorm(self, ord.value_or(Scalar(2)), dim, keepdim, dtype);
}

StatusOr<Tensor> tsc::cpu::linalgNormStr(const Tensor &self, llvm::StringRef ord, OptDims dim, bool keepdim,
                                         OptType dtype) {
  if (dim && dim->size() != 1 && dim->size() != 2)
    return invalidArgument("linalg.norm: If dim is specified, it must be of length 1 or 2. Got " + shapeString(*dim));
  if (!dim && self.dim() != 1 && self.dim() != 2)
    return invalidArgument("linalg.norm: If dim is not specified but ord is, the input must be 1D or 2D. Got " +
                           llvm::Twine(self.dim()) + "D.");
  return matrixNormStr(self, ord, dim ? *dim : ArrayRef<int64_t>({0, 1}), keepdim, dtype);
}

StatusOr<Tensor> tsc::cpu::normScalar(const Tensor &self, const Scalar &p) {
  return vectorNorm(self, p, std::nullopt, false, std::nullopt);
}
StatusOr<Tensor> tsc::cpu::normDType(const Tensor &self, std::optional<Scalar> p, DType dtype) {
  return normDimDType(self, p, {}, false, dtype);
}
StatusOr<Tensor> tsc::cpu::normDim(const Tensor &self, std::optional<Scalar> p, ArrayRef<int64_t> dim, bool keepdim) {
  return vectorNorm(self, p.value_or(Scalar(2)), dim, keepdim, std::nullopt);
}
StatusOr<Tensor> tsc::cpu::normDimDType(const Tensor &self, std::optional<Scalar> p, ArrayRef<int64_t> dim,
                                        bool keepdim, DType dtype) {
  Tensor x = self; // may hold integers, unlike linalg.vector_norm's
  if (isFloating(dtype) || isComplex(dtype)) {
    TSC_ASSIGN_OR_RETURN(x, toDType(self, dtype));
  }
  return vectorNorm(x, p.value_or(Scalar(2)), dim, keepdim, dtype);
}
StatusOr<Tensor> tsc::cpu::frobeniusNorm(const Tensor &self) {
  return vectorNorm(self, Scalar(2), std::nullopt, false, std::nullopt);
}
StatusOr<Tensor> tsc::cpu::frobeniusNormDim(const Tensor &self, ArrayRef<int64_t> dim, bool keepdim) {
  if (dim.size() > 2)
    return invalidArgument("Expected at most 2 dimensions, but got " + llvm::Twine(dim.size()) +
                           " dimensions instead.");
  return vectorNorm(self, Scalar(2), dim, keepdim, std::nullopt);
}
StatusOr<Tensor> tsc::cpu::nuclearNorm(const Tensor &self, bool keepdim) {
  if (self.dim() != 2)
    return invalidArgument("Expected a tensor with 2 dimensions, but got a tensor with " + llvm::Twine(self.dim()) +
                           " dimension" + (self.dim() == 1 ? "" : "s") + " instead.");
  return matrixNormStr(self, "nuc", {0, 1}, keepdim, std::nullopt);
}
StatusOr<Tensor> tsc::cpu::nuclearNormDim(const Tensor &self, ArrayRef<int64_t> dim, bool keepdim) {
  if (dim.size() != 2)
    return invalidArgument("nuclear norm requires a 'dim' argument of size 2");
  return matrixNormStr(self, "nuc", dim, keepdim, std::nullopt);
}

StatusOr<Tensor> tsc::cpu::renorm(const Tensor &self, const Scalar &p, int64_t dim, const Scalar &maxnorm) {
  double power = p.toDouble(), limit = maxnorm.toDouble();
  if (!(power > 0))
    return invalidArgument("non-positive-norm not supported");
  if (limit < 0)
    return invalidArgument("renorm: expected maxnorm to be >= 0 but got " + std::to_string(limit));
  if (self.dim() < 2)
    return invalidArgument("renorm: input needs at least 2 dimensions, got " + llvm::Twine(self.dim()) + " dimensions");
  TSC_ASSIGN_OR_RETURN(dim, wrapDim(dim, self.dim()));
  Dims others;
  for (int64_t d = 0; d < self.dim(); ++d)
    if (d != dim)
      others.push_back(d);
  TSC_ASSIGN_OR_RETURN(Tensor norms, vectorNorm(self, p, others, true, std::nullopt));
  TSC_ASSIGN_OR_RETURN(Tensor factors, zip(norms, norms, norms.dtype(),
                                           [=](double n, double) { return n > limit ? limit / (n + 1e-7) : 1.0; }));
  return arith(Arith::Mul, self, factors);
}

StatusOr<Tensor> tsc::cpu::dist(const Tensor &self, const Tensor &other, const Scalar &p) {
  TSC_ASSIGN_OR_RETURN(Tensor difference, arith(Arith::Sub, self, other));
  return normScalar(difference, p);
}

static distances::Norm normOf(double p) {
  return p == 0          ? distances::Norm::Zero
         : p == 1        ? distances::Norm::One
         : p == 2        ? distances::Norm::Two
         : p == INFINITY ? distances::Norm::Largest
                         : distances::Norm::Power;
}

StatusOr<Tensor> tsc::cpu::cdist(const Tensor &x1, const Tensor &x2, double p, std::optional<int64_t> computeMode) {
  if (x1.dim() < 2)
    return invalidArgument("cdist only supports at least 2D tensors, X1 got: " + llvm::Twine(x1.dim()) + "D");
  if (x2.dim() < 2)
    return invalidArgument("cdist only supports at least 2D tensors, X2 got: " + llvm::Twine(x2.dim()) + "D");
  int64_t n = x1.sizes().back();
  if (n != x2.sizes().back())
    return invalidArgument("X1 and X2 must have the same number of columns. X1: " + llvm::Twine(n) +
                           " X2: " + llvm::Twine(x2.sizes().back()));
  if (p < 0 || std::isnan(p))
    return invalidArgument("cdist only supports non-negative p values");
  if (computeMode && (*computeMode < 0 || *computeMode > 2))
    return invalidArgument("possible modes: 0, 1, 2, but was: " + llvm::Twine(*computeMode));
  TSC_RETURN_IF_ERROR(checkSameDType(x1, x2));
  TSC_ASSIGN_OR_RETURN(Dims batch, broadcastShapes(x1.sizes().drop_back(2), x2.sizes().drop_back(2)));
  const DType type = floatingDType(x1.dtype()), work = workType(type);
  auto prepared = [&](const Tensor &x) -> StatusOr<Tensor> {
    Dims shape = batch;
    shape.append({x.size(x.dim() - 2), n});
    TSC_ASSIGN_OR_RETURN(Tensor wide, expand(x, shape));
    return dense(wide, work);
  };
  TSC_ASSIGN_OR_RETURN(Tensor a, prepared(x1));
  TSC_ASSIGN_OR_RETURN(Tensor b, prepared(x2));
  TSC_ASSIGN_OR_RETURN(b, transpose(b, -2, -1));
  TSC_ASSIGN_OR_RETURN(b, contiguous(b));
  const int64_t rows = x1.size(x1.dim() - 2), columns = x2.size(x2.dim() - 2);
  TSC_ASSIGN_OR_RETURN(const int64_t batches, elementCount(batch));
  Dims shape = batch;
  shape.append({rows, columns});
  TSC_ASSIGN_OR_RETURN(Tensor out, Tensor::empty(shape, work));
  TSC_RETURN_IF_ERROR(dispatchFloatDouble(work, [&](auto tag) {
    using T = typename decltype(tag)::Type;
    const auto kernel = distances::kernel<T>();
    constexpr int64_t leastWork = 1 << 16; // for which another thread is worth it
    const int64_t grain = std::max<int64_t>(1, leastWork / std::max<int64_t>(1, columns * n));
    const T *from = a.data<T>(), *others = b.data<T>();
    T *to = out.mutableData<T>();
    parallelFor(0, batches * rows, grain, [&](int64_t begin, int64_t end) {
      work::LongLoop turns(1 + columns * (n / 16));
      for (int64_t r = begin; r != end && turns.goOn(); ++r)
        kernel(normOf(p), {from + r * n, others + r / rows * n * columns, to + r * columns, n, columns, columns,
                           static_cast<T>(p)});
    });
  }));
  return toDType(out, type);
}
StatusOr<Tensor> tsc::cpu::cdistForward(const Tensor &x1, const Tensor &x2, double p,
                                        std::optional<int64_t> computeMode) {
  return cdist(x1, x2, p, computeMode);
}
StatusOr<Tensor> tsc::cpu::euclideanDist(const Tensor &x1, const Tensor &x2) { return cdist(x1, x2, 2, std::nullopt); }

StatusOr<Tensor> tsc::cpu::pdist(const Tensor &self, double p) {
  if (self.dim() != 2)
    return invalidArgument("pdist only supports 2D tensors, got: " + llvm::Twine(self.dim()) + "D");
  if (!isFloating(self.dtype()))
    return invalidArgument("pdist only supports floating-point dtypes");
  if (p < 0)
    return invalidArgument("pdist only supports non-negative p values");
  TSC_ASSIGN_OR_RETURN(Tensor x, dense(self, workType(self.dtype())));
  const int64_t rows = self.size(0), n = self.size(1);
  TSC_ASSIGN_OR_RETURN(Tensor columns, transpose(x, 0, 1));
  TSC_ASSIGN_OR_RETURN(columns, contiguous(columns));
  TSC_ASSIGN_OR_RETURN(Tensor out, Tensor::empty({rows < 2 ? 0 : rows * (rows - 1) / 2}, x.dtype()));
  TSC_RETURN_IF_ERROR(dispatchFloatDouble(x.dtype(), [&](auto tag) {
    using T = typename decltype(tag)::Type;
    T *to = out.mutableData<T>();
    work::LongLoop turns(1 + rows * (n / 16));
    for (int64_t i = 0, others = rows - 1; others > 0 && turns.goOn(); ++i, to += others--)
      distances::kernel<T>()(normOf(p),
                             {x.data<T>() + i * n, columns.data<T>() + i + 1, to, n, others, rows, static_cast<T>(p)});
  }));
  return toDType(out, self.dtype());
}

StatusOr<Tensor> tsc::cpu::pairwiseDistance(const Tensor &x1, const Tensor &x2, double p, double eps, bool keepdim) {
  TSC_ASSIGN_OR_RETURN(Tensor difference, arith(Arith::Sub, x1, x2));
  int64_t last = std::max(x1.dim(), x2.dim()) - 1;
  if (isComplex(difference.dtype())) {
    TSC_ASSIGN_OR_RETURN(Tensor shift, Tensor::scalar(Scalar(eps), difference.dtype()));
    TSC_ASSIGN_OR_RETURN(difference, arith(Arith::Add, difference, shift));
    return vectorNorm(difference, Scalar(p), Dims{last}, keepdim, std::nullopt);
  }
  DType type = floatingDType(difference.dtype());
  if (difference.dtype() == DType::Float || difference.dtype() == DType::Double) {
    TSC_RETURN_IF_ERROR(
        pointwiseInPlace(PointwiseKind::Aten_add_Scalar, difference,
                         {PointwiseArg(difference), PointwiseArg(Scalar(eps)), PointwiseArg(Scalar(1))}));
  } else {
    TSC_ASSIGN_OR_RETURN(difference, zip(difference, difference, type, [=](double d, double) { return d + eps; }));
  }
  return vectorNorm(difference, Scalar(p), Dims{last}, keepdim, std::nullopt);
}

StatusOr<Tensor> tsc::cpu::cosineSimilarity(const Tensor &x1, const Tensor &x2, int64_t dim, double eps) {
  DType type = resultType(x1, x2);
  if (!isFloating(type))
    return invalidArgument("expected common dtype to be floating point, yet common dtype is " + dtypeText(type));
  TSC_ASSIGN_OR_RETURN(Dims shape, broadcastShapes(x1.sizes(), x2.sizes()));
  TSC_ASSIGN_OR_RETURN(Tensor a, expand(x1, shape));
  TSC_ASSIGN_OR_RETURN(Tensor b, expand(x2, shape));
  TSC_ASSIGN_OR_RETURN(int64_t last, wrapDim(dim, a.dim()));
  const bool isFloatOrDouble = type == DType::Float || type == DType::Double;
  if (isFloatOrDouble && a.dtype() == type && b.dtype() == type && a.isContiguous() && b.isContiguous() &&
      a.dim() != 0 && last == a.dim() - 1) {
    TSC_ASSIGN_OR_RETURN(Tensor out, Tensor::empty(a.sizes().drop_back(), type));
    const int64_t length = a.sizes().back();
    TSC_RETURN_IF_ERROR(dispatchFloatDouble(type, [&](auto tag) {
      using T = typename decltype(tag)::Type;
      const T *x = a.data<T>(), *y = b.data<T>();
      T *to = out.mutableData<T>();
      const auto dot = rows::kernels<T>().dot;
      parallelFor(0, out.numel(), std::max<int64_t>(1, parallelGrain / std::max<int64_t>(1, length)),
                  [&](int64_t begin, int64_t end) {
                    for (int64_t i = begin; i != end; ++i) {
                      const T *p = x + i * length, *q = y + i * length;
                      const double size1 = std::max(std::sqrt(static_cast<double>(dot(p, p, length))), eps);
                      const double size2 = std::max(std::sqrt(static_cast<double>(dot(q, q, length))), eps);
                      to[i] = static_cast<T>(dot(p, q, length) / (size1 * size2));
                    }
                  });
    }));
    return out;
  }
  auto sumOfProducts = [&](const Tensor &x, const Tensor &y) -> StatusOr<Tensor> {
    TSC_ASSIGN_OR_RETURN(Tensor product, zip(x, y, DType::Double, [](double p, double q) { return p * q; }));
    return sumOver(product, {dim}, false);
  };
  TSC_ASSIGN_OR_RETURN(Tensor dot, sumOfProducts(a, b));
  TSC_ASSIGN_OR_RETURN(Tensor square1, sumOfProducts(a, a));
  TSC_ASSIGN_OR_RETURN(Tensor square2, sumOfProducts(b, b));
  TSC_ASSIGN_OR_RETURN(Tensor size, zip(square1, square2, DType::Double, [=](double x, double y) {
                         return std::max(std::sqrt(x), eps) * std::max(std::sqrt(y), eps);
                       }));
  return zip(dot, size, type, [](double d, double n) { return d / n; });
}

StatusOr<std::tuple<Tensor, Tensor>> tsc::cpu::weightNormInterface(const Tensor &v, const Tensor &g, int64_t dim) {
  Dims others;
  if (dim != -1) {
    TSC_ASSIGN_OR_RETURN(dim, wrapDim(dim, v.dim()));
    for (int64_t d = 0; d < v.dim(); ++d)
      if (d != dim)
        others.push_back(d);
  }
  Tensor norm;
  if (dim != -1 && others.empty()) { // every element is a slice of its own
    TSC_ASSIGN_OR_RETURN(norm, zip(v, v, v.dtype(), [](double x, double) { return std::fabs(x); }));
  } else {
    TSC_ASSIGN_OR_RETURN(norm, vectorNorm(v, Scalar(2), others, dim != -1, std::nullopt));
  }
  TSC_ASSIGN_OR_RETURN(Tensor factor, arith(Arith::Div, g, norm));
  TSC_ASSIGN_OR_RETURN(Tensor out, arith(Arith::Mul, v, factor));
  return std::make_tuple(out, norm);
}

StatusOr<Tensor> tsc::cpu::weightNorm(const Tensor &v, const Tensor &g, int64_t dim) {
  TSC_ASSIGN_OR_RETURN(auto both, weightNormInterface(v, g, dim));
  return std::get<0>(both);
}
