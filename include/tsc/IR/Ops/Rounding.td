//===- Rounding.td - Bounds, signs, rounding, parts --------*- tablegen -*-===//
//
// Point-wise: each scalar body is the one definition of its operator for every tier.
//
//===----------------------------------------------------------------------===//

// Minima, maxima, bounds
def Aten_maximum : PointwiseOp<"aten::maximum(Tensor self, Tensor other) -> Tensor"> {
  let summary = "The larger; NaN if either is NaN";
  let variants = [Out];
  let types = [Real, Int, Bool];
  let scalar = [{ max(self, other) }];
  let derivative = [{ self  = backward.larger(grad, self, other)
                      other = backward.larger(grad, other, self) }];
}
def Aten_max_other : PointwiseOp<"aten::max.other(Tensor self, Tensor other) -> Tensor"> {
  let quantized = "keeps";
  let summary = "The larger; NaN if either is NaN";
  let variants = [Out];
  let outName = "out";
  let types = [Real, Int, Bool];
  let scalar = [{ max(self, other) }];
  let decomposition = [{
def max(self: Tensor, other: Tensor) -> Tensor:
    return torch.maximum(self, other)
  }];
  let backwardNode = "MaximumBackward0";
}
def Aten_minimum : PointwiseOp<"aten::minimum(Tensor self, Tensor other) -> Tensor"> {
  let summary = "The smaller; NaN if either is NaN";
  let variants = [Out];
  let types = [Real, Int, Bool];
  let scalar = [{ min(self, other) }];
  let derivative = [{ self  = backward.larger(grad, other, self)
                      other = backward.larger(grad, self, other) }];
}
def Aten_min_other : PointwiseOp<"aten::min.other(Tensor self, Tensor other) -> Tensor"> {
  let quantized = "keeps";
  let summary = "The smaller; NaN if either is NaN";
  let variants = [Out];
  let outName = "out";
  let types = [Real, Int, Bool];
  let scalar = [{ min(self, other) }];
  let decomposition = [{
def min(self: Tensor, other: Tensor) -> Tensor:
    return torch.minimum(self, other)
  }];
  let backwardNode = "MinimumBackward0";
}
def Aten_fmax : PointwiseOp<"aten::fmax(Tensor self, Tensor other) -> Tensor"> {
  let summary = "The larger; the other operand if one is NaN";
  let variants = [Out];
  let types = [Real, Int, Bool];
  let scalar = [{ fmax(self, other) }];
  let derivative = [{ self  = where((self >= other) | isnan(other), grad, 0.)
                      other = where((self >= other) | isnan(other), 0., grad) }];
}
def Aten_fmin : PointwiseOp<"aten::fmin(Tensor self, Tensor other) -> Tensor"> {
  let summary = "The smaller; the other operand if one is NaN";
  let variants = [Out];
  let types = [Real, Int, Bool];
  let scalar = [{ fmin(self, other) }];
  let derivative = [{ self  = where((self <= other) | isnan(other), grad, 0.)
                      other = where((self <= other) | isnan(other), 0., grad) }];
}
def Aten_clamp : PointwiseOp<"aten::clamp(Tensor self, Scalar? min=None, Scalar? max=None) -> Tensor"> {
  let clamp = "min, max";
  let quantized = "keeps";
  let summary = "self within [min, max]";
  let variants = [InPlace, Out];
  let types = [Real, Int, Bool];
  let check = "checks::clampBounds";
  let scalar = [{ low = where(has(min), max(min, self), self); where(has(max), min(max, low), low) }];
  let derivative = [{ self = where(clamp(self, min, max) == self, grad, 0.) }];
  let backwardNode = "1";
}
def Aten_clip : PointwiseOp<"aten::clip(Tensor self, Scalar? min=None, Scalar? max=None) -> Tensor"> {
  let clamp = "min, max";
  let quantized = "keeps";
  let summary = "self within [min, max]";
  let variants = [InPlace, Out];
  let types = [Real, Int, Bool];
  let check = "checks::clampBounds";
  let scalar = [{ low = where(has(min), max(min, self), self); where(has(max), min(max, low), low) }];
  let decomposition = [{
def clip(self: Tensor, min: Optional[number], max: Optional[number]) -> Tensor:
    return torch.clamp(self, min, max)
  }];
  let backwardNode = "ClampBackward1";
}
def Aten_clamp_Tensor : PointwiseOp<"aten::clamp.Tensor(Tensor self, Tensor? min=None, Tensor? max=None) -> Tensor"> {
  let quantized = "keeps";
  let summary = "self within [min, max]";
  let variants = [InPlace, Out];
  let types = [Real, Int, Bool];
  let check = "checks::clampBounds";
  let scalar = [{ low = where(has(min), max(self, min), self); where(has(max), min(low, max), low) }];
  let derivative = [{ self = backward.clamped(grad, self, min, max)
                      min  = backward.clamp_low(grad, self, min, max)
                      max  = backward.clamp_high(grad, self, min, max) }];
}
def Aten_clip_Tensor : PointwiseOp<"aten::clip.Tensor(Tensor self, Tensor? min=None, Tensor? max=None) -> Tensor"> {
  let quantized = "keeps";
  let summary = "self within [min, max]";
  let variants = [InPlace, Out];
  let types = [Real, Int, Bool];
  let check = "checks::clampBounds";
  let scalar = [{ low = where(has(min), max(self, min), self); where(has(max), min(low, max), low) }];
  let decomposition = [{
def clip(self: Tensor, min: Optional[Tensor], max: Optional[Tensor]) -> Tensor:
    return torch.clamp(self, min, max)
  }];
  let backwardNode = "ClampBackward0";
}
def Aten_clamp_min : PointwiseOp<"aten::clamp_min(Tensor self, Scalar min) -> Tensor"> {
  let clamp = "min,";
  let quantized = "keeps";
  let summary = "self, at least min";
  let variants = [InPlace, Out];
  let types = [Real, Int, Bool];
  let check = "checks::clampLow";
  let scalar = [{ max(min, self) }];
  let derivative = [{ self = where(self >= min, grad, 0.) }];
}
def Aten_clamp_min_Tensor : PointwiseOp<"aten::clamp_min.Tensor(Tensor self, Tensor min) -> Tensor"> {
  let quantized = "keeps";
  let summary = "self, at least min";
  let variants = [InPlace, Out];
  let types = [Real, Int, Bool];
  let scalar = [{ max(self, min) }];
  let derivative = [{ self = where(self >= min, grad, 0.)
                      min  = where(self < min, grad, 0.) }];
  let backwardNode = "1";
}
def Aten_clamp_max : PointwiseOp<"aten::clamp_max(Tensor self, Scalar max) -> Tensor"> {
  let clamp = ", max";
  let quantized = "keeps";
  let summary = "self, at most max";
  let variants = [InPlace, Out];
  let types = [Real, Int, Bool];
  let check = "checks::clampHigh";
  let scalar = [{ min(max, self) }];
  let derivative = [{ self = where(self <= max, grad, 0.) }];
}
def Aten_clamp_max_Tensor : PointwiseOp<"aten::clamp_max.Tensor(Tensor self, Tensor max) -> Tensor"> {
  let quantized = "keeps";
  let summary = "self, at most max";
  let variants = [InPlace, Out];
  let types = [Real, Int, Bool];
  let scalar = [{ min(self, max) }];
  let derivative = [{ self = where(self <= max, grad, 0.)
                      max  = where(self > max, grad, 0.) }];
  let backwardNode = "1";
}

