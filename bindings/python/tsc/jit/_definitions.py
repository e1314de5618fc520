"""What objects of Python's are in compiled code: functions, classes, types, constants.

Each object is declared when compiled code first names it, and stays what it was then: compiling a function compiles all
that it calls. What compiled code cannot have is `refused`, with the sentence that the error says.
"""

import ast
import collections
import dataclasses
import enum
import inspect
import re
import sys
import types
import typing

from . import _hosts, _marks, _objects, _scopes, _values
from ._errors import FrontendError, NotSupportedError, UnknownTypeError
from ._library import is_builtin_function, library, refresh
from ._source import definition_of
from ._texts import refuse_annotations_outside_init, signature_of, text_of, with_values_of_defaults_in_methods
from ._unit import free_name, qualified_name, unit

_functions = {}  # id -> (function, Definition, how many overloads it had)
_classes = {}  # class -> Definition, or its name while it is being declared
_class_names = {}  # name in compiled code -> class
_library_values = {}
_callbacks = 0


def forget_classes():
    """Forgets which classes were declared: they are declared anew when they are next named."""
    _classes.clear()


def _is_script_module(value):
    script_module = getattr(sys.modules.get(f"{__package__}._script_modules"), "ScriptModule", None)
    return script_module is not None and isinstance(value, script_module)


def refused_value(value):
    if _is_script_module(value):
        return unit().refused(f"module '{type(value).__name__}'",
                              "Cannot call a ScriptModule that is not a submodule of the caller: make it an attribute of a "
                              "module, or an argument whose type is an interface")
    kind = f"python value of type '{type(value).__name__}'"
    return unit().refused(kind, f"{kind} cannot be used as a value. Perhaps it is a closed over global variable? If so, "
                                "please consider passing it in as an argument or use a local varible instead.")


def value_of(value, scope, name=""):
    """Returns the Definition of what an object is in expressions."""
    from ._functions import ScriptFunction
    if isinstance(value, ScriptFunction):
        return value.definition
    known = _known_function(value)
    if known is not None:
        return known
    if isinstance(value, (bool, int, float, complex, str, type(None))) and not isinstance(value, enum.Enum):
        return unit().constant(value, None)
    of_library = library_value(value)
    if of_library is not None:
        return of_library
    if type(value).__name__ in ("OpOverloadPacket", "OpOverload"):
        return operator_definition(value)
    if isinstance(value, enum.Enum):
        return unit().constant(value, class_definition(type(value)))
    if isinstance(value, type):
        if _marks.is_ignored(value):
            return unit().refused(f"class '{value.__name__}'", f"Cannot instantiate class '{value.__name__}' in a script "
                                  "function: it is marked to be ignored, and does not have a compiled __init__")
        if is_module_class(value):  # its static methods can be called
            return unit().namespace(value, f"class '{value.__name__}'", scope)
        return class_definition(value, scope)
    if isinstance(value, types.ModuleType):
        return unit().namespace(value, f"module '{value.__name__}'", scope)
    if isinstance(value, (types.FunctionType, types.MethodType)):
        return function_definition(value)
    if is_builtin_function(value):
        return unit().refused(f"builtin '{name}'",
                              f"Python builtin {value} is currently not supported in Torchscript")
    if typing.get_args(value):
        return type_of(value, scope)
    if getattr(value, "__module__", None) == "typing":
        return None
    if _hosts.is_module(value) and not _is_script_module(value):  # it is left to Python, as a function that `ignore` marks
        return variadic_definition(value, library_tensor(), scope, "python_value")
    call = getattr(type(value), "__call__", None)
    if isinstance(call, types.FunctionType) and _marks.modifier_of(call) == _marks.IGNORE:
        annotation = signature_of(call)[1]
        return variadic_definition(value, annotation, _scopes.of_function(call), type(value).__name__)
    return constant_of(value, scope) or refused_value(value)


def library_value(value):
    """Returns the Definition of an object that a library has under a path which compiled code knows, or None."""
    for path in library.paths_of(value):
        if path not in _library_values:
            made = unit().library(path)
            _library_values[path] = made if made.is_known else None
        if _library_values[path] is not None:
            return _library_values[path]
    return None


