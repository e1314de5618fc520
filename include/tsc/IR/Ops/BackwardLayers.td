//===- BackwardLayers.td - Gradients of layers and views ---*- tablegen -*-===//
//
// The rest of Backward.td: layers, views and indexing, factors and sums.
//
//===----------------------------------------------------------------------===//

// Layers.
def Aten_convolution_backward : Op<"aten::convolution_backward(Tensor grad_output, Tensor input, Tensor weight, int[]? bias_sizes, int[] stride, int[] padding, int[] dilation, bool transposed, int[] output_padding, int groups, bool[3] output_mask) -> (Tensor, Tensor, Tensor)"> {
  let summary = "Gradient of convolution";
  let decomposition = [{
def convolution_backward(grad_output: Tensor, input: Tensor, weight: Tensor, bias_sizes: Optional[List[int]],
                         stride: List[int], padding: List[int], dilation: List[int], transposed: bool,
                         output_padding: List[int], groups: int,
                         output_mask: List[bool]) -> Tuple[Optional[Tensor], Optional[Tensor], Optional[Tensor]]:
    by_input: Optional[Tensor] = None
    if output_mask[0]:
        by_input = torch._gradients.convolution_input(grad_output, input, weight, stride, padding, dilation,
                                                      transposed, groups)
    # A sum over all places of a batch: in float its last digits are lost.
    exact = torch.double if weight.dtype == torch.float else weight.dtype
    by_weight: Optional[Tensor] = None
    if output_mask[1]:
        by_weight = torch._gradients.convolution_weight(grad_output.to(exact), input.to(exact), weight.to(exact),
                                                        stride, padding, dilation, transposed, groups).to(weight.dtype).contiguous()
    by_bias: Optional[Tensor] = None
    if output_mask[2]:
        by_bias = torch._gradients.convolution_bias(grad_output, weight)
    return by_input, by_weight, by_bias
  }];
}
def Aten__slow_conv2d_backward_output_mask : Op<"aten::_slow_conv2d_backward.output_mask(Tensor grad_output, Tensor self, Tensor weight, int[2] kernel_size, int[2] stride, int[2] padding, bool[3] output_mask) -> (Tensor grad_input, Tensor grad_weight, Tensor grad_bias)"> {
  let summary = "Gradients of _slow_conv2d_forward";
  let decomposition = [{
def _slow_conv2d_backward(grad_output: Tensor, self: Tensor, weight: Tensor, kernel_size: List[int],
                          stride: List[int], padding: List[int],
                          output_mask: List[bool]) -> Tuple[Optional[Tensor], Optional[Tensor], Optional[Tensor]]:
    by_input: Optional[Tensor] = None
    if output_mask[0]:
        by_input = torch._gradients.convolution_input(grad_output, self, weight, stride, padding, [1, 1], False, 1)
    by_weight: Optional[Tensor] = None
    if output_mask[1]:
        by_weight = torch._gradients.convolution_weight(grad_output, self, weight, stride, padding, [1, 1], False,
                                                        1).contiguous()
    by_bias: Optional[Tensor] = None
    if output_mask[2]:
        by_bias = torch._gradients.convolution_bias(grad_output, weight)
    return by_input, by_weight, by_bias
  }];
}
def Aten_conv_tbc_backward : Op<"aten::conv_tbc_backward(Tensor self, Tensor input, Tensor weight, Tensor bias, int pad) -> (Tensor, Tensor, Tensor)"> {
  let summary = "Gradient of conv_tbc";
  let decomposition = [{
def conv_tbc_backward(self: Tensor, input: Tensor, weight: Tensor, bias: Tensor,
                      pad: int) -> Tuple[Tensor, Tensor, Tensor]:
    window = weight.permute([2, 1, 0])
    by_input = torch._gradients.convolution_input(self.permute([1, 2, 0]), input.permute([1, 2, 0]), window, [1],
                                                  [pad], [1], False, 1)
    by_weight = torch._gradients.convolution_weight(self.permute([1, 2, 0]), input.permute([1, 2, 0]), window, [1],
                                                    [pad], [1], False, 1)
    return by_input.permute([2, 0, 1]), by_weight.permute([2, 1, 0]), self.sum([0, 1])
  }];
}
def Aten_linear_backward : Op<"aten::linear_backward(Tensor self, Tensor grad_output, Tensor weight, bool[3] output_mask) -> (Tensor, Tensor, Tensor)"> {
  let summary = "Gradient of linear";
  let decomposition = [{
def linear_backward(self: Tensor, grad_output: Tensor, weight: Tensor,
                    output_mask: List[bool]) -> Tuple[Optional[Tensor], Optional[Tensor], Optional[Tensor]]:
    by_input: Optional[Tensor] = None
    if output_mask[0]:
        by_input = torch.matmul(grad_output, weight)
    by_weight: Optional[Tensor] = None
    if output_mask[1]:
        by_weight = torch.matmul(grad_output.reshape([-1, grad_output.size(-1)]).t(),
                                 self.reshape([-1, self.size(-1)]))
    by_bias: Optional[Tensor] = None
    if output_mask[2]:
        by_bias = grad_output.reshape([-1, grad_output.size(-1)]).sum([0])
    return by_input, by_weight, by_bias
  }];
}
def Aten_matmul_backward : Op<"aten::matmul_backward(Tensor grad, Tensor self, Tensor other, bool[2] mask) -> (Tensor, Tensor)"> {
  let summary = "Gradient of matmul";
  let decomposition = [{
def matmul_backward(grad: Tensor, self: Tensor, other: Tensor,
                    mask: List[bool]) -> Tuple[Optional[Tensor], Optional[Tensor]]:
    by_self: Optional[Tensor] = None
    if mask[0]:
        by_self = torch._gradients.matmul_self(grad, self, other)
    by_other: Optional[Tensor] = None
    if mask[1]:
        by_other = torch._gradients.matmul_other(grad, self, other)
    return by_self, by_other
  }];
}
def Aten_native_layer_norm_backward : Op<"aten::native_layer_norm_backward(Tensor grad_out, Tensor input, int[] normalized_shape, Tensor mean, Tensor rstd, Tensor? weight, Tensor? bias, bool[3] output_mask) -> (Tensor, Tensor, Tensor)"> {
  let summary = "Gradient of native_layer_norm";
  let decomposition = [{
def native_layer_norm_backward(grad_out: Tensor, input: Tensor, normalized_shape: List[int], mean: Tensor,
                               rstd: Tensor, weight: Optional[Tensor], bias: Optional[Tensor],
                               output_mask: List[bool]) -> Tuple[Optional[Tensor], Optional[Tensor],
                                                                 Optional[Tensor]]:
    by_input: Optional[Tensor] = None
    if output_mask[0]:
        by_input = torch._gradients.layer_norm_input(grad_out, None, None, input, normalized_shape, weight, mean,
                                                     rstd)
    by_weight: Optional[Tensor] = None
    if output_mask[1]:
        by_weight = torch._gradients.layer_norm_weight(grad_out, input, normalized_shape, mean, rstd)
    by_bias: Optional[Tensor] = None
    if output_mask[2]:
        by_bias = torch._gradients.summed_to(grad_out, normalized_shape, input)
    return by_input, by_weight, by_bias
  }];
}
def Aten_native_group_norm_backward : Op<"aten::native_group_norm_backward(Tensor grad_out, Tensor input, Tensor mean, Tensor rstd, Tensor? weight, int N, int C, int HxW, int group, bool[3] output_mask) -> (Tensor, Tensor, Tensor)"> {
  let summary = "Gradient of native_group_norm";
  let decomposition = [{
def native_group_norm_backward(grad_out: Tensor, input: Tensor, mean: Tensor, rstd: Tensor, weight: Optional[Tensor],
                               N: int, C: int, HxW: int, group: int,
                               output_mask: List[bool]) -> Tuple[Optional[Tensor], Optional[Tensor],
                                                                 Optional[Tensor]]:
    by_input: Optional[Tensor] = None
    if output_mask[0]:
        by_input = torch._gradients.group_norm_input(grad_out, None, None, input, weight, N, C, HxW, group, mean,
                                                     rstd)
    by_weight: Optional[Tensor] = None
    if output_mask[1]:
        by_weight = torch._gradients.group_norm_weight(grad_out, input, N, C, HxW, group, mean, rstd)
    by_bias: Optional[Tensor] = None
    if output_mask[2]:
        by_bias = torch._gradients.group_norm_bias(grad_out, input, N, C, HxW)
    return by_input, by_weight, by_bias
  }];
}
def Aten_native_batch_norm_backward : Op<"aten::native_batch_norm_backward(Tensor grad_out, Tensor input, Tensor? weight, Tensor? running_mean, Tensor? running_var, Tensor? save_mean, Tensor? save_invstd, bool train, float eps, bool[3] output_mask) -> (Tensor, Tensor, Tensor)"> {
  let summary = "Gradient of native_batch_norm";
  let decomposition = [{
def native_batch_norm_backward(grad_out: Tensor, input: Tensor, weight: Optional[Tensor],
                               running_mean: Optional[Tensor], running_var: Optional[Tensor],
                               save_mean: Optional[Tensor], save_invstd: Optional[Tensor], train: bool, eps: float,
                               output_mask: List[bool]) -> Tuple[Optional[Tensor], Optional[Tensor],
                                                                 Optional[Tensor]]:
    mean = save_mean if save_mean is not None else input
    scale = save_invstd if save_invstd is not None else input
    if train and (save_mean is None or save_invstd is None):
        raise RuntimeError("the gradient of batch_norm in training wants the saved mean and inverse deviation")
    by_input: Optional[Tensor] = None
    if output_mask[0]:
        by_input = torch._gradients.batch_norm_input(grad_out, input, weight, mean, scale, running_var, train, eps)
    by_weight: Optional[Tensor] = None
    if output_mask[1]:
        by_weight = torch._gradients.batch_norm_weight(grad_out, input, mean, scale, running_mean, running_var, train,
                                                       eps)
    by_bias: Optional[Tensor] = None
    if output_mask[2]:
        by_bias = torch._gradients.summed_but(grad_out, 1)
    return by_input, by_weight, by_bias
  }];
}
def Aten__batch_norm_impl_index_backward : Op<"aten::_batch_norm_impl_index_backward(int impl_index, Tensor input, Tensor grad_output, Tensor? weight, Tensor? running_mean, Tensor? running_var, Tensor? save_mean, Tensor? save_var_transform, bool train, float eps, bool[3] output_mask, Tensor reservedSpace) -> (Tensor, Tensor, Tensor)"> {
  let summary = "Gradients of _batch_norm_impl_index";
  let decomposition = [{
def _batch_norm_impl_index_backward(impl_index: int, input: Tensor, grad_output: Tensor, weight: Optional[Tensor],
                                    running_mean: Optional[Tensor], running_var: Optional[Tensor],
                                    save_mean: Optional[Tensor], save_var_transform: Optional[Tensor], train: bool,
                                    eps: float, output_mask: List[bool],
                                    reservedSpace: Tensor) -> Tuple[Tensor, Tensor, Tensor]:
    return torch.ops.aten.native_batch_norm_backward(grad_output, input, weight, running_mean, running_var, save_mean,
                                                     save_var_transform, train, eps, output_mask)
  }];
}
def Aten_embedding_dense_backward : Op<"aten::embedding_dense_backward(Tensor grad_output, Tensor indices, int num_weights, int padding_idx, bool scale_grad_by_freq) -> Tensor"> {
  let summary = "Gradient of embedding_dense";
  let decomposition = [{
def embedding_dense_backward(grad_output: Tensor, indices: Tensor, num_weights: int, padding_idx: int,
                             scale_grad_by_freq: bool) -> Tensor:
    like = grad_output.new_zeros([num_weights, grad_output.size(-1)])
    return torch._gradients.embedding(grad_output, like, indices, padding_idx, scale_grad_by_freq)
  }];
}
def Aten_embedding_backward : Op<"aten::embedding_backward(Tensor grad, Tensor indices, int num_weights, int padding_idx, bool scale_grad_by_freq, bool sparse) -> Tensor"> {
  let summary = "Gradient of embedding";
  let decomposition = [{
def embedding_backward(grad: Tensor, indices: Tensor, num_weights: int, padding_idx: int, scale_grad_by_freq: bool,
                       sparse: bool) -> Tensor:
    return torch.ops.aten.embedding_dense_backward(grad, indices, num_weights, padding_idx, scale_grad_by_freq)
  }];
}
def Aten_avg_pool2d_backward : Op<"aten::avg_pool2d_backward(Tensor grad_output, Tensor self, int[2] kernel_size, int[2] stride, int[2] padding, bool ceil_mode, bool count_include_pad, int? divisor_override) -> Tensor"> {
  let summary = "Gradient of avg_pool2d";
  let variants = [Out];
  let outName = "grad_input"; let outArgs = ["grad_input"];
  let decomposition = [{
def avg_pool2d_backward(grad_output: Tensor, self: Tensor, kernel_size: List[int], stride: List[int],
                        padding: List[int], ceil_mode: bool, count_include_pad: bool,
                        divisor_override: Optional[int]) -> Tensor:
    return torch._gradients.avg_pool(grad_output, self, kernel_size, stride, padding, count_include_pad,
                                     divisor_override, 2).to(grad_output.dtype)
  }];
}
def Aten_avg_pool3d_backward : Op<"aten::avg_pool3d_backward(Tensor grad_output, Tensor self, int[3] kernel_size, int[3] stride, int[3] padding, bool ceil_mode, bool count_include_pad, int? divisor_override) -> Tensor"> {
  let summary = "Gradient of avg_pool3d";
  let variants = [Out];
  let outName = "grad_input"; let outArgs = ["grad_input"];
  let decomposition = [{
def avg_pool3d_backward(grad_output: Tensor, self: Tensor, kernel_size: List[int], stride: List[int],
                        padding: List[int], ceil_mode: bool, count_include_pad: bool,
                        divisor_override: Optional[int]) -> Tensor:
    return torch._gradients.avg_pool(grad_output, self, kernel_size, stride, padding, count_include_pad,
                                     divisor_override, 3).to(grad_output.dtype)
  }];
}
def Aten__adaptive_avg_pool2d_backward : Op<"aten::_adaptive_avg_pool2d_backward(Tensor grad_output, Tensor self) -> Tensor"> {
  let summary = "Gradient of adaptive_avg_pool2d";
  let decomposition = [{
def _adaptive_avg_pool2d_backward(grad_output: Tensor, self: Tensor) -> Tensor:
    return torch._gradients.adaptive_avg_pool(grad_output, self, 2).to(grad_output.dtype)
  }];
}
def Aten_adaptive_max_pool2d_backward : Op<"aten::adaptive_max_pool2d_backward(Tensor grad_output, Tensor self, Tensor indices) -> Tensor"> {
  let summary = "Gradient of adaptive_max_pool2d";
  let variants = [Out];
  let outName = "grad_input"; let outArgs = ["grad_input"];
  let decomposition = [{
def adaptive_max_pool2d_backward(grad_output: Tensor, self: Tensor, indices: Tensor) -> Tensor:
    return torch._gradients.max_pool(grad_output, indices, self, 2)
  }];
}
def Aten_max_pool2d_with_indices_backward : Op<"aten::max_pool2d_with_indices_backward(Tensor grad_output, Tensor self, int[2] kernel_size, int[2] stride, int[2] padding, int[2] dilation, bool ceil_mode, Tensor indices) -> Tensor"> {
  let summary = "Gradient of max_pool2d_with_indices";
  let variants = [Out];
  let outName = "grad_input"; let outArgs = ["grad_input"];
  let decomposition = [{
def max_pool2d_with_indices_backward(grad_output: Tensor, self: Tensor, kernel_size: List[int], stride: List[int],
                                     padding: List[int], dilation: List[int], ceil_mode: bool,
                                     indices: Tensor) -> Tensor:
    return torch._gradients.max_pool(grad_output, indices, self, 2)
  }];
}
def Aten_fractional_max_pool2d_backward : Op<"aten::fractional_max_pool2d_backward(Tensor grad_output, Tensor self, int[2] kernel_size, int[2] output_size, Tensor indices) -> Tensor"> {
  let summary = "Gradient of fractional_max_pool2d";
  let variants = [Out];
  let outName = "grad_input"; let outArgs = ["grad_input"];
  let decomposition = [{
def fractional_max_pool2d_backward(grad_output: Tensor, self: Tensor, kernel_size: List[int], output_size: List[int],
                                   indices: Tensor) -> Tensor:
    return torch._gradients.max_pool(grad_output, indices, self, 2)
  }];
}
def Aten__adaptive_avg_pool3d_backward : Op<"aten::_adaptive_avg_pool3d_backward(Tensor grad_output, Tensor self) -> Tensor"> {
  let summary = "Gradient of adaptive_avg_pool3d";
  let decomposition = [{
def _adaptive_avg_pool3d_backward(grad_output: Tensor, self: Tensor) -> Tensor:
    return torch._gradients.adaptive_avg_pool(grad_output, self, 3).to(grad_output.dtype)
  }];
}
def Aten_adaptive_max_pool3d_backward : Op<"aten::adaptive_max_pool3d_backward(Tensor grad_output, Tensor self, Tensor indices) -> Tensor"> {
  let summary = "Gradient of adaptive_max_pool3d";
  let variants = [Out];
  let outName = "grad_input"; let outArgs = ["grad_input"];
  let decomposition = [{
def adaptive_max_pool3d_backward(grad_output: Tensor, self: Tensor, indices: Tensor) -> Tensor:
    return torch._gradients.max_pool(grad_output, indices, self, 3)
  }];
}
def Aten_max_pool3d_with_indices_backward : Op<"aten::max_pool3d_with_indices_backward(Tensor grad_output, Tensor self, int[3] kernel_size, int[3] stride, int[3] padding, int[3] dilation, bool ceil_mode, Tensor indices) -> Tensor"> {
  let summary = "Gradient of max_pool3d_with_indices";
  let variants = [Out];
  let outName = "grad_input"; let outArgs = ["grad_input"];
  let decomposition = [{
def max_pool3d_with_indices_backward(grad_output: Tensor, self: Tensor, kernel_size: List[int], stride: List[int],
                                     padding: List[int], dilation: List[int], ceil_mode: bool,
                                     indices: Tensor) -> Tensor:
    return torch._gradients.max_pool(grad_output, indices, self, 3)
  }];
}
def Aten_fractional_max_pool3d_backward : Op<"aten::fractional_max_pool3d_backward(Tensor grad_output, Tensor self, int[3] kernel_size, int[3] output_size, Tensor indices) -> Tensor"> {
  let summary = "Gradient of fractional_max_pool3d";
  let variants = [Out];
  let outName = "grad_input"; let outArgs = ["grad_input"];
  let decomposition = [{
def fractional_max_pool3d_backward(grad_output: Tensor, self: Tensor, kernel_size: List[int], output_size: List[int],
                                   indices: Tensor) -> Tensor:
    return torch._gradients.max_pool(grad_output, indices, self, 3)
  }];
}
def Aten_reflection_pad1d_backward : Op<"aten::reflection_pad1d_backward(Tensor grad_output, Tensor self, int[2] padding) -> Tensor"> {
  let summary = "Gradient of reflection_pad1d";
  let variants = [Out];
  let outName = "grad_input"; let outArgs = ["grad_input"];
  let decomposition = [{
def reflection_pad1d_backward(grad_output: Tensor, self: Tensor, padding: List[int]) -> Tensor:
    return torch._gradients.pad(grad_output, self, padding, "reflect")
  }];
}
def Aten_replication_pad1d_backward : Op<"aten::replication_pad1d_backward(Tensor grad_output, Tensor self, int[2] padding) -> Tensor"> {
  let summary = "Gradient of replication_pad1d";
  let variants = [Out];
  let outName = "grad_input"; let outArgs = ["grad_input"];
  let decomposition = [{
def replication_pad1d_backward(grad_output: Tensor, self: Tensor, padding: List[int]) -> Tensor:
    return torch._gradients.pad(grad_output, self, padding, "replicate")
  }];
}
def Aten_reflection_pad2d_backward : Op<"aten::reflection_pad2d_backward(Tensor grad_output, Tensor self, int[4] padding) -> Tensor"> {
  let summary = "Gradient of reflection_pad2d";
  let variants = [Out];
  let outName = "grad_input"; let outArgs = ["grad_input"];
  let decomposition = [{
def reflection_pad2d_backward(grad_output: Tensor, self: Tensor, padding: List[int]) -> Tensor:
    return torch._gradients.pad(grad_output, self, padding, "reflect")
  }];
}
def Aten_replication_pad2d_backward : Op<"aten::replication_pad2d_backward(Tensor grad_output, Tensor self, int[4] padding) -> Tensor"> {
  let summary = "Gradient of replication_pad2d";
  let variants = [Out];
  let outName = "grad_input"; let outArgs = ["grad_input"];
  let decomposition = [{
def replication_pad2d_backward(grad_output: Tensor, self: Tensor, padding: List[int]) -> Tensor:
    return torch._gradients.pad(grad_output, self, padding, "replicate")
  }];
}
def Aten_reflection_pad3d_backward : Op<"aten::reflection_pad3d_backward(Tensor grad_output, Tensor self, int[6] padding) -> Tensor"> {
  let summary = "Gradient of reflection_pad3d";
  let variants = [Out];
  let outName = "grad_input"; let outArgs = ["grad_input"];
  let decomposition = [{
def reflection_pad3d_backward(grad_output: Tensor, self: Tensor, padding: List[int]) -> Tensor:
    return torch._gradients.pad(grad_output, self, padding, "reflect")
  }];
}
def Aten_replication_pad3d_backward : Op<"aten::replication_pad3d_backward(Tensor grad_output, Tensor self, int[6] padding) -> Tensor"> {
  let summary = "Gradient of replication_pad3d";
  let variants = [Out];
  let outName = "grad_input"; let outArgs = ["grad_input"];
  let decomposition = [{
def replication_pad3d_backward(grad_output: Tensor, self: Tensor, padding: List[int]) -> Tensor:
    return torch._gradients.pad(grad_output, self, padding, "replicate")
  }];
}
def Aten_upsample_nearest1d_backward : Op<"aten::upsample_nearest1d_backward(Tensor grad_output, int[1] output_size, int[3] input_size, float? scales=None) -> Tensor"> {
  let summary = "Gradient of upsample_nearest1d";
  let variants = [Out];
  let outName = "grad_input"; let outArgs = ["grad_input"];
  let decomposition = [{
def upsample_nearest1d_backward(grad_output: Tensor, output_size: List[int], input_size: List[int],
                                scales: Optional[float]) -> Tensor:
    return torch._gradients.upsampled(grad_output, grad_output.new_empty(input_size), "nearest", False, [scales])
  }];
}
def Aten_upsample_nearest1d_backward_vec : Op<"aten::upsample_nearest1d_backward.vec(Tensor grad_output, int[]? output_size, int[] input_size, float[]? scale_factors) -> Tensor"> {
  let summary = "Gradient of upsample_nearest1d";
  let decomposition = [{
def upsample_nearest1d_backward(grad_output: Tensor, output_size: Optional[List[int]], input_size: List[int],
                                scale_factors: Optional[List[float]]) -> Tensor:
    return torch._gradients.upsampled_by(grad_output, grad_output.new_empty(input_size), "nearest", False,
                                         scale_factors)
  }];
}
def Aten__upsample_nearest_exact1d_backward : Op<"aten::_upsample_nearest_exact1d_backward(Tensor grad_output, int[1] output_size, int[3] input_size, float? scales=None) -> Tensor"> {
  let summary = "Gradient of upsample_nearest_exact1d";
  let variants = [Out];
  let outName = "grad_input"; let outArgs = ["grad_input"];
  let decomposition = [{
def _upsample_nearest_exact1d_backward(grad_output: Tensor, output_size: List[int], input_size: List[int],
                                       scales: Optional[float]) -> Tensor:
    return torch._gradients.upsampled(grad_output, grad_output.new_empty(input_size), "nearest-exact", False,
                                      [scales])
  }];
}
def Aten__upsample_nearest_exact1d_backward_vec : Op<"aten::_upsample_nearest_exact1d_backward.vec(Tensor grad_output, int[]? output_size, int[] input_size, float[]? scale_factors) -> Tensor"> {
  let summary = "Gradient of upsample_nearest_exact1d";
  let decomposition = [{
def _upsample_nearest_exact1d_backward(grad_output: Tensor, output_size: Optional[List[int]], input_size: List[int],
                                       scale_factors: Optional[List[float]]) -> Tensor:
    return torch._gradients.upsampled_by(grad_output, grad_output.new_empty(input_size), "nearest-exact", False,
                                         scale_factors)
  }];
}
def Aten_upsample_nearest2d_backward : Op<"aten::upsample_nearest2d_backward(Tensor grad_output, int[2] output_size, int[4] input_size, float? scales_h=None, float? scales_w=None) -> Tensor"> {
  let summary = "Gradient of upsample_nearest2d";
  let variants = [Out];
  let outName = "grad_input"; let outArgs = ["grad_input"];
  let decomposition = [{
def upsample_nearest2d_backward(grad_output: Tensor, output_size: List[int], input_size: List[int],
                                scales_h: Optional[float], scales_w: Optional[float]) -> Tensor:
    return torch._gradients.upsampled(grad_output, grad_output.new_empty(input_size), "nearest", False,
                                      [scales_h, scales_w])
  }];
}
def Aten_upsample_nearest2d_backward_vec : Op<"aten::upsample_nearest2d_backward.vec(Tensor grad_output, int[]? output_size, int[] input_size, float[]? scale_factors) -> Tensor"> {
  let summary = "Gradient of upsample_nearest2d";
  let decomposition = [{
def upsample_nearest2d_backward(grad_output: Tensor, output_size: Optional[List[int]], input_size: List[int],
                                scale_factors: Optional[List[float]]) -> Tensor:
    return torch._gradients.upsampled_by(grad_output, grad_output.new_empty(input_size), "nearest", False,
                                         scale_factors)
  }];
}
def Aten__upsample_nearest_exact2d_backward : Op<"aten::_upsample_nearest_exact2d_backward(Tensor grad_output, int[2] output_size, int[4] input_size, float? scales_h=None, float? scales_w=None) -> Tensor"> {
  let summary = "Gradient of upsample_nearest_exact2d";
  let variants = [Out];
  let outName = "grad_input"; let outArgs = ["grad_input"];
  let decomposition = [{
def _upsample_nearest_exact2d_backward(grad_output: Tensor, output_size: List[int], input_size: List[int],
                                       scales_h: Optional[float], scales_w: Optional[float]) -> Tensor:
    return torch._gradients.upsampled(grad_output, grad_output.new_empty(input_size), "nearest-exact", False,
                                      [scales_h, scales_w])
  }];
}
def Aten__upsample_nearest_exact2d_backward_vec : Op<"aten::_upsample_nearest_exact2d_backward.vec(Tensor grad_output, int[]? output_size, int[] input_size, float[]? scale_factors) -> Tensor"> {
  let summary = "Gradient of upsample_nearest_exact2d";
  let decomposition = [{
def _upsample_nearest_exact2d_backward(grad_output: Tensor, output_size: Optional[List[int]], input_size: List[int],
                                       scale_factors: Optional[List[float]]) -> Tensor:
    return torch._gradients.upsampled_by(grad_output, grad_output.new_empty(input_size), "nearest-exact", False,
                                         scale_factors)
  }];
}
def Aten_upsample_nearest3d_backward : Op<"aten::upsample_nearest3d_backward(Tensor grad_output, int[3] output_size, int[5] input_size, float? scales_d=None, float? scales_h=None, float? scales_w=None) -> Tensor"> {
  let summary = "Gradient of upsample_nearest3d";
  let variants = [Out];
  let outName = "grad_input"; let outArgs = ["grad_input"];
  let decomposition = [{
def upsample_nearest3d_backward(grad_output: Tensor, output_size: List[int], input_size: List[int],
                                scales_d: Optional[float], scales_h: Optional[float],
                                scales_w: Optional[float]) -> Tensor:
    return torch._gradients.upsampled(grad_output, grad_output.new_empty(input_size), "nearest", False,
                                      [scales_d, scales_h, scales_w])
  }];
}
def Aten_upsample_nearest3d_backward_vec : Op<"aten::upsample_nearest3d_backward.vec(Tensor grad_output, int[]? output_size, int[] input_size, float[]? scale_factors) -> Tensor"> {
  let summary = "Gradient of upsample_nearest3d";
  let decomposition = [{
def upsample_nearest3d_backward(grad_output: Tensor, output_size: Optional[List[int]], input_size: List[int],
                                scale_factors: Optional[List[float]]) -> Tensor:
    return torch._gradients.upsampled_by(grad_output, grad_output.new_empty(input_size), "nearest", False,
                                         scale_factors)
  }];
}
def Aten__upsample_nearest_exact3d_backward : Op<"aten::_upsample_nearest_exact3d_backward(Tensor grad_output, int[3] output_size, int[5] input_size, float? scales_d=None, float? scales_h=None, float? scales_w=None) -> Tensor"> {
  let summary = "Gradient of upsample_nearest_exact3d";
  let variants = [Out];
  let outName = "grad_input"; let outArgs = ["grad_input"];
  let decomposition = [{
def _upsample_nearest_exact3d_backward(grad_output: Tensor, output_size: List[int], input_size: List[int],
                                       scales_d: Optional[float], scales_h: Optional[float],
                                       scales_w: Optional[float]) -> Tensor:
    return torch._gradients.upsampled(grad_output, grad_output.new_empty(input_size), "nearest-exact", False,
                                      [scales_d, scales_h, scales_w])
  }];
}
def Aten__upsample_nearest_exact3d_backward_vec : Op<"aten::_upsample_nearest_exact3d_backward.vec(Tensor grad_output, int[]? output_size, int[] input_size, float[]? scale_factors) -> Tensor"> {
  let summary = "Gradient of upsample_nearest_exact3d";
  let decomposition = [{
def _upsample_nearest_exact3d_backward(grad_output: Tensor, output_size: Optional[List[int]], input_size: List[int],
                                       scale_factors: Optional[List[float]]) -> Tensor:
    return torch._gradients.upsampled_by(grad_output, grad_output.new_empty(input_size), "nearest-exact", False,
                                         scale_factors)
  }];
}
def Aten_upsample_linear1d_backward : Op<"aten::upsample_linear1d_backward(Tensor grad_output, int[1] output_size, int[3] input_size, bool align_corners, float? scales=None) -> Tensor"> {
  let summary = "Gradient of upsample_linear1d";
  let variants = [Out];
  let outName = "grad_input"; let outArgs = ["grad_input"];
  let decomposition = [{
def upsample_linear1d_backward(grad_output: Tensor, output_size: List[int], input_size: List[int],
                               align_corners: bool, scales: Optional[float]) -> Tensor:
    return torch._gradients.upsampled(grad_output, grad_output.new_empty(input_size), "linear", align_corners,
                                      [scales])
  }];
}
def Aten_upsample_linear1d_backward_vec : Op<"aten::upsample_linear1d_backward.vec(Tensor grad_output, int[]? output_size, int[] input_size, bool align_corners, float[]? scale_factors) -> Tensor"> {
  let summary = "Gradient of upsample_linear1d";
  let decomposition = [{
def upsample_linear1d_backward(grad_output: Tensor, output_size: Optional[List[int]], input_size: List[int],
                               align_corners: bool, scale_factors: Optional[List[float]]) -> Tensor:
    return torch._gradients.upsampled_by(grad_output, grad_output.new_empty(input_size), "linear", align_corners,
                                         scale_factors)
  }];
}
def Aten_upsample_bilinear2d_backward : Op<"aten::upsample_bilinear2d_backward(Tensor grad_output, int[2] output_size, int[4] input_size, bool align_corners, float? scales_h=None, float? scales_w=None) -> Tensor"> {
  let summary = "Gradient of upsample_bilinear2d";
  let variants = [Out];
  let outName = "grad_input"; let outArgs = ["grad_input"];
  let decomposition = [{
def upsample_bilinear2d_backward(grad_output: Tensor, output_size: List[int], input_size: List[int],
                                 align_corners: bool, scales_h: Optional[float], scales_w: Optional[float]) -> Tensor:
    return torch._gradients.upsampled(grad_output, grad_output.new_empty(input_size), "linear", align_corners,
                                      [scales_h, scales_w])
  }];
}
def Aten_upsample_bilinear2d_backward_vec : Op<"aten::upsample_bilinear2d_backward.vec(Tensor grad_output, int[]? output_size, int[] input_size, bool align_corners, float[]? scale_factors) -> Tensor"> {
  let summary = "Gradient of upsample_bilinear2d";
  let decomposition = [{
def upsample_bilinear2d_backward(grad_output: Tensor, output_size: Optional[List[int]], input_size: List[int],
                                 align_corners: bool, scale_factors: Optional[List[float]]) -> Tensor:
    return torch._gradients.upsampled_by(grad_output, grad_output.new_empty(input_size), "linear", align_corners,
                                         scale_factors)
  }];
}
def Aten_upsample_trilinear3d_backward : Op<"aten::upsample_trilinear3d_backward(Tensor grad_output, int[3] output_size, int[5] input_size, bool align_corners, float? scales_d=None, float? scales_h=None, float? scales_w=None) -> Tensor"> {
  let summary = "Gradient of upsample_trilinear3d";
  let variants = [Out];
  let outName = "grad_input"; let outArgs = ["grad_input"];
  let decomposition = [{
def upsample_trilinear3d_backward(grad_output: Tensor, output_size: List[int], input_size: List[int],
                                  align_corners: bool, scales_d: Optional[float], scales_h: Optional[float],
                                  scales_w: Optional[float]) -> Tensor:
    return torch._gradients.upsampled(grad_output, grad_output.new_empty(input_size), "linear", align_corners,
                                      [scales_d, scales_h, scales_w])
  }];
}
def Aten_upsample_trilinear3d_backward_vec : Op<"aten::upsample_trilinear3d_backward.vec(Tensor grad_output, int[]? output_size, int[] input_size, bool align_corners, float[]? scale_factors) -> Tensor"> {
  let summary = "Gradient of upsample_trilinear3d";
  let decomposition = [{
def upsample_trilinear3d_backward(grad_output: Tensor, output_size: Optional[List[int]], input_size: List[int],
                                  align_corners: bool, scale_factors: Optional[List[float]]) -> Tensor:
    return torch._gradients.upsampled_by(grad_output, grad_output.new_empty(input_size), "linear", align_corners,
                                         scale_factors)
  }];
}
def Aten_upsample_bicubic2d_backward : Op<"aten::upsample_bicubic2d_backward(Tensor grad_output, int[2] output_size, int[4] input_size, bool align_corners, float? scales_h=None, float? scales_w=None) -> Tensor"> {
  let summary = "Gradient of upsample_bicubic2d";
  let variants = [Out];
  let outName = "grad_input"; let outArgs = ["grad_input"];
  let decomposition = [{
def upsample_bicubic2d_backward(grad_output: Tensor, output_size: List[int], input_size: List[int],
                                align_corners: bool, scales_h: Optional[float], scales_w: Optional[float]) -> Tensor:
    return torch._gradients.upsampled(grad_output, grad_output.new_empty(input_size), "cubic", align_corners,
                                      [scales_h, scales_w])
  }];
}
def Aten_upsample_bicubic2d_backward_vec : Op<"aten::upsample_bicubic2d_backward.vec(Tensor grad_output, int[]? output_size, int[] input_size, bool align_corners, float[]? scale_factors) -> Tensor"> {
  let summary = "Gradient of upsample_bicubic2d";
  let decomposition = [{
def upsample_bicubic2d_backward(grad_output: Tensor, output_size: Optional[List[int]], input_size: List[int],
                                align_corners: bool, scale_factors: Optional[List[float]]) -> Tensor:
    return torch._gradients.upsampled_by(grad_output, grad_output.new_empty(input_size), "cubic", align_corners,
                                         scale_factors)
  }];
}
def Aten__upsample_bilinear2d_aa_backward : Op<"aten::_upsample_bilinear2d_aa_backward(Tensor grad_output, int[2] output_size, int[4] input_size, bool align_corners, float? scales_h=None, float? scales_w=None) -> Tensor"> {
  let summary = "Gradient of upsample_bilinear2d_aa";
  let variants = [Out];
  let outName = "grad_input"; let outArgs = ["grad_input"];
  let decomposition = [{
def _upsample_bilinear2d_aa_backward(grad_output: Tensor, output_size: List[int], input_size: List[int],
                                     align_corners: bool, scales_h: Optional[float],
                                     scales_w: Optional[float]) -> Tensor:
    return torch._gradients.upsampled(grad_output, grad_output.new_empty(input_size), "linear-aa", align_corners,
                                      [scales_h, scales_w])
  }];
}
def Aten__upsample_bilinear2d_aa_backward_vec : Op<"aten::_upsample_bilinear2d_aa_backward.vec(Tensor grad_output, int[]? output_size, int[] input_size, bool align_corners, float[]? scale_factors) -> Tensor"> {
  let summary = "Gradient of upsample_bilinear2d_aa";
  let decomposition = [{
def _upsample_bilinear2d_aa_backward(grad_output: Tensor, output_size: Optional[List[int]], input_size: List[int],
                                     align_corners: bool, scale_factors: Optional[List[float]]) -> Tensor:
    return torch._gradients.upsampled_by(grad_output, grad_output.new_empty(input_size), "linear-aa", align_corners,
                                         scale_factors)
  }];
}
def Aten__upsample_bicubic2d_aa_backward : Op<"aten::_upsample_bicubic2d_aa_backward(Tensor grad_output, int[2] output_size, int[4] input_size, bool align_corners, float? scales_h=None, float? scales_w=None) -> Tensor"> {
  let summary = "Gradient of upsample_bicubic2d_aa";
  let variants = [Out];
  let outName = "grad_input"; let outArgs = ["grad_input"];
  let decomposition = [{
def _upsample_bicubic2d_aa_backward(grad_output: Tensor, output_size: List[int], input_size: List[int],
                                    align_corners: bool, scales_h: Optional[float],
                                    scales_w: Optional[float]) -> Tensor:
    return torch._gradients.upsampled(grad_output, grad_output.new_empty(input_size), "cubic-aa", align_corners,
                                      [scales_h, scales_w])
  }];
}
def Aten__upsample_bicubic2d_aa_backward_vec : Op<"aten::_upsample_bicubic2d_aa_backward.vec(Tensor grad_output, int[]? output_size, int[] input_size, bool align_corners, float[]? scale_factors) -> Tensor"> {
  let summary = "Gradient of upsample_bicubic2d_aa";
  let decomposition = [{
def _upsample_bicubic2d_aa_backward(grad_output: Tensor, output_size: Optional[List[int]], input_size: List[int],
                                    align_corners: bool, scale_factors: Optional[List[float]]) -> Tensor:
    return torch._gradients.upsampled_by(grad_output, grad_output.new_empty(input_size), "cubic-aa", align_corners,
                                         scale_factors)
  }];
}
def Aten_affine_grid_generator_backward : Op<"aten::affine_grid_generator_backward(Tensor grad, int[] size, bool align_corners) -> Tensor"> {
  let summary = "Gradient of affine_grid_generator";
  let decomposition = [{
def affine_grid_generator_backward(grad: Tensor, size: List[int], align_corners: bool) -> Tensor:
    rank = len(size) - 2
    theta = grad.new_empty([size[0], rank, rank + 1])
    return torch._gradients.affine_grid(grad, theta, size, align_corners)
  }];
}

