//===- SparseCompute.cpp - Products, sums and point-wise operators --------===//
#include "SparseSupport.h"
#include "Support/Compute.h"
#include "tsc/Kernels/Indexing.h"
#include "tsc/Kernels/PointwiseOps.h"
#include "tsc/Kernels/Reductions.h"
#include "tsc/Kernels/Sparse.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/STLExtras.h"
#include <cmath>
#include <map>

using namespace tsc;
using namespace tsc::cpu;

//===----------------------------------------------------------------------===//
// Products
//===----------------------------------------------------------------------===//

/// A matrix of sparse rows and columns.
static StatusOr<const SparseParts *> matrixParts(const Tensor &self) {
  TSC_ASSIGN_OR_RETURN(const SparseParts *parts, partsOf(self, "sparse.mm"));
  if (parts->indices.size(0) != 2 || parts->values.dim() != 1)
    return invalidArgument("addmm: 2-D matrices expected, got " + llvm::Twine(self.dim()) + "D tensor with " +
                           llvm::Twine(parts->indices.size(0)) + " sparse dimensions");
  return parts;
}

static Status checkProduct(const Tensor &a, const Tensor &b) {
  if (b.dim() != 2)
    return invalidArgument("addmm: 2-D matrices expected, got " + llvm::Twine(b.dim()) + "D tensor");
  if (a.size(1) != b.size(0))
    return invalidArgument("mat1 and mat2 shapes cannot be multiplied (" + llvm::Twine(a.size(0)) + "x" +
                           llvm::Twine(a.size(1)) + " and " + llvm::Twine(b.size(0)) + "x" + llvm::Twine(b.size(1)) +
                           ")");
  if (elementDType(a) != elementDType(b))
    return invalidArgument("expected m1 and m2 to have the same dtype, but got: " + irName(elementDType(a)) +
                           " != " + irName(elementDType(b)));
  return okStatus();
}

/// Adds each element times a row of the dense matrix to a row of the result.
template <typename T>
static void addRows(const SparseParts &parts, const Tensor &values, const Tensor &dense, const Tensor &result) {
  const int64_t count = parts.indices.size(1), width = dense.size(1);
  const int64_t *rows = parts.indices.data<int64_t>(), *columns = rows + count;
  const T *numbers = values.data<T>(), *from = dense.data<T>();
  T *to = result.mutableData<T>();
  for (int64_t i = 0; i != count; ++i) {
    const T factor = numbers[i];
    const T *source = from + columns[i] * width;
    T *target = to + rows[i] * width;
    for (int64_t j = 0; j != width; ++j)
      target[j] += factor * source[j];
  }
}

static StatusOr<Tensor> timesDense(const Tensor &sparse, const Tensor &dense) {
  TSC_ASSIGN_OR_RETURN(const SparseParts *parts, matrixParts(sparse));
  TSC_RETURN_IF_ERROR(checkProduct(sparse, dense));
  const DType dtype = workType(dense.dtype());
  TSC_ASSIGN_OR_RETURN(Tensor rows, tsc::cpu::dense(dense, dtype));
  TSC_ASSIGN_OR_RETURN(Tensor values, tsc::cpu::dense(parts->values, dtype));
  SparseParts ordered;
  TSC_ASSIGN_OR_RETURN(ordered.indices, contiguous(parts->indices));
  TSC_RETURN_IF_ERROR(checkIndices(ordered.indices, sparse.sizes()));
  TSC_ASSIGN_OR_RETURN(Tensor result, Tensor::full({sparse.size(0), dense.size(1)}, Scalar(0), dtype));
  TSC_RETURN_IF_ERROR(dispatchFloatingAndComplex(
      dtype,
      [&](auto tag) {
        using T = typename decltype(tag)::Type;
        if constexpr (!isHalfType<T>)
          addRows<T>(ordered, values, rows, result);
      },
      "addmm_sparse_dense"));
  return toDType(result, dense.dtype());
}

