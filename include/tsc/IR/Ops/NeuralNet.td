//===- NeuralNet.td - Operators: neural net -*- tablegen -*-===//

def : KernelHeader<"tsc/Kernels/Loss.h">;
def : KernelHeader<"tsc/Kernels/Normalization.h">;
def : KernelHeader<"tsc/Kernels/Pooling.h">;
def : KernelHeader<"tsc/Kernels/Recurrent.h">;
def : KernelHeader<"tsc/Kernels/Upsample.h">;

// Normalization.
// Parameters have the dtype of the input, or are Float ones of one in half precision.
defvar parameterOf = [{
def parameter_of(input: Tensor, vector: Tensor) -> Tensor:
    is_like = vector.dtype == input.dtype
    if not (is_like | (vector.dtype == torch.float32)):
        raise RuntimeError("mixed dtype (CPU): expect parameter to have scalar type of Float")
    if not (is_like | (input.dtype == torch.float16) | (input.dtype == torch.bfloat16)):
        raise RuntimeError("mixed dtype (CPU): all inputs must share same datatype.")
    return vector.type_as(input)
}];

// What the definitions of batch_norm and instance_norm share. Running statistics are computed in double, and rounded once.
defvar normalizedChannels = !strconcat(parameterOf, [{
def channels(vector: Tensor, input: Tensor, name: str) -> Tensor:
    assert vector.size() == [input.size(1)], name + " should contain as many elements as input has channels"
    vector = parameter_of(input, vector)
    for _ in range(input.dim() - 2):
        vector = vector.unsqueeze(-1)
    return vector

def normalized(input: Tensor, mean: Tensor, variance: Tensor, weight: Optional[Tensor], bias: Optional[Tensor],
               eps: float) -> Tensor:
    scale = torch.rsqrt(variance + eps)
    if weight is not None:
        scale = scale * channels(weight, input, "weight")
    moved = mean * scale
    return input * scale + (channels(bias, input, "bias") - moved if bias is not None else 0 - moved)

def scaled(input: Tensor, weight: Optional[Tensor], bias: Optional[Tensor]) -> Tensor:
    if weight is not None:
        input = input * channels(weight, input, "weight")
    return input if bias is None else input + channels(bias, input, "bias")

def moved(running: Tensor, value: Tensor, momentum: float) -> Tensor:
    return (1 - momentum) * running.double() + momentum * value.double()
}]);
def Aten_batch_norm : Op<"aten::batch_norm(Tensor input, Tensor? weight, Tensor? bias, Tensor(m!)? running_mean, Tensor(v!)? running_var, bool training, float momentum, float eps, bool cudnn_enabled) -> Tensor"> {
  let summary = "Normalizes each channel by batch or running statistics";
  let kernel = "cpu::batchNorm";
  let shape = "input"; let dtype = "input"; let strides = "dense";
  let decomposition = !strconcat(normalizedChannels, [{
def batch_norm(input: Tensor, weight: Optional[Tensor], bias: Optional[Tensor], running_mean: Optional[Tensor],
               running_var: Optional[Tensor], training: bool, momentum: float, eps: float, cudnn_enabled: bool) -> Tensor:
    if input.dim() < 2:
        raise RuntimeError("batch_norm expects an input of at least 2 dimensions, but got " + str(input.dim()))
    if training and input.numel() == 0:  # has no statistics
        return scaled(input, weight, bias)
    if training:
        dims = [0] + [d for d in range(2, input.dim())]
        mean = torch.mean(input, dims, True)
        centered = input - mean
        variance = torch.mean(centered * centered, dims, True)
        if running_mean is not None:
            parameter_of(input, running_mean)  # or an error
            running_mean.copy_(moved(running_mean, mean.reshape(-1), momentum))
        if running_var is not None:
            parameter_of(input, running_var)
            count = input.numel() // max(input.size(1), 1)
            running_var.copy_(moved(running_var, variance.reshape(-1).double() * count / (count - 1), momentum))
    else:
        assert running_mean is not None, "running_mean must be defined in evaluation mode"
        assert running_var is not None, "running_var must be defined in evaluation mode"
        mean = channels(running_mean, input, "running_mean")
        variance = channels(running_var, input, "running_var")
    return normalized(input, mean, variance, weight, bias, eps)
  }]);
  let backwardNode = "NativeBatchNormBackward0";
}
def Aten_native_batch_norm : Op<"aten::native_batch_norm(Tensor input, Tensor? weight, Tensor? bias, Tensor(m!)? running_mean, Tensor(v!)? running_var, bool training, float momentum, float eps) -> (Tensor, Tensor, Tensor)"> {
  let summary = "batch_norm with the saved mean and inverse deviation";
  let kernel = "cpu::nativeBatchNorm"; let variants = [Out]; let outName = "out"; let outArgs = ["out", "save_mean", "save_invstd"];
  let shape = "input; batch_norm_stats(input, training); batch_norm_stats(input, training)";
  let derivative = [{ input  = backward.batch_norm_input(grad0, input, weight, result1, result2, running_var, training, eps)
                      weight = backward.batch_norm_weight(grad0, input, result1, result2, running_mean, running_var, training, eps)
                      bias   = backward.summed_but(grad0, 1) }];
  let backwardNode = "0";
}
def Aten_instance_norm : Op<"aten::instance_norm(Tensor input, Tensor? weight, Tensor? bias, Tensor(m!)? running_mean, Tensor(v!)? running_var, bool use_input_stats, float momentum, float eps, bool cudnn_enabled) -> Tensor"> {
  let summary = "Normalizes each channel of each sample";
  let kernel = "cpu::instanceNorm";
  let shape = "input"; let dtype = "input"; let strides = "dense";
  let decomposition = !strconcat(normalizedChannels, [{
def averaged(running: Tensor, value: Tensor, samples: int, momentum: float) -> Tensor:
    return torch.mean(moved(running, value.reshape(samples, -1), momentum).to(running.dtype), [0])

def instance_norm(input: Tensor, weight: Optional[Tensor], bias: Optional[Tensor], running_mean: Optional[Tensor],
                  running_var: Optional[Tensor], use_input_stats: bool, momentum: float, eps: float,
                  cudnn_enabled: bool) -> Tensor:
    if input.dim() < 2:
        raise RuntimeError("instance_norm expects an input of at least 2 dimensions, but got " + str(input.dim()))
    if input.dim() == 2:
        return torch.instance_norm(input.unsqueeze(-1), weight, bias, running_mean, running_var, use_input_stats, momentum,
                                   eps, cudnn_enabled).squeeze(-1)
    input = input.contiguous()
    if use_input_stats and input.numel() == 0:  # has no statistics
        return scaled(input, weight, bias)
    if use_input_stats:
        dims = [d for d in range(2, input.dim())]
        mean = torch.mean(input, dims, True)
        centered = input - mean
        variance = torch.mean(centered * centered, dims, True)
        if running_mean is not None:
            parameter_of(input, running_mean)  # or an error
            running_mean.copy_(averaged(running_mean, mean, input.size(0), momentum))
        if running_var is not None:
            parameter_of(input, running_var)
            count = input.numel() // max(input.size(0) * input.size(1), 1)
            running_var.copy_(averaged(running_var, variance.double() * count / (count - 1), input.size(0), momentum))
    else:
        if running_mean is None or running_var is None:
            raise RuntimeError("Expected running_mean and running_var to be defined when use_input_stats is false")
        mean = channels(running_mean, input, "running_mean")
        variance = channels(running_var, input, "running_var")
    return normalized(input, mean, variance, weight, bias, eps)
  }]);
}
def Aten_layer_norm : Op<"aten::layer_norm(Tensor input, int[] normalized_shape, Tensor? weight=None, Tensor? bias=None, float eps=1.0000000000000001e-05, bool cudnn_enable=True) -> Tensor"> {
  let summary = "Normalizes over the trailing dimensions";
  let kernel = "cpu::layerNorm";
  let shape = "input"; let dtype = "input"; let strides = "dense";
  let decomposition = !strconcat(parameterOf, [{
def layer_norm(input: Tensor, normalized_shape: List[int], weight: Optional[Tensor], bias: Optional[Tensor],
               eps: float, cudnn_enable: bool) -> Tensor:
    if weight is not None:
        assert weight.size() == normalized_shape, "Expected weight to be of same shape as normalized_shape"
    if bias is not None:
        assert bias.size() == normalized_shape, "Expected bias to be of same shape as normalized_shape"
    count = len(normalized_shape)
    assert count > 0, "Expected normalized_shape to be at least 1-dimensional"
    assert input.size()[-count:] == normalized_shape, "normalized_shape is not how the shape of the input ends"
    dims = [-(i + 1) for i in range(count)]
    input = input.contiguous()
    centered = input - torch.mean(input, dims, True)
    result = centered * torch.rsqrt(torch.mean(centered * centered, dims, True) + eps)
    if weight is not None:
        result = result * parameter_of(input, weight)
    if bias is not None:
        result = result + parameter_of(input, bias)
    return result
  }]);
  let backwardNode = "NativeLayerNormBackward0";
}
def Aten_native_layer_norm : Op<"aten::native_layer_norm(Tensor input, int[] normalized_shape, Tensor? weight, Tensor? bias, float eps) -> (Tensor, Tensor, Tensor)"> {
  let summary = "layer_norm with mean and inverse deviation";
  let kernel = "cpu::nativeLayerNorm"; let variants = [Out]; let outName = "out"; let outArgs = ["out0", "out1", "out2"];
  let shape = "native_layer_norm(input, normalized_shape)";
  let derivative = [{ input  = backward.layer_norm_input(grad0, grad1, grad2, input, normalized_shape, weight, result1, result2)
                      weight = backward.layer_norm_weight(grad0, input, normalized_shape, result1, result2)
                      bias   = backward.summed_to(grad0, normalized_shape, input) }];
  let backwardNode = "0";
}
def Aten_group_norm : Op<"aten::group_norm(Tensor input, int num_groups, Tensor? weight=None, Tensor? bias=None, float eps=1.0000000000000001e-05, bool cudnn_enabled=True) -> Tensor"> {
  let summary = "Normalizes groups of channels";
  let kernel = "cpu::groupNorm";
  let shape = "input"; let dtype = "input"; let strides = "dense";
  let decomposition = !strconcat(parameterOf, [{
def channels(vector: Tensor, num_groups: int, input: Tensor, name: str) -> Tensor:
    assert vector.size() == [input.size(1)], "Expected " + name + " to be a vector of size equal to the number of channels"
    vector = parameter_of(input, vector)
    vector = torch.unflatten(vector, 0, [num_groups, -1])
    for _ in range(input.dim() - 2):
        vector = vector.unsqueeze(-1)
    return vector

def group_norm(input: Tensor, num_groups: int, weight: Optional[Tensor], bias: Optional[Tensor], eps: float,
               cudnn_enabled: bool) -> Tensor:
    if input.dim() < 2:
        raise RuntimeError("Expected at least 2 dimensions for input tensor but received " + str(input.dim()))
    if num_groups <= 0:
        raise RuntimeError("Expected num groups to be greater than 0, got " + str(num_groups))
    assert input.size(1) % num_groups == 0, "Expected number of channels in input to be divisible by num_groups"
    grouped = torch.unflatten(input, 1, [num_groups, -1])
    dims = [d for d in range(2, input.dim() + 1)]
    centered = grouped - torch.mean(grouped, dims, True)
    result = centered * torch.rsqrt(torch.mean(centered * centered, dims, True) + eps)
    if weight is not None:
        result = result * channels(weight, num_groups, input, "weight")
    if bias is not None:
        result = result + channels(bias, num_groups, input, "bias")
    return torch.flatten(result, 1, 2)
  }]);
  let backwardNode = "NativeGroupNormBackward0";
}
def Aten_native_group_norm : Op<"aten::native_group_norm(Tensor input, Tensor? weight, Tensor? bias, int N, int C, int HxW, int group, float eps) -> (Tensor, Tensor, Tensor)"> {
  let summary = "group_norm with mean and inverse deviation";
  let kernel = "cpu::nativeGroupNorm"; let variants = [Out]; let outName = "out"; let outArgs = ["out0", "out1", "out2"];
  let shape = "input; matrix(N, group); matrix(N, group)";
  let derivative = [{ input  = backward.group_norm_input(grad0, grad1, grad2, input, weight, N, C, HxW, group, result1, result2)
                      weight = backward.group_norm_weight(grad0, input, N, C, HxW, group, result1, result2)
                      bias   = backward.group_norm_bias(grad0, input, N, C, HxW) }];
  let backwardNode = "0";
}
def Aten_softmax_int : Op<"aten::softmax.int(Tensor self, int dim, ScalarType? dtype=None) -> Tensor"> {
  let traits = [AlongRows];
  let summary = "Exponentials that sum to one along a dimension";
  let kernel = "cpu::softmax"; let variants = [Out];
  let shape = "self"; let dtype = "dtype,self"; let strides = "dense";
  let derivative = [{ self = backward.softmax(grad, result, dim) }];
  let decomposition = [{
def softmax(self: Tensor, dim: int, dtype: Optional[int]) -> Tensor:
    if dtype is not None:
        return torch.softmax(self.to(dtype), dim)
    x = self.contiguous()
    if self.numel() != 0:
        x = x - torch.amax(x, [dim], True)
    powers = torch.exp(x)
    return powers * torch.reciprocal(torch.sum(powers, [dim], True))
  }];
  let backwardNode = "0";
}
def Aten__softmax : Op<"aten::_softmax(Tensor self, int dim, bool half_to_float) -> Tensor"> {
  let traits = [AlongRows];
  let summary = "Exponentials that sum to one along a dimension";
  let kernel = "cpu::softmaxRaw"; let variants = [Out];
  let shape = "self"; let dtype = "Float if half_to_float,self"; let strides = "dense";
  let decomposition = [{
def _softmax(self: Tensor, dim: int, half_to_float: bool) -> Tensor:
    return torch.softmax(self.float() if half_to_float else self, dim)
  }];
}
def Aten_log_softmax_int : Op<"aten::log_softmax.int(Tensor self, int dim, ScalarType? dtype=None) -> Tensor"> {
  let traits = [AlongRows];
  let summary = "Log of softmax";
  let kernel = "cpu::logSoftmax"; let variants = [Out];
  let shape = "self"; let dtype = "dtype,self"; let strides = "dense";
  let derivative = [{ self = backward.wide(grad) - exp(backward.wide(result)) * sum(grad, [dim], True) }];
  let decomposition = [{
def log_softmax(self: Tensor, dim: int, dtype: Optional[int]) -> Tensor:
    if dtype is not None:
        return torch.log_softmax(self.to(dtype), dim)
    x = self.contiguous()
    if self.numel() != 0:
        x = x - torch.amax(x, [dim], True)
    return x - torch.log(torch.sum(torch.exp(x), [dim], True))
  }];
  let backwardNode = "0";
}
def Aten__log_softmax : Op<"aten::_log_softmax(Tensor self, int dim, bool half_to_float) -> Tensor"> {
  let traits = [AlongRows];
  let summary = "Log of softmax";
  let kernel = "cpu::logSoftmaxRaw"; let variants = [Out];
  let shape = "self"; let dtype = "Float if half_to_float,self"; let strides = "dense";
  let decomposition = [{
def _log_softmax(self: Tensor, dim: int, half_to_float: bool) -> Tensor:
    return torch.log_softmax(self.float() if half_to_float else self, dim)
  }];
}
def Aten__masked_softmax : Op<"aten::_masked_softmax(Tensor self, Tensor mask, int? dim=None, int? mask_type=None) -> Tensor"> {
  let summary = "Softmax where the mask is false";
  let kernel = "cpu::maskedSoftmax"; let variants = [Out];
  let shape = "self"; let dtype = "self"; let strides = "dense";
  let derivative = [{ self = backward.softmax(grad, result, -1 if dim is None else dim) }];
}
def Aten_glu : Op<"aten::glu(Tensor self, int dim=-1) -> Tensor"> {
  let summary = "First half times sigmoid of the second half";
  let kernel = "cpu::glu"; let variants = [Out];
  let shape = "glu(self, dim)"; let dtype = "self"; let strides = "dense";
  let derivative = [{ self = backward.glu(grad, self, dim) }];
  let backwardNode = "0";
}

