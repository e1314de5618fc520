# What formulas of derivatives share, and reductions, scans, norms and distances.
import math
import torch
from torch import Tensor
from typing import List, Optional


def kept(grad: Tensor, self: Tensor, dim: Optional[List[int]], keepdim: bool) -> Tensor:
    """The gradient of a reduction with its dimensions in place, for broadcasting against the operand."""
    if keepdim or self.dim() == 0:
        return grad
    dims = dim if dim is not None else torch.jit.annotate(List[int], [])
    if len(dims) == 0:
        return grad.reshape([1] * self.dim())
    shape = self.size()
    for d in dims:
        shape[d] = 1
    return grad.reshape(shape)


def spread(grad: Tensor, self: Tensor, dim: Optional[List[int]], keepdim: bool) -> Tensor:
    """The gradient of a sum."""
    return kept(grad, self, dim, keepdim).expand(self.size())


def share(self: Tensor, result: Tensor) -> float:
    """What an element is of a mean."""
    return float(max(result.numel(), 1)) / max(self.numel(), 1)


def cumsum(grad: Tensor, dim: int) -> Tensor:
    if grad.dim() == 0:
        return grad
    return grad.flip([dim]).cumsum(dim).flip([dim])


def cumprod(grad: Tensor, self: Tensor, result: Tensor, dim: int) -> Tensor:
    if self.dim() == 0 or self.numel() == 0:
        return grad
    if not bool((self == 0).any()):
        return cumsum(grad * result.conj(), dim) / self.conj()
    # d result[k] / d self[i] is the product of all but element i up to k.
    count = self.size(dim)
    parts: List[Tensor] = []
    for i in range(count):
        ones = torch.ones_like(self.select(dim, i))
        others = self.select_scatter(ones, dim, i).cumprod(dim)
        weighted = grad * others.conj()
        parts.append(torch.slice(weighted, dim, i, count, 1).sum([dim]))
    return torch.stack(parts, dim)


def others(self: Tensor, dim: int) -> Tensor:
    """The product of all other elements along a dimension."""
    count = self.size(dim)
    one = torch.ones_like(self.narrow(dim, 0, 1))
    before = torch.cat([one, self.narrow(dim, 0, count - 1)], dim).cumprod(dim)
    behind = torch.cat([self.narrow(dim, 1, count - 1), one], dim).flip([dim]).cumprod(dim)
    return before * behind.flip([dim])


def prod(grad: Tensor, self: Tensor, result: Tensor) -> Tensor:
    if self.dim() == 0:
        return grad
    if bool((self == 0).any()):
        return grad * others(self.reshape(-1), 0).reshape(self.size()).conj()
    return grad * (result / self).conj()


def prod_dim(grad: Tensor, self: Tensor, dim: int, keepdim: bool, result: Tensor) -> Tensor:
    if self.dim() == 0:
        return grad
    grad = kept(grad, self, [dim], keepdim)
    if bool((self == 0).any()):
        return grad * others(self, dim).conj()
    return grad * (kept(result, self, [dim], keepdim) / self).conj()


def logsumexp(grad: Tensor, self: Tensor, dim: List[int], keepdim: bool, result: Tensor) -> Tensor:
    finite = torch.masked_fill(result, result == -math.inf, 0)
    return kept(grad, self, dim, keepdim) * torch.exp(self - kept(finite, self, dim, keepdim)).conj()


def variance(grad: Tensor, self: Tensor, dim: Optional[List[int]], correction: Optional[int],
             keepdim: bool) -> Tensor:
    mean = torch.mean(self, dims_or_all(dim), True)
    count = self.numel() // max(mean.numel(), 1) - (correction if correction is not None else 1)
    return (self - mean) * (kept(grad, self, dim, keepdim) * 2 / max(count, 0))


def shared(grad: Tensor, self: Tensor, result: Tensor, dim: List[int], keepdim: bool) -> Tensor:
    """To equal parts for all elements that are the result."""
    found = (self == kept(result, self, dim, keepdim)).to(grad.dtype)
    return found * (kept(grad, self, dim, keepdim) / found.sum(dim, True))


