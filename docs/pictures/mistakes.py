# What mistakes.txt shows: a product with a list, and a name that is spelled wrong.
import torch
from torch import Tensor
from typing import List


def main(x: Tensor, weights: Tensor, sizes: List[int]) -> Tensor:
    hidden = torch.tanh(x.matmul(sizes))
    scores = torch.sofmax(x @ weights, 1)
    return hidden @ scores