/// Both sparse: rows of the second by their number, summed in order of columns.
static StatusOr<Tensor> timesSparse(const Tensor &a, const Tensor &b) {
  TSC_RETURN_IF_ERROR(matrixParts(a).status());
  TSC_RETURN_IF_ERROR(matrixParts(b).status());
  TSC_RETURN_IF_ERROR(checkProduct(a, b));
  const DType dtype = elementDType(a);
  if (dtype != DType::Float && dtype != DType::Double)
    return invalidArgument("\"sparse_matmul\" not implemented for '" + irName(dtype) + "'");
  TSC_ASSIGN_OR_RETURN(Tensor left, coalesce(a));
  TSC_ASSIGN_OR_RETURN(Tensor right, coalesce(b));
  const SparseParts &l = *sparseOf(left), &r = *sparseOf(right);
  TSC_ASSIGN_OR_RETURN(Tensor leftIndices, contiguous(l.indices));
  TSC_ASSIGN_OR_RETURN(Tensor rightIndices, contiguous(r.indices));
  TSC_RETURN_IF_ERROR(checkIndices(leftIndices, a.sizes()));
  TSC_RETURN_IF_ERROR(checkIndices(rightIndices, b.sizes()));
  TSC_ASSIGN_OR_RETURN(Tensor leftValues, tsc::cpu::dense(l.values, DType::Double));
  TSC_ASSIGN_OR_RETURN(Tensor rightValues, tsc::cpu::dense(r.values, DType::Double));
  const int64_t leftCount = leftIndices.size(1), rightCount = rightIndices.size(1);
  const int64_t *leftRows = leftIndices.data<int64_t>(), *rightRows = rightIndices.data<int64_t>();
  std::vector<int64_t> rows, columns;
  std::vector<double> values;
  for (int64_t i = 0; i < leftCount;) {
    const int64_t row = leftRows[i];
    std::map<int64_t, double> sums;
    for (; i < leftCount && leftRows[i] == row; ++i) {
      const int64_t inner = leftRows[leftCount + i];
      const int64_t *first = std::lower_bound(rightRows, rightRows + rightCount, inner);
      for (int64_t j = first - rightRows; j < rightCount && rightRows[j] == inner; ++j)
        sums[rightRows[rightCount + j]] += leftValues.data<double>()[i] * rightValues.data<double>()[j];
    }
    for (auto [column, value] : sums) {
      rows.push_back(row);
      columns.push_back(column);
      values.push_back(value);
    }
  }
  const auto count = static_cast<int64_t>(rows.size());
  rows.insert(rows.end(), columns.begin(), columns.end());
  TSC_ASSIGN_OR_RETURN(Tensor indices, Tensor::fromSpan<int64_t>(rows, {2, count}));
  TSC_ASSIGN_OR_RETURN(Tensor numbers, Tensor::fromSpan<double>(values, {count}));
  TSC_ASSIGN_OR_RETURN(numbers, toDType(numbers, dtype));
  return makeSparse({a.size(0), b.size(1)}, indices, numbers, true);
}

StatusOr<Tensor> cpu::sparseMm(const Tensor &sparse, const Tensor &dense) {
  if (sparseOf(sparse) && sparseOf(dense))
    return timesSparse(sparse, dense);
  if (sparseOf(sparse))
    return timesDense(sparse, dense);
  if (!sparseOf(dense))
    return invalidArgument("sparse.mm expected a sparse matrix");
  // (A B)' = B' A'
  if (sparse.dim() != 2)
    return invalidArgument("addmm: 2-D matrices expected, got " + llvm::Twine(sparse.dim()) + "D tensor");
  TSC_ASSIGN_OR_RETURN(Tensor right, sparseTranspose(dense, 0, 1));
  TSC_ASSIGN_OR_RETURN(Tensor left, transpose(sparse, 0, 1));
  TSC_ASSIGN_OR_RETURN(Tensor product, timesDense(right, left));
  return transpose(product, 0, 1);
}

//===----------------------------------------------------------------------===//
// Sums, softmax, masks
//===----------------------------------------------------------------------===//

StatusOr<Tensor> cpu::sparseSum(const Tensor &self) {
  TSC_ASSIGN_OR_RETURN(const SparseParts *parts, partsOf(self, "_sparse_sum"));
  return sum(parts->values, std::nullopt);
}