def from_index(grad: Tensor, indices: Tensor, self: Tensor, dim: int) -> Tensor:
    if self.dim() == 0:
        return grad.reshape(self.size())
    return grad.new_zeros(self.size()).scatter_add(dim, indices, grad)


def at_index(grad: Tensor, indices: Tensor, self: Tensor, dim: int, keepdim: bool) -> Tensor:
    if keepdim or self.dim() == 0:
        return from_index(grad, indices, self, dim)
    return from_index(grad.unsqueeze(dim), indices.unsqueeze(dim), self, dim)


def vector_norm(grad: Tensor, self: Tensor, result: Tensor, order: float, dim: List[int], keepdim: bool) -> Tensor:
    """Zero where the norm is."""
    grad = kept(grad, self, dim, keepdim)
    length = kept(result, self, dim, keepdim)
    if order == 0:
        return torch.zeros_like(self)
    if order == 1:
        return grad * torch.sgn(self)
    if order == 2:
        return (self * (grad / length)).masked_fill(length == 0, 0)
    size = torch.abs(self)
    if order == math.inf or order == -math.inf:
        found = (size == length).to(grad.dtype)
        return torch.sgn(self) * (found * grad / (found.sum(dim, True) if len(dim) > 0 else found.sum()))
    slope = torch.sgn(self) * torch.pow(size / length, order - 1) * grad
    return slope.masked_fill((size == 0) | (length == 0), 0)


def dims_or_all(dim: Optional[List[int]]) -> List[int]:
    return dim if dim is not None else torch.jit.annotate(List[int], [])


def reverse_exp_sum(grad: Tensor, self: Tensor, dim: int, result: Tensor) -> Tensor:
    logs = torch.flip(torch.where(grad > 0, torch.log(grad), -math.inf) - result, [dim])
    return torch.exp(torch.flip(torch.logcumsumexp(logs, dim), [dim]) + self)


def extremum(grad: Tensor, self: Tensor, dim: List[int], keepdim: bool, result: Tensor) -> Tensor:
    """Equal elements share the gradient."""
    value = kept(result, self, dim, keepdim)
    isIt = (self == value) | (torch.isnan(self) & torch.isnan(value))
    return torch.where(isIt, kept(grad, self, dim, keepdim) / torch.sum(isIt, dim, True), 0.)


def cumulative_logsumexp(grad: Tensor, self: Tensor, dim: int, result: Tensor) -> Tensor:
    if self.dim() == 0:
        return grad
    result = torch.where(result == -math.inf, 0., result)
    if torch.is_grad_enabled():  # to be differentiated again: each share
        exponents = self.transpose(dim, -1).unsqueeze(-1) - result.transpose(dim, -1).unsqueeze(-2)
        n = self.size(dim)
        isLater = torch.triu(torch.ones([n, n], dtype=torch.bool, device=self.device))
        shares = torch.exp(torch.where(isLater, exponents, -math.inf))
        return torch.sum(grad.transpose(dim, -1).unsqueeze(-2) * shares, -1).transpose(dim, -1)
    return reverse_exp_sum(grad, self, dim, result) - reverse_exp_sum(-grad, self, dim, result)


def extrema(grad_min: Optional[Tensor], grad_max: Optional[Tensor], self: Tensor, dim: Optional[int], keepdim: bool,
            min: Tensor, max: Tensor) -> Tensor:
    dims = [dim] if dim is not None else torch.jit.annotate(List[int], [])
    total = torch.zeros_like(self)
    if grad_min is not None:
        total = total + extremum(grad_min, self, dims, keepdim, min)
    if grad_max is not None:
        total = total + extremum(grad_max, self, dims, keepdim, max)
    return total


def extremum_of_all(grad: Tensor, self: Tensor, result: Tensor) -> Tensor:
    return extremum(grad, self, torch.jit.annotate(List[int], []), False, result)


def shifted(grad: Tensor, dim: int, before: int, after: int) -> Tensor:
    shape = grad.size()
    shape[dim] = before + grad.size(dim) + after
    return torch.slice_scatter(grad.new_zeros(shape), grad, dim, before, before + grad.size(dim))


