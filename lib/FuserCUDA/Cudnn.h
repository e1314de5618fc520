//===- Cudnn.h - Convolutions on a GPU --------------------------*- C++ -*-===//
//
// cuDNN is opened at run time, as the driver is; the declarations are our own.
//
//===----------------------------------------------------------------------===//
#ifndef TSC_LIB_FUSERCUDA_CUDNN_H
#define TSC_LIB_FUSERCUDA_CUDNN_H

#include "Driver.h"
#include "tsc/IR/IValue.h"
#include "tsc/IR/OpRecord.h"
#include "tsc/Tensor/Tensor.h"
#include <map>

namespace tsc::fuser {

using DnnHandle = struct DnnHandleObject *;
using DnnTensor = struct DnnTensorObject *;
using DnnFilter = struct DnnFilterObject *;
using DnnConvolution = struct DnnConvolutionObject *;
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
  Dims outputPadding; ///< Of a transposed one.
};
/// What conv1d to conv3d, conv_transpose1d to 3d, convolution and _convolution ask for; nullopt: the operator is none
/// of these.
std::optional<Convolution> convolutionOf(OpKind op, llvm::ArrayRef<const IValue *> args);

/// Threads: everything may be called from many threads.
class Cudnn {
public:
  /// From `path`, or where it usually is. NotFound where it is not.
  static StatusOr<std::unique_ptr<Cudnn>> open(llvm::StringRef path, DriverContext &context,
                                               const DeviceMemory &memory);
  ~Cudnn();

  /// In the order of the context's stream. False: nothing was done, as sizes do not fit, tensors are not row-major, or
  /// the library has no way.
  StatusOr<bool> convolve(const Convolution &convolution, IValue &result);

#define CUDNN(NAME, ...) int (*NAME)(__VA_ARGS__) = nullptr;
#include "CudnnFunctions.def"

private:
  class Descriptors;
  Cudnn(SharedLibrary library, DriverContext &context, const DeviceMemory &memory)
      : library(std::move(library)), context(context), memory(memory) {}
  Status check(int result, llvm::StringRef what) const;
  bool isTaken(const Tensor &tensor) const;
  StatusOr<bool> convolveIn(CuStream stream, const Convolution &convolution, const Tensor &out);
  int estimate(const Convolution &convolution, const Descriptors &descriptors, int most, int *numFound,
               DnnPerformance *found) const;
  struct Chosen {
    int algorithm;
    size_t workspaceBytes;
    bool exists;
  };
  StatusOr<Chosen> choose(const Convolution &convolution, const Descriptors &descriptors, int math);

  SharedLibrary library;
  DriverContext &context;
  const DeviceMemory &memory;
  const char *(*errorText)(int) = nullptr;
  std::mutex lock; ///< Of what follows: a handle is one thread's at a time.
  DnnHandle handle = nullptr;
  std::map<std::vector<int64_t>, Chosen> chosen; ///< By all that a convolution's speed depends on.
};

} // namespace tsc::fuser

#endif
