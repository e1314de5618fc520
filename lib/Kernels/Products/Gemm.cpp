//===- Gemm.cpp - Batches, element types and threads of matrix products ---===//
//
// Float goes to our SIMD kernels, but with vectors of other sizes than AVX2's to
// oneDNN when the product is large and has many rows, or a right side that is not
// transposed; Double always goes to ours.
// Complex is four real products on split planes, or stays in pairs where it is small; Int64 stands for all narrower
// integers (they wrap alike), and is a product of reals where these hold every sum.
//
// A long product looks between its parts whether the call is to end, and is left
// undone then.
//
//===----------------------------------------------------------------------===//
#include "Gemm.h"
#include "ComplexRows.h"
#include "KeptPanels.h"
#include "Normalization/Rows.h"
#include "Pooling/WindowRows.h"
#include "Support/OneDnn.h"
#include "tsc/Support/AtSimdLevel.h"
#include "tsc/Support/MemoryErrors.h"
#include "tsc/Support/SimdLevel.h"
#include "tsc/Support/ThreadPool.h"
#include "tsc/Support/WorkMeter.h"
#include "tsc/Tensor/Dispatch.h"
#include "tsc/Tensor/MemoryAccount.h"
#include "llvm/ADT/SmallVector.h"
#include <algorithm>
#include <array>
#include <bit>
#include <csignal>
#include <limits>
#include <memory>
#include <tuple>
#include <type_traits>
#include <vector>

using namespace tsc;
using namespace tsc::cpu;

/// How oneDNN can read a matrix where it stands: its letter and leading dimension.
struct DnnOperand {
  char letter = 0;
  int64_t lead = 0;
};
static DnnOperand asDnnOperand(int64_t rows, int64_t columns, int64_t row, int64_t column) {
  if ((column == 1 || columns == 1) && (row >= columns || rows == 1))
    return {'N', rows == 1 ? columns : row};
  if ((row == 1 || rows == 1) && (column >= rows || columns == 1))
    return {'T', columns == 1 ? rows : column};
  return {};
}

/// Whether our kernels compute this product. oneDNN cannot keep a transposed right side that it has packed, which for
/// up to `mostRows` rows is a good part of its time, and its kernels for AVX2 are at most as fast as ours, with many
/// columns in contiguous rows half as fast (docs/measurements.md). Bits must not depend on what is kept, so that the
/// answer is the same without kept panels.
bool tsc::cpu::takesOwnKernel(int64_t m, int64_t n, int64_t k, int64_t bRow, int64_t bColumn) {
  constexpr int64_t leastWork = int64_t{1} << 22, mostRows = 128;
  bool isTransposed = bRow == 1 && bColumn != 1;
  return simdLevel() == SimdLevel::V3 || m < 4 || n < 32 || m * n * k < leastWork ||
         (isTransposed && (m <= mostRows || takesDotProducts(m, n, k, bColumn)));
}

namespace {
/// No signal handler runs in the calling thread while it lives. The code that oneDNN generates for dnnl_sgemm keeps
/// values below the stack pointer, where a handler's frame would overwrite them. Signals that tell of a fault are not
/// held back.
class WithoutSignals {
public:
  WithoutSignals() {
    sigset_t held;
    sigfillset(&held);
    for (int fault : {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGTRAP, SIGABRT})
      sigdelset(&held, fault);
    pthread_sigmask(SIG_BLOCK, &held, &before);
  }
  ~WithoutSignals() { pthread_sigmask(SIG_SETMASK, &before, nullptr); }

private:
  sigset_t before;
};
} // namespace

