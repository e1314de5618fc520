# While a file is loaded, an integer tensor without dimensions indexes as its number does, and only images take a memory format.
# RUN: %all_modes tsc-run %s | FileCheck %s --match-full-lines
import torch
import torch.nn as nn


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.w = nn.Parameter(torch.zeros(3, 2))

    def forward(self, x: torch.Tensor):
        return x @ self.w


net = Net()
x = torch.zeros(3, 2)
for i in torch.arange(3):
    x[i][0] = 5
    x[i, 1] = i
print(x)
y = torch.arange(24.0).reshape(2, 3, 4)
b, m = torch.tensor(1), torch.tensor([0, 2])
print(y[b, :, m].shape, y[..., b].shape, y[b])
net = net.to(memory_format=torch.channels_last)
print(net.w.shape)

# CHECK: tensor({{\[\[}}5., 0.],
# CHECK-NEXT:         [5., 1.],
# CHECK-NEXT:         [5., 2.]])
# CHECK-NEXT: torch.Size([3, 2]) torch.Size([2, 3]) tensor({{\[\[}}12., 13., 14., 15.],
# CHECK-NEXT:         [16., 17., 18., 19.],
# CHECK-NEXT:         [20., 21., 22., 23.]])
# CHECK-NEXT: torch.Size([3, 2])
