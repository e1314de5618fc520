"""Which calls of compiled code with torch's tensors C++ makes alone, and which it leaves to Python; for tests."""

import contextlib
import gc
from unittest import mock

try:
    import torch
except ImportError:
    torch = None


def in_cpp(called):
    """While it lasts, a call of a compiled function or module that is left to Python fails."""
    def refuse(self, *args, **kwargs):
        raise AssertionError("the call was left to Python")

    return mock.patch.object(type(called), "_call_slowly", refuse)


@contextlib.contextmanager
def left_to_python(called):
    """While it lasts, the calls that are left to Python are noted, in a list."""
    made, original = [], type(called)._call_slowly

    def note(self, *args, **kwargs):
        made.append(args)
        return original(self, *args, **kwargs)

    with mock.patch.object(type(called), "_call_slowly", note):
        yield made


def assert_keeps_memory(case, view_of):
    """The view of a tensor without its first element keeps the memory, when the tensor has another one and when it is gone."""
    x = torch.arange(100000.0, dtype=torch.double)
    view = view_of(x)
    with case.assertRaises(RuntimeError):  # the view is over its memory
        x.resize_(10000000)
    x.data = torch.zeros(1)
    del x
    gc.collect()
    torch.full((100000,), 5.0, dtype=torch.double)
    case.assertEqual(view.sum(), sum(range(1, 100000)))