/// The product by oneDNN, or by our kernels where it fails. A long one is made of tiles, each of which takes some
/// hundredths of a second. Their bits are those of the whole up to `mostTerms` terms; more are added up in parts.
static void productByDnn(int64_t m, int64_t n, int64_t k, const float *a, int64_t aRow, int64_t aColumn,
                         DnnOperand left, const float *b, int64_t bRow, int64_t bColumn, DnnOperand right, float *c,
                         int64_t cRow, bool accumulate) {
  constexpr int64_t longWork = int64_t{1} << 32, leastSide = 768, mostTerms = 8192;
  SingleThreadedDnn scope;
  auto multiply = [&](int64_t rows, int64_t columns, int64_t terms, const float *x, const float *y, float *to,
                      bool adds) {
    {
      WithoutSignals quiet;
      if (dnnl_sgemm(left.letter, right.letter, rows, columns, terms, 1, x, left.lead, y, right.lead, adds ? 1 : 0, to,
                     cRow) == dnnl_success)
        return;
    }
    simd::gemmFloat(rows, columns, terms, x, aRow, aColumn, y, bRow, bColumn, to, cRow, adds);
  };
  const int64_t work = m * n * k;
  if (work <= longWork)
    return multiply(m, n, k, a, b, c, accumulate);
  const ProductCut rows(m, work, leastSide), columns(n, work, leastSide);
  for (int64_t i = 0; i != rows.count; ++i)
    for (int64_t j = 0; j != columns.count; ++j)
      for (int64_t p = 0; p < k; p += mostTerms) {
        if (work::wasStopped())
          return;
        const auto [row, height] = rows[i];
        const auto [column, width] = columns[j];
        multiply(height, width, std::min(mostTerms, k - p), a + row * aRow + p * aColumn,
                 b + p * bRow + column * bColumn, c + row * cRow + column, accumulate || p != 0);
      }
}

static void product(int64_t m, int64_t n, int64_t k, const float *a, int64_t aRow, int64_t aColumn, const float *b,
                    int64_t bRow, int64_t bColumn, float *c, int64_t cRow, bool accumulate, KeptPanels *kept) {
  if (!takesOwnKernel(m, n, k, bRow, bColumn) && !(kept && kept->right.isReused)) {
    DnnOperand left = asDnnOperand(m, k, aRow, aColumn), right = asDnnOperand(k, n, bRow, bColumn);
    if (left.letter && right.letter && hasOneDnn())
      return productByDnn(m, n, k, a, aRow, aColumn, left, b, bRow, bColumn, right, c, cRow, accumulate);
  }
  simd::gemmFloat(m, n, k, a, aRow, aColumn, b, bRow, bColumn, c, cRow, accumulate, kept);
}
static void product(int64_t m, int64_t n, int64_t k, const double *a, int64_t aRow, int64_t aColumn, const double *b,
                    int64_t bRow, int64_t bColumn, double *c, int64_t cRow, bool accumulate, KeptPanels *kept) {
  simd::gemmDouble(m, n, k, a, aRow, aColumn, b, bRow, bColumn, c, cRow, accumulate, kept);
}

/// The k x n matrix b with contiguous rows: as it stands, or copied to `rows`.
template <typename Rows, typename T>
static std::pair<const T *, int64_t> withContiguousRows(Rows &rows, int64_t k, int64_t n, const T *b, int64_t bRow,
                                                        int64_t bColumn) {
  if (bColumn == 1)
    return {b, bRow};
  rows.resize(k * n);
  for (int64_t p = 0; p < k && !work::wasStopped(); ++p)
    for (int64_t j = 0; j < n; ++j)
      rows[p * n + j] = b[p * bRow + j * bColumn];
  return {rows.data(), n};
}

/// Returns the bits that are set in the magnitude of some number, a negative one's being that of its complement.
LLVM_ATTRIBUTE_ALWAYS_INLINE static uint64_t magnitudesOf(const int64_t *from, int64_t n) {
  uint64_t bits = 0;
  for (int64_t i = 0; i < n; ++i)
    bits |= static_cast<uint64_t>(from[i] ^ (from[i] >> 63));
  return bits;
}
template <typename T> LLVM_ATTRIBUTE_ALWAYS_INLINE static void toReals(T *to, const int64_t *from, int64_t n) {
  for (int64_t i = 0; i < n; ++i)
    to[i] = static_cast<T>(static_cast<int32_t>(from[i]));
}
template <typename T>
LLVM_ATTRIBUTE_ALWAYS_INLINE static void toIntegers(int64_t *to, const T *from, int64_t n, bool accumulate) {
  using Integer = std::conditional_t<std::is_same_v<T, float>, int32_t, int64_t>;
  if (accumulate)
    for (int64_t i = 0; i < n; ++i)
      to[i] += static_cast<Integer>(from[i]);
  else
    for (int64_t i = 0; i < n; ++i)
      to[i] = static_cast<Integer>(from[i]);
}

