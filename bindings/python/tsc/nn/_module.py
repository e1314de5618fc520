"""The base class of modules: registering, walking, moving, saving and printing them, hooks, and calls.

The classes that derive from it are texts of tsc's library (lib/Frontend/Prelude/nn), which compiled programs see as
torch.nn. What an evaluated program finds built into modules is written here for CPython.
"""

import collections
import itertools

from .. import Tensor, device as _device, dtype as _dtype, no_grad
from .. import bfloat16, float16, float32, float64
from .parameter import Parameter

_IncompatibleKeys = collections.namedtuple("IncompatibleKeys", ["missing_keys", "unexpected_keys"])
_handles = itertools.count()


class RemovableHandle:
    """What registering a hook returns: `remove()` takes the hook away. As a context, it does so at the end."""

    def __init__(self, *tables):
        self.id = next(_handles)
        self._tables = tables

    def remove(self):
        for table in self._tables:
            table.pop(self.id, None)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.remove()


def _kind(value):
    cls = type(value)
    return "tsc.Tensor" if cls is Tensor else f"{cls.__module__}.{cls.__name__}" if cls.__module__ != "builtins" else cls.__name__


class Module:
    """A part of a model: parameters, buffers, other modules, and `forward`, which a call runs.

    As torch.nn.Module: assigning a Parameter or a Module to an attribute registers it.
    """

    dump_patches = False
    _version = 1
    # Whatever an object has of these is in its own dictionary; `__setattr__` asks whether they are there.
    _TABLES = ("_parameters", "_buffers", "_modules")

    def __init__(self, *args, **kwargs):
        own = self.__dict__
        own["training"] = True
        for table in ("_parameters", "_buffers", "_modules", "_forward_pre_hooks", "_forward_pre_hooks_with_kwargs",
                      "_forward_hooks", "_forward_hooks_with_kwargs", "_forward_hooks_always_called",
                      "_state_dict_hooks", "_load_state_dict_pre_hooks", "_load_state_dict_post_hooks"):
            own[table] = collections.OrderedDict()
        own["_non_persistent_buffers_set"] = set()

    def forward(self, *inputs):
        """What a call runs. Classes define it."""
        raise NotImplementedError(f"Module [{type(self).__name__}] is missing the required \"forward\" function")

    def __call__(self, *args, **kwargs):
        own = self.__dict__
        if not own["_forward_pre_hooks"] and not own["_forward_hooks"]:
            return self.forward(*args, **kwargs)
        return self._call_with_hooks(args, kwargs)

    def _call_with_hooks(self, args, kwargs):
        for number, hook in list(self._forward_pre_hooks.items()):
            if number in self._forward_pre_hooks_with_kwargs:
                changed = hook(self, args, kwargs)
                if changed is not None:
                    if not isinstance(changed, tuple) or len(changed) != 2:
                        raise RuntimeError("forward pre-hook must return None or a tuple of (new_args, new_kwargs), but got "
                                           f"{changed}.")
                    args, kwargs = changed
            else:
                changed = hook(self, args)
                if changed is not None:
                    args = changed if isinstance(changed, tuple) else (changed,)
        called = set()
        try:
            result = self.forward(*args, **kwargs)
            for number, hook in list(self._forward_hooks.items()):
                called.add(number)
                given = (self, args, kwargs) if number in self._forward_hooks_with_kwargs else (self, args)
                changed = hook(*given, result)
                result = result if changed is None else changed
        except BaseException:
            for number in self._forward_hooks_always_called:
                if number in self._forward_hooks and number not in called:
                    given = (self, args, kwargs) if number in self._forward_hooks_with_kwargs else (self, args)
                    self._forward_hooks[number](*given, None)
            raise
        return result

    #
    # Attributes
    #

    def _table(self, name):
        table = self.__dict__.get(name)
        if table is None:
            what = {"_parameters": "parameters", "_buffers": "buffers", "_modules": "module"}[name]
            raise AttributeError(f"cannot assign {what} before Module.__init__() call")
        return table

    def __getattr__(self, name):
        for table in Module._TABLES:
            found = self.__dict__.get(table)
            if found is not None and name in found:
                return found[name]
        raise AttributeError(f"'{type(self).__name__}' object has no attribute '{name}'")

    def __setattr__(self, name, value):
        own = self.__dict__
        if isinstance(value, Parameter):
            self._table("_parameters")
            self._forget(name)
            self.register_parameter(name, value)
        elif isinstance(value, Module):
            self._table("_modules")
            if name not in own["_modules"]:
                self._forget(name)
            own["_modules"][name] = value
        elif name in own.get("_parameters", ()):
            if value is not None:
                raise TypeError(f"cannot assign '{_kind(value)}' as parameter '{name}' (torch.nn.Parameter or None expected)")
            own["_parameters"][name] = None
        elif name in own.get("_modules", ()):
            if value is not None:
                raise TypeError(f"cannot assign '{_kind(value)}' as child module '{name}' (torch.nn.Module or None expected)")
            own["_modules"][name] = None
        elif name in own.get("_buffers", ()):
            if value is not None and not isinstance(value, Tensor):
                raise TypeError(f"cannot assign '{_kind(value)}' as buffer '{name}' (torch.Tensor or None expected)")
            own["_buffers"][name] = value
        else:
            object.__setattr__(self, name, value)

    def _forget(self, name):
        """Makes room for an attribute of another kind."""
        own = self.__dict__
        own.pop(name, None)
        for table in Module._TABLES:
            own[table].pop(name, None)
        own["_non_persistent_buffers_set"].discard(name)

    def __delattr__(self, name):
        for table in Module._TABLES:
            if name in self.__dict__.get(table, ()):
                del self.__dict__[table][name]
                self._non_persistent_buffers_set.discard(name)
                return
        object.__delattr__(self, name)

    def __dir__(self):
        own = self.__dict__
        return sorted({*object.__dir__(self), *(name for table in Module._TABLES for name in own.get(table, ())
                                                if name.isidentifier())})

    def __setstate__(self, state):
        self.__dict__.update(state)

    def _check_name(self, name, kind):
        if not isinstance(name, str):
            raise TypeError(f"{kind} name should be a string. Got {_kind(name)}")
        if "." in name:
            raise KeyError(f"{kind} name can't contain \".\"" + (f", got: {name}" if kind == "module" else ""))
        if name == "":
            raise KeyError(f"{kind} name can't be empty string \"\"")

    def register_parameter(self, name, param):
        """Adds a parameter, or None in the place of one."""
        table = self._table("_parameters")
        self._check_name(name, "parameter")
        if hasattr(self, name) and name not in table:
            raise KeyError(f"attribute '{name}' already exists")
        if param is not None and not isinstance(param, Parameter):
            raise TypeError(f"cannot assign '{_kind(param)}' object to parameter '{name}' (torch.nn.Parameter or None required)")
        if param is not None and not param.is_leaf:
            raise ValueError(f"Cannot assign non-leaf Tensor to parameter '{name}'. Model parameters must be created "
                             f"explicitly. To express '{name}' as a function of another Tensor, compute the value in the "
                             "forward() method.")
        table[name] = param

    def register_buffer(self, name, tensor, persistent=True):
        """Adds a tensor that belongs to the module's state and is no parameter. `state_dict` has it if it is persistent."""
        table = self._table("_buffers")
        self._check_name(name, "buffer")
        if hasattr(self, name) and name not in table:
            raise KeyError(f"attribute '{name}' already exists")
        if tensor is not None and not isinstance(tensor, Tensor):
            raise TypeError(f"cannot assign '{_kind(tensor)}' object to buffer '{name}' (torch Tensor or None required)")
        table[name] = tensor
        if persistent:
            self._non_persistent_buffers_set.discard(name)
        else:
            self._non_persistent_buffers_set.add(name)

    def add_module(self, name, module):
        """Adds a module as the attribute of this name."""
        table = self._table("_modules")
        if module is not None and not isinstance(module, Module):
            raise TypeError(f"{_kind(module)} is not a Module subclass")
        self._check_name(name, "module")
        if hasattr(self, name) and name not in table:
            raise KeyError(f"attribute '{name}' already exists")
        table[name] = module

    def register_module(self, name, module):
        """The same as add_module()."""
        self.add_module(name, module)

    #
    # Walks
    #

    def named_modules(self, memo=None, prefix="", remove_duplicate=True):
        """Yields the module itself and all modules in it, with their paths, each one once unless told otherwise."""
        memo = set() if memo is None else memo
        if remove_duplicate:
            if self in memo:
                return
            memo.add(self)
        yield prefix, self
        for name, module in self._modules.items():
            if module is not None:
                yield from module.named_modules(memo, prefix + ("." if prefix else "") + name, remove_duplicate)

    def modules(self):
        """Yields the module itself and all modules in it."""
        for _, module in self.named_modules():
            yield module

    def named_children(self):
        """Yields the modules that the attributes hold, with their names, each one once."""
        seen = set()
        for name, module in self._modules.items():
            if module is not None and module not in seen:
                seen.add(module)
                yield name, module

    def children(self):
        """Yields the modules that the attributes hold."""
        for _, module in self.named_children():
            yield module

    def _named_members(self, table, prefix, recurse, remove_duplicate):
        seen = set()
        owners = self.named_modules(prefix=prefix, remove_duplicate=remove_duplicate) if recurse else [(prefix, self)]
        for path, module in owners:
            for name, value in getattr(module, table).items():
                if value is None or value in seen:
                    continue
                if remove_duplicate:
                    seen.add(value)
                yield path + ("." if path else "") + name, value

    def named_parameters(self, prefix="", recurse=True, remove_duplicate=True):
        """Yields the parameters with their paths: ("encoder.weight", tensor)."""
        yield from self._named_members("_parameters", prefix, recurse, remove_duplicate)

    def parameters(self, recurse=True):
        """Yields the parameters."""
        for _, parameter in self.named_parameters(recurse=recurse):
            yield parameter

    def named_buffers(self, prefix="", recurse=True, remove_duplicate=True):
        """Yields the buffers with their paths."""
        yield from self._named_members("_buffers", prefix, recurse, remove_duplicate)

    def buffers(self, recurse=True):
        """Yields the buffers."""
        for _, buffer in self.named_buffers(recurse=recurse):
            yield buffer

    def get_submodule(self, target):
        """Returns the module at a path, as "encoder.layers.0"; the module itself for ""."""
        module = self
        for name in target.split(".") if target else ():
            if not hasattr(module, name):
                raise AttributeError(f"{type(module).__name__} has no attribute `{name}`")
            module = getattr(module, name)
            if not isinstance(module, Module):
                raise AttributeError(f"`{name}` is not an nn.Module")
        return module

    def _member(self, target, table, what):
        path, _, name = target.rpartition(".")
        module = self.get_submodule(path)
        if not hasattr(module, name):
            raise AttributeError(f"{type(module).__name__} has no attribute `{name}`")
        if name not in module.__dict__[table]:
            raise AttributeError(f"`{name}` is not {what}")
        return module.__dict__[table][name]

    def get_parameter(self, target):
        """Returns the parameter at a path."""
        return self._member(target, "_parameters", "an nn.Parameter")

    def get_buffer(self, target):
        """Returns the buffer at a path."""
        return self._member(target, "_buffers", "a buffer")

    def apply(self, fn):
        """Calls a function with every module, those within first, and returns the module itself."""
        for module in self.children():
            module.apply(fn)
        fn(self)
        return self

    #
    # Modes, dtypes
    #

    def train(self, mode=True):
        """Sets the training mode of the module and of all modules in it."""
        if not isinstance(mode, bool):
            raise ValueError("training mode is expected to be boolean")
        self.training = mode
        for module in self.children():
            module.train(mode)
        return self

    def eval(self):  # noqa: A003  its name in torch
        """Sets evaluation mode."""
        return self.train(False)

    def requires_grad_(self, requires_grad=True):
        """Sets whether gradients are computed for the parameters."""
        for parameter in self.parameters():
            parameter.requires_grad_(requires_grad)
        return self

    def zero_grad(self, set_to_none=True):
        """Takes the gradients of the parameters away, or sets them to zero."""
        for parameter in self.parameters():
            if parameter.grad is not None:
                parameter.grad = None if set_to_none else parameter.grad.detach().zero_()

    def _apply(self, fn):
        """Replaces what each parameter and buffer holds by what a function makes of it."""
        for module in self.children():
            module._apply(fn)
        for parameter in self._parameters.values():
            if parameter is None:
                continue
            gradient = parameter.grad
            with no_grad():
                made = fn(parameter.detach())
            if gradient is not None:
                parameter.grad = None
            parameter.data = made
            if gradient is not None:
                with no_grad():
                    parameter.grad = fn(gradient.detach())
        for name, buffer in self._buffers.items():
            if buffer is not None:
                self._buffers[name] = fn(buffer)
        return self

    def to(self, *args, dtype=None, device=None, non_blocking=False, memory_format=None):
        """Converts the floating-point parameters and buffers to a dtype, or moves all to a device: "cpu"."""
        for one in args:
            if isinstance(one, Tensor):
                dtype, device = one.dtype, one.device
            elif isinstance(one, _dtype):
                dtype = one
            elif isinstance(one, (str, _device)):
                device = one
            elif not isinstance(one, bool):
                raise TypeError(f"to() takes a dtype, a device or a tensor, and not {_kind(one)}")
        if dtype is not None and not (dtype.is_floating_point or dtype.is_complex):
            raise TypeError(f"nn.Module.to only accepts floating point or complex dtypes, but got desired dtype={dtype}")

        def convert(tensor):
            floats = tensor.is_floating_point() or tensor.is_complex()
            if dtype is not None and floats:
                tensor = tensor.to(dtype)
            return tensor if device is None else tensor.to(device)

        return self._apply(convert)

    def cpu(self):
        """Moves all parameters and buffers to the processor's memory."""
        return self.to("cpu")

    def type(self, dst_type):  # noqa: A003  its name in torch
        """Converts all parameters and buffers to a dtype."""
        return self._apply(lambda tensor: tensor.to(dst_type))

    def _to_float(self, dtype):
        return self._apply(lambda tensor: tensor.to(dtype) if tensor.is_floating_point() else tensor)

    def double(self):
        """Converts floating-point parameters and buffers to float64."""
        return self._to_float(float64)

    def float(self):  # noqa: A003  its name in torch
        """Converts floating-point parameters and buffers to float32."""
        return self._to_float(float32)

    def half(self):
        """Converts floating-point parameters and buffers to float16."""
        return self._to_float(float16)

    def bfloat16(self):
        """Converts floating-point parameters and buffers to bfloat16."""
        return self._to_float(bfloat16)

    #
    # State
    #

    def state_dict(self, *args, destination=None, prefix="", keep_vars=False):
        """Returns the parameters and persistent buffers by their paths."""
        if args:  # as it was called before these were keywords
            destination, prefix, keep_vars = (*args, *(destination, prefix, keep_vars)[len(args):])
        if destination is None:
            destination = collections.OrderedDict()
            destination._metadata = collections.OrderedDict()
        if hasattr(destination, "_metadata"):
            destination._metadata[prefix[:-1]] = {"version": self._version}
        self._save_to_state_dict(destination, prefix, keep_vars)
        for name, module in self._modules.items():
            if module is not None:
                module.state_dict(destination=destination, prefix=prefix + name + ".", keep_vars=keep_vars)
        for hook in self._state_dict_hooks.values():
            changed = hook(self, destination, prefix, {})
            destination = destination if changed is None else changed
        return destination

    def _save_to_state_dict(self, destination, prefix, keep_vars):
        for name, value in itertools.chain(self._parameters.items(), self._buffers.items()):
            if value is not None and name not in self._non_persistent_buffers_set:
                destination[prefix + name] = value if keep_vars else value.detach()

    def _load_from_state_dict(self, state_dict, prefix, local_metadata, strict, missing_keys, unexpected_keys, error_msgs):
        for hook in self._load_state_dict_pre_hooks.values():
            hook(state_dict, prefix, local_metadata, strict, missing_keys, unexpected_keys, error_msgs)
        own = {name: value for name, value in itertools.chain(self._parameters.items(), self._buffers.items())
               if value is not None and name not in self._non_persistent_buffers_set}
        for name, value in own.items():
            key = prefix + name
            if key not in state_dict:
                missing_keys.append(key)
                continue
            given = state_dict[key]
            if tuple(given.shape) != tuple(value.shape):
                error_msgs.append(f"size mismatch for {key}: copying a param with shape torch.Size({list(given.shape)}) from "
                                  f"checkpoint, the shape in current model is {value.shape}.")
                continue
            with no_grad():
                value.copy_(_as_tensor(given))
        for key in state_dict:
            if not key.startswith(prefix):
                continue
            name = key[len(prefix):].split(".", 1)
            if name[0] not in self._modules and name[0] not in own:
                unexpected_keys.append(key)

    def load_state_dict(self, state_dict, strict=True, assign=False):
        """Copies tensors or arrays into the parameters and buffers of these paths. Returns which keys were missing, and
        which were not expected; with `strict` either is an error."""
        if not isinstance(state_dict, collections.abc.Mapping):
            raise TypeError(f"Expected state_dict to be dict-like, got {type(state_dict)}.")
        if assign:
            raise NotImplementedError("load_state_dict copies into the tensors that the module has: assign=True is not supported")
        metadata = getattr(state_dict, "_metadata", {})
        missing, unexpected, errors = [], [], []

        def load(module, prefix):
            module._load_from_state_dict(state_dict, prefix, metadata.get(prefix[:-1], {}), True, missing, unexpected, errors)
            for name, child in module._modules.items():
                if child is not None:
                    load(child, prefix + name + ".")
            for hook in module._load_state_dict_post_hooks.values():
                hook(module, keys)

        keys = _IncompatibleKeys(missing, unexpected)
        load(self, "")
        if strict:
            for names, what in ((missing, "Missing"), (unexpected, "Unexpected")):
                if names:
                    errors.insert(0, f"{what} key(s) in state_dict: " + ", ".join(f'"{name}"' for name in names) + ". ")
        if errors:
            raise RuntimeError(f"Error(s) in loading state_dict for {type(self).__name__}:\n\t" + "\n\t".join(errors))
        return keys

    #
    # Hooks
    #

    def _add_hook(self, table, hook, prepend, marks):
        handle = RemovableHandle(table, *marks)
        table[handle.id] = hook
        if prepend:
            table.move_to_end(handle.id, last=False)
        for mark in marks:
            mark[handle.id] = True
        return handle

    def register_forward_pre_hook(self, hook, *, prepend=False, with_kwargs=False):
        """Lets `hook(module, args)` run before each call; what it returns, if not None, takes the arguments' place."""
        return self._add_hook(self._forward_pre_hooks, hook, prepend, [self._forward_pre_hooks_with_kwargs] * with_kwargs)

    def register_forward_hook(self, hook, *, prepend=False, with_kwargs=False, always_call=False):
        """Lets `hook(module, args, output)` run after each call; what it returns, if not None, takes the output's place."""
        marks = [self._forward_hooks_with_kwargs] * with_kwargs + [self._forward_hooks_always_called] * always_call
        return self._add_hook(self._forward_hooks, hook, prepend, marks)

    def register_full_backward_hook(self, hook, prepend=False):
        """Not supported: gradients are not seen module by module."""
        raise NotImplementedError("hooks of backward() are not supported: tsc.autograd.grad gives the gradients of any tensors")

    register_backward_hook = register_full_backward_pre_hook = register_full_backward_hook

    def _register_state_dict_hook(self, hook):
        return self._add_hook(self._state_dict_hooks, hook, False, [])

    def _register_load_state_dict_pre_hook(self, hook):
        return self._add_hook(self._load_state_dict_pre_hooks, hook, False, [])

    def register_load_state_dict_post_hook(self, hook):
        """Lets `hook(module, incompatible_keys)` run after load_state_dict()."""
        return self._add_hook(self._load_state_dict_post_hooks, hook, False, [])

    #
    # Text
    #

    def _get_name(self):
        return type(self).__name__

    def extra_repr(self):
        """What the text of the module says beside the modules in it."""
        return ""

    def _repr_html_(self):
        from .. import _html

        return _html.of_module(self)

    def __repr__(self):
        extra = self.extra_repr()
        lines = extra.split("\n") if extra else []
        children = [f"({name}): " + repr(module).replace("\n", "\n  ") for name, module in self._modules.items()]
        if not children and len(lines) <= 1:
            return f"{self._get_name()}({extra})"
        return f"{self._get_name()}(\n  " + "\n  ".join(lines + children) + "\n)"


def _as_tensor(value):
    from .. import as_tensor
    return value if isinstance(value, Tensor) else as_tensor(value)
