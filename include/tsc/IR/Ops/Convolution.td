//===- Convolution.td - Operators: convolution -*- tablegen -*-===//

// Convolution.
def Aten__convolution : Op<"aten::_convolution(Tensor input, Tensor weight, Tensor? bias, int[] stride, int[] padding, int[] dilation, bool transposed, int[] output_padding, int groups, bool benchmark, bool deterministic, bool cudnn_enabled, bool allow_tf32) -> Tensor"> {
  let cudaKernel = "cuda::convolution(input, weight, bias, stride, padding, dilation, transposed, output_padding, groups)";
  let traits = [AffineLayer, Convolution, KeepsRank];
  let summary = "Convolution or transposed convolution";
  let weights = ["weight"];
  let kernel = "cpu::convolutionFlags"; let variants = [Out];
  let shape = "convolution(input, weight, stride, padding, dilation, transposed, output_padding, groups)"; let dtype = "input"; let strides = "dense";
  let derivative = [{ input  = backward.convolution_input(grad, input, weight, stride, padding, dilation, transposed, groups)
                      weight = backward.convolution_weight(grad, input, weight, stride, padding, dilation, transposed, groups)
                      bias   = backward.convolution_bias(grad, weight) }];
}
def Aten__convolution_deprecated : Op<"aten::_convolution.deprecated(Tensor input, Tensor weight, Tensor? bias, int[] stride, int[] padding, int[] dilation, bool transposed, int[] output_padding, int groups, bool benchmark, bool deterministic, bool cudnn_enabled) -> Tensor"> {
  let cudaKernel = "cuda::convolution(input, weight, bias, stride, padding, dilation, transposed, output_padding, groups)";
  let traits = [AffineLayer, Convolution, KeepsRank];
  let summary = "Convolution or transposed convolution";
  let weights = ["weight"];
  let kernel = "cpu::convolutionDeprecated";
  let shape = "convolution(input, weight, stride, padding, dilation, transposed, output_padding, groups)"; let dtype = "input"; let strides = "dense";
  let derivative = [{ input  = backward.convolution_input(grad, input, weight, stride, padding, dilation, transposed, groups)
                      weight = backward.convolution_weight(grad, input, weight, stride, padding, dilation, transposed, groups)
                      bias   = backward.convolution_bias(grad, weight) }];
}
def Aten_convolution : Op<"aten::convolution(Tensor input, Tensor weight, Tensor? bias, int[] stride, int[] padding, int[] dilation, bool transposed, int[] output_padding, int groups) -> Tensor"> {
  let cudaKernel = "cuda::convolution(input, weight, bias, stride, padding, dilation, transposed, output_padding, groups)";
  let traits = [AffineLayer, Convolution, KeepsRank];
  let summary = "Convolution or transposed convolution";
  let weights = ["weight"];
  let kernel = "cpu::convolution"; let variants = [Out];
  let shape = "convolution(input, weight, stride, padding, dilation, transposed, output_padding, groups)"; let dtype = "input"; let strides = "dense";
  let derivative = [{ input  = backward.convolution_input(grad, input, weight, stride, padding, dilation, transposed, groups)
                      weight = backward.convolution_weight(grad, input, weight, stride, padding, dilation, transposed, groups)
                      bias   = backward.convolution_bias(grad, weight) }];
  let backwardNode = "0";
}
def Aten__convolution_mode : Op<"aten::_convolution_mode(Tensor input, Tensor weight, Tensor? bias, int[] stride, str padding, int[] dilation, int groups) -> Tensor"> {
  let traits = [AffineLayer, Convolution, KeepsRank];
  let summary = "Convolution with padding by name";
  let weights = ["weight"];
  let kernel = "cpu::convolutionMode";
  let shape = "convolution_mode(input, weight, stride, padding, dilation, groups)"; let dtype = "input"; let strides = "dense";
  let derivative = [{ input  = backward.convolution_mode_input(grad, input, weight, stride, padding, dilation, groups)
                      weight = backward.convolution_mode_weight(grad, input, weight, stride, padding, dilation, groups)
                      bias   = backward.convolution_bias(grad, weight) }];
}
def Aten_conv1d : Op<"aten::conv1d(Tensor input, Tensor weight, Tensor? bias=None, int[1] stride=[1], int[1] padding=[0], int[1] dilation=[1], int groups=1) -> Tensor"> {
  let cudaKernel = "cuda::convolve(1, input, weight, bias, stride, padding, dilation, groups)";
  let traits = [AffineLayer, Convolution, KeepsRank];
  let summary = "1-dimensional convolution";
  let weights = ["weight"];
  let kernel = "cpu::conv1d";
  let shape = "convolution(input, weight, stride, padding, dilation, False, [], groups)"; let dtype = "input"; let strides = "dense";
  let derivative = [{ input  = backward.convolution_input(grad, input, weight, stride, padding, dilation, False, groups)
                      weight = backward.convolution_weight(grad, input, weight, stride, padding, dilation, False, groups)
                      bias   = backward.convolution_bias(grad, weight) }];
  let backwardNode = "convolution1";
}
def Aten_conv1d_padding : Op<"aten::conv1d.padding(Tensor input, Tensor weight, Tensor? bias=None, int[1] stride=[1], str padding=\"valid\", int[1] dilation=[1], int groups=1) -> Tensor"> {
  let traits = [AffineLayer, Convolution, KeepsRank];
  let summary = "1-dimensional convolution";
  let weights = ["weight"];
  let kernel = "cpu::conv1dPadding";
  let shape = "convolution_mode(input, weight, stride, padding, dilation, groups)"; let dtype = "input"; let strides = "dense";
  let derivative = [{ input  = backward.convolution_mode_input(grad, input, weight, stride, padding, dilation, groups)
                      weight = backward.convolution_mode_weight(grad, input, weight, stride, padding, dilation, groups)
                      bias   = backward.convolution_bias(grad, weight) }];
}
def Aten_conv2d : Op<"aten::conv2d(Tensor input, Tensor weight, Tensor? bias=None, int[2] stride=1, int[2] padding=0, int[2] dilation=1, int groups=1) -> Tensor"> {
  let cudaKernel = "cuda::convolve(2, input, weight, bias, stride, padding, dilation, groups)";
  let traits = [AffineLayer, Convolution, KeepsRank];
  let summary = "2-dimensional convolution";
  let weights = ["weight"];
  let kernel = "cpu::conv2d";
  let shape = "convolution(input, weight, stride, padding, dilation, False, [], groups)"; let dtype = "input"; let strides = "dense";
  let derivative = [{ input  = backward.convolution_input(grad, input, weight, stride, padding, dilation, False, groups)
                      weight = backward.convolution_weight(grad, input, weight, stride, padding, dilation, False, groups)
                      bias   = backward.convolution_bias(grad, weight) }];
  let backwardNode = "convolution2";
}
def Aten_conv2d_padding : Op<"aten::conv2d.padding(Tensor input, Tensor weight, Tensor? bias=None, int[2] stride=1, str padding=\"valid\", int[2] dilation=1, int groups=1) -> Tensor"> {
  let traits = [AffineLayer, Convolution, KeepsRank];
  let summary = "2-dimensional convolution";
  let weights = ["weight"];
  let kernel = "cpu::conv2dPadding";
  let shape = "convolution_mode(input, weight, stride, padding, dilation, groups)"; let dtype = "input"; let strides = "dense";
  let derivative = [{ input  = backward.convolution_mode_input(grad, input, weight, stride, padding, dilation, groups)
                      weight = backward.convolution_mode_weight(grad, input, weight, stride, padding, dilation, groups)
                      bias   = backward.convolution_bias(grad, weight) }];
}
def Aten_conv3d : Op<"aten::conv3d(Tensor input, Tensor weight, Tensor? bias=None, int[3] stride=1, int[3] padding=0, int[3] dilation=1, int groups=1) -> Tensor"> {
  let cudaKernel = "cuda::convolve(3, input, weight, bias, stride, padding, dilation, groups)";
  let traits = [AffineLayer, Convolution, KeepsRank];
  let summary = "3-dimensional convolution";
  let weights = ["weight"];
  let kernel = "cpu::conv3d";
  let shape = "convolution(input, weight, stride, padding, dilation, False, [], groups)"; let dtype = "input"; let strides = "dense";
  let derivative = [{ input  = backward.convolution_input(grad, input, weight, stride, padding, dilation, False, groups)
                      weight = backward.convolution_weight(grad, input, weight, stride, padding, dilation, False, groups)
                      bias   = backward.convolution_bias(grad, weight) }];
  let backwardNode = "convolution3";
}
def Aten_conv3d_padding : Op<"aten::conv3d.padding(Tensor input, Tensor weight, Tensor? bias=None, int[3] stride=1, str padding=\"valid\", int[3] dilation=1, int groups=1) -> Tensor"> {
  let traits = [AffineLayer, Convolution, KeepsRank];
  let summary = "3-dimensional convolution";
  let weights = ["weight"];
  let kernel = "cpu::conv3dPadding";
  let shape = "convolution_mode(input, weight, stride, padding, dilation, groups)"; let dtype = "input"; let strides = "dense";
  let derivative = [{ input  = backward.convolution_mode_input(grad, input, weight, stride, padding, dilation, groups)
                      weight = backward.convolution_mode_weight(grad, input, weight, stride, padding, dilation, groups)
                      bias   = backward.convolution_bias(grad, weight) }];
}
def Aten_conv_transpose1d : Op<"aten::conv_transpose1d(Tensor input, Tensor weight, Tensor? bias=None, int[1] stride=[1], int[1] padding=[0], int[1] output_padding=[0], int groups=1, int[1] dilation=[1]) -> Tensor"> {
  let cudaKernel = "cuda::convolveTransposed(1, input, weight, bias, stride, padding, output_padding, groups, dilation)";
  let traits = [AffineLayer, TransposedConvolution, KeepsRank];
  let summary = "1-dimensional transposed convolution";
  let kernel = "cpu::convTranspose1d";
  let shape = "convolution(input, weight, stride, padding, dilation, True, output_padding, groups)"; let dtype = "input"; let strides = "dense";
  let derivative = [{ input  = backward.convolution_input(grad, input, weight, stride, padding, dilation, True, groups)
                      weight = backward.convolution_weight(grad, input, weight, stride, padding, dilation, True, groups)
                      bias   = backward.convolution_bias(grad, weight) }];
  let backwardNode = "convolution1";
}
def Aten_conv_transpose2d_input : Op<"aten::conv_transpose2d.input(Tensor input, Tensor weight, Tensor? bias=None, int[2] stride=1, int[2] padding=0, int[2] output_padding=0, int groups=1, int[2] dilation=1) -> Tensor"> {
  let cudaKernel = "cuda::convolveTransposed(2, input, weight, bias, stride, padding, output_padding, groups, dilation)";
  let traits = [AffineLayer, TransposedConvolution, KeepsRank];
  let summary = "2-dimensional transposed convolution";
  let kernel = "cpu::convTranspose2d";
  let shape = "convolution(input, weight, stride, padding, dilation, True, output_padding, groups)"; let dtype = "input"; let strides = "dense";
  let derivative = [{ input  = backward.convolution_input(grad, input, weight, stride, padding, dilation, True, groups)
                      weight = backward.convolution_weight(grad, input, weight, stride, padding, dilation, True, groups)
                      bias   = backward.convolution_bias(grad, weight) }];
  let backwardNode = "convolution2";
}
def Aten_conv_transpose3d_input : Op<"aten::conv_transpose3d.input(Tensor input, Tensor weight, Tensor? bias=None, int[3] stride=1, int[3] padding=0, int[3] output_padding=0, int groups=1, int[3] dilation=1) -> Tensor"> {
  let cudaKernel = "cuda::convolveTransposed(3, input, weight, bias, stride, padding, output_padding, groups, dilation)";
  let traits = [AffineLayer, TransposedConvolution, KeepsRank];
  let summary = "3-dimensional transposed convolution";
  let kernel = "cpu::convTranspose3d";
  let shape = "convolution(input, weight, stride, padding, dilation, True, output_padding, groups)"; let dtype = "input"; let strides = "dense";
  let derivative = [{ input  = backward.convolution_input(grad, input, weight, stride, padding, dilation, True, groups)
                      weight = backward.convolution_weight(grad, input, weight, stride, padding, dilation, True, groups)
                      bias   = backward.convolution_bias(grad, weight) }];
  let backwardNode = "convolution3";
}
def Aten_conv_tbc : Op<"aten::conv_tbc(Tensor self, Tensor weight, Tensor bias, int pad=0) -> Tensor"> {
  let summary = "Convolution over (time, batch, channel)";
  let kernel = "cpu::convTbc"; let variants = [Out];
  let shape = "conv_tbc(self, weight, pad)"; let dtype = "self"; let strides = "dense";
  let derivative = [{ self   = backward.convolution_input(permute(grad, [1, 2, 0]), permute(self, [1, 2, 0]), permute(weight, [2, 1, 0]), [1], [pad], [1], False, 1).permute([2, 0, 1])
                      weight = backward.convolution_weight(permute(grad, [1, 2, 0]), permute(self, [1, 2, 0]), permute(weight, [2, 1, 0]), [1], [pad], [1], False, 1).permute([2, 1, 0])
                      bias   = sum(grad, [0, 1]) }];
  let backwardNode = "0";
}
def Aten_mkldnn_convolution : Op<"aten::mkldnn_convolution(Tensor self, Tensor weight, Tensor? bias, int[] padding, int[] stride, int[] dilation, int groups) -> Tensor"> {
  let summary = "Convolution";
  let kernel = "cpu::mkldnnConvolution"; let variants = [Out];
  let shape = "convolution(self, weight, stride, padding, dilation, False, [], groups)"; let dtype = "self"; let strides = "dense";
  let derivative = [{ self   = backward.convolution_input(grad, self, weight, stride, padding, dilation, False, groups)
                      weight = backward.convolution_weight(grad, self, weight, stride, padding, dilation, False, groups)
                      bias   = backward.convolution_bias(grad, weight) }];
}
def Aten_thnn_conv2d : Op<"aten::thnn_conv2d(Tensor self, Tensor weight, int[2] kernel_size, Tensor? bias=None, int[2] stride=1, int[2] padding=0) -> Tensor"> {
  let summary = "2-dimensional convolution";
  let kernel = "cpu::thnnConv2d"; let variants = [Out];
  let shape = "convolution(self, weight, stride, padding, [1], False, [], 1)"; let dtype = "self"; let strides = "dense";
  let derivative = [{ self   = backward.convolution_input(grad, self, weight, stride, padding, [1], False, 1)
                      weight = backward.convolution_weight(grad, self, weight, stride, padding, [1], False, 1)
                      bias   = backward.convolution_bias(grad, weight) }];
}
def Aten_conv_depthwise3d : Op<"aten::conv_depthwise3d(Tensor self, Tensor weight, int[3] kernel_size, Tensor? bias, int[3] stride, int[3] padding, int[3] dilation) -> Tensor"> {
  let summary = "Depthwise 3-dimensional convolution";
  let kernel = "cpu::convDepthwise3d"; let variants = [Out];
  let derivative = [{ self   = backward.convolution_input(grad, self, weight, stride, padding, dilation, False, self.size(-4))
                      weight = backward.convolution_weight(grad, self, weight, stride, padding, dilation, False, self.size(-4))
                      bias   = backward.convolution_bias(grad, weight) }];
}
def Aten_slow_conv3d : Op<"aten::slow_conv3d(Tensor self, Tensor weight, int[3] kernel_size, Tensor? bias=None, int[3] stride=1, int[3] padding=0) -> Tensor"> {
  let summary = "3-dimensional convolution";
  let kernel = "cpu::slowConv3d"; let variants = [Out];
  let shape = "convolution(self, weight, stride, padding, [1], False, [], 1)"; let dtype = "self"; let strides = "dense";
  let derivative = [{ self   = backward.convolution_input(grad, self, weight, stride, padding, [1], False, 1)
                      weight = backward.convolution_weight(grad, self, weight, stride, padding, [1], False, 1)
                      bias   = backward.convolution_bias(grad, weight) }];
}
def Aten_slow_conv_dilated2d : Op<"aten::slow_conv_dilated2d(Tensor self, Tensor weight, int[2] kernel_size, Tensor? bias=None, int[2] stride=1, int[2] padding=0, int[2] dilation=1) -> Tensor"> {
  let summary = "2-dimensional convolution";
  let kernel = "cpu::slowConvDilated2d"; let variants = [Out];
  let shape = "convolution(self, weight, stride, padding, dilation, False, [], 1)"; let dtype = "self"; let strides = "dense";
  let derivative = [{ self   = backward.convolution_input(grad, self, weight, stride, padding, dilation, False, 1)
                      weight = backward.convolution_weight(grad, self, weight, stride, padding, dilation, False, 1)
                      bias   = backward.convolution_bias(grad, weight) }];
}
def Aten_slow_conv_dilated3d : Op<"aten::slow_conv_dilated3d(Tensor self, Tensor weight, int[3] kernel_size, Tensor? bias=None, int[3] stride=1, int[3] padding=0, int[3] dilation=1) -> Tensor"> {
  let summary = "3-dimensional convolution";
  let kernel = "cpu::slowConvDilated3d"; let variants = [Out];
  let shape = "convolution(self, weight, stride, padding, dilation, False, [], 1)"; let dtype = "self"; let strides = "dense";
  let derivative = [{ self   = backward.convolution_input(grad, self, weight, stride, padding, dilation, False, 1)
                      weight = backward.convolution_weight(grad, self, weight, stride, padding, dilation, False, 1)
                      bias   = backward.convolution_bias(grad, weight) }];
}
def Aten_slow_conv_transpose2d : Op<"aten::slow_conv_transpose2d(Tensor self, Tensor weight, int[2] kernel_size, Tensor? bias=None, int[2] stride=1, int[2] padding=0, int[2] output_padding=0, int[2] dilation=1) -> Tensor"> {
  let summary = "2-dimensional transposed convolution";
  let kernel = "cpu::slowConvTranspose2d"; let variants = [Out];
  let shape = "convolution(self, weight, stride, padding, dilation, True, output_padding, 1)"; let dtype = "self"; let strides = "dense";
  let derivative = [{ self   = backward.convolution_input(grad, self, weight, stride, padding, dilation, True, 1)
                      weight = backward.convolution_weight(grad, self, weight, stride, padding, dilation, True, 1)
                      bias   = backward.convolution_bias(grad, weight) }];
}
def Aten_slow_conv_transpose3d : Op<"aten::slow_conv_transpose3d(Tensor self, Tensor weight, int[3] kernel_size, Tensor? bias=None, int[3] stride=1, int[3] padding=0, int[3] output_padding=0, int[3] dilation=1) -> Tensor"> {
  let summary = "3-dimensional transposed convolution";
  let kernel = "cpu::slowConvTranspose3d"; let variants = [Out];
  let shape = "convolution(self, weight, stride, padding, dilation, True, output_padding, 1)"; let dtype = "self"; let strides = "dense";
  let derivative = [{ self   = backward.convolution_input(grad, self, weight, stride, padding, dilation, True, 1)
                      weight = backward.convolution_weight(grad, self, weight, stride, padding, dilation, True, 1)
                      bias   = backward.convolution_bias(grad, weight) }];
}