/// A matrix of integers whose rows or columns are contiguous.
class IntegerMatrix {
public:
  IntegerMatrix(const int64_t *data, int64_t rows, int64_t columns, int64_t row, int64_t column)
      : data(data), hasRows(column == 1), lines(hasRows ? rows : columns), length(hasRows ? columns : rows),
        step(hasRows ? row : column) {
    assert((row == 1 || column == 1) && "a matrix with contiguous rows or columns");
  }
  /// Returns a number of bits that every element, without its sign, fits in.
  unsigned width() const {
    uint64_t bits = 0;
    for (int64_t i = 0; i != lines; ++i)
      bits |= atSimdLevel<magnitudesOf>(data + i * step, length);
    return static_cast<unsigned>(std::bit_width(bits));
  }
  /// Returns the elements, each of at most 31 bits, as numbers of T, whose rows and columns are rowStep() and
  /// columnStep() apart.
  template <typename T> std::unique_ptr<T[]> toReals() const {
    std::unique_ptr<T[]> reals(new T[lines * length]);
    for (int64_t i = 0; i != lines; ++i)
      atSimdLevel<::toReals<T>, Overlap::None>(reals.get() + i * length, data + i * step, length);
    return reals;
  }
  int64_t rowStep() const { return hasRows ? length : 1; }
  int64_t columnStep() const { return hasRows ? 1 : length; }

private:
  const int64_t *data;
  bool hasRows;
  int64_t lines, length, step;
};

template <typename T>
static void productByReals(int64_t m, int64_t n, int64_t k, const IntegerMatrix &a, const IntegerMatrix &b, int64_t *c,
                           int64_t cRow, bool accumulate) {
  const std::unique_ptr<T[]> left = a.toReals<T>(), right = b.toReals<T>(), sums(new T[m * n]);
  product(m, n, k, left.get(), a.rowStep(), a.columnStep(), right.get(), b.rowStep(), b.columnStep(), sums.get(), n,
          false, nullptr);
  for (int64_t i = 0; i != m && !work::wasStopped(); ++i)
    atSimdLevel<toIntegers<T>, Overlap::None>(c + i * cRow, sums.get() + i * n, n, accumulate);
}

/// Whether each element is used so often that checking and converting it costs little.
static bool mayTakeReals(int64_t m, int64_t n, int64_t k) {
  constexpr int64_t least = 16;
  return std::min({m, n, k}) >= least;
}

/// Computes the product in floats or doubles and returns true, if these hold every partial sum exactly; else returns
/// false.
static bool takeReals(int64_t m, int64_t n, int64_t k, const int64_t *a, int64_t aRow, int64_t aColumn,
                      const int64_t *b, int64_t bRow, int64_t bColumn, int64_t *c, int64_t cRow, bool accumulate) {
  if (!mayTakeReals(m, n, k) || (aRow != 1 && aColumn != 1) || (bRow != 1 && bColumn != 1))
    return false;
  constexpr unsigned mostBits = 31; // of an element
  const IntegerMatrix left(a, m, k, aRow, aColumn), right(b, k, n, bRow, bColumn);
  const unsigned leftWidth = left.width(), rightWidth = right.width(),
                 width = leftWidth + rightWidth + static_cast<unsigned>(std::bit_width(static_cast<uint64_t>(k)));
  if (std::max(leftWidth, rightWidth) > mostBits || width > std::numeric_limits<double>::digits)
    return false;
  if (width <= std::numeric_limits<float>::digits)
    productByReals<float>(m, n, k, left, right, c, cRow, accumulate);
  else
    productByReals<double>(m, n, k, left, right, c, cRow, accumulate);
  return true;
}

static void product(int64_t m, int64_t n, int64_t k, const int64_t *a, int64_t aRow, int64_t aColumn, const int64_t *b,
                    int64_t bRow, int64_t bColumn, int64_t *c, int64_t cRow, bool accumulate, KeptPanels *) {
  if (takeReals(m, n, k, a, aRow, aColumn, b, bRow, bColumn, c, cRow, accumulate))
    return;
  for (int64_t i = 0; i < m && !accumulate; ++i)
    std::fill_n(c + i * cRow, n, 0);
  std::vector<int64_t> rows;
  std::tie(b, bRow) = withContiguousRows(rows, k, n, b, bRow, bColumn);
  // Parts of about a millisecond. The kernel computes four rows at once.
  constexpr int64_t partWork = int64_t{1} << 21, kernelRows = 4, leastTerms = 256;
  const int64_t rowsOfPart = std::max<int64_t>(1, partWork / (n * k) / kernelRows) * kernelRows,
                terms = std::max(leastTerms, partWork / (kernelRows * n));
  for (int64_t i = 0; i < m; i += rowsOfPart)
    for (int64_t p = 0; p < k; p += terms) {
      if (work::wasStopped())
        return;
      windows::multiplyIntegers(std::min(rowsOfPart, m - i), n, std::min(terms, k - p), a + i * aRow + p * aColumn,
                                aRow, aColumn, b + p * bRow, bRow, c + i * cRow, cRow);
    }
}

