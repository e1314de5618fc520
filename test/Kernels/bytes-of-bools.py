# Kernels take a bool's byte to be 0 or 1. No program and no file gives them another: of memory that was used before, of
# a view of numbers, or of a storage's bytes.
import torch
from typing import List

# RUN: tsc-run %s --entry made | FileCheck --check-prefix=MADE %s
# RUN: tsc-run -O0 %s --entry made | FileCheck --check-prefix=MADE %s
# MADE: [0, 0, 0, 0, 0, 0, 0, 1000]
def dirty():
    # Leaves blocks of the sizes below to the allocator, with no byte of them 0 or 1.
    blocks = [torch.full([1000], 255, dtype=torch.uint8) for i in range(8)]
    blocks += [torch.full([2000], 255, dtype=torch.uint8) for i in range(8)]
    assert len(blocks) == 16


def made():
    dirty()
    a = torch.empty([1000], dtype=torch.bool)
    b = torch.empty_like(torch.ones([1000]), dtype=torch.bool)
    c = torch.ones([1]).new_empty([1000], dtype=torch.bool)
    d = torch.empty_strided([500], [2], dtype=torch.bool)
    e = torch.empty([1, 10, 10, 10], dtype=torch.bool, memory_format=torch.channels_last)
    f = torch.zeros([1], dtype=torch.bool).resize_([2000])
    g = torch.zeros([1], dtype=torch.bool)
    g.resize_([1, 10, 10, 10], memory_format=torch.channels_last)
    kept = torch.ones([1000], dtype=torch.bool).resize_([2000])
    masks = [a, b, c, d.as_strided([999], [1]), e, f, g, kept]
    return [torch.nonzero(m).size(0) for m in masks]


# RUN: %exits 1 tsc-run %s --entry as_bools 2>&1 | FileCheck --check-prefix=AS-BOOLS %s
# AS-BOOLS: a view of Byte as Bool is not supported: x != 0 gives a tensor of bools
def as_bools():
    return torch.nonzero(torch.full([1000], 255, dtype=torch.uint8).view(torch.bool))


# RUN: %exits 1 tsc-run %s --entry wide_as_bools 2>&1 | FileCheck --check-prefix=WIDE %s
# WIDE: a view of Float as Bool is not supported: x != 0 gives a tensor of bools
def wide_as_bools():
    return torch.ones([4]).view(torch.bool)


# RUN: %exits 1 tsc-run %s --entry as_bytes 2>&1 | FileCheck --check-prefix=AS-BYTES %s
# AS-BYTES: a view of Bool as Byte is not supported: x.to(dtype) gives a tensor of that dtype
def as_bytes():
    bools = torch.ones([4], dtype=torch.bool)
    bools.view(torch.uint8).fill_(255)
    return torch.nonzero(bools)


# Of the 2560 bytes in a file, 10 are 0. A bool in a storage that numbers have as well has a copy of its own.
# RUN: %python %S/Inputs/write_bools.py typed %t.typed.pt
# RUN: tsc-run %s --entry read --inputs %t.typed.pt | FileCheck --check-prefix=READ %s
# RUN: %python %S/Inputs/write_bools.py untyped %t.untyped.pt
# RUN: tsc-run %s --entry read --inputs %t.untyped.pt | FileCheck --check-prefix=READ %s
# RUN: %python %S/Inputs/write_bools.py legacy %t.legacy.pt
# RUN: tsc-run %s --entry read --inputs %t.legacy.pt | FileCheck --check-prefix=READ %s
# READ: (2550, tensor(2550), [2550], tensor(9), tensor(10), tensor([  10, 2550]))
def read(x: torch.Tensor):
    ordered = torch.sort(x)[0]
    counts = torch.unique(x, return_counts=True)[1]
    return torch.nonzero(x).size(0), x.sum(), torch.ones([2560])[x].shape, torch.nonzero(~ordered).max(), \
        torch.nonzero(ordered).min(), counts


