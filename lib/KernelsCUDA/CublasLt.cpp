//===- CublasLt.cpp - Products of matrices on a GPU -----------------------===//
//
// The library's matrices have their columns one behind the other: to it a matrix of ours
// is its transpose, and a product is that of the operands exchanged, b' a'.
//
//===----------------------------------------------------------------------===//
#include "CublasLt.h"
#include "Workspace.h"
#include "llvm/ADT/ScopeExit.h"
#include <bit>

using namespace tsc;
using namespace tsc::fuser;

namespace {
// Of the library's enumerations.
enum Result : int { Success = 0, NotSupported = 15 };
enum DataType : int { Real32 = 0, Real64 = 1, Real16 = 2, RealBf16 = 14 };
enum ComputeType : int { Compute32 = 68, Compute64 = 70 };
enum MatmulAttribute : int { TransposeA = 3, TransposeB = 4, Epilogue = 7, BiasPointer = 8 };
enum LayoutAttribute : int { BatchCount = 5, BatchOffset = 6 };
enum PreferenceAttribute : int { MaxWorkspace = 1, AlignmentA = 5, AlignmentB = 6, AlignmentC = 7, AlignmentD = 8 };
constexpr uint32_t epilogueBias = 4;
constexpr uint64_t maxWorkspace = uint64_t{32} << 20; ///< What NVIDIA advises for its largest GPUs.
} // namespace

static DataType typeOf(DType dtype) {
  switch (dtype) {
  case DType::Double: return Real64;
  case DType::Half: return Real16;
  case DType::BFloat16: return RealBf16;
  default: return Real32;
  }
}

/// The largest power of two, up to 256, that divides the address.
static uint32_t alignmentOf(const char *data) {
  auto address = reinterpret_cast<uintptr_t>(data) | 256;
  return static_cast<uint32_t>(address & (~address + 1));
}

StatusOr<std::unique_ptr<CublasLt>> CublasLt::open(llvm::StringRef path, DriverContext &context,
                                                   const DeviceMemory &memory) {
  TSC_ASSIGN_OR_RETURN(SharedLibrary library,
                       SharedLibrary::open("cuBLASLt", toolkitLibrary("cublasLt", path, {13, 12})));
  std::unique_ptr<CublasLt> opened(new CublasLt(std::move(library), context, memory));
#define CUBLAS(NAME, ...) TSC_RETURN_IF_ERROR(opened->library.find(#NAME, opened->NAME));
#include "CublasFunctions.def"
  TSC_RETURN_IF_ERROR(opened->library.find("cublasLtGetStatusName", opened->statusName));
  TSC_RETURN_IF_ERROR(opened->library.find("cublasLtGetStatusString", opened->statusText));
  return opened;
}

CublasLt::~CublasLt() {
  if (handle)
    (void)context.callBeside([&] { return check(cublasLtDestroy(handle), "cublasLtDestroy"); });
}

Status CublasLt::check(int result, llvm::StringRef what) const {
  if (result == Success)
    return okStatus();
  const char *name = statusName(result), *text = statusText(result);
  return internalError(
      (what + ": " + (name ? name : "an error without a name") + " (" + (text ? text : "no text") + ")").str());
}

