"""Compiled modules as modules of torch's or of tsc.nn: their methods are compiled code.

The compiled module and the live one have one set of tensors. Whoever replaces a tensor, or moves its elements
(`module.double()`), is noticed at the next call.
"""

import copy
import copyreg
import functools
import inspect
import sys
import types

import tsc

from . import _graphs, _hosts, _modules, _scopes, _tracing, _values
from ._functions import CompiledText, _ran_last, is_enabled
from . import passes as _passes
from ._source import Source
from ._unit import unit

_OWN = {"_script_type", "_compiled_module", "_links", "_all_links", "_plan", "_bound",
        "_constants_of", "_python_methods", "_graphs", "_handle", "_of_torch"}


class FixedAttributeError(AttributeError, RuntimeError):
    """An attribute of a compiled module cannot be assigned."""


class FileNotFound(RuntimeError, FileNotFoundError):
    """A folder is not there: torch's own class, and Python's."""


class ScriptMethod(CompiledText):
    """A method of a compiled module. Calling it runs compiled code."""

    def __init__(self, owner, name, definition):
        self.owner, self.name, self.definition = owner, name, definition
        self.__name__ = name
        cls = owner.__dict__.get("_original_class", type(owner))
        original = getattr(cls, "_methods", {}).get(name) or getattr(cls, name, None)
        self.__doc__ = getattr(getattr(original, "original_method", original), "__doc__", None)

    def __call__(self, *args, **kwargs):
        _ran_last(self, args)
        return _call(self.owner, _compiled_method(self.owner, self.name), args, kwargs, self.name)

    @property
    def graph(self):
        """The method's Graph. What is done to it shows here, and changes nothing of what calls run."""
        if self.definition:
            return _graphs.shown_graph(self.definition)
        known = self.owner.__dict__.setdefault("_graphs", {})
        if self.name not in known:
            known[self.name] = tsc._tsc._script._graph_of(self.owner._compiled_module._compiled(self.name))
        return known[self.name]

    @property
    def code_with_constants(self):
        """The text, and the constants that it names, as attributes c0, c1, …"""
        code, constants = unit().code_with_constants(self.definition) if self.definition else \
            tsc._tsc._script._code_of(self.owner._compiled_module._compiled(self.name))
        return _graphs.with_calls_of_python(code), _graphs.ConstMap(_values.to_python(constants))

    @property
    def schema(self):
        if self.definition:
            return unit().schema(self.definition)
        return tsc._tsc._script._schema_of(self.owner._compiled_module._compiled(self.name))

    @property
    def __signature__(self):
        return self.owner._compiled_module._compiled(self.name).__signature__

    def __repr__(self):
        return f"<tsc.jit.ScriptMethod '{self.name}'>"


def _compiled_method(module, name):
    """Returns the compiled method of that name, the same one for each call."""
    known = module.__dict__.setdefault("_bound", {})
    if name not in known:
        known[name] = module._compiled_module._compiled(name)
    return known[name]


class _Overloaded:
    """An overloaded method: a call runs the first overload that takes its arguments."""

    def __init__(self, methods):
        self.methods = methods

    def __call__(self, *args, **kwargs):
        for method in self.methods[:-1]:
            try:
                return method(*args, **kwargs)
            except RuntimeError as error:
                if "for argument" not in str(error):
                    raise
        return self.methods[-1](*args, **kwargs)


def _giving(module):
    """Returns what makes values of compiled code those that a live module has."""
    return _values.to_torch if _hosts.is_of_torch(module) else (lambda value: value)


def shared_tensor(compiled, name, table, give=_values.to_torch):
    """Returns what keeps a tensor of a live module, which stands in `table`, and that of a compiled one the same. `give`
    makes a tensor of the live module's of one that compiled code has assigned."""
    return tsc._tsc._script._SharedTensor(compiled, name, table, _values.share_tensor, give)


def _links_of(module):
    """Returns the shared tensors of a module and of all modules in it."""
    when, known = module.__dict__.get("_all_links", (None, None))
    swaps = tsc._tsc._script._num_swaps()
    if when != swaps:
        known = []
        for one in module.modules():
            if isinstance(one, ScriptModule):
                known += one.__dict__.get("_links", ())
        module.__dict__["_all_links"] = (swaps, known)
    return known


def forget_compiled(module):
    """Forgets what is known of the compiled module that a live one stands for: it is another one now."""
    for name in ("_all_links", "_plan", "_bound", "_of_torch"):
        module.__dict__.pop(name, None)