def undiffed(grad: Tensor, self: Tensor, n: int, dim: int, prepend: Optional[Tensor], append: Optional[Tensor],
             which: str) -> Tensor:
    before = prepend.size(dim) if prepend is not None else 0
    after = append.size(dim) if append is not None else 0
    if n == 0: # self alone
        if which == "prepend" and prepend is not None:
            return torch.zeros_like(prepend)
        if which == "append" and append is not None:
            return torch.zeros_like(append)
        return grad
    length = before + self.size(dim) + after
    if grad.size(dim) + n != length: # more differences than elements: nothing is left
        shape = self.size()
        shape[dim] = length
        grad = grad.new_zeros(shape)
    else:
        for _ in range(n):
            grad = shifted(grad, dim, 1, 0) - shifted(grad, dim, 0, 1)
    if which == "prepend":
        return grad.narrow(dim, 0, before)
    if which == "append":
        return grad.narrow(dim, length - after, after)
    return grad.narrow(dim, before, length - before - after)


def trapezoid(grad: Tensor, y: Tensor, dx: number, dim: int) -> Tensor:
    """The inner points count once, the outer ones half."""
    if y.size(dim) < 2:
        return grad.new_zeros(y.size())
    inner = grad.unsqueeze(dim).expand(y.size()[:dim % y.dim()] + [y.size(dim) - 1] + y.size()[dim % y.dim() + 1:])
    return (shifted(inner, dim, 1, 0) + shifted(inner, dim, 0, 1)) * (0.5 * dx)


def norm(grad: Tensor, self: Tensor, result: Tensor, p: Optional[number], dim: List[int], keepdim: bool) -> Tensor:
    return vector_norm(grad, self, result, 2.0 if p is None else float(p), dim, keepdim)


def slope_where_apart(grad: Tensor, difference: Tensor, result: Tensor, p: float) -> Tensor:
    """As of a norm; where there is no distance, the gradient's own gradients are zero, too."""
    is_nowhere = result == 0
    is_zero = is_nowhere.unsqueeze(-1)
    slope = norm(grad, difference.masked_fill(is_zero, 1), result.masked_fill(is_nowhere, 1), p, [-1], False)
    return slope.masked_fill(is_zero, 0)


def distances(grad: Tensor, x1: Tensor, x2: Tensor, result: Tensor, p: float) -> Tensor:
    """The gradient of each row of x1 less each of x2."""
    return slope_where_apart(grad, x1.unsqueeze(-2) - x2.unsqueeze(-3), result, p)


def pdist(grad: Tensor, self: Tensor, result: Tensor, p: float) -> Tensor:
    pairs = torch.combinations(torch.arange(self.size(0), device=grad.device), 2, False)
    first, second = pairs.select(1, 0), pairs.select(1, 1)
    found = slope_where_apart(grad, self.index_select(0, first) - self.index_select(0, second), result, p)
    return torch.zeros_like(self).index_add(0, first, found).index_add(0, second, found, alpha=-1)


def cosine(grad: Tensor, self: Tensor, other: Tensor, dim: int, eps: float) -> Tensor:
    """Of x y / (max(|x|, eps) max(|y|, eps)): below eps a norm is constant."""
    grad = grad.unsqueeze(dim)
    shape = torch._infer_size(self.size(), other.size())
    self, other = self.expand(shape), other.expand(shape)
    size = torch.norm(self, 2, [dim], True)
    length = size.clamp(min=eps)
    y = other / torch.norm(other, 2, [dim], True).clamp(min=eps)
    x = self / length
    along_x = (x * y).sum([dim], True) * (size > eps).type_as(size)
    return grad * (y - along_x * x) / length


def renorm(grad: Tensor, self: Tensor, p: number, dim: int, maxnorm: number) -> Tensor:
    others = [d for d in range(self.dim()) if d != dim % self.dim()]
    size = torch.norm(self, p, others, True)
    low = size + 1e-7
    scale = torch.where(size > maxnorm, maxnorm / low, torch.ones_like(size))
    change = -maxnorm * torch.real(grad * self.conj()).sum(others, True) / (low * low)
    change = torch.where(size > maxnorm, change, torch.zeros_like(size))
    return grad * scale + norm(change, self, size, p, others, True)


