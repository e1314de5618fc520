# Ranks that do different things, fail, or never come. The first argument says which.
import torch
import torch.distributed as dist
from pathlib import Path


def main(what: str, path: str = ""):
    dist.init_process_group("mpi", timeout=2.0 if what == "late" else 60.0, checked=what == "checked")
    me, ranks = dist.get_rank(), dist.get_world_size()
    x = torch.ones([3])
    dist.all_reduce(x)
    last = me == ranks - 1
    if what == "sizes" or what == "checked":
        dist.all_reduce(torch.ones([4 if last else 3]))
    elif what == "orders":
        if last:
            dist.broadcast(x, 0)
            dist.all_reduce(x)
        else:
            dist.all_reduce(x)
            dist.broadcast(x, 0)
    elif what == "raises":
        if last:
            raise ValueError("the batch is empty")
        dist.all_reduce(x)
    elif what == "late":
        if last:
            dist.recv(x, 0) # which nobody sends
        dist.all_reduce(x)
    elif what == "killed":
        if me == 0:
            Path(path).write_text("ready")
        while True:
            dist.all_reduce(x)
    elif what == "dtype":
        dist.all_reduce(torch.ones([3], dtype=torch.double if last else torch.float))
    print("rank", me, "came to the end")