// Pooling.
def Aten_avg_pool1d : Op<"aten::avg_pool1d(Tensor self, int[1] kernel_size, int[1] stride=[], int[1] padding=[0], bool ceil_mode=False, bool count_include_pad=True) -> Tensor"> {
  let cudaKernel = "cuda::averagePool(1, self, kernel_size, stride, padding, ceil_mode, count_include_pad)";
  let quantized = "units";
  let summary = "Average over a sliding window";
  let kernel = "cpu::avgPool1d";
  let shape = "pool(self, kernel_size, stride, padding, [1], ceil_mode)"; let dtype = "self"; let strides = "dense";
  let derivative = [{ self = backward.avg_pool(grad, self, kernel_size, stride, padding, count_include_pad, None, 1) }];
}
def Aten_avg_pool2d : Op<"aten::avg_pool2d(Tensor self, int[2] kernel_size, int[2] stride=[], int[2] padding=0, bool ceil_mode=False, bool count_include_pad=True, int? divisor_override=None) -> Tensor"> {
  let cudaKernel = "cuda::averagePool(2, self, kernel_size, stride, padding, ceil_mode, count_include_pad, divisor_override)";
  let quantized = "units";
  let summary = "Average over a sliding window";
  let kernel = "cpu::avgPool2d"; let variants = [Out];
  let shape = "pool(self, kernel_size, stride, padding, [1], ceil_mode)"; let dtype = "self"; let strides = "dense";
  let derivative = [{ self = backward.avg_pool(grad, self, kernel_size, stride, padding, count_include_pad, divisor_override, 2) }];
  let backwardNode = "0";
}
def Aten_avg_pool3d : Op<"aten::avg_pool3d(Tensor self, int[3] kernel_size, int[3] stride=[], int[3] padding=0, bool ceil_mode=False, bool count_include_pad=True, int? divisor_override=None) -> Tensor"> {
  let cudaKernel = "cuda::averagePool(3, self, kernel_size, stride, padding, ceil_mode, count_include_pad, divisor_override)";
  let quantized = "units";
  let summary = "Average over a sliding window";
  let kernel = "cpu::avgPool3d"; let variants = [Out];
  let shape = "pool(self, kernel_size, stride, padding, [1], ceil_mode)"; let dtype = "self"; let strides = "dense";
  let derivative = [{ self = backward.avg_pool(grad, self, kernel_size, stride, padding, count_include_pad, divisor_override, 3) }];
  let backwardNode = "0";
}
def Aten_max_pool1d : Op<"aten::max_pool1d(Tensor self, int[1] kernel_size, int[1] stride=[], int[1] padding=[0], int[1] dilation=[1], bool ceil_mode=False) -> Tensor"> {
  let cudaKernel = "cuda::maxPool(1, self, kernel_size, stride, padding, dilation, ceil_mode)";
  let quantized = "keeps";
  let summary = "Maximum over a sliding window";
  let kernel = "cpu::maxPool1d";
  let shape = "pool(self, kernel_size, stride, padding, dilation, ceil_mode)"; let dtype = "self"; let strides = "dense";
  let decomposition = [{
def max_pool1d(self: Tensor, kernel_size: List[int], stride: List[int], padding: List[int], dilation: List[int],
               ceil_mode: bool) -> Tensor:
    return torch.max_pool1d_with_indices(self, kernel_size, stride, padding, dilation, ceil_mode)[0]
  }];
}
def Aten_max_pool1d_with_indices : Op<"aten::max_pool1d_with_indices(Tensor self, int[1] kernel_size, int[1] stride=[], int[1] padding=[0], int[1] dilation=[1], bool ceil_mode=False) -> (Tensor, Tensor)"> {
  let cudaKernel = "cuda::maxPool(1, self, kernel_size, stride, padding, dilation, ceil_mode)";
  let quantized = "keeps";
  let summary = "Maximum over a sliding window and where it was";
  let kernel = "cpu::maxPool1dWithIndices";
  let shape = "pool(self, kernel_size, stride, padding, dilation, ceil_mode); pool(self, kernel_size, stride, padding, dilation, ceil_mode)"; let dtype = "self; Long"; let strides = "dense";
  let derivative = [{ self = backward.max_pool(grad0, result1, self, 1) }];
}
def Aten_max_pool2d : Op<"aten::max_pool2d(Tensor self, int[2] kernel_size, int[2] stride=[], int[2] padding=0, int[2] dilation=1, bool ceil_mode=False) -> Tensor"> {
  let cudaKernel = "cuda::maxPool(2, self, kernel_size, stride, padding, dilation, ceil_mode)";
  let quantized = "keeps";
  let summary = "Maximum over a sliding window";
  let kernel = "cpu::maxPool2d";
  let shape = "pool(self, kernel_size, stride, padding, dilation, ceil_mode)"; let dtype = "self"; let strides = "dense";
  let decomposition = [{
def max_pool2d(self: Tensor, kernel_size: List[int], stride: List[int], padding: List[int], dilation: List[int],
               ceil_mode: bool) -> Tensor:
    return torch.max_pool2d_with_indices(self, kernel_size, stride, padding, dilation, ceil_mode)[0]
  }];
  let backwardNode = "MaxPool2DWithIndicesBackward0";
}
def Aten_max_pool2d_with_indices : Op<"aten::max_pool2d_with_indices(Tensor self, int[2] kernel_size, int[2] stride=[], int[2] padding=0, int[2] dilation=1, bool ceil_mode=False) -> (Tensor, Tensor)"> {
  let cudaKernel = "cuda::maxPool(2, self, kernel_size, stride, padding, dilation, ceil_mode)";
  let quantized = "keeps";
  let summary = "Maximum over a sliding window and where it was";
  let kernel = "cpu::maxPool2dWithIndices"; let variants = [Out]; let outName = "out"; let outArgs = ["out", "indices"];
  let shape = "pool(self, kernel_size, stride, padding, dilation, ceil_mode); pool(self, kernel_size, stride, padding, dilation, ceil_mode)"; let dtype = "self; Long"; let strides = "dense";
  let derivative = [{ self = backward.max_pool(grad0, result1, self, 2) }];
  let backwardNode = "0";
}
def Aten_max_pool3d : Op<"aten::max_pool3d(Tensor self, int[3] kernel_size, int[3] stride=[], int[3] padding=0, int[3] dilation=1, bool ceil_mode=False) -> Tensor"> {
  let cudaKernel = "cuda::maxPool(3, self, kernel_size, stride, padding, dilation, ceil_mode)";
  let quantized = "keeps";
  let summary = "Maximum over a sliding window";
  let kernel = "cpu::maxPool3d";
  let shape = "pool(self, kernel_size, stride, padding, dilation, ceil_mode)"; let dtype = "self"; let strides = "dense";
  let decomposition = [{
def max_pool3d(self: Tensor, kernel_size: List[int], stride: List[int], padding: List[int], dilation: List[int],
               ceil_mode: bool) -> Tensor:
    return torch.max_pool3d_with_indices(self, kernel_size, stride, padding, dilation, ceil_mode)[0]
  }];
  let backwardNode = "MaxPool3DWithIndicesBackward0";
}
def Aten_max_pool3d_with_indices : Op<"aten::max_pool3d_with_indices(Tensor self, int[3] kernel_size, int[3] stride=[], int[3] padding=0, int[3] dilation=1, bool ceil_mode=False) -> (Tensor, Tensor)"> {
  let cudaKernel = "cuda::maxPool(3, self, kernel_size, stride, padding, dilation, ceil_mode)";
  let summary = "Maximum over a sliding window and where it was";
  let kernel = "cpu::maxPool3dWithIndices"; let variants = [Out]; let outName = "out"; let outArgs = ["out", "indices"];
  let shape = "pool(self, kernel_size, stride, padding, dilation, ceil_mode); pool(self, kernel_size, stride, padding, dilation, ceil_mode)"; let dtype = "self; Long"; let strides = "dense";
  let derivative = [{ self = backward.max_pool(grad0, result1, self, 3) }];
  let backwardNode = "0";
}
def Aten_adaptive_avg_pool1d : Op<"aten::adaptive_avg_pool1d(Tensor self, int[1] output_size) -> Tensor"> {
  let cudaKernel = "cuda::adaptiveAveragePool(1, self, output_size)";
  let quantized = "units";
  let summary = "Averages to a given output size";
  let kernel = "cpu::adaptiveAvgPool1d";
  let shape = "replace_trailing(self, output_size)"; let dtype = "self"; let strides = "dense";
  let derivative = [{ self = backward.adaptive_avg_pool(grad, self, 1) }];
}
def Aten_adaptive_avg_pool2d : Op<"aten::adaptive_avg_pool2d(Tensor self, int[2] output_size) -> Tensor"> {
  let cudaKernel = "cuda::adaptiveAveragePool(2, self, output_size)";
  let quantized = "units";
  let summary = "Averages to a given output size";
  let kernel = "cpu::adaptiveAvgPool2d"; let variants = [Out];
  let shape = "replace_trailing(self, output_size)"; let dtype = "self"; let strides = "dense";
  let derivative = [{ self = backward.adaptive_avg_pool(grad, self, 2) }];
  let backwardNode = "adaptiveAveragePool";
}
def Aten_adaptive_avg_pool3d : Op<"aten::adaptive_avg_pool3d(Tensor self, int[3] output_size) -> Tensor"> {
  let cudaKernel = "cuda::adaptiveAveragePool(3, self, output_size)";
  let quantized = "units";
  let summary = "Averages to a given output size";
  let kernel = "cpu::adaptiveAvgPool3d"; let variants = [Out];
  let shape = "replace_trailing(self, output_size)"; let dtype = "self"; let strides = "dense";
  let derivative = [{ self = backward.adaptive_avg_pool(grad, self, 3) }];
}
def Aten__adaptive_avg_pool2d : Op<"aten::_adaptive_avg_pool2d(Tensor self, int[2] output_size) -> Tensor"> {
  let cudaKernel = "cuda::adaptiveAveragePool(2, self, output_size)";
  let quantized = "units";
  let summary = "Averages to a given output size";
  let kernel = "cpu::adaptiveAvgPool2d"; let variants = [Out];
  let shape = "replace_trailing(self, output_size)"; let dtype = "self"; let strides = "dense";
  let derivative = [{ self = backward.adaptive_avg_pool(grad, self, 2) }];
}
def Aten__adaptive_avg_pool3d : Op<"aten::_adaptive_avg_pool3d(Tensor self, int[3] output_size) -> Tensor"> {
  let cudaKernel = "cuda::adaptiveAveragePool(3, self, output_size)";
  let quantized = "units";
  let summary = "Averages to a given output size";
  let kernel = "cpu::adaptiveAvgPool3d"; let variants = [Out];
  let shape = "replace_trailing(self, output_size)"; let dtype = "self"; let strides = "dense";
  let derivative = [{ self = backward.adaptive_avg_pool(grad, self, 3) }];
}
def Aten_adaptive_max_pool1d : Op<"aten::adaptive_max_pool1d(Tensor self, int[1] output_size) -> (Tensor, Tensor)"> {
  let cudaKernel = "cuda::adaptiveMaxPool(1, self, output_size)";
  let summary = "Maxima to a given output size and where they were";
  let kernel = "cpu::adaptiveMaxPool1d";
  let shape = "replace_trailing(self, output_size); replace_trailing(self, output_size)"; let dtype = "self; Long"; let strides = "dense";
  let derivative = [{ self = backward.max_pool(grad0, result1, self, 1) }];
}
def Aten_adaptive_max_pool2d : Op<"aten::adaptive_max_pool2d(Tensor self, int[2] output_size) -> (Tensor, Tensor)"> {
  let cudaKernel = "cuda::adaptiveMaxPool(2, self, output_size)";
  let summary = "Maxima to a given output size and where they were";
  let kernel = "cpu::adaptiveMaxPool2d"; let variants = [Out]; let outName = "out"; let outArgs = ["out", "indices"];
  let shape = "replace_trailing(self, output_size); replace_trailing(self, output_size)"; let dtype = "self; Long"; let strides = "dense";
  let derivative = [{ self = backward.max_pool(grad0, result1, self, 2) }];
  let backwardNode = "0";
}
def Aten_adaptive_max_pool3d : Op<"aten::adaptive_max_pool3d(Tensor self, int[3] output_size) -> (Tensor, Tensor)"> {
  let cudaKernel = "cuda::adaptiveMaxPool(3, self, output_size)";
  let summary = "Maxima to a given output size and where they were";
  let kernel = "cpu::adaptiveMaxPool3d"; let variants = [Out]; let outName = "out"; let outArgs = ["out", "indices"];
  let shape = "replace_trailing(self, output_size); replace_trailing(self, output_size)"; let dtype = "self; Long"; let strides = "dense";
  let derivative = [{ self = backward.max_pool(grad0, result1, self, 3) }];
  let backwardNode = "0";
}
def Aten_fractional_max_pool2d : Op<"aten::fractional_max_pool2d(Tensor self, int[2] kernel_size, int[2] output_size, Tensor random_samples) -> (Tensor, Tensor)"> {
  let summary = "Maxima over windows placed by random samples";
  let kernel = "cpu::fractionalMaxPool2d"; let variants = [Out]; let outName = "output"; let outArgs = ["output", "indices"];
  let shape = "replace_trailing(self, output_size); replace_trailing(self, output_size)"; let dtype = "self; Long"; let strides = "dense";
  let derivative = [{ self = backward.max_pool(grad0, result1, self, 2) }];
}
def Aten_fractional_max_pool3d : Op<"aten::fractional_max_pool3d(Tensor self, int[3] kernel_size, int[3] output_size, Tensor random_samples) -> (Tensor, Tensor)"> {
  let summary = "Maxima over windows placed by random samples";
  let kernel = "cpu::fractionalMaxPool3d"; let variants = [Out]; let outName = "output"; let outArgs = ["output", "indices"];
  let shape = "replace_trailing(self, output_size); replace_trailing(self, output_size)"; let dtype = "self; Long"; let strides = "dense";
  let derivative = [{ self = backward.max_pool(grad0, result1, self, 3) }];
}
def Aten_max_unpool2d : Op<"aten::max_unpool2d(Tensor self, Tensor indices, int[2] output_size) -> Tensor"> {
  let summary = "Puts maxima back where they were";
  let kernel = "cpu::maxUnpool2d"; let variants = [Out];
  let shape = "replace_trailing(self, output_size)"; let dtype = "self"; let strides = "dense";
  let derivative = [{ self = backward.unpool(grad, indices, self, 2) }];
}
def Aten_max_unpool3d : Op<"aten::max_unpool3d(Tensor self, Tensor indices, int[3] output_size, int[3] stride, int[3] padding) -> Tensor"> {
  let summary = "Puts maxima back where they were";
  let kernel = "cpu::maxUnpool3d"; let variants = [Out];
  let shape = "replace_trailing(self, output_size)"; let dtype = "self"; let strides = "dense";
  let derivative = [{ self = backward.unpool(grad, indices, self, 3) }];
}