def constant_of(value, scope):
    """Returns the Definition of a constant, or None for an object that is none."""
    kind = type(value).__name__
    if kind in ("dtype", "device", "layout", "memory_format"):
        return unit().constant(value, None)
    if kind == "qscheme":
        return unit().constant(_values.number_of_qscheme(value), None)
    if type(value) in (list, tuple, dict) and annotation_of_value(value) is not None:
        return unit().constant(value, type_of_value(value, scope))
    return None


def annotation_of_value(value):
    """Returns the annotation for the type of a constant, or None where it has none."""
    if value is None:
        return "None"
    if isinstance(value, (bool, int, float, complex, str)):
        return type(value).__name__ if type(value) in (bool, int, float, complex, str) else None
    if type(value) is tuple:
        parts = [annotation_of_value(one) for one in value]
        return None if None in parts or not parts else f"Tuple[{', '.join(parts)}]"
    if type(value) is list:
        parts = {annotation_of_value(one) for one in value}
        return f"List[{parts.pop()}]" if len(parts) == 1 and None not in parts else None
    if type(value) is dict:
        keys = {annotation_of_value(one) for one in value}
        values = {annotation_of_value(one) for one in value.values()}
        fits = len(keys) == 1 and len(values) == 1 and None not in keys | values
        return f"Dict[{keys.pop()}, {values.pop()}]" if fits else None
    return None


def type_of_value(value, scope):
    """Returns the Definition of the type that a value has, or a sentence that says why it has none."""
    kind = type(value).__name__
    if isinstance(value, (_values.Tensor, library_tensor())):
        return type_of(library_tensor(), scope)
    if isinstance(value, enum.Enum):
        return class_definition(type(value), scope)
    if isinstance(value, tuple) and hasattr(value, "_fields"):
        return class_definition(type(value), scope)
    if kind in ("dtype", "layout", "memory_format", "qscheme"):
        return unit().type("int", _scopes.Scope([], is_ours=True))
    if kind == "device":
        return unit().type("torch.device", _scopes.Scope([], is_ours=True))
    if isinstance(value, _objects.RecursiveScriptClass):
        return value.__dict__["_definition"]
    if is_object_of_user(value):
        return _type_of_object(value, scope)
    writer = _ValueWriter(scope)
    known = value is None or type(value) in (bool, int, float, complex, str, tuple, list) or isinstance(value, dict)
    text = writer.write(value) if known else None
    if text is None and kind in ("list", "tuple") and any(map(_hosts.is_module, value)):
        return (f"a {kind} of modules. Could not infer type of {kind} element: Cannot infer concrete type of "
                "torch.nn.Module; a ModuleList holds modules")
    if isinstance(value, type):
        return f"a class, and we failed to convert Python type '{kind}' to a TorchScript type"
    if text is None:
        return f"a {kind}, for which there is no type"
    return unit().type(text, _scopes.Scope([_names_of_types()], definitions=writer.named, is_ours=True))


def is_object_of_user(value):
    """Whether a value is an object of a class that has a text, and is no container, function or module."""
    cls = type(value)
    if isinstance(value, (tuple, list, dict, set, type, types.FunctionType, types.MethodType, types.ModuleType)):
        return False
    torch = sys.modules.get("torch")
    if torch is not None and isinstance(value, (torch.nn.Module, torch.Tensor)):
        return False
    return cls in _classes or _scopes.is_users(cls) and cls.__module__.split(".")[0] not in ("torch", "numpy", "tsc")


def _type_of_object(value, scope):
    kind = type(value).__name__
    try:
        made = class_definition(type(value), scope)
    except Exception as error:
        return f"a {kind}, whose class does not compile: {error}"
    return made if made.is_type else f"a {kind}, for which there is no type"


#
# Functions
#


def _known_function(function):
    """Returns the Definition of a function that was declared, or None: also where it has got further overloads since."""
    known = _functions.get(id(function))
    if known is None or known[0] is not function:
        return None
    _, definition, count = known
    return definition if count == 0 or count == len(overloads_of(function)) else None


