"""Live modules of torch's or of tsc.nn, compiled: what their attributes are, which classes of compiled code they have.

A module is compiled with all modules in it. Modules whose class, attributes, constants and submodules have the same
types share a class of compiled code. Methods are compiled from their text in Python when `forward` or an exported
method wants them. Parameters and buffers are shared: what torch writes to them, compiled code reads.
"""

import functools
import inspect
import re
import types
import typing
import warnings
import sys
import weakref

from . import _definitions, _hosts, _marks, _objects, _scopes, _values
from ._errors import CompileError, FrontendError
from ._library import library
from ._source import Source
from ._texts import signature_of, text_of
from ._unit import free_name, qualified_name, unit

# Attributes of every module, which compiled code does not see.
_HIDDEN = {"_version", "_parameters", "_buffers", "_non_persistent_buffers_set", "_backward_hooks", "_backward_pre_hooks",
           "_forward_hooks", "_forward_pre_hooks", "_forward_hooks_with_kwargs", "_forward_pre_hooks_with_kwargs",
           "_forward_hooks_always_called", "_state_dict_hooks", "_state_dict_pre_hooks", "_load_state_dict_pre_hooks",
           "_load_state_dict_post_hooks", "_modules", "_initializing", "dump_patches"}


class ModuleClass:
    """Answers what the compiler asks about a class of modules (src/script/PythonModules.h)."""

    _known = {}

    @classmethod
    def of(cls, python_class):
        if python_class not in cls._known:
            cls._known[python_class] = cls(python_class)
        return cls._known[python_class]

    def __init__(self, python_class):
        self.python_class = python_class
        self.is_library = _hosts.is_of_library(python_class)
        self.handle = unit().module_class(self, python_class.__name__, self.is_library)

    def _order(self):
        for one in self.python_class.__mro__:
            if _hosts.is_base(one):
                return
            if one.__module__.startswith("tsc.jit"):
                continue
            yield one

    def method(self, name, behind):
        """Returns (text, file, scope, class, binding) of the method that a name denotes, or None."""
        order = list(self._order())
        if behind is not None:
            order = order[order.index(behind.python_class) + 1:] if behind.python_class in order else []
        name, _, part = name.partition(".")
        for one in order:
            item = vars(one).get("_methods", {}).get(name, vars(one).get(name))
            if item is None:
                continue
            if part:  # "name.setter"
                has_setter = isinstance(item, property) and item.fset is not None
                return self._text(item, name, one, is_setter=True) if has_setter else None
            if one in _hosts.containers() and name != "forward":
                return None
            return self._text(item, name, one)
        return None

    def _text(self, item, name, owner, is_setter=False):
        binding = "method"
        if isinstance(item, staticmethod):
            item, binding = item.__func__, "static"
        elif isinstance(item, property):
            item, binding = (item.fset, "method") if is_setter else (item.fget, "property")
        if getattr(item, "source", None) is not None and hasattr(item, "original_method"):  # of define()
            return item.source.text, item.source.file, item.scope, ModuleClass.of(owner).handle, binding
        item = getattr(item, "original_method", item)  # of script_method
        if not isinstance(item, types.FunctionType):
            return None
        if _marks.modifier_of(item) == _marks.IGNORE:
            source, scope = _call_of_python(item, binding == "static")
        else:
            source, scope = text_of(item)
        text = source.marked("@torch.jit.unused") if _marks.is_unused(item) else source.text
        return text, source.file, scope, ModuleClass.of(owner).handle, binding

    def derives_from_library(self, name):
        return any(one.__name__ == name and _hosts.is_of_library(one) for one in self.python_class.__mro__)

    def derives_from_users(self, name):
        return any(one.__name__ == name for one in self._order())

    def names(self):
        return [name for one in self._order() for name in vars(one) if not name.startswith("__")]


_scripted = weakref.WeakValueDictionary()  # compiled module -> the script module around it


def script_module_of(compiled):
    """Returns the object of Python's that stands for a compiled module, or the compiled module itself."""
    return _scripted.get(compiled, compiled)


