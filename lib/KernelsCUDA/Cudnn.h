//===- Cudnn.h - Convolutions and recurrent layers on a GPU -----*- C++ -*-===//
//
// cuDNN is opened at run time, as the driver is; the declarations are our own.
//
//===----------------------------------------------------------------------===//
#ifndef TSC_LIB_KERNELSCUDA_CUDNN_H
#define TSC_LIB_KERNELSCUDA_CUDNN_H

#include "HandKernels.h"
#include "Recurrent.h"
#include <map>

namespace tsc::fuser {

using DnnHandle = struct DnnHandleObject *;           ///< The library's state.
using DnnTensor = struct DnnTensorObject *;           ///< The dtype, sizes and strides of a tensor.
using DnnFilter = struct DnnFilterObject *;           ///< The dtype and sizes of a filter.
using DnnConvolution = struct DnnConvolutionObject *; ///< The steps, padding and groups of a convolution.
using DnnRnn = struct DnnRnnObject *;                 ///< What recurrent layers compute.
using DnnRnnData = struct DnnRnnDataObject *;         ///< How sequences lie in memory.
using DnnDropout = struct DnnDropoutObject *;         ///< How elements are dropped between layers.
/// What a search for algorithms finds: cudnnConvolutionFwdAlgoPerf_t and its kin, a fact of the library's ABI.
struct DnnPerformance {
  int algorithm, status;
  float time;
  size_t workspaceBytes;
  int isDeterministic, math;
  int reserved[3];
};

/// A convolution of operands on one device. One that is transposed makes an image of what a convolution of `weight`
/// would make of it: its gradient.
struct Convolution {
  Tensor input, weight, bias; ///< The bias may be undefined.
  Dims stride, padding, dilation;
  int64_t groups = 1;
  bool transposed = false;
  Dims outputPadding; ///< How much larger the result of a transposed one is.
};

/// Threads: everything may be called from many threads.
class Cudnn {
public:
  /// Opens the library at `path`, or where it usually is when that is empty. Returns NotFound where it is not.
  static StatusOr<std::unique_ptr<Cudnn>> open(llvm::StringRef path, DriverContext &context,
                                               const DeviceMemory &memory);
  ~Cudnn();

  /// Computes a convolution, in the order of the context's stream. Returns false, with nothing done, where sizes do not
  /// fit, or the library has no way. `kernels` copy operands that are not row-major; where it is null, such operands
  /// are not taken.
  StatusOr<bool> convolve(const Convolution &convolution, HandKernels *kernels, IValue &result);
  /// Computes recurrent layers in the same way.
  StatusOr<bool> runRecurrent(const RecurrentLayers &layers, HandKernels *kernels,
                              llvm::MutableArrayRef<IValue> results);

#define CUDNN(NAME, ...) int (*NAME)(__VA_ARGS__) = nullptr;
#include "CudnnFunctions.def"

private:
  class Descriptors;
  class RnnCall;
  /// Row-major memory, which the tensor may leave to others before the call is launched: the stream orders them.
  struct Operand {
    Operand(const Tensor &tensor) : data(const_cast<void *>(tensor.data())), sizes(tensor.sizes()) {}
    void *data;
    Dims sizes;
  };
  /// An image, a filter, and what they give, and which of these is to be made: a result, the gradient of an image, or
  /// that of a filter.
  struct Operands {
    enum Made : uint8_t { Result, Image, Filter } made;
    DType dtype;
    Operand image, filter, result;
    const void *bias; ///< Null: none. Of as many elements as what is made has channels.
    Dims stride, padding, dilation;
    int64_t groups;
    const Operand &out() const { return made == Result ? result : made == Image ? image : filter; }
  };
  Cudnn(SharedLibrary library, DriverContext &context, const DeviceMemory &memory)
      : library(std::move(library)), context(context), memory(memory) {}
  Status check(int result, llvm::StringRef what) const;
  bool isTaken(const Tensor &tensor) const;
  StatusOr<bool> asFilterGradient(const Convolution &convolution, HandKernels &kernels, ArrayRef<int64_t> sizes,
                                  IValue &result);
  StatusOr<bool> run(const Operands &operands);
  int estimate(const Operands &operands, const Descriptors &descriptors, int most, int *numFound,
               DnnPerformance *found) const;
  /// Gives the handle, which is made when it is first asked for, this stream.
  Status useHandle(CuStream stream);
  struct Chosen {
    int algorithm;
    size_t workspaceBytes;
    bool exists;
  };
  static std::vector<int64_t> keyOf(const Operands &operands);
  StatusOr<Chosen> choose(const Operands &operands, const std::vector<int64_t> &key);
  StatusOr<Chosen> askFor(const Operands &operands);
  Status runOn(CuStream stream, const Operands &operands, const Chosen &way, void *workspace);

  SharedLibrary library;
  DriverContext &context;
  const DeviceMemory &memory;
  const char *(*errorText)(int) = nullptr;
  std::mutex lock; ///< Guards what follows: a handle is one thread's at a time.
  DnnHandle handle = nullptr;
  std::map<std::vector<int64_t>, Chosen> chosen; ///< The keys are all that a convolution's speed depends on.
};

} // namespace tsc::fuser

namespace tsc::cuda {

// What conv1d to conv3d, conv_transpose1d to 3d and convolution with its kin compute. `rank` is how many dimensions an
// image has beside samples and channels; a list of one number stands for that number in each. Nothing is returned where
// an operand has not as many dimensions as the operator takes for a batch.
std::optional<fuser::Convolution> convolve(int64_t rank, const Tensor &input, const Tensor &weight, const Tensor &bias,
                                           ArrayRef<int64_t> stride, ArrayRef<int64_t> padding,
                                           ArrayRef<int64_t> dilation, int64_t groups);
std::optional<fuser::Convolution> convolveTransposed(int64_t rank, const Tensor &input, const Tensor &weight,
                                                     const Tensor &bias, ArrayRef<int64_t> stride,
                                                     ArrayRef<int64_t> padding, ArrayRef<int64_t> outputPadding,
                                                     int64_t groups, ArrayRef<int64_t> dilation);
std::optional<fuser::Convolution> convolution(const Tensor &input, const Tensor &weight, const Tensor &bias,
                                              ArrayRef<int64_t> stride, ArrayRef<int64_t> padding,
                                              ArrayRef<int64_t> dilation, bool transposed,
                                              ArrayRef<int64_t> outputPadding, int64_t groups);

} // namespace tsc::cuda

#endif
