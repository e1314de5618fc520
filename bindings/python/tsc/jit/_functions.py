"""`script`: functions and classes of Python's, compiled."""

import contextlib
import functools
import inspect
import sys
import types

from .. import _tsc
from .._errors import Error
from .._load import write_archive
from . import _definitions, _graphs, _hosts, _marks, _objects, _scopes, _texts, _tracing, _values
from ._errors import CompileError, FrontendError, NotSupportedError
from ._library import refresh
from ._unit import free_name, qualified_name, unit

def _ran_last(called, args):
    """Notes what was called last, and whether it was given tensors that require gradients."""
    _tsc._script._note_call(called, any(getattr(one, "requires_grad", False) for one in args))


def last_executed_optimized_graph():
    """Returns the optimized graph of the function or method that was called last, or None."""
    last = _tsc._script._last_call()
    return None if last is None else _graphs.optimized(last[0].graph, last[1])


_cache = {}  # id -> (function, ScriptFunction)


_failures = {}  # name in compiled code -> the CompileError that compiling it raised


def compiled(definition):
    """Returns the callable of a definition. Raises a CompileError for what does not compile, also when it is asked again for
    what did not compile before."""
    try:
        return unit().compiled(definition)
    except CompileError as error:
        _failures[definition.name] = _fresh(error)
        raise
    except Error as error:
        if type(error) is not Error:
            raise
        known = _failures.get(definition.name)
        if known is not None:
            raise _fresh(known) from None
        raise CompileError(str(error)) from error


def _fresh(error):
    """Returns a CompileError that says the same, and was raised nowhere."""
    made = type(error)(*error.args)
    made.excerpt = error.excerpt
    return made


class CompiledText:
    """What ScriptFunction and ScriptMethod show of their `graph` and `code_with_constants`."""

    @property
    def inlined_graph(self):
        """A copy of the graph with the bodies of what it calls."""
        return _graphs.inlined(self.graph)

    def graph_for(self, *args, profile_and_replay=False, **kwargs):
        """Calls it, and returns the optimized graph."""
        self(*args, **kwargs)
        return last_executed_optimized_graph()

    @property
    def code(self):
        """It as TorchScript's text."""
        return self.code_with_constants[0]


class ScriptFunction(_tsc._script._CompiledFunction, CompiledText):
    """A compiled function. Calling it runs compiled code; its arguments are converted as torch.jit converts them."""

    def __init__(self, definition, original=None):
        self.definition = definition
        if original is not None:
            functools.update_wrapper(self, original)
            self.__dict__.pop("__wrapped__", None)
            self.__dict__.pop("_torchscript_modifier", None)

    def _callable(self):
        if self._compiled is None:
            self._compiled = compiled(self.definition)
        return self._compiled

    def _call_slowly(self, *args, **kwargs):
        """Makes a call that _CompiledFunction leaves to Python."""
        tracer = _tracing.current()
        if tracer is not None:
            return self._traced_call(tracer, lambda: self(*args, **kwargs), args, kwargs)
        _ran_last(self, args)
        who = _values.part_of_torch(args, kwargs)
        if who is not None:
            from . import _torch_runs
            result = _torch_runs.call_function(self, args, kwargs, who)
            if result is not NotImplemented:
                return result
        return _values.call(self._callable(), args, kwargs)

    def _traced_call(self, tracer, run, args, kwargs):
        """Records a call whose result is what `run` returns."""
        return tracer.call_compiled(run, self.__signature__, args, kwargs,
                                    lambda values: tracer.trace.call_function(self.definition, values))

    @property
    def name(self):
        return self.definition.name.rpartition(".")[2]

    @property
    def qualified_name(self):
        return self.definition.name

    @property
    def graph(self):
        """The function's Graph. What is done to it shows here, and changes nothing of what calls run."""
        return _graphs.shown_graph(self.definition)

    @property
    def code_with_constants(self):
        """The text, and the constants that it names, as attributes c0, c1, …"""
        code, constants = unit().code_with_constants(self.definition)
        return _graphs.with_calls_of_python(code), _graphs.ConstMap(_values.to_python(constants))

    @property
    def schema(self):
        return unit().schema(self.definition)

    @property
    def __signature__(self):
        return self._callable().__signature__

    def save(self, file, _extra_files=None):
        """Writes an archive with the function as `forward`. `file` is a path or a file."""
        write_archive(self.save_to_buffer(_extra_files), file)

    def save_to_buffer(self, _extra_files=None):
        return unit().save(self.definition, _extra_files or {})

    def __get__(self, owner, kind=None):
        return self if owner is None else types.MethodType(self, owner)

    def __repr__(self):
        return f"<tsc.jit.ScriptFunction '{self.qualified_name}'>"

    def __reduce__(self):
        import pickle
        raise pickle.PickleError("ScriptFunction cannot be pickled")