def function_definition(function):
    """Declares a function of Python's, and returns its Definition."""
    function = inspect.unwrap(function) if hasattr(function, "__script_if_tracing_wrapper") else function
    function = getattr(function, "__original_fn", function)
    if hasattr(function, "__script_unsupported"):
        raise NotSupportedError("TorchScript error: " + function.__script_unsupported)
    if isinstance(function, types.MethodType):
        return refused_value(function)
    known = _known_function(function)
    if known is not None:
        return known
    made = _declare_function(function)
    _functions[id(function)] = (function, made, len(_declarations.get(id(function), (None, ()))[1]))
    return made


# Functions of torch's whose text asks what types its arguments have, as compiled code cannot: their overloads.
_OTHER_TEXTS = {
    ("torch.nn.modules.utils", f"_{name}"): [
        f"def _{name}(x: BroadcastingList{size}[{kind}]) -> List[{kind}]:\n    return x\n" for kind in ("int", "float")]
    for name, size in (("single", 1), ("pair", 2), ("triple", 3), ("quadruple", 4))
}


def _other_texts(function):
    for (module, name), texts in _OTHER_TEXTS.items():
        if getattr(sys.modules.get(module), name, None) is function:
            return texts
    return []


def _declare_function(function):
    others = _other_texts(function)
    if others:
        scope = _scopes.Scope([{"List": typing.List}], is_ours=True)
        return unit().overloads([unit().function(text, "<tsc>", free_name(qualified_name(function)), scope)
                                 for text in others])
    if _marks.modifier_of(function) == _marks.IGNORE:
        return callback_definition(function)
    overloads = overloads_of(function)
    if overloads:
        return unit().overloads([_declare_overload(one, function) for one in overloads])
    source, scope = text_of(function)
    if source.is_lambda or _is_template(function):
        return unit().template(source.text, source.file, scope, source.is_lambda)
    text = source.marked("@torch.jit.unused") if _marks.is_unused(function) else source.text
    return unit().function(text, source.file, free_name(qualified_name(function)), scope)


def declare_text(function, name):
    """Declares a function as one of its own, also where each call of it would compile it."""
    source, scope = text_of(function)
    text = source.text
    if source.is_lambda:
        names = ", ".join(inspect.signature(function).parameters)
        text = "\n" * (source.line - 1) + f"def _lambda({names}): return {source.text.split(':', 1)[1].strip()}"
    return unit().function(text, source.file, name, scope)


def _is_template(function):
    """Whether calls of a function compile it for their arguments, since these have no types of their own."""
    try:
        parameters = inspect.signature(function).parameters.values()
    except (TypeError, ValueError):
        return False
    variable = (inspect.Parameter.VAR_POSITIONAL, inspect.Parameter.VAR_KEYWORD)
    for parameter in parameters:
        annotation = parameter.annotation
        if parameter.kind in variable and annotation is inspect.Parameter.empty:
            return True
        if typing.get_origin(annotation) is collections.abc.Callable or annotation is typing.Callable:
            return True
    return False


def callback_definition(function):
    """Declares a function that compiled code calls in Python, as an operator."""
    scope = _scopes.of_function(function)
    parameters, has_default = [], False
    signature = signature_of(function)
    if any(one.kind in (one.VAR_POSITIONAL, one.VAR_KEYWORD) for one in signature[0]):
        return variadic_definition(function, signature[1], scope)
    for parameter in signature[0]:
        text = f"{parameter_type(parameter.annotation, scope).annotation} {parameter.name}"
        if parameter.default is not parameter.empty:
            has_default = True
            text += f"={_schema_default(parameter.default, function)}"
        elif has_default:
            text = "*, " + text if parameter.kind is parameter.KEYWORD_ONLY else text
        parameters.append(text)
    annotation = signature[1]
    result = "()" if annotation in (None, type(None), "None") else result_type(annotation, scope)
    op = callback_name(function.__name__)

    def call(*arguments):
        return _values.call_python(function, arguments)

    return unit().callback(f"{op}({', '.join(parameters)}) -> {result}", function.__name__, call)


