# torch.distributed: ranks that exchange tensors. Ranks are numbered as in PyTorch, by their place in the group of all,
# also where a smaller group is named. What a function starts goes on while the program does until its Work is waited for.
import torch
from enum import Enum
from torch import Tensor
from typing import List, Optional


class ReduceOp(Enum):
    SUM = "sum"
    AVG = "avg"
    PRODUCT = "product"
    MIN = "min"
    MAX = "max"
    BAND = "band"
    BOR = "bor"
    BXOR = "bxor"


class ProcessGroup:
    def __init__(self, name: str) -> None:
        self.group_name = name

    def rank(self) -> int:
        return _ranks_of(self.group_name)[0]

    def size(self) -> int:
        return len(_ranks_of(self.group_name)) - 1


class Work:
    """An exchange that was started. Its tensors must not be touched before wait()"""
    def __init__(self, number: int, flat: Tensor, parts: List[Tensor]) -> None:
        self.number = number
        self.flat = flat
        self.parts = parts
        self.sender = -1

    def wait(self) -> bool:
        if self.number >= 0:
            self.sender = torch.ops.tsc.finish_collective(self.number, self.flat)
            self.number = -1
            begin = 0
            for part in self.parts:
                part.copy_(self.flat[begin:begin + part.numel()].view_as(part))
                begin += part.numel()
        return True

    def is_completed(self) -> bool:
        return self.number < 0 or torch.ops.tsc.is_finished(self.number)


def _ranks_of(name: str) -> List[int]:
    ranks: List[int] = torch.ops.tsc.ranks_of(name)
    if len(ranks) == 0:
        raise ValueError("Default process group has not been initialized, please make sure to call init_process_group.")
    return ranks


def _name_of(group: Optional[ProcessGroup]) -> str:
    return "0" if group is None else group.group_name


def _place_of(name: str, rank: int) -> int:
    ranks = _ranks_of(name)
    for i in range(1, len(ranks)):
        if ranks[i] == rank:
            return i - 1
    raise ValueError("Global rank " + str(rank) + " is not part of group " + name)


# `output` receives; where `input` is missing, it is what is sent, too.
def _start(call: str, output: Tensor, input: Optional[Tensor], peer: int, tag: int, op: str, splits: List[int],
           group: Optional[ProcessGroup], parts: List[Tensor], async_op: bool) -> Work:
    name = _name_of(group)
    if _ranks_of(name)[0] < 0:
        return Work(-1, output, parts)
    flat = output.detach()
    sent: List[Tensor] = [] if input is None else [input.detach()]
    work = Work(torch.ops.tsc.start_collective(call, flat, sent, peer, tag, op, splits, name), flat, parts)
    if not async_op:
        work.wait()
    return work


def is_available() -> bool:
    return True


def is_initialized() -> bool:
    return len(torch.ops.tsc.ranks_of("0")) > 0


# `timeout` is in seconds. `checked`: before each exchange, ranks compare what they are about to do.
def init_process_group(backend: str = "mpi", init_method: Optional[str] = None, timeout: float = 1800.0,
                       world_size: int = -1, rank: int = -1, checked: bool = False) -> None:
    torch.ops.tsc.init_ranks(backend, init_method, timeout, checked)
    ranks = _ranks_of("0")
    if world_size >= 0 and world_size != len(ranks) - 1:
        raise ValueError("world_size is " + str(world_size) + ", but there are " + str(len(ranks) - 1) + " ranks")
    if rank >= 0 and rank != ranks[0]:
        raise ValueError("rank is " + str(rank) + ", but this is rank " + str(ranks[0]))


def destroy_process_group() -> None:
    torch.ops.tsc.end_ranks()


def get_backend(group: Optional[ProcessGroup] = None) -> str:
    _ranks_of(_name_of(group))
    return "nccl" if len(torch.ops.tsc.ranks_of("nccl")) > 0 else "mpi"


def get_rank(group: Optional[ProcessGroup] = None) -> int:
    return _ranks_of(_name_of(group))[0]


def get_world_size(group: Optional[ProcessGroup] = None) -> int:
    ranks = _ranks_of(_name_of(group))
    return len(ranks) - 1 if ranks[0] >= 0 else -1


def get_process_group_ranks(group: Optional[ProcessGroup]) -> List[int]:
    return _ranks_of(_name_of(group))[1:]


def get_group_rank(group: ProcessGroup, global_rank: int) -> int:
    return _place_of(group.group_name, global_rank)


def get_global_rank(group: ProcessGroup, group_rank: int) -> int:
    return _ranks_of(group.group_name)[1 + group_rank]


def new_group(ranks: Optional[List[int]] = None) -> ProcessGroup:
    return ProcessGroup(torch.ops.tsc.new_ranks(ranks if ranks is not None else _ranks_of("0")[1:]))


def barrier(group: Optional[ProcessGroup] = None, async_op: bool = False) -> Work:
    return _start("barrier", torch.empty([0]), None, 0, 0, "", [], group, [], async_op)


def all_reduce(tensor: Tensor, op: ReduceOp = ReduceOp.SUM, group: Optional[ProcessGroup] = None,
               async_op: bool = False) -> Work:
    return _start("all_reduce", tensor, None, 0, 0, op.value, [], group, [], async_op)


def reduce(tensor: Tensor, dst: int, op: ReduceOp = ReduceOp.SUM, group: Optional[ProcessGroup] = None,
           async_op: bool = False) -> Work:
    return _start("reduce", tensor, None, _place_of(_name_of(group), dst), 0, op.value, [], group, [], async_op)


