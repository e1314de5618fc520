"""Functions of torch.nn.utils: those of tsc's library."""

from ... import _prelude
from . import rnn

_prelude.run(["nn_utils.py"], globals())
_lists = {name: globals()[name] for name in ("clip_grad_norm_", "clip_grad_value_", "parameters_to_vector", "get_total_norm")}


def _taking_iterables(function):
    """Wraps a function of a list of tensors, so that it takes one tensor, or any iterable of them, as well."""
    import functools

    @functools.wraps(function)
    def call(tensors, *args, **kwargs):
        return function([tensors] if isinstance(tensors, Tensor) else list(tensors), *args, **kwargs)  # noqa: F821

    return call


globals().update({name: _taking_iterables(function) for name, function in _lists.items()})


def __dir__():
    return sorted([*_lists, "rnn"])