def over(x: Tensor, dims: List[int]) -> Tensor:
    """The sum over dimensions, which may be none."""
    return x if len(dims) == 0 else x.sum(dims, True)


def dims_except(v: Tensor, dim: int) -> List[int]:
    """All for -1."""
    kept = dim + v.dim() if dim < -1 else dim
    return [d for d in range(v.dim()) if kept == -1 or d != kept]


def norm_except(v: Tensor, dim: int) -> Tensor:
    dims = dims_except(v, dim)
    return v.abs() if len(dims) == 0 else torch.norm(v, 2, dims, True)


def weight_norm(grad: Tensor, v: Tensor, g: Tensor, dim: int) -> Tensor:
    dims = dims_except(v, dim)
    size = norm_except(v, dim)
    unit = v / size
    scaled = (grad * g.conj()).sum_to_size(v.size()) / size
    return scaled - unit * over(torch.real(scaled * unit.conj()), dims)


def weight_norm_scale(grad: Tensor, v: Tensor, dim: int) -> Tensor:
    return grad * v.conj() / norm_except(v, dim)


def summed(x: Tensor, y: Tensor, like: Tensor) -> Tensor:
    return x.sum_to_size(like.size()) + y.sum_to_size(like.size())


def points_along(x: Tensor, y: Tensor, dim: int) -> Tensor:
    if x.dim() == 1:
        shape = [1] * y.dim()
        shape[dim] = x.size(0)
        x = x.reshape(shape)
    return x.expand(y.size())


def trapezoid_between(grad: Tensor, y: Tensor, x: Tensor, dim: int) -> Tensor:
    if y.size(dim) < 2:
        return grad.new_zeros(y.size())
    area = grad.unsqueeze(dim) * torch.diff(points_along(x, y, dim), 1, dim).conj() * 0.5
    return shifted(area, dim, 1, 0) + shifted(area, dim, 0, 1)


def trapezoid_points(grad: Tensor, y: Tensor, x: Tensor, dim: int) -> Tensor:
    if y.size(dim) < 2:
        return grad.new_zeros(x.size())
    count = y.size(dim) - 1
    width = grad.unsqueeze(dim) * (y.narrow(dim, 0, count) + y.narrow(dim, 1, count)).conj() * 0.5
    found = shifted(width, dim, 1, 0) - shifted(width, dim, 0, 1)
    return summed_but(found, dim % y.dim()) if x.dim() == 1 else found


def in_lanes(self: Tensor, dim: Optional[int]) -> Tensor:
    """With the dimension last; without one, all elements are one lane."""
    return self.reshape(-1) if dim is None or self.dim() == 0 else self.transpose(dim, -1)


def quantile_ranks(lanes: Tensor, q: Tensor, ignoresNan: bool) -> Tensor:
    """Between which elements of the sorted lanes each share lies."""
    shares = q.reshape([-1])
    isNan = torch.isnan(lanes)
    if ignoresNan:
        return (shares * (lanes.size(-1) - 1 - torch.sum(isNan, [-1], True))).clamp(min=0)
    last = lanes.size(-1) - 1
    return torch.where(torch.any(isNan, -1, True), float(last), shares * last)


def quantile_places(ranks: Tensor, interpolation: str, isAbove: bool) -> Tensor:
    if interpolation == "nearest":
        return torch.round(ranks).long()
    if interpolation == "higher" or (isAbove and interpolation != "lower"):
        return torch.ceil(ranks).long()
    return torch.floor(ranks).long()


def quantile_weights(ranks: Tensor, interpolation: str) -> Tensor:
    """What the element above counts."""
    if interpolation == "linear":
        return ranks - torch.floor(ranks)
    return torch.full_like(ranks, 0.5)


def quantile_gradients(grad: Tensor, self: Tensor, q: Tensor, dim: Optional[int], keepdim: bool) -> Tensor:
    """By lane and share."""
    if dim is None or self.dim() == 0:
        return grad.reshape(q.reshape([-1]).size())
    d = dim % self.dim()
    if q.dim() == 0:
        grad = grad.unsqueeze(0)
    if not keepdim:
        grad = grad.unsqueeze(d + 1)
    return grad.transpose(d + 1, -1).squeeze(-1).movedim(0, -1)


