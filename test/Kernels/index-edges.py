# Masks and indices that are the tensor that is written, sums of integers that wrap, and sizes next to 2^63: what PyTorch
# computes is computed, and what it refuses is refused in its words.
# RUN: tsc-run %s --entry masks | FileCheck --check-prefix=MASKS %s
# RUN: tsc-run -O0 %s --entry masks | FileCheck --check-prefix=MASKS %s
# MASKS: tensor([False, False,  True, False])
# MASKS: tensor([ True, False, False, False])
# MASKS: tensor([ True,  True, False, False, False])
# MASKS: tensor({{\[\[}}False,  True],
# MASKS:         [False,  True]])
# MASKS: tensor([0., 0., 0., 0., 0., 0.])
# MASKS: tensor([1., 2., 3., 4., 5., 5.])
# MASKS: tensor([False, False, False])
# RUN: %exits 1 tsc-run %s --entry too_few 2>&1 | FileCheck --check-prefix=FEW %s
# FEW: Number of elements of source < number of ones in mask
# RUN: %exits 1 tsc-run %s --entry put 2>&1 | FileCheck --check-prefix=OVERLAP %s
# RUN: %exits 1 tsc-run %s --entry put_bools 2>&1 | FileCheck --check-prefix=OVERLAP %s
# RUN: %exits 1 tsc-run %s --entry put_shifted 2>&1 | FileCheck --check-prefix=OVERLAP %s
# RUN: %exits 1 tsc-run %s --entry filled_shifted 2>&1 | FileCheck --check-prefix=OVERLAP %s
# RUN: %exits 1 tsc-run %s --entry copied 2>&1 | FileCheck --check-prefix=OVERLAP %s
# OVERLAP: RuntimeError: unsupported operation: some elements of the input tensor and the written-to tensor refer to a single memory location.

# RUN: tsc-run %s --entry sums | FileCheck --check-prefix=SUMS %s
# SUMS:      (-9223372036854775803, -9223372036854775803, [-2, 2, 10])
# SUMS-NEXT: [7, 6, -9223372036854775799, 22]
# SUMS-NEXT: [-9223372036854775776, 36, -9223372036854775754, 122]
# SUMS-NEXT: [9223372036854775805, -4, 6, 8]

# RUN: tsc-run %s --entry frequencies | FileCheck --check-prefix=FREQUENCIES %s
# FREQUENCIES:      tensor([-0.])
# FREQUENCIES-NEXT: tensor([])
# FREQUENCIES-NEXT: tensor([nan])
# RUN: %exits 1 tsc-run %s --entry most_frequencies 2>&1 | FileCheck --check-prefix=OVERFLOW %s
# RUN: %exits 1 tsc-run %s --entry most_real_frequencies 2>&1 | FileCheck --check-prefix=OVERFLOW %s
# RUN: %exits 1 tsc-run %s --entry longest_signal 2>&1 | FileCheck --check-prefix=OVERFLOW %s
# OVERFLOW: RuntimeError: Storage size calculation overflowed with sizes=
# RUN: %exits 1 tsc-run %s --entry negative_frequencies 2>&1 | FileCheck --check-prefix=NEGATIVE %s
# NEGATIVE: RuntimeError: Trying to create tensor with negative dimension -4: [-4]
# RUN: tsc-run %s --entry signals | FileCheck --check-prefix=SIGNALS %s
# SIGNALS:      (torch.Size([23]), torch.Size([27]), torch.Size([1000]))
# SIGNALS-NEXT: torch.Size([9, 1])
# RUN: %exits 1 tsc-run %s --entry empty_signal 2>&1 | FileCheck --check-prefix=EMPTY %s
# RUN: %exits 1 tsc-run %s --entry least_signal 2>&1 | FileCheck --check-prefix=EMPTY %s
# EMPTY: RuntimeError: min(): Expected reduction dim to be specified for input.numel() == 0. Specify the reduction dim with the 'dim' argument.

# RUN: %exits 1 tsc-run %s --entry complex_segments 2>&1 | FileCheck --check-prefix=COMPLEX %s
# COMPLEX: "_segment_reduce_cpu" not implemented for 'ComplexFloat'
# RUN: %exits 1 tsc-run %s --entry whole_segments 2>&1 | FileCheck --check-prefix=WHOLE %s
# WHOLE: "_segment_reduce_cpu" not implemented for 'Long'
# RUN: tsc-run %s --entry segments | FileCheck --check-prefix=SEGMENTS %s
# SEGMENTS: tensor([1., 5.])


