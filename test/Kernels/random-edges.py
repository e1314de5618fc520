# What PyTorch refuses of random numbers, in its words, and what it computes: its numbers for a seed.
# RUN: %exits 1 tsc-run %s --entry transposed 2>&1 | FileCheck --check-prefix=SHARED %s
# RUN: %exits 1 tsc-run %s --entry shifted 2>&1 | FileCheck --check-prefix=SHARED %s
# SHARED: RuntimeError: unsupported operation: some elements of the input tensor and the written-to tensor refer to a single memory location. Please clone() the tensor before performing the operation.
# RUN: %exits 1 tsc-run %s --entry bytes 2>&1 | FileCheck --check-prefix=BYTES %s
# RUN: %exits 1 tsc-run %s --entry out 2>&1 | FileCheck --check-prefix=BYTES %s
# BYTES: RuntimeError: value cannot be converted to type uint8_t without overflow
# RUN: %exits 1 tsc-run %s --entry signed 2>&1 | FileCheck --check-prefix=SIGNED %s
# SIGNED: RuntimeError: value cannot be converted to type int8_t without overflow
# RUN: %exits 1 tsc-run %s --entry halves 2>&1 | FileCheck --check-prefix=HALVES %s
# HALVES: RuntimeError: n cannot be greater than 2049 for Half type.
# RUN: %exits 1 tsc-run %s --entry floats 2>&1 | FileCheck --check-prefix=FLOATS %s
# FLOATS: RuntimeError: n cannot be greater than 2^24+1 for Float type.
# RUN: %exits 1 tsc-run %s --entry bools 2>&1 | FileCheck --check-prefix=BOOLS %s
# BOOLS: RuntimeError: "randperm" not implemented for 'Bool'
# RUN: %exits 1 tsc-run %s --entry complexes 2>&1 | FileCheck --check-prefix=COMPLEX %s
# COMPLEX: RuntimeError: "randperm" not implemented for 'ComplexFloat'
# RUN: %exits 1 tsc-run %s --entry categories 2>&1 | FileCheck --check-prefix=CATEGORIES %s
# CATEGORIES: RuntimeError: number of categories cannot exceed 2^24
# RUN: tsc-run %s --entry fine | FileCheck %s


def transposed():
    x = torch.rand([3, 3])
    return x.bernoulli_(x.t())


def shifted():
    x = torch.rand([9])
    return x[1:].bernoulli_(x[:-1])


def bytes():
    return torch.randperm(257, dtype=torch.uint8)


def out():
    return torch.randperm(300, out=torch.empty([300], dtype=torch.uint8))


def signed():
    return torch.randperm(129, dtype=torch.int8)


def halves():
    return torch.randperm(2050, dtype=torch.half)


def floats():
    return torch.randperm(16777218, dtype=torch.float)


def bools():
    return torch.randperm(2, dtype=torch.bool)


def complexes():
    return torch.randperm(2, dtype=torch.complex64)


def categories():
    return torch.multinomial(torch.ones([1]).expand([16777217]), 1)


def fine() -> None:
    torch.manual_seed(0)
    # A sample without replacement is in the order in which it was drawn.
    print(torch.multinomial(torch.arange(1.0, 11.0), 6))  # CHECK: tensor([6, 9, 7, 8, 2, 4])
    print(torch.multinomial(torch.arange(1.0, 11.0), 10))  # CHECK-NEXT: tensor([7, 6, 5, 1, 8, 4, 2, 9, 3, 0])
    print(torch.multinomial(torch.arange(1.0, 11.0), 6, True))  # CHECK-NEXT: tensor([4, 8, 3, 7, 4, 7])
    # CHECK-NEXT: tensor({{\[}}[3, 4, 2],
    # CHECK-NEXT:         [2, 1, 3]])
    print(torch.multinomial(torch.arange(1.0, 11.0).view(2, 5), 3))
    # CHECK-NEXT: tensor([1827, 2744, 2411, 1479, 2816, 2735, 2520, 1299])
    print(torch.multinomial(torch.arange(1.0, 3001.0), 2000)[:8])

    # Rows are sorted, and equal ones keep their order.
    x = torch.tensor([[2, 1], [0, 5], [2, 1], [0, 4], [0, 5]])
    values, inverse, counts = torch.unique(x, dim=0, return_inverse=True, return_counts=True)
    print(values.flatten(), inverse, counts)  # CHECK-NEXT: tensor([0, 4, 0, 5, 2, 1]) tensor([2, 1, 2, 0, 1]) tensor([1, 2, 2])
    y = torch.tensor([[1, 1], [1, 1], [0, 2], [1, 1]])
    values, inverse, counts = torch.unique_consecutive(y, dim=0, return_inverse=True, return_counts=True)
    print(values.flatten(), inverse, counts)  # CHECK-NEXT: tensor([1, 1, 0, 2, 1, 1]) tensor([0, 0, 1, 2]) tensor([2, 1, 1])

    # A tensor may be its own chances, and a row of it those of all rows.
    torch.manual_seed(0)
    z = torch.rand([3, 3])
    print(z.bernoulli_(z[0]).flatten())  # CHECK-NEXT: tensor([0., 1., 0., 0., 1., 0., 0., 1., 0.])
    z = torch.rand([3, 3])
    print(z.bernoulli_(z).flatten())  # CHECK-NEXT: tensor([1., 1., 1., 1., 0., 1., 1., 1., 1.])

    # The least dtypes that hold a permutation.
    # CHECK-NEXT: 255 127 2048
    print(int(torch.randperm(256, dtype=torch.uint8).max()), int(torch.randperm(128, dtype=torch.int8).max()),
          int(torch.randperm(2049, dtype=torch.half).max()))

    # What is written to a conjugated view of complex numbers of halves is conjugated in memory, and what is read, too.
    h = torch.zeros([2], dtype=torch.complex32)
    c = torch.tensor([1 + 2j, 3 - 4j])
    h.conj().copy_(c)
    print(torch.view_as_real(h).flatten())  # CHECK-NEXT: tensor([ 1., -2.,  3.,  4.], dtype=torch.float16)
    # CHECK-NEXT: tensor([ 1.,  2.,  3., -4.], dtype=torch.float16)
    print(torch.view_as_real(h.conj().resolve_conj()).flatten())
    h = torch.zeros([2], dtype=torch.complex32)
    h.conj().copy_(c.to(torch.complex32))
    print(torch.view_as_real(h).flatten())  # CHECK-NEXT: tensor([ 1., -2.,  3.,  4.], dtype=torch.float16)
    n = torch._neg_view(h).resolve_neg()
    print(torch.view_as_real(n).flatten())  # CHECK-NEXT: tensor([-1.,  2., -3., -4.], dtype=torch.float16)
