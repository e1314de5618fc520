"""Methods of modules that are written in Python, and are put into the type."""

from . import _tsc
from ._grad import no_grad
from ._load import load
from ._tsc import Module


def _prefixed(pairs, prefix):
    for path, value in pairs:
        yield (f"{prefix}.{path}" if prefix and path else prefix or path), value


def named_parameters(self, prefix="", recurse=True, remove_duplicate=True):
    """Yields the parameters with their paths: ("encoder.weight", tensor)."""
    yield from _prefixed(self._named_parameters(recurse), prefix)


def parameters(self, recurse=True):
    """Yields the parameters."""
    for _, value in self._named_parameters(recurse):
        yield value


def named_buffers(self, prefix="", recurse=True, remove_duplicate=True):
    """Yields the buffers with their paths."""
    yield from _prefixed(self._named_buffers(recurse), prefix)


def buffers(self, recurse=True):
    """Yields the buffers."""
    for _, value in self._named_buffers(recurse):
        yield value


def named_attributes(self, recurse=True):
    """Yields all attributes with their paths."""
    yield from self._named_attributes(recurse)


def named_children(self):
    """Yields the modules that the attributes hold, with their names."""
    yield from self._named_children()


def children(self):
    """Yields the modules that the attributes hold."""
    for _, module in self._named_children():
        yield module


def named_modules(self, memo=None, prefix="", remove_duplicate=True):
    """Yields the module itself and all modules in it, with their paths."""
    yield from _prefixed(self._named_modules(), prefix)


def modules(self):
    """Yields the module itself and all modules in it."""
    for _, module in self._named_modules():
        yield module


def get_submodule(self, target):
    """Returns the module at a path."""
    for path, module in self._named_modules():
        if path == target:
            return module
    raise AttributeError(f"there is no module '{target}'")


def state_dict(self, *args, destination=None, prefix="", keep_vars=False):
    """Returns the parameters and buffers by their paths, each module's own before those of the modules in it."""
    import collections

    result = collections.OrderedDict() if destination is None else destination
    for path, module in self._named_modules():
        start = prefix + (path + "." if path else "")
        for pairs in (module._named_parameters(False), module._named_buffers(False)):
            for name, value in pairs:
                if value is not None:
                    result[start + name] = value if keep_vars else value.detach()
    return result


def load_state_dict(self, state_dict, strict=True):
    """Copies tensors into the parameters and buffers of these paths."""
    own = self.state_dict(keep_vars=True)
    missing = [name for name in own if name not in state_dict]
    unexpected = [name for name in state_dict if name not in own]
    errors = []
    if strict and unexpected:
        errors.append("Unexpected key(s) in state_dict: " + ", ".join(f'"{name}"' for name in unexpected) + ". ")
    if strict and missing:
        errors.append("Missing key(s) in state_dict: " + ", ".join(f'"{name}"' for name in missing) + ". ")
    for name, value in own.items():
        if name in state_dict and tuple(state_dict[name].shape) != tuple(value.shape):
            errors.append(f"size mismatch for {name}: copying a param with shape torch.Size({list(state_dict[name].shape)}) "
                          f"from checkpoint, the shape in current model is {value.shape}.")
    if errors:
        raise RuntimeError(f"Error(s) in loading state_dict for {self.original_name.rpartition('.')[2]}:\n\t"
                           + "\n\t".join(errors))
    with no_grad():
        for name, value in own.items():
            if name in state_dict:
                source = state_dict[name]
                value.copy_(source if isinstance(source, _tsc.Tensor) else _tsc._from_array(source, True))
    import collections

    return collections.namedtuple("IncompatibleKeys", ["missing_keys", "unexpected_keys"])(missing, unexpected)


def train(self, mode=True):
    """Sets the training mode of the module and of all modules in it."""
    return self._set_training(mode)


def eval(self):  # noqa: A001  its name in torch
    """Sets evaluation mode."""
    return self._set_training(False)


def requires_grad_(self, requires_grad=True):
    """Sets whether gradients are computed for the parameters."""
    for parameter in self.parameters():
        parameter.requires_grad = requires_grad
    return self


def zero_grad(self, set_to_none=True):
    """Takes the gradients of the parameters away, or sets them to zero."""
    for parameter in self.parameters():
        if parameter.grad is not None:
            if set_to_none:
                parameter.grad = None
            else:
                parameter.grad = parameter.grad.detach().zero_()


def to(self, *args, dtype=None, device=None):
    """Converts the floating-point parameters and buffers to a dtype, or moves all to a device."""
    for one in args:
        if isinstance(one, _tsc.dtype):
            dtype = one
        else:
            device = one
    if isinstance(device, str):
        device = _tsc.device(device)
    return self._to(device, dtype)


def double(self):
    """Converts floating-point parameters and buffers to float64."""
    return self._to(None, _tsc.float64)


def float_(self):
    """Converts floating-point parameters and buffers to float32."""
    return self._to(None, _tsc.float32)


def half(self):
    """Converts floating-point parameters and buffers to float16."""
    return self._to(None, _tsc.float16)


def save(self, f, _extra_files=None):
    """Writes the module as an archive that torch.jit.load reads. `f` is a path or a file object."""
    from ._load import save as write

    write(self, f, _extra_files)


def save_to_buffer(self, _extra_files=None):
    """Returns the bytes of the module's archive."""
    return self._archive("archive", _extra_files or {})


def get_code(self):
    """The source of the module's own methods, as TorchScript."""
    name = self.original_name.rpartition(".")[0]
    return self._code_files.get(name, "")


def dump(self):
    """Prints the module with its methods and attributes, as PyTorch's `dump`."""
    print(self._dump(), end="")


def dump_to_str(self):
    """Returns what dump() prints."""
    return self._dump()


def represent(self):
    lines = []
    for name, child in self._named_children():
        inner = repr(child).split("\n")
        lines.append(f"  ({name}): " + "\n  ".join(inner))
    last = self.original_name.rpartition(".")[2]
    head = f"Module(\n  original_name={last}" if lines else f"Module(original_name={last}"
    return head + "\n" + "\n".join(lines) + "\n)" if lines else head + ")"


def _repr_html_(self):
    from . import _html

    return _html.of_module(self)


def _load_copy(data, options):
    return load(data, **options)


def reduce(self):
    return _load_copy, (self._archive("archive", {}), self.program.options)


def deepcopy(self, memo):
    function, arguments = reduce(self)
    copied = function(*arguments)
    copied.train(self.training)
    memo[id(self)] = copied
    return copied


_renamed = {"float_": "float", "represent": "__repr__", "reduce": "__reduce__", "deepcopy": "__deepcopy__"}
for _name, _function in list(globals().items()):
    if not callable(_function) or getattr(_function, "__module__", None) != __name__ or isinstance(_function, type):
        continue
    if _name in ("get_code", "_prefixed", "_load_copy"):
        continue
    setattr(Module, _renamed.get(_name, _name), _function)
Module.code = property(get_code)
