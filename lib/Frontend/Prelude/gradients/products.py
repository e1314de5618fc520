# Products of tensors.
import torch
from torch import Tensor
from typing import List, Optional, Tuple


def linear_input(grad: Tensor, weight: Tensor) -> Tensor:
    if weight.dim() == 1:
        return grad.unsqueeze(-1) * weight.conj()
    return torch.matmul(grad, weight.conj())


def rows(matrices: Tensor) -> Tensor:
    return matrices.unsqueeze(0) if matrices.dim() == 1 else matrices.flatten(0, -2)


def linear_weight(grad: Tensor, input: Tensor, weight: Tensor) -> Tensor:
    if weight.dim() == 1:
        return torch.mv(rows(input).t().conj(), grad.flatten())
    return torch.mm(rows(grad).t(), rows(input).conj())


def matmul_self(grad: Tensor, self: Tensor, other: Tensor) -> Tensor:
    if other.dim() == 1:
        return (grad.unsqueeze(-1) if self.dim() > 1 else grad) * other.conj()
    if self.dim() == 1:
        return torch.matmul(grad.unsqueeze(-2), torch.adjoint(other)).squeeze(-2)
    return torch.matmul(grad, torch.adjoint(other))


def matmul_other(grad: Tensor, self: Tensor, other: Tensor) -> Tensor:
    if self.dim() == 1:
        if other.dim() == 1:
            return grad * self.conj()
        return self.conj().unsqueeze(-1) * grad.unsqueeze(-2)
    if other.dim() == 1:
        return torch.matmul(torch.adjoint(self), grad.unsqueeze(-1)).squeeze(-1)
    return torch.matmul(torch.adjoint(self), grad)


def cross(a: Tensor, b: Tensor, self: Tensor, dim: Optional[int]) -> Tensor:
    along = -1
    if dim is not None:
        along = dim
    else:
        for i in range(self.dim()):
            d = self.dim() - 1 - i
            if self.size(d) == 3:
                along = d
    return torch.linalg_cross(a, b, dim=along)


def turned(grad: Tensor, self: Tensor, other: Tensor) -> Tensor:
    """The gradient of inner(self, other) as that of inner(other, self)."""
    if self.dim() == 0 or other.dim() == 0:
        return grad
    rank = self.dim() - 1
    return grad.permute([d for d in range(rank, grad.dim())] + [d for d in range(rank)])


def inner_left(grad: Tensor, self: Tensor, other: Tensor) -> Tensor:
    if self.dim() == 0 or other.dim() == 0:
        return grad * other.conj()
    other = rows(other).conj()
    flat = grad.reshape([rows(self).size(0), other.size(0)])
    return torch.mm(flat, other.type_as(flat)).reshape(self.size())


def others_of(rank: int, dims: List[int]) -> List[int]:
    found: List[int] = []
    for d in range(rank):
        if d not in dims:
            found.append(d)
    return found


def tensordot_left(grad: Tensor, self: Tensor, other: Tensor, dims_self: List[int], dims_other: List[int]) -> Tensor:
    """The product with other's other dimensions, whose dimensions are then put in self's order."""
    if self.dim() == 0 and other.dim() == 0:
        return grad * other.conj()
    contracted = [d % max(self.dim(), 1) for d in dims_self]
    partner = [d % max(other.dim(), 1) for d in dims_other]
    free = others_of(self.dim(), contracted)
    outer = others_of(other.dim(), partner)
    product = torch.tensordot(grad, other.conj(), ([len(free) + i for i in range(len(outer))], outer))
    # It has self's free dimensions, then those of other that are contracted, in other's order.
    order = [0] * self.dim()
    for i, d in enumerate(free):
        order[d] = i
    ordered = others_of(other.dim(), outer)
    for d, p in zip(contracted, partner):
        order[d] = len(free) + ordered.index(p)
    product = product.permute(order)
    return product.expand(torch._infer_size(product.size(), self.size()))


def tensordot_right(grad: Tensor, self: Tensor, other: Tensor, dims_self: List[int], dims_other: List[int]) -> Tensor:
    if self.dim() == 0 and other.dim() == 0:
        return grad * self.conj()
    rank = self.dim() - len(dims_self)
    return tensordot_left(grad.permute([d for d in range(rank, grad.dim())] + [d for d in range(rank)]), other, self,
                          dims_other, dims_self)


def bilinear_left(grad: Tensor, other: Tensor, weight: Tensor) -> Tensor:
    """The gradient of the factor along weight's second dimension."""
    mixed = torch.mm(rows(grad), weight.conj().flatten(1)).reshape([rows(grad).size(0), weight.size(1), weight.size(2)])
    return (mixed * rows(other).conj().unsqueeze(1)).sum([2])


