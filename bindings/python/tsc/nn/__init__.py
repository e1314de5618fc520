"""Modules, as torch.nn: the classes of tsc's library, run by Python over tsc's tensors.

    import tsc
    from tsc import nn

    class Net(nn.Module):
        def __init__(self):
            super().__init__()
            self.first, self.last = nn.Linear(3, 16), nn.Linear(16, 2)

        def forward(self, x):
            return self.last(nn.functional.relu(self.first(x)))

    net = Net()
    optimizer = tsc.optim.SGD(net.parameters(), lr=0.1)
    net(tsc.randn(8, 3)).square().mean().backward()
    optimizer.step()
    compiled = tsc.jit.script(net)     # shares the parameters

Names, arguments, defaults, texts and random numbers are torch.nn's, so that one file may import either.
"""

from .. import _prelude
from ._module import Module
from .parameter import Parameter
from . import functional, init, utils
from . import _containers

_prelude.run(_prelude.files("nn"), globals(), dropped=("Module",))
_containers.complete(globals())

__all__ = ["Parameter", "functional", "init", "utils",
           *sorted(name for name, value in globals().items()
                   if isinstance(value, type) and issubclass(value, Module) and not name.startswith("_"))]


def __dir__():
    return sorted(__all__)
