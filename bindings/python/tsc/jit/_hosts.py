"""Where live modules come from: torch.nn where a program has imported torch, and tsc.nn.

Both have the same classes under the same names, and modules of both keep their tensors in the same tables.
"""

import sys

from .. import Tensor
from ._library import library


def _hosts():
    """Yields the modules `nn` that are imported."""
    torch = sys.modules.get("torch")
    nn = getattr(torch, "nn", None)
    if hasattr(nn, "Module") and hasattr(nn, "ParameterDict"):
        yield nn
    nn = sys.modules.get("tsc.nn")
    if hasattr(nn, "ParameterDict"):
        yield nn


def classes(*names):
    """Returns the classes of these names of all hosts: for isinstance() and issubclass()."""
    return tuple(getattr(nn, name) for nn in _hosts() for name in names)


def is_module(value):
    return isinstance(value, classes("Module"))


def is_base(cls):
    """Whether a class is the one that modules derive from, or what stands behind it."""
    return cls is object or cls in classes("Module")


def containers():
    return classes("ModuleList", "Sequential", "ModuleDict", "ParameterList", "ParameterDict")


def is_of_library(cls):
    """Whether a class of modules is one of the library's own."""
    return cls.__module__.startswith("torch.nn.modules") or cls.__module__ == "tsc.nn"


def is_of_torch(value):
    """Whether a module is one of torch's."""
    torch = sys.modules.get("torch")
    return torch is not None and isinstance(value, torch.nn.Module)


def tensor_classes():
    torch = sys.modules.get("torch")
    return (Tensor,) if torch is None else (torch.Tensor, Tensor)


def typename(cls):
    """Returns the name of a class as torch.typename writes it: with its module, unless that is Python's own."""
    path = library.path_of(cls)
    if path is not None and path.startswith("torch."):
        return path
    module = getattr(cls, "__module__", "builtins")
    return cls.__qualname__ if module in ("builtins", "__builtin__") else f"{module}.{cls.__qualname__}"


def default():
    """Returns the host of modules that archives hold: torch.nn where torch is imported, and tsc.nn elsewhere."""
    for nn in _hosts():
        return nn
    from .. import nn
    return nn


def _is_plain(value):
    if isinstance(value, tuple):
        return all(map(_is_plain, value))
    return value is None or isinstance(value, (bool, int, float, str))


def library_constants(module):
    """Returns the names of attributes that are constants because constructors of tsc.nn's own classes set them: their
    texts rely on it, as they do in programs that are evaluated. torch's classes list theirs in `__constants__`."""
    if is_of_torch(module):
        return []
    names = {name for cls in type(module).__mro__ if is_of_library(cls) and "__init__" in vars(cls)
             for name in cls.__init__.__code__.co_names}
    return [name for name, value in vars(module).items() if name in names and name != "training" and _is_plain(value)]
