"""Operators of current torch's that tsc lacks, by what they compute. A trace calls these functions, compiled, in their place."""

from typing import List, Optional

import torch
from torch import Tensor


def _grouped_mm(self: Tensor, mat2: Tensor, offs: Optional[Tensor] = None, bias: Optional[Tensor] = None,
                out_dtype: Optional[int] = None) -> Tensor:
    # Products of groups: offs has where each group's rows of self end, or its columns of mat2, or those of the sum.
    assert bias is None, "Bias not supported yet"
    assert self.dtype == mat2.dtype, "Expected mat_a and mat_b to have the same dtype"
    assert out_dtype is None or out_dtype == self.dtype, "Grouped gemm output dtype must match `mat_a` dtype"
    if offs is None:
        assert self.dim() == 3 and mat2.dim() == 3, "Have to provide offsets if there is a 2d matrix"
        return torch.bmm(self, mat2)
    has_groups = self.dim() == 3 or mat2.dim() == 3
    assert self.dim() == 2 or mat2.dim() == 2, "Have to provide no offset if both matrices are 3d"
    ends: List[int] = offs.to(torch.int64).tolist()
    if has_groups:
        groups = self.size(0) if self.dim() == 3 else mat2.size(0)
        assert len(ends) == groups, "matrix batch sizes have to match"
    extent = mat2.size(1) if self.dim() == 3 else self.size(-2) if mat2.dim() == 3 else self.size(1)
    parts: List[Tensor] = []
    start = 0
    for group in range(len(ends)):
        end = ends[group]
        assert start <= end and end <= extent, "offsets of groups have to ascend, up to what is divided"
        if self.dim() == 3:
            parts.append(torch.mm(self[group], mat2[:, start:end]))
        elif mat2.dim() == 3:
            parts.append(torch.mm(self[start:end], mat2[group]))
        else:
            parts.append(torch.mm(self[:, start:end], mat2[start:end]))
        start = end
    if not has_groups:
        return torch.stack(parts)
    if self.dim() == 3:  # what belongs to no group is zero
        parts.append(torch.zeros([self.size(1), extent - start], dtype=self.dtype))
        return torch.cat(parts, 1)
    parts.append(torch.zeros([extent - start, mat2.size(2)], dtype=self.dtype))
    return torch.cat(parts)


_FUNCTIONS = {"aten::_grouped_mm": _grouped_mm}
_compiled = {}


def definition_of(name):
    """Returns the compiled function that computes what an operator does, or None."""
    from ._functions import script
    if name in _FUNCTIONS and name not in _compiled:
        _compiled[name] = script(_FUNCTIONS[name])
    return _compiled.get(name)
