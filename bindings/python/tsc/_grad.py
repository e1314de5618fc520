"""Grad mode, as torch has it: for the thread, until the context ends."""

from . import _tsc


class _GradMode:
    _enabled = True

    def __enter__(self):
        self._before = _tsc.is_grad_enabled()
        _tsc._set_grad_enabled(self._enabled)
        return self

    def __exit__(self, *_):
        _tsc._set_grad_enabled(self._before)

    def __call__(self, function):
        import functools

        @functools.wraps(function)
        def inside(*args, **kwargs):
            with type(self)():
                return function(*args, **kwargs)

        return inside

    def __new__(cls, function=None, *args, **kwargs):
        made = super().__new__(cls)
        return made(function) if callable(function) else made


class no_grad(_GradMode):
    """Nothing that is computed within is recorded for gradients. A context, and a decorator of functions."""

    _enabled = False


class enable_grad(_GradMode):
    """What is computed within is recorded for gradients, also within no_grad()."""


class set_grad_enabled:
    """Sets the grad mode at once, and, as a context, until it ends."""

    def __init__(self, mode):
        self._before = _tsc.is_grad_enabled()
        _tsc._set_grad_enabled(bool(mode))

    def __enter__(self):
        return self

    def __exit__(self, *_):
        _tsc._set_grad_enabled(self._before)