def masks():
    fresh = torch.tensor([False, True, True, True])
    x = torch.tensor([True, False, True, False])
    print(x.masked_scatter_(x, fresh))
    x = torch.tensor([True, False, True, False])
    print(x.masked_scatter_(x, x))
    # Each element sees what was written before it.
    x = torch.tensor([True, True, False, False, False])
    x[1:].masked_scatter_(x[:-1], torch.tensor([True, False, True, True]))
    print(x)
    x = torch.tensor([[True, True], [False, True]])
    x.t().masked_scatter_(x, torch.tensor([False, False, True, True]))
    print(x)
    every = torch.ones([5], dtype=torch.bool)
    y = torch.arange(6.)
    y[1:].masked_scatter_(every, y[:5])
    print(y)
    y = torch.arange(6.)
    y[:5].masked_scatter_(every, y[1:])
    print(y)
    x = torch.tensor([True, False, True])
    print(x.masked_fill_(x, False))


def too_few():
    # The element that is written makes its neighbour one that the mask chooses.
    x = torch.tensor([True, False, False])
    return x[1:].masked_scatter_(x[:-1], torch.tensor([True]))


def put():
    x = torch.tensor([2, 0, 1])
    return x.index_put_((x,), torch.tensor([0, 1, 2]))


def put_bools():
    x = torch.tensor([True, False, True])
    return x.index_put_((x,), torch.tensor([False, False]))


def put_shifted():
    x = torch.tensor([2, 0, 1, 0])
    return x[1:].index_put_((x[:-1],), torch.tensor([0, 1, 2]))


def filled_shifted():
    x = torch.tensor([True, False, True])
    return x[1:].masked_fill_(x[:-1], False)


def copied():
    x = torch.tensor([2, 0, 1])
    return x.index_copy_(0, x, torch.tensor([5, 6, 7]))


def sums():
    x = torch.tensor([9223372036854775807, 1, 5])
    pair = torch.stack([x, x])
    print((x.sum().item(), pair.sum(1)[1].item(), pair.sum(0).tolist()))
    y = torch.tensor([[9223372036854775807, 2], [3, 4]])
    print((y @ y).flatten().tolist())
    print(torch.addmm(y, y, y, beta=3, alpha=5).flatten().tolist())
    print(torch.outer(y[0], y[1]).flatten().tolist())


def frequencies():
    print(torch.fft.rfftfreq(-1))
    print(torch.fft.rfftfreq(-2))
    print(torch.fft.rfftfreq(0))


def most_frequencies():
    return torch.fft.fftfreq(9223372036854775807)


def most_real_frequencies():
    return torch.fft.rfftfreq(9223372036854775807)


def negative_frequencies():
    return torch.fft.fftfreq(-4)


def spectrum():
    return torch.ones([9, 5], dtype=torch.complex64)


def longest_signal():
    return torch.istft(spectrum(), 16, window=torch.ones([16]), length=9223372036854775807)


def signals():
    window = torch.ones([16])
    # A negative end counts from behind.
    print((torch.istft(spectrum(), 16, window=window, length=-9).shape,
           torch.istft(spectrum(), 16, window=window, center=False, length=-5).shape,
           torch.istft(spectrum(), 16, window=window, length=1000).shape))
    print(torch.stft(torch.ones([64]), 16, hop_length=9223372036854775807, return_complex=True).shape)


def empty_signal():
    return torch.istft(spectrum(), 16, window=torch.ones([16]), length=0)


def least_signal():
    return torch.istft(spectrum(), 16, window=torch.ones([16]), length=-9223372036854775807 - 1)


def complex_segments():
    return torch.segment_reduce(torch.ones([4], dtype=torch.complex64), "sum", lengths=torch.tensor([2, 2]))


def whole_segments():
    return torch.segment_reduce(torch.ones([4], dtype=torch.int64), "sum", lengths=torch.tensor([2, 2]))


def segments():
    return torch.segment_reduce(torch.arange(4.), "sum", lengths=torch.tensor([2, 2]))
