//===- Quantized.td - Quantized tensors -------------------------*- tablegen -*-===//

class QuantizedOp<string schema, string function, string summary_> : Op<schema> {
  let kernel = "cpu::" # function;
  let summary = summary_;
  let quantized = "takes";
}

def Aten_quantize_per_tensor : QuantizedOp<"aten::quantize_per_tensor(Tensor self, float scale, int zero_point, ScalarType dtype) -> Tensor", "quantizePerTensor",
  "Integers that stand for (integer - zero_point) * scale"> {
  let traits = [Detached]; let shape = "self"; let dtype = "dtype"; let strides = "dense";
}
def Aten_quantize_per_channel : QuantizedOp<"aten::quantize_per_channel(Tensor self, Tensor scales, Tensor zero_points, int axis, ScalarType dtype) -> Tensor", "quantizePerChannel",
  "The same with a scale and a zero point for each index of a dimension"> {
  let traits = [Detached]; let shape = "self"; let dtype = "dtype"; let strides = "contiguous";
}
def Aten_dequantize : QuantizedOp<"aten::dequantize.self(Tensor self) -> Tensor", "dequantize", "The real numbers that the integers stand for"> {
  let traits = [Detached]; let shape = "self"; let dtype = "Float";
}
def Aten_int_repr : QuantizedOp<"aten::int_repr(Tensor self) -> Tensor", "intRepr", "The integers of a quantized tensor"> {
  let traits = [Detached]; let shape = "self"; let strides = "contiguous";
}
def Aten__make_per_tensor_quantized_tensor : QuantizedOp<"aten::_make_per_tensor_quantized_tensor(Tensor self, float scale, int zero_point) -> Tensor", "makePerTensorQuantized",
  "A quantized tensor of these integers"> {
  let traits = [Detached]; let shape = "self"; let strides = "contiguous";
}
def Aten__make_per_channel_quantized_tensor : QuantizedOp<"aten::_make_per_channel_quantized_tensor(Tensor self, Tensor scale, Tensor zero_point, int axis) -> Tensor", "makePerChannelQuantized",
  "A quantized tensor of these integers, a scale and a zero point for each index of a dimension"> {
  let traits = [Detached]; let shape = "self"; let strides = "contiguous";
}
def Aten_q_scale : QuantizedOp<"aten::q_scale(Tensor self) -> float", "qScale", "The scale of a tensor that is quantized as a whole">;
def Aten_q_zero_point : QuantizedOp<"aten::q_zero_point(Tensor self) -> int", "qZeroPoint", "The integer that stands for zero">;
def Aten_q_per_channel_scales : QuantizedOp<"aten::q_per_channel_scales(Tensor self) -> Tensor", "qPerChannelScales", "The scale of each channel, float64"> {
  let traits = [Detached]; }
def Aten_q_per_channel_zero_points : QuantizedOp<"aten::q_per_channel_zero_points(Tensor self) -> Tensor", "qPerChannelZeroPoints", "The zero point of each channel, int64"> {
  let traits = [Detached]; }
def Aten_q_per_channel_axis : QuantizedOp<"aten::q_per_channel_axis(Tensor self) -> int", "qPerChannelAxis", "The dimension of the channels">;

// What the library of quantized operators (lib/Frontend/Prelude/quantized.py) computes with.
def Tsc_quantized_pair : QuantizedOp<"tsc::quantized_pair(Tensor a, Tensor b, float scale, int zero_point, bool multiply, bool relu) -> Tensor", "quantizedPair",
  "The sum or the product of two quantized tensors"> { let traits = [Detached]; }
def Tsc_quantized_linear : QuantizedOp<"tsc::quantized_linear(Tensor input, Tensor weight, Tensor? bias, float scale, int zero_point, bool relu) -> Tensor", "quantizedLinear",
  "A linear map of integers"> { let traits = [Detached]; }
def Tsc_quantized_linear_dynamic : QuantizedOp<"tsc::quantized_linear_dynamic(Tensor input, Tensor weight, Tensor? bias, bool reduce_range, bool relu) -> Tensor", "quantizedLinearDynamic",
  "A linear map of numbers that are quantized for it"> { let traits = [Detached]; }
def Tsc_quantized_convolution : QuantizedOp<"tsc::quantized_convolution(Tensor input, Tensor config, Tensor weight, Tensor? bias, float scale, int zero_point, bool relu) -> Tensor", "quantizedConvolution",
  "A convolution of integers"> { let traits = [Detached]; }
def Tsc_quantized_rows : QuantizedOp<"tsc::quantized_rows(Tensor self, Tensor indices) -> Tensor", "quantizedRows",
  "The real numbers of those rows of a quantized matrix"> { let traits = [Detached]; }
def Tsc_with_quantizer : QuantizedOp<"tsc::with_quantizer(Tensor self, float scale, int zero_point) -> Tensor", "withQuantizer",
  "The same integers with another scale and zero point"> { let traits = [Detached]; let shape = "self"; }
def Aten_quantize_per_tensor_dynamic : QuantizedOp<"aten::quantize_per_tensor_dynamic(Tensor self, ScalarType dtype, bool reduce_range) -> Tensor", "quantizePerTensorDynamic",
  "Quantized so that its own bounds have integers"> { let traits = [Detached]; let shape = "self"; let dtype = "dtype"; }
def Tsc_quantized_expand : QuantizedOp<"tsc::quantized_expand(Tensor self) -> Tensor", "quantizedExpand",
  "dequantize, rounded as PyTorch's vector kernels do: once, of a product and a sum"> { let traits = [Detached]; let shape = "self"; let dtype = "Float"; }
