# Tables of rows of bytes, each with a scale and a zero point: what EmbeddingPackedParamsBase holds is the table as a
# quantized tensor; older operators take it as one tensor of bytes whose rows end in their scale and offset.
import torch
import torch.nn.functional as F
from typing import List, Optional, Tuple
from torch import Tensor


class EmbeddingPackedParamsBase:
    version: int
    tensors: List[Tensor]
    doubles: List[float]
    longs: List[int]

    def __init__(self, version: int, tensors: List[Tensor], doubles: List[float], longs: List[int]):
        self.version = version
        self.tensors = tensors
        self.doubles = doubles
        self.longs = longs

    def unpack(self) -> Tensor:
        return self.tensors[0]

    def bit_rate(self) -> int:
        return self.longs[0]


def embedding_bag_prepack(weight: Tensor) -> EmbeddingPackedParamsBase:
    none: List[float] = []
    return EmbeddingPackedParamsBase(1, [weight], none, [8])


def embedding_bag_unpack(W_prepack: EmbeddingPackedParamsBase) -> Tensor:
    return W_prepack.tensors[0]


def embedding_byte(weight: EmbeddingPackedParamsBase, indices: Tensor, pruned_weights: bool = False) -> Tensor:
    table = weight.tensors[0]
    return torch.ops.tsc.quantized_rows(table, indices.reshape([-1])).view(indices.size() + [table.size(1)])


# Rows that were looked up already, in bags: mode 0 adds them, 1 is their mean, 2 their maximum. `offsets` is where each
# bag begins; without it the rows of a matrix of indices are the bags.

def _bags(rows: Tensor, indices: Tensor, offsets: Optional[Tensor], mode: int, per_sample_weights: Optional[Tensor],
          include_last_offset: bool) -> Tensor:
    if offsets is None:
        if indices.dim() != 2:
            raise RuntimeError("embedding_bag: indices of one dimension need offsets")
        offsets = torch.arange(0, indices.numel(), max(indices.size(1), 1))
        include_last_offset = False
    numbers = torch.arange(rows.size(0))
    weights = per_sample_weights
    if weights is not None:
        weights = weights.reshape([-1])
    return torch.embedding_bag(rows, numbers, offsets.to(torch.int64), False, mode, False, weights,
                               include_last_offset)[0]


def embedding_bag_byte(weight: EmbeddingPackedParamsBase, indices: Tensor, offsets: Optional[Tensor] = None,
                       scale_grad_by_freq: bool = False, mode: int = 0, pruned_weights: bool = False,
                       per_sample_weights: Optional[Tensor] = None,
                       compressed_indices_mapping: Optional[Tensor] = None,
                       include_last_offset: bool = False) -> Tensor:
    flat = _unpruned(indices.reshape([-1]), compressed_indices_mapping)
    rows = torch.ops.tsc.quantized_rows(weight.tensors[0], flat)
    return _bags(rows, indices, offsets, mode, per_sample_weights, include_last_offset)


# Rows of four bits keep their scale and offset as halves.

def _looked_up(table: Tensor, indices: Tensor) -> Tensor:
    scales = table.q_per_channel_scales().to(torch.float)
    offsets = -table.q_per_channel_zero_points().to(torch.float) * scales
    rows = torch.index_select(torch.int_repr(table), 0, indices.to(torch.int64)).to(torch.float)
    scales = torch.index_select(scales.to(torch.half).to(torch.float), 0, indices.to(torch.int64))
    offsets = torch.index_select(offsets.to(torch.half).to(torch.float), 0, indices.to(torch.int64))
    return rows * scales.unsqueeze(1) + offsets.unsqueeze(1)


def embedding_4bit(weight: EmbeddingPackedParamsBase, indices: Tensor, pruned_weights: bool = False) -> Tensor:
    table = weight.tensors[0]
    return _looked_up(table, indices.reshape([-1])).view(indices.size() + [table.size(1)])


def embedding_bag_4bit(weight: EmbeddingPackedParamsBase, indices: Tensor, offsets: Optional[Tensor] = None,
                       scale_grad_by_freq: bool = False, mode: int = 0, pruned_weights: bool = False,
                       per_sample_weights: Optional[Tensor] = None,
                       compressed_indices_mapping: Optional[Tensor] = None,
                       include_last_offset: bool = False) -> Tensor:
    rows = _looked_up(weight.tensors[0], _unpruned(indices.reshape([-1]), compressed_indices_mapping))
    return _bags(rows, indices, offsets, mode, per_sample_weights, include_last_offset)


