//===- CompositeLayers.td - Layers made of other operators -*- tablegen -*-===//
//
// What old and new releases name for layers, attention, quantization in floats and oneDNN. Records without kernels:
// they run as their definitions.
//
//===----------------------------------------------------------------------===//

// Layers.
def Aten_log_sigmoid_forward : Op<"aten::log_sigmoid_forward(Tensor self) -> (Tensor output, Tensor buffer)"> {
  let summary = "log_sigmoid, and what its gradient reads";
  let decomposition = [{
def log_sigmoid_forward(self: Tensor) -> Tuple[Tensor, Tensor]:
    return torch.log_sigmoid(self), torch.exp(-torch.abs(self))
  }];
}
def Aten_norm_except_dim : Op<"aten::norm_except_dim(Tensor v, int pow=2, int dim=0) -> Tensor"> {
  let summary = "The norm over all dimensions but one, which is kept";
  let decomposition = [{
def norm_except_dim(v: Tensor, pow: int, dim: int) -> Tensor:
    if dim == -1:
        return torch.norm(v, pow)
    shape = [1] * v.dim()
    shape[dim] = v.size(dim)
    return torch.norm(v.transpose(0, dim).reshape([v.size(dim), -1]), pow, 1).view(shape)
  }];
}
def Aten__batch_norm_impl_index : Op<"aten::_batch_norm_impl_index(Tensor input, Tensor? weight, Tensor? bias, Tensor? running_mean, Tensor? running_var, bool training, float momentum, float eps, bool cudnn_enabled) -> (Tensor, Tensor, Tensor, Tensor, int)"> {
  let summary = "batch_norm with what its gradient reads";
  let decomposition = [{
def _batch_norm_impl_index(input: Tensor, weight: Optional[Tensor], bias: Optional[Tensor],
                           running_mean: Optional[Tensor], running_var: Optional[Tensor], training: bool,
                           momentum: float, eps: float,
                           cudnn_enabled: bool) -> Tuple[Tensor, Tensor, Tensor, Tensor, int]:
    found = torch.native_batch_norm(input, weight, bias, running_mean, running_var, training, momentum, eps)
    return found[0], found[1], found[2], torch.empty([0], dtype=torch.uint8), 0
  }];
}
def Aten_slow_conv3d_forward : Op<"aten::slow_conv3d_forward(Tensor self, Tensor weight, int[3] kernel_size, Tensor? bias, int[3] stride, int[3] padding) -> Tensor"> {
  let summary = "3-dimensional convolution";
  let decomposition = [{
def slow_conv3d_forward(self: Tensor, weight: Tensor, kernel_size: List[int], bias: Optional[Tensor],
                        stride: List[int], padding: List[int]) -> Tensor:
    return torch.conv3d(self, weight, bias, stride, padding)
  }];
}
def Aten__conv_depthwise2d : Op<"aten::_conv_depthwise2d(Tensor self, Tensor weight, int[2] kernel_size, Tensor? bias, int[2] stride, int[2] padding, int[2] dilation) -> Tensor"> {
  let summary = "A convolution of each channel by itself";
  let decomposition = [{
def _conv_depthwise2d(self: Tensor, weight: Tensor, kernel_size: List[int], bias: Optional[Tensor], stride: List[int],
                      padding: List[int], dilation: List[int]) -> Tensor:
    return torch.conv2d(self, weight, bias, stride, padding, dilation, self.size(1))
  }];
}
def Aten_convolution_overrideable : Op<"aten::convolution_overrideable(Tensor input, Tensor weight, Tensor? bias, int[] stride, int[] padding, int[] dilation, bool transposed, int[] output_padding, int groups) -> Tensor"> {
  let summary = "convolution";
  let decomposition = [{
def convolution_overrideable(input: Tensor, weight: Tensor, bias: Optional[Tensor], stride: List[int],
                             padding: List[int], dilation: List[int], transposed: bool, output_padding: List[int],
                             groups: int) -> Tensor:
    return torch.convolution(input, weight, bias, stride, padding, dilation, transposed, output_padding, groups)
  }];
}
def Aten__nnpack_available : Op<"aten::_nnpack_available() -> bool"> {
  let summary = "Whether NNPACK is there: it is not";
  let decomposition = [{
def _nnpack_available() -> bool:
    return False
  }];
}
def Aten__nnpack_spatial_convolution : Op<"aten::_nnpack_spatial_convolution(Tensor input, Tensor weight, Tensor? bias, int[2] padding, int[2] stride=1) -> Tensor"> {
  let summary = "2-dimensional convolution";
  let decomposition = [{
def _nnpack_spatial_convolution(input: Tensor, weight: Tensor, bias: Optional[Tensor], padding: List[int],
                                stride: List[int]) -> Tensor:
    return torch.conv2d(input, weight, bias, stride, padding)
  }];
}
def Aten__pack_sequence : Op<"aten::_pack_sequence(Tensor output, Tensor batch_sizes, Tensor? sorted_indices, Tensor? unsorted_indices) -> (Tensor, Tensor, Tensor?, Tensor?)"> {
  let summary = "The parts of a packed sequence";
  let decomposition = [{
def _pack_sequence(output: Tensor, batch_sizes: Tensor, sorted_indices: Optional[Tensor],
                   unsorted_indices: Optional[Tensor]) -> Tuple[Tensor, Tensor, Optional[Tensor], Optional[Tensor]]:
    return output, batch_sizes, sorted_indices, unsorted_indices
  }];
}
def Aten___interpolate : Op<"aten::__interpolate(Tensor input, int? size=None, float? scale_factor=None, str mode=\"nearest\", bool? align_corners=None, bool? recompute_scale_factor=None, bool antialias=False) -> Tensor"> {
  let summary = "interpolate, as older releases saved it";
  let decomposition = [{
def __interpolate(input: Tensor, size: Optional[int], scale_factor: Optional[float], mode: str,
                  align_corners: Optional[bool], recompute_scale_factor: Optional[bool], antialias: bool) -> Tensor:
    sizes: Optional[List[int]] = None
    if size is not None:
        sizes = [size]
    scales: Optional[List[float]] = None
    if scale_factor is not None:
        scales = [scale_factor]
    return torch.nn.functional.interpolate(input, sizes, scales, mode, align_corners, recompute_scale_factor,
                                           antialias)
  }];
}
def Aten___interpolate_scale_list : Op<"aten::__interpolate.scale_list(Tensor input, int? size=None, float[]? scale_factor=None, str mode=\"nearest\", bool? align_corners=None, bool? recompute_scale_factor=None, bool antialias=False) -> Tensor"> {
  let summary = "interpolate, as older releases saved it";
  let decomposition = [{
def __interpolate(input: Tensor, size: Optional[int], scale_factor: Optional[List[float]], mode: str,
                  align_corners: Optional[bool], recompute_scale_factor: Optional[bool], antialias: bool) -> Tensor:
    sizes: Optional[List[int]] = None
    if size is not None:
        sizes = [size]
    scales: Optional[List[float]] = None
    if scale_factor is not None:
        scales = scale_factor
    return torch.nn.functional.interpolate(input, sizes, scales, mode, align_corners, recompute_scale_factor,
                                           antialias)
  }];
}
def Aten___interpolate_size_list : Op<"aten::__interpolate.size_list(Tensor input, int[]? size=None, float? scale_factor=None, str mode=\"nearest\", bool? align_corners=None, bool? recompute_scale_factor=None, bool antialias=False) -> Tensor"> {
  let summary = "interpolate, as older releases saved it";
  let decomposition = [{
def __interpolate(input: Tensor, size: Optional[List[int]], scale_factor: Optional[float], mode: str,
                  align_corners: Optional[bool], recompute_scale_factor: Optional[bool], antialias: bool) -> Tensor:
    sizes: Optional[List[int]] = None
    if size is not None:
        sizes = size
    scales: Optional[List[float]] = None
    if scale_factor is not None:
        scales = [scale_factor]
    return torch.nn.functional.interpolate(input, sizes, scales, mode, align_corners, recompute_scale_factor,
                                           antialias)
  }];
}
def Aten___interpolate_size_list_scale_list : Op<"aten::__interpolate.size_list_scale_list(Tensor input, int[]? size=None, float[]? scale_factor=None, str mode=\"nearest\", bool? align_corners=None, bool? recompute_scale_factor=None, bool antialias=False) -> Tensor"> {
  let summary = "interpolate, as older releases saved it";
  let decomposition = [{
def __interpolate(input: Tensor, size: Optional[List[int]], scale_factor: Optional[List[float]], mode: str,
                  align_corners: Optional[bool], recompute_scale_factor: Optional[bool], antialias: bool) -> Tensor:
    sizes: Optional[List[int]] = None
    if size is not None:
        sizes = size
    scales: Optional[List[float]] = None
    if scale_factor is not None:
        scales = scale_factor
    return torch.nn.functional.interpolate(input, sizes, scales, mode, align_corners, recompute_scale_factor,
                                           antialias)
  }];
}
def Aten___upsample : Op<"aten::__upsample(Tensor input, int? size=None, int? scale_factor=None, str mode=\"nearest\", bool? align_corners=None) -> Tensor"> {
  let summary = "interpolate, as older releases saved it";
  let decomposition = [{
def __upsample(input: Tensor, size: Optional[int], scale_factor: Optional[int], mode: str,
               align_corners: Optional[bool]) -> Tensor:
    sizes: Optional[List[int]] = None
    if size is not None:
        sizes = [size]
    scales: Optional[List[float]] = None
    if scale_factor is not None:
        scales = [float(scale_factor)]
    return torch.nn.functional.interpolate(input, sizes, scales, mode, align_corners)
  }];
}
def Aten___upsample_nearest : Op<"aten::__upsample_nearest(Tensor input, int? size=None, int? scale_factor=None) -> Tensor"> {
  let summary = "interpolate by the nearest element, as older releases saved it";
  let decomposition = [{
def __upsample_nearest(input: Tensor, size: Optional[int], scale_factor: Optional[int]) -> Tensor:
    sizes: Optional[List[int]] = None
    if size is not None:
        sizes = [size]
    scales: Optional[List[float]] = None
    if scale_factor is not None:
        scales = [float(scale_factor)]
    return torch.nn.functional.interpolate(input, sizes, scales, "nearest")
  }];
}
def Aten___upsample_size_list : Op<"aten::__upsample.size_list(Tensor input, int[]? size=None, int? scale_factor=None, str mode=\"nearest\", bool? align_corners=None) -> Tensor"> {
  let summary = "interpolate, as older releases saved it";
  let decomposition = [{
def __upsample(input: Tensor, size: Optional[List[int]], scale_factor: Optional[int], mode: str,
               align_corners: Optional[bool]) -> Tensor:
    sizes: Optional[List[int]] = None
    if size is not None:
        sizes = size
    scales: Optional[List[float]] = None
    if scale_factor is not None:
        scales = [float(scale_factor)]
    return torch.nn.functional.interpolate(input, sizes, scales, mode, align_corners)
  }];
}
def Aten___upsample_nearest_size_list : Op<"aten::__upsample_nearest.size_list(Tensor input, int[]? size=None, int? scale_factor=None) -> Tensor"> {
  let summary = "interpolate by the nearest element, as older releases saved it";
  let decomposition = [{
def __upsample_nearest(input: Tensor, size: Optional[List[int]], scale_factor: Optional[int]) -> Tensor:
    sizes: Optional[List[int]] = None
    if size is not None:
        sizes = size
    scales: Optional[List[float]] = None
    if scale_factor is not None:
        scales = [float(scale_factor)]
    return torch.nn.functional.interpolate(input, sizes, scales, "nearest")
  }];
}
def Aten___upsample_bilinear : Op<"aten::__upsample_bilinear(Tensor input, int? size=None, int? scale_factor=None) -> Tensor"> {
  let summary = "interpolate with aligned corners, as older releases saved it";
  let decomposition = [{
def __upsample_bilinear(input: Tensor, size: Optional[int], scale_factor: Optional[int]) -> Tensor:
    sizes: Optional[List[int]] = None
    if size is not None:
        sizes = [size]
    scales: Optional[List[float]] = None
    if scale_factor is not None:
        scales = [float(scale_factor)]
    return torch.nn.functional.interpolate(input, sizes, scales, "bilinear", True)
  }];
}
def Aten___upsample_bilinear_size_list : Op<"aten::__upsample_bilinear.size_list(Tensor input, int[]? size=None, int? scale_factor=None) -> Tensor"> {
  let summary = "interpolate with aligned corners, as older releases saved it";
  let decomposition = [{
def __upsample_bilinear(input: Tensor, size: Optional[List[int]], scale_factor: Optional[int]) -> Tensor:
    sizes: Optional[List[int]] = None
    if size is not None:
        sizes = size
    scales: Optional[List[float]] = None
    if scale_factor is not None:
        scales = [float(scale_factor)]
    return torch.nn.functional.interpolate(input, sizes, scales, "bilinear", True)
  }];
}
def Aten___upsample_bilinear_scale_list : Op<"aten::__upsample_bilinear.scale_list(Tensor input, int? size=None, int[]? scale_factor=None) -> Tensor"> {
  let summary = "interpolate with aligned corners, as older releases saved it";
  let decomposition = [{
def __upsample_bilinear(input: Tensor, size: Optional[int], scale_factor: Optional[List[int]]) -> Tensor:
    sizes: Optional[List[int]] = None
    if size is not None:
        sizes = [size]
    scales: Optional[List[float]] = None
    if scale_factor is not None:
        scales = [float(s) for s in scale_factor]
    return torch.nn.functional.interpolate(input, sizes, scales, "bilinear", True)
  }];
}
def Aten___upsample_bilinear_size_list_scale_list : Op<"aten::__upsample_bilinear.size_list_scale_list(Tensor input, int[]? size=None, int[]? scale_factor=None) -> Tensor"> {
  let summary = "interpolate with aligned corners, as older releases saved it";
  let decomposition = [{
def __upsample_bilinear(input: Tensor, size: Optional[List[int]], scale_factor: Optional[List[int]]) -> Tensor:
    sizes: Optional[List[int]] = None
    if size is not None:
        sizes = size
    scales: Optional[List[float]] = None
    if scale_factor is not None:
        scales = [float(s) for s in scale_factor]
    return torch.nn.functional.interpolate(input, sizes, scales, "bilinear", True)
  }];
}