def broadcast(tensor: Tensor, src: int, group: Optional[ProcessGroup] = None, async_op: bool = False) -> Work:
    return _start("broadcast", tensor, None, _place_of(_name_of(group), src), 0, "", [], group, [], async_op)


def _flat(tensors: List[Tensor]) -> Tensor:
    return torch.cat([tensor.detach().flatten() for tensor in tensors])


def _space(tensors: List[Tensor], like: Tensor) -> Tensor:
    count = 0
    for tensor in tensors:
        count += tensor.numel()
    return torch.empty([count], dtype=like.dtype, device=like.device)


def all_gather(tensor_list: List[Tensor], tensor: Tensor, group: Optional[ProcessGroup] = None,
               async_op: bool = False) -> Work:
    return _start("all_gather", _space(tensor_list, tensor), tensor, 0, 0, "", [], group, tensor_list, async_op)


def all_gather_into_tensor(output_tensor: Tensor, input_tensor: Tensor, group: Optional[ProcessGroup] = None,
                           async_op: bool = False) -> Work:
    return _start("all_gather", output_tensor, input_tensor, 0, 0, "", [], group, [], async_op)


def reduce_scatter(output: Tensor, input_list: List[Tensor], op: ReduceOp = ReduceOp.SUM,
                   group: Optional[ProcessGroup] = None, async_op: bool = False) -> Work:
    return _start("reduce_scatter", output, _flat(input_list), 0, 0, op.value, [], group, [], async_op)


def reduce_scatter_tensor(output: Tensor, input: Tensor, op: ReduceOp = ReduceOp.SUM,
                          group: Optional[ProcessGroup] = None, async_op: bool = False) -> Work:
    return _start("reduce_scatter", output, input, 0, 0, op.value, [], group, [], async_op)


def all_to_all(output_tensor_list: List[Tensor], input_tensor_list: List[Tensor],
               group: Optional[ProcessGroup] = None, async_op: bool = False) -> Work:
    sent = _flat(input_tensor_list)
    splits = [tensor.numel() for tensor in output_tensor_list] + [tensor.numel() for tensor in input_tensor_list]
    return _start("all_to_all", _space(output_tensor_list, sent), sent, 0, 0, "", splits, group, output_tensor_list,
                  async_op)


def _counts(tensor: Tensor, sizes: Optional[List[int]], ranks: int) -> List[int]:
    """How many elements each rank gets, of rows that are divided as `sizes` say, or evenly"""
    rows = tensor.size(0)
    row = tensor.numel() // rows if rows > 0 else 0
    if sizes is None or len(sizes) == 0:
        if rows % ranks != 0:
            raise ValueError("Tensor's dim 0 does not divide equally across group size")
        return [rows // ranks * row for i in range(ranks)]
    if sum(sizes) != rows:
        raise ValueError("Split sizes doesn't match total dim 0 size")
    return [size * row for size in sizes]


def all_to_all_single(output: Tensor, input: Tensor, output_split_sizes: Optional[List[int]] = None,
                      input_split_sizes: Optional[List[int]] = None, group: Optional[ProcessGroup] = None,
                      async_op: bool = False) -> Work:
    ranks = len(_ranks_of(_name_of(group))) - 1
    splits = _counts(output, output_split_sizes, ranks) + _counts(input, input_split_sizes, ranks)
    return _start("all_to_all", output, input, 0, 0, "", splits, group, [], async_op)


def gather(tensor: Tensor, gather_list: Optional[List[Tensor]] = None, dst: int = 0,
           group: Optional[ProcessGroup] = None, async_op: bool = False) -> Work:
    parts: List[Tensor] = [] if gather_list is None else gather_list
    return _start("gather", _space(parts, tensor), tensor, _place_of(_name_of(group), dst), 0, "", [], group, parts,
                  async_op)


def scatter(tensor: Tensor, scatter_list: Optional[List[Tensor]] = None, src: int = 0,
            group: Optional[ProcessGroup] = None, async_op: bool = False) -> Work:
    parts: List[Tensor] = [] if scatter_list is None else scatter_list
    sent = _flat(parts) if len(parts) > 0 else torch.empty([0], dtype=tensor.dtype, device=tensor.device)
    return _start("scatter", tensor, sent, _place_of(_name_of(group), src), 0, "", [], group, [], async_op)


def isend(tensor: Tensor, dst: int, group: Optional[ProcessGroup] = None, tag: int = 0) -> Work:
    return _start("send", tensor, None, _place_of(_name_of(group), dst), tag, "", [], group, [], True)


def irecv(tensor: Tensor, src: Optional[int] = None, group: Optional[ProcessGroup] = None, tag: int = 0) -> Work:
    place = -1 if src is None else _place_of(_name_of(group), src)
    return _start("recv", tensor, None, place, tag, "", [], group, [], True)


def send(tensor: Tensor, dst: int, group: Optional[ProcessGroup] = None, tag: int = 0) -> None:
    isend(tensor, dst, group, tag).wait()


def recv(tensor: Tensor, src: Optional[int] = None, group: Optional[ProcessGroup] = None, tag: int = 0) -> int:
    work = irecv(tensor, src, group, tag)
    work.wait()
    return -1 if work.sender < 0 else _ranks_of(_name_of(group))[1 + work.sender]
