"""Functions of torch.nn.functional: those of tsc's library, and the operators of the same names."""

import functools as _functools
import inspect as _inspect
import typing as _typing

from .. import _prelude, _tsc


class _BroadcastingList:
    """The annotation of a parameter that takes a number in the place of a list of equal numbers."""

    def __init__(self, size):
        self._size = size

    def __getitem__(self, element):
        return _typing.Annotated[_typing.List[element], "broadcast", self._size]


def _broadcast_size(annotation):
    """The size of the list that a number stands for, or None for any other parameter."""
    if _typing.get_origin(annotation) is _typing.Union:
        return next(filter(None, map(_broadcast_size, _typing.get_args(annotation))), None)
    metadata = getattr(annotation, "__metadata__", ())
    return metadata[1] if metadata[:1] == ("broadcast",) else None


def _broadcasting(function):
    """Wraps a function whose parameters take numbers in the place of lists."""
    sizes = [(place, parameter.name, _broadcast_size(parameter.annotation))
             for place, parameter in enumerate(_inspect.signature(function).parameters.values())]
    sizes = [one for one in sizes if one[2]]
    if not sizes:
        return function

    def convert(value, size):
        if isinstance(value, (int, float)):
            return [value] * size
        return list(value) if isinstance(value, tuple) else value

    defaults = {name: _inspect.signature(function).parameters[name].default for _, name, _ in sizes}

    @_functools.wraps(function)
    def call(*args, **kwargs):
        args = list(args)
        for place, name, size in sizes:
            if place < len(args):
                args[place] = convert(args[place], size)
            elif name in kwargs:
                kwargs[name] = convert(kwargs[name], size)
            elif defaults[name] is not _inspect.Parameter.empty:
                kwargs[name] = convert(defaults[name], size)
        return function(*args, **kwargs)

    return call


def _choosing(without, with_indices):
    """Joins the two functions of one name, of which a flag chooses the one that returns indices as well."""
    signature = _inspect.signature(without)
    place = list(signature.parameters).index("return_indices")

    @_functools.wraps(without)
    def call(*args, **kwargs):
        chosen = args[place] if place < len(args) else kwargs.get("return_indices", False)
        return (with_indices if chosen else without)(*args, **kwargs)

    return call


def _run_texts():
    names = {f"BroadcastingList{size}": _BroadcastingList(size) for size in range(1, 7)}
    names["number"] = _typing.Union[int, float]
    before = {*globals(), *names}
    globals().update(names)
    _prelude.run(["functional.py", "attention.py"], globals())
    made = {name: value for name, value in globals().items()
            if name not in before and _inspect.isfunction(value) and value.__module__ == __name__}
    for name, function in made.items():
        globals()[name] = _broadcasting(function)
    for name in made:
        if name + "_return_indices" in made:
            with_indices = globals()[name + "_return_indices"]
            globals()[name + "_with_indices"] = with_indices
            globals()[name] = _choosing(globals()[name], with_indices)
    return sorted(name for name in made if not name.startswith("_"))


_names = _run_texts()


def __getattr__(name):
    # A function that is not in the texts is the operator of its name.
    found = None if name.startswith("__") else _tsc._find_operator("aten::" + name)
    if found is None:
        raise AttributeError(f"module 'tsc.nn.functional' has no attribute '{name}'")
    globals()[name] = found
    return found


def __dir__():
    return _names
