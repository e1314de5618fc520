//===- Elementary.td - Functions of one and two numbers ----*- tablegen -*-===//
//
// Point-wise: each scalar body is the one definition of its operator for every tier.
//
//===----------------------------------------------------------------------===//

// Functions of one number
def Aten_exp : PointwiseOp<"aten::exp(Tensor self) -> Tensor"> {
  let summary = "Exponential";
  let variants = [InPlace, Out];
  let dtype = "promote_float";
  let types = [Real, Cplx];
  let scalar = [{ exp(self) }];
  let derivative = [{ self = grad * result.conj() }];
}
def Aten_exp2 : PointwiseOp<"aten::exp2(Tensor self) -> Tensor"> {
  let summary = "2 to the power";
  let variants = [InPlace, Out];
  let dtype = "promote_float";
  let types = [Real, Cplx];
  let scalar = [{ exp2(self) }];
  let derivative = [{ self = grad * (result * 0.6931471805599453).conj() }];
}
def Aten_expm1 : PointwiseOp<"aten::expm1(Tensor self) -> Tensor"> {
  let summary = "exp(self) - 1";
  let variants = [InPlace, Out];
  let dtype = "promote_float";
  let types = [Real, Cplx];
  let scalar = [{ expm1(self) }];
  let derivative = [{ self = grad * (result + 1).conj() }];
}
def Aten_log : PointwiseOp<"aten::log(Tensor self) -> Tensor"> {
  let summary = "Natural logarithm";
  let variants = [InPlace, Out];
  let dtype = "promote_float";
  let types = [Real, Cplx];
  let scalar = [{ log(self) }];
  let derivative = [{ self = grad / self.conj() }];
}
def Aten_log2 : PointwiseOp<"aten::log2(Tensor self) -> Tensor"> {
  let summary = "Logarithm to base 2";
  let variants = [InPlace, Out];
  let dtype = "promote_float";
  let types = [Real, Cplx];
  let scalar = [{ log2(self) }];
  let derivative = [{ self = grad / (self * 0.6931471805599453).conj() }];
}
def Aten_log10 : PointwiseOp<"aten::log10(Tensor self) -> Tensor"> {
  let summary = "Logarithm to base 10";
  let variants = [InPlace, Out];
  let dtype = "promote_float";
  let types = [Real, Cplx];
  let scalar = [{ log10(self) }];
  let derivative = [{ self = grad / (self * 2.302585092994046).conj() }];
}
def Aten_log1p : PointwiseOp<"aten::log1p(Tensor self) -> Tensor"> {
  let summary = "log(1 + self)";
  let variants = [InPlace, Out];
  let dtype = "promote_float";
  let types = [Real, Cplx];
  let scalar = [{ log1p(self) }];
  let derivative = [{ self = grad / (self + 1).conj() }];
}
def Aten_sqrt : PointwiseOp<"aten::sqrt(Tensor self) -> Tensor"> {
  let summary = "Square root";
  let variants = [InPlace, Out];
  let dtype = "promote_float";
  let types = [Real, Cplx];
  let scalar = [{ sqrt(self) }];
  let derivative = [{ self = grad / (2 * result).conj() }];
}
def Aten_rsqrt : PointwiseOp<"aten::rsqrt(Tensor self) -> Tensor"> {
  let summary = "1 / sqrt(self)";
  let variants = [InPlace, Out];
  let dtype = "promote_float";
  let types = [Real, Cplx];
  let scalar = [{ rsqrt(self) }];
  let derivative = [{ self = -0.5 * grad * (result * result * result).conj() }];
}
def Aten_sin : PointwiseOp<"aten::sin(Tensor self) -> Tensor"> {
  let summary = "Sine";
  let variants = [InPlace, Out];
  let dtype = "promote_float";
  let types = [Real, Cplx];
  let scalar = [{ sin(self) }];
  let derivative = [{ self = grad * cos(self).conj() }];
}
def Aten_cos : PointwiseOp<"aten::cos(Tensor self) -> Tensor"> {
  let summary = "Cosine";
  let variants = [InPlace, Out];
  let dtype = "promote_float";
  let types = [Real, Cplx];
  let scalar = [{ cos(self) }];
  let derivative = [{ self = -grad * sin(self).conj() }];
}
def Aten_tan : PointwiseOp<"aten::tan(Tensor self) -> Tensor"> {
  let summary = "Tangent";
  let variants = [InPlace, Out];
  let dtype = "promote_float";
  let types = [Real, Cplx];
  let scalar = [{ tan(self) }];
  let derivative = [{ self = grad * (1 + result * result).conj() }];
}
def Aten_asin : PointwiseOp<"aten::asin(Tensor self) -> Tensor"> {
  let summary = "Inverse sine";
  let variants = [InPlace, Out];
  let dtype = "promote_float";
  let types = [Real, Cplx];
  let scalar = [{ asin(self) }];
  let derivative = [{ self = grad * rsqrt(1 - self * self).conj() }];
}
def Aten_acos : PointwiseOp<"aten::acos(Tensor self) -> Tensor"> {
  let summary = "Inverse cosine";
  let variants = [InPlace, Out];
  let dtype = "promote_float";
  let types = [Real, Cplx];
  let scalar = [{ acos(self) }];
  let derivative = [{ self = -grad * rsqrt(1 - self * self).conj() }];
}
def Aten_atan : PointwiseOp<"aten::atan(Tensor self) -> Tensor"> {
  let summary = "Inverse tangent";
  let variants = [InPlace, Out];
  let dtype = "promote_float";
  let types = [Real, Cplx];
  let scalar = [{ atan(self) }];
  let derivative = [{ self = grad / (self * self + 1).conj() }];
}
def Aten_sinh : PointwiseOp<"aten::sinh(Tensor self) -> Tensor"> {
  let summary = "Hyperbolic sine";
  let variants = [InPlace, Out];
  let dtype = "promote_float";
  let types = [Real, Cplx];
  let scalar = [{ sinh(self) }];
  let derivative = [{ self = grad * cosh(self).conj() }];
}
def Aten_cosh : PointwiseOp<"aten::cosh(Tensor self) -> Tensor"> {
  let summary = "Hyperbolic cosine";
  let variants = [InPlace, Out];
  let dtype = "promote_float";
  let types = [Real, Cplx];
  let scalar = [{ cosh(self) }];
  let derivative = [{ self = grad * sinh(self).conj() }];
}
def Aten_tanh : PointwiseOp<"aten::tanh(Tensor self) -> Tensor"> {
  let quantized = "signedUnit";
  let summary = "Hyperbolic tangent";
  let traits = [Pointwise, Activation];
  let variants = [InPlace, Out];
  let dtype = "promote_float";
  let types = [Real, Cplx];
  let scalar = [{ tanh(self) }];
  let derivative = [{ self = grad * (1 - backward.wide(result) * result).conj() }];
}
def Aten_asinh : PointwiseOp<"aten::asinh(Tensor self) -> Tensor"> {
  let summary = "Inverse hyperbolic sine";
  let variants = [InPlace, Out];
  let dtype = "promote_float";
  let types = [Real, Cplx];
  let scalar = [{ asinh(self) }];
  let derivative = [{ self = grad * rsqrt(self * self + 1).conj() }];
  let backwardNode = "0,1";
}
def Aten_acosh : PointwiseOp<"aten::acosh(Tensor self) -> Tensor"> {
  let summary = "Inverse hyperbolic cosine";
  let variants = [InPlace, Out];
  let dtype = "promote_float";
  let types = [Real, Cplx];
  let scalar = [{ acosh(self) }];
  let derivative = [{ self = grad * (rsqrt(self - 1) * rsqrt(self + 1)).conj() }];
  let backwardNode = "0,1";
}
def Aten_atanh : PointwiseOp<"aten::atanh(Tensor self) -> Tensor"> {
  let summary = "Inverse hyperbolic tangent";
  let variants = [InPlace, Out];
  let dtype = "promote_float";
  let types = [Real, Cplx];
  let scalar = [{ atanh(self) }];
  let derivative = [{ self = grad / (1 - self * self).conj() }];
  let backwardNode = "0,1";
}
def Aten_sigmoid : PointwiseOp<"aten::sigmoid(Tensor self) -> Tensor"> {
  let quantized = "unit";
  let summary = "1 / (1 + exp(-self))";
  let traits = [Pointwise, Activation];
  let variants = [InPlace, Out];
  let dtype = "promote_float";
  let types = [Real, Cplx];
  let scalar = [{ sigmoid(self) }];
  let derivative = [{ self = grad * ((1 - backward.wide(result)) * result).conj() }];
}
def Aten_arcsin : PointwiseOp<"aten::arcsin(Tensor self) -> Tensor"> {
  let summary = "As asin";
  let variants = [InPlace, Out];
  let dtype = "promote_float";
  let types = [Real, Cplx];
  let scalar = [{ asin(self) }];
  let decomposition = [{
def arcsin(self: Tensor) -> Tensor:
    return torch.asin(self)
  }];
  let backwardNode = "AsinBackward0";
}
def Aten_arccos : PointwiseOp<"aten::arccos(Tensor self) -> Tensor"> {
  let summary = "As acos";
  let variants = [InPlace, Out];
  let dtype = "promote_float";
  let types = [Real, Cplx];
  let scalar = [{ acos(self) }];
  let decomposition = [{
def arccos(self: Tensor) -> Tensor:
    return torch.acos(self)
  }];
  let backwardNode = "AcosBackward0";
}
def Aten_arctan : PointwiseOp<"aten::arctan(Tensor self) -> Tensor"> {
  let summary = "As atan";
  let variants = [InPlace, Out];
  let dtype = "promote_float";
  let types = [Real, Cplx];
  let scalar = [{ atan(self) }];
  let decomposition = [{
def arctan(self: Tensor) -> Tensor:
    return torch.atan(self)
  }];
  let backwardNode = "AtanBackward0";
}
def Aten_arcsinh : PointwiseOp<"aten::arcsinh(Tensor self) -> Tensor"> {
  let summary = "As asinh";
  let variants = [InPlace, Out];
  let dtype = "promote_float";
  let types = [Real, Cplx];
  let scalar = [{ asinh(self) }];
  let decomposition = [{
def arcsinh(self: Tensor) -> Tensor:
    return torch.asinh(self)
  }];
  let backwardNode = "AsinhBackward0";
}
def Aten_arccosh : PointwiseOp<"aten::arccosh(Tensor self) -> Tensor"> {
  let summary = "As acosh";
  let variants = [InPlace, Out];
  let dtype = "promote_float";
  let types = [Real, Cplx];
  let scalar = [{ acosh(self) }];
  let decomposition = [{
def arccosh(self: Tensor) -> Tensor:
    return torch.acosh(self)
  }];
  let backwardNode = "AcoshBackward0";
}
def Aten_arctanh : PointwiseOp<"aten::arctanh(Tensor self) -> Tensor"> {
  let summary = "As atanh";
  let variants = [InPlace, Out];
  let dtype = "promote_float";
  let types = [Real, Cplx];
  let scalar = [{ atanh(self) }];
  let decomposition = [{
def arctanh(self: Tensor) -> Tensor:
    return torch.atanh(self)
  }];
  let backwardNode = "AtanhBackward0";
}
def Aten_reciprocal : PointwiseOp<"aten::reciprocal(Tensor self) -> Tensor"> {
  let summary = "1 / self";
  let variants = [InPlace, Out];
  let dtype = "promote_float";
  let types = [Real, Cplx];
  let scalar = [{ 1 / self }];
  let derivative = [{ self = -grad * (result * result).conj() }];
}
def Aten_square : PointwiseOp<"aten::square(Tensor self) -> Tensor"> {
  let summary = "self * self";
  let variants = [InPlace, Out];
  let dtype = "promote_int";
  let types = [Real, Int, Cplx];
  let scalar = [{ self * self }];
  let derivative = [{ self = grad * (self * 2).conj() }];
  let backwardNode = "PowBackward0";
}
def Aten_erf : PointwiseOp<"aten::erf(Tensor self) -> Tensor"> {
  let summary = "Error function";
  let variants = [InPlace, Out];
  let dtype = "promote_float";
  let types = [Real];
  let scalar = [{ erf(self) }];
  let derivative = [{ self = grad * exp(-self * self) * 1.1283791670955126 }];
}
def Aten_erfc : PointwiseOp<"aten::erfc(Tensor self) -> Tensor"> {
  let summary = "1 - erf(self)";
  let variants = [InPlace, Out];
  let dtype = "promote_float";
  let types = [Real];
  let scalar = [{ erfc(self) }];
  let derivative = [{ self = -grad * exp(-self * self) * 1.1283791670955126 }];
}
def Aten_erfinv : PointwiseOp<"aten::erfinv(Tensor self) -> Tensor"> {
  let summary = "Inverse of erf";
  let variants = [InPlace, Out];
  let dtype = "promote_float";
  let types = [Real];
  let scalar = [{ erfinv(self) }];
  let derivative = [{ self = grad * exp(result * result) * 0.886226925452758 }];
}
def Aten_lgamma : PointwiseOp<"aten::lgamma(Tensor self) -> Tensor"> {
  let summary = "Logarithm of the gamma function";
  let variants = [InPlace, Out];
  let dtype = "promote_float";
  let types = [Real];
  let scalar = [{ lgamma(self) }];
  let derivative = [{ self = grad * digamma(self) }];
}
def Aten_digamma : PointwiseOp<"aten::digamma(Tensor self) -> Tensor"> {
  let summary = "Derivative of lgamma";
  let variants = [InPlace, Out];
  let dtype = "promote_float";
  let types = [Real];
  let scalar = [{ digamma(self) }];
  let derivative = [{ self = grad * polygamma(1, self) }];
}
def Aten_special_erf : PointwiseOp<"aten::special_erf(Tensor self) -> Tensor"> {
  let summary = "As erf";
  let variants = [Out];
  let dtype = "promote_float";
  let types = [Real];
  let scalar = [{ erf(self) }];
  let decomposition = [{
def special_erf(self: Tensor) -> Tensor:
    return torch.erf(self)
  }];
  let backwardNode = "ErfBackward0";
}
def Aten_special_erfc : PointwiseOp<"aten::special_erfc(Tensor self) -> Tensor"> {
  let summary = "As erfc";
  let variants = [Out];
  let dtype = "promote_float";
  let types = [Real];
  let scalar = [{ erfc(self) }];
  let decomposition = [{
def special_erfc(self: Tensor) -> Tensor:
    return torch.erfc(self)
  }];
  let backwardNode = "ErfcBackward0";
}
def Aten_special_erfinv : PointwiseOp<"aten::special_erfinv(Tensor self) -> Tensor"> {
  let summary = "As erfinv";
  let variants = [Out];
  let dtype = "promote_float";
  let types = [Real];
  let scalar = [{ erfinv(self) }];
  let decomposition = [{
def special_erfinv(self: Tensor) -> Tensor:
    return torch.erfinv(self)
  }];
  let backwardNode = "ErfinvBackward0";
}
def Aten_special_exp2 : PointwiseOp<"aten::special_exp2(Tensor self) -> Tensor"> {
  let summary = "As exp2";
  let variants = [Out];
  let dtype = "promote_float";
  let types = [Real];
  let scalar = [{ exp2(self) }];
  let decomposition = [{
def special_exp2(self: Tensor) -> Tensor:
    return torch.exp2(self)
  }];
  let backwardNode = "Exp2Backward0";
}
def Aten_special_expm1 : PointwiseOp<"aten::special_expm1(Tensor self) -> Tensor"> {
  let summary = "As expm1";
  let variants = [Out];
  let dtype = "promote_float";
  let types = [Real];
  let scalar = [{ expm1(self) }];
  let decomposition = [{
def special_expm1(self: Tensor) -> Tensor:
    return torch.expm1(self)
  }];
  let backwardNode = "Expm1Backward0";
}
def Aten_special_log1p : PointwiseOp<"aten::special_log1p(Tensor self) -> Tensor"> {
  let summary = "As log1p";
  let variants = [Out];
  let dtype = "promote_float";
  let types = [Real];
  let scalar = [{ log1p(self) }];
  let decomposition = [{
def special_log1p(self: Tensor) -> Tensor:
    return torch.log1p(self)
  }];
  let backwardNode = "Log1PBackward0";
}
def Aten_special_expit : PointwiseOp<"aten::special_expit(Tensor self) -> Tensor"> {
  let summary = "As sigmoid";
  let variants = [Out];
  let dtype = "promote_float";
  let types = [Real];
  let scalar = [{ sigmoid(self) }];
  let decomposition = [{
def special_expit(self: Tensor) -> Tensor:
    return torch.sigmoid(self)
  }];
  let backwardNode = "SigmoidBackward0";
}
def Aten_special_gammaln : PointwiseOp<"aten::special_gammaln(Tensor self) -> Tensor"> {
  let summary = "As lgamma";
  let variants = [Out];
  let dtype = "promote_float";
  let types = [Real];
  let scalar = [{ lgamma(self) }];
  let decomposition = [{
def special_gammaln(self: Tensor) -> Tensor:
    return torch.lgamma(self)
  }];
  let backwardNode = "LgammaBackward0";
}
def Aten_special_digamma : PointwiseOp<"aten::special_digamma(Tensor self) -> Tensor"> {
  let summary = "As digamma";
  let variants = [Out];
  let dtype = "promote_float";
  let types = [Real];
  let scalar = [{ digamma(self) }];
  let decomposition = [{
def special_digamma(self: Tensor) -> Tensor:
    return torch.digamma(self)
  }];
  let backwardNode = "DigammaBackward0";
}
def Aten_special_psi : PointwiseOp<"aten::special_psi(Tensor self) -> Tensor"> {
  let summary = "As digamma";
  let variants = [Out];
  let dtype = "promote_float";
  let types = [Real];
  let scalar = [{ digamma(self) }];
  let decomposition = [{
def special_psi(self: Tensor) -> Tensor:
    return torch.digamma(self)
  }];
  let backwardNode = "DigammaBackward0";
}
def Aten_logit : PointwiseOp<"aten::logit(Tensor self, float? eps=None) -> Tensor"> {
  let summary = "log(self / (1 - self)), self within [eps, 1 - eps]";
  let variants = [InPlace, Out];
  let dtype = "promote_float";
  let types = [Real];
  let scalar = [{ x = where(has(eps), where(self < eps, eps, where(self > 1 - eps, 1 - eps, self)), self); log(x / (1 - x)) }];
  let derivative = [{ self = backward.logit(grad, self, eps) }];
}
def Aten_sinc : PointwiseOp<"aten::sinc(Tensor self) -> Tensor"> {
  let summary = "sin(pi x) / (pi x)";
  let variants = [InPlace, Out];
  let dtype = "promote_float";
  let types = [Real, Cplx];
  let scalar = [{ x = pi * self; self == 0 ? 1 : sin(x) / x }];
  let derivative = [{ self = backward.sinc(grad, self) }];
}
def Aten_deg2rad : PointwiseOp<"aten::deg2rad(Tensor self) -> Tensor"> {
  let summary = "Degrees to radians";
  let variants = [InPlace, Out];
  let dtype = "promote_float";
  let types = [Real];
  let scalar = [{ self * (pi / 180) }];
  let derivative = [{ self = grad * 0.017453292519943295 }];
}
def Aten_rad2deg : PointwiseOp<"aten::rad2deg(Tensor self) -> Tensor"> {
  let summary = "Radians to degrees";
  let variants = [InPlace, Out];
  let dtype = "promote_float";
  let types = [Real];
  let scalar = [{ self * (180 / pi) }];
  let derivative = [{ self = grad * 57.29577951308232 }];
}

