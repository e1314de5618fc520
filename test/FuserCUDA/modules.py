# REQUIRES: fake-cuda-driver
# RUN: tsc-run %s --cuda-driver %fake_cuda_driver --compile off | FileCheck %s
# RUN: tsc-run %s --cuda-driver /nowhere.so --compile off | FileCheck %s --check-prefix=NONE
import torch
from torch import nn

# A module that is moved while modules are made has its parameters and buffers there, integer ones too, each once where
# modules share it; what is trained stays so.
class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.first = nn.Linear(3, 3)
        self.second = nn.Linear(3, 3)
        self.second.weight = self.first.weight
        self.norm = nn.BatchNorm1d(3)

    def forward(self, x):
        return self.norm(self.second(self.first(x)))

# CHECK:      True True True True
# CHECK-NEXT: True True True
# CHECK-NEXT: False False
# CHECK-NEXT: True True
# Where there is no GPU, what is asked for at loading is the processor.
# NONE:       True False True True
net = Net()
net.to('cuda')
shared = net.first.weight is net.second.weight
print(shared, net.first.weight.is_cuda, net.first.weight.requires_grad, net.norm.training)
print(net.norm.running_mean.is_cuda, net.norm.num_batches_tracked.is_cuda, net(torch.ones([4, 3]).cuda()).is_cuda)
net.cpu()
print(net.second.bias.is_cuda, net.norm.running_var.is_cuda)
net.double().cuda()
print(net.first.bias.is_cuda, net.first.bias.dtype == torch.float64)

def main():
    pass
