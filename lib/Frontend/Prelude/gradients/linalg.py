# Linear algebra: factors, inverses, solutions.
import torch
from torch import Tensor
from typing import Optional


def solve_right(grad: Tensor, A: Tensor, left: bool) -> Tensor:
    return torch.linalg_solve(torch.adjoint(A), grad, left=left)


def solve_matrix(grad: Tensor, A: Tensor, result: Tensor, left: bool) -> Tensor:
    right = solve_right(grad, A, left)
    if result.dim() == A.dim() - 1:
        return -right.unsqueeze(-1) * result.conj().unsqueeze(-2)
    if left:
        return -torch.matmul(right, torch.adjoint(result))
    return -torch.matmul(torch.adjoint(result), right)


def cholesky(grad: Tensor, result: Tensor, upper: bool) -> Tensor:
    """Murray: Differentiation of the Cholesky decomposition (2016)."""
    L = torch.adjoint(result) if upper else result
    g = torch.adjoint(grad) if upper else grad
    inner = torch.matmul(torch.adjoint(L), g)
    inner = 0.5 * (torch.tril(inner) + torch.adjoint(torch.tril(inner, -1)))
    half = torch.linalg_solve_triangular(torch.adjoint(L), inner, upper=True)
    return torch.linalg_solve_triangular(L, half, upper=False, left=False)


def of_matrices(x: Tensor) -> Tensor:
    """A number for each matrix, for broadcasting against it."""
    return x.unsqueeze(-1).unsqueeze(-1)


def epsilon(x: Tensor) -> float:
    return 2.220446049250313e-16 if x.dtype == torch.float64 else 1.1920928955078125e-07


def regular_det(scale: Tensor, self: Tensor, result: Tensor) -> Tensor:
    return of_matrices(scale * result.conj()) * torch.inverse(self).mH


def singular_det(scale: Tensor, self: Tensor) -> Tensor:
    """By the adjugate: Higham, https://nhigham.com/2020/06/16/what-is-the-adjugate-of-a-matrix. Between unitary factors
    that are constants it is that of a matrix near a diagonal one, exact up to its first derivative."""
    U, S, Vh = torch.linalg_svd(self.detach())
    inner = torch.matmul(torch.matmul(U.mH, self), Vh.mH)
    values = inner.diagonal(0, -2, -1)
    isDiagonal = torch.eye(inner.size(-1), dtype=torch.bool, device=inner.device)
    of_pairs = others(values.unsqueeze(-2).expand(inner.size()).masked_fill(isDiagonal, 1), -1)
    adjugate = torch.where(isDiagonal, torch.diag_embed(others(values, -1)), -inner * of_pairs)
    turn = (torch.det(U) * torch.det(Vh)).conj() * scale
    return torch.matmul(torch.matmul(U, of_matrices(turn) * adjugate.mH), Vh)


def det(grad: Tensor, self: Tensor, result: Tensor) -> Tensor:
    if self.numel() == 0:
        return torch.zeros_like(self)
    size = torch.abs(self).detach()
    isSingular = torch.abs(result.detach()) <= size.amax([-2, -1]) * (100 * epsilon(size))
    if not bool(isSingular.any()):
        return regular_det(grad, self, result)
    isSingular = of_matrices(isSingular)
    ones = torch.eye(self.size(-1), dtype=self.dtype, device=self.device)
    regular = regular_det(grad, torch.where(isSingular, ones, self), result)
    return torch.where(isSingular, singular_det(grad, self), regular)


def unchecked_inverse(self: Tensor) -> Tensor:
    """Of a singular matrix whatever there is."""
    inverse, info = torch.linalg_inv_ex(self)
    return inverse


def slogdet(grad_sign: Optional[Tensor], grad_log: Optional[Tensor], self: Tensor, sign: Tensor) -> Tensor:
    """The sign of a real determinant is constant; that of a complex one turns with it."""
    factor = torch.zeros_like(sign)
    if grad_log is not None:
        factor = factor + grad_log
    if grad_sign is not None and sign.is_complex():
        turn = torch.imag(sign.conj() * grad_sign)
        factor = factor + torch.complex(torch.zeros_like(turn), turn)
    return of_matrices(factor) * unchecked_inverse(self).mH


def solved_matrix(right: Tensor, matrix: Tensor, solution: Tensor, left: bool) -> Tensor:
    """The gradient of a system's matrix, from that of its right side."""
    if solution.dim() == 1 or (solution.dim() == matrix.dim() - 1 and solution.size() == matrix.size()[:-1]):
        return -(right.unsqueeze(-1) * solution.conj().unsqueeze(-2))
    return -torch.matmul(right, solution.mH) if left else -torch.matmul(solution.mH, right)