def operator_definition(op):
    """Declares an operator of torch's that tsc lacks, `torch.ops.N.X` or one overload of it: calls run torch's."""
    torch = sys.modules["torch"]
    packet = getattr(op, "_overloadpacket", op)
    found = torch._C._jit_get_schemas_for_operator(packet._qualified_op_name)
    if op is not packet:
        found = [one for one in found if one.overload_name == op._overloadname or
                 not one.overload_name and op._overloadname == "default"]
    made = None
    for schema in found:
        made = _operators.get(str(schema))
        if made is None:
            made = _operators[str(schema)] = unit().callback(str(schema), schema.name, _call_of_operator(packet, schema))
    return made or refused_value(op)


_operators = {}  # schema -> Definition


def _call_of_operator(packet, schema):
    overload = getattr(packet, schema.overload_name or "default")
    keywords = [one.name for one in schema.arguments if one.kwarg_only]
    count = len(schema.arguments) - len(keywords)

    def function(*given):
        return overload(*given[:count], **dict(zip(keywords, given[count:])))

    return lambda *arguments: _values.call_python(function, arguments)


def variadic_definition(function, annotation, scope, name=None):
    """Declares a function of Python's that takes any number of arguments: each call gives it what it has."""
    name = name or function.__name__
    result = "()" if annotation in (None, type(None), "None") else result_type(annotation, scope)

    def make(types, named):
        op = callback_name(name)
        parameters = [f"{kind} a{number}" for number, kind in enumerate(types)] + [f"{kind} {key}" for key, kind in named]
        keys = [key for key, _ in named]

        def call(*arguments):
            given = list(_values.to_python(list(arguments)))
            count = len(types)
            return _values.to_tsc(function(*given[:count], **dict(zip(keys, given[count:]))))

        return unit().callback(f"{op}({', '.join(parameters)}) -> {result}", name, call)

    return unit().variadic(name, make)


def parameter_type(annotation, scope):
    """Returns the type of a parameter of a function that compiled code calls in Python."""
    if annotation is inspect.Parameter.empty:
        return type_of(library_tensor(), scope)
    return unit().type(annotation, scope) if isinstance(annotation, str) else type_of(annotation, scope)


def result_type(annotation, scope):
    """Returns the text of the one result of a function that compiled code calls in Python."""
    return parameter_type(annotation, scope).annotation  # which names named tuples, and calls a tuple one result


def callback_name(name):
    """Returns a new name for an operator that calls a function of Python's."""
    global _callbacks
    _callbacks += 1
    return f"python::{_identifier(name)}_{_callbacks}"


def _identifier(name):
    return "".join(c if c.isalnum() or c == "_" else "_" for c in name)


def _schema_default(value, function):
    if value is None or isinstance(value, (bool, int, float)):
        return repr(value)
    if isinstance(value, str):
        return '"' + value.replace("\\", "\\\\").replace('"', '\\"') + '"'
    raise NotSupportedError(f"the ignored function '{function.__name__}' has a default that is no number or text")


def overloads_of(function):
    """Returns the declarations of an overloaded function (`torch.jit._overload`)."""
    torch = sys.modules.get("torch")
    internal = getattr(torch, "_jit_internal", None)
    if internal is None:
        return _overloads.get(qualified_name(function), [])
    found = internal._get_fn_overloads(internal._qualified_name(function))
    found = list(found or ()) or _overloads.get(qualified_name(function), [])
    if function in found:
        raise FrontendError(_without_implementation("function", function))
    # The table is by name: declarations are those of the function that was first asked for, and not of a later one.
    found = [one for one in found if _owners.setdefault(id(one), (one, function))[1] is function]
    declared = _declarations.get(id(function), (function, []))[1]
    added = [one for one in found if one not in declared]
    if added:
        declared = [*declared, *added]
        _declarations[id(function)] = (function, declared)
    return declared


def check_annotated(declaration):
    """Raises RuntimeError for a declaration of an overload that does not say what it takes."""
    parameters = list(inspect.signature(declaration).parameters)
    annotated = getattr(declaration, "__annotations__", None) or "# type:" in definition_of(declaration).text
    if not annotated and parameters not in ([], ["self"]):
        raise FrontendError("Must explicitly add type annotations to overloaded functions: "
                            f"{qualified_name(declaration)}")


