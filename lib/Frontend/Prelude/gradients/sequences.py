# Connectionist temporal classification (Graves et al., 2006).
import math
import torch
from torch import Tensor
from typing import List, Tuple


def ctc_symbols(targets: Tensor, lengths: List[int], is_packed: bool, blank: int) -> Tensor:
    """[batch, 2 * longest + 1]: the labels with blanks around them."""
    longest = 0
    for length in lengths:
        longest = max(longest, length)
    rows: List[Tensor] = []
    start = 0
    for b in range(len(lengths)):
        own = targets.narrow(0, start, lengths[b]) if is_packed else targets[b].narrow(0, 0, lengths[b])
        start += lengths[b]
        rows.append(torch.constant_pad_nd(own, [0, longest - lengths[b]], blank))
    labels = torch.stack(rows, 0)
    blanks = torch.full_like(labels, blank)
    return torch.cat([torch.stack([blanks, labels], 2).flatten(1), torch.full([len(lengths), 1], blank)], 1)


def ctc_step(now: Tensor, emitted: Tensor, may_skip: Tensor) -> Tensor:
    """One step of the lattice: a state is reached from itself, the one before, and behind another label the one before
    that. (Its sums stay finite, so that they have gradients.)"""
    never = -1e30
    count = now.size(1)
    before = torch.constant_pad_nd(now, [1, 0], never).narrow(1, 0, count)
    skipped = torch.where(may_skip, torch.constant_pad_nd(now, [2, 0], never).narrow(1, 0, count), never)
    return torch.clamp(torch.logaddexp(torch.logaddexp(now, before), skipped) + emitted, min=never)


def ctc_occupancy(emitted: Tensor, symbols: Tensor, input_lengths: List[int],
                  target_lengths: List[int]) -> Tuple[Tensor, Tensor]:
    """[steps, batch, states]: the probability of being in a state; and the logarithm of that of the targets."""
    never = -1e30
    steps, states = emitted.size(0), symbols.size(1)
    ends, wanted = torch.tensor(input_lengths).unsqueeze(1), torch.tensor(target_lengths).unsqueeze(1)
    state = torch.arange(states).unsqueeze(0)
    differs = torch.constant_pad_nd(symbols, [2, 0], -1).narrow(1, 0, states) != symbols
    # A blank is equal to the one before it.
    may_skip = differs & (state > 1)
    first = torch.where(state < 2, 0., never).to(emitted.dtype)
    last = torch.where((state == 2 * wanted) | (state == 2 * wanted - 1), 0., never).to(emitted.dtype)
    may_leave = torch.constant_pad_nd(may_skip.to(torch.long), [0, 2]).narrow(1, 2, states) == 1
    forth, back = torch.jit.annotate(List[Tensor], []), torch.jit.annotate(List[Tensor], [])
    alpha = first + emitted[0]
    for t in range(steps):
        if t > 0:
            alpha = ctc_step(alpha, emitted[t], may_skip)
        forth.append(alpha)
    beta = torch.full_like(last, never)
    for k in range(steps):
        t = steps - 1 - k
        came = ctc_step(beta.flip([1]), emitted[t].flip([1]), may_leave.flip([1])).flip([1])
        beta = torch.where(ends == t + 1, last + emitted[t], torch.where(ends > t + 1, came, never))
        back.append(beta)
    together = torch.stack(forth, 0) + torch.stack(back, 0).flip([0]) - emitted
    total = torch.logsumexp(together[0], [1])
    return torch.exp(torch.clamp(together - total.unsqueeze(1), min=never)), total


def ctc(grad: Tensor, log_probs: Tensor, targets: Tensor, input_lengths: List[int], target_lengths: List[int],
        blank: int, zero_infinity: bool) -> Tensor:
    """As if the logarithms came from log_softmax, which hands on what is left of a sum of 0: PyTorch's convention."""
    is_single = log_probs.dim() == 2
    logs = log_probs.unsqueeze(1) if is_single else log_probs
    if logs.numel() == 0:
        return torch.zeros_like(log_probs)
    labels = targets.to(torch.long)
    symbols = ctc_symbols(labels.reshape([1, -1]) if is_single else labels, target_lengths,
                          labels.dim() == 1 and not is_single, blank)
    places = symbols.unsqueeze(0).expand([logs.size(0), symbols.size(0), symbols.size(1)])
    emitted = torch.clamp(logs.gather(2, places), min=-1e30)
    occupancy, total = ctc_occupancy(emitted, symbols, input_lengths, target_lengths)
    found = torch.exp(logs) - torch.zeros_like(logs).scatter_add(2, places, occupancy)
    ends = torch.tensor(input_lengths).unsqueeze(0)
    is_during = torch.arange(logs.size(0)).unsqueeze(1) < ends
    is_impossible = ((total < -1e29) & (ends[0] > 0)).unsqueeze(1)
    found = found * grad.reshape([-1, 1])
    found = torch.where(is_impossible, 0. if zero_infinity else math.nan, found)
    found = torch.where(is_during.unsqueeze(2), found, 0.)
    return found.reshape(log_probs.size())


def ctc_loss(grad: Tensor, log_probs: Tensor, targets: Tensor, input_lengths: List[int], target_lengths: List[int],
             blank: int, reduction: int, zero_infinity: bool) -> Tensor:
    weights = torch.ones([len(target_lengths)], dtype=log_probs.dtype)
    if reduction == 1:
        weights = 1 / (torch.clamp(torch.tensor(target_lengths), min=1) * len(target_lengths)).to(log_probs.dtype)
    return ctc(grad * weights, log_probs, targets, input_lengths, target_lengths, blank, zero_infinity)