// Signs, rounding, parts
def Aten_neg : PointwiseOp<"aten::neg(Tensor self) -> Tensor"> {
  let summary = "-self";
  let traits = [Pointwise, Cheap, SelfInverse];
  let variants = [InPlace, Out];
  let check = "checks::negation";
  let scalar = [{ -self }];
  let derivative = [{ self = -grad }];
}
def Aten_negative : PointwiseOp<"aten::negative(Tensor self) -> Tensor"> {
  let summary = "-self";
  let variants = [InPlace, Out];
  let check = "checks::negation";
  let scalar = [{ -self }];
  let decomposition = [{
def negative(self: Tensor) -> Tensor:
    return torch.neg(self)
  }];
  let backwardNode = "NegBackward0";
}
def Aten_abs : PointwiseOp<"aten::abs(Tensor self) -> Tensor"> {
  let summary = "Absolute value";
  let traits = [Pointwise, Cheap];
  let variants = [InPlace, Out];
  let dtype = "real";
  let check = "checks::absolute";
  let scalar = [{ abs(self) }];
  let derivative = [{ self = grad * sgn(self) }];
}
def Aten_absolute : PointwiseOp<"aten::absolute(Tensor self) -> Tensor"> {
  let summary = "Absolute value";
  let variants = [InPlace, Out];
  let dtype = "real";
  let check = "checks::absolute";
  let scalar = [{ abs(self) }];
  let decomposition = [{
def absolute(self: Tensor) -> Tensor:
    return torch.abs(self)
  }];
  let backwardNode = "AbsBackward0";
}
def Aten_sign : PointwiseOp<"aten::sign(Tensor self) -> Tensor"> {
  let summary = "-1, 0 or 1";
  let variants = [InPlace, Out];
  let types = [Real, Int, Bool];
  let intScalar = [{ sgn(self) }];
  let scalar = [{ where(isnan(self), 0, sgn(self)) }];
  let derivative = [{ self = zeros_like(grad) }];
}
def Aten_sgn : PointwiseOp<"aten::sgn(Tensor self) -> Tensor"> {
  let summary = "Sign; of a complex number the unit vector";
  let variants = [InPlace, Out];
  let intScalar = [{ sgn(self) }];
  let complexScalar = [{ sgn(self) }];
  let scalar = [{ where(isnan(self), 0, sgn(self)) }];
  let derivative = [{ self = backward.sgn(grad, self, result) }];
}
def Aten_signbit : PointwiseOp<"aten::signbit(Tensor self) -> Tensor"> {
  let summary = "Whether it is negative, -0.0 included";
  let variants = [Out];
  let dtype = "bool";
  let types = [Real, Int, Bool];
  let intScalar = [{ self < 0 }];
  let scalar = [{ signbit(self) }];
}
def Aten_ceil : PointwiseOp<"aten::ceil(Tensor self) -> Tensor"> {
  let summary = "Smallest integer not below";
  let variants = [InPlace, Out];
  let types = [Real, Int];
  let intScalar = [{ self }];
  let scalar = [{ ceil(self) }];
  let derivative = [{ self = zeros_like(grad) }];
}
def Aten_floor : PointwiseOp<"aten::floor(Tensor self) -> Tensor"> {
  let summary = "Largest integer not above";
  let variants = [InPlace, Out];
  let types = [Real, Int];
  let intScalar = [{ self }];
  let scalar = [{ floor(self) }];
  let derivative = [{ self = zeros_like(grad) }];
}
def Aten_trunc : PointwiseOp<"aten::trunc(Tensor self) -> Tensor"> {
  let summary = "Integer part";
  let variants = [InPlace, Out];
  let types = [Real, Int];
  let intScalar = [{ self }];
  let scalar = [{ trunc(self) }];
  let derivative = [{ self = zeros_like(grad) }];
}
def Aten_fix : PointwiseOp<"aten::fix(Tensor self) -> Tensor"> {
  let summary = "Integer part";
  let variants = [InPlace, Out];
  let types = [Real, Int];
  let intScalar = [{ self }];
  let scalar = [{ trunc(self) }];
  let decomposition = [{
def fix(self: Tensor) -> Tensor:
    return torch.trunc(self)
  }];
  let backwardNode = "TruncBackward0";
}
def Aten_round : PointwiseOp<"aten::round(Tensor self) -> Tensor"> {
  let summary = "Nearest integer, halves to even";
  let variants = [InPlace, Out];
  let types = [Real, Int];
  let intScalar = [{ self }];
  let scalar = [{ round(self) }];
  let derivative = [{ self = zeros_like(grad) }];
}
def Aten_round_decimals : PointwiseOp<"aten::round.decimals(Tensor self, *, int decimals) -> Tensor"> {
  let summary = "Rounded to a number of decimals";
  let variants = [InPlace, Out];
  let types = [Real, Int];
  let intScalar = [{ self }];
  let scalar = [{ s = pow(10, abs(decimals)); decimals >= 0 ? round(self * s) / s : round(self / s) * s }];
  let derivative = [{ self = zeros_like(grad) }];
  let backwardNode = "1";
}
def Aten_frac : PointwiseOp<"aten::frac(Tensor self) -> Tensor"> {
  let summary = "Fractional part";
  let variants = [InPlace, Out];
  let types = [Real];
  let scalar = [{ self - trunc(self) }];
  let derivative = [{ self = grad }];
}
def Aten_isnan : PointwiseOp<"aten::isnan(Tensor self) -> Tensor"> {
  let quantized = "reals";
  let summary = "Whether it is NaN";
  let variants = [Out];
  let dtype = "bool";
  let intScalar = [{ self != self }];
  let scalar = [{ isnan(self) }];
}
def Aten_isinf : PointwiseOp<"aten::isinf(Tensor self) -> Tensor"> {
  let quantized = "reals";
  let summary = "Whether it is infinite";
  let variants = [Out];
  let dtype = "bool";
  let intScalar = [{ self != self }];
  let scalar = [{ isinf(self) }];
}
def Aten_isfinite : PointwiseOp<"aten::isfinite(Tensor self) -> Tensor"> {
  let quantized = "reals";
  let summary = "Whether it is neither infinite nor NaN";
  let dtype = "bool";
  let intScalar = [{ self == self }];
  let scalar = [{ isfinite(self) }];
}
def Aten_isposinf : PointwiseOp<"aten::isposinf(Tensor self) -> Tensor"> {
  let summary = "Whether it is +inf";
  let variants = [Out];
  let dtype = "bool";
  let types = [Real, Int, Bool];
  let intScalar = [{ self != self }];
  let scalar = [{ self == inf }];
}
def Aten_isneginf : PointwiseOp<"aten::isneginf(Tensor self) -> Tensor"> {
  let summary = "Whether it is -inf";
  let variants = [Out];
  let dtype = "bool";
  let types = [Real, Int, Bool];
  let intScalar = [{ self != self }];
  let scalar = [{ self == -inf }];
}
def Aten_isreal : PointwiseOp<"aten::isreal(Tensor self) -> Tensor"> {
  let summary = "Whether the imaginary part is zero";
  let dtype = "bool";
  let intScalar = [{ self == self }];
  let complexScalar = [{ imag(self) == 0 }];
  let scalar = [{ self == self || isnan(self) }];
}
def Aten_nan_to_num : PointwiseOp<"aten::nan_to_num(Tensor self, float? nan=None, float? posinf=None, float? neginf=None) -> Tensor"> {
  let summary = "Finite values for NaN and infinities";
  let variants = [InPlace, Out];
  let types = [Real, Int, Bool];
  let intScalar = [{ self }];
  let scalar = [{ isnan(self) ? nan : self == inf ? where(has(posinf), posinf, largest) : self == -inf ? where(has(neginf), neginf, -largest) : self }];
  let derivative = [{ self = where(isfinite(self), grad, 0.) }];
}
def Aten_angle : PointwiseOp<"aten::angle(Tensor self) -> Tensor"> {
  let summary = "Argument";
  let variants = [Out];
  let dtype = "real_float";
  let types = [Real, Cplx];
  let scalar = [{ angle(self) }];
  let derivative = [{ self = backward.angle(grad, self) }];
}
def Aten_copysign_Tensor : PointwiseOp<"aten::copysign.Tensor(Tensor self, Tensor other) -> Tensor"> {
  let summary = "Magnitude of self, sign of other";
  let variants = [InPlace, Out];
  let outName = "out";
  let dtype = "promote_float";
  let types = [Real];
  let scalar = [{ copysign(self, other) }];
  let derivative = [{ self  = grad * sign(result) * sign(self)
                      other = zeros_like(grad) }];
}
def Aten_copysign_Scalar : PointwiseOp<"aten::copysign.Scalar(Tensor self, Scalar other) -> Tensor"> {
  let summary = "Magnitude of self, sign of other";
  let variants = [InPlace, Out];
  let dtype = "promote_float";
  let types = [Real];
  let scalar = [{ copysign(self, other) }];
  let derivative = [{ self = grad * sign(result) * sign(self) }];
  let backwardNode = "1";
}
def Aten_nextafter : PointwiseOp<"aten::nextafter(Tensor self, Tensor other) -> Tensor"> {
  let summary = "Next representable number towards other";
  let variants = [InPlace, Out];
  let types = [Real];
  let scalar = [{ nextafter(self, other) }];
  let derivative = [{ self  = where(self == other, 0., grad)
                      other = zeros_like(grad) }];
}
def Aten_heaviside : PointwiseOp<"aten::heaviside(Tensor self, Tensor values) -> Tensor"> {
  let summary = "Step function; values at zero";
  let variants = [InPlace, Out];
  let types = [Real, Int, Bool];
  let intScalar = [{ self == 0 ? values : self < 0 ? 0 : 1 }];
  let check = "checks::sameDType";
  let scalar = [{ self == 0 ? values : self < 0 ? 0 : isnan(self) ? 0 : 1 }];
}
