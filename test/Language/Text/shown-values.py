# What compiled code has as a number or a list is shown as Python shows it, also where it came through a variable, a function or a
# tuple: dtypes, layouts, memory formats, sizes, strides, and the named results of operators.
# RUN: %all_modes tsc-run %s | FileCheck %s --match-full-lines
import torch
from typing import List, Tuple


def sizes_of(x: torch.Tensor) -> torch.Size:
    return x.shape


def described(x: torch.Tensor):
    return x.dtype, x.shape, x.stride()


class Net:
    def dtype_of(self, x: torch.Tensor) -> torch.dtype:
        return x.dtype

    def show(self, x: torch.Tensor, flag: bool):
        d = torch.float64
        if flag:
            d = x.dtype
        print(d, self.dtype_of(x), (x.dtype, 1, "a"), torch.channels_last, torch.strided)
        t = (x.shape, x.stride(), (x.dtype,))
        print(t, t[2], f"{t[0]} {d}", str(t))
        dtype, shape, stride = described(x)
        print(dtype, shape, stride, described(x))
        return x


def results(x: torch.Tensor):
    print(x.max(1))
    both = torch.sort(x, dim=1)
    print(both, both.values.dtype)
    values, indices = x.min(1)
    print((values, indices))


def main():
    net = Net()
    net.show(torch.ones(2, 3), True)
    net.show(torch.ones(2, 3), False)
    print(sizes_of(torch.ones(4)), sizes_of(torch.ones(4, 5))[1:])
    results(torch.tensor([[3.0, 1.0]]))


if __name__ == "__main__":
    main()

# CHECK: torch.float32 torch.float32 (torch.float32, 1, 'a') torch.channels_last torch.strided
# CHECK-NEXT: (torch.Size([2, 3]), (3, 1), (torch.float32,)) (torch.float32,) torch.Size([2, 3]) torch.float32 (torch.Size([2, 3]), (3, 1), (torch.float32,))
# CHECK-NEXT: torch.float32 torch.Size([2, 3]) (3, 1) (torch.float32, torch.Size([2, 3]), (3, 1))
# CHECK-NEXT: torch.float64 torch.float32 (torch.float32, 1, 'a') torch.channels_last torch.strided
# CHECK-NEXT: (torch.Size([2, 3]), (3, 1), (torch.float32,)) (torch.float32,) torch.Size([2, 3]) torch.float64 (torch.Size([2, 3]), (3, 1), (torch.float32,))
# CHECK-NEXT: torch.float32 torch.Size([2, 3]) (3, 1) (torch.float32, torch.Size([2, 3]), (3, 1))
# CHECK-NEXT: torch.Size([4]) torch.Size([5])
# CHECK-NEXT: torch.return_types.max(
# CHECK-NEXT: values=tensor([3.]),
# CHECK-NEXT: indices=tensor([0]))
# CHECK-NEXT: torch.return_types.sort(
# CHECK-NEXT: values=tensor({{\[\[}}1., 3.]]),
# CHECK-NEXT: indices=tensor({{\[\[}}1, 0]])) torch.float32
# CHECK-NEXT: (tensor([1.]), tensor([1]))
