"""Gradients, as torch.autograd computes them."""

from . import _tsc
from ._grad import enable_grad, no_grad, set_grad_enabled

__all__ = ["backward", "grad", "enable_grad", "no_grad", "set_grad_enabled"]


def grad(outputs, inputs, grad_outputs=None, retain_graph=None, create_graph=False, allow_unused=False):
    """Returns the gradient of the sum of `outputs`, weighted by `grad_outputs`, by each of `inputs`.

    With `create_graph`, the gradients can be differentiated in turn. An input that no output depends on is an error,
    unless `allow_unused`: then its gradient is None.
    """
    inputs = (inputs,) if isinstance(inputs, _tsc.Tensor) else tuple(inputs)
    if not inputs:
        raise ValueError("grad requires non-empty inputs.")
    retain = create_graph if retain_graph is None else retain_graph
    return _tsc._gradients(outputs, inputs, grad_outputs, bool(retain), bool(create_graph), bool(allow_unused))


def backward(tensors, grad_tensors=None, retain_graph=None, create_graph=False, inputs=None):
    """Adds the gradients of the sum of `tensors`, weighted by `grad_tensors`, to `.grad` of the leaves that they depend
    on, or of `inputs` alone."""
    retain = create_graph if retain_graph is None else retain_graph
    if inputs is None:
        _tsc._gradients(tensors, None, grad_tensors, bool(retain), bool(create_graph), True)
        return
    inputs = (inputs,) if isinstance(inputs, _tsc.Tensor) else tuple(inputs)
    gradients = _tsc._gradients(tensors, inputs, grad_tensors, bool(retain), bool(create_graph), True)
    for leaf, gradient in zip(inputs, gradients):
        if gradient is not None:
            leaf.grad = gradient if leaf.grad is None else leaf.grad + gradient
