"""The operators, by namespace: `tsc.ops.aten.add` with all its overloads, `tsc.ops.aten.add.Tensor` for one."""

import sys
import types

from . import _tsc


class _Namespace(types.ModuleType):
    def __init__(self, name):
        super().__init__(f"tsc.ops.{name}", f"The operators called {name}::….")
        self._namespace = name

    def __getattr__(self, name):
        found = None if name.startswith("__") and name.endswith("__") and name in dir(object) else _tsc._find_operator(
            f"{self._namespace}::{name}")
        if found is None:
            raise AttributeError(f"there is no operator '{self._namespace}::{name}'")
        setattr(self, name, found)
        return found

    def __dir__(self):
        return sorted({*super().__dir__(), *_tsc._operator_names(self._namespace)})


def __getattr__(name):
    if name.startswith("_"):
        raise AttributeError(f"module 'tsc.ops' has no attribute '{name}'")
    made = _Namespace(name)
    sys.modules[made.__name__] = made
    globals()[name] = made
    return made
