"""What is raised where something cannot be compiled."""

import re

from .._errors import CompileError, makers_by_words, remarks


class FrontendError(CompileError):
    """Text or an object of Python's that compiled code cannot have."""


class UnknownTypeError(FrontendError, ValueError):
    """An annotation that is no type of compiled code."""


class AnnotationError(FrontendError, ValueError):
    """An annotation where there may be none."""


class NotSupportedError(FrontendError):
    """Something of Python's that TorchScript does not have."""


def _without_expansion(message, place):
    return NotSupportedError("keyword-arg expansion is not supported: " + message, place)


makers_by_words += [
    (re.compile("^Cannot instantiate class"), FrontendError),
    (re.compile("^Unknown type annotation"), UnknownTypeError),
    (re.compile("^a dict whose keys are not known while compiling cannot be taken apart into keyword"), _without_expansion),
    (re.compile(" aren't supported$"), NotSupportedError),
]


# The words of Python's `%` on strings, at the end of a message, and PyTorch's for the same failure. `{0}` is the conversion.
_FORMATTING = [
    (re.compile(r"TypeError: %(.) format: an? (?:real number|integer) is required, not str$"),
     "%{0} requires a number for formatting, but got String"),
    (re.compile(r"%[-+# 0-9.]*([eEfFgG]).*\n.*\n(?:.*\n)*TypeError: must be real number, not str$"),
     "%{0} requires a number for formatting, but got String"),
    (re.compile(r"TypeError: %(c) requires int or char$"), "%{0} requires an int or char for formatting, but got String"),
    (re.compile(r"ValueError: (incomplete) format$"), "Incomplete format specifier"),
    (re.compile(r"TypeError: (not enough) arguments for format string$"), "Too few arguments for format string"),
    (re.compile(r"TypeError: (not all) arguments converted during string formatting$"), "Too many arguments for format string"),
]


def _in_words_of_pytorch(message):
    """Returns how PyTorch says what a message says of the `%` of strings, which is Python's in compiled code, as are its
    messages: those who look for PyTorch's find them too."""
    if "format" not in message and "must be real number" not in message:
        return ""
    for words, sentence in _FORMATTING:
        found = words.search(message.rstrip())
        if found:
            return f"\n(in PyTorch's words: {sentence.format(found.group(1))})"
    return ""


remarks.append(_in_words_of_pytorch)


class Reported(Exception):
    """Ends what was asked by the compiler, which has reported the error already."""
