# The input products of recurrent layers that are written out over a loop are computed before it, with the bits of single
# ones, forwards and backwards, with and without bias, for few rows and for many, for vectors, in float and double.
# RUN: tsc-run --entry main --seed 1 -O0 --output %t.plain.pt %s
# RUN: tsc-run --entry main --seed 1 -O2 --compile eager --output %t.eager.pt %s
# RUN: cmp %t.plain.pt %t.eager.pt
# RUN: tsc-run --entry main --seed 1 -O2 --threads 2 --output %t.threads.pt %s
# RUN: cmp %t.plain.pt %t.threads.pt
# RUN: tsc-run --entry main --seed 1 -O2 --check-aliases --output %t.checked.pt %s
# RUN: cmp %t.plain.pt %t.checked.pt
# RUN: tsc-run --entry lstm --seed 1 --args 'torch.randn([8, 1, 16]), torch.randn([1, 8]), torch.randn([1, 8]), torch.randn([32, 16]), torch.randn([32, 8]), torch.randn([32])' --print-ir optimized %s 2>&1 >/dev/null | FileCheck %s
# RUN: tsc-run --entry gru --seed 1 --args 'torch.randn([2, 8, 16]), torch.randn([2, 8]), torch.randn([24, 16]), torch.randn([24, 8]), torch.randn([24]), False' --print-ir optimized %s 2>&1 >/dev/null | FileCheck --check-prefix=GRU %s
# RUN: %exits 1 tsc-run --entry lstm --args 'torch.randn([8, 1, 16]), torch.randn([1, 8]), torch.randn([1, 8]), torch.randn([32, 15]), torch.randn([32, 8]), torch.randn([32])' %s 2>&1 | FileCheck --check-prefix=SIZES %s
# RUN: tsc-run --entry lstm_sum --args 'torch.randn([0, 1, 16]), torch.zeros([1, 8]), torch.randn([1, 8]), torch.randn([32, 15]), torch.randn([32, 8]), torch.randn([32])' %s | FileCheck --check-prefix=NONE %s
# RUN: %exits 1 tsc-run --entry beyond --args 'torch.randn([8, 1, 16]), torch.randn([32, 16]), 9' %s 2>&1 >%t.steps | FileCheck --check-prefix=BEYOND %s
# RUN: FileCheck --check-prefix=STEPS %s < %t.steps
# RUN: tsc-run --entry gradients --seed 1 -O0 %s > %t.gradients
# RUN: tsc-run --entry gradients --seed 1 -O2 %s | diff %t.gradients -
import torch
import torch.nn.functional as F
from torch import Tensor
from typing import List, Tuple


def lstm_cell(x: Tensor, h: Tensor, c: Tensor, w: Tensor, u: Tensor, b: Tensor) -> Tuple[Tensor, Tensor]:
    i, f, g, o = (x.mm(w.t()) + h.mm(u.t()) + b).chunk(4, 1)
    c = torch.sigmoid(f) * c + torch.sigmoid(i) * torch.tanh(g)
    return torch.sigmoid(o) * torch.tanh(c), c


# The transposed weights leave the loop.
# CHECK:     %[[XS:[^ ]+]] : Tensor[] = aten::unbind(%seq
# CHECK:     %[[W:[^ ]+]] : {{.*}} = aten::t(%w)
# CHECK:     %[[ALL:[^ ]+]] : Tensor = tsc::step_products(%[[XS]], %[[W]],
# CHECK:     prim::Loop
# CHECK-NOT: aten::t(
# CHECK:     tsc::step_product(%[[ALL]],
# CHECK:     aten::mm
# CHECK:     aten::mm
# SIZES: mat1 and mat2 shapes cannot be multiplied (1x16 and 15x32)
def lstm(seq: Tensor, h: Tensor, c: Tensor, w: Tensor, u: Tensor, b: Tensor) -> Tensor:
    outputs: List[Tensor] = []
    for x in seq.unbind(0):
        h, c = lstm_cell(x, h, c, w, u, b)
        outputs.append(h)
    return torch.stack(outputs)


# A loop of no trips multiplies nothing, and refuses nothing.
# NONE: 0
def lstm_sum(seq: Tensor, h: Tensor, c: Tensor, w: Tensor, u: Tensor, b: Tensor) -> float:
    for x in seq.unbind(0):
        h, c = lstm_cell(x, h, c, w, u, b)
    return float(h.sum())


