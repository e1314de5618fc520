# Linear algebra: triangular factors, reflectors, pseudo-inverses, spectra of matrices without symmetry, matrix norms.
import math
import torch
from torch import Tensor
from typing import List, Optional, Tuple


def lu_lower(LU: Tensor) -> Tensor:
    """The unit lower trapezoid of packed factors."""
    k = min(LU.size(-2), LU.size(-1))
    ones = torch.eye(LU.size(-2), k, dtype=LU.dtype, device=LU.device)
    return torch.tril(LU.narrow(-1, 0, k), -1) + ones


def lu_upper(LU: Tensor) -> Tensor:
    return torch.triu(LU.narrow(-2, 0, min(LU.size(-2), LU.size(-1))))


def lu_permutation(LU: Tensor, pivots: Tensor) -> Tensor:
    P, L, U = torch.lu_unpack(LU.detach(), pivots, False, True)
    return P


def lu(grad_L: Optional[Tensor], grad_U: Optional[Tensor], P: Optional[Tensor], L: Tensor, U: Tensor) -> Tensor:
    """De Hoog, Anderssen, Lukas: Differentiation of matrix functionals using triangular factorization (2011): of
    P^H dA = dL U + L dU the triangles of L^-1 P^H dA U^-1 are known. The rows of L below the square part and the
    columns of U beside it follow from the square factors."""
    m, n, k = L.size(-2), U.size(-1), L.size(-1)
    if grad_L is None:
        grad_L = torch.zeros_like(L)
    if grad_U is None:
        grad_U = torch.zeros_like(U)
    square_L, square_U = L.narrow(-2, 0, k), U.narrow(-1, 0, k)
    rest_L, rest_U = L.narrow(-2, k, m - k), U.narrow(-1, k, n - k)
    grad_rest_L, grad_rest_U = grad_L.narrow(-2, k, m - k), grad_U.narrow(-1, k, n - k)
    lower = torch.matmul(square_L.mH, grad_L.narrow(-2, 0, k))
    upper = torch.matmul(grad_U.narrow(-1, 0, k), square_U.mH)
    if n > k:
        lower = lower - torch.matmul(grad_rest_U, rest_U.mH)
    if m > k:
        upper = upper - torch.matmul(rest_L.mH, grad_rest_L)
    columns = torch.tril(lower, -1) + torch.triu(upper)
    columns = torch.linalg_solve_triangular(square_U.mH, columns, upper=False, left=False)
    if n > k:
        columns = torch.cat([columns, grad_rest_U], -1)
    columns = torch.linalg_solve_triangular(square_L.mH, columns, upper=True, unitriangular=True)
    if m > k:
        below = torch.linalg_solve_triangular(square_U.mH, grad_rest_L, upper=False, left=False)
        columns = torch.cat([columns, below], -2)
    return columns if P is None else torch.matmul(P, columns)


def lu_packed(grad: Tensor, LU: Tensor, pivots: Tensor, pivot: bool) -> Tensor:
    P = lu_permutation(LU, pivots) if pivot else None
    k = min(LU.size(-2), LU.size(-1))
    return lu(torch.tril(grad.narrow(-1, 0, k), -1), torch.triu(grad.narrow(-2, 0, k)), P, lu_lower(LU), lu_upper(LU))


def lu_unpack(grad_L: Optional[Tensor], grad_U: Optional[Tensor], LU: Tensor, unpack_data: bool) -> Tensor:
    total = torch.zeros_like(LU)
    if not unpack_data:
        return total
    m, n = LU.size(-2), LU.size(-1)
    k = min(m, n)
    if grad_L is not None:
        lower = torch.tril(grad_L, -1)
        total = total + torch.cat([lower, torch.zeros_like(LU.narrow(-1, k, n - k))], -1)
    if grad_U is not None:
        upper = torch.triu(grad_U)
        total = total + torch.cat([upper, torch.zeros_like(LU.narrow(-2, k, m - k))], -2)
    return total