def _without_implementation(kind, function):
    """Says that an overloaded function has declarations alone."""
    return (f'Implementation for the {kind} "{qualified_name(function)}" is missing. Please make sure a definition is '
            f"provided and defined after all overload declarations.\n"
            f'File "{function.__code__.co_filename}", line {function.__code__.co_firstlineno}')


_overloads = {}
_declarations = {}  # id -> (function, its declarations)
_owners = {}  # id -> (declaration, function that it is one of)


def overload(function):
    """Notes a declaration of an overloaded function: a definition without a body, before the one that has it."""
    _overloads.setdefault(qualified_name(function), []).append(function)
    return function


def _declare_overload(declaration, function):
    """Declares the body of a function with the signature of one of its overloads."""
    text, file, scope = overload_text(declaration, function, function.__name__)
    return unit().function(text, file, free_name(qualified_name(function)), scope)


def _defaults_that_fit(head, declaration, body, function):
    """Returns the defaults of a function's last parameters that a declaration of it, which has none, allows by type."""
    comment = re.search(r"#\s*type:\s*\((.*)\)\s*->", definition_of(declaration).text)
    kinds = [one.annotation for one in head.args.args]
    if comment:
        listed = ast.parse(f"f({comment.group(1)})", mode="eval").body.args
        kinds = [None] * (len(kinds) - len(listed)) + listed
    fitting = []
    further = len(body.args.args) - len(head.args.args)  # parameters that the declaration leaves out, which stand behind
    values = (function.__defaults__ or ())[:max(len(body.args.defaults) - further, 0)]
    for kind, value, default in reversed(list(zip(kinds[::-1], values[::-1], body.args.defaults[:len(values)][::-1]))):
        name = "Tensor" if kind is None else ast.unparse(kind).split(".")[-1]
        fits = name == type(value).__name__ or value is None and name.startswith("Optional[")
        fitting = [*fitting, default] if fits else []
    return fitting


def _check_defaults(declaration, function):
    """Raises a FrontendError for a declaration with a default that the function does not have, in PyTorch's words."""
    own = inspect.signature(function).parameters
    for name, parameter in inspect.signature(declaration).parameters.items():
        if parameter.default is not parameter.empty and (name not in own or own[name].default != parameter.default):
            raise FrontendError("Default parameters on overloads do not affect the runtime so they must equal to the default "
                                f"parameter on the implementation function. Found on parameter {name}")


def _add_further_parameters(head, comment, body, text):
    """Gives a declaration the last parameters of a function, with their types and defaults, where it leaves them out.
    Returns its type comment, "(int) -> int", or None."""
    missing = body.args.args[len(head.args.args):]
    if not missing:
        return comment
    listed = re.search(r"#\s*type:\s*\((.*)\)", text)
    kinds = [None if one.annotation is None else ast.unparse(one.annotation) for one in body.args.args]
    if listed:
        kinds = [ast.unparse(one) for one in ast.parse(f"f({listed.group(1)})", mode="eval").body.args]
    kinds = kinds[len(head.args.args):]
    if len(kinds) != len(missing) or None in kinds:
        raise FrontendError("Parameters not specified on the overloaded declaration must have a type annotation in the "
                            "implementation function.")
    if comment:
        taken, _, result = comment.rpartition("->")
        taken = taken.strip().removeprefix("(").removesuffix(")")
        comment = f"({', '.join([taken] * bool(taken) + kinds)}) ->{result}"
    for one, kind in zip(missing, kinds):
        one.annotation = None if comment else ast.parse(kind, mode="eval").body
    head.args.args += missing
    head.args.defaults += body.args.defaults[-len(missing):]
    return comment


