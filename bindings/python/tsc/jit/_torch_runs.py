"""Calls of what tsc compiled that torch makes, from the archive that tsc writes of it.

tsc's kernels are none of torch's operators. So torch runs the program where it does something with each operator: it
records or observes them, transforms them (torch.func), computes tangents (torch.autograd.forward_ad), casts for them
(torch.autocast), or has tensors without elements in memory (on the device meta, or of a class with a dispatch of its own).
TorchLibrary::isUninvolved() knows the same conditions, for calls that run none of Python's code.
"""

import io
import itertools
import threading

import torch

import tsc

from .. import _errors
from . import _definitions, _modules, _objects, _tracing, _values
from ._errors import NotSupportedError

is_autocast = getattr(torch._C, "_is_any_autocast_enabled", torch.is_autocast_cpu_enabled)
_TRANSFORMS = "a transformation of torch.func"
_PLAIN_DISPATCH = getattr(torch.Tensor, "__torch_dispatch__", None)
_num_modes = getattr(torch._C, "_len_torch_dispatch_stack", lambda: 0)
_is_transformed = getattr(getattr(torch._C, "_functorch", None), "is_functorch_wrapped_tensor", None)
_transformations = getattr(getattr(torch._C, "_functorch", None), "peek_interpreter_stack", lambda: None)


class _NotForTorch(Exception):
    """Raised where torch cannot run what tsc compiled. The message says why."""


def _needs_torch(tensor):
    """Returns what makes torch run the operators on this tensor, in words, or None."""
    kind = type(tensor)
    if kind is not torch.Tensor and kind is not torch.nn.Parameter and \
            getattr(kind, "__torch_dispatch__", _PLAIN_DISPATCH) != _PLAIN_DISPATCH:
        return f"a tensor of the class {kind.__module__}.{kind.__qualname__}"
    if tensor.device.type == "meta":
        return "a tensor on the device meta"
    return _TRANSFORMS if _is_transformed is not None and _is_transformed(tensor) else None


def _needed_for(value):
    """Returns what makes torch run the operators on the tensors that a value holds, in words, or None."""
    if isinstance(value, torch.Tensor):
        return _needs_torch(value)
    if isinstance(value, dict):
        value = [*value, *value.values()]
    if not isinstance(value, (list, tuple)):
        value = _objects.parts_of(value)
    return next(filter(None, map(_needed_for, value)), None)


def part_of_torch(args, kwargs):
    """Returns what of torch's takes part in each operator of a call now, in words, or None."""
    if _tracing.is_under_way():
        return None
    if torch._C._is_tracing():
        return "torch.jit.trace"
    if _num_modes():
        return "a mode of torch's dispatcher"
    if _transformations() is not None:  # it may wrap tensors that modules have
        return _TRANSFORMS
    if torch.autograd.forward_ad._current_level >= 0:
        return "torch.autograd.forward_ad"
    if is_autocast():
        return "torch.autocast"
    return _needed_for(args) or _needed_for(kwargs)


def refusal(what, who, why):
    return NotSupportedError(f"{who} takes part in each operator, so that torch has to run {what}, and it cannot: {why}")


#
# What torch has for an archive
#


def new_unit():
    """Returns a compilation unit of torch's without anything in it."""
    return type(torch.jit._state._python_cu)()


def module_of_torch(archive, unit=None):
    """Returns what torch has for the bytes of an archive: one of torch._C's modules. Its code is put into `unit`, or into a
    unit of its own, which lives as long as the module."""
    unit = new_unit() if unit is None else unit
    further = () if torch.__version__.startswith("1.") else (False,)  # whether shapes of traces are restored
    results = []

    def read():
        try:
            results.append(torch._C.import_ir_module_from_buffer(unit, archive, None, {}, *further))
        except Exception as error:
            results.append(error)

    # Modes and transformations belong to a thread. Those of this one would take what reads the archive for the program.
    reader = threading.Thread(target=read)
    reader.start()
    reader.join()
    if isinstance(results[0], Exception):
        raise _NotForTorch(str(results[0])) from results[0]
    return results[0]


def _archive_of(compiled):
    """Returns the archive of a function or module. It holds the compiled module's tensors, not the live one's: torch gets
    those anew at each call, and tensors without elements could not be written."""
    live = compiled.__dict__.get("_compiled_module")
    try:
        if live is None:
            return compiled.save_to_buffer()
        archive = io.BytesIO()
        tsc.save(live, archive)
    except RuntimeError as error:
        raise _NotForTorch(str(error)) from error
    return archive.getvalue()


