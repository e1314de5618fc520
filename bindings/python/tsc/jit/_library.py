"""Which objects of Python's are names of a library that compiled code has.

Compiled code calls `torch.relu` by its path, whatever the program's text calls it: the object behind a name decides.
So there is a table from objects to paths, of Python's own libraries, of torch where a program has imported it, and of
tsc, whose functions are torch's under the same names.
"""

import abc
import builtins
import cmath
import collections
import contextlib
import copy
import dataclasses
import enum
import functools
import inspect
import itertools
import math
import numbers
import operator
import random
import sys
import time
import types
import typing
import warnings

# Modules of torch whose names compiled code may use. Where an object has several paths, the first one counts.
_TORCH_MODULES = (
    "torch.nn.functional", "torch", "torch.nn.init", "torch.linalg", "torch.fft", "torch.special", "torch.sparse",
    "torch.jit", "torch._jit_internal", "torch.autograd", "torch.autograd.profiler", "torch.profiler", "torch.cuda",
    "torch.futures", "torch.nn.utils.rnn", "torch.nn.utils", "torch.functional", "torch.overrides", "torch.random",
    "torch._VF", "torch._C._nn", "torch._C", "torch.fx", "torch.optim", "torch.nn",
)
_TSC_MODULES = ("nn.functional", "nn.init", "nn.utils.rnn", "nn.utils", "optim.lr_scheduler", "optim", "nn")
_PYTHON_MODULES = (builtins, typing, math, cmath, enum, dataclasses, collections, functools, itertools, operator, abc,
                   contextlib, copy, warnings, time, numbers, random)
_ALIASES = {
    "torch.futures.Future": "torch.jit.Future",
    "torch._C.Future": "torch.jit.Future",
    "torch._jit_internal.Future": "torch.jit.Future",
    "torch.nn.parameter.Parameter": "torch.Tensor",
    "torch.nn.Parameter": "torch.Tensor",
    "torch.autograd.Variable": "torch.Tensor",
    "torch._jit_internal.boolean_dispatch": "",
    "torch._C.dtype": "torch.dtype",
    "torch._C.device": "torch.device",
}


def _is_private(path):
    return path.rpartition(".")[2].startswith("_")


class Library:
    """The table. It grows when a module of a library is imported."""

    def __init__(self):
        self.paths = {}  # id -> (paths, object); the object is kept, so that no other one gets its id
        self.modules = {}  # id of a module -> path
        self.read = set()
        for module in _PYTHON_MODULES:
            self.add_module(module, module.__name__)

    def add(self, value, path):
        """Notes the path of an object, unless it has one or is a plain number or text."""
        if isinstance(value, (int, float, str, bytes, complex, tuple, list, dict, set)) or value is None:
            return
        path = _ALIASES.get(path, path)
        if path:
            known = self.paths.setdefault(id(value), ([], value))[0]
            if path in known:
                return
            if _is_private(path):
                known.append(path)
            else:  # before what modules call it for themselves, such as torch.nn.functional._jit_unused
                known.insert(next((number for number, one in enumerate(known) if _is_private(one)), len(known)), path)

    def add_module(self, module, path):
        self.modules[id(module)] = path
        self.read.add(path)
        for name, value in list(vars(module).items()):
            if isinstance(value, types.ModuleType):
                continue
            if name.startswith("__") and name.endswith("__"):
                continue
            self.add(value, f"{path}.{name}")

    def add_torch(self, torch):
        """Reads those of torch's modules that are imported and were not read before."""
        if "torch" not in self.read:
            self.add(torch.Tensor, "torch.Tensor")
            for name, value in vars(torch).items():
                if isinstance(value, (torch.dtype, torch.layout, torch.memory_format)):
                    self.add(value, f"torch.{name}")
            for name in dir(torch.Tensor):
                if not name.startswith("__"):
                    self.add(getattr(torch.Tensor, name, None), f"torch.Tensor.{name}")
            self.modules[id(torch.ops)] = "torch.ops"
            self.modules[id(torch._VF)] = "torch._VF"
        for path in _TORCH_MODULES:
            module = sys.modules.get(path)
            if module is not None and path not in self.read:
                if path == "torch._VF":  # an object in a module's place, which hands names on
                    self.read.add(path)
                    self.modules[id(module)] = path
                    continue
                self.add_module(module, path)

    def add_tsc(self, tsc):
        """Reads tsc's own names, which are torch's."""
        self.modules[id(tsc)] = "torch"
        self.modules[id(tsc.jit)] = "torch.jit"
        self.modules[id(tsc.autograd)] = "torch.autograd"
        self.add(tsc.Tensor, "torch.Tensor")
        self.read.add("tsc")
        for module, path in ((tsc, "torch"), (tsc.jit, "torch.jit"), (tsc.autograd, "torch.autograd")):
            for name, value in list(vars(module).items()):
                if not name.startswith("__") and not isinstance(value, (types.ModuleType, tsc.Operator)):
                    self.add(value, f"{path}.{name}")

    def path_of(self, value):
        """Returns the path of an object that a library has, or None. Of several, it is the first that was read."""
        found = self.paths_of(value)
        return found[0] if found else None

    def paths_of(self, value):
        """Returns all paths of an object."""
        if isinstance(value, types.ModuleType) or id(value) in self.modules:
            known = self.modules.get(id(value))
            if known is not None:
                return [known]
            name = getattr(value, "__name__", "")
            return [name] if name.split(".")[0] == "torch" and "torch" in self.read else []
        kind = type(value)
        if kind.__name__ in ("_OpNamespace", "OpOverloadPacket", "_Classes", "_ClassNamespace"):
            return [_path_of_op(value)]
        known = self.paths.get(id(value))
        if known is None and kind.__name__ == "Operator" and kind.__module__ == "tsc":
            return ["torch." + value.name.split("::")[-1]]
        return known[0] if known is not None else []


def _path_of_op(value):
    """The path of torch.ops.namespace, and of a function in it."""
    kind = type(value).__name__
    if kind == "OpOverloadPacket":
        return "torch.ops." + value._qualified_op_name.replace("::", ".")
    if kind == "_OpNamespace":
        return value.name if value.name.startswith("torch.ops.") else "torch.ops." + value.name
    return getattr(value, "__name__", None)


library = Library()


def refresh():
    """Takes up what was imported since the last time."""
    if "tsc" not in library.read:
        import tsc
        library.add_tsc(tsc)
    for path in ("fft", "linalg", "special"):
        if "tsc." + path in sys.modules:
            library.modules[id(sys.modules["tsc." + path])] = "torch." + path
    for path in _TSC_MODULES:
        module = sys.modules.get("tsc." + path)
        if module is not None and "tsc." + path not in library.read:
            library.add_module(module, "torch." + path)
            library.read.add("tsc." + path)
    torch = sys.modules.get("torch")
    if torch is not None and hasattr(torch, "Tensor") and hasattr(torch, "ops"):
        library.add_torch(torch)


def object_at(path, otherwise):
    """Returns the object of torch's that a dotted path of its library names, where torch is imported, or `otherwise`."""
    head, *rest = path.split(".")
    value = sys.modules.get(head, otherwise) if head == "torch" else otherwise
    for name in rest:
        value = getattr(value, name, otherwise)
    return value


def is_builtin_function(value):
    """Whether a function has no text of Python's."""
    return inspect.isbuiltin(value) or isinstance(value, (types.BuiltinFunctionType, types.MethodDescriptorType,
                                                         types.WrapperDescriptorType, types.MethodWrapperType))


def is_python_function(value):
    return isinstance(value, (types.FunctionType, functools.partial))
