//===- NeuralNet.td - Operators: neural net -*- tablegen -*-===//

def : KernelHeader<"tsc/Tensor/Kernels/Loss.h">;
def : KernelHeader<"tsc/Tensor/Kernels/Normalization.h">;
def : KernelHeader<"tsc/Tensor/Kernels/Pooling.h">;
def : KernelHeader<"tsc/Tensor/Kernels/Recurrent.h">;
def : KernelHeader<"tsc/Tensor/Kernels/Upsample.h">;

// Normalization.
def Aten_batch_norm : Op<"aten::batch_norm(Tensor input, Tensor? weight, Tensor? bias, Tensor? running_mean, Tensor? running_var, bool training, float momentum, float eps, bool cudnn_enabled) -> Tensor"> {
  let summary = "Normalizes each channel by batch or running statistics";
  let kernel = "cpu::batchNorm";
}
def Aten_native_batch_norm : Op<"aten::native_batch_norm(Tensor input, Tensor? weight, Tensor? bias, Tensor? running_mean, Tensor? running_var, bool training, float momentum, float eps) -> (Tensor, Tensor, Tensor)"> {
  let summary = "batch_norm with the saved mean and inverse deviation";
  let kernel = "cpu::nativeBatchNorm"; let variants = [Out]; let outName = "out"; let outArgs = ["out", "save_mean", "save_invstd"];
}
def Aten_instance_norm : Op<"aten::instance_norm(Tensor input, Tensor? weight, Tensor? bias, Tensor? running_mean, Tensor? running_var, bool use_input_stats, float momentum, float eps, bool cudnn_enabled) -> Tensor"> {
  let summary = "Normalizes each channel of each sample";
  let kernel = "cpu::instanceNorm";
}
def Aten_layer_norm : Op<"aten::layer_norm(Tensor input, int[] normalized_shape, Tensor? weight=None, Tensor? bias=None, float eps=1.0000000000000001e-05, bool cudnn_enable=True) -> Tensor"> {
  let summary = "Normalizes over the trailing dimensions";
  let kernel = "cpu::layerNorm";
}
def Aten_native_layer_norm : Op<"aten::native_layer_norm(Tensor input, int[] normalized_shape, Tensor? weight, Tensor? bias, float eps) -> (Tensor, Tensor, Tensor)"> {
  let summary = "layer_norm with mean and inverse deviation";
  let kernel = "cpu::nativeLayerNorm"; let variants = [Out]; let outName = "out"; let outArgs = ["out0", "out1", "out2"];
}
def Aten_group_norm : Op<"aten::group_norm(Tensor input, int num_groups, Tensor? weight=None, Tensor? bias=None, float eps=1.0000000000000001e-05, bool cudnn_enabled=True) -> Tensor"> {
  let summary = "Normalizes groups of channels";
  let kernel = "cpu::groupNorm";
}
def Aten_native_group_norm : Op<"aten::native_group_norm(Tensor input, Tensor? weight, Tensor? bias, int N, int C, int HxW, int group, float eps) -> (Tensor, Tensor, Tensor)"> {
  let summary = "group_norm with mean and inverse deviation";
  let kernel = "cpu::nativeGroupNorm"; let variants = [Out]; let outName = "out"; let outArgs = ["out0", "out1", "out2"];
}
def Aten_softmax_int : Op<"aten::softmax.int(Tensor self, int dim, ScalarType? dtype=None) -> Tensor"> {
  let summary = "Exponentials that sum to one along a dimension";
  let kernel = "cpu::softmax"; let variants = [Out];
}
def Aten__softmax : Op<"aten::_softmax(Tensor self, int dim, bool half_to_float) -> Tensor"> {
  let summary = "Exponentials that sum to one along a dimension";
  let kernel = "cpu::softmaxRaw"; let variants = [Out];
}
def Aten_log_softmax_int : Op<"aten::log_softmax.int(Tensor self, int dim, ScalarType? dtype=None) -> Tensor"> {
  let summary = "Log of softmax";
  let kernel = "cpu::logSoftmax"; let variants = [Out];
}
def Aten__log_softmax : Op<"aten::_log_softmax(Tensor self, int dim, bool half_to_float) -> Tensor"> {
  let summary = "Log of softmax";
  let kernel = "cpu::logSoftmaxRaw"; let variants = [Out];
}
def Aten__masked_softmax : Op<"aten::_masked_softmax(Tensor self, Tensor mask, int? dim=None, int? mask_type=None) -> Tensor"> {
  let summary = "Softmax where the mask is false";
  let kernel = "cpu::maskedSoftmax"; let variants = [Out];
}
def Aten_glu : Op<"aten::glu(Tensor self, int dim=-1) -> Tensor"> {
  let summary = "First half times sigmoid of the second half";
  let kernel = "cpu::glu"; let variants = [Out];
}