def overload_text(declaration, function, name):
    """Returns the text of a function with the signature of one of its overloads, with its file and scope."""
    check_annotated(declaration)
    source = definition_of(function)
    body = source.tree()
    declared = definition_of(declaration)
    head = declared.tree()
    found = re.search(r"#\s*type:\s*(\(.*\)\s*->.*)", declared.text)
    _check_defaults(declaration, function)
    if not head.args.defaults and len(head.args.args) <= len(body.args.args):
        head.args.defaults = _defaults_that_fit(head, declaration, body, function)
    comment = _add_further_parameters(head, found.group(1) if found else None, body, source.text)
    head.body, head.decorator_list, head.name = body.body, [], name
    lines = ast.unparse(head).split("\n")
    if comment:
        lines.insert(1, f"    # type: {comment}")
    scope = _scopes.of_function(function)
    scope.annotations += _scopes.of_function(declaration).annotations
    return "\n" * (source.line - 1) + "\n".join(lines) + "\n", source.file, scope


#
# Classes
#


def class_definition(cls, scope=None, frame=None):
    """Declares a class of Python's, and returns its Definition."""
    if cls in _classes:
        known = _classes[cls]
        return unit().known_type(known) if isinstance(known, str) else known
    of_library = library_value(cls)
    if of_library is not None:
        return of_library
    name = free_name(qualified_name(cls))
    _classes[cls] = name  # while it is being declared: a class may name itself
    try:
        made = _declare_class(cls, name, scope, frame)
    except BaseException:
        del _classes[cls]
        raise
    _classes[cls] = made
    _class_names[name] = cls
    return made


def class_named(name):
    """Returns the class of Python's that has a qualified name in compiled code, or None."""
    return _class_names.get(name)


def is_module_class(cls):
    return issubclass(cls, _hosts.classes("Module")) and not is_interface(cls)


def _declare_class(cls, name, scope, frame):
    if is_module_class(cls):
        raise FrontendError(f"Type '{cls}' cannot be compiled since it inherits from nn.Module, pass an instance instead")
    if issubclass(cls, enum.Enum):
        return _declare_enum(cls, name)
    if issubclass(cls, tuple) and hasattr(cls, "_fields"):
        return _declare_named_tuple(cls, name, scope)
    if issubclass(cls, BaseException):
        return unit().refused(f"class '{cls.__name__}'", f"exception class '{cls.__name__}' cannot be used as a value")
    if is_builtin_class(cls):
        return refused_value(cls)
    interface = is_interface(cls)
    bases = [base for base in cls.__mro__[1:] if base is not object]
    if interface:
        bases = [base for base in bases if not _hosts.is_base(base)]
    if bases:
        raise FrontendError("TorchScript " + ("interface" if interface else "classes") + " does not support inheritance "
                            "yet. Please directly inherit from 'object'.")
    try:
        source = definition_of(cls)
    except OSError:
        if _scopes.is_users(cls):
            raise
        return refused_value(cls)  # one of Python's own that is written in C
    refuse_annotations_outside_init(source)
    own = _scopes.of_class(cls, frame or _frames.get(cls))
    if scope is not None:
        own.tables += scope.tables
    source = with_values_of_defaults_in_methods(source, own, cls)
    return unit().class_(_decorated(cls, source, interface), source.file, name, own)


def is_builtin_class(cls):
    return cls.__module__ in (*sys.builtin_module_names, "numpy") or not hasattr(cls, "__dict__")


_interfaces = {}
_frames = {}


def is_interface(cls):
    return cls in _interfaces or "__torch_script_interface__" in vars(cls)


def _decorated(cls, source, interface):
    """The text of a class with the decorators that change what it is."""
    mark = ""
    if dataclasses.is_dataclass(cls):
        options = cls.__dataclass_params__
        mark = "@dataclasses.dataclass(order=True)" if options.order else "@dataclasses.dataclass"
    if interface:
        mark = "@torch.jit.interface"
    return source.marked(mark) if mark else source.text


