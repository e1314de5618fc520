# What all optimizers do. A parameter without a gradient is left as it is. State is kept by the parameter's place in the
# list, and made at the first step that needs it.
import math
import torch
from typing import Dict, List, Optional, Tuple
from torch import Tensor


def _check(what: str, value: float) -> None:
    if not value >= 0.0:
        raise ValueError("Invalid " + what + ": " + str(value))


def _known_rate(initial: Optional[float], rate: float) -> float:
    """The rate that the first scheduler of an optimizer found, for all others as well."""
    return rate if initial is None else initial


def _zero_grad(params: List[Tensor], set_to_none: bool) -> None:
    for param in params:
        if set_to_none:
            torch.ops.tsc.set_gradient(param, None)
        else:
            gradient = torch.ops.tsc.gradient(param)
            if gradient is not None:
                torch.ops.tsc.set_gradient(param, torch.zeros_like(gradient))


# The direction of the step before the optimizer has its say: None where there is no gradient.
def _gradient(param: Tensor, maximize: bool, weight_decay: float) -> Optional[Tensor]:
    found = torch.ops.tsc.gradient(param)
    if found is None:
        return None
    gradient = found.detach()
    if maximize:
        gradient = -gradient
    if weight_decay != 0.0:
        gradient = gradient.add(param, alpha=weight_decay)
    return gradient


def _zeros_once(state: Dict[int, Tensor], i: int, param: Tensor) -> Tensor:
    if i not in state:
        state[i] = torch.zeros_like(param)
    return state[i]


def _next_step(steps: Dict[int, int], i: int) -> float:
    steps[i] = steps[i] + 1 if i in steps else 1
    return float(steps[i])


# State as named tensors, `<place of the parameter>.<name>`, and back.

def _put(into: Dict[str, Tensor], name: str, state: Dict[int, Tensor]) -> None:
    for i, tensor in state.items():
        into[str(i) + "." + name] = tensor


def _put_steps(into: Dict[str, Tensor], steps: Dict[int, int]) -> None:
    for i, count in steps.items():
        into[str(i) + ".step"] = torch.tensor(float(count))


def _take(state: Dict[str, Tensor], name: str, params: List[Tensor]) -> Dict[int, Tensor]:
    found: Dict[int, Tensor] = {}
    for i, param in enumerate(params):
        key = str(i) + "." + name
        if key in state:
            if state[key].size() != param.size():
                raise ValueError("the state '" + key + "' has not the size of its parameter")
            found[i] = state[key].detach().clone()
    return found


def _take_steps(state: Dict[str, Tensor], params: List[Tensor]) -> Dict[int, int]:
    found: Dict[int, int] = {}
    for i in range(len(params)):
        key = str(i) + ".step"
        if key in state:
            found[i] = int(state[key])
    return found