// Views and indexing.
def Aten_slice_backward : Op<"aten::slice_backward(Tensor grad_output, int[] input_sizes, int dim, int start, int end, int step) -> Tensor"> {
  let summary = "Gradient of slice";
  let decomposition = [{
def slice_backward(grad_output: Tensor, input_sizes: List[int], dim: int, start: int, end: int, step: int) -> Tensor:
    found = grad_output.new_zeros(input_sizes)
    return found.slice_scatter(grad_output, dim, start, end, step)
  }];
}
def Aten_select_backward : Op<"aten::select_backward(Tensor grad_output, int[] input_sizes, int dim, int index) -> Tensor"> {
  let summary = "Gradient of select";
  let decomposition = [{
def select_backward(grad_output: Tensor, input_sizes: List[int], dim: int, index: int) -> Tensor:
    return grad_output.new_zeros(input_sizes).select_scatter(grad_output, dim, index)
  }];
}
def Aten_diagonal_backward : Op<"aten::diagonal_backward(Tensor grad_output, int[] input_sizes, int offset, int dim1, int dim2) -> Tensor"> {
  let summary = "Gradient of diagonal";
  let decomposition = [{
def diagonal_backward(grad_output: Tensor, input_sizes: List[int], offset: int, dim1: int, dim2: int) -> Tensor:
    return grad_output.new_zeros(input_sizes).diagonal_scatter(grad_output, offset, dim1, dim2)
  }];
}
def Aten_diag_backward : Op<"aten::diag_backward(Tensor grad, int[] input_sizes, int diagonal) -> Tensor"> {
  let summary = "Gradient of diag";
  let decomposition = [{
def diag_backward(grad: Tensor, input_sizes: List[int], diagonal: int) -> Tensor:
    if len(input_sizes) == 1:
        return torch.diagonal(grad, diagonal, 0, 1)
    return grad.new_zeros(input_sizes).diagonal_scatter(grad, diagonal, 0, 1)
  }];
}
def Aten_trace_backward : Op<"aten::trace_backward(Tensor grad, int[] sizes) -> Tensor"> {
  let summary = "Gradient of trace";
  let decomposition = [{
def trace_backward(grad: Tensor, sizes: List[int]) -> Tensor:
    if len(sizes) != 2:
        raise RuntimeError("expected matrix input")
    found = grad.new_zeros(sizes)
    return found.diagonal_scatter(grad.expand([min(sizes[0], sizes[1])]), 0, 0, 1)
  }];
}
def Aten_unfold_backward : Op<"aten::unfold_backward(Tensor grad_in, int[] input_sizes, int dim, int size, int step) -> Tensor"> {
  let summary = "Gradient of unfold";
  let decomposition = [{
def unfold_backward(grad_in: Tensor, input_sizes: List[int], dim: int, size: int, step: int) -> Tensor:
    return torch._gradients.unfold(grad_in, grad_in.new_empty(input_sizes), dim, size, step)
  }];
}
def Aten_masked_select_backward : Op<"aten::masked_select_backward(Tensor grad, Tensor input, Tensor mask) -> Tensor"> {
  let summary = "Gradient of masked_select";
  let decomposition = [{
def masked_select_backward(grad: Tensor, input: Tensor, mask: Tensor) -> Tensor:
    found = torch._gradients.masked_select(grad, input, mask)
    return found.sum_to_size(input.size())
  }];
}
def Aten_index_select_backward : Op<"aten::index_select_backward(Tensor grad, int[] self_sizes, int dim, Tensor index) -> Tensor"> {
  let summary = "Gradient of index_select";
  let decomposition = [{
def index_select_backward(grad: Tensor, self_sizes: List[int], dim: int, index: Tensor) -> Tensor:
    return grad.new_zeros(self_sizes).index_add(dim, index, grad)
  }];
}
def Aten_gather_backward : Op<"aten::gather_backward(Tensor grad, Tensor self, int dim, Tensor index, bool sparse_grad) -> Tensor"> {
  let summary = "Gradient of gather";
  let decomposition = [{
def gather_backward(grad: Tensor, self: Tensor, dim: int, index: Tensor, sparse_grad: bool) -> Tensor:
    return grad.new_zeros(self.size()).scatter_add(dim, index, grad)
  }];
}
def Aten_value_selecting_reduction_backward : Op<"aten::value_selecting_reduction_backward(Tensor grad, int dim, Tensor indices, int[] sizes, bool keepdim) -> Tensor"> {
  let summary = "Gradient of value_selecting_reduction";
  let decomposition = [{
def value_selecting_reduction_backward(grad: Tensor, dim: int, indices: Tensor, sizes: List[int],
                                       keepdim: bool) -> Tensor:
    if not keepdim and len(sizes) > 0:
        grad, indices = grad.unsqueeze(dim), indices.unsqueeze(dim)
    return grad.new_zeros(sizes).scatter(dim, indices, grad)
  }];
}
def Aten_cummaxmin_backward : Op<"aten::cummaxmin_backward(Tensor grad, Tensor input, Tensor indices, int dim) -> Tensor"> {
  let summary = "Gradient of cummaxmin";
  let decomposition = [{
def cummaxmin_backward(grad: Tensor, input: Tensor, indices: Tensor, dim: int) -> Tensor:
    if input.numel() == 0:
        return input
    return grad.new_zeros(input.size()).scatter_add(dim, indices, grad)
  }];
}

