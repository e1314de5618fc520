# A plan of a module that convolves images knows the module's flags and the types of its weights, so that convolutions
# become chains without freezing. Every call gives the same bits; weights that are written, a module that trains, and
# gradients are seen.
# RUN: tsc-run %s | FileCheck %s
# RUN: tsc-run %s --compile eager | FileCheck %s
# RUN: tsc-run %s --executor interp | FileCheck %s
# RUN: tsc-run %s --entry model --args 'torch.ones(1, 3, 40, 40)' --compile eager --print-ir optimized 2>&1 | FileCheck --check-prefixes=CODE,MARK --implicit-check-not=aten::batch_norm --implicit-check-not=aten::relu %s

# CODE: tsc::blocked_conv2d
# CODE-NOT: tsc::from_blocked
# CODE: tsc::blocked_conv2d
# MARK: requires_grad=True
import torch
from torch import Tensor, nn


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.first = nn.Conv2d(3, 24, 3, padding=1)
        self.norm = nn.BatchNorm2d(24)
        self.second = nn.Conv2d(24, 24, 3, padding=1, bias=False)

    def forward(self, x: Tensor) -> Tensor:
        y = torch.relu(self.norm(self.first(x)))
        return torch.relu(self.second(y) + y)


model = Net().eval()


def main():
    torch.manual_seed(0)
    x = torch.randn(1, 3, 40, 40)
    once = model(x)
    for i in range(4):
        y = model(x)
        # CHECK-COUNT-4: True True
        print(bool((y == once).all()), y.requires_grad)
    with torch.no_grad():
        # CHECK: False
        print(model(x).requires_grad)
        model.second.weight.zero_()
    # CHECK: True
    print(bool((model(x) == torch.relu(model.norm(model.first(x)))).all()))
    model(x).sum().backward()
    # CHECK: torch.Size([24, 3, 3, 3])
    print(model.first.weight.grad.shape)
    model.train()
    for i in range(3):
        model(x)
    # CHECK: 3
    print(int(model.norm.num_batches_tracked))
    model.eval()
    # CHECK: False
    print(bool((model(x) == once).all()))


if __name__ == "__main__":
    main()
