# torch.distributed.nn.functional: exchanges that are differentiated. What is differentiated is the sum of what all ranks
# compute, and every rank goes backward through the same exchanges.
import torch
import torch.distributed as dist
from torch import Tensor
from torch.distributed import ProcessGroup, ReduceOp
from typing import List, Optional


def _name_of(group: Optional[ProcessGroup]) -> str:
    return "0" if group is None else group.group_name


def all_reduce(tensor: Tensor, op: ReduceOp = ReduceOp.SUM, group: Optional[ProcessGroup] = None) -> Tensor:
    return torch.ops._c10d_functional.all_reduce(tensor, op.value, _name_of(group))


def broadcast(tensor: Tensor, src: int, group: Optional[ProcessGroup] = None) -> Tensor:
    place = src if group is None else dist.get_group_rank(group, src)
    return torch.ops._c10d_functional.broadcast(tensor, place, _name_of(group))


def all_gather(tensor: Tensor, group: Optional[ProcessGroup] = None) -> List[Tensor]:
    size = dist.get_world_size(group)
    flat = torch.ops._c10d_functional.all_gather_into_tensor(tensor.unsqueeze(0), size, _name_of(group))
    return [flat[i] for i in range(size)]


def reduce_scatter(output: Tensor, input_list: List[Tensor], op: ReduceOp = ReduceOp.SUM,
                   group: Optional[ProcessGroup] = None) -> Tensor:
    size = dist.get_world_size(group)
    part = torch.ops._c10d_functional.reduce_scatter_tensor(torch.stack(input_list), op.value, size, _name_of(group))
    return part[0]


def all_to_all_single(output: Tensor, input: Tensor, output_split_sizes: Optional[List[int]] = None,
                      input_split_sizes: Optional[List[int]] = None,
                      group: Optional[ProcessGroup] = None) -> Tensor:
    taken: List[int] = [] if output_split_sizes is None else output_split_sizes
    given: List[int] = [] if input_split_sizes is None else input_split_sizes
    return torch.ops._c10d_functional.all_to_all_single(input, taken, given, _name_of(group))
