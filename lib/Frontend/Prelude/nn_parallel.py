# torch.nn.parallel: the gradients of a batch that ranks share.
import torch
import torch.distributed as dist
from torch import Tensor
from torch.distributed import ProcessGroup, Work
from typing import List, Optional


class DistributedDataParallel:
    """Averages the gradients of parameters over shards of a batch, which ranks share.

    A batch is cut into `shards` parts of equal size, and each rank computes the gradients of its own, one part after the
    other. They are added in pairs, pairs of pairs and so on, over the shards of a rank and then over ranks, whoever has
    them: so one, two and four ranks give the same bits for the same batch and four shards. Ranks start with the
    parameters of rank 0.
    """
    def __init__(self, params: List[Tensor], shards: int = 0, bucket_cap_mb: float = 25.0,
                 process_group: Optional[ProcessGroup] = None) -> None:
        self.rank = dist.get_rank(process_group)
        self.ranks = dist.get_world_size(process_group)
        self.count = shards if shards > 0 else self.ranks
        if self.count % self.ranks != 0:
            raise ValueError(str(self.count) + " shards cannot be divided among " + str(self.ranks) + " ranks")
        self.params = params
        self.process_group = process_group
        self.bytes = bucket_cap_mb * 1048576.0
        self.sums: List[List[Tensor]] = []
        self.sizes: List[int] = []
        with torch.no_grad():
            for param in params:
                dist.broadcast(param, self._first(), process_group)

    def _first(self) -> int:
        return dist.get_process_group_ranks(self.process_group)[0]

    def shards(self) -> List[int]:
        """The numbers of this rank's shards"""
        each = self.count // self.ranks
        return list(range(self.rank * each, (self.rank + 1) * each))

    def part(self, batch: Tensor, shard: int, dim: int = 0) -> Tensor:
        """The shard's part of a batch"""
        if batch.size(dim) % self.count != 0:
            raise ValueError("a batch of " + str(batch.size(dim)) + " cannot be cut into " + str(self.count)
                             + " equal shards")
        size = batch.size(dim) // self.count
        return batch.narrow(dim, shard * size, size)

    def _add(self, gradients: List[Tensor]) -> None:
        """Adds a shard's: of two sums over as many shards, one is made at once"""
        size = 1
        while len(self.sizes) > 0 and self.sizes[-1] == size:
            before = self.sums.pop()
            self.sizes.pop()
            gradients = [before[i] + gradients[i] for i in range(len(gradients))]
            size *= 2
        self.sums.append(gradients)
        self.sizes.append(size)

    def collect(self) -> None:
        """Takes the gradients that a shard's backward() left in the parameters"""
        with torch.no_grad():
            gradients: List[Tensor] = []
            for param in self.params:
                found = torch.ops.tsc.gradient(param)
                gradients.append(torch.zeros_like(param) if found is None else found.detach().contiguous())
                torch.ops.tsc.set_gradient(param, None)
            self._add(gradients)

    def reduce(self) -> None:
        """Gives each parameter the mean of all shards' gradients"""
        with torch.no_grad():
            if len(self.sums) == 0:
                raise ValueError("reduce() before collect()")
            while len(self.sums) > 1:
                last = self.sums.pop()
                self.sums[-1] = [self.sums[-1][i] + last[i] for i in range(len(last))]
            gradients = self.sums.pop()
            self.sizes.clear()
            works: List[Work] = []
            if self.ranks > 1:
                for bucket in self._buckets(gradients):
                    flat = torch.cat([gradient.flatten() for gradient in bucket])
                    works.append(dist.all_reduce(flat, group=self.process_group, async_op=True))
                    works[-1].parts = bucket
            for work in works:
                work.wait()
            for i, param in enumerate(self.params):
                torch.ops.tsc.set_gradient(param, gradients[i] / self.count)

    def _buckets(self, gradients: List[Tensor]) -> List[List[Tensor]]:
        """Gradients of one dtype together, up to the size of a bucket, the last layer's first"""
        buckets: List[List[Tensor]] = []
        bytes = 0.0
        for i in range(len(gradients) - 1, -1, -1):
            gradient = gradients[i]
            size = float(gradient.numel() * gradient.element_size())
            if len(buckets) == 0 or bytes + size > self.bytes or buckets[-1][0].dtype != gradient.dtype:
                buckets.append([])
                bytes = 0.0
            buckets[-1].append(gradient)
            bytes += size
        return buckets

    def mean(self, value: Tensor) -> Tensor:
        """The mean over all shards, of which this rank gives one row each, in the order of their gradients"""
        rows = [value[i].clone() for i in range(value.size(0))]
        while len(rows) > 1:
            rows = [rows[i] + rows[i + 1] if i + 1 < len(rows) else rows[i] for i in range(0, len(rows), 2)]
        total = rows[0]
        dist.all_reduce(total, group=self.process_group)
        return total / self.count
