# What compiled code raises reaches the handlers of the file's own code, with its class and its text.
# RUN: tsc-run %s | FileCheck %s
import torch
from torch import nn


class Mine(Exception):
    pass


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.fc = nn.Linear(2, 2)

    def forward(self, x):
        if x.sum() > 0:
            raise Mine("own text")
        if x.sum() < 0:
            raise ValueError("python's")
        return self.fc(x)


net = Net()

if __name__ == "__main__":
    for sign in [1, -1]:
        try:
            net(sign * torch.ones([1, 2]))
        except Mine as e:
            print("mine [" + str(e) + "]")
        except ValueError as e:
            print("value [" + str(e) + "]")

# CHECK: mine [own text]
# CHECK-NEXT: value [python's]