/// Whether real and imaginary parts are taken apart: not where b stays in the nearest cache.
static bool takesPlanes(int64_t k, int64_t n, size_t itemSize) {
  constexpr int64_t mostBytes = 16384;
  return k * n * static_cast<int64_t>(itemSize) > mostBytes;
}

template <typename T>
static std::pair<std::vector<T>, std::vector<T>> splitPlanes(int64_t rows, int64_t columns, const std::complex<T> *data,
                                                             int64_t row, int64_t column) {
  std::vector<T> re(rows * columns), im(rows * columns);
  for (int64_t i = 0; i < rows && !work::wasStopped(); ++i)
    for (int64_t j = 0; j < columns; ++j) {
      re[i * columns + j] = data[i * row + j * column].real();
      im[i * columns + j] = data[i * row + j * column].imag();
    }
  return {std::move(re), std::move(im)};
}

template <typename T>
static void product(int64_t m, int64_t n, int64_t k, const std::complex<T> *a, int64_t aRow, int64_t aColumn,
                    const std::complex<T> *b, int64_t bRow, int64_t bColumn, std::complex<T> *c, int64_t cRow,
                    bool accumulate, KeptPanels *) {
  if (!takesPlanes(k, n, sizeof(*b))) {
    llvm::SmallVector<std::complex<T>, 64> rows;
    std::tie(b, bRow) = withContiguousRows(rows, k, n, b, bRow, bColumn);
    constexpr int64_t rowsOfPart = 4096; // about a millisecond
    for (int64_t i = 0; i < m && !work::wasStopped(); i += rowsOfPart)
      complexes::kernels<T>().product(std::min(rowsOfPart, m - i), n, k, a + i * aRow, aRow, aColumn, b, bRow,
                                      c + i * cRow, cRow, accumulate);
    return;
  }
  auto [aRe, aIm] = splitPlanes(m, k, a, aRow, aColumn);
  auto [bRe, bIm] = splitPlanes(k, n, b, bRow, bColumn);
  std::vector<T> re(m * n), im(m * n), minus(m * n);
  product(m, n, k, aRe.data(), k, 1, bRe.data(), n, 1, re.data(), n, false, nullptr);
  product(m, n, k, aIm.data(), k, 1, bIm.data(), n, 1, minus.data(), n, false, nullptr);
  product(m, n, k, aRe.data(), k, 1, bIm.data(), n, 1, im.data(), n, false, nullptr);
  product(m, n, k, aIm.data(), k, 1, bRe.data(), n, 1, im.data(), n, true, nullptr);
  for (int64_t i = 0; i < m && !work::wasStopped(); ++i)
    for (int64_t j = 0; j < n; ++j) {
      std::complex<T> value(re[i * n + j] - minus[i * n + j], im[i * n + j]);
      c[i * cRow + j] = accumulate ? c[i * cRow + j] + value : value;
    }
}

/// Sizes up to which a product of a batch is computed by plain loops, if it has fewer multiplications than a kernel's
/// set-up takes the time of.
static constexpr int64_t mostTiny = 4, mostTinyWork = 63;

template <typename T>
static void tinyProduct(int64_t m, int64_t n, int64_t k, const T *a, const MatrixRef &left, const T *b,
                        const MatrixRef &right, T *c, int64_t cRow, bool accumulate) {
  for (int64_t i = 0; i < m; ++i)
    for (int64_t j = 0; j < n; ++j) {
      T sum = a[i * left.row] * b[j * right.column];
      for (int64_t p = 1; p < k; ++p)
        sum += a[i * left.row + p * left.column] * b[p * right.row + j * right.column];
      c[i * cRow + j] = accumulate ? c[i * cRow + j] + sum : sum;
    }
}

