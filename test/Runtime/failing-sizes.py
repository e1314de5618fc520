# A result that a program uses only through its sizes, rank or dtype raises what it raises in every tier and on every
# call, though a rule could answer for it.
# RUN: %all_modes --status 1 tsc-run %s --entry view --args 'torch.ones([4])' | FileCheck --check-prefix=VIEW %s
# RUN: %all_modes --status 1 tsc-run %s --entry reshape --args 'torch.ones([4])' | FileCheck --check-prefix=RESHAPE %s
# RUN: %all_modes --status 1 tsc-run %s --entry expand --args 'torch.ones([4])' | FileCheck --check-prefix=EXPAND %s
# RUN: %all_modes --status 1 tsc-run %s --entry cat --args 'torch.ones([4])' | FileCheck --check-prefix=CAT %s
# RUN: %all_modes --status 1 tsc-run %s --entry stack --args 'torch.ones([4])' | FileCheck --check-prefix=STACK %s
# RUN: %all_modes --status 1 tsc-run %s --entry add --args 'torch.ones([4])' | FileCheck --check-prefix=ADD %s
# RUN: %all_modes --status 1 tsc-run %s --entry dtype_of_sum --args 'torch.ones([4])' | FileCheck --check-prefix=DTYPE_OF_SUM %s
# RUN: %all_modes --status 1 tsc-run %s --entry mm --args 'torch.ones([4])' | FileCheck --check-prefix=MM %s
# RUN: %all_modes --status 1 tsc-run %s --entry matmul --args 'torch.ones([4])' | FileCheck --check-prefix=MATMUL %s
# RUN: %all_modes --status 1 tsc-run %s --entry linear --args 'torch.ones([4])' | FileCheck --check-prefix=LINEAR %s
# RUN: %all_modes --status 1 tsc-run %s --entry select --args 'torch.ones([4])' | FileCheck --check-prefix=SELECT %s
# RUN: %all_modes --status 1 tsc-run %s --entry subscript --args 'torch.ones([4])' | FileCheck --check-prefix=SUBSCRIPT %s
# RUN: %all_modes --status 1 tsc-run %s --entry narrow --args 'torch.ones([4])' | FileCheck --check-prefix=NARROW %s
# RUN: %all_modes --status 1 tsc-run %s --entry split --args 'torch.ones([4])' | FileCheck --check-prefix=SPLIT %s
# RUN: %all_modes --status 1 tsc-run %s --entry chunk --args 'torch.ones([4])' | FileCheck --check-prefix=CHUNK %s
# RUN: %all_modes --status 1 tsc-run %s --entry permute --args 'torch.ones([4])' | FileCheck --check-prefix=PERMUTE %s
# RUN: %all_modes --status 1 tsc-run %s --entry where --args 'torch.ones([4])' | FileCheck --check-prefix=WHERE %s
# RUN: %all_modes --status 1 tsc-run %s --entry gather --args 'torch.ones([4])' | FileCheck --check-prefix=GATHER %s
# RUN: %all_modes --status 1 tsc-run %s --entry bits --args 'torch.ones([4])' | FileCheck --check-prefix=BITS %s
# RUN: %all_modes --status 1 tsc-run %s --entry softmax --args 'torch.ones([4])' | FileCheck --check-prefix=SOFTMAX %s
# RUN: %all_modes --status 1 tsc-run %s --entry maximum --args 'torch.ones([4])' | FileCheck --check-prefix=MAXIMUM %s
# RUN: %all_modes --status 1 tsc-run %s --entry zeros --args 'torch.ones([4])' | FileCheck --check-prefix=ZEROS %s
# RUN: %all_modes --status 1 tsc-run %s --entry negative_expand --args '2' | FileCheck --check-prefix=NEGATIVE %s
import torch
from torch import Tensor
from typing import Dict, List

# VIEW: error: RuntimeError: shape '[3]' is invalid for input of size 4
# VIEW: line [[@LINE+2]], in view
def view(x: Tensor) -> int:
    return x.view(3).size(0)

# RESHAPE: error: RuntimeError: shape '[3]' is invalid for input of size 4
# RESHAPE: line [[@LINE+2]], in reshape
def reshape(x: Tensor) -> int:
    return x.reshape([3]).size(0)

# EXPAND: error: RuntimeError: The expanded size of the tensor (3) must match the existing size (4)
# EXPAND: line [[@LINE+2]], in expand
def expand(x: Tensor) -> int:
    return x.expand(3).size(0)

# CAT: error: RuntimeError: Tensors must have same number of dimensions: got 1 and 2
# CAT: line [[@LINE+2]], in cat
def cat(x: Tensor) -> int:
    return torch.cat([x, torch.ones(2, 3)]).size(0)