def _call(module, compiled, args, kwargs, name="forward"):
    tracer = _tracing.current()
    if tracer is not None:
        return _call_in_trace(tracer, module, compiled, args, kwargs, name)
    who = None if name is None else _values.part_of_torch(args, kwargs)
    if who is not None:
        result = _called_by_torch(module, compiled, args, kwargs, name, who)
        if result is not NotImplemented:
            return result
    links = _links_of(module)
    if not _hosts.is_of_torch(module):
        module.shared_tensors()
        result = _values.call_for_tsc(compiled, args, kwargs)
        for link in links:
            link.take_back()
        return result
    from . import _torch as bridge
    result = tsc._tsc._script._call_with_torch(compiled, links, args, kwargs)
    if result is not NotImplemented:
        for link in links:
            link.take_back()
        return result
    own = [(link.tensor, link.made) for link in module.shared_tensors()
           if link.tensor is not None and link.tensor.requires_grad]
    result = bridge.call(compiled, args, kwargs, own)
    for link in links:
        link.take_back()
    return result


def _called_by_torch(module, compiled, args, kwargs, name, who):
    """Lets torch make the call. Returns NotImplemented for one that does not fit."""
    if name in module.__dict__["_python_methods"]:
        return module.__dict__["_python_methods"][name].__get__(module)(*args, **kwargs)
    from . import _torch_runs
    method = compiled._compiled(name) if compiled is module._compiled_module else compiled
    return _torch_runs.call_method(module, name, method, args, kwargs, who)


def _value_of_property(module, name):
    """Calls the getter of a compiled property. Archives have no properties, so that torch cannot make the call."""
    getter = unit().compiled(unit().find_method(module._script_type.definition, name))
    result = _call(module, getter, (module,), {}, None)
    who = _values.part_of_torch((), {})
    if who is not None and _values.holds_torch(result):
        from . import _torch_runs
        raise _torch_runs.refusal(f"the property {module.original_name}.{name}", who, "archives have no properties")
    return result


def _call_in_trace(tracer, module, compiled, args, kwargs, name):
    """Calls a compiled method, and records the call."""
    value = tracer.module_value(module)
    if value is None:
        raise RuntimeError(f"Tried to trace {module} but it is not part of the active trace. Modules that are called "
                           "during a trace must be registered as submodules of the thing being traced.")
    method = module._compiled_module._compiled(name)
    return tracer.call_compiled(lambda: _call(module, compiled, args, kwargs, name), method.__signature__, args, kwargs,
                                lambda values: tracer.trace.call_method(value, name, values))


class ScriptMethodStub:
    """A method that is compiled when its module was made."""

    def __init__(self, original_method=None, source=None, scope=None):
        self.original_method, self.source, self.scope = original_method, source, scope


def script_method(fn):
    """Marks a method of a ScriptModule that is compiled."""
    return ScriptMethodStub(fn) if is_enabled() else fn


class ScriptMeta(type):
    """Compiles a module of a user's class when its `__init__` has run."""

    def __init__(cls, name, bases, attributes):
        cls._methods = {}
        for base in reversed(bases):
            cls._methods.update(getattr(base, "_methods", {}))
        for key, value in sorted(attributes.items()):
            if isinstance(value, ScriptMethodStub):
                delattr(cls, key)
                cls._methods[value.original_method.__name__] = value
        super().__init__(name, bases, attributes)
        if attributes.get("_disable_script_meta"):
            return
        original = cls.__init__

        @functools.wraps(original)
        def init_then_script(self, *args, **kwargs):
            before = dict(cls._methods)
            original(self, *args, **kwargs)
            if type(self) is cls:
                _script_in_place(self, list(sorted(cls._methods)), cls._methods == before)

        cls.__init__ = init_then_script

    def __instancecheck__(cls, value):
        # ScriptModule stands for those of all hosts.
        return super().__instancecheck__(value) or (cls.__name__ == "ScriptModule" and cls.__module__ == "tsc.jit" and
                                                    type.__instancecheck__(ScriptModule, value))