/// Calls fn(i) for each of [first, last), which does so many multiplications, until the call is to end.
template <typename Fn> static void untilStopped(int64_t first, int64_t last, int64_t multiplications, Fn fn) {
  if (last - first == 1)
    return fn(first);
  constexpr int64_t workBetween = int64_t{1} << 20; // a fraction of a millisecond
  const int64_t atOnce = std::max<int64_t>(1, workBetween / std::max<int64_t>(multiplications, 1));
  for (int64_t begin = first; begin < last && !work::wasStopped(); begin += atOnce)
    for (int64_t i = begin, end = std::min(last, begin + atOnce); i != end; ++i)
      fn(i);
}

template <typename T>
static void gemmOf(DType dtype, int64_t batches, int64_t m, int64_t n, int64_t k, const MatrixRef &a,
                   const MatrixRef &b, const MatrixOut &out, bool accumulate) {
  const T *aData = static_cast<const T *>(a.data), *bData = static_cast<const T *>(b.data);
  T *c = static_cast<T *>(out.data);
  if (k == 0) {
    for (int64_t i = 0; !accumulate && i < batches; ++i)
      for (int64_t r = 0; r < m; ++r)
        std::fill_n(c + i * out.batch + r * out.row, n, T(0));
    return;
  }
  int64_t work = m * n * k;
  if constexpr (std::is_floating_point_v<T>)
    if (batches > 1 && std::max({m, n, k}) <= mostTiny && work <= mostTinyWork) {
      parallelFor(0, batches, std::max<int64_t>(1, (1 << 16) / work), [&](int64_t first, int64_t last) {
        untilStopped(first, last, work, [&](int64_t i) {
          tinyProduct(m, n, k, aData + i * a.batch, a, bData + i * b.batch, b, c + i * out.batch, out.row, accumulate);
        });
      });
      return;
    }
  if constexpr (std::is_floating_point_v<T>)
    if (m == 1 && n == 1 && a.column == 1 && b.row == 1) {
      parallelFor(0, batches, std::max<int64_t>(1, (1 << 16) / work), [&](int64_t first, int64_t last) {
        untilStopped(first, last, work, [&](int64_t i) {
          const T sum = rows::kernels<T>().dot(aData + i * a.batch, bData + i * b.batch, k);
          c[i * out.batch] = accumulate ? c[i * out.batch] + sum : sum;
        });
      });
      return;
    }
  if (batches > 1) {
    const bool copies = std::max({m, n, k}) <= mostTiny && b.column != 1; // kernels read rows where they lie
    parallelFor(0, batches, std::max<int64_t>(1, ProductCut::leastWork / work), [&](int64_t first, int64_t last) {
      std::array<T, mostTiny * mostTiny> rows;
      untilStopped(first, last, work, [&](int64_t i) {
        const T *right = bData + i * b.batch;
        for (int64_t e = 0; copies && e != k * n; ++e)
          rows[e] = right[e / n * b.row + e % n * b.column];
        product(m, n, k, aData + i * a.batch, a.row, a.column, copies ? rows.data() : right, copies ? n : b.row,
                copies ? 1 : b.column, c + i * out.batch, out.row, accumulate, nullptr);
      });
    });
    return;
  }
  const ProductCut pieces(std::max(m, n), work);
  KeptPanels kept(dtype, k, n, b);
  parallelFor(0, pieces.count, 1, [&](int64_t first, int64_t last) {
    untilStopped(first, last, work / pieces.count, [&](int64_t i) {
      const auto [begin, size] = pieces[i];
      if (m >= n)
        product(size, n, k, aData + begin * a.row, a.row, a.column, bData, b.row, b.column, c + begin * out.row,
                out.row, accumulate, &kept);
      else
        product(m, size, k, aData, a.row, a.column, bData + begin * b.column, b.row, b.column, c + begin, out.row,
                accumulate, &kept);
    });
  });
}

