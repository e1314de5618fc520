//===- Pointwise.td - Operators on each element -----------------*- tablegen -*-===//
//
// Each scalar body is the one definition of its operator for every tier.
//
//===----------------------------------------------------------------------===//

// Arithmetic
def Aten_add_Tensor : PointwiseOp<"aten::add.Tensor(Tensor self, Tensor other, *, Scalar alpha=1) -> Tensor"> {
  let summary = "self + alpha * other";
  let variants = [InPlace, Out];
  let outName = "out";
  let noPromote = ["alpha"];
  let check = "checks::addAlpha";
  let scalar = [{ self + alpha * other }];
  let derivative = [{ self  = grad
                      other = grad * alpha }];
}
def Aten_add_Scalar : PointwiseOp<"aten::add.Scalar(Tensor self, Scalar other, Scalar alpha=1) -> Tensor"> {
  let summary = "self + alpha * other";
  let variants = [InPlace, Out];
  let noPromote = ["alpha"];
  let check = "checks::addAlpha";
  let scalar = [{ self + alpha * other }];
  let derivative = [{ self = grad }];
}
def Aten_sub_Tensor : PointwiseOp<"aten::sub.Tensor(Tensor self, Tensor other, *, Scalar alpha=1) -> Tensor"> {
  let summary = "self - alpha * other";
  let variants = [InPlace, Out];
  let outName = "out";
  let noPromote = ["alpha"];
  let check = "checks::subtraction";
  let scalar = [{ self - alpha * other }];
  let derivative = [{ self  = grad
                      other = -grad * alpha }];
}
def Aten_sub_Scalar : PointwiseOp<"aten::sub.Scalar(Tensor self, Scalar other, Scalar alpha=1) -> Tensor"> {
  let summary = "self - alpha * other";
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
  let derivative = [{ self  = -grad * alpha
                      other = grad }];
}
def Aten_rsub_Scalar : PointwiseOp<"aten::rsub.Scalar(Tensor self, Scalar other, Scalar alpha=1) -> Tensor"> {
  let summary = "other - alpha * self";
  let variants = [Out];
  let noPromote = ["alpha"];
  let check = "checks::subtraction";
  let scalar = [{ other - alpha * self }];
  let derivative = [{ self = -grad * alpha }];
}
def Aten_mul_Tensor : PointwiseOp<"aten::mul.Tensor(Tensor self, Tensor other) -> Tensor"> {
  let summary = "Product";
  let variants = [InPlace, Out];
  let outName = "out";
  let scalar = [{ self * other }];
  let derivative = [{ self  = grad * other
                      other = grad * self }];
}
def Aten_mul_Scalar : PointwiseOp<"aten::mul.Scalar(Tensor self, Scalar other) -> Tensor"> {
  let summary = "Product";
  let variants = [InPlace, Out];
  let scalar = [{ self * other }];
  let derivative = [{ self = grad * other }];
}
def Aten_multiply_Tensor : PointwiseOp<"aten::multiply.Tensor(Tensor self, Tensor other) -> Tensor"> {
  let summary = "Product";
  let variants = [InPlace, Out];
  let outName = "out";
  let scalar = [{ self * other }];
}
def Aten_multiply_Scalar : PointwiseOp<"aten::multiply.Scalar(Tensor self, Scalar other) -> Tensor"> {
  let summary = "Product";
  let variants = [InPlace];
  let scalar = [{ self * other }];
}
def Aten_subtract_Tensor : PointwiseOp<"aten::subtract.Tensor(Tensor self, Tensor other, *, Scalar alpha=1) -> Tensor"> {
  let summary = "self - alpha * other";
  let variants = [InPlace, Out];
  let outName = "out";
  let noPromote = ["alpha"];
  let check = "checks::subtraction";
  let scalar = [{ self - alpha * other }];
}
def Aten_subtract_Scalar : PointwiseOp<"aten::subtract.Scalar(Tensor self, Scalar other, Scalar alpha=1) -> Tensor"> {
  let summary = "self - alpha * other";
  let variants = [InPlace];
  let noPromote = ["alpha"];
  let check = "checks::subtraction";
  let scalar = [{ self - alpha * other }];
}
def Aten_div_Tensor : PointwiseOp<"aten::div.Tensor(Tensor self, Tensor other) -> Tensor"> {
  let summary = "Quotient; of integers too a float";
  let variants = [InPlace, Out];
  let outName = "out";
  let dtype = "promote_float";
  let types = [Real, Cplx];
  let scalar = [{ self / other }];
  let derivative = [{ self  = grad / other
                      other = -grad * result / other }];
}
def Aten_div_Scalar : PointwiseOp<"aten::div.Scalar(Tensor self, Scalar other) -> Tensor"> {
  let summary = "Quotient; of integers too a float";
  let variants = [InPlace, Out];
  let dtype = "promote_float";
  let types = [Real, Cplx];
  let scalar = [{ self / other }];
  let derivative = [{ self = grad / other }];
}
def Aten_divide_Tensor : PointwiseOp<"aten::divide.Tensor(Tensor self, Tensor other) -> Tensor"> {
  let summary = "Quotient; of integers too a float";
  let variants = [InPlace, Out];
  let outName = "out";
  let dtype = "promote_float";
  let types = [Real, Cplx];
  let scalar = [{ self / other }];
}
def Aten_divide_Scalar : PointwiseOp<"aten::divide.Scalar(Tensor self, Scalar other) -> Tensor"> {
  let summary = "Quotient; of integers too a float";
  let variants = [InPlace];
  let dtype = "promote_float";
  let types = [Real, Cplx];
  let scalar = [{ self / other }];
}
def Aten_true_divide_Tensor : PointwiseOp<"aten::true_divide.Tensor(Tensor self, Tensor other) -> Tensor"> {
  let summary = "Quotient; of integers too a float";
  let variants = [InPlace, Out];
  let outName = "out";
  let dtype = "promote_float";
  let types = [Real, Cplx];
  let scalar = [{ self / other }];
}
def Aten_true_divide_Scalar : PointwiseOp<"aten::true_divide.Scalar(Tensor self, Scalar other) -> Tensor"> {
  let summary = "Quotient; of integers too a float";
  let variants = [InPlace];
  let dtype = "promote_float";
  let types = [Real, Cplx];
  let scalar = [{ self / other }];
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
}
def Aten_floor_divide : PointwiseOp<"aten::floor_divide(Tensor self, Tensor other) -> Tensor"> {
  let summary = "Quotient rounded towards minus infinity";
  let variants = [Out];
  let types = [Real, Int, Bool];
  let check = "checks::integerDivisor";
  let scalar = [{ floordiv(self, other) }];
}
def Aten_floor_divide_Scalar : PointwiseOp<"aten::floor_divide.Scalar(Tensor self, Scalar other) -> Tensor"> {
  let summary = "Quotient rounded towards minus infinity";
  let variants = [InPlace];
  let types = [Real, Int, Bool];
  let check = "checks::integerDivisor";
  let scalar = [{ floordiv(self, other) }];
}
def Aten_remainder_Tensor : PointwiseOp<"aten::remainder.Tensor(Tensor self, Tensor other) -> Tensor"> {
  let summary = "Remainder with the sign of the divisor";
  let variants = [InPlace, Out];
  let types = [Real, Int, Bool];
  let check = "checks::integerDivisor";
  let scalar = [{ remainder(self, other) }];
}
def Aten_remainder_Scalar : PointwiseOp<"aten::remainder.Scalar(Tensor self, Scalar other) -> Tensor"> {
  let summary = "Remainder with the sign of the divisor";
  let variants = [InPlace, Out];
  let types = [Real, Int, Bool];
  let check = "checks::integerDivisor";
  let scalar = [{ remainder(self, other) }];
}
def Aten_remainder_Scalar_Tensor : PointwiseOp<"aten::remainder.Scalar_Tensor(Scalar self, Tensor other) -> Tensor"> {
  let summary = "Remainder with the sign of the divisor";
  let variants = [Out];
  let types = [Real, Int, Bool];
  let check = "checks::integerDivisor";
  let scalar = [{ remainder(self, other) }];
}
def Aten_fmod_Tensor : PointwiseOp<"aten::fmod.Tensor(Tensor self, Tensor other) -> Tensor"> {
  let summary = "Remainder with the sign of the dividend";
  let variants = [InPlace, Out];
  let types = [Real, Int, Bool];
  let check = "checks::integerDivisor";
  let scalar = [{ fmod(self, other) }];
}
def Aten_fmod_Scalar : PointwiseOp<"aten::fmod.Scalar(Tensor self, Scalar other) -> Tensor"> {
  let summary = "Remainder with the sign of the dividend";
  let variants = [InPlace, Out];
  let types = [Real, Int, Bool];
  let check = "checks::integerDivisor";
  let scalar = [{ fmod(self, other) }];
}
def Aten_pow_Tensor_Tensor : PointwiseOp<"aten::pow.Tensor_Tensor(Tensor self, Tensor exponent) -> Tensor"> {
  let summary = "self to the power exponent";
  let variants = [Out];
  let check = "checks::integerPower";
  let scalar = [{ pow(self, exponent) }];
  let derivative = [{ self     = where(exponent == 0, 0., grad * exponent * pow(self, exponent - 1))
                      exponent = where((self == 0) & (exponent >= 0), 0., grad * result * log(self)) }];
}
def Aten_pow_Scalar : PointwiseOp<"aten::pow.Scalar(Scalar self, Tensor exponent) -> Tensor"> {
  let summary = "self to the power exponent";
  let variants = [Out];
  let check = "checks::integerPower";
  let scalar = [{ pow(self, exponent) }];
}
def Aten_pow_Tensor_Scalar : PointwiseOp<"aten::pow.Tensor_Scalar(Tensor self, Scalar exponent) -> Tensor"> {
  let summary = "self to the power exponent";
  let variants = [Out];
  let check = "checks::integerPower";
  let scalar = [{ pow(self, exponent) }];
  let derivative = [{ self = zeros_like(grad) if exponent == 0 else grad * exponent * pow(self, exponent - 1) }];
}
def Aten_float_power_Tensor_Tensor : PointwiseOp<"aten::float_power.Tensor_Tensor(Tensor self, Tensor exponent) -> Tensor"> {
  let summary = "self to the power exponent in double precision";
  let variants = [Out];
  let dtype = "double";
  let types = [Real, Cplx];
  let scalar = [{ pow(self, exponent) }];
}
def Aten_float_power_Scalar : PointwiseOp<"aten::float_power.Scalar(Scalar self, Tensor exponent) -> Tensor"> {
  let summary = "self to the power exponent in double precision";
  let variants = [Out];
  let dtype = "double";
  let types = [Real, Cplx];
  let scalar = [{ pow(self, exponent) }];
}
def Aten_float_power_Tensor_Scalar : PointwiseOp<"aten::float_power.Tensor_Scalar(Tensor self, Scalar exponent) -> Tensor"> {
  let summary = "self to the power exponent in double precision";
  let variants = [Out];
  let dtype = "double";
  let types = [Real, Cplx];
  let scalar = [{ pow(self, exponent) }];
}
def Aten_addcmul : PointwiseOp<"aten::addcmul(Tensor self, Tensor tensor1, Tensor tensor2, *, Scalar value=1) -> Tensor"> {
  let summary = "self + value * tensor1 * tensor2";
  let variants = [InPlace, Out];
  let noPromote = ["value"];
  let scalar = [{ self + value * tensor1 * tensor2 }];
  let derivative = [{ self    = grad
                      tensor1 = grad * tensor2 * value
                      tensor2 = grad * tensor1 * value }];
}
def Aten_addcdiv : PointwiseOp<"aten::addcdiv(Tensor self, Tensor tensor1, Tensor tensor2, *, Scalar value=1) -> Tensor"> {
  let summary = "self + value * tensor1 / tensor2";
  let variants = [InPlace, Out];
  let noPromote = ["value"];
  let types = [Real, Cplx];
  let scalar = [{ self + value * tensor1 / tensor2 }];
  let derivative = [{ self    = grad
                      tensor1 = grad * value / tensor2
                      tensor2 = -grad * value * tensor1 / (tensor2 * tensor2) }];
}
def Aten_lerp_Tensor : PointwiseOp<"aten::lerp.Tensor(Tensor self, Tensor end, Tensor weight) -> Tensor"> {
  let summary = "Linear interpolation";
  let variants = [InPlace, Out];
  let noPromote = ["weight"];
  let types = [Real];
  let check = "checks::sameDType";
  let scalar = [{ w = weight; delta = end - self; w < 0.5 && w > -0.5 ? self + w * delta : end - delta * (1 - w) }];
  let derivative = [{ self   = grad * (1 - weight)
                      end    = grad * weight
                      weight = grad * (end - self) }];
}
def Aten_lerp_Scalar : PointwiseOp<"aten::lerp.Scalar(Tensor self, Tensor end, Scalar weight) -> Tensor"> {
  let summary = "Linear interpolation";
  let variants = [InPlace, Out];
  let noPromote = ["weight"];
  let types = [Real];
  let check = "checks::sameDType";
  let scalar = [{ w = weight; delta = end - self; w < 0.5 && w > -0.5 ? self + w * delta : end - delta * (1 - w) }];
  let derivative = [{ self = grad * (1 - weight)
                      end  = grad * weight }];
}

