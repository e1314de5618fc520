//===- Vision.h - torchvision's operators -----------------------*- C++ -*-===//
//
// Each function is the kernel of an operator whose record in include/tsc/IR/Ops
// names it, and computes what PyTorch computes for that operator, or fails with its
// message. Arguments are those of the schema, in its order; an undefined tensor
// stands for None.
//
//===----------------------------------------------------------------------===//
#ifndef TSC_KERNELS_VISION_H
#define TSC_KERNELS_VISION_H

#include "tsc/Tensor/Tensor.h"
#include <tuple>

namespace tsc::cpu {

/// The two results of an operator.
using TensorPair = std::tuple<Tensor, Tensor>;

/// Returns the indices of the boxes [x1, y1, x2, y2] that are kept, best score first: int64 [kept].
StatusOr<Tensor> nms(const Tensor &boxes, const Tensor &scores, double threshold);

/// Returns the intersection over union of each pair of boxes [centre x, centre y, width, height, degrees]: float [rows
/// of `boxes1`, rows of `boxes2`].
StatusOr<Tensor> boxIouRotated(const Tensor &boxes1, const Tensor &boxes2);

StatusOr<Tensor> roiAlign(const Tensor &input, const Tensor &rois, double scale, int64_t height, int64_t width,
                          int64_t samplingRatio, bool aligned);
StatusOr<Tensor> roiAlignBackward(const Tensor &grad, const Tensor &rois, double scale, int64_t height, int64_t width,
                                  int64_t batch, int64_t channels, int64_t inputHeight, int64_t inputWidth,
                                  int64_t samplingRatio, bool aligned);
StatusOr<TensorPair> roiPool(const Tensor &input, const Tensor &rois, double scale, int64_t height, int64_t width);
StatusOr<Tensor> roiPoolBackward(const Tensor &grad, const Tensor &rois, const Tensor &argmax, double scale,
                                 int64_t height, int64_t width, int64_t batch, int64_t channels, int64_t inputHeight,
                                 int64_t inputWidth);
StatusOr<TensorPair> psRoiAlign(const Tensor &input, const Tensor &rois, double scale, int64_t height, int64_t width,
                                int64_t samplingRatio);
StatusOr<Tensor> psRoiAlignBackward(const Tensor &grad, const Tensor &rois, const Tensor &mapping, double scale,
                                    int64_t height, int64_t width, int64_t samplingRatio, int64_t batch,
                                    int64_t channels, int64_t inputHeight, int64_t inputWidth);
StatusOr<TensorPair> psRoiPool(const Tensor &input, const Tensor &rois, double scale, int64_t height, int64_t width);
StatusOr<Tensor> psRoiPoolBackward(const Tensor &grad, const Tensor &rois, const Tensor &mapping, double scale,
                                   int64_t height, int64_t width, int64_t batch, int64_t channels, int64_t inputHeight,
                                   int64_t inputWidth);

StatusOr<Tensor> deformConv2d(const Tensor &input, const Tensor &weight, const Tensor &offset, const Tensor &mask,
                              const Tensor &bias, int64_t strideH, int64_t strideW, int64_t padH, int64_t padW,
                              int64_t dilationH, int64_t dilationW, int64_t groups, int64_t offsetGroups, bool useMask);
StatusOr<std::tuple<Tensor, Tensor, Tensor, Tensor, Tensor>>
deformConv2dBackward(const Tensor &grad, const Tensor &input, const Tensor &weight, const Tensor &offset,
                     const Tensor &mask, const Tensor &bias, int64_t strideH, int64_t strideW, int64_t padH,
                     int64_t padW, int64_t dilationH, int64_t dilationW, int64_t groups, int64_t offsetGroups,
                     bool useMask);
/// Returns -1: torchvision's answer without CUDA.
inline int64_t visionCudaVersion() { return -1; }

} // namespace tsc::cpu

#endif