def script(obj, optimize=None, _frames_up=0, _rcb=None, example_inputs=None):
    """Compiles a function or a class of Python's and what it calls, and returns a ScriptFunction, or the class.

    The text is TorchScript's part of Python. Names in it mean what they mean to Python: variables of the functions
    around it, globals, functions of other files, which are compiled too. What does not compile raises a CompileError.
    """
    if isinstance(obj, ScriptFunction) or not is_enabled():
        return obj
    if optimize is not None:
        import warnings
        warnings.warn("`optimize` is deprecated and has no effect. Use `with torch.jit.optimized_execution() instead")
    refresh()
    if inspect.isclass(obj):
        return _script_class(obj, sys._getframe(_frames_up + 1))
    if inspect.isfunction(obj) or inspect.ismethod(obj):
        return _script_function(obj)
    if isinstance(obj, (list, dict)):
        from . import _containers
        return _containers.ScriptList(obj) if isinstance(obj, list) else _containers.ScriptDict(obj)
    if _hosts.is_module(obj):
        from . import _script_modules
        return _script_modules.script_module(obj)
    if _definitions.is_object_of_user(obj):
        definition = _definitions.class_definition(type(obj), frame=sys._getframe(_frames_up + 1))
        return _objects.RecursiveScriptClass(obj, definition)
    raise NotSupportedError(f"tsc.jit.script compiles functions and classes, and not objects of type "
                            f"{type(obj).__module__}.{type(obj).__qualname__}")


def _script_function(function):
    function = getattr(function, "__original_fn", function)
    if hasattr(function, "__script_unsupported"):
        raise NotSupportedError("TorchScript error: " + function.__script_unsupported)
    if _definitions.overloads_of(function):
        raise FrontendError(f"Function {qualified_name(function)} cannot be directly compiled because it is overloaded. "
                            "It must be used in a context of a function where its inputs can determine which overload "
                            "to call.")
    known = _cache.get(id(function))
    if known is not None and known[0] is function:
        return known[1]
    if _marks.modifier_of(function) == _marks.IGNORE:
        return function
    definition = _definitions.function_definition(function)
    if not definition.is_function:  # calls compile it for what they give; alone it takes tensors
        definition = _definitions.declare_text(function, free_name(qualified_name(function)))
    made = ScriptFunction(definition, function)
    made._callable()  # what is wrong is said now
    _cache[id(function)] = (function, made)
    return made


def _script_class(cls, frame):
    if not _definitions.is_interface(cls):
        import enum
        if issubclass(cls, enum.Enum):
            return cls
    definition = _definitions.class_definition(cls, frame=frame)
    if not definition.is_type:
        raise FrontendError(f"'{cls.__name__}' is no class that compiled code can have")
    for name in definition.methods:
        item = inspect.getattr_static(cls, name, None)
        if name == "__init__" or cls in _definitions._interfaces or not inspect.isfunction(item):
            continue
        if item.__code__.co_filename != "<string>":  # none that `dataclass` made, and that perhaps nobody calls
            unit().compile(unit().find_method(definition, name))
    return cls