// Upsample.
def Aten_upsample_nearest1d : Op<"aten::upsample_nearest1d(Tensor self, int[1] output_size, float? scales=None) -> Tensor"> {
  let quantized = "keeps";
  let summary = "Resizes by the nearest element";
  let kernel = "cpu::upsampleNearest<cpu::UpsampleMode::Nearest, 1>"; let variants = [Out];
  let shape = "replace_trailing(self, output_size)"; let dtype = "self"; let strides = "dense";
  let derivative = [{ self = backward.upsampled(grad, self, "nearest", False, [scales]) }];
  let backwardNode = "0";
}
def Aten_upsample_nearest1d_vec : Op<"aten::upsample_nearest1d.vec(Tensor input, int[]? output_size, float[]? scale_factors) -> Tensor"> {
  let quantized = "keeps";
  let summary = "Resizes by the nearest element";
  let kernel = "cpu::upsampleNearestVec<cpu::UpsampleMode::Nearest, 1>"; let variants = [Out];
  let shape = "upsample(input, output_size, scale_factors)"; let dtype = "input"; let strides = "dense";
  let derivative = [{ input = backward.upsampled_by(grad, input, "nearest", False, scale_factors) }];
  let backwardNode = "0";
}
def Aten_upsample_nearest2d : Op<"aten::upsample_nearest2d(Tensor self, int[2] output_size, float? scales_h=None, float? scales_w=None) -> Tensor"> {
  let quantized = "keeps";
  let summary = "Resizes by the nearest element";
  let kernel = "cpu::upsampleNearest<cpu::UpsampleMode::Nearest, 2>"; let variants = [Out];
  let shape = "replace_trailing(self, output_size)"; let dtype = "self"; let strides = "dense";
  let derivative = [{ self = backward.upsampled(grad, self, "nearest", False, [scales_h, scales_w]) }];
  let backwardNode = "0";
}
def Aten_upsample_nearest2d_vec : Op<"aten::upsample_nearest2d.vec(Tensor input, int[]? output_size, float[]? scale_factors) -> Tensor"> {
  let quantized = "keeps";
  let summary = "Resizes by the nearest element";
  let kernel = "cpu::upsampleNearestVec<cpu::UpsampleMode::Nearest, 2>"; let variants = [Out];
  let shape = "upsample(input, output_size, scale_factors)"; let dtype = "input"; let strides = "dense";
  let derivative = [{ input = backward.upsampled_by(grad, input, "nearest", False, scale_factors) }];
  let backwardNode = "0";
}
def Aten_upsample_nearest3d : Op<"aten::upsample_nearest3d(Tensor self, int[3] output_size, float? scales_d=None, float? scales_h=None, float? scales_w=None) -> Tensor"> {
  let quantized = "keeps";
  let summary = "Resizes by the nearest element";
  let kernel = "cpu::upsampleNearest<cpu::UpsampleMode::Nearest, 3>"; let variants = [Out];
  let shape = "replace_trailing(self, output_size)"; let dtype = "self"; let strides = "dense";
  let derivative = [{ self = backward.upsampled(grad, self, "nearest", False, [scales_d, scales_h, scales_w]) }];
  let backwardNode = "0";
}
def Aten_upsample_nearest3d_vec : Op<"aten::upsample_nearest3d.vec(Tensor input, int[]? output_size, float[]? scale_factors) -> Tensor"> {
  let quantized = "keeps";
  let summary = "Resizes by the nearest element";
  let kernel = "cpu::upsampleNearestVec<cpu::UpsampleMode::Nearest, 3>"; let variants = [Out];
  let shape = "upsample(input, output_size, scale_factors)"; let dtype = "input"; let strides = "dense";
  let derivative = [{ input = backward.upsampled_by(grad, input, "nearest", False, scale_factors) }];
  let backwardNode = "0";
}
def Aten__upsample_nearest_exact1d : Op<"aten::_upsample_nearest_exact1d(Tensor self, int[1] output_size, float? scales=None) -> Tensor"> {
  let quantized = "keeps";
  let summary = "Resizes by the nearest element, as images are";
  let kernel = "cpu::upsampleNearest<cpu::UpsampleMode::NearestExact, 1>"; let variants = [Out];
  let shape = "replace_trailing(self, output_size)"; let dtype = "self"; let strides = "dense";
  let derivative = [{ self = backward.upsampled(grad, self, "nearest-exact", False, [scales]) }];
}
def Aten__upsample_nearest_exact1d_vec : Op<"aten::_upsample_nearest_exact1d.vec(Tensor input, int[]? output_size, float[]? scale_factors) -> Tensor"> {
  let quantized = "keeps";
  let summary = "Resizes by the nearest element, as images are";
  let kernel = "cpu::upsampleNearestVec<cpu::UpsampleMode::NearestExact, 1>"; let variants = [Out];
  let shape = "upsample(input, output_size, scale_factors)"; let dtype = "input"; let strides = "dense";
  let derivative = [{ input = backward.upsampled_by(grad, input, "nearest-exact", False, scale_factors) }];
}
def Aten__upsample_nearest_exact2d : Op<"aten::_upsample_nearest_exact2d(Tensor self, int[2] output_size, float? scales_h=None, float? scales_w=None) -> Tensor"> {
  let quantized = "keeps";
  let summary = "Resizes by the nearest element, as images are";
  let kernel = "cpu::upsampleNearest<cpu::UpsampleMode::NearestExact, 2>"; let variants = [Out];
  let shape = "replace_trailing(self, output_size)"; let dtype = "self"; let strides = "dense";
  let derivative = [{ self = backward.upsampled(grad, self, "nearest-exact", False, [scales_h, scales_w]) }];
}
def Aten__upsample_nearest_exact2d_vec : Op<"aten::_upsample_nearest_exact2d.vec(Tensor input, int[]? output_size, float[]? scale_factors) -> Tensor"> {
  let quantized = "keeps";
  let summary = "Resizes by the nearest element, as images are";
  let kernel = "cpu::upsampleNearestVec<cpu::UpsampleMode::NearestExact, 2>"; let variants = [Out];
  let shape = "upsample(input, output_size, scale_factors)"; let dtype = "input"; let strides = "dense";
  let derivative = [{ input = backward.upsampled_by(grad, input, "nearest-exact", False, scale_factors) }];
}
def Aten__upsample_nearest_exact3d : Op<"aten::_upsample_nearest_exact3d(Tensor self, int[3] output_size, float? scales_d=None, float? scales_h=None, float? scales_w=None) -> Tensor"> {
  let quantized = "keeps";
  let summary = "Resizes by the nearest element, as images are";
  let kernel = "cpu::upsampleNearest<cpu::UpsampleMode::NearestExact, 3>"; let variants = [Out];
  let shape = "replace_trailing(self, output_size)"; let dtype = "self"; let strides = "dense";
  let derivative = [{ self = backward.upsampled(grad, self, "nearest-exact", False, [scales_d, scales_h, scales_w]) }];
}
def Aten__upsample_nearest_exact3d_vec : Op<"aten::_upsample_nearest_exact3d.vec(Tensor input, int[]? output_size, float[]? scale_factors) -> Tensor"> {
  let quantized = "keeps";
  let summary = "Resizes by the nearest element, as images are";
  let kernel = "cpu::upsampleNearestVec<cpu::UpsampleMode::NearestExact, 3>"; let variants = [Out];
  let shape = "upsample(input, output_size, scale_factors)"; let dtype = "input"; let strides = "dense";
  let derivative = [{ input = backward.upsampled_by(grad, input, "nearest-exact", False, scale_factors) }];
}
def Aten_upsample_linear1d : Op<"aten::upsample_linear1d(Tensor self, int[1] output_size, bool align_corners, float? scales=None) -> Tensor"> {
  let quantized = "integers";
  let summary = "Resizes by linear interpolation";
  let kernel = "cpu::upsample<cpu::UpsampleMode::Linear, 1>"; let variants = [Out];
  let shape = "replace_trailing(self, output_size)"; let dtype = "self"; let strides = "dense";
  let derivative = [{ self = backward.upsampled(grad, self, "linear", align_corners, [scales]) }];
  let backwardNode = "0";
}
def Aten_upsample_linear1d_vec : Op<"aten::upsample_linear1d.vec(Tensor input, int[]? output_size, bool align_corners, float[]? scale_factors) -> Tensor"> {
  let quantized = "integers";
  let summary = "Resizes by linear interpolation";
  let kernel = "cpu::upsampleVec<cpu::UpsampleMode::Linear, 1>"; let variants = [Out];
  let shape = "upsample(input, output_size, scale_factors)"; let dtype = "input"; let strides = "dense";
  let derivative = [{ input = backward.upsampled_by(grad, input, "linear", align_corners, scale_factors) }];
  let backwardNode = "0";
}
def Aten_upsample_bilinear2d : Op<"aten::upsample_bilinear2d(Tensor self, int[2] output_size, bool align_corners, float? scales_h=None, float? scales_w=None) -> Tensor"> {
  let quantized = "integers";
  let summary = "Resizes by bilinear interpolation";
  let kernel = "cpu::upsample<cpu::UpsampleMode::Linear, 2>"; let variants = [Out];
  let shape = "replace_trailing(self, output_size)"; let dtype = "self"; let strides = "dense";
  let derivative = [{ self = backward.upsampled(grad, self, "linear", align_corners, [scales_h, scales_w]) }];
  let backwardNode = "0";
}
def Aten_upsample_bilinear2d_vec : Op<"aten::upsample_bilinear2d.vec(Tensor input, int[]? output_size, bool align_corners, float[]? scale_factors) -> Tensor"> {
  let quantized = "integers";
  let summary = "Resizes by bilinear interpolation";
  let kernel = "cpu::upsampleVec<cpu::UpsampleMode::Linear, 2>"; let variants = [Out];
  let shape = "upsample(input, output_size, scale_factors)"; let dtype = "input"; let strides = "dense";
  let derivative = [{ input = backward.upsampled_by(grad, input, "linear", align_corners, scale_factors) }];
  let backwardNode = "0";
}
def Aten_upsample_trilinear3d : Op<"aten::upsample_trilinear3d(Tensor self, int[3] output_size, bool align_corners, float? scales_d=None, float? scales_h=None, float? scales_w=None) -> Tensor"> {
  let quantized = "integers";
  let summary = "Resizes by trilinear interpolation";
  let kernel = "cpu::upsample<cpu::UpsampleMode::Linear, 3>"; let variants = [Out];
  let shape = "replace_trailing(self, output_size)"; let dtype = "self"; let strides = "dense";
  let derivative = [{ self = backward.upsampled(grad, self, "linear", align_corners, [scales_d, scales_h, scales_w]) }];
  let backwardNode = "0";
}
def Aten_upsample_trilinear3d_vec : Op<"aten::upsample_trilinear3d.vec(Tensor input, int[]? output_size, bool align_corners, float[]? scale_factors) -> Tensor"> {
  let quantized = "integers";
  let summary = "Resizes by trilinear interpolation";
  let kernel = "cpu::upsampleVec<cpu::UpsampleMode::Linear, 3>"; let variants = [Out];
  let shape = "upsample(input, output_size, scale_factors)"; let dtype = "input"; let strides = "dense";
  let derivative = [{ input = backward.upsampled_by(grad, input, "linear", align_corners, scale_factors) }];
  let backwardNode = "0";
}
def Aten_upsample_bicubic2d : Op<"aten::upsample_bicubic2d(Tensor self, int[2] output_size, bool align_corners, float? scales_h=None, float? scales_w=None) -> Tensor"> {
  let quantized = "keeps";
  let summary = "Resizes by bicubic interpolation";
  let kernel = "cpu::upsample<cpu::UpsampleMode::Cubic, 2>"; let variants = [Out];
  let shape = "replace_trailing(self, output_size)"; let dtype = "self"; let strides = "dense";
  let derivative = [{ self = backward.upsampled(grad, self, "cubic", align_corners, [scales_h, scales_w]) }];
  let backwardNode = "0";
}
def Aten_upsample_bicubic2d_vec : Op<"aten::upsample_bicubic2d.vec(Tensor input, int[]? output_size, bool align_corners, float[]? scale_factors) -> Tensor"> {
  let quantized = "keeps";
  let summary = "Resizes by bicubic interpolation";
  let kernel = "cpu::upsampleVec<cpu::UpsampleMode::Cubic, 2>"; let variants = [Out];
  let shape = "upsample(input, output_size, scale_factors)"; let dtype = "input"; let strides = "dense";
  let derivative = [{ input = backward.upsampled_by(grad, input, "cubic", align_corners, scale_factors) }];
  let backwardNode = "0";
}
def Aten__upsample_bilinear2d_aa : Op<"aten::_upsample_bilinear2d_aa(Tensor self, int[2] output_size, bool align_corners, float? scales_h=None, float? scales_w=None) -> Tensor"> {
  let summary = "Resizes by bilinear interpolation with antialiasing";
  let kernel = "cpu::upsample<cpu::UpsampleMode::LinearAA, 2>"; let variants = [Out];
  let shape = "replace_trailing(self, output_size)"; let dtype = "self"; let strides = "dense";
  let derivative = [{ self = backward.upsampled(grad, self, "linear-aa", align_corners, [scales_h, scales_w]) }];
}
def Aten__upsample_bilinear2d_aa_vec : Op<"aten::_upsample_bilinear2d_aa.vec(Tensor input, int[]? output_size, bool align_corners, float[]? scale_factors) -> Tensor"> {
  let summary = "Resizes by bilinear interpolation with antialiasing";
  let kernel = "cpu::upsampleVec<cpu::UpsampleMode::LinearAA, 2>"; let variants = [Out];
  let shape = "upsample(input, output_size, scale_factors)"; let dtype = "input"; let strides = "dense";
  let derivative = [{ input = backward.upsampled_by(grad, input, "linear-aa", align_corners, scale_factors) }];
}
def Aten__upsample_bicubic2d_aa : Op<"aten::_upsample_bicubic2d_aa(Tensor self, int[2] output_size, bool align_corners, float? scales_h=None, float? scales_w=None) -> Tensor"> {
  let summary = "Resizes by bicubic interpolation with antialiasing";
  let kernel = "cpu::upsample<cpu::UpsampleMode::CubicAA, 2>"; let variants = [Out];
  let shape = "replace_trailing(self, output_size)"; let dtype = "self"; let strides = "dense";
  let derivative = [{ self = backward.upsampled(grad, self, "cubic-aa", align_corners, [scales_h, scales_w]) }];
}
def Aten__upsample_bicubic2d_aa_vec : Op<"aten::_upsample_bicubic2d_aa.vec(Tensor input, int[]? output_size, bool align_corners, float[]? scale_factors) -> Tensor"> {
  let summary = "Resizes by bicubic interpolation with antialiasing";
  let kernel = "cpu::upsampleVec<cpu::UpsampleMode::CubicAA, 2>"; let variants = [Out];
  let shape = "upsample(input, output_size, scale_factors)"; let dtype = "input"; let strides = "dense";
  let derivative = [{ input = backward.upsampled_by(grad, input, "cubic-aa", align_corners, scale_factors) }];
}
def Aten__upsample_lanczos2d_aa : Op<"aten::_upsample_lanczos2d_aa(Tensor self, int[2] output_size, bool align_corners, float? scales_h=None, float? scales_w=None) -> Tensor"> {
  let summary = "Resizes by Lanczos' filter of three lobes, with antialiasing";
  let kernel = "cpu::upsample<cpu::UpsampleMode::LanczosAA, 2>"; let variants = [Out];
  let shape = "replace_trailing(self, output_size)"; let dtype = "self"; let strides = "dense";
  let derivative = [{ self = backward.upsampled(grad, self, "lanczos-aa", align_corners, [scales_h, scales_w]) }];
}
def Aten__upsample_lanczos2d_aa_vec : Op<"aten::_upsample_lanczos2d_aa.vec(Tensor input, int[]? output_size, bool align_corners, float[]? scale_factors) -> Tensor"> {
  let summary = "Resizes by Lanczos' filter of three lobes, with antialiasing";
  let kernel = "cpu::upsampleVec<cpu::UpsampleMode::LanczosAA, 2>"; let variants = [Out];
  let shape = "upsample(input, output_size, scale_factors)"; let dtype = "input"; let strides = "dense";
  let derivative = [{ input = backward.upsampled_by(grad, input, "lanczos-aa", align_corners, scale_factors) }];
}
def Aten_grid_sampler : Op<"aten::grid_sampler(Tensor input, Tensor grid, int interpolation_mode, int padding_mode, bool align_corners) -> Tensor"> {
  let summary = "Samples at the points of a grid";
  let kernel = "cpu::gridSampler";
  let shape = "grid_sampler(input, grid)"; let dtype = "input";
  let derivative = [{ input = backward.grid_input(grad, input, grid, interpolation_mode, padding_mode, align_corners)
                      grid  = backward.grid_points(grad, input, grid, interpolation_mode, padding_mode, align_corners) }];
}
def Aten_grid_sampler_2d : Op<"aten::grid_sampler_2d(Tensor input, Tensor grid, int interpolation_mode, int padding_mode, bool align_corners) -> Tensor"> {
  let summary = "Samples at the points of a grid";
  let kernel = "cpu::gridSampler2d"; let variants = [Out];
  let shape = "grid_sampler(input, grid)"; let dtype = "input";
  let derivative = [{ input = backward.grid_input(grad, input, grid, interpolation_mode, padding_mode, align_corners)
                      grid  = backward.grid_points(grad, input, grid, interpolation_mode, padding_mode, align_corners) }];
  let backwardNode = "0";
}
def Aten_grid_sampler_3d : Op<"aten::grid_sampler_3d(Tensor input, Tensor grid, int interpolation_mode, int padding_mode, bool align_corners) -> Tensor"> {
  let summary = "Samples at the points of a grid";
  let kernel = "cpu::gridSampler3d"; let variants = [Out];
  let shape = "grid_sampler(input, grid)"; let dtype = "input";
  let derivative = [{ input = backward.grid_input(grad, input, grid, interpolation_mode, padding_mode, align_corners)
                      grid  = backward.grid_points(grad, input, grid, interpolation_mode, padding_mode, align_corners) }];
  let backwardNode = "0";
}
def Aten__grid_sampler_2d_cpu_fallback : Op<"aten::_grid_sampler_2d_cpu_fallback(Tensor input, Tensor grid, int interpolation_mode, int padding_mode, bool align_corners) -> Tensor"> {
  let summary = "Samples at the points of a grid";
  let kernel = "cpu::gridSampler2d"; let variants = [Out];
  let shape = "grid_sampler(input, grid)"; let dtype = "input";
  let derivative = [{ input = backward.grid_input(grad, input, grid, interpolation_mode, padding_mode, align_corners)
                      grid  = backward.grid_points(grad, input, grid, interpolation_mode, padding_mode, align_corners) }];
}
def Aten_affine_grid_generator : Op<"aten::affine_grid_generator(Tensor theta, int[] size, bool align_corners) -> Tensor"> {
  let summary = "Sampling grid of affine transforms";
  let kernel = "cpu::affineGridGenerator"; let variants = [Out];
  let shape = "affine_grid(theta, size)"; let dtype = "theta";
  let derivative = [{ theta = backward.affine_grid(grad, theta, size, align_corners) }];
}
def Aten_im2col : Op<"aten::im2col(Tensor self, int[2] kernel_size, int[2] dilation, int[2] padding, int[2] stride) -> Tensor"> {
  let summary = "Sliding windows as columns";
  let kernel = "cpu::im2col"; let variants = [Out];
  let shape = "im2col(self, kernel_size, dilation, padding, stride)"; let dtype = "self";
  let derivative = [{ self = backward.columns(grad, self.size()[-2:], kernel_size, dilation, padding, stride) }];
}
def Aten_col2im : Op<"aten::col2im(Tensor self, int[2] output_size, int[2] kernel_size, int[2] dilation, int[2] padding, int[2] stride) -> Tensor"> {
  let summary = "Sums columns back into an image";
  let kernel = "cpu::col2im"; let variants = [Out];
  let shape = "col2im(self, output_size, kernel_size)"; let dtype = "self";
  let derivative = [{ self = backward.windows(grad, self, kernel_size, dilation, padding, stride) }];
}

