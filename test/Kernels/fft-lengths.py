# A transform of one dimension takes no length of -1; in a list of lengths it leaves one open.
# RUN: not tsc-run %s --entry irfft 2>&1 | FileCheck %s --check-prefix=REFUSED
# RUN: not tsc-run %s --entry hfft 2>&1 | FileCheck %s --check-prefix=REFUSED
# RUN: tsc-run %s | FileCheck %s
# REFUSED: fft-lengths.py", line {{[0-9]+}}, in
# REFUSED: RuntimeError: Invalid number of data points (-1) specified
import torch

def irfft():
    return torch.fft.irfft(torch.ones(4) + 0j, -1)

def hfft():
    return torch.fft.hfft(torch.ones(4) + 0j, -1)

def main():
    x = torch.ones(4, 4) + 0j
    # CHECK: [4, 6] [4, 6] [5, 7]
    print(list(torch.fft.irfft2(x, [4, -1]).size()), list(torch.fft.irfftn(x, [-1, -1]).size()), list(torch.fft.irfftn(x, [5, 7]).size()))
