"""What is raised where something cannot be compiled."""

import re

from .._errors import CompileError, makers_by_words


class FrontendError(CompileError):
    """Text or an object of Python's that compiled code cannot have."""


class UnknownTypeError(FrontendError, ValueError):
    """An annotation that is no type of compiled code."""


class NotSupportedError(FrontendError):
    """Something of Python's that TorchScript does not have."""


def _without_expansion(message, place):
    return NotSupportedError("keyword-arg expansion is not supported: " + message, place)


makers_by_words += [
    (re.compile("^Unknown type annotation"), UnknownTypeError),
    (re.compile("^a dict whose keys are not known while compiling cannot be taken apart into keyword"), _without_expansion),
    (re.compile(" aren't supported$"), NotSupportedError),
]


class Reported(Exception):
    """Ends what was asked by the compiler, which has reported the error already."""
