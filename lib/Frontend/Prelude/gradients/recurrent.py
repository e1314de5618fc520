# Recurrent networks and ragged batches.
import torch
from torch import Tensor
from typing import List, Optional, Tuple


def lstm_gates(grad_h: Optional[Tensor], grad_c: Optional[Tensor], input: Tensor, hx: List[Tensor], w_ih: Tensor,
               w_hh: Tensor, b_ih: Optional[Tensor], b_hh: Optional[Tensor]) -> Tuple[Tensor, Tensor]:
    """The gradients of the gates before their activations, and of the cell's state."""
    gates = torch.linear(input, w_ih, b_ih) + torch.linear(hx[0], w_hh, b_hh)
    i, f, g, o = gates.chunk(4, -1)
    i, f, g, o = torch.sigmoid(i), torch.sigmoid(f), torch.tanh(g), torch.sigmoid(o)
    t = torch.tanh(f * hx[1] + i * g)
    dh = grad_h if grad_h is not None else torch.zeros_like(t)
    dc = dh * o * (1 - t * t)
    if grad_c is not None:
        dc = dc + grad_c
    found = torch.cat([dc * g * i * (1 - i), dc * hx[1] * f * (1 - f), dc * i * (1 - g * g), dh * t * o * (1 - o)], -1)
    return found, dc * f


def gru_gates(grad: Tensor, input: Tensor, hx: Tensor, w_ih: Tensor, w_hh: Tensor, b_ih: Optional[Tensor],
              b_hh: Optional[Tensor]) -> Tuple[Tensor, Tensor, Tensor]:
    """The gradients of the two products, and of the state without its product."""
    reset, update, new = torch.linear(input, w_ih, b_ih).chunk(3, -1)
    hidden_reset, hidden_update, hidden_new = torch.linear(hx, w_hh, b_hh).chunk(3, -1)
    r, z = torch.sigmoid(reset + hidden_reset), torch.sigmoid(update + hidden_update)
    n = torch.tanh(new + r * hidden_new)
    dn = grad * (1 - z) * (1 - n * n)
    dr, dz = dn * hidden_new * r * (1 - r), grad * (hx - n) * z * (1 - z)
    return torch.cat([dr, dz, dn], -1), torch.cat([dr, dz, dn * r], -1), grad * z


def segments(grad: Tensor, data: Tensor, result: Tensor, reduce: str, lengths: Optional[Tensor],
             offsets: Optional[Tensor], axis: int, initial: Optional[number]) -> Tensor:
    """The gradient of reductions of runs along a dimension."""
    axis += data.dim() if axis < 0 else 0
    places = torch.arange(data.size(axis))
    if lengths is not None:
        ends = lengths.cumsum(-1)
        used = places >= 0
    else:
        assert offsets is not None
        ends = offsets.narrow(-1, 1, offsets.size(-1) - 1)
        used = places >= offsets.narrow(-1, 0, 1)
    count = ends.size(-1)
    if count == 0:
        return torch.zeros_like(data)
    segment = (places.unsqueeze(-1) >= ends.unsqueeze(-2)).sum(-1)
    used = used & (segment < count)
    segment = torch.clamp(segment, max=count - 1)
    for _ in range(data.dim() - axis - 1):
        segment, used = segment.unsqueeze(-1), used.unsqueeze(-1)
    segment, used = segment.expand(data.size()), used.expand(data.size())
    own = grad.gather(axis, segment)
    empty = torch.zeros_like(grad)
    if reduce == "mean":
        sizes = empty.scatter_add(axis, segment, used.to(grad.dtype))
        own = own / torch.clamp(sizes, min=1).gather(axis, segment)
    if reduce == "max" or reduce == "min":
        best = result.gather(axis, segment)
        chosen = (((data == best) | (torch.isnan(data) & torch.isnan(best))) & used).to(grad.dtype)
        ties = empty.scatter_add(axis, segment, chosen)
        own = own * chosen / torch.clamp(ties, min=1).gather(axis, segment)
    if reduce == "prod":
        isZero = (data == 0) & used
        filled = torch.where(isZero | ~used, 1., data)
        product = torch.scatter_reduce(torch.ones_like(grad), axis, segment, filled, "prod")
        zeros = empty.scatter_add(axis, segment, isZero.to(grad.dtype)).gather(axis, segment)
        others = product.gather(axis, segment) / filled
        own = own * torch.where(zeros > isZero.to(grad.dtype), 0., others) * (1 if initial is None else initial)
    return torch.where(used, own, 0.)


def packed(grad: Tensor, data: Tensor, lengths: Tensor, batch_first: bool) -> Tensor:
    assert int(lengths.sum()) == data.size(0), \
        "derivative for aten::_pad_packed_sequence of batches that are not the data's is not implemented"
    return torch._pack_padded_sequence(grad, lengths, batch_first)[0] if lengths.numel() > 0 else torch.zeros_like(data)
