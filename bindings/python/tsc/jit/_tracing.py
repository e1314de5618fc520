"""Whether this thread traces, and what it says while it does."""

import os
import sys
import threading
import warnings

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
    """Warns of what may make a trace wrong, at the line that does it."""
    frame = frame_of_caller() or sys._getframe(1)
    warnings.warn_explicit(message, warning_class(), frame.f_code.co_filename, frame.f_lineno,
                           frame.f_globals.get("__name__"), frame.f_globals.setdefault("__warningregistry__", {}))


def warn_of_dataflow(what):
    """Warns of a number that Python gets from a tensor."""
    warn("Converting a tensor to " + what + _DATAFLOW)


def warn_of_constructor(what):
    """Warns of a tensor that Python makes of numbers."""
    warn(what + _CONSTRUCTOR)


def container_message(kind):
    """Returns what is said of a list or dict at the output of what is traced."""
    return f"Encountering a {kind} at the output of the tracer" + _CONTAINER


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


def _recorded(value, trace):
    return value.recorded(trace) if isinstance(value, TracedInt) else value


def _arithmetic(name, op, swapped=False):
    plain = getattr(int, f"__{name}__")

    def compute(self, other=None):
        if other is not None and not isinstance(other, int) or isinstance(other, bool):
            return plain(self, other)
        result = plain(self) if other is None else plain(self, other)
        if result is NotImplemented or current() is None:
            return result
        given = {"a": other, "b": self} if swapped else {"a": self} if other is None else {"a": self, "b": other}
        overload = "int"

        def make(trace):
            return trace.call(op, overload, {key: _recorded(value, trace) for key, value in given.items()})[0]

        return TracedInt(result, make)

    return compute


for _name, _op in (("add", "aten::add"), ("sub", "aten::sub"), ("mul", "aten::mul"), ("floordiv", "aten::floordiv"),
                   ("mod", "aten::remainder")):
    setattr(TracedInt, f"__{_name}__", _arithmetic(_name, _op))
    setattr(TracedInt, f"__r{_name}__", _arithmetic(f"r{_name}", _op, swapped=True))
TracedInt.__neg__ = _arithmetic("neg", "aten::neg")


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