class ScriptModule(tsc._tsc._script._CompiledModule, metaclass=ScriptMeta):
    """What a module does whose methods are compiled code. Classes derive from it and from a host's Module (classes_for())."""

    _disable_script_meta = True
    __jit_unused_properties__ = ["code", "code_with_constants", "graph", "inlined_graph", "original_name"]

    def __getattr__(self, name):
        own = self.__dict__
        made = own.get("_script_type")
        if made is None:
            return super().__getattr__(name)
        if name in own.get("_parameters", ()) or name in own.get("_buffers", ()) or name in own.get("_modules", ()):
            return super().__getattr__(name)
        if name in made.attributes:
            return _giving(self)(own["_compiled_module"]._compiled(name))
        if name in own["_constants_of"]:
            return own["_constants_of"][name]
        method = _method_of(self, name)
        if method is not None:
            return method
        if name in own["_python_methods"]:
            return own["_python_methods"][name].__get__(self)
        if isinstance(made, _LoadedType) and not name.startswith("__"):
            return _values.to_torch(own["_compiled_module"]._compiled(name))  # a constant of its class
        if _is_compiled_property(own.get("_original_class"), name):
            return _value_of_property(self, name)
        raise AttributeError(f"'{type(self).__name__}' object has no attribute '{name}'")

    def __setattr__(self, name, value):
        own = self.__dict__
        made = own.get("_script_type")
        if type(value).__name__ == "Attribute" and hasattr(value, "value") and made is None:
            if "__annotations__" not in vars(type(self)):
                type(self).__annotations__ = {}
            type(self).__annotations__[name] = value.type
            value = value.value
        if made is None or name in _OWN:
            return super().__setattr__(name, value)
        if name in own["_constants_of"]:
            raise FixedAttributeError(f"Cannot mutate TorchScript constant value: '{name}'. Value: "
                                      f"'{own['_constants_of'][name]}'")
        if name in own["_modules"]:
            return _replace_module(self, name, value)
        if name in made.attributes and name not in own["_parameters"] and name not in own["_buffers"] and \
                name not in own["_modules"]:
            own.pop(name, None)
            setattr(own["_compiled_module"], name, _values.to_tsc(value))
            return None
        return super().__setattr__(name, value)

    def shared_tensors(self):
        """Returns the tensors that the module and all modules in it share with compiled code, which has them as they are
        then."""
        links = _links_of(self)
        for link in links:
            link.refresh()
        return links

    @property
    def _c(self):
        """What torch's own code asks about the compiled module."""
        return CompiledHandle(self)

    def _reconstruct(self, handle):
        """Makes this the module of another one's handle, `_c`: both have one compiled module then. Methods that are left
        to Python stay."""
        other = handle.module
        own = self.__dict__
        for table in ("_parameters", "_buffers", "_modules"):
            own[table] = getattr(other, table)
        for name in ("_compiled_module", "_links", "_constants_of", "_script_type"):
            own[name] = other.__dict__[name]
        forget_compiled(self)

    @property
    def forward(self):
        """The compiled method `forward`."""
        method = _method_of(self, "forward")
        if method is None:
            raise AttributeError("forward")
        return method

    def _call_slowly(self, *args, **kwargs):
        """Makes a call that _CompiledModule leaves to Python, and lets it make the next one."""
        own = self.__dict__
        made = own.get("_script_type")
        if made is None or "forward" not in made.methods or own["_forward_hooks"] or own["_forward_pre_hooks"]:
            return super(tsc._tsc._script._CompiledModule, self).__call__(*args, **kwargs)
        own["_plan"] = (tsc._tsc._script._num_swaps(), own["_compiled_module"], _hosts.is_of_torch(self), *_links_of(self))
        _ran_last(self, args)
        return _call(self, own["_compiled_module"], args, kwargs)

    @property
    def graph(self):
        return self.forward.graph

    @property
    def inlined_graph(self):
        return self.forward.inlined_graph

    @property
    def code(self):
        return self.forward.code

    @property
    def code_with_constants(self):
        return self.forward.code_with_constants

    def graph_for(self, *args, **kwargs):
        return self.forward.graph_for(*args, **kwargs)

    @property
    def original_name(self):
        own = self.__dict__.get("_compiled_module")
        return own.original_name.rpartition(".")[2] if own is not None else type(self).__name__

    def _script_methods(self):
        """Returns the compiled methods, each a ScriptMethod."""
        made = self.__dict__.get("_script_type")
        return [ScriptMethod(self, name, definition) for name, definition in made.methods.items()] if made else []

    def define(self, src):
        """Compiles methods from a text, and adds them."""
        scope = _scopes.of_frame(1)
        for name, text in _definitions_in(src):
            if self.__dict__.get("_script_type") is None:
                type(self)._methods[name] = ScriptMethodStub(source=Source(text, "<string>", name=name), scope=scope)
                continue
            made = self._script_type
            made.methods[name] = unit().method(made.definition, text, "<string>", name, scope)
            unit().compile(made.methods[name])
            self.__dict__.pop("_of_torch", None)  # which lacks the method

    def save(self, file, _extra_files=None, **options):
        """Writes an archive. `file` is a path or a file."""
        self.shared_tensors()
        try:
            tsc.save(self._compiled_module, file, _extra_files)
        except FileNotFoundError as error:
            raise FileNotFound(f"Parent directory of {file} does not exist.") from error

    def save_to_buffer(self, _extra_files=None):
        import io
        buffer = io.BytesIO()
        self.save(buffer, _extra_files)
        return buffer.getvalue()

    def _save_for_lite_interpreter(self, *args, **kwargs):
        """Writes the module for PyTorch Mobile. The arguments are those of torch's own method, which does it."""
        return _read_by_torch(self)._save_for_mobile(*args, **kwargs)

    def _save_to_buffer_for_lite_interpreter(self, *args, **kwargs):
        """Returns the bytes that _save_for_lite_interpreter writes."""
        return _read_by_torch(self)._save_to_buffer_for_mobile(*args, **kwargs)

    def __deepcopy__(self, memo):
        if self.__dict__.get("_script_type") is None:
            return super().__deepcopy__(memo) if hasattr(super(), "__deepcopy__") else _copy_plainly(self, memo)
        return _copied(self, memo)

    def __copy__(self):
        return _copied(self, None)

    def __reduce_ex__(self, protocol):
        if self.__dict__.get("_script_type") is None:
            getstate = getattr(type(self), "__getstate__", None)
            has_own = getstate is not None and getstate is not getattr(object, "__getstate__", None)
            return copyreg.__newobj__, (type(self),), getstate(self) if has_own else self.__dict__
        return _loaded_from_bytes, (self.save_to_buffer(), _hosts.is_of_torch(self))

    def __dir__(self):
        made = self.__dict__.get("_script_type")
        original = self.__dict__.get("_original_class", object)
        return sorted({*super().__dir__(), *dir(original), *(made.attributes if made else ()), *(made.methods if made else ())})

    def extra_repr(self):
        return f"original_name={self.original_name}"

    def _get_name(self):
        return type(self).__name__

    def __len__(self):
        return self._special("__len__", len(self._modules))

    def __iter__(self):
        if not self._is_container() and _method_of(self, "__iter__") is None:
            raise TypeError(f"'{type(self).__name__}' object is not iterable")
        return self._special("__iter__", iter(self._modules.values()))

    def __getitem__(self, index):
        found = None
        if self._is_container() and _method_of(self, "__getitem__") is None:
            found = self._modules[index] if isinstance(index, str) else list(self._modules.values())[index]
        return self._special("__getitem__", found, index)

    def __contains__(self, key):
        return self._special("__contains__", key in self._modules, key)

    def __bool__(self):
        return True

    def _is_container(self):
        return self.__dict__.get("_container", False)

    def _special(self, name, of_container, *args):
        """Calls the compiled method of that name or, for a container without one, returns `of_container`."""
        method = _method_of(self, name)
        if method is not None:
            return method(*args)
        if self._is_container():
            return of_container
        raise NotImplementedError(f"'{type(self).__name__}' has no {name}")


