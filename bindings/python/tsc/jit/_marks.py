"""Marks that tell the compiler what to do with a function: `export`, `ignore`, `unused`.

They are attributes of the function, with torch's own names and values, so that a file may use either module's.
"""

import contextlib
import warnings

MODIFIER = "_torchscript_modifier"
UNUSED = "unused (ignored and replaced with raising of an exception)"
IGNORE = "ignore (leave as a call to Python, cannot be torch.jit.save'd)"
EXPORT = "export (compile this function even if nothing calls it)"
DEFAULT = "default (compile if called from a exported function / forward)"
COPY_TO_SCRIPT_WRAPPER = "if this method is not scripted, copy the python method onto the scripted model"


def export(fn):
    """Marks a method that is compiled although no other compiled code calls it."""
    setattr(fn, MODIFIER, EXPORT)
    return fn


def unused(fn):
    """Marks a function or method that is not compiled. Where compiled code calls it, the call raises."""
    if isinstance(fn, property):
        for part in (fn.fget, fn.fset):
            if part is not None:
                setattr(part, MODIFIER, UNUSED)
        return fn
    setattr(fn, MODIFIER, UNUSED)
    return fn


def ignore(drop=False, **kwargs):
    """Marks a function or method that is not compiled. Compiled code that calls it calls Python; it cannot be saved.
    With `drop=True` it is as `unused`."""
    if callable(drop):
        setattr(drop, MODIFIER, IGNORE)
        return drop
    if not isinstance(drop, bool):
        raise RuntimeError(f"Argument to @torch.jit.ignore must be a bool or a function but got {drop}")
    on_export = kwargs.pop("drop_on_export", None)
    if on_export or drop:
        option = "ignore(drop_on_export=True)" if on_export else "ignore(True)"
        warnings.warn(f"{option} has been deprecated. TorchScript will now drop the function call on compilation. "
                      "Use torch.jit.unused now. {}", category=FutureWarning)
        drop = True

    def decorate(fn):
        setattr(fn, MODIFIER, UNUSED if drop else IGNORE)
        return fn

    return decorate


def modifier_of(fn):
    """Returns the mark of a function or method, or DEFAULT."""
    fn = getattr(fn, "__func__", fn)
    if isinstance(fn, property):
        fn = fn.fget
    found = getattr(fn, MODIFIER, DEFAULT)
    return found if isinstance(found, str) else DEFAULT


def is_unused(fn):
    return modifier_of(fn) == UNUSED


def is_ignored(fn):
    return modifier_of(fn) in (UNUSED, IGNORE)


def is_exported(fn):
    return modifier_of(fn) == EXPORT


class _IgnoreContextManager(contextlib.AbstractContextManager):
    def __init__(self, **kwargs):
        pass

    def __exit__(self, *exception):
        return None
