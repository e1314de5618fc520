"""Modules from archives within live ones.

An archive is a program of its own. Where a module of one stands in a module that `script` compiles, its classes become the
unit's: the archive is written anew with names that the unit has not, and read into it.
"""

import io
import pickletools
import re
import struct
import zipfile

from . import _modules, _script_modules, _values
from ._unit import unit

_embedded = 0
# Names of the archive's own code. Classes that are written in C++ have theirs everywhere.
_OWN_NAME = r"__torch__(?=\.)(?!\.torch\.classes\.)"


def embed(module):
    """Lets a module from an archive, and all modules in it, run as a part of the unit. They keep their tensors."""
    global _embedded
    _embedded += 1
    prefix = f"__torch__._loaded_{_embedded}"
    _adopt(module, unit().load_archive(_renamed(module.save_to_buffer(), prefix)))


def _adopt(module, compiled):
    own = module.__dict__
    kind = _EmbeddedType(compiled)
    links = []
    for table in (module._parameters, module._buffers):
        for name, tensor in table.items():
            setattr(compiled, name, None if tensor is None else _values.share_tensor(tensor))
            links.append(_script_modules.shared_tensor(compiled, name, table, _script_modules._giving(module)))
    own.update(_compiled_module=compiled, _links=links)
    own["_script_type"] = kind
    _script_modules.forget_compiled(module)
    own.pop("_graphs", None)
    _modules._scripted[compiled] = module
    for name, inner in compiled._named_children():
        _adopt(module._modules[name], inner)


class _EmbeddedType(_script_modules._LoadedType):
    """The type of a module from an archive that has become the unit's."""

    def __init__(self, compiled):
        super().__init__(compiled)
        self.definition = unit().type_of_module(compiled)
        self.name = self.definition.name


#
# Archives with other names
#


def _renamed(data, prefix):
    """Returns the bytes of an archive whose code has names that begin with `prefix` in the place of "__torch__"."""
    made = io.BytesIO()
    with zipfile.ZipFile(io.BytesIO(data)) as archive, zipfile.ZipFile(made, "w") as out:
        for name in archive.namelist():
            folder, _, rest = name.partition("/")
            content = archive.read(name)
            if rest.endswith(".debug_pkl"):  # places in a text that is another one here
                continue
            if rest.startswith("code/__torch__"):
                content = re.sub(rf"\b{_OWN_NAME}", prefix, content.decode()).encode()
                rest = "code/" + prefix.replace(".", "/") + rest.removeprefix("code/__torch__")
            elif rest == ".data/python":
                content = re.sub(r"^__torch__", prefix, content.decode(), flags=re.MULTILINE).encode()
            elif rest in ("data.pkl", "constants.pkl"):
                content = _renamed_pickle(content, prefix)
            out.writestr(f"{folder}/{rest}", content)
    return made.getvalue()


def _renamed_pickle(data, prefix):
    """Returns a pickle with other names of classes: those that it calls, and those in the types that it gives lists and
    dicts. Strings of the module's own stay."""
    parts = list(pickletools.genops(data))
    ends = [position for _, _, position in parts[1:]] + [len(data)]
    made = []
    for number, ((code, argument, begin), end) in enumerate(zip(parts, ends)):
        piece = data[begin:end]
        if code.name == "GLOBAL":
            piece = b"c" + re.sub(rf"^{_OWN_NAME}|^__torch__(?= )", prefix, argument).replace(" ", "\n", 1).encode() + b"\n"
        elif code.name == "BINUNICODE" and _is_type(parts, number):
            text = re.sub(rf"\b{_OWN_NAME}", prefix, argument).encode()
            piece = b"X" + struct.pack("<I", len(text)) + text
        made.append(piece)
    return b"".join(made)


def _is_type(parts, number):
    """Whether a string is the last argument of a call: of `restore_type_tag(value, type)`."""
    behind = [code.name for code, _, _ in parts[number + 1:number + 4] if not code.name.endswith("PUT")]
    return len(behind) > 1 and behind[0].startswith("TUPLE") and behind[1] == "REDUCE"
