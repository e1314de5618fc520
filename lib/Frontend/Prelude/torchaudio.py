# torchaudio's operators that archives of speech call: recursive filters, the loss of transducers, alignment.
import torch
import torch.nn.functional as F
from typing import List, Optional, Tuple
from torch import Tensor


# a[0] y[t] + a[1] y[t - 1] + ... = x[t], with a[0] = 1. The elements of a block depend on each other by a triangular
# matrix, whose inverse is the same for all blocks, and on the last elements of the block before: one product of all
# blocks, and a small one from each block to the next, in the place of a loop over time.

def _coefficients(a: Tensor, lags: Tensor) -> Tensor:
    last = a.size(1) - 1
    return torch.where((lags >= 0) & (lags <= last), a[:, lags.clamp(0, last)], torch.zeros([], dtype=a.dtype))


def _recursion(x: Tensor, a: Tensor, before: Tensor) -> Tensor:
    channels, rows, length = x.size(0), x.size(1), x.size(2)
    past = a.size(1) - 1
    if past == 0 or length == 0:
        return x.clone()
    size = max(min(length, 64), past)
    times, back = torch.arange(size).unsqueeze(1), torch.arange(past)
    wide = a.to(torch.float64)
    inverse = torch.linalg.solve_triangular(_coefficients(wide, times - torch.arange(size)),
                                            torch.eye(size, dtype=torch.float64).expand(channels, size, size), upper=False)
    carried = torch.matmul(inverse, _coefficients(wide, times + past - back)).neg()
    own, carried = inverse.transpose(1, 2).to(x.dtype), carried.transpose(1, 2).to(x.dtype)
    blocks = (length + size - 1) // size
    padded = F.pad(x, [0, blocks * size - length]).reshape(channels, rows * blocks, size)
    y = torch.matmul(padded, own).view(channels, rows, blocks, size)
    for i in range(blocks):
        block = y[:, :, i]
        block += torch.matmul(before, carried)
        before = block[:, :, size - past:]
    return y.reshape(channels, rows, blocks * size)[:, :, :length]


def _lfilter_core_loop(waveform: Tensor, a_coeff_flipped: Tensor, padded_output: Tensor) -> Tensor:
    past = a_coeff_flipped.size(1) - 1
    y = _recursion(waveform.transpose(0, 1), a_coeff_flipped.flip([1]), padded_output[:, :, :past].transpose(0, 1))
    padded_output[:, :, past:] = y.transpose(0, 1)
    return padded_output  # Traces go on with the result.


def _lfilter(waveform: Tensor, a_coeffs: Tensor, b_coeffs: Tensor) -> Tensor:
    first = a_coeffs[:, :1]
    past = a_coeffs.size(1) - 1
    x = F.conv1d(F.pad(waveform, [past, 0]), (b_coeffs / first).flip([1]).unsqueeze(1), groups=b_coeffs.size(0))
    before = torch.zeros([waveform.size(1), waveform.size(0), past], dtype=waveform.dtype)
    return _recursion(x.transpose(0, 1), a_coeffs / first, before).transpose(0, 1)


def _overdrive_core_loop(waveform: Tensor, temp: Tensor, last_in: Tensor, last_out: Tensor,
                         output_waveform: Tensor) -> Tuple[Tensor, Tensor, Tensor]:
    if waveform.size(-1) != 0:
        steps = torch.diff(temp, prepend=last_in.unsqueeze(1))
        leak = torch.tensor([[1.0, -0.995]], dtype=torch.float64)
        y = _recursion(steps.unsqueeze(0), leak, last_out.view(1, -1, 1))[0]
        output_waveform.copy_(waveform * 0.5 + y * 0.75)
        last_in.copy_(temp[:, -1])
        last_out.copy_(y[:, -1])
    return last_in, last_out, output_waveform


# The loss of transducers (Graves, 2012). A path goes from (0, 0) through a lattice of times and places in the target:
# a blank leads to the next time, a label to the next place, and the blank of the last point out of it. What is outside
# of a lattice has a probability of 0. All of an anti-diagonal, where time + place is the same, is computed at once.

def _diagonals(values: Tensor) -> Tensor:
    """Row n of the result has the elements of [batch, times, places] with time + place = n, by their place."""
    batch, times, places = values.size(0), values.size(1), values.size(2)
    low = torch.full([1], float("-inf"), dtype=values.dtype).expand([batch, places, places])
    lines = torch.cat([values, low], 1).transpose(1, 2).flatten(1)
    count = times + places - 1
    return lines[:, :places * count].reshape([batch, places, count]).transpose(1, 2)


