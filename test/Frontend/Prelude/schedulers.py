# Schedulers of torch.optim.lr_scheduler, in the main block of a file with modules. The rates are those of PyTorch 1.13.
# RUN: tsc-run %s | FileCheck %s
import torch
from torch import nn
from torch.optim import lr_scheduler

torch.manual_seed(0)


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.linear = nn.Linear(2, 1)

    def forward(self, x):
        return self.linear(x)


def rates(name, make, steps=8):
    net = Net()
    optimizer = torch.optim.SGD(net.parameters(), lr=0.8, momentum=0.9)
    scheduler = make(optimizer)
    seen = []
    for step in range(steps):
        optimizer.zero_grad()
        net(torch.ones(1, 2)).sum().backward()
        optimizer.step()
        scheduler.step()
        seen.append(f"{scheduler.get_last_lr()[0]:.12f}")
    print(name, " ".join(seen))


def rates_of_two():
    optimizer = torch.optim.SGD(Net().parameters(), lr=0.8)
    rise = lr_scheduler.LinearLR(optimizer, start_factor=0.25, total_iters=3)
    fall = lr_scheduler.CosineAnnealingLR(optimizer, T_max=4, eta_min=0.1)
    seen = []
    for step in range(8):
        rise.step()
        fall.step()
        seen.append(f"{fall.get_last_lr()[0]:.12f}")
    print("two", " ".join(seen))


if __name__ == "__main__":
    rates("step", lambda o: lr_scheduler.StepLR(o, step_size=3, gamma=0.5))
    rates("multi", lambda o: lr_scheduler.MultiStepLR(o, milestones=[2, 5, 5], gamma=0.1))
    rates("exponential", lambda o: lr_scheduler.ExponentialLR(o, gamma=0.9))
    rates("constant", lambda o: lr_scheduler.ConstantLR(o, factor=0.5, total_iters=4))
    rates("linear", lambda o: lr_scheduler.LinearLR(o, start_factor=0.25, total_iters=5))
    rates("polynomial", lambda o: lr_scheduler.PolynomialLR(o, total_iters=6, power=2.0))
    rates("cosine", lambda o: lr_scheduler.CosineAnnealingLR(o, T_max=4, eta_min=0.1))
    rates("restarts", lambda o: lr_scheduler.CosineAnnealingWarmRestarts(o, T_0=2, T_mult=2))
    optimizer = torch.optim.Adam(Net().parameters(), lr=0.8)
    plateau = lr_scheduler.ReduceLROnPlateau(optimizer, factor=0.5, patience=1)
    for metric in [1.0, 0.9, 0.9, 0.9, 0.95, 0.8, 0.9, 0.9]:
        plateau.step(metric)
    rate = lr_scheduler.StepLR(optimizer, step_size=9)
    print("plateau", rate.get_last_lr())
    # All schedulers of an optimizer start from the rate that the first one found.
    rates_of_two()
    optimizer = torch.optim.Adam(Net().parameters(), lr=0.8)
    half = lr_scheduler.ConstantLR(optimizer, factor=0.5)
    steps = lr_scheduler.StepLR(optimizer, step_size=3)
    print("second", steps.base_lrs, steps.get_last_lr())
    restarts = lr_scheduler.CosineAnnealingWarmRestarts(optimizer, T_0=4)
    print("third", restarts.base_lrs, restarts.get_last_lr())

# CHECK: step 0.800000000000 0.800000000000 0.400000000000 0.400000000000 0.400000000000 0.200000000000 0.200000000000 0.200000000000
# CHECK: multi 0.800000000000 0.080000000000 0.080000000000 0.080000000000 0.000800000000 0.000800000000 0.000800000000 0.000800000000
# CHECK: exponential 0.720000000000 0.648000000000 0.583200000000 0.524880000000 0.472392000000 0.425152800000 0.382637520000 0.344373768000
# CHECK: constant 0.400000000000 0.400000000000 0.400000000000 0.800000000000 0.800000000000 0.800000000000 0.800000000000 0.800000000000
# CHECK: linear 0.320000000000 0.440000000000 0.560000000000 0.680000000000 0.800000000000 0.800000000000 0.800000000000 0.800000000000
# CHECK: polynomial 0.555555555556 0.355555555556 0.200000000000 0.088888888889 0.022222222222 0.000000000000 0.000000000000 0.000000000000
# CHECK: cosine 0.697487373415 0.450000000000 0.202512626585 0.100000000000 0.202512626585 0.450000000000 0.697487373415 0.800000000000
# CHECK: restarts 0.400000000000 0.800000000000 0.682842712475 0.400000000000 0.117157287525 0.800000000000 0.769551813005 0.682842712475
# CHECK: plateau [0.2]
# CHECK: two 0.356066017178 0.354289321881 0.209069264621 0.100000000000 0.202512626585 0.450000000000 0.697487373415 0.800000000000
# CHECK: second [0.8] [0.4]
# CHECK: third [0.8] [0.8]
