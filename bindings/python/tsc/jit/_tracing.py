"""Whether this thread traces, and what it says while it does."""

import os
import sys
import threading
import warnings

from .. import _tsc

_DATAFLOW = (" might cause the trace to be incorrect. We can't record the data flow of Python values, so this value will be "
             "treated as a constant in the future. This means that the trace might not generalize to other inputs!")
_CONSTRUCTOR = (" results are registered as constants in the trace. You can safely ignore this warning if you use this "
                "function to create tensors out of constant variables that would be the same every time you call this "
                "function. In any other case, this might cause the trace to be incorrect.")
_CONTAINER = (" might cause the trace to be incorrect, this is only valid if the container structure does not change based "
              "on the module's inputs. Consider using a constant container instead (e.g. for `list`, use a `tuple` "
              "instead. for `dict`, use a `NamedTuple` instead). If you absolutely need this and know the side effects, "
              "pass strict=False to trace() to allow this behavior.")
LENGTH = ("Using len to get tensor shape might cause the trace to be incorrect. Recommended usage would be "
          "tensor.shape[0]. Passing a tensor of different shape might lead to errors or silently give incorrect results.")
ITERATION = ("Iterating over a tensor might cause the trace to be incorrect. Passing a tensor of different shape won't "
             "change the number of iterations executed (and might lead to errors or silently give incorrect results).")

_here = os.path.dirname(os.path.abspath(__file__))
_thread = threading.local()


def current():
    """Returns the tracer of this thread, or None. One that is paused, as while compiled code runs, does not count."""
    tracer = getattr(_thread, "tracer", None)
    return None if tracer is None or tracer.paused else tracer


def set_tracer(tracer):
    """Makes a tracer this thread's, or none, and returns the one before."""
    before = getattr(_thread, "tracer", None)
    _thread.tracer = tracer
    _tsc._script._set_traced(tracer is not None)
    return before


def is_under_way():
    """Whether this thread traces, be it paused or not."""
    return getattr(_thread, "tracer", None) is not None


def _torch():
    return sys.modules.get("torch")


class _OwnWarning(Warning):
    """A trace may be wrong for other inputs."""


class _OwnError(Exception):
    """A trace does not do what was traced."""


_classes = {}


def _class(name, own):
    """Returns the class of tsc's: one of torch.jit's class of that name where torch is there, so that who filters or
    catches that has it."""
    torch = _torch()
    base = getattr(getattr(torch, "_jit_classes", None) or getattr(torch, "jit", None), name, None) or own
    if base.__module__.startswith("tsc."):
        return base
    if base not in _classes:
        _classes[base] = type(name, (base,), {"__module__": "tsc.jit", "__doc__": own.__doc__})
    return _classes[base]


def warning_class():
    """Returns the class TracerWarning."""
    made = _class("TracerWarning", _OwnWarning)
    _classes.setdefault("TracerWarning", made)
    return _classes["TracerWarning"]


def error_class():
    """Returns the class TracingCheckError."""
    if "TracingCheckError" not in _classes:
        base = _class("TracingCheckError", _OwnError)

        class TracingCheckError(base):
            """A trace does not do what was traced. `graph_diff_error` tells how a second trace differs, and
            `tensor_compare_error` how its constants do."""

            def __init__(self, graph_diff_error, tensor_compare_error, extra_msg=None):
                parts = ["Tracing failed sanity checks!"]
                if extra_msg is not None:
                    parts.append(extra_msg)
                if graph_diff_error is not None:
                    parts += ["ERROR: Graphs differed across invocations!", indent(graph_diff_error)]
                if tensor_compare_error is not None:
                    parts += ["ERROR: Tensor-valued Constant nodes differed in value across invocations. This often "
                              "indicates that the tracer has encountered untraceable code.",
                              indent(tensor_compare_error)]
                self.message = "\n".join(parts) + "\n"
                Exception.__init__(self, self.message)

        TracingCheckError.__module__ = "tsc.jit"
        _classes["TracingCheckError"] = TracingCheckError
    return _classes["TracingCheckError"]


def indent(text):
    return "\n".join("\t" + line for line in text.splitlines())


def _is_inside(filename):
    return filename.startswith(_here) or "/torch/_dynamo/" in filename or filename.endswith(
        ("/torch/overrides.py", "/torch/_tensor.py", "/torch/utils/_python_dispatch.py", "/torch/_ops.py",
         "/torch/_compile.py"))


