//===- QuantizedLayers.td - Quantized tensors, made of others -*- tablegen -*-===//
//
// Records without kernels: they run as their definitions.
//
//===----------------------------------------------------------------------===//

def Aten__empty_affine_quantized : Op<"aten::_empty_affine_quantized(int[] size, *, ScalarType? dtype=None, Layout? layout=None, Device? device=None, bool? pin_memory=None, float scale=1, int zero_point=0, MemoryFormat? memory_format=0) -> Tensor"> {
  let summary = "A quantized tensor with this scale; its integers stand for zero";
  let decomposition = [{
def _empty_affine_quantized(size: List[int], dtype: Optional[int], layout: Optional[int], device: Optional[Device],
                            pin_memory: Optional[bool], scale: float, zero_point: int,
                            memory_format: Optional[int]) -> Tensor:
    assert dtype is not None, "Can only create quantized tensors of a quantized dtype"
    zeros = torch.empty(size, dtype=torch.float, memory_format=memory_format).zero_()
    return torch.quantize_per_tensor(zeros, scale, zero_point, dtype)
  }];
}
def Aten__empty_per_channel_affine_quantized : Op<"aten::_empty_per_channel_affine_quantized(int[] size, *, Tensor scales, Tensor zero_points, int axis, ScalarType? dtype=None, Layout? layout=None, Device? device=None, bool? pin_memory=None, MemoryFormat? memory_format=0) -> Tensor"> {
  let summary = "The same with a scale and a zero point for each index of a dimension";
  let decomposition = [{
def _empty_per_channel_affine_quantized(size: List[int], scales: Tensor, zero_points: Tensor, axis: int,
                                        dtype: Optional[int], layout: Optional[int], device: Optional[Device],
                                        pin_memory: Optional[bool], memory_format: Optional[int]) -> Tensor:
    assert dtype is not None, "Can only create quantized tensors of a quantized dtype"
    zeros = torch.zeros(size, dtype=torch.float)
    return torch.quantize_per_channel(zeros, scales, zero_points, axis, dtype)
  }];
}
def Aten__choose_qparams_per_tensor : Op<"aten::_choose_qparams_per_tensor(Tensor self, bool reduce_range=False) -> (float, int)"> {
  let summary = "A scale and a zero point for the bounds of a tensor, as quint8 or half of it";
  let decomposition = [{
def _choose_qparams_per_tensor(self: Tensor, reduce_range: bool) -> Tuple[float, int]:
    quantized = torch.quantize_per_tensor_dynamic(self, torch.quint8, reduce_range)
    return quantized.q_scale(), quantized.q_zero_point()
  }];
}
def Aten__saturate_weight_to_fp16 : Op<"aten::_saturate_weight_to_fp16(Tensor weight) -> Tensor"> {
  let summary = "The numbers within the range of half";
  let decomposition = [{
def _saturate_weight_to_fp16(weight: Tensor) -> Tensor:
    return torch.clamp(weight, -65504.0, 65504.0)
  }];
}