# RUN: %python %S/Inputs/write_bools.py shared %t.shared.pt
# RUN: tsc-run %s --entry shared --inputs %t.shared.pt | FileCheck --check-prefix=SHARED %s
# RUN: %python %S/Inputs/write_bools.py shared-untyped %t.shared-untyped.pt
# RUN: tsc-run %s --entry shared --inputs %t.shared-untyped.pt | FileCheck --check-prefix=SHARED %s
# SHARED: (tensor(255, dtype=torch.uint8), 2550, [2550])
def shared(x: torch.Tensor, numbers: torch.Tensor):
    most = numbers.max()
    numbers.fill_(255)
    return most, torch.nonzero(x).size(0), torch.ones([2560])[x].shape


# RUN: %python %S/Inputs/write_bools.py both %t.both.pt
# RUN: %exits 2 tsc-run %s --entry shared --inputs %t.both.pt 2>&1 | FileCheck --check-prefix=BOTH %s
# BOTH: storage '0' is shared by bools and by numbers


# A matrix without elements has no diagonal, and one that says of many rows that they are the same ends at --max-steps.
# RUN: tsc-run %s --entry no_diagonal | FileCheck --check-prefix=NO-DIAGONAL %s
# NO-DIAGONAL: [268435456, 0]
def no_diagonal():
    return torch.zeros([268435456, 0]).fill_diagonal_(1, True).shape


# RUN: %exits 1 tsc-run --max-steps 100000 %s --entry long_diagonal 2>&1 | FileCheck --check-prefix=LONG-DIAGONAL %s
# LONG-DIAGONAL: error: {{.*}}(--max-steps)
def long_diagonal():
    return torch.zeros([1, 1]).expand([1099511627776, 1]).fill_diagonal_(1, True).shape


# RUN: tsc-run %s --entry tall_diagonal | FileCheck --check-prefix=TALL-DIAGONAL %s
# TALL-DIAGONAL: [0, 3, 6, 9, 12, 15]
def tall_diagonal():
    found = torch.nonzero(torch.zeros([9, 2]).fill_diagonal_(1, True).reshape([-1])).squeeze(1)
    return [int(i) for i in found]


# A nested tensor has memory of its own.
# RUN: tsc-run %s --entry nested | FileCheck --check-prefix=NESTED %s
# NESTED: tensor({{\[\[\[}}1., 1.],
def nested():
    a = torch.ones([1, 2, 2])
    t = torch._nested_tensor_from_mask(a, torch.ones([1, 2], dtype=torch.bool))
    a.fill_(9)
    return torch.nested_to_padded_tensor(t, 0.0)


# RUN: %exits 1 tsc-run %s --entry conjugate_view 2>&1 | FileCheck --check-prefix=CONJUGATE %s
# CONJUGATE: torch.Tensor.view is not supported for conjugate view tensors when converting to a different dtype.
def conjugate_view():
    return torch.tensor([1 + 2j, 3 + 4j], dtype=torch.cfloat).conj().view(torch.double)


# RUN: %exits 1 tsc-run %s --entry negative_view 2>&1 | FileCheck --check-prefix=NEGATIVE %s
# NEGATIVE: torch.Tensor.view is not supported for tensors with negative bit set when converting to a different dtype.
def negative_view():
    return torch._neg_view(torch.ones([2])).view(torch.int)


# RUN: %exits 1 tsc-run %s --entry many_parts 2>&1 | FileCheck --check-prefix=MANY-PARTS %s
# MANY-PARTS: only tensors with up to 64 dims are supported
def many_parts():
    return torch.view_as_real(torch.ones([1 for i in range(64)], dtype=torch.cfloat)).dim()


# RUN: tsc-run %s --entry rolled | FileCheck --check-prefix=ROLLED %s
# ROLLED: (tensor([2, 0, 1]), tensor([2, 0, 1]), tensor([1, 2, 0]), tensor([0, 1, 2]))
def rolled():
    x = torch.arange(3)
    return torch.roll(x, -9223372036854775808), torch.roll(x, 1), torch.roll(x, -4), torch.roll(x, -3)


# RUN: %exits 1 tsc-run %s --entry rotated 2>&1 | FileCheck --check-prefix=ROTATED %s
# ROTATED: Rotation dim0 out of range, dim0 = -9223372036854775808
def rotated():
    return torch.rot90(torch.zeros([2, 2]), 1, [-9223372036854775808, 9223372036854775806])
