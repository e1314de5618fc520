# torch.nn.utils.rnn: sequences of several lengths as one tensor.
import torch
from typing import List, NamedTuple, Optional, Tuple
from torch import Tensor


class PackedSequence(NamedTuple):
    data: Tensor
    batch_sizes: Tensor
    sorted_indices: Optional[Tensor]
    unsorted_indices: Optional[Tensor]


def invert_permutation(permutation: Optional[Tensor]) -> Optional[Tensor]:
    if permutation is None:
        return None
    output = torch.empty_like(permutation)
    output.scatter_(0, permutation, torch.arange(0, permutation.numel(), device=permutation.device))
    return output


def pad_sequence(sequences: List[Tensor], batch_first: bool = False, padding_value: float = 0.0) -> Tensor:
    return torch.ops.aten.pad_sequence(sequences, batch_first, padding_value)


def unpad_sequence(padded_sequences: Tensor, lengths: Tensor, batch_first: bool = False) -> List[Tensor]:
    if not batch_first:
        padded_sequences = padded_sequences.transpose(0, 1)
    places = torch.arange(padded_sequences.size(1), device=lengths.device)
    sequences: List[Tensor] = []
    for i in range(padded_sequences.size(0)):
        sequences.append(padded_sequences[i][places < lengths[i]])
    return sequences


def pack_padded_sequence(input: Tensor, lengths: Tensor, batch_first: bool = False,
                         enforce_sorted: bool = True) -> PackedSequence:
    order: Optional[Tensor] = None
    if not enforce_sorted:
        lengths, indices = torch.sort(lengths, 0, True)
        order = indices.to(input.device)
        input = input.index_select(0 if batch_first else 1, order)
    data, batch_sizes = torch.ops.aten._pack_padded_sequence(input, lengths, batch_first)
    return PackedSequence(data, batch_sizes, order, invert_permutation(order))


def _pack_padded_sequence_of_list(input: Tensor, lengths: List[int], batch_first: bool = False,
                                  enforce_sorted: bool = True) -> PackedSequence:
    return pack_padded_sequence(input, torch.tensor(lengths, dtype=torch.int64), batch_first, enforce_sorted)


def pad_packed_sequence(sequence: PackedSequence, batch_first: bool = False, padding_value: float = 0.0,
                        total_length: Optional[int] = None) -> Tuple[Tensor, Tensor]:
    longest = sequence.batch_sizes.size(0)
    if total_length is not None:
        if total_length < longest:
            raise ValueError("Expected total_length to be at least the length of the longest sequence in input, but got "
                             "total_length=" + str(total_length) + " and max sequence length being " + str(longest))
        longest = total_length
    padded, lengths = torch.ops.aten._pad_packed_sequence(sequence.data, sequence.batch_sizes, batch_first, padding_value,
                                                          longest)
    unsorted = sequence.unsorted_indices
    if unsorted is not None:
        return padded.index_select(0 if batch_first else 1, unsorted), lengths[unsorted.cpu()]
    return padded, lengths


def pack_sequence(sequences: List[Tensor], enforce_sorted: bool = True) -> PackedSequence:
    lengths = torch.tensor([sequence.size(0) for sequence in sequences], dtype=torch.int64)
    return pack_padded_sequence(pad_sequence(sequences), lengths, False, enforce_sorted)


def unpack_sequence(packed_sequences: PackedSequence) -> List[Tensor]:
    padded, lengths = pad_packed_sequence(packed_sequences, True)
    return unpad_sequence(padded, lengths, True)