def _declare_enum(cls, name):
    lines = [f"class {cls.__name__}(enum.Enum):"]
    kinds = {type(member.value) for member in cls}
    if len(kinds) > 1:
        raise FrontendError("Could not unify type list: Enum class with varying value types are not supported")
    for member in cls:
        if not isinstance(member.value, (int, float, str)):
            raise FrontendError(f"Cannot create Enum with value type '{type(member.value).__name__}', only int, float and "
                                "str are supported")
        lines.append(f"    {member.name} = {member.value!r}")
    scope = _scopes.Scope([{"enum": enum, cls.__name__: cls}])
    made = unit().class_("\n".join(lines) + "\n", f"<enum {cls.__name__}>", name, scope)
    unit().set_python_class(made, cls)
    return made


def _declare_named_tuple(cls, name, scope):
    annotations = getattr(cls, "__annotations__", {})
    named, lines = {}, [f"class {cls.__name__}(NamedTuple):"]
    defaults = getattr(cls, "_field_defaults", {})
    module = sys.modules.get(cls.__module__)
    tables = [vars(module) if module else {}] + (scope.tables if scope else [])
    for field in cls._fields:
        key, annotation = f"T_{field}", annotations.get(field)
        if isinstance(annotation, typing.ForwardRef):
            annotation = annotation.__forward_arg__
        outer = _scopes.Scope(tables)
        if field not in annotations:
            named[key] = unit().inferred_tensor()
        else:
            named[key] = unit().type(annotation, outer) if isinstance(annotation, str) else type_of(annotation, outer)
        line = f"    {field}: {key}"
        if field in defaults:
            line += f" = {_literal(defaults[field], cls)}"
        lines.append(line)
    own = _scopes.Scope([{"NamedTuple": typing.NamedTuple}], definitions=named)
    made = unit().class_("\n".join(lines) + "\n", f"<named tuple {cls.__name__}>", name, own)
    unit().set_python_class(made, cls)
    return made


def library_tensor():
    torch = sys.modules.get("torch")
    if torch is not None and hasattr(torch, "Tensor"):
        return torch.Tensor
    from .. import Tensor
    return Tensor


def _literal(value, cls):
    if value is None or isinstance(value, (bool, int, float, str)):
        return repr(value)
    if isinstance(value, (list, tuple)):
        inner = ", ".join(_literal(one, cls) for one in value)
        return f"[{inner}]" if isinstance(value, list) else f"({inner},)"
    if isinstance(value, (_values.Tensor, library_tensor())):
        raise FrontendError("Tensors are not supported as default NamedTuple fields: a field of "
                            f"'{cls.__name__}' has one")
    raise FrontendError(f"Default values are currently not supported on NamedTuple fields in TorchScript: the default of "
                        f"a field of '{cls.__name__}' is a {type(value).__name__}")


#
# Types
#

_SIMPLE = {int: "int", float: "float", bool: "bool", str: "str", complex: "complex", type(None): "None", None: "None",
           typing.Any: "Any", list: "list", tuple: "tuple", dict: "Dict"}
_GENERIC = {list: "List", tuple: "Tuple", dict: "Dict", typing.Union: "Union", set: "Set",
            collections.OrderedDict: "Dict", collections.abc.Sequence: "List", collections.abc.Iterable: "List",
            collections.abc.Mapping: "Dict", typing.Final: "Final"}


_BARE = {
    one: f"Attempted to use {name} without {what}, e.g. {example}"
    for one, name, what, example in (
        (typing.List, "List", "a contained type. Please add a contained type", "List[int]"),
        (typing.Tuple, "Tuple", "a contained type. Please add a contained type", "Tuple[int]"),
        (typing.Optional, "Optional", "a contained type. Please add a contained type", "Optional[int]"),
        (typing.Dict, "Dict", "contained types. Please add contained type", "Dict[int, int]"))
}


