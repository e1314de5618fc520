//===- Arithmetic.td - Sums, products, powers and their kin ---*- tablegen -*-===//
//
// Point-wise: each scalar body is the one definition of its operator for every tier.
//
//===----------------------------------------------------------------------===//

def Aten_add_Tensor : PointwiseOp<"aten::add.Tensor(Tensor self, Tensor other, *, Scalar alpha=1) -> Tensor"> {
  let arithmetic = "Add";
  let summary = "self + alpha * other";
  let traits = [Pointwise, Cheap];
  let variants = [InPlace, Out];
  let outName = "out";
  let noPromote = ["alpha"];
  let check = "checks::addAlpha";
  let scalar = [{ self + alpha * other }];
  let derivative = [{ self  = grad
                      other = backward.times(grad, alpha) }];
}
def Aten_add_Scalar : PointwiseOp<"aten::add.Scalar(Tensor self, Scalar other, Scalar alpha=1) -> Tensor"> {
  let arithmetic = "Add";
  let summary = "self + alpha * other";
  let traits = [Pointwise, Cheap];
  let variants = [InPlace, Out];
  let noPromote = ["alpha"];
  let check = "checks::addAlpha";
  let scalar = [{ self + alpha * other }];
  let derivative = [{ self = grad }];
}
def Aten_sub_Tensor : PointwiseOp<"aten::sub.Tensor(Tensor self, Tensor other, *, Scalar alpha=1) -> Tensor"> {
  let arithmetic = "Subtract";
  let summary = "self - alpha * other";
  let traits = [Pointwise, Cheap];
  let variants = [InPlace, Out];
  let outName = "out";
  let noPromote = ["alpha"];
  let check = "checks::subtraction";
  let scalar = [{ self - alpha * other }];
  let derivative = [{ self  = grad
                      other = -backward.times(grad, alpha) }];
}
def Aten_sub_Scalar : PointwiseOp<"aten::sub.Scalar(Tensor self, Scalar other, Scalar alpha=1) -> Tensor"> {
  let arithmetic = "Subtract";
  let summary = "self - alpha * other";
  let traits = [Pointwise, Cheap];
  let variants = [InPlace, Out];
  let noPromote = ["alpha"];
  let check = "checks::subtraction";
  let scalar = [{ self - alpha * other }];
  let derivative = [{ self = grad }];
}
def Aten_rsub_Tensor : PointwiseOp<"aten::rsub.Tensor(Tensor self, Tensor other, *, Scalar alpha=1) -> Tensor"> {
  let summary = "other - alpha * self";
  let variants = [Out];
  let noPromote = ["alpha"];
  let check = "checks::subtraction";
  let scalar = [{ other - alpha * self }];
  let derivative = [{ self  = -backward.times(grad, alpha)
                      other = grad }];
}
def Aten_rsub_Scalar : PointwiseOp<"aten::rsub.Scalar(Tensor self, Scalar other, Scalar alpha=1) -> Tensor"> {
  let summary = "other - alpha * self";
  let variants = [Out];
  let noPromote = ["alpha"];
  let check = "checks::subtraction";
  let scalar = [{ other - alpha * self }];
  let derivative = [{ self = -backward.times(grad, alpha) }];
  let backwardNode = "1";
}
def Aten_mul_Tensor : PointwiseOp<"aten::mul.Tensor(Tensor self, Tensor other) -> Tensor"> {
  let arithmetic = "Multiply";
  let summary = "Product";
  let traits = [Pointwise, Cheap];
  let variants = [InPlace, Out];
  let outName = "out";
  let scalar = [{ self * other }];
  let derivative = [{ self  = grad * other.conj()
                      other = grad * self.conj() }];
}
def Aten_mul_Scalar : PointwiseOp<"aten::mul.Scalar(Tensor self, Scalar other) -> Tensor"> {
  let arithmetic = "Multiply";
  let summary = "Product";
  let traits = [Pointwise, Cheap];
  let variants = [InPlace, Out];
  let scalar = [{ self * other }];
  let derivative = [{ self = backward.times(grad, other) }];
}
def Aten_multiply_Tensor : PointwiseOp<"aten::multiply.Tensor(Tensor self, Tensor other) -> Tensor"> {
  let arithmetic = "Multiply";
  let summary = "Product";
  let variants = [InPlace, Out];
  let outName = "out";
  let scalar = [{ self * other }];
  let decomposition = [{
def multiply(self: Tensor, other: Tensor) -> Tensor:
    return torch.mul(self, other)
  }];
  let backwardNode = "MulBackward0";
}
def Aten_multiply_Scalar : PointwiseOp<"aten::multiply.Scalar(Tensor self, Scalar other) -> Tensor"> {
  let arithmetic = "Multiply";
  let summary = "Product";
  let variants = [InPlace];
  let scalar = [{ self * other }];
  let decomposition = [{
def multiply(self: Tensor, other: number) -> Tensor:
    return torch.mul(self, other)
  }];
  let backwardNode = "MulBackward0";
}
def Aten_subtract_Tensor : PointwiseOp<"aten::subtract.Tensor(Tensor self, Tensor other, *, Scalar alpha=1) -> Tensor"> {
  let arithmetic = "Subtract";
  let summary = "self - alpha * other";
  let variants = [InPlace, Out];
  let outName = "out";
  let noPromote = ["alpha"];
  let check = "checks::subtraction";
  let scalar = [{ self - alpha * other }];
  let decomposition = [{
def subtract(self: Tensor, other: Tensor, alpha: number) -> Tensor:
    return torch.sub(self, other, alpha=alpha)
  }];
  let backwardNode = "SubBackward0";
}
def Aten_subtract_Scalar : PointwiseOp<"aten::subtract.Scalar(Tensor self, Scalar other, Scalar alpha=1) -> Tensor"> {
  let arithmetic = "Subtract";
  let summary = "self - alpha * other";
  let variants = [InPlace];
  let noPromote = ["alpha"];
  let check = "checks::subtraction";
  let scalar = [{ self - alpha * other }];
  let decomposition = [{
def subtract(self: Tensor, other: number, alpha: number) -> Tensor:
    return torch.sub(self, other, alpha)
  }];
  let backwardNode = "SubBackward0";
}
def Aten_div_Tensor : PointwiseOp<"aten::div.Tensor(Tensor self, Tensor other) -> Tensor"> {
  let arithmetic = "Divide";
  let summary = "Quotient; of integers too a float";
  let variants = [InPlace, Out];
  let outName = "out";
  let dtype = "promote_float";
  let types = [Real, Cplx];
  let scalar = [{ self / other }];
  let derivative = [{ self  = grad / other.conj()
                      other = -grad * (result / other).conj() }];
}
def Aten_div_Scalar : PointwiseOp<"aten::div.Scalar(Tensor self, Scalar other) -> Tensor"> {
  let arithmetic = "Divide";
  let summary = "Quotient; of integers too a float";
  let variants = [InPlace, Out];
  let dtype = "promote_float";
  let types = [Real, Cplx];
  let scalar = [{ self / other }];
  let derivative = [{ self = (grad.conj() / other).conj() }];
}
def Aten_divide_Tensor : PointwiseOp<"aten::divide.Tensor(Tensor self, Tensor other) -> Tensor"> {
  let arithmetic = "Divide";
  let summary = "Quotient; of integers too a float";
  let variants = [InPlace, Out];
  let outName = "out";
  let dtype = "promote_float";
  let types = [Real, Cplx];
  let scalar = [{ self / other }];
  let decomposition = [{
def divide(self: Tensor, other: Tensor) -> Tensor:
    return torch.div(self, other)
  }];
  let backwardNode = "DivBackward0";
}
def Aten_divide_Scalar : PointwiseOp<"aten::divide.Scalar(Tensor self, Scalar other) -> Tensor"> {
  let arithmetic = "Divide";
  let summary = "Quotient; of integers too a float";
  let variants = [InPlace];
  let dtype = "promote_float";
  let types = [Real, Cplx];
  let scalar = [{ self / other }];
  let decomposition = [{
def divide(self: Tensor, other: number) -> Tensor:
    return torch.div(self, other)
  }];
  let backwardNode = "DivBackward0";
}
def Aten_true_divide_Tensor : PointwiseOp<"aten::true_divide.Tensor(Tensor self, Tensor other) -> Tensor"> {
  let arithmetic = "Divide";
  let summary = "Quotient; of integers too a float";
  let variants = [InPlace, Out];
  let outName = "out";
  let dtype = "promote_float";
  let types = [Real, Cplx];
  let scalar = [{ self / other }];
  let decomposition = [{
def true_divide(self: Tensor, other: Tensor) -> Tensor:
    return torch.div(self, other)
  }];
  let backwardNode = "DivBackward0";
}
def Aten_true_divide_Scalar : PointwiseOp<"aten::true_divide.Scalar(Tensor self, Scalar other) -> Tensor"> {
  let arithmetic = "Divide";
  let summary = "Quotient; of integers too a float";
  let variants = [InPlace];
  let dtype = "promote_float";
  let types = [Real, Cplx];
  let scalar = [{ self / other }];
  let decomposition = [{
def true_divide(self: Tensor, other: number) -> Tensor:
    return torch.div(self, other)
  }];
  let backwardNode = "DivBackward0";
}
def Aten_div_Tensor_mode : PointwiseOp<"aten::div.Tensor_mode(Tensor self, Tensor other, *, str? rounding_mode) -> Tensor"> {
  let summary = "Quotient, rounded as rounding_mode says";
  let variants = [InPlace, Out];
  let outName = "out_mode";
  let dtype = "division";
  let types = [Real, Int, Bool, Cplx];
  let intScalar = [{ rounding_mode == "trunc" ? self / other : rounding_mode == "floor" ? floordiv(self, other) : self / other }];
  let complexScalar = [{ self / other }];
  let check = "checks::roundingMode";
  let scalar = [{ rounding_mode == "trunc" ? trunc(self / other) : rounding_mode == "floor" ? floordiv(self, other) : self / other }];
  let derivative = [{ self  = backward.div_self(grad, other, rounding_mode)
                      other = backward.div_other(grad, self, other, rounding_mode) }];
  let backwardNode = "2";
}
def Aten_div_Scalar_mode : PointwiseOp<"aten::div.Scalar_mode(Tensor self, Scalar other, *, str? rounding_mode) -> Tensor"> {
  let summary = "Quotient, rounded as rounding_mode says";
  let variants = [InPlace, Out];
  let dtype = "division";
  let types = [Real, Int, Bool, Cplx];
  let intScalar = [{ rounding_mode == "trunc" ? self / other : rounding_mode == "floor" ? floordiv(self, other) : self / other }];
  let complexScalar = [{ self / other }];
  let check = "checks::roundingMode";
  let scalar = [{ rounding_mode == "trunc" ? trunc(self / other) : rounding_mode == "floor" ? floordiv(self, other) : self / other }];
  let derivative = [{ self = (grad.conj() / other).conj() if rounding_mode is None else zeros_like(grad) }];
  let backwardNode = "2";
}
def Aten_divide_Tensor_mode : PointwiseOp<"aten::divide.Tensor_mode(Tensor self, Tensor other, *, str? rounding_mode) -> Tensor"> {
  let summary = "Quotient, rounded as rounding_mode says";
  let variants = [InPlace, Out];
  let outName = "out_mode";
  let dtype = "division";
  let types = [Real, Int, Bool, Cplx];
  let intScalar = [{ rounding_mode == "trunc" ? self / other : rounding_mode == "floor" ? floordiv(self, other) : self / other }];
  let complexScalar = [{ self / other }];
  let check = "checks::roundingMode";
  let scalar = [{ rounding_mode == "trunc" ? trunc(self / other) : rounding_mode == "floor" ? floordiv(self, other) : self / other }];
  let decomposition = [{
def divide(self: Tensor, other: Tensor, rounding_mode: Optional[str]) -> Tensor:
    return torch.div(self, other, rounding_mode=rounding_mode)
  }];
  let backwardNode = "DivBackward2";
}
def Aten_divide_Scalar_mode : PointwiseOp<"aten::divide.Scalar_mode(Tensor self, Scalar other, *, str? rounding_mode) -> Tensor"> {
  let summary = "Quotient, rounded as rounding_mode says";
  let variants = [InPlace];
  let dtype = "division";
  let types = [Real, Int, Bool, Cplx];
  let intScalar = [{ rounding_mode == "trunc" ? self / other : rounding_mode == "floor" ? floordiv(self, other) : self / other }];
  let complexScalar = [{ self / other }];
  let check = "checks::roundingMode";
  let scalar = [{ rounding_mode == "trunc" ? trunc(self / other) : rounding_mode == "floor" ? floordiv(self, other) : self / other }];
  let decomposition = [{
def divide(self: Tensor, other: number, rounding_mode: Optional[str]) -> Tensor:
    return torch.div(self, other, rounding_mode=rounding_mode)
  }];
  let backwardNode = "DivBackward2";
}
def Aten_floor_divide : PointwiseOp<"aten::floor_divide(Tensor self, Tensor other) -> Tensor"> {
  let summary = "Quotient rounded towards minus infinity";
  let variants = [InPlace, Out];
  let inPlaceName = "Tensor";
  let types = [Real, Int, Bool];
  let check = "checks::integerDivisor";
  let scalar = [{ floordiv(self, other) }];
  let derivative = [{ self  = zeros_like(grad)
                      other = zeros_like(grad) }];
  let backwardNode = "";
}
def Aten_floor_divide_Scalar : PointwiseOp<"aten::floor_divide.Scalar(Tensor self, Scalar other) -> Tensor"> {
  let summary = "Quotient rounded towards minus infinity";
  let variants = [InPlace];
  let types = [Real, Int, Bool];
  let check = "checks::integerDivisor";
  let scalar = [{ floordiv(self, other) }];
  let derivative = [{ self = zeros_like(grad) }];
  let backwardNode = "";
}
def Aten_remainder_Tensor : PointwiseOp<"aten::remainder.Tensor(Tensor self, Tensor other) -> Tensor"> {
  let summary = "Remainder with the sign of the divisor";
  let variants = [InPlace, Out];
  let types = [Real, Int, Bool];
  let check = "checks::integerDivisor";
  let scalar = [{ remainder(self, other) }];
  let derivative = [{ self  = grad
                      other = -grad * div(self, other, rounding_mode="floor") }];
  let backwardNode = "1";
}
def Aten_remainder_Scalar : PointwiseOp<"aten::remainder.Scalar(Tensor self, Scalar other) -> Tensor"> {
  let summary = "Remainder with the sign of the divisor";
  let variants = [InPlace, Out];
  let types = [Real, Int, Bool];
  let check = "checks::integerDivisor";
  let scalar = [{ remainder(self, other) }];
  let derivative = [{ self = grad }];
}
def Aten_remainder_Scalar_Tensor : PointwiseOp<"aten::remainder.Scalar_Tensor(Scalar self, Tensor other) -> Tensor"> {
  let summary = "Remainder with the sign of the divisor";
  let variants = [Out];
  let types = [Real, Int, Bool];
  let check = "checks::integerDivisor";
  let scalar = [{ remainder(self, other) }];
  let derivative = [{ other = grad * round((result - self) / other) }];
  let backwardNode = "";
}
def Aten_fmod_Tensor : PointwiseOp<"aten::fmod.Tensor(Tensor self, Tensor other) -> Tensor"> {
  let summary = "Remainder with the sign of the dividend";
  let variants = [InPlace, Out];
  let types = [Real, Int, Bool];
  let check = "checks::integerDivisor";
  let scalar = [{ fmod(self, other) }];
  let derivative = [{ self  = grad
                      other = -grad * div(self, other, rounding_mode="trunc") }];
  let backwardNode = "1";
}
def Aten_fmod_Scalar : PointwiseOp<"aten::fmod.Scalar(Tensor self, Scalar other) -> Tensor"> {
  let summary = "Remainder with the sign of the dividend";
  let variants = [InPlace, Out];
  let types = [Real, Int, Bool];
  let check = "checks::integerDivisor";
  let scalar = [{ fmod(self, other) }];
  let derivative = [{ self = grad }];
}
// As PyTorch: what few operations give is not left to pow.
defvar powerByNumber = [{
  exponent == "2" ? self * self :
  exponent == "3" ? self * self * self :
  exponent == "-2" ? 1 / (self * self) :
  exponent == "-1" ? 1 / self :
  exponent == "0.5" ? sqrt(self) :
  exponent == "-0.5" ? rsqrt(self) :
  pow(self, exponent) }];