StatusOr<Tensor> cpu::sparseSumDims(const Tensor &self, ArrayRef<int64_t> dims) {
  TSC_ASSIGN_OR_RETURN(const SparseParts *parts, partsOf(self, "_sparse_sum"));
  const int64_t sparse = parts->indices.size(0);
  if (dims.empty())
    return invalidArgument("_sparse_sum expected a dimension");
  std::vector<bool> isSummed(self.dim());
  for (int64_t dim : dims) {
    TSC_ASSIGN_OR_RETURN(int64_t at, wrapDim(dim, self.dim()));
    if (isSummed[at])
      return invalidArgument("dim " + llvm::Twine(at) + " appears multiple times in the list of dims");
    isSummed[at] = true;
  }
  Tensor values = parts->values;
  std::vector<int64_t> inner, kept;
  Dims sizes;
  for (int64_t dim = 0; dim != self.dim(); ++dim) {
    if (dim < sparse && !isSummed[dim])
      kept.push_back(dim);
    if (dim >= sparse && isSummed[dim])
      inner.push_back(dim - sparse + 1);
    if (!isSummed[dim])
      sizes.push_back(self.size(dim));
  }
  if (kept.empty())
    inner.push_back(0);
  if (!inner.empty()) {
    TSC_ASSIGN_OR_RETURN(values, sumOver(values, inner, false));
  }
  if (kept.empty())
    return values;
  TSC_ASSIGN_OR_RETURN(Tensor lines, Tensor::fromSpan<int64_t>(kept, {static_cast<int64_t>(kept.size())}));
  TSC_ASSIGN_OR_RETURN(Tensor indices, indexSelect(parts->indices, 0, lines));
  const bool isCoalesced = parts->isCoalesced && static_cast<int64_t>(kept.size()) == sparse;
  TSC_ASSIGN_OR_RETURN(Tensor result, makeSparse(sizes, indices, values, isCoalesced));
  return coalesce(result);
}

/// Of the elements that are there, each line along a sparse dimension by itself.
static StatusOr<Tensor> softmaxOfPresent(const Tensor &self, int64_t dim, std::optional<DType> dtype, bool isLog) {
  TSC_RETURN_IF_ERROR(partsOf(self, "sparse.softmax").status());
  TSC_ASSIGN_OR_RETURN(Tensor ordered, coalesce(self));
  const SparseParts &parts = *sparseOf(ordered);
  TSC_ASSIGN_OR_RETURN(dim, wrapDim(dim, self.dim()));
  const int64_t sparse = parts.indices.size(0), count = parts.indices.size(1);
  const DType wanted = dtype.value_or(parts.values.dtype());
  if (wanted != DType::Float && wanted != DType::Double)
    return invalidArgument("\"softmax\" not implemented for '" + irName(wanted) + "'");
  TSC_ASSIGN_OR_RETURN(Tensor from, tsc::cpu::dense(parts.values, DType::Double));
  TSC_ASSIGN_OR_RETURN(Tensor result, clone(from));
  if (dim >= sparse)
    return unimplemented("softmax of a sparse tensor along a dense dimension");
  Dims sizes(self.sizes().take_front(sparse));
  Tensor lines = parts.indices;
  TSC_ASSIGN_OR_RETURN(lines, clone(lines));
  std::fill_n(lines.mutableData<int64_t>() + dim * count, count, 0);
  TSC_ASSIGN_OR_RETURN(std::vector<int64_t> groups, placesOf(lines, sizes));
  const int64_t width = count ? from.numel() / count : 0;
  const double *x = from.data<double>();
  auto *y = result.mutableData<double>();
  for (int64_t column = 0; column != width; ++column) {
    llvm::DenseMap<int64_t, std::pair<double, double>> totals; // the largest, and the sum
    for (int64_t i = 0; i != count; ++i) {
      auto [at, isNew] = totals.try_emplace(groups[i], std::pair(x[i * width + column], 0.0));
      at->second.first = std::max(at->second.first, x[i * width + column]);
    }
    for (int64_t i = 0; i != count; ++i) {
      auto &[largest, sum] = totals[groups[i]];
      sum += std::exp(x[i * width + column] - largest);
    }
    for (int64_t i = 0; i != count; ++i) {
      auto [largest, sum] = totals[groups[i]];
      const double moved = x[i * width + column] - largest;
      y[i * width + column] = isLog ? moved - std::log(sum) : std::exp(moved) / sum;
    }
  }
  TSC_ASSIGN_OR_RETURN(result, toDType(result, wanted));
  return makeSparse(self.sizes(), parts.indices, result, true);
}

StatusOr<Tensor> cpu::sparseSoftmax(const Tensor &self, int64_t dim, std::optional<DType> dtype) {
  return softmaxOfPresent(self, dim, dtype, false);
}
StatusOr<Tensor> cpu::sparseLogSoftmax(const Tensor &self, int64_t dim, std::optional<DType> dtype) {
  return softmaxOfPresent(self, dim, dtype, true);
}