class _Writer:
    """Writes an annotation as text. Classes of the program's have names in `named`."""

    def __init__(self, scope):
        self.scope = scope
        self.named = {}

    def write(self, annotation):
        if annotation is None or isinstance(annotation, type(None)):
            return "None"
        if isinstance(annotation, str):
            return self.name(unit().type(annotation, self.scope))
        if isinstance(annotation, typing.ForwardRef):
            return self.name(unit().type(annotation.__forward_arg__, self.scope))
        try:
            if annotation in _SIMPLE:
                return _SIMPLE[annotation]
        except TypeError:
            pass
        if annotation is typing.Optional:
            raise FrontendError(_BARE[annotation])
        origin = typing.get_origin(annotation)
        if origin is not None:
            return self.generic(annotation, origin)
        path = library.path_of(annotation)
        if path is not None and path.split(".")[0] in ("torch", "typing", "numbers"):
            of_library = library_value(annotation)
            if of_library is not None and of_library.is_type:
                return self.name(of_library)
            if isinstance(annotation, type) and is_module_class(annotation):
                raise UnknownTypeError(f"Unknown type annotation: '{annotation}'")
            return path
        if isinstance(annotation, type) and not annotation.__module__.startswith("collections"):
            made = class_definition(annotation, self.scope)
            if made.is_type:
                return self.name(made)
        torch = sys.modules.get("torch")
        kind = type(annotation).__name__
        if torch is not None and kind in ("BroadcastingListCls", "dtype", "layout"):
            return path or "int"
        raise UnknownTypeError(f"Unknown type annotation: '{annotation}'")

    def generic(self, annotation, origin):
        arguments = typing.get_args(annotation)
        if not arguments and annotation in _BARE:
            raise FrontendError(_BARE[annotation])
        if getattr(types, "UnionType", None) is origin:
            origin = typing.Union
        if origin is typing.Literal:
            return f"Literal[{', '.join(map(repr, arguments))}]"
        path = library.path_of(origin)
        name = _GENERIC.get(origin)
        if name is None and path is not None and path.endswith("Future"):
            name = "torch.jit.Future"
        if name is None and hasattr(typing, "Annotated") and origin is getattr(typing, "Annotated", None):
            return self.write(arguments[0])
        if name is None:
            raise UnknownTypeError(f"Unknown type annotation: '{annotation}'")
        if arguments == ((),):
            arguments = ()
        if name == "Tuple" and not arguments:
            return "Tuple[()]"
        if Ellipsis in arguments:
            raise UnknownTypeError(f"Unknown type annotation: '{annotation}': a Tuple of unknown length is not supported; "
                                "use List")
        return f"{name}[{', '.join(self.write(one) for one in arguments)}]"

    def name(self, definition):
        key = f"_T{len(self.named)}"
        self.named[key] = definition
        return key


class _ValueWriter(_Writer):
    """Writes the annotation for the type of a value, or None where it has none."""

    def write(self, value):
        if isinstance(value, (bool, int, float, complex, str, type(None))) and not isinstance(value, enum.Enum):
            return annotation_of_value(value)
        if type(value) is tuple:
            parts = [self.write(one) for one in value]
            return None if None in parts else f"Tuple[{', '.join(parts) or '()'}]"
        if type(value) is list:
            return self.of_elements("List", [value]) if value else "List[torch.Tensor]"
        if isinstance(value, dict):
            return self.of_elements("Dict", [list(value), list(value.values())]) if value else None
        if type(value).__module__ == "builtins":
            return None
        found = type_of_value(value, self.scope)
        return None if isinstance(found, str) else self.name(found)

    def of_elements(self, container, parts):
        texts = []
        for part in parts:
            kinds = {}
            for one in part:
                text = self.write(one)
                if text is None:
                    return None
                kinds[self.named[text].name if text in self.named else text] = text
            if len(kinds) != 1:
                return None
            texts.append(next(iter(kinds.values())))
        return f"{container}[{', '.join(texts)}]"


def _names_of_types():
    names = {"List": typing.List, "Tuple": typing.Tuple, "Dict": typing.Dict, "Union": typing.Union, "Set": typing.Set,
             "Any": typing.Any, "Final": typing.Final, "Literal": typing.Literal, "typing": typing}
    if "torch" in sys.modules:
        names["torch"] = sys.modules["torch"]
    return names


def type_of(annotation, scope):
    """Returns the Definition of the type that an annotation, an object of Python's, spells."""
    refresh()
    writer = _Writer(scope)
    text = writer.write(annotation)
    if text in writer.named:
        return writer.named[text]
    return unit().type(text, _scopes.Scope([_names_of_types()], definitions=writer.named, is_ours=True))
