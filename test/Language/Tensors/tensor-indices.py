# An integer tensor without dimensions indexes as its number does: what it selects is a view, and it has no say in where the
# dimensions of other indices go. Tensors stand behind an ellipsis, and an assignment ignores dimensions of size 1 that the
# new values have in front. PyTorch says what comes out.
# RUN: %all_modes tsc-run %s | FileCheck %s --match-full-lines
import torch
from typing import List


def views():
    x = torch.zeros(3, 2)
    for i in torch.arange(3):
        x[i][0] = 5
    print(x)
    y = x[torch.tensor(1)]
    y += 1
    print(x)
    t = torch.tensor(2)
    x[t] = torch.ones(1, 1, 2)
    x[t, 0] = -7
    x[0, t - 1] += 3
    print(x)


def orders():
    x = torch.arange(24.0).reshape(2, 3, 4)
    b = torch.tensor(1)
    m = torch.tensor([0, 2])
    k = torch.tensor([True, False, True, True])
    print(x[b, :, m], x[b, :, m].shape)
    print(x[b, 1:, k].shape, x[b, None, :, m].shape, x[b, m].shape, x[m[0], :, b, None].shape)
    print(x[..., m].shape, x[..., b].shape, x[..., m, :].shape, x[b, ..., m].shape, x[..., m, 0].shape, x[..., m[:, None], m].shape)
    print(x[..., k].shape, x[..., x[0] > 2].shape, x[..., None, m].shape, x[m > 0, ..., k][0])
    q = x[b, torch.tensor(0), torch.tensor(3)]
    q.fill_(100.0)
    print(x[1, 0])


def writes():
    x = torch.zeros(2, 3, 4)
    b = torch.tensor(1)
    m = torch.tensor([0, 2])
    x[b, :, m] = torch.arange(6.0).reshape(1, 1, 3, 2)
    print(x)
    x[..., m] = torch.ones(1, 2)
    x[..., m, 0] += 2
    x[m[:1]] = torch.full((1, 1, 1, 4), 9.0)
    x[..., b] = torch.tensor([[[1.0, 2.0, 3.0]]])
    print(x)
    x[x > 5] = torch.ones(1, 1)
    x[:, 0] = torch.full((1, 1, 2, 4), 4.0)
    print(x)


def of_dtypes():
    x = torch.arange(6).reshape(2, 3)
    for dtype in [torch.int32, torch.int16, torch.int8, torch.int64]:
        print(x[torch.tensor(1, dtype=dtype)])
    print(x[torch.tensor(True)].shape, x[torch.tensor(False)].shape)


def main():
    views()
    orders()
    writes()
    of_dtypes()


if __name__ == "__main__":
    main()

# CHECK: tensor({{\[\[}}5., 0.],
# CHECK-NEXT:         [5., 0.],
# CHECK-NEXT:         [5., 0.]])
# CHECK-NEXT: tensor({{\[\[}}5., 0.],
# CHECK-NEXT:         [6., 1.],
# CHECK-NEXT:         [5., 0.]])
# CHECK-NEXT: tensor({{\[\[}} 5.,  3.],
# CHECK-NEXT:         [ 6.,  1.],
# CHECK-NEXT:         [-7.,  1.]])
# CHECK-NEXT: tensor({{\[\[}}12., 14.],
# CHECK-NEXT:         [16., 18.],
# CHECK-NEXT:         [20., 22.]]) torch.Size([3, 2])
# CHECK-NEXT: torch.Size([2, 3]) torch.Size([1, 3, 2]) torch.Size([2, 4]) torch.Size([3, 1])
# CHECK-NEXT: torch.Size([2, 3, 2]) torch.Size([2, 3]) torch.Size([2, 2, 4]) torch.Size([3, 2]) torch.Size([2, 2]) torch.Size([2, 2, 2])
# CHECK-NEXT: torch.Size([2, 3, 3]) torch.Size([2, 9]) torch.Size([2, 3, 1, 2]) tensor([12., 16., 20.])
# CHECK-NEXT: tensor([ 12.,  13.,  14., 100.])
# CHECK-NEXT: tensor({{\[\[\[}}0., 0., 0., 0.],
# CHECK-NEXT:          [0., 0., 0., 0.],
# CHECK-NEXT:          [0., 0., 0., 0.]],
# CHECK-EMPTY:
# CHECK-NEXT:         {{\[\[}}0., 0., 1., 0.],
# CHECK-NEXT:          [2., 0., 3., 0.],
# CHECK-NEXT:          [4., 0., 5., 0.]]])
# CHECK-NEXT: tensor({{\[\[\[}}9., 1., 9., 9.],
# CHECK-NEXT:          [9., 2., 9., 9.],
# CHECK-NEXT:          [9., 3., 9., 9.]],
# CHECK-EMPTY:
# CHECK-NEXT:         {{\[\[}}3., 1., 1., 0.],
# CHECK-NEXT:          [1., 2., 1., 0.],
# CHECK-NEXT:          [3., 3., 1., 0.]]])
# CHECK-NEXT: tensor({{\[\[\[}}4., 4., 4., 4.],
# CHECK-NEXT:          [1., 2., 1., 1.],
# CHECK-NEXT:          [1., 3., 1., 1.]],
# CHECK-EMPTY:
# CHECK-NEXT:         {{\[\[}}4., 4., 4., 4.],
# CHECK-NEXT:          [1., 2., 1., 0.],
# CHECK-NEXT:          [3., 3., 1., 0.]]])
# CHECK-NEXT: tensor([3, 4, 5])
# CHECK-NEXT: tensor([3, 4, 5])
# CHECK-NEXT: tensor([3, 4, 5])
# CHECK-NEXT: tensor([3, 4, 5])
# CHECK-NEXT: torch.Size([1, 2, 3]) torch.Size([0, 2, 3])
