//===- Special.td - Special functions on each element -----------*- tablegen -*-===//
//
// The scalar bodies call what include/tsc/Kernels/SpecialFunctions.def names.
//
//===----------------------------------------------------------------------===//

class SpecialOp<string schema, string summary_, code body> : PointwiseOp<schema> {
  let summary = summary_;
  let variants = [Out];
  let dtype = "promote_float";
  let types = [Real];
  let scalar = body;
}

// One argument. Some are known by a second name.
class SpecialUnary<string name, string summary, code body> : SpecialOp<"aten::" # name # "(Tensor self) -> Tensor", summary, body>;
class SpecialUnaryX<string name, string summary, code body> : SpecialOp<"aten::" # name # "(Tensor x) -> Tensor", summary, body>;
// Functions that PyTorch does not differentiate.
defvar detachedFunction = [Pointwise, Detached];
def Aten_special_entr : SpecialUnary<"special_entr", "-self * log(self)", [{ isnan(self) ? self : self > 0 ? -self * log(self) : self == 0 ? 0 : -inf }]> {
  let derivative = [{ self = grad * (-log(self) - 1) }];
}
def Aten_special_erfcx : SpecialUnary<"special_erfcx", "exp(self^2) * erfc(self)", [{ erfcx(self) }]> {
  let derivative = [{ self = grad * (2 * self * result - 1.1283791670955126) }];
}
def Aten_special_ndtr : SpecialUnary<"special_ndtr", "Integral of the normal distribution up to self", [{ erfc(-self * 0.70710678118654752440) / 2 }]> {
  let derivative = [{ self = grad * exp(-0.5 * self * self) * 0.3989422804014327 }];
}
def Aten_special_log_ndtr : SpecialUnary<"special_log_ndtr", "log(ndtr(self))", [{ log_ndtr(self) }]> {
  let derivative = [{ self = grad / special_erfcx(self * -0.7071067811865476) * 0.7978845608028654 }];
}
def Aten_special_ndtri : SpecialUnary<"special_ndtri", "Inverse of ndtr", [{ ndtri(self) }]> {
  let derivative = [{ self = grad * exp(0.5 * result * result) * 2.5066282746310002 }];
}
def Aten_i0 : SpecialUnary<"i0", "Modified Bessel function of the first kind, order 0", [{ bessel_i0(self) }]> {
  let variants = [InPlace, Out];
  let derivative = [{ self = grad * special_i1(self) }];
}
def Aten_special_i0 : SpecialUnary<"special_i0", "As i0", [{ bessel_i0(self) }]> {
  let decomposition = [{
def special_i0(self: Tensor) -> Tensor:
    return torch.i0(self)
  }];
  let backwardNode = "I0Backward0";
}
def Aten_special_i0e : SpecialUnary<"special_i0e", "exp(-abs(self)) * i0(self)", [{ bessel_i0e(self) }]> {
  let derivative = [{ self = grad * (special_i1e(self) - sign(self) * result) }];
}
def Aten_special_i1 : SpecialUnary<"special_i1", "Modified Bessel function of the first kind, order 1", [{ bessel_i1(self) }]> {
  let derivative = [{ self = grad * where(self == 0, 0.5, i0(self) - result / self) }];
}
def Aten_special_i1e : SpecialUnary<"special_i1e", "exp(-abs(self)) * i1(self)", [{ bessel_i1e(self) }]> {
  let derivative = [{ self = grad * (special_i0e(self) - sgn(self) * result - where(self == 0, 0.5, result / self)) }];
}
let traits = detachedFunction in {
foreach order = ["0", "1"] in {
  def Aten_special_bessel_j # order : SpecialUnary<"special_bessel_j" # order, "Bessel function of the first kind, order " # order, "bessel_j" # order # "(self)">;
  def Aten_special_bessel_y # order : SpecialUnary<"special_bessel_y" # order, "Bessel function of the second kind, order " # order, "bessel_y" # order # "(self)">;
  def Aten_special_modified_bessel_i # order : SpecialUnary<"special_modified_bessel_i" # order, "As i" # order, "bessel_i" # order # "(self)">;
  def Aten_special_modified_bessel_k # order : SpecialUnary<"special_modified_bessel_k" # order, "Modified Bessel function of the second kind, order " # order, "bessel_k" # order # "(self)">;
  def Aten_special_scaled_modified_bessel_k # order : SpecialUnaryX<"special_scaled_modified_bessel_k" # order, "exp(x) * modified_bessel_k" # order # "(x)", "scaled_bessel_k" # order # "(x)">;
}
def Aten_special_spherical_bessel_j0 : SpecialUnaryX<"special_spherical_bessel_j0", "sin(x) / x", [{ spherical_bessel_j0(x) }]>;
def Aten_special_airy_ai : SpecialUnaryX<"special_airy_ai", "Airy function of the first kind", [{ airy_ai(x) }]>;
}

