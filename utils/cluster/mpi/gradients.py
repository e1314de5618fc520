# Gradients of exchanges against central differences. What is differentiated is the sum over all ranks of each rank's weighted
# result: one element of one rank at a time is moved, and all ranks compute. The arguments are the
# device of the tensors and the backend.
import torch
import torch.distributed as dist
import torch.distributed.nn.functional as nnf
from torch import Tensor


def result(name: str, x: Tensor) -> Tensor:
    ranks = dist.get_world_size()
    if name == "all_reduce":
        return nnf.all_reduce(x)
    if name == "all_reduce avg":
        return torch.ops._c10d_functional.wait_tensor(torch.ops._c10d_functional.all_reduce(x * x, "avg", "0"))
    if name == "in place":
        y = x * 2.0
        torch.ops._c10d_functional.all_reduce_(y, "sum", "0")
        return y.sin()
    if name == "all_gather":
        return torch.ops._c10d_functional.all_gather_into_tensor(x.exp(), ranks, "0")
    if name == "all_gather of a list":
        return torch.stack(nnf.all_gather(x))
    if name == "reduce_scatter":
        return torch.ops._c10d_functional.reduce_scatter_tensor(x, "sum", ranks, "0")
    if name == "reduce_scatter avg":
        return torch.ops._c10d_functional.reduce_scatter_tensor(x, "avg", ranks, "0")
    if name == "all_to_all":
        return torch.ops._c10d_functional.all_to_all_single(x, [], [], "0")
    if name == "broadcast":
        return nnf.broadcast(x, ranks - 1) * x
    if name == "coalesced":
        parts = torch.ops._c10d_functional.all_reduce_coalesced([x, x * x], "sum", "0")
        return parts[0] * parts[1]
    raise ValueError(name)


def objective(name: str, x: Tensor) -> Tensor:
    y = result(name, x)
    weights = torch.cos(torch.arange(y.numel(), device=y.device).to(torch.double) * (dist.get_rank() + 1.0)).view_as(y)
    return (y * weights).sum()


def check(name: str, device: str) -> None:
    me, ranks = dist.get_rank(), dist.get_world_size()
    x = torch.sin(torch.arange(2 * ranks).to(torch.double) * 1.7 + me).to(device)
    x.requires_grad_()
    gradient = torch.autograd.grad([objective(name, x)], [x])[0]
    assert gradient is not None
    step = 1e-6
    for rank in range(ranks):
        for i in range(x.numel()):
            sides = torch.zeros([2], dtype=torch.double, device=device)
            for side in range(2):
                moved = x.detach().clone()
                if rank == me:
                    moved[i] += step if side == 0 else -step
                sides[side] = objective(name, moved).detach()
            dist.all_reduce(sides)
            if rank == me:
                difference = float(sides[0] - sides[1]) / (2 * step)
                if abs(difference - float(gradient[i])) > 1e-6:
                    raise ValueError(name + ": the gradient of element " + str(i) + " is " + str(float(gradient[i]))
                                     + ", and the difference " + str(difference))


def main(device: str = "cpu", backend: str = "mpi"):
    dist.init_process_group(backend, timeout=60.0)
    for name in ["all_reduce", "all_reduce avg", "in place", "all_gather", "all_gather of a list", "reduce_scatter",
                 "reduce_scatter avg", "all_to_all", "broadcast", "coalesced"]:
        check(name, device)
    if dist.get_rank() == 0:
        print("all gradients agree with %d ranks" % dist.get_world_size())
    dist.destroy_process_group()
