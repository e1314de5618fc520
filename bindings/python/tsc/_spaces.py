"""tsc.linalg, tsc.fft and tsc.special: operators whose names begin with the module's."""

import sys
import types

from . import _tsc


class _Space(types.ModuleType):
    def __init__(self, name):
        super().__init__(f"tsc.{name}", f"The operators of torch.{name}, called aten::{name}_….")
        self._prefix = name + "_"

    def __getattr__(self, name):
        found = None if name.startswith("_") else _tsc._find_operator("aten::" + self._prefix + name)
        if found is None:
            raise AttributeError(f"module '{self.__name__}' has no attribute '{name}'")
        setattr(self, name, found)
        return found

    def __dir__(self):
        names = [name[len(self._prefix):] for name in _tsc._operator_names("aten") if name.startswith(self._prefix)]
        return sorted({*super().__dir__(), *names})


def space(name):
    """Returns the module of this name. It is made once."""
    return sys.modules.setdefault(f"tsc.{name}", _Space(name))
