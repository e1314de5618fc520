# Every exchange of torch.distributed against its definition, for all dtypes. Each rank knows what all others begin with. The
# second argument is the device on which the tensors are, and the third one the backend.
import torch
import torch.distributed as dist
from torch import Tensor
from torch.distributed import ReduceOp
from typing import List


def is_complex(dtype: torch.dtype) -> bool:
    return torch.is_complex(torch.empty([0], dtype=dtype))


def is_floating(dtype: torch.dtype) -> bool:
    return torch.is_floating_point(torch.empty([0], dtype=dtype))


# What a rank begins with: small whole numbers, whose sums and products are exact in every dtype.
def on_host(rank: int, count: int, dtype: torch.dtype) -> Tensor:
    numbers = (torch.arange(count) * 3 + rank * 5) % 4 - 1
    if dtype == torch.uint8:
        numbers = numbers.abs()
    if dtype == torch.bool:
        return numbers > 0
    if is_complex(dtype):
        return torch.complex(numbers.to(torch.double), numbers.flip(0).to(torch.double)).to(dtype)
    return numbers.to(dtype)


def values(rank: int, count: int, dtype: torch.dtype, device: str) -> Tensor:
    return on_host(rank, count, dtype).to(device)


def combine(op: ReduceOp, all: List[Tensor]) -> Tensor:
    total = all[0]
    for other in all[1:]:
        if op == ReduceOp.SUM or op == ReduceOp.AVG:
            total = (total | other) if total.dtype == torch.bool else total + other
        elif op == ReduceOp.PRODUCT:
            total = (total & other) if total.dtype == torch.bool else total * other
        elif op == ReduceOp.MIN:
            total = (total & other) if total.dtype == torch.bool else torch.minimum(total, other)
        elif op == ReduceOp.MAX:
            total = (total | other) if total.dtype == torch.bool else torch.maximum(total, other)
        elif op == ReduceOp.BAND:
            total = total & other
        elif op == ReduceOp.BOR:
            total = total | other
        else:
            total = total ^ other
    return total / len(all) if op == ReduceOp.AVG else total


def ops_of(dtype: torch.dtype) -> List[ReduceOp]:
    ops = [ReduceOp.SUM, ReduceOp.PRODUCT]
    if is_floating(dtype) or is_complex(dtype):
        ops.append(ReduceOp.AVG)
    else:
        ops += [ReduceOp.BAND, ReduceOp.BOR, ReduceOp.BXOR]
    if not is_complex(dtype):
        ops += [ReduceOp.MIN, ReduceOp.MAX]
    return ops


def expect(found: Tensor, expected: Tensor, what: str) -> None:
    if found.dtype != expected.dtype or found.device != expected.device or not torch.equal(found, expected):
        raise ValueError(what + " of " + str(expected.dtype) + ": " + str(found) + " is not " + str(expected))


def check_reductions(dtype: torch.dtype, count: int, device: str) -> None:
    me, ranks = dist.get_rank(), dist.get_world_size()
    all = [values(rank, count * ranks, dtype, device) for rank in range(ranks)]
    for op in ops_of(dtype):
        expected = combine(op, all)
        x = all[me].clone()
        dist.all_reduce(x, op)
        expect(x, expected, "all_reduce " + op.value)
        x = all[me].clone()
        work = dist.all_reduce(x, op, async_op=True)
        work.wait()
        expect(x, expected, "all_reduce, in its time, " + op.value)
        x = all[me].clone()
        dist.reduce(x, ranks - 1, op)
        if me == ranks - 1:
            expect(x, expected, "reduce " + op.value)
        part = torch.zeros([count], dtype=dtype, device=device)
        dist.reduce_scatter_tensor(part, all[me], op)
        expect(part, expected[me * count:(me + 1) * count], "reduce_scatter_tensor " + op.value)
        dist.reduce_scatter(part, list(all[me].split(count)) if count > 0 else [part] * ranks, op)
        expect(part, expected[me * count:(me + 1) * count], "reduce_scatter " + op.value)
        expect(torch.ops._c10d_functional.all_reduce(all[me], op.value, "0"), expected, "functional all_reduce")


