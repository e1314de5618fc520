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

using LtHandle = struct LtHandleObject *;         ///< The library's state.
using LtMatmul = struct LtMatmulObject *;         ///< What a product computes.
using LtLayout = struct LtLayoutObject *;         ///< How a matrix lies in memory.
using LtPreference = struct LtPreferenceObject *; ///< What a search for algorithms is limited to.
/// A way to compute a product: cublasLtMatmulAlgo_t, a fact of the library's ABI.
struct LtAlgorithm {
  uint64_t data[8];
};
/// What a search finds: cublasLtMatmulHeuristicResult_t, a fact of the library's ABI.
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

/// A product of matrices, out = alpha a b + beta summand + bias, `batch` times. All have one dtype, which is computed
/// in float, or in double.
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
  /// Opens the library at `path`, or where it usually is when that is empty. Returns NotFound where it is not.
  static StatusOr<std::unique_ptr<CublasLt>> open(llvm::StringRef path, DriverContext &context,
                                                  const DeviceMemory &memory);
  ~CublasLt();

  /// Computes a product, in the order of the context's stream. Returns false where the library has no way for such
  /// matrices.
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
  std::mutex lock; ///< Guards what follows.
  LtHandle handle = nullptr;
  std::map<std::vector<int64_t>, Chosen> chosen; ///< The keys are all that a product's speed depends on.
};

} // namespace tsc::fuser

#endif