def _given(signature, args, kwargs):
    """Returns all arguments of a call as torch takes them, in the order of the parameters and with defaults; None for a
    call that does not fit."""
    names = list(signature.parameters)
    if len(args) > len(names):
        return None
    try:  # compiled code takes all parameters by position, also those that Python takes by keyword alone
        bound = signature.bind(**dict(zip(names, args)), **kwargs)
    except TypeError:
        return None
    bound.apply_defaults()
    return [_for_torch(value) for value in bound.arguments.values()]


def _for_torch(value):
    if isinstance(value, torch.Tensor):
        return value
    if isinstance(value, (tsc.Tensor, tsc.device)):
        return _values.to_torch(value)
    if type(value).__module__ == "tsc.jit._containers":
        raise _NotForTorch(f"an argument is a {type(value).__name__}, which torch does not share")
    made = _values.with_elements(value, _for_torch)
    if made is not _values.NO_CONTAINER:
        return made
    return torch.as_tensor(value) if hasattr(value, "__array_interface__") and value.ndim else value


def _check_signature(method, parameters):
    """Raises _NotForTorch for a method that takes or gives objects: torch and tsc have classes of their own for them."""
    for value in [*parameters, *method.graph.outputs()]:
        kind = _object_within(value.type())
        if kind is not None:
            raise _NotForTorch(f"it takes or gives objects of the class {kind.annotation_str}")


def _object_within(kind):
    """Returns the type of objects that values of a type are or hold, or None."""
    if kind.kind() in ("ClassType", "InterfaceType", "EnumType"):
        return kind
    if isinstance(kind, torch._C.TupleType):
        inner = kind.elements()
    elif isinstance(kind, torch._C.DictType):
        inner = [kind.getKeyType(), kind.getValueType()]
    else:
        inner = [kind.getElementType()] if hasattr(kind, "getElementType") else []
    return next(filter(None, map(_object_within, inner)), None)


def _run(method, given):
    """Calls torch's method. What the program raises has the class that torch's message names."""
    try:
        result = method(*given)
    except torch._C.JITException as error:
        lines = str(error).strip().splitlines() or [""]
        named = next((line.partition(":")[0] for line in reversed(lines) if line.startswith("builtins.")), "")
        raise (_errors.class_named(named) if named else _errors.Error)(str(error)) from None
    if isinstance(result, tuple) and hasattr(result, "_fields"):
        cls = _definitions.class_named(next(method.graph.outputs()).type().annotation_str)
        return result if cls is None else cls(*result)
    return result


#
# Graphs that can be called where torch traces
#

_numbers = itertools.count()
# Traces and compiled functions of torch's have pointers to the functions and classes that their graphs name, and do not
# keep these themselves.
_kept = []


class _Lifted:
    """torch's function for a method. A tracer follows tensors and rejects modules that it did not create. So the attributes
    that the method reads become parameters of the function."""

    def __init__(self, compiled, method, name):
        unit = new_unit()
        graph = module_of_torch(_archive_of(compiled), unit)._get_method(method).graph.copy()
        torch._C._jit_pass_inline(graph)
        torch._C._jit_pass_inline_fork_wait(graph)
        torch._C._jit_pass_inline(graph)  # what the bodies of forks call
        self._graph, self._inputs, self._dead = graph, {}, []
        own = next(graph.inputs())
        self._modules = {own.unique(): ()}
        self._lift(graph)
        for node in reversed(self._dead):
            node.destroy()
        if own.uses():
            raise _NotForTorch(f"it uses a module otherwise than for its attributes, by {own.uses()[0].user.kind()}")
        graph.eraseInput(0)
        self.paths = list(self._inputs)
        # An archive keys functions by qualified name, so each lifted function gets a name of its own.
        self.function = torch._C._create_function_from_graph(f"__torch__.{name.replace('.', '_')}_{next(_numbers)}", graph)
        _check_signature(self.function, graph.inputs())
        _kept.extend([unit, self.function])  # and not the module, which has all tensors of the archive

    def _lift(self, block):
        for node in block.nodes():
            if node.kind() in ("prim::GetAttr", "prim::SetAttr", "prim::CallMethod", "prim::CallFunction", "prim::fork"):
                self._lift_use(node)
            elif node.kind() == "prim::CreateObject":
                raise _NotForTorch(f"it makes an object of the class {node.output().type().annotation_str}")
            for inner in node.blocks():
                self._lift(inner)

    def _lift_use(self, node):
        path = self._modules.get(next(node.inputs()).unique())
        if path is None or node.kind() not in ("prim::GetAttr", "prim::SetAttr"):
            raise _NotForTorch(f"it contains {node.kind()}, which cannot be replaced by the body of what is called")
        path = (*path, node.s("name"))
        if node.kind() == "prim::SetAttr":
            raise _NotForTorch(f"it assigns the attribute '{'.'.join(path)}'")
        value = node.output()
        if isinstance(value.type(), torch._C.ClassType):
            self._modules[value.unique()] = path
        else:
            if path not in self._inputs:
                self._inputs[path] = self._graph.addInput()
                self._inputs[path].setType(value.type())
                self._inputs[path].setDebugName(path[-1])
            value.replaceAllUsesWith(self._inputs[path])
        self._dead.append(node)

    def __call__(self, given, module=None):
        return _run(self.function, [*given, *(_attribute(module, path) for path in self.paths)])


