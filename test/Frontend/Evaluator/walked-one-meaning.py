# What walked code did otherwise than Python: a dtype to view with, results that are asked for, negative zeros, a list of
# nothing.
# RUN: tsc-run %s | FileCheck %s
import torch


class Held(torch.nn.Module):
    def forward(self, x):
        return x


held = Held()
t = torch.tensor([1.5, 1.5, 2.5])
# CHECK: tensor([1069547520, 1069547520, 1075838976], dtype=torch.int32)
print(t.view(torch.int32))
# CHECK-NEXT: tensor([1.5000, 2.5000])
print(t.unique_consecutive())
# CHECK-NEXT: (tensor([1.5000, 2.5000]), tensor([2, 1]))
print(t.unique(return_counts=True))
# CHECK-NEXT: (-0+0j) (1-0j)
print(complex(-0.0), complex(1, -0.0))
# CHECK-NEXT: torch.float32 torch.float32 torch.int64 torch.Size([2, 0])
print(torch.tensor([]).dtype, torch.as_tensor([[]]).dtype, torch.tensor([], dtype=torch.int64).dtype, torch.tensor([[], []]).shape)