def _call_of_python(function, is_static):
    """The text of a method that calls a function of Python's, with the module as its first argument."""
    scope = _scopes.of_function(function)
    if not is_static and not inspect.signature(function).parameters:
        raise FrontendError(f"the ignored method '{function.__name__}' does not have a self argument")
    parameters, annotation = signature_of(function, skip_first=not is_static)
    names, given, declared, schema = {}, [], [], []
    for number, parameter in enumerate(parameters):
        if parameter.kind in (parameter.VAR_POSITIONAL, parameter.VAR_KEYWORD):
            raise FrontendError(f"the ignored method '{function.__name__}' takes a variable number of arguments: compiled "
                                "code calls methods with a signature")
        kind = _definitions.parameter_type(parameter.annotation, scope)
        names[f"_P{number}"] = kind
        text = f"{parameter.name}: _P{number}"
        if parameter.default is not parameter.empty:
            text += f" = {parameter.default!r}"
        declared.append(text)
        given.append(parameter.name)
        schema.append(f"{kind.annotation} {parameter.name}")
    has_result = annotation not in (None, type(None), "None")
    result = _definitions.parameter_type(annotation, scope) if has_result else None
    op = _definitions.callback_name(function.__name__)
    own = [] if is_static else ["Any self"]
    returned = _definitions.result_type(annotation, scope) if result else "()"

    def call(*arguments):
        if is_static:
            return _values.call_python(function, arguments)
        bound = functools.partial(function, script_module_of(arguments[0]))
        return _values.call_python(bound, arguments[1:])

    names["_python"] = unit().callback(f"{op}({', '.join(own + schema)}) -> {returned}", function.__name__, call)
    if result:
        names["_R"] = result
    first = [] if is_static else ["self"]
    head = f"def {function.__name__}({', '.join(first + declared)}) -> {'_R' if result else 'None'}:\n"
    body = f"    {'return ' if result else ''}_python({', '.join(first + given)})\n"
    return Source(head + body, f"<call of {function.__name__}>"), _scopes.Scope([], definitions=names)


class ModuleType:
    """A class of compiled code for modules of one structure."""

    def __init__(self, definition, python_class, attributes, constants):
        self.definition = definition
        self.python_class = python_class
        self.attributes = attributes  # names in the order of the class
        self.constants = constants  # names
        self.methods = {}  # compiled, by name
        self.submodules = {}
        self.interfaces = {}  # submodules that an interface stands for, with its Definition
        self.hooks = [[], []]  # names of the methods that run before and after forward
        self.annotated_hooks = {}  # name -> whether it says what it returns
        self.functions = {}  # attribute that is a function -> the function's name
        self.overloads = {}  # name -> names of the methods that calls choose from

    @property
    def name(self):
        return self.definition.name

    def function_named(self, name):
        """Returns the function of Python's that a method is compiled from, or None."""
        for one in ModuleClass.of(self.python_class)._order():
            item = vars(one).get("_methods", {}).get(name, vars(one).get(name))
            item = getattr(item, "original_method", item)
            if item is not None:
                return item if isinstance(item, types.FunctionType) else None
        return None

    def compiled_names(self, compiled):
        """The names of all methods that are compiled, also because others call them."""
        return set(compiled._method_names) | set(self.methods)


