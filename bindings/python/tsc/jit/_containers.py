"""Lists and dicts that Python and compiled code share: what one does to them, the other sees.

A plain list of Python's is copied when compiled code is given it.
"""

import collections.abc
import operator

from .. import _tsc
from . import _definitions, _scopes, _values

_Container = _tsc._script.Container


def _type_of(value):
    if not value:
        text = "List[torch.Tensor]" if isinstance(value, list) else "Dict[str, torch.Tensor]"
        scope = _scopes.Scope([_definitions._names_of_types()], is_ours=True)
        return _definitions.unit().type(text, scope)
    found = _definitions.type_of_value(value, _scopes.Scope([{}]))
    if isinstance(found, str):
        kind = "list" if isinstance(value, list) else "dictionary"
        raise RuntimeError(f"Could not infer type of {kind}: {value!r:.100} is {found}")
    return found


class _Shared(_Container):
    """What lists and dicts have in common."""

    def __init__(self, value, _type=None):
        super().__init__(_type or _type_of(value), _values.to_tsc(value))

    def _plain(self):
        return _values.to_python(self._copy())

    def _do(self, op, kinds="", *args):
        return _values.to_python(self._call("aten::" + op, kinds, *map(_values.to_tsc, args)))

    def _verify(self, kind, value):
        self._check(kind, _values.to_tsc(value))

    def __len__(self):
        return self._do("len")

    def __bool__(self):
        return len(self) != 0

    def __repr__(self):
        return repr(self._plain())

    def __eq__(self, other):
        return self._plain() == (other._plain() if isinstance(other, _Shared) else other)

    __hash__ = None

    def clear(self):
        self._do("clear")


class ScriptList(_Shared):
    """A list that compiled code shares. Elements are of the type that its first ones had."""

    def _place(self, index, what="list index out of range"):
        place = operator.index(index)
        size = len(self)
        if not -size <= place < size:
            raise IndexError(what)
        return place + size if place < 0 else place

    def __getitem__(self, index):
        if isinstance(index, slice):
            return ScriptList(self._plain()[index], self._type)
        return self._do("__getitem__", "i", self._place(index))

    def __setitem__(self, index, value):
        if isinstance(index, slice):
            changed = self._plain()
            changed[index] = value
            self._replace(changed)
        else:
            self._do("_set_item", "ie", self._place(index, "list assignment index out of range"), value)

    def __delitem__(self, index):
        if isinstance(index, slice):
            changed = self._plain()
            del changed[index]
            self._replace(changed)
        else:
            self._do("Delete", "i", self._place(index, "list assignment index out of range"))

    def _replace(self, content):
        self._verify("c", content)
        self._do("clear")
        self._do("extend", "c", content)

    def __iter__(self):
        at = 0
        while at < len(self):
            yield self[at]
            at += 1

    def __reversed__(self):
        return reversed(self._plain())

    def __contains__(self, value):
        self._verify("e", value)
        return value in self._plain()

    def __add__(self, other):
        return ScriptList(self._plain() + list(other), self._type)

    def __iadd__(self, other):
        self.extend(other)
        return self

    def count(self, value):
        self._verify("e", value)
        return self._plain().count(value)

    def index(self, value, *bounds):
        self._verify("e", value)
        return self._plain().index(value, *bounds)

    def append(self, value):
        self._do("append", "e", value)

    def extend(self, values):
        self._do("extend", "c", list(values))

    def insert(self, index, value):
        self._do("insert", "ie", operator.index(index), value)

    def pop(self, index=-1):
        if not len(self):
            raise IndexError("pop from empty list")
        return self._do("pop", "i", self._place(index, "pop index out of range"))

    def remove(self, value):
        self._verify("e", value)
        del self[self._plain().index(value)]

    def reverse(self):
        self._do("reverse")

    def copy(self):
        return ScriptList(self._plain(), self._type)


class ScriptDict(_Shared):
    """A dict that compiled code shares. Keys and values are of the types that its first ones had."""

    def __contains__(self, key):
        try:
            return self._do("__contains__", "k", key)
        except TypeError as error: # as PyTorch has it: a key of another type is never there
            raise KeyError(key) from error

    def __getitem__(self, key):
        if key not in self:
            raise KeyError(key)
        return self._do("__getitem__", "k", key)

    def __setitem__(self, key, value):
        self._do("_set_item", "kv", key, value)

    def __delitem__(self, key):
        self._verify("k", key)
        if key not in self:
            raise KeyError(key)
        self._do("Delete", "k", key)

    def __iter__(self):
        return iter(self._plain())

    def keys(self):
        return collections.abc.KeysView(self)

    def values(self):
        return collections.abc.ValuesView(self)

    def items(self):
        return collections.abc.ItemsView(self)

    get = collections.abc.Mapping.get
    pop = collections.abc.MutableMapping.pop
    setdefault = collections.abc.MutableMapping.setdefault
    update = collections.abc.MutableMapping.update

    def copy(self):
        return ScriptDict(self._plain(), self._type)


collections.abc.MutableSequence.register(ScriptList)
collections.abc.MutableMapping.register(ScriptDict)


def create_script_list(obj):
    """Makes a list that compiled code shares, with the elements of one of Python's."""
    return ScriptList(list(obj))


def create_script_dict(obj):
    """Makes a dict that compiled code shares, with the entries of one of Python's."""
    return ScriptDict(dict(obj))
