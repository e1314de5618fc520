# Gradients of short-time Fourier transforms and their inverses. The numbers are PyTorch's.
# RUN: %all_modes tsc-run %s | FileCheck %s
import torch
from typing import List, Optional
from torch import Tensor
def rounded(x: float):
    return float(int(x * 1e6 + (0.5 if x > 0 else -0.5))) / 1e6

def signal(sizes: List[int], w: float):
    n = 1
    for e in sizes:
        n *= e
    return torch.cos(torch.arange(n, dtype=torch.double) * w).reshape(sizes).detach().requires_grad_()

def show(y: Tensor, ins: List[Tensor]):
    r = torch.view_as_real(y) if y.is_complex() else y
    loss = (r * torch.cos(torch.arange(r.numel(), dtype=torch.double)).reshape(r.size())).sum() + (r * r).sum()
    out: List[float] = [rounded(float(loss))]
    for g in torch.autograd.grad([loss], ins):
        assert g is not None
        g = torch.view_as_real(g) if g.is_complex() else g
        out.append(rounded(float((g * torch.sin(torch.arange(g.numel(), dtype=torch.double)).reshape(g.size())).sum())))
    return out

def main():
    x, w = signal([40], 0.7), signal([8], 0.2)
    # CHECK: [170.739052, 42.96678, 62.716634]
    print(show(torch.stft(x, 8, 2, 8, w, center=False, normalized=False, onesided=True, return_complex=True), [x, w]))
    # CHECK: [18.789996, 5.750518]
    print(show(torch.stft(x, 8, 3, 6, None, center=False, normalized=True, onesided=False, return_complex=True), [x]))
    b, v = signal([2, 37], 0.9), signal([5], 0.3)
    # CHECK: [309.933035, 22.532194, 302.938718]
    print(show(torch.stft(b, 9, None, 5, v, center=True, pad_mode="reflect", normalized=False, onesided=True, return_complex=True), [b, v]))
    p = torch.complex(signal([5, 7], 0.4).detach(), signal([5, 7], 1.1).detach()).requires_grad_()
    # CHECK: [1.394384, 0.039858]
    print(show(torch.istft(p, 8, 2, 8, torch.hann_window(8, dtype=torch.double) + 0.1), [p]))
    # CHECK: [10.698301, 7.408524]
    print(show(torch.istft(p, 8, 3, 8, None, center=False, normalized=True), [p]))
    # CHECK: [0.373515, 0.014686]
    print(show(torch.istft(p, 8, 2, 8, None, length=9), [p]))