class _Structure:
    """Finds out what the attributes of a module are."""

    def __init__(self, module, store):
        self.module = module
        self.store = store
        self.attributes = []  # (name, Definition, kind)
        self.constants = []  # (name, value, Definition)
        self.values = []  # (name, Definition)
        self.functions = {}  # name of one that is a function of Python's -> the function's name
        self.untyped = []  # (name, sentence)
        self.children = []
        self.submodules = {}  # name -> ModuleType
        self.interfaces = {}  # name of a submodule that stands behind an interface -> the interface's Definition
        self.kept = []  # objects that the key names by their identity
        self.bound = {}  # methods that the object has in the place of those of its class
        self.key = []
        self.seen = set()
        cls = type(module)
        self.annotations = {}
        for one in reversed(cls.__mro__):
            if not _hosts.is_base(one):
                self.annotations.update(inspect.get_annotations(one) if hasattr(inspect, "get_annotations")
                                        else vars(one).get("__annotations__", {}))
        self.ignored = set(getattr(module, "__jit_ignored_attributes__", ()))
        self.scope = _scopes.of_class(cls)
        self.collect()

    def attribute(self, name, kind, definition):
        self.attributes.append((name, definition, kind))
        self.key.append((name, kind, definition.name))
        self.seen.add(name)

    def type_of(self, name, value):
        """Returns the type of an attribute, or a sentence that says why it has none."""
        annotation = self.annotations.get(name)
        if type(value).__name__ == "Attribute" and hasattr(value, "type"):
            return _definitions.type_of(value.type, self.scope)
        if annotation is not None and not _is_final(annotation):
            if isinstance(annotation, str):
                return unit().type(annotation, self.scope)
            return _definitions.type_of(annotation, self.scope)
        return _definitions.type_of_value(value, self.scope)

    def collect(self):
        module = self.module
        for name, value in module._parameters.items():
            if name not in self.ignored:
                self.tensor(name, value, "parameter")
        for name, value in module._buffers.items():
            if name not in self.ignored:
                self.tensor(name, value, "buffer")
        for name, value in module._modules.items():
            if name in self.ignored:
                continue
            if value is None:
                self.attribute(name, "regular", unit().type("None", self.scope))
                continue
            made = self.store.type_of(value)
            self.submodules[name] = made
            interface = self.interface_of(name)
            if interface is not None:
                self.interfaces[name] = interface
                self.attribute(name, "regular", interface)
                continue
            self.attribute(name, "regular", made.definition)
            self.key[-1] += (id(made),)
        for name in sorted(self.ignored):
            self.untyped.append((name, "something else: the attribute was ignored during compilation, as "
                                       "__jit_ignored_attributes__ says"))
        self.children = [name for name in (*module._parameters, *module._modules) if name in self.seen]
        self.collect_constants()
        for name, value in vars(module).items():
            if name in _HIDDEN or name.startswith("__") or name in self.ignored or name in self.seen:
                continue
            self.plain(name, value)
        self.collect_class_constants()
        for table in ("_forward_pre_hooks", "_forward_hooks"):
            self.key.append(tuple(map(self.identity, getattr(module, table).values())))

    def identity(self, value):
        """Returns a number that no other object has as long as the type lives, which keeps the object."""
        self.kept.append(value)
        return id(value)

    def interface_of(self, name):
        """Returns the interface that a submodule's annotation names, or None."""
        annotation = self.annotations.get(name)
        if isinstance(annotation, str):
            annotation = self.scope.resolve(annotation)
        if isinstance(annotation, type) and _definitions.is_interface(annotation):
            return _definitions.class_definition(annotation, self.scope)
        return None

    def tensor(self, name, value, kind):
        annotation = self.annotations.get(name)
        if value is None and annotation is None:
            self.attribute(name, "regular" if kind == "buffer" else kind, unit().type("None", self.scope))
        elif annotation is not None and value is None:
            self.attribute(name, kind, self.type_of(name, value))
        else:
            self.attribute(name, kind, _definitions.type_of(_definitions.library_tensor(), self.scope)
                           if annotation is None else self.type_of(name, value))

    def collect_constants(self):
        names = list(getattr(self.module, "__constants__", ()))
        names += [name for name, annotation in self.annotations.items() if _is_final(annotation)]
        names += _hosts.library_constants(self.module)
        for name in dict.fromkeys(names):
            if name in self.seen:
                kind = ("submodule" if name in self.module._modules else
                        "buffer" if name in self.module._buffers else "parameter")
                warnings.warn(f"'{name}' was found in ScriptModule constants,  but it is a non-constant {kind}. Consider "
                              "removing it.")
                continue
            if not hasattr(self.module, name):
                warnings.warn(f"'{name}' was found in ScriptModule constants, but was not actually set in __init__. "
                              "Consider removing it.")
                continue
            value = _constant(name, getattr(self.module, name), type(self.module).__name__)
            self.constant(name, value)

    def constant(self, name, value):
        definition = _definitions.type_of_value(value, self.scope)
        if isinstance(definition, str):
            self.untyped.append((name, definition))
        else:
            self.constants.append((name, value, definition))
            self.key.append((name, "constant", repr(value)))
        self.seen.add(name)

    def collect_class_constants(self):
        """Numbers and texts that the class has, and not the object."""
        for one in type(self.module).__mro__:
            if _hosts.is_base(one) or one.__module__.startswith("tsc.jit"):
                break
            for name, value in vars(one).items():
                if name.startswith("__") or name in self.seen or name in self.ignored:
                    continue
                if isinstance(value, (bool, int, float, str)) and not isinstance(value, type):
                    self.constant(name, value)

    def plain(self, name, value):
        from ._functions import ScriptFunction
        self.seen.add(name)
        if isinstance(value, types.MethodType) and value.__self__ is self.module:
            self.bound[name] = value.__func__
            self.key.append((name, "method", self.identity(value.__func__)))
            return
        if isinstance(value, type) and _definitions.is_builtin_class(value) and _definitions.library_value(value) is None:
            self.untyped.append((name, _definitions.type_of_value(value, self.scope)))
            self.key.append((name, "untyped"))
            return
        if isinstance(value, (types.FunctionType, ScriptFunction)) or library.path_of(value) is not None and callable(value):
            try:
                self.values.append((name, _definitions.value_of(value, self.scope, name)))
                self.key.append((name, self.identity(value)))
                self.functions[name] = getattr(value, "__name__", name)
            except Exception as error:
                self.untyped.append((name, f"a function that does not compile: {error}"))
            return
        try:
            found = self.type_of(name, value)
        except Exception as error:
            raise RuntimeError(f"Error inferring type for {name}: {value}: {error}") from error
        if isinstance(found, str):
            self.untyped.append((name, found))
            self.key.append((name, "untyped"))
        else:
            self.attributes.append((name, found, "regular"))
            self.key.append((name, "regular", found.name))

    def declare(self):
        cls = type(self.module)
        name = free_name(qualified_name(cls))
        definition = unit().module_type(
            name, ModuleClass.of(cls).handle, self.attributes, self.children, self.constants, self.values, self.untyped,
            isinstance(self.module, _hosts.classes("ModuleList", "Sequential", "ParameterList")),
            isinstance(self.module, _hosts.classes("ModuleDict", "ParameterDict")))
        made = ModuleType(definition, cls, [name for name, _, _ in self.attributes], [name for name, _, _ in self.constants])
        made.submodules = self.submodules
        made.interfaces = self.interfaces
        made.kept = self.kept
        made.functions = self.functions
        for name, function in self.bound.items():
            if not _marks.is_ignored(function):
                source, scope = text_of(function)
                made.methods[name] = unit().method(definition, source.text, source.file, name, scope)
        self.declare_hooks(made)
        self.declare_overloads(made)
        return made

    def declare_overloads(self, made):
        """Declares the methods that `torch.jit._overload_method` has declarations of, one for each declaration."""
        for name, function, declarations in overloaded_methods(type(self.module)):
            declared = []
            for number, declaration in enumerate(declarations):
                text, file, scope = _definitions.overload_text(declaration, function, f"{name}__{number}")
                method = unit().method(made.definition, text, file, f"{name}__{number}", scope)
                made.methods[f"{name}__{number}"] = method
                declared.append(method)
            unit().set_overloads(made.definition, name, declared)
            made.overloads[name] = [f"{name}__{number}" for number in range(len(declared))]

    def declare_hooks(self, made):
        known, names = {}, []
        for table, what in (("_forward_pre_hooks", "Pre-hook"), ("_forward_hooks", "Hook")):
            listed = []
            for hook in getattr(self.module, table).values():
                name = hook.__name__
                if name in known and known[name] is not hook:
                    raise RuntimeError(f"{what} '{name}' on {type(self.module).__name__} has at least two different python "
                                       "definitions. Please use unique names for all hooks.")
                own = next((vars(one)[name] for one in ModuleClass.of(type(self.module))._order() if name in vars(one)), None)
                if isinstance(own, types.FunctionType) and own is not getattr(hook, "__func__", hook):
                    raise RuntimeError(f"Can't define hook: {name} on class: {made.definition.name} because a method or hook "
                                       "with that name already exists.")
                if name not in known:
                    known[name] = hook
                    source, scope = text_of(hook)
                    says = inspect.signature(hook).return_annotation is not inspect.Signature.empty
                    made.annotated_hooks[name] = says or "# type:" in source.text
                    made.methods[name] = unit().method(made.definition, source.text, source.file, name, scope)
                listed.append(name)
            names.append(listed)
        made.hooks = names
        unit().set_hooks(made.definition, *names)


