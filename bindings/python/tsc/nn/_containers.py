"""What containers of modules and parameters do as Python's lists and dictionaries do.

Their classes are texts of tsc's library; a program that is evaluated finds these methods built in.
"""

import collections
import itertools


def _table(container):
    return container._parameters if container._is_of_parameters else container._modules


class Sequence:
    """Methods of Sequential, ModuleList and ParameterList."""

    _is_of_parameters = False

    def _place(self, index):
        try:
            number = index.__index__()
        except AttributeError:
            raise TypeError(f"places are ints and slices, and not {type(index).__name__}") from None
        if not -len(self) <= number < len(self):
            raise IndexError(f"index {number} is out of range")
        return number % len(self)

    def _fill(self, values):
        table = _table(self)
        table.clear()
        for place, value in enumerate(values):
            table[str(place)] = value

    def __len__(self):
        return len(_table(self))

    def __iter__(self):
        return iter(list(_table(self).values()))

    def __getitem__(self, index):
        values = list(_table(self).items())
        if isinstance(index, slice):
            if type(self).__name__ == "Sequential":
                return type(self)(collections.OrderedDict(values[index]))
            return type(self)([value for _, value in values[index]])
        return values[self._place(index)][1]

    def __setitem__(self, index, value):
        setattr(self, list(_table(self))[self._place(index)], value)

    def __delitem__(self, index):
        keys = list(_table(self))
        for key in keys[index] if isinstance(index, slice) else [keys[self._place(index)]]:
            delattr(self, key)
        self._fill(list(_table(self).values()))

    def __iadd__(self, others):
        return self.extend(others)

    def __add__(self, others):
        return type(self)(*self, *others) if type(self).__name__ == "Sequential" else type(self)([*self, *others])

    def __dir__(self):
        return [name for name in super(type(self), self).__dir__() if not name.isdigit()]

    def insert(self, index, value):
        """Puts an element before the one at a place."""
        values = list(self)
        values.insert(index, value)
        self._fill(values)

    def pop(self, index):
        """Takes the element at a place out, and returns it."""
        value = self[index]
        del self[index]
        return value


class Mapping:
    """Methods of ModuleDict and ParameterDict."""

    _is_of_parameters = False

    def __len__(self):
        return len(_table(self))

    def __iter__(self):
        return iter(list(_table(self)))

    def __contains__(self, key):
        return key in _table(self)

    def __getitem__(self, key):
        return _table(self)[key]

    def __setitem__(self, key, value):
        self.update({key: value})

    def __delitem__(self, key):
        del _table(self)[key]

    def keys(self):
        """The names."""
        return _table(self).keys()

    def values(self):
        """The elements."""
        return _table(self).values()

    def items(self):
        """The names with their elements."""
        return _table(self).items()

    def get(self, key, default=None):
        """Returns the element of a name, or the default."""
        return _table(self).get(key, default)

    def pop(self, key):
        """Takes the element of a name out, and returns it."""
        return _table(self).pop(key)

    def clear(self):
        """Takes all elements out."""
        _table(self).clear()


def _list_text(self):
    """The text of a ModuleList, in which equal elements that follow each other are one with their number."""
    lines = []
    for text, places in itertools.groupby(range(len(self)), lambda place: repr(self[place])):
        first, *others = places
        shown = f"({first}-{others[-1]}): {len(others) + 1} x {text}" if others else f"({first}): {text}"
        lines.append(shown.replace("\n", "\n  "))
    return f"{self._get_name()}(\n  " + "\n  ".join(lines) + "\n)" if lines else f"{self._get_name()}()"


def complete(classes):
    """Gives the classes of containers these methods, where their text has none of the name."""
    for name, methods, is_of_parameters in (("Sequential", Sequence, False), ("ModuleList", Sequence, False),
                                            ("ParameterList", Sequence, True), ("ModuleDict", Mapping, False),
                                            ("ParameterDict", Mapping, True)):
        cls = classes[name]
        for key, value in vars(methods).items():
            if (not key.startswith("__") or callable(value)) and key not in vars(cls):
                setattr(cls, key, value)
        cls._is_of_parameters = is_of_parameters
    classes["ModuleList"].__repr__ = _list_text
