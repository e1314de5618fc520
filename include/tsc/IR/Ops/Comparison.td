//===- Comparison.td - Comparisons and logic ---------------*- tablegen -*-===//
//
// Point-wise: each scalar body is the one definition of its operator for every tier.
//
//===----------------------------------------------------------------------===//

def Aten_eq_Tensor : PointwiseOp<"aten::eq.Tensor(Tensor self, Tensor other) -> Tensor"> {
  let quantized = "reals";
  let summary = "self == other";
  let traits = [Pointwise, Cheap, Commutative];
  let variants = [InPlace, Out];
  let dtype = "bool";
  let scalar = [{ self == other }];
}
def Aten_eq_Scalar : PointwiseOp<"aten::eq.Scalar(Tensor self, Scalar other) -> Tensor"> {
  let quantized = "reals";
  let summary = "self == other";
  let traits = [Pointwise, Cheap];
  let variants = [InPlace, Out];
  let dtype = "bool";
  let scalar = [{ self == other }];
}
def Aten_ne_Tensor : PointwiseOp<"aten::ne.Tensor(Tensor self, Tensor other) -> Tensor"> {
  let quantized = "reals";
  let summary = "self != other";
  let traits = [Pointwise, Cheap, Commutative];
  let variants = [InPlace, Out];
  let dtype = "bool";
  let scalar = [{ self != other }];
}
def Aten_ne_Scalar : PointwiseOp<"aten::ne.Scalar(Tensor self, Scalar other) -> Tensor"> {
  let quantized = "reals";
  let summary = "self != other";
  let traits = [Pointwise, Cheap];
  let variants = [InPlace, Out];
  let dtype = "bool";
  let scalar = [{ self != other }];
}
def Aten_lt_Tensor : PointwiseOp<"aten::lt.Tensor(Tensor self, Tensor other) -> Tensor"> {
  let quantized = "reals";
  let summary = "self < other";
  let traits = [Pointwise, Cheap];
  let variants = [InPlace, Out];
  let dtype = "bool";
  let types = [Real, Int, Bool];
  let scalar = [{ self < other }];
}
def Aten_lt_Scalar : PointwiseOp<"aten::lt.Scalar(Tensor self, Scalar other) -> Tensor"> {
  let quantized = "reals";
  let summary = "self < other";
  let traits = [Pointwise, Cheap];
  let variants = [InPlace, Out];
  let dtype = "bool";
  let types = [Real, Int, Bool];
  let scalar = [{ self < other }];
}
def Aten_le_Tensor : PointwiseOp<"aten::le.Tensor(Tensor self, Tensor other) -> Tensor"> {
  let quantized = "reals";
  let summary = "self <= other";
  let traits = [Pointwise, Cheap];
  let variants = [InPlace, Out];
  let dtype = "bool";
  let types = [Real, Int, Bool];
  let scalar = [{ self <= other }];
}
def Aten_le_Scalar : PointwiseOp<"aten::le.Scalar(Tensor self, Scalar other) -> Tensor"> {
  let quantized = "reals";
  let summary = "self <= other";
  let traits = [Pointwise, Cheap];
  let variants = [InPlace, Out];
  let dtype = "bool";
  let types = [Real, Int, Bool];
  let scalar = [{ self <= other }];
}
def Aten_gt_Tensor : PointwiseOp<"aten::gt.Tensor(Tensor self, Tensor other) -> Tensor"> {
  let quantized = "reals";
  let summary = "self > other";
  let traits = [Pointwise, Cheap];
  let variants = [InPlace, Out];
  let dtype = "bool";
  let types = [Real, Int, Bool];
  let scalar = [{ self > other }];
}
def Aten_gt_Scalar : PointwiseOp<"aten::gt.Scalar(Tensor self, Scalar other) -> Tensor"> {
  let quantized = "reals";
  let summary = "self > other";
  let traits = [Pointwise, Cheap];
  let variants = [InPlace, Out];
  let dtype = "bool";
  let types = [Real, Int, Bool];
  let scalar = [{ self > other }];
}
def Aten_ge_Tensor : PointwiseOp<"aten::ge.Tensor(Tensor self, Tensor other) -> Tensor"> {
  let quantized = "reals";
  let summary = "self >= other";
  let traits = [Pointwise, Cheap];
  let variants = [InPlace, Out];
  let dtype = "bool";
  let types = [Real, Int, Bool];
  let scalar = [{ self >= other }];
}
def Aten_ge_Scalar : PointwiseOp<"aten::ge.Scalar(Tensor self, Scalar other) -> Tensor"> {
  let quantized = "reals";
  let summary = "self >= other";
  let traits = [Pointwise, Cheap];
  let variants = [InPlace, Out];
  let dtype = "bool";
  let types = [Real, Int, Bool];
  let scalar = [{ self >= other }];
}
def Aten_not_equal_Tensor : PointwiseOp<"aten::not_equal.Tensor(Tensor self, Tensor other) -> Tensor"> {
  let quantized = "reals";
  let summary = "self != other";
  let variants = [InPlace, Out];
  let dtype = "bool";
  let scalar = [{ self != other }];
}
def Aten_not_equal_Scalar : PointwiseOp<"aten::not_equal.Scalar(Tensor self, Scalar other) -> Tensor"> {
  let quantized = "reals";
  let summary = "self != other";
  let variants = [InPlace, Out];
  let dtype = "bool";
  let scalar = [{ self != other }];
}
def Aten_less_Tensor : PointwiseOp<"aten::less.Tensor(Tensor self, Tensor other) -> Tensor"> {
  let quantized = "reals";
  let summary = "self < other";
  let variants = [InPlace, Out];
  let dtype = "bool";
  let types = [Real, Int, Bool];
  let scalar = [{ self < other }];
}
def Aten_less_Scalar : PointwiseOp<"aten::less.Scalar(Tensor self, Scalar other) -> Tensor"> {
  let quantized = "reals";
  let summary = "self < other";
  let variants = [InPlace, Out];
  let dtype = "bool";
  let types = [Real, Int, Bool];
  let scalar = [{ self < other }];
}
def Aten_less_equal_Tensor : PointwiseOp<"aten::less_equal.Tensor(Tensor self, Tensor other) -> Tensor"> {
  let quantized = "reals";
  let summary = "self <= other";
  let variants = [InPlace, Out];
  let dtype = "bool";
  let types = [Real, Int, Bool];
  let scalar = [{ self <= other }];
}
def Aten_less_equal_Scalar : PointwiseOp<"aten::less_equal.Scalar(Tensor self, Scalar other) -> Tensor"> {
  let quantized = "reals";
  let summary = "self <= other";
  let variants = [InPlace, Out];
  let dtype = "bool";
  let types = [Real, Int, Bool];
  let scalar = [{ self <= other }];
}
def Aten_greater_Tensor : PointwiseOp<"aten::greater.Tensor(Tensor self, Tensor other) -> Tensor"> {
  let quantized = "reals";
  let summary = "self > other";
  let variants = [InPlace, Out];
  let dtype = "bool";
  let types = [Real, Int, Bool];
  let scalar = [{ self > other }];
}
def Aten_greater_Scalar : PointwiseOp<"aten::greater.Scalar(Tensor self, Scalar other) -> Tensor"> {
  let quantized = "reals";
  let summary = "self > other";
  let variants = [InPlace, Out];
  let dtype = "bool";
  let types = [Real, Int, Bool];
  let scalar = [{ self > other }];
}
def Aten_greater_equal_Tensor : PointwiseOp<"aten::greater_equal.Tensor(Tensor self, Tensor other) -> Tensor"> {
  let quantized = "reals";
  let summary = "self >= other";
  let variants = [InPlace, Out];
  let dtype = "bool";
  let types = [Real, Int, Bool];
  let scalar = [{ self >= other }];
}
def Aten_greater_equal_Scalar : PointwiseOp<"aten::greater_equal.Scalar(Tensor self, Scalar other) -> Tensor"> {
  let quantized = "reals";
  let summary = "self >= other";
  let variants = [InPlace, Out];
  let dtype = "bool";
  let types = [Real, Int, Bool];
  let scalar = [{ self >= other }];
}
def Aten_logical_and : PointwiseOp<"aten::logical_and(Tensor self, Tensor other) -> Tensor"> {
  let summary = "Both are nonzero";
  let traits = [Pointwise, KeepsHistory];
  let variants = [InPlace, Out];
  let dtype = "bool";
  let scalar = [{ self && other }];
}
def Aten_logical_or : PointwiseOp<"aten::logical_or(Tensor self, Tensor other) -> Tensor"> {
  let summary = "Either is nonzero";
  let traits = [Pointwise, KeepsHistory];
  let variants = [InPlace, Out];
  let dtype = "bool";
  let scalar = [{ self || other }];
}
def Aten_logical_xor : PointwiseOp<"aten::logical_xor(Tensor self, Tensor other) -> Tensor"> {
  let summary = "One of the two is nonzero";
  let traits = [Pointwise, KeepsHistory];
  let variants = [InPlace, Out];
  let dtype = "bool";
  let scalar = [{ (self != 0) == (other == 0) }];
}
def Aten_logical_not : PointwiseOp<"aten::logical_not(Tensor self) -> Tensor"> {
  let summary = "Whether it is zero";
  let traits = [Pointwise, Cheap, KeepsHistory];
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
  let summary = "Bits shifted left";
  let variants = [Out];
  let types = [Int];
  let dispatchName = "lshift_cpu";
  let scalar = [{ self << other }];
}
def Aten___lshift___Scalar : PointwiseOp<"aten::__lshift__.Scalar(Tensor self, Scalar other) -> Tensor"> {
  let summary = "Bits shifted left";
  let variants = [Out];
  let types = [Int];
  let dispatchName = "lshift_cpu";
  let scalar = [{ self << other }];
}
def Aten___rshift___Tensor : PointwiseOp<"aten::__rshift__.Tensor(Tensor self, Tensor other) -> Tensor"> {
  let summary = "Bits shifted right, keeping the sign";
  let variants = [Out];
  let types = [Int];
  let dispatchName = "rshift_cpu";
  let scalar = [{ self >> other }];
}
def Aten___rshift___Scalar : PointwiseOp<"aten::__rshift__.Scalar(Tensor self, Scalar other) -> Tensor"> {
  let summary = "Bits shifted right, keeping the sign";
  let variants = [Out];
  let types = [Int];
  let dispatchName = "rshift_cpu";
  let scalar = [{ self >> other }];
}
def Aten_where_self : PointwiseOp<"aten::where.self(Tensor condition, Tensor self, Tensor other) -> Tensor"> {
  let quantized = "keeps";
  let summary = "self where the condition holds, else other";
  let variants = [Out];
  let noPromote = ["condition"];
  let check = "checks::condition";
  let scalar = [{ where(condition, self, other) }];
  let derivative = [{ self  = where(condition, grad, 0.)
                      other = where(condition, 0., grad) }];
}
def Aten_where_ScalarSelf : PointwiseOp<"aten::where.ScalarSelf(Tensor condition, Scalar self, Tensor other) -> Tensor"> {
  let quantized = "keeps";
  let summary = "self where the condition holds, else other";
  let noPromote = ["condition"];
  let check = "checks::condition";
  let scalar = [{ where(condition, self, other) }];
  let derivative = [{ other = where(condition, 0., grad) }];
  let backwardNode = "";
}
def Aten_where_ScalarOther : PointwiseOp<"aten::where.ScalarOther(Tensor condition, Tensor self, Scalar other) -> Tensor"> {
  let quantized = "keeps";
  let summary = "self where the condition holds, else other";
  let noPromote = ["condition"];
  let check = "checks::condition";
  let scalar = [{ where(condition, self, other) }];
  let derivative = [{ self = where(condition, grad, 0.) }];
  let backwardNode = "";
}
def Aten_where_Scalar : PointwiseOp<"aten::where.Scalar(Tensor condition, Scalar self, Scalar other) -> Tensor"> {
  let quantized = "keeps";
  let summary = "self where the condition holds, else other";
  let noPromote = ["condition"];
  let check = "checks::condition";
  let scalar = [{ where(condition, self, other) }];
  let derivative = [{ condition = None }];
  let backwardNode = "";
}
def Aten_masked_fill_Scalar : PointwiseOp<"aten::masked_fill.Scalar(Tensor self, Tensor mask, Scalar value) -> Tensor"> {
  let quantized = "keeps";
  let summary = "value where the mask holds, else self";
  let strides = "contiguous";
  let variants = [InPlace, Out];
  let dtype = "self";
  let check = "checks::mask";
  let scalar = [{ where(mask, value, self) }];
  let derivative = [{ self = grad.masked_fill(mask, 0) }];
}
def Aten_masked_fill_Tensor : PointwiseOp<"aten::masked_fill.Tensor(Tensor self, Tensor mask, Tensor value) -> Tensor"> {
  let quantized = "keeps";
  let summary = "value where the mask holds, else self";
  let strides = "contiguous";
  let variants = [InPlace, Out];
  let dtype = "self";
  let check = "checks::mask";
  let scalar = [{ where(mask, value, self) }];
  let derivative = [{ self  = grad.masked_fill(mask, 0)
                      value = where(mask, grad, 0.).sum() }];
  let backwardNode = "1";
}
