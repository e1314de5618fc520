# Operators of torchaudio's: recursive filters, beside the loop over time that they stand for, and beside what torchaudio gives.

# RUN: %all_modes tsc-run %s | FileCheck %s --match-full-lines
import torch
from torch import Tensor


def loop(x: Tensor, a: Tensor, before: Tensor) -> Tensor:
    past = a.size(1) - 1
    y = torch.cat([before, torch.zeros_like(x)], 2)
    for t in range(x.size(2)):
        y[:, :, past + t] = x[:, :, t] - (y[:, :, t:past + t] * a[:, 1:].flip([1])).sum(2)
    return y


def check(batches: int, channels: int, order: int, length: int, dtype: torch.dtype) -> bool:
    torch.manual_seed(order)
    x = torch.randn([batches, channels, length], dtype=dtype)
    a = torch.cat([torch.ones([channels, 1], dtype=dtype), torch.randn([channels, order], dtype=dtype) * 0.3 / (order + 1)], 1)
    before = torch.randn([batches, channels, order], dtype=dtype)
    expected = loop(x, a, before)
    padded = torch.cat([before, torch.zeros_like(x)], 2)
    torch.ops.torchaudio._lfilter_core_loop(x, a.flip([1]), padded)
    return torch.allclose(padded, expected, 1e-5, 1e-6)


def main():
    for length in [0, 1, 5, 63, 64, 65, 200]:
        for order in [0, 1, 2, 7, 90]:
            if not check(2, 3, order, length, torch.float32) or not check(1, 1, order, length, torch.float64):
                print("other results", length, order)
    x = ((torch.arange(300) * 37 % 101) / 50.0 - 1).view(1, 2, 150)
    a = torch.tensor([[1.0, -1.2, 0.5], [2.0, 0.3, -0.1]])
    b = torch.tensor([[0.3, 0.1, 0.2], [1.0, 0.0, 0.5]])
    y = torch.ops.torchaudio._lfilter(x, a, b)
    print(y.sum(), y[0, 0, 70], y[0, 1, 149])
    temp = x[0] - x[0] ** 3 / 3
    last_in, last_out, out = torch.full([2], 0.25), torch.full([2], -0.5), torch.zeros([2, 150])
    results = torch.ops.torchaudio._overdrive_core_loop(x[0], temp, last_in, last_out, out)
    y = loop(torch.cat([temp[:, :1] - 0.25, temp[:, 1:] - temp[:, :-1]], 1).unsqueeze(0), torch.tensor([[1.0, -0.995]]),
             torch.full([1, 2, 1], -0.5))[0, :, 1:]
    print(torch.allclose(out, x[0] * 0.5 + y * 0.75, 1e-5, 1e-5), torch.equal(last_in, temp[:, -1]),
          torch.allclose(last_out, y[:, -1], 1e-5, 1e-5), len(results))


if __name__ == "__main__":
    main()

# CHECK-NOT: other
# CHECK:tensor(-1.6891) tensor(0.3436) tensor(0.2509)
# CHECK:True True True 3