def lu_solve(grad: Tensor, X: Tensor, LU: Tensor, pivots: Tensor, left: bool, adjoint: bool) -> Tensor:
    """The matrix P L U of a system has the gradient -right X^H; its factors that times each other."""
    right = torch.linalg_lu_solve(LU, pivots, grad, left=left, adjoint=not adjoint)
    matrix = torch.matmul(right, X.mH) if left else torch.matmul(X.mH, right)
    if adjoint:
        matrix = matrix.mH
    matrix = -torch.matmul(lu_permutation(LU, pivots).mT, matrix)
    return torch.tril(torch.matmul(matrix, lu_upper(LU).mH), -1) + torch.triu(torch.matmul(lu_lower(LU).mH, matrix))


def reflector(vectors: Tensor, i: int) -> Tensor:
    """Vector i of Householder reflectors: zeros, 1, and what is stored below the diagonal."""
    column = vectors.narrow(-1, i, 1)
    below = column.narrow(-2, i + 1, column.size(-2) - i - 1)
    return torch.cat([torch.zeros_like(column.narrow(-2, 0, i)), torch.ones_like(column.narrow(-2, i, 1)), below], -2)


def reflected(grad: Tensor, vectors: Tensor, tau: Tensor, matrix: Tensor, adjoint: bool) -> Tuple[Tensor, Tensor]:
    """Gradients of the vectors and of tau of the product H_0 H_1 ... matrix, or of its adjoint with the matrix, where
    H_i = 1 - tau_i v_i v_i^H: step by step, as reverse differentiation does."""
    factors: List[Tensor] = []
    rows: List[Tensor] = []
    order: List[int] = []
    count = tau.size(-1)
    for i in range(count):
        rows.append(reflector(vectors, i))
        factor = tau.narrow(-1, i, 1).unsqueeze(-1)
        factors.append(factor.conj() if adjoint else factor)
        order.append(i if adjoint else count - 1 - i)
    states: List[Tensor] = []
    for i in order:
        states.append(matrix)
        matrix = matrix - factors[i] * torch.matmul(rows[i], torch.matmul(rows[i].mH, matrix))
    found: List[Tensor] = [tau] * count
    columns: List[Tensor] = [vectors] * count
    for step in range(count):
        i = order[count - 1 - step]
        v, factor, state = rows[i], factors[i], states[count - 1 - step]
        before = torch.matmul(v.mH, grad)
        after = torch.matmul(state.mH, v)
        one = -torch.matmul(before, after).squeeze(-1)
        found[i] = one.conj() if adjoint else one
        columns[i] = -(factor.conj() * torch.matmul(grad, after) + factor * torch.matmul(state, before.mH))
        grad = grad - factor.conj() * torch.matmul(v, before)
    if count == 0:
        return torch.zeros_like(vectors), torch.zeros_like(tau)
    columns.append(torch.zeros_like(vectors.narrow(-1, count, vectors.size(-1) - count)))
    return torch.tril(torch.cat(columns, -1), -1), torch.cat(found, -1)


def householder(grad: Tensor, vectors: Tensor, tau: Tensor) -> Tuple[Tensor, Tensor]:
    m, n = vectors.size(-2), vectors.size(-1)
    ones = torch.eye(m, n, dtype=vectors.dtype, device=vectors.device)
    return reflected(grad, vectors, tau, ones.expand(vectors.size()), False)


def householder_vectors(grad: Tensor, vectors: Tensor, tau: Tensor) -> Tensor:
    return householder(grad, vectors, tau)[0]


def householder_tau(grad: Tensor, vectors: Tensor, tau: Tensor) -> Tensor:
    return householder(grad, vectors, tau)[1]


def ormqr(grad: Tensor, vectors: Tensor, tau: Tensor, other: Tensor, left: bool,
          transpose: bool) -> Tuple[Tensor, Tensor]:
    """From the right it is the adjoint of a product from the left."""
    if left:
        return reflected(grad, vectors, tau, other, transpose)
    return reflected(grad.mH, vectors, tau, other.mH, not transpose)


def ormqr_vectors(grad: Tensor, vectors: Tensor, tau: Tensor, other: Tensor, left: bool, transpose: bool) -> Tensor:
    return ormqr(grad, vectors, tau, other, left, transpose)[0]


def ormqr_tau(grad: Tensor, vectors: Tensor, tau: Tensor, other: Tensor, left: bool, transpose: bool) -> Tensor:
    return ormqr(grad, vectors, tau, other, left, transpose)[1]