def bilinear_weight(grad: Tensor, input1: Tensor, input2: Tensor, weight: Tensor) -> Tensor:
    pairs = rows(input1).unsqueeze(2) * rows(input2).unsqueeze(1)
    return torch.mm(rows(grad).t(), pairs.conj().flatten(1)).reshape(weight.size())


def of_rank(x: Tensor, rank: int) -> List[int]:
    return [1] * (rank - x.dim()) + x.size()


def kron_pairs(grad: Tensor, left: List[int], right: List[int]) -> Tensor:
    """Dimensions of the left factor first, then those of the right one."""
    shape: List[int] = []
    for a, b in zip(left, right):
        shape.append(a)
        shape.append(b)
    return grad.reshape(shape).permute([2 * d for d in range(len(left))] + [2 * d + 1 for d in range(len(left))])


def kron_left(grad: Tensor, self: Tensor, other: Tensor) -> Tensor:
    rank = grad.dim()
    if rank == 0:
        return grad * other.conj()
    product = kron_pairs(grad, of_rank(self, rank), of_rank(other, rank)) * other.conj().reshape(of_rank(other, rank))
    return product.sum([rank + d for d in range(rank)]).reshape(self.size())


def kron_right(grad: Tensor, self: Tensor, other: Tensor) -> Tensor:
    rank = grad.dim()
    if rank == 0:
        return grad * self.conj()
    product = kron_pairs(grad, of_rank(self, rank), of_rank(other, rank)) * self.conj().reshape(
        of_rank(self, rank) + [1] * rank)
    return product.sum([d for d in range(rank)]).reshape(other.size())


def chain(grad: Tensor, factors: List[Tensor]) -> List[Tensor]:
    last = len(factors) - 1
    matrices: List[Tensor] = []
    for i, factor in enumerate(factors):
        if factor.dim() == 1:
            factor = factor.unsqueeze(0 if i == 0 else 1)
        matrices.append(factor.mH)
    grad = grad.reshape([matrices[0].size(1), matrices[last].size(0)])
    found: List[Tensor] = []
    for i in range(last + 1):
        one = grad
        for k in range(i):
            one = torch.mm(matrices[k], one)
        for k in range(last - i):
            one = torch.mm(one, matrices[last - k])
        found.append(one.reshape(factors[i].size()))
    return found


def matrix_power(grad: Tensor, self: Tensor, n: int) -> Tensor:
    if n == 0:
        return torch.zeros_like(grad)
    base = self.mH if n > 0 else torch.inverse(self).mH
    total = grad
    power = grad
    for _ in range(abs(n) - 1):
        # sum of base^k grad base^(n - 1 - k)
        total = torch.matmul(total, base)
        power = torch.matmul(base, power)
        total = total + power
    if n < 0:
        total = -torch.matmul(torch.matmul(base, total), base)
    return total


def vander(grad: Tensor, x: Tensor) -> Tensor:
    powers = torch.arange(grad.size(-1), device=grad.device)
    lower = torch.pow(x.unsqueeze(-1), (powers - 1).clamp(min=0))
    return (grad * powers * lower.conj()).sum([-1]).reshape(x.size())


def einsum_terms(equation: str, tensors: List[Tensor]) -> Tuple[List[str], str]:
    """The letters of each operand and of the result; those of an ellipsis are digits, from the right."""
    text = equation.replace(" ", "")
    sides = text.split("->")
    terms = sides[0].split(",")
    widest = 0
    for i, term in enumerate(terms):
        if term.find("...") >= 0:
            widest = max(widest, tensors[i].dim() - len(term) + 3)
    digits = "9876543210"
    found: List[str] = []
    for i, term in enumerate(terms):
        width = tensors[i].dim() - len(term) + 3
        found.append(term.replace("...", digits[10 - width:] if width > 0 else ""))
    if len(sides) > 1:
        return found, sides[1].replace("...", digits[10 - widest:])
    letters = "".join(found)
    result = digits[10 - widest:]
    for c in "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz":
        if letters.count(c) == 1:
            result += c
    return found, result


def lettered(terms: str, spare: str) -> str:
    """Digits as letters that are not used."""
    text = ""
    for c in terms:
        at = "0123456789".find(c)
        text += spare[at] if at >= 0 else c
    return text