// Normalization.
def Aten__weight_norm : Op<"aten::_weight_norm(Tensor v, Tensor g, int dim=0) -> Tensor"> {
  let summary = "g * v / norm(v)";
  let kernel = "cpu::weightNorm";
  let shape = "broadcast"; let strides = "dense";
  let derivative = [{ v = backward.weight_norm(grad, v, g, dim)
                      g = backward.weight_norm_scale(grad, v, dim) }];
}
def Aten__weight_norm_interface : Op<"aten::_weight_norm_interface(Tensor v, Tensor g, int dim=0) -> (Tensor, Tensor)"> {
  let summary = "g * v / norm(v), with the norms";
  let kernel = "cpu::weightNormInterface"; let variants = [Out]; let outName = "out"; let outArgs = ["out0", "out1"];
  let derivative = [{ v = backward.weight_norm(grad0, v, g, dim)
                      g = backward.weight_norm_scale(grad0, v, dim) }];
}

// Loss.
// The end of a loss's definition.
defvar reduced = [{
    if reduction == 1:
        loss = torch.mean(loss)
    elif reduction == 2:
        loss = torch.sum(loss)
    return loss
  }];
def Aten_mse_loss : Op<"aten::mse_loss(Tensor self, Tensor target, int reduction=1) -> Tensor"> {
  let traits = [Broadcasts];
  let summary = "Squared error";
  let kernel = "cpu::mseLoss"; let variants = [Out];
  let shape = "loss(self, target, reduction)"; let dtype = "promote"; let strides = "dense";
  let decomposition = !strconcat([{
def mse_loss(self: Tensor, target: Tensor, reduction: int) -> Tensor:
    difference = self - target
    loss = difference * difference}], reduced);
  let backwardNode = "0";
}
def Aten_l1_loss : Op<"aten::l1_loss(Tensor self, Tensor target, int reduction=1) -> Tensor"> {
  let traits = [Broadcasts];
  let summary = "Absolute error";
  let kernel = "cpu::l1Loss";
  let shape = "loss(self, target, reduction)"; let dtype = "real_not_int"; let strides = "dense";
  let decomposition = !strconcat([{
def l1_loss(self: Tensor, target: Tensor, reduction: int) -> Tensor:
    loss = torch.abs(self - target)}], reduced);
}
def Aten_smooth_l1_loss : Op<"aten::smooth_l1_loss(Tensor self, Tensor target, int reduction=1, float beta=1.) -> Tensor"> {
  let traits = [Broadcasts];
  let summary = "Absolute error, quadratic near zero";
  let kernel = "cpu::smoothL1Loss"; let variants = [Out];
  let shape = "loss(self, target, reduction)"; let dtype = "promote"; let strides = "dense";
  let decomposition = !strconcat([{
def smooth_l1_loss(self: Tensor, target: Tensor, reduction: int, beta: float) -> Tensor:
    if beta < 0:
        raise RuntimeError("smooth_l1_loss does not support negative values for beta.")
    difference = self - target
    size = torch.abs(difference)
    if beta == 0:
        loss = size
    else:
        is_far = size >= beta
        near = torch.where(is_far, 0., difference)  # an infinite one would make its gradient NaN
        loss = torch.where(is_far, size - 0.5 * beta, near * 0.5 * near / beta)}], reduced);
  let backwardNode = "0";
}
def Aten_huber_loss : Op<"aten::huber_loss(Tensor self, Tensor target, int reduction=1, float delta=1.) -> Tensor"> {
  let traits = [Broadcasts];
  let summary = "Absolute error, quadratic below delta";
  let kernel = "cpu::huberLoss"; let variants = [Out];
  let shape = "loss(self, target, reduction)"; let dtype = "self"; let strides = "dense";
  let decomposition = !strconcat([{
def huber_loss(self: Tensor, target: Tensor, reduction: int, delta: float) -> Tensor:
    if delta <= 0:
        raise RuntimeError("huber_loss does not support non-positive values for delta.")
    if not self.is_floating_point():
        raise RuntimeError("huber_loss takes floating-point numbers")
    difference = self - target
    size = torch.abs(difference)
    is_far = size >= delta
    near = torch.where(is_far, 0., difference)  # an infinite one would make its gradient NaN
    loss = torch.where(is_far, (size - 0.5 * delta) * delta, near * 0.5 * near).type_as(self)}], reduced);
  let backwardNode = "0";
}
def Aten_nll_loss : Op<"aten::nll_loss(Tensor self, Tensor target, Tensor? weight=None, int reduction=1, int ignore_index=-100) -> Tensor"> {
  let summary = "Negative log likelihood";
  let kernel = "cpu::nllLoss"; let variants = [Out];
  let shape = "nll_loss(self, target, reduction)"; let dtype = "self"; let strides = "dense";
  let derivative = [{ self = backward.nll(grad, self, target, weight, reduction, ignore_index) }];
  let backwardNode = "0";
}
def Aten_nll_loss2d : Op<"aten::nll_loss2d(Tensor self, Tensor target, Tensor? weight=None, int reduction=1, int ignore_index=-100) -> Tensor"> {
  let summary = "Negative log likelihood of each pixel";
  let kernel = "cpu::nllLoss2d"; let variants = [Out];
  let shape = "nll_loss(self, target, reduction)"; let dtype = "self"; let strides = "dense";
  let derivative = [{ self = backward.nll(grad, self, target, weight, reduction, ignore_index) }];
  let backwardNode = "0";
}
def Aten_nll_loss_nd : Op<"aten::nll_loss_nd(Tensor self, Tensor target, Tensor? weight=None, int reduction=1, int ignore_index=-100) -> Tensor"> {
  let summary = "Negative log likelihood";
  let kernel = "cpu::nllLossNd";
  let shape = "nll_loss(self, target, reduction)"; let dtype = "self"; let strides = "dense";
  let derivative = [{ self = backward.nll(grad, self, target, weight, reduction, ignore_index) }];
  let backwardNode = "negativeLogLikelihood";
}
def Aten_nll_loss_forward : Op<"aten::nll_loss_forward(Tensor self, Tensor target, Tensor? weight, int reduction, int ignore_index) -> (Tensor output, Tensor total_weight)"> {
  let summary = "nll_loss and the total weight";
  let kernel = "cpu::nllLossForward"; let variants = [Out]; let outName = "output"; let outArgs = ["output", "total_weight"];
  let shape = "nll_loss(self, target, reduction); scalar()"; let dtype = "self; self"; let strides = "dense";
  let derivative = [{ self = backward.nll(grad_output, self, target, weight, reduction, ignore_index) }];
}
def Aten_nll_loss2d_forward : Op<"aten::nll_loss2d_forward(Tensor self, Tensor target, Tensor? weight, int reduction, int ignore_index) -> (Tensor output, Tensor total_weight)"> {
  let summary = "nll_loss2d and the total weight";
  let kernel = "cpu::nllLoss2dForward"; let variants = [Out]; let outName = "output"; let outArgs = ["output", "total_weight"];
  let shape = "nll_loss(self, target, reduction); scalar()"; let dtype = "self; self"; let strides = "dense";
  let derivative = [{ self = backward.nll(grad_output, self, target, weight, reduction, ignore_index) }];
}
def Aten_cross_entropy_loss : Op<"aten::cross_entropy_loss(Tensor self, Tensor target, Tensor? weight=None, int reduction=1, int ignore_index=-100, float label_smoothing=0.) -> Tensor"> {
  let summary = "Negative log likelihood of log_softmax";
  let kernel = "cpu::crossEntropyLoss";
  let shape = "cross_entropy(self, target, reduction)"; let dtype = "self"; let strides = "dense";
  let derivative = [{ self   = backward.cross_entropy(grad, self, target, weight, reduction, ignore_index, label_smoothing)
                      target = backward.cross_entropy_target(grad, self, target, weight, reduction, label_smoothing) }];
  let backwardNode = "crossEntropy";
}
def Aten_binary_cross_entropy : Op<"aten::binary_cross_entropy(Tensor self, Tensor target, Tensor? weight=None, int reduction=1) -> Tensor"> {
  let summary = "Cross entropy of probabilities";
  let kernel = "cpu::binaryCrossEntropy"; let variants = [Out];
  let shape = "weighted_loss(self, target, weight, None, reduction)"; let dtype = "self"; let strides = "dense";
  let derivative = [{ self   = backward.of_loss(grad, (self - target) / clamp((1 - self) * self, min=1e-12), weight, reduction)
                      target = backward.of_loss(grad, (clamp(log(1 - self), min=-100) - clamp(log(self), min=-100)).expand(_infer_size(self.size(), target.size())), weight, reduction) }];
  let backwardNode = "0";
}
def Aten_binary_cross_entropy_with_logits : Op<"aten::binary_cross_entropy_with_logits(Tensor self, Tensor target, Tensor? weight=None, Tensor? pos_weight=None, int reduction=1) -> Tensor"> {
  let summary = "Cross entropy of logits";
  let kernel = "cpu::binaryCrossEntropyWithLogits"; let variants = [Out];
  let shape = "weighted_loss(self, target, weight, pos_weight, reduction)"; let strides = "dense";
  let decomposition = !strconcat([{
def binary_cross_entropy_with_logits(self: Tensor, target: Tensor, weight: Optional[Tensor],
                                     pos_weight: Optional[Tensor], reduction: int) -> Tensor:
    logistic = torch.log_sigmoid(self)
    if pos_weight is not None:
        logistic = ((pos_weight.type_as(self) - 1.0) * target + 1.0) * logistic
    linear = (1.0 - target) * self if target.is_floating_point() else (1 - target).mul_(self)
    loss = linear - logistic
    if weight is not None:
        loss = loss * weight.type_as(loss)
    loss = loss.type_as(target)}], reduced);
  let backwardNode = "0";
}
def Aten_kl_div : Op<"aten::kl_div(Tensor self, Tensor target, int reduction=1, *, bool log_target=False) -> Tensor"> {
  let summary = "Kullback-Leibler divergence";
  let kernel = "cpu::klDiv";
  let shape = "loss(self, target, reduction)"; let dtype = "promote"; let strides = "dense";
  let decomposition = !strconcat([{
def kl_div(self: Tensor, target: Tensor, reduction: int, log_target: bool) -> Tensor:
    if log_target:
        loss = torch.exp(target) * (target - self)
    else:
        loss = torch.xlogy(target, target) - target * self}], reduced);
}
def Aten_poisson_nll_loss : Op<"aten::poisson_nll_loss(Tensor input, Tensor target, bool log_input, bool full, float eps, int reduction) -> Tensor"> {
  let summary = "Negative log likelihood of a Poisson distribution";
  let kernel = "cpu::poissonNllLoss";
  let shape = "loss(input, target, reduction)"; let strides = "dense";
  let derivative = [{ input  = backward.of_loss(grad, exp(input) - target if log_input else 1 - target / (input + eps), None, reduction)
                      target = backward.of_loss(grad, backward.poisson_target(input, target, log_input, full, eps), None, reduction) }];
}
def Aten_cosine_embedding_loss : Op<"aten::cosine_embedding_loss(Tensor input1, Tensor input2, Tensor target, float margin=0., int reduction=1) -> Tensor"> {
  let summary = "Loss of the angle between two inputs";
  let kernel = "cpu::cosineEmbeddingLoss";
  let derivative = [{ input1 = backward.cosine_embedding(grad, input1, input2, target, margin, reduction)
                      input2 = backward.cosine_embedding(grad, input2, input1, target, margin, reduction)
                      target = None }];
}
def Aten_hinge_embedding_loss : Op<"aten::hinge_embedding_loss(Tensor self, Tensor target, float margin=1., int reduction=1) -> Tensor"> {
  let summary = "Hinge loss of a distance";
  let kernel = "cpu::hingeEmbeddingLoss";
  let shape = "loss(self, target, reduction)";
  let derivative = [{ self   = backward.of_loss(grad, (target != -1).type_as(grad) - ((target != 1) & (self < margin)).type_as(grad), None, reduction) 
                      target = None }];
}
def Aten_margin_ranking_loss : Op<"aten::margin_ranking_loss(Tensor input1, Tensor input2, Tensor target, float margin=0., int reduction=1) -> Tensor"> {
  let summary = "Loss of a ranking";
  let kernel = "cpu::marginRankingLoss";
  let derivative = [{ active = (margin - target * (input1 - input2) > 0).type_as(grad)
                      input1 = backward.of_loss(grad, -target * active, None, reduction)
                      input2 = backward.of_loss(grad, target * active, None, reduction)
                      target = backward.of_loss(grad, (input2 - input1) * active, None, reduction) }];
}
def Aten_multi_margin_loss : Op<"aten::multi_margin_loss(Tensor self, Tensor target, Scalar p=1, Scalar margin=1, Tensor? weight=None, int reduction=1) -> Tensor"> {
  let summary = "Multi-class hinge loss";
  let kernel = "cpu::multiMarginLoss"; let variants = [Out];
  let shape = "nll_loss(self, target, reduction)"; let dtype = "self"; let strides = "dense";
  let derivative = [{ self = backward.multi_margin(grad, self, target, p, margin, weight, reduction) }];
}
def Aten_multilabel_margin_loss : Op<"aten::multilabel_margin_loss(Tensor self, Tensor target, int reduction=1) -> Tensor"> {
  let summary = "Multi-class multi-label hinge loss";
  let kernel = "cpu::multilabelMarginLoss"; let variants = [Out];
  let shape = "multilabel_loss(self, reduction)"; let dtype = "self"; let strides = "dense";
  let derivative = [{ self = backward.multilabel_margin(grad, self, target, reduction) }];
}
def Aten_multilabel_margin_loss_forward : Op<"aten::multilabel_margin_loss_forward(Tensor self, Tensor target, int reduction) -> (Tensor output, Tensor is_target)"> {
  let summary = "multilabel_margin_loss and the targets as a mask";
  let kernel = "cpu::multilabelMarginLossForward"; let variants = [Out]; let outName = "output"; let outArgs = ["output", "is_target"];
  let derivative = [{ self = backward.multilabel_margin(grad_output, self, target, reduction) }];
}
def Aten_soft_margin_loss : Op<"aten::soft_margin_loss(Tensor self, Tensor target, int reduction=1) -> Tensor"> {
  let summary = "log(1 + exp(-target * self))";
  let kernel = "cpu::softMarginLoss"; let variants = [Out];
  let shape = "loss(self, target, reduction)"; let strides = "dense";
  let decomposition = !strconcat([{
def soft_margin_loss(self: Tensor, target: Tensor, reduction: int) -> Tensor:
    loss = torch.log1p(torch.exp(-self * target))}], reduced);
  let backwardNode = "0";
}
def Aten_triplet_margin_loss : Op<"aten::triplet_margin_loss(Tensor anchor, Tensor positive, Tensor negative, float margin=1., float p=2., float eps=9.9999999999999995e-07, bool swap=False, int reduction=1) -> Tensor"> {
  let summary = "Loss of the distances to a positive and a negative example";
  let kernel = "cpu::tripletMarginLoss";
  let derivative = [{ all      = backward.triplet(grad, anchor, positive, negative, margin, p, eps, swap, reduction)
                      anchor   = all[0]
                      positive = all[1]
                      negative = all[2] }];
}
def Aten_ctc_loss_IntList : Op<"aten::ctc_loss.IntList(Tensor log_probs, Tensor targets, int[] input_lengths, int[] target_lengths, int blank=0, int reduction=1, bool zero_infinity=False) -> Tensor"> {
  let summary = "Connectionist temporal classification";
  let kernel = "cpu::ctcLossIntList";
  let shape = "ctc_loss(log_probs, reduction)"; let dtype = "log_probs";
  let derivative = [{ log_probs = backward.ctc_loss(grad, log_probs, targets, input_lengths, target_lengths, blank, reduction, zero_infinity) }];
}
def Aten_ctc_loss_Tensor : Op<"aten::ctc_loss.Tensor(Tensor log_probs, Tensor targets, Tensor input_lengths, Tensor target_lengths, int blank=0, int reduction=1, bool zero_infinity=False) -> Tensor"> {
  let summary = "Connectionist temporal classification";
  let kernel = "cpu::ctcLossTensor";
  let shape = "ctc_loss(log_probs, reduction)"; let dtype = "log_probs";
  let derivative = [{ log_probs = backward.ctc_loss(grad, log_probs, targets, _tensor_to_list(input_lengths.to(torch.long)), _tensor_to_list(target_lengths.to(torch.long)), blank, reduction, zero_infinity) }];
}
def Aten__ctc_loss : Op<"aten::_ctc_loss(Tensor log_probs, Tensor targets, int[] input_lengths, int[] target_lengths, int blank=0, bool zero_infinity=False) -> (Tensor, Tensor)"> {
  let summary = "Connectionist temporal classification, with the log alphas";
  let kernel = "cpu::ctcLossForward"; let variants = [Out]; let outName = "out"; let outArgs = ["out0", "out1"];
  let derivative = [{ log_probs = backward.ctc(grad0, log_probs, targets, input_lengths, target_lengths, blank, zero_infinity) }];
}
def Aten__ctc_loss_Tensor : Op<"aten::_ctc_loss.Tensor(Tensor log_probs, Tensor targets, Tensor input_lengths, Tensor target_lengths, int blank=0, bool zero_infinity=False) -> (Tensor, Tensor)"> {
  let summary = "Connectionist temporal classification, with the log alphas";
  let kernel = "cpu::ctcLossForwardTensor";
  let derivative = [{ log_probs = backward.ctc(grad0, log_probs, targets, _tensor_to_list(input_lengths.to(torch.long)), _tensor_to_list(target_lengths.to(torch.long)), blank, zero_infinity) }];
}

