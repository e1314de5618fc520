# What the reduction of gradients costs beside backward(): the least and the middle of some turns, in milliseconds, without ranks'
# exchange, with one that goes on meanwhile, and with one afterwards.
#   mpirun -n 2 tsc-run --args '64, 11' utils/cluster/mpi/backward_cost.py
import torch
import torch.distributed as dist
from torch import Tensor
from torch.nn.parallel import DistributedDataParallel
from typing import List


def loss_of(weights: List[Tensor], x: Tensor) -> Tensor:
    for weight in weights:
        x = torch.relu(x @ weight)
    return x.square().mean()


def backward(ranks: DistributedDataParallel, weights: List[Tensor], x: Tensor, exchanges: bool) -> float:
    for weight in weights:
        torch.ops.tsc.set_gradient(weight, None)
    if exchanges:
        shards = ranks.shards()
    loss = loss_of(weights, x)
    dist.barrier()
    begin: int = torch.ops.prim.TimePoint()
    loss.backward()
    if exchanges:
        ranks.collect()
        ranks.reduce()
    end: int = torch.ops.prim.TimePoint()
    slowest = torch.tensor([end - begin])
    dist.all_reduce(slowest, dist.ReduceOp.MAX)
    return float(slowest) * 1e-6


def main(batch: int = 256, turns: int = 11, width: int = 808, layers: int = 4, only: str = ""):
    dist.init_process_group("mpi")
    torch.manual_seed(0)
    weights = [(torch.randn([width, width]) * (2.0 / width) ** 0.5).requires_grad_() for i in range(layers)]
    x = torch.randn([batch, width])
    during = DistributedDataParallel(weights)
    after = DistributedDataParallel(weights, overlap=False)
    times: List[List[float]] = [[], [], []]
    for turn in range(turns + 2):
        for i, name in enumerate(["without", "meanwhile", "afterwards"]):
            if only == "" or only == name:
                found = backward(during if i == 1 else after, weights, x, i > 0)
                if turn >= 2:  # code is made in the first turns
                    times[i].append(found)
    if dist.get_rank() == 0:
        megabytes = layers * width * width * 4 / 1e6
        print("%.1f MB of gradients, batch %d, %d ranks, ms" % (megabytes, batch, dist.get_world_size()))
        for i, name in enumerate(["without", "meanwhile", "afterwards"]):
            if len(times[i]) > 0:
                ordered = sorted(times[i])
                print("%-10s least %8.2f middle %8.2f" % (name, ordered[0], ordered[len(ordered) // 2]))
    dist.destroy_process_group()
