# Losses of transducers and alignments, beside definitions that go over single points; results of the loop of filters are used.

# RUN: %all_modes tsc-run %s | FileCheck %s --match-full-lines
import torch
from torch import Tensor
from typing import Dict, List, Tuple


def cost(chances: Tensor, target: Tensor, times: int, count: int) -> Tensor:
    rows: List[List[Tensor]] = []
    for t in range(times):
        row: List[Tensor] = []
        for u in range(count + 1):
            ways: List[Tensor] = []
            if t == 0 and u == 0:
                ways.append(torch.zeros([], dtype=chances.dtype))
            if t > 0:
                ways.append(rows[t - 1][u] + chances[t - 1, u, 0])
            if u > 0:
                ways.append(row[u - 1] + chances[t, u - 1, int(target[u - 1])])
            row.append(torch.logsumexp(torch.stack(ways), 0))
        rows.append(row)
    return -(rows[times - 1][count] + chances[times - 1, count, 0])


def costs(logits: Tensor, targets: Tensor, times: List[int], counts: List[int], fused: bool) -> Tensor:
    chances = torch.log_softmax(logits, 3) if fused else logits
    return torch.stack([cost(chances[b], targets[b], times[b], counts[b]) for b in range(logits.size(0))])


def transducers(fused: bool, clamp: float) -> None:
    torch.manual_seed(3)
    logits = torch.randn([3, 4, 3, 5], dtype=torch.float64)
    targets, times, counts = torch.tensor([[1, 4], [2, 2], [3, 1]]), [4, 2, 1], [2, 1, 0]
    found, gradient = torch.ops.torchaudio.rnnt_loss_forward(logits, targets, torch.tensor(times), torch.tensor(counts), 0,
                                                             clamp, fused)
    one = torch.ops.torchaudio.rnnt_loss(logits, targets, torch.tensor(times), torch.tensor(counts), -5, clamp, fused)
    expected = costs(logits, targets, times, counts, fused)
    step = torch.zeros_like(logits)
    assert gradient is not None
    worst = 0.0
    for i in range(logits.numel()):  # by differences
        step.zero_()
        step.view(-1)[i] = 1e-6
        change = costs(logits + step, targets, times, counts, fused) - costs(logits - step, targets, times, counts, fused)
        slope = float(change.sum()) / 2e-6
        if clamp > 0:
            slope = min(max(slope, -clamp), clamp)
        worst = max(worst, abs(slope - float(gradient.view(-1)[i])))
    print(torch.allclose(found, expected), torch.equal(found, one), worst < 1e-7)


def best(chances: Tensor, target: List[int], t: int, at: int) -> float:
    """Of the ways from here on; state `at` is a blank where it is even."""
    here = float(chances[t, 0 if at % 2 == 0 else target[at // 2]])
    last = 2 * len(target)
    if t + 1 == chances.size(0):
        return here if at >= last - 1 else float("-inf")
    after = best(chances, target, t + 1, at)
    if at < last:
        after = max(after, best(chances, target, t + 1, at + 1))
    if at % 2 == 1 and at + 2 < last and target[at // 2] != target[at // 2 + 1]:
        after = max(after, best(chances, target, t + 1, at + 2))
    return here + after


def reading(path: List[int]) -> List[int]:
    found: List[int] = []
    before = 0
    for each in path:
        if each != before and each != 0:
            found.append(each)
        before = each
    return found


def alignments() -> None:
    torch.manual_seed(5)
    good = True
    for target in [[1], [1, 2], [2, 2], [3, 1, 1]]:
        for times in range(4, 7):
            chances = torch.log_softmax(torch.randn([1, times, 4]), 2)
            path, scores = torch.ops.torchaudio.forced_align(chances, torch.tensor([target]), torch.tensor([times]),
                                                             torch.tensor([len(target)]), 0)
            expected = max(best(chances[0], target, 0, 0), best(chances[0], target, 0, 1))
            names: List[int] = path[0].tolist()
            good = good and reading(names) == target and abs(float(scores.sum()) - expected) < 1e-5
    print(good)


def refusals() -> None:
    try:
        torch.ops.torchaudio.forced_align(torch.zeros([1, 2, 3]), torch.tensor([[1, 1]]), torch.tensor([2]), torch.tensor([2]), 0)
    except RuntimeError as e:
        print(e)
    try:
        torch.ops.torchaudio.rnnt_loss(torch.zeros([1, 2, 3, 4]), torch.tensor([[1]]), torch.tensor([2]), torch.tensor([1]), 0, 0.0)
    except RuntimeError as e:
        print(e)


def main():
    for fused in [True, False]:
        for clamp in [-1.0, 0.2]:
            transducers(fused, clamp)
    alignments()
    refusals()
    padded = torch.tensor([[[1.0, 0.0, 0.0]]])
    y = torch.ops.torchaudio._lfilter_core_loop(torch.tensor([[[1.0, 2.0]]]), torch.tensor([[0.5, 1.0]]), padded)
    print(y, padded)


if __name__ == "__main__":
    main()

# CHECK-COUNT-4:True True True
# CHECK-NEXT:True
# CHECK-NEXT:targets length is too long for CTC. Found log_probs length: 2, targets length: 2, and number of repeats: 1
# CHECK-NEXT:rnnt_loss: logits are of no elements, or not for one place more than targets have
# CHECK-NEXT:tensor([{{\[\[}}1.0000, 0.5000, 1.7500]]]) tensor([{{\[\[}}1.0000, 0.5000, 1.7500]]])
