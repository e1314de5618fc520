//===- Products.cpp - Operators that are products of matrices -------------===//
//
// Operands become matrices with dimensions in front, broadcast with stride 0. These are
// merged: into the rows where the second operand is one matrix, as in a layer's weight,
// else into one batch. Those that do not merge are walked, a call of the library each.
//
//===----------------------------------------------------------------------===//
#include "Products.h"
#include "Workspace.h"
#include "llvm/ADT/STLExtras.h"

using namespace tsc;
using namespace tsc::fuser;

/// Of matrices, or batches of them: `first` and `second` are how many dimensions the operands have.
static std::optional<ProductOperands> ofDims(const Tensor &a, int64_t first, const Tensor &b, int64_t second) {
  if (!a.defined() || !b.defined() || a.dim() != first || b.dim() != second)
    return std::nullopt;
  return ProductOperands{a, b, {}, {}};
}

static std::optional<ProductOperands> andAdd(const Tensor &summand, std::optional<ProductOperands> product,
                                             const Scalar &beta, const Scalar &alpha) {
  if (!product || beta.isComplex() || alpha.isComplex())
    return std::nullopt;
  product->summand = summand, product->beta = beta.toDouble(), product->alpha = alpha.toDouble();
  return product;
}

std::optional<ProductOperands> cuda::mm(const Tensor &self, const Tensor &mat2) { return ofDims(self, 2, mat2, 2); }
std::optional<ProductOperands> cuda::mv(const Tensor &self, const Tensor &vec) { return ofDims(self, 2, vec, 1); }
std::optional<ProductOperands> cuda::bmm(const Tensor &self, const Tensor &mat2) {
  auto product = ofDims(self, 3, mat2, 3);
  return product && product->a.size(0) == product->b.size(0) ? product : std::nullopt;
}
std::optional<ProductOperands> cuda::matmul(const Tensor &self, const Tensor &other) {
  return ProductOperands{self, other, {}, {}};
}
std::optional<ProductOperands> cuda::linear(const Tensor &input, const Tensor &weight, const Tensor &bias) {
  if (!weight.defined() || weight.dim() != 2)
    return std::nullopt;
  Tensor transposed =
      weight.alias({weight.size(1), weight.size(0)}, {weight.stride(1), weight.stride(0)}, weight.storageOffset());
  return ProductOperands{input, std::move(transposed), {}, bias};
}
std::optional<ProductOperands> cuda::addmm(const Tensor &self, const Tensor &mat1, const Tensor &mat2,
                                           const Scalar &beta, const Scalar &alpha) {
  return andAdd(self, ofDims(mat1, 2, mat2, 2), beta, alpha);
}
std::optional<ProductOperands> cuda::baddbmm(const Tensor &self, const Tensor &batch1, const Tensor &batch2,
                                             const Scalar &beta, const Scalar &alpha) {
  return andAdd(self, ofDims(batch1, 3, batch2, 3), beta, alpha);
}

namespace {
/// An operand: its last two dimensions, and those in front.
struct Side {
  char *data;
  int64_t rows, columns, rowStride, columnStride; ///< Elements.
  Dims sizes, strides;                            ///< In front.
};

class ProductCall {
public:
  ProductCall(CublasLt &library, const DeviceMemory &memory) : library(library), memory(memory) {}

  StatusOr<bool> multiply(ProductOperands operands, IValue &result);

private:
  bool mayMultiply(const Tensor &tensor) const {
    return tensor.defined() && tensor.get()->storage && tensor.device() == memory.device() && tensor.numel() != 0 &&
           isLibraryDType(tensor.dtype()) && !tensor.get()->negative;
  }
  static Side sideOf(const Tensor &tensor);
  bool broadcast(Side &a, Side &b, Dims &front) const;
  StatusOr<bool> run(Side a, Side b, Side out, Side summand, Product product);

  CublasLt &library;
  const DeviceMemory &memory;
};
} // namespace

