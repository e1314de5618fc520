# Recorded by utils/record_composite_tests.py with PyTorch's values; do not edit, edit sparse.cases.
#
# RUN: %all_modes tsc-run %s | FileCheck %s
# CHECK-NOT: differs
# CHECK: 44 cases
import torch
from typing import List, Optional
from checks import check
from torch import Tensor


def part0() -> None:
    i = torch.tensor([[0, 2, 1, 0], [1, 0, 3, 1]])
    v = torch.tensor([3., 4., 5., 7.])
    s = torch.sparse_coo_tensor(i, v, [3, 4])
    c = s.coalesce()
    h = torch.sparse_coo_tensor(i, torch.arange(8.).reshape([4, 2]), [3, 4, 2])
    d = torch.sin(torch.arange(20.)).reshape([4, 5])
    e = torch.sin(torch.arange(12.)).reshape([3, 4])
    check("to_dense", s.to_dense(), [3, 4], 19., 8.59053, 11.8743)
    check("indices", c.indices(), [2, 3], 7., -3.24291, 3.87298)
    check("values", c.values(), [3], 19., 11.0369, 11.8743)
    check("_indices", s._indices(), [2, 4], 8., 3.64523, 4.)
    check("_values", s._values(), [4], 19., -3.84947, 9.94987)
    check("to_dense", h.to_dense(), [3, 4, 2], 28., -16.4091, 12.4097)
    check("sparse_coo_tensor", torch.sparse_coo_tensor(i, v).to_dense(), [3, 4], 19., 8.59053, 11.8743)
    check("sparse_coo_tensor", torch.sparse_coo_tensor(i, v, dtype=torch.double).to_dense(), [3, 4], 19., 8.59053, 11.8743)
    check("sparse_coo_tensor", torch.sparse_coo_tensor(size=[2, 3]).to_dense(), [2, 3], 0., 0., 0.)
    check("tensor", torch.tensor([s._nnz(), c._nnz(), s.sparse_dim(), s.dense_dim(), h.dense_dim(), s.dim(), s.size(1), s.numel()]), [8], 28., 17.5898, 13.9284)
    check("tensor", torch.tensor([s.is_coalesced(), c.is_coalesced(), s.is_sparse, e.is_sparse]), [4], 2., 0.124155, 1.41421)
    check("mm", torch.sparse.mm(s, d), [3, 5], 6.74096, -27.3592, 18.4998)
    check("mm", torch.mm(s, d), [3, 5], 6.74096, -27.3592, 18.4998)
    check("matmul", torch.matmul(s, d), [3, 5], 6.74096, -27.3592, 18.4998)
    check("s @ d", s @ d, [3, 5], 6.74096, -27.3592, 18.4998)
    check("mv", torch.mv(s, d[:, 0]), [3], -6.3378, -7.83248, 10.1255)
    check("addmm", torch.addmm(torch.ones([3, 5]), s, d, beta=0.5, alpha=2.0), [3, 5], 20.9819, -53.9808, 37.2318)
    check("addmm", torch.sparse.addmm(torch.ones([3, 5]), s, d, beta=0.5, alpha=2.0), [3, 5], 20.9819, -53.9808, 37.2318)
    check("mm", torch.sparse.mm(s.t(), s).to_dense(), [4, 4], 141., 25.374, 104.312)
    check("mm", torch.sparse.mm(s.transpose(0, 1), e), [4, 4], 11.658, 11.6647, 15.6411)


def part1() -> None:
    i = torch.tensor([[0, 2, 1, 0], [1, 0, 3, 1]])
    v = torch.tensor([3., 4., 5., 7.])
    s = torch.sparse_coo_tensor(i, v, [3, 4])
    c = s.coalesce()
    h = torch.sparse_coo_tensor(i, torch.arange(8.).reshape([4, 2]), [3, 4, 2])
    d = torch.sin(torch.arange(20.)).reshape([4, 5])
    e = torch.sin(torch.arange(12.)).reshape([3, 4])
    check("t", s.t().to_dense(), [4, 3], 19., -15.7599, 11.8743)
    check("transpose", h.transpose(0, 1).to_dense(), [4, 3, 2], 28., 10.2296, 12.4097)
    check("sum", torch.sparse.sum(s), [], 19., 19., 19.)
    check("sum", torch.sparse.sum(s, [0]).to_dense(), [4], 19., 4.45306, 11.8743)
    check("sum", torch.sparse.sum(h, [1]).to_dense(), [3, 2], 28., 3.25157, 12.4097)
    check("sum", torch.sparse.sum(h, [2]).to_dense(), [3, 4], 28., 13.6219, 17.3781)
    check("sum", torch.sparse.sum(h, [0, 1]), [2], 28., 20.6448, 20.)
    check("softmax", torch.sparse.softmax(s, 1).to_dense(), [3, 4], 3., 1.1487, 1.73205)
    check("log_softmax", torch.sparse.log_softmax(s, 0).coalesce().values(), [3], 0., 0., 0.)
    check("to_sparse", e.to_sparse().to_dense(), [3, 4], 0.411198, 0.318827, 2.44978)
    check("", (e * (e > 0.5)).to_sparse().indices(), [2, 4], 9., 0.39806, 4.3589)
    check("sin", torch.sin(torch.arange(12.)).reshape([2, 3, 2]).to_sparse(2).values(), [6, 2], 0.411198, 0.318827, 2.44978)
    check("sparse_mask", e.sparse_mask(c).to_dense(), [3, 4], 2.48782, 0.806001, 1.45552)
    check("", (s + s).to_dense(), [3, 4], 38., 17.1811, 23.7487)
    check("", (s - 2 * c).to_dense(), [3, 4], -19., -8.59053, 11.8743)
    check("", (e + s), [3, 4], 19.4112, 8.90936, 13.3535)
    check("", (s * 2.5).to_dense(), [3, 4], 47.5, 21.4763, 29.6859)
    check("", (s / 2).to_dense(), [3, 4], 9.5, 4.29527, 5.93717)
    check("", (s * s).to_dense(), [3, 4], 141., 70.5498, 104.312)
    check("neg", torch.neg(s).to_dense(), [3, 4], -19., -8.59053, 11.8743)


def part2() -> None:
    i = torch.tensor([[0, 2, 1, 0], [1, 0, 3, 1]])
    v = torch.tensor([3., 4., 5., 7.])
    s = torch.sparse_coo_tensor(i, v, [3, 4])
    c = s.coalesce()
    h = torch.sparse_coo_tensor(i, torch.arange(8.).reshape([4, 2]), [3, 4, 2])
    d = torch.sin(torch.arange(20.)).reshape([4, 5])
    e = torch.sin(torch.arange(12.)).reshape([3, 4])
    check("sqrt", torch.sqrt(c).to_dense(), [3, 4], 7.39835, 3.10336, 4.3589)
    check("clone", s.clone().to_dense(), [3, 4], 19., 8.59053, 11.8743)
    check("double", s.double().to_dense(), [3, 4], 19., 8.59053, 11.8743)
    check("_sparse_coo_tensor_unsafe", torch._sparse_coo_tensor_unsafe(i, v, [3, 4]).to_dense(), [3, 4], 19., 8.59053, 11.8743)


def main():
    part0()
    part1()
    part2()
    print(44, "cases")
