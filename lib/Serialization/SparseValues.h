//===- SparseValues.h - Sparse tensors of files -----------------*- C++ -*-===//
#ifndef TSC_LIB_SERIALIZATION_SPARSEVALUES_H
#define TSC_LIB_SERIALIZATION_SPARSEVALUES_H

#include "tsc/Tensor/Tensor.h"

namespace tsc {

/// A sparse tensor of its parts. One tensor of indices, [dimension, element], is the coordinates of COO; two are the
/// row starts and the columns of CSR.
///
/// Errors: DataLoss for indices outside of `sizes` and for parts that do not fit.
StatusOr<Tensor> makeSparse(llvm::ArrayRef<int64_t> sizes, llvm::ArrayRef<Tensor> indices, const Tensor &values);

} // namespace tsc

#endif