# Where rows were taken out of a table, the mapping gives each index its row.

def _unpruned(indices: Tensor, mapping: Optional[Tensor]) -> Tensor:
    if mapping is None or mapping.numel() <= 1:
        return indices
    found = mapping.to(torch.int64)[indices.to(torch.int64)]
    if bool((found < 0).any().item()):
        raise RuntimeError("embedding_bag: rows that were pruned have no numbers here")
    return found


# Rows of bytes with a scale and an offset (real = byte * scale + offset) as float32 behind them.

def embedding_bag_byte_prepack(weight: Tensor) -> Tensor:
    low = weight.amin(-1, True)
    spread = weight.amax(-1, True) - low
    scale = spread / 255.0
    integers = torch.round((weight - low) * (255.0 / (spread + 1e-8))).to(torch.uint8)
    return torch.cat([integers, torch.cat([scale, low], -1).view(dtype=torch.uint8)], -1)


def _byte_rows(weight: Tensor) -> Tensor:
    width = weight.size(-1) - 8
    ends = weight.narrow(-1, width, 8).contiguous().view(dtype=torch.float32)
    return weight.narrow(-1, 0, width).to(torch.float32) * ends.narrow(-1, 0, 1) + ends.narrow(-1, 1, 1)


def embedding_bag_byte_unpack(weight: Tensor) -> Tensor:
    return _byte_rows(weight)


def embedding_bag_byte_rowwise_offsets(weight: Tensor, indices: Tensor, offsets: Optional[Tensor] = None,
                                       scale_grad_by_freq: bool = False, mode: int = 0, pruned_weights: bool = False,
                                       per_sample_weights: Optional[Tensor] = None,
                                       compressed_indices_mapping: Optional[Tensor] = None,
                                       include_last_offset: bool = False) -> Tensor:
    flat = _unpruned(indices.reshape([-1]), compressed_indices_mapping)
    rows = _byte_rows(weight.index_select(0, flat))
    return _bags(rows, indices, offsets, mode, per_sample_weights, include_last_offset)


# Two numbers in a byte, the first one in its low half, with a scale and an offset as float16 behind the row.

def embedding_bag_4bit_prepack(weight: Tensor, optimized_qparams: bool = False, nbins: int = 200,
                               ratio: float = 0.16) -> Tensor:
    if optimized_qparams:
        raise RuntimeError("embedding_bag_4bit_prepack: optimized_qparams is not supported")
    low = weight.amin(-1, True).to(torch.float16)
    offset = low.to(torch.float32)
    spread = weight.amax(-1, True) - offset
    scale = torch.where(spread == 0, torch.ones_like(spread), spread / 15.0).to(torch.float16)
    used = scale.to(torch.float32)
    used = torch.where(used == 0, torch.ones_like(used), used)
    integers = torch.clamp(torch.round((weight - offset) * (1.0 / used)), 0, 15).to(torch.int32)
    if weight.size(-1) % 2 != 0:
        integers = F.pad(integers, [0, 1])
    pairs = integers.view(integers.size()[:-1] + [-1, 2])
    bytes = (pairs.select(-1, 0) + pairs.select(-1, 1) * 16).to(torch.uint8)
    return torch.cat([bytes, torch.cat([scale, low], -1).view(dtype=torch.uint8)], -1)


def _nibble_rows(weight: Tensor) -> Tensor:
    width = weight.size(-1) - 4
    ends = weight.narrow(-1, width, 4).contiguous().view(dtype=torch.float16).to(torch.float32)
    bytes = weight.narrow(-1, 0, width).to(torch.int32)
    integers = torch.stack([bytes % 16, torch.div(bytes, 16, rounding_mode="floor")], -1).flatten(-2)
    return integers.to(torch.float32) * ends.narrow(-1, 0, 1) + ends.narrow(-1, 1, 1)


def embedding_bag_4bit_unpack(weight: Tensor) -> Tensor:
    return _nibble_rows(weight)


def embedding_bag_4bit_rowwise_offsets(weight: Tensor, indices: Tensor, offsets: Optional[Tensor] = None,
                                       scale_grad_by_freq: bool = False, mode: int = 0, pruned_weights: bool = False,
                                       per_sample_weights: Optional[Tensor] = None,
                                       compressed_indices_mapping: Optional[Tensor] = None,
                                       include_last_offset: bool = False) -> Tensor:
    flat = _unpruned(indices.reshape([-1]), compressed_indices_mapping)
    rows = _nibble_rows(weight.index_select(0, flat))
    return _bags(rows, indices, offsets, mode, per_sample_weights, include_last_offset)
