# What a program does to its own handles of a sparse tensor's parts leaves the tensor as it was, refusals say which number
# is too large, and values that compare with nothing, or lie far apart, have their answers soon.
# RUN: tsc-run %s | FileCheck %s
# RUN: not tsc-run %S/Inputs/out_of_bounds.py --entry windows_of_huge_kernels 2>&1 | FileCheck %s --check-prefix=KERNEL
# KERNEL: im2col and col2im: the kernel size is at most 1073741824 in a dimension, but got 4611686018427387905
# RUN: not tsc-run %S/Inputs/out_of_bounds.py --entry sparse_indices_changed_by_their_handle 2>&1 | FileCheck %s --check-prefix=INDEX
# INDEX: index -1000000000 of a sparse tensor is out of bounds for dimension 0 with size 2
# RUN: not tsc-run %S/Inputs/out_of_bounds.py --entry sparse_made_dense_changed 2>&1 | FileCheck %s --check-prefix=DENSE
# DENSE: index 9223372036854775807 of a sparse tensor is out of bounds for dimension 0 with size 2
# RUN: not tsc-run %S/Inputs/out_of_bounds.py --entry histogram_of_many_columns 2>&1 | FileCheck %s --check-prefix=COLUMNS
# COLUMNS: only tensors with up to 64 dims are supported
# RUN: not tsc-run %S/Inputs/out_of_bounds.py --entry quantiles_of_long_rows 2>&1 | FileCheck %s --check-prefix=LONG
# LONG: quantile() input tensor is too large
# RUN: not tsc-run %S/Inputs/out_of_bounds.py --entry counts_that_are_complex 2>&1 | FileCheck %s --check-prefix=COUNTS
# COUNTS: cov(): expected fweights to have integral dtype but got fweights with ComplexFloat dtype
# RUN: not tsc-run %S/Inputs/out_of_bounds.py --entry weights_that_are_complex 2>&1 | FileCheck %s --check-prefix=WEIGHTS
# WEIGHTS: cov(): expected aweights to have floating point dtype but got aweights with ComplexFloat dtype

# A small file whose indices and starts of rows are one number, over and over.
# RUN: %python -c "import sys; sys.path.insert(0, sys.argv[1]); from write_archive import *; \
# RUN:   R = type('R', (Tensor,), {'__reduce__': lambda t: (rebuild, (Storage(t.values, t.dtype), 0, t.size, (0,) * len(t.size), False, {}))}); \
# RUN:   places = Sparse(1, (2, 3), R(0, size=(2, 1 << 28), dtype='Long'), R(1.0, size=(1 << 28,))); \
# RUN:   rows = Sparse(2, (1 << 40, 3), R(0, size=((1 << 40) + 1,), dtype='Long'), Tensor(dtype='Long'), Tensor()); \
# RUN:   write(sys.argv[2], TWO_WEIGHTS, {'training': False, 'w': places, 'u': CSR}); \
# RUN:   write(sys.argv[3], TWO_WEIGHTS, {'training': False, 'w': COO, 'u': rows})" %S/../Serialization/Inputs %t.places.pt %t.rows.pt
# RUN: not tsc-run %t.places.pt 2>&1 | FileCheck %s --check-prefix=FILE
# RUN: not tsc-run %t.rows.pt 2>&1 | FileCheck %s --check-prefix=FILE
# FILE: a sparse tensor whose indices do not fill their storage
import torch


def values_given_away():
    values = torch.ones([400000])
    x = torch.sparse_coo_tensor(torch.zeros([2, 400000], dtype=torch.int64), values, [2, 2])
    values.set_()
    values.resize_([1])
    return torch.mm(x, torch.ones([2, 2]))


def values_given_back():
    x = torch.sparse_coo_tensor(torch.arange(3).unsqueeze(0), torch.ones([3]), [3]).coalesce()
    x._values().set_()
    x.values().resize_([9])
    x.indices().set_()
    x._indices().t_()
    return torch.sparse.softmax(x, 0).to_dense()


def rows_given_away():
    values = torch.ones([2])
    x = torch.sparse_csr_tensor(torch.tensor([0, 1, 2]), torch.tensor([0, 1]), values, [2, 2])
    values.set_()
    x.values().set_()
    return torch.mm(x, torch.ones([2, 2]))


def main() -> None:
    print("values:", values_given_away().tolist())  # CHECK: values: {{\[\[}}400000.0, 400000.0], [0.0, 0.0]]
    print("softmax:", values_given_back().tolist())  # CHECK: softmax: [0.333{{.*}}, 0.333{{.*}}, 0.333{{.*}}]
    print("rows:", rows_given_away().tolist())  # CHECK: rows: {{\[\[}}1.0, 1.0], [1.0, 1.0]]
    # What is written to the elements themselves is seen: the memory is shared.
    values = torch.ones([1])
    x = torch.sparse_coo_tensor(torch.tensor([[1]]), values, [2])
    values.fill_(5.0)
    print("shared:", x.to_dense().tolist())  # CHECK: shared: [0.0, 5.0]

    # NaN equals none, and many of them take no longer than other values; nor do numbers a multiple of each other.
    nan = torch.full([4000000], float("nan"))
    nan[7] = 2.0
    print("nan:", torch.isin(torch.tensor([1.0, 2.0, float("nan")]), nan).tolist())  # CHECK: nan: [False, True, False]
    print("zero:", torch.isin(torch.tensor([-0.0]), torch.arange(100.0)).tolist())  # CHECK: zero: [True]
    some = torch.arange(100) * 3
    print("odd:", torch.isin(torch.tensor([3, 4, 297, 300]), some, invert=True).tolist())  # CHECK: odd: [False, True, False, True]

    far = torch.histogram(torch.ones([3], dtype=torch.float64), 4, range=[-1.7e308, 1.7e308])[0]
    print("far:", far.shape)  # CHECK: far: torch.Size([4])
    print("quantile:", torch.quantile(torch.arange(5.0), torch.tensor([0.0, 0.5, 1.0])).tolist())  # CHECK: quantile: [0.0, 2.0, 4.0]
    print("gradient:", torch.gradient(torch.ones([1]).expand([3]))[0].tolist())  # CHECK: gradient: [0.0, 0.0, 0.0]
