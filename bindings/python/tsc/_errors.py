"""The exceptions that tsc raises.

The extension names what went wrong, and the functions at the end make the exception. An exception that a program
raises has the class that the program named: `raise ValueError("x")` in TorchScript is a `ValueError`, and also a
`tsc.Error` (and so a `RuntimeError`), as which `torch.jit` raises it.
"""

import builtins


class Error(RuntimeError):
    """What a program raised, or what it could not do. `summary` is the message without the TorchScript call stack."""

    summary = ""


class CompileError(SyntaxError, RuntimeError):
    """Text that does not compile. It has `filename`, `lineno`, `offset`, `text`, `end_lineno` and `end_offset`, as
    every SyntaxError, so that Python shows the place; hints and further errors are notes (`__notes__`). `str()` is the
    message with `excerpt`: the overloads that a call fits none of, and the lines around the place, where a marker shows
    it."""

    excerpt = ""

    def __str__(self):
        if not self.excerpt:
            return super().__str__()
        return self.msg + self.excerpt


class QuotaError(Error):
    """A call or a file needed more than a quota allows. `quota` is "steps", "depth", "memory" or "output"."""

    quota = ""


class NotAllowed(Error, PermissionError):
    """Something that the host has not allowed: an operator, `__setstate__`, files."""


class Cancelled(Error):
    """A call that was ended from outside."""


for _class in (Error, CompileError, QuotaError, NotAllowed, Cancelled):
    _class.__module__ = "tsc"

_classes = {}


def class_named(name):
    """Returns the class for an exception that a program calls `name`, "builtins.ValueError" or "__torch__.Mine"."""
    found = _classes.get(name)
    if found is not None:
        return found
    module, _, last = name.rpartition(".")
    base = getattr(builtins, last, None) if module == "builtins" else None
    is_exception = isinstance(base, type) and issubclass(base, Exception)
    made = Error
    if is_exception:
        made = base
        if base is RuntimeError:
            made = Error
        else:
            try:
                made = type(last, (Error, base), {"__module__": "builtins", "__doc__": base.__doc__})
            except TypeError:  # two layouts that do not fit together
                pass
    elif module:
        made = type(last, (Error,), {"__module__": module})
    _classes[name] = made
    return made


def _with_markers(text):
    """Returns a text in which the markers under lines of programs cover what PyTorch's cover."""
    if "~ <--- HERE" not in text:
        return text
    from . import _markers
    return _markers.as_pytorch_has_them(text)


# Functions that return what a message is followed by in str(), or "". tsc.jit adds one that knows PyTorch's words.
remarks = []


def of_status(cls, quota, message, summary):
    """Makes the exception of that class for a failure of the engine; `quota` is the one that was exceeded, or None."""
    message = _with_markers(message)
    message += "".join(remark(message) for remark in remarks)
    # What str() shows of a KeyError is the repr of its argument: a text of several lines would be unreadable.
    made = _plain_key_error(cls)(message) if issubclass(cls, KeyError) else cls(message)
    if quota is not None:
        made.quota = quota
    try:
        made.summary = summary
    except AttributeError:
        pass
    return _with_frames(made, message)


def _with_frames(exception, message):
    """Gives the exception a traceback with the frames of TorchScript that its message shows, below those of Python."""
    if "Traceback of TorchScript" not in message:
        return exception
    import re
    import types

    below = None
    for file, line, function in reversed(re.findall(r'^  File "(.*)", line (\d+), in (\S+)$', message, re.MULTILINE)):
        # A frame of Python's whose code says that it is at that line of that file.
        code = compile("\n" * (int(line) - 1) + "raise error", file, "exec").replace(co_name=function)
        try:
            exec(code, {"error": Error()})
        except Error as raised:
            frame = raised.__traceback__.tb_next.tb_frame
        below = types.TracebackType(below, frame, frame.f_lasti, int(line))
    return exception.with_traceback(below)


def _plain_key_error(cls):
    if cls.__str__ is Exception.__str__:
        return cls
    plain = type(cls.__name__, (cls,), {"__module__": cls.__module__, "__str__": Exception.__str__})
    _classes["builtins.KeyError"] = plain
    return plain


def _without_variants(message):
    """Returns a message without the list of overloads that do not fit, and that list: a traceback shows the former."""
    brief, mark, rest = message.partition("\nArguments for call are not valid.")
    return brief, mark + rest.removesuffix("\nThe original call is")


# Pairs of a regular expression and what makes an exception for messages in which it is found. tsc.jit adds those of
# PyTorch's frontend.
makers_by_words = []


def _made_by_words(message, place):
    for words, make in makers_by_words:
        if words.search(message):
            return make(message, place)
    return CompileError(message, place)


def of_diagnostics(errors):
    """Makes one exception of the errors in a program's text. Each is (message, file, line, column, end column, text of
    the line, notes, excerpt); numbers are 0 where there is no place."""
    message, file, line, column, end, text, notes, excerpt = errors[0]
    message, variants = _without_variants(message)
    place = (file or "<torchscript>", line or None, column or None, text or None, line or None, end or None)
    made = _made_by_words(message, place)
    made.excerpt = variants + ":\n" + _with_markers(excerpt) if excerpt else variants
    for note in notes:
        _add_note(made, note)
    for message, file, line, column, end, text, notes, _ in errors[1:]:
        where = f"{file}:{line}:{column}: " if line else ""
        _add_note(made, f"{where}error: {_without_variants(message)[0]}")
        for note in notes:
            _add_note(made, note)
    return made


def _add_note(exception, note):
    if hasattr(exception, "add_note"):
        exception.add_note(note)
    else:  # before Python 3.11
        exception.__notes__ = [*getattr(exception, "__notes__", ()), note]