// Recurrent. What a layer is made of is differentiated; a kernel computes it otherwise where nobody asks.
defvar recurrentDefinition = [{
def step(kind: str, x: Tensor, h: Tensor, c: Tensor, weight: Tensor, bias: Optional[Tensor]) -> Tuple[Tensor, Tensor]:
    g = torch.linear(h, weight, bias)
    if kind == "lstm":
        i, f, n, o = (x + g).chunk(4, -1)
        c = torch.sigmoid(f) * c + torch.sigmoid(i) * torch.tanh(n)
        return torch.sigmoid(o) * torch.tanh(c), c
    if kind == "gru":
        xr, xz, xn = x.chunk(3, -1)
        gr, gz, gn = g.chunk(3, -1)
        n = torch.tanh(xn + torch.sigmoid(xr + gr) * gn)
        return (h - n) * torch.sigmoid(xz + gz) + n, c
    return torch.tanh(x + g) if kind == "tanh" else torch.relu(x + g), c

def recurrent(kind: str, rows: Tensor, sizes: List[int], hx: Tensor, cx: Tensor, params: List[Tensor], biases: bool,
              layers: int, dropout: float, train: bool, bidirectional: bool) -> Tuple[Tensor, Tensor, Tensor]:
    directions = 2 if bidirectional else 1
    projects = kind == "lstm" and hx.size(2) != cx.size(2)
    each = 2 + (2 if biases else 0) + (1 if projects else 0)
    assert len(params) == each * layers * directions, "got an incorrect number of RNN parameters"
    hs: List[Tensor] = []
    cs: List[Tensor] = []
    for layer in range(layers):
        both: List[Tensor] = []
        for direction in range(directions):
            cell = layer * directions + direction
            own = params[cell * each:(cell + 1) * each]
            bias: Optional[Tensor] = None
            hidden_bias: Optional[Tensor] = None
            if biases:
                bias = own[2]
                hidden_bias = own[3]
            gates = torch.linear(rows, own[0], bias).split(sizes, 0)
            h, c = hx[cell], cx[cell]
            outs: List[Tensor] = []
            for i in range(len(sizes)):
                t = len(sizes) - 1 - i if direction == 1 else i
                n = sizes[t]
                new_h, new_c = step(kind, gates[t], h[:n], c[:n], own[1], hidden_bias)
                if projects:
                    new_h = torch.linear(new_h, own[each - 1])
                outs.append(new_h)
                h = torch.cat([new_h, h[n:]]) if n < h.size(0) else new_h
                c = torch.cat([new_c, c[n:]]) if n < c.size(0) else new_c
            if direction == 1:
                outs.reverse()
            both.append(torch.cat(outs))
            hs.append(h)
            cs.append(c)
        rows = torch.cat(both, 1) if bidirectional else both[0]
        if dropout != 0. and train and layer + 1 != layers:
            rows = torch.dropout(rows, dropout, True)
    return rows, torch.stack(hs), torch.stack(cs)

def padded(kind: str, input: Tensor, hx: Tensor, cx: Tensor, params: List[Tensor], biases: bool, layers: int,
           dropout: float, train: bool, bidirectional: bool, batch_first: bool) -> Tuple[Tensor, Tensor, Tensor]:
    x = input.transpose(0, 1) if batch_first else input
    steps, batch = x.size(0), x.size(1)
    rows, h, c = recurrent(kind, x.reshape(steps * batch, x.size(2)), [batch] * steps, hx, cx, params, biases, layers,
                           dropout, train, bidirectional)
    out = rows.view(steps, batch, rows.size(1))
    return out.transpose(0, 1) if batch_first else out, h, c

def packed(kind: str, data: Tensor, batch_sizes: Tensor, hx: Tensor, cx: Tensor, params: List[Tensor], biases: bool,
           layers: int, dropout: float, train: bool, bidirectional: bool) -> Tuple[Tensor, Tensor, Tensor]:
    sizes = [int(batch_sizes[i]) for i in range(batch_sizes.size(0))]
    return recurrent(kind, data, sizes, hx, cx, params, biases, layers, dropout, train, bidirectional)
}];