// Gamma functions.
class PolygammaOp<string name> : SpecialOp<"aten::" # name # "(int n, Tensor self) -> Tensor", "n-th derivative of digamma", [{ polygamma(n, self) }]> {
  let noPromote = ["n"];
  let check = "checks::polygammaOrder";
}
def Aten_polygamma : PolygammaOp<"polygamma"> {
  let derivative = [{ self = grad * polygamma(n + 1, self) }];
  let backwardNode = "0,1";
}
def Aten_special_polygamma : PolygammaOp<"special_polygamma"> {
  let decomposition = [{
def special_polygamma(n: int, self: Tensor) -> Tensor:
    return torch.polygamma(n, self)
  }];
}
class MultiGamma<string name> : SpecialOp<"aten::" # name # "(Tensor self, int p) -> Tensor", "Logarithm of the gamma function of p dimensions", [{ multigammaln(self, p) }]> {
  let noPromote = ["p"];
  let check = "checks::gammaDimensions";
}
def Aten_mvlgamma : MultiGamma<"mvlgamma"> {
  let variants = [InPlace, Out];
  let derivative = [{ self = backward.multigammaln(grad, self, p) }];
}
def Aten_special_multigammaln : MultiGamma<"special_multigammaln"> {
  let decomposition = [{
def special_multigammaln(self: Tensor, p: int) -> Tensor:
    return torch.mvlgamma(self, p)
  }];
}
class IncompleteGamma<string name, string summary, code body> : SpecialOp<"aten::" # name # "(Tensor self, Tensor other) -> Tensor", summary, body> {
  let dtype = "promote";
}
def Aten_igamma : IncompleteGamma<"igamma", "Lower incomplete gamma function, regularized", [{ igamma(self, other) }]> {
  let variants = [InPlace, Out];
  let derivative = [{ other = backward.gamma_density(grad, self, other) }];
}
def Aten_igammac : IncompleteGamma<"igammac", "Upper incomplete gamma function, regularized", [{ igammac(self, other) }]> {
  let variants = [InPlace, Out];
  let derivative = [{ other = -backward.gamma_density(grad, self, other) }];
}
def Aten_special_gammainc : IncompleteGamma<"special_gammainc", "As igamma", [{ igamma(self, other) }]> {
  let decomposition = [{
def special_gammainc(self: Tensor, other: Tensor) -> Tensor:
    return torch.igamma(self, other)
  }];
}
def Aten_special_gammaincc : IncompleteGamma<"special_gammaincc", "As igammac", [{ igammac(self, other) }]> {
  let decomposition = [{
def special_gammaincc(self: Tensor, other: Tensor) -> Tensor:
    return torch.igammac(self, other)
  }];
}

