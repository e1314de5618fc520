"""Schedulers of the learning rate, as torch.optim.lr_scheduler."""

from . import _schedulers

globals().update(_schedulers)
__all__ = sorted(name for name in _schedulers if not name.startswith("_"))


def __dir__():
    return __all__
