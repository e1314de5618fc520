//===- Convolution.td - Operators: convolution -*- tablegen -*-===//

// Convolution.
def Aten__convolution : Op<"aten::_convolution(Tensor input, Tensor weight, Tensor? bias, int[] stride, int[] padding, int[] dilation, bool transposed, int[] output_padding, int groups, bool benchmark, bool deterministic, bool cudnn_enabled, bool allow_tf32) -> Tensor"> {
  let traits = [AffineLayer, Convolution, KeepsRank];
  let summary = "Convolution or transposed convolution";
  let weights = ["weight"];
  let kernel = "cpu::convolutionFlags"; let variants = [Out];
  let shape = "convolution(input, weight, stride, padding, dilation, transposed, output_padding, groups)"; let dtype = "input"; let strides = "dense";
  let derivative = [{ input  = backward.convolution_input(grad, input, weight, stride, padding, dilation, transposed, groups)
                      weight = backward.convolution_weight(grad, input, weight, stride, padding, dilation, transposed, groups)
                      bias   = backward.convolution_bias(grad) }];
}
def Aten__convolution_deprecated : Op<"aten::_convolution.deprecated(Tensor input, Tensor weight, Tensor? bias, int[] stride, int[] padding, int[] dilation, bool transposed, int[] output_padding, int groups, bool benchmark, bool deterministic, bool cudnn_enabled) -> Tensor"> {
  let traits = [AffineLayer, Convolution, KeepsRank];
  let summary = "Convolution or transposed convolution";
  let weights = ["weight"];
  let kernel = "cpu::convolutionDeprecated";
  let shape = "convolution(input, weight, stride, padding, dilation, transposed, output_padding, groups)"; let dtype = "input"; let strides = "dense";
  let derivative = [{ input  = backward.convolution_input(grad, input, weight, stride, padding, dilation, transposed, groups)
                      weight = backward.convolution_weight(grad, input, weight, stride, padding, dilation, transposed, groups)
                      bias   = backward.convolution_bias(grad) }];
}
def Aten_convolution : Op<"aten::convolution(Tensor input, Tensor weight, Tensor? bias, int[] stride, int[] padding, int[] dilation, bool transposed, int[] output_padding, int groups) -> Tensor"> {
  let traits = [AffineLayer, Convolution, KeepsRank];
  let summary = "Convolution or transposed convolution";
  let weights = ["weight"];
  let kernel = "cpu::convolution"; let variants = [Out];
  let shape = "convolution(input, weight, stride, padding, dilation, transposed, output_padding, groups)"; let dtype = "input"; let strides = "dense";
  let derivative = [{ input  = backward.convolution_input(grad, input, weight, stride, padding, dilation, transposed, groups)
                      weight = backward.convolution_weight(grad, input, weight, stride, padding, dilation, transposed, groups)
                      bias   = backward.convolution_bias(grad) }];
}
def Aten__convolution_mode : Op<"aten::_convolution_mode(Tensor input, Tensor weight, Tensor? bias, int[] stride, str padding, int[] dilation, int groups) -> Tensor"> {
  let traits = [AffineLayer, Convolution, KeepsRank];
  let summary = "Convolution with padding by name";
  let weights = ["weight"];
  let kernel = "cpu::convolutionMode";
  let shape = "convolution_mode(input, weight, stride, padding, dilation, groups)"; let dtype = "input"; let strides = "dense";
}
def Aten_conv1d : Op<"aten::conv1d(Tensor input, Tensor weight, Tensor? bias=None, int[1] stride=[1], int[1] padding=[0], int[1] dilation=[1], int groups=1) -> Tensor"> {
  let traits = [AffineLayer, Convolution, KeepsRank];
  let summary = "1-dimensional convolution";
  let weights = ["weight"];
  let kernel = "cpu::conv1d";
  let shape = "convolution(input, weight, stride, padding, dilation, False, [], groups)"; let dtype = "input"; let strides = "dense";
  let derivative = [{ input  = backward.conv_input(grad, input, weight, stride, padding, dilation, groups, 1)
                      weight = backward.conv_weight(grad, input, weight, stride, padding, dilation, groups, 1)
                      bias   = backward.conv_bias(grad, 1) }];
}
def Aten_conv1d_padding : Op<"aten::conv1d.padding(Tensor input, Tensor weight, Tensor? bias=None, int[1] stride=[1], str padding=\"valid\", int[1] dilation=[1], int groups=1) -> Tensor"> {
  let traits = [AffineLayer, Convolution, KeepsRank];
  let summary = "1-dimensional convolution";
  let weights = ["weight"];
  let kernel = "cpu::conv1dPadding";
  let shape = "convolution_mode(input, weight, stride, padding, dilation, groups)"; let dtype = "input"; let strides = "dense";
  let derivative = [{ input  = backward.conv_named_input(grad, input, weight, stride, padding, dilation, groups, 1)
                      weight = backward.conv_named_weight(grad, input, weight, stride, padding, dilation, groups, 1)
                      bias   = backward.conv_bias(grad, 1) }];
}
def Aten_conv2d : Op<"aten::conv2d(Tensor input, Tensor weight, Tensor? bias=None, int[2] stride=1, int[2] padding=0, int[2] dilation=1, int groups=1) -> Tensor"> {
  let traits = [AffineLayer, Convolution, KeepsRank];
  let summary = "2-dimensional convolution";
  let weights = ["weight"];
  let kernel = "cpu::conv2d";
  let shape = "convolution(input, weight, stride, padding, dilation, False, [], groups)"; let dtype = "input"; let strides = "dense";
  let derivative = [{ input  = backward.conv_input(grad, input, weight, stride, padding, dilation, groups, 2)
                      weight = backward.conv_weight(grad, input, weight, stride, padding, dilation, groups, 2)
                      bias   = backward.conv_bias(grad, 2) }];
}
def Aten_conv2d_padding : Op<"aten::conv2d.padding(Tensor input, Tensor weight, Tensor? bias=None, int[2] stride=1, str padding=\"valid\", int[2] dilation=1, int groups=1) -> Tensor"> {
  let traits = [AffineLayer, Convolution, KeepsRank];
  let summary = "2-dimensional convolution";
  let weights = ["weight"];
  let kernel = "cpu::conv2dPadding";
  let shape = "convolution_mode(input, weight, stride, padding, dilation, groups)"; let dtype = "input"; let strides = "dense";
  let derivative = [{ input  = backward.conv_named_input(grad, input, weight, stride, padding, dilation, groups, 2)
                      weight = backward.conv_named_weight(grad, input, weight, stride, padding, dilation, groups, 2)
                      bias   = backward.conv_bias(grad, 2) }];
}
def Aten_conv3d : Op<"aten::conv3d(Tensor input, Tensor weight, Tensor? bias=None, int[3] stride=1, int[3] padding=0, int[3] dilation=1, int groups=1) -> Tensor"> {
  let traits = [AffineLayer, Convolution, KeepsRank];
  let summary = "3-dimensional convolution";
  let weights = ["weight"];
  let kernel = "cpu::conv3d";
  let shape = "convolution(input, weight, stride, padding, dilation, False, [], groups)"; let dtype = "input"; let strides = "dense";
  let derivative = [{ input  = backward.conv_input(grad, input, weight, stride, padding, dilation, groups, 3)
                      weight = backward.conv_weight(grad, input, weight, stride, padding, dilation, groups, 3)
                      bias   = backward.conv_bias(grad, 3) }];
}
def Aten_conv3d_padding : Op<"aten::conv3d.padding(Tensor input, Tensor weight, Tensor? bias=None, int[3] stride=1, str padding=\"valid\", int[3] dilation=1, int groups=1) -> Tensor"> {
  let traits = [AffineLayer, Convolution, KeepsRank];
  let summary = "3-dimensional convolution";
  let weights = ["weight"];
  let kernel = "cpu::conv3dPadding";
  let shape = "convolution_mode(input, weight, stride, padding, dilation, groups)"; let dtype = "input"; let strides = "dense";
  let derivative = [{ input  = backward.conv_named_input(grad, input, weight, stride, padding, dilation, groups, 3)
                      weight = backward.conv_named_weight(grad, input, weight, stride, padding, dilation, groups, 3)
                      bias   = backward.conv_bias(grad, 3) }];
}
def Aten_conv_transpose1d : Op<"aten::conv_transpose1d(Tensor input, Tensor weight, Tensor? bias=None, int[1] stride=[1], int[1] padding=[0], int[1] output_padding=[0], int groups=1, int[1] dilation=[1]) -> Tensor"> {
  let traits = [AffineLayer, TransposedConvolution, KeepsRank];
  let summary = "1-dimensional transposed convolution";
  let kernel = "cpu::convTranspose1d";
  let shape = "convolution(input, weight, stride, padding, dilation, True, output_padding, groups)"; let dtype = "input"; let strides = "dense";
  let derivative = [{ input  = backward.conv_transpose_input(grad, input, weight, stride, padding, dilation, groups, 1)
                      weight = backward.conv_transpose_weight(grad, input, weight, stride, padding, dilation, groups, 1)
                      bias   = backward.conv_bias(grad, 1) }];
}
def Aten_conv_transpose2d_input : Op<"aten::conv_transpose2d.input(Tensor input, Tensor weight, Tensor? bias=None, int[2] stride=1, int[2] padding=0, int[2] output_padding=0, int groups=1, int[2] dilation=1) -> Tensor"> {
  let traits = [AffineLayer, TransposedConvolution, KeepsRank];
  let summary = "2-dimensional transposed convolution";
  let kernel = "cpu::convTranspose2d";
  let shape = "convolution(input, weight, stride, padding, dilation, True, output_padding, groups)"; let dtype = "input"; let strides = "dense";
  let derivative = [{ input  = backward.conv_transpose_input(grad, input, weight, stride, padding, dilation, groups, 2)
                      weight = backward.conv_transpose_weight(grad, input, weight, stride, padding, dilation, groups, 2)
                      bias   = backward.conv_bias(grad, 2) }];
}
def Aten_conv_transpose3d_input : Op<"aten::conv_transpose3d.input(Tensor input, Tensor weight, Tensor? bias=None, int[3] stride=1, int[3] padding=0, int[3] output_padding=0, int groups=1, int[3] dilation=1) -> Tensor"> {
  let traits = [AffineLayer, TransposedConvolution, KeepsRank];
  let summary = "3-dimensional transposed convolution";
  let kernel = "cpu::convTranspose3d";
  let shape = "convolution(input, weight, stride, padding, dilation, True, output_padding, groups)"; let dtype = "input"; let strides = "dense";
  let derivative = [{ input  = backward.conv_transpose_input(grad, input, weight, stride, padding, dilation, groups, 3)
                      weight = backward.conv_transpose_weight(grad, input, weight, stride, padding, dilation, groups, 3)
                      bias   = backward.conv_bias(grad, 3) }];
}
def Aten_conv_tbc : Op<"aten::conv_tbc(Tensor self, Tensor weight, Tensor bias, int pad=0) -> Tensor"> {
  let summary = "Convolution over (time, batch, channel)";
  let kernel = "cpu::convTbc"; let variants = [Out];
  let shape = "conv_tbc(self, weight, pad)"; let dtype = "self"; let strides = "dense";
}
def Aten_mkldnn_convolution : Op<"aten::mkldnn_convolution(Tensor self, Tensor weight, Tensor? bias, int[] padding, int[] stride, int[] dilation, int groups) -> Tensor"> {
  let summary = "Convolution";
  let kernel = "cpu::mkldnnConvolution"; let variants = [Out];
  let shape = "convolution(self, weight, stride, padding, dilation, False, [], groups)"; let dtype = "self"; let strides = "dense";
}
def Aten_thnn_conv2d : Op<"aten::thnn_conv2d(Tensor self, Tensor weight, int[2] kernel_size, Tensor? bias=None, int[2] stride=1, int[2] padding=0) -> Tensor"> {
  let summary = "2-dimensional convolution";
  let kernel = "cpu::thnnConv2d"; let variants = [Out];
  let shape = "convolution(self, weight, stride, padding, [1], False, [], 1)"; let dtype = "self"; let strides = "dense";
}
def Aten_conv_depthwise3d : Op<"aten::conv_depthwise3d(Tensor self, Tensor weight, int[3] kernel_size, Tensor? bias, int[3] stride, int[3] padding, int[3] dilation) -> Tensor"> {
  let summary = "Depthwise 3-dimensional convolution";
  let kernel = "cpu::convDepthwise3d"; let variants = [Out];
}
def Aten_slow_conv3d : Op<"aten::slow_conv3d(Tensor self, Tensor weight, int[3] kernel_size, Tensor? bias=None, int[3] stride=1, int[3] padding=0) -> Tensor"> {
  let summary = "3-dimensional convolution";
  let kernel = "cpu::slowConv3d"; let variants = [Out];
  let shape = "convolution(self, weight, stride, padding, [1], False, [], 1)"; let dtype = "self"; let strides = "dense";
}
def Aten_slow_conv_dilated2d : Op<"aten::slow_conv_dilated2d(Tensor self, Tensor weight, int[2] kernel_size, Tensor? bias=None, int[2] stride=1, int[2] padding=0, int[2] dilation=1) -> Tensor"> {
  let summary = "2-dimensional convolution";
  let kernel = "cpu::slowConvDilated2d"; let variants = [Out];
  let shape = "convolution(self, weight, stride, padding, dilation, False, [], 1)"; let dtype = "self"; let strides = "dense";
}
def Aten_slow_conv_dilated3d : Op<"aten::slow_conv_dilated3d(Tensor self, Tensor weight, int[3] kernel_size, Tensor? bias=None, int[3] stride=1, int[3] padding=0, int[3] dilation=1) -> Tensor"> {
  let summary = "3-dimensional convolution";
  let kernel = "cpu::slowConvDilated3d"; let variants = [Out];
  let shape = "convolution(self, weight, stride, padding, dilation, False, [], 1)"; let dtype = "self"; let strides = "dense";
}
def Aten_slow_conv_transpose2d : Op<"aten::slow_conv_transpose2d(Tensor self, Tensor weight, int[2] kernel_size, Tensor? bias=None, int[2] stride=1, int[2] padding=0, int[2] output_padding=0, int[2] dilation=1) -> Tensor"> {
  let summary = "2-dimensional transposed convolution";
  let kernel = "cpu::slowConvTranspose2d"; let variants = [Out];
  let shape = "convolution(self, weight, stride, padding, dilation, True, output_padding, 1)"; let dtype = "self"; let strides = "dense";
}
def Aten_slow_conv_transpose3d : Op<"aten::slow_conv_transpose3d(Tensor self, Tensor weight, int[3] kernel_size, Tensor? bias=None, int[3] stride=1, int[3] padding=0, int[3] output_padding=0, int[3] dilation=1) -> Tensor"> {
  let summary = "3-dimensional transposed convolution";
  let kernel = "cpu::slowConvTranspose3d"; let variants = [Out];
  let shape = "convolution(self, weight, stride, padding, dilation, True, output_padding, 1)"; let dtype = "self"; let strides = "dense";
}