def pinv(grad: Tensor, result: Tensor, self: Tensor) -> Tensor:
    """Golub, Pereyra: The differentiation of pseudo-inverses and nonlinear least squares problems whose variables
    separate (1973), for matrices whose rank stays."""
    inverse, turned = result.mH, grad.mH
    outside_range = turned - torch.matmul(self, torch.matmul(result, turned))
    outside_rows = turned - torch.matmul(torch.matmul(turned, result), self)
    whole = torch.matmul(torch.matmul(outside_range, result), inverse)
    whole = whole + torch.matmul(inverse, torch.matmul(result, outside_rows))
    return whole - torch.matmul(torch.matmul(inverse, grad), inverse)


def is_vector_system(matrix: Tensor, right: Tensor) -> bool:
    return right.dim() == 1 or (matrix.dim() - 1 == right.dim() and right.size() == matrix.size()[:-1])


def lstsq_matrix(grad: Tensor, self: Tensor, b: Tensor) -> Tensor:
    if is_vector_system(self, b):
        grad, b = grad.unsqueeze(-1), b.unsqueeze(-1)
    return pinv(torch.matmul(grad, b.mH), torch.linalg_pinv(self), self)


def lstsq_right(grad: Tensor, self: Tensor, b: Tensor) -> Tensor:
    inverse = torch.linalg_pinv(self).mH
    if is_vector_system(self, b):
        return torch.matmul(inverse, grad.unsqueeze(-1)).squeeze(-1)
    return torch.matmul(inverse, grad)


def eig(grad_values: Optional[Tensor], grad_vectors: Optional[Tensor], values: Tensor, vectors: Tensor,
        self: Tensor) -> Tensor:
    """Boeddeker et al.: On the computation of complex-valued gradients with application to statistically optimum
    beamforming (2017). The vectors have length 1."""
    inner = torch.zeros_like(vectors)
    if grad_vectors is not None:
        turned = torch.matmul(vectors.mH, grad_vectors)
        along = torch.real(turned.diagonal(0, -2, -1)).unsqueeze(-2)
        inner = without_diagonal((turned - torch.matmul(vectors.mH, vectors * along)) / differences(values.conj()))
    if grad_values is not None:
        inner = inner + torch.diag_embed(grad_values)
    found = torch.linalg_solve(vectors.mH, torch.matmul(inner, vectors.mH))
    return found if self.is_complex() else torch.real(found)


def eigvals(grad: Tensor, self: Tensor) -> Tensor:
    values, vectors = torch.linalg_eig(self)
    return eig(grad, None, values, vectors, self)


def as_dtype(self: Tensor, dtype: Optional[int]) -> Tensor:
    return self if dtype is None else self.to(dtype)


def last_dims(dim: List[int]) -> List[int]:
    return dim if len(dim) == 2 else [-2, -1]


def matrix_norm(grad: Tensor, self: Tensor, result: Tensor, ord: float, dim: List[int], keepdim: bool) -> Tensor:
    """Where several sums or singular values are the largest, they share the gradient."""
    dim = last_dims(dim)
    self = self.movedim(dim, [-2, -1])
    if keepdim:
        grad, result = grad.movedim(dim, [-2, -1]), result.movedim(dim, [-2, -1])
    else:
        grad, result = of_matrices(grad), of_matrices(result)
    if self.numel() == 0:
        return torch.zeros_like(self).movedim([-2, -1], dim)
    if abs(ord) == 2:
        U, S, Vh = torch.linalg_svd(self, False)
        isIt = (S == (torch.amax(S, [-1], True) if ord > 0 else torch.amin(S, [-1], True))).to(grad.dtype)
        weights = grad.squeeze(-1) * isIt / isIt.sum([-1], True)
        found = torch.matmul(U * weights.unsqueeze(-2), Vh)
    else:
        summed = -2 if abs(ord) == 1 else -1
        sums = torch.abs(self).sum([summed], True)
        kept = [-3 - summed]
        isIt = (sums == (torch.amax(sums, kept, True) if ord > 0 else torch.amin(sums, kept, True))).to(grad.dtype)
        found = torch.sgn(self) * (grad * isIt / isIt.sum(kept, True))
    return found.movedim([-2, -1], dim)