# STACK: error: RuntimeError: stack expects each tensor to be equal size, but got [4] at entry 0 and [3] at entry 1
# STACK: line [[@LINE+2]], in stack
def stack(x: Tensor) -> int:
    return torch.stack([x, torch.ones(3)]).dim()

# ADD: error: RuntimeError: The size of tensor a (4) must match the size of tensor b (3)
# ADD: line [[@LINE+2]], in add
def add(x: Tensor) -> int:
    return (x + torch.ones(3)).dim()

# DTYPE_OF_SUM: error: RuntimeError: The size of tensor a (4) must match the size of tensor b (3)
# DTYPE_OF_SUM: line [[@LINE+2]], in dtype_of_sum
def dtype_of_sum(x: Tensor) -> int:
    return 1 if (x + torch.ones(3)).dtype == torch.float32 else 0

# MM: error: RuntimeError: self must be a matrix
# MM: line [[@LINE+2]], in mm
def mm(x: Tensor) -> int:
    return torch.mm(x, x).size(0)

# MATMUL: error: RuntimeError: inconsistent tensor size, expected tensor [4] and src [3]
# MATMUL: line [[@LINE+2]], in matmul
def matmul(x: Tensor) -> int:
    return torch.matmul(x, torch.ones(3)).dim()

# LINEAR: error: RuntimeError: mat1 and mat2 shapes cannot be multiplied (1x4 and 3x2)
# LINEAR: line [[@LINE+2]], in linear
def linear(x: Tensor) -> int:
    return torch.nn.functional.linear(x, torch.ones(2, 3)).dim()

# SELECT: error: IndexError: select(): index 9 out of range for tensor of size [4] at dimension 0
# SELECT: line [[@LINE+2]], in select
def select(x: Tensor) -> int:
    return x.select(0, 9).dim()

# SUBSCRIPT: error: IndexError: select(): index 9 out of range for tensor of size [4] at dimension 0
# SUBSCRIPT: line [[@LINE+2]], in subscript
def subscript(x: Tensor) -> int:
    return len(x[9].size())

# NARROW: error: RuntimeError: start (2) + length (5) exceeds dimension size (4).
# NARROW: line [[@LINE+2]], in narrow
def narrow(x: Tensor) -> int:
    return x.narrow(0, 2, 5).size(0)

# SPLIT: error: RuntimeError: split_with_sizes expects split_sizes to sum exactly to 4
# SPLIT: line [[@LINE+2]], in split
def split(x: Tensor) -> int:
    return len(x.split([1, 2], 0))

# CHUNK: error: RuntimeError: chunk expects `chunks` to be greater than 0, got: 0
# CHUNK: line [[@LINE+2]], in chunk
def chunk(x: Tensor) -> int:
    return len(x.chunk(0))

# PERMUTE: error: RuntimeError: permute(sparse_coo): number of dimensions in the tensor input does not match
# PERMUTE: line [[@LINE+2]], in permute
def permute(x: Tensor) -> int:
    return x.permute(0, 0).dim()

# WHERE: error: RuntimeError: The size of tensor a (4) must match the size of tensor b (3)
# WHERE: line [[@LINE+2]], in where
def where(x: Tensor) -> int:
    return torch.where(x > 0, x, torch.ones(3)).dim()

# GATHER: error: RuntimeError: index 9 is out of bounds for dimension 0 with size 4
# GATHER: line [[@LINE+2]], in gather
def gather(x: Tensor) -> int:
    return torch.gather(x, 0, torch.tensor([9])).size(0)

# BITS: error: RuntimeError: "bitwise_not_cpu" not implemented for 'Float'
# BITS: line [[@LINE+2]], in bits
def bits(x: Tensor) -> int:
    return torch.bitwise_not(x).size(0)

# SOFTMAX: error: IndexError: Dimension out of range (expected to be in range of [-1, 0], but got 3)
# SOFTMAX: line [[@LINE+2]], in softmax
def softmax(x: Tensor) -> int:
    return torch.softmax(x, 3).dim()

# MAXIMUM: error: RuntimeError: max(): Expected reduction dim to be specified for input.numel() == 0.
# MAXIMUM: line [[@LINE+2]], in maximum
def maximum(x: Tensor) -> int:
    return x[:0].max().dim()

# ZEROS: error: RuntimeError: Trying to create tensor with negative dimension -5
# ZEROS: line [[@LINE+2]], in zeros
def zeros(x: Tensor) -> int:
    return torch.zeros([x.size(0) - 9]).dim()


def expanded(n: int):
    x = torch.zeros([])
    return x.expand(-1, -n), n


# NEGATIVE: error: RuntimeError: The expanded size of the tensor (-2) must match the existing size (1)
def negative_expand(n: int) -> int:
    unused = expanded(n)
    return 5
