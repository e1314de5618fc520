//===- CudaDevice.h - Nests on a GPU ----------------------------*- C++ -*-===//
#ifndef TSC_LIB_FUSERCUDA_CUDADEVICE_H
#define TSC_LIB_FUSERCUDA_CUDADEVICE_H

#include "EmitKernel.h"
#include "tsc/Fusion/Plan.h"
#include "tsc/KernelsCUDA/LaunchParams.h"

namespace tsc::fuser {

/// What runs compiled kernels: the driver, or a stand-in of a test.
class KernelRunner {
public:
  /// Which function of a kernel's code is meant: the kernel itself, or the one that combines the chunks of its folds.
  enum class Entry : uint8_t { Kernel, Combine };
  virtual ~KernelRunner();
  /// Launches on `units` blocks of `threads` threads at most; `params` is the kernel's only parameter. In order with
  /// other launches.
  virtual Status launch(const Kernel &kernel, Entry entry, unsigned units, unsigned threads,
                        ArrayRef<uint64_t> params) const = 0;
};

/// What a launch hands to the runner.
struct PreparedLaunch {
  const Kernel *kernel;
  KernelRunner::Entry entry;
  unsigned units, threads;
  llvm::SmallVector<uint64_t, 64> params;
};

/// Launches, and the memory that they need for their own; it is freed, in the order of the stream, with them.
class PreparedLaunches {
public:
  explicit PreparedLaunches(const DeviceMemory &memory) : memory(memory) {}
  PreparedLaunches(const PreparedLaunches &) = delete;
  ~PreparedLaunches();
  /// Returns `bytes` bytes of scratch memory on the device, owned by this object; ResourceExhausted where there is no
  /// memory.
  StatusOr<char *> allocate(uint64_t bytes);

  llvm::SmallVector<PreparedLaunch, 4> launches;

private:
  const DeviceMemory &memory;
  llvm::SmallVector<memory::Block, 2> scratch;
};

/// One launch, or two: the second combines what chunks of folds come to.
class CudaLaunch final : public Launch {
public:
  CudaLaunch(const DeviceMemory &memory, const KernelRunner &runner) : memory(memory), runner(runner) {}

  /// A tensor that the kernel reads or writes, as a place in one of the sources that run() takes.
  struct Operand {
    unsigned source;
    int64_t offset; ///< Bytes from the beginning of the source's storage.
    DType dtype;
    int64_t elements; ///< How many distinct elements the walk reads or writes.
    /// Bytes of which the address, less `field`, must be a multiple for accesses of several elements.
    unsigned alignment = 1;
    unsigned field = 0; ///< Bytes by which the operand begins behind an aligned address.
  };
  llvm::SmallVector<Operand, 8> operands;
  llvm::SmallVector<NumberSource, 4> numbers;
  ParamsLayout layout{0, 0, 0};
  std::vector<uint64_t> params; ///< The words of `layout`; prepare() fills in addresses and numbers.
  unsigned units = 1, threads = pointwiseThreads;
  uint64_t numPartials = 0; ///< Scratch words of 8 bytes for chunks of folds; a second launch combines them.
  int64_t numFolded = 0;    ///< How many results each fold has.
  bool mayVectorize = false;
  Dims sizes;

  Status run(ArrayRef<char *> sources, ArrayRef<const IValue *> inputs) const override;
  /// Adds what run() would launch.
  Status prepare(ArrayRef<char *> sources, ArrayRef<const IValue *> inputs, PreparedLaunches &prepared) const;
  int64_t elementsOf(unsigned source) const override;
  Dims walkedSizes() const override { return sizes; }
  uint64_t bytesMoved() const override;

private:
  const DeviceMemory &memory;
  const KernelRunner &runner;
};

class CudaGraphs;

/// Lays fused nests out for a GPU: chooses how many blocks and threads a launch has and fills in its parameters.
/// Borrows the memory and the runner, which must outlive it and its launches.
class CudaDevice final : public NestDevice {
public:
  /// With `graphs`, plans become graphs.
  CudaDevice(const DeviceMemory &where, const KernelRunner &runner, int multiprocessors,
             std::shared_ptr<CudaGraphs> graphs = nullptr);
  ~CudaDevice() override;
  const DeviceMemory &memory() const override { return where; }
  bool foldsApart(int64_t rows, int64_t length) const override;
  LaidOut layOut(FusedNest nest, unsigned firstTemporary) const override;
  std::unique_ptr<LaunchSequence> sequence() const override;

private:
  const DeviceMemory &where;
  const KernelRunner &runner;
  const int multiprocessors;
  const std::shared_ptr<CudaGraphs> graphs; // a plan may be gone after the device
};

} // namespace tsc::fuser

#endif
