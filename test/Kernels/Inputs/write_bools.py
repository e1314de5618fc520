#!/usr/bin/env python3
"""Write a file of torch.save whose bools have bytes other than 0 and 1: write_bools.py KIND OUT.

It holds the arguments of a call: a tensor of bools, and in KINDs `shared`, `shared-untyped` and `both` a tensor of the
same bytes. KINDs `legacy` and `both` have the older format.
"""
import io
import pickle
import struct
import sys
import types
import zipfile

LEGACY = b"\x80\x02\x8a\x0a\x6c\xfc\x9c\x46\xf9\x20\x6a\xa8\x50\x19."
BYTES = bytes(i % 256 for i in range(2560))


def make_torch():
    """Modules with the names that a pickle of tensors has; nobody calls what they hold."""
    torch, utils = types.ModuleType("torch"), types.ModuleType("torch._utils")
    for module, names in [(torch, ["BoolStorage", "ByteStorage", "UntypedStorage", "bool"]),
                          (utils, ["_rebuild_tensor_v2", "_rebuild_tensor_v3"])]:
        sys.modules[module.__name__] = module
        for name in names:
            setattr(module, name, type(name, (), {"__module__": module.__name__, "__qualname__": name}))
    return torch, utils


torch, utils = make_torch()


class Storage:
    def __init__(self, kind):
        self.kind = kind


class Tensor:
    def __init__(self, kind, dtype=None):
        self.storage, self.dtype = Storage(kind), dtype

    def __reduce__(self):
        arguments = (self.storage, 0, (len(BYTES),), (1,), False, {})
        if self.dtype:
            return utils._rebuild_tensor_v3, arguments + (self.dtype,)
        return utils._rebuild_tensor_v2, arguments


class Pickler(pickle.Pickler):
    def __init__(self, out, is_legacy):
        super().__init__(out, 2)
        self.more = (None,) if is_legacy else ()

    def persistent_id(self, value):
        return ("storage", value.kind, "0", "cpu", len(BYTES)) + self.more if isinstance(value, Storage) else None


def pickled(value, is_legacy):
    out = io.BytesIO()
    Pickler(out, is_legacy).dump(value)
    return out.getvalue()


def main():
    kind, path = sys.argv[1:]
    plain = Tensor(torch.BoolStorage)
    if kind in ("legacy", "both"):
        tensors = [plain] + ([Tensor(torch.ByteStorage)] if kind == "both" else [])
        parts = [pickle.dumps(1001, 2), pickle.dumps({"little_endian": True}, 2),
                 pickled({"args": tuple(tensors)}, True), pickle.dumps(["0"], 2), struct.pack("<q", len(BYTES)), BYTES]
        with open(path, "wb") as file:
            file.write(LEGACY + b"".join(parts))
        return
    tensors = {"typed": [plain], "untyped": [Tensor(torch.UntypedStorage, torch.bool)],
               "shared": [plain, Tensor(torch.ByteStorage)],
               "shared-untyped": [Tensor(torch.UntypedStorage, torch.bool), Tensor(torch.ByteStorage)]}[kind]
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr("archive/data.pkl", pickled({"args": tuple(tensors)}, False))
        archive.writestr("archive/version", "3\n")
        archive.writestr("archive/data/0", BYTES)


main()