def Aten_lstm_input : Op<"aten::lstm.input(Tensor input, Tensor[] hx, Tensor[] params, bool has_biases, int num_layers, float dropout, bool train, bool bidirectional, bool batch_first) -> (Tensor, Tensor, Tensor)"> {
  let cudaKernel = "cuda::lstm(input, hx, params, has_biases, num_layers, dropout, train, bidirectional, batch_first)";
  let summary = "Long short-term memory over a padded batch";
  let kernel = "cpu::lstmInput"; let traits = [Random];
  let shape = "lstm(input, hx, params, num_layers, bidirectional, batch_first)"; let dtype = "input; input; input";
  let decomposition = recurrentDefinition # [{
def lstm(input: Tensor, hx: List[Tensor], params: List[Tensor], has_biases: bool, num_layers: int, dropout: float,
         train: bool, bidirectional: bool, batch_first: bool) -> Tuple[Tensor, Tensor, Tensor]:
    return padded("lstm", input, hx[0], hx[1], params, has_biases, num_layers, dropout, train, bidirectional,
                  batch_first)
  }];
}
def Aten_lstm_data : Op<"aten::lstm.data(Tensor data, Tensor batch_sizes, Tensor[] hx, Tensor[] params, bool has_biases, int num_layers, float dropout, bool train, bool bidirectional) -> (Tensor, Tensor, Tensor)"> {
  let cudaKernel = "cuda::lstm(data, batch_sizes, hx, params, has_biases, num_layers, dropout, train, bidirectional)";
  let devices = "hostIndices";
  let summary = "Long short-term memory over a packed batch";
  let kernel = "cpu::lstmData"; let traits = [Random];
  let shape = "lstm_packed(data, hx, bidirectional)"; let dtype = "data; data; data";
  let decomposition = recurrentDefinition # [{
def lstm(data: Tensor, batch_sizes: Tensor, hx: List[Tensor], params: List[Tensor], has_biases: bool, num_layers: int,
         dropout: float, train: bool, bidirectional: bool) -> Tuple[Tensor, Tensor, Tensor]:
    return packed("lstm", data, batch_sizes, hx[0], hx[1], params, has_biases, num_layers, dropout, train, bidirectional)
  }];
}
def Aten_gru_input : Op<"aten::gru.input(Tensor input, Tensor hx, Tensor[] params, bool has_biases, int num_layers, float dropout, bool train, bool bidirectional, bool batch_first) -> (Tensor, Tensor)"> {
  let cudaKernel = "cuda::gru(input, hx, params, has_biases, num_layers, dropout, train, bidirectional, batch_first)";
  let summary = "Gated recurrent unit over a padded batch";
  let kernel = "cpu::rnnInput<cpu::CellKind::Gru>"; let traits = [Random];
  let shape = "rnn(input, hx, params, num_layers, bidirectional, batch_first)"; let dtype = "input; input";
  let decomposition = recurrentDefinition # [{
def gru(input: Tensor, hx: Tensor, params: List[Tensor], has_biases: bool, num_layers: int, dropout: float,
    train: bool, bidirectional: bool, batch_first: bool) -> Tuple[Tensor, Tensor]:
    out, h, _ = padded("gru", input, hx, hx, params, has_biases, num_layers, dropout, train, bidirectional,
                       batch_first)
    return out, h
  }];
}
def Aten_gru_data : Op<"aten::gru.data(Tensor data, Tensor batch_sizes, Tensor hx, Tensor[] params, bool has_biases, int num_layers, float dropout, bool train, bool bidirectional) -> (Tensor, Tensor)"> {
  let cudaKernel = "cuda::gru(data, batch_sizes, hx, params, has_biases, num_layers, dropout, train, bidirectional)";
  let devices = "hostIndices";
  let summary = "Gated recurrent unit over a packed batch";
  let kernel = "cpu::rnnData<cpu::CellKind::Gru>"; let traits = [Random];
  let shape = "rnn_packed(data, hx, bidirectional)"; let dtype = "data; data";
  let decomposition = recurrentDefinition # [{
def gru(data: Tensor, batch_sizes: Tensor, hx: Tensor, params: List[Tensor], has_biases: bool, num_layers: int,
    dropout: float, train: bool, bidirectional: bool) -> Tuple[Tensor, Tensor]:
    out, h, _ = packed("gru", data, batch_sizes, hx, hx, params, has_biases, num_layers, dropout, train, bidirectional)
    return out, h
  }];
}
def Aten_rnn_tanh_input : Op<"aten::rnn_tanh.input(Tensor input, Tensor hx, Tensor[] params, bool has_biases, int num_layers, float dropout, bool train, bool bidirectional, bool batch_first) -> (Tensor, Tensor)"> {
  let cudaKernel = "cuda::tanhLayers(input, hx, params, has_biases, num_layers, dropout, train, bidirectional, batch_first)";
  let summary = "Elman network over a padded batch";
  let kernel = "cpu::rnnInput<cpu::CellKind::Tanh>"; let traits = [Random];
  let shape = "rnn(input, hx, params, num_layers, bidirectional, batch_first)"; let dtype = "input; input";
  let decomposition = recurrentDefinition # [{
def rnn_tanh(input: Tensor, hx: Tensor, params: List[Tensor], has_biases: bool, num_layers: int, dropout: float,
    train: bool, bidirectional: bool, batch_first: bool) -> Tuple[Tensor, Tensor]:
    out, h, _ = padded("tanh", input, hx, hx, params, has_biases, num_layers, dropout, train, bidirectional,
                       batch_first)
    return out, h
  }];
}
def Aten_rnn_tanh_data : Op<"aten::rnn_tanh.data(Tensor data, Tensor batch_sizes, Tensor hx, Tensor[] params, bool has_biases, int num_layers, float dropout, bool train, bool bidirectional) -> (Tensor, Tensor)"> {
  let cudaKernel = "cuda::tanhLayers(data, batch_sizes, hx, params, has_biases, num_layers, dropout, train, bidirectional)";
  let devices = "hostIndices";
  let summary = "Elman network over a packed batch";
  let kernel = "cpu::rnnData<cpu::CellKind::Tanh>"; let traits = [Random];
  let shape = "rnn_packed(data, hx, bidirectional)"; let dtype = "data; data";
  let decomposition = recurrentDefinition # [{
def rnn_tanh(data: Tensor, batch_sizes: Tensor, hx: Tensor, params: List[Tensor], has_biases: bool, num_layers: int,
    dropout: float, train: bool, bidirectional: bool) -> Tuple[Tensor, Tensor]:
    out, h, _ = packed("tanh", data, batch_sizes, hx, hx, params, has_biases, num_layers, dropout, train, bidirectional)
    return out, h
  }];
}
def Aten_rnn_relu_input : Op<"aten::rnn_relu.input(Tensor input, Tensor hx, Tensor[] params, bool has_biases, int num_layers, float dropout, bool train, bool bidirectional, bool batch_first) -> (Tensor, Tensor)"> {
  let cudaKernel = "cuda::reluLayers(input, hx, params, has_biases, num_layers, dropout, train, bidirectional, batch_first)";
  let summary = "Elman network over a padded batch";
  let kernel = "cpu::rnnInput<cpu::CellKind::Relu>"; let traits = [Random];
  let shape = "rnn(input, hx, params, num_layers, bidirectional, batch_first)"; let dtype = "input; input";
  let decomposition = recurrentDefinition # [{
def rnn_relu(input: Tensor, hx: Tensor, params: List[Tensor], has_biases: bool, num_layers: int, dropout: float,
    train: bool, bidirectional: bool, batch_first: bool) -> Tuple[Tensor, Tensor]:
    out, h, _ = padded("relu", input, hx, hx, params, has_biases, num_layers, dropout, train, bidirectional,
                       batch_first)
    return out, h
  }];
}
def Aten_rnn_relu_data : Op<"aten::rnn_relu.data(Tensor data, Tensor batch_sizes, Tensor hx, Tensor[] params, bool has_biases, int num_layers, float dropout, bool train, bool bidirectional) -> (Tensor, Tensor)"> {
  let cudaKernel = "cuda::reluLayers(data, batch_sizes, hx, params, has_biases, num_layers, dropout, train, bidirectional)";
  let devices = "hostIndices";
  let summary = "Elman network over a packed batch";
  let kernel = "cpu::rnnData<cpu::CellKind::Relu>"; let traits = [Random];
  let shape = "rnn_packed(data, hx, bidirectional)"; let dtype = "data; data";
  let decomposition = recurrentDefinition # [{
def rnn_relu(data: Tensor, batch_sizes: Tensor, hx: Tensor, params: List[Tensor], has_biases: bool, num_layers: int,
    dropout: float, train: bool, bidirectional: bool) -> Tuple[Tensor, Tensor]:
    out, h, _ = packed("relu", data, batch_sizes, hx, hx, params, has_biases, num_layers, dropout, train, bidirectional)
    return out, h
  }];
}
def Aten_lstm_cell : Op<"aten::lstm_cell(Tensor input, Tensor[] hx, Tensor w_ih, Tensor w_hh, Tensor? b_ih=None, Tensor? b_hh=None) -> (Tensor, Tensor)"> {
  let summary = "One step of an LSTM";
  let weights = ["w_ih", "w_hh"];
  let kernel = "cpu::lstmCell";
  let shape = "lstm_cell(hx)"; let dtype = "input; input";
  let derivative = [{ inner = backward.lstm_gates(grad0, grad1, input, hx, w_ih, w_hh, b_ih, b_hh)
                      input = matmul(inner[0], w_ih)
                      hx    = [matmul(inner[0], w_hh), inner[1]]
                      w_ih  = backward.linear_weight(inner[0], input, w_ih)
                      w_hh  = backward.linear_weight(inner[0], hx[0], w_hh)
                      b_ih  = inner[0]
                      b_hh  = inner[0] }];
}
def Aten_gru_cell : Op<"aten::gru_cell(Tensor input, Tensor hx, Tensor w_ih, Tensor w_hh, Tensor? b_ih=None, Tensor? b_hh=None) -> Tensor"> {
  let summary = "One step of a GRU";
  let weights = ["w_ih", "w_hh"];
  let kernel = "cpu::rnnCell<cpu::CellKind::Gru>";
  let shape = "hx"; let dtype = "input";
  let derivative = [{ inner = backward.gru_gates(grad, input, hx, w_ih, w_hh, b_ih, b_hh)
                      input = matmul(inner[0], w_ih)
                      hx    = matmul(inner[1], w_hh) + inner[2]
                      w_ih  = backward.linear_weight(inner[0], input, w_ih)
                      w_hh  = backward.linear_weight(inner[1], hx, w_hh)
                      b_ih  = inner[0]
                      b_hh  = inner[1] }];
}
def Aten_rnn_tanh_cell : Op<"aten::rnn_tanh_cell(Tensor input, Tensor hx, Tensor w_ih, Tensor w_hh, Tensor? b_ih=None, Tensor? b_hh=None) -> Tensor"> {
  let summary = "One step of an Elman network";
  let weights = ["w_ih", "w_hh"];
  let kernel = "cpu::rnnCell<cpu::CellKind::Tanh>";
  let shape = "hx"; let dtype = "input";
  let derivative = [{ inner = grad * (1 - result * result)
                      input = matmul(inner, w_ih)
                      hx    = matmul(inner, w_hh)
                      w_ih  = backward.linear_weight(inner, input, w_ih)
                      w_hh  = backward.linear_weight(inner, hx, w_hh)
                      b_ih  = inner
                      b_hh  = inner }];
}
def Aten_rnn_relu_cell : Op<"aten::rnn_relu_cell(Tensor input, Tensor hx, Tensor w_ih, Tensor w_hh, Tensor? b_ih=None, Tensor? b_hh=None) -> Tensor"> {
  let summary = "One step of an Elman network";
  let weights = ["w_ih", "w_hh"];
  let kernel = "cpu::rnnCell<cpu::CellKind::Relu>";
  let shape = "hx"; let dtype = "input";
  let derivative = [{ inner = grad * (result > 0).type_as(grad)
                      input = matmul(inner, w_ih)
                      hx    = matmul(inner, w_hh)
                      w_ih  = backward.linear_weight(inner, input, w_ih)
                      w_hh  = backward.linear_weight(inner, hx, w_hh)
                      b_ih  = inner
                      b_hh  = inner }];
}
def Aten__pack_padded_sequence : Op<"aten::_pack_padded_sequence(Tensor input, Tensor lengths, bool batch_first) -> (Tensor, Tensor)"> {
  let devices = "hostIndices";
  let summary = "Rows of a padded batch that are in use, time-major";
  let kernel = "cpu::packPaddedSequence"; let variants = [Out]; let outName = "out"; let outArgs = ["out0", "out1"];
  let shape = "pack_padded_sequence(input, batch_first)"; let dtype = "input; Long";
  let derivative = [{ input = _pad_packed_sequence(grad0, result1, batch_first, 0., input.size(1 if batch_first else 0))[0] }];
}
def Aten__pad_packed_sequence : Op<"aten::_pad_packed_sequence(Tensor data, Tensor batch_sizes, bool batch_first, Scalar padding_value, int total_length) -> (Tensor, Tensor)"> {
  let devices = "hostIndices";
  let summary = "A packed batch, padded";
  let kernel = "cpu::padPackedSequence";
  let shape = "pad_packed_sequence(data, batch_first)"; let dtype = "data; Long";
  let derivative = [{ data = backward.packed(grad0, data, result1, batch_first) }];
}

