# Losses.
import torch
from torch import Tensor
from typing import List, Optional, Tuple


def nll(grad: Tensor, self: Tensor, target: Tensor, weight: Optional[Tensor], reduction: int,
        ignore_index: int) -> Tensor:
    channel = 0 if self.dim() == 1 else 1
    if self.dim() == 1:
        target = target.reshape(torch.jit.annotate(List[int], []))
    used = (target != ignore_index)
    where = torch.where(used, target, torch.zeros_like(target)).unsqueeze(channel)
    weights = torch.ones_like(target).to(self.dtype)
    if weight is not None:
        weights = weight[where.squeeze(channel)]
    weights = weights * used.to(self.dtype)
    scale = grad / weights.sum() if reduction == 1 else grad
    return grad.new_zeros(self.size()).scatter(channel, where, (-weights * scale).reshape(where.size()))


def cross_entropy(grad: Tensor, self: Tensor, target: Tensor, weight: Optional[Tensor], reduction: int,
                  ignore_index: int, label_smoothing: float) -> Tensor:
    channel = 0 if self.dim() == 1 else 1
    if self.dim() == 1 and self.size() != target.size():
        target = target.reshape(torch.jit.annotate(List[int], []))
    classes = self.size(channel)
    shape = [1] * self.dim()
    shape[channel] = classes
    weights = weight.reshape(shape) if weight is not None else torch.ones(shape, dtype=self.dtype)
    if self.size() == target.size():
        wanted = target * (1 - label_smoothing) + label_smoothing / classes
        slope = wanted * weights
        count = torch.full([], float(self.numel() // max(classes, 1)), dtype=self.dtype)
    else:
        used = (target != ignore_index)
        where = torch.where(used, target, torch.zeros_like(target)).unsqueeze(channel)
        wanted = torch.zeros_like(self).scatter(channel, where, torch.ones_like(where).to(self.dtype))
        own = (wanted * weights)
        count = (own * used.unsqueeze(channel).to(self.dtype)).sum()
        slope = (own * (1 - label_smoothing) + weights * (label_smoothing / classes)) * used.unsqueeze(
            channel).to(self.dtype)
    scale = (grad / count if reduction == 1 else grad)
    if reduction == 0:
        scale = scale.unsqueeze(channel)
    return scale * (torch.softmax(self, channel) * slope.sum([channel], True) - slope)


def of_loss(grad: Tensor, slope: Tensor, weight: Optional[Tensor], reduction: int) -> Tensor:
    """By the slopes of the elements of what was weighted and reduced."""
    if weight is not None:
        slope = slope * weight
    found = grad * slope
    return found / found.numel() if reduction == 1 else found


def poisson_target(input: Tensor, target: Tensor, log_input: bool, full: bool, eps: float) -> Tensor:
    slope = -input if log_input else -torch.log(input + eps)
    if full:
        # NaN where the logarithm that is masked is not finite.
        stirling = torch.log(target) + 0.5 / target
        slope = slope + torch.where((target > 1) | (target <= 0), stirling, 0.)
    return slope.expand(torch._infer_size(input.size(), target.size()))


def cosine_embedding(grad: Tensor, self: Tensor, other: Tensor, target: Tensor, margin: float,
                     reduction: int) -> Tensor:
    dim = target.dim()
    dot = (self * other).sum([dim], True)
    square, length = (self * self).sum([dim], True) + 1e-12, (other * other).sum([dim], True) + 1e-12
    size = torch.sqrt(square * length)
    cosine = (dot / size).squeeze(dim)
    slope = torch.where(target == 1, -1., torch.where((target == -1) & (cosine > margin), 1., 0.)).type_as(self)
    by_cosine = of_loss(grad, slope.expand(torch._infer_size(slope.size(), cosine.size())), None, reduction)
    return by_cosine.unsqueeze(dim) * (other / size - dot / size * self / square)


def triplet(grad: Tensor, anchor: Tensor, positive: Tensor, negative: Tensor, margin: float, p: float, eps: float,
            swap: bool, reduction: int) -> Tuple[Tensor, Tensor, Tensor]:
    near, far = torch.pairwise_distance(anchor, positive, p, eps), torch.pairwise_distance(anchor, negative, p, eps)
    other = torch.pairwise_distance(positive, negative, p, eps)
    least = torch.minimum(far, other) if swap else far
    slope = of_loss(grad, (margin + near - least > 0).type_as(near), None, reduction)
    by_near = norm(slope.sum_to_size(near.size()), anchor - positive + eps, near, p, [-1], False)
    if not swap:
        by_far = norm(-slope.sum_to_size(far.size()), anchor - negative + eps, far, p, [-1], False)
        return summed(by_near, by_far, anchor), -by_near, -by_far
    by_far = norm((-slope * (far <= other)).sum_to_size(far.size()), anchor - negative + eps, far, p, [-1], False)
    by_other = norm((-slope * (far > other)).sum_to_size(other.size()), positive - negative + eps, other, p, [-1],
                    False)
    return summed(by_near, by_far, anchor), summed(by_other, -by_near, positive), summed(-by_far, -by_other, negative)


def cross_entropy_target(grad: Tensor, self: Tensor, target: Tensor, weight: Optional[Tensor], reduction: int,
                         label_smoothing: float) -> Tensor:
    """Of probabilities of classes."""
    channel = 0 if self.dim() == 1 else 1
    found = -torch.log_softmax(self, channel) * (1 - label_smoothing)
    if weight is not None:
        shape = [1] * self.dim()
        shape[channel] = self.size(channel)
        found = found * weight.reshape(shape)
    if reduction == 0:
        return found * grad.unsqueeze(channel)
    return found * grad / (self.numel() // max(self.size(channel), 1) if reduction == 1 else 1)


def multi_margin(grad: Tensor, self: Tensor, target: Tensor, p: number, margin: number, weight: Optional[Tensor],
                 reduction: int) -> Tensor:
    rows = self.reshape([-1, self.size(-1) if self.dim() > 0 else 1])
    wanted = target.to(torch.long).reshape([-1, 1])
    distance = margin - rows.gather(1, wanted) + rows
    slope = torch.where(distance > 0, 1., 0.).to(self.dtype) if p == 1 else 2 * torch.clamp(distance, min=0)
    slope = slope.scatter(1, wanted, 0.) / rows.size(1)
    if weight is not None:
        slope = slope * weight.reshape([-1])[wanted]
    slope = slope.scatter_add(1, wanted, -slope.sum(1, True))
    scale = grad.reshape([-1, 1]) if reduction == 0 else grad
    found = slope * scale
    if reduction == 1:
        found = found / rows.size(0)
    return found.reshape(self.size())


def multilabel_margin(grad: Tensor, self: Tensor, target: Tensor, reduction: int) -> Tensor:
    """Each wanted class against each that is not; what is wanted ends at the first -1."""
    classes = self.size(-1) if self.dim() > 0 else 1
    if self.numel() == 0:
        return torch.zeros_like(self)
    rows, targets = self.reshape([-1, classes]), target.reshape([-1, classes]).to(torch.long)
    used = torch.cumprod((targets >= 0).to(torch.long), 1) == 1
    places = torch.where(used, targets, torch.zeros_like(targets))
    counts = used.to(self.dtype)
    others = (torch.zeros_like(rows).scatter_add(1, places, counts) == 0).to(self.dtype)
    distance = 1 - rows.gather(1, places).unsqueeze(2) + rows.unsqueeze(1)
    slope = (distance > 0).to(self.dtype) * counts.unsqueeze(2) * others.unsqueeze(1) / classes
    found = slope.sum([1]).scatter_add(1, places, -slope.sum([2]))
    found = found * (grad.reshape([-1, 1]) if reduction == 0 else grad)
    if reduction == 1:
        found = found / rows.size(0)
    return found.reshape(self.size())
