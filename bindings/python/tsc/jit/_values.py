"""Values that go to compiled code and come back.

tsc's tensors are what compiled code computes with. Where a program uses torch, its tensors are shared with tsc's while
a call lasts, and results become torch's tensors over the same memory.
"""

import sys

from .. import Tensor, _tsc, device
from . import _objects

_torch = None


def use_torch(torch):
    """Makes torch's tensors the results of all calls, also of those that are given no tensor."""
    global _torch
    _torch = torch
    _tsc._script._set_gives_torch(torch is not None)


def _is_torch_tensor(value):
    torch = sys.modules.get("torch")
    return torch is not None and isinstance(value, getattr(torch, "Tensor", ()))


def holds_torch(value):
    """Whether a value is or holds a tensor of torch's."""
    if isinstance(value, (list, tuple)):
        return any(map(holds_torch, value))
    if isinstance(value, dict):
        return any(map(holds_torch, value.values())) or any(map(holds_torch, value))
    return _is_torch_tensor(value) or any(map(holds_torch, _objects.parts_of(value)))


def part_of_torch(args, kwargs):
    """Returns what of torch's takes part in each operator of a call now, in words, or None (_torch_runs.py)."""
    if sys.modules.get("torch") is None:
        return None
    from . import _torch_runs
    return _torch_runs.part_of_torch(args, kwargs)


NO_CONTAINER = object()


def with_elements(value, of):
    """Returns a list, tuple, named tuple or dict with `of(element)` in the place of each element, and NO_CONTAINER for other
    values."""
    kind = type(value)
    if kind is list:
        return [of(one) for one in value]
    if kind is tuple:
        return tuple(of(one) for one in value)
    if isinstance(value, tuple) and hasattr(value, "_fields"):
        return kind(*(of(one) for one in value))
    if isinstance(value, dict):
        return {of(key): of(one) for key, one in value.items()}
    return NO_CONTAINER


# The numbers by which compiled code knows torch's qschemes, as torch numbers them.
_QSCHEMES = ("per_tensor_affine", "per_channel_affine", "per_tensor_symmetric", "per_channel_symmetric",
             "per_channel_affine_float_qparams")


def number_of_qscheme(value):
    return _QSCHEMES.index(str(value).rpartition(".")[2])


def to_tsc(value):
    """Returns a value with tsc's tensors in the place of torch's."""
    if _is_torch_tensor(value):
        from . import _torch as bridge
        return bridge.to_tsc(value)
    made = with_elements(value, to_tsc)
    if made is NO_CONTAINER and type(value).__name__ == "qscheme":
        return number_of_qscheme(value)
    return _objects.lower(value, to_tsc) if made is NO_CONTAINER else made


def to_torch(value):
    """Returns a value with torch's tensors in the place of tsc's."""
    if isinstance(value, Tensor):
        from . import _torch as bridge
        return bridge.to_torch(value)
    if type(value) is device:
        return sys.modules["torch"].device(str(value))
    made = with_elements(value, to_torch)
    return _objects.lift(value, to_torch) if made is NO_CONTAINER else made


def lift(value):
    """Returns a value with objects of Python's classes in the place of those of compiled code."""
    made = with_elements(value, lift)
    return _objects.lift(value, lift) if made is NO_CONTAINER else made


def to_python(value):
    """Returns what a function of Python's is given for a value of compiled code."""
    return to_torch(value) if _torch is not None or "torch" in sys.modules else lift(value)


def call_python(function, arguments):
    """Calls a function of Python's for compiled code, which waits for it, and returns what compiled code is given."""
    bridge = sys.modules.get(__package__ + "._torch")
    if bridge is not None:
        return bridge.call_python(function, arguments)
    return to_tsc(function(*to_python(list(arguments))))


def share_tensor(tensor, storages=None):
    """Returns the tensor of tsc's over the memory of one of torch's, for as long as a module lives. `storages`, a dict that
    a caller keeps, lets tensors that share a storage of torch's share one of tsc's."""
    if isinstance(tensor, Tensor):
        return tensor
    from . import _torch as bridge
    made = bridge.to_tsc(tensor) if storages is None else bridge.to_tsc_in_storage(tensor, storages)
    return made.requires_grad_() if tensor.requires_grad else made


def call_for_tsc(compiled, args, kwargs):
    """Calls a module of tsc.nn's. Results are torch's where an argument is."""
    if any(map(holds_torch, args)) or any(map(holds_torch, kwargs.values())):
        from . import _torch as bridge
        return bridge.call(compiled, args, kwargs)
    return compiled(*args, **kwargs)
# Values that compiled code takes as they are.
_PLAIN = frozenset({Tensor, int, float, bool, str, complex, type(None)})


def call(compiled, args, kwargs):
    """Calls compiled code. Results are torch's where an argument is, or where torch is in use."""
    if _torch is None and not kwargs and _PLAIN.issuperset(map(type, args)):
        result = compiled(*args)
        return result if type(result) in _PLAIN else lift(result)
    if _torch is None and not any(map(holds_torch, args)) and not any(map(holds_torch, kwargs.values())):
        given = [to_tsc(one) for one in args], {name: to_tsc(one) for name, one in kwargs.items()}
        return lift(compiled(*given[0], **given[1]))
    from . import _torch as bridge
    return bridge.call(compiled, args, kwargs)
