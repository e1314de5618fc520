# Functions of torch.nn.utils over lists of parameters. They write to gradients, which have no history.
import torch
from typing import List
from torch import Tensor


def _gradients(parameters: List[Tensor]) -> List[Tensor]:
    found: List[Tensor] = []
    for parameter in parameters:
        gradient = torch.ops.tsc.gradient(parameter)
        if gradient is not None:
            found.append(gradient)
    return found


def get_total_norm(tensors: List[Tensor], norm_type: float = 2.0, error_if_nonfinite: bool = False) -> Tensor:
    if len(tensors) == 0:
        return torch.tensor(0.0)
    norms: List[Tensor] = []
    for tensor in tensors:
        norms.append(torch.linalg.vector_norm(tensor, norm_type))
    total = torch.linalg.vector_norm(torch.stack(norms), norm_type)
    if error_if_nonfinite and not bool(torch.isfinite(total)):
        raise RuntimeError("The total norm of order " + str(norm_type) + " for gradients from `parameters` is non-finite")
    return total


def clip_grad_norm_(parameters: List[Tensor], max_norm: float, norm_type: float = 2.0,
                    error_if_nonfinite: bool = False) -> Tensor:
    with torch.no_grad():
        gradients = _gradients(parameters)
        total = get_total_norm(gradients, norm_type, error_if_nonfinite)
        factor = torch.clamp(max_norm / (total + 1e-6), max=1.0)
        for gradient in gradients:
            gradient.mul_(factor)
    return total


def clip_grad_value_(parameters: List[Tensor], clip_value: float) -> None:
    with torch.no_grad():
        for gradient in _gradients(parameters):
            gradient.clamp_(min=-clip_value, max=clip_value)


def parameters_to_vector(parameters: List[Tensor]) -> Tensor:
    """Joins the elements of all parameters in one vector"""
    parts: List[Tensor] = []
    for parameter in parameters:
        if parameter.device != parameters[0].device:
            raise TypeError("Found two parameters on different devices, this is currently not supported.")
        parts.append(parameter.view(-1))
    return torch.cat(parts)
