//===- FakeCublasLt.cpp - cuBLASLt, without a GPU --------------------------===//
//
// Takes descriptors as the library does, and complains of those that do not fit each
// other or their memory. Products are computed by the host, in double, and rounded once.
//
//===----------------------------------------------------------------------===//
#include "FakeNumbers.h"
#include "FakeState.h"
#include <cstring>
#include <map>
#include <vector>

using namespace fake;

namespace {
constexpr int notInitialized = 1, invalidValue = 7, executionFailed = 13;
constexpr uint64_t magic = 0x7473632d6c74;
constexpr size_t workspaceBytes = 1 << 16;
char theHandle;

enum MatmulAttribute { TransposeA = 3, TransposeB = 4, Epilogue = 7, BiasPointer = 8 };
struct Matmul {
  int computeType, scaleType;
  int32_t transposeA = 0, transposeB = 0;
  uint32_t epilogue = 1;
  const char *bias = nullptr;
};
struct Layout {
  int type;
  uint64_t rows, columns;
  int64_t leading;
  int32_t batch = 1;
  int64_t offset = 0;

  /// From the first element to behind the last.
  uint64_t extent() const {
    return (columns - 1) * static_cast<uint64_t>(leading) + rows +
           static_cast<uint64_t>(batch - 1) * static_cast<uint64_t>(offset);
  }
};
struct Algorithm {
  uint64_t data[8];
};
struct Heuristic {
  Algorithm algorithm;
  size_t workspaceBytes;
  int status;
  float waves;
  int reserved[4];
};
using Preference = std::map<int, uint64_t>;

/// Of cudaDataType.
Number numberOf(int type) {
  return type == 1 ? Number::Double : type == 0 ? Number::Float : type == 2 ? Number::Half : Number::BFloat16;
}

/// Sizes of the product; false where the descriptors are not of one.
bool sizesOf(const Matmul &m, const Layout &a, const Layout &b, const Layout &c, const Layout &d, uint64_t (&mnk)[3]) {
  mnk[0] = m.transposeA ? a.columns : a.rows;
  mnk[1] = m.transposeB ? b.rows : b.columns;
  mnk[2] = m.transposeA ? a.rows : a.columns;
  bool fits = (m.transposeB ? b.columns : b.rows) == mnk[2];
  for (const Layout *layout : {&a, &b, &c, &d})
    fits &= layout->type == d.type && layout->batch == d.batch && layout->leading >= static_cast<int64_t>(layout->rows);
  for (const Layout *layout : {&c, &d})
    fits &= layout->rows == mnk[0] && layout->columns == mnk[1];
  fits &= d.type == 1 ? m.computeType == 70 && m.scaleType == 1 : m.computeType == 68 && m.scaleType == 0;
  // Results of a batch may not lie in each other.
  fits &= d.batch == 1 || d.offset >= static_cast<int64_t>((d.columns - 1) * static_cast<uint64_t>(d.leading) + d.rows);
  return fits && mnk[0] != 0 && mnk[1] != 0 && mnk[2] != 0;
}

/// A product with all that it takes, which may outlive its descriptors.
struct Call {
  Matmul matmul;
  Layout layouts[4]; ///< Of a, b, c and d.
  const char *operands[4];
  double alpha, beta;
  Algorithm algorithm;
  void *workspace;
  size_t bytes;
  uint64_t mnk[3];

