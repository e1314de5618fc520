"""What a trace sees of calls of torch's functions: numbers that it computes, and functions that it records in a way of their own."""

import weakref

import torch

import tsc

from . import _tracing
from ._tracing import TracedFloat, TracedInt

# What tsc has objects of the same names for.
SETTINGS = (torch.dtype, torch.layout, torch.memory_format)


def setting(value):
    """Returns tsc's object for a dtype, layout or memory format of torch's."""
    name = str(value).rpartition(".")[2]
    made = getattr(tsc, name, None)
    if made is None:
        raise NotImplementedError(f"tsc has no {value}")
    return made


def call_with_numbers(tracer, func, args, kwargs):
    """Calls a function of torch's, whose operator gets numbers that the trace computes."""
    numbers = []
    if not collect(tracer, args, numbers) | collect(tracer, tuple(kwargs.values()), numbers):
        return func(*args, **kwargs)
    tracer.numbers = numbers
    try:
        return func(*args, **kwargs)
    finally:
        tracer.numbers = None


def collect(tracer, value, numbers):
    """Appends the numbers in a value, and returns whether the trace computes one of them."""
    if isinstance(value, TracedInt):
        numbers.append((int.__int__(value), value))
        return True
    if isinstance(value, TracedFloat):
        numbers.append((float.__add__(value, 0.0), value))
        return True
    if isinstance(value, bool):
        return False
    if isinstance(value, (int, float)):
        numbers.append((value, None))
        return False
    if isinstance(value, slice):
        return collect(tracer, (value.start, value.stop, value.step), numbers)
    if isinstance(value, (list, tuple)):
        found = False
        for one in value:
            found |= collect(tracer, one, numbers)
        return found
    if isinstance(value, torch.Tensor) and value.dim() == 0 and tracer.is_known(value):
        return _collect_scalar(tracer, value, numbers)
    return False


def _collect_scalar(tracer, tensor, numbers):
    if tensor.dtype is torch.bool or tensor.is_complex() or tensor.device.type != "cpu":
        return False
    recorded = tracer.value_of(tensor)
    with tracer.pause():
        number = tensor.item()
    op = "aten::Float" if isinstance(number, float) else "aten::Int"
    # A float is found by its value, and stands for the operator's argument as an int does.
    made = TracedInt(number if isinstance(number, int) else 0,
                     lambda trace: trace.call(op, "Tensor", {"a": recorded})[0])
    numbers.append((number, made))
    return True


#
# Functions of torch's that the trace treats in a way of its own
#


def _size(tracer, func, args, kwargs):
    size = func(*args, **kwargs)
    tensor = args[0]
    if not tracer.is_traced(tensor):
        return size
    recorded = tracer.value_of(tensor)
    if isinstance(size, int):
        dim = args[1] if len(args) > 1 else kwargs["dim"]
        return _traced_size(recorded, dim if isinstance(dim, int) else 0, size)
    return torch.Size([_traced_size(recorded, dim, one) for dim, one in enumerate(size)])


def _traced_size(recorded, dim, size):
    return TracedInt(size, lambda trace: trace.call("aten::size", "int", {"self": recorded, "dim": int(dim)})[0])


def _numel(tracer, func, args, kwargs):
    count = func(*args, **kwargs)
    if not tracer.is_traced(args[0]):
        return count
    recorded = tracer.value_of(args[0])
    return TracedInt(count, lambda trace: trace.call("aten::numel", "", {"self": recorded})[0])


def _gives(what):
    def call(tracer, func, args, kwargs):
        _tracing.warn_of_dataflow(what)
        with tracer.pause():
            return func(*args, **kwargs)

    return call


def _constructs(what, copies=False):
    def call(tracer, func, args, kwargs):
        _tracing.warn_of_constructor(what)
        with tracer.pause():
            result = func(*args, **kwargs)
        if copies:
            tracer.fresh[id(result)] = weakref.ref(result)
        return result

    return call


def _contiguous(tracer, func, args, kwargs):
    """A tensor that is contiguous is given back without a call of the operator."""
    tensor, before = args[0], tracer.known_value(args[0])
    result = func(*args, **kwargs)
    if result is tensor and tracer.is_traced(tensor) and tracer.known_value(tensor) is before:
        given = {"self": tracer.value_of(tensor)}
        layout = args[1] if len(args) > 1 else kwargs.get("memory_format")
        if layout is not None:
            given["memory_format"] = setting(layout)
        tracer.know(tensor, tracer.trace.call("aten::contiguous", "", given)[0])
    return result


def _converted(tracer, func, args, kwargs):
    """A tensor that is on the device already is given back without a call of the operator."""
    tensor, before = args[0], tracer.known_value(args[0])
    result = func(*args, **kwargs)
    if result is tensor and tracer.is_traced(tensor) and tracer.known_value(tensor) is before:
        given = {"self": tracer.value_of(tensor), "device": tsc.device("cpu"), "dtype": setting(tensor.dtype)}
        tracer.know(tensor, tracer.trace.call("aten::to", "device", given)[0])
    return result


def _data(tracer, func, args, kwargs):
    with tracer.pause():
        result = func(*args, **kwargs)
    if tracer.is_traced(args[0]):
        tracer.know(result, tracer.trace.call("aten::detach", "", {"self": tracer.value_of(args[0])})[0])
    return result


_specials = None


def special_functions():
    """Returns what stands for functions of torch's in a trace."""
    global _specials
    if _specials is None:
        tensor = torch.Tensor
        _specials = {
            tensor.size: _size, tensor.shape.__get__: _size, tensor.numel: _numel, tensor.nelement: _numel,
            torch.numel: _numel,
            tensor.__bool__: _gives("a Python boolean"), tensor.__int__: _gives("a Python integer"),
            tensor.__float__: _gives("a Python float"), tensor.__complex__: _gives("a Python complex"),
            tensor.item: _gives("a Python number"), tensor.tolist: _gives("a Python list"),
            tensor.numpy: _gives("a NumPy array"),
            torch.tensor: _constructs("torch.tensor", True), torch.as_tensor: _constructs("torch.as_tensor"),
            torch.from_numpy: _constructs("torch.from_numpy"), tensor.contiguous: _contiguous,
            tensor.cpu: _converted, tensor.data.__get__: _data,
        }
    return _specials
