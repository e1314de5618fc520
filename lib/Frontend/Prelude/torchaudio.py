# torchaudio's operators that archives of speech call: recursive filters.
import torch
import torch.nn.functional as F
from typing import Tuple
from torch import Tensor


# a[0] y[t] + a[1] y[t - 1] + ... = x[t], with a[0] = 1. The elements of a block depend on each other by a triangular
# matrix, whose inverse is the same for all blocks, and on the last elements of the block before: one product of all
# blocks, and a small one from each block to the next, in the place of a loop over time.

def _coefficients(a: Tensor, lags: Tensor) -> Tensor:
    last = a.size(1) - 1
    return torch.where((lags >= 0) & (lags <= last), a[:, lags.clamp(0, last)], torch.zeros([], dtype=a.dtype))


def _recursion(x: Tensor, a: Tensor, before: Tensor) -> Tensor:
    channels, rows, length = x.size(0), x.size(1), x.size(2)
    past = a.size(1) - 1
    if past == 0 or length == 0:
        return x.clone()
    size = max(min(length, 64), past)
    times, back = torch.arange(size).unsqueeze(1), torch.arange(past)
    wide = a.to(torch.float64)
    inverse = torch.linalg.solve_triangular(_coefficients(wide, times - torch.arange(size)),
                                            torch.eye(size, dtype=torch.float64).expand(channels, size, size), upper=False)
    carried = torch.matmul(inverse, _coefficients(wide, times + past - back)).neg()
    own, carried = inverse.transpose(1, 2).to(x.dtype), carried.transpose(1, 2).to(x.dtype)
    blocks = (length + size - 1) // size
    padded = F.pad(x, [0, blocks * size - length]).reshape(channels, rows * blocks, size)
    y = torch.matmul(padded, own).view(channels, rows, blocks, size)
    for i in range(blocks):
        block = y[:, :, i]
        block += torch.matmul(before, carried)
        before = block[:, :, size - past:]
    return y.reshape(channels, rows, blocks * size)[:, :, :length]


def _lfilter_core_loop(waveform: Tensor, a_coeff_flipped: Tensor, padded_output: Tensor) -> None:
    past = a_coeff_flipped.size(1) - 1
    y = _recursion(waveform.transpose(0, 1), a_coeff_flipped.flip([1]), padded_output[:, :, :past].transpose(0, 1))
    padded_output[:, :, past:] = y.transpose(0, 1)


def _lfilter(waveform: Tensor, a_coeffs: Tensor, b_coeffs: Tensor) -> Tensor:
    first = a_coeffs[:, :1]
    past = a_coeffs.size(1) - 1
    x = F.conv1d(F.pad(waveform, [past, 0]), (b_coeffs / first).flip([1]).unsqueeze(1), groups=b_coeffs.size(0))
    before = torch.zeros([waveform.size(1), waveform.size(0), past], dtype=waveform.dtype)
    return _recursion(x.transpose(0, 1), a_coeffs / first, before).transpose(0, 1)


def _overdrive_core_loop(waveform: Tensor, temp: Tensor, last_in: Tensor, last_out: Tensor,
                         output_waveform: Tensor) -> Tuple[Tensor, Tensor, Tensor]:
    if waveform.size(-1) != 0:
        steps = torch.diff(temp, prepend=last_in.unsqueeze(1))
        leak = torch.tensor([[1.0, -0.995]], dtype=torch.float64)
        y = _recursion(steps.unsqueeze(0), leak, last_out.view(1, -1, 1))[0]
        output_waveform.copy_(waveform * 0.5 + y * 0.75)
        last_in.copy_(temp[:, -1])
        last_out.copy_(y[:, -1])
    return last_in, last_out, output_waveform
