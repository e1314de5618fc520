//===- ProductDnn.h - Products of bfloat16 through oneDNN -------*- C++ -*-===//
#ifndef TSC_LIB_KERNELS_PRODUCTS_PRODUCTDNN_H
#define TSC_LIB_KERNELS_PRODUCTS_PRODUCTDNN_H

#include "Gemm.h"

namespace tsc::cpu {

/// Whether this processor multiplies bfloat16, and oneDNN is there.
bool hasBFloat16Products();

/// Computes out = a b for each of `batches` products of m x k and k x n matrices of bfloat16, added up in float; `out`
/// is of bfloat16, rounded once, or float. Returns false when it does not apply: nothing was written.
bool multiplyBFloat16(int64_t batches, int64_t m, int64_t n, int64_t k, const MatrixRef &a, const MatrixRef &b,
                      const MatrixOut &out, DType outType);

} // namespace tsc::cpu

#endif