/// Bytes that the kernels take at once for copies of the operands and for parts of a result; 0 where they are few.
static size_t bytesBeside(DType dtype, int64_t batches, int64_t m, int64_t n, int64_t k, const MatrixRef &a,
                          const MatrixRef &b) {
  constexpr double few = 0x1p16, most = 0x1p62;
  const auto item = static_cast<double>(itemSize(dtype));
  const double left = item * static_cast<double>(m) * static_cast<double>(k),
               right = item * static_cast<double>(k) * static_cast<double>(n),
               result = item * static_cast<double>(m) * static_cast<double>(n);
  if (left + right + result < few)
    return 0;
  const Executor *executor = currentExecutor();
  const double threads = executor ? executor->concurrency() : 1;
  double bytes = 0;
  if (dtype == DType::Int64) {
    bytes = !mayTakeReals(m, n, k) ? (b.column == 1 ? 0 : right * threads)
            : batches > 1          ? (left + right + result) * threads
            : m >= n               ? left + result + right * threads
                                   : right + result + left * threads;
  } else if (isComplex(dtype)) {
    const double parts = 1.5 * result; // three planes of half an item each
    if (takesPlanes(k, n, itemSize(dtype)))
      bytes = batches > 1 ? (left + right + parts) * threads
              : m >= n    ? left + parts + right * threads
                          : right + parts + left * threads;
  } else if (n == 1) {
    bytes = b.row == 1 ? 0 : right; // gemmAny exchanges the operands
  } else if (a.column != 1 && b.row == 1 && b.column != 1 && takesDotProducts(m, n, k, b.column)) {
    bytes = left * threads; // it copies a few rows
  }
  return bytes < few ? 0 : static_cast<size_t>(std::min(bytes, most));
}

static Status gemmOfDType(DType dtype, int64_t batches, int64_t m, int64_t n, int64_t k, const MatrixRef &a,
                          const MatrixRef &b, const MatrixOut &out, bool accumulate) {
  memory::CountedBytes beside;
  if (const size_t bytes = bytesBeside(dtype, batches, m, n, k, a, b)) {
    if (!memory::hasRoom(bytes))
      return outOfMemory();
    beside.set(bytes);
  }
  switch (dtype) {
  case DType::Float: gemmOf<float>(dtype, batches, m, n, k, a, b, out, accumulate); break;
  case DType::Double: gemmOf<double>(dtype, batches, m, n, k, a, b, out, accumulate); break;
  case DType::Int64: gemmOf<int64_t>(dtype, batches, m, n, k, a, b, out, accumulate); break;
  case DType::ComplexFloat: gemmOf<std::complex<float>>(dtype, batches, m, n, k, a, b, out, accumulate); break;
  case DType::ComplexDouble: gemmOf<std::complex<double>>(dtype, batches, m, n, k, a, b, out, accumulate); break;
  default: return detail::dtypeNotImplemented("addmm_impl_cpu_", dtype);
  }
  return okStatus();
}

/// The columns of a from `begin` on, or the rows of b.
static MatrixRef termsFrom(const MatrixRef &matrix, int64_t begin, int64_t step, DType dtype) {
  MatrixRef rest = matrix;
  rest.data = static_cast<const char *>(matrix.data) + begin * step * static_cast<int64_t>(itemSize(dtype));
  rest.source = nullptr;
  return rest;
}

Status tsc::cpu::gemm(DType dtype, int64_t batches, int64_t m, int64_t n, int64_t k, const MatrixRef &a,
                      const MatrixRef &b, const MatrixOut &out, GemmMode mode) {
  assert(batches >= 0 && m >= 0 && n >= 0 && k >= 0 && "sizes of matrices");
  if (batches == 0 || m == 0 || n == 0)
    return okStatus();
  assert((m == 1 || out.row >= n) && "rows of the result do not overlap");
  assert(out.data && (k == 0 || (a.data && b.data)) && "matrices with elements are in memory");
  constexpr double longWork = 0x1p30; // seconds, on a slow processor
  const double work =
      static_cast<double>(batches) * static_cast<double>(m) * static_cast<double>(n) * static_cast<double>(k);
  work::countMultiplications(work);
  if (work >= longWork && work::wasStopped())
    return okStatus(); // nobody will look at the result
  const bool accumulate = mode == GemmMode::Accumulate;
  // Sums of very many terms are added up in parts. An expanded operand has more terms than a memory holds.
  const int64_t mostTerms = int64_t{1} << (a.column == 0 || b.row == 0 ? 18 : 24);
  if (k <= mostTerms)
    return gemmOfDType(dtype, batches, m, n, k, a, b, out, accumulate);
  for (int64_t p = 0; p < k && !work::wasStopped(); p += mostTerms)
    TSC_RETURN_IF_ERROR(gemmOfDType(dtype, batches, m, n, std::min(mostTerms, k - p), termsFrom(a, p, a.column, dtype),
                                    termsFrom(b, p, b.row, dtype), out, accumulate || p != 0));
  return okStatus();
}