def _read_by_torch(module):
    """Returns the module that torch's own compiler has for the archive that tsc writes of a module."""
    if "torch" not in sys.modules:
        raise NotImplementedError("torch writes files for PyTorch Mobile: import it first")
    from . import _torch_runs
    return _torch_runs.module_of_torch(module.save_to_buffer())


def _is_compiled_property(cls, name):
    """Whether a class has a property whose getter is compiled."""
    item = None if cls is None else inspect.getattr_static(cls, name, None)
    return isinstance(item, property) and not _modules._marks.is_ignored(item) and name not in \
        (*getattr(cls, "__jit_unused_properties__", ()), *getattr(cls, "__jit_ignored_attributes__", ()))


def _replace_module(module, name, value):
    """Puts a compiled module in the place of one that another module holds."""
    own = module.__dict__
    if not isinstance(value, ScriptModule):
        raise RuntimeError("Cannot re-assign modules in a ScriptModule with non-scripted module, tried to replace existing "
                           f"module '{name}': {value}")
    made, given = own["_script_type"], value.__dict__["_script_type"]
    try:
        setattr(own["_compiled_module"], name, value._compiled_module)
    except (TypeError, RuntimeError) as error:
        interface = made.interfaces.get(name)
        if interface is not None:
            raise RuntimeError(f"Module '{given.name}' is not compatible with interface '{interface.name}': {error}") from error
        wanted = made.submodules[name].name if name in made.submodules else "a module"
        raise RuntimeError(f"Expected a value of type '{wanted} (of this program)' for field '{name}', but found "
                           f"'{given.name} (of this program)'") from error
    own["_modules"][name] = value
    tsc._tsc._script._note_swap()