  void check() const {
    if (algorithm.data[0] != magic || bytes < algorithm.data[5])
      complain("an algorithm that was not given, or too small a workspace");
    if (bytes != 0 && !isAllocated(reinterpret_cast<uint64_t>(workspace), bytes))
      complain("a workspace that is not allocated");
    for (int i = 0; i != 4; ++i) {
      const auto address = reinterpret_cast<uint64_t>(operands[i]);
      if (!isAllocated(address, layouts[i].extent() * itemBytes(numberOf(layouts[i].type))))
        complain("a matrix outside of what is allocated");
      if (algorithm.data[1 + i] == 0 || address % algorithm.data[1 + i] != 0)
        complain("a matrix that is not aligned as the algorithm wants it");
    }
    if (matmul.epilogue == 4 &&
        !isAllocated(reinterpret_cast<uint64_t>(matmul.bias), mnk[0] * itemBytes(numberOf(layouts[3].type))))
      complain("a bias outside of what is allocated");
  }
  void run() const {
    check();
    const auto [m, n, k] = mnk;
    const auto &[aLayout, bLayout, cLayout, dLayout] = layouts;
    const auto [a, b, c, d] = operands;
    const char *bias = matmul.epilogue == 4 ? matmul.bias : nullptr;
    const Number type = numberOf(dLayout.type);
    Opened opened;
    std::vector<double> column(m);
    for (int64_t batch = 0; batch != dLayout.batch; ++batch)
      for (uint64_t j = 0; j != n; ++j) {
        std::fill(column.begin(), column.end(), 0.0);
        for (uint64_t p = 0; p != k; ++p) {
          const uint64_t atB = matmul.transposeB ? p * bLayout.leading + j : j * bLayout.leading + p;
          const double factor = load(b, type, static_cast<int64_t>(atB) + batch * bLayout.offset);
          for (uint64_t i = 0; i != m; ++i) {
            const uint64_t atA = matmul.transposeA ? i * aLayout.leading + p : p * aLayout.leading + i;
            column[i] += factor * load(a, type, static_cast<int64_t>(atA) + batch * aLayout.offset);
          }
        }
        for (uint64_t i = 0; i != m; ++i) {
          double value = alpha * column[i];
          if (beta != 0)
            value += beta * load(c, type, static_cast<int64_t>(j * cLayout.leading + i) + batch * cLayout.offset);
          if (bias)
            value += load(bias, type, static_cast<int64_t>(i));
          store(const_cast<char *>(d), type, static_cast<int64_t>(j * dLayout.leading + i) + batch * dLayout.offset,
                value);
        }
      }
  }
};
} // namespace

#define BEGIN                                                                                                          \
  std::lock_guard<std::recursive_mutex> guard(fake::lock());                                                           \
  if (!begin(__func__, true))                                                                                          \
    return executionFailed;