def frame_of_caller():
    """Returns the innermost frame that is neither tsc's nor of what torch calls operators by; None where there is
    none."""
    frame = sys._getframe(1)
    while frame is not None and _is_inside(frame.f_code.co_filename):
        frame = frame.f_back
    return frame


def frame_of_user():
    """Returns the innermost frame that is neither tsc's nor torch's, or None."""
    frame = sys._getframe(1)
    while frame is not None and (_is_inside(frame.f_code.co_filename) or "/torch/" in frame.f_code.co_filename):
        frame = frame.f_back
    return frame


def warn(message):
    """Warns of what may make a trace wrong, at the line that does it. torch's own code is left alone: it mostly checks its
    arguments."""
    frame = frame_of_caller() or sys._getframe(1)
    module = frame.f_globals.get("__name__") or ""
    if module.startswith("torch.") and not module.startswith("torch.jit"):
        return
    warnings.warn_explicit(message, warning_class(), frame.f_code.co_filename, frame.f_lineno, module,
                           frame.f_globals.setdefault("__warningregistry__", {}))


def warn_of_dataflow(what):
    """Warns of a number that Python gets from a tensor."""
    warn("Converting a tensor to " + what + _DATAFLOW)


def warn_of_constructor(what):
    """Warns of a tensor that Python makes of numbers."""
    warn(what + _CONSTRUCTOR)


def container_message(kind):
    """Returns what is said of a list or dict at the output of what is traced."""
    return f"Encountering a {kind} at the output of the tracer" + _CONTAINER


def type_text(value, tensor):
    """Returns the type of an input as an annotation, or raises, in PyTorch's words, where there is none. `tensor` is
    the class of tensors."""
    if isinstance(value, tensor):
        return "Tensor"
    if isinstance(value, tuple):
        return f"Tuple[{', '.join(type_text(one, tensor) for one in value)}]" if value else "Tuple[()]"
    if isinstance(value, list):
        if not value:
            raise RuntimeError("List trace inputs must have elements")
        parts = [type_text(one, tensor) for one in value]
        for part in parts:
            if part != parts[0]:
                raise RuntimeError("List inputs to traced functions must have consistent element type. Found "
                                   f"{parts[0]} and {part}")
        return f"List[{parts[0]}]"
    if isinstance(value, dict):
        if not value:
            raise RuntimeError("Dictionary inputs to traced functions must have entries")
        keys = [_key_type(one, tensor) for one in value]
        values = [type_text(one, tensor) for one in value.values()]
        for parts in (keys, values):
            for part in parts:
                if part != parts[0]:
                    raise RuntimeError("Dictionary inputs to traced functions must have consistent type. Found "
                                       f"{parts[0]} and {part}")
        return f"Dict[{keys[0]}, {values[0]}]"
    if isinstance(value, (bool, int, float, complex, str)):
        return type(value).__name__
    if value is None:
        return "None"
    raise RuntimeError(f"Tracer cannot infer type of {value!r}\n:Only tensors and (possibly nested) tuples of tensors, "
                       "lists, or dicts are supported as inputs or outputs of traced functions, but instead got value of "
                       f"type {type(value).__name__}.")


def _key_type(key, tensor):
    return type(key).__name__ if isinstance(key, (bool, int, float, str)) else type_text(key, tensor)


def _holds_only_tensors(value, tensor):
    if isinstance(value, (list, tuple)):
        return all(_holds_only_tensors(one, tensor) for one in value)
    if isinstance(value, dict):
        return all(_holds_only_tensors(one, tensor) for one in value.values())
    return isinstance(value, tensor)


def check_inputs(values, tensor):
    """Returns the types of inputs as annotations, or raises, in PyTorch's words, where a trace cannot have them."""
    texts = [type_text(one, tensor) for one in values]
    if not all(_holds_only_tensors(one, tensor) for one in values):
        raise RuntimeError(f"Type 'Tuple[{', '.join(texts)}]' cannot be traced. Only Tensors and (possibly nested) Lists, "
                           "Dicts, and Tuples of Tensors can be traced")
    return texts


class TracedInt(int):
    """A size in a traced function. Arithmetic with it is recorded, so that a trace holds for other sizes."""

    def __new__(cls, value, make=None):
        made = super().__new__(cls, value)
        made._make, made._known = make, None
        return made

    def recorded(self, trace):
        """Returns the value of the graph that computes this one."""
        if self._known is None or not trace.is_visible(self._known):
            self._known = self._make(trace)
        return self._known

    def __reduce__(self):
        return int, (int(self),)

    def __deepcopy__(self, memo):
        return self

    def __copy__(self):
        return self