class CompiledHandle:
    """What `_c` of a compiled module is to torch's own code, which asks it for methods and types."""

    def __init__(self, module):
        self.module = module

    def __str__(self):
        return "ScriptObject"

    __repr__ = __str__

    def _has_method(self, name):
        return _method_of(self.module, name) is not None

    def _get_method(self, name):
        method = _method_of(self.module, name)
        if method is None:
            raise RuntimeError(f"Method '{name}' is not defined.")
        return method

    def _method_names(self):
        return sorted(self.module._script_type.compiled_names(self.module._compiled_module))

    def hasattr(self, name):
        return name in self.module._script_type.attributes

    def getattr(self, name):
        return getattr(self.module, name)

    def setattr(self, name, value):
        setattr(self.module, name, value)

    def _type(self):
        return self.module._script_type

    def __getattr__(self, name):
        if name.startswith("__"):
            raise AttributeError(name)
        value = getattr(self.module, name)
        return CompiledHandle(value) if isinstance(value, ScriptModule) else value

    def __eq__(self, other):
        return isinstance(other, CompiledHandle) and other.module._compiled_module == self.module._compiled_module

    def __hash__(self):
        return hash(self.module._compiled_module)


class RecursiveScriptModule(ScriptModule):
    """What `script` makes of a live module."""

    _disable_script_meta = True

    def __init__(self, original, made, builder):
        super().__init__()
        own = self.__dict__
        own.pop("training", None)
        own["_original_class"] = type(original)
        own["_container"] = isinstance(original, _hosts.containers())
        for name, value in original._parameters.items():
            self._parameters[name] = value
        for name, value in original._buffers.items():
            self._buffers[name] = value
        for name, inner in original._modules.items():
            if inner is None or isinstance(inner, ScriptModule):
                self._modules[name] = inner
            elif name in made.submodules:
                self._modules[name] = _wrap(inner, made.submodules[name], builder)
        _attach(self, original, made, builder)


_classes = {}  # a host's Module -> ScriptModule and RecursiveScriptModule that derive from it


def classes_for(base):
    """Returns the classes ScriptModule and RecursiveScriptModule for the modules of a host."""
    if base not in _classes:
        common = {"_disable_script_meta": True, "__module__": "tsc.jit", "__doc__":
                  "A module whose methods are compiled code: those that `script_method` marks."}
        script = ScriptMeta("ScriptModule", (ScriptModule, base), common)
        common = {**common, "__doc__": RecursiveScriptModule.__doc__}
        _classes[base] = script, ScriptMeta("RecursiveScriptModule", (RecursiveScriptModule, script), common)
    return _classes[base]


def _host_class(module):
    """Returns the class Module of the host that a live module is of."""
    return next(base for base in _hosts.classes("Module") if isinstance(module, base))


def _wrap(module, made, builder):
    known = builder.wrapped.get(id(module))
    if known is None:
        known = builder.wrapped[id(module)] = classes_for(_host_class(module))[1](module, made, builder)
    return known