// Recurrent.
def Aten_embedding_bag : Op<"aten::embedding_bag(Tensor weight, Tensor indices, Tensor offsets, bool scale_grad_by_freq=False, int mode=0, bool sparse=False, Tensor? per_sample_weights=None, bool include_last_offset=False) -> (Tensor, Tensor, Tensor, Tensor)"> {
  let cudaKernel = "cuda::embeddingBag(weight, indices, offsets, mode, per_sample_weights, include_last_offset)";
  let summary = "Sum, mean or maximum of embeddings by bag";
  let kernel = "cpu::embeddingBag";
  let shape = "embedding_bag(weight, indices, offsets, include_last_offset);;;"; let dtype = "weight; ;";
  let derivative = [{ weight = backward.bag_weight(grad0, weight, indices, result1, result2, result3, scale_grad_by_freq, mode, per_sample_weights, None)
                      per_sample_weights = backward.bag_factors(grad0, weight, indices, result1, per_sample_weights, None) }];
}
def Aten_embedding_bag_padding_idx : Op<"aten::embedding_bag.padding_idx(Tensor weight, Tensor indices, Tensor offsets, bool scale_grad_by_freq, int mode, bool sparse, Tensor? per_sample_weights, bool include_last_offset, int? padding_idx) -> (Tensor, Tensor, Tensor, Tensor)"> {
  let cudaKernel = "cuda::embeddingBag(weight, indices, offsets, mode, per_sample_weights, include_last_offset, padding_idx)";
  let summary = "Sum, mean or maximum of embeddings by bag";
  let kernel = "cpu::embeddingBagPaddingIdx";
  let shape = "embedding_bag(weight, indices, offsets, include_last_offset);;;"; let dtype = "weight; ;";
  let derivative = [{ weight = backward.bag_weight(grad0, weight, indices, result1, result2, result3, scale_grad_by_freq, mode, per_sample_weights, backward.bag_padding(padding_idx, weight.size(0)))
                      per_sample_weights = backward.bag_factors(grad0, weight, indices, result1, per_sample_weights, backward.bag_padding(padding_idx, weight.size(0))) }];
}
def Aten__embedding_bag : Op<"aten::_embedding_bag(Tensor weight, Tensor indices, Tensor offsets, bool scale_grad_by_freq=False, int mode=0, bool sparse=False, Tensor? per_sample_weights=None, bool include_last_offset=False, int padding_idx=-1) -> (Tensor, Tensor, Tensor, Tensor)"> {
  let cudaKernel = "cuda::embeddingBagOrNone(weight, indices, offsets, mode, per_sample_weights, include_last_offset, padding_idx)";
  let summary = "Sum, mean or maximum of embeddings by bag";
  let kernel = "cpu::embeddingBagForward"; let variants = [Out]; let outName = "out"; let outArgs = ["out0", "out1", "out2", "out3"];
  let shape = "embedding_bag(weight, indices, offsets, include_last_offset);;;"; let dtype = "weight; ;";
  let derivative = [{ weight = backward.bag_weight(grad0, weight, indices, result1, result2, result3, scale_grad_by_freq, mode, per_sample_weights, padding_idx)
                      per_sample_weights = backward.bag_factors(grad0, weight, indices, result1, per_sample_weights, padding_idx) }];
}
def Aten__embedding_bag_forward_only : Op<"aten::_embedding_bag_forward_only(Tensor weight, Tensor indices, Tensor offsets, bool scale_grad_by_freq=False, int mode=0, bool sparse=False, Tensor? per_sample_weights=None, bool include_last_offset=False, int padding_idx=-1) -> (Tensor, Tensor, Tensor, Tensor)"> {
  let cudaKernel = "cuda::embeddingBagOrNone(weight, indices, offsets, mode, per_sample_weights, include_last_offset, padding_idx)";
  let summary = "Sum, mean or maximum of embeddings by bag";
  let kernel = "cpu::embeddingBagForward"; let variants = [Out]; let outName = "out"; let outArgs = ["out0", "out1", "out2", "out3"];
  let shape = "embedding_bag(weight, indices, offsets, include_last_offset);;;"; let dtype = "weight; ;";
}
def Aten__native_multi_head_attention : Op<"aten::_native_multi_head_attention(Tensor query, Tensor key, Tensor value, int embed_dim, int num_head, Tensor qkv_weight, Tensor qkv_bias, Tensor proj_weight, Tensor proj_bias, Tensor? mask=None, bool need_weights=True, bool average_attn_weights=True, int? mask_type=None) -> (Tensor, Tensor)"> {
  let summary = "Multi-head attention with packed projections";
  let kernel = "cpu::nativeMultiHeadAttention"; let variants = [Out]; let outName = "out"; let outArgs = ["out0", "out1"];
}
def Aten__transformer_encoder_layer_fwd : Op<"aten::_transformer_encoder_layer_fwd(Tensor src, int embed_dim, int num_heads, Tensor qkv_weight, Tensor qkv_bias, Tensor proj_weight, Tensor proj_bias, bool use_gelu, bool norm_first, float eps, Tensor norm_weight_1, Tensor norm_bias_1, Tensor norm_weight_2, Tensor norm_bias_2, Tensor ffn_weight_1, Tensor ffn_bias_1, Tensor ffn_weight_2, Tensor ffn_bias_2, Tensor? mask=None, int? mask_type=None) -> Tensor"> {
  let summary = "A layer of a transformer encoder";
  let kernel = "cpu::transformerEncoderLayer"; let variants = [Out];
}
def Aten__scaled_dot_product_attention : Op<"aten::_scaled_dot_product_attention(Tensor query, Tensor key, Tensor value, Tensor? attn_mask=None, float dropout_p=0., bool need_attn_weights=False, bool is_causal=False) -> (Tensor, Tensor)"> {
  let summary = "softmax(q k^T / sqrt(d)) v";
  let kernel = "cpu::scaledDotProductAttention"; let traits = [Random];
  let dtype = "query";
  let derivative = [{ all       = backward.attention(grad0, grad1, query, key, value, attn_mask, dropout_p, is_causal, result1)
                      query     = all[0]
                      key       = all[1]
                      value     = all[2]
                      attn_mask = all[3] }];
}

