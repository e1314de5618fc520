# Gradients of recurrent layers: several of them, both directions, projections, without biases, padded and packed. The
# numbers are PyTorch's.
# RUN: %all_modes tsc-run %s | FileCheck %s
import torch
from typing import List
from torch import Tensor

def rounded(x: float):
    return float(int(x * 1e6 + (0.5 if x > 0 else -0.5))) / 1e6

def weights(kind: int, layers: int, dirs: int, f: int, h: int, proj: int, biases: bool):
    out: List[Tensor] = []
    k = 1
    for l in range(layers):
        for d in range(dirs):
            width = f if l == 0 else (proj if proj > 0 else h) * dirs
            shapes = [[kind * h, width], [kind * h, proj if proj > 0 else h]]
            if biases:
                shapes += [[kind * h], [kind * h]]
            if proj > 0:
                shapes += [[proj, h]]
            for s in shapes:
                n = 1
                for e in s:
                    n *= e
                out.append((torch.sin(torch.arange(n, dtype=torch.double) * (0.37 + 0.11 * k)) * 0.5).reshape(s).detach().requires_grad_())
                k += 1
    return out

def data(sizes: List[int], w: float):
    n = 1
    for e in sizes:
        n *= e
    return torch.cos(torch.arange(n, dtype=torch.double) * w).reshape(sizes).detach().requires_grad_()

def total(ts: List[Tensor]):
    s = torch.zeros([], dtype=torch.double)
    for i, t in enumerate(ts):
        s = s + (t * torch.cos(torch.arange(t.numel(), dtype=torch.double) + i).reshape(t.size())).sum()
    return s

def show(loss: Tensor, ins: List[Tensor]):
    gs = torch.autograd.grad([loss], ins)
    r: List[float] = [rounded(float(loss))]
    for g in gs:
        assert g is not None
        r.append(rounded(float((g * torch.sin(torch.arange(g.numel(), dtype=torch.double)).reshape(g.size())).sum())))
    return r

def lstm(layers: int, bi: bool, proj: int, biases: bool, first: bool):
    dirs = 2 if bi else 1
    x = data([4, 3, 5], 0.7)
    h, c = data([layers * dirs, 4 if first else 3, proj if proj > 0 else 6], 0.3), data([layers * dirs, 4 if first else 3, 6], 0.9)
    w = weights(4, layers, dirs, 5, 6, proj, biases)
    y, hn, cn = torch.lstm(x, [h, c], w, biases, layers, 0.0, False, bi, first)
    return show(total([y, hn, cn]), [x, h, c] + w)

def gru(layers: int, bi: bool, biases: bool, first: bool):
    dirs = 2 if bi else 1
    x, h = data([4, 3, 5], 0.7), data([layers * dirs, 4 if first else 3, 6], 0.3)
    w = weights(3, layers, dirs, 5, 6, 0, biases)
    y, hn = torch.gru(x, h, w, biases, layers, 0.0, False, bi, first)
    return show(total([y, hn]), [x, h] + w)

def rnn(layers: int, bi: bool, tanh: bool):
    dirs = 2 if bi else 1
    x, h = data([4, 3, 5], 0.7), data([layers * dirs, 3, 6], 0.3)
    w = weights(1, layers, dirs, 5, 6, 0, True)
    if tanh:
        y, hn = torch.rnn_tanh(x, h, w, True, layers, 0.0, False, bi, False)
        return show(total([y, hn]), [x, h] + w)
    y, hn = torch.rnn_relu(x, h, w, True, layers, 0.0, False, bi, False)
    return show(total([y, hn]), [x, h] + w)

def packed(bi: bool):
    dirs = 2 if bi else 1
    x = data([9, 5], 0.7)
    h, c = data([dirs, 4, 6], 0.3), data([dirs, 4, 6], 0.9)
    w = weights(4, 1, dirs, 5, 6, 0, True)
    y, hn, cn = torch.lstm(x, torch.tensor([4, 3, 1, 1]), [h, c], w, True, 1, 0.0, False, bi)
    return show(total([y, hn, cn]), [x, h, c] + w)

def main():
    # CHECK: [0.472842, -0.066111, -0.509888, 0.158143, -3.585634, -0.929411, -1.330942, -1.330942]
    print(lstm(1, False, 0, True, False))
    # CHECK: [2.516087, 0.423982, -0.073124, -6.827989, -2.498839, 1.15567, -4.129117, -4.129117, -6.016853, -1.762431, -3.631698, -3.631698, -5.296872, 1.053289, 5.322881, 5.322881, 2.034158, 2.214713, 6.103184, 6.103184]
    print(lstm(2, True, 0, True, True))
    # CHECK: [-2.007962, 2.316087, 0.374332, -0.951641, -4.388533, 0.650012, -1.503513, -1.503513, -0.618037, -1.443199, -1.097555, -6.705744, -6.705744, 1.012758]
    print(lstm(1, True, 3, True, False))
    # CHECK: [1.301721, -0.267016, -0.184839, 0.402861, -2.011782, -0.098592]
    print(lstm(1, False, 0, False, False))
    # CHECK: [-1.926188, -1.698242, 3.211358, -3.941985, -3.773926, 4.40629, 2.480525]
    print(gru(1, False, True, False))
    # CHECK: [-1.374251, -1.025228, -11.081628, 5.834555, 4.314921, -3.837587, 0.183181, 15.554179, -1.181925, 13.132228, 3.241553]
    print(gru(2, True, False, True))
    # CHECK: [17.44571, 1.316986, -1.138415, 0.549823, 1.676087, 5.229084, 5.229084, -6.516267, 5.076796, 5.420548, 5.420548]
    print(rnn(2, False, True))
    # CHECK: [-1.150622, 8.257073, -3.375407, -10.731846, -10.641563, -3.57061, -3.57061, 3.183422, 21.850176, 9.868281, 9.868281]
    print(rnn(1, True, False))
    # CHECK: [-1.760673, -0.786277, -1.701612, -3.688349, 3.502024, -0.238476, -3.052614, -3.052614]
    print(packed(False))
    # CHECK: [3.714304, -0.76494, -0.988301, -6.058652, 1.524041, 0.315426, -4.492527, -4.492527, -7.305936, -0.891483, -2.805229, -2.805229]
    print(packed(True))
