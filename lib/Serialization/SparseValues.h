//===- SparseValues.h - Sparse tensors of files as dense ones ---*- C++ -*-===//
#ifndef TSC_LIB_SERIALIZATION_SPARSEVALUES_H
#define TSC_LIB_SERIALIZATION_SPARSEVALUES_H

#include "tsc/Tensor/Tensor.h"

namespace tsc {

/// The dense tensor of a sparse one. One tensor of indices, [dimension, element], is the coordinates of COO; two are
/// the row starts and the columns of CSR. Values at equal coordinates are added.
///
/// Errors: DataLoss for indices outside of `sizes` or tensors that do not fit; ResourceExhausted for more than
///         maxDenseBytes.
StatusOr<Tensor> makeDense(llvm::ArrayRef<int64_t> sizes, llvm::ArrayRef<Tensor> indices, const Tensor &values);

} // namespace tsc

#endif
