# Sums of integers are of int64, products of them of their own dtype; where no products are summed, dtypes promote;
# dimensions of size 1 are no sums. Values and dtypes as PyTorch 2.15 gives them, also through what shape analysis says.
# RUN: tsc-run %s | FileCheck %s
# RUN: tsc-run %s -O0 | FileCheck %s
# RUN: tsc-run %s --compile eager | FileCheck %s
import torch
from torch import Tensor


def main() -> None:
    a = torch.arange(6, dtype=torch.int8).reshape([2, 3]) * 20
    b = torch.arange(6, dtype=torch.int8).reshape([3, 2])
    v = torch.arange(3, dtype=torch.int8)
    one = torch.ones([1], dtype=torch.int8)
    column = torch.ones([2, 1], dtype=torch.int8)
    f = torch.tensor([1.0, 2.0, 4.0])
    print(torch.einsum("ij->i", a), torch.einsum("ij->", a), torch.einsum("ij->ji", a)[0])
    # CHECK: tensor([ 60, 240]) tensor(300) tensor([ 0, 60], dtype=torch.int8)
    print(torch.einsum("ij,jk->ik", a, b), torch.einsum("ij,jk->", a, b))
    # CHECK-NEXT{LITERAL}: tensor([[-56,   4],
    # CHECK-NEXT: [ 48,  32]], dtype=torch.int8) tensor(1820)
    print(torch.einsum("ij,k->k", a, v), torch.einsum("ij,j->j", a, v), torch.einsum("ij,j->ij", a, v)[1])
    # CHECK-NEXT: tensor([  0, 300, 600]) tensor([  0, 100, 280]) tensor([  0,  80, -56], dtype=torch.int8)
    print(torch.einsum("i,j->j", one, v), torch.einsum("ij->i", column), torch.einsum("ij,ij->i", a, column))
    # CHECK-NEXT: tensor([0, 1, 2], dtype=torch.int8) tensor([1, 1]) tensor([ 60, 240])
    print(torch.einsum("i,i,i->", a[1], a[1], one), torch.einsum("i,i->", v, v))
    # CHECK-NEXT: tensor(32, dtype=torch.int8) tensor(5, dtype=torch.int8)
    print(torch.einsum("i,j->ij", f, v)[1], torch.einsum("i,j->ij", v > 0, v > 1)[2], torch.einsum("i->", v > 0))
    # CHECK-NEXT: tensor([0., 2., 4.]) tensor([False, False,  True]) tensor(2)
    print(torch.einsum("ij,ij->i", a.to(torch.float), column.to(torch.double)))
    # CHECK-NEXT: tensor([ 60., 240.], dtype=torch.float64)
    print(torch.einsum("ij->i", a).to(torch.int8).dtype == torch.int8)  # CHECK-NEXT: True

    x = f.clone().requires_grad_()
    torch.einsum("i,j->ij", x, v).sum().backward()
    print(x.grad)  # CHECK-NEXT: tensor([3., 3., 3.])
