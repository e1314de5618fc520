"""`trace` and `trace_module` with torch: functions and live modules, recorded as they run."""

import difflib
import inspect
import re
import warnings

import torch

from . import _definitions, _graphs, _marks, _modules, _scopes, _script_modules, _tracing, _values
from . import _torch_tracer as _tracer
from ._functions import ScriptFunction
from ._source import definition_of
from ._unit import free_name, qualified_name, unit

ScriptModule = _script_modules.classes_for(torch.nn.Module)[0]


class _Record:
    """What a trace recorded, for comparison with another one of the same function."""

    def __init__(self, tracer):
        # Names of classes and functions that were told apart by numbers are the same in another trace.
        self.text = re.sub(r"___torch_mangle_\d+\.", "", tracer.trace.text())
        self.constants = tracer.constant_tensors
        self.random = tracer.random


#
# Modules of traces
#


class _TracedType:
    """The type of a module that was traced: it has a class of its own."""

    submodules, overloads, constants = {}, {}, ()

    def __init__(self, compiled, attributes):
        self.definition = unit().type_of_module(compiled)
        self.attributes, self.methods = attributes, {}

    def compiled_names(self, compiled):
        return self.methods

    def find_methods(self, compiled):
        for name in compiled._method_names:
            if name not in self.methods:
                self.methods[name] = unit().find_method(self.definition, name)


class TracedModule(ScriptModule):
    """A module within one that was traced. It has the parameters and buffers of the live module."""

    _disable_script_meta = True

    def __init__(self, original, _known=None):
        torch.nn.Module.__init__(self)
        known = {} if _known is None else _known
        known[id(original)] = self
        if original._backward_hooks:
            raise ValueError(f"Modules that have backward hooks assigned can't be compiled: {original}")
        own = self.__dict__
        own["_name"] = type(original).__name__
        own.pop("training", None)
        attributes, shared = [], {}
        for table, kind in ((original._parameters, "parameter"), (original._buffers, "buffer")):
            for name, value in table.items():
                if value is not None:
                    getattr(self, f"_{kind}s")[name] = value
                    if id(value) not in shared:
                        shared[id(value)] = _values.share_tensor(value)
                    attributes.append((name, shared[id(value)], kind))
        attributes.append(("training", original.training, "regular"))
        for name, inner in original._modules.items():
            if inner is not None:
                made = _traced_module(inner, known)
                if "_compiled_module" not in made.__dict__:
                    raise ValueError(f"the module {type(original).__name__} holds one that holds it, as '{name}': the modules "
                                     "of a trace form a tree")
                self._modules[name] = made
                attributes.append((name, made._compiled_module, "regular"))
        exported = _exported(original)
        if exported:
            attributes += _plain_attributes(original, {name for name, _, _ in attributes})
        compiled = unit().traced_module(qualified_name(type(original)), attributes)
        links = [_script_modules.shared_tensor(compiled, name, table)
                 for table in (self._parameters, self._buffers) for name in table]
        own.update(_compiled_module=compiled, _links=links, _constants_of={}, _python_methods={}, _records={})
        own["_script_type"] = _TracedType(compiled, [name for name, _, _ in attributes])
        _modules._scripted[compiled] = self
        _compile_exported(self._script_type, exported)

    def __call__(self, *args, **kwargs):
        raise RuntimeError("Trace submodules cannot be called.")

    def _get_name(self):
        return self._name

    @property
    def original_name(self):
        return self.__dict__.get("_name") or super().original_name


def _exported(module):
    """Returns the methods of a module that are compiled and not traced, by name. What archives call to store a state of
    their own is left out: the archive of a trace stores its attributes."""
    found = {}
    for one in reversed(type(module).__mro__):
        for name, item in vars(one).items():
            if inspect.isfunction(item) and _marks.is_exported(item) and name not in ("__getstate__", "__setstate__"):
                found[name] = item
    return found