def symmetric(x: Tensor) -> Tensor:
    return (x + x.mH) * 0.5


def triangle(x: Tensor, upper: bool, unitriangular: bool) -> Tensor:
    edge = 1 if unitriangular else 0
    return torch.triu(x, edge) if upper else torch.tril(x, -edge)


def cholesky_solve_factor(grad: Tensor, result: Tensor, factor: Tensor, upper: bool) -> Tensor:
    """The other triangle of the factor is taken for zeros, and has a gradient."""
    outer = torch.matmul(torch.cholesky_solve(grad, factor, upper), result.mH)
    sum = -(outer + outer.mH)
    return torch.matmul(factor, sum) if upper else torch.matmul(sum, factor)


def cholesky_inverse(grad: Tensor, result: Tensor, factor: Tensor, upper: bool) -> Tensor:
    sum = -torch.matmul(torch.matmul(result, grad + grad.mH), result)
    return torch.matmul(factor, sum) if upper else torch.matmul(sum, factor)


def triangular_right(grad: Optional[Tensor], matrix: Tensor, upper: bool, transpose: bool,
                     unitriangular: bool) -> Tensor:
    if grad is None:
        return torch.zeros_like(matrix.select(-1, 0).unsqueeze(-1)) # it broadcasts
    if transpose:
        return torch.linalg_solve_triangular(matrix.conj(), grad, upper=upper, unitriangular=unitriangular)
    return torch.linalg_solve_triangular(matrix.mH, grad, upper=not upper, unitriangular=unitriangular)


def triangular_matrix(grad: Optional[Tensor], grad_copy: Optional[Tensor], matrix: Tensor, solution: Tensor,
                      upper: bool, transpose: bool, unitriangular: bool) -> Tensor:
    total = torch.zeros_like(matrix) if grad_copy is None else grad_copy
    if grad is not None:
        right = triangular_right(grad, matrix, upper, transpose, unitriangular)
        found = -torch.matmul(right, solution.mH)
        total = total + triangle(found.mT if transpose else found, upper, unitriangular).sum_to_size(total.size())
    return total


def matrix_exp(grad: Tensor, self: Tensor) -> Tensor:
    """exp of [[A^H, grad], [0, A^H]] has the gradient beside exp(A^H)."""
    n = self.size(-1)
    matrix = self.mH
    above = torch.cat([matrix, grad], -1)
    below = torch.cat([torch.zeros_like(matrix), matrix], -1)
    return torch.matrix_exp(torch.cat([above, below], -2)).narrow(-2, 0, n).narrow(-1, n, n)


def qr(grad_Q: Optional[Tensor], grad_R: Optional[Tensor], Q: Tensor, R: Tensor) -> Tensor:
    """Of square R: the triangle below the diagonal of a symmetric matrix is known from that above it. A wider R has the
    square one, and Q^H of the other columns beside it."""
    m, n = R.size(-2), R.size(-1)
    if Q.dim() < 2 or Q.size(-1) != min(Q.size(-2), n):
        raise RuntimeError("there is no derivative of R alone, and of a Q with more columns than the matrix")
    rest = torch.zeros_like(R.narrow(-1, m, n - m))
    if grad_R is not None:
        rest = grad_R.narrow(-1, m, n - m)
        grad_R = grad_R.narrow(-1, 0, m)
    whole = torch.matmul(R.narrow(-1, m, n - m), rest.mH)
    whole = torch.matmul(Q, whole) if grad_Q is None else grad_Q + torch.matmul(Q, whole)
    inner = -torch.matmul(whole.mH, Q)
    if grad_R is not None:
        inner = inner + torch.matmul(R.narrow(-1, 0, m), grad_R.mH)
    lower = torch.tril(inner, -1)
    whole = whole + torch.matmul(Q, lower + lower.mH + torch.diag_embed(symmetric(inner).diagonal(0, -2, -1)))
    square = torch.linalg_solve_triangular(R.narrow(-1, 0, m).mH, whole, upper=False, left=False)
    return torch.cat([square, torch.matmul(Q, rest)], -1)


def skew(x: Tensor) -> Tensor:
    return x - x.mH


def differences(values: Tensor) -> Tensor:
    """values[j] - values[i]; 1 on the diagonal."""
    return values.unsqueeze(-2) - values.unsqueeze(-1) + torch.diag_embed(torch.ones_like(values))