EXPORT const char *cublasLtGetStatusName(int status) {
  return status == executionFailed ? "CUBLAS_STATUS_EXECUTION_FAILED" : "CUBLAS_STATUS_INVALID_VALUE";
}
EXPORT const char *cublasLtGetStatusString(int status) {
  return status == executionFailed ? "the GPU program failed to execute" : "an unsupported value or parameter";
}
EXPORT int cublasLtCreate(void **handle) {
  BEGIN
  *handle = &theHandle;
  keep(*handle);
  return 0;
}
EXPORT int cublasLtDestroy(void *handle) {
  BEGIN
  if (handle != &theHandle)
    complain("a handle of cuBLASLt is destroyed that is none");
  giveBack(handle);
  return 0;
}
EXPORT int cublasLtMatmulDescCreate(Matmul **matmul, int computeType, int scaleType) {
  BEGIN
  *matmul = new Matmul{computeType, scaleType};
  keep(*matmul);
  return 0;
}
EXPORT int cublasLtMatmulDescDestroy(Matmul *matmul) {
  BEGIN
  giveBack(matmul);
  delete matmul;
  return 0;
}
EXPORT int cublasLtMatmulDescSetAttribute(Matmul *matmul, int attribute, const void *value, size_t bytes) {
  BEGIN
  auto set = [&](auto &field) {
    if (bytes != sizeof field)
      return invalidValue;
    std::memcpy(&field, value, bytes);
    return 0;
  };
  switch (attribute) {
  case TransposeA: return set(matmul->transposeA);
  case TransposeB: return set(matmul->transposeB);
  case Epilogue: return set(matmul->epilogue);
  case BiasPointer: return set(matmul->bias);
  default: return invalidValue;
  }
}
EXPORT int cublasLtMatrixLayoutCreate(Layout **layout, int type, uint64_t rows, uint64_t columns, int64_t leading) {
  BEGIN
  *layout = new Layout{type, rows, columns, leading};
  keep(*layout);
  return 0;
}
EXPORT int cublasLtMatrixLayoutDestroy(Layout *layout) {
  BEGIN
  giveBack(layout);
  delete layout;
  return 0;
}
EXPORT int cublasLtMatrixLayoutSetAttribute(Layout *layout, int attribute, const void *value, size_t bytes) {
  BEGIN
  if (attribute == 5 && bytes == sizeof layout->batch)
    std::memcpy(&layout->batch, value, bytes);
  else if (attribute == 6 && bytes == sizeof layout->offset)
    std::memcpy(&layout->offset, value, bytes);
  else
    return invalidValue;
  return 0;
}
EXPORT int cublasLtMatmulPreferenceCreate(Preference **preference) {
  BEGIN
  *preference = new Preference;
  keep(*preference);
  return 0;
}
EXPORT int cublasLtMatmulPreferenceDestroy(Preference *preference) {
  BEGIN
  giveBack(preference);
  delete preference;
  return 0;
}
EXPORT int cublasLtMatmulPreferenceSetAttribute(Preference *preference, int attribute, const void *value,
                                                size_t bytes) {
  BEGIN
  if (bytes != (attribute == 1 ? 8 : 4))
    return invalidValue;
  uint64_t number = 0;
  std::memcpy(&number, value, bytes);
  (*preference)[attribute] = number;
  return 0;
}
EXPORT int cublasLtMatmulAlgoGetHeuristic(void *handle, Matmul *matmul, Layout *a, Layout *b, Layout *c, Layout *d,
                                          Preference *preference, int asked, Heuristic *found, int *numFound) {
  BEGIN
  uint64_t mnk[3];
  if (handle != &theHandle)
    return notInitialized;
  if (asked < 1 || !sizesOf(*matmul, *a, *b, *c, *d, mnk)) {
    complain("descriptors that are of no product");
    return invalidValue;
  }
  *numFound = 1;
  *found = {};
  found->algorithm.data[0] = magic;
  for (int operand = 0; operand != 4; ++operand) // the alignments that it is for
    found->algorithm.data[1 + operand] = (*preference)[5 + operand];
  found->workspaceBytes = mnk[2] >= 8 && (*preference)[1] >= workspaceBytes ? workspaceBytes : 0;
  found->algorithm.data[5] = found->workspaceBytes;
  return 0;
}
EXPORT int cublasLtMatmul(void *handle, Matmul *matmul, const void *alpha, const char *a, Layout *aLayout,
                          const char *b, Layout *bLayout, const void *beta, const char *c, Layout *cLayout, char *d,
                          Layout *dLayout, const Algorithm *algorithm, void *workspace, size_t bytes, void *stream) {
  BEGIN
  checkStream(__func__, stream);
  uint64_t mnk[3];
  if (handle != &theHandle)
    return notInitialized;
  if (!sizesOf(*matmul, *aLayout, *bLayout, *cLayout, *dLayout, mnk)) {
    complain("a product of descriptors that do not fit");
    return invalidValue;
  }
  auto number = [&](const void *p) {
    return matmul->scaleType == 1 ? *static_cast<const double *>(p) : *static_cast<const float *>(p);
  };
  const Call call{*matmul,
                  {*aLayout, *bLayout, *cLayout, *dLayout},
                  {a, b, c, d},
                  number(alpha),
                  number(beta),
                  *algorithm,
                  workspace,
                  bytes,
                  {mnk[0], mnk[1], mnk[2]}};
  call.check();
  perform(stream, [call] { call.run(); });
  return 0;
}