def _plain_attributes(module, taken):
    """Returns the attributes of a module that are numbers, texts and their like, for methods that are compiled."""
    found = []
    for name, value in vars(module).items():
        if name in taken or name in _modules._HIDDEN or name.startswith("_"):
            continue
        if isinstance(value, (bool, int, float, str)) or isinstance(value, (list, tuple)) and value and \
                _definitions.annotation_of_value(value) is not None:
            found.append((name, value, "regular"))
    return found


def _compile_exported(made, methods):
    declared = {}
    for name, item in methods.items():
        source = definition_of(item)
        declared[name] = unit().method(made.definition, source.text, source.file, name, _scopes.of_function(item))
    for definition in declared.values():
        unit().compile(definition)
    made.methods.update(declared)


class TopLevelTracedModule(TracedModule):
    """What `trace` makes of a live module: its methods are what was recorded."""

    _disable_script_meta = True
    __call__ = ScriptModule.__call__


def _traced_module(module, known):
    if id(module) in known:
        return known[id(module)]
    if isinstance(module, ScriptModule):
        return module
    return TracedModule(module, known)


#
# Recording
#


def _argument_names(function):
    """Returns the names of a function's parameters, or nothing where it has others than those of one value each."""
    try:
        parameters = inspect.signature(function).parameters.values()
    except (TypeError, ValueError):
        return []
    if any(one.kind is not one.POSITIONAL_OR_KEYWORD for one in parameters):
        return []
    return [one.name for one in parameters]


def _as_tuple(inputs):
    if isinstance(inputs, (torch.Tensor, dict)):
        return (inputs,)
    return inputs if isinstance(inputs, tuple) else tuple(inputs)


def _run(tracer, function, inputs, names, keywords=None):
    """Calls a function and records it. `keywords` are names for the last inputs, which are given by them."""
    texts = _tracing.check_inputs(inputs, torch.Tensor)
    if _tracing.is_under_way():
        raise RuntimeError("Tracing can't be nested")
    given = []
    for position, (value, text) in enumerate(zip(inputs, texts)):
        name = names[position] if position < len(names) else f"argument_{position + 1}"
        given.append(tracer.input(name, value, text))
    keywords = keywords or []
    first = len(given) - len(keywords)
    with _tracer.active(tracer):
        result = function(*given[:first], **dict(zip(keywords, given[first:])))
        with tracer.pause():
            return _tracer.output(tracer, result)


class _Inputs:
    """Example inputs as the parameters of a function take them."""

    def __init__(self, function, inputs, kwargs=None):
        self.inputs = () if inputs is None else _as_tuple(inputs)
        self.keywords = []
        self.names = _argument_names(function)
        if kwargs is not None:
            if not isinstance(kwargs, dict):
                raise RuntimeError("example_kwarg_inputs should be a dict")
            order = [name for name in self.names if name in kwargs] or list(kwargs)
            order += [name for name in kwargs if name not in order]
            self.keywords = order
            self.names = self.names[:len(self.inputs)] + order
            self.inputs += tuple(kwargs[name] for name in order)


def _trace_function(function, example, strict, force_outplace):
    def record():
        tracer = _tracer.Tracer(force_outplace, strict)
        return tracer, _run(tracer, function, example.inputs, example.names, example.keywords)

    tracer, result = record()
    noted = _Record(tracer)
    definition = tracer.trace.finish_function(result, free_name(_name_of(function)))
    _graphs.note_example(definition, example.inputs)
    made = ScriptFunction(definition, function if inspect.isfunction(function) else None)
    made.__dict__.pop("__annotations__", None)
    return made, noted


def _name_of(function):
    return qualified_name(function if hasattr(function, "__name__") else type(function))


def _record_method(module, traced, name, inputs, names, keywords, strict, force_outplace):
    tracer = _tracer.Tracer(force_outplace, strict)
    tracer.add_module(module, traced._compiled_module)
    function = module if name == "forward" else getattr(module, name)
    return tracer, _run(tracer, function, inputs, names, keywords)


