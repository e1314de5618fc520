# RUN: %exits 1 tsc-run %s --entry dtype 2>&1 | FileCheck %s --check-prefix=DTYPE
# RUN: %exits 1 tsc-run %s --entry computed 2>&1 | FileCheck %s --check-prefix=COMPUTED
# RUN: %exits 1 tsc-run %s --entry view 2>&1 | FileCheck %s --check-prefix=VIEW
# RUN: %exits 1 tsc-run %s --entry size 2>&1 | FileCheck %s --check-prefix=SIZE
# RUN: %all_modes tsc-run %s --entry again | FileCheck %s --check-prefix=AGAIN
# RUN: %exits 1 tsc-run %s --entry kept 2>&1 | FileCheck %s --check-prefix=KEPT
# What gradients cannot be asked of, in PyTorch's words.
import torch
from typing import List, Optional

def dtype():
    x = torch.tensor([1., 2.], requires_grad=True)
    weights: List[Optional[torch.Tensor]] = [torch.ones(2, dtype=torch.complex64)]
    # DTYPE: error: RuntimeError: For complex Tensors, both grad_output and output are required to have the same dtype. Mismatch in dtype: grad_output[0] has a dtype of torch.complex64 and output[0] has a dtype of torch.float32.
    print(torch.autograd.grad([x * 2], [x], weights))

def computed():
    x = torch.tensor([1., 2.], requires_grad=True)
    y = x * 2
    # COMPUTED: error: RuntimeError: you can only change requires_grad flags of leaf variables. If you want to use a computed variable in a subgraph that doesn't require differentiation use var_no_grad = var.detach().
    y.requires_grad_(False)
    (y * x).sum().backward()

def view():
    x = torch.tensor([1., 2.], requires_grad=True)
    y = (x * 2)[1:]
    # VIEW: error: RuntimeError: Can't detach views in-place. Use detach() instead.
    y.detach_()
    (y * x).sum().backward()

def size():
    x = torch.tensor([1., 2.], requires_grad=True)
    # SIZE: error: RuntimeError: cannot resize variables that require grad
    x.resize_([1])
    x.sum().backward()

# Operators whose gradients need no elements go backwards as often as one likes.
def again():
    x = torch.tensor([1., 2.], requires_grad=True)
    y = (x + x).t().sum() + x.mean()
    y.backward()
    y.backward()
    # AGAIN: tensor([5., 5.])
    print(x.grad)
    first = torch.autograd.grad([y], [x])[0]
    # AGAIN-NEXT: tensor([2.5000, 2.5000])
    print(torch.autograd.grad([y], [x])[0])
    # A double weight is taken as the result's float.
    weights: List[Optional[torch.Tensor]] = [torch.ones(2, dtype=torch.double)]
    # AGAIN-NEXT: tensor([3., 3.])
    print(torch.autograd.grad([x * 3], [x], weights)[0])

def kept():
    x = torch.tensor([1., 2.], requires_grad=True)
    y = (x + x).exp().sum()
    print(torch.autograd.grad([y], [x])[0])
    # KEPT: error: RuntimeError: Trying to backward through the graph a second time
    print(torch.autograd.grad([y], [x])[0])