// Numbers.
def Aten_cumprod_backward : Op<"aten::cumprod_backward(Tensor grad, Tensor input, int dim, Tensor output) -> Tensor"> {
  let summary = "Gradient of cumprod";
  let decomposition = [{
def cumprod_backward(grad: Tensor, input: Tensor, dim: int, output: Tensor) -> Tensor:
    return torch._gradients.cumprod(grad, input, output, dim)
  }];
}
def Aten_matrix_exp_backward : Op<"aten::matrix_exp_backward(Tensor self, Tensor grad) -> Tensor"> {
  let summary = "Gradient of matrix_exp";
  let decomposition = [{
def matrix_exp_backward(self: Tensor, grad: Tensor) -> Tensor:
    return torch._gradients.matrix_exp(grad, self)
  }];
}
def Aten__cdist_backward : Op<"aten::_cdist_backward(Tensor grad, Tensor x1, Tensor x2, float p, Tensor cdist) -> Tensor"> {
  let summary = "Gradient of cdist";
  let decomposition = [{
def _cdist_backward(grad: Tensor, x1: Tensor, x2: Tensor, p: float, cdist: Tensor) -> Tensor:
    return torch._gradients.distances(grad, x1, x2, cdist, p).sum([-2]).sum_to_size(x1.size())
  }];
}
def Aten__pdist_backward : Op<"aten::_pdist_backward(Tensor grad, Tensor self, float p, Tensor pdist) -> Tensor"> {
  let summary = "Gradient of pdist";
  let decomposition = [{
def _pdist_backward(grad: Tensor, self: Tensor, p: float, pdist: Tensor) -> Tensor:
    return torch._gradients.pdist(grad, self, pdist, p)
  }];
}
def Aten__weight_norm_interface_backward : Op<"aten::_weight_norm_interface_backward(Tensor grad_w, Tensor saved_v, Tensor saved_g, Tensor saved_norms, int dim) -> (Tensor, Tensor)"> {
  let summary = "Gradient of weight_norm_interface";
  let decomposition = [{
def _weight_norm_interface_backward(grad_w: Tensor, saved_v: Tensor, saved_g: Tensor, saved_norms: Tensor,
                                    dim: int) -> Tuple[Tensor, Tensor]:
    return torch._gradients.weight_norm(grad_w, saved_v, saved_g, dim), torch._gradients.weight_norm_scale(grad_w,
                                                                                                           saved_v, dim)
  }];
}
def Aten__weight_norm_differentiable_backward : Op<"aten::_weight_norm_differentiable_backward(Tensor grad_w, Tensor saved_v, Tensor saved_g, Tensor saved_norms, int dim) -> (Tensor, Tensor)"> {
  let summary = "Gradient of weight_norm_differentiable";
  let decomposition = [{
def _weight_norm_differentiable_backward(grad_w: Tensor, saved_v: Tensor, saved_g: Tensor, saved_norms: Tensor,
                                         dim: int) -> Tuple[Tensor, Tensor]:
    return torch._gradients.weight_norm(grad_w, saved_v, saved_g, dim), torch._gradients.weight_norm_scale(grad_w,
                                                                                                           saved_v, dim)
  }];
}
def Aten__pack_padded_sequence_backward : Op<"aten::_pack_padded_sequence_backward(Tensor grad, int[] input_size, Tensor batch_sizes, bool batch_first) -> Tensor"> {
  let devices = "hostIndices";
  let summary = "Gradient of pack_padded_sequence";
  let decomposition = [{
def _pack_padded_sequence_backward(grad: Tensor, input_size: List[int], batch_sizes: Tensor,
                                   batch_first: bool) -> Tensor:
    starts: List[int] = [0]
    for i in range(batch_sizes.size(0)):
        starts.append(starts[i] + int(batch_sizes[i].item()))
    shape = [input_size[1], input_size[0]] + input_size[2:] if batch_first else input_size
    found = grad.new_zeros(shape)
    for i in range(batch_sizes.size(0)):
        count = starts[i + 1] - starts[i]
        rows = torch.constant_pad_nd(grad.narrow(0, starts[i], count),
                                     [0, 0] * (grad.dim() - 1) + [0, shape[1] - count])
        found = found.select_scatter(rows, 0, i)
    return found.transpose(0, 1) if batch_first else found
  }];
}
def Aten_fake_quantize_per_tensor_affine_cachemask_backward : Op<"aten::fake_quantize_per_tensor_affine_cachemask_backward(Tensor grad, Tensor mask) -> Tensor"> {
  let summary = "Gradient of fake_quantize_per_tensor_affine_cachemask";
  let decomposition = [{
def fake_quantize_per_tensor_affine_cachemask_backward(grad: Tensor, mask: Tensor) -> Tensor:
    return grad * mask
  }];
}
def Aten_fake_quantize_per_channel_affine_cachemask_backward : Op<"aten::fake_quantize_per_channel_affine_cachemask_backward(Tensor grad, Tensor mask) -> Tensor"> {
  let summary = "Gradient of fake_quantize_per_channel_affine_cachemask";
  let decomposition = [{
def fake_quantize_per_channel_affine_cachemask_backward(grad: Tensor, mask: Tensor) -> Tensor:
    return grad * mask
  }];
}
def Aten_to_mkldnn_backward : Op<"aten::to_mkldnn_backward(Tensor grad, Tensor input) -> Tensor"> {
  let summary = "Gradient of to_mkldnn";
  let decomposition = [{
def to_mkldnn_backward(grad: Tensor, input: Tensor) -> Tensor:
    return grad.clone()
  }];
}
def Aten__thnn_differentiable_lstm_cell_backward : Op<"aten::_thnn_differentiable_lstm_cell_backward(Tensor? grad_hy, Tensor? grad_cy, Tensor input_gates, Tensor hidden_gates, Tensor? input_bias, Tensor? hidden_bias, Tensor cx, Tensor cy) -> (Tensor, Tensor, Tensor, Tensor, Tensor)"> {
  let summary = "Gradient of thnn_differentiable_lstm_cell";
  let decomposition = [{
def _thnn_differentiable_lstm_cell_backward(grad_hy: Optional[Tensor], grad_cy: Optional[Tensor], input_gates: Tensor,
                                            hidden_gates: Tensor, input_bias: Optional[Tensor],
                                            hidden_bias: Optional[Tensor], cx: Tensor,
                                            cy: Tensor) -> Tuple[Optional[Tensor], Optional[Tensor], Optional[Tensor],
                                                                 Optional[Tensor], Optional[Tensor]]:
    gates = input_gates + hidden_gates
    if input_bias is not None:
        gates = gates + input_bias
    if hidden_bias is not None:
        gates = gates + hidden_bias
    i, f, g, o = gates.chunk(4, 1)
    i, f, g, o = torch.sigmoid(i), torch.sigmoid(f), torch.tanh(g), torch.sigmoid(o)
    t = torch.tanh(cy)
    by_output = torch.zeros_like(o)
    by_cell = torch.zeros_like(cx)
    if grad_hy is not None:
        by_output = grad_hy * t
        by_cell = grad_hy * o * (1 - t * t)
    if grad_cy is not None:
        by_cell = by_cell + grad_cy
    by_gates = torch.cat([by_cell * g * i * (1 - i), by_cell * cx * f * (1 - f), by_cell * i * (1 - g * g),
                          by_output * o * (1 - o)], 1)
    by_bias: Optional[Tensor] = None
    if input_bias is not None:
        by_bias = by_gates.sum([0])
    return by_gates, by_gates, by_cell * f, by_bias, by_bias
  }];
}
def Aten__thnn_differentiable_gru_cell_backward : Op<"aten::_thnn_differentiable_gru_cell_backward(Tensor grad_hy, Tensor input_gates, Tensor hidden_gates, Tensor hx, Tensor? input_bias, Tensor? hidden_bias) -> (Tensor, Tensor, Tensor, Tensor, Tensor)"> {
  let summary = "Gradient of thnn_differentiable_gru_cell";
  let decomposition = [{
def _thnn_differentiable_gru_cell_backward(grad_hy: Tensor, input_gates: Tensor, hidden_gates: Tensor, hx: Tensor,
                                           input_bias: Optional[Tensor],
                                           hidden_bias: Optional[Tensor]) -> Tuple[Optional[Tensor], Optional[Tensor],
                                                                                   Optional[Tensor], Optional[Tensor], Optional[Tensor]]:
    if input_bias is not None:
        input_gates = input_gates + input_bias
    if hidden_bias is not None:
        hidden_gates = hidden_gates + hidden_bias
    ir, iz, inew = input_gates.chunk(3, 1)
    hr, hz, hnew = hidden_gates.chunk(3, 1)
    r, z = torch.sigmoid(ir + hr), torch.sigmoid(iz + hz)
    n = torch.tanh(inew + r * hnew)
    by_n = grad_hy * (1 - z) * (1 - n * n)
    by_r, by_z = by_n * hnew * r * (1 - r), grad_hy * (hx - n) * z * (1 - z)
    by_input, by_hidden = torch.cat([by_r, by_z, by_n], 1), torch.cat([by_r, by_z, by_n * r], 1)
    by_input_bias: Optional[Tensor] = None
    if input_bias is not None:
        by_input_bias = by_input.sum([0])
    by_hidden_bias: Optional[Tensor] = None
    if hidden_bias is not None:
        by_hidden_bias = by_hidden.sum([0])
    return by_input, by_hidden, grad_hy * z, by_input_bias, by_hidden_bias
  }];
}
