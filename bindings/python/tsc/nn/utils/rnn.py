"""Functions of torch.nn.utils.rnn: sequences of several lengths as one tensor, from tsc's library."""

from ... import _prelude

_prelude.run(["nn_utils_rnn.py"], globals())
_pack_padded, _pack = pack_padded_sequence, pack_sequence  # noqa: F821  of the text


def pack_padded_sequence(input, lengths, batch_first=False, enforce_sorted=True):  # noqa: A002  torch's name
    """Packs padded sequences, [length, batch, …], of these lengths: a tensor or a list."""
    if not isinstance(lengths, Tensor):  # noqa: F821
        return _pack_padded_sequence_of_list(input, list(lengths), batch_first, enforce_sorted)  # noqa: F821
    return _pack_padded(input, lengths, batch_first, enforce_sorted)


def __dir__():
    return ["PackedSequence", "invert_permutation", "pack_padded_sequence", "pack_sequence", "pad_packed_sequence",
            "pad_sequence", "unpack_sequence", "unpad_sequence"]