// Attention.
def Aten__transform_bias_rescale_qkv : Op<"aten::_transform_bias_rescale_qkv(Tensor qkv, Tensor qkv_bias, int num_heads) -> (Tensor, Tensor, Tensor)"> {
  let summary = "Projections of query, key and value by heads, the query scaled";
  let decomposition = [{
def _transform_bias_rescale_qkv(qkv: Tensor, qkv_bias: Tensor, num_heads: int) -> Tuple[Tensor, Tensor, Tensor]:
    width = qkv.size(2) // 3 // num_heads
    heads = (qkv + qkv_bias).view([qkv.size(0), qkv.size(1), 3, num_heads, width]).permute([2, 0, 3, 1,
                                                                                            4]).contiguous()
    return heads[0] * width ** -0.5, heads[1], heads[2]
  }];
}
def Aten__scaled_dot_product_attention_math : Op<"aten::_scaled_dot_product_attention_math(Tensor query, Tensor key, Tensor value, Tensor? attn_mask=None, float dropout_p=0., bool need_attn_weights=False, bool is_causal=False) -> (Tensor, Tensor)"> {
  let summary = "Attention and its weights";
  let traits = [Random];
  let decomposition = [{
def _scaled_dot_product_attention_math(query: Tensor, key: Tensor, value: Tensor, attn_mask: Optional[Tensor],
                                       dropout_p: float, need_attn_weights: bool,
                                       is_causal: bool) -> Tuple[Tensor, Tensor]:
    return torch._scaled_dot_product_attention(query, key, value, attn_mask, dropout_p, True, is_causal)
  }];
}
def Aten_scaled_dot_product_attention : Op<"aten::scaled_dot_product_attention(Tensor query, Tensor key, Tensor value, Tensor? attn_mask=None, float dropout_p=0., bool is_causal=False, *, float? scale=None, bool enable_gqa=False) -> Tensor"> {
  let summary = "Attention, as PyTorch 2 has it: a query that may see no key gives zeros";
  let traits = [Random];
  let decomposition = [{
def scaled_dot_product_attention(query: Tensor, key: Tensor, value: Tensor, attn_mask: Optional[Tensor],
                                 dropout_p: float, is_causal: bool, scale: Optional[float],
                                 enable_gqa: bool) -> Tensor:
    if enable_gqa:
        key = key.repeat_interleave(query.size(-3) // key.size(-3), -3)
        value = value.repeat_interleave(query.size(-3) // value.size(-3), -3)
    factor = query.size(-1) ** -0.5 if scale is None else scale
    scores = torch.matmul(query * factor, key.transpose(-2, -1))
    if is_causal:
        if attn_mask is not None:
            raise RuntimeError("scaled_dot_product_attention: Explicit attn_mask should not be set when is_causal=True")
        earlier = torch.ones([query.size(-2), key.size(-2)], dtype=torch.bool).tril()
        scores = scores.masked_fill(earlier.logical_not(), -float("inf"))
    if attn_mask is not None:
        if attn_mask.dtype == torch.bool:
            scores = scores.masked_fill(attn_mask.logical_not(), -float("inf"))
        else:
            scores = scores + attn_mask
    weights = torch.softmax(scores, -1)
    if attn_mask is not None:
        weights = weights.masked_fill((scores == -float("inf")).all(-1, True), 0.)
    if dropout_p > 0:
        weights = torch.dropout(weights, dropout_p, True)
    return torch.matmul(weights, value)
  }];
}
def Aten__safe_softmax : Op<"aten::_safe_softmax(Tensor self, int dim, ScalarType? dtype=None) -> Tensor"> {
  let summary = "softmax that gives zeros where every number is -inf";
  let decomposition = [{
def _safe_softmax(self: Tensor, dim: int, dtype: Optional[int]) -> Tensor:
    wide = self if dtype is None else self.to(dtype)
    return torch.softmax(wide, dim).masked_fill((wide == -float("inf")).all(dim, True), 0.)
  }];
}
def Aten_rms_norm : Op<"aten::rms_norm(Tensor input, int[] normalized_shape, Tensor? weight=None, float? eps=None) -> Tensor"> {
  let summary = "Divides by the root of the mean square over the trailing dimensions";
  let decomposition = [{
def rms_norm(input: Tensor, normalized_shape: List[int], weight: Optional[Tensor], eps: Optional[float]) -> Tensor:
    if eps is not None:
        small = eps
    elif input.dtype == torch.double:
        small = 2.220446049250313e-16
    elif input.dtype == torch.half:
        small = 0.0009765625
    elif input.dtype == torch.bfloat16:
        small = 0.0078125
    else:
        small = 1.1920928955078125e-07
    dims = [-(i + 1) for i in range(len(normalized_shape))]
    wide = torch._gradients.wide(input)
    found = (wide * torch.rsqrt(torch.mean(wide * wide, dims, True) + small)).to(input.dtype)
    return found if weight is None else found * weight
  }];
}

// What PyTorch 2 has besides.
def Aten_squeeze_dims : Op<"aten::squeeze.dims(Tensor(a) self, int[] dim) -> Tensor(a)"> {
  let summary = "Without these dimensions, where they are of size 1";
  let decomposition = [{
def squeeze(self: Tensor, dim: List[int]) -> Tensor:
    found = self
    for i in range(self.dim()):
        d = self.dim() - 1 - i
        for one in dim:
            if one % self.dim() == d and self.size(d) == 1:
                found = found.squeeze(d)
    return found
  }];
  let backwardNode = "2,5";
}
def Aten_any_dims : Op<"aten::any.dims(Tensor self, int[]? dim=None, bool keepdim=False) -> Tensor"> {
  let summary = "any along dimensions";
  let decomposition = [{
def any(self: Tensor, dim: Optional[List[int]], keepdim: bool) -> Tensor:
    dims = [d for d in range(self.dim())] if dim is None or len(dim) == 0 else [d % max(self.dim(), 1) for d in dim]
    found = self.to(torch.bool) if self.dtype != torch.uint8 else self
    for i in range(self.dim()):
        d = self.dim() - 1 - i
        if d in dims:
            found = torch.any(found, d, keepdim)
    return found
  }];
}
def Aten_all_dims : Op<"aten::all.dims(Tensor self, int[]? dim=None, bool keepdim=False) -> Tensor"> {
  let summary = "all along dimensions";
  let decomposition = [{
def all(self: Tensor, dim: Optional[List[int]], keepdim: bool) -> Tensor:
    dims = [d for d in range(self.dim())] if dim is None or len(dim) == 0 else [d % max(self.dim(), 1) for d in dim]
    found = self.to(torch.bool) if self.dtype != torch.uint8 else self
    for i in range(self.dim()):
        d = self.dim() - 1 - i
        if d in dims:
            found = torch.all(found, d, keepdim)
    return found
  }];
}
def Aten__unsafe_index_Tensor : Op<"aten::_unsafe_index.Tensor(Tensor self, Tensor?[] indices) -> Tensor"> {
  let summary = "index";
  let decomposition = [{
def _unsafe_index(self: Tensor, indices: List[Optional[Tensor]]) -> Tensor:
    return torch.index(self, indices)
  }];
}

// Quantization in floats, as training for it does.
def Aten_fake_quantize_per_tensor_affine : Op<"aten::fake_quantize_per_tensor_affine(Tensor self, float scale, int zero_point, int quant_min, int quant_max) -> Tensor"> {
  let summary = "Rounded to what an integer with this scale stands for";
  let derivative = [{ self = backward.fake_quantized(grad, self, scale, zero_point, quant_min, quant_max) }];
  let decomposition = [{
def fake_quantize_per_tensor_affine(self: Tensor, scale: float, zero_point: int, quant_min: int,
                                    quant_max: int) -> Tensor:
    whole = torch._gradients.quantized_whole(self, torch.scalar_tensor(scale, dtype=torch.float), zero_point)
    return (torch.clamp(whole, quant_min, quant_max) - zero_point) * scale
  }];
}
def Aten_fake_quantize_per_tensor_affine_tensor_qparams : Op<"aten::fake_quantize_per_tensor_affine.tensor_qparams(Tensor self, Tensor scale, Tensor zero_point, int quant_min, int quant_max) -> Tensor"> {
  let summary = "The same with scale and zero point in tensors";
  let decomposition = [{
def fake_quantize_per_tensor_affine(self: Tensor, scale: Tensor, zero_point: Tensor, quant_min: int,
                                    quant_max: int) -> Tensor:
    return torch.fake_quantize_per_tensor_affine(self, float(scale.item()), int(zero_point.item()), quant_min,
                                                 quant_max)
  }];
}
def Aten_fake_quantize_per_tensor_affine_cachemask : Op<"aten::fake_quantize_per_tensor_affine_cachemask(Tensor self, float scale, int zero_point, int quant_min, int quant_max) -> (Tensor output, Tensor mask)"> {
  let summary = "The same, and where the integer was in range";
  let decomposition = [{
def fake_quantize_per_tensor_affine_cachemask(self: Tensor, scale: float, zero_point: int, quant_min: int,
                                              quant_max: int) -> Tuple[Tensor, Tensor]:
    whole = torch._gradients.quantized_whole(self, torch.scalar_tensor(scale, dtype=torch.float), zero_point)
    mask = (whole >= quant_min) & (whole <= quant_max)
    return torch.fake_quantize_per_tensor_affine(self, scale, zero_point, quant_min, quant_max), mask
  }];
}
def Aten__fake_quantize_per_tensor_affine_cachemask_tensor_qparams : Op<"aten::_fake_quantize_per_tensor_affine_cachemask_tensor_qparams(Tensor self, Tensor scale, Tensor zero_point, Tensor fake_quant_enabled, int quant_min, int quant_max) -> (Tensor output, Tensor mask)"> {
  let summary = "The same with scale and zero point in tensors";
  let decomposition = [{
def _fake_quantize_per_tensor_affine_cachemask_tensor_qparams(self: Tensor, scale: Tensor, zero_point: Tensor,
                                                              fake_quant_enabled: Tensor, quant_min: int,
                                                              quant_max: int) -> Tuple[Tensor, Tensor]:
    if int(fake_quant_enabled.item()) == 0:
        return self.clone(), torch.ones_like(self, dtype=torch.bool)
    return torch.fake_quantize_per_tensor_affine_cachemask(self, float(scale.item()), int(zero_point.item()),
                                                           quant_min, quant_max)
  }];
}
def Aten_fake_quantize_per_channel_affine : Op<"aten::fake_quantize_per_channel_affine(Tensor self, Tensor scale, Tensor zero_point, int axis, int quant_min, int quant_max) -> Tensor"> {
  let summary = "Rounded to what an integer with the scale of its channel stands for";
  let derivative = [{ self = backward.fake_quantized_channels(grad, self, scale, zero_point, axis, quant_min, quant_max) }];
  let decomposition = [{
def fake_quantize_per_channel_affine(self: Tensor, scale: Tensor, zero_point: Tensor, axis: int, quant_min: int,
                                     quant_max: int) -> Tensor:
    scales = torch._gradients.along_axis(scale, self, axis)
    zeros = torch._gradients.along_axis(zero_point, self, axis)
    whole = torch.round(self * (1 / scales)) + zeros
    return (torch.clamp(whole, quant_min, quant_max) - zeros) * scales
  }];
}
def Aten_fake_quantize_per_channel_affine_cachemask : Op<"aten::fake_quantize_per_channel_affine_cachemask(Tensor self, Tensor scale, Tensor zero_point, int axis, int quant_min, int quant_max) -> (Tensor output, Tensor mask)"> {
  let summary = "The same, and where the integer was in range";
  let decomposition = [{
def fake_quantize_per_channel_affine_cachemask(self: Tensor, scale: Tensor, zero_point: Tensor, axis: int,
                                               quant_min: int, quant_max: int) -> Tuple[Tensor, Tensor]:
    scales = torch._gradients.along_axis(scale, self, axis)
    zeros = torch._gradients.along_axis(zero_point, self, axis)
    whole = torch.round(self * (1 / scales)) + zeros
    return (torch.clamp(whole, quant_min, quant_max) - zeros) * scales, (whole >= quant_min) & (whole <= quant_max)
  }];
}
def Aten_quantize_per_tensor_tensor_qparams : Op<"aten::quantize_per_tensor.tensor_qparams(Tensor self, Tensor scale, Tensor zero_point, ScalarType dtype) -> Tensor"> {
  let summary = "Integers that stand for (integer - zero_point) * scale";
  let traits = [Detached];
  let decomposition = [{
def quantize_per_tensor(self: Tensor, scale: Tensor, zero_point: Tensor, dtype: int) -> Tensor:
    return torch.quantize_per_tensor(self, float(scale.item()), int(zero_point.item()), dtype)
  }];
}
def Aten_quantize_per_tensor_tensors : Op<"aten::quantize_per_tensor.tensors(Tensor[] tensors, Tensor scales, Tensor zero_points, ScalarType dtype) -> Tensor[]"> {
  let summary = "Each tensor in integers";
  let traits = [Detached];
  let decomposition = [{
def quantize_per_tensor(tensors: List[Tensor], scales: Tensor, zero_points: Tensor, dtype: int) -> List[Tensor]:
    return [torch.quantize_per_tensor(tensors[i], float(scales[i].item()), int(zero_points[i].item()), dtype)
            for i in range(len(tensors))]
  }];
}
def Aten_dequantize_tensors : Op<"aten::dequantize.tensors(Tensor[] tensors) -> Tensor[]"> {
  let summary = "The real numbers of each tensor";
  let quantized = "takes";
  let traits = [Detached];
  let decomposition = [{
def dequantize(tensors: List[Tensor]) -> List[Tensor]:
    return [torch.dequantize(tensor) for tensor in tensors]
  }];
}

// oneDNN's layout is an affair of kernels here: a tensor in it is the tensor.
def Aten_to_mkldnn : Op<"aten::to_mkldnn(Tensor self, ScalarType? dtype=None) -> Tensor"> {
  let summary = "The tensor for oneDNN";
  let decomposition = [{
def to_mkldnn(self: Tensor, dtype: Optional[int]) -> Tensor:
    return self.clone() if dtype is None else self.to(dtype, False, True)
  }];
}
def Aten_mkldnn_linear : Op<"aten::mkldnn_linear(Tensor self, Tensor weight, Tensor? bias=None) -> Tensor"> {
  let summary = "linear";
  let decomposition = [{
def mkldnn_linear(self: Tensor, weight: Tensor, bias: Optional[Tensor]) -> Tensor:
    return torch.linear(self, weight, bias)
  }];
}
def Aten_mkldnn_max_pool2d : Op<"aten::mkldnn_max_pool2d(Tensor self, int[2] kernel_size, int[2] stride=[], int[2] padding=0, int[2] dilation=1, bool ceil_mode=False) -> Tensor"> {
  let summary = "max_pool2d";
  let decomposition = [{
def mkldnn_max_pool2d(self: Tensor, kernel_size: List[int], stride: List[int], padding: List[int],
                      dilation: List[int], ceil_mode: bool) -> Tensor:
    return torch.max_pool2d(self, kernel_size, stride, padding, dilation, ceil_mode)
  }];
}
def Aten_mkldnn_max_pool3d : Op<"aten::mkldnn_max_pool3d(Tensor self, int[3] kernel_size, int[3] stride=[], int[3] padding=0, int[3] dilation=1, bool ceil_mode=False) -> Tensor"> {
  let summary = "max_pool3d";
  let decomposition = [{
def mkldnn_max_pool3d(self: Tensor, kernel_size: List[int], stride: List[int], padding: List[int],
                      dilation: List[int], ceil_mode: bool) -> Tensor:
    return torch.max_pool3d(self, kernel_size, stride, padding, dilation, ceil_mode)
  }];
}
def Aten_mkldnn_adaptive_avg_pool2d : Op<"aten::mkldnn_adaptive_avg_pool2d(Tensor self, int[2] output_size) -> Tensor"> {
  let summary = "adaptive_avg_pool2d";
  let decomposition = [{
def mkldnn_adaptive_avg_pool2d(self: Tensor, output_size: List[int]) -> Tensor:
    return torch.adaptive_avg_pool2d(self, output_size)
  }];
}
def Aten_mkldnn_reorder_conv2d_weight : Op<"aten::mkldnn_reorder_conv2d_weight(Tensor self, int[2] padding=0, int[2] stride=1, int[2] dilation=1, int groups=1) -> Tensor"> {
  let summary = "The weight";
  let decomposition = [{
def mkldnn_reorder_conv2d_weight(self: Tensor, padding: List[int], stride: List[int], dilation: List[int],
                                 groups: int) -> Tensor:
    return self.clone()
  }];
}
def Aten_mkldnn_reorder_conv3d_weight : Op<"aten::mkldnn_reorder_conv3d_weight(Tensor self, int[3] padding=0, int[3] stride=1, int[3] dilation=1, int groups=1) -> Tensor"> {
  let summary = "The weight";
  let decomposition = [{
def mkldnn_reorder_conv3d_weight(self: Tensor, padding: List[int], stride: List[int], dilation: List[int],
                                 groups: int) -> Tensor:
    return self.clone()
  }];
}
def Aten__mkldnn_reshape : Op<"aten::_mkldnn_reshape(Tensor self, int[] shape) -> Tensor"> {
  let summary = "reshape";
  let decomposition = [{
def _mkldnn_reshape(self: Tensor, shape: List[int]) -> Tensor:
    return self.reshape(shape).clone()
  }];
}
def Aten__mkldnn_transpose : Op<"aten::_mkldnn_transpose(Tensor self, int dim0, int dim1) -> Tensor"> {
  let summary = "transpose";
  let decomposition = [{
def _mkldnn_transpose(self: Tensor, dim0: int, dim1: int) -> Tensor:
    return self.transpose(dim0, dim1).clone()
  }];
}

// What tests of PyTorch call.
def Aten__test_optional_intlist : Op<"aten::_test_optional_intlist(Tensor values, int[]? addends) -> Tensor"> {
  let summary = "values plus the numbers of a list that may be absent";
  let decomposition = [{
def _test_optional_intlist(values: Tensor, addends: Optional[List[int]]) -> Tensor:
    if addends is None:
        return values.clone()
    return values + torch.tensor(addends, dtype=values.dtype)
  }];
}
def Aten__test_optional_floatlist : Op<"aten::_test_optional_floatlist(Tensor values, float[]? addends) -> Tensor"> {
  let summary = "values plus the numbers of a list that may be absent";
  let decomposition = [{
def _test_optional_floatlist(values: Tensor, addends: Optional[List[float]]) -> Tensor:
    if addends is None:
        return values.clone()
    return values + torch.tensor(addends, dtype=values.dtype)
  }];
}
def Aten__test_optional_filled_intlist : Op<"aten::_test_optional_filled_intlist(Tensor values, int[2]? addends) -> Tensor"> {
  let summary = "values plus the numbers of a list that may be absent";
  let decomposition = [{
def _test_optional_filled_intlist(values: Tensor, addends: Optional[List[int]]) -> Tensor:
    if addends is None:
        return values.clone()
    return values + torch.tensor(addends, dtype=values.dtype)
  }];
}
