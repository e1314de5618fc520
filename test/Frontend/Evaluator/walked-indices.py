# RUN: tsc-run %s | FileCheck %s --match-full-lines --strict-whitespace
#
# Indices of tensors at top level: what they give, and what PyTorch raises. All are evaluated and counted before one is applied.
import torch
import torch.nn as nn
class I(nn.Module):
    def forward(self, x):
        return x
def t(f):
    try:
        print(f())
    except Exception as e:
        print(type(e).__name__, e)
x = torch.arange(24.).reshape(2, 3, 4)
m = x[0] > 5
t(lambda: x[..., m[0]])
t(lambda: x[0, ..., torch.tensor([1, 2])])
t(lambda: x[0, m])
t(lambda: x[..., m])
t(lambda: x[:, m[:, 0], None])
t(lambda: x[None, ..., 0])
t(lambda: x[..., None])
t(lambda: x[m])
t(lambda: x[..., 0, 0, 0, 0])
t(lambda: x[0, 0, 0, 0])
t(lambda: x[::0])
t(lambda: x[::-1])
t(lambda: x[:, 5])
t(lambda: x[0, :, 1:3][:, [1, 0]])
t(lambda: x[torch.tensor(1)])
t(lambda: x[torch.tensor(1), 1:, ..., -1])
t(lambda: x[(x > 3) & (x < 9)])
t(lambda: x[..., (x > 3) & (x < 9)])
t(lambda: x[[0, 1], [1, 2]])
t(lambda: x[1.5])
t(lambda: torch.tensor(3.)[0])
t(lambda: torch.tensor(3.)[...])
t(lambda: torch.tensor(3.)[None])
y = x.clone()
y[..., m[0]] = 0
y[0, m] = -1
y[:, None, 0] = 7
print(y)
#      CHECK:tensor([], size=(2, 3, 0))
# CHECK-NEXT:tensor({{\[\[}} 1.,  2.],
# CHECK-NEXT:        [ 5.,  6.],
# CHECK-NEXT:        [ 9., 10.]])
# CHECK-NEXT:tensor([ 6.,  7.,  8.,  9., 10., 11.])
# CHECK-NEXT:tensor({{\[\[}} 6.,  7.,  8.,  9., 10., 11.],
# CHECK-NEXT:        [18., 19., 20., 21., 22., 23.]])
# CHECK-NEXT:tensor({{\[\[\[}}[ 8.,  9., 10., 11.]]],
# CHECK-EMPTY:
# CHECK-EMPTY:
# CHECK-NEXT:        {{\[\[\[}}20., 21., 22., 23.]]]])
# CHECK-NEXT:tensor({{\[\[\[}} 0.,  4.,  8.],
# CHECK-NEXT:         [12., 16., 20.]]])
# CHECK-NEXT:tensor({{\[\[\[}}[ 0.],
# CHECK-NEXT:          [ 1.],
# CHECK-NEXT:          [ 2.],
# CHECK-NEXT:          [ 3.]],
# CHECK-EMPTY:
# CHECK-NEXT:         {{\[\[}} 4.],
# CHECK-NEXT:          [ 5.],
# CHECK-NEXT:          [ 6.],
# CHECK-NEXT:          [ 7.]],
# CHECK-EMPTY:
# CHECK-NEXT:         {{\[\[}} 8.],
# CHECK-NEXT:          [ 9.],
# CHECK-NEXT:          [10.],
# CHECK-NEXT:          [11.]]],
# CHECK-EMPTY:
# CHECK-EMPTY:
# CHECK-NEXT:        {{\[\[\[}}12.],
# CHECK-NEXT:          [13.],
# CHECK-NEXT:          [14.],
# CHECK-NEXT:          [15.]],
# CHECK-EMPTY:
# CHECK-NEXT:         {{\[\[}}16.],
# CHECK-NEXT:          [17.],
# CHECK-NEXT:          [18.],
# CHECK-NEXT:          [19.]],
# CHECK-EMPTY:
# CHECK-NEXT:         {{\[\[}}20.],
# CHECK-NEXT:          [21.],
# CHECK-NEXT:          [22.],
# CHECK-NEXT:          [23.]]]])
# CHECK-NEXT:IndexError The shape of the mask [3, 4] at index 0 does not match the shape of the indexed tensor [2, 3, 4] at index 0
# CHECK-NEXT:IndexError too many indices for tensor of dimension 3
# CHECK-NEXT:IndexError too many indices for tensor of dimension 3
# CHECK-NEXT:ValueError slice step cannot be zero
# CHECK-NEXT:ValueError step must be greater than zero
# CHECK-NEXT:IndexError index 5 is out of bounds for dimension 1 with size 3
# CHECK-NEXT:tensor({{\[\[}} 2.,  1.],
# CHECK-NEXT:        [ 6.,  5.],
# CHECK-NEXT:        [10.,  9.]])
# CHECK-NEXT:tensor({{\[\[}}12., 13., 14., 15.],
# CHECK-NEXT:        [16., 17., 18., 19.],
# CHECK-NEXT:        [20., 21., 22., 23.]])
# CHECK-NEXT:tensor([19., 23.])
# CHECK-NEXT:tensor([4., 5., 6., 7., 8.])
# CHECK-NEXT:tensor([4., 5., 6., 7., 8.])
# CHECK-NEXT:tensor({{\[\[}} 4.,  5.,  6.,  7.],
# CHECK-NEXT:        [20., 21., 22., 23.]])
# CHECK-NEXT:IndexError only integers, slices (`:`), ellipsis (`...`), None and long or byte Variables are valid indices (got float)
# CHECK-NEXT:IndexError invalid index of a 0-dim tensor. Use `tensor.item()` in Python or `tensor.item<T>()` in C++ to convert a 0-dim tensor to a number
# CHECK-NEXT:tensor(3.)
# CHECK-NEXT:tensor([3.])
# CHECK-NEXT:tensor({{\[\[\[}} 7.,  7.,  7.,  7.],
# CHECK-NEXT:         [ 4.,  5., -1., -1.],
# CHECK-NEXT:         [-1., -1., -1., -1.]],
# CHECK-EMPTY:
# CHECK-NEXT:        {{\[\[}} 7.,  7.,  7.,  7.],
# CHECK-NEXT:         [16., 17., 18., 19.],
# CHECK-NEXT:         [20., 21., 22., 23.]]])