def _attach(target, original, made, builder):
    """Makes a live module stand for a compiled one."""
    compiled = builder.build(original, made)
    links = []
    for table in (target._parameters, target._buffers):
        for name in table:
            if name in made.attributes:
                links.append(shared_tensor(compiled, name, table, _giving(target)))
    constants = {name: getattr(original, name) for name in made.constants if hasattr(original, name)}
    methods = {}
    for cls in reversed(type(original).__mro__):
        if _hosts.is_base(cls):
            continue
        for name, item in vars(cls).items():
            if isinstance(item, types.FunctionType) and (_modules._marks.is_ignored(item) or
                                                         _modules._marks.modifier_of(item) ==
                                                         _modules._marks.COPY_TO_SCRIPT_WRAPPER):
                methods[name] = item
    for name, item in vars(original).items():
        if isinstance(item, types.MethodType) and item.__self__ is original and _modules._marks.is_ignored(item):
            methods[name] = item.__func__
    own = target.__dict__
    own.update(_compiled_module=compiled, _links=links, _constants_of=constants, _python_methods=methods)
    if target is not original:  # Python's code finds there what it would find in the class
        own.update(_ignored_attributes(original))
    own["_script_type"] = made
    _shadow(target, made)
    _modules._scripted[compiled] = target


def _ignored_attributes(module):
    """Returns what a module leaves to Python by name: the properties of its class, and attributes and submodules of its own."""
    found = {}
    for name in getattr(module, "__jit_ignored_attributes__", ()):
        item = inspect.getattr_static(type(module), name, None)
        if isinstance(item, property):
            found[name] = item
        elif hasattr(module, name):
            found[name] = getattr(module, name)
    return found


def _shadow(target, made):
    """Lets compiled methods take the place of those of the same names that all live modules have."""
    base = _host_class(target)
    for name in made.methods:
        if name not in ("forward", "training") and not name.startswith("__") and hasattr(base, name):
            target.__dict__[name] = ScriptMethod(target, name, made.methods[name])


def _method_of(module, name):
    made = module.__dict__.get("_script_type")
    if made is None:
        return None
    if name in made.overloads:
        return _Overloaded([ScriptMethod(module, one, made.methods[one]) for one in made.overloads[name]])
    definition = made.methods.get(name)
    if definition is None and name not in made.compiled_names(module._compiled_module):
        return None
    return ScriptMethod(module, name, definition)


def _script_in_place(module, names, may_share):
    """Compiles a module of a user's ScriptModule class."""
    made = _modules.store.type_of(module) if may_share else _modules.new_type_of(module)
    for name in () if may_share else names:
        stub = type(module)._methods[name]
        if stub.source is not None:  # of define(), which another module may have called with another text
            made.methods[name] = unit().method(made.definition, stub.source.text, stub.source.file, name, stub.scope)
    _modules.compile_methods(made, names)
    builder = _new_builder()
    for name, inner in list(module._modules.items()):
        if inner is not None and not isinstance(inner, ScriptModule) and name in made.submodules:
            module._modules[name] = _wrap(inner, made.submodules[name], builder)
    _attach(module, module, made, builder)
    for name in made.attributes:
        if name not in module._parameters and name not in module._buffers and name not in module._modules:
            module.__dict__.pop(name, None)


def _new_builder():
    builder = _modules.Builder()
    builder.wrapped = {}
    return builder


def script_module(module):
    """Compiles a live module with all modules in it."""
    if isinstance(module, ScriptModule):
        return module
    module = _prepared(module, {})
    made = _modules.store.type_of(module)
    _compile_all(module, made, set())
    return _wrap(module, made, _new_builder())


def _prepared(module, known):
    """Returns what is compiled in the place of a module: what its `__prepare_scriptable__` gives, also within it. Modules
    that hold such ones are copied without their tensors, and stay as they are themselves."""
    if id(module) in known or isinstance(module, ScriptModule) or "_modules" not in vars(module):
        return known.get(id(module), module)
    prepare = getattr(module, "__prepare_scriptable__", None)
    made = known[id(module)] = prepare() if prepare else module
    inner = {name: None if one is None else _prepared(one, known) for name, one in made._modules.items()}
    if any(inner[name] is not one for name, one in made._modules.items()):
        made = known[id(module)] = copy.copy(made)
        made.__dict__["_modules"] = type(made._modules)(inner)
    return made


def _compile_all(module, made, seen):
    if id(module) in seen or isinstance(module, ScriptModule):
        return
    seen.add(id(module))
    for name, inner in module._modules.items():
        if name in made.submodules and inner is not None:
            _compile_all(inner, made.submodules[name], seen)
    _modules.compile_methods(made, _modules.methods_to_compile(module))


def _definitions_in(src):
    """Yields the name and text of each definition in a text."""
    import ast
    import textwrap
    text = textwrap.dedent(src)
    lines = text.splitlines(keepends=True)
    for one in ast.parse(text).body:
        first = min([one.lineno, *(decorator.lineno for decorator in getattr(one, "decorator_list", []))])
        yield one.name, "\n" * (first - 1) + "".join(lines[first - 1:one.end_lineno])