def _trace_method(module, traced, name, example, strict, force_outplace):
    tracer, result = _record_method(module, traced, name, example.inputs, example.names, example.keywords, strict,
                                    force_outplace)
    noted = _Record(tracer)
    definition = tracer.trace.finish_method(traced._compiled_module, result, name)
    _graphs.note_example(definition, example.inputs)
    traced._script_type.methods[name] = definition
    for one in traced.modules():
        if isinstance(one, TracedModule):
            one._script_type.find_methods(one._compiled_module)
    return noted


#
# The check
#


def _clone(value):
    if isinstance(value, torch.Tensor):
        layout = None if value.is_mkldnn else torch.preserve_format
        made = value.detach().clone(memory_format=layout).requires_grad_(value.requires_grad)
        if value.grad is not None:
            made.grad = _clone(value.grad)
        return made
    if isinstance(value, tuple) and hasattr(value, "_fields"):
        return type(value)(*map(_clone, value))
    if isinstance(value, (list, tuple)):
        return type(value)(map(_clone, value))
    if isinstance(value, dict):
        return {key: _clone(one) for key, one in value.items()}
    return value


class _Check:
    """Compares a trace with what was traced, and with a second trace, on other inputs."""

    def __init__(self, run_trace, run_function, noted, record_again, tolerance):
        self.run_trace, self.run_function = run_trace, run_function
        self.noted, self.record_again, self.tolerance = noted, record_again, tolerance

    @torch.no_grad()
    def check(self, inputs, keywords):
        again = self.record_again(_clone(inputs), keywords)
        self.findings = self.compare_records(again)
        self.has_warned = False
        traced = self.outputs(self.run_trace, inputs, keywords, "trace")
        expected = self.outputs(self.run_function, inputs, keywords, "Python function")
        self.compare_outputs(traced, expected, "Python function")
        if any(one is not None for one in self.findings):
            raise _tracing.error_class()(*self.findings)

    def outputs(self, function, inputs, keywords, what):
        given = _clone(inputs)
        first = len(given) - len(keywords)
        try:
            result = function(*given[:first], **dict(zip(keywords, given[first:])))
        except Exception as error:
            message = (f"encountered an exception while running the {what} with test inputs.\nException:\n"
                       f"{_tracing.indent(str(error))}")
            raise _tracing.error_class()(*self.findings, extra_msg=message) from error
        return [one for one in (result if isinstance(result, tuple) else (result,)) if isinstance(one, torch.Tensor)]

    def compare_outputs(self, traced, expected, what):
        for number, (one, other) in enumerate(zip(traced, expected), 1):
            try:
                self.compare_tensors(one, other)
            except AssertionError as error:
                self.warn_of_random()
                warnings.warn(f"Output nr {number}. of the traced function does not match the corresponding output of the "
                              f"{what}. Detailed error:\n{error}", category=_tracing.warning_class(), stacklevel=5)

    def compare_tensors(self, one, other):
        one, other = map(_dense, (one, other))
        if one.is_complex() or other.is_complex():
            one, other = one.to(torch.cdouble), other.to(torch.cdouble)
        else:
            one, other = one.double(), other.double()
        torch.testing.assert_close(one, other, rtol=self.tolerance, atol=self.tolerance, equal_nan=True)

    def warn_of_random(self):
        if self.has_warned or not self.noted.random:
            return
        self.has_warned = True
        nodes = "\n".join(_tracing.indent(f"{name} # {file}:{line}") for name, (file, line) in self.noted.random[:20])
        warnings.warn(f"Trace had nondeterministic nodes. Did you forget call .eval() on your model? Nodes:\n{nodes}\n"
                      "This may cause errors in trace checking. To disable trace checking, pass check_trace=False to "
                      "torch.jit.trace()", category=_tracing.warning_class(), stacklevel=6)

    def compare_records(self, again):
        """Returns what is said of graphs that differ, and of constants that do; None where they are the same."""
        difference = None
        if self.noted.text != again.text:
            first, second = self.noted.text.splitlines(True), again.text.splitlines(True)
            difference = "Graph diff:\n" + _tracing.indent("".join(difflib.ndiff(first, second))) + "\n"
            for one, other in zip(first[1:], second[1:]):
                if one != other:
                    lines = difflib.ndiff(one.splitlines(True), other.splitlines(True))
                    difference += ("First diverging operator:\nNode diff:\n" + _tracing.indent("".join(lines)) + "\n")
                    break
        for (one, place), (other, _) in zip(self.noted.constants, again.constants):
            try:
                torch.testing.assert_close(one, other, equal_nan=True)
            except (RuntimeError, AssertionError) as error:
                return difference, (f"Node:\n\ta constant\nSource Location:\n\t{place[0]}:{place[1]}\nComparison exception: "
                                    f"{_tracing.indent(str(error))}")
        return difference, None