// Images whose channels lie in blocks, which the pass block-convolutions makes (lib/Kernels/Convolution/BlockedLayers.cpp).
// They have no gradients. `summed` is the place of an addition: 0 anew, 1 in the result before it, 2 in the summand, which
// have to have the sizes of the sum then.
let traits = [MadeByPasses] in {
  def Tsc_blocked_conv2d : Op<"tsc::blocked_conv2d(Tensor input, Tensor weight, Tensor? bias, int[2] stride, int[2] padding, int[2] dilation, int groups, Tensor? norm_weight, Tensor? norm_bias, Tensor? mean, Tensor? variance, float eps, Tensor? summand, int summed, Scalar? min, Scalar? max) -> Tensor"> {
    let summary = "A convolution, and the normalization, the sum and the limits that follow it";
    let kernel = "cpu::blockedConv2d";
  }
  def Tsc_blocked_max_pool2d : Op<"tsc::blocked_max_pool2d(Tensor self, int[2] kernel_size, int[2] stride, int[2] padding, int[2] dilation, bool ceil_mode) -> Tensor"> {
    let summary = "Maximum pooling of channels in blocks";
    let kernel = "cpu::blockedMaxPool2d";
  }
  def Tsc_blocked_cat : Op<"tsc::blocked_cat(Tensor[] tensors) -> Tensor"> {
    let summary = "Channels in blocks side by side";
    let kernel = "cpu::blockedCat";
  }
  def Tsc_to_blocked : Op<"tsc::to_blocked(Tensor(a) self) -> Tensor(a)"> {
    let summary = "An image with its channels in blocks";
    let kernel = "cpu::toBlocked";
  }
  def Tsc_from_blocked : Op<"tsc::from_blocked(Tensor(a) self) -> Tensor(a)"> {
    let summary = "The plain tensor of an image with its channels in blocks";
    let kernel = "cpu::fromBlocked";
  }
}