// Comparisons and logic
def Aten_eq_Tensor : PointwiseOp<"aten::eq.Tensor(Tensor self, Tensor other) -> Tensor"> {
  let summary = "self == other";
  let variants = [InPlace, Out];
  let dtype = "bool";
  let scalar = [{ self == other }];
}
def Aten_eq_Scalar : PointwiseOp<"aten::eq.Scalar(Tensor self, Scalar other) -> Tensor"> {
  let summary = "self == other";
  let variants = [InPlace, Out];
  let dtype = "bool";
  let scalar = [{ self == other }];
}
def Aten_ne_Tensor : PointwiseOp<"aten::ne.Tensor(Tensor self, Tensor other) -> Tensor"> {
  let summary = "self != other";
  let variants = [InPlace, Out];
  let dtype = "bool";
  let scalar = [{ self != other }];
}
def Aten_ne_Scalar : PointwiseOp<"aten::ne.Scalar(Tensor self, Scalar other) -> Tensor"> {
  let summary = "self != other";
  let variants = [InPlace, Out];
  let dtype = "bool";
  let scalar = [{ self != other }];
}
def Aten_lt_Tensor : PointwiseOp<"aten::lt.Tensor(Tensor self, Tensor other) -> Tensor"> {
  let summary = "self < other";
  let variants = [InPlace, Out];
  let dtype = "bool";
  let types = [Real, Int, Bool];
  let scalar = [{ self < other }];
}
def Aten_lt_Scalar : PointwiseOp<"aten::lt.Scalar(Tensor self, Scalar other) -> Tensor"> {
  let summary = "self < other";
  let variants = [InPlace, Out];
  let dtype = "bool";
  let types = [Real, Int, Bool];
  let scalar = [{ self < other }];
}
def Aten_le_Tensor : PointwiseOp<"aten::le.Tensor(Tensor self, Tensor other) -> Tensor"> {
  let summary = "self <= other";
  let variants = [InPlace, Out];
  let dtype = "bool";
  let types = [Real, Int, Bool];
  let scalar = [{ self <= other }];
}
def Aten_le_Scalar : PointwiseOp<"aten::le.Scalar(Tensor self, Scalar other) -> Tensor"> {
  let summary = "self <= other";
  let variants = [InPlace, Out];
  let dtype = "bool";
  let types = [Real, Int, Bool];
  let scalar = [{ self <= other }];
}
def Aten_gt_Tensor : PointwiseOp<"aten::gt.Tensor(Tensor self, Tensor other) -> Tensor"> {
  let summary = "self > other";
  let variants = [InPlace, Out];
  let dtype = "bool";
  let types = [Real, Int, Bool];
  let scalar = [{ self > other }];
}
def Aten_gt_Scalar : PointwiseOp<"aten::gt.Scalar(Tensor self, Scalar other) -> Tensor"> {
  let summary = "self > other";
  let variants = [InPlace, Out];
  let dtype = "bool";
  let types = [Real, Int, Bool];
  let scalar = [{ self > other }];
}
def Aten_ge_Tensor : PointwiseOp<"aten::ge.Tensor(Tensor self, Tensor other) -> Tensor"> {
  let summary = "self >= other";
  let variants = [InPlace, Out];
  let dtype = "bool";
  let types = [Real, Int, Bool];
  let scalar = [{ self >= other }];
}
def Aten_ge_Scalar : PointwiseOp<"aten::ge.Scalar(Tensor self, Scalar other) -> Tensor"> {
  let summary = "self >= other";
  let variants = [InPlace, Out];
  let dtype = "bool";
  let types = [Real, Int, Bool];
  let scalar = [{ self >= other }];
}
def Aten_not_equal_Tensor : PointwiseOp<"aten::not_equal.Tensor(Tensor self, Tensor other) -> Tensor"> {
  let summary = "self != other";
  let variants = [InPlace, Out];
  let dtype = "bool";
  let scalar = [{ self != other }];
}
def Aten_not_equal_Scalar : PointwiseOp<"aten::not_equal.Scalar(Tensor self, Scalar other) -> Tensor"> {
  let summary = "self != other";
  let variants = [InPlace, Out];
  let dtype = "bool";
  let scalar = [{ self != other }];
}
def Aten_less_Tensor : PointwiseOp<"aten::less.Tensor(Tensor self, Tensor other) -> Tensor"> {
  let summary = "self < other";
  let variants = [InPlace, Out];
  let dtype = "bool";
  let types = [Real, Int, Bool];
  let scalar = [{ self < other }];
}
def Aten_less_Scalar : PointwiseOp<"aten::less.Scalar(Tensor self, Scalar other) -> Tensor"> {
  let summary = "self < other";
  let variants = [InPlace, Out];
  let dtype = "bool";
  let types = [Real, Int, Bool];
  let scalar = [{ self < other }];
}
def Aten_less_equal_Tensor : PointwiseOp<"aten::less_equal.Tensor(Tensor self, Tensor other) -> Tensor"> {
  let summary = "self <= other";
  let variants = [InPlace, Out];
  let dtype = "bool";
  let types = [Real, Int, Bool];
  let scalar = [{ self <= other }];
}
def Aten_less_equal_Scalar : PointwiseOp<"aten::less_equal.Scalar(Tensor self, Scalar other) -> Tensor"> {
  let summary = "self <= other";
  let variants = [InPlace, Out];
  let dtype = "bool";
  let types = [Real, Int, Bool];
  let scalar = [{ self <= other }];
}
def Aten_greater_Tensor : PointwiseOp<"aten::greater.Tensor(Tensor self, Tensor other) -> Tensor"> {
  let summary = "self > other";
  let variants = [InPlace, Out];
  let dtype = "bool";
  let types = [Real, Int, Bool];
  let scalar = [{ self > other }];
}
def Aten_greater_Scalar : PointwiseOp<"aten::greater.Scalar(Tensor self, Scalar other) -> Tensor"> {
  let summary = "self > other";
  let variants = [InPlace, Out];
  let dtype = "bool";
  let types = [Real, Int, Bool];
  let scalar = [{ self > other }];
}
def Aten_greater_equal_Tensor : PointwiseOp<"aten::greater_equal.Tensor(Tensor self, Tensor other) -> Tensor"> {
  let summary = "self >= other";
  let variants = [InPlace, Out];
  let dtype = "bool";
  let types = [Real, Int, Bool];
  let scalar = [{ self >= other }];
}
def Aten_greater_equal_Scalar : PointwiseOp<"aten::greater_equal.Scalar(Tensor self, Scalar other) -> Tensor"> {
  let summary = "self >= other";
  let variants = [InPlace, Out];
  let dtype = "bool";
  let types = [Real, Int, Bool];
  let scalar = [{ self >= other }];
}
def Aten_logical_and : PointwiseOp<"aten::logical_and(Tensor self, Tensor other) -> Tensor"> {
  let summary = "Both are nonzero";
  let variants = [InPlace, Out];
  let dtype = "bool";
  let scalar = [{ self && other }];
}
def Aten_logical_or : PointwiseOp<"aten::logical_or(Tensor self, Tensor other) -> Tensor"> {
  let summary = "Either is nonzero";
  let variants = [InPlace, Out];
  let dtype = "bool";
  let scalar = [{ self || other }];
}
def Aten_logical_xor : PointwiseOp<"aten::logical_xor(Tensor self, Tensor other) -> Tensor"> {
  let summary = "One of the two is nonzero";
  let variants = [InPlace, Out];
  let dtype = "bool";
  let scalar = [{ (self != 0) == (other == 0) }];
}
def Aten_logical_not : PointwiseOp<"aten::logical_not(Tensor self) -> Tensor"> {
  let summary = "Whether it is zero";
  let variants = [InPlace, Out];
  let dtype = "bool";
  let scalar = [{ !self }];
}
def Aten_bitwise_and_Tensor : PointwiseOp<"aten::bitwise_and.Tensor(Tensor self, Tensor other) -> Tensor"> {
  let summary = "Bits of integers; logic of bool";
  let variants = [InPlace, Out];
  let types = [Int, Bool];
  let scalar = [{ self & other }];
}
def Aten_bitwise_and_Scalar : PointwiseOp<"aten::bitwise_and.Scalar(Tensor self, Scalar other) -> Tensor"> {
  let summary = "Bits of integers; logic of bool";
  let variants = [InPlace, Out];
  let types = [Int, Bool];
  let scalar = [{ self & other }];
}
def Aten_bitwise_and_Scalar_Tensor : PointwiseOp<"aten::bitwise_and.Scalar_Tensor(Scalar self, Tensor other) -> Tensor"> {
  let summary = "Bits of integers; logic of bool";
  let variants = [Out];
  let types = [Int, Bool];
  let scalar = [{ self & other }];
}
def Aten_bitwise_or_Tensor : PointwiseOp<"aten::bitwise_or.Tensor(Tensor self, Tensor other) -> Tensor"> {
  let summary = "Bits of integers; logic of bool";
  let variants = [InPlace, Out];
  let types = [Int, Bool];
  let scalar = [{ self | other }];
}
def Aten_bitwise_or_Scalar : PointwiseOp<"aten::bitwise_or.Scalar(Tensor self, Scalar other) -> Tensor"> {
  let summary = "Bits of integers; logic of bool";
  let variants = [InPlace, Out];
  let types = [Int, Bool];
  let scalar = [{ self | other }];
}
def Aten_bitwise_or_Scalar_Tensor : PointwiseOp<"aten::bitwise_or.Scalar_Tensor(Scalar self, Tensor other) -> Tensor"> {
  let summary = "Bits of integers; logic of bool";
  let variants = [Out];
  let types = [Int, Bool];
  let scalar = [{ self | other }];
}
def Aten_bitwise_xor_Tensor : PointwiseOp<"aten::bitwise_xor.Tensor(Tensor self, Tensor other) -> Tensor"> {
  let summary = "Bits of integers; logic of bool";
  let variants = [InPlace, Out];
  let types = [Int, Bool];
  let scalar = [{ self ^ other }];
}
def Aten_bitwise_xor_Scalar : PointwiseOp<"aten::bitwise_xor.Scalar(Tensor self, Scalar other) -> Tensor"> {
  let summary = "Bits of integers; logic of bool";
  let variants = [InPlace, Out];
  let types = [Int, Bool];
  let scalar = [{ self ^ other }];
}
def Aten_bitwise_xor_Scalar_Tensor : PointwiseOp<"aten::bitwise_xor.Scalar_Tensor(Scalar self, Tensor other) -> Tensor"> {
  let summary = "Bits of integers; logic of bool";
  let variants = [Out];
  let types = [Int, Bool];
  let scalar = [{ self ^ other }];
}
def Aten___and___Tensor : PointwiseOp<"aten::__and__.Tensor(Tensor self, Tensor other) -> Tensor"> {
  let summary = "Bits of integers; logic of bool";
  let types = [Int, Bool];
  let dispatchName = "bitwise_and_cpu";
  let scalar = [{ self & other }];
}
def Aten___and___Scalar : PointwiseOp<"aten::__and__.Scalar(Tensor self, Scalar other) -> Tensor"> {
  let summary = "Bits of integers; logic of bool";
  let types = [Int, Bool];
  let dispatchName = "bitwise_and_cpu";
  let scalar = [{ self & other }];
}
def Aten___or___Tensor : PointwiseOp<"aten::__or__.Tensor(Tensor self, Tensor other) -> Tensor"> {
  let summary = "Bits of integers; logic of bool";
  let types = [Int, Bool];
  let dispatchName = "bitwise_or_cpu";
  let scalar = [{ self | other }];
}
def Aten___or___Scalar : PointwiseOp<"aten::__or__.Scalar(Tensor self, Scalar other) -> Tensor"> {
  let summary = "Bits of integers; logic of bool";
  let types = [Int, Bool];
  let dispatchName = "bitwise_or_cpu";
  let scalar = [{ self | other }];
}
def Aten___xor___Tensor : PointwiseOp<"aten::__xor__.Tensor(Tensor self, Tensor other) -> Tensor"> {
  let summary = "Bits of integers; logic of bool";
  let types = [Int, Bool];
  let dispatchName = "bitwise_xor_cpu";
  let scalar = [{ self ^ other }];
}
def Aten___xor___Scalar : PointwiseOp<"aten::__xor__.Scalar(Tensor self, Scalar other) -> Tensor"> {
  let summary = "Bits of integers; logic of bool";
  let types = [Int, Bool];
  let dispatchName = "bitwise_xor_cpu";
  let scalar = [{ self ^ other }];
}
def Aten_bitwise_not : PointwiseOp<"aten::bitwise_not(Tensor self) -> Tensor"> {
  let summary = "All bits inverted";
  let variants = [InPlace, Out];
  let types = [Int, Bool];
  let boolScalar = [{ !self }];
  let scalar = [{ ~self }];
}
def Aten_bitwise_left_shift_Tensor : PointwiseOp<"aten::bitwise_left_shift.Tensor(Tensor self, Tensor other) -> Tensor"> {
  let summary = "Bits shifted left";
  let variants = [InPlace, Out];
  let types = [Int];
  let dispatchName = "lshift_cpu";
  let scalar = [{ self << other }];
}
def Aten_bitwise_left_shift_Tensor_Scalar : PointwiseOp<"aten::bitwise_left_shift.Tensor_Scalar(Tensor self, Scalar other) -> Tensor"> {
  let summary = "Bits shifted left";
  let variants = [InPlace, Out];
  let types = [Int];
  let dispatchName = "lshift_cpu";
  let scalar = [{ self << other }];
}
def Aten_bitwise_left_shift_Scalar_Tensor : PointwiseOp<"aten::bitwise_left_shift.Scalar_Tensor(Scalar self, Tensor other) -> Tensor"> {
  let summary = "Bits shifted left";
  let variants = [Out];
  let types = [Int];
  let dispatchName = "lshift_cpu";
  let scalar = [{ self << other }];
}
def Aten_bitwise_right_shift_Tensor : PointwiseOp<"aten::bitwise_right_shift.Tensor(Tensor self, Tensor other) -> Tensor"> {
  let summary = "Bits shifted right, keeping the sign";
  let variants = [InPlace, Out];
  let types = [Int];
  let dispatchName = "rshift_cpu";
  let scalar = [{ self >> other }];
}
def Aten_bitwise_right_shift_Tensor_Scalar : PointwiseOp<"aten::bitwise_right_shift.Tensor_Scalar(Tensor self, Scalar other) -> Tensor"> {
  let summary = "Bits shifted right, keeping the sign";
  let variants = [InPlace, Out];
  let types = [Int];
  let dispatchName = "rshift_cpu";
  let scalar = [{ self >> other }];
}
def Aten_bitwise_right_shift_Scalar_Tensor : PointwiseOp<"aten::bitwise_right_shift.Scalar_Tensor(Scalar self, Tensor other) -> Tensor"> {
  let summary = "Bits shifted right, keeping the sign";
  let variants = [Out];
  let types = [Int];
  let dispatchName = "rshift_cpu";
  let scalar = [{ self >> other }];
}
def Aten___lshift___Tensor : PointwiseOp<"aten::__lshift__.Tensor(Tensor self, Tensor other) -> Tensor"> {
  let summary = "Bits shifted left; of floats the product with a power of two";
  let variants = [Out];
  let types = [Real, Int];
  let intScalar = [{ self << other }];
  let dispatchName = "lshift_cpu";
  let scalar = [{ self * exp2(other) }];
}
def Aten___lshift___Scalar : PointwiseOp<"aten::__lshift__.Scalar(Tensor self, Scalar other) -> Tensor"> {
  let summary = "Bits shifted left; of floats the product with a power of two";
  let variants = [Out];
  let types = [Real, Int];
  let intScalar = [{ self << other }];
  let dispatchName = "lshift_cpu";
  let scalar = [{ self * exp2(other) }];
}
def Aten___rshift___Tensor : PointwiseOp<"aten::__rshift__.Tensor(Tensor self, Tensor other) -> Tensor"> {
  let summary = "Bits shifted right; of floats the quotient with a power of two";
  let variants = [Out];
  let types = [Real, Int];
  let intScalar = [{ self >> other }];
  let dispatchName = "rshift_cpu";
  let scalar = [{ self / exp2(other) }];
}
def Aten___rshift___Scalar : PointwiseOp<"aten::__rshift__.Scalar(Tensor self, Scalar other) -> Tensor"> {
  let summary = "Bits shifted right; of floats the quotient with a power of two";
  let variants = [Out];
  let types = [Real, Int];
  let intScalar = [{ self >> other }];
  let dispatchName = "rshift_cpu";
  let scalar = [{ self / exp2(other) }];
}
def Aten_where_self : PointwiseOp<"aten::where.self(Tensor condition, Tensor self, Tensor other) -> Tensor"> {
  let summary = "self where the condition holds, else other";
  let variants = [Out];
  let noPromote = ["condition"];
  let check = "checks::condition";
  let scalar = [{ where(condition, self, other) }];
  let derivative = [{ self  = where(condition, grad, 0.)
                      other = where(condition, 0., grad) }];
}
def Aten_where_ScalarSelf : PointwiseOp<"aten::where.ScalarSelf(Tensor condition, Scalar self, Tensor other) -> Tensor"> {
  let summary = "self where the condition holds, else other";
  let noPromote = ["condition"];
  let check = "checks::condition";
  let scalar = [{ where(condition, self, other) }];
}
def Aten_where_ScalarOther : PointwiseOp<"aten::where.ScalarOther(Tensor condition, Tensor self, Scalar other) -> Tensor"> {
  let summary = "self where the condition holds, else other";
  let noPromote = ["condition"];
  let check = "checks::condition";
  let scalar = [{ where(condition, self, other) }];
}
def Aten_where_Scalar : PointwiseOp<"aten::where.Scalar(Tensor condition, Scalar self, Scalar other) -> Tensor"> {
  let summary = "self where the condition holds, else other";
  let noPromote = ["condition"];
  let check = "checks::condition";
  let scalar = [{ where(condition, self, other) }];
}
def Aten_masked_fill_Scalar : PointwiseOp<"aten::masked_fill.Scalar(Tensor self, Tensor mask, Scalar value) -> Tensor"> {
  let summary = "value where the mask holds, else self";
  let variants = [InPlace, Out];
  let dtype = "self";
  let check = "checks::mask";
  let scalar = [{ where(mask, value, self) }];
}
def Aten_masked_fill_Tensor : PointwiseOp<"aten::masked_fill.Tensor(Tensor self, Tensor mask, Tensor value) -> Tensor"> {
  let summary = "value where the mask holds, else self";
  let variants = [InPlace, Out];
  let dtype = "self";
  let check = "checks::mask";
  let scalar = [{ where(mask, value, self) }];
}