def _dense(tensor):
    if tensor.is_quantized:
        return tensor.dequantize()
    return tensor if tensor.layout is torch.strided else tensor.to_dense()


def _check_parametrizations(module):
    """Raises where torch keeps what parametrizations computed: a trace would have it as constants."""
    import torch.nn.utils.parametrize as parametrize
    if parametrize._cache_enabled and any(hasattr(one, "parametrizations") for one in module.modules()):
        raise RuntimeError("Cannot trace a model while caching the parametrizations.")


#
# What users call
#


def trace(func, example_inputs, optimize, check_trace, check_inputs, check_tolerance, strict, force_outplace,
          example_kwarg_inputs):
    """Implements `tsc.jit.trace` for functions and modules of torch's."""
    if isinstance(func, ScriptModule):
        warnings.warn("The input to trace is already a ScriptModule, tracing it is a no-op. Returning the object as is.",
                      stacklevel=3)
        return func
    module = func if isinstance(func, torch.nn.Module) else None
    if module is None and isinstance(getattr(func, "__self__", None), torch.nn.Module):
        if func.__name__ != "forward":
            raise AttributeError("trace doesn't support compiling individual module's functions.\n"
                                 "Please use trace_module")
        module = func.__self__
    if module is not None:
        if check_inputs is not None:
            check_inputs = [{"forward": one} for one in check_inputs]
        return trace_module(module, {"forward": example_inputs}, optimize, check_trace, check_inputs, check_tolerance,
                            strict, force_outplace, example_kwarg_inputs)
    example = _Inputs(func, example_inputs, example_kwarg_inputs)
    traced, noted = _trace_function(func, example, strict, force_outplace)
    if check_trace:

        def record_again(inputs, keywords):
            tracer = _tracer.Tracer(force_outplace, strict)
            with warnings.catch_warnings():
                result = _run(tracer, func, inputs, example.names, keywords)
            noted_again = _Record(tracer)
            tracer.trace.construct(result)
            return noted_again

        check = _Check(traced, func, noted, record_again, check_tolerance)
        for one in [example] if check_inputs is None else [_Inputs(func, one) for one in check_inputs]:
            check.check(one.inputs, one.keywords)
    return traced


def trace_module(mod, inputs, optimize=None, check_trace=True, check_inputs=None, check_tolerance=1e-5, strict=True,
                 force_outplace=False, example_kwarg_inputs=None):
    """Implements `tsc.jit.trace_module`."""
    if optimize is not None:
        warnings.warn("`optimize` is deprecated and has no effect. Use `with torch.jit.optimized_execution() instead")
    if not isinstance(mod, torch.nn.Module):
        raise AttributeError("expected torch.nn.Module as the first argument")
    if not isinstance(inputs, dict):
        raise AttributeError("expected a dictionary of (method_name, input) pairs")
    if _tracing.is_under_way():
        raise RuntimeError("Tracing can't be nested")
    _check_parametrizations(mod)
    traced = mod if isinstance(mod, ScriptModule) else TopLevelTracedModule(mod)
    for name, given in inputs.items():
        function = mod if name == "forward" else getattr(mod, name)
        example = _Inputs(getattr(mod, name), given, example_kwarg_inputs if name == "forward" else None)
        noted = _trace_method(mod, traced, name, example, strict, force_outplace)
        if not check_trace:
            continue

        def record_again(inputs, keywords, name=name, example=example):
            tracer, _ = _record_method(mod, traced, name, inputs, example.names, keywords, strict, force_outplace)
            return _Record(tracer)

        run = traced if name == "forward" else getattr(traced, name)
        check = _Check(run, function, noted, record_again, check_tolerance)
        examples = [example] if check_inputs is None else [_Inputs(getattr(mod, name), one[name]) for one in check_inputs]
        for one in examples:
            check.check(one.inputs, one.keywords)
    return traced


