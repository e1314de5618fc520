//===- Backward.td - The operators that gradients are made of -*- tablegen -*-===//
//
// What PyTorch's autograd calls, and what a trace or a graph of a backward pass names. Each is a composite of the
// functions that formulas of derivatives use (lib/Frontend/Prelude/gradients), so that it has a gradient itself.
//
//===----------------------------------------------------------------------===//


// Activations.
def Aten_silu_backward : Op<"aten::silu_backward(Tensor grad_output, Tensor self) -> Tensor"> {
  let summary = "Gradient of silu";
  let variants = [Out];
  let outName = "grad_input"; let outArgs = ["grad_input"];
  let decomposition = [{
def silu_backward(grad_output: Tensor, self: Tensor) -> Tensor:
    return torch._gradients.silu(grad_output, self).to(grad_output.dtype)
  }];
}
def Aten_mish_backward : Op<"aten::mish_backward(Tensor grad_output, Tensor self) -> Tensor"> {
  let summary = "Gradient of mish";
  let decomposition = [{
def mish_backward(grad_output: Tensor, self: Tensor) -> Tensor:
    return torch._gradients.mish(grad_output, self).to(grad_output.dtype)
  }];
}
def Aten_gelu_backward : Op<"aten::gelu_backward(Tensor grad_output, Tensor self, *, str approximate=\"none\") -> Tensor"> {
  let summary = "Gradient of gelu";
  let variants = [Out];
  let outName = "grad_input"; let outArgs = ["grad_input"];
  let decomposition = [{
def gelu_backward(grad_output: Tensor, self: Tensor, approximate: str) -> Tensor:
    return torch._gradients.gelu(grad_output, self, approximate).to(grad_output.dtype)
  }];
}
def Aten_infinitely_differentiable_gelu_backward : Op<"aten::infinitely_differentiable_gelu_backward(Tensor grad, Tensor self) -> Tensor"> {
  let summary = "Gradient of gelu";
  let decomposition = [{
def infinitely_differentiable_gelu_backward(grad: Tensor, self: Tensor) -> Tensor:
    return torch._gradients.gelu(grad, self, "none").to(grad.dtype)
  }];
}
def Aten_elu_backward : Op<"aten::elu_backward(Tensor grad_output, Scalar alpha, Scalar scale, Scalar input_scale, bool is_result, Tensor self_or_result) -> Tensor"> {
  let summary = "Gradient of elu";
  let variants = [Out];
  let outName = "grad_input"; let outArgs = ["grad_input"];
  let decomposition = [{
def elu_backward(grad_output: Tensor, alpha: number, scale: number, input_scale: number, is_result: bool,
                 self_or_result: Tensor) -> Tensor:
    if is_result:
        if alpha < 0:
            raise RuntimeError("In-place elu backward calculation is triggered with a negative slope which is "
                               "not supported.")
        below = (self_or_result + alpha * scale) * input_scale
        return torch.where(self_or_result <= 0, grad_output * below, grad_output * scale)
    return torch._gradients.elu(grad_output, self_or_result, alpha, scale, input_scale).to(grad_output.dtype)
  }];
}
def Aten_leaky_relu_backward : Op<"aten::leaky_relu_backward(Tensor grad_output, Tensor self, Scalar negative_slope, bool self_is_result) -> Tensor"> {
  let summary = "Gradient of leaky_relu";
  let variants = [Out];
  let outName = "grad_input"; let outArgs = ["grad_input"];
  let decomposition = [{
def leaky_relu_backward(grad_output: Tensor, self: Tensor, negative_slope: number, self_is_result: bool) -> Tensor:
    if self_is_result and negative_slope < 0:
        raise RuntimeError("In-place leakyReLu backward calculation is triggered with a negative slope which is "
                           "not supported.")
    return torch.where(self > 0, grad_output, grad_output * negative_slope)
  }];
}
def Aten_hardtanh_backward : Op<"aten::hardtanh_backward(Tensor grad_output, Tensor self, Scalar min_val, Scalar max_val) -> Tensor"> {
  let summary = "Gradient of hardtanh";
  let variants = [Out];
  let outName = "grad_input"; let outArgs = ["grad_input"];
  let decomposition = [{
def hardtanh_backward(grad_output: Tensor, self: Tensor, min_val: number, max_val: number) -> Tensor:
    return torch.where((self > min_val) & (self < max_val), grad_output, 0.)
  }];
}
def Aten_hardsigmoid_backward : Op<"aten::hardsigmoid_backward(Tensor grad_output, Tensor self) -> Tensor"> {
  let summary = "Gradient of hardsigmoid";
  let variants = [Out];
  let outName = "grad_input"; let outArgs = ["grad_input"];
  let decomposition = [{
def hardsigmoid_backward(grad_output: Tensor, self: Tensor) -> Tensor:
    return torch.where((self > -3) & (self < 3), grad_output / 6, 0.)
  }];
}
def Aten_hardswish_backward : Op<"aten::hardswish_backward(Tensor grad_output, Tensor self) -> Tensor"> {
  let summary = "Gradient of hardswish";
  let decomposition = [{
def hardswish_backward(grad_output: Tensor, self: Tensor) -> Tensor:
    return torch._gradients.hardswish(grad_output, self).to(grad_output.dtype)
  }];
}
def Aten_hardshrink_backward : Op<"aten::hardshrink_backward(Tensor grad_out, Tensor self, Scalar lambd) -> Tensor"> {
  let summary = "Gradient of hardshrink";
  let variants = [Out];
  let outName = "grad_input"; let outArgs = ["grad_input"];
  let decomposition = [{
def hardshrink_backward(grad_out: Tensor, self: Tensor, lambd: number) -> Tensor:
    return torch.where((self >= -lambd) & (self <= lambd), 0., grad_out)
  }];
}
def Aten_softshrink_backward : Op<"aten::softshrink_backward(Tensor grad_output, Tensor self, Scalar lambd) -> Tensor"> {
  let summary = "Gradient of softshrink";
  let variants = [Out];
  let outName = "grad_input"; let outArgs = ["grad_input"];
  let decomposition = [{
def softshrink_backward(grad_output: Tensor, self: Tensor, lambd: number) -> Tensor:
    return torch.where((self >= -lambd) & (self <= lambd), 0., grad_output)
  }];
}
def Aten_softplus_backward : Op<"aten::softplus_backward(Tensor grad_output, Tensor self, Scalar beta, Scalar threshold) -> Tensor"> {
  let summary = "Gradient of softplus";
  let variants = [Out];
  let outName = "grad_input"; let outArgs = ["grad_input"];
  let decomposition = [{
def softplus_backward(grad_output: Tensor, self: Tensor, beta: number, threshold: number) -> Tensor:
    slope = torch.sigmoid(torch._gradients.wide(self) * beta)
    return torch.where(self * beta > threshold, grad_output, grad_output * slope).to(grad_output.dtype)
  }];
}
def Aten_log_sigmoid_backward : Op<"aten::log_sigmoid_backward(Tensor grad_output, Tensor self, Tensor buffer) -> Tensor"> {
  let summary = "Gradient of log_sigmoid";
  let variants = [Out];
  let outName = "grad_input"; let outArgs = ["grad_input"];
  let decomposition = [{
def log_sigmoid_backward(grad_output: Tensor, self: Tensor, buffer: Tensor) -> Tensor:
    return (grad_output * torch.sigmoid(-torch._gradients.wide(self))).to(grad_output.dtype)
  }];
}
def Aten_logit_backward : Op<"aten::logit_backward(Tensor grad_output, Tensor self, float? eps=None) -> Tensor"> {
  let summary = "Gradient of logit";
  let variants = [Out];
  let outName = "grad_input"; let outArgs = ["grad_input"];
  let decomposition = [{
def logit_backward(grad_output: Tensor, self: Tensor, eps: Optional[float]) -> Tensor:
    return torch._gradients.logit(grad_output, self, eps)
  }];
}
def Aten_glu_backward : Op<"aten::glu_backward(Tensor grad_output, Tensor self, int dim) -> Tensor"> {
  let summary = "Gradient of glu";
  let variants = [Out];
  let outName = "grad_input"; let outArgs = ["grad_input"];
  let decomposition = [{
def glu_backward(grad_output: Tensor, self: Tensor, dim: int) -> Tensor:
    return torch._gradients.glu(grad_output, self, dim).to(grad_output.dtype)
  }];
}
def Aten_prelu_backward : Op<"aten::prelu_backward(Tensor grad_output, Tensor self, Tensor weight) -> (Tensor, Tensor)"> {
  let summary = "Gradient of prelu";
  let decomposition = [{
def prelu_backward(grad_output: Tensor, self: Tensor, weight: Tensor) -> Tuple[Tensor, Tensor]:
    spread = torch._gradients.along_channels(weight, self)
    products = torch.where(self > 0, 0., self * grad_output)
    found = torch.where(self > 0, grad_output, grad_output * spread)
    return found, torch._gradients.prelu_weight(products, weight)
  }];
}
def Aten_rrelu_with_noise_backward : Op<"aten::rrelu_with_noise_backward(Tensor grad_output, Tensor self, Tensor noise, Scalar lower, Scalar upper, bool training, bool self_is_result) -> Tensor"> {
  let summary = "Gradient of rrelu_with_noise";
  let decomposition = [{
def rrelu_with_noise_backward(grad_output: Tensor, self: Tensor, noise: Tensor, lower: number, upper: number,
                              training: bool, self_is_result: bool) -> Tensor:
    if training and float(upper) - float(lower) > 1e-6:
        return grad_output * noise
    return torch.where(self > 0, grad_output, grad_output * ((lower + upper) / 2))
  }];
}
def Aten__softmax_backward_data : Op<"aten::_softmax_backward_data(Tensor grad_output, Tensor output, int dim, ScalarType input_dtype) -> Tensor"> {
  let summary = "Gradient of softmax";
  let decomposition = [{
def _softmax_backward_data(grad_output: Tensor, output: Tensor, dim: int, input_dtype: int) -> Tensor:
    return torch._gradients.softmax(grad_output, output, dim).to(input_dtype)
  }];
}
def Aten__log_softmax_backward_data : Op<"aten::_log_softmax_backward_data(Tensor grad_output, Tensor output, int dim, ScalarType input_dtype) -> Tensor"> {
  let summary = "Gradient of log_softmax";
  let decomposition = [{
def _log_softmax_backward_data(grad_output: Tensor, output: Tensor, dim: int, input_dtype: int) -> Tensor:
    wide = torch._gradients.wide(grad_output)
    return (wide - torch.exp(torch._gradients.wide(output)) * torch.sum(wide, [dim], True)).to(input_dtype)
  }];
}
def Aten__masked_softmax_backward : Op<"aten::_masked_softmax_backward(Tensor grad_output, Tensor output, Tensor mask, int? dim=None) -> Tensor"> {
  let summary = "Gradient of masked_softmax";
  let decomposition = [{
def _masked_softmax_backward(grad_output: Tensor, output: Tensor, mask: Tensor, dim: Optional[int]) -> Tensor:
    return torch._gradients.softmax(grad_output, output.masked_fill(mask, 0.), -1 if dim is None else dim)
  }];
}
def Aten_native_dropout_backward : Op<"aten::native_dropout_backward(Tensor grad_output, Tensor mask, float scale) -> Tensor"> {
  let summary = "Gradient of native_dropout";
  let decomposition = [{
def native_dropout_backward(grad_output: Tensor, mask: Tensor, scale: float) -> Tensor:
    return grad_output * mask.type_as(grad_output) * scale
  }];
}

