"""Loading and saving programs."""

import os

from . import _tsc


class Quotas:
    """Limits of a call, or of loading.

    `steps` counts backward jumps, calls, and the steps of operators; `depth` nested calls; `memory` the bytes in tensors,
    lists, dicts, strings and objects; `output` the bytes that print and warnings write. None stands for no limit, and
    for 10,000 nested calls.
    """

    __slots__ = ("steps", "depth", "memory", "output")

    def __init__(self, steps=None, depth=None, memory=None, output=None):
        for name, value in zip(self.__slots__, (steps, depth, memory, output)):
            if value is not None and (not isinstance(value, int) or isinstance(value, bool) or value < 0):
                raise ValueError(f"the quota of {name} is an int that is not negative, or None, and not {value!r}")
            setattr(self, name, value)

    def _parts(self):
        return self.steps, self.depth, self.memory, self.output

    def __repr__(self):
        set_ones = (f"{name}={getattr(self, name)}" for name in self.__slots__ if getattr(self, name) is not None)
        return f"tsc.Quotas({', '.join(set_ones)})"

    def __eq__(self, other):
        return isinstance(other, Quotas) and self._parts() == other._parts()

    def __hash__(self):
        return hash(self._parts())


_DEFAULTS = {
    "threads": 1,
    "optimization": 2,
    "compile": "background",
    "fuser": True,
    "cache_folder": None,
    "allow_operators": None,
    "deny_operators": None,
    "allow_setstate": False,
    "allow_files": False,
    "quotas": None,
    "loading_quotas": None,
    "seed": None,
    "source_folder": None,
}


def _options(given):
    unknown = set(given) - set(_DEFAULTS)
    if unknown:
        raise TypeError(f"load() got an unexpected keyword argument '{sorted(unknown)[0]}'; "
                        f"options are {', '.join(_DEFAULTS)}")
    options = {**_DEFAULTS, **given}
    for name in ("quotas", "loading_quotas"):
        value = options[name]
        if value is None:
            value = Quotas()
        elif isinstance(value, dict):
            value = Quotas(**value)
        elif not isinstance(value, Quotas):
            raise TypeError(f"'{name}' is a tsc.Quotas or a dict of limits, and no {type(value).__name__}")
        options[name] = value._parts()
    return options


def _check_device(device):
    if device is None:
        return
    if str(device).split(":")[0] != "cpu":
        raise RuntimeError(f"this build of tsc runs programs on the processor alone, and not on '{device}'")


def load(f, map_location=None, _extra_files=None, *, device=None, name=None, **options):
    """Loads a program: an archive that torch.jit.save or tsc.save wrote, a source file (.py) or graphs (.ir).

    `f` is a path, the bytes of a file, or a file object that is open for reading. An archive gives its tsc.Module; other
    files give a tsc.Program, whose functions are its attributes. Bytes are those of an archive unless `name` ends in .py
    or .ir.

    `_extra_files` is a dict: the contents of the archive's extra files of these names are put into it.

    Options:
        threads          in how many threads operators compute (1)
        optimization     the level, 0 to 3 (2)
        compile          when code is specialized for arguments: "background", "eager" (the first call waits), "off"
        fuser            whether groups of operators are compiled to machine code (True)
        cache_folder     where machine code is kept for the next process; "" for nowhere
        allow_operators  patterns of the operators that the program may use, such as "aten::*"; None for all
        deny_operators   patterns of those that it may not use
        allow_setstate   whether an archive may run its __setstate__ methods while it is loaded (False)
        allow_files      whether a source program may read and write files (False)
        quotas           the limits of each call, a tsc.Quotas
        loading_quotas   the limits of loading
        seed             the seed of the numbers with which a source file makes its modules
        source_folder    the folder whose files a source file may import

    Raises FileNotFoundError, tsc.CompileError (with the file, line and column of what is wrong), tsc.NotAllowed,
    tsc.QuotaError, and tsc.Error for a file that is damaged.
    """
    _check_device(device)
    _check_device(map_location)
    chosen = _options(options)
    data = None
    if isinstance(f, (bytes, bytearray, memoryview)):
        data = bytes(f)
    elif hasattr(f, "read"):
        data = f.read()
        if isinstance(data, str):
            raise TypeError("the file is open as text: open it in binary mode, as by open(path, 'rb')")
        name = name or (f.name if isinstance(getattr(f, "name", None), str) else None)
    else:
        path = os.fspath(f)
        if isinstance(path, bytes):
            path = os.fsdecode(path)
        if not os.path.exists(path):
            raise FileNotFoundError(2, f"The provided filename {path} does not exist", path)
        if os.path.isdir(path):
            raise IsADirectoryError(21, f"The provided filename {path} is a directory", path)
        name = name or path
    program = _tsc._load(data, name or "archive.pt", chosen, options)
    if _extra_files is not None:
        import io

        _read_extra_files(program, io.BytesIO(data) if data is not None else os.fspath(f), _extra_files)
    return program.module() if program.is_archive else program


def _read_extra_files(program, file, wanted):
    import zipfile

    with zipfile.ZipFile(file) as archive:
        by_name = {name.split("/extra/", 1)[1]: name for name in archive.namelist() if "/extra/" in name}
        for name in list(wanted):
            if name in by_name:
                wanted[name] = archive.read(by_name[name])


def save(m, f, _extra_files=None):
    """Writes a module, or a source program, as an archive that torch.jit.load reads. `f` is a path or a file object."""
    folder = "archive"
    if not hasattr(f, "write"):
        folder = os.path.splitext(os.path.basename(os.fspath(f)))[0] or folder
    extra = _extra_files or {}
    if isinstance(m, _tsc.Program):
        data = m._archive("", folder, extra)
    elif isinstance(m, _tsc.Module):
        data = m._archive(folder, extra)
    else:
        raise TypeError(f"expected a tsc.Module or a tsc.Program, but got a {type(m).__name__}")
    write_archive(data, f)


def write_archive(data, f):
    """Writes an archive to a path or a file object. Where that fails, what a path had before stays."""
    if hasattr(f, "write"):
        f.write(data)
        return
    partial = f"{os.fspath(f)}.partial"
    with open(partial, "wb") as out:
        out.write(data)
    os.replace(partial, os.fspath(f))


class CompilationUnit:
    """Functions compiled from TorchScript source, which are its attributes.

        unit = tsc.CompilationUnit('''
        def twice(x: int):
            return 2 * x
        ''')
        unit.twice(4)   # 8

    The text may be indented as a whole. Options are those of tsc.load.
    """

    def __init__(self, lang=None, _frames_up=0, **options):
        self._text = ""
        self._options = options
        self._program = None
        if lang is not None:
            self.define(lang)

    def define(self, lang, rcb=None, _frames_up=0):
        """Compiles more functions, which may call those that there are. Raises tsc.CompileError for a text that is
        wrong; the unit stays as it was then."""
        import textwrap

        text = self._text + textwrap.dedent(lang).strip("\n") + "\n"
        name = self._options.get("name", "<torchscript>.py")
        options = {key: value for key, value in self._options.items() if key != "name"}
        program = _tsc._load(text.encode(), name, _options(options), options)
        program.compile_all()
        self._text, self._program = text, program

    def __getattr__(self, name):
        if name.startswith("_") or self._program is None:
            raise AttributeError(f"'CompilationUnit' object has no attribute '{name}'")
        return getattr(self._program, name)

    def get_functions(self):
        """Returns the functions."""
        return [self._program.find(name) for name in self._program.functions] if self._program else []