// Pooling.
def Aten_avg_pool1d : Op<"aten::avg_pool1d(Tensor self, int[1] kernel_size, int[1] stride=[], int[1] padding=[0], bool ceil_mode=False, bool count_include_pad=True) -> Tensor"> {
  let summary = "Average over a sliding window";
  let kernel = "cpu::avgPool1d";
}
def Aten_avg_pool2d : Op<"aten::avg_pool2d(Tensor self, int[2] kernel_size, int[2] stride=[], int[2] padding=0, bool ceil_mode=False, bool count_include_pad=True, int? divisor_override=None) -> Tensor"> {
  let summary = "Average over a sliding window";
  let kernel = "cpu::avgPool2d"; let variants = [Out];
}
def Aten_avg_pool3d : Op<"aten::avg_pool3d(Tensor self, int[3] kernel_size, int[3] stride=[], int[3] padding=0, bool ceil_mode=False, bool count_include_pad=True, int? divisor_override=None) -> Tensor"> {
  let summary = "Average over a sliding window";
  let kernel = "cpu::avgPool3d"; let variants = [Out];
}
def Aten_max_pool1d : Op<"aten::max_pool1d(Tensor self, int[1] kernel_size, int[1] stride=[], int[1] padding=[0], int[1] dilation=[1], bool ceil_mode=False) -> Tensor"> {
  let summary = "Maximum over a sliding window";
  let kernel = "cpu::maxPool1d";
}
def Aten_max_pool1d_with_indices : Op<"aten::max_pool1d_with_indices(Tensor self, int[1] kernel_size, int[1] stride=[], int[1] padding=[0], int[1] dilation=[1], bool ceil_mode=False) -> (Tensor, Tensor)"> {
  let summary = "Maximum over a sliding window and where it was";
  let kernel = "cpu::maxPool1dWithIndices";
}
def Aten_max_pool2d : Op<"aten::max_pool2d(Tensor self, int[2] kernel_size, int[2] stride=[], int[2] padding=0, int[2] dilation=1, bool ceil_mode=False) -> Tensor"> {
  let summary = "Maximum over a sliding window";
  let kernel = "cpu::maxPool2d";
}
def Aten_max_pool2d_with_indices : Op<"aten::max_pool2d_with_indices(Tensor self, int[2] kernel_size, int[2] stride=[], int[2] padding=0, int[2] dilation=1, bool ceil_mode=False) -> (Tensor, Tensor)"> {
  let summary = "Maximum over a sliding window and where it was";
  let kernel = "cpu::maxPool2dWithIndices"; let variants = [Out]; let outName = "out"; let outArgs = ["out", "indices"];
}
def Aten_max_pool3d : Op<"aten::max_pool3d(Tensor self, int[3] kernel_size, int[3] stride=[], int[3] padding=0, int[3] dilation=1, bool ceil_mode=False) -> Tensor"> {
  let summary = "Maximum over a sliding window";
  let kernel = "cpu::maxPool3d";
}
def Aten_max_pool3d_with_indices : Op<"aten::max_pool3d_with_indices(Tensor self, int[3] kernel_size, int[3] stride=[], int[3] padding=0, int[3] dilation=1, bool ceil_mode=False) -> (Tensor, Tensor)"> {
  let summary = "Maximum over a sliding window and where it was";
  let kernel = "cpu::maxPool3dWithIndices"; let variants = [Out]; let outName = "out"; let outArgs = ["out", "indices"];
}
def Aten_adaptive_avg_pool1d : Op<"aten::adaptive_avg_pool1d(Tensor self, int[1] output_size) -> Tensor"> {
  let summary = "Averages to a given output size";
  let kernel = "cpu::adaptiveAvgPool1d";
}
def Aten_adaptive_avg_pool2d : Op<"aten::adaptive_avg_pool2d(Tensor self, int[2] output_size) -> Tensor"> {
  let summary = "Averages to a given output size";
  let kernel = "cpu::adaptiveAvgPool2d"; let variants = [Out];
}
def Aten_adaptive_avg_pool3d : Op<"aten::adaptive_avg_pool3d(Tensor self, int[3] output_size) -> Tensor"> {
  let summary = "Averages to a given output size";
  let kernel = "cpu::adaptiveAvgPool3d"; let variants = [Out];
}
def Aten__adaptive_avg_pool2d : Op<"aten::_adaptive_avg_pool2d(Tensor self, int[2] output_size) -> Tensor"> {
  let summary = "Averages to a given output size";
  let kernel = "cpu::adaptiveAvgPool2d"; let variants = [Out];
}
def Aten__adaptive_avg_pool3d : Op<"aten::_adaptive_avg_pool3d(Tensor self, int[3] output_size) -> Tensor"> {
  let summary = "Averages to a given output size";
  let kernel = "cpu::adaptiveAvgPool3d"; let variants = [Out];
}
def Aten_adaptive_max_pool1d : Op<"aten::adaptive_max_pool1d(Tensor self, int[1] output_size) -> (Tensor, Tensor)"> {
  let summary = "Maxima to a given output size and where they were";
  let kernel = "cpu::adaptiveMaxPool1d";
}
def Aten_adaptive_max_pool2d : Op<"aten::adaptive_max_pool2d(Tensor self, int[2] output_size) -> (Tensor, Tensor)"> {
  let summary = "Maxima to a given output size and where they were";
  let kernel = "cpu::adaptiveMaxPool2d"; let variants = [Out]; let outName = "out"; let outArgs = ["out", "indices"];
}
def Aten_adaptive_max_pool3d : Op<"aten::adaptive_max_pool3d(Tensor self, int[3] output_size) -> (Tensor, Tensor)"> {
  let summary = "Maxima to a given output size and where they were";
  let kernel = "cpu::adaptiveMaxPool3d"; let variants = [Out]; let outName = "out"; let outArgs = ["out", "indices"];
}
def Aten_fractional_max_pool2d : Op<"aten::fractional_max_pool2d(Tensor self, int[2] kernel_size, int[2] output_size, Tensor random_samples) -> (Tensor, Tensor)"> {
  let summary = "Maxima over windows placed by random samples";
  let kernel = "cpu::fractionalMaxPool2d"; let variants = [Out]; let outName = "output"; let outArgs = ["output", "indices"];
}
def Aten_fractional_max_pool3d : Op<"aten::fractional_max_pool3d(Tensor self, int[3] kernel_size, int[3] output_size, Tensor random_samples) -> (Tensor, Tensor)"> {
  let summary = "Maxima over windows placed by random samples";
  let kernel = "cpu::fractionalMaxPool3d"; let variants = [Out]; let outName = "output"; let outArgs = ["output", "indices"];
}
def Aten_max_unpool2d : Op<"aten::max_unpool2d(Tensor self, Tensor indices, int[2] output_size) -> Tensor"> {
  let summary = "Puts maxima back where they were";
  let kernel = "cpu::maxUnpool2d"; let variants = [Out];
}
def Aten_max_unpool3d : Op<"aten::max_unpool3d(Tensor self, Tensor indices, int[3] output_size, int[3] stride, int[3] padding) -> Tensor"> {
  let summary = "Puts maxima back where they were";
  let kernel = "cpu::maxUnpool3d"; let variants = [Out];
}