// Minima, maxima, bounds
def Aten_maximum : PointwiseOp<"aten::maximum(Tensor self, Tensor other) -> Tensor"> {
  let summary = "The larger; NaN if either is NaN";
  let variants = [Out];
  let types = [Real, Int, Bool];
  let scalar = [{ max(self, other) }];
}
def Aten_max_other : PointwiseOp<"aten::max.other(Tensor self, Tensor other) -> Tensor"> {
  let summary = "The larger; NaN if either is NaN";
  let variants = [Out];
  let outName = "out";
  let types = [Real, Int, Bool];
  let scalar = [{ max(self, other) }];
}
def Aten_minimum : PointwiseOp<"aten::minimum(Tensor self, Tensor other) -> Tensor"> {
  let summary = "The smaller; NaN if either is NaN";
  let variants = [Out];
  let types = [Real, Int, Bool];
  let scalar = [{ min(self, other) }];
}
def Aten_min_other : PointwiseOp<"aten::min.other(Tensor self, Tensor other) -> Tensor"> {
  let summary = "The smaller; NaN if either is NaN";
  let variants = [Out];
  let outName = "out";
  let types = [Real, Int, Bool];
  let scalar = [{ min(self, other) }];
}
def Aten_fmax : PointwiseOp<"aten::fmax(Tensor self, Tensor other) -> Tensor"> {
  let summary = "The larger; the other operand if one is NaN";
  let variants = [Out];
  let types = [Real, Int, Bool];
  let scalar = [{ fmax(self, other) }];
}
def Aten_fmin : PointwiseOp<"aten::fmin(Tensor self, Tensor other) -> Tensor"> {
  let summary = "The smaller; the other operand if one is NaN";
  let variants = [Out];
  let types = [Real, Int, Bool];
  let scalar = [{ fmin(self, other) }];
}
def Aten_clamp : PointwiseOp<"aten::clamp(Tensor self, Scalar? min=None, Scalar? max=None) -> Tensor"> {
  let summary = "self within [min, max]";
  let variants = [InPlace, Out];
  let types = [Real, Int];
  let check = "checks::clampBounds";
  let scalar = [{ low = where(has(min), max(self, min), self); where(has(max), min(low, max), low) }];
  let derivative = [{ self = where(clamp(self, min, max) == self, grad, 0.) }];
}
def Aten_clip : PointwiseOp<"aten::clip(Tensor self, Scalar? min=None, Scalar? max=None) -> Tensor"> {
  let summary = "self within [min, max]";
  let variants = [InPlace, Out];
  let types = [Real, Int];
  let check = "checks::clampBounds";
  let scalar = [{ low = where(has(min), max(self, min), self); where(has(max), min(low, max), low) }];
}
def Aten_clamp_Tensor : PointwiseOp<"aten::clamp.Tensor(Tensor self, Tensor? min=None, Tensor? max=None) -> Tensor"> {
  let summary = "self within [min, max]";
  let variants = [InPlace, Out];
  let types = [Real, Int];
  let check = "checks::clampBounds";
  let scalar = [{ low = where(has(min), max(self, min), self); where(has(max), min(low, max), low) }];
}
def Aten_clip_Tensor : PointwiseOp<"aten::clip.Tensor(Tensor self, Tensor? min=None, Tensor? max=None) -> Tensor"> {
  let summary = "self within [min, max]";
  let variants = [InPlace, Out];
  let types = [Real, Int];
  let check = "checks::clampBounds";
  let scalar = [{ low = where(has(min), max(self, min), self); where(has(max), min(low, max), low) }];
}
def Aten_clamp_min : PointwiseOp<"aten::clamp_min(Tensor self, Scalar min) -> Tensor"> {
  let summary = "self, at least min";
  let variants = [InPlace, Out];
  let types = [Real, Int];
  let scalar = [{ max(self, min) }];
}
def Aten_clamp_min_Tensor : PointwiseOp<"aten::clamp_min.Tensor(Tensor self, Tensor min) -> Tensor"> {
  let summary = "self, at least min";
  let variants = [InPlace, Out];
  let types = [Real, Int];
  let scalar = [{ max(self, min) }];
}
def Aten_clamp_max : PointwiseOp<"aten::clamp_max(Tensor self, Scalar max) -> Tensor"> {
  let summary = "self, at most max";
  let variants = [InPlace, Out];
  let types = [Real, Int];
  let scalar = [{ min(self, max) }];
}
def Aten_clamp_max_Tensor : PointwiseOp<"aten::clamp_max.Tensor(Tensor self, Tensor max) -> Tensor"> {
  let summary = "self, at most max";
  let variants = [InPlace, Out];
  let types = [Real, Int];
  let scalar = [{ min(self, max) }];
}

