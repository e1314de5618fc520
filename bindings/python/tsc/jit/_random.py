"""Random numbers in step with torch's.

Compiled code that may draw random numbers begins where torch's generator stands, and torch's goes on behind it. A
function of Python's that compiled code calls finds torch's generator where compiled code has come to.
"""

import contextlib
import threading

import torch

from .. import _tsc

_here = threading.local()


def _take():
    _tsc._take_torch_random(torch.get_rng_state().numpy())


def _give():
    state = torch.get_rng_state()
    _tsc._give_torch_random(state.numpy())
    torch.set_rng_state(state)


@contextlib.contextmanager
def of_torch():
    """While it lasts, compiled code of this thread draws torch's random numbers."""
    if getattr(_here, "is_taken", False):
        yield
        return
    _take()
    _here.is_taken = True
    try:
        yield
    finally:
        _here.is_taken = False
        _give()


@contextlib.contextmanager
def in_python():
    """While it lasts, compiled code waits for a function of Python's, which may draw random numbers too."""
    if not getattr(_here, "is_taken", False):
        yield
        return
    _give()
    _here.is_taken = False
    try:
        yield
    finally:
        _take()
        _here.is_taken = True