def interface(cls):
    """Declares the methods that objects of several classes have, to be called through a variable of any of them."""
    if not inspect.isclass(cls):
        raise RuntimeError("interface must be applied to a class")
    _definitions._interfaces[cls] = True
    _definitions._frames[cls] = sys._getframe(1)
    refresh()
    _definitions.class_definition(cls, frame=sys._getframe(1))
    return cls


class CompilationUnit:
    """Functions that are defined by text. Each is an attribute of the unit."""

    def __init__(self, lang=None, _frames_up=0):
        self._functions = {}
        if lang is not None:
            self.define(lang, _frames_up=_frames_up + 1)

    def define(self, lang, rcb=None, _frames_up=0):
        """Compiles the functions that a text defines. Names mean what they mean where this is called."""
        import ast
        import textwrap
        refresh()
        scope = _scopes.of_frame(_frames_up + 1)
        text = textwrap.dedent(lang)
        try:
            tree = ast.parse(text)
        except SyntaxError as error:
            unit().function(text, "<string>", free_name("__torch__.f"), scope)  # it says what is wrong
            raise FrontendError(str(error)) from error
        made = {}
        lines = text.splitlines(keepends=True)
        for one in tree.body:
            if not isinstance(one, ast.FunctionDef):
                raise FrontendError("a compilation unit holds functions alone")
            _texts.check_torchscript(one, text)
            body = "\n" * (one.lineno - 1) + "".join(lines[one.lineno - 1:one.end_lineno])
            made[one.name] = unit().function(body, "<string>", free_name("__torch__." + one.name), scope)
            scope.definitions[one.name] = made[one.name]
        for name, definition in made.items():
            self._functions[name] = ScriptFunction(definition)
            self._functions[name]._callable()
        return self

    def __getattr__(self, name):
        functions = self.__dict__.get("_functions", {})
        if name in functions:
            return functions[name]
        raise AttributeError(f"'CompilationUnit' has no attribute '{name}'")

    def find_function(self, name):
        """Returns the function of that name, or None."""
        return self._functions.get(name)

    def get_functions(self):
        return list(self._functions.values())

    def create_function(self, name, graph):
        """Makes a function that runs a copy of a graph, and returns it."""
        if name in self._functions:
            raise RuntimeError(f"the unit has a function '{name}' already")
        self._functions[name] = _graphs.create_function_from_graph(name, graph)
        return self._functions[name]

    def __getitem__(self, name):
        return self._functions[name]


def script_if_tracing(fn):
    """Compiles a function when it is first called in a trace."""

    @functools.wraps(fn)
    def wrapper(*args, **kwargs):
        if not is_tracing():
            return fn(*args, **kwargs)
        return script(fn)(*args, **kwargs)

    wrapper.__original_fn = fn
    wrapper.__script_if_tracing_wrapper = True
    return wrapper


def is_tracing():
    """Whether operators are being recorded: what runs was called by what `trace` traces."""
    return _tracing.current() is not None


def is_enabled():
    """Whether compiling is on: PYTORCH_JIT=0, or torch.jit's own switch, turns it off."""
    torch = sys.modules.get("torch")
    state = getattr(getattr(getattr(torch, "jit", None), "_state", None), "_enabled", None)
    return bool(getattr(state, "enabled", True))


def trace(func, example_inputs=None, optimize=None, check_trace=True, check_inputs=None, check_tolerance=1e-5,
          strict=True, _force_outplace=False, _module_class=None, _compilation_unit=None, example_kwarg_inputs=None,
          _store_inputs=True):
    """Calls a function or a module of torch's with example inputs, and returns a compiled one that does what the call did.

    Loops and branches of Python's are as the call ran them; calls of compiled functions keep theirs. Sizes are computed
    when the trace runs. Inputs and results are tensors, and lists, tuples and dicts of these; `strict=False` allows
    lists and dicts as results.

    `check_trace` compares the trace with `func`, on the example or on each of `check_inputs`, within
    `check_tolerance`, and warns with a TracerWarning where results differ. A second trace that is another graph raises a
    TracingCheckError.
    """
    if optimize is not None:
        import warnings
        warnings.warn("`optimize` is deprecated and has no effect. Use `with torch.jit.optimized_execution() instead")
    if not is_enabled():
        return func
    from . import _eager_traces
    if _eager_traces.holds_own(example_inputs):
        return _eager_traces.trace(func, example_inputs, check_trace)
    refresh()
    from . import _traces
    return _traces.trace(func, example_inputs, None, check_trace, check_inputs, check_tolerance, strict, _force_outplace,
                         example_kwarg_inputs)


