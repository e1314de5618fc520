//===- LinalgBatch.h - Batches of matrices ----------------------*- C++ -*-===//
//
// Linear algebra computes in double or complex<double>, one matrix of the batch
// after another; these helpers go between tensors and matrices.
//
//===----------------------------------------------------------------------===//
#ifndef TSC_LIB_KERNELS_LINEARALGEBRA_LINALGBATCH_H
#define TSC_LIB_KERNELS_LINEARALGEBRA_LINALGBATCH_H

#include "Decompose.h"
#include "Support/Compute.h"
#include "tsc/Support/WorkMeter.h"
#include "tsc/Tensor/WrappingProduct.h"

namespace tsc::cpu::linalg {

inline DType wideType(DType dtype) { return isComplex(dtype) ? DType::ComplexDouble : DType::Double; }

/// Calls fn with a tag of double or complex<double>.
template <typename Fn> auto dispatchWide(DType dtype, Fn &&fn) {
  return isComplex(dtype) ? fn(TypeTag<std::complex<double>>{}) : fn(TypeTag<double>{});
}

/// Row-major matrices in the last two dimensions of a tensor.
template <typename T> class Batch {
public:
  /// Reads `t` converted to T.
  static StatusOr<Batch> of(const Tensor &t) {
    Batch b;
    TSC_ASSIGN_OR_RETURN(b.tensor, dense(t, dtypeOf<T>()));
    TSC_RETURN_IF_ERROR(b.setSizes());
    return b;
  }
  /// Room for results: `lead` are the batch dimensions.
  static StatusOr<Batch> make(ArrayRef<int64_t> lead, int64_t rows, int64_t columns) {
    Batch b;
    Dims shape(lead);
    shape.append({rows, columns});
    TSC_ASSIGN_OR_RETURN(b.tensor, Tensor::empty(shape, dtypeOf<T>()));
    TSC_RETURN_IF_ERROR(b.setSizes());
    return b;
  }
  int64_t count() const { return batches; }
  /// A copy, for what takes as many operations as a product does, more or less. They do not begin where the call is to
  /// end.
  StatusOr<Matrix<T>> get(int64_t i) const {
    constexpr double atOnce = 16, most = 0x1p60;
    const double operations = 8.0 / atOnce * static_cast<double>(rows) * static_cast<double>(columns) *
                              static_cast<double>(std::min(rows, columns));
    if (!work::LongLoop(1 + static_cast<int64_t>(std::min(operations, most))).goOn())
      return work::stopped();
    Matrix<T> m = Matrix<T>::unset(rows, columns);
    std::copy_n(tensor.template data<T>() + i * rows * columns, rows * columns, m.data.begin());
    return m;
  }
  void set(int64_t i, const Matrix<T> &m) {
    std::copy_n(m.data.begin(), rows * columns, tensor.template mutableData<T>() + i * rows * columns);
  }
  /// The results; those of a factorization that stopped mean nothing.
  StatusOr<Tensor> as(DType dtype) const {
    if (work::wasStopped())
      return work::stopped();
    return toDType(tensor, dtype);
  }

  Tensor tensor;
  int64_t rows = 0, columns = 0;

private:
  /// Matrices without elements take no memory, but each its time: there are not any number of them.
  Status setSizes() {
    int64_t d = tensor.dim();
    rows = tensor.size(d - 2);
    columns = tensor.size(d - 1);
    batches = 1;
    constexpr int64_t mostEmpty = int64_t{1} << 24;
    const ArrayRef<int64_t> lead = tensor.sizes().drop_back(2);
    batches = !llvm::is_contained(lead, 0);
    for (int64_t size : lead) {
      batches = wrappingProduct(batches, size);
      if (tensor.numel() == 0 && static_cast<uint64_t>(batches) > mostEmpty)
        return resourceExhausted("a batch of more than " + llvm::Twine(mostEmpty) + " matrices without elements");
    }
    return okStatus();
  }
  int64_t batches = 1;
};

/// Vectors (of any length) for each matrix of a batch, or one number each when `length` is negative.
template <typename T> StatusOr<Tensor> makeVectors(ArrayRef<int64_t> lead, int64_t length, DType dtype) {
  Dims shape(lead);
  if (length >= 0)
    shape.push_back(length);
  return Tensor::empty(shape, dtype);
}

inline ArrayRef<int64_t> leadOf(const Tensor &t) { return t.sizes().drop_back(2); }
/// The tensor with batch dimensions `lead` before its `inner` last ones.
inline StatusOr<Tensor> expandLead(const Tensor &t, ArrayRef<int64_t> lead, size_t inner) {
  Dims shape(lead);
  shape.append(t.sizes().end() - inner, t.sizes().end());
  return expand(t, shape);
}

/// Fails unless `a` has at least two dimensions, as PyTorch does for the operator `name`.
Status checkMatrix(const char *name, const Tensor &a);
/// Fails unless `a` is a matrix, or a batch of them, with as many rows as columns.
Status checkSquare(const char *name, const Tensor &a);
/// Whether float16 and bfloat16 count as floating types.
enum class HalfTypes { Refused, Allowed };
/// Fails unless the dtype is floating or complex.
Status checkFloatingOrComplex(const char *name, const Tensor &a, HalfTypes halves = HalfTypes::Refused);
/// Fails unless both operands of a system A x = b have one dtype, as PyTorch does.
Status checkSystemDTypes(const Tensor &b, const Tensor &a);
/// Fails for dtypes that LAPACK has no functions for, as PyTorch's kernel of this name does.
Status checkImplemented(const char *kernel, const Tensor &a);
/// What LAPACK's info (one int for each matrix) means to the user of `name`; ok when all are 0. stopped() where the
/// factorizations stopped.
Status checkInfo(const Tensor &info, const char *name, bool isMatrix);

} // namespace tsc::cpu::linalg

#endif
