"""What is raised where something cannot be compiled."""

from .._errors import CompileError


class FrontendError(CompileError):
    """Text or an object of Python's that compiled code cannot have."""


class NotSupportedError(FrontendError):
    """Something of Python's that TorchScript does not have."""


class Reported(Exception):
    """Ends what was asked by the compiler, which has reported the error already."""