#
# Copies, and modules from archives
#


def _copy_plainly(module, memo):
    made = type(module).__new__(type(module))
    memo[id(module)] = made
    made.__dict__.update({key: copy.deepcopy(value, memo) for key, value in module.__dict__.items()})
    return made


def _copied(module, memo):
    """Returns a module with copies of the tensors and modules in it or, where `memo` is None, with these themselves."""

    if isinstance(module._script_type, _LoadedType):
        return _copied_loaded(module, memo)

    def copied(value):
        return value if memo is None else copy.deepcopy(value, memo)

    made = _new_recursive(next(base for base in _hosts.classes("Module") if isinstance(module, base)))
    if memo is not None:
        memo[id(module)] = made
    own = made.__dict__
    own.pop("training", None)
    own["_container"] = module._is_container()
    for table in ("_parameters", "_buffers"):
        for name, value in getattr(module, table).items():
            getattr(made, table)[name] = copied(value)
    for name, inner in module._modules.items():
        made._modules[name] = copied(inner)
    kind = module._script_type
    values, builder = [], _new_builder()
    for name in kind.attributes:
        if name in made._modules:
            inner = made._modules[name]
            values.append(None if inner is None else inner._compiled_module)
        elif name in made._parameters or name in made._buffers:
            table = made._parameters if name in made._parameters else made._buffers
            values.append(builder.value(table[name]))
        else:
            values.append(_values.to_tsc(copied(getattr(module, name))))
    compiled = unit().make_object(kind.definition, values)
    links = [shared_tensor(compiled, name, table, _giving(made))
             for table in (made._parameters, made._buffers)
             for name in table if name in kind.attributes]
    own.update(_compiled_module=compiled, _links=links, _constants_of=module._constants_of,
               _python_methods=module._python_methods)
    own["_script_type"] = kind
    _shadow(made, kind)
    _modules._scripted[compiled] = made
    return made


def _copied_loaded(module, memo):
    """Returns a copy of a module from an archive: one of its own in an archive of its own. Where `memo` is None, it has the
    tensors of the one that was copied."""
    made = _loaded_from_bytes(module.save_to_buffer(), _hosts.is_of_torch(module))
    if memo is not None:
        memo[id(module)] = made
        return made
    for one, other in zip(made.modules(), module.modules()):
        for table in ("_parameters", "_buffers"):
            getattr(one, table).update(getattr(other, table))
    return made


class _LoadedType:
    """The type of a module from an archive."""

    submodules = constants = overloads = interfaces = {}
    definition = None

    def __init__(self, compiled):
        self.name = compiled.original_name
        self.attributes = [name for name, _ in compiled._named_attributes(False)]
        self.methods = {name: None for name in compiled._method_names}

    def compiled_names(self, compiled):
        return self.methods


def _new_recursive(base):
    """Makes a RecursiveScriptModule of a host without anything in it."""
    cls = classes_for(base)[1]
    made = cls.__new__(cls)
    base.__init__(made)
    made.__dict__.pop("training", None)
    return made


class _SharedMemory:
    """torch's tensors over the memory of an archive's. Those that share a storage there have one storage in torch too."""

    def __init__(self, compiled):
        self.tensors = {}  # where a storage begins -> the tensors in it
        self.wholes = {}
        for _, value in [*compiled._named_parameters(True), *compiled._named_buffers(True)]:
            if value is not None and value.layout is tsc.strided and value.numel():
                self.tensors.setdefault(self._begin(value), []).append(value)

    @staticmethod
    def _begin(tensor):
        return tensor.data_ptr() - tensor.storage_offset() * tensor.element_size(), tensor.dtype

    def give(self, tensor):
        if tensor.layout is not tsc.strided or len(self.tensors.get(self._begin(tensor), ())) < 2:
            return _values.to_torch(tensor)
        key = self._begin(tensor)
        if key not in self.wholes:
            size = max(1 + one.storage_offset() + sum((n - 1) * step for n, step in zip(one.shape, one.stride()))
                       for one in self.tensors[key])
            self.wholes[key] = _values.to_torch(tensor.detach().as_strided([size], [1], 0))
        return self.wholes[key].as_strided(list(tensor.shape), list(tensor.stride()), tensor.storage_offset())