def Aten_pow_Tensor_Tensor : PointwiseOp<"aten::pow.Tensor_Tensor(Tensor self, Tensor exponent) -> Tensor"> {
  let summary = "self to the power exponent";
  let variants = [InPlace, Out];
  let inPlaceName = "Tensor";
  let check = "checks::integerPower";
  let scalar = [{ pow(self, exponent) }];
  let derivative = [{ self     = where(exponent == 0, 0., grad * (exponent * pow(self, exponent - 1)).conj())
                      exponent = backward.power_exponent(grad, self, exponent, result) }];
  let backwardNode = "1";
}
def Aten_pow_Scalar : PointwiseOp<"aten::pow.Scalar(Scalar self, Tensor exponent) -> Tensor"> {
  let summary = "self to the power exponent";
  let variants = [Out];
  let check = "checks::integerPower";
  let scalar = [{ pow(self, exponent) }];
  let derivative = [{ exponent = backward.power_exponent_of_number(grad, self, exponent, result) }];
  let backwardNode = "2";
}
def Aten_pow_Tensor_Scalar : PointwiseOp<"aten::pow.Tensor_Scalar(Tensor self, Scalar exponent) -> Tensor"> {
  let summary = "self to the power exponent";
  let variants = [InPlace, Out];
  let inPlaceName = "Scalar";
  let check = "checks::integerPower";
  let scalar = powerByNumber;
  let intScalar = [{ exponent == "2" ? self * self : exponent == "3" ? self * self * self : pow(self, exponent) }];
  let complexScalar = [{ exponent == "2" ? self * self : exponent == "3" ? self * self * self : pow(self, exponent) }];
  let derivative = [{ self = zeros_like(grad) if exponent == 0 else grad * (exponent * pow(self, exponent - 1)).conj() }];
}
def Aten_float_power_Tensor_Tensor : PointwiseOp<"aten::float_power.Tensor_Tensor(Tensor self, Tensor exponent) -> Tensor"> {
  let summary = "self to the power exponent in double precision";
  let variants = [InPlace, Out];
  let inPlaceName = "Tensor";
  let dtype = "double";
  let types = [Real, Cplx];
  let scalar = [{ pow(self, exponent) }];
  let decomposition = [{
def float_power(self: Tensor, exponent: Tensor) -> Tensor:
    dtype = torch.complex128 if self.is_complex() or exponent.is_complex() else torch.double
    return torch.pow(self.to(dtype), exponent.to(dtype))
  }];
}
def Aten_float_power_Scalar : PointwiseOp<"aten::float_power.Scalar(Scalar self, Tensor exponent) -> Tensor"> {
  let summary = "self to the power exponent in double precision";
  let variants = [Out];
  let dtype = "double";
  let types = [Real, Cplx];
  let scalar = [{ pow(self, exponent) }];
  let derivative = [{ exponent = backward.power_exponent_of_number(grad, self, exponent, result) }];
  let backwardNode = "";
}
def Aten_float_power_Tensor_Scalar : PointwiseOp<"aten::float_power.Tensor_Scalar(Tensor self, Scalar exponent) -> Tensor"> {
  let summary = "self to the power exponent in double precision";
  let variants = [InPlace, Out];
  let inPlaceName = "Scalar";
  let dtype = "double";
  let types = [Real, Cplx];
  let scalar = powerByNumber;
  let complexScalar = [{ exponent == "2" ? self * self : pow(self, exponent) }];
  let derivative = [{ self = zeros_like(grad) if exponent == 0 else grad * (exponent * pow(self.to(result.dtype), exponent - 1)).conj() }];
  let backwardNode = "";
}
def Aten_addcmul : PointwiseOp<"aten::addcmul(Tensor self, Tensor tensor1, Tensor tensor2, *, Scalar value=1) -> Tensor"> {
  let summary = "self + value * tensor1 * tensor2";
  let variants = [InPlace, Out];
  let check = "checks::numbers";
  let noPromote = ["value"];
  let scalar = [{ self + value * tensor1 * tensor2 }];
  let derivative = [{ self    = grad
                      tensor1 = grad * (tensor2 * value).conj()
                      tensor2 = grad * (tensor1 * value).conj() }];
}
def Aten_addcdiv : PointwiseOp<"aten::addcdiv(Tensor self, Tensor tensor1, Tensor tensor2, *, Scalar value=1) -> Tensor"> {
  let summary = "self + value * tensor1 / tensor2";
  let variants = [InPlace, Out];
  let noPromote = ["value"];
  let types = [Real, Cplx];
  let scalar = [{ self + value * tensor1 / tensor2 }];
  let derivative = [{ self    = grad
                      tensor1 = grad * (value / tensor2).conj()
                      tensor2 = -grad * (value * tensor1 / (tensor2 * tensor2)).conj() }];
}
def Aten_lerp_Tensor : PointwiseOp<"aten::lerp.Tensor(Tensor self, Tensor end, Tensor weight) -> Tensor"> {
  let summary = "Linear interpolation";
  let variants = [InPlace, Out];
  let noPromote = ["weight"];
  let types = [Real, Cplx];
  let check = "checks::sameDType";
  let scalar = [{ w = weight; delta = end - self; w < 0.5 && w > -0.5 ? self + w * delta : end - delta * (1 - w) }];
  let complexScalar = [{ self + weight * (end - self) }];
  let derivative = [{ self   = grad * (1 - weight).conj()
                      end    = grad * weight.conj()
                      weight = grad * (end - self).conj() }];
  let backwardNode = "1";
}
def Aten_lerp_Scalar : PointwiseOp<"aten::lerp.Scalar(Tensor self, Tensor end, Scalar weight) -> Tensor"> {
  let summary = "Linear interpolation";
  let variants = [InPlace, Out];
  let noPromote = ["weight"];
  let types = [Real, Cplx];
  let check = "checks::sameDType";
  let scalar = [{ w = weight; delta = end - self; w < 0.5 && w > -0.5 ? self + w * delta : end - delta * (1 - w) }];
  let complexScalar = [{ self + weight * (end - self) }];
  let derivative = [{ self = backward.times(grad, 1 - weight)
                      end  = backward.times(grad, weight) }];
}