// Signs, rounding, parts
def Aten_neg : PointwiseOp<"aten::neg(Tensor self) -> Tensor"> {
  let summary = "-self";
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
}
def Aten_abs : PointwiseOp<"aten::abs(Tensor self) -> Tensor"> {
  let summary = "Absolute value";
  let variants = [InPlace, Out];
  let dtype = "real";
  let boolScalar = [{ self }];
  let scalar = [{ abs(self) }];
  let derivative = [{ self = grad * sign(self) }];
}
def Aten_absolute : PointwiseOp<"aten::absolute(Tensor self) -> Tensor"> {
  let summary = "Absolute value";
  let variants = [InPlace, Out];
  let dtype = "real";
  let boolScalar = [{ self }];
  let scalar = [{ abs(self) }];
}
def Aten_sign : PointwiseOp<"aten::sign(Tensor self) -> Tensor"> {
  let summary = "-1, 0 or 1";
  let variants = [InPlace, Out];
  let types = [Real, Int, Bool];
  let intScalar = [{ sgn(self) }];
  let scalar = [{ where(isnan(self), 0, sgn(self)) }];
}
def Aten_sgn : PointwiseOp<"aten::sgn(Tensor self) -> Tensor"> {
  let summary = "Sign; of a complex number the unit vector";
  let variants = [InPlace, Out];
  let intScalar = [{ sgn(self) }];
  let complexScalar = [{ sgn(self) }];
  let scalar = [{ where(isnan(self), 0, sgn(self)) }];
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
}
def Aten_floor : PointwiseOp<"aten::floor(Tensor self) -> Tensor"> {
  let summary = "Largest integer not above";
  let variants = [InPlace, Out];
  let types = [Real, Int];
  let intScalar = [{ self }];
  let scalar = [{ floor(self) }];
}
def Aten_trunc : PointwiseOp<"aten::trunc(Tensor self) -> Tensor"> {
  let summary = "Integer part";
  let variants = [InPlace, Out];
  let types = [Real, Int];
  let intScalar = [{ self }];
  let scalar = [{ trunc(self) }];
}
def Aten_fix : PointwiseOp<"aten::fix(Tensor self) -> Tensor"> {
  let summary = "Integer part";
  let variants = [InPlace, Out];
  let types = [Real, Int];
  let intScalar = [{ self }];
  let scalar = [{ trunc(self) }];
}
def Aten_round : PointwiseOp<"aten::round(Tensor self) -> Tensor"> {
  let summary = "Nearest integer, halves to even";
  let variants = [InPlace, Out];
  let types = [Real, Int];
  let intScalar = [{ self }];
  let scalar = [{ round(self) }];
}
def Aten_round_decimals : PointwiseOp<"aten::round.decimals(Tensor self, *, int decimals) -> Tensor"> {
  let summary = "Rounded to a number of decimals";
  let variants = [InPlace, Out];
  let types = [Real, Int];
  let intScalar = [{ self }];
  let scalar = [{ s = pow(10, abs(decimals)); decimals >= 0 ? round(self * s) / s : round(self / s) * s }];
}
def Aten_frac : PointwiseOp<"aten::frac(Tensor self) -> Tensor"> {
  let summary = "Fractional part";
  let variants = [InPlace, Out];
  let types = [Real];
  let scalar = [{ self - trunc(self) }];
}
def Aten_isnan : PointwiseOp<"aten::isnan(Tensor self) -> Tensor"> {
  let summary = "Whether it is NaN";
  let variants = [Out];
  let dtype = "bool";
  let intScalar = [{ self != self }];
  let scalar = [{ isnan(self) }];
}
def Aten_isinf : PointwiseOp<"aten::isinf(Tensor self) -> Tensor"> {
  let summary = "Whether it is infinite";
  let variants = [Out];
  let dtype = "bool";
  let intScalar = [{ self != self }];
  let scalar = [{ isinf(self) }];
}
def Aten_isfinite : PointwiseOp<"aten::isfinite(Tensor self) -> Tensor"> {
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
}
def Aten_angle : PointwiseOp<"aten::angle(Tensor self) -> Tensor"> {
  let summary = "Argument";
  let variants = [Out];
  let dtype = "real_float";
  let types = [Real, Cplx];
  let scalar = [{ angle(self) }];
}
def Aten_copysign_Tensor : PointwiseOp<"aten::copysign.Tensor(Tensor self, Tensor other) -> Tensor"> {
  let summary = "Magnitude of self, sign of other";
  let variants = [InPlace, Out];
  let outName = "out";
  let dtype = "promote_float";
  let types = [Real];
  let scalar = [{ copysign(self, other) }];
}
def Aten_copysign_Scalar : PointwiseOp<"aten::copysign.Scalar(Tensor self, Scalar other) -> Tensor"> {
  let summary = "Magnitude of self, sign of other";
  let variants = [InPlace, Out];
  let dtype = "promote_float";
  let types = [Real];
  let scalar = [{ copysign(self, other) }];
}
def Aten_nextafter : PointwiseOp<"aten::nextafter(Tensor self, Tensor other) -> Tensor"> {
  let summary = "Next representable number towards other";
  let variants = [InPlace, Out];
  let types = [Real];
  let scalar = [{ nextafter(self, other) }];
}
def Aten_heaviside : PointwiseOp<"aten::heaviside(Tensor self, Tensor values) -> Tensor"> {
  let summary = "Step function; values at zero";
  let variants = [InPlace, Out];
  let types = [Real, Int, Bool];
  let intScalar = [{ self == 0 ? values : self < 0 ? 0 : 1 }];
  let check = "checks::sameDType";
  let scalar = [{ self == 0 ? values : self < 0 ? 0 : isnan(self) ? 0 : 1 }];
}

