//===- Vision.td - torchvision's operators -----------------*- tablegen -*-===//
//
// Regions of images for detection, and deformable convolution, with the schemas that torchvision registers. `rois` has a row
// for each region: the number of its image, x1, y1, x2, y2. The gradients are operators of torchvision's too.
//
//===----------------------------------------------------------------------===//

class VisionOp<string schema, string function, string summary_> : Op<"torchvision::" # schema> {
  let kernel = "cpu::" # function;
  let summary = summary_;
}

def Torchvision_nms : VisionOp<"nms(Tensor dets, Tensor scores, float iou_threshold) -> Tensor", "nms",
  "The boxes that overlap no better one by more than the threshold, best first"> {
  let traits = [Detached];
}
def Torchvision_box_iou_rotated : VisionOp<"box_iou_rotated(Tensor boxes1, Tensor boxes2) -> Tensor", "boxIouRotated",
  "Intersection over union of each pair of turned boxes: centre, width, height and degrees"> {
  let traits = [Detached];
}
def Torchvision_roi_align : VisionOp<"roi_align(Tensor input, Tensor rois, float spatial_scale, int pooled_height, int pooled_width, int sampling_ratio, bool aligned) -> Tensor", "roiAlign",
  "Means of bilinear samples in each cell of each region"> {
  let derivative = [{ input = torch.ops.torchvision._roi_align_backward(grad, rois, spatial_scale, pooled_height, pooled_width, input.size(0), input.size(1), input.size(2), input.size(3), sampling_ratio, aligned)
                      rois  = None }];
}
def Torchvision__roi_align_backward : VisionOp<"_roi_align_backward(Tensor grad, Tensor rois, float spatial_scale, int pooled_height, int pooled_width, int batch_size, int channels, int height, int width, int sampling_ratio, bool aligned) -> Tensor", "roiAlignBackward",
  "The gradient of roi_align">;
def Torchvision_roi_pool : VisionOp<"roi_pool(Tensor input, Tensor rois, float spatial_scale, int pooled_height, int pooled_width) -> (Tensor, Tensor)", "roiPool",
  "Maxima of the cells of each region, and where in the image they are"> {
  let derivative = [{ input = torch.ops.torchvision._roi_pool_backward(grad0, rois, result1, spatial_scale, pooled_height, pooled_width, input.size(0), input.size(1), input.size(2), input.size(3))
                      rois  = None }];
}
def Torchvision__roi_pool_backward : VisionOp<"_roi_pool_backward(Tensor grad, Tensor rois, Tensor argmax, float spatial_scale, int pooled_height, int pooled_width, int batch_size, int channels, int height, int width) -> Tensor", "roiPoolBackward",
  "The gradient of roi_pool">;
def Torchvision_ps_roi_align : VisionOp<"ps_roi_align(Tensor input, Tensor rois, float spatial_scale, int pooled_height, int pooled_width, int sampling_ratio) -> (Tensor, Tensor)", "psRoiAlign",
  "roi_align where each cell reads channels of its own, and which"> {
  let derivative = [{ input = torch.ops.torchvision._ps_roi_align_backward(grad0, rois, result1, spatial_scale, pooled_height, pooled_width, sampling_ratio, input.size(0), input.size(1), input.size(2), input.size(3))
                      rois  = None }];
}
def Torchvision__ps_roi_align_backward : VisionOp<"_ps_roi_align_backward(Tensor grad, Tensor rois, Tensor channel_mapping, float spatial_scale, int pooled_height, int pooled_width, int sampling_ratio, int batch_size, int channels, int height, int width) -> Tensor", "psRoiAlignBackward",
  "The gradient of ps_roi_align">;
def Torchvision_ps_roi_pool : VisionOp<"ps_roi_pool(Tensor input, Tensor rois, float spatial_scale, int pooled_height, int pooled_width) -> (Tensor, Tensor)", "psRoiPool",
  "Means of the cells of each region, each of channels of its own, and which"> {
  let derivative = [{ input = torch.ops.torchvision._ps_roi_pool_backward(grad0, rois, result1, spatial_scale, pooled_height, pooled_width, input.size(0), input.size(1), input.size(2), input.size(3))
                      rois  = None }];
}
def Torchvision__ps_roi_pool_backward : VisionOp<"_ps_roi_pool_backward(Tensor grad, Tensor rois, Tensor channel_mapping, float spatial_scale, int pooled_height, int pooled_width, int batch_size, int channels, int height, int width) -> Tensor", "psRoiPoolBackward",
  "The gradient of ps_roi_pool">;
def Torchvision_deform_conv2d : VisionOp<"deform_conv2d(Tensor input, Tensor weight, Tensor offset, Tensor mask, Tensor bias, int stride_h, int stride_w, int pad_h, int pad_w, int dilation_h, int dilation_w, int groups, int offset_groups, bool use_mask) -> Tensor", "deformConv2d",
  "A convolution whose window's places are moved by offsets and weighted by a mask"> {
  let weights = ["weight"];
  let derivative = [{ input  = torch.ops.torchvision._deform_conv2d_backward(grad, input, weight, offset, mask, bias, stride_h, stride_w, pad_h, pad_w, dilation_h, dilation_w, groups, offset_groups, use_mask)[0]
                      weight = torch.ops.torchvision._deform_conv2d_backward(grad, input, weight, offset, mask, bias, stride_h, stride_w, pad_h, pad_w, dilation_h, dilation_w, groups, offset_groups, use_mask)[1]
                      offset = torch.ops.torchvision._deform_conv2d_backward(grad, input, weight, offset, mask, bias, stride_h, stride_w, pad_h, pad_w, dilation_h, dilation_w, groups, offset_groups, use_mask)[2]
                      mask   = torch.ops.torchvision._deform_conv2d_backward(grad, input, weight, offset, mask, bias, stride_h, stride_w, pad_h, pad_w, dilation_h, dilation_w, groups, offset_groups, use_mask)[3]
                      bias   = grad.sum([0, 2, 3]) }];
}
def Torchvision__deform_conv2d_backward : VisionOp<"_deform_conv2d_backward(Tensor grad, Tensor input, Tensor weight, Tensor offset, Tensor mask, Tensor bias, int stride_h, int stride_w, int pad_h, int pad_w, int dilation_h, int dilation_w, int groups, int offset_groups, bool use_mask) -> (Tensor, Tensor, Tensor, Tensor, Tensor)", "deformConv2dBackward",
  "The gradients of deform_conv2d: of input, weight, offset, mask and bias">;
def Torchvision__cuda_version : VisionOp<"_cuda_version() -> int", "visionCudaVersion", "The version of CUDA: there is none">;