def _attribute(module, path):
    for name in path[:-1]:
        inner = module._modules.get(name)  # a loaded module may have one under two names, and shows one of them
        module = _modules.script_module_of(module._compiled_module._compiled(name)) if inner is None else inner
    return _value_of(module, path[-1])


def _value_of(live, name):
    """Returns the value of a live module's attribute, as torch has it."""
    own = live.__dict__
    for table in ("_parameters", "_buffers"):
        if name in own[table]:
            return _values.to_torch(own[table][name])
    if name == "training":
        return live.training
    return _values.to_torch(own["_compiled_module"]._compiled(name))


#
# Modules that have a live one's attributes
#


class _Twin:
    """torch's module for a live one. Each call puts the live attributes in, and takes back those that the program assigned.
    While it does, the twin is nobody else's: torch's interpreter reads attributes without the GIL."""

    def __init__(self, module):
        self.made = module_of_torch(_archive_of(module))
        self.places = []  # (live module, torch's, name)
        self.put = []  # what stands in each
        self.methods = {}
        self._pair(module, self.made)

    def _pair(self, live, made):
        # torch's modules have `training`, whether the program reads it or not.
        for name in dict.fromkeys([*live._script_type.attributes, "training"]):
            if name in live._modules or not made.hasattr(name) or isinstance(_raw(live, name), tsc.Module):
                continue
            self.places.append((live, made, name))
            self.put.append(_NOTHING)
        for name, inner in live._modules.items():
            if inner is not None and made.hasattr(name):
                self._pair(inner, made.getattr(name))

    def call(self, name, given):
        method = self._method(name)
        for index, (live, made, attribute) in enumerate(self.places):
            value = _value_of(live, attribute)
            if not _is_taken(value):
                raise _NotForTorch(f"the attribute '{attribute}' holds an object of type {type(value).__name__}")
            if not _is_same(value, self.put[index]):
                made.setattr(attribute, value)
                self.put[index] = value
        try:
            result = _run(method, given)
        except Exception:
            for live, attribute, value in self._changes():
                if _needed_for(value) is None:
                    self._give(live, attribute, value)
            raise
        changes = self._changes()
        for _, attribute, value in changes:
            what = _needed_for(value)
            if what is not None:
                raise _NotForTorch(f"it assigns the attribute '{attribute}' what is computed with {what}")
        for live, attribute, value in changes:
            self._give(live, attribute, value)
        return result

    def _method(self, name):
        found = self.methods.get(name)
        if found is None:
            found = self.made._get_method(name)
            _check_signature(found, list(found.graph.inputs())[1:])
            containers = [name for live, _, name in self.places if isinstance(_value_of(live, name), (list, dict))]
            if len(containers) > 1:
                _check_assignments(found.inlined_graph)
            self.methods[name] = found
        return found

    def _changes(self):
        changes = []
        for index, (live, made, name) in enumerate(self.places):
            value = made.getattr(name)
            if not _is_same(value, self.put[index]) or isinstance(value, (list, dict)):
                changes.append((live, name, value))
                self.put[index] = _NOTHING
        return changes

    @staticmethod
    def _give(live, name, value):
        setattr(live, name, value if isinstance(live, torch.nn.Module) else _values.to_tsc(value))


_NOTHING = object()


