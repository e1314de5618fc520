"""Writes the type stubs of tsc.nn and tsc.optim, from the signatures of the functions and classes that they have."""
import inspect
import pathlib
import re
import typing

import tsc
from tsc import nn, optim

CONTAINERS = {"Sequential": "_Sequence", "ModuleList": "_Sequence", "ParameterList": "_Sequence", "ModuleDict": "_Mapping",
              "ParameterDict": "_Mapping"}
PLAIN = {int: "int", float: "float", bool: "bool", str: "str", type(None): "None", tsc.Tensor: "Tensor"}


def annotation(kind, name):
    """The text of an annotation. `dtype` is declared as the number that compiled code has for one."""
    if name == "dtype":
        return "Any"
    if kind in PLAIN:
        return PLAIN[kind]
    origin, arguments = typing.get_origin(kind), typing.get_args(kind)
    if origin is typing.Union:
        return " | ".join(dict.fromkeys(annotation(one, "") for one in arguments))
    if origin is typing.Annotated:  # a number stands for a list of equal ones
        element = annotation(typing.get_args(arguments[0])[0], "") if typing.get_origin(arguments[0]) else annotation(arguments[0], "")
        return f"{element} | Sequence[{element}]"
    if origin is list:
        return f"Sequence[{annotation(arguments[0], '')}]"
    if origin is tuple and arguments and Ellipsis not in arguments:
        return f"tuple[{', '.join(annotation(one, '') for one in arguments)}]"
    return "Any"


def signature(function, result, chooses_result=False):
    """The parameters and the result of a function, as a stub has them."""
    parts, only = [], False
    for parameter in inspect.signature(function).parameters.values():
        if parameter.kind is parameter.KEYWORD_ONLY and not only:
            parts.append("*")
            only = True
        star = {parameter.VAR_POSITIONAL: "*", parameter.VAR_KEYWORD: "**"}.get(parameter.kind, "")
        only |= star == "*"
        text = star + parameter.name
        if parameter.name != "self":
            known = parameter.annotation is not parameter.empty
            text += ": " + (annotation(parameter.annotation, parameter.name) if known else "Any")
        parts.append(text + (" = ..." if parameter.default is not parameter.empty else ""))
    returned = inspect.signature(function).return_annotation
    if result is None:
        result = "Any" if chooses_result or returned is inspect.Signature.empty else annotation(returned, "result")
    return f"({', '.join(parts)}) -> {result}: ..."


def functions(module, names):
    """The definitions of a module's functions."""
    for name in names:
        value = getattr(module, name)
        if inspect.isfunction(value):
            yield f"def {name}{signature(value, None, hasattr(module, name + '_with_indices'))}"


def classes_of_nn():
    for name in dir(nn):
        cls = getattr(nn, name)
        if not isinstance(cls, type) or cls in (nn.Module, nn.Parameter):
            continue
        yield f"class {name}({CONTAINERS.get(name, 'Module')}):"
        yield f"    def __init__{signature(cls.__init__, 'None')}"


def classes_of_optim(module, names):
    for name in names:
        cls = getattr(module, name)
        if not isinstance(cls, type):
            continue
        yield f"class {name}:"
        yield "    def __getattr__(self, name: str) -> Any: ..."
        yield "    def __setattr__(self, name: str, value: Any) -> None: ..."
        given = signature(cls.__init__, "None")
        yield "    def __init__" + re.sub(r"params: Sequence\[Tensor\]", "params: Iterable[Tensor]", given).replace(
            "optimizer: Any", "optimizer: Any")
        for method in ("step", "zero_grad", "state_dict", "load_state_dict", "get_last_lr"):
            if hasattr(cls, method):
                yield f"    def {method}{signature(getattr(cls, method), None)}"


HEAD = "from typing import Any, Iterable, Sequence\n\nfrom {dots} import Tensor\n"


def write(folder):
    """Writes the stubs into the folder of the package."""
    here = pathlib.Path(__file__).parent

    def put(name, lines, dots=".."):
        (folder / name).write_text(HEAD.format(dots=dots) + "\n" + "\n".join(lines) + "\n")

    head = (here / "nn.pyi").read_text()
    (folder / "nn/__init__.pyi").write_text(head.replace("# CLASSES", "\n".join(classes_of_nn())))
    put("nn/functional.pyi", [*functions(nn.functional, dir(nn.functional)), "def __getattr__(name: str) -> Any: ..."])
    put("nn/init.pyi", functions(nn.init, dir(nn.init)))
    utils = [line.replace(": Sequence[Tensor]", ": Tensor | Iterable[Tensor]") for line in functions(nn.utils, dir(nn.utils))]
    put("nn/utils/__init__.pyi", ["from . import rnn as rnn", *utils], "...")
    packed = ["class PackedSequence:", "    data: Tensor", "    batch_sizes: Tensor", "    sorted_indices: Tensor | None",
              "    unsorted_indices: Tensor | None"]
    rnn = [line.replace("-> Any", "-> PackedSequence") if "def pack_" in line else line
           for line in functions(nn.utils.rnn, dir(nn.utils.rnn))]
    put("nn/utils/rnn.pyi", packed + rnn, "...")
    put("optim/__init__.pyi", ["from . import lr_scheduler as lr_scheduler", *classes_of_optim(optim, dir(optim))])
    put("optim/lr_scheduler.pyi", [*classes_of_optim(optim.lr_scheduler, dir(optim.lr_scheduler)),
                                   *functions(optim.lr_scheduler, dir(optim.lr_scheduler))])