# GRU:     %[[ALL:[^ ]+]] : Tensor = tsc::step_products(%{{[^ ]+}}, %{{[^ ]+}}, %{{[^ ]+}}, %{{[^ ]+}}, %{{[^ ]+}}, %
# GRU:     prim::Loop
# GRU-NOT: aten::slice
# GRU:     tsc::step_product(%[[ALL]],
def gru(seq: Tensor, h: Tensor, w: Tensor, u: Tensor, b: Tensor, reverse: bool) -> Tensor:
    outputs: List[Tensor] = []
    steps = seq.size(1)
    for t in range(steps):
        x = seq[:, steps - 1 - t if reverse else t]
        r, z, n = F.linear(x, w, b).chunk(3, -1)
        hr, hz, hn = F.linear(h, u).chunk(3, -1)
        z = torch.sigmoid(z + hz)
        h = (1 - z) * torch.tanh(n + torch.sigmoid(r + hr) * hn) + z * h
        outputs.append(h)
    return torch.stack(outputs, 1)


def backwards(seq: Tensor, h: Tensor, w: Tensor, u: Tensor, b: Tensor) -> Tensor:
    for t in range(seq.size(0) - 1, -1, -1):
        h = torch.tanh(torch.addmm(b, seq[t], w) + h @ u)
    return h


def vectors(seq: Tensor, h: Tensor, w: Tensor, u: Tensor, b: Tensor) -> Tensor:
    for t in range(seq.size(0)):
        h = torch.tanh(F.linear(seq[t], w, b) + F.linear(h, u))
    return h


def joined(seq: Tensor, h: Tensor, w: Tensor, b: Tensor) -> Tensor:
    for x in seq.unbind(0):
        h = torch.tanh(F.linear(torch.cat([x, h], 1), w, b))
    return h


def unrolled(seq: Tensor, h: Tensor, w: Tensor, u: Tensor) -> Tensor:
    x0, x1, x2, x3 = seq[:4].unbind(0)
    h = torch.tanh(x0.mm(w) + h.mm(u))
    h = torch.tanh(x1.mm(w) + h.mm(u))
    h = torch.tanh(x2.mm(w) + h.mm(u))
    return torch.tanh(x3.mm(w) + h.mm(u))


# What a trip does to its product is seen by no other; its products are tensors of their own.
def written(seq: Tensor, w: Tensor) -> List[Tensor]:
    kept: List[Tensor] = []
    for t in range(seq.size(0)):
        y = seq[t].mm(w)
        y.mul_(t)
        kept.append(y)
        assert y.storage_offset() == 0
    return kept


# Steps that there are not are an error of the step, after the others.
# STEPS: step 7
# STEPS-NOT: step
# BEYOND: index 8 out of range
def beyond(seq: Tensor, w: Tensor, steps: int) -> Tensor:
    s = torch.zeros([1])
    for t in range(steps):
        x = seq[t]
        s = s + F.linear(x, w).sum()
        print("step", t)
    return s


def changing(seq: Tensor, w: Tensor) -> Tensor:
    s = torch.zeros([1, 1], dtype=w.dtype)
    for t in range(seq.size(0)):
        s = s + seq[t].mm(w).sum()
        if t == 3:
            w.mul_(0.5)
    return s


def gradients() -> List[Tensor]:
    seq, w, u, b = torch.randn([2, 9, 16]), torch.randn([24, 16]), torch.randn([24, 8]), torch.randn([24])
    seq.requires_grad_()
    w.requires_grad_()
    y = gru(seq, torch.randn([2, 8]), w, u, b, False)
    y.sum().backward()
    found: List[Tensor] = [y.detach()]
    for leaf in [seq, w]:
        g = leaf.grad
        assert g is not None
        found.append(g)
    return found


def main() -> List[Tensor]:
    found: List[Tensor] = []
    for kind in range(2):
        dtype = torch.double if kind == 1 else torch.float
        for batch in [1, 2, 3, 7, 40]:
            for width in [16, 63]:
                seq = torch.randn([13, batch, width], dtype=dtype)
                w, u, b = torch.randn([32, width], dtype=dtype), torch.randn([32, 8], dtype=dtype), torch.randn([32], dtype=dtype)
                h, c = torch.randn([batch, 8], dtype=dtype), torch.randn([batch, 8], dtype=dtype)
                found.append(lstm(seq, h, c, w, u, b))
                for reverse in [False, True]:
                    found.append(gru(seq.transpose(0, 1), h, w[:24], u[:24], b[:24], reverse))
                found.append(vectors(seq[:, 0], h[0], w[:8], u[:8], b[:8]))
                wide, square = torch.randn([width, 8], dtype=dtype), torch.randn([8, 8], dtype=dtype)
                found.append(backwards(seq, h, wide, square, b[:8]))
                found.append(joined(seq, h, torch.randn([8, width + 8], dtype=dtype), b[:8]))
                found.append(unrolled(seq, h, wide, square))
                found += written(seq, wide)
                found.append(changing(seq, wide.clone()))
    return found
