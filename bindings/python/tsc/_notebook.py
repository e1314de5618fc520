"""`%load_ext tsc`: the magic `%%torchscript` for notebooks."""

import linecache
import shlex

from ._load import CompilationUnit

_OPTIONS = """%%torchscript compiles the cell as TorchScript. Its functions become names of the notebook.

    %%torchscript [NAME] [OPTION=VALUE ...]

NAME becomes the tsc.CompilationUnit of the cell; options are those of tsc.load, as threads=4.
"""


def _value(text):
    import ast

    try:
        return ast.literal_eval(text)
    except (ValueError, SyntaxError):
        return text


def _compile(shell, line, cell):
    name, options = None, {}
    for word in shlex.split(line):
        key, is_option, value = word.partition("=")
        if is_option:
            options[key] = _value(value)
        elif name is None and key.isidentifier():
            name = key
        else:
            raise ValueError(f"%%torchscript takes a name and options, and not '{word}'")
    file = f"<torchscript cell {shell.execution_count}>.py"
    # Python shows the lines of an error from here.
    linecache.cache[file] = (len(cell), None, cell.splitlines(True), file)
    unit = CompilationUnit(cell, name=file, **options)
    made = {function: getattr(unit, function) for function in unit._program.functions}
    if name is not None:
        made[name] = unit
    shell.push(made)


def load(shell):
    """Adds the magic to an IPython shell."""

    def torchscript(line, cell):
        _compile(shell, line, cell)

    torchscript.__doc__ = _OPTIONS
    shell.register_magic_function(torchscript, magic_kind="cell", magic_name="torchscript")