def _from_diagonals(rows: List[Tensor], times: int) -> Tensor:
    stacked = torch.stack(rows, 1)
    batch, places = stacked.size(0), stacked.size(2)
    at = torch.arange(times).unsqueeze(1) + torch.arange(places)
    return stacked.gather(1, at.expand([batch, times, places]))


def _before(blanks: Tensor, labels: Tensor) -> Tensor:
    """The logarithm of the probability that a path comes to a point."""
    places = blanks.size(2)
    low = torch.full([blanks.size(0), 1], float("-inf"), dtype=blanks.dtype)
    here = torch.cat([torch.zeros_like(low), low.expand([-1, places - 1])], 1)
    rows = [here]
    across, up = _diagonals(blanks), _diagonals(labels)
    for n in range(blanks.size(1) + places - 2):
        here = torch.logaddexp(here + across[:, n], torch.cat([low, (here + up[:, n])[:, :-1]], 1))
        rows.append(here)
    return _from_diagonals(rows, blanks.size(1))


def _after(blanks: Tensor, labels: Tensor, out: Tensor) -> Tensor:
    """The logarithm of the probability that a path goes on from a point to the end, which `out` marks with a 0."""
    low = torch.full([blanks.size(0), 1], float("-inf"), dtype=blanks.dtype)
    here = low.expand([-1, blanks.size(2)])
    rows: List[Tensor] = []
    across, up, end = _diagonals(blanks), _diagonals(labels), _diagonals(out)
    count = blanks.size(1) + blanks.size(2) - 1
    for i in range(count):
        n = count - 1 - i
        onward = torch.logaddexp(here, end[:, n])
        here = torch.logaddexp(across[:, n] + onward, up[:, n] + torch.cat([here[:, 1:], low], 1))
        rows.append(here)
    rows.reverse()
    return _from_diagonals(rows, blanks.size(1))


def rnnt_loss_forward(logits: Tensor, targets: Tensor, logit_lengths: Tensor, target_lengths: Tensor, blank: int,
                      clamp: float, fused_log_softmax: bool = True) -> Tuple[Tensor, Optional[Tensor]]:
    if logits.dim() != 4 or targets.dim() != 2 or logit_lengths.dim() != 1 or target_lengths.dim() != 1:
        raise RuntimeError("rnnt_loss: logits have 4 dimensions (batch, time, target, class), targets 2, lengths 1")
    batch, times, places, classes = logits.size(0), logits.size(1), logits.size(2), logits.size(3)
    if targets.size(0) != batch or logit_lengths.size(0) != batch or target_lengths.size(0) != batch:
        raise RuntimeError("rnnt_loss: batch dimension mismatch between logits, targets and lengths")
    if blank < -classes or blank >= classes:
        raise RuntimeError("rnnt_loss: blank must be within [-logits.shape[-1], logits.shape[-1])")
    if batch == 0 or times == 0 or targets.size(1) + 1 != places:
        raise RuntimeError("rnnt_loss: logits are of no elements, or not for one place more than targets have")
    ends, lasts = logit_lengths.to(torch.int64).view(-1, 1, 1), target_lengths.to(torch.int64).view(-1, 1, 1)
    if int(ends.min()) < 1 or int(ends.max()) > times or int(lasts.min()) < 0 or int(lasts.max()) >= places:
        raise RuntimeError("rnnt_loss: lengths must be within logits")
    blank = blank + classes if blank < 0 else blank
    chances = torch.log_softmax(logits, 3, dtype=torch.float64) if fused_log_softmax else logits.to(torch.float64)
    words = F.pad(targets.to(torch.int64), [0, 1]).view(batch, 1, places, 1).expand([-1, times, -1, -1])
    time, place = torch.arange(times).view(1, -1, 1), torch.arange(places).view(1, 1, -1)
    inside = (time < ends) & (place <= lasts)
    low = torch.full([1, 1, 1], float("-inf"), dtype=torch.float64)
    blanks = torch.where(inside, chances[:, :, :, blank], low)
    labels = torch.where(inside & (place < lasts), chances.gather(3, words).squeeze(3), low)
    out = torch.where((time == ends - 1) & (place == lasts), torch.zeros_like(low), low)
    before, after = _before(blanks, labels), _after(blanks, labels, out)
    total = after[:, :1, :1]
    # How likely a path leaves a point by each step, and thus how likely it comes through the point.
    later = torch.logaddexp(F.pad(after, [0, 0, 0, 1], value=float("-inf"))[:, 1:], out)
    by_blank = torch.exp(before + blanks + later - total)
    by_label = torch.exp(before + labels + F.pad(after, [0, 1], value=float("-inf"))[:, :, 1:] - total)
    grad = torch.zeros_like(chances)
    if fused_log_softmax:
        grad = torch.exp(chances) * (by_blank + by_label).unsqueeze(3)
    grad[:, :, :, blank] -= by_blank
    grad.scatter_add_(3, words, -by_label.unsqueeze(3))
    if clamp > 0:
        grad = grad.clamp(-clamp, clamp)
    return -total.reshape([batch]).to(logits.dtype), grad.to(logits.dtype)