#
# Graphs alone
#


def _flattened(value):
    """Returns the tensors in a value, in their order."""
    if isinstance(value, torch.Tensor):
        return [value]
    if isinstance(value, dict):
        value = list(value.values())
    if isinstance(value, (list, tuple)):
        return [tensor for one in value for tensor in _flattened(one)]
    raise RuntimeError("Only tuples, lists and Variables are supported as JIT inputs/outputs. Dictionaries and strings are "
                       "also accepted, but their usage is not recommended. Here, received an input of unsupported type: "
                       f"{type(value).__name__}")


class ONNXTracedModule(torch.nn.Module):
    """A function or module whose calls are traced. A call returns the graph, what the function gave and, with
    `return_inputs`, copies of the graph's inputs: the tensors in the arguments, and the parameters and buffers."""

    def __init__(self, inner, strict=True, force_outplace=False, return_inputs=False, return_inputs_states=False):
        super().__init__()
        self.inner, self.strict, self._force_outplace = inner, strict, force_outplace
        self._return_inputs, self._return_inputs_states = return_inputs, return_inputs_states

    def forward(self, *args, **kwargs):
        state = []
        if isinstance(self.inner, torch.nn.Module):
            held = self.inner.state_dict(keep_vars=True).values()
            state = list({id(one): one for one in held if isinstance(one, torch.Tensor)}.values())
        tracer = _tracer.Tracer(self._force_outplace, self.strict)
        inputs = [tracer.input("input", one, "Tensor") for one in _flattened(args)]
        for one in state:
            tracer.input("state", one, "Tensor")
        copies = tuple(one.detach().clone(memory_format=torch.preserve_format) for one in (*inputs, *state))
        given = iter(inputs)
        arguments = _rebuilt(args, given)
        with _tracer.active(tracer):
            result = self.inner(*arguments, **kwargs)
            outputs = _flattened(result)
            with tracer.pause():
                recorded = _tracer.output(tracer, outputs[0] if len(outputs) == 1 else tuple(outputs))
        definition = tracer.trace.finish_function(recorded, free_name("__torch__.graph"))
        _graphs.note_example(definition, [*inputs, *state])
        graph = _graphs.shown_graph(definition)
        if self._return_inputs:
            return graph, result, copies
        if self._return_inputs_states:
            return graph, result, (args, arguments)
        return graph, result


def _rebuilt(value, tensors):
    """Returns a value with the next of other tensors in the place of each."""
    if isinstance(value, torch.Tensor):
        return next(tensors)
    if isinstance(value, dict):
        return {key: _rebuilt(one, tensors) for key, one in value.items()}
    parts = [_rebuilt(one, tensors) for one in value]
    return type(value)(*parts) if hasattr(value, "_fields") else type(value)(parts)


def _get_trace_graph(f, args=(), kwargs=None, strict=True, _force_outplace=False, return_inputs=False,
                     _return_inputs_states=False):
    """Traces a function or module, and returns the graph and what it gave. Parameters and buffers are inputs of the
    graph, behind the tensors in the arguments."""
    args = args if isinstance(args, tuple) else (args,)
    return ONNXTracedModule(f, strict, _force_outplace, return_inputs, _return_inputs_states)(*args, **(kwargs or {}))