def without_diagonal(x: Tensor) -> Tensor:
    return x - torch.diag_embed(x.diagonal(0, -2, -1))


def eigh(grad_values: Optional[Tensor], grad_vectors: Optional[Tensor], values: Tensor, vectors: Tensor) -> Tensor:
    inner = torch.zeros_like(vectors)
    if grad_vectors is not None:
        inner = without_diagonal(0.5 * skew(torch.matmul(vectors.mH, grad_vectors))) / differences(values)
    if grad_values is not None:
        inner = inner + torch.diag_embed(grad_values)
    return torch.matmul(torch.matmul(vectors, inner), vectors.mH)


def eigh_or_values(grad_values: Optional[Tensor], grad_vectors: Optional[Tensor], values: Tensor, vectors: Tensor,
                   self: Tensor, UPLO: str, compute_v: bool) -> Tensor:
    if compute_v:
        return eigh(grad_values, grad_vectors, values, vectors)
    if grad_values is None:
        return torch.zeros_like(self)
    return eigvalsh(grad_values, self, UPLO)


def eigvalsh(grad: Tensor, self: Tensor, UPLO: str) -> Tensor:
    values, vectors = torch.linalg_eigh(self, UPLO)
    return torch.matmul(vectors * grad.unsqueeze(-2), vectors.mH)


def svdvals(grad: Tensor, self: Tensor) -> Tensor:
    U, S, Vh = torch.linalg_svd(self, False)
    return torch.matmul(U * grad.unsqueeze(-2), Vh)


def svd(grad_U: Optional[Tensor], grad_S: Optional[Tensor], grad_Vh: Optional[Tensor], U: Tensor, S: Tensor,
        Vh: Tensor, self: Tensor) -> Tensor:
    """Vectors that full_matrices adds are taken for constants."""
    k = S.size(-1)
    if U.numel() == 0 and S.numel() != 0: # there was no need of vectors
        U, S, Vh = torch.linalg_svd(self, False)
    if grad_U is not None:
        grad_U = grad_U.narrow(-1, 0, k) if grad_U.numel() != 0 else None
    if grad_Vh is not None:
        grad_Vh = grad_Vh.narrow(-2, 0, k) if grad_Vh.numel() != 0 else None
    U, Vh = U.narrow(-1, 0, k), Vh.narrow(-2, 0, k)
    inner = torch.zeros_like(torch.matmul(U.mH, U))
    if grad_S is not None:
        inner = inner + torch.diag_embed(grad_S)
    gaps = differences(S * S)
    if grad_U is not None:
        inner = inner + without_diagonal(skew(torch.matmul(U.mH, grad_U)) / gaps) * S.unsqueeze(-2)
        if U.is_complex(): # a phase of the vectors on either side
            inner = inner + torch.diag_embed(skew(torch.matmul(U.mH, grad_U)).diagonal(0, -2, -1) / (2 * S))
    if grad_Vh is not None:
        inner = inner + S.unsqueeze(-1) * without_diagonal(skew(torch.matmul(Vh, grad_Vh.mH)) / gaps)
    total = torch.matmul(torch.matmul(U, inner), Vh)
    if grad_U is not None and U.size(-2) > k:
        scaled = grad_U / S.unsqueeze(-2)
        total = total + torch.matmul(scaled - torch.matmul(U, torch.matmul(U.mH, scaled)), Vh)
    if grad_Vh is not None and Vh.size(-1) > k:
        scaled = grad_Vh / S.unsqueeze(-1)
        total = total + torch.matmul(U, scaled - torch.matmul(torch.matmul(scaled, Vh.mH), Vh))
    return total


def nuclear(grad: Tensor, self: Tensor) -> Tensor:
    U, S, Vh = torch.linalg_svd(self, False)
    return grad.reshape([]) * torch.matmul(U, Vh)


def svd_old(grad_U: Optional[Tensor], grad_S: Optional[Tensor], grad_V: Optional[Tensor], U: Tensor, S: Tensor,
            V: Tensor, self: Tensor, compute_uv: bool) -> Tensor:
    if not compute_uv:
        return torch.zeros_like(self) if grad_S is None else svdvals(grad_S, self)
    return svd(grad_U, grad_S, None if grad_V is None else grad_V.mH, U, S, V.mH, self)


def symeig(grad_values: Optional[Tensor], grad_vectors: Optional[Tensor], self: Tensor, with_vectors: bool,
           upper: bool) -> Tensor:
    values, vectors = torch.linalg_eigh(self, "U" if upper else "L")
    return eigh(grad_values, grad_vectors if with_vectors else None, values, vectors)