// Losses.
def Aten_mse_loss_backward : Op<"aten::mse_loss_backward(Tensor grad_output, Tensor self, Tensor target, int reduction) -> Tensor"> {
  let summary = "Gradient of mse_loss";
  let variants = [Out];
  let outName = "grad_input"; let outArgs = ["grad_input"];
  let decomposition = [{
def mse_loss_backward(grad_output: Tensor, self: Tensor, target: Tensor, reduction: int) -> Tensor:
    return torch._gradients.of_loss(grad_output, 2 * (self - target), None, reduction)
  }];
}
def Aten_smooth_l1_loss_backward : Op<"aten::smooth_l1_loss_backward(Tensor grad_output, Tensor self, Tensor target, int reduction, float beta) -> Tensor"> {
  let summary = "Gradient of smooth_l1_loss";
  let variants = [Out];
  let outName = "grad_input"; let outArgs = ["grad_input"];
  let decomposition = [{
def smooth_l1_loss_backward(grad_output: Tensor, self: Tensor, target: Tensor, reduction: int, beta: float) -> Tensor:
    difference = self - target
    slope = torch.sign(difference)
    if beta > 0:
        slope = torch.where(difference.abs() < beta, difference / beta, slope)
    return torch._gradients.of_loss(grad_output, slope, None, reduction)
  }];
}
def Aten_huber_loss_backward : Op<"aten::huber_loss_backward(Tensor grad_output, Tensor self, Tensor target, int reduction, float delta) -> Tensor"> {
  let summary = "Gradient of huber_loss";
  let decomposition = [{
def huber_loss_backward(grad_output: Tensor, self: Tensor, target: Tensor, reduction: int, delta: float) -> Tensor:
    return torch._gradients.of_loss(grad_output, torch.clamp(self - target, -delta, delta), None, reduction)
  }];
}
def Aten_soft_margin_loss_backward : Op<"aten::soft_margin_loss_backward(Tensor grad_output, Tensor self, Tensor target, int reduction) -> Tensor"> {
  let summary = "Gradient of soft_margin_loss";
  let variants = [Out];
  let outName = "grad_input"; let outArgs = ["grad_input"];
  let decomposition = [{
def soft_margin_loss_backward(grad_output: Tensor, self: Tensor, target: Tensor, reduction: int) -> Tensor:
    return torch._gradients.of_loss(grad_output, -target * torch.sigmoid(-target * self), None, reduction)
  }];
}
def Aten_binary_cross_entropy_backward : Op<"aten::binary_cross_entropy_backward(Tensor grad_output, Tensor self, Tensor target, Tensor? weight=None, int reduction=1) -> Tensor"> {
  let summary = "Gradient of binary_cross_entropy";
  let variants = [Out];
  let outName = "grad_input"; let outArgs = ["grad_input"];
  let decomposition = [{
def binary_cross_entropy_backward(grad_output: Tensor, self: Tensor, target: Tensor, weight: Optional[Tensor],
                                  reduction: int) -> Tensor:
    slope = (self - target) / torch.clamp_min((1 - self) * self, 1e-12)
    return torch._gradients.of_loss(grad_output, slope, weight, reduction)
  }];
}
def Aten_nll_loss_backward : Op<"aten::nll_loss_backward(Tensor grad_output, Tensor self, Tensor target, Tensor? weight, int reduction, int ignore_index, Tensor total_weight) -> Tensor"> {
  let summary = "Gradient of nll_loss";
  let variants = [Out];
  let outName = "grad_input"; let outArgs = ["grad_input"];
  let decomposition = [{
def nll_loss_backward(grad_output: Tensor, self: Tensor, target: Tensor, weight: Optional[Tensor], reduction: int,
                      ignore_index: int, total_weight: Tensor) -> Tensor:
    return torch._gradients.nll(grad_output, self, target, weight, reduction, ignore_index)
  }];
}
def Aten_nll_loss2d_backward : Op<"aten::nll_loss2d_backward(Tensor grad_output, Tensor self, Tensor target, Tensor? weight, int reduction, int ignore_index, Tensor total_weight) -> Tensor"> {
  let summary = "Gradient of nll_loss2d";
  let variants = [Out];
  let outName = "grad_input"; let outArgs = ["grad_input"];
  let decomposition = [{
def nll_loss2d_backward(grad_output: Tensor, self: Tensor, target: Tensor, weight: Optional[Tensor], reduction: int,
                        ignore_index: int, total_weight: Tensor) -> Tensor:
    return torch._gradients.nll(grad_output, self, target, weight, reduction, ignore_index)
  }];
}
def Aten_multi_margin_loss_backward : Op<"aten::multi_margin_loss_backward(Tensor grad_output, Tensor self, Tensor target, Scalar p, Scalar margin, Tensor? weight=None, int reduction=1) -> Tensor"> {
  let summary = "Gradient of multi_margin_loss";
  let variants = [Out];
  let outName = "grad_input"; let outArgs = ["grad_input"];
  let decomposition = [{
def multi_margin_loss_backward(grad_output: Tensor, self: Tensor, target: Tensor, p: number, margin: number,
                               weight: Optional[Tensor], reduction: int) -> Tensor:
    return torch._gradients.multi_margin(grad_output, self, target, p, margin, weight, reduction)
  }];
}
def Aten_multilabel_margin_loss_backward : Op<"aten::multilabel_margin_loss_backward(Tensor grad_output, Tensor self, Tensor target, int reduction, Tensor is_target) -> Tensor"> {
  let summary = "Gradient of multilabel_margin_loss";
  let variants = [Out];
  let outName = "grad_input"; let outArgs = ["grad_input"];
  let decomposition = [{
def multilabel_margin_loss_backward(grad_output: Tensor, self: Tensor, target: Tensor, reduction: int,
                                    is_target: Tensor) -> Tensor:
    rows = self.reshape([-1, self.size(-1) if self.dim() > 0 else 1])
    labels = target.reshape(rows.size())
    count = rows.size(1)
    slope = torch.zeros_like(rows)
    flags = is_target.reshape(rows.size()).to(rows.dtype)
    open = torch.ones_like(rows.narrow(1, 0, 1))
    for k in range(count):
        label = labels.narrow(1, k, 1)
        open = open * (label >= 0).to(rows.dtype)
        at = torch.clamp_min(label, 0)
        over = (1 - rows.gather(1, at) + rows > 0).to(rows.dtype) * (1 - flags) * open / count
        slope = slope + over
        slope = slope.scatter_add(1, at, -over.sum([1], True))
    scale = grad_output.reshape([-1, 1]) if reduction == 0 else grad_output
    found = slope * scale
    return (found / rows.size(0) if reduction == 1 else found).reshape(self.size())
  }];
}
