"""Optimizers, as torch.optim: those of tsc's library.

They take the parameters of a module, or any other iterable of tensors. `lr` is an attribute, which schedulers change.
"""

from .. import Tensor as _Tensor
from .. import _prelude

_prelude.run(_prelude.files("optim"), globals())
_schedulers = {name: value for name, value in globals().items()
               if isinstance(value, type) and name.endswith("LR") or name.endswith("_lr")}
_optimizers = {name: value for name, value in globals().items()
               if isinstance(value, type) and value.__module__ == __name__ and hasattr(value, "zero_grad")}


def _take_iterables(cls, original):
    """Lets an optimizer take what torch's take: any iterable of tensors."""
    import functools

    @functools.wraps(original)
    def __init__(self, params, *args, **kwargs):
        if isinstance(params, _Tensor):
            raise TypeError("params argument given to the optimizer should be an iterable of Tensors or dicts, but got "
                            "torch.FloatTensor")
        given = list(params)
        if not given:
            raise ValueError("optimizer got an empty parameter list")
        for one in given:
            if isinstance(one, dict):
                raise NotImplementedError("groups of parameters are not supported: make an optimizer for each of them")
            if not isinstance(one, _Tensor):
                raise TypeError(f"optimizer can only optimize Tensors, but one of the params is {type(one).__name__}")
            if not one.is_leaf:
                raise ValueError("can't optimize a non-leaf Tensor")
        original(self, given, *args, **kwargs)

    cls.__init__ = __init__


for _cls in _optimizers.values():
    if "__init__" in vars(_cls):
        _take_iterables(_cls, _cls.__init__)

from . import lr_scheduler  # noqa: E402  it shows names of this module

__all__ = [*sorted(name for name in _optimizers if not name.startswith("_")), "lr_scheduler"]


def __dir__():
    return sorted(__all__)
