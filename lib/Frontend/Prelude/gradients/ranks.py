# Exchanges between ranks. What is differentiated is the sum of what all ranks compute.
import torch
from torch import Tensor
from typing import List


def _linear(reduce_op: str) -> None:
    if reduce_op != "sum" and reduce_op != "avg":
        raise NotImplementedError("the gradient of elements that ranks combine by '" + reduce_op
                                  + "' is not implemented: only 'sum' and 'avg' have one")


def all_reduced(grad: Tensor, reduce_op: str, group: str) -> Tensor:
    _linear(reduce_op)
    return torch.ops._c10d_functional.all_reduce(grad, reduce_op, group)


def all_gathered(grad: Tensor, size: int, group: str) -> Tensor:
    return torch.ops._c10d_functional.reduce_scatter_tensor(grad, "sum", size, group)


def reduce_scattered(grad: Tensor, reduce_op: str, size: int, group: str) -> Tensor:
    _linear(reduce_op)
    gathered = torch.ops._c10d_functional.all_gather_into_tensor(grad, size, group)
    return gathered / size if reduce_op == "avg" else gathered


def sent_to_all(grad: Tensor, output_split_sizes: List[int], input_split_sizes: List[int], group: str) -> Tensor:
    return torch.ops._c10d_functional.all_to_all_single(grad, input_split_sizes, output_split_sizes, group)


def broadcasted(grad: Tensor, src: int, group: str) -> Tensor:
    total = torch.ops._c10d_functional.all_reduce(grad, "sum", group)
    ranks: List[int] = torch.ops.tsc.ranks_of(group)
    return total if ranks[0] == src else torch.zeros_like(total)
