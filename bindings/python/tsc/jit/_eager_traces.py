"""`trace` of functions over tsc's own tensors."""

import inspect
import warnings

from .. import Tensor
from .._tsc import _script
from . import _definitions, _scopes, _tracing
from ._functions import ScriptFunction
from ._library import refresh
from ._unit import free_name, qualified_name, unit


def holds_own(value):
    """Whether an example input is or holds a tensor of tsc's."""
    if isinstance(value, (list, tuple)):
        return any(map(holds_own, value))
    if isinstance(value, dict):
        return any(map(holds_own, value.values()))
    return isinstance(value, Tensor)


def _type_of(value):
    """Returns the type of an input; that of None for one without a type, which the tracer refuses."""
    try:
        text = _tracing.type_text(value, Tensor)
    except RuntimeError:
        text = "None"
    return unit().type(text, _scopes.Scope([{"Tensor": _definitions.library_tensor()}]))


def trace(func, example_inputs, check_trace=True, warns_only=False):
    """Implements `tsc.trace`."""
    refresh()
    inputs = (example_inputs,) if isinstance(example_inputs, (Tensor, dict)) else tuple(example_inputs)
    try:
        parameters = [one.name for one in inspect.signature(func).parameters.values()
                      if one.kind is one.POSITIONAL_OR_KEYWORD]
    except (TypeError, ValueError):
        parameters = []
    names = (parameters + [f"argument_{number + 1}" for number in range(len(parameters), len(inputs))])[:len(inputs)]
    name = free_name(qualified_name(func if hasattr(func, "__name__") else type(func)))

    def traced(*args):
        before = _tracing.set_tracer(_tracing.eager)
        try:
            return func(*args)
        finally:
            _tracing.set_tracer(before)

    if _tracing.is_under_way():
        raise RuntimeError("Tracing can't be nested")
    definition, remarks, differences = _script.trace_eager(
        unit(), traced, list(inputs), list(map(_type_of, inputs)), names, name, check_trace, warns_only)
    for remark in remarks:
        warnings.warn(remark, _tracing.warning_class(), stacklevel=3)
    if differences:
        raise _tracing.error_class()(None, None, "\n".join(differences))
    return ScriptFunction(definition, func if inspect.isfunction(func) else None)
