//===- Gemm.h - Strided matrix products -------------------------*- C++ -*-===//
//
// The one matrix product that everything else is made from. Operands are strided
// any way; a transposed operand costs no copy of the whole.
//
//===----------------------------------------------------------------------===//
#ifndef TSC_LIB_KERNELS_PRODUCTS_GEMM_H
#define TSC_LIB_KERNELS_PRODUCTS_GEMM_H

#include "tsc/Support/Status.h"
#include "tsc/Tensor/Scalar.h"
#include <algorithm>
#include <utility>

namespace tsc {
class Tensor;
}

namespace tsc::cpu {
class KeptPanels;

/// Element (i, j) of matrix b stands at data[i * row + j * column + b * batch].
struct MatrixRef {
  const void *data;
  int64_t row, column;
  int64_t batch = 0;
  /// The tensor that these are elements of, if anything made of them may be kept with it; else null.
  const Tensor *source = nullptr;
  bool isReused = false; ///< Many products of few rows follow each other, so that packed panels pay at any size.
};

/// The rows of the result are contiguous.
struct MatrixOut {
  void *data;
  int64_t row;
  int64_t batch = 0;
};

/// Whether a product replaces the elements of its result, or is added to them.
enum class GemmMode { Assign, Accumulate };

/// Computes out = a b (or out += a b) for each of `batches` products of an m x k and a k x n matrix. The dtype is
/// Float, Double, Int64, ComplexFloat or ComplexDouble. No size is negative, and the rows of a result do not overlap.
/// Work is shared by parallelFor.
Status gemm(DType dtype, int64_t batches, int64_t m, int64_t n, int64_t k, const MatrixRef &a, const MatrixRef &b,
            const MatrixOut &out, GemmMode mode);

/// Whether a product of m rows with a transposed k x n matrix, whose columns are contiguous and wRow apart, is computed
/// as dot products, for which nothing need be packed. They win with few rows, fewer where columns do not begin on cache
/// lines, and with few columns, where most of a packed panel would be empty (docs/measurements.md).
bool takesDotProducts(int64_t m, int64_t n, int64_t k, int64_t wRow);

/// Whether a product of an m x k and a k x n matrix of Float is left to our kernels, as every one of Double is. It is
/// also where n, or m, is that of a piece of the product.
bool takesOwnKernel(int64_t m, int64_t n, int64_t k, int64_t bRow, int64_t bColumn);

/// out[i][j] = sum_p x[i][p] * w[j][p] + bias[j], all row-major; bias may be null. As dot products, whatever m is.
void linearRows(int64_t m, int64_t n, int64_t k, const float *x, int64_t xRow, const float *w, int64_t wRow,
                const float *bias, float *out, int64_t outRow);
void linearRows(int64_t m, int64_t n, int64_t k, const double *x, int64_t xRow, const double *w, int64_t wRow,
                const double *bias, double *out, int64_t outRow);

/// From how many rows on, and up to how many elements k of each, manyLinearRows is faster than linearRows.
constexpr int64_t leastManyRows = 16, mostTermsOfMany = 256;
/// Computes what linearRows does, to the bit; the result's rows follow each other, n elements apart.
void manyLinearRows(int64_t m, int64_t n, int64_t k, const float *x, int64_t xRow, const float *w, int64_t wRow,
                    const float *bias, float *out);
void manyLinearRows(int64_t m, int64_t n, int64_t k, const double *x, int64_t xRow, const double *w, int64_t wRow,
                    const double *bias, double *out);

namespace simd {
/// Columns in multiples of which products may be cut, so that the pieces share the panels of the whole.
constexpr int64_t panelWidth = 32;
/// The most terms of a sum that no kernel cuts into parts: they are added one after the other.
constexpr int64_t blockTerms = 192;
/// A row-major matrix of up to so many elements, the gaps between its rows counted, is read where it is by up to so
/// many rows whatever the vectors' width, and its sums are not cut either.
constexpr int64_t smallMatrix = 65536, mostDirectRows = 8;

/// One product with SIMD kernels chosen for the machine. With `kept`, B is some columns, from a multiple of PanelWidth
/// on, of the matrix that it was made for, and the same bits come from panels that outlive the call.
void gemmFloat(int64_t m, int64_t n, int64_t k, const float *a, int64_t aRow, int64_t aColumn, const float *b,
               int64_t bRow, int64_t bColumn, float *c, int64_t cRow, bool accumulate, KeptPanels *kept = nullptr);
/// Multiplies matrices of doubles as gemmFloat does those of floats.
void gemmDouble(int64_t m, int64_t n, int64_t k, const double *a, int64_t aRow, int64_t aColumn, const double *b,
                int64_t bRow, int64_t bColumn, double *c, int64_t cRow, bool accumulate, KeptPanels *kept = nullptr);
/// A product of row-major matrices whose sums are added in parts of `terms`, each begun with zero, at any size.
void gemmInParts(int64_t m, int64_t n, int64_t k, const float *a, int64_t aRow, const float *b, int64_t bRow, float *c,
                 int64_t cRow, bool accumulate, int64_t terms);
} // namespace simd

/// How a product is cut along its longer side, or its batches. The cut depends on the shape alone: a kernel chosen by
/// the size of a piece may round differently from another, and bits must not depend on how many threads there are.
class ProductCut {
public:
  static constexpr int64_t leastWork = int64_t{1} << 22; ///< Multiplications for which another thread is worth it.
  static constexpr int64_t leastLength = 384;            ///< Each piece packs the shorter operand anew.
  ProductCut(int64_t length, int64_t work, int64_t leastLength = ProductCut::leastLength)
      : count(std::max<int64_t>(1, std::min(length / leastLength, work / leastWork))), length(length),
        size((length + count - 1) / count) {
    const int64_t unit = leastLength == 1 ? 1 : simd::panelWidth;
    size = (size + unit - 1) / unit * unit;
    count = (length + size - 1) / size;
  }
  /// Begin and size of piece i.
  std::pair<int64_t, int64_t> operator[](int64_t i) const {
    assert(i >= 0 && i < count && "one of the pieces");
    return {i * size, std::min(size, length - i * size)};
  }
  int64_t count;

private:
  int64_t length, size;
};

} // namespace tsc::cpu

#endif