def _raw(live, name):
    return None if name == "training" else live._compiled_module._compiled(name)


def _check_assignments(block):
    """Raises _NotForTorch for a method that assigns a list or dict to an attribute: it may be another attribute's, and
    these come back as copies."""
    for node in block.nodes():
        if node.kind() == "prim::SetAttr" and list(node.inputs())[1].type().kind() in ("ListType", "DictType"):
            raise _NotForTorch(f"it assigns a list or dict to the attribute '{node.s('name')}', which may be another one's")
        for inner in node.blocks():
            _check_assignments(inner)


def _is_taken(value):
    """Whether a module of torch's takes an attribute's value, and gives it back as it is."""
    if isinstance(value, dict):
        value = [*value, *value.values()]
    if isinstance(value, (list, tuple)):
        return all(map(_is_taken, value))
    return value is None or isinstance(value, (torch.Tensor, bool, int, float, complex, str, torch.device))


def _is_same(one, other):
    """Whether two values are the same tensor, or equal numbers or texts of one type. What holds others is never the same:
    it may have changed since."""
    if isinstance(one, torch.Tensor) or isinstance(other, torch.Tensor):
        return one is other
    return type(one) is type(other) and not isinstance(one, (list, tuple, dict)) and repr(one) == repr(other)


#
# Calls
#


def call_function(function, args, kwargs, who):
    """Lets torch make a call of a ScriptFunction. Returns NotImplemented for a call that does not fit, about which tsc has
    more to say."""
    own, is_traced = function.__dict__, torch._C._is_tracing()
    kind = "_lifted_by_torch" if is_traced else "_run_by_torch"
    try:
        given = _given(function.__signature__, args, kwargs)
        if given is None:
            return NotImplemented
        if kind not in own:
            own[kind] = _Lifted(function, "forward", function.name) if is_traced else _function_of_torch(function)
        return own[kind](given) if is_traced else _run(own[kind], given)
    except _NotForTorch as error:
        raise refusal(function.name, who, error) from error


def _function_of_torch(function):
    made = module_of_torch(_archive_of(function))._get_method("forward")
    _check_signature(made, list(made.graph.inputs())[1:])
    return made


def call_method(module, name, compiled, args, kwargs, who):
    """Lets torch make a call of a method of a ScriptModule. `compiled` is tsc's method. Returns NotImplemented for a call
    that does not fit."""
    try:
        given = _given(compiled.__signature__, args, kwargs)
        if given is None:
            return NotImplemented
        known = _of_torch(module)
        if not torch._C._is_tracing():
            return known.call(module, name, given)
        if name not in known.lifted:
            known.lifted[name] = _Lifted(module, name, f"{module.original_name}.{name}")
        return known.lifted[name](given, module)
    except _NotForTorch as error:
        raise refusal(f"{module.original_name}.{name}", who, error) from error


class _OfTorch:
    """What torch has for a live module: functions for traces by the method's name, and twins that no call uses now."""

    def __init__(self, swaps):
        self.swaps, self.lifted, self.twins = swaps, {}, []

    def call(self, module, name, given):
        try:
            twin = self.twins.pop()
        except IndexError:  # there is none yet, or others are calling
            twin = _Twin(module)
        result = twin.call(name, given)
        self.twins.append(twin)  # one whose call has failed is not used again
        return result


def _of_torch(module):
    swaps = tsc._tsc._script._num_swaps()
    known = module.__dict__.get("_of_torch")
    if known is None or known.swaps != swaps:
        known = module.__dict__["_of_torch"] = _OfTorch(swaps)
    return known


def to_torch(compiled):
    """Returns torch.jit's own function or module for one that tsc compiled, read from the archive that tsc writes of it.
    torch runs it, writes it, and exports it. A module's tensors are copies; a function lives as long as the process."""
    if not hasattr(compiled, "save_to_buffer"):
        raise TypeError(f"to_torch takes what tsc.jit compiled, and not an object of type {type(compiled).__name__}")
    if hasattr(compiled, "named_parameters"):
        return torch.jit.load(io.BytesIO(compiled.save_to_buffer()))
    own = compiled.__dict__
    try:
        if "_lifted_by_torch" not in own:
            own["_lifted_by_torch"] = _Lifted(compiled, "forward", compiled.name)
    except _NotForTorch as error:
        raise NotSupportedError(f"torch cannot have {compiled.name}: {error}") from error
    return own["_lifted_by_torch"].function
