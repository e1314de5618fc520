//===- CudaKernels.cpp - Operators that have kernels of their own on a GPU ===//
//
// The column `cudaKernel` of an operator's record calls a function with some of its
// operands, which returns what is to be computed, such as a ProductOperands or a Scan, or
// nothing where no kernel takes such operands. Each of these types has a kernel here.
//
//===----------------------------------------------------------------------===//
#include "tsc/KernelsCUDA/CudaKernels.h"
#include "Choosing.h"
#include "Contractions.h"
#include "Cudnn.h"
#include "EmbeddingBags.h"
#include "Placing.h"
#include "Pooling.h"
#include "Products.h"
#include "Random.h"
#include "tsc/Runtime/Dispatch/Unboxing.h"

using namespace tsc;
using namespace tsc::fuser;

using Results = llvm::MutableArrayRef<IValue>;

namespace {
/// A library that is opened when it is first asked for, and may be missing.
template <typename Library> class OptionalLibrary {
public:
  /// Returns the library, or null where it is not there.
  Library *get(llvm::StringRef path, DriverContext &context, const DeviceMemory &memory) {
    std::call_once(once, [&] {
      if (auto opened = Library::open(path, context, memory); opened.ok())
        library = std::move(*opened);
    });
    return library.get();
  }

private:
  std::once_flag once;
  std::unique_ptr<Library> library;
};
} // namespace

class CudaKernels::Kernels {
public:
  Kernels(DriverContext &context, const Nvrtc &nvrtc, ProgramStore &disk, const DeviceMemory &memory,
          const CudaKernelOptions &options)
      : context(context), memory(memory), options(options), random(context, nvrtc, disk),
        hand(context, nvrtc, disk, memory, toolkitHeaders("cub/block/block_radix_sort.cuh", options.headers)),
        indexing(hand), sorter(hand), placing(hand, indexing, sorter), scanner(hand),
        choosing(hand, scanner, indexing) {}

  /// Runs what a record asks for, if anything.
  template <typename Request>
  StatusOr<bool> serve(const OpRecord &record, std::optional<Request> request, Results results) {
    if (!request)
      return false;
    if constexpr (std::is_same_v<Request, Placement>)
      request->mustBeDisjoint = record.has(Trait::Disjoint);
    return run(*request, results);
  }

  StatusOr<bool> draw(const RandomDraw &what, const DeviceSeed &seed, const Tensor &result, const Tensor *self,
                      const Tensor *mask) {
    return options.compiles ? random.draw(what, seed, result, self, mask) : StatusOr<bool>(false);
  }

private:
  /// Null where no kernels are compiled.
  HandKernels *handKernels() { return options.compiles ? &hand : nullptr; }

  StatusOr<bool> run(const ProductOperands &product, Results results) {
    CublasLt *library = cublas.get(options.cublasLt, context, memory);
    return library ? runProduct(*library, memory, product, results[0]) : false;
  }
  StatusOr<bool> run(const Contraction &contraction, Results results) {
    CublasLt *library = cublas.get(options.cublasLt, context, memory);
    return library ? contract(*library, memory, handKernels(), contraction, results[0]) : false;
  }
  StatusOr<bool> run(const Convolution &convolution, Results results) {
    Cudnn *library = cudnn.get(options.cudnn, context, memory);
    return library ? library->convolve(convolution, handKernels(), results[0]) : false;
  }
  StatusOr<bool> run(const RecurrentLayers &layers, Results results) {
    Cudnn *library = cudnn.get(options.cudnn, context, memory);
    return library ? library->runRecurrent(layers, handKernels(), results) : false;
  }
  StatusOr<bool> run(const Selection &selection, Results results) {
    return options.compiles ? indexing.select(selection, results[0]) : false;
  }
  StatusOr<bool> run(const Choice &choice, Results results) {
    return options.compiles ? choosing.choose(choice, results[0]) : false;
  }
  StatusOr<bool> run(const std::variant<Selection, Choice> &request, Results results) {
    return std::visit([&](const auto &asked) { return run(asked, results); }, request);
  }
  StatusOr<bool> run(const Scan &scan, Results results) {
    return options.compiles ? scanner.scan(scan, results) : false;
  }
  StatusOr<bool> run(const EmbeddingBags &bags, Results results) {
    return options.compiles ? runBags(hand, bags, results) : false;
  }
  StatusOr<bool> run(const Pool &pool, Results results) {
    return options.compiles ? runPool(hand, pool, results) : false;
  }
  StatusOr<bool> run(const Ordering &ordering, Results results) {
    return options.compiles ? sorter.sort(ordering, results) : false;
  }
  StatusOr<bool> run(const Placement &placement, Results results) {
    return options.compiles ? placing.place(placement, results[0]) : false;
  }

  DriverContext &context;
  const DeviceMemory &memory;
  const CudaKernelOptions options;
  OptionalLibrary<CublasLt> cublas;
  OptionalLibrary<Cudnn> cudnn;
  RandomPrograms random;
  HandKernels hand;
  Indexing indexing;
  Sorter sorter;
  Placing placing;
  Scanner scanner;
  Choosing choosing;
};

CudaKernels::CudaKernels(DriverContext &context, const Nvrtc &nvrtc, ProgramStore &disk, const DeviceMemory &memory,
                         const CudaKernelOptions &options)
    : kernels(std::make_unique<Kernels>(context, nvrtc, disk, memory, options)) {}
CudaKernels::~CudaKernels() = default;

StatusOr<bool> CudaKernels::draw(const RandomDraw &what, const DeviceSeed &seed, const Tensor &result,
                                 const Tensor *self, const Tensor *mask) {
  return kernels->draw(what, seed, result, self, mask);
}

StatusOr<bool> CudaKernels::run(const OpRecord &record, llvm::ArrayRef<const IValue *> a, Results results) {
  using namespace unboxing;
  switch (record.kind) {
#define CUDA_KERNEL(KIND, CALL)                                                                                        \
  case OpKind::KIND: return kernels->serve(record, CALL, results);
#include "tsc/KernelsCUDA/Kernels.inc"
  default: return false;
  }
}