#define TSC_CUBLAS_CALL(LIBRARY, FUNCTION, ...)                                                                        \
  TSC_RETURN_IF_ERROR((LIBRARY).check((LIBRARY).FUNCTION(__VA_ARGS__), #FUNCTION))

/// What the library is told of a product.
class CublasLt::Descriptors {
public:
  explicit Descriptors(CublasLt &library) : library(library) {}
  Descriptors(const Descriptors &) = delete;
  ~Descriptors() {
    for (LtLayout layout : {a, b, summand, out})
      if (layout)
        (void)library.cublasLtMatrixLayoutDestroy(layout);
    if (matmul)
      (void)library.cublasLtMatmulDescDestroy(matmul);
  }

  Status make(const Product &product) {
    const bool isDouble = product.dtype == DType::Double;
    TSC_CUBLAS_CALL(library, cublasLtMatmulDescCreate, &matmul, isDouble ? Compute64 : Compute32,
                    isDouble ? Real64 : Real32);
    TSC_RETURN_IF_ERROR(set<int32_t>(TransposeA, product.b.isTransposed));
    TSC_RETURN_IF_ERROR(set<int32_t>(TransposeB, product.a.isTransposed));
    if (product.bias) {
      TSC_RETURN_IF_ERROR(set<uint32_t>(Epilogue, epilogueBias));
      TSC_RETURN_IF_ERROR(set<const char *>(BiasPointer, product.bias));
    }
    TSC_RETURN_IF_ERROR(describe(product, product.a, a));
    TSC_RETURN_IF_ERROR(describe(product, product.b, b));
    TSC_RETURN_IF_ERROR(describe(product, product.summand, summand));
    return describe(product, product.out, out);
  }

  LtMatmul matmul = nullptr;
  LtLayout a = nullptr, b = nullptr, summand = nullptr, out = nullptr;

private:
  template <typename T> Status set(MatmulAttribute attribute, T value) {
    TSC_CUBLAS_CALL(library, cublasLtMatmulDescSetAttribute, matmul, attribute, &value, sizeof value);
    return okStatus();
  }
  /// Rows of ours are the library's columns.
  Status describe(const Product &product, const Matrix &matrix, LtLayout &layout) {
    auto inner = static_cast<uint64_t>(matrix.isTransposed ? matrix.rows : matrix.columns);
    auto outer = static_cast<uint64_t>(matrix.isTransposed ? matrix.columns : matrix.rows);
    TSC_CUBLAS_CALL(library, cublasLtMatrixLayoutCreate, &layout, typeOf(product.dtype), inner, outer, matrix.leading);
    if (product.batch == 1)
      return okStatus();
    const auto count = static_cast<int32_t>(product.batch);
    TSC_CUBLAS_CALL(library, cublasLtMatrixLayoutSetAttribute, layout, BatchCount, &count, sizeof count);
    TSC_CUBLAS_CALL(library, cublasLtMatrixLayoutSetAttribute, layout, BatchOffset, &matrix.batchStride,
                    sizeof matrix.batchStride);
    return okStatus();
  }
  CublasLt &library;
};

std::vector<int64_t> CublasLt::keyOf(const Product &product) {
  std::vector<int64_t> key{static_cast<int64_t>(product.dtype), product.batch, product.bias != nullptr,
                           product.beta != 0};
  for (const Matrix *matrix : {&product.a, &product.b, &product.summand, &product.out})
    key.insert(key.end(), {matrix->rows, matrix->columns, matrix->leading, matrix->isTransposed, matrix->batchStride,
                           int64_t{alignmentOf(matrix->data)}});
  return key;
}

StatusOr<CublasLt::Chosen> CublasLt::askFor(const Product &product) {
  Descriptors descriptors(*this);
  TSC_RETURN_IF_ERROR(descriptors.make(product));
  LtPreference preference = nullptr;
  TSC_CUBLAS_CALL(*this, cublasLtMatmulPreferenceCreate, &preference);
  auto destroyer = llvm::make_scope_exit([&] { (void)cublasLtMatmulPreferenceDestroy(preference); });
  TSC_CUBLAS_CALL(*this, cublasLtMatmulPreferenceSetAttribute, preference, MaxWorkspace, &maxWorkspace,
                  sizeof maxWorkspace);
  const std::pair<PreferenceAttribute, const Matrix *> alignments[] = {
      {AlignmentA, &product.b}, {AlignmentB, &product.a}, {AlignmentC, &product.summand}, {AlignmentD, &product.out}};
  for (auto [attribute, matrix] : alignments) {
    const uint32_t alignment = alignmentOf(matrix->data);
    TSC_CUBLAS_CALL(*this, cublasLtMatmulPreferenceSetAttribute, preference, attribute, &alignment, sizeof alignment);
  }
  LtHeuristic found{};
  int numFound = 0;
  const int result =
      cublasLtMatmulAlgoGetHeuristic(handle, descriptors.matmul, descriptors.b, descriptors.a, descriptors.summand,
                                     descriptors.out, preference, 1, &found, &numFound);
  if (result != NotSupported)
    TSC_RETURN_IF_ERROR(check(result, "cublasLtMatmulAlgoGetHeuristic"));
  const bool exists = result == Success && numFound == 1 && found.status == Success;
  return Chosen{found.algorithm, exists ? found.workspaceBytes : 0, exists};
}

/// The library has a thread's current context in mind, but nothing of the stream.
StatusOr<CublasLt::Chosen> CublasLt::choose(const Product &product, const std::vector<int64_t> &key) {
  std::lock_guard<std::mutex> guard(lock);
  if (auto known = chosen.find(key); known != chosen.end())
    return known->second;
  Chosen way{};
  TSC_RETURN_IF_ERROR(context.callBeside([&]() -> Status {
    if (!handle)
      TSC_CUBLAS_CALL(*this, cublasLtCreate, &handle);
    TSC_ASSIGN_OR_RETURN(way, askFor(product));
    return okStatus();
  }));
  return chosen[key] = way;
}

Status CublasLt::multiplyOn(CuStream stream, const Product &product, const Chosen &way, void *workspace) {
  Descriptors descriptors(*this);
  TSC_RETURN_IF_ERROR(descriptors.make(product));
  const auto alpha = static_cast<float>(product.alpha), beta = static_cast<float>(product.beta);
  const bool isDouble = product.dtype == DType::Double;
  TSC_CUBLAS_CALL(*this, cublasLtMatmul, handle, descriptors.matmul,
                  isDouble ? static_cast<const void *>(&product.alpha) : &alpha, product.b.data, descriptors.b,
                  product.a.data, descriptors.a, isDouble ? static_cast<const void *>(&product.beta) : &beta,
                  product.summand.data, descriptors.summand, product.out.data, descriptors.out, &way.algorithm,
                  workspace, way.workspaceBytes, stream);
  return okStatus();
}

StatusOr<bool> CublasLt::multiply(const Product &product) {
  std::vector<int64_t> key = keyOf(product);
  TSC_ASSIGN_OR_RETURN(const Chosen way, choose(product, key));
  if (!way.exists)
    return false;
  Workspace workspace(memory);
  TSC_RETURN_IF_ERROR(workspace.allocate(way.workspaceBytes, "a product of matrices"));
  key.push_back(std::bit_cast<int64_t>(product.alpha)), key.push_back(std::bit_cast<int64_t>(product.beta));
  auto run = [this, product, way, place = workspace.data()](CuStream stream) {
    return multiplyOn(stream, product, way, place);
  };
  TSC_RETURN_IF_ERROR(context.submit(StreamOperation::ofCall(
      key, {product.a.data, product.b.data, product.summand.data, product.out.data, product.bias, workspace.data()},
      run)));
  return true;
}
