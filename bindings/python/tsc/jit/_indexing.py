"""`x[index]` and `x[index] = value` in a trace: the operators that torch calls for them, with sizes that the trace computes.

torch leaves out a slice that takes a whole dimension. A trace has it, since it need not take the whole one of other
tensors.
"""

import torch

from . import _torch_functions


def _is_number(value):
    return isinstance(value, int) and not isinstance(value, bool)


def _number(tracer, value):
    """Returns a number of an index, as the dispatcher takes it, and notes what computes it."""
    if value is None or type(value) is int:
        return value
    found = []
    _torch_functions.collect(tracer, value, found)
    if found:
        return found[0][0], found[0][1]
    return value.__index__()


def _is_scalar(tracer, value):
    return isinstance(value, torch.Tensor) and value.dim() == 0 and not value.dtype.is_floating_point and \
        value.dtype is not torch.bool and tracer.is_known(value)


def _call(tracer, op, tensor, dim, *numbers):
    """Calls an operator with numbers, of which some are pairs of a number and what computes it."""
    plain = [one[0] if isinstance(one, tuple) else one for one in numbers]
    traced = [(one[0], one[1]) if isinstance(one, tuple) else (one, None) for one in numbers if one is not None]
    tracer.numbers = [(dim, None), *traced]
    try:
        return op(tensor, dim, *plain)
    finally:
        tracer.numbers = None


class _Index:
    """An index as torch reads it: numbers and slices one by one, tensors all at once at the end."""

    def __init__(self, tracer, tensor, index):
        self.tracer, self.result, self.dim = tracer, tensor, 0
        self.tensors = []
        self.parts = index if isinstance(index, tuple) else (index,)

    def is_known(self):
        """Whether this class knows all parts of the index."""
        given = 0
        for part in self.parts:
            if part is None or part is Ellipsis:
                continue
            if isinstance(part, torch.Tensor):
                if part.dim() == 0 and not _is_scalar(self.tracer, part):
                    return False
                given += part.dim() if part.dtype in (torch.bool, torch.uint8) else 1
            elif _is_number(part) or isinstance(part, slice):
                given += 1
            else:
                return False
        self.given = given
        return given <= self.result.dim() and sum(part is Ellipsis for part in self.parts) <= 1

    def apply(self):
        aten = torch.ops.aten
        for part in self.parts:
            if part is None:
                self.result = self.result.unsqueeze(self.dim)
                self.dim += 1
            elif part is Ellipsis:
                self.dim += self.left()
            elif _is_number(part) or _is_scalar(self.tracer, part):
                self.result = _call(self.tracer, aten.select.int, self.result, self.dim, _number(self.tracer, part))
            elif isinstance(part, slice):
                self.slice(part)
                self.dim += 1
            else:
                self.tensors += [None] * (self.dim - len(self.tensors)) + [part]
                self.dim += part.dim() if part.dtype in (torch.bool, torch.uint8) else 1
        return self.result

    def left(self):
        """Returns how many dimensions an ellipsis stands for."""
        return self.count - self.given

    def slice(self, part):
        if part.start is None and part.stop is None and part.step is None:
            return
        numbers = [_number(self.tracer, one) for one in (part.start, part.stop, part.step)]
        step = numbers[2][0] if isinstance(numbers[2], tuple) else numbers[2]
        if step is not None and step <= 0:
            raise ValueError("step must be greater than zero")
        start = 0 if numbers[0] is None else numbers[0]
        end = 9223372036854775807 if numbers[1] is None else numbers[1]
        self.result = _call(self.tracer, torch.ops.aten.slice.Tensor, self.result, self.dim, start, end,
                            1 if numbers[2] is None else numbers[2])


def _index(tracer, tensor, index):
    made = _Index(tracer, tensor, index)
    if not made.is_known():
        return None
    made.count = tensor.dim()
    return made


def get_item(tracer, before, tensor, index):
    """Does what `tensor[index]` does."""
    made = _index(tracer, tensor, index)
    if made is None:
        return _torch_functions.call_with_numbers(tracer, before, (tensor, index), {})
    result = made.apply()
    if made.tensors:
        return torch.ops.aten.index.Tensor(result, made.tensors)
    return result.alias() if result is tensor else result


def set_item(tracer, before, tensor, index, value):
    """Does what `tensor[index] = value` does."""
    made = _index(tracer, tensor, index)
    if made is None or any(isinstance(part, torch.Tensor) and not _is_scalar(tracer, part) for part in made.parts):
        return _torch_functions.call_with_numbers(tracer, before, (tensor, index, value), {})
    target = made.apply()
    if not isinstance(value, torch.Tensor):
        target.fill_(value)
        return None
    extra = value.dim() - target.dim()
    if extra > 0:
        with tracer.pause():
            is_one = all(size == 1 for size in value.shape[:extra])
        if is_one:
            value = value.view(value.shape[extra:])
    target.copy_(value)
    return None
