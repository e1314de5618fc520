"""examples/python/tsc.py, with programs whose kernels are made at once and which may use threads."""
import ctypes
import os
import sys


def load(order):
    """The module, whose library is seen by all where the order says so."""
    if order == "global":
        ctypes.CDLL(os.environ["TSC_LIBRARY"], mode=ctypes.RTLD_GLOBAL)
    import tsc
    return tsc


def program(tsc, source, threads, name=None):
    """A tsc.Program of a path, or of bytes with a name."""
    library, pointer = tsc._lib, ctypes.c_void_p
    library.tsc_options_new.restype = pointer
    for function in ("threads", "compile_mode", "cache_folder"):
        getattr(library, f"tsc_options_set_{function}").restype = pointer
    library.tsc_options_free.argtypes = [pointer]
    options = tsc._Handle(library.tsc_options_new(), library.tsc_options_free)
    at = pointer(options.pointer)
    tsc._check(library.tsc_options_set_threads(at, threads))
    tsc._check(library.tsc_options_set_compile_mode(at, 2))  # TSC_COMPILE_EAGER
    tsc._check(library.tsc_options_set_cache_folder(at, b""))
    made = tsc.Program(b"def nothing(x: int) -> int:\n    return x\n", "nothing.py")
    if isinstance(source, bytes):
        made._handle = tsc._make(library.tsc_program_load_bytes, library.tsc_program_free, source,
                                 ctypes.c_size_t(len(source)), (name or "program.py").encode(), at, None, None)
    else:
        made._handle = tsc._make(library.tsc_program_load, library.tsc_program_free, os.fsencode(source), at)
    return made


def check(condition, text):
    if not condition:
        sys.exit(text)