/// The elements of a dense tensor at the places of a sparse one.
static StatusOr<Tensor> valuesAt(const Tensor &dense, const SparseParts &parts) {
  const int64_t sparse = parts.indices.size(0);
  TSC_ASSIGN_OR_RETURN(std::vector<int64_t> places, placesOf(parts.indices, dense.sizes().take_front(sparse)));
  Dims slices{1};
  for (int64_t size : dense.sizes().take_front(sparse))
    slices[0] *= size;
  slices.append(dense.sizes().begin() + sparse, dense.sizes().end());
  TSC_ASSIGN_OR_RETURN(Tensor flat, reshape(dense, slices));
  TSC_ASSIGN_OR_RETURN(Tensor which, Tensor::fromSpan<int64_t>(places, {static_cast<int64_t>(places.size())}));
  return indexSelect(flat, 0, which);
}

StatusOr<Tensor> cpu::sparseMask(const Tensor &self, const Tensor &mask) {
  TSC_ASSIGN_OR_RETURN(const SparseParts *parts, partsOf(mask, "sparse_mask"));
  if (self.sizes() != mask.sizes())
    return invalidArgument("sparse_mask(): operands have incompatible sizes; self has size " +
                           shapeString(self.sizes()) + " but mask has size " + shapeString(mask.sizes()));
  if (self.dtype() == DType::Opaque)
    return unimplemented("sparse_mask of a sparse or nested tensor");
  TSC_ASSIGN_OR_RETURN(Tensor values, valuesAt(self, *parts));
  return makeSparse(self.sizes(), parts->indices, values, parts->isCoalesced);
}

//===----------------------------------------------------------------------===//
// Point-wise operators
//===----------------------------------------------------------------------===//

/// Operators that give zero for zero, whatever numbers they get besides, if any.
static bool keepsZero(llvm::StringRef name) {
  static constexpr llvm::StringLiteral names[] = {"abs",   "neg",   "relu",       "sqrt",    "square", "sign",  "sgn",
                                                  "sin",   "sinh",  "tan",        "tanh",    "asin",   "asinh", "atan",
                                                  "atanh", "expm1", "log1p",      "floor",   "ceil",   "round", "trunc",
                                                  "erf",   "frac",  "nan_to_num", "deg2rad", "rad2deg"};
  return llvm::is_contained(names, name);
}

static Tensor tensorOf(const PointwiseArg &arg) {
  return Tensor(Ref<TensorImpl>::share(const_cast<TensorImpl *>(arg.tensor())));
}

/// a + alpha * b, one of which is dense.
static StatusOr<Tensor> plusDense(PointwiseKind kind, ArrayRef<PointwiseArg> args) {
  llvm::SmallVector<PointwiseArg, 4> dense(args.begin(), args.end());
  llvm::SmallVector<Tensor, 2> made;
  for (unsigned i = 0; i != 2; ++i) {
    TSC_ASSIGN_OR_RETURN(Tensor strided, toDense(tensorOf(args[i]), std::nullopt));
    made.push_back(strided);
  }
  for (unsigned i = 0; i != 2; ++i)
    dense[i] = PointwiseArg(made[i]);
  return pointwise(kind, dense);
}

/// Whether indices ascend, so that none is there twice.
static StatusOr<bool> doAscend(const Tensor &indices) {
  TSC_ASSIGN_OR_RETURN(Tensor rows, contiguous(indices));
  const int64_t dims = rows.size(0), count = rows.size(1);
  const int64_t *at = rows.data<int64_t>();
  for (int64_t i = 1; i < count; ++i) {
    int64_t dim = 0;
    while (dim != dims && at[dim * count + i - 1] == at[dim * count + i])
      ++dim;
    if (dim == dims || at[dim * count + i - 1] > at[dim * count + i])
      return false;
  }
  return true;
}