def nuclear_of(grad: Tensor, self: Tensor, dim: List[int], keepdim: bool) -> Tensor:
    dim = last_dims(dim)
    self = self.movedim(dim, [-2, -1])
    grad = grad.movedim(dim, [-2, -1]) if keepdim else of_matrices(grad)
    U, S, Vh = torch.linalg_svd(self, False)
    return torch.matmul(U * grad, Vh).movedim([-2, -1], dim)


def matrix_norm_named(grad: Tensor, self: Tensor, result: Tensor, ord: str, dim: List[int], keepdim: bool) -> Tensor:
    if ord == "nuc":
        return nuclear_of(grad, self, dim, keepdim)
    return vector_norm(grad, self, result, 2., last_dims(dim), keepdim)


def linalg_norm(grad: Tensor, self: Tensor, result: Tensor, ord: Optional[number], dim: Optional[List[int]],
                keepdim: bool) -> Tensor:
    dims = dims_or_all(dim)
    if ord is None:
        return vector_norm(grad, self, result, 2., dims, keepdim)
    if len(dims) == 1 or (len(dims) == 0 and self.dim() < 2):
        return vector_norm(grad, self, result, float(ord), dims, keepdim)
    return matrix_norm(grad, self, result, float(ord), dims, keepdim)


def cond(grad: Tensor, self: Tensor, p: Optional[number]) -> Tensor:
    order = 2. if p is None else float(p)
    if self.numel() == 0:
        return torch.zeros_like(self)
    if abs(order) == 2:
        U, S, Vh = torch.linalg_svd(self, False)
        last = S.size(-1) - 1
        large, small = S.narrow(-1, 0, 1), S.narrow(-1, last, 1)
        over, under = (large, small) if order > 0 else (small, large)
        of_over = grad.unsqueeze(-1) / under
        of_under = -of_over * over / under
        first, second = (of_over, of_under) if order > 0 else (of_under, of_over)
        places = torch.arange(last + 1, device=S.device)
        weights = first * (places == 0).to(S.dtype) + second * (places == last).to(S.dtype)
        return torch.matmul(U * weights.unsqueeze(-2), Vh)
    inverse = torch.linalg_inv(self)
    dims = [-2, -1]
    one, other = torch.linalg_matrix_norm(self, order), torch.linalg_matrix_norm(inverse, order)
    turned = matrix_norm(grad * one, inverse, other, order, dims, False)
    turned = torch.matmul(torch.matmul(inverse.mH, turned), inverse.mH)
    return matrix_norm(grad * other, self, one, order, dims, False) - turned


def cond_named(grad: Tensor, self: Tensor, p: str) -> Tensor:
    if self.numel() == 0:
        return torch.zeros_like(self)
    inverse = torch.linalg_inv(self)
    dims = [-2, -1]
    one, other = torch.linalg_matrix_norm(self, p), torch.linalg_matrix_norm(inverse, p)
    turned = matrix_norm_named(grad * one, inverse, other, p, dims, False)
    turned = torch.matmul(torch.matmul(inverse.mH, turned), inverse.mH)
    return matrix_norm_named(grad * other, self, one, p, dims, False) - turned


def tensorinv(grad: Tensor, self: Tensor, result: Tensor, ind: int) -> Tensor:
    n = 1
    for size in self.size()[:ind]:
        n *= size
    inverse = result.reshape([n, n]).mH
    return -torch.mm(torch.mm(inverse, grad.reshape([n, n])), inverse).reshape(self.size())


def tensorsolve_right(grad: Tensor, self: Tensor, other: Tensor, dims: Optional[List[int]]) -> Tensor:
    moved = dims_or_all(dims)
    self = self.movedim(moved, [d - len(moved) for d in range(len(moved))])
    n = other.numel()
    return torch.linalg_solve(self.reshape([n, n]).mH, grad.reshape([n])).reshape(other.size())


def tensorsolve_matrix(grad: Tensor, self: Tensor, other: Tensor, dims: Optional[List[int]], result: Tensor) -> Tensor:
    moved = dims_or_all(dims)
    ends = [d - len(moved) for d in range(len(moved))]
    right = tensorsolve_right(grad, self, other, dims).reshape([-1])
    found = -torch.outer(right, result.reshape([-1]).conj())
    return found.reshape(self.movedim(moved, ends).size()).movedim(ends, moved)
