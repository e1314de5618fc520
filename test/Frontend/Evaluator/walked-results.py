# What operators and functions of the library return together has names in files that are walked, and shows them.
# RUN: tsc-run %s | FileCheck %s --match-full-lines
import torch
from torch import nn
from torch.nn.utils.rnn import pack_padded_sequence, pad_packed_sequence


class Highest(nn.Module):
    def forward(self, x):
        return torch.max(x, dim=1).values


model = Highest()
x = torch.tensor([[1.0, 2.0, 4.0], [3.0, 0.0, 5.0]])
# CHECK: torch.return_types.max(
# CHECK-NEXT: values=tensor([4., 5.]),
# CHECK-NEXT: indices=tensor([2, 2]))
print(torch.max(x, dim=1))
# CHECK-NEXT: tensor([2, 2]) tensor([4., 5.]) tensor([4., 5.])
print(x.max(axis=1).indices, x.sort(dim=1)[0][:, 2], model(x))
# A NamedTuple goes back to the functions that take one.
packed = pack_padded_sequence(torch.ones(2, 1, 1), [2])
# CHECK-NEXT: tensor([1, 1]) torch.Size([2, 1, 1])
print(packed.batch_sizes, pad_packed_sequence(packed)[0].shape)
# Layouts and memory formats show their names; leading ones of what is written have no meaning.
# CHECK-NEXT: torch.channels_last torch.strided True
print(torch.channels_last, torch.strided, torch.channels_last == torch.channels_last)
y = torch.zeros(2, 2)
y[1] = torch.ones(1, 1, 2)
y[0, 1] = torch.tensor([[3.0]])
# CHECK-NEXT: tensor({{\[\[}}0., 3.],
# CHECK-NEXT:         [1., 1.]])
print(y)
# Conversions to complex numbers are methods like the others.
# CHECK-NEXT: torch.complex64 torch.complex128 torch.complex32
print(y.cfloat().dtype, y.cdouble().dtype, y.chalf().dtype)
