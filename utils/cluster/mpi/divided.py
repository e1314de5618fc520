# Optimizers whose state is divided among ranks give the bits that they give without ranks, and their state can be saved and
# read by another number of ranks.
import torch
import torch.distributed as dist
from torch import Tensor
from torch.distributed.optim import ZeroRedundancyOptimizer
from typing import Dict, List


@torch.jit.interface
class Optimizer:
    def step(self) -> None:
        pass

    def state_dict(self) -> Dict[str, Tensor]:
        pass

    def load_state_dict(self, state_dict: Dict[str, Tensor]) -> None:
        pass


def make(name: str, params: List[Tensor]) -> Optimizer:
    optimizer: Optimizer = torch.optim.Adam(params, lr=0.01, amsgrad=True)
    if name == "adamw":
        optimizer = torch.optim.AdamW(params, lr=0.01)
    if name == "sgd":
        optimizer = torch.optim.SGD(params, lr=0.01, momentum=0.9, nesterov=True, weight_decay=0.01)
    if name == "adagrad":
        optimizer = torch.optim.Adagrad(params, lr=0.01)
    if name == "rmsprop":
        optimizer = torch.optim.RMSprop(params, lr=0.01, momentum=0.5, centered=True)
    return optimizer


def parameters() -> List[Tensor]:
    torch.manual_seed(5)
    sizes = [[7, 3], [3], [40], [2, 2, 5], [1]]
    return [torch.randn(size).requires_grad_() for size in sizes]


def set_gradients(params: List[Tensor], step: int) -> None:
    torch.manual_seed(step)
    for param in params:
        torch.ops.tsc.set_gradient(param, torch.randn(param.size()))
    if step % 2 == 1:  # one without a gradient
        torch.ops.tsc.set_gradient(params[2], None)


def elements(state: Dict[str, Tensor]) -> int:
    count = 0
    for tensor in state.values():
        count += tensor.numel()
    return count


def same(a: Dict[str, Tensor], b: Dict[str, Tensor]) -> bool:
    equal = len(a) == len(b)
    for name, tensor in a.items():
        equal = equal and name in b and torch.equal(tensor, b[name])
    return equal


def check(name: str) -> None:
    alone, shared = parameters(), parameters()
    plain, inner = make(name, alone), make(name, shared)
    divided = ZeroRedundancyOptimizer(shared, inner)
    for step in range(5):
        set_gradients(alone, step)
        set_gradients(shared, step)
        plain.step()
        divided.step()
        if step == 2:  # what is saved here goes on in another optimizer
            for to in range(dist.get_world_size()):
                divided.consolidate_state_dict(to)
            again = ZeroRedundancyOptimizer(shared, make(name, shared))
            again.load_state_dict(divided.state_dict())
            divided = again
    for i in range(len(alone)):
        assert torch.equal(alone[i], shared[i]), name
        assert torch.ops.tsc.gradient(shared[i]) is not None or i == 2
    own = torch.tensor([elements(divided.optimizer.state_dict())])
    dist.all_reduce(own)
    assert int(own) == elements(plain.state_dict()), name
    divided.consolidate_state_dict()
    if dist.get_rank() == 0:
        assert same(divided.state_dict(), plain.state_dict()), name
    divided.zero_grad()
    assert torch.ops.tsc.gradient(shared[0]) is None


# Goes on from a file where there is one, and writes what it has come to.
def go_on(path: str, begin: int, end: int) -> None:
    params = parameters()
    divided = ZeroRedundancyOptimizer(params, make("adam", params))
    if begin > 0:
        state = torch.load(path)
        with torch.no_grad():
            for i, param in enumerate(params):
                param.copy_(state.pop("parameter." + str(i)))
        divided.load_state_dict(state)
    for step in range(begin, end):
        set_gradients(params, step)
        divided.step()
    divided.consolidate_state_dict()
    if dist.get_rank() == 0:
        whole = divided.state_dict()
        print("parameters", [float(param.sum()) for param in params])
        for i, param in enumerate(params):
            whole["parameter." + str(i)] = param.detach()
        torch.save(whole, path)


def main(path: str = "", begin: int = 0, end: int = 0):
    dist.init_process_group("mpi")
    if path != "":
        go_on(path, begin, end)
    else:
        for name in ["adam", "adamw", "sgd", "adagrad", "rmsprop"]:
            check(name)
        if dist.get_rank() == 0:
            print("divided optimizers agree with %d ranks" % dist.get_world_size())
    dist.destroy_process_group()
