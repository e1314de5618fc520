//===- Vision.h - torchvision's operators -----------------------*- C++ -*-===//
#ifndef TSC_KERNELS_VISION_H
#define TSC_KERNELS_VISION_H

#include "tsc/Tensor/Tensor.h"
#include <tuple>

namespace tsc::cpu {

using TensorPair = std::tuple<Tensor, Tensor>;

/// Indices of the boxes [x1, y1, x2, y2] that are kept, best score first.
StatusOr<Tensor> nms(const Tensor &boxes, const Tensor &scores, double threshold);

/// The part of each pair of boxes [centre x, centre y, width, height, degrees] that both have: rows of `boxes1` by rows
/// of `boxes2`, in float.
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
inline int64_t visionCudaVersion() { return -1; }

} // namespace tsc::cpu

#endif