Side ProductCall::sideOf(const Tensor &tensor) {
  const auto last = static_cast<size_t>(tensor.dim());
  ArrayRef<int64_t> sizes = tensor.sizes(), strides = tensor.strides();
  return {static_cast<char *>(const_cast<void *>(tensor.data())),
          sizes[last - 2],
          sizes[last - 1],
          strides[last - 2],
          strides[last - 1],
          Dims(sizes.drop_back(2)),
          Dims(strides.drop_back(2))};
}

/// Gives both sides the dimensions in front that PyTorch gives the result; false where there are none such.
bool ProductCall::broadcast(Side &a, Side &b, Dims &front) const {
  const size_t rank = std::max(a.sizes.size(), b.sizes.size());
  front.assign(rank, 1);
  for (Side *side : {&a, &b}) {
    side->sizes.insert(side->sizes.begin(), rank - side->sizes.size(), 1);
    side->strides.insert(side->strides.begin(), rank - side->strides.size(), 0);
    for (size_t d = 0; d != rank; ++d) {
      if (front[d] != 1 && side->sizes[d] != 1 && front[d] != side->sizes[d])
        return false;
      front[d] = std::max(front[d], side->sizes[d]);
    }
  }
  for (Side *side : {&a, &b})
    for (size_t d = 0; d != rank; ++d)
      if (side->sizes[d] == 1)
        side->strides[d] = 0;
  return true;
}

/// As the library takes a matrix; nullopt: its elements stand apart in both directions, or overlap.
static std::optional<Matrix> matrixOf(const Side &side) {
  Matrix matrix{side.data, side.rows, side.columns, 0, false, 0};
  const bool alongRows = side.columnStride == 1 || side.columns == 1;
  const bool alongColumns = side.rowStride == 1 || side.rows == 1;
  if (alongRows && (side.rows == 1 || side.rowStride >= side.columns)) {
    matrix.leading = side.rows == 1 ? side.columns : side.rowStride;
  } else if (alongColumns && (side.columns == 1 || side.columnStride >= side.rows)) {
    matrix.leading = side.columns == 1 ? side.rows : side.columnStride;
    matrix.isTransposed = true;
  } else {
    return std::nullopt;
  }
  return matrix;
}

/// Whether dimension `d` in front continues where the next one ends, for each side.
static bool continues(llvm::ArrayRef<Side *> sides, ArrayRef<int64_t> front, size_t d) {
  return llvm::all_of(sides, [&](const Side *side) { return side->strides[d] == side->strides[d + 1] * front[d + 1]; });
}

StatusOr<bool> ProductCall::run(Side a, Side b, Side out, Side summand, Product product) {
  Dims front = out.sizes;
  llvm::SmallVector<Side *, 4> sides{&a, &b, &out};
  if (product.beta != 0)
    sides.push_back(&summand);
  auto drop = [&](size_t d) {
    front.erase(front.begin() + static_cast<ptrdiff_t>(d));
    for (Side *side : sides)
      side->strides.erase(side->strides.begin() + static_cast<ptrdiff_t>(d));
  };
  for (size_t d = front.size(); d-- != 0;)
    if (front[d] == 1)
      drop(d);
  for (size_t d = front.size(); d-- > 1;)
    if (continues(sides, front, d - 1)) {
      front[d] *= front[d - 1];
      drop(d - 1);
    }
  // Matrices one behind the other, times one: the rows of a single product.
  if (!front.empty() && b.strides.back() == 0 && llvm::all_of(sides, [&](const Side *side) {
        return side == &b || side->rows == 1 || side->strides.back() == side->rowStride * side->rows;
      })) {
    for (Side *side : sides)
      if (side != &b) {
        if (side->rows == 1)
          side->rowStride = side->strides.back();
        side->rows *= front.back();
      }
    drop(front.size() - 1);
  }
  auto matrixA = matrixOf(a), matrixB = matrixOf(b), matrixOut = matrixOf(out),
       matrixSummand = product.beta != 0 ? matrixOf(summand) : matrixOut;
  if (!matrixA || !matrixB || !matrixOut || !matrixSummand || matrixOut->isTransposed || matrixSummand->isTransposed)
    return false;
  product.a = *matrixA, product.b = *matrixB, product.out = *matrixOut, product.summand = *matrixSummand;
  Matrix *matrices[] = {&product.a, &product.b, &product.out, &product.summand};
  if (product.beta == 0)
    product.summand = product.out;
  if (!front.empty()) {
    product.batch = front.back();
    if (product.batch > INT32_MAX)
      return false;
    for (auto [side, matrix] : llvm::zip(sides, matrices))
      matrix->batchStride = side->strides.back();
  }
  const size_t outside = front.empty() ? 0 : front.size() - 1;
  int64_t times = 1;
  for (size_t d = 0; d != outside; ++d)
    times *= front[d];
  const auto bytes = static_cast<int64_t>(itemSize(product.dtype));
  for (int64_t time = 0; time != times; ++time) {
    Product one = product;
    Matrix *moved[] = {&one.a, &one.b, &one.out, &one.summand};
    for (auto [side, matrix] : llvm::zip(sides, moved)) {
      int64_t rest = time;
      for (size_t d = outside; d-- != 0; rest /= front[d])
        matrix->data += rest % front[d] * side->strides[d] * bytes;
    }
    if (product.beta == 0)
      one.summand = one.out;
    TSC_ASSIGN_OR_RETURN(bool isDone, library.multiply(one));
    if (!isDone)
      return false; // also of the first: the result is made anew
  }
  return true;
}

