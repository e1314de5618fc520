# Point-wise operators, complex numbers among them.
import torch
from torch import Tensor
from typing import Optional


def times(grad: Tensor, factor: number) -> Tensor:
    """The gradient of a product with a number, which may be complex."""
    return grad if factor == 1 else (grad.conj() * factor).conj()


def wide(x: Tensor) -> Tensor:
    """For formulas that round once: half numbers as floats."""
    return x.float() if x.dtype == torch.half or x.dtype == torch.bfloat16 else x


def hardswish(grad: Tensor, self: Tensor) -> Tensor:
    grad, self = wide(grad), wide(self)
    inner = torch.where(self > -3, self, -3.) # constant at the kink
    return torch.where(self < -3, 0., torch.where(self < 3, grad * (inner / 3 + 0.5), grad))


def elu(grad: Tensor, self: Tensor, alpha: number, scale: number, input_scale: number) -> Tensor:
    grad, self = wide(grad), wide(self)
    below = torch.exp(torch.clamp_max(self, 0) * input_scale) * (alpha * scale * input_scale)
    return torch.where(self <= 0, grad * below, grad * scale)


def gelu(grad: Tensor, self: Tensor, approximate: str) -> Tensor:
    grad, self = wide(grad), wide(self)
    if approximate == "tanh":
        inner = 0.7978845608028654 * (self + 0.044715 * self * self * self)
        t = torch.tanh(inner)
        return grad * (0.5 * (1 + t) + 0.5 * self * (1 - t * t) * 0.7978845608028654 * (1 + 0.134145 * self * self))
    return grad * (0.5 * (1 + torch.erf(self * 0.7071067811865476)) +
                   self * torch.exp(-0.5 * self * self) * 0.3989422804014327)


def mish(grad: Tensor, self: Tensor) -> Tensor:
    grad, self = wide(grad), wide(self)
    t = torch.tanh(torch.softplus(self))
    return grad * (t + self * torch.sigmoid(self) * (1 - t * t))


def along_channels(weight: Tensor, self: Tensor) -> Tensor:
    if weight.numel() == 1 or self.dim() < 2:
        return weight
    return weight.reshape([-1] + [1] * (self.dim() - 2))


def prelu_weight(products: Tensor, weight: Tensor) -> Tensor:
    if weight.numel() == 1 or products.dim() < 2:
        return products.sum().reshape(weight.size()) if weight.numel() == 1 else products
    return products.sum([0] + [d for d in range(2, products.dim())])


def glu(grad: Tensor, self: Tensor, dim: int) -> Tensor:
    grad, self = wide(grad), wide(self)
    halves = self.chunk(2, dim)
    gate = torch.sigmoid(halves[1])
    return torch.cat([grad * gate, grad * halves[0] * gate * (1 - gate)], dim)


def silu(grad: Tensor, self: Tensor) -> Tensor:
    grad, self = wide(grad), wide(self)
    gate = torch.sigmoid(self)
    return grad * (gate * (1 + self * (1 - gate))).conj()


def sinc(grad: Tensor, self: Tensor) -> Tensor:
    x = self * 3.141592653589793
    square = x * x
    series = x * (-1 / 3 + square * (1 / 30 + square * (-1 / 840 + square * (1 / 45360 - square / 3991680))))
    is_small = torch.abs(x) < 0.1  # where the difference would lose digits
    slope = torch.where(is_small, series, (torch.cos(x) - torch.sin(x) / x) / x)
    return grad * 3.141592653589793 * slope.conj()


def larger(grad: Tensor, self: Tensor, other: Tensor) -> Tensor:
    """Where self is the larger one; half where both are equal."""
    return torch.where(self == other, grad / 2, grad).masked_fill(self < other, 0)


def div_self(grad: Tensor, other: Tensor, rounding_mode: Optional[str]) -> Tensor:
    return grad / other.conj() if rounding_mode is None else torch.zeros_like(grad)


def div_other(grad: Tensor, self: Tensor, other: Tensor, rounding_mode: Optional[str]) -> Tensor:
    return -grad * (self / (other * other)).conj() if rounding_mode is None else torch.zeros_like(grad)


def logit(grad: Tensor, self: Tensor, eps: Optional[float]) -> Tensor:
    slope = grad / (self * (1 - self))
    if eps is None:
        return torch.where((self < 0) | (self > 1), float('nan'), slope)
    return torch.where((self < eps) | (self > 1 - eps), 0., slope)


def times_j(grad: Tensor) -> Tensor:
    return torch.complex(torch.zeros_like(grad), grad)


def sgn(grad: Tensor, self: Tensor, result: Tensor) -> Tensor:
    if not self.is_complex():
        return torch.zeros_like(grad)
    size = torch.abs(self)
    along = (grad - torch.real(grad / result) * result) / size
    return torch.where(size == 0, torch.zeros_like(along), along)


def angle(grad: Tensor, self: Tensor) -> Tensor:
    """Zero at zero."""
    if not self.is_complex():
        return torch.zeros_like(grad)
    square = torch.real(self * self.conj())
    share = torch.masked_fill(grad / square, square == 0, 0)
    return torch.complex(-share * torch.imag(self), share * torch.real(self))


def clamp(grad: Tensor, self: Tensor, min: Optional[number], max: Optional[number]) -> Tensor:
    if min is not None:
        grad = torch.where(self >= min, grad, 0.)
    if max is not None:
        grad = torch.where(self <= max, grad, 0.)
    return grad


def clamp_low(grad: Tensor, self: Tensor, min: Optional[Tensor], max: Optional[Tensor]) -> Tensor:
    assert min is not None
    isBound = self < min
    if max is not None:
        isBound = isBound & (min < max)
    return torch.where(isBound, grad, 0.)


def clamp_high(grad: Tensor, self: Tensor, min: Optional[Tensor], max: Optional[Tensor]) -> Tensor:
    assert max is not None
    isBound = self > max
    if min is not None:
        isBound = isBound | (max < min)
    return torch.where(isBound, grad, 0.)


def multigammaln(grad: Tensor, self: Tensor, p: int) -> Tensor:
    total = torch.digamma(self)
    for i in range(1, p):
        total = total + torch.digamma(self - 0.5 * i)
    return grad * total


def power_exponent_of_number(grad: Tensor, self: number, exponent: Tensor, result: Tensor) -> Tensor:
    return power_exponent(grad, torch.scalar_tensor(self, dtype=result.dtype), exponent, result)


def gamma_density(grad: Tensor, self: Tensor, other: Tensor) -> Tensor:
    return grad * torch.exp((self - 1) * torch.log(other) - other - torch.lgamma(self))


def clamped(grad: Tensor, self: Tensor, min: Optional[Tensor], max: Optional[Tensor]) -> Tensor:
    if min is not None:
        grad = torch.where(self >= min, grad, 0.)
    if max is not None:
        grad = torch.where(self <= max, grad, 0.)
    return grad


def power_exponent(grad: Tensor, self: Tensor, exponent: Tensor, result: Tensor) -> Tensor:
    isFlat = (self == 0) & (torch.real(exponent) >= 0 if exponent.is_complex() else exponent >= 0)
    return torch.where(isFlat, 0., grad * (result * torch.log(self)).conj())


def rrelu(grad: Tensor, self: Tensor, result: Tensor, lower: number, upper: number, training: bool) -> Tensor:
    below = grad * ((lower + upper) / 2)
    if training:
        below = grad * (result / torch.where(self == 0, 1., self))
    return torch.where(self >= 0, grad, below)
