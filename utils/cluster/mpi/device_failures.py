# Ranks whose tensors are on GPUs, and what cannot be exchanged between them, by backend. The first argument says what is asked.
import torch
import torch.distributed as dist


def main(what: str, backend: str = "nccl", timeout: float = 60.0):
    dist.init_process_group(backend, timeout=timeout)
    me, ranks = dist.get_rank(), dist.get_world_size()
    last = me == ranks - 1
    x = torch.ones([3], device="cuda")
    if what == "absent": # a rank that never comes
        if last:
            dist.recv(x, 0)
        dist.all_reduce(x)
    if what == "processor":
        dist.all_reduce(torch.ones([3]))
    dist.all_reduce(x)
    assert bool((x == float(ranks)).all())
    if what == "sizes":
        dist.all_reduce(torch.ones([4 if last else 3], device="cuda"))
    elif what == "dtype":
        dist.all_reduce(torch.ones([3], device="cuda", dtype=torch.double if last else torch.float))
    elif what == "orders":
        if last:
            dist.broadcast(x, 0)
            dist.all_reduce(x)
        else:
            dist.all_reduce(x)
            dist.broadcast(x, 0)
    elif what == "mixed": # one rank has left its tensor on the processor
        dist.all_reduce(x.cpu() if last else x)
    elif what == "splits":
        given, taken = [2 if last and rank == 0 else 1 for rank in range(ranks)], [1] * ranks
        found = torch.zeros([ranks], device="cuda")
        dist.all_to_all_single(found, torch.ones([sum(given)], device="cuda"), taken, given)
        assert float(found.sum()) == ranks # a rank whose own parts fit is told when it reads what it got
    elif what == "raises":
        if last:
            raise ValueError("the batch is empty")
        dist.all_reduce(x)
    elif what == "bits":
        dist.all_reduce(torch.ones([3], dtype=torch.int32, device="cuda"), dist.ReduceOp.BXOR)
    elif what == "short":
        dist.all_reduce(torch.ones([3], dtype=torch.int16, device="cuda"), dist.ReduceOp.AVG if last else dist.ReduceOp.MAX)
    elif what == "late":
        if last:
            dist.recv(x, 0) # which nobody sends
        dist.all_reduce(x)
    elif what == "":
        copied = torch.full([2], 7.0, device="cuda") if me == 0 else torch.zeros([2], device="cuda")
        if me == 0 and ranks > 1:
            dist.send(copied, 1)
        elif me == 1:
            dist.recv(copied, 0)
        assert me > 1 or bool((copied == 7.0).all())
        y = torch.arange(6.0, device="cuda")
        dist.all_gather_into_tensor(torch.zeros([3 * ranks], device="cuda"), y[:3])
        both = torch.arange(2.0 * ranks, device="cuda") + 10 * me
        dist.reduce_scatter_tensor(both[1:3], both) # the result is a part of what is added
        for i in range(2):
            assert float(both[1 + i]) == 5.0 * ranks * (ranks - 1) + ranks * (2 * me + i), str(both)
        if me == 0:
            print("exchanges by %s agree with %d ranks" % (dist.get_backend(), ranks))
        dist.destroy_process_group()
        return
    print("rank", me, "came to the end")
