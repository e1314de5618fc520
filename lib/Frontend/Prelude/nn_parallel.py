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

    Gradients are exchanged in buckets, the last parameters first. While a rank goes backward through its last shard,
    each bucket is sent as soon as its gradients are complete, unless `overlap` is False. A parameter that is not used
    then has a gradient of zeros, and its bucket waits for reduce().
    """
    def __init__(self, params: List[Tensor], shards: int = 0, bucket_cap_mb: float = 2.0,
                 process_group: Optional[ProcessGroup] = None, overlap: bool = True) -> None:
        self.rank = dist.get_rank(process_group)
        self.ranks = dist.get_world_size(process_group)
        self.count = shards if shards > 0 else self.ranks
        if self.count % self.ranks != 0:
            raise ValueError(str(self.count) + " shards cannot be divided among " + str(self.ranks) + " ranks")
        self.each = self.count // self.ranks
        self.params = params
        self.process_group = process_group
        self.overlap = overlap and self.ranks > 1
        self.buckets = self._divide(bucket_cap_mb * 1048576.0)
        self.sums: List[List[Tensor]] = []
        self.sizes: List[int] = []
        self.collected = 0
        self.works: List[Work] = []
        with torch.no_grad():
            for param in params:
                dist.broadcast(param, self._first(), process_group)

    def _first(self) -> int:
        return dist.get_process_group_ranks(self.process_group)[0]

    def _divide(self, most: float) -> List[List[int]]:
        """The places of parameters of one dtype together, up to the size of a bucket, the last ones first"""
        buckets: List[List[int]] = []
        bytes = 0.0
        for i in range(len(self.params) - 1, -1, -1):
            param = self.params[i]
            if not param.requires_grad:
                continue
            size = float(param.numel() * param.element_size())
            if len(buckets) == 0 or bytes + size > most or self.params[buckets[-1][0]].dtype != param.dtype:
                buckets.append([])
                bytes = 0.0
            buckets[-1].append(i)
            bytes += size
        return buckets

    def shards(self) -> List[int]:
        """The numbers of this rank's shards"""
        if self.each == 1:
            self._await()
        return list(range(self.rank * self.each, (self.rank + 1) * self.each))

    def part(self, batch: Tensor, shard: int, dim: int = 0) -> Tensor:
        """The shard's part of a batch"""
        if batch.size(dim) % self.count != 0:
            raise ValueError("a batch of " + str(batch.size(dim)) + " cannot be cut into " + str(self.count)
                             + " equal shards")
        size = batch.size(dim) // self.count
        return batch.narrow(dim, shard * size, size)

    def _await(self) -> None:
        """Lets each bucket be sent when the next backward() has completed its gradients"""
        if not self.overlap or len(self.works) > 0:
            return
        group = self.process_group
        name = "0" if group is None else group.group_name
        for i, bucket in enumerate(self.buckets):
            leaves = [self.params[place] for place in bucket]
            count = 0
            for leaf in leaves:
                count += leaf.numel()
            total = torch.empty([count], dtype=leaves[0].dtype, device=leaves[0].device)
            before = self.works[-1].number if len(self.works) > 0 else -1
            number: int = torch.ops.tsc.start_collective("all_reduce_gradients", total,
                                                         leaves + [sums[i] for sums in self.sums], before, 0, "sum",
                                                         [len(leaves)], name)
            self.works.append(Work(number, total, []))

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

    def _gradient(self, place: int) -> Tensor:
        found = torch.ops.tsc.gradient(self.params[place])
        return torch.zeros_like(self.params[place]) if found is None else found.detach()

    def collect(self) -> None:
        """Takes the gradients that a shard's backward() left in the parameters"""
        with torch.no_grad():
            if len(self.works) == 0:
                self._add([torch.cat([self._gradient(place).flatten() for place in bucket]) for bucket in self.buckets])
            self.collected += 1
            for param in self.params:
                torch.ops.tsc.set_gradient(param, None)
            if self.collected == self.each - 1:
                self._await()

    def reduce(self) -> None:
        """Gives each parameter the mean of all shards' gradients"""
        with torch.no_grad():
            if self.collected == 0 or (len(self.works) > 0 and self.collected < self.each):
                raise ValueError("reduce() before collect()")
            if len(self.works) == 0:
                self._start()
            for i, work in enumerate(self.works):
                work.wait()
                mean = work.flat.div_(self.count)
                begin = 0
                for place in self.buckets[i]:
                    param = self.params[place]
                    torch.ops.tsc.set_gradient(param, mean[begin:begin + param.numel()].view(param.size()))
                    begin += param.numel()
            self.works.clear()
            self.sums.clear()
            self.sizes.clear()
            self.collected = 0

    def _start(self) -> None:
        """Sends all buckets, where that did not begin in backward()"""
        while len(self.sums) > 1:
            last = self.sums.pop()
            self.sums[-1] = [self.sums[-1][i] + last[i] for i in range(len(last))]
        for total in self.sums[-1]:
            if self.ranks > 1:
                self.works.append(dist.all_reduce(total, group=self.process_group, async_op=True))
            else:
                self.works.append(Work(-1, total, []))

    def mean(self, value: Tensor) -> Tensor:
        """The mean over all shards, of which this rank gives one row each, in the order of their gradients"""
        rows = [value[i].clone() for i in range(value.size(0))]
        while len(rows) > 1:
            rows = [rows[i] + rows[i + 1] if i + 1 < len(rows) else rows[i] for i in range(0, len(rows), 2)]
        total = rows[0]
        dist.all_reduce(total, group=self.process_group)
        return total / self.count
