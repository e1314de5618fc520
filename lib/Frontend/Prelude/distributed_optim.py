# torch.distributed.optim: an optimizer's state, divided among ranks.
import torch
import torch.distributed as dist
from torch import Tensor
from torch.distributed import ProcessGroup, Work
from typing import Dict, List, Optional


@torch.jit.interface
class _Optimizer:
    def step(self) -> None:
        pass

    def state_dict(self) -> Dict[str, Tensor]:
        pass

    def load_state_dict(self, state_dict: Dict[str, Tensor]) -> None:
        pass


class ZeroRedundancyOptimizer:
    """Lets each rank make the steps of some parameters, and send them to the others.

    `optimizer` is one of torch.optim over the same list of parameters. It keeps state for the parameters of its rank
    alone, and the bits are those that it gives without ranks. Learning rates are set at `optimizer`.
    """
    def __init__(self, params: List[Tensor], optimizer: _Optimizer,
                 process_group: Optional[ProcessGroup] = None) -> None:
        self.params = params
        self.optimizer = optimizer
        self.process_group = process_group
        self.rank = dist.get_rank(process_group)
        self.members = dist.get_process_group_ranks(process_group)
        self.owners = self._divide()
        self.whole: Optional[Dict[str, Tensor]] = None

    def _divide(self) -> List[int]:
        """Gives each parameter, the largest first, to the rank that has the fewest elements"""
        taken = [0 for rank in self.members]
        owners = [-1 for param in self.params]
        for turn in range(len(self.params)):
            largest = -1
            for i, param in enumerate(self.params):
                if owners[i] < 0 and (largest < 0 or param.numel() > self.params[largest].numel()):
                    largest = i
            least = 0
            for rank in range(len(taken)):
                if taken[rank] < taken[least]:
                    least = rank
            owners[largest] = least
            taken[least] += self.params[largest].numel()
        return owners

    def zero_grad(self, set_to_none: bool = True) -> None:
        for param in self.params:
            gradient = torch.ops.tsc.gradient(param)
            if gradient is not None:
                torch.ops.tsc.set_gradient(param, None if set_to_none else torch.zeros_like(gradient))

    def step(self) -> None:
        with torch.no_grad():
            gradients: List[Optional[Tensor]] = []
            for i, param in enumerate(self.params):
                gradients.append(torch.ops.tsc.gradient(param))
                if self.owners[i] != self.rank:  # an optimizer leaves a parameter without a gradient as it is
                    torch.ops.tsc.set_gradient(param, None)
            self.optimizer.step()
            works: List[Work] = []
            for i, param in enumerate(self.params):
                torch.ops.tsc.set_gradient(param, gradients[i])
                works.append(dist.broadcast(param, self.members[self.owners[i]], self.process_group, async_op=True))
            for work in works:
                work.wait()
            self.whole = None

    def consolidate_state_dict(self, to: int = 0) -> None:
        """Brings the state of all ranks to rank `to`, where state_dict() returns it then. All ranks call it."""
        own = self._of_rank(self.optimizer.state_dict())
        if self.members[self.rank] != to:
            self._send(own, to)
            return
        for rank in self.members:
            if rank != to:
                own.update(self._receive(rank))
        self.whole = own

    def state_dict(self) -> Dict[str, Tensor]:
        whole = self.whole
        if whole is None:
            raise RuntimeError("Optimizer state has not been consolidated on this rank. Please call "
                               "`consolidate_state_dict(to=" + str(self.members[self.rank]) +
                               ")` on all ranks beforehand if you meant to save the global state.")
        return whole

    def load_state_dict(self, state_dict: Dict[str, Tensor]) -> None:
        """Takes the rank's part of a whole state, by however many ranks that was saved"""
        self.optimizer.load_state_dict(self._of_rank(state_dict))

    def _of_rank(self, state: Dict[str, Tensor]) -> Dict[str, Tensor]:
        found: Dict[str, Tensor] = {}
        for name, tensor in state.items():
            if self.owners[int(name[:name.find(".")])] == self.rank:
                found[name] = tensor
        return found

    # A state goes as the number of numbers that describe it, these numbers, and the tensors. Of each tensor they say
    # the letters of its name, its dtype and its sizes, with the number of letters and of dimensions in front.
    def _send(self, state: Dict[str, Tensor], to: int) -> None:
        numbers: List[int] = []
        for name, tensor in state.items():
            numbers.append(len(name))
            for letter in range(len(name)):
                numbers.append(ord(name[letter]))
            numbers.append(tensor.dtype)
            numbers.append(tensor.dim())
            for dim in range(tensor.dim()):
                numbers.append(tensor.size(dim))
        dist.send(torch.tensor([len(numbers)], dtype=torch.int64), to, self.process_group)
        dist.send(torch.tensor(numbers, dtype=torch.int64), to, self.process_group)
        for tensor in state.values():
            dist.send(tensor.contiguous(), to, self.process_group)

    def _receive(self, rank: int) -> Dict[str, Tensor]:
        count = torch.zeros([1], dtype=torch.int64)
        dist.recv(count, rank, self.process_group)
        description = torch.zeros([int(count)], dtype=torch.int64)
        dist.recv(description, rank, self.process_group)
        numbers: List[int] = description.tolist()
        state: Dict[str, Tensor] = {}
        at = 0
        while at < len(numbers):
            name = "".join([chr(numbers[at + 1 + letter]) for letter in range(numbers[at])])
            at += numbers[at] + 1
            sizes = numbers[at + 2:at + 2 + numbers[at + 1]]
            tensor = torch.zeros(sizes, dtype=numbers[at])
            at += 2 + len(sizes)
            dist.recv(tensor, rank, self.process_group)
            state[name] = tensor
        return state