// Upsample.
def Aten_upsample_nearest1d : Op<"aten::upsample_nearest1d(Tensor self, int[1] output_size, float? scales=None) -> Tensor"> {
  let summary = "Resizes by the nearest element";
  let kernel = "cpu::upsampleNearest1d"; let variants = [Out];
}
def Aten_upsample_nearest1d_vec : Op<"aten::upsample_nearest1d.vec(Tensor input, int[]? output_size, float[]? scale_factors) -> Tensor"> {
  let summary = "Resizes by the nearest element";
  let kernel = "cpu::upsampleNearest1dVec"; let variants = [Out];
}
def Aten_upsample_nearest2d : Op<"aten::upsample_nearest2d(Tensor self, int[2] output_size, float? scales_h=None, float? scales_w=None) -> Tensor"> {
  let summary = "Resizes by the nearest element";
  let kernel = "cpu::upsampleNearest2d"; let variants = [Out];
}
def Aten_upsample_nearest2d_vec : Op<"aten::upsample_nearest2d.vec(Tensor input, int[]? output_size, float[]? scale_factors) -> Tensor"> {
  let summary = "Resizes by the nearest element";
  let kernel = "cpu::upsampleNearest2dVec"; let variants = [Out];
}
def Aten_upsample_nearest3d : Op<"aten::upsample_nearest3d(Tensor self, int[3] output_size, float? scales_d=None, float? scales_h=None, float? scales_w=None) -> Tensor"> {
  let summary = "Resizes by the nearest element";
  let kernel = "cpu::upsampleNearest3d"; let variants = [Out];
}
def Aten_upsample_nearest3d_vec : Op<"aten::upsample_nearest3d.vec(Tensor input, int[]? output_size, float[]? scale_factors) -> Tensor"> {
  let summary = "Resizes by the nearest element";
  let kernel = "cpu::upsampleNearest3dVec"; let variants = [Out];
}
def Aten__upsample_nearest_exact1d : Op<"aten::_upsample_nearest_exact1d(Tensor self, int[1] output_size, float? scales=None) -> Tensor"> {
  let summary = "Resizes by the nearest element, as images are";
  let kernel = "cpu::upsampleNearestExact1d"; let variants = [Out];
}
def Aten__upsample_nearest_exact1d_vec : Op<"aten::_upsample_nearest_exact1d.vec(Tensor input, int[]? output_size, float[]? scale_factors) -> Tensor"> {
  let summary = "Resizes by the nearest element, as images are";
  let kernel = "cpu::upsampleNearestExact1dVec"; let variants = [Out];
}
def Aten__upsample_nearest_exact2d : Op<"aten::_upsample_nearest_exact2d(Tensor self, int[2] output_size, float? scales_h=None, float? scales_w=None) -> Tensor"> {
  let summary = "Resizes by the nearest element, as images are";
  let kernel = "cpu::upsampleNearestExact2d"; let variants = [Out];
}
def Aten__upsample_nearest_exact2d_vec : Op<"aten::_upsample_nearest_exact2d.vec(Tensor input, int[]? output_size, float[]? scale_factors) -> Tensor"> {
  let summary = "Resizes by the nearest element, as images are";
  let kernel = "cpu::upsampleNearestExact2dVec"; let variants = [Out];
}
def Aten__upsample_nearest_exact3d : Op<"aten::_upsample_nearest_exact3d(Tensor self, int[3] output_size, float? scales_d=None, float? scales_h=None, float? scales_w=None) -> Tensor"> {
  let summary = "Resizes by the nearest element, as images are";
  let kernel = "cpu::upsampleNearestExact3d"; let variants = [Out];
}
def Aten__upsample_nearest_exact3d_vec : Op<"aten::_upsample_nearest_exact3d.vec(Tensor input, int[]? output_size, float[]? scale_factors) -> Tensor"> {
  let summary = "Resizes by the nearest element, as images are";
  let kernel = "cpu::upsampleNearestExact3dVec"; let variants = [Out];
}
def Aten_upsample_linear1d : Op<"aten::upsample_linear1d(Tensor self, int[1] output_size, bool align_corners, float? scales=None) -> Tensor"> {
  let summary = "Resizes by linear interpolation";
  let kernel = "cpu::upsampleLinear1d"; let variants = [Out];
}
def Aten_upsample_linear1d_vec : Op<"aten::upsample_linear1d.vec(Tensor input, int[]? output_size, bool align_corners, float[]? scale_factors) -> Tensor"> {
  let summary = "Resizes by linear interpolation";
  let kernel = "cpu::upsampleLinear1dVec"; let variants = [Out];
}
def Aten_upsample_bilinear2d : Op<"aten::upsample_bilinear2d(Tensor self, int[2] output_size, bool align_corners, float? scales_h=None, float? scales_w=None) -> Tensor"> {
  let summary = "Resizes by bilinear interpolation";
  let kernel = "cpu::upsampleBilinear2d"; let variants = [Out];
}
def Aten_upsample_bilinear2d_vec : Op<"aten::upsample_bilinear2d.vec(Tensor input, int[]? output_size, bool align_corners, float[]? scale_factors) -> Tensor"> {
  let summary = "Resizes by bilinear interpolation";
  let kernel = "cpu::upsampleBilinear2dVec"; let variants = [Out];
}
def Aten_upsample_trilinear3d : Op<"aten::upsample_trilinear3d(Tensor self, int[3] output_size, bool align_corners, float? scales_d=None, float? scales_h=None, float? scales_w=None) -> Tensor"> {
  let summary = "Resizes by trilinear interpolation";
  let kernel = "cpu::upsampleTrilinear3d"; let variants = [Out];
}
def Aten_upsample_trilinear3d_vec : Op<"aten::upsample_trilinear3d.vec(Tensor input, int[]? output_size, bool align_corners, float[]? scale_factors) -> Tensor"> {
  let summary = "Resizes by trilinear interpolation";
  let kernel = "cpu::upsampleTrilinear3dVec"; let variants = [Out];
}
def Aten_upsample_bicubic2d : Op<"aten::upsample_bicubic2d(Tensor self, int[2] output_size, bool align_corners, float? scales_h=None, float? scales_w=None) -> Tensor"> {
  let summary = "Resizes by bicubic interpolation";
  let kernel = "cpu::upsampleBicubic2d"; let variants = [Out];
}
def Aten_upsample_bicubic2d_vec : Op<"aten::upsample_bicubic2d.vec(Tensor input, int[]? output_size, bool align_corners, float[]? scale_factors) -> Tensor"> {
  let summary = "Resizes by bicubic interpolation";
  let kernel = "cpu::upsampleBicubic2dVec"; let variants = [Out];
}
def Aten__upsample_bilinear2d_aa : Op<"aten::_upsample_bilinear2d_aa(Tensor self, int[2] output_size, bool align_corners, float? scales_h=None, float? scales_w=None) -> Tensor"> {
  let summary = "Resizes by bilinear interpolation with antialiasing";
  let kernel = "cpu::upsampleBilinear2dAA"; let variants = [Out];
}
def Aten__upsample_bilinear2d_aa_vec : Op<"aten::_upsample_bilinear2d_aa.vec(Tensor input, int[]? output_size, bool align_corners, float[]? scale_factors) -> Tensor"> {
  let summary = "Resizes by bilinear interpolation with antialiasing";
  let kernel = "cpu::upsampleBilinear2dAAVec"; let variants = [Out];
}
def Aten__upsample_bicubic2d_aa : Op<"aten::_upsample_bicubic2d_aa(Tensor self, int[2] output_size, bool align_corners, float? scales_h=None, float? scales_w=None) -> Tensor"> {
  let summary = "Resizes by bicubic interpolation with antialiasing";
  let kernel = "cpu::upsampleBicubic2dAA"; let variants = [Out];
}
def Aten__upsample_bicubic2d_aa_vec : Op<"aten::_upsample_bicubic2d_aa.vec(Tensor input, int[]? output_size, bool align_corners, float[]? scale_factors) -> Tensor"> {
  let summary = "Resizes by bicubic interpolation with antialiasing";
  let kernel = "cpu::upsampleBicubic2dAAVec"; let variants = [Out];
}
def Aten_grid_sampler : Op<"aten::grid_sampler(Tensor input, Tensor grid, int interpolation_mode, int padding_mode, bool align_corners) -> Tensor"> {
  let summary = "Samples at the points of a grid";
  let kernel = "cpu::gridSampler";
}
def Aten_grid_sampler_2d : Op<"aten::grid_sampler_2d(Tensor input, Tensor grid, int interpolation_mode, int padding_mode, bool align_corners) -> Tensor"> {
  let summary = "Samples at the points of a grid";
  let kernel = "cpu::gridSampler2d"; let variants = [Out];
}
def Aten_grid_sampler_3d : Op<"aten::grid_sampler_3d(Tensor input, Tensor grid, int interpolation_mode, int padding_mode, bool align_corners) -> Tensor"> {
  let summary = "Samples at the points of a grid";
  let kernel = "cpu::gridSampler3d"; let variants = [Out];
}
def Aten__grid_sampler_2d_cpu_fallback : Op<"aten::_grid_sampler_2d_cpu_fallback(Tensor input, Tensor grid, int interpolation_mode, int padding_mode, bool align_corners) -> Tensor"> {
  let summary = "Samples at the points of a grid";
  let kernel = "cpu::gridSampler2d"; let variants = [Out];
}
def Aten_affine_grid_generator : Op<"aten::affine_grid_generator(Tensor theta, int[] size, bool align_corners) -> Tensor"> {
  let summary = "Sampling grid of affine transforms";
  let kernel = "cpu::affineGridGenerator"; let variants = [Out];
}
def Aten_im2col : Op<"aten::im2col(Tensor self, int[2] kernel_size, int[2] dilation, int[2] padding, int[2] stride) -> Tensor"> {
  let summary = "Sliding windows as columns";
  let kernel = "cpu::im2col"; let variants = [Out];
}
def Aten_col2im : Op<"aten::col2im(Tensor self, int[2] output_size, int[2] kernel_size, int[2] dilation, int[2] padding, int[2] stride) -> Tensor"> {
  let summary = "Sums columns back into an image";
  let kernel = "cpu::col2im"; let variants = [Out];
}
