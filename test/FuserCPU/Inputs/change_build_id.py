"""Copies a program with another build ID: change_build_id.py FROM TO."""
import pathlib
import shutil
import struct
import sys

source, copy = map(pathlib.Path, sys.argv[1:])
program = bytearray(source.read_bytes())
note = struct.pack("<III4s", 4, 20, 3, b"GNU\0")  # lengths of name and value, NT_GNU_BUILD_ID, name
assert program.count(note) == 1, "no build ID of 20 bytes, or several"
program[program.index(note) + len(note)] ^= 1
copy.write_bytes(program)
shutil.copymode(source, copy)
