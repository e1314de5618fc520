# RUN: tsc-run %s | FileCheck %s --match-full-lines
#
# Tensors where Python wants a number, and numbers before tensors in operators on bits, at top level.
import math
import torch
import torch.nn as nn

class Identity(nn.Module):
    def forward(self, x):
        return x

def attempt(function):
    try:
        print(function())
    except Exception as e:
        print(type(e).__name__, e)

class Place:
    def __init__(self, place):
        self.place = place
    def __index__(self):
        return self.place

two, half, whole = torch.ones(2), torch.tensor(2.5), torch.tensor([3])
attempt(lambda: (int(half), float(whole), math.floor(half), math.sqrt(whole), chr(whole + 62), list(range(whole))))
attempt(lambda: int(two))
attempt(lambda: math.sqrt(two))
attempt(lambda: float(torch.tensor(1 + 2j)))
attempt(lambda: range(half))
attempt(lambda: round(half))
attempt(lambda: divmod(half, 2))
attempt(lambda: divmod(2j, 7))
attempt(lambda: ~half)
attempt(lambda: whole @ True)
attempt(lambda: (6 & whole, 6 | whole, 6 ^ whole, 1 << whole, 6 >> torch.tensor(1)))
attempt(lambda: (-2j, -(1 + 2j)))
attempt(lambda: (list(range(Place(2))), hex(Place(255)), math.gcd(Place(12), 18)))
attempt(lambda: range(Place('a')))
attempt(lambda: chr(Place(1.5)))
attempt(lambda: math.gcd(Place(None), 2))
#      CHECK: (2, 3.0, 2, 1.7320508075688772, 'A', [0, 1, 2])
# CHECK-NEXT: ValueError only one element tensors can be converted to Python scalars
# CHECK-NEXT: ValueError only one element tensors can be converted to Python scalars
# CHECK-NEXT: RuntimeError value cannot be converted to type double without overflow
# CHECK-NEXT: TypeError only integer tensors of a single element can be converted to an index
# CHECK-NEXT: TypeError type Tensor doesn't define __round__ method
# CHECK-NEXT: TypeError unsupported operand type(s) for divmod(): 'Tensor' and 'int'
# CHECK-NEXT: TypeError unsupported operand type(s) for divmod(): 'complex' and 'int'
# CHECK-NEXT: TypeError ~ (operator.invert) is only implemented on integer and Boolean-type tensors
# CHECK-NEXT: TypeError unsupported operand type(s) for @: 'Tensor' and 'bool'
# CHECK-NEXT: (tensor([2]), tensor([7]), tensor([5]), tensor([8]), tensor(3))
# CHECK-NEXT: ((-0-2j), (-1-2j))
# CHECK-NEXT: ([0, 1], '0xff', 6)
# CHECK-NEXT: TypeError __index__ returned non-int (type str)
# CHECK-NEXT: TypeError __index__ returned non-int (type float)
# CHECK-NEXT: TypeError __index__ returned non-int (type NoneType)

# A module that changes its dtype keeps its parameters: leaves, which an optimizer may hold already.
layer = nn.Linear(2, 1)
optimizer = torch.optim.SGD(layer.parameters(), lr=0.5)
weight = layer.weight
layer.double()
layer(torch.ones(1, 2, dtype=torch.float64)).sum().backward()
layer.bfloat16()
print(weight is layer.weight, weight.is_leaf, weight.dtype, weight.grad.dtype, weight.grad.tolist())
layer.float()
before = layer.weight.clone()
optimizer.step()
print((before - layer.weight).tolist())
# CHECK-NEXT: True True torch.bfloat16 torch.bfloat16 {{\[\[}}1.0, 1.0]]
# CHECK-NEXT: {{\[\[}}0.5, 0.5]]
try:
    layer.to(torch.int32)
except TypeError as e:
    print(e)
# CHECK-NEXT: nn.Module.to only accepts floating point or complex dtypes, but got desired dtype=torch.int32