// Functions of one number
def Aten_exp : PointwiseOp<"aten::exp(Tensor self) -> Tensor"> {
  let summary = "Exponential";
  let variants = [InPlace, Out];
  let dtype = "promote_float";
  let types = [Real, Cplx];
  let scalar = [{ exp(self) }];
  let derivative = [{ self = grad * result }];
}
def Aten_exp2 : PointwiseOp<"aten::exp2(Tensor self) -> Tensor"> {
  let summary = "2 to the power";
  let variants = [InPlace, Out];
  let dtype = "promote_float";
  let types = [Real, Cplx];
  let scalar = [{ exp2(self) }];
}
def Aten_expm1 : PointwiseOp<"aten::expm1(Tensor self) -> Tensor"> {
  let summary = "exp(self) - 1";
  let variants = [InPlace, Out];
  let dtype = "promote_float";
  let types = [Real, Cplx];
  let scalar = [{ expm1(self) }];
  let derivative = [{ self = grad * (result + 1) }];
}
def Aten_log : PointwiseOp<"aten::log(Tensor self) -> Tensor"> {
  let summary = "Natural logarithm";
  let variants = [InPlace, Out];
  let dtype = "promote_float";
  let types = [Real, Cplx];
  let scalar = [{ log(self) }];
  let derivative = [{ self = grad / self }];
}
def Aten_log2 : PointwiseOp<"aten::log2(Tensor self) -> Tensor"> {
  let summary = "Logarithm to base 2";
  let variants = [InPlace, Out];
  let dtype = "promote_float";
  let types = [Real, Cplx];
  let scalar = [{ log2(self) }];
  let derivative = [{ self = grad / (self * 0.6931471805599453) }];
}
def Aten_log10 : PointwiseOp<"aten::log10(Tensor self) -> Tensor"> {
  let summary = "Logarithm to base 10";
  let variants = [InPlace, Out];
  let dtype = "promote_float";
  let types = [Real, Cplx];
  let scalar = [{ log10(self) }];
  let derivative = [{ self = grad / (self * 2.302585092994046) }];
}
def Aten_log1p : PointwiseOp<"aten::log1p(Tensor self) -> Tensor"> {
  let summary = "log(1 + self)";
  let variants = [InPlace, Out];
  let dtype = "promote_float";
  let types = [Real, Cplx];
  let scalar = [{ log1p(self) }];
  let derivative = [{ self = grad / (self + 1) }];
}
def Aten_sqrt : PointwiseOp<"aten::sqrt(Tensor self) -> Tensor"> {
  let summary = "Square root";
  let variants = [InPlace, Out];
  let dtype = "promote_float";
  let types = [Real, Cplx];
  let scalar = [{ sqrt(self) }];
  let derivative = [{ self = grad / (2 * result) }];
}
def Aten_rsqrt : PointwiseOp<"aten::rsqrt(Tensor self) -> Tensor"> {
  let summary = "1 / sqrt(self)";
  let variants = [InPlace, Out];
  let dtype = "promote_float";
  let types = [Real, Cplx];
  let scalar = [{ rsqrt(self) }];
  let derivative = [{ self = -0.5 * grad * result * result * result }];
}
def Aten_sin : PointwiseOp<"aten::sin(Tensor self) -> Tensor"> {
  let summary = "Sine";
  let variants = [InPlace, Out];
  let dtype = "promote_float";
  let types = [Real, Cplx];
  let scalar = [{ sin(self) }];
  let derivative = [{ self = grad * cos(self) }];
}
def Aten_cos : PointwiseOp<"aten::cos(Tensor self) -> Tensor"> {
  let summary = "Cosine";
  let variants = [InPlace, Out];
  let dtype = "promote_float";
  let types = [Real, Cplx];
  let scalar = [{ cos(self) }];
  let derivative = [{ self = -grad * sin(self) }];
}
def Aten_tan : PointwiseOp<"aten::tan(Tensor self) -> Tensor"> {
  let summary = "Tangent";
  let variants = [InPlace, Out];
  let dtype = "promote_float";
  let types = [Real, Cplx];
  let scalar = [{ tan(self) }];
  let derivative = [{ self = grad * (1 + result * result) }];
}
def Aten_asin : PointwiseOp<"aten::asin(Tensor self) -> Tensor"> {
  let summary = "Inverse sine";
  let variants = [InPlace, Out];
  let dtype = "promote_float";
  let types = [Real, Cplx];
  let scalar = [{ asin(self) }];
  let derivative = [{ self = grad * rsqrt(1 - self * self) }];
}
def Aten_acos : PointwiseOp<"aten::acos(Tensor self) -> Tensor"> {
  let summary = "Inverse cosine";
  let variants = [InPlace, Out];
  let dtype = "promote_float";
  let types = [Real, Cplx];
  let scalar = [{ acos(self) }];
  let derivative = [{ self = -grad * rsqrt(1 - self * self) }];
}
def Aten_atan : PointwiseOp<"aten::atan(Tensor self) -> Tensor"> {
  let summary = "Inverse tangent";
  let variants = [InPlace, Out];
  let dtype = "promote_float";
  let types = [Real, Cplx];
  let scalar = [{ atan(self) }];
  let derivative = [{ self = grad / (self * self + 1) }];
}
def Aten_sinh : PointwiseOp<"aten::sinh(Tensor self) -> Tensor"> {
  let summary = "Hyperbolic sine";
  let variants = [InPlace, Out];
  let dtype = "promote_float";
  let types = [Real, Cplx];
  let scalar = [{ sinh(self) }];
  let derivative = [{ self = grad * cosh(self) }];
}
def Aten_cosh : PointwiseOp<"aten::cosh(Tensor self) -> Tensor"> {
  let summary = "Hyperbolic cosine";
  let variants = [InPlace, Out];
  let dtype = "promote_float";
  let types = [Real, Cplx];
  let scalar = [{ cosh(self) }];
  let derivative = [{ self = grad * sinh(self) }];
}
def Aten_tanh : PointwiseOp<"aten::tanh(Tensor self) -> Tensor"> {
  let summary = "Hyperbolic tangent";
  let traits = [Pointwise, Activation];
  let variants = [InPlace, Out];
  let dtype = "promote_float";
  let types = [Real, Cplx];
  let scalar = [{ tanh(self) }];
  let derivative = [{ self = grad * (1 - result * result) }];
}
def Aten_asinh : PointwiseOp<"aten::asinh(Tensor self) -> Tensor"> {
  let summary = "Inverse hyperbolic sine";
  let variants = [InPlace, Out];
  let dtype = "promote_float";
  let types = [Real, Cplx];
  let scalar = [{ asinh(self) }];
}
def Aten_acosh : PointwiseOp<"aten::acosh(Tensor self) -> Tensor"> {
  let summary = "Inverse hyperbolic cosine";
  let variants = [InPlace, Out];
  let dtype = "promote_float";
  let types = [Real, Cplx];
  let scalar = [{ acosh(self) }];
}
def Aten_atanh : PointwiseOp<"aten::atanh(Tensor self) -> Tensor"> {
  let summary = "Inverse hyperbolic tangent";
  let variants = [InPlace, Out];
  let dtype = "promote_float";
  let types = [Real, Cplx];
  let scalar = [{ atanh(self) }];
}
def Aten_sigmoid : PointwiseOp<"aten::sigmoid(Tensor self) -> Tensor"> {
  let summary = "1 / (1 + exp(-self))";
  let traits = [Pointwise, Activation];
  let variants = [InPlace, Out];
  let dtype = "promote_float";
  let types = [Real, Cplx];
  let scalar = [{ sigmoid(self) }];
  let derivative = [{ self = grad * (1 - result) * result }];
}
def Aten_arcsin : PointwiseOp<"aten::arcsin(Tensor self) -> Tensor"> {
  let summary = "As asin";
  let variants = [InPlace, Out];
  let dtype = "promote_float";
  let types = [Real, Cplx];
  let scalar = [{ asin(self) }];
}
def Aten_arccos : PointwiseOp<"aten::arccos(Tensor self) -> Tensor"> {
  let summary = "As acos";
  let variants = [InPlace, Out];
  let dtype = "promote_float";
  let types = [Real, Cplx];
  let scalar = [{ acos(self) }];
}
def Aten_arctan : PointwiseOp<"aten::arctan(Tensor self) -> Tensor"> {
  let summary = "As atan";
  let variants = [InPlace, Out];
  let dtype = "promote_float";
  let types = [Real, Cplx];
  let scalar = [{ atan(self) }];
}
def Aten_arcsinh : PointwiseOp<"aten::arcsinh(Tensor self) -> Tensor"> {
  let summary = "As asinh";
  let variants = [InPlace, Out];
  let dtype = "promote_float";
  let types = [Real, Cplx];
  let scalar = [{ asinh(self) }];
}
def Aten_arccosh : PointwiseOp<"aten::arccosh(Tensor self) -> Tensor"> {
  let summary = "As acosh";
  let variants = [InPlace, Out];
  let dtype = "promote_float";
  let types = [Real, Cplx];
  let scalar = [{ acosh(self) }];
}
def Aten_arctanh : PointwiseOp<"aten::arctanh(Tensor self) -> Tensor"> {
  let summary = "As atanh";
  let variants = [InPlace, Out];
  let dtype = "promote_float";
  let types = [Real, Cplx];
  let scalar = [{ atanh(self) }];
}
def Aten_reciprocal : PointwiseOp<"aten::reciprocal(Tensor self) -> Tensor"> {
  let summary = "1 / self";
  let variants = [InPlace, Out];
  let dtype = "promote_float";
  let types = [Real, Cplx];
  let scalar = [{ 1 / self }];
  let derivative = [{ self = -grad * result * result }];
}
def Aten_square : PointwiseOp<"aten::square(Tensor self) -> Tensor"> {
  let summary = "self * self";
  let variants = [InPlace, Out];
  let scalar = [{ self * self }];
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
}
def Aten_lgamma : PointwiseOp<"aten::lgamma(Tensor self) -> Tensor"> {
  let summary = "Logarithm of the gamma function";
  let variants = [InPlace, Out];
  let dtype = "promote_float";
  let types = [Real];
  let scalar = [{ lgamma(self) }];
}
def Aten_digamma : PointwiseOp<"aten::digamma(Tensor self) -> Tensor"> {
  let summary = "Derivative of lgamma";
  let variants = [InPlace, Out];
  let dtype = "promote_float";
  let types = [Real];
  let scalar = [{ digamma(self) }];
}
def Aten_special_erf : PointwiseOp<"aten::special_erf(Tensor self) -> Tensor"> {
  let summary = "As erf";
  let variants = [Out];
  let dtype = "promote_float";
  let types = [Real];
  let scalar = [{ erf(self) }];
}
def Aten_special_erfc : PointwiseOp<"aten::special_erfc(Tensor self) -> Tensor"> {
  let summary = "As erfc";
  let variants = [Out];
  let dtype = "promote_float";
  let types = [Real];
  let scalar = [{ erfc(self) }];
}
def Aten_special_erfinv : PointwiseOp<"aten::special_erfinv(Tensor self) -> Tensor"> {
  let summary = "As erfinv";
  let variants = [Out];
  let dtype = "promote_float";
  let types = [Real];
  let scalar = [{ erfinv(self) }];
}
def Aten_special_exp2 : PointwiseOp<"aten::special_exp2(Tensor self) -> Tensor"> {
  let summary = "As exp2";
  let variants = [Out];
  let dtype = "promote_float";
  let types = [Real];
  let scalar = [{ exp2(self) }];
}
def Aten_special_expm1 : PointwiseOp<"aten::special_expm1(Tensor self) -> Tensor"> {
  let summary = "As expm1";
  let variants = [Out];
  let dtype = "promote_float";
  let types = [Real];
  let scalar = [{ expm1(self) }];
}
def Aten_special_log1p : PointwiseOp<"aten::special_log1p(Tensor self) -> Tensor"> {
  let summary = "As log1p";
  let variants = [Out];
  let dtype = "promote_float";
  let types = [Real];
  let scalar = [{ log1p(self) }];
}
def Aten_special_expit : PointwiseOp<"aten::special_expit(Tensor self) -> Tensor"> {
  let summary = "As sigmoid";
  let variants = [Out];
  let dtype = "promote_float";
  let types = [Real];
  let scalar = [{ sigmoid(self) }];
}
def Aten_special_gammaln : PointwiseOp<"aten::special_gammaln(Tensor self) -> Tensor"> {
  let summary = "As lgamma";
  let variants = [Out];
  let dtype = "promote_float";
  let types = [Real];
  let scalar = [{ lgamma(self) }];
}
def Aten_special_digamma : PointwiseOp<"aten::special_digamma(Tensor self) -> Tensor"> {
  let summary = "As digamma";
  let variants = [Out];
  let dtype = "promote_float";
  let types = [Real];
  let scalar = [{ digamma(self) }];
}
def Aten_special_psi : PointwiseOp<"aten::special_psi(Tensor self) -> Tensor"> {
  let summary = "As digamma";
  let variants = [Out];
  let dtype = "promote_float";
  let types = [Real];
  let scalar = [{ digamma(self) }];
}
def Aten_logit : PointwiseOp<"aten::logit(Tensor self, float? eps=None) -> Tensor"> {
  let summary = "log(self / (1 - self)), self within [eps, 1 - eps]";
  let variants = [InPlace, Out];
  let dtype = "promote_float";
  let types = [Real];
  let scalar = [{ x = where(has(eps), where(self < eps, eps, where(self > 1 - eps, 1 - eps, self)), self); log(x / (1 - x)) }];
}
def Aten_sinc : PointwiseOp<"aten::sinc(Tensor self) -> Tensor"> {
  let summary = "sin(pi x) / (pi x)";
  let variants = [InPlace, Out];
  let dtype = "promote_float";
  let types = [Real, Cplx];
  let scalar = [{ x = pi * self; self == 0 ? 1 : sin(x) / x }];
}
def Aten_deg2rad : PointwiseOp<"aten::deg2rad(Tensor self) -> Tensor"> {
  let summary = "Degrees to radians";
  let variants = [InPlace, Out];
  let dtype = "promote_float";
  let types = [Real];
  let scalar = [{ self * (pi / 180) }];
}
def Aten_rad2deg : PointwiseOp<"aten::rad2deg(Tensor self) -> Tensor"> {
  let summary = "Radians to degrees";
  let variants = [InPlace, Out];
  let dtype = "promote_float";
  let types = [Real];
  let scalar = [{ self * (180 / pi) }];
}