def _is_final(annotation):
    if isinstance(annotation, str):
        return bool(re.match(r"(typing\.|torch\.jit\.)?Final\b", annotation))
    return annotation is typing.Final or typing.get_origin(annotation) is typing.Final


def _constant_types():
    import tsc
    spaces = [tsc] if "torch" not in sys.modules else [sys.modules["torch"], tsc]
    return (bool, float, int, str, type(None), *(getattr(space, name) for space in spaces
                                                 for name in ("device", "layout", "dtype")))


def _constant(name, value, owner):
    if isinstance(value, _constant_types()):
        return value
    if isinstance(value, (tuple, list)):
        return tuple(_constant(name, one, owner) for one in value)
    listed = ", ".join(_hosts.typename(one) for one in _constant_types()[:8])
    raise TypeError(f"\n'{_hosts.typename(type(value))}' object in attribute '{owner}.{name}' is not a valid constant.\n"
                    f"Valid constants are:\n1. a nn.ModuleList\n2. a value of type {{{listed}}}\n3. a list or tuple of (2)\n")


class TypeStore:
    """The types of modules that were made, by structure."""

    def __init__(self):
        self.types = {}  # class -> {key: ModuleType}

    def type_of(self, module):
        _check_initialized(module)
        known = getattr(module, "_script_type", None)
        if known is not None and known.definition is None:
            from ._embedding import embed
            embed(module)
            known = module._script_type
        if known is not None:
            return known
        structure = _Structure(module, self)
        key = tuple(map(repr, structure.key))
        of_class = self.types.setdefault(type(module), {})
        if key not in of_class:
            of_class[key] = structure.declare()
        return of_class[key]

    def clear(self):
        self.types.clear()


