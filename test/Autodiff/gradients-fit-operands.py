# Gradients have the sizes and the dtype of what they are gradients of, in plans as on the tape: where operands are joined,
# broadcast, rounded to fewer bits, or transformed to complex numbers and back.
#
# RUN: %all_modes tsc-run %s --entry joined_dtypes --args 'torch.tensor([1., 2., 3.])' | FileCheck %s --check-prefix=JOINED-DTYPES
# JOINED-DTYPES: tensor([10., 20., 30.])
# RUN: %all_modes tsc-run %s --entry joined_dtypes_of_both --args 'torch.tensor([1., 2., 3.])' | FileCheck %s --check-prefix=JOINED-DTYPES-OF-BOTH
# JOINED-DTYPES-OF-BOTH: [tensor([10., 20., 30.]), tensor([ 4.,  8., 12.], dtype=torch.float64)]
# RUN: %all_modes tsc-run %s --entry broadcast_together --args 'torch.tensor([1., 2., 3.])' | FileCheck %s --check-prefix=BROADCAST-TOGETHER
# BROADCAST-TOGETHER: tensor([ 8., 16., 24.])
# RUN: %all_modes tsc-run %s --entry broadcast_alone --args 'torch.tensor([1., 2., 3.])' | FileCheck %s --check-prefix=BROADCAST-ALONE
# BROADCAST-ALONE: tensor([ 4.,  8., 12.])
# RUN: %all_modes tsc-run %s --entry bfloat16 --args 'torch.tensor([1., 2., 3.])' | FileCheck %s --check-prefix=BFLOAT16
# BFLOAT16: tensor([0.1807, 0.2100, 0.2412], dtype=torch.bfloat16)
# RUN: %all_modes tsc-run %s --entry half_pool --args 'torch.tensor([1., 2., 3.])' | FileCheck %s --check-prefix=HALF-POOL
# HALF-POOL: tensor([5.3320, 5.3320, 5.3320], dtype=torch.float16)
# RUN: %all_modes tsc-run %s --entry half_softmax --args 'torch.tensor([1., 2., 3.])' | FileCheck %s --check-prefix=HALF-SOFTMAX
# HALF-SOFTMAX: tensor([-0.0757, -0.1300,  0.205{{[89]}}], dtype=torch.float16)
# RUN: %all_modes tsc-run %s --entry real_fourier --args 'torch.tensor([1., 2., 3.])' | FileCheck %s --check-prefix=REAL-FOURIER
# REAL-FOURIER: tensor([0.5000, 2.0000, 1.5000])
# RUN: %all_modes tsc-run %s --entry real_hermitian --args 'torch.tensor([1., 2., 3.])' | FileCheck %s --check-prefix=REAL-HERMITIAN
# REAL-HERMITIAN: tensor([ 8., 32., 24.])
# RUN: %all_modes tsc-run %s --entry powers --args 'torch.tensor([1., 2., 3.])' | FileCheck %s --check-prefix=POWERS
# POWERS: tensor([6., 0., 0.])
# RUN: %all_modes tsc-run %s --entry products --args 'torch.tensor([1., 2., 3.])' | FileCheck %s --check-prefix=PRODUCTS
# PRODUCTS: tensor([240., 240., 240.])
# RUN: %all_modes tsc-run %s --entry indices --args 'torch.tensor([1., 2., 3.])' | FileCheck %s --check-prefix=INDICES
# INDICES: tensor([112.,   4., 176.])
# RUN: %all_modes tsc-run %s --entry layer --args 'torch.tensor([1., 2., 3.])' | FileCheck %s --check-prefix=LAYER
# LAYER: tensor([224., 112., 112.])
# RUN: %all_modes tsc-run %s --entry added_products --args 'torch.tensor([1., 2., 3.])' | FileCheck %s --check-prefix=ADDED-PRODUCTS
# ADDED-PRODUCTS: tensor([1984., 1280., 1344.])
import torch
from torch import Tensor

def joined_dtypes(x: Tensor):
    x = x.detach().requires_grad_()
    y = torch.cat([x, x.to(torch.double) * 2])
    return torch.autograd.grad([(y * y).sum()], [x])[0]

def joined_dtypes_of_both(x: Tensor):
    x = x.detach().requires_grad_()
    h = x.to(torch.double) * 2
    y = torch.cat([x, h])
    return torch.autograd.grad([(y * y).sum()], [x, h])

def broadcast_together(x: Tensor):
    x = x.detach().requires_grad_()
    a, b = torch.broadcast_tensors([x, torch.ones(4, 3)])
    return torch.autograd.grad([(a * b * a).sum()], [x])[0]

def broadcast_alone(x: Tensor):
    x = x.detach().requires_grad_()
    a = x.broadcast_to([2, 3])
    return torch.autograd.grad([(a * a).sum()], [x])[0]

def bfloat16(x: Tensor):
    x = x.to(torch.bfloat16).detach().requires_grad_()
    return torch.autograd.grad([torch.nn.functional.hardswish(x * 0.3).sum()], [x])[0]

def half_pool(x: Tensor):
    x = x.to(torch.half).detach().requires_grad_()
    return torch.autograd.grad([(torch.avg_pool1d(x.reshape(1,1,3).repeat([1,1,4]), 3) ** 2).sum()], [x])[0]

def half_softmax(x: Tensor):
    x = x.to(torch.half).detach().requires_grad_()
    return torch.autograd.grad([(torch.softmax(x, 0) ** 2).sum()], [x])[0]

def real_fourier(x: Tensor):
    x = x.detach().requires_grad_()
    return torch.autograd.grad([(torch.fft.irfft(x, 4) ** 2).sum()], [x])[0]

def real_hermitian(x: Tensor):
    x = x.detach().requires_grad_()
    return torch.autograd.grad([(torch.fft.hfft(x, 4) ** 2).sum()], [x])[0]

def powers(x: Tensor):
    x = x.detach().requires_grad_()
    return torch.autograd.grad([(torch.linalg.vander(x[0], N=3) ** 2).sum()], [x])[0]

def products(x: Tensor):
    x = x.detach().requires_grad_()
    y = torch.matmul(torch.ones(5, 2, 3), x)
    z = torch.matmul(x, torch.ones(5, 3, 2))
    return torch.autograd.grad([(y * y).sum() + z.pow(2).sum()], [x])[0]

def indices(x: Tensor):
    x = x.detach().requires_grad_()
    y = x[torch.tensor([0, 0, 2])] * x[[True, False, True]].sum()
    y = y.index_put([torch.tensor([0])], x[1])
    return torch.autograd.grad([(y * y).sum()], [x])[0]

def layer(x: Tensor):
    x = x.detach().requires_grad_()
    y = torch.nn.functional.linear(torch.ones(2, 4, 3), x.reshape(1, 3), x[0])
    return torch.autograd.grad([(y * y).sum()], [x])[0]

def added_products(x: Tensor):
    x = x.detach().requires_grad_()
    y = torch.baddbmm(x, torch.ones(2, 4, 3), torch.ones(2, 3, 3)) + torch.addmm(x, torch.ones(4,2), torch.ones(2, 3)) + torch.addmv(x[0], torch.ones(3, 3), x)
    return torch.autograd.grad([(y * y).sum()], [x])[0]
