//===- StepProducts.cpp - Products of all steps of a loop at once ---------===//
//
// A step's product of few rows reads its whole weight for them. All steps' rows
// together read it once, and give the same bits where the kernel of a single
// product adds up each element's terms in an order that does not depend on the
// other rows: as dot products, or term by term. Anything else is left to the loop.
//
//===----------------------------------------------------------------------===//
#include "Gemm.h"
#include "tsc/Kernels/Copy.h"
#include "tsc/Kernels/MatMul.h"
#include "tsc/Tensor/Dispatch.h"
#include "tsc/Tensor/Quantizer.h"
#include "llvm/ADT/STLExtras.h"
#include <limits>

using namespace tsc;
using namespace tsc::cpu;

namespace {
/// How the kernels add up an element of a single step's product.
enum class Order { Unknown, DotProduct, TermByTerm };

/// The products of one step: m rows of k elements with a k x n matrix.
struct StepShape {
  int64_t m, n, k, bRow, bColumn;
};
} // namespace

/// Whether kernels read the elements as they are: floating ones of the processor.
static bool isPlain(const Tensor &t, DType dtype) {
  return t.defined() && t.dtype() == dtype && t.get()->storage && t.device().kind == DeviceKind::CPU &&
         !t.get()->negative;
}

/// Whether `count` matrices of so many rows and columns are few enough to be made at once.
static bool areFew(int64_t count, int64_t rows, int64_t columns, DType dtype) {
  constexpr int64_t mostBytes = int64_t{16} << 20;
  const int64_t item = static_cast<int64_t>(itemSize(dtype));
  return rows <= mostBytes && columns <= mostBytes &&
         (rows == 0 || columns == 0 || count <= mostBytes / item / columns / rows);
}

static Order orderOf(const StepShape &s) {
  constexpr int64_t leastTerms = 8; // fewer may not be worth a vector
  if (s.n < 2 || s.k < leastTerms || s.m == 0)
    return Order::Unknown;
  if (s.bRow == 1 && s.bColumn > 1)
    return takesDotProducts(s.m, std::numeric_limits<int64_t>::max(), s.k, s.bColumn) ? Order::DotProduct
                                                                                      : Order::Unknown;
  const bool isOwn = takesOwnKernel(s.m, s.n, s.k, s.bRow, s.bColumn) && s.m <= simd::mostDirectRows;
  const bool isWhole = s.k <= simd::blockTerms || s.k * s.bRow <= simd::smallMatrix;
  return s.bColumn == 1 && s.bRow >= s.n && isOwn && isWhole ? Order::TermByTerm : Order::Unknown;
}

/// All steps as one tensor, the steps along dimension 0: a view where they are one after the other, else a copy.
/// Undefined where they are not alike, or too many for a copy.
static StatusOr<Tensor> joined(ArrayRef<Tensor> steps) {
  const Tensor &first = steps.front();
  auto isAlike = [&](const Tensor &t) {
    return isPlain(t, first.dtype()) && t.sizes() == first.sizes() && t.strides() == first.strides() &&
           t.requiresGrad() == first.requiresGrad();
  };
  if (!llvm::all_of(steps, isAlike))
    return Tensor();
  const int64_t distance = steps.size() == 1 ? 0 : steps[1].storageOffset() - first.storageOffset();
  bool isView = distance > 0;
  for (size_t i = 1; isView && i != steps.size(); ++i)
    isView = steps[i].sharesStorageWith(first) &&
             steps[i].storageOffset() == first.storageOffset() + static_cast<int64_t>(i) * distance;
  Dims sizes{static_cast<int64_t>(steps.size())};
  sizes.append(first.sizes().begin(), first.sizes().end());
  if (isView) {
    Dims strides{distance};
    strides.append(first.strides().begin(), first.strides().end());
    return first.alias(sizes, strides, first.storageOffset());
  }
  if (!areFew(sizes.front(), 1, first.numel(), first.dtype()))
    return Tensor();
  TSC_ASSIGN_OR_RETURN(Tensor copy, Tensor::empty(sizes, first.dtype()));
  Dims strides = contiguousStrides(first.sizes());
  for (auto [i, step] : llvm::enumerate(steps))
    TSC_RETURN_IF_ERROR(copyInto(copy.alias(first.sizes(), strides, static_cast<int64_t>(i) * first.numel()), step));
  return copy;
}

/// rows: of all steps, contiguous, rowStride apart.
template <typename T>
static void multiply(Order order, int64_t rows, const StepShape &s, const T *a, int64_t rowStride, const T *b,
                     const T *bias, T *out) {
  if (order == Order::DotProduct)
    return rows >= leastManyRows && s.k <= mostTermsOfMany
               ? manyLinearRows(rows, s.n, s.k, a, rowStride, b, s.bColumn, bias, out)
               : linearRows(rows, s.n, s.k, a, rowStride, b, s.bColumn, bias, out, s.n);
  for (int64_t i = 0; i < rows; i += simd::mostDirectRows) {
    const int64_t count = std::min(simd::mostDirectRows, rows - i);
    const T *x = a + i * rowStride;
    if constexpr (std::is_same_v<T, float>)
      simd::gemmFloat(count, s.n, s.k, x, rowStride, 1, b, s.bRow, 1, out + i * s.n, s.n, false);
    else
      simd::gemmDouble(count, s.n, s.k, x, rowStride, 1, b, s.bRow, 1, out + i * s.n, s.n, false);
  }
}

