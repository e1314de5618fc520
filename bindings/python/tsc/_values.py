"""Values of programs that are objects of Python's own classes."""

# What few programs need is imported where it is used: the package is imported in milliseconds.


class Size(tuple):
    """The sizes of a tensor, as torch.Size."""

    __slots__ = ()

    def numel(self):
        """The number of elements of a tensor of these sizes."""
        product = 1
        for size in self:
            product *= size
        return product

    def __repr__(self):
        return f"torch.Size({list(self)})"

    def __getitem__(self, index):
        part = super().__getitem__(index)
        return Size(part) if isinstance(index, slice) else part

    def __add__(self, other):
        return Size(super().__add__(tuple(other)))

    def __reduce__(self):
        return Size, (tuple(self),)


class Future:
    """What `torch.jit.fork` gave a program that handed it on. The work was done before the call returned."""

    def __init__(self, value, error):
        self._value = value
        self._error = error

    def wait(self):
        """Returns the result, or raises what the work raised."""
        if self._error is not None:
            raise self._error
        return self._value

    value = wait

    def done(self):
        """Whether there is a result or an error: always."""
        return True


def named_tuple(name, fields):
    """Makes the class for a NamedTuple of a program, "__torch__.Point"."""
    import collections

    module, _, last = name.rpartition(".")
    try:
        made = collections.namedtuple(last, fields)
    except ValueError:  # a field has a name that Python does not allow
        made = collections.namedtuple(last, fields, rename=True)
    made.__module__ = module or "__torch__"
    return made


def return_type(name, fields):
    """Makes the class for the results of an operator, as torch.return_types.max."""
    import collections

    base = collections.namedtuple(name, fields, rename=True)

    def represent(self):
        inner = ",\n".join(f"{field}={value!r}" for field, value in zip(self._fields, self))
        return f"torch.return_types.{name}(\n{inner})"

    # As a class of torch's, it is made of a tuple.
    return type(name, (base,), {
        "__slots__": (), "__repr__": represent, "__module__": "torch.return_types",
        "__new__": lambda cls, values: tuple.__new__(cls, values)})


def enum(name, members):
    """Makes the class for an enum of a program."""
    import enum as python_enum

    module, _, last = name.rpartition(".")
    return python_enum.Enum(last, members, module=module or "__torch__")


def signature(parameters, result):
    """Makes the signature of a function: each parameter is (name, type, whether it has a default, the default, whether
    it is keyword-only)."""
    import inspect

    made = []
    for name, annotation, has_default, default, keyword_only in parameters:
        kind = inspect.Parameter.KEYWORD_ONLY if keyword_only else inspect.Parameter.POSITIONAL_OR_KEYWORD
        made.append(inspect.Parameter(
            name, kind, annotation=annotation, default=default if has_default else inspect.Parameter.empty))
    return inspect.Signature(made, return_annotation=result)
