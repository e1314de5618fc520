"""Objects of users' classes, as compiled code has them and back.

A call gives compiled code a copy of an object, with those attributes that its class has in compiled code; what compiled
code returns becomes an object of the class in Python. A RecursiveScriptClass, which `script` makes of an object, is the
object that compiled code has: both see what the other changes.
"""

import inspect
import sys

from .. import _tsc
from ._unit import unit

_MISSING = object()
_PLAIN = (int, float, bool, str, complex, type(None))


def _known_class(cls):
    """Returns the Definition of a class whose objects compiled code can have, or None."""
    from . import _definitions
    known = _definitions._classes.get(cls)
    if known is None or isinstance(known, str) or not known.is_type or cls in _definitions._interfaces:
        return None
    return None if issubclass(cls, tuple) or _is_enum(cls) else known


def _is_enum(cls):
    import enum
    return issubclass(cls, enum.Enum)


def parts_of(value):
    """Returns the values of the attributes that compiled code sees in an object of a user's class; none for others."""
    if type(value) in _PLAIN:
        return ()
    known = _known_class(type(value))
    return [] if known is None else [getattr(value, name) for name in known.attributes if hasattr(value, name)]


def lower(value, convert):
    """Returns what compiled code is given for an object. `convert` does as much for the value of an attribute. What is no
    object of a class that compiled code has is returned as it is."""
    if type(value) in _PLAIN:
        return value
    if isinstance(value, RecursiveScriptClass):
        return value.__dict__["_compiled_object"]
    script_module = getattr(sys.modules.get(f"{__package__}._script_modules"), "ScriptModule", None)
    if script_module is not None and isinstance(value, script_module) and "_compiled_module" in value.__dict__:
        value.shared_tensors()
        return value._compiled_module
    known = _known_class(type(value))
    if known is None:
        return value
    values = []
    for name in known.attributes:
        part = getattr(value, name, _MISSING)
        if part is _MISSING:
            raise RuntimeError(f"Tried to cast object to type {known.annotation} but object was missing attribute {name}")
        values.append(convert(part))
    return unit().make_object(known, values)


def lift(value, convert):
    """Returns what Python is given for an object of compiled code."""
    if type(value) is _tsc.Module:
        lifted = getattr(sys.modules.get(f"{__package__}._modules"), "script_module_of", None)
        return value if lifted is None else lifted(value)
    if type(value) is not _tsc.Object:
        return value
    from . import _definitions
    cls = _definitions.class_named(value.original_name)
    if cls is None:
        return value
    made = cls.__new__(cls)
    for name in _definitions._classes[cls].attributes:
        object.__setattr__(made, name, convert(getattr(value, name)))
    return made


def modules_in(value):
    """Yields the compiled modules that the arguments of a call hold."""
    if isinstance(value, (list, tuple)):
        for one in value:
            yield from modules_in(one)
    elif isinstance(value, dict):
        for one in value.values():
            yield from modules_in(one)
    elif type(value) not in _PLAIN:
        script_module = getattr(sys.modules.get(f"{__package__}._script_modules"), "ScriptModule", None)
        if script_module is not None and isinstance(value, script_module):
            yield value


def check_no_gradients(value):
    """Raises RuntimeError for an object that holds tensors which require gradients. One that stays with compiled code has
    its own tensors, from which gradients would not come back."""
    for part in parts_of(value):
        if getattr(part, "requires_grad", False):
            raise RuntimeError(f"an object of class '{type(value).__name__}' that compiled code keeps holds a tensor that "
                               "requires gradients, which it would not get: make the tensor a parameter of a module, or give "
                               "the object with each call")
        check_no_gradients(part)


def update(value, convert):
    """Puts what `convert` returns into the attributes of an object that lift() has made, and returns the object."""
    known = None if type(value) in _PLAIN else _known_class(type(value))
    for name in known.attributes if known is not None else ():
        object.__setattr__(value, name, convert(getattr(value, name)))
    return value


class RecursiveScriptClass:
    """An object of a user's class that compiled code has. Its methods are compiled."""

    def __init__(self, value, definition):
        from . import _values
        own = self.__dict__
        own["_definition"] = definition
        own["_python_class"] = type(value)
        check_no_gradients(value)
        own["_compiled_object"] = lower(value, _values.to_tsc)

    def __getattr__(self, name):
        from . import _values
        own = self.__dict__
        if name.startswith("__") and name.endswith("__") and name not in own["_definition"].methods:
            raise AttributeError(name)
        if name in own["_definition"].attributes:
            return _values.to_torch(getattr(own["_compiled_object"], name))
        item = inspect.getattr_static(own["_python_class"], name, None)
        if isinstance(item, property):
            return item.fget(self)
        if not callable(item):
            raise AttributeError(f"'{own['_python_class'].__name__}' object has no attribute '{name}'")

        def method(*args, **kwargs):
            who = _values.part_of_torch(args, kwargs)
            if who is not None:
                from . import _torch_runs
                raise _torch_runs.refusal(f"{own['_python_class'].__name__}.{name}", who, "it is a method of an object")
            compiled = unit().compiled(unit().find_method(own["_definition"], name))
            return _values.call(compiled, (self, *args), kwargs)

        return method

    def __setattr__(self, name, value):
        from . import _values
        own = self.__dict__
        item = inspect.getattr_static(own["_python_class"], name, None)
        if isinstance(item, property) and item.fset is not None:
            item.fset(self, value)
        else:
            setattr(own["_compiled_object"], name, _values.to_tsc(value))

    def forward_magic_method(self, name, *args):
        if name not in self.__dict__["_definition"].methods:
            raise NotImplementedError(f"'{self.__dict__['_python_class'].__name__}' has no {name}")
        return self.__getattr__(name)(*args)


def _forwarded(name):
    def method(self, *args):
        return self.forward_magic_method(name, *args)

    method.__name__ = name
    return method


for _name in ("__len__", "__getitem__", "__setitem__", "__contains__", "__add__", "__sub__", "__mul__", "__truediv__",
              "__floordiv__", "__mod__", "__pow__", "__neg__", "__lt__", "__le__", "__gt__", "__ge__", "__call__",
              "__iadd__", "__isub__", "__imul__", "__radd__", "__rsub__", "__rmul__", "__int__", "__float__"):
    setattr(RecursiveScriptClass, _name, _forwarded(_name))