def trace_module(mod, inputs, optimize=None, check_trace=True, check_inputs=None, check_tolerance=1e-5, strict=True,
                 _force_outplace=False, _module_class=None, _compilation_unit=None, example_inputs_is_kwarg=False,
                 _store_inputs=True):
    """Traces several methods of a module: `inputs` has example inputs by the method's name. See `trace`."""
    if not is_enabled():
        return mod
    refresh()
    from . import _traces
    if example_inputs_is_kwarg:
        return _traces.trace_module(mod, dict.fromkeys(inputs), optimize, check_trace, check_inputs, check_tolerance, strict,
                                    _force_outplace, inputs["forward"])
    return _traces.trace_module(mod, inputs, optimize, check_trace, check_inputs, check_tolerance, strict, _force_outplace)


def is_scripting():
    """True in compiled code, False in Python."""
    return False


def annotate(the_type, the_value):
    """Gives a value a type in compiled code; in Python it is the value."""
    return the_value




class Attribute:
    """A value of a module's attribute with its type, for `__init__` of a ScriptModule."""

    def __init__(self, value, type):  # noqa: A002  torch's names
        self.value, self.type = value, type

    def __iter__(self):
        return iter((self.value, self.type))


class Future:
    """What `fork` gives: in Python the work is done at once."""

    def __init__(self, value):
        self._value = value

    def __class_getitem__(cls, kind):
        return types.GenericAlias(cls, (kind,))

    def wait(self):
        return self._value

    value = wait

    def done(self):
        return True


class _TracedFuture(Future):
    """What `fork` gives in a trace, which records that somebody waits."""

    def __init__(self, tracer, result, recorded):
        super().__init__(result)
        self._tracer, self._recorded = tracer, recorded

    def wait(self):
        if self._recorded is not None and _tracing.current() is self._tracer:
            self._value, self._recorded = self._tracer.wait(self._value, self._recorded), None
        return self._value

    value = wait


def fork(func, *args, **kwargs):
    """Begins a call, in compiled code beside what follows; in Python it is done at once."""
    tracer = _tracing.current()
    if tracer is not None:
        return _TracedFuture(tracer, *tracer.fork(func, args, kwargs))
    return Future(func(*args, **kwargs))


def wait(future):
    """Returns what a call that `fork` began gives."""
    return future.wait()


_fork, _wait = fork, wait


@contextlib.contextmanager
def optimized_execution(should_optimize):
    """Compiled code is optimized whatever this says; it gives the same results either way."""
    yield


_fusion_strategy = [("STATIC", 2), ("DYNAMIC", 10)]


def set_fusion_strategy(strategy):
    """Notes how PyTorch's fuser would specialize kernels, a list of pairs such as ("STATIC", 2), and returns what was noted
    before. tsc's kernels take sizes when they run: there is nothing to specialize, and nothing compiled anew for others."""
    global _fusion_strategy
    for kind, depth in strategy:
        if kind not in ("STATIC", "DYNAMIC"):
            raise RuntimeError(f"FusionBehavior only supported 'STATIC' or 'DYNAMIC', got: {kind}")
        if not isinstance(depth, int):
            raise RuntimeError(f"the depth of a fusion strategy is an int, and not {depth!r}")
    before, _fusion_strategy = _fusion_strategy, list(strategy)
    return before


_set_fusion_strategy = set_fusion_strategy


def export_opnames(m):
    """Returns the names of the operators that the methods of a module use, sorted: ["aten::add.Tensor", …]."""
    if isinstance(m, ScriptFunction):
        return _graphs.export_opnames(m.graph)
    return _graphs.export_opnames(*(method.graph for method in m._script_methods()))