def wrap_loaded(compiled, nn=None, memory=None):
    """Returns a live module for one of an archive. Its parameters and buffers are over the same memory."""
    nn = nn or _hosts.default()
    made = _new_recursive(nn.Module)
    give = _giving(made)
    if _hosts.is_of_torch(made):
        memory = memory or _SharedMemory(compiled)
        give = memory.give
    own = made.__dict__
    for name, value in compiled._named_parameters(False):
        made._parameters[name] = None if value is None else nn.Parameter(give(value), requires_grad=value.requires_grad)
        if value is not None and not _hosts.is_of_torch(made):
            setattr(compiled, name, made._parameters[name])
    for name, value in compiled._named_buffers(False):
        made._buffers[name] = None if value is None else give(value)
    for name, value in compiled._named_children():
        made._modules[name] = wrap_loaded(value, nn, memory)
    links = [shared_tensor(compiled, name, table, give)
             for table in (made._parameters, made._buffers) for name in table]
    own.update(_compiled_module=compiled, _links=links, _constants_of={}, _python_methods={})
    own["_script_type"] = _LoadedType(compiled)
    _modules._scripted[compiled] = made
    return made


def _loaded_from_bytes(data, is_of_torch):
    if is_of_torch:
        from torch import nn
    else:
        from .. import nn
    return wrap_loaded(tsc.load(data, allow_setstate=True), nn)


def load(f, map_location=None, _extra_files=None, *, allow_setstate=False):
    """Loads an archive, and returns its module as one of torch's where torch is imported, and else as one of tsc.nn.
    `allow_setstate` lets `__setstate__` of the archive's classes run, which is the archive's code; torch.jit.load always
    does."""
    return wrap_loaded(tsc.load(f, _extra_files=_extra_files, allow_setstate=allow_setstate))


def save(m, f, _extra_files=None):
    """Writes a compiled function or module as an archive."""
    if _extra_files is None:
        m.save(f)
    else:
        m.save(f, _extra_files=_extra_files)


def freeze(mod, preserved_attrs=None, optimize_numerics=True):
    """Returns a module that has the values of its attributes in its code, and keeps the attributes and methods that
    `preserved_attrs` names."""
    if not isinstance(mod, ScriptModule):
        raise RuntimeError("Freezing expects a ScriptModule as input. Please use torch.jit.script or torch.jit.trace to "
                           "script your 'nn.Module'.")
    if mod.training:
        raise RuntimeError("Freezing is currently only implemented for modules in eval mode. Please call .eval() on your "
                           "module before freezing.")
    names = list(preserved_attrs or ())
    compiled = tsc.load(mod.save_to_buffer())
    program = tsc.load(compiled.program._frozen_archive(names)).program
    frozen = program.module()
    # What is left of the attributes stays. This lets calls run code that is optimized as a frozen module's may be.
    program.freeze(list(frozen._method_names), [name for name, _ in frozen._named_attributes(False)])
    made = wrap_loaded(program.module())
    for method in made._script_methods():
        _optimize_frozen(method.graph, optimize_numerics)
    return made


def run_frozen_optimizations(mod, optimize_numerics=True, preserved_methods=None):
    """Optimizes the graphs of a frozen module that its methods show: folds what follows a layer into its weights. Calls of a
    frozen module run code that is optimized so whether this is called or not."""
    for name in dict.fromkeys(["forward", *(preserved_methods or ())]):
        _optimize_frozen(getattr(mod, name).graph, optimize_numerics)


def _optimize_frozen(graph, optimize_numerics):
    # Constants decide branches first; then what follows a layer is seen to.
    _passes.run(graph, "inline,lower-simple-tuples,constprop,peephole,constprop,cse,constant-pooling,dce")
    _passes.run(graph, "optimize-frozen" if optimize_numerics else "remove-dropout,dce")


def optimize_for_inference(mod, other_methods=None):
    """Freezes a module where that has not happened, and optimizes the graphs that its methods show."""
    if not isinstance(mod, ScriptModule):
        raise RuntimeError("optimize_for_inference expects a ScriptModule as input. Please use torch.jit.script or "
                           "torch.jit.trace to script your 'nn.Module'.")
    names = list(other_methods or ())
    if "training" in mod._script_type.attributes:  # a frozen module has none
        mod = freeze(mod.eval(), names)
    run_frozen_optimizations(mod, preserved_methods=names)
    return mod