def quantile(grad: Tensor, self: Tensor, q: Tensor, dim: Optional[int], keepdim: bool, interpolation: str,
             ignoresNan: bool) -> Tensor:
    lanes = in_lanes(self, dim)
    grad = quantile_gradients(grad, self, q, dim, keepdim)
    indices = torch.sort(lanes, -1)[1]
    ranks = quantile_ranks(lanes, q, ignoresNan).expand(grad.size())
    weights = quantile_weights(ranks, interpolation)
    below = torch.gather(indices, -1, quantile_places(ranks, interpolation, False))
    above = torch.gather(indices, -1, quantile_places(ranks, interpolation, True))
    found = torch.zeros_like(lanes).scatter_add(-1, below, grad * (1 - weights)).scatter_add(-1, above, grad * weights)
    return found.reshape(self.size()) if dim is None or self.dim() == 0 else found.transpose(dim, -1)


def quantile_share(grad: Tensor, self: Tensor, q: Tensor, dim: Optional[int], keepdim: bool, interpolation: str,
                   ignoresNan: bool) -> Tensor:
    """Between two elements a linear quantile goes from one to the other."""
    if interpolation != "linear":
        return torch.zeros_like(q)
    lanes = in_lanes(self, dim)
    grad = quantile_gradients(grad, self, q, dim, keepdim)
    values = torch.sort(lanes, -1)[0]
    ranks = quantile_ranks(lanes, q, ignoresNan).expand(grad.size())
    step = (torch.gather(values, -1, quantile_places(ranks, interpolation, True)) -
            torch.gather(values, -1, quantile_places(ranks, interpolation, False)))
    counted = torch.sum(torch.logical_not(torch.isnan(lanes)), [-1], True)
    return torch.sum((grad * step * (counted - 1)).reshape([-1, q.numel()]), [0]).reshape(q.size())


def cumulative_heights(grad: Tensor, y: Tensor, dim: int) -> Tensor:
    """What each trapezoid of a running integral adds to, in its place."""
    return grad.flip([dim]).cumsum(dim).flip([dim])


def cumulative_trapezoid(grad: Tensor, y: Tensor, dx: number, dim: int) -> Tensor:
    return trapezoids(cumulative_heights(grad, y, dim) * dx, dim).narrow(dim, 0, y.size(dim))


def trapezoids(areas: Tensor, dim: int) -> Tensor:
    """Half of the trapezoids on either side of a point."""
    edge = torch.zeros_like(areas.sum([dim], True))
    return (torch.cat([areas, edge], dim) + torch.cat([edge, areas], dim)) / 2


def cumulative_trapezoid_between(grad: Tensor, y: Tensor, x: Tensor, dim: int) -> Tensor:
    assert x.dim() == 1 or x.dim() == y.dim(), \
        "derivative for aten::cumulative_trapezoid by points of another rank is not implemented"
    areas = cumulative_heights(grad, y, dim)
    return trapezoids(areas * torch.diff(points_along(x.conj(), y, dim), 1, dim), dim).narrow(dim, 0, y.size(dim))


def cumulative_trapezoid_points(grad: Tensor, y: Tensor, x: Tensor, dim: int) -> Tensor:
    assert x.dim() == 1 or x.dim() == y.dim(), \
        "derivative for aten::cumulative_trapezoid by points of another rank is not implemented"
    areas = cumulative_heights(grad, y, dim)
    size = max(y.size(dim) - 1, 0)
    y = y.conj()
    width = areas * (y.narrow(dim, 0, size) + y.narrow(dim, y.size(dim) - size, size)) / 2
    edge = torch.zeros_like(width.sum([dim], True))
    found = (torch.cat([edge, width], dim) - torch.cat([width, edge], dim)).narrow(dim, 0, y.size(dim))
    if x.dim() != y.dim():
        other = [d for d in range(y.dim()) if d != dim and d != dim + y.dim()]
        found = found.sum(other) if len(other) > 0 else found
    return found
