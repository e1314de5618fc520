"""The program that all of tsc.jit's functions and modules belong to, and the names in it."""

import re
import threading

from .. import _load, _tsc
from ._errors import Reported

_made = None
_lock = threading.Lock()


def unit():
    """Returns the program. It is made when something is first compiled, and lives as long as the process."""
    global _made
    if _made is None:
        with _lock:
            if _made is None:
                program = _tsc._load(b"", "<python>.py", {**_load._options({"allow_files": True}), "is_unit": True}, {})
                _made = _tsc._script.ScriptUnit(program, Reported)
    return _made


def qualified_name(value, name=None):
    """Returns the name by which programs and archives know a function or class: "__torch__.package.module.name"."""
    given = getattr(value, "_jit_override_qualname", None)
    if given:
        return given
    name = name or getattr(value, "__name__", None) or type(value).__name__
    if name == "<lambda>":
        name = "_lambda"
    module = getattr(value, "__module__", None)
    if module is None:
        raise RuntimeError(f"Could not get qualified name for class '{name}': __module__ can't be None.")
    if module == "__main__":
        module = "__torch__"
    elif not module.startswith("__torch__"):
        module = "__torch__." + module
    if "." in name:
        raise RuntimeError(f"Could not get qualified name for class '{name}': '{name}' is not a valid identifier")
    return re.sub(r"[^A-Za-z0-9_.]", "_", f"{module}.{name}")


def free_name(qualified):
    """Returns the name, or one beside it that nothing in the program has, and that no other thread was given."""
    program, thread = unit(), threading.get_ident()
    with _lock:

        def is_taken(name):
            return program.is_taken(name) or _promised.get(name, thread) != thread

        found = qualified
        if is_taken(qualified):
            path, _, name = qualified.rpartition(".")
            path = re.sub(r"\.___torch_mangle_\d+$", "", path)
            number = _next.get(qualified, 0)
            while is_taken(f"{path}.___torch_mangle_{number}.{name}"):
                number += 1
            _next[qualified] = number + 1
            found = f"{path}.___torch_mangle_{number}.{name}"
        if len(_promised) > 100:  # what the program has by now is promised to nobody
            for name in [name for name in _promised if program.is_taken(name)]:
                del _promised[name]
        _promised[found] = thread
        return found


_next = {}
_promised = {}  # name -> the thread that will define it
