//===- Pooling.h - Averages and maxima over windows, on a GPU ---*- C++ -*-===//
#ifndef TSC_LIB_KERNELSCUDA_POOLING_H
#define TSC_LIB_KERNELSCUDA_POOLING_H

#include "HandKernels.h"

namespace tsc::fuser {

/// Windows of three dimensions at most, those that are missing in front. Adaptive ones are fractions of the tensor.
struct Pool {
  Tensor self;
  int64_t spatial = 0;
  bool isMaximum = false, isAdaptive = false;
  int64_t in[3] = {1, 1, 1}, out[3] = {1, 1, 1};
  int64_t kernel[3] = {1, 1, 1}, stride[3] = {1, 1, 1}, padding[3] = {0, 0, 0}, dilation[3] = {1, 1, 1};
  bool countsPadding = true;
  int64_t divisor = 0; ///< 0: as many as a window has.
};

/// The second result, if one is wanted, is where maxima are. False: there is no kernel for such tensors.
StatusOr<bool> runPool(HandKernels &kernels, const Pool &pool, llvm::MutableArrayRef<IValue> results);

} // namespace tsc::fuser

namespace tsc::cuda {

// What max_pool1d to 3d, avg_pool1d to 3d and the adaptive ones ask for, in images of `spatial` dimensions. Nothing is
// returned where the operator has an error to tell.
std::optional<fuser::Pool> maxPool(int64_t spatial, const Tensor &self, ArrayRef<int64_t> kernelSize,
                                   ArrayRef<int64_t> stride, ArrayRef<int64_t> padding, ArrayRef<int64_t> dilation,
                                   bool ceilMode);
std::optional<fuser::Pool> averagePool(int64_t spatial, const Tensor &self, ArrayRef<int64_t> kernelSize,
                                       ArrayRef<int64_t> stride, ArrayRef<int64_t> padding, bool ceilMode,
                                       bool countIncludePad, std::optional<int64_t> divisorOverride = std::nullopt);
std::optional<fuser::Pool> adaptiveAveragePool(int64_t spatial, const Tensor &self, ArrayRef<int64_t> outputSize);
std::optional<fuser::Pool> adaptiveMaxPool(int64_t spatial, const Tensor &self, ArrayRef<int64_t> outputSize);

} // namespace tsc::cuda

#endif
