# RUN: %all_modes tsc-run %s | FileCheck %s
# RUN: tsc-run --compile eager --pass-remarks-missed differentiate-calls %s 2>&1 | FileCheck --check-prefix=GRAPH %s

# Energy and forces as models of molecules compute them: tensors handed on in dicts, objects that keep them, writes in
# branches, lists that loops append to, flags that say what is asked for. Numbers are PyTorch's.
# What is called twice with one kind of arguments needs no tape.
# GRAPH:     energy tensor
# GRAPH-NOT: a tape computes
import torch
from typing import Dict, List, Optional


class Geometry:
    def __init__(self, vectors: torch.Tensor):
        self.vectors = vectors
        self.cache: Dict[str, torch.Tensor] = {}

    def lengths(self):
        self.cache["length"] = torch.sqrt((self.vectors * self.vectors).sum(1))
        return self.cache["length"]


def embed(data: Dict[str, torch.Tensor]):
    length = torch.sqrt((data["vector"] * data["vector"]).sum(1))
    data["length"] = length
    data["basis"] = torch.exp(-(length.unsqueeze(1) - torch.arange(3)) ** 2)
    return data


def convolve(data: Dict[str, torch.Tensor]):
    message = data["basis"] * data["x"][data["edges"][1]]
    summed = torch.zeros_like(data["x"])
    summed.scatter_add_(0, data["edges"][0].unsqueeze(1).expand_as(message), message)
    data["x"] = data["x"] + torch.tanh(summed)
    return data


def in_dicts(data: Dict[str, torch.Tensor]):
    data["vector"].requires_grad_()
    data = convolve(convolve(embed(data)))
    data["energy"] = data["x"].sum()
    g = torch.autograd.grad([data["energy"]], [data["vector"]])[0]
    if g is not None:
        force = torch.zeros(3, 2)
        force.index_add_(0, data["edges"][0], g)
        data["force"] = force
        data["virial"] = (g.unsqueeze(2) * data["vector"].unsqueeze(1)).sum(0)
    return data


def by_elements(position: torch.Tensor, species: torch.Tensor, stress: bool, hessian: bool):
    """Each element has its own function of its atoms; entries of a dict are gone through."""
    position.requires_grad_()
    geometry = Geometry(position)
    length = geometry.lengths()
    powers = [length]
    for i in range(2):
        powers.append(powers[-1] * length)
    features = torch.stack(powers, 1)
    energies = torch.zeros(position.size(0))
    first, second = torch.nonzero(species == 0).view(-1), torch.nonzero(species == 1).view(-1)
    if first.size(0) > 0:
        energies[first] = torch.sin(features[first]).sum(1)
    if second.size(0) > 0:
        energies[second] = torch.cos(features[second]).sum(1)
    parts = {"atoms": energies, "pairs": 1 / length}
    found: Dict[str, torch.Tensor] = {}
    total = torch.zeros([])
    for name, part in parts.items():
        total = total + part.sum()
        found[name] = part.sum().detach()
    weights = torch.jit.annotate(List[Optional[torch.Tensor]], [torch.ones_like(total)])
    g = torch.autograd.grad([total], [position], weights, create_graph=hessian)[0]
    if g is not None:
        found["force"] = -g
        if stress:
            found["stress"] = torch.einsum("ai,aj->ij", g, position).detach()
        if hessian:
            h = torch.autograd.grad([(g * g).sum()], [position])[0]
            if h is not None:
                found["second"] = h
    return found


def show(name: str, value: torch.Tensor):
    print(name, value.detach().reshape(-1))


def dicts(shift: float):
    data = {
        "vector": torch.tensor([[1., .5], [-.5, 1.], [2., 1.], [.3, -.4]]) + shift,
        "x": torch.tensor([[.1, .2, .3], [.4, .5, .6], [.7, .8, .9]]),
        "edges": torch.tensor([[0, 1, 2, 0], [1, 2, 0, 2]])
    }
    data = in_dicts(data)
    show("energy", data["energy"])
    show("force", data["force"])
    show("virial", data["virial"])


def elements(shift: float, stress: bool, hessian: bool):
    position = torch.tensor([[1., .5], [-.5, 1.], [.7, .2]]) + shift
    found = by_elements(position, torch.tensor([0, 1, 0]), stress, hessian)
    for name in ["atoms", "pairs", "force", "stress", "second"]:
        if name in found:
            show(name, found[name])


def main():
    dicts(0.)
    dicts(1.)
    elements(0., True, False)
    elements(0.1, False, True)


# CHECK: energy tensor([12.0330])
# CHECK: force tensor([ 0.9040,  0.1108, -0.1720,  0.3440, -0.9775, -0.4887])
# CHECK: virial tensor([-1.0952, -0.8650, -0.8650,  0.1340])
# CHECK: energy tensor([9.7442])
# CHECK: force tensor([-1.2063, -0.6847, -0.3051, -1.2205, -0.3239, -0.2160])
# CHECK: virial tensor([-3.0031, -2.3812, -2.3812, -3.5833])
# CHECK: atoms tensor([5.3057])
# CHECK: pairs tensor([3.1625])
# CHECK: force tensor([-0.8846, -0.4423, -3.3609,  6.7217, -1.5279, -0.4366])
# CHECK: stress tensor([ 0.2737,  4.1087,  4.1087, -6.4132])
# CHECK: atoms tensor([5.4339])
# CHECK: pairs tensor([2.8229])
# CHECK: force tensor([ 1.8796,  1.0252, -2.7519,  7.5677, -2.1890, -0.8209])
# CHECK: second tensor([111.1908,  60.6495, -47.6700, 131.0924,  14.6903,   5.5089])
