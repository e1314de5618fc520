# RUN: %all_modes tsc-run %s | FileCheck %s
# RUN: tsc-run --compile eager --pass-remarks-missed differentiate-calls %s 2>&1 | FileCheck --check-prefix=GRAPH %s

# What is differentiated by is named by lists of keys, which loops count through; gradients are gone through beside the
# names that they get; weights are made like their outputs; positions were computed before. Numbers are PyTorch's.
# GRAPH:     energy tensor
# GRAPH-NOT: a tape computes
import torch
from typing import Dict, List, Optional


def named(data: Dict[str, torch.Tensor]) -> Dict[str, torch.Tensor]:
    keys = ["position", "field"]
    outputs = ["force", "dipole"]
    for key in keys:
        if key in data.keys():
            data[key].requires_grad_()
    data["length"] = torch.sqrt((data["position"] ** 2).sum(1))
    data["energy"] = (torch.exp(-data["length"]) * data["field"]).sum().reshape([1])
    weights: List[Optional[torch.Tensor]] = [torch.ones_like(data["energy"])]
    inputs: List[torch.Tensor] = []
    for key in keys:
        inputs.append(data[key])
    gradients = torch.autograd.grad([data["energy"]], inputs, weights)
    for name, gradient in zip(outputs, gradients):
        if gradient is None:
            data[name] = torch.zeros(1)
        else:
            data[name] = -gradient
    return data


def strained(data: Dict[str, torch.Tensor]) -> Dict[str, torch.Tensor]:
    data["position"].requires_grad_()
    strain = torch.zeros(2, 2).requires_grad_()
    data["position"] = data["position"] + torch.einsum("ai,ij->aj", data["position"], 0.5 * (strain + strain.t()))
    length = torch.sqrt((data["position"] ** 2).sum(1))
    energy = (torch.sin(length) * data["field"]).sum()
    data["energy"] = energy
    force, stress = torch.autograd.grad([energy], [data["position"], strain])
    if force is not None and stress is not None:
        data["force"] = -force
        data["stress"] = stress
    return data


def call(shift: float, isStrained: bool):
    data = {"position": torch.tensor([[1., .5], [-.5, 1.], [2., 1.]]) + shift, "field": torch.tensor([1., 2., 3.])}
    if isStrained:
        data = strained(data)
    else:
        data = named(data)
    for name in ["energy", "force", "dipole", "stress"]:
        if name in data:
            print(name, data[name].detach().reshape(-1))


def main():
    for isStrained in [False, True]:
        for shift in [0., 0.25, 0.5]:
            call(shift, isStrained)


# CHECK: energy tensor([1.3014])
# CHECK: force tensor([ 0.2924,  0.1462, -0.2924,  0.5848,  0.2868,  0.1434])
# CHECK: dipole tensor([-0.3269, -0.3269, -0.1069])
# CHECK: energy tensor([1.0205])
# CHECK: force tensor([ 0.1996,  0.1198, -0.1096,  0.5481,  0.1999,  0.1111])
# CHECK: dipole tensor([-0.2328, -0.2795, -0.0762])
# CHECK: energy tensor([0.7736])
# CHECK: force tensor([0.1372, 0.0914, 0.0000, 0.4463, 0.1394, 0.0836])
# CHECK: dipole tensor([-0.1648, -0.2231, -0.0542])
# CHECK: energy tensor([5.0580])
# CHECK: force tensor([-0.3913, -0.1956,  0.3913, -0.7825,  1.6563,  0.8282])
# CHECK: stress tensor([-2.7257, -1.8520, -1.8520,  0.0522])
# CHECK: energy tensor([4.5197])
# CHECK: force tensor([-0.0967, -0.0580,  0.1144, -0.5721,  2.2111,  1.2284])
# CHECK: stress tensor([-4.8255, -2.8344, -2.8344, -0.7768])
# CHECK: energy tensor([3.6408])
# CHECK: force tensor([ 0.1913,  0.1275, -0.0000, -0.1415,  2.5070,  1.5042])
# CHECK: stress tensor([-6.5544, -3.9518, -3.9518, -2.1716])
