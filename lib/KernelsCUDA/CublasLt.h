//===- CublasLt.h - Products of matrices on a GPU ---------------*- C++ -*-===//
//
// cuBLASLt is opened at run time, as the driver is; the declarations are our own.
//
//===----------------------------------------------------------------------===//
#ifndef TSC_LIB_KERNELSCUDA_CUBLASLT_H
#define TSC_LIB_KERNELSCUDA_CUBLASLT_H

#include "tsc/DeviceCUDA/Driver.h"
#include "tsc/Tensor/DeviceMemory.h"
#include <map>

namespace tsc::fuser {

using LtHandle = struct LtHandleObject *;
using LtMatmul = struct LtMatmulObject *;
using LtLayout = struct LtLayoutObject *;
using LtPreference = struct LtPreferenceObject *;
struct LtAlgorithm {
  uint64_t data[8];
};
struct LtHeuristic {
  LtAlgorithm algorithm;
  size_t workspaceBytes;
  int status;
  float waves;
  int reserved[4];
};

/// A matrix in memory, or several of one kind. Its rows lie one behind the other, `leading` elements apart, or, where
/// it is transposed, its columns do.
struct Matrix {
  char *data = nullptr;
  int64_t rows = 0, columns = 0, leading = 0;
  bool isTransposed = false;
  int64_t batchStride = 0; ///< Elements.
};

/// out = alpha a b + beta summand + bias, `batch` times. All have one dtype, which is computed in float, or in double.
struct Product {
  DType dtype;
  Matrix a, b, out, summand; ///< `out` and `summand`, which is `out` where beta is 0, are not transposed.
  int64_t batch = 1;
  double alpha = 1, beta = 0;
  const char *bias = nullptr; ///< Null, or an element for each column.
};

/// Threads: multiply() may be called from many threads.
class CublasLt {
public:
  /// From `path`, or where it usually is. NotFound where it is not.
  static StatusOr<std::unique_ptr<CublasLt>> open(llvm::StringRef path, DriverContext &context,
                                                  const DeviceMemory &memory);
  ~CublasLt();

  /// In the order of the context's stream. False: the library has no way for such matrices.
  StatusOr<bool> multiply(const Product &product);

#define CUBLAS(NAME, ...) int (*NAME)(__VA_ARGS__) = nullptr;
#include "CublasFunctions.def"

private:
  CublasLt(SharedLibrary library, DriverContext &context, const DeviceMemory &memory)
      : library(std::move(library)), context(context), memory(memory) {}
  Status check(int result, llvm::StringRef what) const;
  struct Chosen {
    LtAlgorithm algorithm;
    size_t workspaceBytes;
    bool exists;
  };
  class Descriptors;
  static std::vector<int64_t> keyOf(const Product &product);
  StatusOr<Chosen> choose(const Product &product, const std::vector<int64_t> &key);
  StatusOr<Chosen> askFor(const Product &product);
  Status multiplyOn(CuStream stream, const Product &product, const Chosen &way, void *workspace);

  SharedLibrary library;
  DriverContext &context;
  const DeviceMemory &memory;
  const char *(*statusName)(int) = nullptr;
  const char *(*statusText)(int) = nullptr;
  std::mutex lock; ///< Of what follows.
  LtHandle handle = nullptr;
  std::map<std::vector<int64_t>, Chosen> chosen; ///< By all that a product's speed depends on.
};

} // namespace tsc::fuser

#endif
