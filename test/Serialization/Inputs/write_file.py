#!/usr/bin/env python3
"""Write a file that is no archive of torch.jit.save, as people have them: write_file.py KIND OUT."""
import gzip
import io
import pickle
import struct
import sys
import tarfile
import zipfile


def zipped(**files):
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w") as archive:
        for name, contents in files.items():
            archive.writestr(name, contents)
    return out.getvalue()


def tarred():
    out = io.BytesIO()
    with tarfile.open(fileobj=out, mode="w") as archive:
        archive.addfile(tarfile.TarInfo("pickle"))
    return out.getvalue()


LEGACY = b"\x80\x02\x8a\x0a\x6c\xfc\x9c\x46\xf9\x20\x6a\xa8\x50\x19."
STATE = b"\x80\x02}q\x00X\x01\x00\x00\x00wK\x01s."
WHOLE = b"\x80\x02ctorch.nn.modules.linear\nLinear\n)\x81}X\x0b\x00\x00\x00_parametersN\x73b."
KINDS = {
    "empty": lambda: b"",
    "lfs": lambda: b"version https://git-lfs.github.com/spec/v1\noid sha256:4d7a2146\nsize 12345\n",
    "legacy": lambda: LEGACY + b"\x80\x02M\xe9\x03.",
    "pickle": lambda: pickle.dumps({"w": 1}, 2),
    "state": lambda: zipped(**{"archive/data.pkl": STATE, "archive/version": "3\n", "archive/data/0": b"\0" * 4}),
    "whole": lambda: zipped(**{"archive/data.pkl": WHOLE, "archive/version": "3\n"}),
    "pt2": lambda: zipped(**{"serialized_exported_program.json": "{}", "serialized_state_dict.pt": b"", "version": "1"}),
    "pt2-new": lambda: zipped(**{"model/archive_format": "pt2", "model/models/model.json": "{}"}),
    "package": lambda: zipped(**{"m/.data/extern_modules": "torch", "m/model.pkl": b""}),
    "keras": lambda: zipped(**{"config.json": "{}", "model.weights.h5": b"\x89HDF"}),
    "npz": lambda: zipped(**{"a.npy": b"\x93NUMPY"}),
    "nested": lambda: zipped(**{"release/model.pt": b"PK"}),
    "other-zip": lambda: zipped(**{"a.txt": "a", "b.txt": "b"}),
    "empty-zip": lambda: zipped(),
    "hdf5": lambda: b"\x89HDF\r\n\x1a\n" + b"\0" * 64,
    "safetensors": lambda: struct.pack("<Q", 40) + b'{"w":{"dtype":"F32","shape":[1],"data_offsets":[0,4]}}' + b"\0" * 4,
    "onnx": lambda: b"\x08\x08\x12\x07pytorch\x1a\x051.13.0" + b":\x10\n\x04\n\x01x",
    "tensorflow": lambda: b"\x08\x01\x12\xf0\x01\n\x10" + b"\0" * 20,
    "tflite": lambda: b"\x1c\0\0\0TFL3" + b"\0" * 32,
    "flatbuffer": lambda: b"\x1c\0\0\0PTMF" + b"\0" * 32,
    "executorch": lambda: b"\x1c\0\0\0ET12" + b"\0" * 32,
    "gguf": lambda: b"GGUF\3\0\0\0",
    "gzip": lambda: gzip.compress(b"PK", mtime=0),
    "tar": tarred,
    "html": lambda: b"\n<!DOCTYPE html>\n<html><head><title>404</title></head></html>\n",
    "json": lambda: b'{"message": "Not Found"}',
    "text": lambda: b"Entry not found",
    "elf": lambda: b"\x7fELF\2\1\1" + b"\0" * 16,
    "zeros": lambda: b"\0" * 100,
    "noise": lambda: bytes((i * 197 + 91) % 256 for i in range(1000)),
}
if __name__ == "__main__":
    with open(sys.argv[2], "wb") as file:
        file.write(KINDS[sys.argv[1]]())
