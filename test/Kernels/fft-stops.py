# A transform counts its multiplications before it begins: it does not start where the limit leaves too few steps for them.
# RUN: %exits 1 tsc-run --max-steps 60 %s --entry whole 2>&1 | FileCheck --check-prefix=STEPS %s
# RUN: %exits 1 tsc-run --max-steps 60 %s --entry real 2>&1 | FileCheck --check-prefix=STEPS %s
# RUN: %exits 1 tsc-run --max-steps 60 %s --entry hermitian 2>&1 | FileCheck --check-prefix=STEPS %s
# RUN: %exits 1 tsc-run --max-steps 60 %s --entry convolution 2>&1 | FileCheck --check-prefix=STEPS %s
# STEPS-NOT: {{^ends}}
# STEPS: the program exceeded its limit of steps (--max-steps)
# STEPS-NOT: {{^ends}}

# The transform of one line ends in its midst where the call is cancelled. The length is no product of small factors, so
# that the line is transformed as one of 2 ** 28 elements.
# RUN: %python %S/Inputs/interrupt.py tsc-run %s long

# A long line is worked on in pieces, as if it were done at once: what is transformed there and back is what it was, and the
# transform of a single one at place 3 is a wave that cos and sin give.
# RUN: tsc-run %s --entry pieces | FileCheck --check-prefix=PIECES %s
# PIECES: True
import math
from typing import List

import torch


def whole():
    print("ends", torch.fft.fft(torch.ones([1048576], dtype=torch.complex128))[0])


def real():
    print("ends", torch.fft.rfft(torch.ones([1048576]))[0])


def hermitian():
    print("ends", torch.fft.irfft(torch.ones([524289], dtype=torch.complex64))[0])


def convolution():
    print("ends", torch.fft.fft(torch.ones([524309], dtype=torch.complex64))[0])


def long():
    x = torch.zeros([67108865])
    print("begins")
    print("ends", torch.fft.rfft(x)[0])


def errorsOf(n: int) -> List[float]:
    x = torch.rand([n], dtype=torch.float64)
    spectrum = torch.fft.fft(x)
    half = torch.fft.rfft(x)
    impulse = torch.zeros([n], dtype=torch.float64)
    impulse[3] = 1
    turns = torch.arange(n, dtype=torch.float64) * (-2 * math.pi * 3 / n)
    columns = torch.fft.fft(torch.stack([x, x + 1], 1), None, 0)
    return [
        float((torch.fft.ifft(spectrum).real - x).abs().max()),
        float((spectrum[:n // 2 + 1] - half).abs().max()) / n,
        float((torch.fft.fft(impulse) - torch.complex(torch.cos(turns), torch.sin(turns))).abs().max()),
        float((torch.fft.irfft(half, n) - x).abs().max()),
        float((columns[:, 0] - spectrum).abs().max()) / n,
        float((columns[1:, 1] - spectrum[1:]).abs().max()) / n,
    ]


def pieces():
    worst = 0.0
    for n in [131072, 177147, 156250, 117649, 161051, 371293, 65537, 100003]:
        worst = max(worst, max(errorsOf(n)))
    print(worst < 1e-12)