// Two arguments, either of which may be a number.
multiclass SpecialBinary<string name, string x, string y, string summary, code body, code slope = ""> {
  def "" : SpecialOp<"aten::" # name # "(Tensor " # x # ", Tensor " # y # ") -> Tensor", summary, body> { let derivative = slope; }
  def _x_scalar : SpecialOp<"aten::" # name # "." # x # "_scalar(Scalar " # x # ", Tensor " # y # ") -> Tensor", summary, body> { let derivative = slope; }
  def _y_scalar : SpecialOp<"aten::" # name # "." # y # "_scalar(Tensor " # x # ", Scalar " # y # ") -> Tensor", summary, body>;
}
defm Aten_special_zeta : SpecialBinary<"special_zeta", "self", "other", "Hurwitz's zeta function", [{ zeta(self, other) }],
                                      [{ other = -grad * self * special_zeta(self + 1, other) }]>;
let traits = detachedFunction in {
foreach kind = ["t", "u", "v", "w"] in {
  defm Aten_special_chebyshev_polynomial_ # kind
      : SpecialBinary<"special_chebyshev_polynomial_" # kind, "x", "n", "Chebyshev polynomial of degree n", "chebyshev_" # kind # "(x, n)">;
  defm Aten_special_shifted_chebyshev_polynomial_ # kind
      : SpecialBinary<"special_shifted_chebyshev_polynomial_" # kind, "x", "n", "Chebyshev polynomial of degree n at 2 * x - 1", "chebyshev_" # kind # "(x + x - 1, n)">;
}
defm Aten_special_hermite_polynomial_h : SpecialBinary<"special_hermite_polynomial_h", "x", "n", "Hermite polynomial of degree n (physicists')", [{ hermite_h(x, n) }]>;
defm Aten_special_hermite_polynomial_he : SpecialBinary<"special_hermite_polynomial_he", "x", "n", "Hermite polynomial of degree n (probabilists')", [{ hermite_he(x, n) }]>;
defm Aten_special_laguerre_polynomial_l : SpecialBinary<"special_laguerre_polynomial_l", "x", "n", "Laguerre polynomial of degree n", [{ laguerre_l(x, n) }]>;
defm Aten_special_legendre_polynomial_p : SpecialBinary<"special_legendre_polynomial_p", "x", "n", "Legendre polynomial of degree n", [{ legendre_p(x, n) }]>;
}

// Sums whose positive part counts.
multiclass AddRelu<string name, list<Variant> forms, code body> {
  def _Tensor : PointwiseOp<"aten::" # name # ".Tensor(Tensor self, Tensor other, *, Scalar alpha=1) -> Tensor"> {
    let summary = "relu(self + alpha * other)";
    let variants = forms;
    let outName = "out";
    let noPromote = ["alpha"];
    let check = "checks::addAlpha";
    let types = [Real, Int];
    let scalar = body;
    let derivative = [{ self  = where(result > 0, grad, 0.)
                        other = where(result > 0, grad, 0.) * alpha }];
  }
  def _Scalar : PointwiseOp<"aten::" # name # ".Scalar(Tensor self, Scalar other, Scalar alpha=1) -> Tensor"> {
    let summary = "relu(self + alpha * other)";
    let variants = forms;
    let noPromote = ["alpha"];
    let check = "checks::addAlpha";
    let types = [Real, Int];
    let scalar = body;
    let derivative = [{ self = where(result > 0, grad, 0.) }];
  }
}
defm Aten__add_relu : AddRelu<"_add_relu", [InPlace, Out], [{ sum = self + alpha * other; sum < 0 ? 0 : sum }]>;
def Prim_abs_Tensor : PointwiseOp<"prim::abs(Tensor x) -> Tensor"> {
  let summary = "abs(x)";
  let dtype = "real";
  let boolScalar = [{ x }];
  let scalar = [{ abs(x) }];
  let derivative = [{ x = grad * sgn(x) }];
}

def Aten_frexp_Tensor : Op<"aten::frexp.Tensor(Tensor self) -> (Tensor mantissa, Tensor exponent)"> {
  let summary = "self as mantissa * 2^exponent";
  let kernel = "cpu::frexp";
  let variants = [Out];
  let derivative = [{ self = ldexp(grad_mantissa, -exponent) }];
  let backwardNode = "0";
}
