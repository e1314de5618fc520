"""What the names in a function's text mean: the compiler asks a Scope, by src/script/PythonScope.h."""

import builtins
import inspect
import sys
import types
import typing

from . import _library

_MISSING = object()


class Scope:
    """The names of one text. `tables` are mappings, of which the first that has a name says what it is. `annotations`
    are objects of Python's that the text's annotations gave, for names that no table has. `definitions` are known
    already; they come first, and in a text of tsc's own (`is_ours`) they alone are types."""

    def __init__(self, tables, annotations=(), definitions=None, is_ours=False):
        self.tables = list(tables)
        self.annotations = list(annotations)
        self.definitions = definitions or {}
        self.is_ours = is_ours

    # The object behind a name.

    def find(self, name):
        for table in self.tables:
            if name in table:
                value = table[name]
                if isinstance(value, types.CellType):
                    try:
                        value = value.cell_contents
                    except ValueError:  # the variable has no value yet
                        continue
                return value
        return getattr(builtins, name, _MISSING)

    def resolve(self, dotted):
        """Returns the object that a dotted name denotes, or _MISSING."""
        head, *rest = dotted.split(".")
        value = self.find(head)
        for name in rest:
            if value is _MISSING:
                break
            value = getattr(value, name, _MISSING)
        return self._of_annotations(dotted) if value is _MISSING else value

    def _of_annotations(self, dotted):
        """Annotations may name what the function does not: classes of the function around it, or what that imports."""
        last = dotted.rpartition(".")[2]
        for annotation in self.annotations:
            for part in _parts(annotation):
                if getattr(part, "__name__", None) == last or getattr(part, "_name", None) == last:
                    return part if typing.get_origin(part) is None else getattr(typing, last, part)  # List of List[int]
        return _MISSING

    # What the compiler asks.

    def value(self, name):
        if name in self.definitions:
            return self.definitions[name]
        _library.refresh()
        value = _library.object_at(name, _MISSING) if "." in name else self.find(name)
        if value is _MISSING or self._is_of_python(name, value) and not isinstance(value, types.BuiltinFunctionType):
            return None
        from . import _definitions
        return _definitions.value_of(value, self, name)

    def attribute(self, owner, name):
        value = getattr(owner, name, _MISSING)
        if value is _MISSING:
            return None
        from . import _definitions
        return _definitions.value_of(value, self, name)

    def type(self, dotted):
        if dotted in self.definitions:
            return self.definitions[dotted]
        if dotted.startswith("__torch__."):  # as compiled code calls a class
            from ._unit import unit
            return unit().known_type(dotted)
        value = _MISSING if self.is_ours else self.resolve(dotted)
        if value is _MISSING or self._is_of_python(dotted, value) or isinstance(value, _NO_TYPES) or \
                type(value).__name__ in _NAMES_OF_NO_TYPES:
            return None
        from . import _definitions
        return _definitions.type_of(value, self)

    def canonical(self, dotted):
        if dotted.split(".")[0] in self.definitions:
            return dotted
        _library.refresh()
        value = self.resolve(dotted)
        if type(value).__name__ == "BroadcastingListCls":  # one object for all lengths: the name says which
            return dotted.rpartition(".")[2]
        if value is not _MISSING:
            path = _library.library.path_of(value)
            if path is not None:
                return path[len("builtins."):] if path.startswith("builtins.") else path
        head, _, rest = dotted.partition(".")
        owner = self.find(head) if rest else _MISSING
        path = _library.library.path_of(owner) if owner is not _MISSING else None
        return f"{path}.{rest}" if path else dotted

    def defines(self, name):
        if name in self.definitions:
            return True
        value = self.find(name)
        return value is not _MISSING and not self._is_of_python(name, value)

    @staticmethod
    def _is_of_python(name, value):
        """Whether a name means what Python has under it, which the compiler knows, or not, without being told."""
        return getattr(builtins, name, _MISSING) is value

    def exception(self, dotted):
        value = self.resolve(dotted)
        if not (isinstance(value, type) and issubclass(value, BaseException)):
            return ""
        if value.__module__ == "builtins":
            return "builtins." + value.__name__
        from ._unit import qualified_name
        name = qualified_name(value)
        _exceptions[name] = value
        return name

    def exceptions_below(self, full):
        if full.startswith("builtins."):
            value = getattr(builtins, full[len("builtins."):], None)
        else:
            value = _exceptions.get(full)
        if value is None:
            return []
        from ._unit import qualified_name
        below = [one for one in type.__subclasses__(value) if is_users(one)]
        for one in below:
            _exceptions[qualified_name(one)] = one
        return [qualified_name(one) for one in below]


# Objects that no annotation is, whatever their names are.
_NO_TYPES = (types.ModuleType, types.FunctionType, types.BuiltinFunctionType)
_NAMES_OF_NO_TYPES = ("qscheme", "OpOverloadPacket", "OpOverload")
_exceptions = {}
_STANDARD = getattr(sys, "stdlib_module_names", frozenset())


def is_users(cls):
    """Whether a class is none of Python's own libraries."""
    root = cls.__module__.split(".")[0]
    return root not in _STANDARD and root != "builtins" or root == "__main__"


def _parts(annotation):
    """An annotation, and those that it is made of."""
    yield annotation
    for part in typing.get_args(annotation):
        yield from _parts(part)


def of_function(function):
    """Returns the Scope of a function's text: its closure, the globals of its module, and its annotations."""
    function = inspect.unwrap(function, stop=lambda one: hasattr(one, "__script_unsupported"))
    function = getattr(function, "__func__", function)
    closure = dict(zip(function.__code__.co_freevars, function.__closure__ or ()))
    return Scope([closure, function.__globals__], _annotations_of(function))


def _annotations_of(function):
    try:
        return [one for one in function.__annotations__.values() if not isinstance(one, str)]
    except (AttributeError, NameError):
        return []


def of_class(cls, frame=None):
    """Returns the Scope of a class's text: what its methods close over, the class itself, and the globals of its
    module; then the variables of the frame that defines it."""
    closure, annotations = {}, []
    for value in vars(cls).values():
        for part in (value, getattr(value, "fget", None), getattr(value, "fset", None), getattr(value, "__func__", None)):
            if isinstance(part, types.FunctionType):
                closure.update(zip(part.__code__.co_freevars, part.__closure__ or ()))
                annotations += _annotations_of(part)
    annotations += [one for one in getattr(cls, "__annotations__", {}).values() if not isinstance(one, str)]
    closure.pop("__class__", None)
    closure[cls.__name__] = cls  # of which a decorator is told before the variable has it
    module = sys.modules.get(cls.__module__)
    # The class itself has no value yet in what its methods close over while it is being decorated.
    tables = [closure, {cls.__name__: cls}, vars(module) if module else {}]
    if frame is not None:
        tables += [frame.f_locals, frame.f_globals]
    return Scope(tables, annotations)


def of_frame(frames_up):
    """Returns the Scope of a text that stands in the function `frames_up` calls above the caller."""
    frame = sys._getframe(frames_up + 1)
    tables = []
    while frame is not None and not tables:
        tables = [dict(frame.f_locals), frame.f_globals]
    return Scope(tables)