// Functions of two numbers
def Aten_atan2 : PointwiseOp<"aten::atan2(Tensor self, Tensor other) -> Tensor"> {
  let summary = "Angle of the vector (other, self)";
  let variants = [InPlace, Out];
  let dtype = "promote_float";
  let types = [Real];
  let scalar = [{ atan2(self, other) }];
}
def Aten_arctan2 : PointwiseOp<"aten::arctan2(Tensor self, Tensor other) -> Tensor"> {
  let summary = "Angle of the vector (other, self)";
  let variants = [InPlace, Out];
  let dtype = "promote_float";
  let types = [Real];
  let scalar = [{ atan2(self, other) }];
}
def Aten_hypot : PointwiseOp<"aten::hypot(Tensor self, Tensor other) -> Tensor"> {
  let summary = "Length of the hypotenuse";
  let variants = [InPlace, Out];
  let types = [Real];
  let scalar = [{ hypot(self, other) }];
}
def Aten_logaddexp : PointwiseOp<"aten::logaddexp(Tensor self, Tensor other) -> Tensor"> {
  let summary = "log(exp(self) + exp(other))";
  let variants = [Out];
  let types = [Real];
  let scalar = [{ m = max(self, other); m == inf || m == -inf ? m : m + log1p(exp(-abs(self - other))) }];
}
def Aten_logaddexp2 : PointwiseOp<"aten::logaddexp2(Tensor self, Tensor other) -> Tensor"> {
  let summary = "log2(2^self + 2^other)";
  let variants = [Out];
  let types = [Real];
  let scalar = [{ m = max(self, other); m == inf || m == -inf ? m : m + log2(1 + exp2(-abs(self - other))) }];
}
def Aten_xlogy_Tensor : PointwiseOp<"aten::xlogy.Tensor(Tensor self, Tensor other) -> Tensor"> {
  let summary = "self * log(other), 0 where self is 0";
  let variants = [InPlace];
  let dtype = "promote_float";
  let types = [Real];
  let scalar = [{ isnan(other) ? nan : self == 0 ? 0 : self * log(other) }];
}
def Aten_xlogy_Scalar_Self : PointwiseOp<"aten::xlogy.Scalar_Self(Scalar self, Tensor other) -> Tensor"> {
  let summary = "self * log(other), 0 where self is 0";
  let dtype = "promote_float";
  let types = [Real];
  let scalar = [{ isnan(other) ? nan : self == 0 ? 0 : self * log(other) }];
}
def Aten_xlogy_Scalar_Other : PointwiseOp<"aten::xlogy.Scalar_Other(Tensor self, Scalar other) -> Tensor"> {
  let summary = "self * log(other), 0 where self is 0";
  let variants = [InPlace];
  let dtype = "promote_float";
  let types = [Real];
  let scalar = [{ isnan(other) ? nan : self == 0 ? 0 : self * log(other) }];
}
def Aten_special_xlog1py : PointwiseOp<"aten::special_xlog1py(Tensor self, Tensor other) -> Tensor"> {
  let summary = "self * log(1 + other), 0 where self is 0";
  let variants = [Out];
  let dtype = "promote_float";
  let types = [Real];
  let scalar = [{ isnan(other) ? nan : self == 0 ? 0 : self * log1p(other) }];
}
def Aten_special_xlog1py_self_scalar : PointwiseOp<"aten::special_xlog1py.self_scalar(Scalar self, Tensor other) -> Tensor"> {
  let summary = "self * log(1 + other), 0 where self is 0";
  let variants = [Out];
  let dtype = "promote_float";
  let types = [Real];
  let scalar = [{ isnan(other) ? nan : self == 0 ? 0 : self * log1p(other) }];
}
def Aten_special_xlog1py_other_scalar : PointwiseOp<"aten::special_xlog1py.other_scalar(Tensor self, Scalar other) -> Tensor"> {
  let summary = "self * log(1 + other), 0 where self is 0";
  let variants = [Out];
  let dtype = "promote_float";
  let types = [Real];
  let scalar = [{ isnan(other) ? nan : self == 0 ? 0 : self * log1p(other) }];
}
def Aten_ldexp_Tensor : PointwiseOp<"aten::ldexp.Tensor(Tensor self, Tensor other) -> Tensor"> {
  let summary = "self * 2^other";
  let variants = [InPlace, Out];
  let inPlaceName = "";
  let outName = "out";
  let dtype = "promote_float";
  let types = [Real];
  let scalar = [{ self * exp2(other) }];
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

// Activations
def Aten_relu : PointwiseOp<"aten::relu(Tensor self) -> Tensor"> {
  let summary = "max(self, 0)";
  let traits = [Pointwise, Activation, KeepsDtype];
  let variants = [InPlace, Out];
  let types = [Real, Int];
  let scalar = [{ max(self, 0) }];
  let derivative = [{ self = where(result > 0, grad, 0.) }];
}
def Aten_relu6 : PointwiseOp<"aten::relu6(Tensor self) -> Tensor"> {
  let summary = "Within [0, 6]";
  let traits = [Pointwise, Activation, KeepsDtype];
  let variants = [InPlace];
  let types = [Real, Int];
  let scalar = [{ min(max(self, 0), 6) }];
  let derivative = [{ self = where((self > 0) & (self < 6), grad, 0.) }];
}
def Aten_leaky_relu : PointwiseOp<"aten::leaky_relu(Tensor self, Scalar negative_slope=0.01) -> Tensor"> {
  let summary = "self, or negative_slope * self below zero";
  let traits = [Pointwise, Activation, KeepsDtype];
  let variants = [InPlace, Out];
  let dtype = "self";
  let types = [Real];
  let scalar = [{ self > 0 ? self : self * negative_slope }];
  let derivative = [{ self = where(self > 0, grad, grad * negative_slope) }];
}
def Aten_elu : PointwiseOp<"aten::elu(Tensor self, Scalar alpha=1, Scalar scale=1, Scalar input_scale=1) -> Tensor"> {
  let summary = "Exponential linear unit";
  let traits = [Pointwise, Activation, KeepsDtype];
  let variants = [InPlace, Out];
  let dtype = "self";
  let types = [Real];
  let scalar = [{ self > 0 ? self * scale : expm1(self * input_scale) * (alpha * scale) }];
}
def Aten_selu : PointwiseOp<"aten::selu(Tensor self) -> Tensor"> {
  let summary = "Scaled exponential linear unit";
  let traits = [Pointwise, Activation, KeepsDtype];
  let variants = [InPlace];
  let types = [Real];
  let dispatchName = "elu_cpu";
  let scalar = [{ self > 0 ? 1.0507009873554804934193349852946 * self : expm1(self) * (1.6732632423543772848170429916717 * 1.0507009873554804934193349852946) }];
}
def Aten_celu : PointwiseOp<"aten::celu(Tensor self, Scalar alpha=1.) -> Tensor"> {
  let summary = "Continuously differentiable elu";
  let traits = [Pointwise, Activation, KeepsDtype];
  let variants = [InPlace, Out];
  let dtype = "self";
  let types = [Real];
  let dispatchName = "elu_cpu";
  let scalar = [{ self > 0 ? self : alpha * expm1(self / alpha) }];
}
def Aten_gelu : PointwiseOp<"aten::gelu(Tensor self, *, str approximate=\"none\") -> Tensor"> {
  let summary = "Gaussian error linear unit";
  let variants = [InPlace, Out];
  let types = [Real];
  let check = "checks::gelu";
  let dispatchName = "GeluKernelImpl";
  let scalar = [{ approximate == "tanh" ? 0.5 * self * (1 + tanh(0.79788456080286535588 * (self + 0.044715 * self * self * self))) : self * 0.5 * (1 + erf(self * 0.70710678118654752440)) }];
}
def Aten_silu : PointwiseOp<"aten::silu(Tensor self) -> Tensor"> {
  let summary = "self * sigmoid(self)";
  let traits = [Pointwise, Activation, KeepsDtype];
  let variants = [InPlace, Out];
  let types = [Real, Cplx];
  let scalar = [{ self / (1 + exp(-self)) }];
  let derivative = [{ self = grad * sigmoid(self) * (1 + self * (1 - sigmoid(self))) }];
}
def Aten_mish : PointwiseOp<"aten::mish(Tensor self) -> Tensor"> {
  let summary = "self * tanh(softplus(self))";
  let traits = [Pointwise, Activation, KeepsDtype];
  let variants = [InPlace, Out];
  let types = [Real];
  let scalar = [{ self * tanh(log1p(exp(self))) }];
}
def Aten_softplus : PointwiseOp<"aten::softplus(Tensor self, Scalar beta=1, Scalar threshold=20) -> Tensor"> {
  let summary = "log(1 + exp(beta * self)) / beta";
  let variants = [Out];
  let dtype = "self";
  let types = [Real];
  let scalar = [{ z = self * beta; z > threshold ? self : log1p(exp(z)) / beta }];
}
def Aten_hardtanh : PointwiseOp<"aten::hardtanh(Tensor self, Scalar min_val=-1, Scalar max_val=1) -> Tensor"> {
  let summary = "Within [min_val, max_val]";
  let traits = [Pointwise, Activation, KeepsDtype];
  let variants = [InPlace, Out];
  let dtype = "self";
  let types = [Real, Int];
  let scalar = [{ min(max(self, min_val), max_val) }];
  let derivative = [{ self = where((self > min_val) & (self < max_val), grad, 0.) }];
}
def Aten_hardsigmoid : PointwiseOp<"aten::hardsigmoid(Tensor self) -> Tensor"> {
  let summary = "Piecewise linear sigmoid";
  let traits = [Pointwise, Activation, KeepsDtype];
  let variants = [InPlace, Out];
  let types = [Real];
  let scalar = [{ min(max(self + 3, 0), 6) / 6 }];
  let derivative = [{ self = where((self > -3) & (self < 3), grad / 6, 0.) }];
}
def Aten_hardswish : PointwiseOp<"aten::hardswish(Tensor self) -> Tensor"> {
  let summary = "self * hardsigmoid(self)";
  let traits = [Pointwise, Activation, KeepsDtype];
  let variants = [InPlace, Out];
  let types = [Real];
  let scalar = [{ self * min(max(self + 3, 0), 6) / 6 }];
  let derivative = [{ self = where(self < -3, 0., where(self <= 3, grad * (self / 3 + 0.5), grad)) }];
}
def Aten_hardshrink : PointwiseOp<"aten::hardshrink(Tensor self, Scalar lambd=0.5) -> Tensor"> {
  let summary = "Zero within [-lambd, lambd]";
  let variants = [Out];
  let dtype = "self";
  let types = [Real];
  let scalar = [{ self >= -lambd && self <= lambd ? 0 : self }];
}
def Aten_softshrink : PointwiseOp<"aten::softshrink(Tensor self, Scalar lambd=0.5) -> Tensor"> {
  let summary = "Moved towards zero by lambd";
  let variants = [Out];
  let dtype = "self";
  let types = [Real];
  let scalar = [{ self > lambd ? self - lambd : self < -lambd ? self + lambd : isnan(self) ? self : 0 }];
}
def Aten_threshold : PointwiseOp<"aten::threshold(Tensor self, Scalar threshold, Scalar value) -> Tensor"> {
  let summary = "value where self is at most threshold";
  let variants = [InPlace, Out];
  let dtype = "self";
  let types = [Real, Int];
  let scalar = [{ self <= threshold ? value : self }];
  let derivative = [{ self = where(self > threshold, grad, 0.) }];
}
def Aten_log_sigmoid : PointwiseOp<"aten::log_sigmoid(Tensor self) -> Tensor"> {
  let summary = "log(sigmoid(self))";
  let variants = [Out];
  let types = [Real];
  let scalar = [{ min(self, 0) - log1p(exp(-abs(self))) }];
}
def Aten_threshold_backward : PointwiseOp<"aten::threshold_backward(Tensor grad_output, Tensor self, Scalar threshold) -> Tensor"> {
  let summary = "Gradient of threshold";
  let noPromote = ["threshold"];
  let types = [Real, Int];
  let scalar = [{ self <= threshold ? 0 : grad_output }];
}
def Aten_sigmoid_backward : PointwiseOp<"aten::sigmoid_backward(Tensor grad_output, Tensor output) -> Tensor"> {
  let summary = "Gradient of sigmoid";
  let types = [Real, Cplx];
  let complexScalar = [{ grad_output * conj((1 - output) * output) }];
  let scalar = [{ grad_output * (1 - output) * output }];
}
def Aten_tanh_backward : PointwiseOp<"aten::tanh_backward(Tensor grad_output, Tensor output) -> Tensor"> {
  let summary = "Gradient of tanh";
  let types = [Real, Cplx];
  let complexScalar = [{ grad_output * conj(1 - output * output) }];
  let scalar = [{ grad_output * (1 - output * output) }];
}