def rnnt_loss(logits: Tensor, targets: Tensor, logit_lengths: Tensor, target_lengths: Tensor, blank: int, clamp: float,
              fused_log_softmax: bool = True) -> Tensor:
    return rnnt_loss_forward(logits, targets, logit_lengths, target_lengths, blank, clamp, fused_log_softmax)[0]


# The likeliest way (Viterbi, 1967) to read a target: a blank, which may be left out between labels that differ, stands
# before each label and behind the last, and each of these states stays for one time or several.

def forced_align(log_probs: Tensor, targets: Tensor, input_lengths: Tensor, target_lengths: Tensor,
                 blank: int) -> Tuple[Tensor, Tensor]:
    if log_probs.dim() != 3 or targets.dim() != 2 or log_probs.size(0) != 1 or targets.size(0) != 1:
        raise RuntimeError("forced_align: log_probs have 3 dimensions, targets 2, and there is one batch of them")
    if input_lengths.numel() != 1 or target_lengths.numel() != 1:
        raise RuntimeError("forced_align: there is one batch, and one length of each")
    times, classes, count = log_probs.size(1), log_probs.size(2), targets.size(1)
    if blank < 0 or blank >= classes:
        raise RuntimeError("forced_align: blank must be within [0, num classes)")
    if int(input_lengths.max()) != times or int(target_lengths.max()) != count or times == 0:
        raise RuntimeError("forced_align: lengths must be those of log_probs and targets, and not 0")
    words = targets[0].to(torch.int64)
    if bool((words == blank).any()):
        raise RuntimeError("forced_align: targets tensor shouldn't contain the blank index {}.".format(blank))
    if bool(((words < 0) | (words >= classes)).any()):
        raise RuntimeError("forced_align: targets must be within [0, num classes)")
    repeats = int((words[1:] == words[:-1]).sum()) if count != 0 else 0
    if times < count + repeats:
        raise RuntimeError("targets length is too long for CTC. Found log_probs length: {}, targets length: {}, and "
                           "number of repeats: {}".format(times, count, repeats))
    size = 2 * count + 1
    states = torch.full([size], blank, dtype=torch.int64)
    states[1::2] = words
    low = torch.full([2], float("-inf"), dtype=log_probs.dtype)
    skips = torch.zeros([size], dtype=torch.bool)
    if count > 1:
        skips[3::2] = words[1:] != words[:-1]
    chances = log_probs[0].index_select(1, states)
    here = torch.cat([chances[0, :2], low[:1].expand(max(size - 2, 0))])
    steps = torch.zeros([times, size], dtype=torch.int64)
    for t in range(1, times):
        one = torch.cat([low[:1], here[:-1]])
        two = torch.where(skips, torch.cat([low, here])[:size], low[:1])
        best = torch.maximum(torch.maximum(here, one), two)
        steps[t] = torch.where((two > one) & (two > here), 2, torch.where(one > here, 1, 0))
        here = best + chances[t]
    state = size - 1
    if size > 1 and not bool(here[size - 1] > here[size - 2]):
        state = size - 2
    paths = torch.zeros([1, times], dtype=targets.dtype)
    ways: List[List[int]] = steps.tolist()
    names: List[int] = states.tolist()
    for i in range(times):
        t = times - 1 - i
        paths[0, t] = names[state]
        state -= ways[t][state]
    return paths, log_probs[0].gather(1, paths.to(torch.int64).view(-1, 1)).view(1, -1)