store = TypeStore()


def new_type_of(module):
    """Returns a type that no other module has: for one that brings methods along."""
    _check_initialized(module)
    return _Structure(module, store).declare()


def _check_initialized(module):
    name = _hosts.typename(type(module))
    if not hasattr(module, "_parameters"):
        raise RuntimeError(f"'{name}' has not been initialized, did you forget to call 'super()'?")
    for table, what in ((module._parameters, "parameters"), (module._buffers, "buffers")):
        for key, value in table.items():
            if type(value).__name__ in ("UninitializedParameter", "UninitializedBuffer"):
                raise RuntimeError(f"'{name}' has uninitialized {what} {key}. Did you forget to run a forward pass?")


_overloaded = weakref.WeakKeyDictionary()  # class -> what overloaded_methods() returns


def overloaded_methods(cls):
    """Returns the methods of a class that are overloaded: (name, function, its declarations). torch reads the class's file
    to tell; without torch there are none."""
    known = _overloaded.get(cls)
    if known is None:
        internal = getattr(sys.modules.get("torch"), "_jit_internal", None)
        if internal is None:
            return []
        known = []
        for name in dir(cls):
            item = inspect.getattr_static(cls, name, None)
            if not isinstance(item, types.FunctionType) or name.startswith("__"):
                continue
            declarations = internal._get_overloaded_methods(item, cls)
            if declarations and item in declarations:
                raise RuntimeError(internal.get_overload_no_implementation_error_message("method", item))
            if declarations:
                known.append((name, item, list(declarations)))
        _overloaded[cls] = known
    return known