def einsum(grad: Tensor, equation: str, tensors: List[Tensor]) -> List[Tensor]:
    """For each operand the sum over the others; a letter that no other has is spread by ones."""
    terms, result = einsum_terms(equation, tensors)
    spare = ""
    for c in "zyxwvutsrqponmlkjihgfedcbaZYXWVUTSRQPONMLKJIHGFEDCBA":
        if equation.find(c) < 0:
            spare += c
    found: List[Tensor] = []
    for i, tensor in enumerate(tensors):
        # A letter that stands twice is a diagonal: the first place keeps it.
        own = ""
        twice: List[int] = []
        for d, c in enumerate(terms[i]):
            if own.find(c) >= 0:
                twice.append(d)
            else:
                own += c
        operands = [grad]
        inputs = [result]
        known = result
        for k, term in enumerate(terms):
            if k != i:
                operands.append(tensors[k].conj().to(grad.dtype))
                inputs.append(term)
                known += term
        for c in own:
            if known.find(c) < 0:
                operands.append(grad.new_ones([tensor.size(terms[i].find(c))]))
                inputs.append(c)
        one = torch.einsum(lettered(",".join(inputs) + "->" + own, spare), operands)
        wide = [tensor.size(terms[i].find(c)) for c in own]
        one = one.expand(torch._infer_size(one.size(), wide)).sum_to_size(wide)
        for d in twice:
            first = terms[i].find(terms[i][d])
            shape = one.size()
            shape = shape[:d] + [tensor.size(d)] + shape[d:]
            one = torch.diagonal_scatter(one.new_zeros(shape), one.movedim(first, -1), 0, first, d)
        found.append(one)
    return found


def expanded(self: Tensor, dims: List[int]) -> Tensor:
    for dim in dims:
        self = self.unsqueeze(dim)
    return self


def trilinear(grad: Tensor, self: Tensor, left: Tensor, right: Tensor, expand: List[int], expand_left: List[int],
              expand_right: List[int], sumdim: List[int]) -> Tensor:
    """Of one factor by the other two."""
    left, right = expanded(left, expand_left).conj(), expanded(right, expand_right).conj()
    shape = expanded(self, expand).size()
    rank = max(len(shape), max(left.dim(), right.dim()))
    summed_over = [d % rank for d in sumdim]
    for dim in range(rank):
        if dim in summed_over:
            grad = grad.unsqueeze(dim)
    found = grad * left * right
    return found.expand(torch._infer_size(found.size(), shape)).sum_to_size(shape).reshape(self.size())


def weighted_mean_and_size(self: Tensor, correction: int, fweights: Optional[Tensor],
                           aweights: Optional[Tensor]) -> Tuple[Tensor, Tensor, Tensor]:
    """Rows less their means, the weights of the columns, and what a covariance divides by."""
    x = self.reshape([1, -1]) if self.dim() < 2 else self
    weights = torch.ones_like(torch.real(x.select(0, 0)) if x.size(0) > 0 else torch.real(x.new_zeros([x.size(1)])))
    if fweights is not None:
        weights = weights * fweights.reshape([-1])
    if aweights is not None:
        weights = weights * aweights.reshape([-1])
    total = weights.sum()
    count = total - correction
    if aweights is not None:
        count = total - correction * (weights * aweights.reshape([-1])).sum() / total
    return x - (x * weights).sum([1], True) / total, weights, count


def cov(grad: Tensor, self: Tensor, correction: int, fweights: Optional[Tensor], aweights: Optional[Tensor]) -> Tensor:
    """The means do not matter: the rows less them have a weighted sum of 0."""
    x, weights, count = weighted_mean_and_size(self, correction, fweights, aweights)
    grad = grad.reshape([x.size(0), x.size(0)])
    return torch.mm(grad + grad.mH, x * (weights / count)).reshape(self.size())


def cov_weights(grad: Tensor, self: Tensor, result: Tensor, correction: int, fweights: Optional[Tensor],
                aweights: Optional[Tensor]) -> Tensor:
    if aweights is None:
        return torch.zeros_like(self)
    x, weights, count = weighted_mean_and_size(self, correction, fweights, aweights)
    squares = torch.real(x.conj() * torch.mm(grad.reshape([x.size(0), x.size(0)]), x)).sum([0]) / count
    total = weights.sum()
    own = aweights.reshape([-1])
    slope = 1 - correction * (2 * own / total - (weights * own).sum() / (total * total))
    found = squares - slope * torch.real(grad * result.conj()).sum() / count
    if fweights is not None:
        found = found * fweights.reshape([-1])
    return found.reshape(aweights.size())


def corrcoef(grad: Tensor, self: Tensor, result: Tensor) -> Tensor:
    if result.dim() == 0:
        return torch.zeros_like(self)
    squares = torch.real(torch.cov(self).diagonal(0, 0, 1))
    sizes = torch.sqrt(squares)
    along = torch.real(grad * result.conj())
    of_squares = -0.5 * (along.sum([0]) + along.sum([1])) / squares
    return cov(grad / (sizes.unsqueeze(0) * sizes.unsqueeze(1)) + torch.diag(of_squares), self, 1, None, None)