/// `steps` has them along dimension 0. An undefined result means that they are left to the loop.
static StatusOr<Tensor> multiplyAll(const Tensor &steps, const Tensor &weight, const Tensor &bias, bool transposed) {
  const int64_t d = steps.dim(), k = steps.sizes().back(), count = steps.size(0);
  StepShape shape{d == 2 ? 1 : steps.size(1), weight.size(transposed ? 0 : 1), k, weight.stride(transposed ? 1 : 0),
                  weight.stride(transposed ? 0 : 1)};
  const Order order = weight.size(transposed ? 1 : 0) == k ? orderOf(shape) : Order::Unknown;
  if (order == Order::Unknown || (bias.defined() && order != Order::DotProduct))
    return Tensor();
  if (bias.defined() &&
      (!isPlain(bias, steps.dtype()) || bias.dim() != 1 || bias.size(0) != shape.n || !bias.isContiguous()))
    return Tensor();
  if (!areFew(count, shape.m, shape.n, steps.dtype()))
    return Tensor();
  const bool isOneMatrix =
      steps.strides().back() == 1 && (d == 2 || shape.m == 1 || steps.stride(0) == shape.m * steps.stride(1));
  Tensor rows = steps;
  if (!isOneMatrix) {
    TSC_ASSIGN_OR_RETURN(rows, contiguous(steps));
  }
  const int64_t rowStride = d == 2 || shape.m == 1 ? rows.stride(0) : rows.stride(1);
  Dims sizes(steps.sizes().drop_back());
  sizes.push_back(shape.n);
  TSC_ASSIGN_OR_RETURN(Tensor out, Tensor::empty(sizes, steps.dtype()));
  auto run = [&]<typename T>(T) {
    multiply(order, count * shape.m, shape, rows.data<T>(), rowStride, weight.data<T>(),
             bias.defined() ? bias.data<T>() : nullptr, out.mutableData<T>());
  };
  steps.dtype() == DType::Float ? run(float()) : run(double());
  return out;
}

/// Of `count` steps like this one, of which a loop asks for `trips`.
static bool mayPay(const Tensor &step, int64_t stepDims, int64_t count, const Tensor &weight, bool transposed,
                   int64_t trips) {
  constexpr int64_t leastTrips = 4;
  const bool isFloat = step.dtype() == DType::Float || step.dtype() == DType::Double;
  return isFloat && trips >= leastTrips && trips >= count / 2 && count >= leastTrips && isPlain(step, step.dtype()) &&
         isPlain(weight, step.dtype()) && weight.dim() == 2 && (stepDims == 2 || (transposed && stepDims == 1));
}

/// What was left to the loop; so is what there is no memory for.
static StatusOr<Tensor> orNothing(const StatusOr<Tensor> &products, const Tensor &weight) {
  if (products.ok() && products->defined())
    return products;
  return Tensor::empty({0}, weight.dtype());
}

StatusOr<Tensor> tsc::cpu::stepProducts(ArrayRef<Tensor> steps, const Tensor &weight, const Tensor &bias,
                                        bool transposed, int64_t trips) {
  const auto count = static_cast<int64_t>(steps.size());
  if (count == 0 || !steps[0].defined() || !mayPay(steps[0], steps[0].dim(), count, weight, transposed, trips))
    return orNothing(Tensor(), weight);
  const int64_t rows = steps[0].dim() == 2 ? steps[0].size(0) : 1;
  if (!areFew(count, rows, weight.size(transposed ? 0 : 1), weight.dtype())) // before the steps are copied
    return orNothing(Tensor(), weight);
  StatusOr<Tensor> all = joined(steps);
  if (!all.ok() || !all->defined())
    return orNothing(all, weight);
  return orNothing(multiplyAll(*all, weight, bias, transposed), weight);
}

StatusOr<Tensor> tsc::cpu::stepProductsAlong(const Tensor &self, int64_t dim, const Tensor &weight, const Tensor &bias,
                                             bool transposed, int64_t trips) {
  const int64_t rank = self.dim(), along = dim < 0 ? dim + rank : dim;
  if (along < 0 || along >= rank || !mayPay(self, rank - 1, self.size(along), weight, transposed, trips))
    return orNothing(Tensor(), weight);
  Dims sizes(self.sizes()), strides(self.strides());
  std::rotate(sizes.begin(), sizes.begin() + along, sizes.begin() + along + 1);
  std::rotate(strides.begin(), strides.begin() + along, strides.begin() + along + 1);
  return orNothing(multiplyAll(self.alias(sizes, strides, self.storageOffset()), weight, bias, transposed), weight);
}

StatusOr<Tensor> tsc::cpu::stepProduct(const Tensor &products, int64_t step) {
  const int64_t count = products.dim() == 0 ? 0 : products.size(0);
  if (step < -count || step >= count)
    return invalidArgument("step " + llvm::Twine(step) + " of " + llvm::Twine(count));
  if (!isPlain(products, products.dtype()) || !products.isContiguous() || isQuantized(products.dtype()) ||
      products.dtype() == DType::Opaque)
    return invalidArgument("the products of a loop's steps are plain numbers, one step behind the other");
  const ArrayRef<int64_t> sizes = products.sizes().drop_front();
  TSC_ASSIGN_OR_RETURN(Tensor out, Tensor::empty(sizes, products.dtype()));
  const size_t bytes = static_cast<size_t>(out.numel()) * itemSize(products.dtype());
  const auto *from =
      static_cast<const char *>(products.data()) + static_cast<size_t>(step < 0 ? step + count : step) * bytes;
  copyBytes(out.mutableData(), from, bytes);
  return out;
}