class TracedFloat(float):
    """What arithmetic of a traced function makes of sizes, where that is no int."""

    recorded = TracedInt.recorded

    def __reduce__(self):
        return float, (float.__add__(self, 0.0),)

    def __deepcopy__(self, memo):
        return self

    __copy__ = TracedInt.__copy__


def _made(value, make):
    kind = TracedInt if isinstance(value, int) else TracedFloat
    made = kind.__mro__[1].__new__(kind, value)
    made._make, made._known = make, None
    return made


TracedFloat.__new__ = staticmethod(lambda kind, value, make=None: _made(float(value), make))


def _recorded(value, trace):
    return value.recorded(trace) if isinstance(value, (TracedInt, TracedFloat)) else value


def _arithmetic(base, name, op, swapped=False):
    """Returns a method that computes with numbers, and records that where it is asked for."""
    plain = getattr(base, f"__{name}__")

    def compute(self, *others):
        result = plain(self, *others)
        if result is NotImplemented or current() is None or any(isinstance(one, bool) for one in others):
            return result
        operands = dict(zip("ba" if swapped else "ab", (self, *others)))
        overload = "float" if any(isinstance(one, float) for one in operands.values()) else "int"

        def make(trace):
            return trace.call(op, overload, {key: _recorded(operands[key], trace) for key in sorted(operands)})[0]

        return _made(result, make)

    return compute


def _int_arithmetic(name, op, swapped=False):
    """Returns the method of TracedInt, which leaves floats to float."""
    of_ints, of_floats = _arithmetic(int, name, op, swapped), _arithmetic(float, name, op, swapped)

    def compute(self, *others):
        if others and isinstance(others[0], float):
            return of_floats(_made(float(int.__int__(self)), lambda trace: self.recorded(trace)), *others)
        return of_ints(self, *others)

    return compute


for _name, _op in (("add", "aten::add"), ("sub", "aten::sub"), ("mul", "aten::mul"), ("truediv", "aten::div"),
                   ("floordiv", "aten::floordiv"), ("mod", "aten::remainder")):
    setattr(TracedInt, f"__{_name}__", _int_arithmetic(_name, _op))
    setattr(TracedInt, f"__r{_name}__", _int_arithmetic(f"r{_name}", _op, swapped=True))
    setattr(TracedFloat, f"__{_name}__", _arithmetic(float, _name, _op))
    setattr(TracedFloat, f"__r{_name}__", _arithmetic(float, f"r{_name}", _op, swapped=True))
def _comparison(base, name):
    """Returns a method that compares numbers, and warns: what follows from it is the same in each run of the trace."""
    plain = getattr(base, f"__{name}__")

    def compare(self, other):
        result = plain(self, other)
        if result is not NotImplemented and current() is not None:
            warn_of_dataflow("a Python boolean")
        return result

    return compare


for _base, _kind in ((int, TracedInt), (float, TracedFloat)):
    for _name in ("eq", "ne", "lt", "le", "gt", "ge"):
        setattr(_kind, f"__{_name}__", _comparison(_base, _name))
    _kind.__hash__ = _base.__hash__
TracedInt.__neg__ = _arithmetic(int, "neg", "aten::neg")
TracedFloat.__neg__ = _arithmetic(float, "neg", "aten::neg")


class _Eager:
    """The trace of a function over tsc's own tensors, as TracedInt sees it (src/script/EagerTrace.h)."""

    paused = 0

    def __init__(self):
        self.trace = self

    def is_visible(self, value):
        return True

    def call(self, op, overload, given):
        from .._tsc import _script
        return [_script.eager_compute(op, list(given.values()))]

    def call_compiled(self, run, signature, args, kwargs, record):
        """Calls compiled code, which the tracer records by itself."""
        self.paused = 1
        try:
            return run()
        finally:
            self.paused = 0


eager = _Eager()


def eager_sizes(tensor, sizes):
    """Returns the sizes of a tensor as numbers that a trace computes."""
    from .._tsc import _script

    def size(dim, value):
        return TracedInt(value, lambda trace: _script.eager_size(tensor, dim))

    return type(sizes)([size(dim, value) for dim, value in enumerate(sizes)])
