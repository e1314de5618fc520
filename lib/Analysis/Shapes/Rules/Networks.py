# Rules for shapes (see Sizes.py): layers of neural networks: windows, pooling, normalization, losses, recurrence.
import math
from typing import List, Optional, Tuple


# Windows.

def at_or_only(values: List[int], i: int) -> int:
    return values[0] if len(values) == 1 else values[i]


def convolution(input: List[int], weight: List[int], stride: List[int], padding: List[int], dilation: List[int], transposed: bool, output_padding: List[int], groups: int) -> List[int]:
    spatial = len(weight) - 2
    assert spatial > 0
    assert len(input) == spatial + 2 or len(input) == spatial + 1
    lead: List[int] = [input[0]] if len(input) == spatial + 2 else scalar()
    out: List[int] = []
    for i in range(spatial):
        size = input[len(input) - spatial + i]
        window = at_or_only(dilation, i) * (weight[i + 2] - 1)
        if transposed:
            extra = at_or_only(output_padding, i) if len(output_padding) > 0 else 0
            out.append((size - 1) * at_or_only(stride, i) - 2 * at_or_only(padding, i) + window + extra + 1)
        else:
            out.append((size + 2 * at_or_only(padding, i) - window - 1) // at_or_only(stride, i) + 1)
    return lead + [weight[1] * groups if transposed else weight[0]] + out


def convolution_mode(input: List[int], weight: List[int], stride: List[int], padding: str, dilation: List[int], groups: int) -> List[int]:
    if padding == "valid":
        return convolution(input, weight, stride, [0], dilation, False, scalar(), groups)
    spatial = len(weight) - 2
    return input[:len(input) - spatial - 1] + [weight[0]] + input[len(input) - spatial:]


def conv_tbc(sizes: List[int], weight: List[int], pad: int) -> List[int]:
    return [sizes[0] + 2 * pad - weight[0] + 1, sizes[1], weight[2]]


def pooled(size: int, kernel: int, stride: int, padding: int, dilation: int, ceil_mode: bool) -> int:
    span = size + 2 * padding - dilation * (kernel - 1) - 1
    if not ceil_mode:
        return span // stride + 1
    count = (span + stride - 1) // stride + 1
    # The last window must start inside the input or its left padding.
    if (count - 1) * stride >= size + padding:
        return count - 1
    return count


def pool(sizes: List[int], kernel_size: List[int], stride: List[int], padding: List[int], dilation: List[int], ceil_mode: bool) -> List[int]:
    spatial = len(kernel_size)
    steps = stride if len(stride) > 0 else kernel_size
    lead = sizes[:len(sizes) - spatial]
    return lead + [pooled(sizes[len(sizes) - spatial + i], kernel_size[i], at_or_only(steps, i), at_or_only(padding, i), at_or_only(dilation, i), ceil_mode) for i in range(spatial)]


# Pooling and resizing to sizes that are given.
def replace_trailing(sizes: List[int], output_size: List[int]) -> List[int]:
    assert len(sizes) > len(output_size)
    return sizes[:len(sizes) - len(output_size)] + output_size


def upsample(sizes: List[int], output_size: Optional[List[int]], scale_factors: Optional[List[float]]) -> List[int]:
    if output_size is not None:
        return replace_trailing(sizes, output_size)
    assert scale_factors is not None
    lead = len(sizes) - len(scale_factors)
    return sizes[:lead] + [int(math.floor(float(sizes[lead + i]) * scale_factors[i])) for i in range(len(scale_factors))]


def im2col(sizes: List[int], kernel_size: List[int], dilation: List[int], padding: List[int], stride: List[int]) -> List[int]:
    lead = sizes[:len(sizes) - 3]
    blocks = 1
    for i in range(2):
        blocks = blocks * pooled(sizes[len(sizes) - 2 + i], at_or_only(kernel_size, i), at_or_only(stride, i), at_or_only(padding, i), at_or_only(dilation, i), False)
    return lead + [sizes[len(sizes) - 3] * at_or_only(kernel_size, 0) * at_or_only(kernel_size, 1), blocks]


def col2im(sizes: List[int], output_size: List[int], kernel_size: List[int]) -> List[int]:
    lead = sizes[:len(sizes) - 2]
    return lead + [sizes[len(sizes) - 2] // (at_or_only(kernel_size, 0) * at_or_only(kernel_size, 1))] + output_size


def glu(sizes: List[int], dim: int) -> List[int]:
    at = wrap(dim, len(sizes))
    return replaced(sizes, at, sizes[at] // 2)


def pixel_shuffle(sizes: List[int], factor: int) -> List[int]:
    assert len(sizes) >= 3
    return sizes[:-3] + [sizes[-3] // (factor * factor), sizes[-2] * factor, sizes[-1] * factor]


def pixel_unshuffle(sizes: List[int], factor: int) -> List[int]:
    assert len(sizes) >= 3
    return sizes[:-3] + [sizes[-3] * factor * factor, sizes[-2] // factor, sizes[-1] // factor]


def grid_sampler(input: List[int], grid: List[int]) -> List[int]:
    return [input[0], input[1]] + grid[1:-1]


def affine_grid(theta: List[int], size: List[int]) -> List[int]:
    return [theta[0]] + size[2:] + [len(size) - 2]


# Normalization, losses, bags.

def batch_norm_stats(input: List[int], training: bool) -> List[int]:
    return [input[1]] if training else [0]


def native_layer_norm(input: List[int], normalized_shape: List[int]) -> Tuple[List[int], List[int], List[int]]:
    lead = len(input) - len(normalized_shape)
    stats = input[:lead] + [1 for size in normalized_shape]
    return input, stats, stats


def loss(input: List[int], target: List[int], reduction: int) -> List[int]:
    if reduction == 0:
        return broadcast_two(input, target)
    return scalar()


def weighted_loss(input: List[int], target: List[int], weight: Optional[List[int]], pos_weight: Optional[List[int]], reduction: int) -> List[int]:
    if reduction != 0:
        return scalar()
    out = broadcast_two(input, target)
    if weight is not None:
        out = broadcast_two(out, weight)
    if pos_weight is not None:
        out = broadcast_two(out, pos_weight)
    return out


def nll_loss(input: List[int], target: List[int], reduction: int) -> List[int]:
    if reduction == 0:
        return target
    return scalar()


# Targets are class numbers, or probabilities of the input's shape.
def cross_entropy(input: List[int], target: List[int], reduction: int) -> List[int]:
    if reduction != 0:
        return scalar()
    if len(input) == len(target):
        assert len(input) >= 2
        return without(input, 1)
    return target


def multilabel_loss(input: List[int], reduction: int) -> List[int]:
    if reduction == 0 and len(input) == 2:
        return [input[0]]
    return scalar()


def ctc_loss(log_probs: List[int], reduction: int) -> List[int]:
    if reduction != 0:
        return scalar()
    return [log_probs[1]] if len(log_probs) == 3 else scalar()


def embedding_bag(weight: List[int], indices: List[int], offsets: List[int], include_last_offset: bool) -> List[int]:
    if len(indices) == 2:
        return [indices[0], weight[1]]
    return [offsets[0] - 1 if include_last_offset else offsets[0], weight[1]]


# Recurrent networks. The last weight of a layer with projections has the size of what is carried; the hidden state
# shows it.

def rnn(input: List[int], hx: List[int], params: List[List[int]], num_layers: int, bidirectional: bool, batch_first: bool) -> Tuple[List[int], List[int]]:
    return input[:-1] + [hx[-1] * (2 if bidirectional else 1)], hx


def lstm(input: List[int], hx: List[List[int]], params: List[List[int]], num_layers: int, bidirectional: bool, batch_first: bool) -> Tuple[List[int], List[int], List[int]]:
    return input[:-1] + [hx[0][-1] * (2 if bidirectional else 1)], hx[0], hx[1]


def rnn_packed(data: List[int], hx: List[int], bidirectional: bool) -> Tuple[List[int], List[int]]:
    return [data[0], hx[-1] * (2 if bidirectional else 1)], hx


def lstm_packed(data: List[int], hx: List[List[int]], bidirectional: bool) -> Tuple[List[int], List[int], List[int]]:
    return [data[0], hx[0][-1] * (2 if bidirectional else 1)], hx[0], hx[1]


def lstm_cell(hx: List[List[int]]) -> Tuple[List[int], List[int]]:
    return hx[0], hx[1]


def pack_padded_sequence(input: List[int], batch_first: bool) -> Tuple[List[int], List[int]]:
    return [unknown()] + input[2:], [unknown()]


def pad_packed_sequence(data: List[int], batch_first: bool) -> Tuple[List[int], List[int]]:
    return [unknown(), unknown()] + data[1:], [unknown()]