def check_moves(dtype: torch.dtype, count: int, device: str) -> None:
    me, ranks = dist.get_rank(), dist.get_world_size()
    all = [values(rank, count, dtype, device) for rank in range(ranks)]
    joined = torch.cat(all)
    x = all[me].clone()
    dist.broadcast(x, ranks - 1)
    expect(x, all[-1], "broadcast")
    found = [torch.zeros([count], dtype=dtype, device=device) for rank in range(ranks)]
    dist.all_gather(found, all[me])
    expect(torch.cat(found), joined, "all_gather")
    flat = torch.zeros([count * ranks], dtype=dtype, device=device)
    dist.all_gather_into_tensor(flat, all[me])
    expect(flat, joined, "all_gather_into_tensor")
    expect(torch.ops._c10d_functional.all_gather_into_tensor(all[me], ranks, "0"), joined, "functional all_gather")
    found = [torch.zeros([count], dtype=dtype, device=device) for rank in range(ranks)]
    dist.gather(all[me], found if me == 0 else None)
    if me == 0:
        expect(torch.cat(found), joined, "gather")
    x = torch.zeros([count], dtype=dtype, device=device)
    dist.scatter(x, all if me == 0 else None)
    expect(x, all[me], "scatter")
    # Rank r sends r + s + 1 elements to rank s.
    sent = [values(10 * me + rank, me + rank + 1, dtype, device) for rank in range(ranks)]
    expected = torch.cat([values(10 * rank + me, me + rank + 1, dtype, device) for rank in range(ranks)])
    parts = [torch.zeros([me + rank + 1], dtype=dtype, device=device) for rank in range(ranks)]
    dist.all_to_all(parts, sent)
    expect(torch.cat(parts), expected, "all_to_all")
    splits = [me + rank + 1 for rank in range(ranks)]
    out = torch.zeros([sum(splits)], dtype=dtype, device=device)
    dist.all_to_all_single(out, torch.cat(sent), splits, splits)
    expect(out, expected, "all_to_all_single")
    expect(torch.ops._c10d_functional.all_to_all_single(torch.cat(sent), splits, splits, "0"), expected,
           "functional all_to_all_single")


def check_messages(dtype: torch.dtype, count: int, device: str) -> None:
    me, ranks = dist.get_rank(), dist.get_world_size()
    if ranks == 1:
        return
    before, after = (me + ranks - 1) % ranks, (me + 1) % ranks
    first, second = torch.zeros([count], dtype=dtype, device=device), torch.zeros([count], dtype=dtype, device=device)
    works = [dist.irecv(first, before), dist.irecv(second, before, tag=3),
             dist.isend(values(me + 1, count, dtype, device), after, tag=3), dist.isend(values(me, count, dtype, device), after)]
    for work in works:
        work.wait()
    expect(first, values(before, count, dtype, device), "irecv")
    expect(second, values(before + 1, count, dtype, device), "irecv with a tag")
    dist.barrier()
    if me == 0:
        seen: List[int] = []
        for rank in range(1, ranks):
            x = torch.zeros([count], dtype=dtype, device=device)
            source = dist.recv(x)
            expect(x, values(source, count, dtype, device), "recv")
            seen.append(source)
        assert sorted(seen) == list(range(1, ranks)), str(seen)
    else:
        dist.send(values(me, count, dtype, device), 0)
    dist.barrier()


def check_groups(device: str) -> None:
    me, ranks = dist.get_rank(), dist.get_world_size()
    members = [rank for rank in range(ranks) if rank % 2 == 0][::-1]
    group = dist.new_group(members)
    assert group.rank() == (members.index(me) if me in members else -1)
    if me in members:
        x = torch.tensor([me], device=device)
        dist.all_reduce(x, group=group)
        assert int(x) == sum(members)
        x = torch.tensor([me], device=device)
        dist.broadcast(x, members[0], group)
        assert int(x) == members[0]
        assert dist.get_rank(group) == group.rank() and dist.get_process_group_ranks(group) == members
    dist.barrier()


def main(checked: bool = False, device: str = "cpu", backend: str = "mpi"):
    dist.init_process_group(backend, timeout=60.0, checked=checked)
    # Which dtype it is makes no difference to what is compared.
    dtypes = [torch.int64, torch.float] if checked else [
        torch.bool, torch.uint8, torch.int8, torch.int16, torch.int32, torch.int64, torch.half, torch.bfloat16, torch.float,
        torch.double, torch.cfloat, torch.cdouble]
    for dtype in dtypes:
        for count in [0, 1, 5, 3000]:
            if count < 3000 or dtype != torch.half and dtype != torch.bfloat16:
                check_reductions(dtype, count, device)
            check_moves(dtype, count, device)
            check_messages(dtype, count, device)
    check_groups(device)
    if dist.get_rank() == 0:
        print("all exchanges agree with %d ranks" % dist.get_world_size())
    dist.destroy_process_group()
