# What is wrong with a sparse tensor is said, and what knows nothing of sparse tensors refuses them.
#
# RUN: tsc-run %s | FileCheck %s
# RUN: %exits 1 tsc-run --entry negative %s 2>&1 | FileCheck --check-prefix=NEGATIVE %s
# RUN: %exits 1 tsc-run --entry outside %s 2>&1 | FileCheck --check-prefix=OUTSIDE %s
# RUN: %exits 1 tsc-run --entry uncoalesced %s 2>&1 | FileCheck --check-prefix=UNCOALESCED %s
# RUN: %exits 1 tsc-run --entry exponential %s 2>&1 | FileCheck --check-prefix=EXP %s
# RUN: %exits 1 tsc-run --entry reshaped %s 2>&1 | FileCheck --check-prefix=RESHAPED %s
# RUN: %exits 1 tsc-run --entry written %s 2>&1 | FileCheck --check-prefix=WRITTEN %s
# RUN: %exits 1 tsc-run --entry ordered %s 2>&1 | FileCheck --check-prefix=SORTED %s
# RUN: %exits 1 tsc-run --entry number %s 2>&1 | FileCheck --check-prefix=NUMBER %s
# RUN: %exits 1 tsc-run --entry stale %s 2>&1 | FileCheck --check-prefix=STALE %s
import torch
from torch import Tensor


def small() -> Tensor:
    return torch.sparse_coo_tensor(torch.tensor([[0, 1], [1, 0]]), torch.tensor([2., 3.]), [2, 2])


# CHECK:      tensor(indices=tensor({{\[\[}}0, 1],
# CHECK-NEXT:                       [1, 0]]),
# CHECK-NEXT:        values=tensor([2., 3.]),
# CHECK-NEXT:        size=(2, 2), nnz=2, layout=torch.sparse_coo)
def main():
    return small()


# NEGATIVE: found negative index -1 for dim 0
def negative():
    return torch.sparse_coo_tensor(torch.tensor([[-1]]), torch.tensor([2.]), [2])


# OUTSIDE: size is inconsistent with indices: for dim 0, size is 2 but found index 2
def outside():
    return torch._sparse_coo_tensor_unsafe(torch.tensor([[2]]), torch.tensor([2.]), [2])


# UNCOALESCED: Cannot get values on an uncoalesced tensor, please call .coalesce() first
def uncoalesced():
    return small().values()


# EXP: 'exp' is not there for sparse and nested tensors
def exponential():
    return torch.exp(small())


# RESHAPED: {{has no dense form|is no operand here}}
def reshaped():
    return small().reshape([4]).to_dense()


# WRITTEN: not there for sparse and nested tensors
def written():
    x = small()
    x.mul_(torch.ones([2, 2]))
    return x


# SORTED: a sparse or nested tensor is no operand here
def ordered():
    return torch.sort(small())[0]


# NUMBER: a sparse or nested tensor cannot be converted to Scalar
def number():
    return torch.sparse_coo_tensor(torch.tensor([[0]]), torch.tensor([2.]), [1]).item()


# A view that nobody made for sparse tensors has no elements.
# STALE: {{expected a sparse tensor|has no dense form}}
def stale():
    return small().unsqueeze(0).to_dense()