/// All elements of both. As in PyTorch, what is at one place twice is added where the indices of both ascend, whether
/// or not the tensors are known to be coalesced; otherwise it is added when the result is coalesced.
static StatusOr<Tensor> plusSparse(const Tensor &a, const Tensor &b, const Scalar &alpha, bool isDifference) {
  const SparseParts &x = *sparseOf(a), &y = *sparseOf(b);
  if (a.sizes() != b.sizes())
    return invalidArgument("add: expected sizes of 'self' and 'other' to match, but " + shapeString(a.sizes()) +
                           " != " + shapeString(b.sizes()));
  if (x.indices.size(0) != y.indices.size(0))
    return invalidArgument("add: expected 'self' and 'other' to have same density");
  TSC_ASSIGN_OR_RETURN(Tensor moved, scaled(y.values, alpha));
  if (isDifference) {
    TSC_ASSIGN_OR_RETURN(moved, scaled(moved, Scalar(-1)));
  }
  const DType dtype = promoteTypes(x.values.dtype(), moved.dtype());
  TSC_ASSIGN_OR_RETURN(Tensor first, toDType(x.values, dtype));
  TSC_ASSIGN_OR_RETURN(moved, toDType(moved, dtype));
  const Tensor indexPair[] = {x.indices, y.indices}, valuePair[] = {first, moved};
  TSC_ASSIGN_OR_RETURN(Tensor indices, cat(indexPair, 1));
  TSC_ASSIGN_OR_RETURN(Tensor values, cat(valuePair, 0));
  TSC_ASSIGN_OR_RETURN(Tensor result, makeSparse(a.sizes(), indices, values, false));
  TSC_ASSIGN_OR_RETURN(const bool firstAscends, doAscend(x.indices));
  TSC_ASSIGN_OR_RETURN(const bool bothAscend, firstAscends ? doAscend(y.indices) : StatusOr<bool>(false));
  if (!bothAscend)
    return result;
  TSC_ASSIGN_OR_RETURN(result, coalesce(result));
  return cpu::markCoalesced(result, x.isCoalesced && y.isCoalesced);
}

StatusOr<Tensor> cpu::pointwiseOfOpaque(PointwiseKind kind, llvm::StringRef name, ArrayRef<PointwiseArg> args) {
  const unsigned numTensors = llvm::count_if(args, [](const PointwiseArg &arg) { return arg.isTensor(); });
  const bool first = args[0].isTensor() && sparseOf(tensorOf(args[0]));
  const bool second = args.size() > 1 && args[1].isTensor() && sparseOf(tensorOf(args[1]));
  const bool isSum = name == "add" || name == "sub", isProduct = name == "mul", isQuotient = name == "div";
  auto refuse = [&]() -> Status {
    return invalidArgument(llvm::Twine("'") + name +
                           "' is not there for sparse and nested tensors: to_dense() gives a strided one");
  };
  if (!first && !second)
    return refuse();
  // The elements that are there, by the same operator.
  auto ofValues = [&](const Tensor &sparse, unsigned at,
                      llvm::function_ref<StatusOr<Tensor>(const Tensor &)> other) -> StatusOr<Tensor> {
    TSC_ASSIGN_OR_RETURN(Tensor ordered, coalesce(sparse));
    const SparseParts &parts = *sparseOf(ordered);
    llvm::SmallVector<PointwiseArg, 4> own(args.begin(), args.end());
    own[at] = PointwiseArg(parts.values);
    Tensor beside;
    if (other) {
      TSC_ASSIGN_OR_RETURN(beside, other(ordered));
      own[1 - at] = PointwiseArg(beside);
    }
    TSC_ASSIGN_OR_RETURN(Tensor values, pointwise(kind, own));
    return makeSparse(sparse.sizes(), parts.indices, values, true);
  };
  if (numTensors == 1 && first && (keepsZero(name) || isProduct || isQuotient))
    return ofValues(tensorOf(args[0]), 0, nullptr);
  if (numTensors != 2)
    return refuse();
  const Tensor a = tensorOf(args[0]), b = tensorOf(args[1]);
  if (isSum && first && second) {
    const Scalar alpha = args.size() > 2 && args[2].isScalar() ? args[2].scalar() : Scalar(1);
    return plusSparse(a, b, alpha, name == "sub");
  }
  if (isSum)
    return plusDense(kind, args);
  if (isProduct && a.sizes() == b.sizes()) {
    const unsigned at = first ? 0 : 1;
    return ofValues(at ? b : a, at, [&](const Tensor &ordered) -> StatusOr<Tensor> {
      Tensor other = at ? a : b;
      if (sparseOf(other)) {
        TSC_ASSIGN_OR_RETURN(other, toDense(other, std::nullopt));
      }
      return valuesAt(other, *sparseOf(ordered));
    });
  }
  if ((isProduct || isQuotient) && first && !second && b.dim() == 0)
    return ofValues(a, 0, [&](const Tensor &) -> StatusOr<Tensor> { return b; });
  return refuse();
}
