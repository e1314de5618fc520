"""Functions of torch.nn.init, which fill tensors: those of tsc's library. Draws and their order are torch's."""

from .. import _prelude, no_grad

_prelude.run(["torch.py"], globals(), only=("zeros_", "ones_", "constant_", "uniform_", "normal_"))
_prelude.run(["nn_init.py"], globals())


def __dir__():
    return sorted(name for name, value in globals().items()
                  if not name.startswith("_") and getattr(value, "__module__", None) == __name__)