StatusOr<bool> ProductCall::multiply(ProductOperands operands, IValue &result) {
  auto &[a, b, summand, bias, alpha, beta] = operands;
  if (!mayMultiply(a) || !mayMultiply(b) || a.dtype() != b.dtype() || a.dim() == 0 || b.dim() == 0)
    return false;
  const bool isRow = a.dim() == 1, isColumn = b.dim() == 1;
  if (isRow)
    a = a.alias({1, a.size(0)}, {a.size(0), a.stride(0)}, a.storageOffset());
  if (isColumn)
    b = b.alias({b.size(0), 1}, {b.stride(0), 1}, b.storageOffset());
  Side sideA = sideOf(a), sideB = sideOf(b);
  Dims sizes;
  if (sideA.columns != sideB.rows || !broadcast(sideA, sideB, sizes))
    return false;
  sizes.append({sideA.rows, sideB.columns});
  if (beta == 0) {
    summand = Tensor(); // its elements do not count, not even where they are NaN
  } else if (alpha == 1 && beta == 1 && summand.defined() && summand.dim() == 1) {
    bias = std::move(summand), beta = 0;
  }
  for (const Tensor *added : {&summand, &bias})
    if (added->defined() && (!mayMultiply(*added) || added->dtype() != a.dtype()))
      return false;
  if (bias.defined() && (bias.dim() != 1 || bias.size(0) != sideB.columns || !bias.isContiguous()))
    return false;
  if (beta != 0 && (!summand.defined() || summand.sizes() != ArrayRef<int64_t>(sizes)))
    return false;
  Product product;
  product.dtype = a.dtype(), product.alpha = alpha, product.beta = beta;
  if (bias.defined())
    product.bias = static_cast<const char *>(bias.data());
  TSC_ASSIGN_OR_RETURN(Tensor out, Tensor::empty(sizes, a.dtype(), memory));
  TSC_ASSIGN_OR_RETURN(
      bool isDone, run(std::move(sideA), std::move(sideB), sideOf(out), beta != 0 ? sideOf(summand) : Side{}, product));
  if (!isDone)
    return false;
  if (isColumn)
    sizes.pop_back();
  if (isRow)
    sizes.erase(sizes.end() - (isColumn ? 1 : 2));
  result = IValue(out.alias(sizes, contiguousStrides(sizes), 0));
  return true;
}

StatusOr<bool> fuser::runProduct(CublasLt &library, const DeviceMemory &memory, const ProductOperands &operands,
                                 IValue &result) {
  return ProductCall(library, memory).multiply(operands, result);
}
