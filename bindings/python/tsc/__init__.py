"""tsc: TorchScript without torch.

    import numpy as np, tsc

    model = tsc.load("policy.pt")
    with tsc.no_grad():
        action = model(np.zeros((1, 48), np.float32))

    unit = tsc.CompilationUnit('''
    def clamp01(x):
        return x.clamp(0., 1.)
    ''')
    print(unit.clamp01(tsc.tensor([-1., .5, 2.])))   # tensor([0.0000, 0.5000, 1.0000])

Tensors share memory with NumPy's arrays (`tsc.from_numpy`, `tensor.numpy()`) and with every library that speaks DLPack.
Operators of PyTorch are functions (`tsc.relu`), methods (`x.relu()`) and, with all their overloads, in
`tsc.ops.aten`.
"""

import _thread
import math as _math
import sys as _sys

from . import _tsc
from ._tsc import *  # noqa: F403  dtypes, layouts, memory formats
from ._tsc import Function, Generator, Module, Object, Opaque, Operator, Program, Tensor, __version__
from ._tsc import _from_array, _from_dlpack, _tensor
from ._errors import Cancelled, CompileError, Error, NotAllowed, QuotaError
from ._grad import enable_grad, no_grad, set_grad_enabled
from ._load import CompilationUnit, Quotas, load, save
from ._values import Future, Size
from . import _module, _tensor_methods, autograd, ops

# The thread in which Python runs handlers of signals: this one, unless somebody has made threads.
_threading = _sys.modules.get("threading")
_tsc._set_main_thread(_threading.main_thread().ident if _threading else _thread.get_ident())
_tsc._set_size_type(Size)

inference_mode = no_grad
inf, nan, pi, e = _math.inf, _math.nan, _math.pi, _math.e


def tensor(data, *, dtype=None, device=None, requires_grad=False):
    """Makes a tensor of a number, of nested lists of numbers and tensors, or of an array, and copies what is given.

    Numbers are float32, int64, bool or complex64 unless `dtype` says otherwise.
    """
    _check_device(device)
    return _tensor(data, dtype, requires_grad)


def trace(func, example_inputs=None, *, check_trace=True, warns_only=False):
    """Calls a function with example tensors, and returns a compiled function of the operators that it called. (Of a
    matrix, returns the sum of its diagonal, as torch.trace does.)

    Sizes (`x.shape[0]`) and arithmetic on them are computed when the trace runs; other numbers are constants. To read an
    element of a tensor that the trace computes raises RuntimeError. What may be wrong for other calls leaves a warning,
    and what cannot be right raises; with `warns_only` it leaves a warning, too. `check_trace` runs both on the examples
    and with one row more, and raises `tsc.jit.TracingCheckError` where they differ.
    """
    if isinstance(func, Tensor):
        return ops.aten.trace(func)
    from .jit._eager_traces import trace
    return trace(func, example_inputs, check_trace, warns_only)


def as_tensor(data, dtype=None, device=None):
    """Makes a tensor that shares the memory of an array or tensor, where that is possible."""
    _check_device(device)
    if isinstance(data, Tensor):
        shared = data
    else:
        try:
            shared = _from_array(data, True)
        except TypeError:
            return _tensor(data, dtype, False)
    return shared if dtype is None else shared.to(dtype)


def from_numpy(array):
    """Makes a tensor over the memory of an array: what is written to one is seen in the other.

    Raises ValueError for an array with negative strides, TypeError for elements that tensors do not have. A read-only
    array is copied when the tensor is first written to.
    """
    return _from_array(array, False)


def from_dlpack(source):
    """Makes a tensor over the memory of another library's tensor, an object with `__dlpack__` or a capsule."""
    return _from_dlpack(source)


def frombuffer(buffer, *, dtype, count=-1, offset=0):
    """Makes a tensor with one dimension over the bytes of a buffer, such as a bytearray."""
    view = memoryview(buffer).cast("B")[offset:]
    size = dtype.itemsize
    if count < 0:
        if len(view) % size:
            raise ValueError(f"the buffer's {len(view)} bytes are no multiple of an element's {size}")
        count = len(view) // size
    if count * size > len(view):
        raise ValueError(f"{count} elements of {size} bytes do not fit into the buffer's {len(view)} bytes")
    return _from_array(view[: count * size], False).view(dtype)


def is_tensor(value):
    """Whether an object is a tensor."""
    return isinstance(value, Tensor)


def _check_device(device):
    if device is not None and str(device).split(":")[0] != "cpu":
        raise RuntimeError(f"tensors are made in the processor's memory, and not on '{device}'")


def __getattr__(name):
    if name in ("jit", "script"):  # imported when they are first named
        import importlib

        jit = importlib.import_module(".jit", __name__)
        return jit if name == "jit" else jit.script
    if name in ("nn", "optim"):
        import importlib

        return importlib.import_module("." + name, __name__)
    if name in ("fft", "linalg", "special"):
        from . import _spaces

        return _spaces.space(name)
    if name in ("finfo", "iinfo"):
        from . import _limits

        return getattr(_limits, name)
    # Functions of torch's that are operators: torch.relu, torch.zeros, torch.cat.
    if name.startswith("_"):
        raise AttributeError(f"module 'tsc' has no attribute '{name}'")
    found = _tsc._find_operator("aten::" + name)
    if found is None:
        raise AttributeError(f"module 'tsc' has no attribute '{name}'")
    globals()[name] = found
    return found


def _program_in_notebooks(self):
    from . import _html

    return _html.of_program(self)


def _signature_of_operator(self):
    from . import _signatures

    return _signatures.of_operator(self)


Program._repr_html_ = _program_in_notebooks
Operator.__signature__ = property(_signature_of_operator)


def load_ipython_extension(ipython):
    """What `%load_ext tsc` calls in a notebook: adds the magic `%%torchscript`."""
    from . import _notebook

    _notebook.load(ipython)


def __dir__():
    return sorted({*globals(), *(name for name in _tsc._operator_names("aten") if not name.startswith("_"))})