def methods_to_compile(module):
    """Returns the names of the methods that a module's users call: `forward`, and those that are exported."""
    names = []
    forward = getattr(module, "forward", None)
    bases = [getattr(base, "forward", None) for base in _hosts.classes("Module")]
    if forward is not None and not _marks.is_ignored(forward) and getattr(forward, "__func__", None) not in bases:
        names.append("forward")
    hidden = set(getattr(type(module), "__jit_unused_properties__", ()))
    for name in dir(type(module)):
        if name in hidden:
            continue
        item = inspect.getattr_static(type(module), name, None)
        if isinstance(item, (types.FunctionType, staticmethod)) and _marks.is_exported(item):
            if name not in names:
                names.append(name)
    overloaded = {name for name, _, _ in overloaded_methods(type(module))}
    return [name for name in names if name not in overloaded]


def _declare_setstate(made):
    """Declares `__setstate__` of a type. Where its parameter has no annotation, it takes what `__getstate__` gives."""
    item = made.function_named("__setstate__")
    if item is None or "__setstate__" in made.methods or "__getstate__" in made.methods:
        return
    source, scope = text_of(item)
    parameters = source.tree().args.args
    if len(parameters) != 2 or parameters[1].annotation is not None or "# type:" in source.text:
        return
    given = made.methods["__getstate__"] = unit().find_method(made.definition, "__getstate__")
    state = unit().compiled(given).__signature__.return_annotation
    scope.definitions["_State"] = unit().type(state, _scopes.Scope([_definitions._names_of_types()], is_ours=True))
    line = source.text.split("\n")[parameters[1].end_lineno - 1].encode()
    end = parameters[1].end_col_offset
    lines = source.text.split("\n")
    lines[parameters[1].end_lineno - 1] = (line[:end] + b": _State" + line[end:]).decode()
    made.methods["__setstate__"] = unit().method(made.definition, "\n".join(lines), source.file, "__setstate__", scope)


def compile_methods(made, names):
    """Compiles methods of a type, and what they call."""
    try:
        _compile_methods(made, names)
    except CompileError as error:
        for attribute, function in made.functions.items():
            if f"'{function}' is being compiled since it was called" in error.excerpt:
                error.excerpt += (f"\nThe function is the attribute '{attribute}' of the Python module, but it failed to compile to "
                                  "a TorchScript function\n")
        raise


def _compile_methods(made, names):
    if "__setstate__" in names and "__getstate__" not in names:
        raise RuntimeError(f"'{made.definition.name}' has __setstate__ without a __getstate__ whose result it takes: both have "
                           "to be compiled, or none")
    if "__setstate__" in names:
        _declare_setstate(made)
    for listed in made.overloads.values():
        for name in listed:
            unit().compile(made.methods[name])
    for name in names:
        if name not in made.methods:
            made.methods[name] = unit().find_method(made.definition, name)
        unit().compile(made.methods[name])
    for method in list(made.methods.values()):
        unit().compile(method)
    if any(made.hooks) and "forward" in made.methods:
        from ._hooks import check_hooks
        check_hooks(made)


class Builder:
    """Makes compiled modules of live ones. A tensor or module that stands in several places is one in all of them."""

    def __init__(self):
        self.modules = {}
        self.tensors = {}  # id -> (the live module's, tsc's)
        self.storages = {}

    def share(self, tensor):
        if tensor is None:
            return None
        if id(tensor) not in self.tensors:
            made = _values.share_tensor(tensor, self.storages)
            self.tensors[id(tensor)] = (tensor, made)
        return self.tensors[id(tensor)][1]

    def value(self, value):
        value = value.value if type(value).__name__ == "Attribute" and hasattr(value, "type") else value
        if isinstance(value, _hosts.tensor_classes()):
            return self.share(value)
        _objects.check_no_gradients(value)
        return _values.to_tsc(value)

    def build(self, module, made):
        """Returns the compiled module of a live one, and remembers those within it."""
        if id(module) in self.modules:
            return self.modules[id(module)][1]
        values = []
        for name in made.attributes:
            if name in made.submodules:
                inner = module._modules[name]
                compiled = getattr(inner, "_compiled_module", None)
                values.append(compiled if compiled is not None else self.build(inner, made.submodules[name]))
            else:
                values.append(self.value(getattr(module, name)))
        compiled = unit().make_object(made.definition, values)
        self.modules[id(module)] = (module, compiled)
        return compiled
