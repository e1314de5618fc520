# RUN: split-file %s %t
# RUN: tsc-run %t/kept.py | FileCheck %s --check-prefix=KEPT
# RUN: not tsc-run %t/keys.py 2>&1 | FileCheck %s --check-prefix=KEYS
# RUN: not tsc-run %t/printed.py 2>&1 | FileCheck %s --check-prefix=PRINTED
# RUN: not tsc-run %t/groups.py 2>&1 | FileCheck %s --check-prefix=GROUPS
#
# An optimizer's state is kept, saved and given back; its entries are not laid out as PyTorch's, so that looking into it is refused.

#--- kept.py
import torch
import torch.nn as nn

class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.layer = nn.Linear(2, 1)
        nn.init.ones_(self.layer.weight)
        nn.init.zeros_(self.layer.bias)
    def forward(self, x):
        return self.layer(x)

net = Net()
optimizer = torch.optim.SGD(net.parameters(), lr=0.5, momentum=0.5)
optimizer.load_state_dict(optimizer.state_dict())
net(torch.ones(1, 2)).sum().backward()
optimizer.step()
state = optimizer.state_dict()
other = torch.optim.SGD(net.parameters(), lr=0.5, momentum=0.5)
other.load_state_dict(state)
other.step()
print(type(state), isinstance(state, dict), net.layer.weight.tolist())
for name, tensor in net.state_dict().items():
    print(name, tensor.requires_grad)

class Guard:
    def __enter__(self):
        return self
    def __exit__(self, kind, value, trace):
        return kind is ValueError and type(value) in (ValueError, KeyError)

with Guard():
    raise ValueError('v')
print('after', type(ValueError()).__name__)
# KEPT: <class 'dict'> True {{\[\[}}-0.25, -0.25]]
# KEPT-NEXT: layer.weight False
# KEPT-NEXT: layer.bias False
# KEPT-NEXT: after ValueError

#--- keys.py
import torch
import torch.nn as nn
print(sorted(torch.optim.Adam(nn.Linear(2, 1).parameters()).state_dict().keys()))
# KEYS: keys.py:3:14: error: attributes like 'keys' of states of optimizers aren't supported

#--- printed.py
import torch
import torch.nn as nn
print(torch.optim.Adam(nn.Linear(2, 1).parameters()))
# PRINTED: printed.py:3:1: error: texts of optimizers, of schedulers and of their states aren't supported

#--- groups.py
import torch
import torch.nn as nn
print(torch.optim.Adam(nn.Linear(2, 1).parameters()).param_groups[0]['lr'])
# GROUPS: groups.py:3:7: error: attributes like 'param_groups' of optimizers and schedulers aren't supported
