//===- Activation.td - Nonlinearities of neural networks ---*- tablegen -*-===//
//
// Point-wise: each scalar body is the one definition of its operator for every tier.
//
//===----------------------------------------------------------------------===//

def Aten_relu : PointwiseOp<"aten::relu(Tensor self) -> Tensor"> {
  let clamp = "0,";
  let quantized = "keeps";
  let summary = "max(self, 0)";
  let traits = [Pointwise, Activation, Cheap, Idempotent];
  let variants = [InPlace, Out];
  let dtype = "self";
  let types = [Real, Int];
  let scalar = [{ max(0, self) }];
  let derivative = [{ self = where(result <= 0, 0., grad) }];
}
def Aten_relu6 : PointwiseOp<"aten::relu6(Tensor self) -> Tensor"> {
  let clamp = "0, 6";
  let quantized = "keeps";
  let summary = "Within [0, 6]";
  let traits = [Pointwise, Activation];
  let variants = [InPlace];
  let dtype = "self";
  let types = [Real, Int];
  let scalar = [{ min(6, max(0, self)) }];
  let derivative = [{ self = where((self <= 0) | (self >= 6), 0., grad) }];
  let backwardNode = "HardtanhBackward0";
}
def Aten_leaky_relu : PointwiseOp<"aten::leaky_relu(Tensor self, Scalar negative_slope=0.01) -> Tensor"> {
  let quantized = "keeps";
  let summary = "self, or negative_slope * self below zero";
  let traits = [Pointwise, Activation];
  let variants = [InPlace, Out];
  let dtype = "self";
  let noPromote = ["negative_slope"];
  let types = [Real];
  let scalar = [{ self > 0 ? self : self * negative_slope }];
  let derivative = [{ self = where(self > 0, grad, grad * negative_slope) }];
  let backwardNode = "0,1";
}
def Aten_elu : PointwiseOp<"aten::elu(Tensor self, Scalar alpha=1, Scalar scale=1, Scalar input_scale=1) -> Tensor"> {
  let summary = "Exponential linear unit";
  let traits = [Pointwise, Activation];
  let variants = [InPlace, Out];
  let dtype = "self";
  let noPromote = ["alpha", "scale", "input_scale"];
  let types = [Real];
  let scalar = [{ self > 0 ? self * scale : expm1(self * input_scale) * (alpha * scale) }];
  let derivative = [{ self = backward.elu(grad, self, alpha, scale, input_scale) }];
  let backwardNode = "0,1";
}
def Aten_selu : PointwiseOp<"aten::selu(Tensor self) -> Tensor"> {
  let summary = "Scaled exponential linear unit";
  let traits = [Pointwise, Activation];
  let variants = [InPlace];
  let dtype = "self";
  let types = [Real];
  let dispatchName = "elu_cpu";
  let scalar = [{ self > 0 ? 1.0507009873554804934193349852946 * self : expm1(self) * (1.6732632423543772848170429916717 * 1.0507009873554804934193349852946) }];
  let derivative = [{ self = backward.elu(grad, self, 1.6732632423543772, 1.0507009873554805, 1) }];
  let backwardNode = "EluBackward0";
}
def Aten_celu : PointwiseOp<"aten::celu(Tensor self, Scalar alpha=1.) -> Tensor"> {
  let summary = "Continuously differentiable elu";
  let traits = [Pointwise, Activation];
  let variants = [InPlace, Out];
  let dtype = "self";
  let noPromote = ["alpha"];
  let types = [Real];
  let dispatchName = "elu_cpu";
  let scalar = [{ self > 0 ? self : alpha * expm1(self / alpha) }];
  let derivative = [{ self = where(self <= 0, grad * exp(clamp_max(backward.wide(self), 0) / alpha), grad) }];
  let backwardNode = "0,1";
}
def Aten_gelu : PointwiseOp<"aten::gelu(Tensor self, *, str approximate=\"none\") -> Tensor"> {
  let quantized = "keeps";
  let summary = "Gaussian error linear unit";
  let variants = [InPlace, Out];
  let types = [Real];
  let check = "checks::gelu";
  let dispatchName = "GeluKernelImpl";
  let scalar = [{ approximate == "tanh" ? 0.5 * self * (1 + tanh(0.79788456080286535588 * (self + 0.044715 * self * self * self))) : self * 0.5 * (1 + erf(self * 0.70710678118654752440)) }];
  let derivative = [{ self = backward.gelu(grad, self, approximate) }];
}
def Aten_silu : PointwiseOp<"aten::silu(Tensor self) -> Tensor"> {
  let summary = "self * sigmoid(self)";
  let traits = [Pointwise, Activation];
  let variants = [InPlace, Out];
  let dtype = "self";
  let types = [Real, Cplx];
  let scalar = [{ self / (1 + exp(-self)) }];
  let derivative = [{ self = backward.silu(grad, self) }];
}
def Aten_mish : PointwiseOp<"aten::mish(Tensor self) -> Tensor"> {
  let summary = "self * tanh(softplus(self))";
  let traits = [Pointwise, Activation];
  let variants = [InPlace, Out];
  let dtype = "self";
  let types = [Real];
  let scalar = [{ self * tanh(log1p(exp(self))) }];
  let derivative = [{ self = backward.mish(grad, self) }];
}
def Aten_softplus : PointwiseOp<"aten::softplus(Tensor self, Scalar beta=1, Scalar threshold=20) -> Tensor"> {
  let summary = "log(1 + exp(beta * self)) / beta";
  let variants = [Out];
  let dtype = "self";
  let noPromote = ["beta", "threshold"];
  let types = [Real];
  let scalar = [{ z = self * beta; z > threshold ? self : log1p(exp(z)) / beta }];
  let derivative = [{ self = where(self * beta > threshold, grad, grad * sigmoid(backward.wide(self) * beta)) }];
}
def Aten_hardtanh : PointwiseOp<"aten::hardtanh(Tensor self, Scalar min_val=-1, Scalar max_val=1) -> Tensor"> {
  let clamp = "min_val, max_val";
  let quantized = "keeps";
  let check = "checks::clampBounds";
  let summary = "Within [min_val, max_val]";
  let traits = [Pointwise, Activation];
  let variants = [InPlace, Out];
  let dtype = "self";
  let types = [Real, Int];
  let scalar = [{ min(max_val, max(min_val, self)) }];
  let derivative = [{ self = where((self <= min_val) | (self >= max_val), 0., grad) }];
}
def Aten_hardsigmoid : PointwiseOp<"aten::hardsigmoid(Tensor self) -> Tensor"> {
  let quantized = "unit";
  let summary = "Piecewise linear sigmoid";
  let traits = [Pointwise, Activation];
  let variants = [InPlace, Out];
  let dtype = "self";
  let types = [Real];
  let scalar = [{ min(6, max(0, self + 3)) / 6 }];
  let derivative = [{ self = where((self > -3) & (self < 3), grad / 6, 0.) }];
}
def Aten_hardswish : PointwiseOp<"aten::hardswish(Tensor self) -> Tensor"> {
  let summary = "self * hardsigmoid(self)";
  let traits = [Pointwise, Activation];
  let variants = [InPlace, Out];
  let dtype = "self";
  let types = [Real];
  let scalar = [{ self * min(6, max(0, self + 3)) / 6 }];
  let derivative = [{ self = backward.hardswish(grad, self) }];
}
def Aten_hardshrink : PointwiseOp<"aten::hardshrink(Tensor self, Scalar lambd=0.5) -> Tensor"> {
  let summary = "Zero within [-lambd, lambd]";
  let variants = [Out];
  let dtype = "self";
  let types = [Real];
  let scalar = [{ self >= -lambd && self <= lambd ? 0 : self }];
  let derivative = [{ self = where((self >= -lambd) & (self <= lambd), 0., grad) }];
}
def Aten_softshrink : PointwiseOp<"aten::softshrink(Tensor self, Scalar lambd=0.5) -> Tensor"> {
  let summary = "Moved towards zero by lambd";
  let variants = [Out];
  let dtype = "self";
  let noPromote = ["lambd"];
  let types = [Real];
  let scalar = [{ self > lambd ? self - lambd : self < -lambd ? self + lambd : isnan(self) ? self : 0 }];
  let derivative = [{ self = where((self >= -lambd) & (self <= lambd), 0., grad) }];
}
def Aten_threshold : PointwiseOp<"aten::threshold(Tensor self, Scalar threshold, Scalar value) -> Tensor"> {
  let quantized = "keeps";
  let summary = "value where self is at most threshold";
  let variants = [InPlace, Out];
  let check = "checks::numbers";
  let dtype = "self";
  let types = [Real, Int];
  let scalar = [{ self <= threshold ? value : self }];
  let derivative = [{ self = where(self <= threshold, 0., grad) }];
  let backwardNode = "0,1";
}
def Aten_log_sigmoid : PointwiseOp<"aten::log_sigmoid(Tensor self) -> Tensor"> {
  let summary = "log(sigmoid(self))";
  let strides = "contiguous";
  let variants = [Out];
  let types = [Real];
  let scalar = [{ min(self, 0) - log1p(exp(-abs(self))) }];
  let derivative = [{ self = grad * sigmoid(-backward.wide(self)) }];
}
def Aten_threshold_backward : PointwiseOp<"aten::threshold_backward(Tensor grad_output, Tensor self, Scalar threshold) -> Tensor"> {
  let summary = "Gradient of threshold";
  let noPromote = ["threshold"];
  let types = [Real, Int];
  let scalar = [{ self <= threshold ? 0 : grad_output }];
  let derivative = [{ grad_output = where(self > threshold, grad, 0.)
                      self        = zeros_like(grad) }];
  let backwardNode = "";
}
def Aten_sigmoid_backward : PointwiseOp<"aten::sigmoid_backward(Tensor grad_output, Tensor output) -> Tensor"> {
  let summary = "Gradient of sigmoid";
  let types = [Real, Cplx];
  let complexScalar = [{ grad_output * conj((1 - output) * output) }];
  let scalar = [{ grad_output * (1 - output) * output }];
  let derivative = [{ grad_output = grad * ((1 - output) * output)
                      output      = grad.conj() * grad_output * (1 - 2 * output).conj() }];
  let backwardNode = "";
}
def Aten_tanh_backward : PointwiseOp<"aten::tanh_backward(Tensor grad_output, Tensor output) -> Tensor"> {
  let summary = "Gradient of tanh";
  let types = [Real, Cplx];
  let complexScalar = [{ grad_output * conj(1 - output * output) }];
  let scalar = [{ grad_output * (1 - output * output) }];
  let derivative = [{ grad_output = grad * (1 - output * output)
                      output      = -2 * grad.conj() * grad_output * output.conj() }];
  let backwardNode = "";
}