// What training for quantization observes: bounds that follow those of each input, and of them a scale and a zero point.
def Aten__fused_moving_avg_obs_fq_helper : Op<"aten::_fused_moving_avg_obs_fq_helper(Tensor self, Tensor observer_on, Tensor fake_quant_on, Tensor(a!) running_min, Tensor(b!) running_max, Tensor(c!) scale, Tensor(d!) zero_point, float averaging_const, int quant_min, int quant_max, int ch_axis, bool per_row_fake_quant=False, bool symmetric_quant=False) -> (Tensor output, Tensor mask)"> {
  let summary = "fused_moving_avg_obs_fake_quant, and where the integers were in range";
  let traits = [Detached];
  let decomposition = [{
def _as_float(x: float) -> float:
    return float(torch.scalar_tensor(x, dtype=torch.float).item())

def _qparams(low: float, high: float, quant_min: int, quant_max: int, symmetric: bool) -> Tuple[float, int]:
    both = low < 0.0 and high > 0.0 and symmetric
    if both:
        least = -((quant_max - quant_min) // 2 + 1)
        most = (quant_max - quant_min) // 2
        widest = max(abs(low / float(least)), abs(high / float(most)))
        low = _as_float(widest * float(least))
        high = _as_float(widest * float(most))
    low = min(low, 0.0)
    high = max(high, 0.0)
    scale = (high - low) / float(quant_max - quant_min)
    if scale == 0.0 or scale < 2.938735877055719e-39:
        scale = 0.1
    if scale < 6.1e-5:
        before = scale
        scale = 6.1e-5
        if low == 0.0:
            high = scale * float(quant_max - quant_min)
        elif high == 0.0:
            low = -scale * float(quant_max - quant_min)
        else:
            low = low * (scale / before)
            high = high * (scale / before)
    from_low = float(quant_min) - low / scale
    from_high = float(quant_max) - high / scale
    initial = from_high
    if abs(float(quant_min)) + abs(low / scale) < abs(float(quant_max)) + abs(high / scale):
        initial = from_low
    if both:
        initial = float(quant_min + quant_max) / 2.0
    zero_point = int(round(min(max(initial, float(quant_min)), float(quant_max))))
    return scale, zero_point

def _observe(self: Tensor, running_min: Tensor, running_max: Tensor, scale: Tensor, zero_point: Tensor,
             averaging_const: float, quant_min: int, quant_max: int, ch_axis: int, per_row: bool,
             symmetric: bool) -> int:
    rows = self.reshape([1, -1])
    if per_row:
        rows = self.transpose(0, ch_axis).flatten(1)
        if running_min.numel() != rows.size(0):
            running_min.resize_([rows.size(0)])
            running_min.fill_(float("inf"))
            running_max.resize_([rows.size(0)])
            running_max.fill_(float("-inf"))
            scale.resize_([rows.size(0)])
            zero_point.resize_([rows.size(0)])
    low = rows.min(1)[0].reshape(running_min.size())
    high = rows.max(1)[0].reshape(running_max.size())
    first = torch.logical_or(torch.isinf(running_min), torch.isinf(running_max))
    running_min.copy_(torch.where(first, low, running_min + averaging_const * (low - running_min)))
    running_max.copy_(torch.where(first, high, running_max + averaging_const * (high - running_max)))
    scales = scale.view([-1])
    zeros = zero_point.view([-1])
    lows = running_min.view([-1])
    highs = running_max.view([-1])
    for i in range(lows.numel()):
        parameters = _qparams(float(lows[i].item()), float(highs[i].item()), quant_min, quant_max, symmetric)
        scales[i] = parameters[0]
        zeros[i] = parameters[1]
    return 0

def _fused_moving_avg_obs_fq_helper(self: Tensor, observer_on: Tensor, fake_quant_on: Tensor, running_min: Tensor,
                                    running_max: Tensor, scale: Tensor, zero_point: Tensor, averaging_const: float,
                                    quant_min: int, quant_max: int, ch_axis: int, per_row_fake_quant: bool,
                                    symmetric_quant: bool) -> Tuple[Tensor, Tensor]:
    if int(observer_on.item()) != 0:
        _observe(self.detach(), running_min, running_max, scale, zero_point, averaging_const, quant_min, quant_max,
                 ch_axis, per_row_fake_quant, symmetric_quant)
    result = self.clone()
    mask = torch.ones_like(self, dtype=torch.bool)
    if int(fake_quant_on.item()) != 0:
        if per_row_fake_quant:
            result, mask = torch.fake_quantize_per_channel_affine_cachemask(self, scale, zero_point, ch_axis, quant_min,
                                                                            quant_max)
        else:
            result, mask = torch.fake_quantize_per_tensor_affine_cachemask(self, float(scale.item()),
                                                                           int(zero_point.item()), quant_min, quant_max)
    return result, mask
  }];
}
def Aten_fused_moving_avg_obs_fake_quant : Op<"aten::fused_moving_avg_obs_fake_quant(Tensor self, Tensor observer_on, Tensor fake_quant_on, Tensor(a!) running_min, Tensor(b!) running_max, Tensor(c!) scale, Tensor(d!) zero_point, float averaging_const, int quant_min, int quant_max, int ch_axis, bool per_row_fake_quant=False, bool symmetric_quant=False) -> Tensor"> {
  let summary = "Observes the bounds of a tensor, and rounds it to what integers for them stand for";
  let traits = [Detached];
  let decomposition = [{
def fused_moving_avg_obs_fake_quant(self: Tensor, observer_on: Tensor, fake_quant_on: Tensor, running_min: Tensor,
                                    running_max: Tensor, scale: Tensor, zero_point: Tensor, averaging_const: float,
                                    quant_min: int, quant_max: int, ch_axis: int, per_row_fake_quant: bool,
                                    symmetric_quant: bool) -> Tensor:
    return torch._fused_moving_avg_obs_fq_helper(self, observer_on, fake_quant_on, running_min, running_max, scale,
                                                 zero_point, averaging_const, quant_min, quant_max, ch_axis,
                                                 per_row_fake_quant, symmetric_quant)[0]
  }];
}