// Activation.
def Aten_prelu : Op<"aten::prelu(Tensor self, Tensor weight) -> Tensor"> {
  let summary = "self where positive, weight * self elsewhere";
  let kernel = "cpu::prelu";
  let shape = "self"; let dtype = "self"; let strides = "dense";
  let derivative = [{ self   = where(self > 0, grad, grad * backward.along_channels(weight, self))
                      weight = backward.prelu_weight(where(self > 0, 0., grad * self), weight) }];
  let backwardNode = "PreluKernelBackward0";
}
def Aten_rrelu : Op<"aten::rrelu(Tensor self, Scalar lower=0.125, Scalar upper=0.33333333333333331, bool training=False, Generator? generator=None) -> Tensor"> {
  let summary = "Leaky relu with a random slope in training";
  let kernel = "cpu::rrelu"; let variants = [InPlace]; let traits = [Random, Activation];
  let shape = "self"; let dtype = "self"; let strides = "dense";
  let derivative = [{ self = backward.rrelu(grad, self, result, lower, upper, training) }];
}
def Aten_segment_reduce : Op<"aten::segment_reduce(Tensor data, str reduce, *, Tensor? lengths=None, Tensor? indices=None, Tensor? offsets=None, int axis=0, bool unsafe=False, Scalar? initial=None) -> Tensor"> {
  let summary = "Reduces segments along an axis";
  let kernel = "cpu::segmentReduce";
  let derivative = [{ data = backward.segments(grad, data, result, reduce, lengths, offsets, axis, initial) }];
}
