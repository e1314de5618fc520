//===- HandKernels.h - What kernels that are written by hand share *- C++ -*-===//
#ifndef TSC_LIB_KERNELSCUDA_HANDKERNELS_H
#define TSC_LIB_KERNELSCUDA_HANDKERNELS_H

#include "Programs.h"
#include "tsc/IR/IValue.h"

namespace tsc::fuser {

/// What a kernel is launched with. Its text finds them as p.at[…], p.number[…] and, for `work`, p.count.
struct HandLaunch {
  llvm::SmallVector<const void *, 6> operands;
  llvm::SmallVector<uint64_t, 24> numbers;
  int64_t work = 1; ///< Elements of which a thread takes some, or, with `isOfBlocks`, pieces of which a block does.
  bool isOfBlocks = false;
};

/// Texts of kernels of 256 threads, with marks for what each is made for. @NAME@ and @PARAMS@ are set for all.
///
/// Threads: everything may be called from many threads.
class HandKernels {
public:
  HandKernels(DriverContext &context, const Nvrtc &nvrtc, ProgramStore &disk, const DeviceMemory &memory,
              std::vector<std::string> headers)
      : context(context), memory(memory), programs(context, nvrtc, disk), headers(std::move(headers)) {}

  using OwnedMarks = std::vector<std::pair<llvm::StringRef, std::string>>;
  using Marks = llvm::ArrayRef<OwnedMarks::value_type>;
  /// `name` tells the text and its marks.
  Status run(const std::string &name, llvm::StringRef text, Marks marks, const HandLaunch &launch);
  /// Runs a text that needs the toolkit's headers. Returns false where they are not there, or do not compile.
  StatusOr<bool> runWithHeaders(const std::string &name, llvm::StringRef text, Marks marks, const HandLaunch &launch);

  /// Whether elements lie on this device as they are, at least one and few enough for numbers of 31 bits.
  bool isTaken(const Tensor &tensor) const;
  /// Row-major: the tensor itself, or, where it is not, or `mustCopy`, a copy.
  StatusOr<Tensor> dense(const Tensor &tensor, bool mustCopy = false);
  /// Writes a row-major tensor's elements to where those of a tensor of as many are.
  Status spread(const Tensor &from, const Tensor &to);
  /// A copy of a row-major tensor with these strides.
  StatusOr<Tensor> arranged(const Tensor &tensor, ArrayRef<int64_t> strides);
  StatusOr<Tensor> empty(ArrayRef<int64_t> sizes, DType dtype) { return Tensor::empty(sizes, dtype, memory); }
  /// A copy on this device of what the processor may hold.
  StatusOr<Tensor> here(const Tensor &tensor) const;

  /// A number on the device that kernels set where they find what they cannot do.
  StatusOr<Tensor> makeFlag();
  /// Waits for the device.
  StatusOr<bool> isSet(const Tensor &flag);
  /// An element of a row-major tensor of Int32. Waits for the device.
  StatusOr<int> numberAt(const Tensor &numbers, int64_t at);

private:
  Status launchOn(CuFunction function, const HandLaunch &launch);
  Status walk(const Tensor &strided, const void *from, const void *to, bool gathers);

  DriverContext &context;
  const DeviceMemory &memory;
  Programs programs;
  const std::vector<std::string> headers;
};

/// Returns the name of an unsigned type of as many bytes as an element has.
llvm::StringRef wordType(DType dtype);
/// Returns what the marks of a text stand for that computes with elements: @STORED@, @REAL@ (which holds them), @LOAD@
/// and @STORE@ (followed by an element or a value in parentheses), and @NUMBER@, which takes a number of the launch.
std::vector<std::pair<llvm::StringRef, std::string>> elementMarks(DType dtype);
/// Returns the number of a launch that @NUMBER@ reads.
uint64_t numberFor(const Scalar &value, DType dtype);

} // namespace tsc::fuser

#endif
