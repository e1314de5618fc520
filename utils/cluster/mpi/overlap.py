# Gradients that are exchanged while backward() goes on have the bits of those that are exchanged afterwards. The second argument
# is the device of parameters and batches, and the third one the backend.
import torch
import torch.distributed as dist
from torch import Tensor
from torch.nn.parallel import DistributedDataParallel
from typing import List


class Layers:
    def __init__(self, kind: str, device: str):
        torch.manual_seed(3)
        self.kind = kind
        self.weights = [(torch.randn([24, 24]) * 0.2).to(device).requires_grad_() for i in range(4)]
        self.bias = torch.zeros([24], device=device).requires_grad_()
        self.frozen = torch.ones([24], device=device)
        self.unused = torch.ones([5], device=device).requires_grad_()

    def parameters(self) -> List[Tensor]:
        return self.weights + [self.bias, self.frozen, self.unused]

    def loss(self, x: Tensor) -> Tensor:
        for i in range(4):
            weight = self.weights[0 if self.kind == "shared" and i == 2 else i]
            x = torch.tanh(x @ weight + self.bias) * self.frozen
        if self.kind == "partly" and dist.get_rank() == 0:
            x = x + self.unused.sum()
        return x.square().mean()


def train(kind: str, shards: int, overlap: bool, bucket_cap_mb: float, device: str) -> List[Tensor]:
    layers = Layers(kind, device)
    ranks = DistributedDataParallel(layers.parameters(), shards, bucket_cap_mb, overlap=overlap)
    for step in range(6):
        torch.manual_seed(step)
        batch = torch.randn([48, 24]).to(device)
        for shard in ranks.shards():
            layers.loss(ranks.part(batch, shard)).backward()
            ranks.collect()
        ranks.reduce()
        with torch.no_grad():
            for parameter in layers.parameters():
                gradient = torch.ops.tsc.gradient(parameter)
                if gradient is not None and parameter.requires_grad:
                    parameter.sub_(gradient)
                torch.ops.tsc.set_gradient(parameter, None)
    return [parameter.detach() for parameter in layers.parameters()]


def check(kind: str, shards: int, device: str) -> None:
    expected = train(kind, shards, False, 25.0, device)
    for bucket_cap_mb in [0.0, 0.005, 25.0]:
        for i, parameter in enumerate(train(kind, shards, True, bucket_cap_mb, device)):
            if not torch.equal(parameter, expected[i]):
                raise AssertionError(kind + ": parameter " + str(i) + " with " + str(shards) + " shards")


# What was sent is there before anybody asks for it.
def check_beginning(device: str) -> None:
    layers = Layers("plain", device)
    ranks = DistributedDataParallel([layers.bias] + layers.weights, 0, 0.0)
    shards = ranks.shards()
    layers.loss(torch.ones([2, 24], device=device)).backward()
    begin: int = torch.ops.prim.TimePoint()
    while dist.get_world_size() > 1 and not ranks.works[4].is_completed():
        if torch.ops.prim.TimePoint() - begin > 20000000000:
            raise AssertionError("the reduction has not begun in backward()")
    ranks.collect()
    ranks.reduce()
    dist.barrier()


def twice() -> None:
    layers = Layers("plain", "cpu")
    ranks = DistributedDataParallel(layers.parameters())
    shards = ranks.shards()
    layers.loss(torch.ones([2, 24])).backward()
    layers.loss(torch.ones([2, 24])).backward()


def main(what: str = "", device: str = "cpu", backend: str = "mpi"):
    dist.init_process_group(backend)
    if what == "twice":
        twice()
    for shards in [1, 2, 3, 4]:
        for kind in ["plain", "shared", "partly"]:
            check(kind, shards * dist.get_world_size(), device)
    check_beginning(device)
    if dist.get_rank() == 0:
        print("overlapped gradients agree with %d ranks" % dist.get_world_size())
    dist.destroy_process_group()