// Functions of two numbers
def Aten_atan2 : PointwiseOp<"aten::atan2(Tensor self, Tensor other) -> Tensor"> {
  let summary = "Angle of the vector (other, self)";
  let variants = [InPlace, Out];
  let dtype = "promote_float";
  let types = [Real];
  let scalar = [{ atan2(self, other) }];
  let derivative = [{ share = grad * masked_fill(1 / (self * self + other * other), (self == 0) & (other == 0), 0)
                      self  = share * other
                      other = -share * self }];
}
def Aten_arctan2 : PointwiseOp<"aten::arctan2(Tensor self, Tensor other) -> Tensor"> {
  let summary = "Angle of the vector (other, self)";
  let variants = [InPlace, Out];
  let dtype = "promote_float";
  let types = [Real];
  let scalar = [{ atan2(self, other) }];
  let decomposition = [{
def arctan2(self: Tensor, other: Tensor) -> Tensor:
    return torch.atan2(self, other)
  }];
  let backwardNode = "Atan2Backward0";
}
def Aten_hypot : PointwiseOp<"aten::hypot(Tensor self, Tensor other) -> Tensor"> {
  let summary = "Length of the hypotenuse";
  let variants = [InPlace, Out];
  let types = [Real];
  let scalar = [{ hypot(self, other) }];
  let derivative = [{ self  = grad * self / result
                      other = grad * other / result }];
}
def Aten_logaddexp : PointwiseOp<"aten::logaddexp(Tensor self, Tensor other) -> Tensor"> {
  let summary = "log(exp(self) + exp(other))";
  let variants = [Out];
  let types = [Real];
  let scalar = [{ m = max(self, other); m == inf || m == -inf ? m : m + log1p(exp(-abs(self - other))) }];
  let derivative = [{ self  = grad * sigmoid(self - other)
                      other = grad * sigmoid(other - self) }];
}
def Aten_logaddexp2 : PointwiseOp<"aten::logaddexp2(Tensor self, Tensor other) -> Tensor"> {
  let summary = "log2(2^self + 2^other)";
  let variants = [Out];
  let types = [Real];
  let scalar = [{ m = max(self, other); m == inf || m == -inf ? m : m + log2(1 + exp2(-abs(self - other))) }];
  let derivative = [{ self  = grad * sigmoid((self - other) * 0.6931471805599453)
                      other = grad * sigmoid((other - self) * 0.6931471805599453) }];
}
def Aten_xlogy_Tensor : PointwiseOp<"aten::xlogy.Tensor(Tensor self, Tensor other) -> Tensor"> {
  let summary = "self * log(other), 0 where self is 0";
  let variants = [InPlace];
  let dtype = "promote_float";
  let types = [Real];
  let scalar = [{ isnan(other) ? nan : self == 0 ? 0 : self * log(other) }];
  let derivative = [{ self  = masked_fill(xlogy(grad, other), (self == 0) & (other <= 0), 0)
                      other = grad * self / other }];
}
def Aten_xlogy_Scalar_Self : PointwiseOp<"aten::xlogy.Scalar_Self(Scalar self, Tensor other) -> Tensor"> {
  let summary = "self * log(other), 0 where self is 0";
  let dtype = "promote_float";
  let types = [Real];
  let scalar = [{ isnan(other) ? nan : self == 0 ? 0 : self * log(other) }];
  let derivative = [{ other = grad * self / other }];
  let backwardNode = "1";
}
def Aten_xlogy_Scalar_Other : PointwiseOp<"aten::xlogy.Scalar_Other(Tensor self, Scalar other) -> Tensor"> {
  let summary = "self * log(other), 0 where self is 0";
  let variants = [InPlace];
  let dtype = "promote_float";
  let types = [Real];
  let scalar = [{ isnan(other) ? nan : self == 0 ? 0 : self * log(other) }];
  let derivative = [{ self = xlogy(grad, other) if other > 0 else masked_fill(xlogy(grad, other), self == 0, 0) }];
  let backwardNode = "2";
}
def Aten_special_xlog1py : PointwiseOp<"aten::special_xlog1py(Tensor self, Tensor other) -> Tensor"> {
  let summary = "self * log(1 + other), 0 where self is 0";
  let variants = [Out];
  let dtype = "promote_float";
  let types = [Real];
  let scalar = [{ isnan(other) ? nan : self == 0 ? 0 : self * log1p(other) }];
  let derivative = [{ self  = masked_fill(special_xlog1py(grad, other), (self == 0) & (other <= -1), 0)
                      other = grad * self / (other + 1) }];
}
def Aten_special_xlog1py_self_scalar : PointwiseOp<"aten::special_xlog1py.self_scalar(Scalar self, Tensor other) -> Tensor"> {
  let summary = "self * log(1 + other), 0 where self is 0";
  let variants = [Out];
  let dtype = "promote_float";
  let types = [Real];
  let scalar = [{ isnan(other) ? nan : self == 0 ? 0 : self * log1p(other) }];
  let derivative = [{ other = grad * self / (other + 1) }];
}
def Aten_special_xlog1py_other_scalar : PointwiseOp<"aten::special_xlog1py.other_scalar(Tensor self, Scalar other) -> Tensor"> {
  let summary = "self * log(1 + other), 0 where self is 0";
  let variants = [Out];
  let dtype = "promote_float";
  let types = [Real];
  let scalar = [{ isnan(other) ? nan : self == 0 ? 0 : self * log1p(other) }];
  let derivative = [{ self = special_xlog1py(grad, other) if other > -1 else masked_fill(special_xlog1py(grad, other), self == 0, 0) }];
}
def Aten_ldexp_Tensor : PointwiseOp<"aten::ldexp.Tensor(Tensor self, Tensor other) -> Tensor"> {
  let summary = "self * 2^other";
  let variants = [InPlace, Out];
  let inPlaceName = "";
  let outName = "out";
  let dtype = "promote_float";
  let types = [Real, Cplx];
  let scalar = [{ self * exp2(other) }];
  let complexScalar = [{ self * pow(2, other) }];
  let derivative = [{ self  = grad * exp2(other.to(grad.dtype)).conj()
                      other = grad * (result * 0.6931471805599453).conj() }];
}
def Aten_gcd : PointwiseOp<"aten::gcd(Tensor self, Tensor other) -> Tensor"> {
  let summary = "Greatest common divisor";
  let variants = [InPlace, Out];
  let types = [Int];
  let scalar = [{ gcd(self, other) }];
}
def Aten_lcm : PointwiseOp<"aten::lcm(Tensor self, Tensor other) -> Tensor"> {
  let summary = "Least common multiple";
  let variants = [InPlace, Out];
  let types = [Int];
  let scalar = [{ g = gcd(self, other); g == 0 ? 0 : abs(self / g * other) }];
}
